"""Velocity pulses, found by wavelets as Shahi and Baker (2014) do.

S. K. Shahi, J. W. Baker, An efficient algorithm to identify strong-velocity pulses in
multicomponent ground motions, BSSA 104(5), 2014. The ground velocity is compared with Daubechies
wavelets of order 4 at all periods and times; the most similar one is the core of the pulse. Ten
wavelets of its period near it make up the pulse, which is judged by what remains without it.

Velocities must be free of drift: correct the baseline first.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from rocksteady.motion.motion import Motion, takes_motion
from rocksteady.numerics.types import Array

# The scaling filter of Daubechies' orthonormal wavelet with four vanishing moments.
_FILTER = np.array([
    0.2303778133088964, 0.7148465705529154, 0.6308807679298587, -0.0279837694168599,
    -0.1870348117190931, 0.0308413818355607, 0.0328830116668852, -0.0105974017850690,
])  # fmt: skip
_SUPPORT = 7.0  # the wavelet lives on 0 ≤ x ≤ 7
_CENTRE_FREQUENCY = 5 / 7  # of its best-fitting sine, as MATLAB's centfrq gives it: 0.7143
_LEVELS = 10  # halvings of the wavelet's grid

_PERIODS = np.geomspace(0.25, 15.0, 60)  # s; the authors' range
_WAVELETS = 10  # that make up a pulse
_NEIGHBOURHOOD = 0.4  # of the scale: how far from the first one the others may be
_SAMPLING = 0.01  # s; velocity is smooth enough for no finer step


@dataclass(frozen=True, eq=False)
class VelocityPulse:
    """The strongest pulse in a motion's velocity."""

    indicator: float
    """Above zero for a pulse; it grows with the PGV [-]."""
    period: float
    """Period of the sine closest to the wavelet [s]."""
    time: float
    """The middle of the strongest wavelet [s]."""
    late: bool
    """Whether 17 % of the motion's energy comes before 5 % of the pulse's: not by directivity."""
    pgv_ratio: float
    """Peak velocity without the pulse as part of that with it [-]."""
    energy_ratio: float
    """∫v² without the pulse as part of that with it [-]."""

    @property
    def is_pulse(self) -> bool:
        """Whether the motion counts as pulse-like."""
        return self.indicator > 0 and not self.late


@takes_motion
def velocity_pulse(motion: Motion) -> VelocityPulse:
    """The strongest pulse in a motion's velocity, with a period from 0.25 to 15 s."""
    stride = _stride(motion)
    v, dt = motion.velocity[::stride], motion.dt * stride
    if not np.sum(v**2) > 0:
        return VelocityPulse(math.nan, math.nan, math.nan, False, math.nan, math.nan)
    period, place = _strongest(np.array([v]), dt)
    scale = period * _CENTRE_FREQUENCY
    pulse = _extract(v, dt, scale, place)
    rest = v - pulse
    pgv = float(np.abs(v).max())
    pgv_ratio = float(np.abs(rest).max()) / pgv
    energy_ratio = float(np.sum(rest**2) / np.sum(v**2))
    indicator = pulse_indicator(pgv, pgv_ratio, energy_ratio)
    late = _late(v, pulse)
    return VelocityPulse(indicator, period, place * dt, late, pgv_ratio, energy_ratio)


def pulse_indicator(pgv: float, pgv_ratio: float, energy_ratio: float) -> float:
    """Shahi and Baker's indicator, above zero for a pulse, from the ``pgv`` [m/s] and two ratios.

    The published form is 9.384 (0.76 − PC − 0.0616 PGV)(PC + 6.914·10⁻⁴ PGV − 1.072) − 6.179 with
    the PGV in cm/s; this is the centred form of their program, which carries more digits.
    """
    principal = 0.63 * pgv_ratio + 0.777 * energy_ratio
    P = (principal - 1.208421) / 0.2462717
    V = (100 * pgv - 11.58861) / 18.88015
    return -7.817 - 0.5679 * P**2 - 0.1516 * V**2 - 3.0253 * P - 1.7396 * V - 2.7156 * P * V


