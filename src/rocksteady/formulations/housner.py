"""Classical rocking: a rigid block that pivots about a corner without sliding (Housner 1963).

While it leans by y = |θ| about the corner σ (science notes, section 2),

    y'' = −p² [ (1 + a_v/g) sin(α − y) + σ (a_h/g) cos(α − y) ].

Between two samples the ground's acceleration is linear, so y(t) has a Taylor series whose
coefficients follow one another by recurrence from a single sine and cosine. It is taken to t⁷;
where what that omits is not negligible the step is shortened. The polynomial itself then locates
turning points and impacts.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.formulations import rocking
from rocksteady.formulations._kernel import inner_kernel
from rocksteady.formulations._trig import sincos
from rocksteady.formulations.contract import Array, LossParameter, Numbers, kernel
from rocksteady.systems import Block, Side

TOLERANCE = 5e-13  # of p: the most that a step's series of the rate may leave out


# -- smooth motion: the nonlinear block -----------------------------------------------------


@inner_kernel
def expand(y, v, alpha, p, k0, k1, c0, c1):  # type: ignore[no-untyped-def]
    """Taylor coefficients of the rate y'(t), and what the work of the ground needs.

    `k0 + k1 t` is 1 + a_v/g and `c0 + c1 t` is σ a_h/g. With S = sin(α − y), C = cos(α − y):

        S' = −C v,   C' = S v,   v' = f = −p² (k S + c C).
    """
    pp = p * p
    K0, K1, H0, H1 = -pp * k0, -pp * k1, -pp * c0, -pp * c1
    v0 = v
    S0, C0 = sincos(alpha - y)
    v1 = K0 * S0 + H0 * C0
    S1 = -C0 * v0
    C1 = S0 * v0
    v2 = ((K1 * S0 + H1 * C0) + (K0 * S1 + H0 * C1)) * (1 / 2)
    S2 = (C1 * v0 + C0 * v1) * (-1 / 2)
    C2 = (S1 * v0 + S0 * v1) * (1 / 2)
    v3 = ((K1 * S1 + H1 * C1) + (K0 * S2 + H0 * C2)) * (1 / 3)
    S3 = (C2 * v0 + C1 * v1 + C0 * v2) * (-1 / 3)
    C3 = (S2 * v0 + S1 * v1 + S0 * v2) * (1 / 3)
    v4 = ((K1 * S2 + H1 * C2) + (K0 * S3 + H0 * C3)) * (1 / 4)
    S4 = (C3 * v0 + C2 * v1 + C1 * v2 + C0 * v3) * (-1 / 4)
    C4 = (S3 * v0 + S2 * v1 + S1 * v2 + S0 * v3) * (1 / 4)
    v5 = ((K1 * S3 + H1 * C3) + (K0 * S4 + H0 * C4)) * (1 / 5)
    S5 = (C4 * v0 + C3 * v1 + C2 * v2 + C1 * v3 + C0 * v4) * (-1 / 5)
    C5 = (S4 * v0 + S3 * v1 + S2 * v2 + S1 * v3 + S0 * v4) * (1 / 5)
    v6 = ((K1 * S4 + H1 * C4) + (K0 * S5 + H0 * C5)) * (1 / 6)
    v7 = (K1 * S5 + H1 * C5) * (1 / 7)  # the ground's part of it: large where that is steep
    return y, v0, v1, v2, v3, v4, v5, v6, v7, p, S0, S1, S2, S3, S4, S5


@inner_kernel
def terms(motion, t):  # type: ignore[no-untyped-def]
    """The terms vₙ tⁿ of the rate's series, n = 1 to 7."""
    v1, v2, v3, v4, v5, v6, v7 = motion[2:9]
    t2 = t * t
    t3, t4 = t2 * t, t2 * t2
    return v1 * t, v2 * t2, v3 * t3, v4 * t4, v5 * (t4 * t), v6 * (t4 * t2), v7 * (t4 * t3)


