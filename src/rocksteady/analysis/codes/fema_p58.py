"""FEMA P-58, second edition: unanchored contents fall by peak floor velocity. A comparison: the
items' sizes are not given, so none is the body in question.

Medians and dispersions are those of the fragility database as pelicun distributes it
(fragility_DB_FEMA_P58_2nd.csv, converted there to SI units).
"""

import math
from typing import NamedTuple

from scipy.stats import norm

from rocksteady.analysis.codes.result import INPUT, Check, Line
from rocksteady.analysis.codes.settings import NotApplicableError, Settings
from rocksteady.analysis.codes.site import Site
from rocksteady.bodies import Block
from rocksteady.errors import InputError

TITLE = "FEMA P-58 (2nd edition), unanchored contents"
SHORT = "FEMA P-58"
BETA = 0.5


class Item(NamedTuple):
    """One item of the database."""

    words: str
    median: float
    """Peak floor velocity at which half of them fall [m/s]."""


ITEMS = {
    "E.20.22.102a": Item("bookcase, 2 shelves", 0.724),
    "E.20.22.103a": Item("bookcase, 3 shelves", 0.493),
    "E.20.22.104a": Item("bookcase, 4 shelves", 0.361),
    "E.20.22.105a": Item("bookcase, 5 shelves", 0.290),
    "E.20.22.106a": Item("bookcase, 6 shelves", 0.251),
    "E.20.22.112a": Item("vertical filing cabinet", 1.229),
    "E.20.22.114a": Item("vertical filing cabinet", 0.498),
    "E.20.22.124a": Item("lateral filing cabinet", 0.688),
    "E.20.22.125a": Item("lateral filing cabinet", 0.526),
}


def probability(item: str, pfv: float) -> float:
    """Probability [-] that the item falls at a peak floor velocity [m/s]."""
    return float(norm.cdf(math.log(pfv / ITEMS[item].median) / BETA))


def contents(body: Block, site: Site, settings: Settings, pfv: float | None = None) -> Check:
    """Items of the database at the same peak floor velocity, and the a_g at which half of them
    fall.

    ``pfv`` [m/s] at the site's a_g; that of the settings unless given. It grows with a_g.
    """
    speed = settings.pfv if settings.pfv is not None else pfv
    if speed is None:
        raise NotApplicableError(
            "FEMA P-58 goes by peak floor velocity: give motions, or pfv, the velocity [m/s] where "
            "the body stands at the site's a_g."
        )
    origin = INPUT if settings.pfv is not None else "input, median of the motions"
    lines = [
        Line("a_g", "design acceleration on rock", site.ag, "g", INPUT, "The action"),
        Line("PFV", "peak velocity where it stands", speed, "m/s", origin, "The action"),
        Line("β", "dispersion of all items", BETA, "", "P-58 database", "The action"),
    ]
    for item in chosen_items(settings):
        words, median = ITEMS[item]
        half = median / speed * site.ag
        of_item = f"{words}, median {median:g} m/s"
        lines += [
            Line(
                "P", f"{of_item}: Φ(ln(PFV/median)/β)", probability(item, speed), "", item, "Items"
            ),
            Line("a_g,50", f"{words}: half of them fall", half, "g", item, "Items"),
        ]
    notes = (
        "The database does not give the items' sizes: this is a comparison, no check of the body "
        "[P-58 database].",
    )
    return Check("fema", TITLE, SHORT, f"beside a {body.label}", tuple(lines), (), notes)


def chosen_items(settings: Settings) -> list[str]:
    """The item that was chosen, or all."""
    if settings.item is None:
        return list(ITEMS)
    if settings.item not in ITEMS:
        raise InputError(f"item = {settings.item!r} is not allowed: choose {', '.join(ITEMS)}.")
    return [settings.item]
