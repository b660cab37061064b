"""Processing of records: baseline correction, filters, tapers, padding, resampling.

Every function takes a motion and returns another, with all components treated alike, and notes the
step in ``meta["history"]``, from which `rocksteady.motion.recipe` can repeat it.
"""

import math
from typing import Literal

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion._checks import steps
from rocksteady.motion.motion import Motion, takes_motion
from rocksteady.motion.provenance import choice, each, noted, step
from rocksteady.numbers import finite, positive, whole
from rocksteady.numerics.types import Array

# -- baseline, filters, windows -------------------------------------------------------------------


@takes_motion
def baseline(motion: Motion, kind: str = "poly", order: int = 2) -> Motion:
    """Remove a polynomial drift from the velocity.

    A polynomial of ``order``, zero at the beginning like the velocity, is fitted to the velocity by
    least squares, and its derivative is subtracted from the acceleration. Order 1 removes an offset
    of the acceleration, order 2 also its linear trend. ``kind`` is "poly".
    """
    choice("kind", kind, ("poly",))
    most = min(10, motion.npts - 1)
    order = whole("order", order, 1, most)
    x = np.linspace(-1.0, 1.0, motion.npts)
    shapes = np.polynomial.legendre.legvander(x, order - 1)  # of the acceleration
    areas = motion.dt * (shapes[:-1] + shapes[1:]) / 2
    drifts = np.vstack([np.zeros(order), np.cumsum(areas, axis=0)])  # what they make of velocity

    def corrected(a: Array) -> Array:
        velocity = Motion(a, motion.dt).velocity
        return a - shapes @ np.linalg.lstsq(drifts, velocity, rcond=None)[0]

    return each(motion, step("baseline", kind, order), corrected)


@takes_motion
def lowpass(motion: Motion, corner: float, order: int = 4) -> Motion:
    """Keep what is below ``corner`` [Hz]; see `bandpass`."""
    return _filtered(motion, "lowpass", (corner,), order)


@takes_motion
def highpass(motion: Motion, corner: float, order: int = 4) -> Motion:
    """Keep what is above ``corner`` [Hz]; see `bandpass`."""
    return _filtered(motion, "highpass", (corner,), order)


@takes_motion
def bandpass(motion: Motion, low: float, high: float, order: int = 4) -> Motion:
    """Keep what is between ``low`` and ``high`` [Hz].

    A Butterworth filter of ``order``, run forwards and backwards: no phase shift, and the gain is
    squared, so that half the amplitude is left at a corner. The ground is still before and after
    the motion, and whatever the filter spreads there is cut off. To keep it, so that velocity and
    displacement stay near zero at the end, `pad` the motion first, by 1.5·order/low seconds at
    either end (Boore 2005).
    """
    if not low < high:
        raise InputError(
            f"low = {low!r} Hz and high = {high!r} Hz are not allowed: low must be below high."
        )
    return _filtered(motion, "bandpass", (low, high), order)


@takes_motion
def taper(motion: Motion, kind: str, start: float, end: float | None = None) -> Motion:
    """Fade the ends of the motion in and out.

    ``kind`` "cosine": half a cosine over the first ``start`` and the last ``end`` seconds (by
    default as long as ``start``). "tukey": over the fraction ``start`` of the length, 0 to 1, half
    of it at either end.
    """
    choice("kind", kind, ("cosine", "tukey"))
    if kind == "tukey":
        if end is not None or not 0 <= start <= 1:
            raise InputError(
                f"a tukey taper with {start!r} and {end!r} is not allowed: it takes one number, "
                "the part of the length that is tapered, 0 to 1."
            )
        first = last = start * motion.duration / 2
    else:
        first = finite("start", start, "s", minimum=0.0)
        last = first if end is None else finite("end", end, "s", minimum=0.0)
    if first + last > motion.duration * (1 + 1e-9):
        raise InputError(
            f"tapers of {first:g} and {last:g} s are longer than the motion ({motion.duration:g} "
            "s): shorten them."
        )
    window = _rise(motion.time, first) * _rise(motion.time[-1] - motion.time, last)
    return each(motion, step("taper", kind, start, end), lambda a: a * window)


