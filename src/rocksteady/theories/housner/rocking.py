"""Rocking about one corner at a time: rest, uplift, turning points, impacts, overturning.

Everything here holds for any law of smooth motion about a corner. It is written for the *lean*
y = |θ| ≥ 0 about the active corner, σ = +1 (right) or −1 (left), and for time in intervals (0 at
one sample, 1 at the next, or wherever the ground is given). It needs four functions of the smooth
motion: `expand`, the motion from here on, a named tuple with y, v = y' and a = y'' now; `trusted`,
for how long that is exact enough; `evaluate`, its (y, y', y'') at a time t; and `input_work`, the
work of the ground until then.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from rocksteady.bodies import Block, FlexibleOscillator, Side
from rocksteady.errors import InputError
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.roots import make_root, within
from rocksteady.numerics.types import Array
from rocksteady.theories.contract import IMPACT, NOTHING, OVERTURN, REST, TURN, UPLIFT

COLUMNS = ("theta [rad]", "omega [rad/s]", "side [-]", "work [J]", "loss [J]")
# side: +1 on the right corner, −1 on the left one, 0 at rest on the whole base;
# work: done by the shaking ground since the start; loss: in impacts since the start.

# Where the parameters stand: g, the error allowed in a step, a `Corner` each, 1/g. What a theory
# adds follows.
G, ALLOWED, RIGHT, LEFT, PER_G, MORE = 0, 1, 2, 8, 14, 15


class Corner(NamedTuple):
    """The block about one of its corners."""

    alpha: float
    p: float  # [rad/s]
    inertia: float  # about the corner [kg m²]
    eta: float  # ω⁺/ω⁻ of the impact onto this corner
    weight: float  # p² sin α
    inertia_force: float  # p² cos α / g


LYING = math.pi / 2
STEEP = LYING - 1e-9  # for many blocks side by side plain rocking ends before rounding matters
NEGLIGIBLE = 1e-12  # of α: a block that will not lift by more than this is at rest
MAX_ITERATIONS = 50
CLOSE = 1e-9  # of the time searched: the next step of Newton's method would be its square
CLOSE_CUBIC = 1e-7  # with Chebyshev's correction its cube
ROUNDING = 4e-16
LEAST = 5e-324  # the smallest rate there is: of a block about to strike


def corner_of(side: Side, eta: float, g: float, slender: bool = False) -> Corner:
    """The block about the corner ``side``; linearised in the angle if ``slender``."""
    sine = side.alpha if slender else math.sin(side.alpha)
    cosine = 1.0 if slender else math.cos(side.alpha)
    pp = side.p**2
    return Corner(side.alpha, side.p, side.inertia, eta, pp * sine, pp * cosine / g)


def make_advance(
    expand: Callable[..., Any],
    trusted: Callable[..., Any],
    evaluate: Callable[..., Any],
    input_work: Callable[..., Any],
    *,
    stops_at_turns: bool = False,
) -> Any:
    """Build the step of a rocking block from its smooth motion about one corner.

    It goes through a maximum of the lean as through any other point, unless it ``stops_at_turns``:
    the search for it would cost as much as the step. ``advance.turning`` finds it where needed.
    """
    smooth = make_smooth(expand)
    locate_lean, locate_turn = make_locate(evaluate, 0), make_locate(evaluate, 1)

    @inner_fused_kernel
    def rock(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """Lean about the active corner until something happens."""
        _, _, side, work, loss = state
        motion = smooth(state, params, ground0, ground1, dt)
        y, v, start = motion.y, motion.v, motion.a
        span = trusted(motion, params[ALLOWED] * dt)
        y1, v1, a1 = evaluate(motion, span)
        event = NOTHING

        if y == 0 and v == 0:  # just lifted off: whatever rounding says, it is not pulled back yet
            start = max(start, 0.0)
            if start == 0 and a1 <= 0:  # ... nor was it lifted after all
                return (0.0, 0.0, 0.0, work, loss), span * dt, REST

        # The rate is monotonic on either side of the acceleration's zero, the lean on either side
        # of the rate's: so the signs at those places tell all that happens in between.
        passes = v > 0 and v1 < 0 and y + v + max(start, 0.0) < LYING and not stops_at_turns
        if not passes:
            low, v_low, a_low = 0.0, v, start
            turns = v * v1 < 0
            if start * a1 < 0:
                knee = span * start / (start - a1)
                v_knee = evaluate(motion, knee)[1]
                if v * v_knee < 0:
                    turns, span, v1, a1 = True, knee, v_knee, 0.0
                elif v_knee * v1 < 0:
                    turns, low, v_low, a_low = True, knee, v_knee, 0.0
            if turns:
                guess = parabola(low, span, v_low, v1, a_low, a1)
                span = locate_turn(motion, 0.0, low, span, guess, v1 < v_low)
                y1, v1, event = evaluate(motion, span)[0], 0.0, TURN
        if y1 >= LYING:
            guess = parabola(0.0, span, y - LYING, y1 - LYING, v, v1)
            span = locate_lean(motion, LYING, 0.0, span, guess, False)
            y1, v1, event = LYING, evaluate(motion, span)[1], OVERTURN
        elif y1 < 0:
            guess = landing(y, v, start, (a1 - start) / span)
            span = locate_lean(motion, 0.0, 0.0, span, guess, True)
            y1, v1, event = 0.0, min(evaluate(motion, span)[1], -LEAST), NOTHING
        rate = 1 / dt
        work += about(side, params).inertia * (input_work(motion, span) * rate * rate)
        return (side * y1, side * (v1 * rate), side, work, loss), span * dt, event

    @inner_fused_kernel
    def turning(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
        """(time, θ) of the maximum of the lean within a step that took the time ``used``."""
        motion = smooth(state, params, ground0, ground1, dt)
        span = used / dt
        v1, a1 = evaluate(motion, span)[1:]
        guess = parabola(0.0, span, motion.v, v1, motion.a, a1)
        t = locate_turn(motion, 0.0, 0.0, span, guess, True)
        _, _, side, _, _ = state
        return t * dt, side * evaluate(motion, t)[0]

    @inner_fused_kernel
    def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        theta, omega, side, _, _ = state
        if side == 0:
            return wait(state, params, ground0, ground1, dt)
        if theta == 0 and side * omega < 0:
            return strike(state, params, ground0, ground1, dt)
        return rock(state, params, ground0, ground1, dt)

    if not stops_at_turns:
        advance.turning = turning
    return advance


def make_smooth(expand: Callable[..., Any]) -> Any:
    """Build the motion about the active corner from a state on."""

    @inner_fused_kernel
    def smooth(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        theta, omega, side, _, _ = state
        right, left = Corner(*params[RIGHT:LEFT]), Corner(*params[LEFT:PER_G])
        alpha = right.alpha if side > 0 else left.alpha
        p = right.p if side > 0 else left.p
        forces = pull(side, p * dt, params[PER_G], ground0, ground1)
        return expand(abs(theta), side * (omega * dt), alpha, *forces)

    return smooth


def make_locate(evaluate: Callable[..., Any], order: int) -> Any:
    """Build the search for where the lean (order 0) or its rate (order 1) passes a level, by
    Newton's method, for the lean with Chebyshev's correction for its curvature."""
    close = (CLOSE_CUBIC, CLOSE)[order]

    @inner_fused_kernel
    def look(problem, t):  # type: ignore[no-untyped-def]
        """A body that moves away from the level has not passed it yet, though it may have started
        there."""
        motion, level, falls = problem
        at = evaluate(motion, t)
        excess, slope = at[order] - level, at[order + 1]
        per_slope = 1 / slope
        step = excess * per_slope
        if order == 0:
            step += 0.5 * at[2] * per_slope * step * step
        return excess, t - step, (excess > 0) == falls or (slope > 0) == falls

    root = make_root(look, close=close, rounding=ROUNDING, iterations=MAX_ITERATIONS)

    @fused_kernel
    def locate(motion, level, low, high, t, falls):  # type: ignore[no-untyped-def]
        """The time between `low` and `high` at which the level is passed, on the way down where it
        ``falls``; ``t`` is a guess."""
        return root((motion, level, falls), low, high, within(low, high, t))

    return locate


@fused_kernel
def parabola(low, high, f_low, f_high, slope_low, slope_high):  # type: ignore[no-untyped-def]
    """A guess where something vanishes: where the parabola does that goes through both ends, whose
    signs differ, and has their difference of slopes. So good that two or three steps of Newton's
    method will do."""
    share = f_low / (f_low - f_high)
    bend = 0.5 * (high - low) * (slope_high - slope_low) / (f_high - f_low)
    return low + (high - low) * share * (1 + bend * (1 - share))


@fused_kernel
def landing(y, v, start, bend):  # type: ignore[no-untyped-def]
    """A guess when a block that leans by y, at the rate v, is back on the ground, if the
    acceleration is ``start`` at first and changes steadily by ``bend``."""
    acceleration, t = start, 0.0
    for _ in range(2):
        root = math.sqrt(max(v * v - 2 * acceleration * y, 0.0))
        t = (v + root) / -acceleration if v > 0 else 2 * y / (root - v)
        acceleration = start + bend * t * (1 / 3)
    return t


def make_glide(
    expand: Callable[..., Any],
    omitted: Callable[..., Any],
    finish: Callable[..., Any],
    swing: Callable[..., Any],
) -> Any:
    """Build the attempt at a whole interval of plain rocking, for many blocks side by side.

    Besides `expand` of the step it needs `omitted`, what the motion leaves out of an interval,
    which a block's tolerance limits; `finish`, its y and y' at the end; and `swing`, a bound on how
    far y'' can stray within the interval from what it is at first.
    """
    smooth = make_smooth(expand)

    @inner_fused_kernel
    def glide(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
        """(state after the interval, how far it may have leaned on the way if further than at both
        ends, whether the state is that of `advance`); ``rate`` is 1/dt. Nothing may happen within:
        no rest, no impact, no overturning, no step that must be shortened.

        Without branches, so that a compiler can do several at once, and with the expressions of
        `rock`, so that the bits are the same. Work is not followed: it stays as it is.
        """
        _, _, side, work, loss = state
        motion = smooth(state, params, ground0, ground1, dt)
        y, v = motion.y, motion.v
        y1, v1 = finish(motion)
        # The acceleration keeps its sign, and so the rate falls or rises all the way; or the rate
        # is so large that it would have to change by more than it can to pass through zero and come
        # back. Either way there is one turning point at most, and that a maximum unless the lean
        # falls at first and then rises.
        start, change = abs(motion.a), swing(motion)
        most = start + change  # of the acceleration
        rising, falling = v >= 0, v1 < 0
        plain = (rising | falling) & ((start > change) | (abs(v + v1) > most))
        outmost = y + v
        reach = outmost if rising & falling else 0.0
        # (at rest y1 is negative)
        rocks = plain & (y1 > 0) & (outmost + most < STEEP)
        ok = rocks & (omitted(motion) <= params[ALLOWED] * dt)
        return (math.copysign(y1, side), side * (v1 * rate), side, work, loss), reach, ok

    return glide


@inner_fused_kernel
def raised(level, share, lift):  # type: ignore[no-untyped-def]
    """level + share lift; a compiler that knows that nothing lifts leaves it out."""
    return level + share * lift if lift != 0 else level


@inner_fused_kernel
def pull(side, turn, unit, ground0, ground1):  # type: ignore[no-untyped-def]
    """(turn, (k, k'), (c, c')), where k sin(α − y) + c cos(α − y) is y'': with ``turn`` p times the
    interval and ``unit`` 1/g, k is −turn² (1 + a_v/g) and c is −turn² σ a_h/g."""
    weight = -turn * turn
    share = weight * unit
    sideways = side * share
    return (
        turn,
        (raised(weight, share, ground0[1]), raised(0.0, share, ground1[1] - ground0[1])),
        (sideways * ground0[0], sideways * (ground1[0] - ground0[0])),
    )


@fused_kernel
def about(side, params):  # type: ignore[no-untyped-def]
    """The block about the corner `side`."""
    if side > 0:
        return Corner(*params[RIGHT:LEFT])
    return Corner(*params[LEFT:PER_G])


@fused_kernel
def overturning_push(side, params, ground):  # type: ignore[no-untyped-def]
    """Acceleration y'' [rad/s²] that upright rest would take up about the corner `side`; it lifts
    off where this is positive, that is where ∓a_h > (g + a_v) tan α."""
    corner = about(side, params)
    weight = corner.weight * (1 + ground[1] * params[PER_G])
    return -(weight + side * ground[0] * corner.inertia_force)


def lift_off(block: Block) -> tuple[float, float]:
    """tan α of the right and of the left corner: see `Formulation.lift_off`."""
    return math.tan(block.right.alpha), math.tan(block.left.alpha)


def refuse_flight(body: Block | FlexibleOscillator, a_v: Array, name: str = "block") -> None:
    """Refuse a vertical ground acceleration [m/s²] in which the body would be weightless."""
    if a_v.min() <= -body.g:
        raise InputError(
            f"The vertical acceleration reaches {a_v.min():.4g} m/s², not above "
            f"−g = {-body.g:.4g}: the {name} would leave the ground, which this theory does not "
            "cover: what it would do is not known. A motion that is weaker, or has no vertical "
            "component, is another question."
        )


@inner_fused_kernel
def wait(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Stand upright until the ground lifts it off, to the side away from its acceleration."""
    _, _, _, work, loss = state
    used, side = dt, 0.0
    for corner in (1.0, -1.0):
        push0 = overturning_push(corner, params, ground0)
        push1 = overturning_push(corner, params, ground1)
        if push0 > 0:
            used, side = 0.0, corner
        elif push1 > 0:
            instant = dt * push0 / (push0 - push1)
            if instant < used or side == 0:
                used, side = instant, corner
    if side == 0:
        return state, dt, NOTHING
    return (0.0, 0.0, side, work, loss), used, UPLIFT


