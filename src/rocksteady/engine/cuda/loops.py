"""The loops a GPU runs: every thread follows one body after another.

A warp's 32 threads go through the same instructions at the same time: what one of them does, the
others wait for. So each thread has its own run and its own place in the record. While nothing
happens all take one sample after the other by a formulation's `attempt`, which has no branches. A
thread to which something happens (an impact, a new extreme) pauses until others of its warp have
come that far, and those then take the slow way, `step`, together: as soon as the samples that they
have let pass add up to the warp's *patience*, about what the slow way costs. A thread whose run is
over takes the next one that nobody has begun. Results are written under the run's number, so it
does not matter which thread had it, or when. Where the slow way is long, `waves.py` has a loop of
its own.
"""

from typing import Any

import numpy as np
from numba import cuda, from_dtype, int32

from rocksteady.engine.cuda.layout import Shape
from rocksteady.engine.cuda.tools import (
    IDLE,
    LANES,
    MOVING,
    OVER,
    PAUSING,
    count,
    make_after_motion,
    make_look_ahead,
    make_so_far,
    make_tools,
    make_write,
    which,
)
from rocksteady.engine.drivers import (
    MAX_STEPS,
    extend,
    turned_nowhere,
    turned_on_the_way,
    turning_of,
)
from rocksteady.engine.summary import Rules
from rocksteady.numerics.decorators import device
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, UPLIFT

RARELY = 12  # times its patience: how long a warp lets those wait whose attempts are hopeless


@device
def never(state):  # type: ignore[no-untyped-def]
    return False


def make_slow_way(glide: Any, clock: Any) -> Any:
    """A device function that takes one ordinary step and keeps the extremes on it."""
    step, may_pass, turning = glide.step, glide.turning is not None, glide.turning or turned_nowhere

    @device
    def slow_way(state, params, ground0, ground1, place, peaks, skip):  # type: ignore[no-untyped-def]
        """(state, time used, event, peaks) from ``place``: (sample, first sample, interval, what is
        left of it); ``skip`` says that a turning point in between is no new extreme."""
        i, first, dt, left = place
        if left == dt:  # it may have come here by an attempt
            peaks = extend(peaks, state[0], clock(i - 1, first, dt, 0.0))
        begun = clock(i, first, dt, dt)
        after, used, event = step(state, params, ground0, ground1, left)
        if may_pass and event != IMPACT and state[1] * after[1] < 0 and not skip:
            t, coordinate = turning(state, params, ground0, ground1, left, used)
            peaks = extend(peaks, coordinate, begun + (dt - left + t))
        peaks = extend(peaks, after[0], begun + (dt - (left - used)))
        return after, used, event, peaks

    return slow_way


