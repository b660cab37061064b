"""The options that choose a theory and its loss at impacts."""

from dataclasses import dataclass
from typing import Annotated, Any

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import built
from rocksteady.errors import InputError

NAMES = ("housner", "nonsmooth", "complex", "springs", "dissipation", "elastic")  # for the help
theory = panel("The theory")


@dataclass(frozen=True)
class TheoryOptions(Options):
    """How it moves, and what it loses at impacts."""

    eta: Annotated[
        float | None,
        theory("Angular velocity after over before an impact; Housner's own unless given."),
    ] = None
    r: Annotated[float | None, theory("The same for kinetic energy: instead of --eta.")] = None
    slender: Annotated[
        bool, theory("Linearise for small angles: right for α below 0.2 rad.", "--slender")
    ] = False
    formulation: Annotated[
        str,
        theory(f"The theory: {', '.join(NAMES)}; or your own, as module:Class.", metavar="NAME"),
    ] = "housner"
    friction: Annotated[
        float | None, theory("Coulomb's coefficient, for theories that can slide.")
    ] = None
    set: Annotated[
        list[str] | None,
        theory(
            "Any other option of the theory, such as epsilon=0.2; may be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None

    def build(self) -> "rs.Formulation":
        """The formulation, with this loss."""
        values = self.given()
        values["name"] = values.pop("formulation")
        for text in values.pop("set", ()):
            name, equals, value = text.partition("=")
            if not equals:
                raise InputError(f"--set {text} is not allowed: write NAME=VALUE.")
            values[name.strip()] = _value(value.strip())
        return built(rs.specs.TheorySpec, values)  # type: ignore[no-any-return]


def _value(text: str) -> Any:
    """A number, yes or no, or a word."""
    try:
        return float(text)
    except ValueError:
        return {"true": True, "false": False}.get(text.lower(), text)
