"""Circolare 7/2019 to the Italian code NTC 2018, C8.7.1.2.1: kinematic analysis, linear with a
behaviour factor and nonlinear in displacements.

Read in a transcription of the official text (Circolare 21 gennaio 2019, n. 7 C.S.LL.PP.). The
circular of 2009 (T_s from d_s = 0.4 d_u, d_u = 0.4 d_0) is superseded and not offered.
"""

import math

import numpy as np

from rocksteady.analysis.codes.mechanism import SHARE, Mechanism
from rocksteady.analysis.codes.result import INPUT, Capacity, Check, Limit, Line
from rocksteady.analysis.codes.settings import Settings
from rocksteady.analysis.codes.site import Site, bears, clauses_of
from rocksteady.bodies import Block
from rocksteady.motion.code_spectra import Ntc2018

TITLE = "Circolare 7/2019 (NTC 2018), kinematic analysis"
SHORT = "Circolare 2019, kinematic"
DAMPING = {"SLV": 0.08, "SLC": 0.10}  # C8.7.1.2.1.8
PERIOD = {"SLV": 1.68, "SLC": 1.56}  # times π √(d/a): C8.7.1.10 and 11
PERIOD_CLAUSE = {"SLV": "C8.7.1.10", "SLC": "C8.7.1.11"}
CANTILEVER = 6.2  # κ of C8.7.1.7
_POINTS = 120  # of each curve in the figure


def kinematic(body: Block | Mechanism, site: Site, settings: Settings | None = None) -> Check:
    """Check a block about its toe, or any mechanism, by C8.7.1.2.1.5, 7 and 8.

    ``site.ag`` is that of the SLV; those of SLD and SLC are in the settings.
    """
    chosen = settings or Settings()
    chain = body if isinstance(body, Mechanism) else Mechanism.of_block(body, chosen.e_star)
    lines = [*_body_lines(body), *site.lines("The action"), *_chain_lines(chain, chosen, site.g)]
    damage, sld = _damage(body, chain, site, chosen)
    lines += damage
    linear = chosen.q * sld  # C8.7.1.2.1.7
    lines += [
        Line("q", "behaviour factor of the mechanism", chosen.q, "", "C8.7.1.2.1.7", "SLV, linear"),
        Line("q a_g,SLD", "a_g at the limit", linear, "g", "C8.7.1.2.1.7", "SLV, linear"),
    ]
    limits = [
        Limit("SLD", sld, _given(chosen.ag_sld), "C8.7.1.2.1.5"),
        Limit(f"SLV, linear, q = {chosen.q:g}", linear, site.ag, "C8.7.1.2.1.7"),
    ]
    points = {}
    for state in ("SLV", "SLC"):
        said, bearing, points[state] = _nonlinear(state, body, chain, site, chosen, sld)
        lines += said
        required = site.ag if state == "SLV" else _given(chosen.ag_slc)
        limits.append(Limit(f"{state}, nonlinear", bearing, required, "C8.7.1.2.1.8"))
    label = "kinematic chain" if isinstance(body, Mechanism) else body.label
    notes = _notes(site, chosen)
    capacity = _drawing(body, chain, site, chosen, points)
    return Check("circolare", TITLE, SHORT, label, tuple(lines), tuple(limits), notes, capacity)


def _given(value: float | None) -> float:
    return math.nan if value is None else value


def _body_lines(body: Block | Mechanism) -> list[Line]:
    if isinstance(body, Mechanism):
        return []
    side = body.weak_side
    return [
        Line("h", "height of the centroid", body.com_height, "m", INPUT, "The body"),
        Line("b", "centroid to the toe, horizontally", side.b, "m", INPUT, "The body"),
    ]


def _chain_lines(chain: Mechanism, chosen: Settings, g: float) -> list[Line]:
    part = "The mechanism"
    first = chain.alpha0 * g / (chain.e_star * chosen.fc)
    ratio = "b/h" if chain.rotation is not None else "[ΣPδ_y − ΣFδ_F + L_i] / Σ(P+Q)δ_x"
    why = "crushing is modelled" if chosen.crushing else "LC1, since crushing is neglected"
    return [
        Line("α_0", f"multiplier that starts it, {ratio}", chain.alpha0, "", "C8.7.1.1", part),
        Line("e*", f"participating mass: {chain.words}", chain.e_star, "", "C8.7.1.5", part),
        Line("FC", f"confidence factor: {why}", chosen.fc, "", "C8.7.1.2.1.3", part),
        Line("a_0", "α_0 g / (e* FC)", first, "m/s²", "C8.7.1.3", part),
        Line("d_0", "where the capacity vanishes", chain.d0, "m", "C8.7.1.4", part),
    ]


def _accelerates(chain: Mechanism, chosen: Settings, g: float, d: float, T_0: float) -> float:
    """a(d) of the capacity curve [m/s²]: C8.7.1.3, and C8.7.1.6 before the mechanism starts."""
    rocks = float(chain.multiplier(d, chosen.curve)) * g / (chain.e_star * chosen.fc)
    return min(rocks, 4 * math.pi**2 * d / T_0**2) if T_0 else rocks


def elastic_period(body: Block | Mechanism, chosen: Settings) -> float:
    """T_0 = κ λ L √(W/(E g)) [s] of a cantilever that is free to vibrate; 0 where rigid
    (C8.7.1.7). W/g is the density."""
    if chosen.modulus is None or isinstance(body, Mechanism):
        return 0.0
    slenderness = body.height / body.width
    density = body.mass / (body.height * body.width * body.thickness)
    return CANTILEVER * slenderness * body.height * math.sqrt(density / chosen.modulus)