@inner_kernel
def omitted(motion, t):  # type: ignore[no-untyped-def]
    """Size of what the rate's series leaves out of v₇ t⁷, estimated: p² v₅ / 42 where the motion is
    linear, or else like p v₆ / 7; p stands for p + 3 |ω|, which fits best."""
    e, f = terms(motion, t)[4:6]
    turn = (motion[9] + 3 * abs(motion[1])) * t
    return (abs(e) * turn + 6 * abs(f)) * turn * (1 / 42)


@kernel
def trusted(motion, dt, tolerance):  # type: ignore[no-untyped-def]
    """The part of ``dt`` over which the rate's series leaves out no more than tolerance."""
    left_out = omitted(motion, dt)
    if left_out <= tolerance:
        return dt
    return 0.9 * dt * (tolerance / left_out) ** (1 / 7)


@inner_kernel
def evaluate(motion, t):  # type: ignore[no-untyped-def]
    """Lean, rate and acceleration (y, y', y'') after the time t.

    Sums are in pairs, the smallest first: their parts do not wait for each other.
    """
    y, v0, v1, v2, v3, v4, v5, v6, v7 = motion[:9]
    a, b, c, d, e, f, g = terms(motion, t)
    rate = v0 + ((a + b) + ((c + d) + (e + (f + g))))
    first = a * (1 / 2) + b * (1 / 3)
    last = (c * (1 / 4) + d * (1 / 5)) + (e * (1 / 6) + (f * (1 / 7) + g * (1 / 8)))
    slow, fast = 2 * v2 + t * (3 * v3), 4 * v4 + t * (5 * v5 + t * (6 * v6 + t * (7 * v7)))
    return y + t * (v0 + (first + last)), rate, v1 + t * (slow + (t * t) * fast)


@inner_kernel
def sway(motion, t):  # type: ignore[no-untyped-def]
    """A bound, with room for rounding, of how much the rate can change to and fro within t."""
    a, b, c, d, e, f, g = terms(motion, t)
    early, late = abs(a) + 2 * abs(b), 3 * abs(c) + 4 * abs(d)
    return 1.000001 * (early + (late + (5 * abs(e) + (6 * abs(f) + 7 * abs(g)))))


@kernel
def input_work(motion, t):  # type: ignore[no-untyped-def]
    """Work of the ground per unit inertia over the time t: its power is q v, with q = f + p² S."""
    v0, v1, v2, v3, v4, v5, v6 = motion[1:8]
    p, S0, S1, S2, S3, S4, S5 = motion[9:]
    pp = p * p
    q0 = v1 + pp * S0
    q1 = 2 * v2 + pp * S1
    q2 = 3 * v3 + pp * S2
    q3 = 4 * v4 + pp * S3
    q4 = 5 * v5 + pp * S4
    q5 = 6 * v6 + pp * S5
    w1 = q0 * v0
    w2 = (q1 * v0 + q0 * v1) * (1 / 2)
    w3 = (q2 * v0 + q1 * v1 + q0 * v2) * (1 / 3)
    w4 = (q3 * v0 + q2 * v1 + q1 * v2 + q0 * v3) * (1 / 4)
    w5 = (q4 * v0 + q3 * v1 + q2 * v2 + q1 * v3 + q0 * v4) * (1 / 5)
    w6 = (q5 * v0 + q4 * v1 + q3 * v2 + q2 * v3 + q1 * v4 + q0 * v5) * (1 / 6)
    w7 = (q5 * v1 + q4 * v2 + q3 * v3 + q2 * v4 + q1 * v5 + q0 * v6) * (1 / 7)  # q₆ is not known
    return t * (w1 + t * (w2 + t * (w3 + t * (w4 + t * (w5 + t * (w6 + t * w7))))))


# -- smooth motion: the slender block, linearised ---------------------------------------------


