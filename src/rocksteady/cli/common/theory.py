"""The options that choose a theory and its loss at impacts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

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
        from inspect import signature

        from rocksteady.formulations.registry import FORMULATIONS, adopted
        from rocksteady.registry import class_of

        make = FORMULATIONS.named(self.formulation.lower() if self._ours else self.formulation)
        takes, given = signature(make).parameters, self._given()
        refusals = getattr(class_of(make), "refusals", {})
        for name in [name for name in given if name not in takes]:
            other = OTHER_FORM.get(name)
            if other is None or other[0] not in takes:
                why = refusals.get(name) or ONLY.get(name) or f"it takes {', '.join(takes)}"
                raise InputError(
                    f"--{name} does not go with --formulation {self.formulation}: {why}."
                )
            if other[0] in given:
                raise InputError(
                    f"--eta {self.eta} and --r {self.r} were both given: they are two forms of one "
                    "quantity (r = eta² for a symmetric block). Give one of them."
                )
            given[other[0]] = other[1](given.pop(name))
        try:
            return adopted(make(**given))
        except TypeError as error:  # an option that has no default
            raise InputError(
                f"--formulation {self.formulation}: {error}. It takes {', '.join(takes)}; give "
                "each as --set NAME=VALUE."
            ) from error

    @property
    def _ours(self) -> bool:
        return ":" not in self.formulation

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


ONLY = {"slender": "only a theory that can be linearised takes it, as Housner's does"}
OTHER_FORM: dict[str, tuple[str, Callable[[float], float]]] = {
    "eta": ("r", lambda eta: eta**2),
    "r": ("eta", lambda r: math.sqrt(max(r, 0.0))),
}


def _value(text: str) -> Any:
    """A number, yes or no, or a word."""
    try:
        return float(text)
    except ValueError:
        return {"true": True, "false": False}.get(text.lower(), text)
