"""The time step that makes an impact cost what it should (D'Altri et al. 2024, Eqs. 6, 9 and 10):

    Δt = −A1 (R h/b)^A2 k_n^A3 ln r.

The paper's law, and those fitted here by the same campaign of 1600 runs with the bodies of
:class:`rocksteady.NumericalDissipation` (`analysis/timestep.py`). Each says where it was fitted and
how far the r that comes out may be from the wanted one.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rocksteady.errors import InputError
from rocksteady.numbers import positive, real
from rocksteady.systems import Block
from rocksteady.systems.system import expect

FORMS = {"size": "Eq. 9, with R h/b", "frequency": "Eq. 10, with p and α"}
LARGE_ERROR = 0.02  # in r: what the law is worth mentioning for
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
    slenderness: Range = FITTED_SLENDERNESS
    R: Range = FITTED_R
    k_n: Range = FITTED_BEDS
    r: Range = FITTED_RATIOS
    errors: Mapping[str, Table] = field(default_factory=dict, repr=False, compare=False)
    """For each body: root mean square of (r measured − r wanted) in free rocking at its steps."""

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
        """A sentence for the user where the law is beyond its range or known to miss; else ""."""
        outside = self.outside(block, k_n, r)
        error = self.expected_error(block, k_n, r, body)
        measure = (
            "Measure the r it gives with rs.measure_r, or find the step with rs.calibrate or "
            "`rocksteady calibrate block`."
        )
        if outside:
            stocky = "stocky blocks bounce, and lose much more. "
            why = stocky if block.slenderness < self.slenderness.low else ""
            return f"The law {self.name} was not fitted for {', '.join(outside)}: {why}{measure}"
        if error > LARGE_ERROR:
            return (
                f"The law {self.name} misses r by about {error:.2f} for h/b = "
                f"{block.slenderness:.3g}, k_n = {k_n:.3g} N/m³ and r = {r:.3g}. {measure}"
            )
        return ""


@dataclass(frozen=True)
class TimeStep:
    """A time step, the law it comes from, and how far to trust it. `float` of it is ``dt``, so that
    it may be given where a step in seconds is asked for."""

    dt: float
    """The step [s]."""
    law: TimeStepLaw
    outside: tuple[str, ...]
    """What lies outside the range of the fit; empty where all is well."""
    advice: str
    """What to do about it, in a sentence; empty where nothing is."""
    expected_error_r: float = field(compare=False)  # nan is not equal to itself
    """Root mean square error in r to expect; nan outside the fit's range."""

    @property
    def valid(self) -> bool:
        """Whether block, bed and r are within the range of the fit."""
        return not self.outside

    def __float__(self) -> float:
        return self.dt


def time_step(
    block: Block,
    k_n: float = 5e8,
    r: float | None = None,
    *,
    law: str | TimeStepLaw = "daltri2024",
    form: str = "size",
    body: str | None = None,
) -> TimeStep:
    """Time step with which an impact of ``block`` keeps the share ``r`` of its energy: ``dt`` [s],
    ``law``, ``valid``, ``outside`` (what is beyond the range of the fit), ``expected_error_r`` and
    ``advice`` (a sentence, or empty).

    Parameters
    ----------
    block
        The block. The laws were fitted to rectangles with h/b from 4 to 10 and R from 0.6 to 6 m.
    k_n
        Normal stiffness of the bed [N/m³]; fitted from 2.5e8 to 25e8.
    r
        Ratio of kinetic energies after and before an impact, in (0, 1); Housner's for the block
        unless given. Fitted from 0.80 to 0.99.
    law
        Which law, by name: ``"daltri2024"``, the paper's, or ``"rocksteady-rigid"`` and
        ``"rocksteady-elastic"``, fitted to our bodies; or one of your own.
    form
        ``"size"``: Eq. 9, Δt = −2.238 (R h/b)^0.629 k_n^−0.205 ln r. ``"frequency"``: Eq. 10, the
        same in terms of p [rad/s] and α, −7.851 (cot α/p²)^0.629 k_n^−0.205 ln r. For a rectangle
        they differ by 0.025 %, the rounding of the printed constants.
    body
        The body for which to say what error in r to expect: ``"rigid"`` or ``"elastic"``; unless
        given the law's own, and the rigid one for the paper's law.
    """
    expect(block, Block, "A time step", ": the law was fitted to blocks")
    positive("k_n", k_n, "N/m³", BEDS)
    r = block.r if r is None else r
    if not 0 < real(r) < 1:
        raise InputError(
            f"r = {r!r} is not allowed: the law gives a time step for 0 < r < 1 only (no step can "
            "keep all energy, nor lose it all). Give r= a value measured or assumed, e.g. 0.9."
        )
    r, chosen = float(r), law_named(law)
    if body not in (None, "rigid", "elastic"):
        raise InputError(f"body = {body!r} is not known: give 'rigid' or 'elastic'.")
    if form == "size":
        dt = chosen.step(block, k_n, r)
    elif form == "frequency":
        if chosen != LAWS["daltri2024"]:
            raise InputError(f"form = 'frequency' is the paper's Eq. 10: not for {chosen.name!r}.")
        size = 1 / (math.tan(block.alpha) * block.p**2)
        dt = -7.851 * size**chosen.A2 * k_n**chosen.A3 * math.log(r)
    else:
        raise InputError(f"form = {form!r} is not known: choose from {FORMS}.")
    return TimeStep(
        dt,
        law=chosen,
        outside=chosen.outside(block, k_n, r),
        advice=chosen.advice(block, k_n, r, body),
        expected_error_r=chosen.expected_error(block, k_n, r, body),
    )


