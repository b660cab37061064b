"""Two horizontal components at right angles, turned to any direction.

They are two motions, x and y, or the ``accel`` and ``transverse`` of one: `split` makes two motions
of it and `join` one of them again. Angles are in degrees from x (0°) towards y (90°). The finer of
two time steps is used; both components begin together, and zeros follow the shorter one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion.motion import Motion, checked_motion
from rocksteady.motion.provenance import noted, step
from rocksteady.motion.spectra import checked_periods, oscillator_displacement
from rocksteady.motion.upwards import warn_of_verticals
from rocksteady.motion.wavelet import pulse_direction as _pulse_direction
from rocksteady.numbers import finite, real
from rocksteady.numerics.types import Array

ANGLES = np.arange(180.0)  # degrees; Boore (2010)


@dataclass(frozen=True, eq=False)
class RotD:
    """Spectra over all directions: the PSA that a percentage of the directions does not exceed."""

    periods: Array
    """Natural period [s]; at 0 the ground acceleration itself."""
    damping: float
    """Damping ratio [-]."""
    percentiles: tuple[float, ...]
    """Such as 50 and 100."""
    psa: Array
    """Pseudo-spectral acceleration [m/s²]: a row for each percentile, a column for each period."""
    by_angle: Array
    """The same for each of the 180 directions, 1° apart: a row each."""


def rotate(x: Motion, y: Motion, angle: float) -> tuple[Motion, Motion]:
    """The components at ``angle`` and ``angle`` + 90 degrees.

    Their history is that of ``x`` and the rotation; ``meta["components"]`` names both. The vertical
    acceleration is that of ``x``, or of ``y`` if ``x`` has none.
    """
    angle = finite("angle", angle, "degrees")
    return _rotated(x, y, angle, "")


def turned(motion: Motion, angle: float) -> Motion:
    """The motion with both horizontal components turned by ``angle`` degrees: see `rotate`."""
    return join(*rotate(*split(motion), angle))


def right_handed(motion: Motion) -> Motion:
    """The motion with ``accel``, ``transverse`` and ``vertical`` along x, y and z of a right-handed
    frame: seen from above, y lies to the left of x.

    Records often have the other horizontal component to the right (azimuths 0° and 90°). If the
    azimuths say so, that component is reversed. Otherwise the motion is returned as it is.
    """
    meta = checked_motion(motion).meta
    if motion.transverse is None or _side(meta.get("azimuth"), meta.get("transverse_azimuth")) >= 0:
        return motion
    azimuth = (real(meta["transverse_azimuth"]) + 180) % 360
    facts = {"transverse_component": f"{azimuth:g}", "transverse_azimuth": azimuth}
    history = (*meta.get("history", ()), "right_handed()  # transverse reversed")
    return Motion(
        motion.accel,
        motion.dt,
        motion.vertical,
        -motion.transverse,
        motion.name,
        {**meta, **facts, "history": history},
    )


def swapped(motion: Motion) -> Motion:
    """The motion with ``accel`` and ``transverse`` exchanged, their names and azimuths included."""
    x, y = split(motion)
    return join(y, x)


def split(motion: Motion) -> tuple[Motion, Motion]:
    """The two horizontal components as motions of their own, both with the vertical one."""
    transverse = checked_motion(motion).transverse
    if transverse is None:
        raise InputError(
            f"{motion!r} has one horizontal component: read both with rs.read_record(path), or add "
            "the other with motion.with_transverse(other)."
        )
    own = {key: value for key, value in motion.meta.items() if not key.startswith("transverse_")}
    facts = {key: motion.meta.get(f"transverse_{key}") for key in ("component", "azimuth")}
    other = {key: value for key, value in {**own, **facts}.items() if value is not None}
    x = Motion(motion.accel, motion.dt, motion.vertical, name=motion.name, meta=own)
    return x, Motion(transverse, motion.dt, motion.vertical, name=motion.name, meta=other)


def join(x: Motion, y: Motion) -> Motion:
    """One motion of two horizontal components: ``x`` with ``y`` as its transverse component."""
    one, two = paired(x, y)
    facts = {key: two.meta[key] for key in ("component", "azimuth") if key in two.meta}
    meta = {**one.meta, **{f"transverse_{key}": value for key, value in facts.items()}}
    vertical = one.vertical if one.vertical is not None else two.vertical
    return Motion(one.accel, one.dt, vertical, two.accel, one.name, meta)


def to_pulse(x: Motion, y: Motion) -> tuple[Motion, Motion]:
    """The component in the direction of the strongest velocity pulse, and the one across it.

    By wavelets: see `rocksteady.motion.wavelet`.
    """
    angle = pulse_direction(x, y)
    return _rotated(x, y, angle, "to the velocity pulse")


def pulse_direction(x: Motion, y: Motion) -> float:
    """The direction of the strongest velocity pulse [degrees], 0 to 180."""
    return _pulse_direction(*paired(x, y))


def to_rotd(
    x: Motion, y: Motion, percentile: float = 50.0, period: float = 0.0, damping: float = 0.05
) -> tuple[Motion, Motion]:
    """The component whose PSA at ``period`` [s] is closest to RotD``percentile``, and the one
    across it. At period 0, PSA is the peak ground acceleration.
    """
    spectra = rotd(x, y, [period], damping, (percentile,))
    angle = float(ANGLES[np.argmin(np.abs(spectra.by_angle[:, 0] - spectra.psa[0, 0]))])
    remark = f"to RotD{percentile:g} of PSA at {period:g} s, damping {damping:g}"
    return _rotated(x, y, angle, remark)


def rotd(
    x: Motion,
    y: Motion,
    periods: ArrayLike = (0.0,),
    damping: float = 0.05,
    percentiles: Sequence[float] = (50.0, 100.0),
) -> RotD:
    """RotD50, RotD100 and the like (Boore 2010): percentiles over all directions, period by period.

    The oscillators' displacements under both components are combined at each of 180 directions;
    the largest over the samples counts.
    """
    T = checked_periods(periods)
    if not all(0 <= value <= 100 for value in percentiles):
        raise InputError(f"percentiles = {tuple(percentiles)!r}: each must be 0 to 100.")
    x, y = paired(x, y)
    by_angle = np.column_stack([_peaks(x, y, float(one), damping) for one in T])
    psa = np.percentile(by_angle, percentiles, axis=0)
    return RotD(T, damping, tuple(percentiles), psa, by_angle)


def _peaks(x: Motion, y: Motion, period: float, damping: float) -> Array:
    """PSA at each of the angles; for a rigid oscillator, the ground's acceleration."""
    if period == 0:
        points, factor = np.array([x.accel, y.accel]), 1.0
    else:
        points = np.array([oscillator_displacement(one, period, damping) for one in (x, y)])
        factor = (2 * math.pi / period) ** 2
    directions = np.radians(ANGLES)
    along = np.column_stack([np.cos(directions), np.sin(directions)]) @ points
    peaks: Array = factor * np.abs(along).max(axis=1)
    return peaks


