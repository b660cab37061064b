"""Find the loss parameter of a formulation that gives a wanted loss at impact.

Each formulation loses energy in its own way: by its time step, its dashpots, its bouncing or its
smoothing. They have in common the ratio r of kinetic energies at an impact, which can be measured
in a simulated free decay.
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rocksteady.analysis.decay.measure import measure_r
from rocksteady.analysis.decay.swings import Swings, potential, swings
from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive, real
from rocksteady.simulation import simulate
from rocksteady.status import Status
from rocksteady.theories import Formulation
from rocksteady.theories.contract import LossParameter
from rocksteady.theories.registry import suitable

IMPACTS = 6  # number over which r is measured
SCAN = 13  # values of the parameter tried before the search
HALVINGS = 40


@dataclass(frozen=True)
class Calibration:
    """The parameter found, and the r it gives."""

    formulation: Formulation
    """The formulation with this parameter."""
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
    parameter: str | None = None,
    theta0: float | None = None,
    tolerance: float = 1e-4,
) -> Calibration:
    """The formulation with its loss parameter set so that ``block`` keeps ``r`` of its energy.

    Parameters
    ----------
    block
        A symmetric block.
    formulation
        One with a loss parameter: ``NumericalDissipation`` (dt), ``RigidBodySpring`` (beta),
        ``Nonsmooth`` (epsilon), ``ComplexPotential`` (eta or l), ``Housner`` (eta). Its other
        parameters are kept. (epsilon and l hardly change r of a rocking block: an error gives the
        narrow range that can be reached.)
    r
        Wanted ratio of kinetic energies after and before an impact.
    parameter
        The parameter to adjust, if there are several; by default the usual one.
    theta0
        Lean at release [rad]; half of α by default.
    tolerance
        Largest allowed difference of the measured r.
    """
    formulation = suitable(formulation, block)
    if not 0 < real(r) < 1:
        raise InputError(f"r = {r!r} is not allowed: it must lie between 0 and 1, both excluded.")
    offered = {each.name: each for each in formulation.loss_parameters(block)}
    if not offered:
        raise InputError(f"{formulation.name} has no parameter that sets its loss at impact.")
    if parameter is not None and parameter not in offered:
        raise InputError(
            f"parameter = {parameter!r} does not set the loss of {formulation.name}: choose from "
            f"{', '.join(offered)}."
        )
    found = offered[parameter or next(iter(offered))]
    release = 0.5 * block.alpha if theta0 is None else finite("theta0", theta0, "rad")
    if not 0 < abs(release) < block.alpha:
        raise InputError(
            f"theta0 = {theta0!r} rad is not allowed: the block must be released at a lean "
            f"between 0 and α = {block.alpha:.4g} rad."
        )
    name = found.name

    def with_value(value: float) -> Formulation:
        changed: dict[str, Any] = {**dict.fromkeys(found.instead_of), name: value}
        return dataclasses.replace(formulation, **changed)  # type: ignore[type-var]

    def measured(value: float) -> float:
        return _measure(block, with_value(value), release)[0]

    value = _search(measured, float(r), found, positive("tolerance", tolerance))
    achieved, scatter = _measure(block, with_value(value), release)
    return Calibration(with_value(value), name, value, achieved, scatter, float(r))


def _measure(block: Block, formulation: Formulation, theta0: float) -> tuple[float, float]:
    """(r over the first impacts, scatter of single impacts); nan if it stops rocking too early."""
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
    energy = potential(block.right, found.peaks[: IMPACTS + 1])
    return float(np.std(energy[1:] / energy[:-1]))


def _search(
    measured: Callable[[float], float], wanted: float, parameter: LossParameter, tolerance: float
) -> float:
    """Scan the range (geometrically if it is positive), then bisect where r crosses ``wanted``.

    Not Brent's method: the position of an impact inside a time step makes r slightly rough.
    """
    low, high = parameter.low, parameter.high
    grid = np.geomspace(low, high, SCAN) if low > 0 else np.linspace(low, high, SCAN)
    tried = [(float(value), measured(float(value))) for value in grid]
    known = [(value, r) for value, r in tried if math.isfinite(r)]
    nearest = (math.nan, math.inf)
    for (left, r_left), (right, r_right) in pairwise(known):
        if (r_left - wanted) * (r_right - wanted) > 0:
            continue
        best = min((left, r_left), (right, r_right), key=lambda pair: abs(pair[1] - wanted))
        for _ in range(HALVINGS):
            if abs(best[1] - wanted) <= tolerance:
                return best[0]
            middle = 0.5 * (left + right)
            r = measured(middle)
            if abs(r - wanted) < abs(best[1] - wanted):
                best = (middle, r)
            if (r - wanted) * (r_left - wanted) > 0:
                left = middle
            else:
                right = middle
        nearest = min(nearest, best, key=lambda pair: abs(pair[1] - wanted))
    if math.isfinite(nearest[0]):
        raise InputError(
            f"r = {wanted!r} cannot be reached: the measured r jumps at {parameter.name} = "
            f"{nearest[0]:.4g}, and the nearest value is {nearest[1]:.4f}. Choose another r "
            f"or formulation, or allow tolerance={1.1 * abs(nearest[1] - wanted):.2g}."
        )
    reached = [r for _, r in known]
    span = f"is {min(reached):.4f} to {max(reached):.4f}" if reached else "is not defined"
    raise InputError(
        f"r = {wanted!r} cannot be reached: with {parameter.name} between {low:.3g} and {high:.3g} "
        f"the measured r {span}. Choose one in that range, or another stiffness or "
        "formulation."
    )
