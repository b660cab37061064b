"""Facts in the words of headers: times, magnitudes, directions, keys with values."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from functools import lru_cache

from rocksteady.motion.readers.common.source import Source
from rocksteady.numbers import NUMBER, is_number

_LETTERS = str.maketrans("ıİøØ", "iIoO")  # those that have no accent to take off
_MAGNITUDE = re.compile(r"\b(M[a-z]?)\s*[=:]?\s*(\d{1,2}(?:\.\d+)?)(?![\d.])", re.I)


def plain(text: str) -> str:
    """Words in capitals, without accents and with single blanks."""
    letters = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).upper().split())


def squeezed(text: str | None) -> str | None:
    """Words with single blanks; None if there are none."""
    return " ".join(text.split()) or None if text else None


def magnitude_in(text: str | None) -> float | None:
    """The magnitude among ``Mb=5.2/Ms=5.8`` or ``ML=6.6, MW=6.7``: moment magnitude first,
    then surface-wave magnitude, or the first."""
    found = {name.upper(): float(value) for name, value in _MAGNITUDE.findall(text or "")}
    for name in ("MW", "M", "MS"):
        if found.get(name):
            return found[name]
    return next((value for value in found.values() if value), None)


def iso_time(text: str | None, pattern: str, hours: float = 0.0, later: float = 0.0) -> str | None:
    """A time in ISO form, ``hours`` ahead of UTC and ``later`` seconds later; the text itself
    if it is no time."""
    words = squeezed(text)
    if words is None:
        return None
    for form in (pattern, f"{pattern}.%f"):
        try:
            time = datetime.strptime(words, form)
            time += timedelta(seconds=later)
            return time.replace(tzinfo=timezone(timedelta(hours=hours))).isoformat()
        except (ValueError, OverflowError):
            continue
    return words


@lru_cache(maxsize=1024)
def azimuth_of(component: str) -> float | None:
    """Degrees clockwise from north of a direction: ``90``, ``360 Deg``, ``S16W``, ``E-W``, ``HNE``.

    None if it is vertical or unknown.
    """
    word = component.strip().upper()
    bearing = re.fullmatch(r"([NS])\s*(\d{1,2}(?:\.\d+)?)\s*([EW])", word)
    if bearing:
        angle = float(bearing[2])
        if bearing[1] == "S":
            angle = 180 - angle
        return angle if bearing[3] == "E" else (360 - angle) % 360
    degrees = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*(?:DEG\w*\.?|°)?", word)
    if degrees:
        return float(degrees[1]) if float(degrees[1]) <= 360 else None
    word = re.sub(r"[^A-Z]", "", word)
    if word in ("N", "NS", "SN") or re.fullmatch(r"[BEHLS][NLGH]N", word):
        return 0.0
    if word in ("E", "EW", "WE") or re.fullmatch(r"[BEHLS][NLGH]E", word):
        return 90.0
    return None


def band(low: float | None, high: float | None) -> str | None:
    """A filter's pass band in words."""
    if low and high:
        return f"{low:g}-{high:g} Hz"
    if low:
        return f"above {low:g} Hz"
    return f"below {high:g} Hz" if high else None


def found_in(text: str, pattern: str, flags: int = re.M) -> str | None:
    """What the first group of ``pattern`` matches in ``text``, or None."""
    match = re.search(pattern, text, flags)
    return match[1] if match else None


def number_in(text: str | None) -> float | None:
    """The first number in ``text``, or None."""
    match = re.search(NUMBER, text or "")
    return float(match[0]) if match else None


def require_all(source: Source, declared: float, found: int, line: int) -> None:
    """An error unless as many samples were found as the header's ``line`` declares."""
    if declared != found:
        raise source.cut(f"{declared:.0f} samples", f"{found} numbers", line)


def header_number(
    source: Source, header: Mapping[str, str], lines: Mapping[str, int], key: str
) -> float:
    """The number that a header has under ``key``; ``lines`` are those of its keys."""
    if key not in header:
        raise source.failure(f"the header has no {key!r}.")
    if not is_number(header[key]):
        raise source.failure(f"{key} is {header[key][:40]!r}, not a number.", lines[key])
    return float(header[key])
