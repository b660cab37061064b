"""`rocksteady simulate`: one body, one motion."""

from pathlib import Path
from typing import Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.bodies import BodyOptions, LeanOptions
from rocksteady.cli.common.files import planned, write
from rocksteady.cli.common.floor import FloorOptions, on_floor
from rocksteady.cli.common.inputs import Json, Quiet, Until, end_of_run, grouped
from rocksteady.cli.common.options import new_app, out_option
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_next, report
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.shaking import MotionOptions
from rocksteady.cli.common.theory import TheoryOptions

app = new_app()

NO_ANSWER = 1  # exit status


def run_and_write(
    body: Any,
    motion: "rs.Motion | None",
    formulation: "rs.Formulation",
    files: list[Path],
    work: Work,
    floor: "rs.Floor | None" = None,
    **options: Any,
) -> dict[str, Any]:
    """Run it, write the files and return its summary. ``motion`` is the ground's; ``options``:
    those of `rs.simulate`."""
    from rocksteady.cli.common.summary import of_run

    work.on("Shaking it …")
    felt = on_floor(floor, motion)
    response = rs.simulate(body, felt, formulation, **options)
    write(response, files, work, motion, floor)
    return of_run(response, motion, files, floor)


@app.command()
@grouped
def simulate(
    block: BodyOptions,
    motion: MotionOptions,
    start: LeanOptions,
    floor: FloorOptions,
    theory: TheoryOptions,
    until: Until = "rest",
    out: Annotated[
        list[str] | None,
        out_option(
            "A folder for a figure, a film and the data, or one file: .png .svg .pdf "
            "(figure), .gif .mp4 (film), .nc .csv (data), .toml (a study of the same body under "
            "many motions, for rocksteady ensemble). May be repeated."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Shake a body, or let it go from a lean, and see whether it stands.

    \b
    A statue under a recorded earthquake, with figure, film and data in a folder:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m record.AT2 -o statue[/cyan]
    The same record, scaled to a peak of 0.4 g:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m record.AT2 --pga 0.4[/cyan]
    On the roof of a house of four storeys:
      [cyan]rocksteady simulate --height 2 --width 0.5 -m r.AT2 --storeys 4 --period 0.5[/cyan]
    One sine pulse, in units of gravity and of the block's own p:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m pulse:sine,a=0.45g,w=5.75p[/cyan]
    How often would it fall? The same block under many motions like this one:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m record.AT2 -o study.toml[/cyan]
      [cyan]rocksteady ensemble study.toml -o study.png[/cyan]
    No earthquake: let go from half of its balance angle:
      [cyan]rocksteady simulate --p 2.8 --alpha 0.27 --theta0 0.5a -o free.gif[/cyan]
    In space, on its real base, under all components of a station:
      [cyan]rocksteady simulate --base 0.45x0.60 --height 1.8 -m KJM000.AT2 -o run[/cyan]
    From a 3D scan, turned by 30 degrees:
      [cyan]rocksteady simulate statue.stl --scan-unit mm -m KJM000.AT2 --turn 30[/cyan]
    """
    from rocksteady.cli.common.many import commands, typed
    from rocksteady.cli.common.summary import print_run

    files = planned(out, sources=[*motion.sources, block.scan])
    body = block.build()
    begin = start.build(body)
    start.check_moves(body, motion)
    with Work(quiet=quiet) as work:
        how, place = theory.build(body), floor.build()
        ground = motion.build(body, how)
        end = end_of_run(until, ground)
        about = run_and_write(body, ground, how, files, work, place, **begin, until=end)
    report(about, print_run, as_json=as_json, quiet=quiet)
    if not (as_json or quiet):
        print_next(commands(about, typed(block, motion, start, floor, theory)), output())
    if about["status"] == "failed":
        raise typer.Exit(NO_ANSWER)
