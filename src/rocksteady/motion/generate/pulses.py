"""The pulses of the rocking literature, as motions.

Every pulse takes the same three options [s]:

dt
    Largest time step; by default a thousandth of the period or 0.0005 s, whichever is smaller (at
    0.01 s overturning amplitudes shift by about 1e-3). It is reduced so that the pulse ends exactly
    on a sample.
start
    Still ground before the pulse, rounded to whole samples.
tail
    Still ground after it, rounded up to whole samples.

A motion is linear between samples. A pulse that begins or ends with a jump (cosine, rectangular,
half a cosine, ...) has its full value at its first and last sample; if still ground precedes or
follows, the jump is a ramp over one time step outside the pulse.

A sine pulse of 3 m/s² and 0.5 s, then a second of still ground: ``sine(3.0, 0.5, tail=1.0)``.
"""

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion._checks import steps
from rocksteady.motion.motion import Motion
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array

_Timing: TypeAlias = tuple[float | None, float, float]  # dt, start and tail [s]
FINEST_DEFAULT_STEP = 0.0005  # s

# Largest value of (3 − y²) y exp(−y²/2), at y² = 3 − √6: 1.380119
_ANTISYMMETRIC_PEAK = math.sqrt(6 * (3 - math.sqrt(6))) * math.exp((math.sqrt(6) - 3) / 2)
_RICKER_HALF_WIDTH = 2.0  # periods each side of the centre; beyond, below 2e-9 of the amplitude


def sine(
    amplitude: float,
    period: float | None = None,
    omega: float | None = None,
    cycles: float = 1.0,
    dt: float | None = None,
    start: float = 0.0,
    tail: float = 0.0,
    phase: float = 0.0,
) -> Motion:
    """``cycles`` cycles of amplitude·sin(ωt + phase); ``cycles=0.5`` is the half-sine pulse.

    ``amplitude`` [m/s²] (negative: towards −x first); either ``period`` [s] or ``omega`` [rad/s];
    ``phase`` [rad]. ``dt``, ``start`` and ``tail``: see the module.
    """
    wave = ("sine", np.sin, amplitude, _period(period, omega), cycles, phase)
    return _harmonic(*wave, (dt, start, tail))


def cosine(
    amplitude: float,
    period: float | None = None,
    omega: float | None = None,
    cycles: float = 1.0,
    dt: float | None = None,
    start: float = 0.0,
    tail: float = 0.0,
    phase: float = 0.0,
) -> Motion:
    """As `sine`, with amplitude·cos(ωt + phase): the one-cosine (type B) pulse, which begins and
    ends with a jump."""
    wave = ("cosine", np.cos, amplitude, _period(period, omega), cycles, phase)
    return _harmonic(*wave, (dt, start, tail))


def rectangular(
    amplitude: float,
    duration: float,
    dt: float | None = None,
    start: float = 0.0,
    tail: float = 0.0,
) -> Motion:
    """Constant ``amplitude`` [m/s²] for ``duration`` [s]. It begins and ends with a jump.

    ``dt``, ``start`` and ``tail``: see the module.
    """
    a, duration = finite("amplitude", amplitude, "m/s²"), positive("duration", duration, "s")
    label = f"rectangular(amplitude={a:g}, duration={duration:g})"
    shape, timing = lambda t: np.full(t.size, a), (dt, start, tail)
    return _sampled("rectangular pulse", label, shape, duration, duration, timing)


def ricker(
    amplitude: float,
    period: float | None = None,
    kind: Literal["symmetric", "antisymmetric"] = "symmetric",
    omega: float | None = None,
    dt: float | None = None,
    t0: float | None = None,
    start: float = 0.0,
    tail: float = 0.0,
) -> Motion:
    """A Ricker wavelet whose largest acceleration is ``amplitude`` [m/s²].

    Symmetric: (1 − 2z²) exp(−z²), z = π(t − t0)/T. Antisymmetric: (3 − y²) y exp(−y²/2)/1.380119,
    y = 2π(t − t0)/(√3 T). Either ``period`` T [s] or ``omega`` = 2π/T [rad/s]. The wavelet is kept
    for two periods each side of its centre ``t0`` [s], which is ``start`` + 2T by default; give
    ``t0`` or ``start``, not both. ``dt``, ``start`` and ``tail``: see the module.
    """
    a, T = finite("amplitude", amplitude, "m/s²"), _period(period, omega)
    half = _RICKER_HALF_WIDTH * T

    def symmetric(t: Array) -> Array:
        z2 = (np.pi * (t - half) / T) ** 2
        return a * (1 - 2 * z2) * np.exp(-z2)

    def antisymmetric(t: Array) -> Array:
        y = 2 * np.pi * (t - half) / (math.sqrt(3) * T)
        return a / _ANTISYMMETRIC_PEAK * (3 - y**2) * y * np.exp(-(y**2) / 2)

    shapes = {"symmetric": symmetric, "antisymmetric": antisymmetric}
    if kind not in shapes:
        raise InputError(f"kind = {kind!r} is not allowed: choose 'symmetric' or 'antisymmetric'.")
    label = f"ricker(amplitude={a:g}, period={T:g}, kind={kind})"
    timing = (dt, _start(start, t0, half), tail)
    return _sampled("Ricker wavelet", label, shapes[kind], 2 * half, T, timing)


