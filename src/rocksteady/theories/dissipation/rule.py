"""The integration rule of Hilber, Hughes and Taylor (D'Altri et al. 2024, Eqs. 4 and 5).

    M a₁ + (1 + α) f_int(u₁) − α f_int(u₀) = f_ext + f_contact(u₁),
    u₁ = u₀ + Δt v₀ + Δt² [(1/2 − β) a₀ + β a₁],
    v₁ = v₀ + Δt [(1 − γ) a₀ + γ a₁].

Second-order accuracy and the most damping of high frequencies give β and γ for an α (Hilber, Hughes
and Taylor 1977): β = (1 − α)²/4, γ = 1/2 − α. The paper's α = 1 − √2, β = 1/2, γ = √2 − 1/2 belong
to that family; α = 0 gives the trapezoidal rule, and any other β and γ with it Newmark's.

Stability. For one undamped oscillator with Ω = ω Δt the rule is the difference equation

    z (z − 1)² + Ω² [(1 + α) z − α] [β z² + (1/2 − 2β + γ) z + 1/2 + β − γ] = 0,

and z = (1 + s)/(1 − s) turns it into

    4 s³ + 4 s² + Ω² (1 + A s) (1 + G s + B s²) = 0,   A = 1 + 2α, G = 2γ − 1, B = 4β − 2γ.

No root lies in the right half plane for any Ω (Routh and Hurwitz) if

    A B ≥ 0,   B + A G ≥ 0,   A + G ≥ 1,   G (B + A² + A G) ≥ 0.

Forces of contact are not weighted by α: the springs of the bed must be stable with α = 0, too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rocksteady.errors import InputError
from rocksteady.numbers import real

SLACK = 1e-12  # rounding of the conditions of stability


class Rule(NamedTuple):
    """The three parameters of the rule."""

    alpha: float
    beta: float
    gamma: float

    @classmethod
    def of(cls, alpha: float | None, beta: float | None, gamma: float | None) -> Rule:
        """The rule with these parameters; those left out follow from α. Refuses unstable ones."""
        alpha = OPTIMAL.alpha if alpha is None else _given("alpha_hht", alpha)
        usual = OPTIMAL if alpha == OPTIMAL.alpha else family(alpha)
        rule = cls(
            alpha,
            usual.beta if beta is None else _given("beta_hht", beta),
            usual.gamma if gamma is None else _given("gamma_hht", gamma),
        )
        fault = rule.fault()
        if fault:
            raise InputError(
                f"alpha_hht = {rule.alpha:.6g}, beta_hht = {rule.beta:.6g} and gamma_hht = "
                f"{rule.gamma:.6g} are not allowed together: {fault}. {ADVICE}"
            )
        return rule

    def fault(self) -> str:
        """Why the rule is unstable, or empty."""
        alone = self._replace(alpha=0.0)._unstable()  # first: the simpler reason
        if alone:
            return f"a contact spring would gain energy without limit, since {alone}"
        inside = self._unstable()
        return f"high frequencies of the body would grow, since {inside}" if inside else ""

    def _unstable(self) -> str:
        A, G, B = 1 + 2 * self.alpha, 2 * self.gamma - 1, 4 * self.beta - 2 * self.gamma
        # the most telling reasons first: each in the words of the parameters
        reasons = (
            (A + G - 1, "γ is less than 1/2 − α"),
            (A * B, "β is less than γ/2" if A >= 0 else "α is less than −1/2"),
            (B + A * G, "β is too small for this α and γ"),
            (G * (B + A**2 + A * G), "γ is less than 1/2"),
        )
        return next((why for value, why in reasons if value < -SLACK), "")

    @property
    def usual(self) -> bool:
        """Whether β and γ are those of Hilber, Hughes and Taylor for this α."""
        return math.dist(self, family(self.alpha)) < SLACK

    def __str__(self) -> str:
        return f"α = {self.alpha:.4g}, β = {self.beta:.4g}, γ = {self.gamma:.4g}"


ADVICE = (
    "Leave beta_hht and gamma_hht out: alpha_hht from −0.5 to 0 then brings its own, "
    "β = (1 − α)²/4 and γ = 1/2 − α."
)
OPTIMAL = Rule(1 - math.sqrt(2), 1 / 2, math.sqrt(2) - 1 / 2)
"""Eq. 5: the most damping of high frequencies that contact allows."""


def family(alpha: float) -> Rule:
    """β and γ of Hilber, Hughes and Taylor for an α."""
    return Rule(alpha, (1 - alpha) ** 2 / 4, 1 / 2 - alpha)


def _given(name: str, value: float) -> float:
    number = real(value)
    if not math.isfinite(number):
        raise InputError(f"{name} = {value!r} is not allowed: it must be a finite number. {ADVICE}")
    return float(number)
