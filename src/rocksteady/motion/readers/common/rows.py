"""Rows of a fixed number of columns below a header that says how many there are."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.source import Source
from rocksteady.numbers import is_number
from rocksteady.numerics.types import Array

_SURPLUS = 0.01  # of the rows declared: what a file may have more of, and is left out
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")


class Rows(NamedTuple):
    """A table's numbers, their lines, and a note on rows that were left out."""

    values: Array  # (rows, columns)
    lines: NDArray[np.int64]
    note: str = ""


def rows_begin(source: Source, line: int, last: int) -> int:
    """The first line from ``line`` to ``last`` that is nothing but numbers, or an error."""
    for number, words in enumerate(source.header(line, last), start=line):
        cells = re.sub(r"[;,]", " ", words).split()
        if cells and all(map(is_number, cells)):
            return number
    raise source.failure("no rows of numbers follow the header.", line)


def rows(
    source: Source, line: int, columns: int, declared: int | None = None, width: int = 0
) -> Rows:
    """The rows from ``line`` on: as many as declared, or all of them.

    With ``width``, columns of that many characters may touch. Decimal commas are allowed. A few
    rows more than declared are left out, and ``note`` says so; fewer are an error.
    """
    cells = _with_points(source, line)
    start = cells.start_of(line)
    found = numbers(cells, start, None if declared is None else declared * columns, width)
    lines, counts = np.unique(cells.lines_of(found.places), return_counts=True)
    odd = counts != columns
    if odd.any():
        i = int(np.argmax(odd))
        problem = f"the row has {counts[i]} numbers, not {columns}: the file is cut or damaged."
        raise source.failure(problem, int(lines[i]))
    if not counts.size:
        raise source.failure("no rows of numbers follow the header.", line)
    note = "" if declared is None else _surplus(cells, found.end, columns, declared)
    return Rows(found.values.reshape(-1, columns), lines, note)


def _with_points(source: Source, line: int) -> Source:
    """The file with decimal points and blanks between columns from ``line`` on."""
    row = source.line(line)
    if "," not in row and ";" not in row:
        return source
    start = source.start_of(line)
    body = source.content[start:]
    words = re.split(r"[\s;]+", row.strip())
    if all("," not in word or _DECIMAL_COMMA.fullmatch(word) for word in words):
        body = body.replace(b",", b".")
    body = body.replace(b",", b" ").replace(b";", b" ")
    return Source(source.path, source.content[:start] + body)


def _surplus(cells: Source, end: int, columns: int, declared: int) -> str:
    """What is said of rows after those that the header declares; an error where they are many."""
    rest = cells.content[end:].split()
    if not (rest and is_number(Source.decoded(rest[0][:40]))):
        return ""
    more = -(-len(rest) // columns)
    if more > max(_SURPLUS * declared, 1):
        raise cells.failure(
            f"the header declares {declared} samples, but {more} more follow: the file is damaged.",
            cells.line_at(end) + 1,
        )
    return f"{more} samples after the {declared} that the header declares are left out"


def require_times(source: Source, table: Rows, column: int, dt: float) -> None:
    """An error unless the column of times is where ``dt`` [s] puts it, to half a step."""
    times = table.values[:, column]
    off = ~(np.abs(times - times[0] - np.arange(times.size) * dt) < dt / 2)
    if off.any():
        i = int(np.argmax(off))
        raise source.failure(
            f"time {times[i]:g} s is not where the header's step of {dt:g} s puts it: the file is "
            "damaged.",
            int(table.lines[i]),
        )
