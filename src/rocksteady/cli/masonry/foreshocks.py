"""`rocksteady masonry foreshocks`: what foreshocks add, over the mass and their strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.building import BuildingOptions
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.cli.common.output import report
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.ranges import ranged
from rocksteady.cli.masonry import inputs
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.foreshocks import ForeshockMap

_map = panel("The map")
KINDS = {"figure": FIGURES, "table": (".csv",)}
FOLDER = ("foreshocks.png", "foreshocks.csv")
MASSES, SCALES = (0.7, 1.5, 17), "0.1:0.6:11"
"""Over the building's mass: least, most, how many; and the usual strengths."""


@grouped
def foreshocks(
    building: BuildingOptions,
    shock: Annotated[
        str | None,
        typer.Argument(metavar="FILE|pulse:…", help="The main shock: a record or a pulse."),
    ] = None,
    masses: Annotated[
        str | None,
        _map(
            "Masses of the building, kg; 17 from 0.7 to 1.5 of its own unless given.",
            metavar="FROM:TO[:POINTS]",
        ),
    ] = None,
    scales: Annotated[
        str, _map("Foreshocks over main shock.", metavar="FROM:TO[:POINTS]")
    ] = SCALES,
    count: Annotated[int, _map("Number of foreshocks.", min=1, max=100)] = 4,
    gap: Annotated[float, _map("Quiet time after each shock, s.")] = 10.0,
    no_settle: Annotated[
        bool,
        _map(
            "Do not let the building come to rest between shocks: it goes on vibrating through "
            "the gap.",
            "--no-settle",
        ),
    ] = False,
    update: Annotated[str, _map("accurate, or explicit: the paper's Algorithm 1.")] = "accurate",
    out: Annotated[
        list[str] | None,
        out_option("A folder for both, or one file: .png .svg .pdf (figure), .csv; repeatable."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What do foreshocks add to a main shock, for each mass and each strength of theirs?

    \b
    The foreshocks are the main shock itself, scaled. The wear is compared with
    that of the main shock alone. The paper's building, files in a folder:
      [cyan]rocksteady masonry foreshocks AQG.AT2 --preset casalotti2025 -o map[/cyan]
    Fewer masses, each in steps of a tonne:
      [cyan]rocksteady masonry foreshocks R --preset casalotti2025 --masses 20e3:26e3:7[/cyan]
    """
    if shock is None:
        raise InputError(
            "Give the main shock, as in rocksteady masonry foreshocks A.AT2 --preset "
            "casalotti2025, or a pulse such as pulse:sine,a=0.4g,T=0.15."
        )
    files = planned(out, KINDS, FOLDER, sources=[building.building, shock])
    body = building.build()
    low, high, points = MASSES
    every = ranged("--masses", masses or f"{low * body.mass:.6g}:{high * body.mass:.6g}", points)
    with Work(quiet=quiet or as_json) as work:
        name, motion = inputs.scenario(shock, warns=False)
        found = rs.analysis.foreshock_map(
            motion.renamed(name),
            every,
            ranged("--scales", scales, 11),
            count=count,
            building=body,
            formulation=rs.Masonry(update=update),
            settle=not no_settle,
            gap=gap,
            progress=work.on("Shaking the buildings …"),
        )
        for path in files:
            work.on(f"Writing {path.name} …")
            if path.suffix in FIGURES:
                found.plot(path)
            else:
                _write(found, path)
    report(_of_map(found, [str(path) for path in files]), _print, as_json=as_json, quiet=quiet)


def _of_map(found: ForeshockMap, files: list[str]) -> dict[str, Any]:
    from rocksteady.analysis.foreshocks import OUTCOMES

    return {
        "building": found.building.label,
        "motion": found.motion.name,
        "foreshocks": found.count,
        "masses": found.masses.tolist(),
        "scales": found.scales.tolist(),
        "wear_alone": found.alone.tolist(),
        "wear_increase": found.wear_increase.tolist(),
        "hardening_increase": found.hardening_increase.tolist(),
        "outcome": [[OUTCOMES[int(one)] for one in row] for row in found.outcome],
        "files": files,
    }


def _write(found: ForeshockMap, path: Any) -> None:
    from rocksteady.files import write_whole
    from rocksteady.names import csv_text

    rows = found.rows()
    write_whole(path, csv_text([list(rows[0]), *(list(row.values()) for row in rows)]))


def _print(about: dict[str, Any]) -> None:
    from rich.text import Text

    from rocksteady.cli.common.output import headed_table, out, print_files

    console, scales = out(), about["scales"]
    shown = sorted({0, len(scales) // 3, 2 * len(scales) // 3, len(scales) - 1})
    title = f"{about['foreshocks']} foreshocks before {about['motion']}: increase of wear"
    console.print(Text(title, "bold"))
    heads = [f"× {scales[j]:.3g}" for j in shown]
    table = headed_table(["mass [t]"], ["wear alone", *heads], pad_edge=False)
    rows = zip(
        about["masses"], about["wear_alone"], about["wear_increase"], about["outcome"], strict=True
    )
    for mass, alone, more, outcome in rows:
        cells = [_cell(more[j], outcome[j]) for j in shown]
        falls = all("shock alone" in one for one in outcome)
        table.add_row(f"{mass / 1e3:.4g}", "collapses" if falls else f"{alone:.3g}", *cells)
    console.print(table)
    if len(shown) < len(scales):
        said = f"  {len(shown)} of {len(scales)} strengths are shown; --json or a .csv has all."
        console.print(Text(said, "dim"), soft_wrap=True)
    print_files(about["files"], console)


def _cell(increase: float, outcome: str) -> str:
    """The increase in per cent, or why there is none."""
    from math import isfinite

    if isfinite(increase):
        return f"{100 * increase:+.3g} %" if abs(increase) < 10 else f"{100 * increase:+.0f} %"
    return SHORT[outcome]


SHORT = {
    "stands, collapses only after the foreshocks": "collapses",
    "collapses under the main shock alone": "collapses, too",
    "collapses under the main shock alone, but not after the foreshocks": "spared",
    "stands": "no wear alone",
    "no solution": "no solution",
}
