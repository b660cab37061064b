"""Which pulses overturn a slender block, in closed form: linear theory.

With y = θ/α, time s = p t and f = a/(g α) towards the lean, a leaning block moves by

    y'' = y − 1 + f,     so that     d/ds [(y + y') e^−s] = (f − 1) e^−s:

from y = 0 with the rate v, at rest or after an impact, it falls without a further impact if

    v + ∫₀^∞ e^−s f ds > 1.

A pulse lifts it off at the phase ψ at which f = 1. All pulse boundaries follow (w = ω/p, a the
amplitude): Housner (1963) has the rectangle and the half sine, Makris and Roussos (2000) and Zhang
and Makris (2001) the full sine with and without an impact.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from rocksteady.errors import InputError
from rocksteady.numbers import check_ratio, positive
from rocksteady.numerics.types import Array

SAMPLES, COARSE = 400, 120  # of a motion in closed form, to bracket its zeros; for a first look
STRENGTHS = 120  # tried between lift-off and the boundary without an impact


def rectangle(duration: float) -> float:
    """a/(g α) of the rectangular pulse that just overturns; ``duration`` is p t_d [-]."""
    return 1 / -math.expm1(-positive("duration", duration))


def half_sine(frequency: float) -> float:
    """a/(g α) of half a sine that just overturns; ``frequency`` is ω/p [-]."""
    w = positive("frequency", frequency)
    lifts = brentq(
        lambda psi: math.cos(psi) + math.exp(-(math.pi - psi) / w) - w * math.sin(psi),
        0.0,
        math.pi / 2,
        xtol=1e-14,
    )
    return 1 / math.sin(lifts)


def sine(frequency: float) -> float:
    """a/(g α) of one sine that just overturns without an impact; ``frequency`` is ω/p [-]."""
    w = positive("frequency", frequency)
    lifts = brentq(
        lambda psi: math.cos(psi) - math.exp(-(2 * math.pi - psi) / w) - w * math.sin(psi),
        0.0,
        math.pi / 2,
        xtol=1e-14,
    )
    return 1 / math.sin(lifts)


class Interval(NamedTuple):
    """Amplitudes a/(g α) between which one sine overturns after exactly one impact."""

    low: float
    high: float


def sine_one_impact(frequency: float, eta: float) -> Interval | None:
    """The amplitudes a/(g α) between which one sine overturns after one impact; None where none
    does.

    ``frequency`` is ω/p [-], ``eta`` the ratio of angular velocities at the impact. What lies
    between may have gaps: the interval is the hull.
    """
    w, eta = positive("frequency", frequency), float(eta)
    check_ratio("eta", eta, ".")
    top = sine(w)
    tried = 1 + (top - 1) * np.linspace(0, 1, STRENGTHS + 1)[1:-1]
    falls = np.flatnonzero(_likely(tried, w, eta))
    if not len(falls):
        return None
    first = _confirmed(tried, int(falls[0]), -1, w, eta)
    last = _confirmed(tried, int(falls[-1]), 1, w, eta)
    if first is None or last is None:
        return None
    below = float(tried[first - 1]) if first else 1.0
    above = float(tried[last + 1]) if last + 1 < len(tried) else top
    return Interval(
        _between(below, float(tried[first]), w, eta), _between(above, float(tried[last]), w, eta)
    )


def _likely(a: Array, w: float, eta: float) -> NDArray[np.bool_]:
    """Which of these amplitudes overturn after exactly one impact, its instant interpolated."""
    part = np.linspace(0, 1, COARSE + 1)[1:]
    lifts = np.arcsin(1 / a)
    swing = _Swing.of(a, w, lifts, 0.0)
    at = ((2 * np.pi - lifts) / w)[:, None] * part
    y = swing.values(at)
    returns = (y < 0).any(axis=1)
    k, each = np.maximum(np.argmax(y < 0, axis=1), 1), np.arange(len(a))
    (y0, y1), (s0, s1) = (y[each, k - 1], y[each, k]), (at[each, k - 1], at[each, k])
    with np.errstate(all="ignore"):
        zero = np.where(returns, s0 + (s1 - s0) * y0 / (y0 - y1), at[:, -1])
        rate = swing.rates(zero)
        free = np.sqrt(rate**2 - (1 - y[:, -1]) ** 2 + 1)  # by its energy, after the pulse
    at_once = ~returns & (y[:, -1] + rate >= 1)
    phase, rate = lifts + w * zero, np.where(returns, -rate, free)
    left = np.exp(-(2 * np.pi - phase) / w)
    wave = np.sin(phase) + w * np.cos(phase) - w * left
    enough = eta * rate - a * wave / (1 + w * w) > 1
    back = _Swing.of(-a, w, phase, eta * rate)
    stays = (back.values(((2 * np.pi - phase) / w)[:, None] * part) > 0).all(axis=1)
    return np.asarray(enough & ~at_once & (stays | ~returns))


def _confirmed(tried: Array, at: int, outward: int, w: float, eta: float) -> int | None:
    """The outermost of these amplitudes that overturns after one impact, from a good guess on."""
    while 0 <= at < len(tried) and not _falls_after_one(float(tried[at]), w, eta):
        at -= outward
    if not 0 <= at < len(tried):
        return None
    while 0 <= at + outward < len(tried) and _falls_after_one(float(tried[at + outward]), w, eta):
        at += outward
    return at


def _between(stands: float, falls: float, w: float, eta: float) -> float:
    """The amplitude at which the margin vanishes between one that stands and one that falls;
    halved where it jumps, because an impact more or less comes in."""
    ends = _margin(stands, w, eta), _margin(falls, w, eta)
    if math.isfinite(ends[0]) and ends[0] < 0 < ends[1]:
        found = float(brentq(lambda a: _margin(a, w, eta), stands, falls, xtol=1e-13))
        if _falls_after_one(found + 1e-9 * (falls - stands), w, eta):
            return found
    for _ in range(50):
        middle = (stands + falls) / 2
        if _falls_after_one(middle, w, eta):
            falls = middle
        else:
            stands = middle
    return falls


class _Swing(NamedTuple):
    """y = 1 − k sin(φ + w s) + C e^s + D e^−s: a lean under the sine; one, or many at once."""

    k: Any
    phase: Any
    w: float
    C: Any
    D: Any

    @classmethod
    def of(cls, amplitude: Any, w: float, phase: Any, rate: Any) -> _Swing:
        """From y = 0 with this rate; ``amplitude`` is towards the lean at the phase."""
        k = amplitude / (1 + w * w)
        total, difference = k * np.sin(phase) - 1, rate + k * w * np.cos(phase)
        return cls(k, phase, w, (total + difference) / 2, (total - difference) / 2)

    def y(self, s: float) -> float:
        wave = self.k * math.sin(self.phase + self.w * s)
        return float(1 - wave + self.C * math.exp(s) + self.D * math.exp(-s))

    def rate(self, s: float) -> float:
        wave = self.k * self.w * math.cos(self.phase + self.w * s)
        return float(-wave + self.C * math.exp(s) - self.D * math.exp(-s))

    def values(self, s: Array) -> Array:
        """y at these times; of many swings a row each."""
        k, phase, C, D = (np.asarray(x)[..., None] for x in (self.k, self.phase, self.C, self.D))
        wave = k * np.sin(phase + self.w * s)
        return np.asarray(1 - wave + C * np.exp(s) + D * np.exp(-s))

    def rates(self, s: Array) -> Array:
        """y' of each of many swings at its own time."""
        wave = self.k * self.w * np.cos(self.phase + self.w * s)
        return np.asarray(-wave + self.C * np.exp(s) - self.D * np.exp(-s))


