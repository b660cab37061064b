"""How options are declared: each under a heading of its command's help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typer import Option


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
