"""The options that choose a theory and its loss at impacts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import built
from rocksteady.errors import InputError

# for the help
IN_A_PLANE = ("housner", "nonsmooth", "complex", "springs", "dissipation", "elastic")
NAMES = (*IN_A_PLANE, "spatial")
USUAL = "housner"
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
        str | None,
        theory(
            f"The theory: {', '.join(NAMES)}; or your own, as module:Class. The usual one of the "
            "body unless given: housner, in space spatial.",
            metavar="NAME",
        ),
    ] = None
    friction: Annotated[
        float | None, theory("Coulomb's coefficient, for theories that can slide.")
    ] = None
    interface: Annotated[
        list[str] | None,
        theory(
            "A contact of a body on springs, instead of its whole base; once for each: base, "
            "wall,side=right,gap=0.01, pad,left=-0.2,right=0,y=0.1 or line,x0=…,y0=…,x1=…,y1=…, "
            "in m; with K, K_s, beta, friction, name of its own if you like.",
            metavar="CONTACT",
        ),
    ] = None
    set: Annotated[
        list[str] | None,
        theory(
            "Any other option of the theory, such as epsilon=0.2, or epsilon=0.2,0.4 where each "
            "edge has its own; may be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None

    def build(self, body: Any = None) -> "rs.Formulation":
        """The formulation, with this loss; the usual one for the body unless it was named."""
        values = self.given()
        values["name"] = values.pop("formulation", None) or _usual(body)
        values |= set_options(values.pop("set", ()))
        if "interface" in values:
            values["interfaces"] = values.pop("interface")
        with rs.allow_modules(values["name"].partition(":")[0]):  # typed here, not found in a file
            return built(rs.specs.TheorySpec, values)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class PlaneTheoryOptions(TheoryOptions):
    """The same for commands that shake a block in a plane only."""

    formulation: Annotated[
        str | None,
        theory(
            f"The theory: {', '.join(IN_A_PLANE)}; or your own, as module:Class. {USUAL} unless "
            "given.",
            metavar="NAME",
        ),
    ] = None


def _usual(body: Any) -> str:
    from rocksteady.theories.registry import FORMULATIONS, usual

    return USUAL if body is None else FORMULATIONS.name_of(type(usual(body)))


def set_options(texts: Iterable[str]) -> dict[str, Any]:
    """The options that were given as ``--set NAME=VALUE``."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set {text} is not allowed: write NAME=VALUE.")
        values[name.strip()] = _value(value.strip())
    return values


def _value(text: str) -> Any:
    """A number, several between commas, yes or no, or a word."""
    try:
        numbers = tuple(float(part) for part in text.split(","))
        return numbers if len(numbers) > 1 else numbers[0]
    except ValueError:
        return {"true": True, "false": False}.get(text.lower(), text)
