"""Rocking by numerical dissipation: a block on a stiff unilateral bed, implicit HHT rule
(D'Altri et al. 2024).

There is no damping model and no impact law. The block stands on springs that only push, and the
time step of the implicit rule alone sets how much energy an impact costs: a law found by regression
(Eqs. 9 and 10) gives the step for a wanted r. One step is in `step.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import keep_floats, positive, real
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import LossParameter
from rocksteady.theories.dissipation import step as dissipation_step
from rocksteady.theories.dissipation.elastic import block as elastic
from rocksteady.theories.dissipation.elastic import step as elastic_step
from rocksteady.theories.dissipation.law import BEDS
from rocksteady.theories.dissipation.laws import law_named
from rocksteady.theories.dissipation.shared import (
    MOST_CUTS,
    STEPS_TO_IMPACT,
    TOLERANCE,
    Dissipative,
)
from rocksteady.theories.dissipation.step import RESTING
from rocksteady.theories.dissipation.time_step import time_step
from rocksteady.theories.housner.formulation import falls
from rocksteady.theories.soft_bed import SWING, counting_impacts, first_swing

FEWEST_POINTS, MOST_POINTS = 5, 10_000  # of the base
BODIES = ("rigid", "elastic")
E, NU = 3e10, 0.2  # of the elastic body: stone


@dataclass(frozen=True, kw_only=True)
class NumericalDissipation(Dissipative):
    """Block on a bed of unilateral springs with Coulomb friction; the time step of the implicit
    rule alone sets the loss at impacts. It may rock, slide, bounce and fly.

    Parameters
    ----------
    k_n
        Normal, and tangential, stiffness of the bed per area of the base [N/m³].
    dt
        Time step [s]; from the law for ``r`` unless given. Motions are resampled to it.
    r
        Wanted ratio of kinetic energies after and before an impact, in (0, 1); Housner's for the
        block unless given. An alternative to ``dt``.
    spacing
        Distance of the springs along the base [m], about: corners always have one, and there are
        five at least.
    friction
        Coulomb's coefficient at each spring. Above 1 Newton's method has a hard time at lift-off.
    alpha_hht
        α of the integration rule (Eq. 4), the weight of the internal forces at the start of a step;
        the paper's 1 − √2 (Eq. 5) if you leave it out. 0 is Newmark's rule.
    beta_hht, gamma_hht
        β and γ of the rule. If you leave them out, α brings those of Hilber, Hughes and Taylor,
        β = (1 − α)²/4 and γ = 1/2 − α, to which the paper's 1/2 and √2 − 1/2 belong. Unstable
        combinations are refused.
    law
        Which law gives the step, see :func:`rocksteady.time_step`; if you leave it out, the one
        fitted to ``alpha_hht``. A rule without a law needs ``dt`` or a law of your own.
    body
        ``"rigid"``, or ``"elastic"``: plane-stress finite elements with a node at each spring.
    E
        Young's modulus of an elastic body [Pa].
    nu
        Poisson's ratio of an elastic body.
    """

    name = "NumericalDissipation"
    title = "Numerical dissipation"
    compared = True
    bodies = (Block,)
    compliant = True
    turns_are_events = True
    may_doubt = True

    friction: float = 1.0
    body: str = "rigid"
    E: float = E
    nu: float = NU

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("friction", self.friction, "", "Stone on stone has 0.5 to 1.")
        self._check_body()
        keep_floats(self, "friction", "E", "nu")

    def _check_body(self) -> None:
        if self.body not in BODIES:
            raise InputError(f"body = {self.body!r} is not known: choose from {[*BODIES]}.")
        elastic.check(self.E, self.nu)
        if not self.elastic and (self.E, self.nu) != (E, NU):
            raise InputError(
                f"E = {self.E!r} Pa and nu = {self.nu!r} were given, but the body is rigid and has "
                "neither: choose body='elastic', or leave them out."
            )

    @property
    def deforms(self) -> bool:  # type: ignore[override]
        return self.elastic

    @property
    def cost(self) -> float:  # type: ignore[override]
        return 5000.0 if self.elastic else 500.0

    @property
    def elastic(self) -> bool:
        """Whether the body deforms."""
        return self.body == "elastic"

    @property
    def _step(self) -> Any:
        """The module of one step."""
        return elastic_step if self.elastic else dissipation_step

    def columns(self, block: Block) -> tuple[str, ...]:
        return (*self._step.COLUMNS, SWING)

    def advance_for(self, block: Block) -> Any:
        return counting_impacts(self._step.advance, self._step.lifted)

    def laws_for(self, block: Block) -> str:
        return "rocksteady.analysis.auditing.dissipation:laws"

    def resting_for(self, block: Block) -> Any:
        return self._step.resting

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> NumericalDissipation:
        r = None if eta is None else real(eta) ** 2
        return cls(r=r, friction=1.0 if friction is None else friction)

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        law = law_named("daltri2024")  # for a first look: any rule loses more in longer steps
        shortest, longest = (time_step(block, self.k_n, r, law=law).dt for r in (0.995, 0.6))
        resolved = math.acosh(2) / block.p / STEPS_TO_IMPACT
        return (LossParameter("dt", shortest, min(longest, resolved), instead_of=("r",)),)

    def time_step(self, block: Block) -> float:
        """The step [s]: as given, or from the law; refused where it cannot resolve an impact."""
        dt = self.law_step(block, self.body) if self.dt is None else self.dt
        longest = math.acosh(2) / block.p / STEPS_TO_IMPACT
        if dt > longest:
            raise InputError(
                f"dt = {dt:.4g} s is too long to resolve an impact of this block: at most "
                f"{longest:.4g} s, which is {STEPS_TO_IMPACT} steps from θ = α/2 to the first "
                "impact. Give a smaller dt, or a larger r or k_n."
            )
        return dt

    def doubt(self, block: Block, states: Array) -> str | None:
        """A sentence where a run was hardly made with the step that sets its loss."""
        cuts, steps = int(states[-1, self._step.COLUMNS.index("cuts [-]")]), len(states) - 1
        if cuts <= MOST_CUTS * steps:
            return None
        return (
            f"The step had to be halved {cuts} times in {steps} steps, since Newton's method did "
            "not converge: impacts then lose something else than the step asked for would, and "
            f"energy may grow. Give a smaller dt or a softer bed, k_n = {self.k_n:.3g} N/m³ now. "
            f"{BEDS}"
        )

    # -- the bed ---------------------------------------------------------------------------

    def base(self, block: Block) -> tuple[Array, Array]:
        """Distances [m] of the springs from the centre of mass, towards +x, and their stiffnesses
        [N/m]: the trapezoid rule over the base."""
        intervals = max(FEWEST_POINTS - 1, round(min(block.width / self.spacing, 1e9)))
        if intervals >= MOST_POINTS:
            raise InputError(
                f"spacing = {self.spacing!r} m puts {intervals + 1} springs under a base of "
                f"{block.width!r} m: at most {MOST_POINTS} are allowed. Give a larger spacing."
            )
        # as ±: so the mirror image of a symmetric base is the base itself, to the last bit
        units = np.arange(-intervals, intervals + 1, 2, dtype=np.float64)
        places = np.asarray(units * (block.width / intervals / 2) - block.offset)
        weights = np.full(intervals + 1, block.width / intervals * block.thickness)
        weights[[0, -1]] /= 2
        return places, np.asarray(self.k_n * weights)

    def parameters(self, block: Block) -> tuple[Any, ...]:
        distance, stiffness = self.base(block)
        units = block.alpha, block.p * block.alpha, block.p * block.alpha * block.R
        still_at = self._rest(block)  # it must be able to stand
        rest = dict(zip(("still_at", "turn", "rate", "speed"), (still_at, *units), strict=True))
        if self.elastic:
            return elastic.parameters(self, block, TOLERANCE, rest)
        rounding = 8 * np.finfo(float).eps * stiffness.sum() * block.R / block.mass
        return dissipation_step.Body(
            mass=block.mass,
            inertia=block.inertia,
            alpha_h=self.rule.alpha,
            beta=self.rule.beta,
            gamma=self.rule.gamma,
            height=block.com_height,
            friction=float(self.friction),
            distance=distance,
            stiffness=stiffness,
            anchors=np.full(len(distance), np.nan),
            tolerance=max(TOLERANCE * block.g, rounding) ** 2,
            g=block.g,
            **rest,
        )

    # -- statics ---------------------------------------------------------------------------

    def _sink(self, block: Block, theta: float) -> tuple[float, Array]:
        """How high the centre of mass is, and the normal forces, where they carry the weight at
        the rotation θ."""
        if self.elastic:
            return elastic.stand(self, block, theta)[:2]
        distance, stiffness = self.base(block)
        rise = 2 * block.com_height * math.sin(theta / 2) ** 2 - distance * math.sin(theta)
        order = np.argsort(rise, kind="stable")
        k, z = stiffness[order], rise[order]
        level = -(block.mass * block.g + np.cumsum(k * z)) / np.cumsum(k)  # with 1, 2, ... springs
        y = float(level[np.argmax(level + np.append(z[1:], np.inf) >= 0)])
        return y, stiffness * np.maximum(0, -(y + rise))

    def _arms(self, block: Block, theta: float) -> tuple[Array, Array]:
        """How far the springs are from the centre of mass [m], towards +x and up."""
        distance, h = self.base(block)[0], block.com_height
        c, s = math.cos(theta), math.sin(theta)
        return distance * c - h * s, -distance * s - h * c

    def _moment(self, block: Block, theta: float) -> float:
        """Moment [N m] of the bed about the centre of mass, turning it on towards +θ."""
        if self.elastic:
            return elastic.moment(self, block, theta)
        return -float(self._arms(block, theta)[0] @ self._sink(block, theta)[1])

    def _rest(self, block: Block) -> float:
        """Rotation [rad] at which it stands still; zero for a symmetric block."""
        toward = 1.0 if block.offset >= 0 else -1.0
        limit = block.right.alpha if toward > 0 else block.left.alpha
        leans = limit * np.concatenate([[1e-6], np.linspace(0.01, 1, 100)])
        if block.symmetric:
            leans = leans[:1]  # upright it is in balance: it must be pulled back at once
        back = next((t for t in leans if self._moment(block, toward * t) * toward < 0), None)
        if back is None:
            raise InputError(
                f"k_n = {self.k_n!r} N/m³ is too soft a bed: this block would tip over by its own "
                "weight. Give a larger k_n."
            )
        if block.symmetric:
            return 0.0
        return float(brentq(lambda t: self._moment(block, t), 0.0, toward * back, xtol=1e-16))

    def start(self, block: Block, theta0: float = 0.0, omega0: float = 0.0) -> Numbers:
        """At rest on the bed; or let go at ``theta0``, its weight carried by the lower corner."""
        theta = float(theta0)
        if theta0 == 0 and omega0 == 0:
            theta = self._rest(block)
        if self.elastic:
            return elastic.start(self, block, theta, float(omega0))
        y, normal = self._sink(block, theta)
        r_x, r_y = self._arms(block, theta)
        corner = -1 if (theta or omega0) >= 0 else 0
        x = self.base(block)[0][corner] - r_x[corner]
        v_x, v_y = -r_y[corner] * omega0, r_x[corner] * omega0  # about that corner
        spin = -(omega0**2)  # e · ë of a body that turns and does not stretch
        turning = 0.0 if theta0 == 0 and omega0 == 0 else -float(r_x @ normal) / block.inertia
        virial = float(r_y @ normal) - block.inertia * spin
        springs = self._elastic(block, normal)
        moving = (x, y, v_x, v_y, 0.0, 0.0, 0.0, spin, turning, virial)
        swing = first_swing(theta, y + block.com_height + max(r_y[0], r_y[-1]) > 0)
        return tuple(map(float, (theta, omega0, *moving, 0.0, 0.0, springs, 0.0, 0.0, swing)))

    def _elastic(self, block: Block, normal: Array) -> float:
        return float((normal**2 / (2 * self.base(block)[1])).sum())

    # -- what the state means -----------------------------------------------------------------

    def energy(self, block: Block, states: Array) -> Array:
        """Kinetic, gravitational, in the springs and, of an elastic body, of strain [J]."""
        if self.elastic:
            return elastic.energy(self, block, states, self._rest(block))
        omega, y, v_x, v_y, stretch = (states[..., i] for i in (1, 3, 4, 5, 6))
        y_rest, normal = self._sink(block, self._rest(block))
        kinetic = block.mass * (v_x**2 + v_y**2) + block.inertia * (omega**2 + stretch**2)
        lift = block.mass * block.g * (y - y_rest)
        return np.asarray(kinetic / 2 + lift + states[..., 14] - self._elastic(block, normal))

    def slide(self, block: Block, states: Array) -> Array:
        """How far the lower corner has moved along the ground [m]."""
        theta, x = states[..., 0], states[..., 2]
        right = x - block.com_height * np.sin(theta) + block.right.b * np.cos(theta)
        left = x - block.com_height * np.sin(theta) - block.left.b * np.cos(theta)
        return np.where(theta > 0, right - block.right.b, left + block.left.b)

    def at_rest(self, block: Block, states: Array) -> NDArray[np.bool_]:
        """Within 1e-4 α of where it stands still, and as slow: |ω| < 1e-4 pα, |v| < 1e-4 pαR."""
        turned = np.abs(states[..., 0] - self._rest(block)) / block.alpha
        fast = np.abs(states[..., 1]) / (block.p * block.alpha)
        slide = np.hypot(states[..., 4], states[..., 5]) / (block.p * block.alpha * block.R)
        return np.asarray(np.maximum(np.maximum(turned, fast), slide) < RESTING)

    def doomed(self, block: Block, state: Array) -> bool:
        """Housner's criterion: beyond its balance point, or with the energy to get there."""
        theta, omega = state[:2]
        sign = math.copysign(1.0, theta)
        side = block.right if sign > 0 else block.left
        return bool(falls(side, theta, omega, sign, slender=False))
