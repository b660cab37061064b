"""Exact steps of a damped oscillator on ground whose acceleration is linear between samples."""

from __future__ import annotations

import math

import numpy as np

from rocksteady.motion._checks import FloatArray
from rocksteady.numerics.decorators import standalone

_FINEST = 16  # steps per period, at least, when true extrema are looked for between them
_HALVINGS = 60  # at most; eight are usual


@standalone
def _step(h: float, w: float, z: float) -> tuple[float, float, float, float]:
    """g, ġ, G and K at time ``h``: impulse response, its rate, its first and second integral.

    The state after h, under ground going from a0 to a1, is
    u = u0·(ġ + 2ζωg) + v0·g − a0·G − (a1 − a0)·K/h,  v = −u0·ω²g + v0·ġ − a0·g − (a1 − a0)·G/h.
    """
    if w * h < 0.7:  # power series; ġ(0) = 1, and each derivative follows from the two before
        before, this, power = 0.0, 1.0, 1.0
        g = rate = first = second = 0.0
        for k in range(
            1, 40
        ):  # ``before``, ``this``: derivatives of g at 0; power = h^(k−1)/(k−1)!
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
def displacement(a: FloatArray, dt: float, T: float, z: float) -> FloatArray:
    """Relative displacement at each sample."""
    out = np.empty(a.size)
    w = 2 * math.pi / T
    g, rate, first, second = _step(dt, w, z)
    uu, vu, u, v = rate + 2 * z * w * g, -w * w * g, 0.0, 0.0
    out[0] = 0.0
    for i in range(a.size - 1):
        rise = (a[i + 1] - a[i]) / dt
        u, v = (
            uu * u + g * v - first * a[i] - second * rise,
            vu * u + rate * v - g * a[i] - first * rise,
        )
        out[i + 1] = u
    return out


@standalone
def _at_samples(a: FloatArray, dt: float, w: float, z: float) -> tuple[float, float, float]:
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


@standalone
def _after(
    step: tuple[float, float, float, float],
    u: float,
    v: float,
    ground: float,
    rise: float,
    w: float,
    z: float,
) -> tuple[float, float]:
    """u and u̇ after an interval: see `_step`."""
    g, rate, first, second = step
    return (
        (rate + 2 * z * w * g) * u + g * v - first * ground - second * rise,
        -w * w * g * u + rate * v - g * ground - first * rise,
    )


@standalone
def _quantities(
    u: float, v: float, ground: float, w: float, z: float
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """u, u̇ and −(ü + a), and their rates."""
    force = 2 * z * w * v + w * w * u
    acceleration = -ground - force
    return (u, v, force), (v, acceleration, 2 * z * w * acceleration + w * w * v)


@standalone
def _between(
    h: float,
    u: float,
    v: float,
    ground: float,
    rise: float,
    w: float,
    z: float,
    which: int,
    low_rate: float,
    high_rate: float,
) -> float:
    """The extremum of a quantity inside an interval at whose ends its rates have unlike signs."""
    low, high, side, q = 0.0, h, 0, 0.0
    for _ in range(_HALVINGS):  # false position, an end that stays weighing half (Illinois)
        s = (low * high_rate - high * low_rate) / (high_rate - low_rate)
        us, vs = _after(_step(s, w, z), u, v, ground, rise, w, z)
        values, rates = _quantities(us, vs, ground + rise * s, w, z)
        q, slope = values[which], rates[which]
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
def _interval(
    h: float,
    step: tuple[float, float, float, float],
    u: float,
    v: float,
    ground: float,
    rise: float,
    w: float,
    z: float,
    best: FloatArray,
) -> tuple[float, float]:
    """The state after an interval ``h``, of which ``best`` is told the largest of each quantity."""
    u1, v1 = _after(step, u, v, ground, rise, w, z)
    q0, rate0 = _quantities(u, v, ground, w, z)
    q1, rate1 = _quantities(u1, v1, ground + rise * h, w, z)
    for n in range(3):
        best[n] = max(best[n], abs(q1[n]))
        if _turns_beyond(h, q0[n], rate0[n], rate1[n], best[n]):
            q = _between(h, u, v, ground, rise, w, z, n, rate0[n], rate1[n])
            best[n] = max(best[n], abs(q))
    return u1, v1


@standalone
def _soft(a: FloatArray, dt: float, w: float, z: float, best: FloatArray) -> tuple[float, float]:
    """The state at the last sample of an oscillator whose period is many time steps; ``best``, the
    largest of each quantity at the samples, is told what is larger in between."""
    step, u, v = _step(dt, w, z), 0.0, 0.0
    q0, rate0 = _quantities(u, v, a[0], w, z)
    for i in range(a.size - 1):
        rise = (a[i + 1] - a[i]) / dt
        u1, v1 = _after(step, u, v, a[i], rise, w, z)
        q1, rate1 = _quantities(u1, v1, a[i + 1], w, z)
        if (
            _turns_beyond(dt, q0[0], rate0[0], rate1[0], best[0])
            or _turns_beyond(dt, q0[1], rate0[1], rate1[1], best[1])
            or _turns_beyond(dt, q0[2], rate0[2], rate1[2], best[2])
        ):
            _interval(dt, step, u, v, a[i], rise, w, z, best)
        u, v, q0, rate0 = u1, v1, q1, rate1
    return u, v


@standalone
def _stiff(
    a: FloatArray, dt: float, w: float, z: float, parts: int, best: FloatArray
) -> tuple[float, float]:
    """As `_soft` where a period has few time steps: an interval that matters is cut in ``parts``.

    In an interval the oscillator vibrates freely about a straight line, and its amplitude only
    falls: that is how far each quantity can go.
    """
    h, per_step = dt / parts, 1 / dt
    step, part_step, u, v = _step(dt, w, z), _step(h, w, z), 0.0, 0.0
    give, lag, across = 1 / (w * w), 2 * z / w**3, 1 / (w * math.sqrt(1 - z * z))
    for i in range(a.size - 1):
        rise = (a[i + 1] - a[i]) * per_step
        line, line1, slope = lag * rise - give * a[i], lag * rise - give * a[i + 1], give * rise
        x = u - line
        y = (v + slope + z * w * x) * across
        amplitude = math.sqrt(x * x + y * y)
        if (
            max(abs(line), abs(line1)) + amplitude > best[0]
            or abs(slope) + w * amplitude > best[1]
            or max(abs(a[i]), abs(a[i + 1])) + w * w * amplitude > best[2]
        ):
            us, vs = u, v
            for part in range(parts):
                ground = a[i] + rise * (part * h)
                us, vs = _interval(h, part_step, us, vs, ground, rise, w, z, best)
        u, v = _after(step, u, v, a[i], rise, w, z)
    return u, v


@standalone
def _over_time(a: FloatArray, dt: float, w: float, z: float) -> tuple[float, float, float]:
    """Largest |u|, |u̇| and |ü + a| over all time."""
    T = 2 * math.pi / w
    parts, free = max(1, math.ceil(dt * _FINEST / T)), T / _FINEST
    best = np.array(_at_samples(a, dt, w, z))  # with these, few intervals need a closer look
    if parts == 1:
        u, v = _soft(a, dt, w, z, best)
    else:
        u, v = _stiff(a, dt, w, z, parts, best)
    free_step = _step(free, w, z)
    for _ in range(_FINEST):  # one period of free vibration: what follows is smaller
        u, v = _interval(free, free_step, u, v, 0.0, 0.0, w, z, best)
    return best[0], best[1], best[2]


@standalone
def extremes(a: FloatArray, dt: float, periods: FloatArray, z: float, exact: bool) -> FloatArray:
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
