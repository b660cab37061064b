"""What an identification says in words: what a curve cannot determine, and what to mistrust."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np

from rocksteady.analysis.identification.fit import HARDENING, PARAMETERS, WEAR, Problem
from rocksteady.formulations.contract import Array

STRONG = 0.9  # correlation worth a sentence
VAGUE = 2.0  # a parameter known only within this factor is worth one, too
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
    """One sentence each."""
    return (
        *_unseen(problem, values),
        *_at_bounds(problem, free, values),
        *_vague(free, values, intervals),
        *_correlated(free, correlation),
        *_misfit(problem, residual),
    )


def _unseen(problem: Problem, values: Mapping[str, float]) -> list[str]:
    """What the curve does not show at all."""
    lost = [name for name in PARAMETERS if math.isnan(values[name])]
    if "threshold" in lost:
        return [
            "The curve is a straight line: the elastic limit was not reached and the interface "
            f"never slipped. Only stiffness can be determined; threshold (τ_0) is at least "
            f"{problem.size / problem.area:.4g} N/m². Push further to learn "
            f"{', '.join(named(name) for name in lost if name != 'threshold')}."
        ]
    said = []
    if any(name in lost for name in HARDENING):
        said.append(
            "Hardening is not visible above the noise: "
            f"{_list(lost, HARDENING)} cannot be determined (hardening_limit 0 fits as well)."
        )
    if any(name in lost for name in WEAR):
        said.append(
            f"Wear is not visible above the noise: {_list(lost, WEAR)} cannot be determined. Push "
            "past the peak of the force, or through more cycles."
        )
    return said


def _list(lost: list[str], among: tuple[str, ...]) -> str:
    return " and ".join(named(name) for name in among if name in lost)


def _at_bounds(problem: Problem, free: tuple[str, ...], values: Mapping[str, float]) -> list[str]:
    said = []
    for name in free:
        low, high = problem.box[name]
        for side, edge in (("lower", low), ("upper", high)):
            if abs(math.log(values[name] / edge)) < 1e-4:
                said.append(
                    f"{named(name)} is at its {side} bound, {edge:.4g}: its interval means little. "
                    "Widen the bounds, or fix it."
                )
    return said


def _vague(
    free: tuple[str, ...],
    values: Mapping[str, float],
    intervals: Mapping[str, tuple[float, float]],
) -> list[str]:
    said = []
    for name in free:
        factor = intervals[name][1] / values[name]
        if factor > VAGUE:
            known = f"{factor:.2g}" if factor < 1e4 else "10⁴ or more"
            said.append(
                f"{named(name)} is hardly determined: 95 % interval within a factor {known}."
            )
    return said


def strong_correlations(free: tuple[str, ...], correlation: Array) -> dict[tuple[str, str], float]:
    """Pairs of fitted parameters whose correlation is 0.9 or more in size."""
    pairs = combinations(enumerate(free), 2)
    found = {(a, b): float(correlation[i, j]) for (i, a), (j, b) in pairs}
    return {pair: rho for pair, rho in found.items() if abs(rho) >= STRONG}


def _correlated(free: tuple[str, ...], correlation: Array) -> list[str]:
    return [
        f"{named(a)} and {named(b)} are strongly correlated, {rho:+.3f}: a larger one with "
        f"{'a larger' if rho > 0 else 'a smaller'} other fits almost as well. Fix one that is "
        "known otherwise."
        for (a, b), rho in strong_correlations(free, correlation).items()
    ]


def _misfit(problem: Problem, residual: Array) -> list[str]:
    """Residuals that follow each other are a misfit of the law, not noise."""
    n, total = len(residual), float(np.sum(residual**2))
    if n < 20 or total < (1e-6 * problem.size) ** 2 * n:
        return []
    lag = float(np.sum(residual[1:] * residual[:-1])) / total
    if lag < max(0.3, 3 / math.sqrt(n)):
        return []
    return [
        f"Neighbouring residuals are correlated ({lag:.2f}): the law misses part of the curve, or "
        "the noise is slow. The intervals count independent noise only and are too narrow here."
    ]
