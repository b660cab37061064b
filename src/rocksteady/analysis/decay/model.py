"""Free rocking of a rigid, symmetric block that keeps the share r of its energy at each impact.

Between impacts the block is an inverted pendulum: φ = α − θ obeys φ'' = p² sin φ. Released at rest
at φ = φ_n,

    cos(φ/2) = k cd(p t, k²),   k = cos(φ_n/2),

with Jacobi's elliptic function cd = cn/dn, until it is upright, φ = α. This holds for large
angles; the closed forms in `swings` are those of slender blocks.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk, ellipkinc

from rocksteady.numerics.types import Array


def peaks(theta0: float, r: float, alpha: float, n: NDArray[np.intp]) -> Array:
    """Largest lean [rad] after n impacts of a block released at ``theta0`` [rad]."""
    energy = (math.cos(alpha - theta0) - math.cos(alpha)) * r**n
    return np.asarray(alpha - np.arccos(math.cos(alpha) + energy))


def quarter_periods(lean: Array, alpha: float | Array, p: float | Array) -> Array:
    """Time [s] from rest at ``lean`` [rad] to the impact."""
    k = np.cos((alpha - lean) / 2)
    upright = np.arcsin(np.minimum(np.cos(np.divide(alpha, 2)) / k, 1.0))
    return np.asarray((ellipk(k * k) - ellipkinc(upright, k * k)) / p)


def swing_times(
    lean: Array, first: float, alpha: float | Array, p: float | Array
) -> tuple[Array, Array]:
    """Time of the turning point and of the end of each swing [s]; ``first`` is the first impact."""
    quarters = quarter_periods(lean, alpha, p)
    ends = first + np.concatenate([[0.0], np.cumsum(2 * quarters[1:])])
    return ends - quarters, ends


def lean_history(
    time: Array, lean: Array, first: float, alpha: float | Array, p: float | Array
) -> Array:
    """θ [rad] at each ``time`` [s], for swings that reach ``lean`` [rad]; the first is positive.

    Before release the block is held; after the last swing it stands upright. An asymmetric block
    has an ``alpha`` and a ``p`` for each swing.
    """
    theta, _ = _history(time, lean, first, alpha, p, with_rate=False)
    return theta


def rate_history(
    time: Array, lean: Array, first: float, alpha: float | Array, p: float | Array
) -> Array:
    """The rate of θ [rad/s], as `lean_history` has θ."""
    return _history(time, lean, first, alpha, p, with_rate=True)[1]


def _history(
    time: Array,
    lean: Array,
    first: float,
    alpha: float | Array,
    p: float | Array,
    *,
    with_rate: bool,
) -> tuple[Array, Array]:
    alpha, p = np.broadcast_to(alpha, lean.shape), np.broadcast_to(p, lean.shape)
    turns, ends = swing_times(lean, first, alpha, p)
    swing = np.searchsorted(ends, time, side="right")
    theta, omega = np.zeros((2, len(time)))
    moving = swing < len(lean)
    n = swing[moving]
    side = 1 - 2 * (n % 2)
    after = time[moving] - turns[n]  # a swing is symmetric about its turning point
    after[time[moving] < turns[0]] = 0.0
    least = alpha - lean  # φ at the turning point
    k = np.cos(least / 2)[n]
    _, cn, dn, _ = ellipj(p[n] * np.minimum(np.abs(after), (ends - turns)[n]), k * k)
    phi = 2 * np.arccos(np.minimum(k * cn / dn, 1.0))
    theta[moving] = side * (alpha[n] - phi)
    if with_rate:  # ω² = 2p² (cos φ_n − cos φ)
        square = 4 * np.sin((phi + least[n]) / 2) * np.sin(np.maximum(phi - least[n], 0.0) / 2)
        omega[moving] = -side * np.sign(after) * p[n] * np.sqrt(square)
    return theta, omega
