"""The time step that makes an impact cost what it should (D'Altri et al. 2024, Eqs. 6, 9 and 10):

    Δt = −A1 (R h/b)^A2 k_n^A3 ln r.

A law says where it was fitted and how far the r that comes out may be from the wanted one. Those
with a name are in `laws.py`.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rocksteady.bodies import Block
from rocksteady.theories.dissipation.rule import OPTIMAL, Rule

LARGE_ERROR = 0.02  # in r: what the law is worth mentioning for
MEASURE = (
    "Measure the r it gives with rs.measure_r, or find the step with rs.calibrate or "
    "`rocksteady calibrate block`."
)
MARGIN = 0.005  # by which a range may be passed, relative: 0.618 m counts as 0.62
BEDS = "Rubble or soil has about 1e8, stone on stone 1e9."  # advice on k_n


class Range(NamedTuple):
    """From where to where."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low * (1 - MARGIN) <= value <= self.high * (1 + MARGIN)

    def __str__(self) -> str:
        return f"{self.low:.3g} to {self.high:.3g}"


FITTED_SLENDERNESS, FITTED_R = Range(4.0, 10.0), Range(0.62, 6.04)  # Table 1; R in m
FITTED_BEDS, FITTED_RATIOS = Range(2.5e8, 25e8), Range(0.80, 0.99)  # k_n [N/m³], r

Rows = tuple[tuple[float, ...], ...]
Table = tuple[Rows, ...]
"""Of errors in r, by r (0.85, 0.95), then h/b (4, 7, 10), then k_n (2.5, 5, 10, 25 · 10⁸)."""

# The middles of r from 0.80 to 0.90 and from 0.91 to 0.99, the slendernesses and ln k_n.
_NODES = ((0.85, 0.95), (4.0, 7.0, 10.0), tuple(math.log(k_n) for k_n in (2.5e8, 5e8, 10e8, 25e8)))


@dataclass(frozen=True)
class TimeStepLaw:
    """Δt = −A1 (R h/b)^A2 k_n^A3 ln r [s], with R [m] and k_n [N/m³]."""

    name: str
    A1: float
    A2: float
    A3: float
    body: str
    """The body it was fitted to: ``"rigid"`` or ``"elastic"``."""
    spacing: float
    """Distance of the springs along the base of those bodies [m]."""
    r2: float
    """R² of the fit."""
    alpha_hht: float = OPTIMAL.alpha
    """α of the integration rule it was fitted to, with its usual β and γ."""
    slenderness: Range = FITTED_SLENDERNESS
    R: Range = FITTED_R
    k_n: Range = FITTED_BEDS
    r: Range = FITTED_RATIOS
    errors: Mapping[str, Table] = field(default_factory=dict, repr=False, compare=False)
    """For each body: root mean square of (r measured − r wanted) in free rocking at its steps."""

    def fits(self, rule: Rule) -> bool:
        """Whether it was fitted to runs by this integration rule."""
        return rule.usual and math.isclose(self.alpha_hht, rule.alpha)

    @property
    def A1_of_frequency(self) -> float:
        """A1 of the form in terms of p [rad/s] and α, Δt = −A1 (cot α/p²)^A2 k_n^A3 ln r (Eq. 10):
        R h/b = (3g/4) cot α/p² for a rectangle, with g = 9.81 m/s²."""
        return float(self.A1 * (0.75 * 9.81) ** self.A2)

    @property
    def coefficients(self) -> tuple[float, float, float]:
        """(A1, A2, A3)."""
        return self.A1, self.A2, self.A3

    def step(self, block: Block, k_n: float, r: float) -> float:
        """The time step [s]."""
        size = block.R * block.slenderness
        return float(-self.A1 * size**self.A2 * k_n**self.A3 * math.log(r))

    def expected_error(self, block: Block, k_n: float, r: float, body: str | None = None) -> float:
        """How far r is off, root mean square over blocks of this kind; nan outside the range of
        the fit, where nothing is known. ``body`` is the first of ``errors`` unless given."""
        table = self.errors.get(body or next(iter(self.errors), ""))
        if table is None or self.outside(block, k_n, r):
            return math.nan
        return _interpolate(table, (r, block.slenderness, math.log(k_n)), _NODES)

    def outside(self, block: Block, k_n: float, r: float) -> tuple[str, ...]:
        """What of the block, bed and r lies outside the range of the fit, in words."""
        found = (
            ("h/b", block.slenderness, self.slenderness, ""),
            ("R", block.R, self.R, " m"),
            ("k_n", k_n, self.k_n, " N/m³"),
            ("r", r, self.r, ""),
        )
        return tuple(
            f"{name} = {value:.3g}{unit} (fitted for {name} of {allowed})"
            for name, value, allowed, unit in found
            if not allowed.holds(value)
        )

    def advice(self, block: Block, k_n: float, r: float, body: str | None = None) -> str:
        """What to do where the law is beyond its range or known to miss, else ""."""
        fault = self.fault(block, k_n, r, body)
        return f"{fault} {MEASURE}" if fault else ""

    def fault(self, block: Block, k_n: float, r: float, body: str | None = None) -> str:
        """How the law is beyond its range or known to miss, in a sentence; else ""."""
        outside = self.outside(block, k_n, r)
        error = self.expected_error(block, k_n, r, body)
        if outside:
            stocky = block.slenderness < self.slenderness.low
            why = ": stocky blocks bounce, and lose much more" if stocky else ""
            return f"The law {self.name} was not fitted for {', '.join(outside)}{why}."
        if error > LARGE_ERROR:
            return (
                f"The law {self.name} misses r by about {error:.2f} for h/b = "
                f"{block.slenderness:.3g}, k_n = {k_n:.3g} N/m³ and r = {r:.3g}."
            )
        return ""


def _interpolate(
    table: Sequence[object], at: Sequence[float], nodes: Sequence[Sequence[float]]
) -> float:
    """Linear between the nodes of each axis, constant beyond the outermost."""
    if not at:
        return float(table)  # type: ignore[arg-type]
    x, places = at[0], nodes[0]
    i = min(max(bisect_right(places, x) - 1, 0), len(places) - 2)
    share = min(max((x - places[i]) / (places[i + 1] - places[i]), 0.0), 1.0)
    low, high = (_interpolate(table[j], at[1:], nodes[1:]) for j in (i, i + 1))  # type: ignore[arg-type]
    return low + share * (high - low)
