"""`rocksteady assembly report`: an assembly, its collapse loads and its runs on one page."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

from rocksteady.cli.assembly.inputs import DynamicsOptions, StonesOptions
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import GroundOptions, files_below
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.errors import InputError

_asked = panel("What is asked")
MOST = 20  # motions: each is a figure of the page


@grouped
def report(
    stones: StonesOptions,
    grounds: GroundOptions,
    floor: FloorOptions,
    how: DynamicsOptions,
    pga: Annotated[
        float | None, _asked("Scale every motion to this largest acceleration, g.")
    ] = None,
    out: Annotated[Path | None, out_option("The report: one .html file.", "FILE")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A report: the stones, their collapse loads with mechanisms, and what motions do to them.

    \b
    [cyan]rocksteady assembly report arch.json -m pulse:sine,a=0.3g,T=0.5 -o arch.html[/cyan]
    Several records, scaled to 0.3 g:
      [cyan]rocksteady assembly report wall.json -m records --pga 0.3 -o wall.html[/cyan]

    It says which rule moved the stones, the worst residual of each run, and
    what runs with half and a quarter of the time step say of its error. Open
    it in a browser; its print dialogue makes the PDF.
    """
    from rocksteady.analysis.stones import examine
    from rocksteady.cli.common.many import typed
    from rocksteady.cli.common.output import report as tell
    from rocksteady.cli.common.progress import Work
    from rocksteady.motion.units import GRAVITY_UNIT

    file = _checked(out, stones, grounds)
    asked = typed(stones, grounds, floor, how) + (f" --pga {pga:g}" if pga is not None else "")
    assembly, theory, place = stones.build(), how.build(), floor.build()
    with Work(quiet=quiet or as_json) as work:
        motions = grounds.build(assembly, work, theory) if grounds.motion else {}
        if len(motions) > MOST:
            raise InputError(
                f"{len(motions)} motions are too many for one page: give at most {MOST}, or ask "
                "rocksteady assembly fragility for the share that collapses."
            )
        shaken = [
            motion if pga is None else motion.scaled_to(pga=pga * GRAVITY_UNIT)
            for motion in motions.values()
        ]
        found = examine(
            assembly,
            shaken if place is None else [place.motion(motion) for motion in shaken],
            theory,
            floor=place,
            command=f"rocksteady assembly report {asked} -o {shlex.quote(file.name)}",
            tell=lambda what: work.on(f"{what} …"),
        )
        work.on(f"Writing {file.name} …")
        found.report(file)
    about: dict[str, Any] = {**found.summary(), "files": [str(file)]}
    tell(about, _print, as_json=as_json, quiet=quiet)


def _checked(out: Path | None, stones: StonesOptions, grounds: GroundOptions) -> Path:
    """Where the report goes: beside the stones unless given."""
    from rocksteady.cli.common.files import check_writable, keep_sources
    from rocksteady.files import suffix_of

    file = out or Path(stones.file or "assembly").with_suffix(".html")
    suffix_of(file, ("html",), "a report")
    check_writable(file)
    keep_sources([file], [stones.file, *files_below(grounds.sources)])
    return file


def _print(about: dict[str, Any]) -> None:
    from rich.text import Text

    from rocksteady.cli.common.output import box_table, out, print_files

    console, table = out(), box_table()
    table.add_row(Text("Assembly", "bold"), about["assembly"])
    told = about["limits"]
    if len(set(told.values())) == 1:
        told = {"right or to the left": next(iter(told.values()))}
    for side, words in told.items():
        table.add_row(f"pushed to the {side}", words)
    for run in about["runs"]:
        table.add_row(run["motion"], run["sentence"])
    console.print(table)
    if about["told"]:
        console.print(about["told"])
    print_files(about["files"], console)
