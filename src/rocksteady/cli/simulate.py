"""`rocksteady simulate`: one block, one motion."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocksteady.cli.common.files import keep_sources, planned, write
from rocksteady.cli.common.inputs import (
    RESULTS,
    BlockOptions,
    Json,
    MotionOptions,
    Quiet,
    StartOptions,
    Until,
    end_of_run,
    grouped,
)
from rocksteady.cli.common.theory import TheoryOptions

if TYPE_CHECKING:
    from rocksteady.cli.common.progress import Work
    from rocksteady.formulations import Formulation
    from rocksteady.motion import Motion
    from rocksteady.systems import Block

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

NO_ANSWER = 1  # exit status


@dataclass(frozen=True)
class Job:
    """One run: what is shaken by what, how it moves, and where the results go."""

    block: Block
    motion: Motion | None
    formulation: Formulation
    theta0: float = 0.0
    omega0: float = 0.0
    until: str | float = "rest"
    files: tuple[Path, ...] = ()

    def run(self, work: Work) -> dict[str, Any]:
        """Run it, write the files and return what there is to say about it."""
        from rocksteady.cli.common.progress import follow_engine
        from rocksteady.cli.common.summary import of_run
        from rocksteady.simulation import simulate

        follow_engine()
        work.on("Shaking the block …")
        response = simulate(
            self.block,
            self.motion,
            self.formulation,
            theta0=self.theta0,
            omega0=self.omega0,
            until=self.until,
        )
        write(response, self.files, work)
        return of_run(response, self.motion, list(self.files))


@app.command()
@grouped
def simulate(
    block: BlockOptions,
    motion: MotionOptions,
    start: StartOptions,
    theory: TheoryOptions,
    until: Until = "rest",
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER|FILE",
            help="A folder for a figure, a film and the data, or one file: .png .svg .pdf "
            "(figure), .gif .mp4 (film), .nc .csv (data), .toml (a study of the same body under "
            "many motions, for rocksteady ensemble). May be repeated.",
            **RESULTS,
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Shake a block, or let it go from a lean, and see whether it stands.

    \b
    A statue under a recorded earthquake, with figure, film and data in a folder:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m record.AT2 -o statue[/cyan]
    The same record, scaled to a peak of 0.4 g:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m record.AT2 --pga 0.4[/cyan]
    One sine pulse, in units of gravity and of the block's own p:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m pulse:sine,a=0.45g,w=5.75p[/cyan]
    How often would it fall? The same block under many motions like this one:
      [cyan]rocksteady simulate --height 1.8 --width 0.5 -m record.AT2 -o study.toml[/cyan]
      [cyan]rocksteady ensemble study.toml -o study.png[/cyan]
    No earthquake: let go from half of its balance angle:
      [cyan]rocksteady simulate --p 2.8 --alpha 0.27 --theta0 0.5a -o free.gif[/cyan]
    """
    from rocksteady.cli.common.many import commands, typed
    from rocksteady.cli.common.output import out as output
    from rocksteady.cli.common.output import print_json, print_next, print_run
    from rocksteady.cli.common.progress import Work

    files = tuple(planned(out or ()))
    keep_sources(files, [motion.motion])
    body = block.build()
    theta0, omega0 = start.angle(body), start.omega0
    start.check_moves(body, motion)
    with Work(quiet=quiet) as work:
        how, ground = theory.build(), motion.build(body)
        end = end_of_run(until, ground)
        about = Job(body, ground, how, theta0, omega0, end, files).run(work)
    if as_json:
        print_json(about)
    elif not quiet:
        print_run(about)
        print_next(commands(about, typed(block, motion, start, theory)), output())
    if about["status"] == "failed":
        raise typer.Exit(NO_ANSWER)
