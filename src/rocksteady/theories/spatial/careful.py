"""The step wherever something may happen: rest, uplift, edges, corners, impacts, overturning.

An interval is followed by its Taylor series (`series.py`) until something happens: a corner touches
the ground, a corner of an edge lets go (`edge.py`), or the body lies on its side. Impacts
(`strike.py`) take no time. What touches the ground so gently that it counts as lying there, and
what is left of a motion that dies away in ever quicker knocks, comes to rest.
"""

import math
from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.numerics.triples import add, apply, cross, level_dot, scale, subtract
from rocksteady.theories.contract import IMPACT, NOTHING, OVERTURN, partway
from rocksteady.theories.contract import REST as RESTS
from rocksteady.theories.spatial.attempt import COARSE, attempt_with_work
from rocksteady.theories.spatial.descent import comes_down, down_at, falls
from rocksteady.theories.spatial.edge import NEVER, holds_at, letting_go
from rocksteady.theories.spatial.flat import make_bounce
from rocksteady.theories.spatial.leap import called_leap
from rocksteady.theories.spatial.pivots import (
    ALLOWED,
    COUNT,
    HEIGHT,
    INERTIA,
    MASS,
    G,
    energy_of,
    following,
    make_pivot,
    preceding,
)
from rocksteady.theories.spatial.planar import bounced, edge_of, make_fallen, make_prepare, make_tip
from rocksteady.theories.spatial.rest import make_quiet, make_wait
from rocksteady.theories.spatial.series import (
    MOST_HALVINGS,
    axis_at,
    expand,
    height_series,
    levelled,
    number_at,
    pull_of,
    spin_at,
    squared_up,
    trusted,
    upright_series,
    work_of_ground,
)
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    LEVEL,
    LOSS,
    MODE,
    PIVOT,
    PLACE,
    REST,
    SPIN,
    UP,
    VERTEX,
    WORK,
    moved,
    written,
)
from rocksteady.theories.spatial.strike import DEAD, LOW, STILL, blow_of, make_strike
from rocksteady.theories.spatial.touchdown import make_touchdown, touches
from rocksteady.theories.spatial.work import make_work_over

SURE = 1e-12  # of g: an acceleration downward that is no rounding error
DEEP = 1e-15  # of h: a corner lower than that at the end of a step has passed the ground
LESS = 0.1  # of the error allowed: the series' last term is closer to what it leaves out


# -- the parts of a state ----------------------------------------------------------------------


