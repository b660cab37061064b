"""Numbers in text, parsed by compiled code: as `float` would read them, to the last bit.

One pass over the bytes, outside Python's lock.
Everything compiled here is in this file: Numba's own cache then notices every edit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.readers._source import Source, failure

_POWERS = np.array([float(f"1e{k}") for k in range(23)])  # those that a float64 holds exactly
_U = np.uint64
_TAB, _NEWLINE, _RETURN, _BLANK, _PLUS, _MINUS, _POINT, _ZERO, _E, _D = b"\t\n\r +-.0ed"


class Numbers(NamedTuple):
    """Numbers found in a file."""

    values: FloatArray
    places: NDArray[np.int32]  # of the first character of each, in bytes from the start
    end: int  # the place after the last one


def numbers(source: Source, start: int, count: int | None = None, width: int = 0) -> Numbers:
    """The numbers in ``source`` from byte ``start``: all of them, or ``count`` exactly.

    They are separated by white space; with ``width`` they stand in Fortran columns of that many
    characters and may touch. A word that is no finite number is an error that names its line.
    """
    room = (len(source.content) - start) // 2 + 1  # of the shortest numbers
    width = min(width, len(source.content))
    if count is not None:  # what a header claims is never allocated on its word
        room = min(room, count)
    likely = min(room, _likely(source.content, start))
    found = _scanned(source, start, likely, width)
    if not isinstance(found, MotionFormatError) and found.values.size == likely < room:
        found = _scanned(source, start, room, width)
    if isinstance(found, MotionFormatError) and width:
        found = _scanned(source, start, room, 0)
    if isinstance(found, MotionFormatError):
        raise found
    if count is not None and found.values.size < count:
        raise failure(
            source.path,
            f"the file ends after {found.values.size} numbers where its header declares {count}: "
            "it is cut or damaged.",
            source.line_at(max(found.end - 1, 0)),
        )
    if count is not None:
        rest = source.content[found.end :].partition(b"\n")[0]
        if rest.strip():
            raise failure(
                source.path,
                f"{count} numbers are declared, but more follow: the file is damaged.",
                source.line_at(found.end),
            )
    return found


def _likely(content: bytes, start: int) -> int:
    """How many numbers there will be at most if all lines are like the first."""
    line = content[start : content.find(b"\n", start) + 1]
    return (len(content) - start) * len(line.split()) // max(len(line), 1) * 11 // 10 + 100


def _scanned(source: Source, start: int, room: int, width: int) -> Numbers | MotionFormatError:
    content = source.content
    values, places = np.empty(room), np.empty(room, np.int32)
    buffer = np.frombuffer(content, np.uint8)
    with np.errstate(over="ignore"):  # without compilation, unsigned numbers complain
        size, end, good = _scan(buffer, start, width, values, places)
    values, places = values[:size], places[:size]
    stop = size
    for i in np.flatnonzero(np.isnan(values)):  # too many digits, or too large a power
        last = int(places[i + 1]) if i + 1 < size else end
        word = content[places[i] : last].split()[0].lower().replace(b"d", b"e")
        values[i] = float(word[:width] if width else word)
        if not np.isfinite(values[i]):
            good, stop, end = False, i, int(places[i])
            break
    if good:
        return Numbers(values, places, end)
    word_and_rest = content[end : end + 200].split(None, 1)
    shown = source.decoded(word_and_rest[0][: width or 40])
    declared = f"; {stop} numbers stand before it" if stop else ""
    return failure(source.path, f"{shown!r} is not a finite number{declared}.", source.line_at(end))


@numba.njit(nogil=True, cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _scan(buffer: Any, start: Any, width: Any, values: Any, places: Any) -> Any:
    """Fill ``values`` from ``buffer``; how many, the place after them, and whether all were good.

    NaN stands for what needs more than one rounding: `float` does that. Where a word is no
    number, the place is the word's. Unsigned throughout: indices cost less, and a character
    below "0" becomes a digit far above 9.
    """
    size, i, line = _U(buffer.size), _U(start), _U(start)
    one, nine, ten, zero = _U(1), _U(9), _U(10), _U(_ZERO)
    count, room = 0, values.size
    while count < room:
        while i < size and (buffer[i] == _BLANK or _TAB <= buffer[i] <= _RETURN):
            if buffer[i] == _NEWLINE:
                line = i + one
            i += one
        if i >= size:
            break
        first, stop = i, size
        if width > 0:  # the end of this column
            stop = min(size, line + ((i - line) // _U(width) + one) * _U(width))
        negative = buffer[i] == _MINUS
        i += _U(negative or buffer[i] == _PLUS)
        mantissa, begin = _U(0), i
        power: Any = 0
        while i < stop:
            digit = _U(buffer[i]) - zero
            if digit > nine:
                break
            mantissa = mantissa * ten + digit
            i += one
        digits = i - begin
        if i < stop and buffer[i] == _POINT:
            i += one
            begin = i
            while i < stop:
                digit = _U(buffer[i]) - zero
                if digit > nine:
                    break
                mantissa = mantissa * ten + digit
                i += one
            digits += i - begin
            power = -np.int64(i - begin)
        if digits == 0:
            return count, np.int64(first), False
        if i < stop and ((buffer[i] | 0x20) == _E or (buffer[i] | 0x20) == _D):
            i += one
            sign = buffer[i] if i < stop else buffer[first]
            i += _U(i < stop and (sign in (_MINUS, _PLUS)))
            exponent, begin = _U(0), i
            while i < stop:
                digit = _U(buffer[i]) - zero
                if digit > nine:
                    break
                exponent = min(exponent * ten + digit, _U(9999))
                i += one
            if i == begin:
                return count, np.int64(first), False
            power += -np.int64(exponent) if sign == _MINUS else np.int64(exponent)
        if i < stop and buffer[i] != _BLANK and not _TAB <= buffer[i] <= _RETURN:
            return count, np.int64(first), False
        if digits > 15 or power < -22 or power > 22:
            value = np.nan
        elif power < 0:
            value = np.float64(mantissa) / _POWERS[_U(-power)]
        else:
            value = np.float64(mantissa) * _POWERS[_U(power)]
        values[count] = -value if negative else value
        places[count] = first
        count += 1
    return count, np.int64(i), True
