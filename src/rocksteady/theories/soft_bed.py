"""Impacts on a soft bed, where no velocity jumps.

The one definition, for every driver: an impact is a passage through θ = 0 at the end of a swing in
which a corner left the bed. A body that vibrates with its whole base on the bed has no impacts.

The swing under way is the last number of the state: positive while the body leans to the right,
negative to the left; ±1 while its whole base has stayed on the bed, ±2 once a corner has left it.
"""

import math
from functools import cache
from typing import Any

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.contract import IMPACT, OVERTURN
from rocksteady.theories.substeps import Substeps

SWING = "swing [-]"  # the column of the state


@cache
def counter(lifted: Any) -> Any:
    """The kernel ``counted(state, after, params, used, event)``: a step of the theory, with the
    swing. A corner is off the bed where ``lifted(state, params)`` says so."""

    @array_kernel
    def next_swing(swing, state, params):  # type: ignore[no-untyped-def]
        """(The swing under way in this state, whether an impact ended the one before.) θ = 0 is on
        neither side: it belongs to the swing before it."""
        passed, in_air = swing * state[0] < 0, abs(swing) > 1
        if in_air and not passed:
            return swing, False
        side = state[0] if state[0] != 0 else swing
        return math.copysign(1.0 + lifted(state, params), side), in_air

    @array_kernel
    def counted(state, after, params, used, event):  # type: ignore[no-untyped-def]
        swing, struck = next_swing(state[-1], after, params)
        if struck and event < OVERTURN:
            event = IMPACT
        return (*after, swing), used, event

    return counted


@cache
def counting_impacts(advance: Any, lifted: Any) -> Any:
    """The step of a soft bed, with its impacts as `IMPACT` events and the swing last in its state.

    ``lifted(state, params)`` is a kernel that tells whether a corner is off the bed. The event
    stands at the end of the step in which the body passed θ = 0, and that step took time.
    """
    counted = counter(lifted)

    @array_kernel
    def counting(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        after, used, event = advance(state[:-1], params, ground0, ground1, dt)
        return counted(state, after, params, used, event)

    counting.lifted = lifted
    return counting


@cache
def counting_in_substeps(parts: Substeps, lifted: Any) -> Substeps:
    """The same for a step of many small ones."""
    inner_begin, inner_end, counted = parts.begin, parts.end, counter(lifted)

    @array_kernel
    def begin(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        return inner_begin(state[:-1], params, ground0, ground1, dt)

    @array_kernel
    def end(state, work, fixed, params, dt):  # type: ignore[no-untyped-def]
        after, used, event = inner_end(state[:-1], work, fixed, params, dt)
        return counted(state, after, params, used, event)

    return parts._replace(begin=begin, end=end)


def first_swing(theta: float, lifted: bool) -> float:
    """The swing at the start of a run."""
    return math.copysign(1.0 + bool(lifted), theta or 1.0)