def law_named(law: str | TimeStepLaw) -> TimeStepLaw:
    """The law of this name; a law itself is handed back."""
    if isinstance(law, TimeStepLaw):
        return law
    if not isinstance(law, str) or law not in LAWS:
        raise InputError(f"law = {law!r} is not known: choose from {', '.join(LAWS)}.")
    return LAWS[law]


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


# -- the laws: coefficients from regressions, errors from free rocking at their steps ------------
# Of the elastic body (E = 30 GPa) every second r was measured.

_PAPER_RIGID = (
    (0.0094, 0.0121, 0.0199, 0.0337),
    (0.0146, 0.0130, 0.0169, 0.0195),
    (0.0096, 0.0091, 0.0136, 0.0171),
    (0.0061, 0.0130, 0.0217, 0.0398),
    (0.0038, 0.0024, 0.0027, 0.0035),
    (0.0030, 0.0024, 0.0020, 0.0025),
)
_PAPER_ELASTIC = (
    (0.0094, 0.0127, 0.0199, 0.0341),
    (0.0152, 0.0139, 0.0203, 0.0244),
    (0.0100, 0.0071, 0.0129, 0.0201),
    (0.0056, 0.0123, 0.0201, 0.0364),
    (0.0047, 0.0033, 0.0036, 0.0041),
    (0.0030, 0.0019, 0.0013, 0.0051),
)
_OWN_RIGID = (
    (0.0104, 0.0101, 0.0172, 0.0273),
    (0.0152, 0.0176, 0.0218, 0.0283),
    (0.0104, 0.0098, 0.0125, 0.0203),
    (0.0056, 0.0113, 0.0187, 0.0341),
    (0.0045, 0.0035, 0.0046, 0.0056),
    (0.0030, 0.0024, 0.0022, 0.0051),
)
_OWN_ELASTIC = (
    (0.0107, 0.0106, 0.0154, 0.0246),
    (0.0151, 0.0150, 0.0208, 0.0253),
    (0.0099, 0.0089, 0.0088, 0.0193),
    (0.0051, 0.0101, 0.0169, 0.0331),
    (0.0049, 0.0040, 0.0050, 0.0067),
    (0.0034, 0.0021, 0.0021, 0.0059),
)


def _errors(**bodies: Rows) -> dict[str, Table]:
    """The tables of errors; a row for each h/b, first with r = 0.85, then with 0.95."""
    return {body: (rows[:3], rows[3:]) for body, rows in bodies.items()}


_LAWS = (  # name, A1, A2, A3, body, spacing [m], R²
    TimeStepLaw(
        *("daltri2024", 2.238, 0.629, -0.205, "elastic", 0.1, 0.970),
        errors=_errors(rigid=_PAPER_RIGID, elastic=_PAPER_ELASTIC),
    ),
    TimeStepLaw(
        *("rocksteady-rigid", 3.9837, 0.63464, -0.23610, "rigid", 0.1, 0.9553),
        errors=_errors(rigid=_OWN_RIGID),
    ),
    TimeStepLaw(
        *("rocksteady-elastic", 3.0866, 0.65179, -0.22499, "elastic", 0.1, 0.9553),
        errors=_errors(elastic=_OWN_ELASTIC),
    ),
)
LAWS: Mapping[str, TimeStepLaw] = {law.name: law for law in _LAWS}
