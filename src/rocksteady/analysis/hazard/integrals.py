"""The yearly rate of falls, λ_f = ∫ P(x) |dλ(x)|, exactly.

The hazard λ is straight in logarithms from point to point. Below its first point the rate is held,
so no shaking lies there; whatever is stronger than the last point counts with P of the last point.
"""

from typing import NamedTuple

import numpy as np

from rocksteady.analysis.hazard.curve import Hazard
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array


class Panels(NamedTuple):
    """Intervals in each of which ln λ and P are linear in ln x."""

    x: Array
    """(G,) their ends, in the measure's unit."""
    left: Array
    """(G−1,) yearly rate that each counts times P at its lower end [1/year]."""
    right: Array
    """(G−1,) the same at its upper end [1/year]."""
    beyond: float
    """Yearly rate of all that is stronger than the last end [1/year]."""

    def contributions(self, nodes: Array, shares: Array) -> Array:
        """(G,) what each interval adds to the rate [1/year]; last, what lies beyond them."""
        if not len(self.x):
            return np.zeros(1)
        at = shares_at(self.x, nodes, shares)
        return np.append(self.left * at[:-1] + self.right * at[1:], self.beyond * at[-1])


def panels(hazard: Hazard, nodes: Array, edges: Array | None = None) -> Panels:
    """The intervals between all points of the hazard, of P and of ``edges``, from the first node of
    P on; none where the hazard ends before that.

    With λ = λ₀e^−kt, t = ln(x/x₀) and y = kt at the end, an interval counts λ₀(1 − e^−y − B) times
    P at its lower and λ₀B times P at its upper end, B = [1 − (1 + y)e^−y]/y.
    """
    from scipy.special import gammainc

    if hazard.continued:
        low, high = nodes[0], nodes[-1]
    else:
        low, high = max(nodes[0], hazard.levels[0]), hazard.levels[-1]
    if low > high:
        return Panels(np.empty(0), np.empty(0), np.empty(0), 0.0)
    points = np.concatenate([hazard.levels, nodes, [] if edges is None else edges])
    x = np.unique(np.concatenate([[low, high], points[(points > low) & (points < high)]]))
    rates = hazard.rate(x)
    y = np.log(rates[:-1] / rates[1:])
    upper = rates[:-1] * np.divide(gammainc(2.0, y), y, out=np.zeros_like(y), where=y > 0)
    return Panels(x, -rates[:-1] * np.expm1(-y) - upper, upper, float(rates[-1]))


def shares_at(x: Array, nodes: Array, shares: Array) -> Array:
    """P at x: linear in ln x between the nodes, zero below the first, held above the last."""
    return np.interp(np.log(x), np.log(nodes), shares, left=0.0)


def node_weights(hazard: Hazard, nodes: Array) -> Array:
    """(J,) what a share of 1 at each node alone adds to the yearly rate [1/year]: the rate is their
    sum weighted by the shares."""
    every = panels(hazard, nodes)
    weights = np.zeros(len(nodes))
    if not len(every.x):
        return weights
    at = np.append(every.left, every.beyond)
    at[1:] += every.right
    place = np.interp(np.log(every.x), np.log(nodes), np.arange(len(nodes)))
    lower = place.astype(int)
    part = place - lower
    np.add.at(weights, lower, at * (1 - part))
    np.add.at(weights, np.minimum(lower + 1, len(nodes) - 1), at * part)
    return weights


# -- a lognormal curve -----------------------------------------------------------------------------


class LognormalRate(NamedTuple):
    """The yearly rate of a lognormal curve that is zero below a gate, in its two parts [1/year]."""

    at_gate: float
    """λ(gate) P(gate): whatever lifts the body off meets at least this probability."""
    above: float
    """∫ λ dP from the gate on."""
    continued: float
    """What the hazard would add if it went on above its last point as a power law."""

    @property
    def rate(self) -> float:
        """Both parts together [1/year]."""
        return self.at_gate + self.above


def lognormal_rate(hazard: Hazard, median: float, beta: float, gate: float = 0.0) -> LognormalRate:
    """The yearly rate for P(x) = Φ(ln(x/median)/beta) above a ``gate`` and 0 below it, exactly.

    A straight piece of the hazard, λ = k₀x^−k, gives k₀ median^−k e^{k²β²/2} [Φ(z₂ + kβ) −
    Φ(z₁ + kβ)], z = ln(x/median)/β. Over all levels and without a gate this is the closed form for
    a power law, k₀ median^−k e^{k²β²/2}.

    Examples
    --------
    >>> hazard = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
    >>> f"{lognormal_rate(hazard, median=0.6, beta=0.5).rate:.7e}"
    '5.1531270e-04'
    """
    from scipy.special import ndtr

    median, beta = positive("median", median), positive("beta", beta)
    gate = finite("gate", gate, minimum=0.0)
    levels, slopes = np.log(hazard.levels), hazard.slopes
    low, high = levels[:-1].copy(), levels[1:].copy()
    from_rate = np.log(hazard.rates[:-1])  # ln λ at `start`
    start = low.copy()
    if hazard.continued:
        low[0], high[-1] = -np.inf, np.inf
    else:  # below the first point the rate is held: a piece without a slope
        low, high = np.append(-np.inf, low), np.append(levels[0], high)
        start, from_rate = np.append(levels[0], start), np.append(from_rate[0], from_rate)
        slopes = np.append(0.0, slopes)
    first = np.log(gate) if gate > 0 else -np.inf
    low, high = np.maximum(low, first), np.maximum(high, first)
    pieces = [
        _piece(a, b, x, rate, k, np.log(median), beta)
        for a, b, x, rate, k in zip(low, high, start, from_rate, slopes, strict=True)
    ]
    end = levels[-1]
    more = (
        0.0
        if hazard.continued
        else _piece(max(end, first), np.inf, end, np.log(hazard.rates[-1]), slopes[-1],
                    np.log(median), beta)
    )  # fmt: skip
    at_gate = 0.0
    if gate > 0 and (hazard.continued or first <= end):
        at_gate = float(hazard.rate(gate)) * float(ndtr((first - np.log(median)) / beta))
    return LognormalRate(at_gate, float(np.sum(pieces)), more)


def _piece(
    low: float, high: float, start: float, log_rate: float, k: float, centre: float, beta: float
) -> float:
    """∫ λ dP over ln x from ``low`` to ``high``, ln λ = ``log_rate`` − k(ln x − ``start``); by
    logarithms, which neither overflow on steep hazards nor cancel in the tails."""
    from scipy.special import log_ndtr

    if not low < high:
        return 0.0
    a, b = ((end - centre) / beta + k * beta for end in (low, high))
    if a > 0:
        a, b = -b, -a  # Φ(b) − Φ(a) = Φ(−a) − Φ(−b)
    less, more = log_ndtr(a), log_ndtr(b)
    difference = more + np.log1p(-np.exp(less - more))
    return float(np.exp(log_rate + k * (start - centre) + (k * beta) ** 2 / 2 + difference))


def check_same_measure(hazard: Hazard, measure: object, column: str) -> None:
    """Refuse a hazard in another measure than the body's levels."""
    if hazard.measure != measure:
        raise InputError(
            f"The hazard is one of {hazard.measure.column} and the body's levels are {column}: run "
            f"the body at levels of the hazard's measure, {hazard.measure.short}, or give a hazard "
            f"curve of the other."
        )
