"""Exact steps of a damped oscillator on ground whose acceleration is linear between samples."""

import math
from typing import TypeAlias

import numpy as np

from rocksteady.numerics.decorators import standalone
from rocksteady.numerics.types import Array

_Two: TypeAlias = tuple[float, float]
_Three: TypeAlias = tuple[float, float, float]
_Four: TypeAlias = tuple[float, float, float, float]

_FINEST = 16  # steps per period, at least, when true extrema are looked for between them
_HALVINGS = 60  # at most; eight are usual


@standalone
def _step(h: float, w: float, z: float) -> _Four:
    """g, ġ, G and K at time ``h``: impulse response, its rate, its first and second integral.

    The state after h, under ground going from a0 to a1, is
    u = u0·(ġ + 2ζωg) + v0·g − a0·G − (a1 − a0)·K/h,  v = −u0·ω²g + v0·ġ − a0·g − (a1 − a0)·G/h.
    """
    if w * h < 0.7:  # power series; ġ(0) = 1, and each derivative follows from the two before
        before, this, power = 0.0, 1.0, 1.0
        g = rate = first = second = 0.0
        for k in range(1, 40):  # before, this: derivatives of g at 0; power = h^(k−1)/(k−1)!
            rate += this * power
            power *= h / k
            g += this * power
            first += this * power * h / (k + 1)
            second += this * power * h * h / ((k + 1) * (k + 2))
            before, this = this, -2 * z * w * this - w * w * before
            if power * (abs(this) + w * abs(before)) < 1e-19:
                break
        return g, rate, first, second
    wd = w * math.sqrt(1 - z * z)
    decay = math.exp(-z * w * h)
    g = decay * math.sin(wd * h) / wd
    rate = decay * math.cos(wd * h) - z * w * g
    first = (1 - rate - 2 * z * w * g) / (w * w)
    second = (h - g - 2 * z * w * first) / (w * w)
    return g, rate, first, second


@standalone
def _at_samples(a: Array, dt: float, w: float, z: float) -> _Three:
    """Largest |u|, |u̇| and |ü + a| over the samples."""
    g, rate, first, second = _step(dt, w, z)
    uu, vu = rate + 2 * z * w * g, -w * w * g
    u0, u1 = second / dt - first, -second / dt  # what a_i and a_(i+1) add to u
    v0, v1 = first / dt - g, -first / dt
    u = v = sd = sv = sa = 0.0
    c, k = 2 * z * w, w * w
    for i in range(a.size - 1):
        u, v = (
            uu * u + g * v + (u0 * a[i] + u1 * a[i + 1]),
            vu * u + rate * v + (v0 * a[i] + v1 * a[i + 1]),
        )
        sd = max(sd, abs(u))
        sv = max(sv, abs(v))
        sa = max(sa, abs(c * v + k * u))
    return sd, sv, sa


# Below, ``law`` is (ω, ζ), ``state`` (u, u̇), and ``push`` the ground's (a, ȧ) at the start of an
# interval.


@standalone
def _after(step: _Four, state: _Two, push: _Two, law: _Two) -> _Two:
    """The state after an interval: see `_step`."""
    g, rate, first, second = step
    u, v = state
    ground, rise = push
    w, z = law
    return (
        (rate + 2 * z * w * g) * u + g * v - first * ground - second * rise,
        -w * w * g * u + rate * v - g * ground - first * rise,
    )


@standalone
def displacement(a: Array, dt: float, T: float, z: float) -> Array:
    """Relative displacement at each sample."""
    out, w, u, v = np.empty(a.size), 2 * math.pi / T, 0.0, 0.0
    out[0] = 0.0
    g, rate, first, second = _step(dt, w, z)
    uu, vu = rate + 2 * z * w * g, -w * w * g
    for i in range(a.size - 1):
        rise = (a[i + 1] - a[i]) / dt
        u, v = (
            uu * u + g * v - first * a[i] - second * rise,
            vu * u + rate * v - g * a[i] - first * rise,
        )
        out[i + 1] = u
    return out


@standalone
def _quantities(state: _Two, ground: float, law: _Two) -> tuple[_Three, _Three]:
    """u, u̇ and −(ü + a), and their rates."""
    u, v = state
    w, z = law
    force = 2 * z * w * v + w * w * u
    acceleration = -ground - force
    return (u, v, force), (v, acceleration, 2 * z * w * acceleration + w * w * v)


@standalone
def _between(h: float, state: _Two, push: _Two, law: _Two, which: int, rates: _Two) -> float:
    """The extremum of a quantity inside an interval at whose ends its rates have unlike signs."""
    low, high, side, q = 0.0, h, 0, 0.0
    low_rate, high_rate = rates
    for _ in range(_HALVINGS):  # false position, an end that stays weighing half (Illinois)
        s = (low * high_rate - high * low_rate) / (high_rate - low_rate)
        there = _after(_step(s, *law), state, push, law)
        values, slopes = _quantities(there, push[0] + push[1] * s, law)
        q, slope = values[which], slopes[which]
        if abs(slope) * h <= 1e-9 * abs(q) or high - low < 1e-9 * h:
            break  # what is missing of the extremum is of second order
        if slope * high_rate > 0:
            high, high_rate = s, slope
            low_rate *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, low_rate = s, slope
            high_rate *= 0.5 if side == -1 else 1.0
            side = -1
    return q


