"""Numbers in text, parsed by compiled code: as `float` would read them, to the last bit.

One pass over the bytes, without Python's lock. Equal columns of numbers with exponents, as written
by Fortran, are parsed several at a time; from the first line that differs, one by one.
"""

import math
import re
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion._memory import room_for
from rocksteady.motion.readers.common.source import Source
from rocksteady.numerics.types import Array

_COLUMN = re.compile(rb" +-?(\d?)\.(\d{4,8})[EeDd][-+]\d\d")
_WIDEST = 16  # characters of a column
_NONE = np.empty(0, np.int32)


class _Columns(NamedTuple):
    """Equal columns of numbers."""

    width: int  # characters
    digits: int  # behind the point
    whole: int  # digits before it, 0 or 1
    row: int  # numbers in a line


class Numbers(NamedTuple):
    """Numbers found in a file: first those in equal columns, then others."""

    values: Array
    end: int  # the place after the last one, in bytes from the start
    start: int
    columns: _Columns | None
    others: NDArray[np.int32]

    @property
    def places(self) -> NDArray[np.int32]:
        """Where each begins, or its column: in bytes from the start."""
        if self.columns is None:
            return self.others
        line, k = np.divmod(np.arange(self.values.size - self.others.size), self.columns.row)
        length = self.columns.row * self.columns.width + 1
        found = self.start + line * length + k * self.columns.width
        return np.concatenate([found.astype(np.int32), self.others])


def numbers(
    source: Source,
    start: int,
    count: int | None = None,
    width: int = 0,
    *,
    likely: int | None = None,
    factor: float = 1.0,
) -> Numbers:
    """The numbers in ``source`` from byte ``start``: all of them, or ``count`` exactly; each times
    ``factor``.

    They are separated by white space, or with ``width`` in Fortran columns of that many characters,
    which may touch. A word that is not a finite number is an error that names its line. ``likely``,
    the count in the header, lets the right amount of memory be taken at once, nothing else.
    """
    content = source.content
    room = (len(content) - start) // 2 + 1  # of the shortest numbers
    width = min(width, len(content))
    if count is not None:  # never allocate what a header claims without checking
        room = min(room, count)
    likely = min(room, _likely(content, start) if likely is None else likely)
    found = _scanned(source, start, likely, width, factor)
    if isinstance(found, Numbers) and found.values.size == likely < room:
        more = content[found.end :].strip()
        found = _scanned(source, start, room, width, factor) if more else found
    if isinstance(found, MotionFormatError) and width:
        found = _scanned(source, start, room, 0, factor)
    if isinstance(found, MotionFormatError):
        raise found
    if count is not None:
        _must_be_all(source, found, count)
    return found


def _must_be_all(source: Source, found: Numbers, count: int) -> None:
    """An error if a file has fewer numbers than declared, or more of them in the last line."""
    if found.values.size < count:
        raise source.failure(
            f"the file ends after {found.values.size} numbers where its header declares {count}: "
            "it is cut or damaged.",
            source.line_at(max(found.end - 1, 0)),
        )
    if source.content[found.end :].partition(b"\n")[0].strip():
        raise source.failure(
            f"{count} numbers are declared, but more follow: the file is damaged.",
            source.line_at(found.end),
        )


def refuse_more(source: Source, end: int, declared: int) -> None:
    """An error if numbers go on at byte ``end``, after those that the header declares."""
    after = source.content[end : end + 80].split()
    if after and re.fullmatch(rb"[-+]?\d*\.\d*(?:[eE][-+]?\d+)?", after[0]):
        raise source.failure(
            f"the header declares {declared} numbers, but more follow: the file is damaged.",
            source.line_at(end) + 1,
        )


def _likely(content: bytes, start: int) -> int:
    """How many numbers there will be at most if all lines are like the first."""
    line = content[start : content.find(b"\n", start) + 1]
    return (len(content) - start) * len(line.split()) // max(len(line), 1) * 11 // 10 + 100


def _columns(content: bytes, start: int, width: int) -> _Columns | None:
    """The columns that all lines from ``start`` could have if they are like the first one."""
    column = _COLUMN.match(content, start)
    if column is None or start < _WIDEST:
        return None
    wide, whole, digits = column.end() - start, len(column[1]), len(column[2])
    row, rest = divmod(content.find(b"\n", start) - start, wide)
    if rest or row < 1 or wide > _WIDEST or width not in (0, wide):
        return None
    # A minus sign may touch the number before it only where the columns are known.
    blanks_and_sign = column.start(2) - 1 - whole - start
    enough = blanks_and_sign >= (1 if width else 2)
    return _Columns(wide, digits, whole, row) if enough else None


@cache
def compiled() -> Any:
    """The module of compiled functions; the first file that is read imports Numba."""
    from rocksteady.motion.readers.common import scan

    return scan


def _scanned(
    source: Source, start: int, room: int, width: int, factor: float
) -> Numbers | MotionFormatError:
    content = source.content
    values, others = room_for(room), _NONE
    buffer = np.frombuffer(content, np.uint8)
    size, end, rough, good = 0, start, False, True
    columns = _columns(content, start, width)
    if columns is not None:
        size, end, rough = compiled().scan_columns(buffer, start, *columns, factor, values)
    if size == 0 or (size < room and end + 1 < len(content)):
        others = np.empty(room - size, np.int32)
        more, end, also, good = compiled().scan(buffer, end, width, factor, values[size:], others)
        size, rough, others = size + more, rough or also, others[:more]
    found = Numbers(values if size == room else values[:size], end, start, columns, others)
    if rough:
        bad = _finished(content, found, width, factor)
        if bad is not None:
            good, size, end = False, bad, int(found.places[bad])
    if good:
        return found
    word_and_rest = content[end : end + 200].split(None, 1)
    shown = source.decoded(word_and_rest[0][: width or 40])
    declared = f"; {size} numbers stand before it" if size else ""
    return source.failure(f"{shown!r} is not a finite number{declared}.", source.line_at(end))


def _finished(content: bytes, found: Numbers, width: int, factor: float) -> int | None:
    """Let `float` read the NaNs; the index of the first number that is still not finite."""
    values, places = found.values, found.places
    for i in np.flatnonzero(np.isnan(values)):
        last = int(places[i + 1]) if i + 1 < values.size else found.end
        word = content[places[i] : last].split()[0].lower().replace(b"d", b"e")
        value = float(word[:width] if width else word)
        if not math.isfinite(value):
            return int(i)
        values[i] = value * factor
    return None
