"""The command line: thin doors over the public names, one file per command.

A new command is a module here with an `app` (a Typer), and a line in `COMMANDS`. Modules at this
level import nothing heavy, so that help appears at once: NumPy, Numba and Matplotlib are imported
inside the functions that use them.
"""

import io
import sys
from typing import Annotated

import typer

from rocksteady.cli.common.group import LazyGroup

# Name of the command and of its module, and the sentence that `rocksteady --help` shows.
COMMANDS = {
    "demo": "Shake a statue: a table, a figure, a film and the data, without any input.",
    "simulate": "Shake a body, or let it go from a lean, and see whether it stands.",
    "compare": "The same body under the same motion in every formulation that applies.",
    "assess": "How likely is it to fall here, and what would help? A report to sign.",
    "fragility": "How likely is it to fall? Shares of many motions at many strengths, a curve.",
    "risk": "How likely a body is to fall in 50 years at a site, and what would halve that.",
    "check": "Is it safe by the code? Hand calculations with clause numbers, beside our own runs.",
    "spectrum": "How far blocks lean, by their size: the rocking spectrum of motions.",
    "overturning": "Which pulses or records overturn a body, and in which way: a map.",
    "ensemble": "Run a whole study: systems × motions × scales, on all cores, a GPU or a cluster.",
    "identify": "Which block is it? From free rocking, or from tests that overturned it or not.",
    "validate": "Does a theory agree with tests, or with another theory? A verdict in words.",
    "calibrate": "Measure the loss at impacts, or set a theory's to a wanted one.",
    "motion": "Read, draw, convert, process and make ground motions.",
    "assembly": "Columns of drums, frames, arches, walls: make them, push them, shake them.",
    "masonry": "Masonry buildings: identify them, push them, shake one of them or a town.",
    "monitor": "Watch a building live: wear, drift and frequency from a sensor's samples.",
    "studio": "Open a page on this machine: see it rock, ask, compare, take it with you.",
    "verify": "Are stores, saved responses, logs and jobs as they were written?",
    "reproduce": "Does it really give the published results? See for yourself.",
}


class Rocksteady(LazyGroup):
    table = COMMANDS


app = typer.Typer(
    cls=Rocksteady,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="New here? Type [bold]rocksteady demo[/bold]. Each command explains itself: "
    "[bold]rocksteady simulate --help[/bold].",
)


def _version(wanted: bool) -> None:
    if wanted:
        from rocksteady.version import version

        typer.echo(f"rocksteady {version()}")
        raise typer.Exit


@app.callback()
def rocksteady(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Does it rock? How far? Does it fall?

    For statues, columns, cabinets and all else that stands freely and meets an earthquake.
    """


def main() -> None:
    """The command `rocksteady`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Greek letters is no error
    app(prog_name="rocksteady")
