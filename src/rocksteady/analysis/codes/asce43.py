"""ASCE/SEI 43-05, Appendix A: rocking by reserve energy, and sliding, of an unanchored rigid body.

Only the opening of the appendix was read: the steps, the effective friction (eqs A-1 and A-2), the
sliding distance (A-3) and the names in the capacity (A-5). The formulas of the capacity, of the
effective frequency and of the damping were recalled and then derived for a rigid block: energy at
rest at the angle θ, its inertia about the toe, Housner's loss at an impact. Compare them with the
standard before you sign. The factors of safety of its section 7 are not applied. Neither check has
a verdict: that is the standard's, and we do not have its text.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from rocksteady.analysis.codes.result import INPUT, Check, Limit, Line
from rocksteady.analysis.codes.settings import NotApplicableError, Settings
from rocksteady.analysis.codes.site import Site, bears
from rocksteady.bodies import Block
from rocksteady.numerics.types import Array

TITLE = "After ASCE 43-05, Appendix A"
ROCKING = "our derivation after ASCE 43"
SLIDING = "our reading of ASCE 43, A.1"
UNREAD = "we do not have the text of ASCE 43, and {part} our own derivation"
DERIVED = "A.2, derived"
_ANGLES = 400  # at which demand and capacity are compared
_PERIODS = np.geomspace(0.01, 40.0, 2000)  # s: where sliding is looked for


@dataclass(frozen=True)
class Rocking:
    """The numbers of the method at a rotation θ [rad] (A.2)."""

    theta: float
    a: float
    height: float
    """h: height of the centroid [m]."""
    C_I: float
    """Inertia about the toe over m h² [-]: 4/3 (1 + a²) for a rectangle."""
    vertical: float
    g: float

    @property
    def f1(self) -> float:
        """cos θ + a sin θ − 1: the centroid's rise over h (A-5a)."""
        return math.cos(self.theta) + self.a * math.sin(self.theta) - 1

    @property
    def f2(self) -> float:
        """sin θ + a (1 − cos θ): its way over h (A-5b)."""
        return math.sin(self.theta) + self.a * (1 - math.cos(self.theta))

    @property
    def F_V(self) -> float:
        """√(1 + a² (SA_V/SA_H)²) (A-5c)."""
        return math.sqrt(1 + (self.a * self.vertical) ** 2)

    @property
    def capacity(self) -> float:
        """Horizontal spectral acceleration that it bears at θ [m/s²] (A-5)."""
        return 2 * self.g * self.f1 / (self.F_V * self.f2)

    @property
    def C_R(self) -> float:
        """Angular velocity after over before an impact: 1 − 2a²/C_I, Housner's η."""
        return 1 - 2 * self.a**2 / self.C_I

    @property
    def frequency(self) -> float:
        """Effective frequency f_e [Hz]."""
        return math.sqrt(2 * self.f1 * self.g / (self.C_I * self.theta**2 * self.height)) / (
            2 * math.pi
        )

    @property
    def damping(self) -> float:
        """Effective damping β_e = γ/√(4π² + γ²), γ = −2 ln C_R."""
        gamma = -2 * math.log(self.C_R)
        return gamma / math.sqrt(4 * math.pi**2 + gamma**2)


def at_angle(body: Block, theta: float, vertical: float = 0.0) -> Rocking:
    """The method's numbers for a body at the rotation ``theta`` [rad].

    >>> import rocksteady as rs
    >>> statue = rs.Block(height=1.8, width=0.5)
    >>> half = at_angle(statue, statue.alpha / 2)
    >>> round(half.capacity / 9.81, 7), round(half.frequency, 7)
    (0.4121085, 0.7707116)
    """
    a = body.weak_side.b / body.com_height
    C_I = body.weak_side.inertia / (body.mass * body.com_height**2)
    made = Rocking(theta, a, body.com_height, C_I, vertical, body.g)
    if not made.C_R > 0:
        raise NotApplicableError(
            f"ASCE 43's loss at an impact leaves C_R = {made.C_R:.3g}: the body is too stocky "
            f"(b/h = {a:.3g}) to rock."
        )
    return made