@kernel
def expand_slender(y, v, alpha, p, k0, k1, c0, c1):  # type: ignore[no-untyped-def]
    """For small angles y'' = p² (y − α − c0 − c1 t): the exact solution is
    y = (α + c0 + c1 t) + A cosh pt + (B/p) sinh pt.  (No vertical motion: k = 1.)"""
    A, B = y - alpha - c0, v - c1
    return y, v, p * p * A, alpha, p, c0, c1, A, B


@kernel
def trusted_slender(motion, dt, tolerance):  # type: ignore[no-untyped-def]
    return dt


@kernel
def evaluate_slender(motion, t):  # type: ignore[no-untyped-def]
    alpha, p, c0, c1, A, B = motion[3:]
    grow = math.exp(p * t)
    cosh, sinh = 0.5 * (grow + 1 / grow), 0.5 * (grow - 1 / grow)
    deviation = A * cosh + B / p * sinh
    rate = c1 + A * p * sinh + B * cosh
    return alpha + c0 + c1 * t + deviation, rate, p * p * deviation


@kernel
def input_work_slender(motion, t):  # type: ignore[no-untyped-def]
    """−p² ∫ c y' dt, by parts."""
    alpha, p, c0, c1, A, B = motion[3:]
    grow = math.exp(p * t)
    cosh_1, sinh = 0.5 * (grow + 1 / grow) - 1, 0.5 * (grow - 1 / grow)
    end = evaluate_slender(motion, t)[0]
    integral = (alpha + c0) * t + 0.5 * c1 * t * t + A / p * sinh + B / (p * p) * cosh_1
    return -p * p * ((c0 + c1 * t) * end - c0 * motion[0] - c1 * integral)


ADVANCE = rocking.make_advance(expand, trusted, evaluate, input_work)
GLIDE = rocking.make_glide(expand, omitted, evaluate, sway)
ADVANCE_SLENDER = rocking.make_advance(
    expand_slender, trusted_slender, evaluate_slender, input_work_slender
)


