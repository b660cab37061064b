"""What `rocksteady assembly` prints: summaries as dictionaries, and as tables for people."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from rocksteady.cli.assembly.inputs import as_options
from rocksteady.cli.common.output import box_table, counted, headed_table, out, print_files

if TYPE_CHECKING:
    import rocksteady as rs
    from rocksteady.bodies.assembly.joints import Joint

Summary = dict[str, Any]
LISTED = 12  # stones in a table on the screen
UPWARDS = 0.1  # of a joint's normal: less carries nothing


# -- an assembly -----------------------------------------------------------------------------------


def of_assembly(assembly: rs.Assembly) -> Summary:
    """An assembly in numbers, and its stones: what each stands on, how heavy it is."""
    from rocksteady.bodies.assembly.joints import joints

    every = joints(assembly)
    below = supports(assembly, every)
    frictions = sorted({joint.friction for joint in every})
    return {
        "name": assembly.name,
        "label": assembly.label,
        "stones": len(assembly),
        "moving": assembly.stone_count,
        "joints": len(every),
        "mass": assembly.mass,
        "length": assembly.total_length,
        "height": assembly.total_height,
        "friction": frictions or [assembly.friction],
        "links": len(assembly.links),
        "g": assembly.g,
        "each": [
            {
                "name": stone.name,
                "fixed": stone.fixed,
                "mass": stone.mass,
                "centre": list(stone.centre),
                "stands_on": [assembly.stones[k].name for k in below[i]],
            }
            for i, stone in enumerate(assembly.stones)
        ],
    }


def supports(assembly: rs.Assembly, every: tuple[Joint, ...]) -> list[list[int]]:
    """The numbers of the stones on which each stone stands: those whose joints push it upwards."""
    below: list[list[int]] = [[] for _ in assembly.stones]
    for joint in every:  # the normal points from b to a
        up = joint.normal[1]
        if up > UPWARDS and joint.b not in below[joint.a]:
            below[joint.a].append(joint.b)
        if up < -UPWARDS and joint.a not in below[joint.b]:
            below[joint.b].append(joint.a)
    return below


def print_assembly(about: Summary) -> None:
    console, table = out(), box_table()
    for row in assembly_rows(about):
        table.add_row(*row)
    console.print(table)
    each = [stone for stone in about["each"] if not stone["fixed"]]
    listed = headed_table(["stone"], ["mass [kg]", "x [m]", "y [m]"], pad_edge=False)
    listed.add_column("stands on")
    for stone in each[:LISTED]:
        x, y = stone["centre"]
        place = f"{stone['mass']:.5g}", f"{x:.3f}", f"{y:.3f}"
        listed.add_row(Text(stone["name"]), *place, Text(_on(stone["stands_on"])))
    console.print(listed)
    if len(each) > LISTED:
        note = f"  {LISTED} of {len(each)} stones are shown; --json has all."
        console.print(Text(note, "dim"), soft_wrap=True)
    if about.get("assumed"):
        console.print(about["assumed"])
    print_files(about["files"], console)


def assembly_rows(about: Summary) -> list[tuple[str, str]]:
    """The assembly in a few rows of a table."""
    fixed = about["stones"] - about["moving"]
    what = f"{about['label']} and {fixed} fixed" if fixed else f"{about['label']}, none fixed"
    low, high = about["friction"][0], about["friction"][-1]
    friction = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    rows = [
        ("Assembly", what),
        ("size", f"{about['length']:.4g} m long, {about['height']:.4g} m high"),
        ("mass", f"{about['mass']:.5g} kg"),
        ("joints", f"{about['joints']}, friction {friction}"),
    ]
    if about["links"]:
        rows.append(("tied by", counted(about["links"], "link")))
    return rows


def _on(names: list[str]) -> str:
    return ", ".join(names) if names else "nothing below it"


def next_steps(files: list[Path]) -> dict[str, str]:
    """What to type with a new file of stones."""
    written = next((path for path in files if path.suffix == ".json"), None)
    if written is None:
        return {}
    name = shlex.quote(str(written))
    return {
        "At which push does it collapse, and how?": f"rocksteady assembly limit {name}",
        "Shake it:": f"rocksteady assembly simulate {name} -m pulse:sine,a=0.3g,T=1",
    }


# -- limit analysis --------------------------------------------------------------------------------


def of_limit(found: Any, estimate: Any, pushed: Any, files: list[Path]) -> Summary:
    """A limit load in numbers and words; ``estimate``: without dilatancy, ``pushed``: by
    simulation, if they were asked."""
    return {
        "assembly": found.assembly.label,
        "status": found.status,
        "multiplier": found.multiplier,
        "mechanism": found.mechanism,
        "hinges": len(found.hinges),
        "sliding_joints": len(found.sliding_joints),
        "moving": [found.assembly.stones[int(i)].name for i in found.moving],
        "residual": found.residual,
        "words": as_options(found.words),
        "estimate": None
        if estimate is None
        else {
            "multiplier": estimate.multiplier,
            "range": list(estimate.range or ()),
            "settled": estimate.settled,
            "words": estimate.words,
        },
        "dynamic": None
        if pushed is None
        else {
            "holds": pushed.holds,
            "falls": pushed.falls,
            "runs": len(pushed.pushes),
            "residual": pushed.residual,
            "words": pushed.words,
        },
        "files": [str(path) for path in files],
    }


def print_limit(about: Summary) -> None:
    console, table = out(), box_table()
    table.add_row(Text("Assembly", "bold"), about["assembly"])
    table.add_row("pushed", about["direction"])
    if math.isfinite(about["multiplier"]):
        bound = ", an upper bound" if about["sliding_joints"] else ""
        table.add_row("collapses at", Text(f"λ = {about['multiplier']:.6g}{bound}", "bold"))
        table.add_row("mechanism", about["mechanism"])
    else:
        table.add_row("result", Text(about["status"], "bold"))
    told, pushed = about["estimate"], about["dynamic"]
    if told is not None and told["range"]:
        low, high = told["range"]
        between = f"{low:.4g}" if f"{low:.4g}" == f"{high:.4g}" else f"{low:.4g} to {high:.4g}"
        table.add_row("without lifting", f"about {between}, an estimate")
    if pushed is not None:
        stays = f"stays at {pushed['holds']:.4g}"
        falls = f", gives way at {pushed['falls']:.4g}" if math.isfinite(pushed["falls"]) else ""
        table.add_row("simulated push", stays + falls)
    console.print(table)
    console.print(about["words"])
    for other in (told, pushed):
        if other is not None:
            console.print(other["words"])
    if pushed is not None:
        console.print(how_to_read(about))
    print_files(about["files"], console)


def how_to_read(about: Summary) -> str:
    """What the collapse loads mean beside each other."""
    if not about["sliding_joints"]:
        return "No joint slides in the mechanism: they are one and the same load."
    lets = "push and the estimate let" if about["estimate"] else "push lets"
    return (
        f"How to read them: nothing above λ can be carried; the simulated {lets} stones slide "
        "without lifting, as real ones do, so take the lowest value."
    )


def of_push(found: Any, files: list[Path]) -> Summary:
    """A capacity curve in numbers and words."""
    return {
        "assembly": found.assembly.label,
        "control": found.control,
        "multiplier": float(found.multiplier[0]),
        "stiffness": found.stiffness,
        "ultimate_displacement": found.ultimate_displacement,
        "mass_share": found.mass_share,
        "spectral_acceleration": found.spectral_acceleration,
        "displacement": found.displacement.tolist(),
        "load": found.multiplier.tolist(),
        "words": found.words,
        "files": [str(path) for path in files],
    }


def print_push(about: Summary) -> None:
    console, table = out(), box_table()
    table.add_row(Text("Assembly", "bold"), about["assembly"])
    table.add_row("collapses at", Text(f"λ = {about['multiplier']:.6g}", "bold"))
    table.add_row("loses", f"{-about['stiffness']:.4g} of λ per metre at first")
    table.add_row("stands until", _metres(about["ultimate_displacement"]))
    share = f"e* = {about['mass_share']:.3f}, a0* = {about['spectral_acceleration']:.4g} m/s²"
    table.add_row("equivalent", f"{share} (Circolare 2019, C8.7.1.2.1)")
    console.print(table)
    console.print(about["words"])
    print_files(about["files"], console)


def _metres(value: float) -> str:
    return f"{value:.4g} m" if math.isfinite(value) else "the curve ends before λ is zero"
