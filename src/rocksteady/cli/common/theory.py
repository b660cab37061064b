"""The options that choose a theory and its loss at impacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from rocksteady.cli.common.records import built
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.formulations import Formulation

NAMES = ("housner", "nonsmooth", "complex", "springs", "dissipation", "elastic")  # for the help
THEORY: dict[str, Any] = {"rich_help_panel": "The theory"}


@dataclass(frozen=True)
class TheoryOptions:
    """How it moves, and what it loses at impacts."""

    eta: Annotated[
        float | None,
        Option(
            "--eta",
            help="Angular velocity after over before an impact; Housner's own unless given.",
            **THEORY,
        ),
    ] = None
    r: Annotated[
        float | None,
        Option("--r", help="The same for kinetic energy: instead of --eta.", **THEORY),
    ] = None
    slender: Annotated[
        bool,
        Option(
            "--slender", help="Linearise for small angles: right for α below 0.2 rad.", **THEORY
        ),
    ] = False
    formulation: Annotated[
        str,
        Option(
            "--formulation",
            metavar="NAME",
            help=f"The theory: {', '.join(NAMES)}; or your own, as module:Class.",
            **THEORY,
        ),
    ] = "housner"
    friction: Annotated[
        float | None,
        Option("--friction", help="Coulomb's coefficient, for theories that can slide.", **THEORY),
    ] = None

    set: Annotated[
        list[str] | None,
        Option(
            "--set",
            metavar="NAME=VALUE",
            help="Any other option of the theory, such as epsilon=0.2; may be repeated.",
            **THEORY,
        ),
    ] = None

    def build(self) -> Formulation:
        """The formulation, with this loss."""
        from rocksteady.specs import TheorySpec

        return built(TheorySpec, {"name": self.formulation, **self._given()})  # type: ignore[no-any-return]

    def _given(self) -> dict[str, Any]:
        """What was typed, by the names that theories use."""
        named = {"eta": self.eta, "r": self.r, "friction": self.friction}
        given = {name: value for name, value in named.items() if value is not None}
        if self.slender:
            given["slender"] = True
        for text in self.set or ():
            name, equals, value = text.partition("=")
            if not equals:
                raise InputError(f"--set {text} is not allowed: write NAME=VALUE.")
            given[name.strip()] = _value(value.strip())
        return given


def _value(text: str) -> Any:
    """A number, yes or no, or a word."""
    try:
        return float(text)
    except ValueError:
        return {"true": True, "false": False}.get(text.lower(), text)
