"""What the headers of several networks say in words: times, magnitudes, keys with values."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta, timezone

_LETTERS = str.maketrans("ıİøØ", "iIoO")  # those that have no accent to take off
_MAGNITUDE = re.compile(r"\b(M[a-z]?)\s*[=:]?\s*(\d{1,2}(?:\.\d+)?)(?![\d.])", re.I)


def plain(text: str) -> str:
    """Words in capitals, without accents and with single blanks."""
    letters = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).upper().split())


def squeezed(text: str | None) -> str | None:
    """Words with single blanks; None where there are none."""
    return " ".join(text.split()) or None if text else None


def magnitude_in(text: str | None) -> float | None:
    """The magnitude among ``Mb=5.2/Ms=5.8`` or ``ML=6.6, MW=6.7``: the moment's where it is given,
    the surface waves' next, or the first."""
    found = {name.upper(): float(value) for name, value in _MAGNITUDE.findall(text or "")}
    for name in ("MW", "M", "MS"):
        if found.get(name):
            return found[name]
    return next((value for value in found.values() if value), None)


def iso_time(text: str | None, pattern: str, hours: float = 0.0) -> str | None:
    """A time of a zone so many hours ahead of UTC in ISO form, or the text where it is no time."""
    words = squeezed(text)
    if words is None:
        return None
    for form in (pattern, f"{pattern}.%f"):
        try:
            time = datetime.strptime(words, form)
            return time.replace(tzinfo=timezone(timedelta(hours=hours))).isoformat()
        except (ValueError, OverflowError):
            continue
    return words
