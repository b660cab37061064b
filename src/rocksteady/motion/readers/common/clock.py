"""Tables whose rows begin with a date and a time of day, as loggers write them.

Each time is replaced by the seconds since the first one, which leaves a table of numbers. Dates are
not needed for that (``01/02`` may be January or February): after midnight the time jumps back.
"""

import re
from typing import NamedTuple

from rocksteady.motion.readers.common.layout import COMMENT, is_row
from rocksteady.motion.readers.common.source import Source

_DAY = 86400.0  # s
_STAMP = re.compile(
    r"(?:(?P<date>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})"
    r"(?P<gap>[ T]|[\"']?[;,\t] ?[\"']?))?"
    r"(?<!\d)(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2})(?P<fraction>[.,]\d{1,12})?"
    r"(?: ?(?P<half>[AP])M\b)?(?P<zone>Z|[-+]\d{2}:?\d{2})?",
    re.I,
)


class Clocked(NamedTuple):
    """A table with seconds, the columns that had times and dates, and its start."""

    source: Source
    times: int | None = None
    dates: int | None = None
    start: str | None = None  # in ISO form, as it is printed; None where the date may be another


class _Cell(NamedTuple):
    """A time of day in a row."""

    begin: int
    end: int
    seconds: float  # since midnight
    match: re.Match[str]


def is_clocked(row: str) -> bool:
    """Whether a row is a time of day and numbers."""
    cell = _cell(row) if ":" in row else None
    if cell is None:
        return False
    others = f"{row[: cell.begin]} {row[cell.end :]}".strip(" \t;,\"'")
    return bool(others) and is_row(others)


def with_seconds(source: Source) -> Clocked:
    """The table with seconds for times of day; unchanged if its first rows have none."""
    first = _first(source)
    if first is None:
        return Clocked(source)
    start = source.start_of(first)
    rows = source.decoded(source.content[start:]).split("\n")
    cell = _cell(rows[0])
    assert cell is not None
    comma = "," in rows[0][cell.end :] and not rows[0][cell.end :].lstrip(" \"'").startswith(",")
    body, day, last = [], 0.0, cell.seconds
    for row in rows:
        one = _cell(row)
        if one is not None:
            day += _DAY if one.seconds < last - _DAY / 2 else 0.0
            last = one.seconds
            text = f"{day + one.seconds - cell.seconds:.9f}"
            date = f"0{one.match['gap']}" if _apart(one) else ""
            row = (
                row[: one.begin]
                + date
                + (text.replace(".", ",") if comma else text)
                + row[one.end :]
            )
        body.append(row)
    place = len(
        re.findall(r"[;\t]" if re.search(r"[;\t]", rows[0]) else ",", rows[0][: cell.begin])
    )
    apart = _apart(cell)
    return Clocked(
        Source(source.path, source.content[:start] + "\n".join(body).encode()),
        place + apart,
        place if apart else None,
        _start(cell),
    )


def _first(source: Source) -> int | None:
    """The first row, if it and one of the next have a time of day: there may be comments."""
    lines = source.head.split("\n")
    for number, line in enumerate(lines, start=1):
        if is_row(line):
            return None
        if is_clocked(line) and not line.lstrip().startswith(COMMENT):
            return number if any(map(is_clocked, source.lines(number + 1, number + 3))) else None
    return None


def _cell(row: str) -> _Cell | None:
    match = _STAMP.search(row)
    if match is None:
        return None
    end, fraction = match.end(), match["fraction"] or ""
    if fraction.startswith(",") and not re.search(r"[;\t\"]", row):  # it separates
        end, fraction = match.start("fraction"), ""
    hour = int(match["hour"])
    if match["half"] and fraction == (match["fraction"] or ""):
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    seconds = 3600.0 * hour + 60.0 * int(match["minute"]) + int(match["second"])
    seconds += float(fraction.replace(",", ".")) if fraction else 0.0
    return _Cell(match.start(), end, seconds, match)


def _apart(cell: _Cell) -> bool:
    """Whether the date has a column of its own."""
    return re.search(r"[;,\t]", cell.match["gap"] or "") is not None


def _start(cell: _Cell) -> str | None:
    date = cell.match["date"]
    if not date or not re.match(r"\d{4}", date):
        return None
    year, month, day = (int(part) for part in re.split(r"[-/.]", date))
    minutes, seconds = divmod(cell.seconds, 60.0)
    hours, minutes = divmod(int(minutes), 60)
    zone = (cell.match["zone"] or "").upper()
    return f"{year:04d}-{month:02d}-{day:02d}T{hours:02d}:{minutes:02d}:{seconds:06.3f}{zone}"
