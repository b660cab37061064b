"""Decimal commas in a stream of lines: ``0,01;-0,5`` becomes ``0.01,-0.5`` before it is read.

A stream cannot be read as a whole, as a table can (`rocksteady.text_tables`): each line, or the
names of the columns, must show where the numbers end.
"""

import re
from itertools import pairwise

from rocksteady.errors import InputError

_NUMBER = re.compile(rb"[-+]?\d+(?:,\d+)?(?:[eE][-+]?\d+)?")
_ONE_COMMA = re.compile(rb"[-+]?\d+,\d+")
_NO_INTEGER = re.compile(rb"-0,.*|[-+]?\d+,0\d+")  # nobody writes -0 or 05 for a whole number


def with_points(body: bytes, columns: tuple[str, ...] | None) -> bytes:
    """Whole lines with decimal points and columns separated by commas; ``columns`` if known."""
    if b"," not in body:
        return body
    alone = columns is not None and len(columns) == 1
    if columns is None:
        alone = _one_column(body)
    if not alone and not any(mark in body for mark in (b";", b" ", b"\t")):
        return body
    return b"\n".join(_line(line, alone) for line in body.split(b"\n"))


def _line(line: bytes, alone: bool) -> bytes:
    if b";" in line:  # it separates the columns, so the comma does not
        return line.replace(b",", b".").replace(b";", b",")
    words = line.split()
    if len(words) == 1:
        return line.replace(b",", b".") if alone and _NUMBER.fullmatch(words[0]) else line
    if all(_NUMBER.fullmatch(word) for word in words):
        return line.replace(b",", b".")
    return line


def _one_column(body: bytes) -> bool:
    """Whether lines like ``0,05`` are one number each, not a time and an acceleration; an error if
    that is not clear."""
    words = [word for line in body.split(b"\n") if (word := line.strip()) and word[:1] != b"#"]
    words = [word for word in words if any(48 <= byte < 58 for byte in word)]  # not a heading
    if not words or not all(map(_ONE_COMMA.fullmatch, words)):
        return False
    if any(map(_NO_INTEGER.fullmatch, words)):
        return True
    times = [int(word.partition(b",")[0]) for word in words]
    if len(times) > 1 and not all(a < b for a, b in pairwise(times)):
        raise InputError(
            f"{words[0].decode()} can be a time and an acceleration, or one number with a decimal "
            "comma: say which with --columns time,a_h or --columns a_h."
        )
    return False