def rocking(body: Block, site: Site, settings: Settings | None = None) -> Check:
    """The rotation at which capacity equals demand, and the a_g at which that is α (A.2)."""
    chosen = settings or Settings()
    angles = np.linspace(body.alpha / _ANGLES, body.alpha, _ANGLES)
    edge = at_angle(body, body.alpha, chosen.vertical)

    def at_edge(s: Site) -> float:
        return float(s.acceleration(1 / edge.frequency, edge.damping))

    lifts = bears(site, Site.peak, body.g * edge.a)
    overturns = bears(site, at_edge, edge.capacity)
    final = max(overturns, lifts)
    theta = _rotation(body, site, chosen, angles)
    part = "Rotation"
    known = at_angle(body, theta, chosen.vertical) if 0 < theta < math.inf else edge
    # At small rotations capacity is what lifts it off and demand is the peak of the ground.
    none = "none: it does not lift off; numbers at α"
    where = {0.0: none, math.inf: "beyond α: overturns; numbers at α"}
    lines = [
        *_inputs(body, site, chosen),
        Line(
            "θ_0", f"rotation, {where.get(theta, 'capacity = demand')}", theta, "rad", "A.2", part
        ),
        *_step_lines(known, site, part),
        Line(
            "SA_cap(α)",
            "capacity at the point of balance",
            edge.capacity,
            "m/s²",
            "A-5",
            "Overturning",
        ),
        Line("f_e(α)", "effective frequency there", edge.frequency, "Hz", DERIVED, "Overturning"),
        Line("a_g(α)", "at which the demand reaches it", overturns, "g", "A.2", "Overturning"),
        Line("a_g,lifts", "at which the peak reaches a g", lifts, "g", DERIVED, "Overturning"),
        Line("a_g,lim", "the larger of the two", final, "g", "A.2", "Overturning"),
    ]
    notes = (
        "The formulas of capacity, frequency and damping were derived for a rigid block and not "
        "compared with the standard's text [A.2].",
        "It is not on the safe side for tall slender bodies: at its a_g on ground B, 20 of 28 "
        "records carried a block of 4.2 × 0.6 m to its balance, and 18 one of 8 × 0.6 m [runs].",
        "θ_0 is the best estimate; the standard's factors of safety are not applied [section 7].",
        *_floor_note(site),
    )
    unread = UNREAD.format(part="the formulas are")
    limits = (Limit("overturning, best estimate", final, site.ag, "A.2", undecided=unread),)
    title = f"{TITLE}, rocking, derived by us"
    return Check("asce43", title, ROCKING, body.label, tuple(lines), limits, notes)


def _rotation(body: Block, site: Site, chosen: Settings, angles: Array) -> float:
    """The largest θ [rad] at which demand falls to capacity; 0 where it is below throughout, inf
    where the body overturns."""

    def excess(theta: float) -> float:
        step = at_angle(body, theta, chosen.vertical)
        return float(site.acceleration(1 / step.frequency, step.damping)) - step.capacity

    if site.peak() <= body.g * body.weak_side.b / body.com_height:
        return 0.0  # it does not lift off
    if excess(float(angles[-1])) > 0:
        return math.inf
    for low, high in zip(angles[-2::-1], angles[:0:-1], strict=True):
        if excess(float(low)) > 0:
            return float(brentq(excess, low, high, xtol=1e-14))
    return 0.0


def _inputs(body: Block, site: Site, chosen: Settings) -> list[Line]:
    part, a = "The body", body.weak_side.b / body.com_height
    return [
        Line("h", "height of the centroid", body.com_height, "m", INPUT, part),
        Line("b", "centroid to the toe, horizontally", body.weak_side.b, "m", INPUT, part),
        Line("a", "b/h", a, "", "A.2", part),
        Line("α", "rotation at which it balances", body.alpha, "rad", "A.2", part),
        *site.lines("The action"),
        Line("SA_V/SA_H", "vertical over horizontal", chosen.vertical, "", INPUT, "The action"),
    ]