class _Impact(NamedTuple):
    """The first impact under one sine."""

    phase: float
    """ω t; 2π where the pulse is over."""
    rate: float
    """|y'| before it."""


def _impact(amplitude: float, w: float) -> _Impact | None:
    """The first impact; None where it falls without one."""
    lifts = math.asin(min(1 / amplitude, 1.0))
    swing = _Swing.of(amplitude, w, lifts, 0.0)
    end = (2 * math.pi - lifts) / w
    at = end * np.linspace(0, 1, SAMPLES + 1)[1:]
    below = np.flatnonzero(swing.values(at) < 0)
    if len(below):
        before = at[below[0] - 1] if below[0] else 1e-6 * at[0]
        zero = float(brentq(swing.y, before, at[below[0]], xtol=1e-14))
        return _Impact(lifts + w * zero, -swing.rate(zero))
    y, rate = swing.y(end), swing.rate(end)
    if y + rate >= 1:
        return None
    return _Impact(2 * math.pi, math.sqrt(rate**2 - (1 - y) ** 2 + 1))  # by its energy


def _margin(amplitude: float, w: float, eta: float) -> float:
    """η |y'| + ∫ e^−s f ds − 1 after the first impact; nan where there is none."""
    met = _impact(amplitude, w)
    if met is None:
        return math.nan
    left = math.exp(-(2 * math.pi - met.phase) / w)
    wave = math.sin(met.phase) + w * math.cos(met.phase) - w * left
    return eta * met.rate - amplitude * wave / (1 + w * w) - 1


def _falls_after_one(amplitude: float, w: float, eta: float) -> bool:
    """Whether it falls after the first impact without a second one."""
    if not _margin(amplitude, w, eta) > 0:
        return False
    met = _impact(amplitude, w)
    assert met is not None
    swing = _Swing.of(-amplitude, w, met.phase, eta * met.rate)
    at = (2 * math.pi - met.phase) / w * np.linspace(0, 1, SAMPLES + 1)[1:]
    return bool((swing.values(at) > 0).all()) or met.phase == 2 * math.pi


PULSES = ("rectangle", "half sine", "sine")
"""The pulses whose boundaries are known."""


def boundaries(pulse: str, frequencies: Array, eta: float) -> dict[str, Array]:
    """The boundaries a/(g α) of linear theory for a pulse of `PULSES` over ω/p, each by its name;
    nan where there is none. A rectangle lasts half a wave, π/ω."""
    w = np.asarray(frequencies, dtype=float)
    if pulse == "rectangle":
        return {"no impact": np.array([rectangle(math.pi / each) for each in w])}
    if pulse == "half sine":
        return {"no impact": np.array([half_sine(each) for each in w])}
    if pulse != "sine":
        raise InputError(
            f"There is no closed form for the pulse {pulse!r}: there is one for "
            f"{', '.join(PULSES)}."
        )
    one = [sine_one_impact(each, eta) or Interval(math.nan, math.nan) for each in w]
    return {
        "no impact": np.array([sine(each) for each in w]),
        "one impact, lower end": np.array([each.low for each in one]),
        "one impact, upper end": np.array([each.high for each in one]),
    }