def spread(axes, runs):  # type: ignore[no-untyped-def]
    """Write out which body, motion and scale each of a chunk's runs has, from the axes of a study
    (`ground.run_of`): the loops would have to divide for it, and are long enough."""
    run = cuda.grid(1)
    if run < len(runs.system):
        n = axes.first + run
        runs.system[run] = axes.system[n // axes.every[0] % len(axes.system)]
        runs.motion[run] = axes.motion[n // axes.every[1] % len(axes.motion)]
        runs.scale[run] = axes.scale[n // axes.every[2] % len(axes.scale)]


def make_glide_loop(glide: Any, shape: Shape, rules: Rules | None, over: Any) -> Any:
    """The loop for a formulation that offers a `Glide`.

    A pausing thread repeats its attempt, in vain, along with those that move: so what the attempt
    finds out about the motion is at hand when `step` needs it, neither computed nor compiled twice.
    """
    attempt = glide.attempt
    load, sample, between, begin, take, clock = make_tools(shape)
    number, zero, one = from_dtype(np.dtype(shape.number)), shape.number(0), shape.number(1)
    no_ground = (zero,) * shape.components
    slow_way, so_far = make_slow_way(glide, clock), make_so_far(zero)
    look_ahead = make_look_ahead(glide, sample, begin, shape)
    may_be_lost, hopeless = glide.hopeless is not None, glide.hopeless or never
    after_motion = make_after_motion(over)
    watches = rules is not None and not rules.exact
    unfollowed = -1 if glide.unfollowed is None else glide.unfollowed
    write = make_write(shape.state, rules, unfollowed)

    def loop(bodies, runs, records, result, counter, patience):  # type: ignore[no-untyped-def]
        workspace = cuda.local.array((1, 1), number)
        ground = load(records)
        state, params = begin(bodies, 0, workspace)
        mode, run, i, first, last = OVER, int32(-1), int32(0), int32(0), int32(0)
        dt = whole_rate = left = rate = scale = known = one
        ground0, peaks = no_ground, (zero, zero, 0.0)
        event, impacts, steps = int32(NOTHING), int32(0), int32(0)
        slow, thorough, strikes = True, True, False
        waited, overdue, busy = int32(0), int32(0), int32(LANES)
        while busy > 0:
            if mode <= PAUSING:
                ground1 = sample(ground, i + 1, scale)
                moved, reach, ok = attempt(state, params, ground0, ground1, left, rate)
                ended = ok & (reach <= known)  # no new extreme within
                mode = MOVING
                if ended:
                    state, event = moved, int32(NOTHING)
                elif strikes or (slow and (thorough or not hopeless(state))):
                    place, skip = (i, first, dt, left), reach > 0 and reach <= known
                    state, used, happened, peaks = slow_way(
                        state, params, ground0, ground1, place, peaks, skip
                    )
                    event, known = int32(happened), so_far(peaks, state)
                    impacts, steps = int32(impacts + (event == IMPACT)), int32(steps + 1)
                    ended = used >= left
                    if not ended and steps >= MAX_STEPS:
                        event = int32(FAILURE)
                    if event >= OVERTURN:
                        ended, mode = False, OVER
                    if used > 0.0 and not ended:
                        ground0 = between(ground0, ground1, used / left)
                        left -= used
                    # an impact follows on touching the ground: it need not wait
                    strikes = event == NOTHING and state[0] == 0.0 and state[1] != 0.0
                    if not strikes:
                        rate = one / left
                else:
                    mode = PAUSING
                if ended:
                    i, left, rate, ground0 = int32(i + 1), dt, whole_rate, ground1
                    steps = int32(0)
                    if i == last:
                        last = after_motion(records, runs, run, scale, state, params, last)
                        scale, ground0 = zero, no_ground
                        if i == last:
                            mode = OVER
                    elif watches and scale == zero and over(state, params):
                        mode = OVER
            if slow:
                still = event != UPLIFT and state[0] == 0.0 and state[1] == 0.0 and left == dt
                if still and scale == zero and mode == MOVING:
                    mode = OVER
                resting, here = which(mode == MOVING and still), (i, last, dt)
                j = look_ahead(resting, run, state, here, bodies, runs, records, ground, workspace)
                if j > i:
                    i, ground0, event = int32(j), sample(ground, j, scale), int32(NOTHING)
                    if i == last:
                        mode = OVER
                if mode == OVER:
                    if run >= 0:
                        if event < OVERTURN:
                            peaks = extend(peaks, state[0], clock(i - 1, first, dt, zero))
                        end = clock(i, first, dt, left), peaks, impacts, event
                        write(result, bodies, runs, run, state, params, dt, end)
                    run, mode, (first, last), (dt, whole_rate), scale, state, params = take(
                        bodies, runs, records, counter, workspace
                    )
                    i, left, rate, ground0 = first, dt, whole_rate, sample(ground, first, scale)
                    peaks, event = (state[0], state[0], 0.0), int32(NOTHING)
                    known = so_far(peaks, state)
                    impacts, steps = int32(0), int32(0)
                waited, busy = int32(0), count(mode != IDLE)
                if thorough:
                    overdue = int32(0)
            moving = count(mode == MOVING)
            lost = count(mode == PAUSING and hopeless(state)) if may_be_lost else int32(0)
            waited, overdue = int32(waited + busy - moving - lost), int32(overdue + lost)
            thorough = moving == 0 or overdue > RARELY * patience
            slow = thorough or waited > patience

    return loop


def make_plain_loop(advance: Any, shape: Shape, rules: Rules | None, over: Any) -> Any:
    """The loop for any other formulation: each thread takes one step after the other."""
    may_pass, turning = turning_of(advance)
    load, sample, between, begin, take, clock = make_tools(shape)
    number, zero, one = from_dtype(np.dtype(shape.number)), shape.number(0), shape.number(1)
    no_ground = (zero,) * shape.components
    after_motion, write = make_after_motion(over), make_write(shape.state, rules, -1)
    space = (max(sum(shape.arrays), 1), max(shape.longest, 1))

    def loop(bodies, runs, records, result, counter, patience):  # type: ignore[no-untyped-def]
        workspace = cuda.local.array(space, number)
        ground = load(records)
        state, params = begin(bodies, 0, workspace)
        mode, run, i, first, last = OVER, int32(-1), int32(0), int32(0), int32(0)
        dt = left = scale = one
        ground0, peaks = no_ground, (zero, zero, 0.0)
        event, impacts, steps = NOTHING, int32(0), int32(0)
        waited, busy, moving = 0, LANES, 0
        while busy > 0:
            if mode == MOVING:
                ground1 = sample(ground, i + 1, scale)
                before, begun = state, clock(i, first, dt, dt)
                state, used, event = advance(before, params, ground0, ground1, left)
                if may_pass and turned_on_the_way(before, state, used):
                    t, coordinate = turning(before, params, ground0, ground1, left, used)
                    peaks = extend(peaks, coordinate, begun + (dt - left + t))
                peaks = extend(peaks, state[0], begun + (dt - (left - used)))
                impacts += event == IMPACT
                steps += 1
                if used >= left:
                    i, left, ground0, steps = int32(i + 1), dt, ground1, int32(0)
                    if i == last:
                        last = after_motion(records, runs, run, scale, state, params, last)
                        scale, ground0 = zero, no_ground
                        if i == last:
                            mode = OVER
                    elif scale == zero and over(state, params):
                        mode = OVER
                else:
                    ground0 = between(ground0, ground1, used / left)
                    left -= used
                    if steps == MAX_STEPS:
                        event = FAILURE
                if event >= OVERTURN:
                    mode = OVER
            moving = count(mode == MOVING)
            waited += busy - moving
            if moving == 0 or waited > patience:
                if mode == OVER:
                    if run >= 0:
                        end = clock(i, first, dt, left), peaks, impacts, event
                        write(result, bodies, runs, run, state, params, dt, end)
                    run, mode, (first, last), (dt, _), scale, state, params = take(
                        bodies, runs, records, counter, workspace
                    )
                    i, left, ground0 = first, dt, sample(ground, first, scale)
                    peaks, event = (state[0], state[0], 0.0), NOTHING
                    impacts, steps = int32(0), int32(0)
                waited, busy = 0, count(mode != IDLE)

    return loop
