"""Eurocode 8, EN 1998-1:2004, 4.3.5: non-structural elements, here a body that is not anchored.

The code gives a horizontal force. A body that only its weight holds bears it while the force at the
centroid does not tip it about its toe: F_a h ≤ W_a b. Rocking after that is not considered. The
formulas are those of public programs; without the code's text there is no verdict.
"""

from rocksteady.analysis.codes.result import INPUT, Check, Limit, Line
from rocksteady.analysis.codes.settings import NotApplicableError, Settings
from rocksteady.analysis.codes.site import Site, bears
from rocksteady.bodies import Block
from rocksteady.motion.floor_spectra import eurocode8_floor_spectrum

TITLE = "After Eurocode 8 (EN 1998-1:2004), non-structural elements"
SHORT = "our reading of Eurocode 8, 4.3.5"
UNREAD = "we do not have the text of EN 1998-1, and took the formulas from public programs"


def non_structural(body: Block, site: Site, settings: Settings | None = None) -> Check:
    """Check by the force of 4.3.5.2 that a body does not tip.

    On the ground z/H is 0; on a floor z/H and T_1 are the floor's.
    """
    chosen = settings or Settings()
    high, T_1 = _building(site)
    limit = body.weak_side.b / body.com_height

    def force(s: Site) -> float:
        """F_a/W_a."""
        return _coefficient(s, chosen, high, T_1) * chosen.importance / chosen.behaviour

    reached = bears(site, force, limit)
    lines = [
        Line("h", "height of the centroid", body.com_height, "m", INPUT, "The body"),
        Line("b", "centroid to the toe, horizontally", body.weak_side.b, "m", INPUT, "The body"),
        Line("W_a", "weight of the element", body.mass * body.g, "N", INPUT, "The body"),
        *_action(site, chosen, high, T_1),
        Line("F_a/W_a", "S_a γ_a / q_a", force(site), "", "4.3.5.2(2), eq. 4.24", "The force"),
        Line(
            "F_a",
            "horizontal force at the centroid",
            force(site) * body.mass * body.g,
            "N",
            "4.3.5.2(2), eq. 4.24",
            "The force",
        ),
        Line("b/h", "F_a/W_a that tips it about its toe", limit, "", INPUT, "Overturning"),
        Line("a_g,lim", "at which F_a/W_a reaches b/h", reached, "g", "4.3.5.2", "Overturning"),
    ]
    notes = (
        "The force is for elements and their anchors; that an unanchored body may rock and come "
        "back is not considered [4.3.5.1].",
        "γ_a is 1.5 for what must stay safe, 1 elsewhere [4.3.5.3]; q_a is 1 for parapets and "
        "ornaments, 2 for walls, partitions and anchored cabinets: choose them [4.3.5.4].",
    )
    limits = (Limit("static stability", reached, site.ag, "4.3.5.2", undecided=UNREAD),)
    return Check("ec8", TITLE, SHORT, body.label, tuple(lines), limits, notes)


def _building(site: Site) -> tuple[float, float | None]:
    """z/H [-] and T_1 [s]; none on the ground."""
    if site.floor is None:
        return 0.0, None
    if site.floor.relative_height is None:
        raise NotApplicableError(
            "Eurocode 8, 4.3.5.2 needs the floor's height in its building, and this floor is given "
            "by its modes: give storeys, level and period instead."
        )
    return site.floor.relative_height, site.floor.period


def _coefficient(site: Site, chosen: Settings, high: float, T_1: float | None) -> float:
    """S_a [-] (4.3.5.2(3), eq. 4.25). Without a building, on the ground, a rigid body has αS."""
    ground = float(site.ag * site.spectrum.S)
    if T_1 is None and chosen.element_period == 0:
        return ground
    if T_1 is None:
        raise NotApplicableError(
            f"element_period = {chosen.element_period:g} s needs the period of the building: give "
            "a floor (level = 0 for the ground floor)."
        )
    return float(eurocode8_floor_spectrum(ground, high, T_1, chosen.element_period))


def _action(site: Site, chosen: Settings, high: float, T_1: float | None) -> list[Line]:
    part = "The action"
    said = [
        *site.lines(part, with_floor=False),
        Line("z/H", "height in the building", high, "", INPUT, part),
    ]
    if T_1 is not None:
        said.append(Line("T_1", "period of the building", T_1, "s", INPUT, part))
    S_a = _coefficient(site, chosen, high, T_1)
    return [
        *said,
        Line("T_a", "period of the element", chosen.element_period, "s", INPUT, part),
        Line(
            "S_a",
            "αS [3(1 + z/H)/(1 + (1 − T_a/T_1)²) − 0.5] ≥ αS",
            S_a,
            "",
            "4.3.5.2(3), eq. 4.25",
            part,
        ),
        Line("γ_a", "importance factor", chosen.importance, "", "4.3.5.3", part),
        Line("q_a", "behaviour factor", chosen.behaviour, "", "4.3.5.4", part),
    ]
