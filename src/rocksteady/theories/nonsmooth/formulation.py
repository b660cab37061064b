"""Nonsmooth dynamics: impact as a complementarity problem (Giouvanidis & Dimitrakopoulos 2016).

The rigid block's step is in `block.py`, the flexible oscillator's in `flexible.py` and `column.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.block import Block
from rocksteady.bodies.flexible_oscillator import FlexibleOscillator
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Formulation, LossParameter
from rocksteady.theories.housner import Housner
from rocksteady.theories.housner.motion import TOLERANCE
from rocksteady.theories.housner.rocking import corner_of, lift_off, refuse_flight
from rocksteady.theories.nonsmooth import block as nonsmooth_block
from rocksteady.theories.nonsmooth import column, column_body, flexible, striking
from rocksteady.theories.nonsmooth.lcp import Coefficient, contact_coefficients

HELD_DOWN = 0.01  # of the weight: with less tension at an edge a run is not doubtful
SHARPER = 2e-3  # of Housner's tolerance: with friction and hops small errors grow a millionfold


@dataclass(frozen=True, kw_only=True)
class Nonsmooth(Formulation):
    """A body that may stand, rock, bounce, fly and slide; every impact solves a linear
    complementarity problem.

    Parameters
    ----------
    epsilon
        Newton's coefficient ε of the contact velocities, ġ⁺ = −ε ġ⁻, in [0, 1]. It is not the ratio
        of angular velocities: with ε = 0 a slender block loses what Housner's does. A flexible
        oscillator also takes two, of its right and of its left edge.
    friction
        Coulomb's coefficient μ; None: contacts never slip. A flexible oscillator also takes two.
    """

    name = "Nonsmooth"
    compared = True
    bodies = (Block, FlexibleOscillator)
    usual_for = (FlexibleOscillator,)
    turns_are_events = True
    may_doubt = True
    cost = 300.0
    refusals = dict.fromkeys(("eta", "r"), "the loss follows from the impact problem itself")

    epsilon: Coefficient = 0.0
    friction: Coefficient | None = None

    def __post_init__(self) -> None:
        each = zip(
            ("epsilon", "friction"),
            contact_coefficients(self.epsilon, self.friction, 2),
            strict=True,
        )
        for name, pair in each:
            if pair is not None:
                right, left = (float(value) for value in pair)
                object.__setattr__(self, name, right if right == left else (right, left))

    def pairs(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """(ε, μ) of the right and the left edge; μ is infinite where contacts never slip."""
        both = (self.epsilon, math.inf if self.friction is None else self.friction)
        right, left = zip(*(x if isinstance(x, tuple) else (x, x) for x in both), strict=True)
        return (right[0], left[0]), (right[1], left[1])

    def _bare(self) -> bool:
        """Whether an oscillator stays on the ground and never slips: `flexible.py`."""
        return self.epsilon == 0 and self.friction is None

    def columns(self, system: Block | FlexibleOscillator) -> tuple[str, ...]:
        if isinstance(system, FlexibleOscillator):
            return flexible.COLUMNS if self._bare() else column.COLUMNS
        return striking.COLUMNS

    def advance_for(self, system: Block | FlexibleOscillator) -> Any:
        if isinstance(system, FlexibleOscillator):
            return flexible.advance if self._bare() else column.advance
        if self.friction is None:
            return nonsmooth_block.advance_sticking
        return nonsmooth_block.advance_slipping

    def laws_for(self, system: Block | FlexibleOscillator) -> str:
        which = "hopping"
        if isinstance(system, FlexibleOscillator):
            which = "bending" if self._bare() else "swaying"
        return f"rocksteady.analysis.auditing.{which}:laws"

    def exact_rest(self, system: Block | FlexibleOscillator) -> bool:
        return not isinstance(system, FlexibleOscillator)

    def lift_off(self, system: Block | FlexibleOscillator) -> tuple[float, float] | None:
        """A flexible body sways before it lifts off: when, depends on its own period. Where the
        friction is below tan α a body slides and never lifts off."""
        if isinstance(system, FlexibleOscillator):
            return None
        right, left = lift_off(system)
        if self.friction is None:
            return right, left
        mu = self._single("friction")
        return right if mu >= right else math.inf, left if mu >= left else math.inf

    def resting_for(self, system: Block | FlexibleOscillator) -> Any:
        if isinstance(system, FlexibleOscillator):
            return flexible.resting if self._bare() else column_body.resting
        return striking.resting

    def doomed_for(self, system: Block | FlexibleOscillator) -> Any:
        if isinstance(system, FlexibleOscillator) or self.friction is not None:
            return striking.never
        return striking.doomed

    def vibration(self, system: Block | FlexibleOscillator, state: Numbers) -> float:
        if not isinstance(system, FlexibleOscillator):
            return 0.0
        bend = [label.split(" [")[0] for label in self.columns(system)].index("u")
        return math.hypot(state[bend], state[bend + 1] / system.natural_frequency)

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> Nonsmooth:
        return cls(friction=friction)

    def loss_parameters(self, system: Block | FlexibleOscillator) -> tuple[LossParameter, ...]:
        return (LossParameter("epsilon", 0.0, 1.0),)

    def parameters(self, system: Block | FlexibleOscillator) -> Numbers:
        if isinstance(system, FlexibleOscillator):
            if self._bare():
                return flexible.parameters(system)
            return column_body.parameters(system, *self.pairs())
        epsilon, mu = (self._single(name) for name in ("epsilon", "friction"))
        right, left, g = system.right, system.left, system.g
        return (
            # as `rocking` expects them, up to 1/g
            g,
            (1.0 if self.friction is None else SHARPER) * TOLERANCE * min(right.p, left.p),
            # η serves only to estimate how long chatter takes; impacts solve the LCP
            *corner_of(right, max(system.eta_to_right, 0.0), g),
            *corner_of(left, max(system.eta_to_left, 0.0), g),
            1 / g,
            *striking.Rigid(
                R_right=right.R,
                R_left=left.R,
                mass=system.mass,
                inertia=system.inertia,
                width=system.width,
                epsilon=epsilon,
                mu=mu,
            ),
        )

    def _single(self, name: str) -> float:
        """ε or μ of a block, alike at both corners."""
        value = getattr(self, name)
        if isinstance(value, tuple):
            raise InputError(
                f"{name} = {value!r}: a block has one for both corners. Give one number, or use "
                "them with a FlexibleOscillator or in rs.impact."
            )
        return math.inf if value is None else float(value)

    def check_vertical(self, system: Block | FlexibleOscillator, a_v: Array) -> None:
        """A body may be thrown off the ground; an oscillator that neither bounces nor slips is
        followed on it only."""
        if isinstance(system, FlexibleOscillator) and self._bare():
            refuse_flight(system, a_v, "oscillator")

    def start(
        self, system: Block | FlexibleOscillator, theta0: float = 0.0, omega0: float = 0.0
    ) -> Numbers:
        if isinstance(system, FlexibleOscillator):
            begin = flexible.start if self._bare() else column_body.start
            return begin(system, theta0, omega0)
        side = float(np.sign(theta0) or np.sign(omega0))
        weight = system.mass * system.g
        return (float(theta0), float(omega0), side, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, weight)

    def doubt(self, system: Block | FlexibleOscillator, states: Array) -> str | None:
        """A warning if an edge that cannot slip was held down on the ground, else None."""
        share = float(states[-1, -1]) / (system.mass * system.g)
        if not share < -HELD_DOWN:
            return None
        remedy = "Give friction=, about 0.6 for stone on stone, and it can slip and hop."
        return (
            f"The edge on which it rocked was held down with up to {-share:.2g} of its weight: a "
            f"real one would have left the ground, so the result from then on is doubtful. {remedy}"
        )

    def energy(self, system: Block | FlexibleOscillator, states: Array) -> Array:
        """Kinetic energy, and potential energy above upright rest, from the lower corner [J]."""
        if isinstance(system, FlexibleOscillator):
            of = flexible.energy if self._bare() else column_body.energy
            return of(system, states)
        theta, omega, contact, _, lift, slide_rate, lift_rate = np.moveaxis(states, -1, 0)[:7]
        lower = np.where(theta != 0, np.sign(theta), np.where(omega < 0, -1.0, 1.0))
        side = np.where(np.abs(contact) == 1, contact, lower)
        R = np.where(side > 0, system.right.R, system.left.R)
        alpha = np.where(side > 0, system.right.alpha, system.left.alpha)
        lean = side * theta
        vx = side * slide_rate + R * np.cos(alpha - lean) * side * omega
        vy = lift_rate + R * np.sin(alpha - lean) * side * omega
        # R (cos(α − y) − cos α) without cancellation
        height = lift + 2 * R * np.sin(alpha - lean / 2) * np.sin(lean / 2)
        kinetic = system.mass * (vx**2 + vy**2) / 2 + system.inertia * omega**2 / 2
        return np.asarray(kinetic + system.mass * system.g * height)

    def at_rest(self, system: Block | FlexibleOscillator, states: Array) -> NDArray[np.bool_]:
        if isinstance(system, FlexibleOscillator):
            if self._bare():
                return flexible.at_rest(system, states)
            return column_body.at_rest(system, states, self.pairs()[1])
        return np.asarray((states[..., 2] == 0) & (states[..., 7] == 0))

    def doomed(self, system: Block | FlexibleOscillator, state: Array) -> bool:
        """Housner's rule on a corner that cannot slip; otherwise it must be seen to fall."""
        if isinstance(system, FlexibleOscillator) or self.friction is not None:
            return False
        if abs(state[2]) != 1:
            return False
        return Housner().doomed(system, state[[0, 1, 2, 8, 9]])
