"""The step of a body that may slide: without sliding as long as friction suffices, else loose.

The force that keeps a body sticking is compared with the cone at both ends of a step. Where it
leaves the cone in between, the instant is found by halving the step; a force that leaves the cone
and comes back within one interval is overlooked. An impact is done without sliding if its impulses
lie within the cone and nothing rebounds, else with `contacts.py`.
"""

import math
from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.theories.contract import IMPACT, NOTHING, OVERTURN
from rocksteady.theories.spatial.loose.forces import margin, strike_margin
from rocksteady.theories.spatial.loose.settling import loosened
from rocksteady.theories.spatial.loose.step import loose_step, strike, substep
from rocksteady.theories.spatial.pivots import RESTITUTION
from rocksteady.theories.spatial.state import LEAN, LEAN_RATE, LOOSE, MODE

HALVINGS = 12
TOLERANCE = 1e-9  # m/s² (m/s in an impact): rounding is not sliding


@kernel
def part_of(ground0, ground1, part):  # type: ignore[no-untyped-def]
    return (
        ground0[0] + part * (ground1[0] - ground0[0]),
        ground0[1] + part * (ground1[1] - ground0[1]),
        ground0[2] + part * (ground1[2] - ground0[2]),
    )


@fused_kernel
def highest(lean0, rate0, lean1, rate1, span):  # type: ignore[no-untyped-def]
    """(Time, lean) where the cubic through both ends turns; its rate changes sign in between."""
    if span == 0:  # an impact: it turns at once
        return 0.0, lean0
    mean = (lean1 - lean0) / span
    c, d = 3 * mean - 2 * rate0 - rate1, rate0 + rate1 - 2 * mean  # rate0 + 2 c x + 3 d x²
    root = math.sqrt(max(c * c - 3 * d * rate0, 0.0))
    sign = 1.0 if rate0 > 0 else -1.0
    x = rate0 / (sign * root - c)
    if not 0 <= x <= 1:
        x = rate0 / (rate0 - rate1)
    return x * span, lean0 + span * (x * (rate0 + x * (c + x * d)))


class Base(NamedTuple):
    """What the step needs to know of a kind of base: see the functions of a polygon."""

    margin: Any = margin
    strike_margin: Any = strike_margin
    loosened: Any = loosened
    strike: Any = strike
    loose_step: Any = loose_step


@cache
def make_joined(sticking: Any, base: Base = Base()) -> Any:  # noqa: B008 (never changed)
    """Build the step from the one of a body that never slides."""
    margin, strike_margin, loosened, strike, loose_step = base
    turning_where_it_sticks: Any = getattr(sticking, "turning", None)

    @kernel
    def until_it_slides(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """(State of a loose body, time): it sticks at first and slides before the time is over."""
        low, high = 0.0, dt
        slides, time, _ = sticking(state, params, ground0, ground1, dt)
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            there = part_of(ground0, ground1, middle / dt)
            after, used, _ = sticking(state, params, ground0, there, middle)
            if used == middle and margin(after, params, there) >= -TOLERANCE:
                low = middle
            else:
                high, slides, time = middle, after, used
        return loosened(slides, params), time

    @kernel
    def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        if state[MODE] == LOOSE:
            return loose_step(state, params, ground0, ground1, dt)
        after, used, event = sticking(state, params, ground0, ground1, dt)
        if event == IMPACT:
            if params[RESTITUTION] == 0 and strike_margin(state, after, params) >= -TOLERANCE:
                return after, used, event
            return strike(loosened(state, params), params, substep(dt)), 0.0, IMPACT
        if used == 0 or event == OVERTURN:
            return after, used, event
        if margin(state, params, ground0) < -TOLERANCE:
            return loosened(state, params), 0.0, NOTHING
        there = part_of(ground0, ground1, used / dt)
        if margin(after, params, there) < -TOLERANCE:
            new, time = until_it_slides(state, params, ground0, there, used)
            return new, time, NOTHING
        return after, used, event

    @kernel
    def turning_where_it_is_loose(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
        after, _, _ = advance(state, params, ground0, ground1, dt)
        return highest(state[LEAN], state[LEAN_RATE], after[LEAN], after[LEAN_RATE], used)

    @kernel
    def turning(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
        """See `contract.py`. Loose, from lean and rate at both ends."""
        if state[MODE] != LOOSE:
            return turning_where_it_sticks(state, params, ground0, ground1, dt, used)
        return turning_where_it_is_loose(state, params, ground0, ground1, dt, used)

    stops_at_turns = turning_where_it_sticks is None
    advance.turning = turning_where_it_is_loose if stops_at_turns else turning
    return advance
