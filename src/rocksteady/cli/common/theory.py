"""The options that choose a theory and its loss at impacts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.formulations import Formulation

FORMULATIONS = ("housner", "nonsmooth", "complex", "springs", "dissipation", "elastic")
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
            help=f"The theory: {', '.join(FORMULATIONS)}.",
            **THEORY,
        ),
    ] = "housner"
    friction: Annotated[
        float | None,
        Option("--friction", help="Coulomb's coefficient, for theories that can slide.", **THEORY),
    ] = None

    def build(self) -> Formulation:
        """The formulation, with this loss."""
        from rocksteady import formulations

        name = self.formulation.lower()
        if name not in FORMULATIONS:
            raise InputError(
                f"--formulation {self.formulation} is not known: choose from "
                f"{', '.join(FORMULATIONS)}."
            )
        if name == "housner":
            self._refuse("friction", "Housner's block never slides; try --formulation nonsmooth")
            return formulations.Housner(eta=self.eta, r=self.r, slender=self.slender)
        self._refuse("slender", "only Housner's block can be linearised")
        mu = {} if self.friction is None else {"friction": self.friction}
        if name == "nonsmooth":
            for given in ("eta", "r"):
                self._refuse(given, "the loss follows from the impact problem itself")
            return formulations.Nonsmooth(**mu)
        if name == "springs":
            return formulations.RigidBodySpring(eta=self.eta, r=self.r, **mu)
        if self.eta is not None and self.r is not None:
            formulations.Housner(eta=self.eta, r=self.r)  # says that they are one quantity
        if name in ("dissipation", "elastic"):
            r = self.r if self.eta is None else self.eta**2
            body = "elastic" if name == "elastic" else "rigid"
            friction = mu.get("friction", 1.0)
            return formulations.NumericalDissipation(r=r, body=body, friction=friction)
        self._refuse("friction", "the complex formulation never slides")
        return formulations.ComplexPotential(
            eta=self.eta if self.r is None else math.sqrt(max(self.r, 0.0))
        )

    def _refuse(self, option: str, why: str) -> None:
        if getattr(self, option):
            raise InputError(
                f"--{option} does not go with --formulation {self.formulation}: {why}."
            )