def paired(x: Motion, y: Motion) -> tuple[Motion, Motion]:
    """Both with the finer time step and the same number of samples."""
    dt = min(checked_motion(x, "x").dt, checked_motion(y, "y").dt)
    x, y = x.resampled(dt), y.resampled(dt)
    size = max(x.npts, y.npts)
    return _filled(x, size), _filled(y, size)


def _filled(motion: Motion, size: int) -> Motion:
    missing = size - motion.npts
    if missing == 0:
        return motion
    return motion.mapped(lambda a: np.pad(a, (0, missing)))


def _cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine of an angle in degrees, exact at right angles."""
    quarters, rest = divmod(angle, 90.0)
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarters) % 4):
        c, s = -s, c
    return c, s


def _rotated(x: Motion, y: Motion, angle: float, remark: str) -> tuple[Motion, Motion]:
    one, two = paired(x, y)
    warn_of_verticals([x, y], "rotate two horizontal components")
    vertical = one.vertical if one.vertical is not None else two.vertical
    c, s = _cos_sin(angle)
    along, across = c * one.accel + s * two.accel, c * two.accel - s * one.accel
    turned = []
    for accel, by in ((along, angle), (across, angle + 90)):
        made = noted(x, step("rotate", angle), Motion(accel, one.dt, vertical), remark)
        meta = {key: value for key, value in made.meta.items() if key != "azimuth"}
        meta |= {"components": (x.name, y.name), **_direction(x, y, by)}
        name = f"{x.name} + {by:g}°".strip(" +")
        turned.append(Motion(accel, one.dt, vertical, name=name, meta=meta))
    return turned[0], turned[1]


def _direction(x: Motion, y: Motion, angle: float) -> dict[str, str | float]:
    """Component and azimuth of what lies ``angle`` degrees from ``x`` towards ``y``."""
    first, second = (item.meta.get("azimuth") for item in (x, y))
    side = _side(first, second)
    if side:
        azimuth = round((real(first) - side * angle) % 360, 3) % 360
        return {"component": f"{azimuth:g}", "azimuth": azimuth}
    name = str(x.meta.get("component", "") or x.name)
    return {"component": f"{name} + {angle:g}°".strip(" +")}


def _side(first: object, second: object) -> int:
    """On which side of one azimuth another lies, at right angles: 1 to its left, as y lies to the
    left of x, -1 to its right; 0 if they are not known or not at right angles."""
    if first is None or second is None:
        return 0
    between = (real(second) - real(first)) % 360
    for right, side in ((90.0, -1), (270.0, 1)):
        if math.isclose(between, right, abs_tol=1.0):  # headers give whole degrees
            return side
    return 0