def pulse_direction(x: Motion, y: Motion) -> float:
    """The direction of the strongest pulse in two components at right angles [degrees].

    From ``x`` towards ``y``, 0 ≤ angle < 180: the direction in which the combined wavelet
    coefficient x cos + y sin is largest, over all periods and times. Both motions must have the
    same step and length.
    """
    stride = _stride(x)
    v, dt = np.array([x.velocity[::stride], y.velocity[::stride]]), x.dt * stride
    if not np.sum(v**2) > 0:
        return 0.0
    period, place = _strongest(v, dt)
    along = [_coefficients(one, dt, period * _CENTRE_FREQUENCY)[place] for one in v]
    return math.degrees(math.atan2(along[1], along[0])) % 180.0


def _stride(motion: Motion) -> int:
    return max(1, min(int(_SAMPLING / motion.dt), motion.npts // 100))


def _strongest(v: Array, dt: float) -> tuple[float, int]:
    """Period [s] and sample of the wavelet with the largest coefficient, over all rows of ``v``."""

    def best(periods: Array) -> tuple[float, float, int]:
        found = (0.0, float(periods[0]), 0)
        for period in periods:
            scale = period * _CENTRE_FREQUENCY
            size = np.sum([_coefficients(one, dt, scale) ** 2 for one in v], axis=0)
            place = int(np.argmax(size))
            found = max(found, (float(size[place]), float(period), place))
        return found

    _, period, _ = best(_PERIODS)
    step = _PERIODS[1] / _PERIODS[0]
    _, period, place = best(period * np.geomspace(1 / step, step, 21))
    return period, place


def _extract(v: Array, dt: float, scale: float, place: int) -> Array:
    """The sum of the strongest wavelets of one ``scale`` [s] near sample ``place``."""
    near = math.ceil(_NEIGHBOURHOOD * scale / dt)
    low, high = max(0, place - near), min(v.size, place + near + 1)
    wavelet = _wavelet_at(scale, dt, v.size)
    pulse = np.zeros(v.size)
    for _ in range(_WAVELETS):
        coefficients = _coefficients(v - pulse, dt, scale)
        at = low + int(np.argmax(np.abs(coefficients[low:high])))
        first = at - wavelet.size // 2
        begin, end = max(first, 0), min(first + wavelet.size, v.size)
        pulse[begin:end] += coefficients[at] * wavelet[begin - first : end - first]
    return pulse


def _coefficients(v: Array, dt: float, scale: float) -> Array:
    """∫v(t) ψ((t − b)/a)/√a dt with the wavelet of ``scale`` a [s] centred on each sample."""
    from scipy.signal import fftconvolve

    wavelet = _wavelet_at(scale, dt, v.size)
    half = wavelet.size // 2
    whole: Array = dt * fftconvolve(v, wavelet[::-1], mode="full")
    return whole[half : half + v.size]


def _wavelet_at(scale: float, dt: float, most: int) -> Array:
    """ψ(t/a)/√a at an odd number of samples, its support's middle in the middle; no more than
    ``most`` on either side, beyond which there is nothing to compare with."""
    half = min(math.ceil(_SUPPORT / 2 * scale / dt), most)
    x = np.arange(-half, half + 1) * dt / scale + _SUPPORT / 2
    grid, psi = _daubechies4()
    values: Array = np.interp(x, grid, psi, left=0.0, right=0.0) / math.sqrt(scale)
    return values


@cache
def _daubechies4() -> tuple[Array, Array]:
    """The wavelet ψ(x), by the cascade: its filter, refined by the scaling filter many times."""
    psi = _FILTER[::-1] * np.array([1.0, -1.0] * 4)
    for _ in range(_LEVELS - 1):
        spread = np.zeros(2 * psi.size - 1)
        spread[::2] = psi
        psi = np.convolve(spread, _FILTER)
    psi = psi * 2 ** (_LEVELS / 2)
    return np.arange(psi.size) / 2**_LEVELS, psi


def _late(v: Array, pulse: Array) -> bool:
    part_of_pulse = np.cumsum(pulse**2) / np.sum(pulse**2)
    begins = max(int(np.searchsorted(part_of_pulse, 0.05, side="right")) - 1, 0)
    return bool(np.sum(v[: begins + 1] ** 2) >= 0.17 * np.sum(v**2))
