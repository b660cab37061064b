"""What every body by numerical dissipation has in common: the stiffness of its springs, the
integration rule, and the time step that sets the loss at impacts."""

from __future__ import annotations

from dataclasses import dataclass

from rocksteady.bodies import Block
from rocksteady.errors import InputError, warn
from rocksteady.numbers import keep_floats, positive, real
from rocksteady.theories.contract import Formulation
from rocksteady.theories.dissipation.law import BEDS, TimeStepLaw
from rocksteady.theories.dissipation.laws import known_alphas, law_for, law_named
from rocksteady.theories.dissipation.rule import Rule
from rocksteady.theories.dissipation.time_step import time_step

TOLERANCE = 1e-10  # of g: what the equations of motion may lack, as an acceleration
STEPS_TO_IMPACT = 4  # at least, in free rocking from θ = α/2
MOST_CUTS = 0.5  # of the steps: with more of them a run is doubtful


@dataclass(frozen=True, kw_only=True)
class Dissipative(Formulation):
    """Springs that only push, and an implicit rule whose time step sets the loss at impacts."""

    not_halved = "the step sets what an impact loses, so half of it is another loss"

    k_n: float = 5e8
    dt: float | None = None
    r: float | None = None
    spacing: float = 0.1
    alpha_hht: float | None = None
    beta_hht: float | None = None
    gamma_hht: float | None = None
    law: str | TimeStepLaw | None = None

    def __post_init__(self) -> None:
        positive("k_n", self.k_n, "N/m³", BEDS)
        positive("spacing", self.spacing, "m", "The paper's law wants about 0.1.")
        if self.dt is not None and self.r is not None:
            raise InputError(
                f"dt = {self.dt!r} and r = {self.r!r} were both given: the time step is what sets "
                "the loss. Give one of them."
            )
        if self.dt is not None:
            positive("dt", self.dt, "s", "Leave it out to have it from the law for r.")
        if self.r is not None and not 0 < real(self.r) < 1:
            raise InputError(
                f"r = {self.r!r} is not allowed: it must lie between 0 and 1, both excluded. "
                "Leave it out to use Housner's for the block."
            )
        if self.law is not None:
            law_named(self.law)
        assert self.rule  # refuses unstable ones
        keep_floats(self, "k_n", "dt", "r", "spacing", "alpha_hht", "beta_hht", "gamma_hht")

    @property
    def rule(self) -> Rule:
        """The integration rule, Eqs. 4 and 5: α, β and γ."""
        return Rule.of(self.alpha_hht, self.beta_hht, self.gamma_hht)

    def step_law(self) -> TimeStepLaw:
        """The law of the time step, as given or as fitted to the integration rule."""
        law = law_for(self.rule) if self.law is None else law_named(self.law)
        if law is None:
            raise InputError(
                f"No law gives the time step of the rule with {self.rule}. There are laws for "
                f"alpha_hht = {', '.join(f'{alpha:.4g}' for alpha in known_alphas())}, each with "
                "its usual β and γ. Give dt = [s], or law = one that "
                "rocksteady.analysis.timestep.campaign(...).fit() finds."
            )
        return law

    def known_law(self) -> TimeStepLaw:
        """The same, or the paper's where there is none."""
        return self.step_law() if self.law or law_for(self.rule) else law_named("daltri2024")

    def law_step(self, block: Block, body: str) -> float:
        """The step [s] of the law for ``block``, with a warning where it is known to miss."""
        law = self.step_law()
        step = time_step(block, self.k_n, self.r, law=law, body=body)
        if not law.fits(self.rule):
            warn(
                f"The law {law.name} was fitted to α = {law.alpha_hht:.4g} with its usual β "
                f"and γ, not to {self.rule}: measure the r it gives with rs.measure_r.",
                stacklevel=5,
            )
        elif step.advice:
            warn(step.advice, stacklevel=5)
        return step.dt
