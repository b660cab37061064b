"""`rocksteady overturning`: which pulses, or which strengths of a record, overturn a body."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.files import DATA, FIGURES, planned
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import PlaneGroundOptions
from rocksteady.cli.common.inputs import BlockOptions, Json, Quiet, grouped
from rocksteady.cli.common.options import new_app, out_option, panel
from rocksteady.cli.common.output import box_table, print_files, report, spaced
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.ranges import ranged
from rocksteady.cli.common.runs import Backend, Store, kept_runs, when_stopped
from rocksteady.cli.common.theory import PlaneTheoryOptions
from rocksteady.errors import InputError

app = new_app()
_map = panel("The map")
KINDS = {"figure": FIGURES, "data": DATA}
UNIT_P = 2.0  # rad/s: of a block that is known by its α alone
_RANGE = {"metavar": "FROM:TO[:POINTS]"}


@app.command()
@grouped
def overturning(
    block: BlockOptions,
    ground: PlaneGroundOptions,
    theory: PlaneTheoryOptions,
    floor: FloorOptions,
    pulse: Annotated[
        str | None,
        _map(
            "A pulse instead of motions: sine, half-sine, cosine, rectangle, ricker, "
            "antisymmetric-ricker or mavroeidis.",
            metavar="NAME",
        ),
    ] = None,
    frequencies: Annotated[
        str | None, _map("Of pulses: ω/p; 0.5:8 unless given.", **_RANGE)
    ] = None,
    heights: Annotated[
        str | None,
        _map(
            "Of similar bodies under motions, m; a third to three times the body's unless given.",
            **_RANGE,
        ),
    ] = None,
    strengths: Annotated[
        str | None, _map("Of pulses a/(g tan α); of motions PGA, g, or PGV, m/s.", **_RANGE)
    ] = None,
    points: Annotated[
        int | None, _map("Points along an axis; 401 unless given, 61 for several motions.")
    ] = None,
    measure: Annotated[
        str, _map("Strength of motions: their largest acceleration or velocity.", metavar="pga|pgv")
    ] = "pga",
    method: Annotated[
        str | None,
        _map(
            "brute: run every point; adaptive: only along the borders. Chosen by the cost of the "
            "theory unless given.",
            metavar="brute|adaptive",
        ),
    ] = None,
    backend: Backend = "cpu",
    store: Store = None,
    out: Annotated[
        list[str] | None,
        out_option("Figure (.png .svg .pdf) or points (.csv .nc); may be repeated."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Which pulses or records overturn a body, and in which way: a map.

    \b
    One sine over frequency and amplitude, with the closed forms on top:
      [cyan]rocksteady overturning --pulse sine --alpha 0.25 -o map.png[/cyan]
    A record over the size of bodies like a statue and its peak acceleration:
      [cyan]rocksteady overturning --height 1.8 --width 0.5 -m record.AT2 -o map.png[/cyan]
    The share of a hundred generated motions that overturns them:
      [cyan]rocksteady overturning --height 1.8 --width 0.5 -m stochastic:100 -o map.png[/cyan]

    If it has a --store and is stopped, the same command resumes.
    """
    from rocksteady.cli.ensemble.progress import RunProgress

    files = planned(out, KINDS, ("map.png", "map.csv"), sources=ground.sources)
    options: dict[str, Any] = {
        "method": _method(method),
        "formulation": theory.build(),
        "backend": backend,
        "store": store,
        "measure": measure,
        "floor": floor.build(),
    }
    _check(pulse, ground, floor)
    body, note = _body(block, pulse)
    with Work(quiet=quiet or as_json) as work, when_stopped(lambda: kept_runs(store)):
        motions: Any = pulse or ground.build(body, work)
        one = pulse is not None or len(motions) == 1
        given = _axes(frequencies, heights, strengths, points, one)
        work.on("Preparing the runs …")
        found = rs.analysis.overturning_map(
            body, motions, progress=RunProgress(work), **given, **options
        )
        for path in files:
            work.on(f"Writing {path.name} …")
            (found.save if path.suffix in DATA else found.plot)(path)
    about = {
        **found.summary(),
        "sentences": [*found.sentences, *note],
        "store": None if store is None else str(store),
        "files": [str(path) for path in files],
    }
    report(about, _print, as_json=as_json, quiet=quiet)


def _check(pulse: str | None, ground: PlaneGroundOptions, floor: FloorOptions) -> None:
    from rocksteady.analysis.overturning.axes import SHAPES

    names = [name.replace(" ", "-") for name in SHAPES]
    if pulse is not None and pulse not in names:
        raise InputError(
            f"--pulse {pulse} is not known: choose one of {', '.join(names)}. A record is given "
            "with -m."
        )
    if pulse is not None and ground.motion:
        raise InputError(f"--pulse {pulse} and --motion were both given: give one of them.")
    if pulse is None and not ground.motion:
        raise InputError(
            "What shakes it? Give a pulse, as in --pulse sine, or motions with -m: a record, a "
            "folder of records or stochastic:100,seed=1."
        )
    if pulse is not None and floor.given():
        raise InputError(
            f"--{next(iter(floor.given()))} is for motions: a floor turns a pulse into a long "
            "vibration. Give the motion with -m, as in -m pulse:sine,a=1g,T=0.8."
        )


def _method(method: str | None) -> str | None:
    names = {None: None, "brute": "brute force", "adaptive": "adaptive"}
    if method not in names:
        raise InputError(f"--method {method} is not known: choose brute or adaptive.")
    return names[method]


def _body(block: BlockOptions, pulse: str | None) -> tuple[rs.Block, list[str]]:
    """The block; for a pulse α is enough, and a sentence then says which p it got."""
    if pulse is None or block.alpha is None or set(block.given()) - {"alpha", "g"}:
        return block.build(), []
    sentence = (
        f"Without a size the block has p = {UNIT_P:g} rad/s. In Housner's theory that does not "
        "matter; in others give --height and --width."
    )
    return replace(block, p=UNIT_P).build(), [sentence]


def _axes(
    frequencies: str | None,
    heights: str | None,
    strengths: str | None,
    points: int | None,
    one: bool,
) -> dict[str, Any]:
    """The values along the axes that were given; others are left to the map."""
    from rocksteady.analysis.overturning.axes import GRID, SHARE_GRID

    if points is not None and points < 2:
        raise InputError(f"--points {points} is not allowed: give two at least.")
    count = points or (GRID if one else SHARE_GRID)
    return {
        "points": count,
        "frequencies": ranged("--frequencies", frequencies, count),
        "heights": ranged("--heights", heights, count, log=True),
        "strengths": ranged("--strengths", strengths, count),
    }


def _print(about: dict[str, Any]) -> None:
    console, table = output(), box_table()
    table.add_row(Text("Map", "bold"), Text(about["title"], "bold"))
    if "share_of_points" in about:
        for name, share in about["share_of_points"].items():
            table.add_row(name, f"{100 * share:.3g} % of the points")
    table.add_row("runs", f"{spaced(about['runs'])} ({about['method']})")
    console.print(table)
    for sentence in about["sentences"]:
        console.print(sentence)
    print_files(about["files"], console)
