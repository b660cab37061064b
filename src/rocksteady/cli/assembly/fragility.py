"""`rocksteady assembly fragility`: how likely an assembly collapses, by the strength of shaking."""

from __future__ import annotations

from typing import Annotated

from rocksteady.cli.assembly.inputs import StonesOptions, StonesTheoryOptions, in_options
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import GroundOptions, files_below
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.cli.common.ranges import levels_of
from rocksteady.cli.common.runs import Store, kept_runs, when_stopped
from rocksteady.errors import InputError

_asked = panel("What is asked")


@grouped
def fragility(
    stones: StonesOptions,
    grounds: GroundOptions,
    floor: FloorOptions,
    how: StonesTheoryOptions,
    measure: Annotated[
        str, _asked("Strength of the ground: pga, pgv, housner, arias, cav, pgd or SA(1.0).")
    ] = "pga",
    levels: Annotated[
        str | None,
        _asked(
            "Strengths, in g for pga, in m/s for pgv: how many, or 0.2,0.4,0.8. 40 from where "
            "nothing moves to where nearly all collapse unless given."
        ),
    ] = None,
    confidence: Annotated[float, _asked("Of intervals and bands.")] = 0.90,
    out: Annotated[
        list[str] | None,
        out_option(
            "Figure (.png .svg .pdf), table (.csv), a row for pelicun (…pelicun.csv) or NRML for "
            "OpenQuake (.xml); may be repeated."
        ),
    ] = None,
    store: Store = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How likely is it to collapse? Shares of many motions at many strengths, a curve.

    \b
    [cyan]rocksteady assembly fragility column.json -m records --levels 12 -o f.png[/cyan]
    Walls take minutes: keep the runs, so that the same command resumes:
      [cyan]rocksteady assembly fragility wall.json -m records --levels 6 --store runs[/cyan]
    """
    import rocksteady as rs
    from rocksteady.cli.common.files import planned
    from rocksteady.cli.common.output import report
    from rocksteady.cli.common.progress import Work
    from rocksteady.cli.ensemble.progress import RunProgress
    from rocksteady.cli.fragility import FOLDER, KINDS, print_fragility, write_fragility

    sources = [stones.file, *files_below(grounds.sources)]
    files = planned(out, KINDS, FOLDER, sources=sources)
    assembly, theory, at = stones.build(), how.build(), levels_of(levels)
    if not 0 < confidence < 1:
        raise InputError(f"--confidence {confidence:g} is not allowed: give a share, such as 0.9.")
    with Work(quiet=quiet or as_json) as work:
        motions = grounds.build(assembly, work, theory)
        work.on("Preparing the runs …")
        with when_stopped(lambda: kept_runs(store)), in_options():
            found = rs.analysis.fragility(
                assembly,
                motions,
                theory,
                levels=at,
                measure=measure,
                floor=floor.build(),
                level=confidence,
                store=store,
                progress=RunProgress(work),
            )
        for path in files:
            work.on(f"Writing {path.name} …")
            write_fragility(found, path, curve=False)
    about = found.summary() | {"files": [str(path) for path in files]}
    report(
        about,
        lambda about: print_fragility(found, None, None, about["files"]),
        as_json=as_json,
        quiet=quiet,
    )