def _damage(
    body: Block | Mechanism, chain: Mechanism, site: Site, chosen: Settings
) -> tuple[list[Line], float]:
    """The lines of the SLD, and its a_g [g]."""
    part = "SLD"
    capacity = chain.alpha0 * site.g / (chain.e_star * chosen.fc)
    T_0 = elastic_period(body, chosen)
    if T_0:
        demand = float(site.acceleration(T_0, 0.05))
        sld = bears(site, lambda s: float(s.acceleration(T_0, 0.05)), capacity)
        assert chosen.modulus is not None
        said = [
            Line("E", "elastic modulus", chosen.modulus, "Pa", INPUT, part),
            Line("T_0", "κ λ L √(W/(E g)), κ of a cantilever", T_0, "s", "C8.7.1.7", part),
            Line("S_eZ(T_0)", "demand, damping 5 %", demand, "m/s²", "C8.7.1.9", part),
        ]
        clause = "C8.7.1.9"
    else:
        sld = bears(site, Site.peak, capacity)
        on_floor = site.above is not None
        clause = "C7.2.8" if on_floor else clauses_of(site.spectrum).acceleration
        where = "of the floor" if on_floor else "a_g S"
        said = [Line("a_Z", f"demand on a rigid body, {where}", site.peak(), "m/s²", clause, part)]
        clause = "C8.7.1.8"
    said.append(Line("a_g,SLD", "at which the demand reaches a_0", sld, "g", clause, part))
    return said, sld


def _nonlinear(
    state: str, body: Block | Mechanism, chain: Mechanism, site: Site, chosen: Settings, sld: float
) -> tuple[list[Line], float, tuple[float, float, float, float]]:
    """The lines of SLV or SLC, its a_g [g], and the point of the figure."""
    part, damping = f"{state}, nonlinear", DAMPING[state]
    d = chain.limit(state)
    a = _accelerates(chain, chosen, site.g, d, elastic_period(body, chosen))
    period = PERIOD[state] * math.pi * math.sqrt(d / a)
    demand = site.displacement(period, damping)
    own = bears(site, lambda s: s.displacement(period, damping), d)
    final = max(own, sld)
    shape = {"straight": "a_0 (1 − d/d_0)", "exact": "tan(α − θ) g/(e* FC)"}[chosen.curve]
    wanted = "S_De(T, ξ)" if not site.above else "S_eZ(T, ξ) T²/4π², or that at b T_1"
    clause = clauses_of(site.spectrum).displacement if not site.above else "C8.7.1.12"
    rule = f"the larger of that and a_g,SLD: {'SLD' if final > own else state} governs"
    share = SHARE[state]
    governs = f"{share:g} d_0" if d == share * chain.d0 else "where something breaks or falls"
    said = [
        Line(f"d_{state}", governs, d, "m", "C8.7.1.2.1.6", part),
        Line(f"a(d_{state})", f"capacity curve, {shape}", a, "m/s²", "C8.7.1.3", part),
        Line(f"T_{state}", f"{PERIOD[state]} π √(d/a)", period, "s", PERIOD_CLAUSE[state], part),
        Line(f"ξ_{state}", "damping of the mechanism", damping, "", "C8.7.1.2.1.8", part),
        *(site.above.displacement_lines(state, period, damping, part) if site.above else ()),
        Line(f"S_De,{state}", f"demand, {wanted}", demand, "m", clause, part),
        Line(f"d/S_De,{state}", "capacity over demand", d / demand, "", "C8.7.1.2.1.8", part),
        Line(f"a_g(d_{state})", "at which the demand reaches d", own, "g", "C8.7.1.2.1.8", part),
        Line(f"a_g,{state}", rule, final, "g", "C8.7.1.2.1.8", part),
    ]
    return said, final, (d, a, period, demand)


def _notes(site: Site, chosen: Settings) -> tuple[str, ...]:
    notes = [
        "e* depends on how the mass is divided: lumped in the centroid it is 1, spread over the "
        "height 3/4, and the capacity a third higher with the same period; e* = 1 agrees with "
        "lift-off at g tan α [C8.7.1.5].",
        "q = 2 is unsafe for small bodies: compare the nonlinear check and the time histories "
        "[C8.7.1.2.1.7].",
    ]
    if site.above:
        notes.append(
            "The building is elastic. At ultimate limit states masonry buildings have periods 50 "
            "to 100 % longer and 10 to 20 % damping: give those of the floor [C8.7.1.2.1.4]."
        )
    if isinstance(site.spectrum, Ntc2018):
        notes.append(
            "a_g at a limit is found with F_0 and T_C* held; at another return period they differ "
            "[NTC 3.2.3.2]."
        )
    if chosen.curve == "straight":
        notes.append("The capacity curve is a straight line to d_0 [C8.7.1.2.1.2].")
    return tuple(notes)


def _drawing(
    body: Block | Mechanism,
    chain: Mechanism,
    site: Site,
    chosen: Settings,
    points: dict[str, tuple[float, float, float, float]],
) -> Capacity:
    T_0 = elastic_period(body, chosen)
    d = np.linspace(0.0, chain.d0, _POINTS)
    a = np.array([_accelerates(chain, chosen, site.g, float(each), T_0) for each in d])
    T = np.geomspace(0.03, 4.0, _POINTS)
    demands = {}
    for state, damping in DAMPING.items():
        spectral = np.asarray(site.acceleration(T, damping))
        demands[state] = (spectral * (T / (2 * math.pi)) ** 2, spectral)
    return Capacity(d, a, demands, points)