@standalone
def _turns_beyond(h: float, q: float, rate0: float, rate1: float, best: float) -> bool:
    """Whether a quantity turns in an interval where it could exceed ``best``."""
    return rate0 * rate1 < 0 and abs(q) + h * max(abs(rate0), abs(rate1)) > best


@standalone
def _interval(h: float, step: _Four, state: _Two, push: _Two, law: _Two, best: Array) -> _Two:
    """The state after an interval ``h``; updates ``best``, the largest of each quantity."""
    after: _Two = _after(step, state, push, law)
    q0, rate0 = _quantities(state, push[0], law)
    q1, rate1 = _quantities(after, push[0] + push[1] * h, law)
    for n in range(3):
        best[n] = max(best[n], abs(q1[n]))
        if _turns_beyond(h, q0[n], rate0[n], rate1[n], best[n]):
            q = _between(h, state, push, law, n, (rate0[n], rate1[n]))
            best[n] = max(best[n], abs(q))
    return after


@standalone
def _soft(a: Array, dt: float, law: _Two, best: Array) -> _Two:
    """The state at the last sample, for a period of many time steps. ``best`` starts with the
    largest of each quantity at the samples; what is larger in between is added."""
    step, state = _step(dt, *law), (0.0, 0.0)
    q0, rate0 = _quantities(state, a[0], law)
    for i in range(a.size - 1):
        push = a[i], (a[i + 1] - a[i]) / dt
        after = _after(step, state, push, law)
        q1, rate1 = _quantities(after, a[i + 1], law)
        if (
            _turns_beyond(dt, q0[0], rate0[0], rate1[0], best[0])
            or _turns_beyond(dt, q0[1], rate0[1], rate1[1], best[1])
            or _turns_beyond(dt, q0[2], rate0[2], rate1[2], best[2])
        ):
            _interval(dt, step, state, push, law, best)
        state, q0, rate0 = after, q1, rate1
    return state


@standalone
def _stiff(a: Array, dt: float, law: _Two, parts: int, best: Array) -> _Two:
    """As `_soft`, for a period of few time steps: an interval that matters is cut in ``parts``.

    In an interval the oscillator vibrates freely about a straight line, and its amplitude only
    falls: that limits each quantity.
    """
    w, z = law
    h, per_step = dt / parts, 1 / dt
    step, part_step, state = _step(dt, w, z), _step(h, w, z), (0.0, 0.0)
    give, lag, across = 1 / (w * w), 2 * z / w**3, 1 / (w * math.sqrt(1 - z * z))
    for i in range(a.size - 1):
        rise = (a[i + 1] - a[i]) * per_step
        line, line1, slope = lag * rise - give * a[i], lag * rise - give * a[i + 1], give * rise
        x = state[0] - line
        y = (state[1] + slope + z * w * x) * across
        amplitude = math.sqrt(x * x + y * y)
        if (
            max(abs(line), abs(line1)) + amplitude > best[0]
            or abs(slope) + w * amplitude > best[1]
            or max(abs(a[i]), abs(a[i + 1])) + w * w * amplitude > best[2]
        ):
            inside = state
            for part in range(parts):
                push = a[i] + rise * (part * h), rise
                inside = _interval(h, part_step, inside, push, law, best)
        state = _after(step, state, (a[i], rise), law)
    return state


@standalone
def _over_time(a: Array, dt: float, w: float, z: float) -> _Three:
    """Largest |u|, |u̇| and |ü + a| over all time."""
    T, law = 2 * math.pi / w, (w, z)
    parts, free = max(1, math.ceil(dt * _FINEST / T)), T / _FINEST
    best = np.array(_at_samples(a, dt, w, z))  # with these, few intervals need a closer look
    state = _soft(a, dt, law, best) if parts == 1 else _stiff(a, dt, law, parts, best)
    free_step = _step(free, w, z)
    for _ in range(_FINEST):  # one period of free vibration: what follows is smaller
        state = _interval(free, free_step, state, (0.0, 0.0), law, best)
    return best[0], best[1], best[2]


@standalone
def extremes(a: Array, dt: float, periods: Array, z: float, exact: bool) -> Array:
    """SD, SV and SA in rows, a column for each period; at T = 0 the ground's own acceleration."""
    out = np.zeros((3, periods.size))
    for j in range(periods.size):
        if periods[j] == 0:
            out[2, j] = np.max(np.abs(a))
            continue
        w = 2 * math.pi / periods[j]
        if exact:
            out[0, j], out[1, j], out[2, j] = _over_time(a, dt, w, z)
        else:
            out[0, j], out[1, j], out[2, j] = _at_samples(a, dt, w, z)
    return out


@standalone
def modal_acceleration(a: Array, dt: float, T: Array, weights: Array, z: Array) -> Array:
    """Σ weight·(ü + a) of one oscillator per mode, at each sample."""
    out = np.zeros(a.size)
    for mode in range(T.size):
        w, damping = 2 * math.pi / T[mode], z[mode]
        g, rate, first, second = _step(dt, w, damping)
        uu, vu = rate + 2 * damping * w * g, -w * w * g
        c, k, u, v = 2 * damping * w * weights[mode], w * w * weights[mode], 0.0, 0.0
        for i in range(a.size - 1):
            rise = (a[i + 1] - a[i]) / dt
            u, v = (
                uu * u + g * v - first * a[i] - second * rise,
                vu * u + rate * v - g * a[i] - first * rise,
            )
            out[i + 1] -= c * v + k * u
    return out
