"""`rocksteady motion floor`: the motion of a floor, and its spectrum beside the codes'."""

from pathlib import Path
from typing import Annotated, Any

from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.files import FIGURES
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, result
from rocksteady.cli.common.output import box_table, print_files, print_json
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.motion.files import (
    Files,
    ReadOptions,
    Record,
    endings,
    finish,
    labels,
    names_file,
    targets,
)
from rocksteady.errors import InputError

MOTIONS = (".csv", ".at2")


@grouped
def floor(
    files: Files,
    floor: FloorOptions,
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    element_damping: Annotated[
        float, result("Damping ratio of an element on the floor, for the spectra.")
    ] = 0.05,
    out: Annotated[
        list[str] | None,
        out_option(
            "The floor's motion (.csv, .AT2), a figure (.png, .svg, .pdf), or a folder for both; "
            "may be repeated. NAME_floor.csv by default.",
            "FILE|FOLDER",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The motion of a floor from that of the ground, beside the floor spectra of four codes.

    The building is elastic, and its storeys are alike. It filters horizontal
    components; a vertical one is passed through. The motion goes on until the
    building has rung out. If the floor itself was recorded, use that record.

    \b
    The roof of a house of four storeys, its motion and a figure:
      [cyan]rocksteady motion floor record.AT2 --storeys 4 --period 0.5 -o roof/[/cyan]
    Its second floor:
      [cyan]rocksteady motion floor record.AT2 --storeys 4 --level 2 --period 0.5[/cyan]
    By modes that another program found, participation times shape:
      [cyan]rocksteady motion floor record.AT2 --modes "0.5:1.24 0.17:-0.33"[/cyan]
    """
    place = floor.build()
    if place is None:
        raise InputError(
            "Which building? Give --period, the fundamental period in s, and --storeys; or --modes."
        )
    with Work(quiet=quiet or as_json) as work:
        records = reading.read(files, work.on("Reading …"))
        found = records.found
        paths = _paths(found, out, [*files, *(one.file for one in found)])
        advance = work.on("Shaking the building …")
        made = []
        for done, (one, own) in enumerate(zip(found, paths, strict=True), start=1):
            made.append(_written(one.motion, place, element_damping, own))
            advance(done, len(found))
    if as_json:
        print_json({"motions": made, "failures": records.failures})
    elif not quiet:
        for about in made:
            _print(about)
    finish(records.failures)


def _paths(found: list[Record], outs: list[str] | None, sources: list[str]) -> list[list[Path]]:
    """The files of each motion."""
    names, ends = [f"{label}_floor" for label in labels(found)], endings(found)
    columns: list[list[Path]] = []
    for out in outs or [""]:
        if out and names_file(out):
            suffix = Path(out).suffix
            if suffix.lower() not in (*MOTIONS, *FIGURES):
                raise InputError(
                    f"--out {out} cannot be written: give a folder, or a file that ends in .csv or "
                    ".AT2 (the motion) or .png, .svg or .pdf (a figure)."
                )
            columns.append(targets(names, out, suffix, sources, ends))
        else:
            kinds = (".csv", ".png") if out else (".csv",)
            columns += [targets(names, out or None, kind, sources, ends) for kind in kinds]
    return [list(own) for own in zip(*columns, strict=True)] if found else []


def _written(
    motion: "rs.Motion", place: "rs.Floor", damping: float, paths: list[Path]
) -> dict[str, Any]:
    """Write the files; the floor in numbers and words."""
    spectra = rs.analysis.floor_spectra(motion, place, damping=damping)
    written: list[Path] = []
    for path in paths:
        if path.suffix.lower() in MOTIONS:
            written += rs.write_motion(spectra.motion, path)
        else:
            spectra.plot(path)
            written.append(path)
    return {
        "name": motion.name,
        **spectra.summary(),
        "sentences": spectra.sentences,
        "files": [str(path) for path in written],
    }


def _print(about: dict[str, Any]) -> None:
    from rocksteady.motion.units import GRAVITY_UNIT

    console, table = output(), box_table()
    table.add_row(Text("Motion", "bold"), Text(about["name"] or "without a name", "bold"))
    table.add_row("floor", about["floor"])
    table.add_section()
    table.add_row(Text("Peak acceleration [g]", "bold"), "")
    table.add_row("the ground", f"{about['pga [m/s2]'] / GRAVITY_UNIT:.3g}")
    for name, value in about["peak floor acceleration [m/s2]"].items():
        times = value / about["pga [m/s2]"] if about["pga [m/s2]"] else 0.0
        label = "the floor, this motion" if name == "this motion" else f"the floor, {name}"
        table.add_row(label, f"{value / GRAVITY_UNIT:.3g}  ({times:.2f} times the ground's)")
    table.add_section()
    velocities = f"{about['pgv [m/s]']:.3g} the ground, {about['pfv [m/s]']:.3g} the floor"
    table.add_row(Text("Peak velocity [m/s]", "bold"), velocities)
    console.print(table)
    console.print(about["sentences"][1], soft_wrap=True)
    print_files(about["files"], console)
