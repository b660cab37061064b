"""Numbers in text, parsed by compiled code: as `float` would read them, to the last bit.

One pass over the bytes, outside Python's lock.
Everything compiled here is in this file: Numba's own cache then notices every edit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.readers._source import Source, failure


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
    from rocksteady.motion.readers._scan import scan  # Numba is imported with the first file

    content = source.content
    values, places = np.empty(room), np.empty(room, np.int32)
    buffer = np.frombuffer(content, np.uint8)
    with np.errstate(over="ignore"):  # without compilation, unsigned numbers complain
        size, end, good = scan(buffer, start, width, values, places)
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
