"""How the stochastic model's parameters are distributed: Rezaeian and Der Kiureghian (2010).

"Simulation of synthetic ground motions for specified earthquake and site characteristics",
Earthquake Engineering and Structural Dynamics 39: 1155-1180. Marginals: Table II. Correlations:
Table IV, with the four digits of the authors' own regression as the SCEC Broadband Platform
(rzz2015_gmpe.py) gives them.

The correlations are those of the residuals about the paper's predictive equations (magnitude,
distance, site), in normal space. They stand here for those of the parameters: what all motions
share because of magnitude and distance is in the marginals but not in the correlations.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rocksteady.motion.intensity import GRAVITY
from rocksteady.numerics.types import Array

DIGITS = 8  # of each value: special functions differ beyond from machine to machine

# mean, standard deviation, bounds, in the order of Parameters; Arias intensity in s·g
ARIAS = (0.0468, 0.164)  # lognormal
D5_95 = (17.3, 9.31, 5.0, 45.0)  # beta [s]
T_MID = (12.4, 7.44, 0.5, 40.0)  # beta [s]
FREQUENCY_MID = (5.87, 3.11)  # gamma [Hz]
FREQUENCY_RATE = (4.85, 6.77, 17.10, -2.0, 0.5)  # c·e^(6.77 x) below 0, c·e^(−17.10 x) above [Hz/s]
DAMPING = (0.213, 0.143, 0.02, 1.0)  # beta [-]

CORRELATION = np.array(
    [
        [1.0000, -0.3555, 0.0066, -0.1545, 0.1341, -0.0078],
        [-0.3555, 1.0000, 0.6729, -0.1303, -0.1576, -0.1958],
        [0.0066, 0.6729, 1.0000, -0.2761, -0.1977, -0.2188],
        [-0.1545, -0.1303, -0.2761, 1.0000, -0.2034, 0.2814],
        [0.1341, -0.1576, -0.1977, -0.2034, 1.0000, -0.0137],
        [-0.0078, -0.1958, -0.2188, 0.2814, -0.0137, 1.0000],
    ]
)


def draws(streams: Sequence[np.random.Generator]) -> list[tuple[float, ...]]:
    """The six parameters from each stream, in the order and units of ``Parameters``."""
    from scipy.special import ndtr

    factor = np.linalg.cholesky(CORRELATION)
    normal = np.array([(factor * rng.standard_normal(6)).sum(axis=1) for rng in streams])
    columns = _values(normal[:, 0].tolist(), ndtr(normal))
    return [
        tuple(float(f"{value:.{DIGITS}g}") for value in values)
        for values in zip(*columns, strict=True)
    ]


def _values(normal_of_arias: list[float], p: Array) -> tuple[Iterable[float], ...]:
    return (
        [GRAVITY * _lognormal(normal, *ARIAS) for normal in normal_of_arias],
        _beta(p[:, 1], *D5_95).tolist(),
        _beta(p[:, 2], *T_MID).tolist(),
        _gamma(p[:, 3], *FREQUENCY_MID).tolist(),
        [_two_sided_exponential(part, *FREQUENCY_RATE) for part in p[:, 4].tolist()],
        _beta(p[:, 5], *DAMPING).tolist(),
    )


def _lognormal(normal: float, mean: float, deviation: float) -> float:
    variance = math.log(1 + (deviation / mean) ** 2)
    return mean * math.exp(-variance / 2 + math.sqrt(variance) * normal)


def _beta(p: Any, mean: float, deviation: float, low: float, high: float) -> Array:
    from scipy.special import betaincinv

    m, v = (mean - low) / (high - low), (deviation / (high - low)) ** 2
    both = m * (1 - m) / v - 1
    values = low + (high - low) * betaincinv(m * both, (1 - m) * both, p)
    return np.asarray(values, dtype=np.float64)


def _gamma(p: Any, mean: float, deviation: float) -> Array:
    from scipy.special import gammaincinv

    values = gammaincinv((mean / deviation) ** 2, p) * deviation**2 / mean
    return np.asarray(values, dtype=np.float64)


def _two_sided_exponential(
    p: float, c: float, below: float, above: float, low: float, high: float
) -> float:
    left = c / below * (1 - math.exp(below * low))
    right = c / above * (1 - math.exp(-above * high))
    mass = p * (left + right)  # three printed digits: the two sides make 1.000 nearly
    if mass < left:
        return math.log(math.exp(below * low) + mass * below / c) / below
    return -math.log(1 - (mass - left) * above / c) / above
