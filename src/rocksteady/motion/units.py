"""The units of records, in all their spellings."""

import re

from rocksteady.errors import InputError

GRAVITY_UNIT = 9.80665  # m/s² in one g: the unit of records, not the gravity of a site

ACCELERATIONS = {
    "g": GRAVITY_UNIT,
    "%g": GRAVITY_UNIT / 100,
    "m/s2": 1.0,
    "cm/s2": 0.01,
    "gal": 0.01,
    "mm/s2": 0.001,
    "g/10": GRAVITY_UNIT / 10,
    "milli-g": GRAVITY_UNIT / 1000,
}
"""m/s² in one of each."""
LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001}
SPEEDS = {f"{length}/s": factor for length, factor in LENGTHS.items()}

_PLAIN = str.maketrans("²⁻", "2-", "^*·.()[]")
_OTHER_NAMES = {
    "gals": "gal", "g%": "%g", "percentg": "%g", "g's": "g", "g/100": "%g", "g/1000": "milli-g",
    "millig": "milli-g", "cms/s2": "cm/s2",
}  # fmt: skip


def plain_unit(text: str) -> str:
    """A unit in plain spelling: `cm/sec^2` and `cm s⁻²` are `cm/s2`."""
    unit = "".join(text.lower().split()).translate(_PLAIN).replace("sec", "s")
    return re.sub(r"/?s-?2$|/s/s$", "/s2", unit)


def canonical_unit(text: str) -> str | None:
    """The unit of acceleration that ``text`` spells (`m/s/s`, `cm/sec^2`, ...), or None."""
    unit = plain_unit(text)
    unit = _OTHER_NAMES.get(unit, unit)
    return unit if unit in ACCELERATIONS else None


def unit_factor(text: str) -> float:
    """m/s² in one ``text``; an unknown unit is an error that lists the known ones."""
    unit = canonical_unit(text)
    if unit is None:
        known = ", ".join(ACCELERATIONS)
        raise InputError(f"unit = {text!r} is not a unit of acceleration: use one of {known}.")
    return ACCELERATIONS[unit]


def stated_unit(header: str) -> str | None:
    """The unit named in a header's words, such as "UNITS OF G" or "unit: cm/s2", or None."""
    match = re.search(
        r"\b(?:units?|unit[aà](?: di misura)?|einheit(?:en)?|unit[eé]s?|unidad(?:es)?|birimi?)"
        r"(?!\w)(?:\s+(?:are|of|is|in))*\s*[:=]?\s*[(\[]?\s*(%?[a-z%][\w/^²⁻*%-]*)",
        re.sub(r"\s+", " ", header),
        re.I,
    )
    return match[1] if match else None