def _step_lines(step: Rocking, site: Site, part: str) -> list[Line]:
    demand = float(site.acceleration(1 / step.frequency, step.damping))
    return [
        Line("f_1", "cos θ + a sin θ − 1", step.f1, "", "A-5(a)", part),
        Line("f_2", "sin θ + a (1 − cos θ)", step.f2, "", "A-5(b)", part),
        Line("F_V", "√(1 + a² (SA_V/SA_H)²)", step.F_V, "", "A-5(c)", part),
        Line("SA_cap", "2 g f_1 / (F_V f_2)", step.capacity, "m/s²", "A-5", part),
        Line("C_I", "I_toe/(m h²), of a rectangle 4/3 (1 + a²)", step.C_I, "", DERIVED, part),
        Line("C_R", "1 − 2 a²/C_I", step.C_R, "", DERIVED, part),
        Line("f_e", "√(2 f_1 g/(C_I θ² h)) / 2π", step.frequency, "Hz", DERIVED, part),
        Line("β_e", "γ/√(4π² + γ²), γ = −2 ln C_R", step.damping, "", DERIVED, part),
        Line("SA(f_e, β_e)", "demand", demand, "m/s²", "A.2", part),
    ]


def sliding(body: Block, site: Site, settings: Settings) -> Check:
    """The distance that it slides, and the a_g at which it begins to, or slides too far (A.1)."""
    chosen = settings
    if chosen.friction is None:
        raise NotApplicableError("Sliding needs the coefficient of friction: give friction.")
    mu_e, c_s = _friction(site, chosen)
    distance = _distance(site, chosen)

    def pushes(s: Site) -> float:
        return s.peak() / (_friction(s, chosen)[0] * s.g)

    begins = bears(site, pushes, 1.0)
    part = "Sliding"
    lines = [
        *site.lines("The action"),
        Line("μ", "coefficient of friction", chosen.friction, "", INPUT, part),
        Line("A_V/A_H", "vertical over horizontal peak", chosen.vertical, "", INPUT, part),
        Line("F_H", "both horizontal components over one", chosen.horizontal, "", INPUT, part),
        Line("μ_e", "μ (1 − 0.4 A_V/g)", mu_e, "", "A-1", part),
        Line("c_s", "2 μ_e g", c_s, "m/s²", "A-2", part),
        Line(
            "δ_s", "c_s/(2π f)² at the lowest f with SA_VH(10 %) = c_s", distance, "m", "A-3", part
        ),
        Line("a_g,slides", "at which the peak reaches μ_e g", begins, "g", "A-1", part),
    ]
    unread = UNREAD.format(part="F_H is")
    limits = [Limit("sliding, onset", begins, site.ag, "A-1", undecided=unread)]
    if chosen.clearance is not None:
        far = bears(site, lambda s: _distance(s, chosen), chosen.clearance)
        lines += [
            Line("δ_lim", "distance that it may slide", chosen.clearance, "m", INPUT, part),
            Line("a_g,lim", "at which δ_s reaches it", far, "g", "A-3", part),
        ]
        limits = [Limit("sliding, distance", far, site.ag, "A-3", undecided=unread)]
    notes = (
        "δ_s is biased to the safe side [A.1]. F_H is yours: its formula was not read [A-4].",
        *_floor_note(site),
    )
    title = f"{TITLE}, sliding, read in part"
    return Check("asce43-sliding", title, SLIDING, body.label, tuple(lines), tuple(limits), notes)


def _friction(site: Site, chosen: Settings) -> tuple[float, float]:
    """μ_e (A-1) and c_s (A-2)."""
    assert chosen.friction is not None
    lifted = 0.4 * chosen.vertical * site.peak() / site.g
    mu_e = chosen.friction * max(1 - lifted, 0.0)
    return mu_e, 2 * mu_e * site.g


def _distance(site: Site, chosen: Settings) -> float:
    """δ_s [m] (A-3); 0 where the peak does not reach the friction."""
    mu_e, c_s = _friction(site, chosen)
    if site.peak() <= mu_e * site.g:
        return 0.0
    demand = chosen.horizontal * np.asarray(site.acceleration(_PERIODS, 0.10))
    above = np.flatnonzero(demand >= c_s)
    if not above.size:
        return 0.0
    last = int(above[-1])  # the lowest frequency

    def excess(T: float) -> float:
        return chosen.horizontal * float(site.acceleration(T, 0.10)) - c_s

    T = float(_PERIODS[last])
    if last + 1 < len(_PERIODS) and excess(T) > 0:
        T = float(brentq(excess, T, float(_PERIODS[last + 1]), xtol=1e-14))
    return c_s * (T / (2 * math.pi)) ** 2


def _floor_note(site: Site) -> tuple[str, ...]:
    if not site.above:
        return ()
    return (
        "The standard asks for in-structure spectra from an analysis; those of C7.2.5 to C7.2.10 "
        "were used instead [A.2].",
    )