@inner_fused_kernel
def strike(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The base strikes the ground: the pivot changes corner, and η of the rotation is left."""
    _, omega, side, work, loss = state
    inertia, new = about(side, params).inertia, about(-side, params)
    speed = new.eta * abs(omega)
    if speed <= 0 or settles(speed, -side, params, ground0, ground1, dt):
        speed = 0.0
    side_new = -side if speed > 0 else 0.0
    loss += 0.5 * inertia * omega * omega - 0.5 * new.inertia * speed * speed
    return (0.0, side_new * speed, side_new, work, loss), 0.0, IMPACT


@fused_kernel
def settles(speed, side, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Whether a block that leaves the ground about `side` with this `speed` [rad/s] only chatters.

    Small impacts follow each other ever faster and end at a finite time. If all further bounces fit
    into a quiet spell, even under its weakest restoring acceleration, the block is at rest at the
    spell's end, and so it is at rest from here on.
    """
    alpha, eta = about(side, params).alpha, about(side, params).eta
    restoring = -overturning_push(side, params, ground0)
    if 2 * speed > restoring * dt and speed * speed > 2 * NEGLIGIBLE * alpha * restoring:
        return False  # the next bounce alone outlasts the interval, as after most impacts
    spell, restoring, restoring_back = quiet_spell(side, params, ground0, ground1, dt)
    if spell == 0:
        return False
    eta_back = about(-side, params).eta
    bounces = 2 * speed / restoring + 2 * eta_back * speed / restoring_back
    lift = 0.5 * speed * speed / restoring
    return bounces <= spell * (1 - eta * eta_back) or lift <= NEGLIGIBLE * alpha


@fused_kernel
def quiet_spell(side, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """(time, weakest restoring acceleration about `side`, and about the other corner) of the time
    from here on, at most this interval, in which either keeps at least half of what it is now."""
    this0 = -overturning_push(side, params, ground0)
    other0 = -overturning_push(-side, params, ground0)
    if this0 <= 0 or other0 <= 0:
        return 0.0, 0.0, 0.0
    this1 = -overturning_push(side, params, ground1)
    other1 = -overturning_push(-side, params, ground1)
    spell = dt
    if this1 < 0.5 * this0:
        spell = min(spell, dt * 0.5 * this0 / (this0 - this1))
    if other1 < 0.5 * other0:
        spell = min(spell, dt * 0.5 * other0 / (other0 - other1))
    share = spell / dt
    this = min(this0, this0 + share * (this1 - this0))
    other = min(other0, other0 + share * (other1 - other0))
    return spell, this, other
