"""Classical rocking: a rigid block that pivots about a corner without sliding (Housner 1963).

While it leans by y = |θ| about the corner σ (docs/formulations/housner.md),

    y'' = −p² [ (1 + a_v/g) sin(α − y) + σ (a_h/g) cos(α − y) ].

Between two samples the ground's acceleration is linear, so y(t) has a Taylor series whose
coefficients follow one another by recurrence from a single sine and cosine. The rate is taken to
t⁵; where what that omits is not negligible the step is shortened. The polynomial itself then
locates turning points and impacts. Time is counted in intervals: y' is the rate times the interval.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import Glide
from rocksteady.theories.housner import rocking

TOLERANCE = 480 * 5e-11  # of p: 5e-11 is the most that a step's series of the rate may leave out
MOST_HALVINGS = 60  # of a step
GAUSS = (  # (part of the way, weight) of the points of Gauss' formula
    (0.06943184420297371, 0.17392742256872693),
    (0.33000947820757187, 0.32607257743127307),
    (0.6699905217924281, 0.32607257743127307),
    (0.9305681557970262, 0.17392742256872693),
)


# -- smooth motion: the nonlinear block -----------------------------------------------------


class Series(NamedTuple):
    """The Taylor series of the lean from now on, with time in intervals."""

    y: float  # lean
    v: float  # its rate
    a: float  # the rate's derivatives, from the first on: F0
    F1: float
    F2: float
    F3: float
    F4: float
    alpha: float
    turn: float  # p times the interval


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
    return Series(y, v, F0, F1, F2, F3, F4, alpha, turn)


@inner_fused_kernel
def omitted(motion):  # type: ignore[no-untyped-def]
    """480 times what the rate's series leaves out of an interval, v⁽⁶⁾/720, estimated from terms it
    consists of: like p v⁽⁵⁾ and p² v⁽⁴⁾ where the motion is linear, p standing for p + 3 |ω|, the
    others where the ground is steep. 1.5 times their sum covers 720 of it in 99 of 100 cases."""
    _, v, F0, F1, _, F3, F4, _, turn = motion
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
    _, _, _, F1, F2, F3, F4, _, _ = motion
    return abs(F1) + (abs(F2) + (abs(F3) + abs(F4)))


@inner_fused_kernel
def evaluate(motion, t):  # type: ignore[no-untyped-def]
    """Lean, rate and acceleration (y, y', y'') after the part t of the interval."""
    y, v, F0, F1, F2, F3, F4, _, _ = motion
    t2, t3, t4, t5, t6 = t * (1 / 2), t * (1 / 3), t * (1 / 4), t * (1 / 5), t * (1 / 6)
    lean = y + t * (v + t2 * (F0 + t3 * (F1 + t4 * (F2 + t5 * (F3 + t6 * F4)))))
    rate = v + t * (F0 + t2 * (F1 + t3 * (F2 + t4 * (F3 + t5 * F4))))
    return lean, rate, F0 + t * (F1 + t2 * (F2 + t3 * (F3 + t4 * F4)))


@inner_fused_kernel
def finish(motion):  # type: ignore[no-untyped-def]
    """Lean and rate at the end of the interval: `evaluate` there, bit for bit."""
    y, v, F0, F1, F2, F3, F4, _, _ = motion
    late = F1 + (1 / 4) * (F2 + (1 / 5) * (F3 + (1 / 6) * F4))
    lean = y + (v + (1 / 2) * (F0 + (1 / 3) * late))
    late = F1 + (1 / 3) * (F2 + (1 / 4) * (F3 + (1 / 5) * F4))
    return lean, v + (F0 + (1 / 2) * late)


@fused_kernel
def input_work(motion, t):  # type: ignore[no-untyped-def]
    """Work of the ground per unit inertia over the part t of the interval, by Gauss' four points:
    its power is q v, with q = v' + p² S."""
    alpha, turn = motion.alpha, motion.turn
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


class Slender(NamedTuple):
    """y = α + c0 + c1 t + A cosh(turn t) + (B/turn) sinh(turn t), with time in intervals."""

    y: float  # now
    v: float
    a: float
    alpha: float
    turn: float  # p times the interval
    c0: float
    c1: float
    A: float
    B: float


@fused_kernel
def expand_slender(y, v, alpha, turn, weight, load):  # type: ignore[no-untyped-def]
    """For small angles v' = k (α − y) + c with k = −turn²: the exact solution is
    y = α + c/k + A cosh(turn t) + (B/turn) sinh(turn t).  (No vertical motion: k' = 0.)"""
    k = weight[0]
    c0, c1 = load[0] / k, load[1] / k
    A, B = y - alpha - c0, v - c1
    return Slender(y, v, turn * turn * A, alpha, turn, c0, c1, A, B)


@fused_kernel
def trusted_slender(motion, tolerance):  # type: ignore[no-untyped-def]
    return 1.0


@fused_kernel
def evaluate_slender(motion, t):  # type: ignore[no-untyped-def]
    _, _, _, alpha, turn, c0, c1, A, B = motion
    grow = math.exp(turn * t)
    cosh, sinh = 0.5 * (grow + 1 / grow), 0.5 * (grow - 1 / grow)
    deviation = A * cosh + B / turn * sinh
    rate = c1 + A * turn * sinh + B * cosh
    return alpha + c0 + c1 * t + deviation, rate, turn * turn * deviation


@fused_kernel
def input_work_slender(motion, t):  # type: ignore[no-untyped-def]
    """−turn² ∫ (c/k) v dt, by parts."""
    _, _, _, alpha, turn, c0, c1, A, B = motion
    grow = math.exp(turn * t)
    cosh_1, sinh = 0.5 * (grow + 1 / grow) - 1, 0.5 * (grow - 1 / grow)
    end = evaluate_slender(motion, t)[0]
    integral = (alpha + c0) * t + 0.5 * c1 * t * t + A / turn * sinh + B / (turn * turn) * cosh_1
    return -turn * turn * ((c0 + c1 * t) * end - c0 * motion.y - c1 * integral)


ADVANCE = rocking.make_advance(expand, trusted, evaluate, input_work)
ADVANCE_TO_TURNS = rocking.make_advance(expand, trusted, evaluate, input_work, stops_at_turns=True)
ADVANCE_SLENDER = rocking.make_advance(
    expand_slender, trusted_slender, evaluate_slender, input_work_slender
)
ADVANCE_WITHOUT_WORK = rocking.make_advance(expand, trusted, evaluate, no_work)
GLIDE = Glide(
    rocking.make_glide(expand, omitted, finish, swing),
    ADVANCE_WITHOUT_WORK,
    turning=ADVANCE_WITHOUT_WORK.turning,
    tolerance=rocking.ALLOWED,
    unfollowed=rocking.COLUMNS.index("work [J]"),
)
