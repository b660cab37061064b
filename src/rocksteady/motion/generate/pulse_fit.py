"""The near-fault pulse of Mavroeidis and Papageorgiou (2003) that fits a record best.

v(t) = A/2·[1 + cos(2πf(t − t0)/γ)]·cos(2πf(t − t0) + ν) on |t − t0| ≤ γ/(2f), least squares on the
ground velocity. For given period, γ and t0 the best amplitude and phase follow from two sums, as
the pulse is linear in A·cos ν and A·sin ν; three unknowns remain. They are refined from the best
points of a grid, on which all t0 are tried at once (a correlation).

>>> from rocksteady.motion import pulses
>>> found = fit_mavroeidis(pulses.mavroeidis(0.8, period=1.5, gamma=2.2, nu=0.7, dt=0.01, tail=2.0))
>>> round(found.period, 3), round(found.gamma, 2), round(found.energy, 4)
(1.5, 2.2, 1.0)
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion.generate import pulses
from rocksteady.motion.motion import Motion, takes_motion
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array

GAMMAS = (1.05, 1.3, 1.7, 2.2, 3.0, 4.0)
GAMMA_BOUNDS = (1.001, 6.0)
PERIODS_PER_OCTAVE = 6
STARTS = 3  # grid points that are refined, each with another γ


@dataclass(frozen=True)
class PulseFit:
    """A pulse found in a record."""

    velocity: float
    """Amplitude A of the velocity [m/s], positive."""
    period: float
    """1/f [s]."""
    gamma: float
    """Cycles under the bell γ [-]."""
    nu: float
    """Phase ν [rad], from −π to π."""
    t0: float
    """Time of the pulse's centre in the record [s]."""
    energy: float
    """Fraction of ∫v² dt of the record that the pulse explains [-]: 1 − ∫(v − pulse)²/∫v²."""

    def velocity_at(self, time: Array) -> Array:
        """The pulse's velocity [m/s] at ``time`` [s] of the record."""
        bell, phase = _bell(time, self.period, self.gamma, self.t0)
        v: Array = self.velocity * bell * np.cos(phase + self.nu)
        return v

    def motion(self, dt: float | None = None) -> Motion:
        """The pulse alone, as a motion that begins where the pulse does: `pulses.mavroeidis`."""
        return pulses.mavroeidis(self.velocity, self.period, gamma=self.gamma, nu=self.nu, dt=dt)


@takes_motion
def fit_mavroeidis(
    motion: Motion,
    *,
    shortest: float = 0.3,
    longest: float | None = None,
    period: float | None = None,
) -> PulseFit:
    """The pulse that explains most of the energy of a motion's velocity.

    The velocity is `Motion.velocity`: correct the baseline of a raw record first. The explained
    energy of a real record is flat about its maximum (Rinaldi, component 228: 66 % for all periods
    from 1.2 to 1.4 s): a longer period with a smaller γ fits as well.

    Parameters
    ----------
    motion
        The record.
    shortest, longest
        Range of periods to search [s]; by default from 8 time steps to the motion's length or 15 s.
    period
        The pulse's period [s] if it is known, for example from the peak of the velocity spectrum.
    """
    from scipy.optimize import least_squares

    v, dt = motion.velocity, motion.dt
    if not np.any(v):
        raise InputError(f"{motion!r} has no velocity: there is no pulse to fit.")
    if period is None:
        low, high = _period_range(motion, shortest, longest)
    else:
        low, high = positive("period", period, "s") * (1 - 1e-12), period * (1 + 1e-12)

    def residual(unknowns: Array) -> Array:
        log_period, gamma, t0 = unknowns
        return v - _best_pulse(v, motion.time, math.exp(log_period), gamma, t0)[0]

    edges = np.array(
        [[math.log(low), GAMMA_BOUNDS[0], 0.0], [math.log(high), GAMMA_BOUNDS[1], motion.duration]]
    )
    scale = (0.1, 0.3, 0.1 * low)
    solutions = [
        least_squares(
            residual, np.clip(start, *edges), bounds=tuple(edges), x_scale=scale, xtol=1e-12
        )
        for start in _starts(v, dt, low, high)
    ]
    best = min(solutions, key=lambda solution: float(solution.cost))
    T, gamma, t0 = math.exp(best.x[0]), float(best.x[1]), float(best.x[2])
    _, along, across = _best_pulse(v, motion.time, T, gamma, t0)
    return PulseFit(
        velocity=math.hypot(along, across),
        period=T,
        gamma=gamma,
        nu=math.atan2(across, along),
        t0=t0,
        energy=1 - 2 * float(best.cost) / float(np.sum(v * v)),
    )


