"""`rocksteady motion`: its commands, one file each (`info.py`, …), all light to import."""

import typer

from rocksteady.cli import COMMANDS
from rocksteady.cli.motion.convert import convert
from rocksteady.cli.motion.floor import floor
from rocksteady.cli.motion.generate import generate
from rocksteady.cli.motion.info import info
from rocksteady.cli.motion.plot import plot
from rocksteady.cli.motion.process import process

app = typer.Typer(
    add_completion=False, rich_markup_mode="rich", no_args_is_help=True, help=COMMANDS["motion"]
)

app.command(no_args_is_help=True)(info)
app.command(no_args_is_help=True)(plot)
app.command(no_args_is_help=True)(convert)
app.command(
    no_args_is_help=True,
    context_settings={"ignore_unknown_options": True},  # the steps, which `process` reads itself
)(process)
app.command(no_args_is_help=True)(generate)
app.command(no_args_is_help=True)(floor)
