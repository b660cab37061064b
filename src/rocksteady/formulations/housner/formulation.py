"""Classical rocking: a rigid block that pivots about a corner without sliding (Housner 1963).

While it leans by y = |θ| about the corner σ (docs/formulations/housner.md),

    y'' = −p² [ (1 + a_v/g) sin(α − y) + σ (a_h/g) cos(α − y) ].

Between two samples the ground's acceleration is linear, so y(t) has a Taylor series whose
coefficients follow one another by recurrence from a single sine and cosine. The rate is taken to
t⁵; where what that omits is not negligible the step is shortened. The polynomial itself then
locates turning points and impacts. Time is counted in intervals: y' is the rate times the interval.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.formulations import rocking
from rocksteady.formulations.contract import Formulation, Glide, LossParameter
from rocksteady.numbers import keep_floats, real
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.numerics.types import Array, Numbers
from rocksteady.systems import Block, Side, System

TOLERANCE = 480 * 5e-11  # of p: 5e-11 is the most that a step's series of the rate may leave out
MOST_HALVINGS = 60  # of a step
GAUSS = (  # (part of the way, weight) of the points of Gauss' formula
    (0.06943184420297371, 0.17392742256872693),
    (0.33000947820757187, 0.32607257743127307),
    (0.6699905217924281, 0.32607257743127307),
    (0.9305681557970262, 0.17392742256872693),
)


# -- smooth motion: the nonlinear block -----------------------------------------------------


@inner_fused_kernel
def expand(y, v, alpha, turn, weight, load):  # type: ignore[no-untyped-def]
    """The motion from here on: lean, rate and the rate's derivatives, with time in intervals.

    ``turn`` is p times the interval; ``weight`` and ``load`` are the coefficients (now, change) of
    S = sin(α − y) and C = cos(α − y) in y''. With

        F = k S + c C,   G = k C − c S,   L = k' S + c' C,   M = k' C − c' S,   Q = G + v²,

        v' = F,   F' = L − v G,   F'' = −2 v M − F Q,   Q' = M + 3 v F,   L' = −v M,   M' = v L.
    """
    (k0, k1), (c0, c1) = weight, load
    S, C = sincos(alpha - y)
    F0, G0 = k0 * S + c0 * C, k0 * C - c0 * S
    L, M = rocking.raised(c1 * C, S, k1), rocking.raised(-c1 * S, C, k1)
    vL, vM, Q0 = v * L, v * M, G0 + v * v
    F1 = L - v * G0
    F2 = -2 * vM - F0 * Q0
    Q1 = M + 3 * (v * F0)
    F3 = -2 * (v * vL) - F0 * (Q1 + 2 * M) - F1 * Q0
    Q2 = vL + 3 * (F0 * F0 + v * F1)
    late = v * (F0 * L - v * vM) + F1 * (Q1 + M)
    F4 = -2 * late - F0 * (Q2 + 4 * vL) - F2 * Q0
    return y, v, F0, F1, F2, F3, F4, alpha, turn


@inner_fused_kernel
def omitted(motion):  # type: ignore[no-untyped-def]
    """480 times what the rate's series leaves out of an interval, v⁽⁶⁾/720, estimated from terms it
    consists of: like p v⁽⁵⁾ and p² v⁽⁴⁾ where the motion is linear, p standing for p + 3 |ω|, the
    others where the ground is steep. 1.5 times their sum covers 720 of it in 99 of 100 cases."""
    v, F0, F1, F3, F4, turn = motion[1], motion[2], motion[3], motion[5], motion[6], motion[8]
    turn = turn + 3 * abs(v)
    steep = F0 * F0 + abs(v * F1)
    return (abs(F4) + abs(F3) * turn) * turn + 12 * (abs(F1) * steep)


@fused_kernel
def trusted(motion, tolerance):  # type: ignore[no-untyped-def]
    """The part of the interval, halved as often as it takes, over which the rate's series leaves
    out no more than tolerance."""
    left_out, span = omitted(motion), 1.0
    for _ in range(MOST_HALVINGS):
        if not left_out > tolerance:
            break
        left_out, span = left_out * (1 / 64), span * (1 / 2)
    return span


@inner_fused_kernel
def swing(motion):  # type: ignore[no-untyped-def]
    """A bound of how much the acceleration can change within the interval."""
    F1, F2, F3, F4 = motion[3:7]
    return abs(F1) + (abs(F2) + (abs(F3) + abs(F4)))


@inner_fused_kernel
def evaluate(motion, t):  # type: ignore[no-untyped-def]
    """Lean, rate and acceleration (y, y', y'') after the part t of the interval."""
    y, v, F0, F1, F2, F3, F4 = motion[:7]
    t2, t3, t4, t5, t6 = t * (1 / 2), t * (1 / 3), t * (1 / 4), t * (1 / 5), t * (1 / 6)
    lean = y + t * (v + t2 * (F0 + t3 * (F1 + t4 * (F2 + t5 * (F3 + t6 * F4)))))
    rate = v + t * (F0 + t2 * (F1 + t3 * (F2 + t4 * (F3 + t5 * F4))))
    return lean, rate, F0 + t * (F1 + t2 * (F2 + t3 * (F3 + t4 * F4)))


@inner_fused_kernel
def finish(motion):  # type: ignore[no-untyped-def]
    """Lean and rate at the end of the interval: `evaluate` there, bit for bit."""
    y, v, F0, F1, F2, F3, F4 = motion[:7]
    late = F1 + (1 / 4) * (F2 + (1 / 5) * (F3 + (1 / 6) * F4))
    lean = y + (v + (1 / 2) * (F0 + (1 / 3) * late))
    late = F1 + (1 / 3) * (F2 + (1 / 4) * (F3 + (1 / 5) * F4))
    return lean, v + (F0 + (1 / 2) * late)


@fused_kernel
def input_work(motion, t):  # type: ignore[no-untyped-def]
    """Work of the ground per unit inertia over the part t of the interval, by Gauss' four points:
    its power is q v, with q = v' + p² S."""
    alpha, turn = motion[7], motion[8]
    work = 0.0
    for at, share in GAUSS:
        lean, rate, acceleration = evaluate(motion, at * t)
        work += share * ((acceleration + turn * turn * sincos(alpha - lean)[0]) * rate)
    return t * work


@fused_kernel
def no_work(motion, t):  # type: ignore[no-untyped-def]
    """Where many blocks are followed the work is not."""
    return math.nan


# -- smooth motion: the slender block, linearised ---------------------------------------------


@fused_kernel
def expand_slender(y, v, alpha, turn, weight, load):  # type: ignore[no-untyped-def]
    """For small angles v' = k (α − y) + c with k = −turn²: the exact solution is
    y = α + c/k + A cosh(turn t) + (B/turn) sinh(turn t).  (No vertical motion: k' = 0.)"""
    k = weight[0]
    c0, c1 = load[0] / k, load[1] / k
    A, B = y - alpha - c0, v - c1
    return y, v, turn * turn * A, alpha, turn, c0, c1, A, B


@fused_kernel
def trusted_slender(motion, tolerance):  # type: ignore[no-untyped-def]
    return 1.0


@fused_kernel
def evaluate_slender(motion, t):  # type: ignore[no-untyped-def]
    alpha, turn, c0, c1, A, B = motion[3:]
    grow = math.exp(turn * t)
    cosh, sinh = 0.5 * (grow + 1 / grow), 0.5 * (grow - 1 / grow)
    deviation = A * cosh + B / turn * sinh
    rate = c1 + A * turn * sinh + B * cosh
    return alpha + c0 + c1 * t + deviation, rate, turn * turn * deviation


@fused_kernel
def input_work_slender(motion, t):  # type: ignore[no-untyped-def]
    """−turn² ∫ (c/k) v dt, by parts."""
    alpha, turn, c0, c1, A, B = motion[3:]
    grow = math.exp(turn * t)
    cosh_1, sinh = 0.5 * (grow + 1 / grow) - 1, 0.5 * (grow - 1 / grow)
    end = evaluate_slender(motion, t)[0]
    integral = (alpha + c0) * t + 0.5 * c1 * t * t + A / turn * sinh + B / (turn * turn) * cosh_1
    return -turn * turn * ((c0 + c1 * t) * end - c0 * motion[0] - c1 * integral)


ADVANCE = rocking.make_advance(expand, trusted, evaluate, input_work)
ADVANCE_TO_TURNS = rocking.make_advance(expand, trusted, evaluate, input_work, stops_at_turns=True)
ADVANCE_SLENDER = rocking.make_advance(
    expand_slender, trusted_slender, evaluate_slender, input_work_slender
)
GLIDE = Glide(
    rocking.make_glide(expand, omitted, finish, swing),
    rocking.make_advance(expand, trusted, evaluate, no_work),
    tolerance=1,
    unfollowed=3,
)


# -- the formulation ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Housner(Formulation):
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
    compared: ClassVar[bool] = True
    bodies: ClassVar[tuple[type[System], ...]] = (Block,)
    usual_for: ClassVar[tuple[type[System], ...]] = (Block,)
    turns_are_events: ClassVar[bool] = True
    cost: ClassVar[float] = 25.0
    refusals: ClassVar[Mapping[str, str]] = {
        "friction": "Housner's block never slides; try --formulation nonsmooth"
    }

    eta: float | None = None
    r: float | None = None
    slender: bool = False

    def __post_init__(self) -> None:
        if self.eta is not None and self.r is not None:
            raise InputError(
                f"eta = {self.eta!r} and r = {self.r!r} were both given: they are two forms of "
                "one quantity (r = eta² for a symmetric block). Give one of them."
            )
        if not isinstance(self.slender, (bool, np.bool_)):
            raise InputError(f"slender = {self.slender!r} is not allowed: give True or False.")
        for name in ("eta", "r"):
            value = getattr(self, name)
            if value is not None and not 0 < real(value) <= 1:
                raise InputError(
                    f"{name} = {value!r} is not allowed: it must lie in (0, 1]. Leave it out to "
                    "use the value that follows from the block's geometry."
                )
        keep_floats(self, "eta", "r")

    def columns(self, block: Block) -> tuple[str, ...]:
        return rocking.COLUMNS

    def advance_for(self, block: Block) -> Any:
        return ADVANCE_SLENDER if self.slender else ADVANCE

    def glide_for(self, block: Block) -> Any:
        """The attempt at a whole interval of plain rocking; none for the slender block, whose
        exponential function keeps a processor from doing several at once."""
        return None if self.slender else GLIDE

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> Housner:
        return cls(eta=eta)

    def keeps_at_impact(self, block: Block) -> str:
        return keeps_eta(block)

    def exact_rest(self, block: Block) -> bool:
        return True

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        return (LossParameter("eta", 0.3, 1.0, instead_of=("r",)),)

    def check_vertical(self, block: Block, a_v: Array) -> None:
        if self.slender and a_v.any():
            raise InputError(
                "The slender block takes no vertical acceleration: its exact solution holds for "
                "horizontal motion only. Leave the vertical component out, or use slender=False."
            )
        rocking.refuse_flight(block, a_v)

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
            1 / block.g,
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

    def doomed_among(self, systems: Sequence[Block], which: Any, states: Array) -> Any:
        theta, omega, sign = states[:, :3].T
        first, last = which.min(initial=0), which.max(initial=0)
        sides = np.array([(block.right, block.left) for block in systems[first : last + 1]])
        side: Any = Side(*sides[which - first, np.where(sign > 0, 0, 1)].T)
        return falls(side, theta, omega, sign, self.slender)


def keeps_eta(block: Block) -> str:
    """What an impact keeps that conserves the angular momentum about the new corner, in words."""
    if block.eta <= 0:
        return "nothing: so stocky a block comes to rest (Housner)"
    return f"η = {block.eta:.4g} of its angular velocity (Housner)"


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
