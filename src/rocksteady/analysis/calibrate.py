"""Find the loss parameter of a formulation that gives a wanted loss at impact.

Each formulation loses energy in its own way: by its time step, its dashpots, its bouncing, its
smoothing. What they have in common is the ratio r of kinetic energies at an impact, and that can be
measured: release the block from a lean and watch its swings shrink.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from rocksteady.analysis.decay import Swings, measure_r, swings
from rocksteady.errors import InputError
from rocksteady.formulations import Formulation
from rocksteady.response import Status
from rocksteady.simulation import simulate
from rocksteady.systems import Block

IMPACTS = 6  # over which r is measured
SCAN = 13  # values of the parameter tried before the search


@dataclass(frozen=True)
class Calibration:
    """The found parameter, and what it achieves."""

    formulation: Formulation
    """Ready to use, the parameter put in."""
    parameter: str
    value: float
    r: float
    """Measured over the first impacts of free rocking."""
    scatter: float
    """Standard deviation of the energy ratios of single impacts."""
    wanted: float


def calibrate(
    block: Block,
    formulation: Formulation,
    r: float,
    *,
    theta0: float | None = None,
    tolerance: float = 1e-4,
) -> Calibration:
    """The formulation with its loss parameter set so that ``block`` keeps ``r`` of its energy.

    Parameters
    ----------
    block
        A symmetric block.
    formulation
        Any with a loss parameter: ``NumericalDissipation`` (dt), ``RigidBodySpring`` (beta),
        ``Nonsmooth`` (epsilon), ``ComplexPotential`` (l), ``Housner`` (eta). Its other parameters
        are kept.
    r
        Wanted ratio of kinetic energies after and before an impact.
    theta0
        Lean from which it is released [rad]; half of α unless given.
    tolerance
        How near the measured r has to come.
    """
    if not 0 < r < 1:
        raise InputError(f"r = {r!r} is not allowed: it must lie between 0 and 1, both excluded.")
    search = getattr(formulation, "loss_parameter", None)
    if search is None:
        raise InputError(f"{formulation.name} has no parameter that sets its loss at impact.")
    release = 0.5 * block.alpha if theta0 is None else theta0
    name, low, high = search(block)

    def with_value(value: float) -> Formulation:
        others = {
            other: None for other in ("r", "eta", "dt", "beta") if hasattr(formulation, other)
        }
        return dataclasses.replace(formulation, **{**others, name: value})  # type: ignore[type-var]

    def measured(value: float) -> float:
        return _measure(block, with_value(value), release)[0]

    value = _search(measured, r, low, high, name, tolerance)
    achieved, scatter = _measure(block, with_value(value), release)
    return Calibration(with_value(value), name, value, achieved, scatter, r)


def _measure(block: Block, formulation: Formulation, theta0: float) -> tuple[float, float]:
    """(r over the first impacts, scatter of single impacts); nan where it does not rock on."""
    quarter = math.acosh(1 / (1 - abs(theta0) / block.alpha)) / block.p
    duration = 2 * quarter * (IMPACTS + 2)
    response = simulate(block, None, formulation, theta0=theta0, duration=duration)
    if response.status is Status.FAILED:
        return math.nan, math.nan
    found = swings(response.time, response.theta)
    if len(found.passages) < IMPACTS + 1:
        return math.nan, math.nan
    return measure_r(response, impacts=IMPACTS).r, _scatter(found, block)


def _scatter(found: Swings, block: Block) -> float:
    lean = found.peaks[: IMPACTS + 1]
    energy = 2 * np.sin(block.alpha - lean / 2) * np.sin(lean / 2)
    return float(np.std(energy[1:] / energy[:-1]))


def _search(
    measured: Callable[[float], float],
    wanted: float,
    low: float,
    high: float,
    name: str,
    tolerance: float,
) -> float:
    """Scan the range (by ratio where it allows), then Brent's method where r is passed."""
    grid = np.geomspace(low, high, SCAN) if low > 0 else np.linspace(low, high, SCAN)
    values = np.array([measured(value) for value in grid])
    excess = values - wanted
    known = np.flatnonzero(np.isfinite(excess))
    for i, j in zip(known, known[1:], strict=False):
        if excess[i] == 0 or excess[i] * excess[j] < 0:
            return float(
                brentq(
                    lambda x: measured(x) - wanted,
                    grid[i],
                    grid[j],
                    xtol=1e-3 * tolerance * grid[j],
                )
            )
    reached = values[known]
    span = f"from {reached.min():.4f} to {reached.max():.4f}" if len(reached) else "nowhere at all"
    raise InputError(
        f"r = {wanted!r} is out of reach: with {name} between {low:.3g} and {high:.3g} the measured "
        f"r goes {span}. Choose an r in that range, or another stiffness or formulation."
    )
