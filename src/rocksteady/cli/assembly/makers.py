"""`rocksteady assembly drums`, `wall`, …: structures from a few sizes."""

from __future__ import annotations

import re
from typing import Annotated, Any

import rocksteady as rs
from rocksteady.cli.assembly.inputs import FOLDER, STONES, MaterialOptions
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.errors import InputError

_size = panel("Its sizes")
Number = float | None
Out = Annotated[
    list[str] | None,
    out_option(
        "The stones: .json (all of them), .compas.json, .dxf or .svg (outlines); a picture: .png "
        ".pdf; a folder gets a .json and a .png. May be repeated."
    ),
]


@grouped
def drums(
    material: MaterialOptions,
    count: Annotated[int, _size("Number of drums.", min=1)],
    height: Annotated[float, _size("Height of the column, m.")],
    width: Annotated[float, _size("Width at the foot, m.")],
    top_width: Annotated[
        Number, _size("Width at the top, m; that of the foot unless given.")
    ] = None,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A column of drums, which may taper.

    \b
    [cyan]rocksteady assembly drums --count 10 --height 6 --width 1 -o column.json[/cyan]
    """
    sizes = {"count": count, "height": height, "width": width, "top_width": top_width}
    _made(material.build("drums", **sizes), out, as_json, quiet)


@grouped
def pedestal(
    material: MaterialOptions,
    statue: Annotated[str, _size("Width and height of the statue, m.", metavar="WxH")],
    pedestal: Annotated[str, _size("Width and height of the pedestal, m.", metavar="WxH")],
    statue_density: Annotated[Number, _size("Of the statue, kg/m³, if another.")] = None,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A statue that stands free on a pedestal that stands free.

    \b
    [cyan]rocksteady assembly pedestal --statue 0.5x1.8 --pedestal 0.8x1.0 -o s.json[/cyan]
    """
    sizes = {
        "statue": _pair("--statue", statue),
        "pedestal": _pair("--pedestal", pedestal),
        "statue_density": statue_density,
    }
    _made(material.build("pedestal", **sizes), out, as_json, quiet)


@grouped
def vase_on_plinth(
    material: MaterialOptions,
    height: Annotated[float, _size("Height of both together, m.")] = 1.5,
    width: Annotated[float, _size("Width of the plinth, m.")] = 0.4,
    mass: Annotated[Number, _size("Of both together, kg.")] = None,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A vase that stands free on a plinth that stands free. Fixed to each other they are one body:
    the preset vase_fixed_on_plinth.

    \b
    [cyan]rocksteady assembly vase-on-plinth --height 1.5 --width 0.4 -o vase.json[/cyan]
    """
    sizes = {"height": height, "width": width, "mass": mass}
    _made(material.build("vase_on_plinth", **sizes), out, as_json, quiet)


@grouped
def portal(
    material: MaterialOptions,
    width: Annotated[float, _size("Width of a column, m.")],
    height: Annotated[float, _size("Height of a column, m.")],
    beam_length: Annotated[float, _size("Length of the beam, m.")],
    beam_height: Annotated[float, _size("Height of the beam, m.")],
    columns: Annotated[int, _size("Number of columns.", min=2)] = 2,
    overhang: Annotated[
        Number, _size("Beam beyond the outer columns, m; half their width unless given.")
    ] = None,
    drums: Annotated[int, _size("Drums of each column.", min=1)] = 1,
    split: Annotated[
        bool, _size("Divide the beam above the inner columns, as architraves are.", "--split")
    ] = False,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Columns under one beam: a rocking frame, a colonnade.

    \b
    Columns of 0.5 × 2 m under a beam of 4.5 × 0.25 m:
      --width 0.5 --height 2 --beam-length 4.5 --beam-height 0.25 -o frame.json
    A colonnade: four columns of six drums under three architraves:
      --columns 4 --drums 6 --width 1 --height 6
      --split --beam-length 10 --beam-height 0.9 -o stoa.json
    """
    sizes = {"width": width, "height": height, "beam_length": beam_length}
    sizes |= {"beam_height": beam_height, "columns": columns, "drums": drums}
    made = material.build("portal", **sizes, split=split or None, overhang=overhang)
    _made(made, out, as_json, quiet)


@grouped
def trilith(
    material: MaterialOptions,
    width: Annotated[float, _size("Width of an upright, m.")],
    height: Annotated[float, _size("Height of an upright, m.")],
    gap: Annotated[float, _size("Clear distance between the uprights, m.")],
    lintel_height: Annotated[float, _size("Height of the lintel, m.")],
    overhang: Annotated[Number, _size("Lintel beyond the outer faces, m; 0 unless given.")] = None,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Two uprights under a lintel.

    \b
    [cyan]rocksteady assembly trilith --width 1 --height 4 --gap 2 --lintel-height 0.8[/cyan]
    """
    sizes = {"width": width, "height": height, "gap": gap, "lintel_height": lintel_height}
    _made(material.build("trilith", **sizes, overhang=overhang), out, as_json, quiet)


Voussoirs = Annotated[int, _size("Number of voussoirs.", min=1)]
Ring = Annotated[float, _size("Thickness of the ring in the plane, m.")]
Span = Annotated[Number, _size("Clear span, m: with --rise.")]
Rise = Annotated[Number, _size("Clear rise, m.")]
Radius = Annotated[Number, _size("Of the middle line, m: with --embrace, instead.")]
Embrace = Annotated[Number, _size("Angle that the arch embraces, degrees; 180 unless given.")]
Polygons = Annotated[
    bool, _size("Let voussoirs weigh as drawn, with straight chords.", "--polygons")
]


@grouped
def arch(
    material: MaterialOptions,
    voussoirs: Voussoirs,
    ring: Ring,
    span: Span = None,
    rise: Rise = None,
    radius: Radius = None,
    embrace: Embrace = None,
    polygons: Polygons = False,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A round arch between fixed abutments.

    \b
    By its span and rise:
      [cyan]rocksteady assembly arch --voussoirs 9 --ring 0.3 --span 3 --rise 1[/cyan]
    By its radius and the angle that it embraces:
      [cyan]rocksteady assembly arch --voussoirs 7 --ring 0.15 --radius 1 --embrace 90[/cyan]
    """
    sizes = {"voussoirs": voussoirs, "ring": ring, "span": span, "rise": rise}
    sizes |= {"radius": radius, "embrace": embrace, "sectors": False if polygons else None}
    _made(material.build("arch", **sizes), out, as_json, quiet)


@grouped
def buttressed_arch(
    material: MaterialOptions,
    voussoirs: Voussoirs,
    ring: Ring,
    buttress_width: Annotated[float, _size("Width of a buttress, m.")],
    buttress_height: Annotated[float, _size("Its height up to the springing, m.")],
    courses: Annotated[int, _size("Stones of a buttress.", min=1)] = 1,
    span: Span = None,
    rise: Rise = None,
    radius: Radius = None,
    embrace: Embrace = None,
    polygons: Polygons = False,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """An arch on two buttresses that stand free on the ground.

    \b
    An arch on buttresses of four courses:
      --voussoirs 13 --ring 0.4 --span 3 --rise 1.2
      --buttress-width 1.2 --buttress-height 2 --courses 4 -o gate.json
    """
    sizes = {"voussoirs": voussoirs, "ring": ring, "span": span, "rise": rise}
    sizes |= {"radius": radius, "embrace": embrace, "sectors": False if polygons else None}
    sizes |= {"buttress_width": buttress_width, "buttress_height": buttress_height}
    _made(material.build("buttressed_arch", **sizes, courses=courses), out, as_json, quiet)


@grouped
def wall(
    material: MaterialOptions,
    rows: Annotated[int, _size("Courses.", min=1)],
    columns: Annotated[int, _size("Blocks in a course.", min=1)],
    length: Annotated[float, _size("Length of a block, m.")],
    height: Annotated[float, _size("Height of a block, m.")],
    bond: Annotated[str, _size("running, stack or english.")] = "running",
    opening: Annotated[
        list[str] | None,
        _size(
            "An opening under a lintel: x and y of its lower left corner, width and height, m, "
            "from bed joint to bed joint. May be repeated.",
            metavar="X,Y,W,H",
        ),
    ] = None,
    bearing: Annotated[
        Number, _size("How far lintels rest on both sides, m; half a block unless given.")
    ] = None,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A wall of blocks, with openings and lintels if you like.

    \b
    [cyan]rocksteady assembly wall --rows 9 --columns 6 --length 0.4 --height 0.2[/cyan]
    With a door of 0.8 × 1.2 m, 0.8 m from the left end: --opening 0.8,0,0.8,1.2.
    """
    sizes: dict[str, Any] = {"rows": rows, "columns": columns, "length": length, "height": height}
    sizes |= {"bond": bond, "bearing": bearing}
    if opening:
        sizes["openings"] = [_opening(text) for text in opening]
    _made(material.build("wall", **sizes), out, as_json, quiet)


MAKERS = (drums, pedestal, vase_on_plinth, portal, trilith, arch, buttressed_arch, wall)


# -- what they share -------------------------------------------------------------------------------


def _made(assembly: rs.Assembly, out: list[str] | None, as_json: bool, quiet: bool) -> None:
    """Write the assembly where it was asked for, and say what it is."""
    from rocksteady.cli.assembly.tables import next_steps, of_assembly, print_assembly
    from rocksteady.cli.common.files import planned
    from rocksteady.cli.common.output import out as output
    from rocksteady.cli.common.output import print_next, report

    files = planned(out, STONES, FOLDER)
    for path in files:
        write_stones(assembly, path)
    about = of_assembly(assembly) | {"files": [str(path) for path in files]}
    report(about, print_assembly, as_json=as_json, quiet=quiet)
    if not (as_json or quiet):
        print_next(next_steps(files), output())


def write_stones(assembly: rs.Assembly, path: Any) -> None:
    """Write the stones, or a picture of them, as the suffix says."""
    if path.suffix in STONES["picture"]:
        from rocksteady.view.assembly import plot_assembly

        plot_assembly(assembly, path, names=True)
    else:
        assembly.save(path)


def _pair(option: str, text: str) -> list[float]:
    """0.5x1.8 as a width and a height [m]."""
    from rocksteady.numbers import NUMBER

    match = re.fullmatch(rf"\s*({NUMBER})\s*[xX×*]\s*({NUMBER})\s*", text)
    if match is None:
        raise InputError(
            f"{option} {text} is not a size: give width and height in m, as in {option} 0.5x1.8."
        )
    return [float(match[1]), float(match[2])]


def _opening(text: str) -> list[float]:
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if len(values) != 4:
        raise InputError(
            f"--opening {text} is not an opening: give x and y of its lower left corner, its width "
            "and its height in m, as in --opening 0.8,0,0.8,1.2."
        )
    return values