def _bell(time: Array, period: float, gamma: float, t0: float) -> tuple[Array, Array]:
    """Half the bell, zero outside it, and the phase of the oscillation in it [rad]."""
    phase = 2 * np.pi * (time - t0) / period
    inside = np.abs(time - t0) <= gamma * period / 2
    return np.where(inside, (1 + np.cos(phase / gamma)) / 2, 0.0), phase


def _best_pulse(
    v: Array, time: Array, period: float, gamma: float, t0: float
) -> tuple[Array, float, float]:
    """The pulse that fits best, and its A·cos ν and A·sin ν."""
    pulse, half = np.zeros_like(v), gamma * period / 2
    inside = slice(*np.searchsorted(time, [t0 - half, t0 + half]))
    bell, phase = _bell(time[inside], period, gamma, t0)
    c, s = bell * np.cos(phase), -bell * np.sin(phase)
    cc, cs, ss = float(np.sum(c * c)), float(np.sum(c * s)), float(np.sum(s * s))
    vc, vs = float(np.sum(v[inside] * c)), float(np.sum(v[inside] * s))
    determinant = cc * ss - cs * cs
    if determinant <= 1e-12 * cc * cc:  # cut off by an end of the record
        return pulse, 0.0, 0.0
    along, across = (vc * ss - vs * cs) / determinant, (vs * cc - vc * cs) / determinant
    pulse[inside] = along * c + across * s
    return pulse, along, across


def _starts(v: Array, dt: float, low: float, high: float) -> Iterator[Array]:
    """The best points of the grid: log period, γ, t0; one at most for each γ."""
    from scipy.signal import fftconvolve

    found = []
    count = max(2, math.ceil(PERIODS_PER_OCTAVE * math.log2(high / low)) + 1)
    for gamma in GAMMAS:
        best = (-math.inf, (0.0, 0.0, 0.0))
        for period in np.geomspace(low, high, count):
            half = math.ceil(gamma * period / 2 / dt)
            bell, phase = _bell(np.arange(-half, half + 1) * dt, float(period), gamma, 0.0)
            explained = np.zeros_like(v)
            for wave in (bell * np.cos(phase), bell * np.sin(phase)):
                middle = slice(half, half + v.size)
                along = fftconvolve(v, wave[::-1])[middle]  # even and odd: orthogonal
                explained += along**2 / np.sum(wave * wave)
            place = int(np.argmax(explained))
            best = max(best, (float(explained[place]), (math.log(period), gamma, place * dt)))
        found.append(best)
    found.sort(reverse=True)
    for _, start in found[:STARTS]:
        yield np.array(start)


def _period_range(motion: Motion, shortest: float, longest: float | None) -> tuple[float, float]:
    low = max(positive("shortest", shortest, "s"), 8 * motion.dt)
    high = min(motion.duration, 15.0) if longest is None else positive("longest", longest, "s")
    if longest is None and high <= low:  # a short motion: perhaps a pulse alone
        low = min(low, max(motion.duration / 10, 8 * motion.dt))
    if not low < high:
        raise InputError(
            f"shortest = {shortest!r} s and longest = {longest!r} s leave no period to look for in "
            f"{motion!r}: it must have at least 8 time steps, and longest must be larger."
        )
    return low, high