@takes_motion
def pad(motion: Motion, before: float, after: float) -> Motion:
    """Add still ground ``before`` and ``after`` [s], in whole samples, and end at rest.

    A record's velocity rarely ends at zero, and zeros after it would let the ground drift forever.
    So the ground is brought to rest within the ``after`` seconds, by the gentle acceleration of a
    full cosine wave (1 − cos) whose integral is minus the residual velocity. With ``after`` = 0
    nothing is corrected.
    """
    front, back = steps(before, motion.dt, name="before"), steps(after, motion.dt, name="after")
    back = max(back, 2) if back else 0
    wave = 1 - np.cos(2 * np.pi * np.arange(1, back + 1) / max(back, 1))

    def padded(a: Array) -> Array:
        longer = np.concatenate([np.zeros(front), a, np.zeros(back)])
        if back:
            # dt·(sum of the samples, half the first) is the velocity after the last, a zero
            longer[-back:] -= wave * (longer.sum() - longer[0] / 2) / wave.sum()
        return longer

    return each(motion, step("pad", before, after), padded)


# -- time -----------------------------------------------------------------------------------------


@takes_motion
def resample(motion: Motion, dt: float) -> Motion:
    """Another time step [s], without aliasing: see `Motion.resampled`."""
    other = motion.resampled(dt)
    return motion if other is motion else noted(motion, step("resample", dt), other)


@takes_motion
def trim(motion: Motion, start: float = 0.0, end: float | None = None) -> Motion:
    """The part from ``start`` to ``end`` [s]: see `Motion.trimmed`."""
    return noted(motion, step("trim", start, end), motion.trimmed(start, end))


@takes_motion
def stretch(motion: Motion, factor: float) -> Motion:
    """Time times ``factor``, accelerations unchanged."""
    return noted(motion, step("stretch", factor), motion.stretched(factor))


@takes_motion
def similarity(motion: Motion, length_scale: float) -> Motion:
    """The motion for a model whose lengths are ``length_scale`` times the prototype's.

    Gravity cannot be scaled, so accelerations stay and time is multiplied by √``length_scale``
    (Froude): velocities × √scale, displacements × scale. For a quarter-scale model: 0.25.
    """
    factor = math.sqrt(positive("length_scale", length_scale))
    return noted(motion, step("similarity", length_scale), motion.stretched(factor))


@takes_motion
def mirror(motion: Motion) -> Motion:
    """Both horizontal components reversed."""
    return noted(motion, step("mirror"), motion.mirrored())


# -- helpers --------------------------------------------------------------------------------------


def _filtered(
    motion: Motion,
    kind: Literal["lowpass", "highpass", "bandpass"],
    corners: tuple[float, ...],
    order: int,
) -> Motion:
    from scipy.signal import butter, sosfiltfilt

    nyquist = 0.5 / motion.dt
    for corner in corners:
        if not 0 < corner < nyquist:
            raise InputError(
                f"corner = {corner!r} Hz is not allowed: it must be above zero and below the "
                f"Nyquist frequency, {nyquist:g} Hz at dt = {motion.dt:g} s."
            )
    order = whole("order", order, 1, 10)
    sections = butter(order, corners if len(corners) > 1 else corners[0], kind,
                      fs=1 / motion.dt, output="sos")  # fmt: skip
    margin = np.zeros(steps(1.5 * order / corners[0], motion.dt))

    def filtered(a: Array) -> Array:
        longer = np.concatenate([margin, a, margin])
        whole: Array = sosfiltfilt(sections, longer, padtype=None, padlen=0)
        return whole[margin.size : margin.size + a.size]

    return each(motion, step(kind, *corners, order), filtered)


def _rise(time: Array, length: float) -> Array:
    """From 0 at time 0 to 1 at ``length``, as half a cosine."""
    if length == 0:
        return np.ones(time.size)
    rise: Array = (1 - np.cos(np.pi * np.clip(time / length, 0.0, 1.0))) / 2
    return rise