def mavroeidis(
    velocity: float,
    period: float | None = None,
    gamma: float = 2.0,
    nu: float = 0.0,
    frequency: float | None = None,
    dt: float | None = None,
    t0: float | None = None,
    start: float = 0.0,
    tail: float = 0.0,
) -> Motion:
    """The near-fault pulse of Mavroeidis and Papageorgiou (2003), as acceleration.

    It is the derivative of the ground velocity
    A/2·[1 + cos(2πf(t − t0)/γ)]·cos(2πf(t − t0) + ν) on |t − t0| ≤ γ/(2f), which the pulse's
    ``velocity`` array returns but for its start from zero. ``velocity`` is A [m/s]; either
    ``period`` 1/f [s] or ``frequency`` f [Hz]; ``gamma`` > 1 is the number of cycles under the
    bell [-]; ``nu`` is the phase [rad]. The centre ``t0`` [s] is ``start`` + γ/(2f) by default;
    give ``t0`` or ``start``, not both. ``dt``, ``start`` and ``tail``: see the module.
    """
    A, nu = finite("velocity", velocity, "m/s"), finite("nu", nu, "rad")
    if (period is None) == (frequency is None):
        raise InputError(
            f"period = {period!r} s and frequency = {frequency!r} Hz: give exactly one of them."
        )
    f = positive("frequency", frequency, "Hz") if frequency is not None else 1 / _period(period)
    if not finite("gamma", gamma) > 1:
        raise InputError(
            f"gamma = {gamma!r} is not allowed: it must be greater than 1, or the bell is shorter "
            "than the oscillation in it (published fits lie between 1 and 3)."
        )
    half, w = gamma / (2 * f), 2 * math.pi * f

    def acceleration(t: Array) -> Array:
        s = w * (t - half)
        bell, slope = 1 + np.cos(s / gamma), -np.sin(s / gamma) / gamma
        a: Array = A * w / 2 * (slope * np.cos(s + nu) - bell * np.sin(s + nu))
        return a

    label = f"mavroeidis(velocity={A:g}, frequency={f:g}, gamma={gamma:g}, nu={nu:g})"
    timing = (dt, _start(start, t0, half), tail)
    return _sampled("near-fault pulse", label, acceleration, 2 * half, 1 / f, timing)


def _harmonic(
    wave: str,
    function: Callable[[Array], Array],
    amplitude: float,
    T: float,
    cycles: float,
    phase: float,
    timing: _Timing,
) -> Motion:
    a, phase = finite("amplitude", amplitude, "m/s²"), finite("phase", phase, "rad")
    cycles = positive("cycles", cycles)
    label = f"{wave}(amplitude={a:g}, period={T:g}, cycles={cycles:g})"
    name = f"{wave} pulse" if cycles <= 1 else f"{wave} wave of {cycles:g} cycles"

    def shape(t: Array) -> Array:
        return a * function(2 * np.pi * t / T + phase)

    return _sampled(name, label, shape, cycles * T, T, timing)


def _period(period: float | None, omega: float | None = None) -> float:
    if (period is None) == (omega is None):
        raise InputError(
            f"period = {period!r} s and omega = {omega!r} rad/s: give exactly one of them."
        )
    if omega is not None:
        return 2 * math.pi / positive("omega", omega, "rad/s")
    assert period is not None
    return positive("period", period, "s")


def _start(start: float, t0: float | None, half: float) -> float:
    """When a pulse centred at ``t0`` begins, ``half`` its length before."""
    if t0 is None:
        return start
    if start != 0.0:
        raise InputError(f"t0 = {t0!r} s and start = {start!r} s: give one of them.")
    if finite("t0", t0, "s") < half * (1 - 1e-9):
        raise InputError(
            f"t0 = {t0!r} s cuts the pulse's beginning: its centre must be at {half:g} s or later."
        )
    return max(t0 - half, 0.0)


def _sampled(
    name: str,
    label: str,
    shape: Callable[[Array], Array],
    duration: float,
    period: float,
    timing: _Timing,
) -> Motion:
    """``shape(t)`` on 0 ≤ t ≤ ``duration``, sampled so that both ends are samples.

    ``name`` is for readers of figures, ``label`` says in the history how the pulse was made.
    """
    dt, start, tail = timing
    largest = min(period / 1000, FINEST_DEFAULT_STEP) if dt is None else positive("dt", dt, "s")
    if largest > period / 4:
        raise InputError(
            f"dt = {dt!r} s is too coarse for a pulse of period {period:g} s: at most a quarter of "
            "it is allowed; a thousandth is what results should rest on."
        )
    count = max(steps(duration, largest), 1)
    step = largest if math.isclose(count * largest, duration, rel_tol=1e-9) else duration / count
    before, after = steps(start, step, round, name="start"), steps(tail, step, name="tail")
    accel = np.zeros(before + count + 1 + after)
    accel[before : before + count + 1] = shape(np.linspace(0.0, duration, count + 1))
    return Motion(accel, step, name=name, meta={"history": (label,)})
