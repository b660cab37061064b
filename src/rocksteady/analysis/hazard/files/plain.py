"""A table of levels and rates, probabilities or return periods, under a heading.

``pga [g],rate [1/year]``, ``pgv [cm/s];poe [50 years]``, ``PGA (g), return period (years)``; or
``im,rate`` where the measure is given otherwise. Lines that begin with # are comments.
"""

import re

from rocksteady.analysis.hazard.curve import MOST_POINTS
from rocksteady.analysis.hazard.files.raw import Problem, Raw
from rocksteady.ensembles.labels import Measure
from rocksteady.numbers import NUMBER, is_number
from rocksteady.text_tables import UnclearNumbersError, cells, stated_decimal, style_of
from rocksteady.text_tables import plain as plain_number

HEADING = "a heading such as pga [g],rate [1/year]"
ANY = ("im", "iml", "level", "intensity", "x")  # levels of a measure that is given otherwise
_NAME = re.compile(r"\s*([^\[\]]*?)\s*(?:[\[(]\s*([^\[\]()]*?)\s*[\])])?\s*")
_SPECTRAL = re.compile(rf"\s*(sa\s*\(\s*{NUMBER}\s*s?\s*\))\s*(?:\[\s*([^\[\]]*?)\s*\])?\s*", re.I)
_RATES = re.compile(
    r"(?:annual |yearly |mean )*(?:rate|frequency|afe|mafe|lambda)(?: of exceedance)?"
)
_PERIODS = re.compile(r"(?:mean )?(?:return[ _-]?period|tr)")
_POES = re.compile(rf"(?:poe|probability(?: of exceedance)?)(?:[ _-]in)?[ _-]*({NUMBER})?\s*\w*")


def read(text: str, wanted: Measure | None) -> Raw:
    """Two columns: the levels, and how often they are exceeded."""
    lines = text.split("\n")
    rows = [
        (n, line.strip()) for n, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]  # fmt: skip
    if len(rows) < 2:
        where = f"line {rows[0][0]}" if rows else ""
        raise Problem(where, f"{HEADING} and rows of numbers were expected")
    (top, heading), body = rows[0], rows[1:]
    if len(body) > MOST_POINTS:
        raise Problem(
            "",
            f"it has {len(body)} rows, and the curve of one site has at most {MOST_POINTS}: cut "
            "out the levels of your site",
        )
    separator = next((mark for mark in (";", "\t", ",") if mark in heading), None)
    if separator is None:
        raise Problem(f"line {top}", f"{heading[:60]!r}: {HEADING} was expected")
    names = cells(heading, separator)
    if len(names) != 2 or all(is_number(name) for name in names):
        raise Problem(f"line {top}", f"{heading[:60]!r}: {HEADING}, with two columns, was expected")
    measure, unit = _levels(names[0], top, wanted)
    kind, years = _values(names[1], top)
    try:
        written = [line for _, line in body]
        style = style_of(written, stated_decimal(lines[:50]), separator=separator)
    except UnclearNumbersError as error:
        raise Problem(f"line {body[0][0]}", str(error).rstrip(".")) from None
    levels, values, places = [], [], []
    for n, line in body:
        row = cells(line, separator)
        if len(row) != 2:
            raise Problem(f"line {n}", f"{len(row)} values: 2 were expected, as in the heading")
        for name, word in zip(names, row, strict=True):
            if not is_number(plain_number(word, style.decimal)):
                raise Problem(f"line {n}, column {name}", f"{word!r}: a number was expected")
        level, value = (float(plain_number(word, style.decimal)) for word in row)
        levels.append(level)
        values.append(value)
        places.append(f"line {n}")
    if kind == "period" or (len(levels) > 1 and levels[0] > levels[-1]):
        order = sorted(range(len(levels)), key=levels.__getitem__)
        levels, values = [levels[i] for i in order], [values[i] for i in order]
        places = [places[i] for i in order]
    return Raw(levels, values, places, kind, years, measure, unit)


def _levels(name: str, line: int, wanted: Measure | None) -> tuple[str | None, str | None]:
    """Measure and unit of the levels, as the heading says."""
    spectral = _SPECTRAL.fullmatch(name)
    if spectral:
        return re.sub(r"\s", "", spectral[1]), spectral[2]
    found = _NAME.fullmatch(name)
    if found is None or not found[1]:
        raise Problem(f"line {line}", f"{name!r}: a measure such as pga [g] was expected")
    word = found[1].strip()
    if word.lower() in ANY:
        if wanted is None:
            raise Problem(
                f"line {line}",
                f"the heading {name!r} does not say which measure of the ground it is: pga [g] or "
                "the like was expected, or give measure='pga'",
            )
        return None, found[2]
    return word, found[2]


def _values(name: str, line: int) -> tuple[str, float]:
    """What the second column has: rates, return periods, or probabilities and their years."""
    found = _NAME.fullmatch(name)
    word, unit = ("", None) if found is None else (found[1].lower(), (found[2] or "").lower())
    if _RATES.fullmatch(word):
        if unit not in ("", "1/year", "1/y", "1/yr", "1/a", "per year", "/year"):
            raise Problem(f"line {line}", f"{name!r}: rate [1/year] was expected")
        return "rate", 1.0
    if _PERIODS.fullmatch(word):
        if unit not in ("", "years", "year", "y", "yr", "a"):
            raise Problem(f"line {line}", f"{name!r}: return period [years] was expected")
        return "period", 1.0
    poe = _POES.fullmatch(word)
    if poe:
        years = poe[1] or next(iter(re.findall(NUMBER, unit or "")), None)
        if years is None or not float(years) > 0:
            raise Problem(
                f"line {line}", f"{name!r}: the years were expected, as in poe [50 years]"
            )
        return "poe", float(years)
    raise Problem(
        f"line {line}",
        f"{name!r}: rate [1/year], return period [years] or poe [50 years] was expected",
    )
