"""How commands and options are declared: each option under a heading of the help."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from typer import Option, Typer


def new_app(summary: str | None = None) -> Typer:
    """An app for one command; with a summary, for a group of commands."""
    group = summary is not None
    return Typer(help=summary, no_args_is_help=group, add_completion=False, rich_markup_mode="rich")


def panel(heading: str) -> Callable[..., Any]:
    """What declares the options under a heading: ``option(help, *flags, metavar=…)``.

    Without flags an option is named after its parameter (``com_height``: ``--com-height``);
    a switch needs one, or Typer adds its opposite (``--no-…``).
    """

    def option(text: str, *flags: str, **settings: Any) -> Any:
        return Option(*flags, help=text, rich_help_panel=heading, **settings)

    return option


result = panel("The run and its results")


def out_option(text: str, metavar: str = "FOLDER|FILE") -> Any:
    """``--out``, under the results, with this help."""
    return result(text, "--out", "-o", metavar=metavar)


@dataclass(frozen=True)
class Options:
    """A group of options that several commands take, see `rocksteady.cli.common.inputs.grouped`."""

    def given(self) -> dict[str, Any]:
        """The options that were given, by name."""
        every = dataclasses.asdict(self)
        return {n: value for n, value in every.items() if value is not None and value is not False}