# -- the formulation ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Housner:
    """Rigid block rocking about its corners, with instantaneous impacts that keep the angular
    momentum about the new corner.

    Parameters
    ----------
    eta
        Ratio of angular velocities ω⁺/ω⁻ at an impact, in (0, 1]; Housner's own for the block
        unless given.
    r
        Ratio of kinetic energies at an impact, in (0, 1]; an alternative to ``eta``
        (r = eta² for a symmetric block).
    slender
        Linearise in the angle (sin → angle, cos → 1): exact between samples, right for α ≲ 0.2, no
        vertical motion.
    """

    name: ClassVar[str] = "Housner"
    bodies: ClassVar[tuple[type, ...]] = (Block,)
    compliant: ClassVar[bool] = False

    eta: float | None = None
    r: float | None = None
    slender: bool = False

    def __post_init__(self) -> None:
        if self.eta is not None and self.r is not None:
            raise InputError(
                f"eta = {self.eta!r} and r = {self.r!r} were both given: they are two forms of "
                "one quantity (r = eta² for a symmetric block). Give one of them."
            )
        for name in ("eta", "r"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise InputError(
                    f"{name} = {value!r} is not allowed: it must lie in (0, 1]. Leave it out to "
                    "use the value that follows from the block's geometry."
                )

    def columns(self, block: Block) -> tuple[str, ...]:
        return rocking.COLUMNS

    def advance_for(self, block: Block) -> Any:
        return ADVANCE_SLENDER if self.slender else ADVANCE

    def glide_for(self, block: Block) -> Any:
        """The attempt at a whole interval of plain rocking; none for the slender block, whose
        exponential function keeps a processor from doing several at once."""
        return None if self.slender else GLIDE

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        return (LossParameter("eta", 0.3, 1.0, instead_of=("r",)),)

    def check_vertical(self, block: Block, a_v: Array) -> None:
        if self.slender and a_v.any():
            raise InputError(
                "The slender block takes no vertical acceleration: its exact solution holds for "
                "horizontal motion only. Leave the vertical component out, or use slender=False."
            )
        if a_v.min() <= -block.g:
            raise InputError(
                f"The vertical acceleration reaches {a_v.min():.4g} m/s², not above "
                f"−g = {-block.g:.4g}: the block would leave the ground, which Housner's theory "
                "does not cover. Scale the motion down or leave its vertical component out."
            )

    def time_step(self, block: Block) -> float | None:
        return None

    def parameters(self, block: Block) -> Numbers:
        right, left = block.right, block.left
        if self.eta is None and self.r is None and block.eta <= 0:
            warnings.warn(
                f"The block is so stocky (h/b = {block.slenderness:.3g}; a rectangle rocks on only "
                "above 1/√2) that in Housner's theory it comes to rest at its first impact. Give "
                "eta= or r= if you know its loss.",
                RocksteadyWarning,
                stacklevel=3,
            )
        return (
            block.g,
            TOLERANCE * min(right.p, left.p),
            *self._about(right, self._eta(block, left, right), block.g),
            *self._about(left, self._eta(block, right, left), block.g),
        )

    def _about(self, side: Side, eta: float, g: float) -> Numbers:
        """What `rocking.about` gives back of one corner."""
        sine = side.alpha if self.slender else math.sin(side.alpha)
        cosine = 1.0 if self.slender else math.cos(side.alpha)
        pp = side.p**2
        return (side.alpha, side.p, side.inertia, eta, pp * sine, pp * cosine / g)

    def _eta(self, block: Block, before: Side, after: Side) -> float:
        """ω⁺/ω⁻ of the impact that moves the pivot from one side's corner to the other's."""
        if self.r is not None:
            return math.sqrt(self.r * before.inertia / after.inertia)
        eta = block.eta_to_right if after is block.right else block.eta_to_left
        if self.eta is None:
            return max(eta, 0.0)
        limit = math.sqrt(before.inertia / after.inertia)
        if self.eta > limit:
            raise InputError(
                f"eta = {self.eta!r} would add energy at one of this asymmetric block's impacts: "
                f"at most {limit:.6g} is possible there. Give r= to lose the same share of energy "
                "on both sides."
            )
        return self.eta

    def start(self, block: Block, theta0: float = 0.0, omega0: float = 0.0) -> Numbers:
        side = float(np.sign(theta0) or np.sign(omega0))
        return (float(theta0), float(omega0), side, 0.0, 0.0)

    def energy(self, block: Block, states: Array) -> Array:
        theta, omega = states[..., 0], states[..., 1]
        right = _energy_about(block.right, theta, omega, self.slender)
        left = _energy_about(block.left, theta, omega, self.slender)
        return np.where(states[..., 2] > 0, right, left)

    def at_rest(self, block: Block, states: Array) -> NDArray[np.bool_]:
        return np.asarray(states[..., 2] == 0)

    def doomed(self, block: Block, state: Array) -> bool:
        theta, omega, sign = state[:3]
        side = block.right if sign > 0 else block.left
        return bool(falls(side, theta, omega, sign, self.slender))


def falls(side: Side, theta: Any, omega: Any, sign: Any, slender: bool) -> NDArray[np.bool_]:
    """Whether it will fall over the corner ``side`` though the ground stays at rest: it is beyond
    its balance point, or has the energy to get there and moves that way. One, or many at once."""
    energy = _energy_about(side, theta, omega, slender)
    barrier = _energy_about(side, side.alpha, 0.0, slender)
    beyond = np.where(energy > barrier, sign * omega > 0, np.abs(theta) > side.alpha)
    return np.asarray(beyond)


def _energy_about(side: Side, theta: Any, omega: Any, slender: bool) -> Array:
    """Kinetic energy, and potential energy above upright rest, about one corner [J]."""
    lean = np.abs(theta)
    if slender:
        rise = side.alpha * lean - lean**2 / 2
    else:
        # cos(α − y) − cos α without cancellation
        rise = 2 * np.sin(side.alpha - lean / 2) * np.sin(lean / 2)
    return np.asarray(side.inertia * (omega**2 / 2 + side.p**2 * rise))