@inner_fused_kernel
def series_of(state, pivot, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The motion from this state on."""
    spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
    return expand(spin, up, ahead, pivot, params[G], ground0, ground1, dt)


@fused_kernel
def aligned(up, ahead, r):  # type: ignore[no-untyped-def]
    """γ and ξ of a body whose edge r lies on the ground."""
    off = level_dot(up, r) / (r[0] * r[0] + r[1] * r[1])
    return squared_up((up[0] - off * r[0], up[1] - off * r[1], up[2]), ahead)


# -- the step ------------------------------------------------------------------------------------


@cache
def make_careful(size: int, *, with_work: bool = True, at_once: bool = False) -> Any:
    """Build the careful step of a body with at most ``size`` corners. An impact is a step of its
    own that takes no time; ``at_once`` it belongs to the step that ends with it, if the body leans
    ever less on the way."""
    pivot_of, prepare, work_over = make_pivot(size), make_prepare(size), make_work_over(size)
    strike_leaning, strike_flat = make_strike(size)
    wait, quiet, bounce = make_wait(size), make_quiet(size), make_bounce(size)
    touchdown = make_touchdown(called_leap)
    tip, fallen = make_tip(with_work=with_work), make_fallen(with_work=with_work)

    @fused_kernel
    def at_rest(state, params, place, ahead, k, loss):  # type: ignore[no-untyped-def]
        """The state at rest, from one close to it."""
        pivot = pivot_of(params, VERTEX, k)
        return written(
            state, pivot, LEVEL, levelled(ahead), STILL, place, REST, k, state[WORK], loss
        )

    @fused_kernel
    def strike(state, pivot, params, ground0, flat, lands):  # type: ignore[no-untyped-def]
        """An impact: of the corner ``lands``, or of the whole base if it is ``flat``."""
        spin, up, ahead = state[SPIN:PLACE], state[UP:AHEAD], state[AHEAD:SPIN]
        inertia, k, g, mass = params[INERTIA:ALLOWED], state[PIVOT], params[G], params[MASS]
        if flat:
            up, ahead = LEVEL, levelled(ahead)
        before = energy_of(state[UP:AHEAD], spin, pivot, g)
        blow = blow_of(up, spin, pivot, inertia)
        pull, height = pull_of(up, ahead, g, ground0), params[HEIGHT]
        if flat:
            mode, new, after = strike_flat(params, blow, inertia, pull, height)
        else:
            mode, new, after = strike_leaning(params, blow, inertia, k, lands, pull, height)
        about = pivot_of(params, mode, new)
        if mode == EDGE and not flat:
            up, ahead = aligned(up, ahead, about.r)
        place = moved(state[PLACE:MODE], up, ahead, subtract(pivot.d, about.d))
        left = energy_of(up, after, about, g)
        level = math.sqrt(up[0] * up[0] + up[1] * up[1]) < DEAD
        if mode == REST or (level and left < DEAD * g * height):
            return at_rest(state, params, place, ahead, new, state[LOSS] + mass * before)
        loss = state[LOSS] + mass * (before - left)
        return written(state, about, up, ahead, after, place, mode, new, state[WORK], loss)

    @fused_kernel
    def strike_from_edge(state, pivot, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """An impact of the whole base after a turn about an edge."""
        ahead, spin, place = state[AHEAD:SPIN], state[SPIN:PLACE], state[PLACE:MODE]
        found = bounce(params, state[PIVOT], ahead, spin, place, ground0, dt)
        if not found.goes_on:
            return strike(state, pivot, params, ground0, True, -1.0)
        if found.settles and quiet(params, found.ahead, ground0, ground1):
            loss = state[LOSS] + found.energy
            return at_rest(state, params, found.place, found.ahead, found.edge, loss)
        return bounced(state, found, edge_of(pivot_of(params, EDGE, found.edge), params[G]))

    @fused_kernel
    def lies_down(state, pivot, params, flat, lands):  # type: ignore[no-untyped-def]
        """A corner, or the whole base, lies down without an impact: (state, event)."""
        ahead, k, mass = state[AHEAD:SPIN], state[PIVOT], params[MASS]
        before = energy_of(state[UP:AHEAD], state[SPIN:PLACE], pivot, params[G])
        if flat:
            loss = state[LOSS] + mass * before
            return at_rest(state, params, state[PLACE:MODE], ahead, k, loss), RESTS
        first = k if lands == following(k, params[COUNT]) else lands
        about = pivot_of(params, EDGE, first)
        up, ahead = aligned(state[UP:AHEAD], ahead, about.r)
        blow = blow_of(up, state[SPIN:PLACE], pivot, params[INERTIA:ALLOWED])
        spin = apply(about.P, add(blow.own, cross(about.d, blow.speed)))
        place = moved(state[PLACE:MODE], up, ahead, subtract(pivot.d, about.d))
        lost = max(before - energy_of(up, spin, about, params[G]), 0.0)  # rounding aside
        loss = state[LOSS] + mass * lost
        return written(
            state, about, up, ahead, spin, place, EDGE, first, state[WORK], loss
        ), NOTHING

    @fused_kernel
    def on_corner(state, pivot, params, second):  # type: ignore[no-untyped-def]
        """One corner of the edge lets go: the body stands on the other."""
        k, place, work, loss = state[PIVOT], state[PLACE:MODE], state[WORK], state[LOSS]
        up, ahead, spin = state[UP:AHEAD], state[AHEAD:SPIN], state[SPIN:PLACE]
        if second:
            k = following(k, params[COUNT])
            place = moved(place, up, ahead, (*pivot.r, 0.0))
        about = pivot_of(params, VERTEX, k)
        return written(state, about, up, ahead, spin, place, VERTEX, k, work, loss)

    @fused_kernel
    def struck(state, pivot, params):  # type: ignore[no-untyped-def]
        """(Whether the whole base strikes the ground, the corner that does; −1 if none does)."""
        up, spin, k, count = state[UP:AHEAD], state[SPIN:PLACE], state[PIVOT], params[COUNT]
        one, one_strikes, _ = touches(up, spin, pivot.one, params)
        other, other_strikes, _ = touches(up, spin, pivot.other, params)
        flat = state[MODE] == EDGE or (one and other)
        if one_strikes:
            return flat, following(k, count)
        return flat, preceding(k, count) if other_strikes else -1.0

    @fused_kernel
    def turned(state, pivot, params, series, dt, span, event):  # type: ignore[no-untyped-def]
        """The state after the part ``span`` of the interval."""
        up, ahead = squared_up(axis_at(series.up, span), axis_at(series.ahead, span))
        if event == OVERTURN:
            up, ahead = squared_up((up[0], up[1], 0.0), ahead)
        spin = scale(1.0 / dt, spin_at(series.spin, span))
        mode, k, work = state[MODE], state[PIVOT], state[WORK]
        if with_work:
            work += params[MASS] * work_of_ground(series, pivot, params[G], dt, span)
        return written(state, pivot, up, ahead, spin, state[PLACE:MODE], mode, k, work, state[LOSS])

    @fused_kernel
    def turn(state, pivot, params, series, dt):  # type: ignore[no-untyped-def]
        """Turn about the pivot until something happens."""
        mode, inertia, low = state[MODE], params[INERTIA:ALLOWED], LOW * params[HEIGHT]
        span = trusted(series, LESS * params[ALLOWED])
        deep, event = DEEP * params[HEIGHT], NOTHING
        down = comes_down(height_series(series, pivot.one), span, deep)
        if mode == VERTEX:
            down = min(down, comes_down(height_series(series, pivot.other), span, deep))
        span = min(span, down)
        upright = upright_series(series)
        if number_at(upright, span)[0] <= 0.0:
            span, event = down_at(upright, 0.0, span, span), OVERTURN
        if mode == EDGE:
            least = SURE * params[G] * dt * dt
            at = letting_go(series, pivot, inertia, low, least, span)
            if at < NEVER:  # at once: a new series may see it an instant later, again and again
                first, second = holds_at(series, pivot, inertia, low, least, at)
                new = turned(state, pivot, params, series, dt, at, NOTHING)
                return on_corner(new, pivot, params, first < second), at * dt, NOTHING
        return turned(state, pivot, params, series, dt, span, event), span * dt, event

    @fused_kernel
    def shortened(state, params, ground0, ground1, dt, left_out):  # type: ignore[no-untyped-def]
        """The attempt at a part of the interval, where one at the whole would leave out too much:
        (state, time used, ok)."""
        part, allowed = 1.0, COARSE * params[ALLOWED]
        for _ in range(MOST_HALVINGS):
            if not left_out > allowed:
                break
            left_out, part = left_out * (1 / 32), part * 0.5
        if part == 1.0:
            return state, 0.0, False
        used, end = part * dt, partway(ground0, ground1, part)
        prepared = params + prepare(state, params)
        if state[MODE] == EDGE:
            new, ok, _ = tip(state, prepared, ground0, end, used)
            return new, used, ok
        new, _, ok, leapt, missed = attempt_with_work(
            state, prepared, ground0, end, used, 1.0 / used
        )
        if ok and with_work:
            work = state[WORK] + work_over(state, params, ground0, ground1, dt, used, leapt, missed)
            new = new[:WORK] + (work,) + new[LOSS:]  # noqa: RUF005 (for Numba)
        return new, used, ok

    @fused_kernel
    def follow(state, pivot, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """The motion from a state in which nothing strikes."""
        mode, k, count = state[MODE], state[PIVOT], params[COUNT]
        up, spin = state[UP:AHEAD], state[SPIN:PLACE]
        one_lies = touches(up, spin, pivot.one, params)[2]
        other_lies = touches(up, spin, pivot.other, params)[2]
        series = series_of(state, pivot, params, ground0, ground1, dt)
        least = SURE * params[G] * dt * dt
        one_falls = one_lies and falls(height_series(series, pivot.one), least)
        other_falls = other_lies and falls(height_series(series, pivot.other), least)
        if one_falls or other_falls:
            lands = following(k, count) if one_falls else preceding(k, count)
            flat = mode == EDGE or (one_falls and other_falls)
            new, event = lies_down(state, pivot, params, flat, lands)
            return new, 0.0, event
        if mode == EDGE:
            inertia, low = params[INERTIA:ALLOWED], LOW * params[HEIGHT]
            first, second = holds_at(series, pivot, inertia, low, least, 0.0)
            if first < 0.0 or second < 0.0:
                return on_corner(state, pivot, params, first < second), 0.0, NOTHING
        return turn(state, pivot, params, series, dt)

    @fused_kernel
    def down(state, pivot, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """A corner comes down in the usual way, or none does after all: (state, time used, whether
        it is so, what a leap over the interval leaves out)."""
        found = touchdown(state, pivot, params, ground0, ground1, dt)
        up, ahead, spin, used, leapt, left_out, _, is_so, whole, calm = found
        if calm:
            up, ahead, spin = whole.up, whole.ahead, scale(1.0 / dt, whole.spin)
            used, is_so, left_out = dt, True, whole.left_out
            leapt = params[MASS] * whole.work / (dt * dt)
        work, place, k, loss = state[WORK], state[PLACE:MODE], state[PIVOT], state[LOSS]
        if with_work and is_so:
            work += work_over(state, params, ground0, ground1, dt, used, leapt, left_out)
        new = written(state, pivot, up, ahead, spin, place, VERTEX, k, work, loss)
        return new, used, is_so, whole.left_out

    @fused_kernel
    def careful(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        mode, k, rate = state[MODE], state[PIVOT], state[1]
        if mode == REST:
            return wait(state, params, ground0, ground1, dt)
        pivot, used, event = pivot_of(params, mode, k), 0.0, NOTHING
        flat, lands = struck(state, pivot, params)
        if lands < 0.0:
            if mode == EDGE:
                edge = edge_of(pivot, params[G])
                new, used, found, left_out = fallen(state, params, edge, ground0, ground1, dt)
            else:
                new, used, found, left_out = down(state, pivot, params, ground0, ground1, dt)
            if found:
                state = new
            else:
                new, used, ok = shortened(state, params, ground0, ground1, dt, left_out)
                if ok:
                    return new, used, NOTHING
                state, used, event = follow(state, pivot, params, ground0, ground1, dt)
            same = state[MODE] == mode and state[PIVOT] == k
            same = same and rate <= 0.0 and (mode == EDGE or state[1] <= 0.0)  # it leans ever less
            if at_once and event == NOTHING and same and used < dt:
                flat, lands = struck(state, pivot, params)
                ground0, dt = partway(ground0, ground1, used / dt), dt - used
        if lands < 0.0:
            return state, used, event
        if mode == EDGE:
            new = strike_from_edge(state, pivot, params, ground0, ground1, dt)
        else:
            new = strike(state, pivot, params, ground0, flat, lands)
        return new, used, IMPACT

    return careful
