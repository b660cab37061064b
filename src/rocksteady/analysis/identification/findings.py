"""Remarks on an identification: undetermined parameters, correlations, misfit."""

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np

from rocksteady.analysis.identification.fit import HARDENING, PARAMETERS, WEAR, Problem
from rocksteady.numerics.types import Array

STRONG = 0.9  # correlation to report
VAGUE = 2.0  # uncertainty factor to report
SYMBOLS = {
    "stiffness": "k_a",
    "threshold": "τ_0",
    "hardening_rate": "a",
    "hardening_limit": "A∞",
    "wear_energy": "Γ",
    "wear_exponent": "γ",
}


def named(name: str) -> str:
    return f"{name} ({SYMBOLS[name]})"


def findings(
    problem: Problem,
    free: tuple[str, ...],
    values: Mapping[str, float],
    intervals: Mapping[str, tuple[float, float]],
    correlation: Array,
    residual: Array,
) -> tuple[str, ...]:
    """The remarks, a sentence or two each."""
    return (
        *_undetermined(problem, values),
        *_at_bounds(problem, free, values),
        *_vague(free, values, intervals),
        *_correlated(free, correlation),
        *_misfit(problem, residual),
    )


def _undetermined(problem: Problem, values: Mapping[str, float]) -> list[str]:
    """Parameters that the curve does not determine."""
    unknown = [name for name in PARAMETERS if math.isnan(values[name])]
    if "threshold" in unknown:
        return [
            "The curve is a straight line: the elastic limit was not reached and the interface "
            f"never slipped. Only stiffness can be determined; threshold (τ_0) is at least "
            f"{problem.size / problem.area:.4g} N/m². Push further to determine "
            f"{', '.join(named(name) for name in unknown if name != 'threshold')}."
        ]
    remarks = []
    if any(name in unknown for name in HARDENING):
        remarks.append(
            "Hardening is not visible above the noise: "
            f"{_list(unknown, HARDENING)} cannot be determined (hardening_limit 0 fits as well)."
        )
    if any(name in unknown for name in WEAR):
        remarks.append(
            f"Wear is not visible above the noise: {_list(unknown, WEAR)} cannot be determined. "
            "Push past the peak of the force, or through more cycles."
        )
    return remarks


def _list(unknown: list[str], among: tuple[str, ...]) -> str:
    return " and ".join(named(name) for name in among if name in unknown)


def _at_bounds(problem: Problem, free: tuple[str, ...], values: Mapping[str, float]) -> list[str]:
    remarks = []
    for name in free:
        low, high = problem.box[name]
        for side, edge in (("lower", low), ("upper", high)):
            if abs(math.log(values[name] / edge)) < 1e-4:
                remarks.append(
                    f"{named(name)} is at its {side} bound, {edge:.4g}: its interval is not "
                    "reliable. Widen the bounds."
                )
    return remarks


def _vague(
    free: tuple[str, ...], values: Mapping[str, float], intervals: Mapping[str, tuple[float, float]]
) -> list[str]:
    remarks = []
    for name in free:
        factor = intervals[name][1] / values[name]
        if factor > VAGUE:
            known = f"{factor:.2g}" if factor < 1e4 else "10⁴ or more"
            remarks.append(
                f"{named(name)} is poorly determined: its 95 % interval spans a factor of {known}."
            )
    return remarks


def strong_correlations(free: tuple[str, ...], correlation: Array) -> dict[tuple[str, str], float]:
    """Pairs of fitted parameters whose absolute correlation is 0.9 or more."""
    pairs = combinations(enumerate(free), 2)
    found = {(a, b): float(correlation[i, j]) for (i, a), (j, b) in pairs}
    return {pair: rho for pair, rho in found.items() if abs(rho) >= STRONG}


def _correlated(free: tuple[str, ...], correlation: Array) -> list[str]:
    return [
        f"{named(a)} and {named(b)} are strongly correlated, {rho:+.3f}: a larger one with "
        f"{'a larger' if rho > 0 else 'a smaller'} other fits almost as well. Fix one if you "
        "know it."
        for (a, b), rho in strong_correlations(free, correlation).items()
    ]


def _misfit(problem: Problem, residual: Array) -> list[str]:
    """Correlated residuals are a misfit of the law, not noise."""
    n, total = len(residual), float(np.sum(residual**2))
    if n < 20 or total < (1e-6 * problem.size) ** 2 * n:
        return []
    lag = float(np.sum(residual[1:] * residual[:-1])) / total
    if lag < max(0.3, 3 / math.sqrt(n)):
        return []
    return [
        f"Neighbouring residuals are correlated ({lag:.2f}): the law misses part of the curve, or "
        "the noise is slow. The intervals assume independent noise and are too narrow here."
    ]
