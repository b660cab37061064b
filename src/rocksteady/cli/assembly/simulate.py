"""`rocksteady assembly simulate`: shake an assembly, or let it go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rocksteady.cli.assembly.inputs import StonesOptions, StonesTheoryOptions, in_options
from rocksteady.cli.common.files import DATA, FIGURES, FILMS, FOLDER, planned
from rocksteady.cli.common.floor import FloorOptions, on_floor
from rocksteady.cli.common.inputs import Json, Quiet, Until, end_of_run, grouped
from rocksteady.cli.common.options import out_option
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.shaking import MotionOptions

if TYPE_CHECKING:
    import rocksteady as rs

KINDS = {"figure": FIGURES, "film": FILMS, "data": DATA}
NO_ANSWER = 1  # exit status


@grouped
def simulate(
    stones: StonesOptions,
    motion: MotionOptions,
    floor: FloorOptions,
    how: StonesTheoryOptions,
    until: Until = "rest",
    out: Annotated[
        list[str] | None,
        out_option(
            "A folder for a figure, a film and the data, or one file: .png .svg .pdf "
            "(figure), .gif .mp4 (film), .nc .csv (data). May be repeated."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Shake an assembly and see which stones fall, or let it go as it stands.

    \b
    A wall under a recorded earthquake, with figure, film and data in a folder:
      [cyan]rocksteady assembly simulate wall.json -m record.AT2 -o wall[/cyan]
    A column under one sine pulse, filmed:
      [cyan]rocksteady assembly simulate column.json -m pulse:sine,a=0.35g,T=1 -o c.gif[/cyan]
    The same on springs in its joints, where the time step sets the loss:
      [cyan]rocksteady assembly simulate column.json -m r.AT2 --formulation joints[/cyan]
    Without a motion: does it stand at all?
      [cyan]rocksteady assembly simulate arch.json[/cyan]

    With a film, a collapse of rigid stones is followed until the rubble lies
    still; without one, the run ends when the first stone has fallen.
    """
    from rocksteady.cli.assembly.runs import of_run, print_run
    from rocksteady.cli.common.files import write
    from rocksteady.cli.common.output import report

    files = planned(out, KINDS, FOLDER, sources=[*motion.sources, stones.file])
    assembly = stones.build()
    theory = how.build(film=any(path.suffix in FILMS for path in files))
    with Work(quiet=quiet or as_json) as work, in_options():
        ground, place = motion.build(assembly, theory), floor.build()
        end = end_of_run(until, ground)
        response = _run(work, assembly, on_floor(place, ground), theory, end)
        write(response, files, work)
    about = of_run(response, ground, files, place)
    report(about, print_run, as_json=as_json, quiet=quiet)
    if about["status"] == "failed":
        raise typer.Exit(NO_ANSWER)


def _run(
    work: Work,
    assembly: rs.Assembly,
    motion: rs.Motion | None,
    theory: rs.Formulation,
    until: str | float,
) -> rs.Response:
    import rocksteady as rs

    work.on("Shaking it …" if motion is not None else "Letting it go …")
    return rs.simulate(assembly, motion, theory, until=until)
