"""The layout of a table: style of numbers, rows, and whether the rows are one series in lines."""

import re
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion.readers.common.columns import columns_named
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.source import Source
from rocksteady.numbers import is_number
from rocksteady.numerics.types import Array
from rocksteady.text_tables import (
    COMMA,
    POINT,
    Style,
    UnclearNumbersError,
    cells,
    plain,
    stated_decimal,
    style_of,
)

COMMENT = ("#", "%", "!", "//")
_MARKS = tuple(mark.encode() for mark in COMMENT)
_NO_CELL = re.compile("[,;\"]|(?<=\\d)['\u2019\u00a0\u202f\u2009](?=\\d)")
_GAP = re.compile(rb"\d(?:[ '\xa0]|\xc2\xa0|\xe2\x80[\x99\x89\xaf])\d{3}(?!\d)")  # 1 234, 1'234
# How much rougher one reading must be than the other. A record's samples are correlated: read the
# right way, squares of increments are a tenth and less of those read the wrong way.
_CLEAR = 0.7


class Table(NamedTuple):
    """Rows of numbers and the lines above them."""

    header: list[str]  # the lines above the numbers
    separator: str | None  # None: blanks and tabs
    values: Array  # (rows, columns)
    lines: NDArray[np.int64]  # the line in the file of each row
    rest: Array  # the numbers of a last row that is shorter than the others

    @property
    def series(self) -> Array:
        """All numbers, row by row."""
        return np.concatenate([self.values.ravel(), self.rest])

    def order(self) -> Literal["columns", "rows", "unclear"]:
        """Whether the numbers run down the columns or along the rows: neighbours differ little."""
        if self.rest.size:
            return "rows"
        if len(self.values) < 3:
            return "unclear"
        along = float(np.mean(np.diff(self.series) ** 2))
        down = float(np.mean(np.diff(self.values, axis=0) ** 2))
        if along < _CLEAR * down:
            return "rows"
        return "columns" if down < _CLEAR * along else "unclear"


def is_row(line: str) -> bool:
    """Whether a line holds only numbers, in any style."""
    words = _NO_CELL.sub(" ", line.lower()).replace("d", "e").split()  # 0.1D-02
    return bool(words) and all(map(is_number, words))


def read_layout(source: Source, decimal: str | None) -> Table:
    """Header, numbers and the lines they stand on."""
    first = _first_row(source)
    if first is None:
        raise source.failure("has no row of numbers.")
    header = source.lines(1, first - 1)
    style = _style(source, first, header, decimal)
    body = _cells(source, first, style)
    found = numbers(body, body.start_of(first))
    lines, counts = np.unique(body.lines_of(found.places), return_counts=True)
    width = int(counts[0])
    uneven = counts != width
    rest = 0
    if uneven.any():
        i = int(np.argmax(uneven))
        named = columns_named(header, width, style.separator)
        if i < len(counts) - 1 or counts[i] > width or named or width == 2:
            raise uneven_row(source, int(counts[i]), width, int(lines[i]))
        rest = int(counts[i])
        lines = lines[:-1]
    size = found.values.size - rest
    values = found.values[:size].reshape(-1, width)
    return Table(header, style.separator, values, lines, found.values[size:])


def uneven_row(source: Source, count: int, width: int, line: int) -> MotionFormatError:
    """The error for a row that is shorter or longer than the first."""
    return source.failure(f"the row has {count} numbers and the first row {width}.", line)


def _first_row(source: Source) -> int | None:
    for line, text in enumerate(source.head.split("\n"), start=1):
        if is_row(text) and source.line(line) == text:  # not cut at the end of the head
            return line
    for line in range(1, source.line_count + 1):
        if is_row(source.line(line)):
            return line
    return None


def _style(source: Source, first: int, header: list[str], decimal: str | None) -> Style:
    body = source.content[source.start_of(first) :]
    decimal = decimal or stated_decimal(header)
    if not any(mark in body for mark in (b",", b";", b"\t")):
        return Style(None, POINT)
    rows = [
        row
        for row in source.decoded(body).split("\n")
        if row and row.strip() and not row.lstrip().startswith(COMMENT)
    ]

    def names(count: int, separator: str) -> bool:
        return columns_named(header, count, separator) is not None

    try:
        return style_of(rows, decimal, names)
    except UnclearNumbersError as error:
        asks = ": say decimal='comma' or decimal='point'" if error.asks else ""
        raise source.failure(f"{error.why}{asks}.", first) from error


def _cells(source: Source, first: int, style: Style) -> Source:
    """The file with blanks for separators, points for decimal commas and empty lines for comments,
    so that lines keep their numbers."""
    start = source.start_of(first)
    body = source.content[start:]
    if any(mark in body for mark in _MARKS):
        rows = body.split(b"\n")
        body = b"\n".join(b"" if row.lstrip().startswith(_MARKS) else row for row in rows)
    elif style == Style(None, POINT) and not _GAP.search(body):
        return source
    if _needs_rewriting(body, style):
        body = _rewritten(source.decoded(body), style).encode()
    elif style.separator is not None:
        body = body.replace(style.separator.encode(), b" ")
    return Source(source.path, source.content[:start] + body)


def _needs_rewriting(body: bytes, style: Style) -> bool:
    """Whether there is more in numbers than digits and a point."""
    if style.decimal == COMMA or b'"' in body:
        return True
    if style.separator != COMMA and COMMA.encode() in body:
        return True
    gap = _GAP.search(body)
    return gap is not None and (style.separator is not None or b" " not in gap[0])


def _rewritten(text: str, style: Style) -> str:
    return "\n".join(
        row and " ".join(plain(cell, style.decimal) for cell in cells(row, style.separator))
        for row in text.split("\n")
    )
