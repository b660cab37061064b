"""Tables of numbers (CSV, TXT): a column of accelerations, or a time column and some.

Columns are separated by commas, semicolons, tabs or blanks. Above them may stand comments (after
``#``, ``%``, ``!`` or ``//``) and a few lines of words: names of the columns (``time [s]``,
``a [g]``, ``vertical (m/s2)``), ``dt = 0.01``, ``units: g``.

One acceleration column gives one motion; one and a vertical one (vertical, ud, z, up) a motion
with both; several give one motion each.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._columns import Column, columns_named, columns_unnamed, seconds_in
from rocksteady.motion.readers._common import Options, motion, quietly, settled_dt, settled_unit
from rocksteady.motion.readers._numbers import numbers
from rocksteady.motion.readers._source import FileName, Source, failure
from rocksteady.motion.units import stated_unit, unit_factor
from rocksteady.numbers import NUMBER, is_number

NAME = "table of numbers (CSV, TXT)"

_MOST_WORDS = 10  # lines of words above the numbers, comments aside; more is another format
_COMMENT = ("#", "%", "!", "//")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
_DT = re.compile(
    r"\b(?:dt|delta[ _]?t|time[ _]?step)\s*(?:[\[(]\s*(\w+)\s*[\])])?\s*[=:,]\s*"
    rf"(\d+,\d+|{NUMBER})\s*(\w*)",
    re.I,
)
_UNIFORM = 1e-3  # how much a step of the time column may differ from the others, in steps


class _Table(NamedTuple):
    header: list[str]  # the lines above the numbers
    separator: str | None  # None: blanks and tabs
    values: FloatArray  # (rows, columns)
    lines: NDArray[np.int64]  # the line in the file of each row


def sniff(source: Source) -> bool:
    """A row of numbers after a few lines of words at most."""
    head = source.head
    if "\0" in head:
        return False
    words = 0
    for line in head.split("\n"):
        if _is_row(line):
            return True
        words += bool(line.strip()) and not line.lstrip().startswith(_COMMENT)
        if words > _MOST_WORDS:
            return False
    return False


@quietly
def read(source: Source, options: Options) -> dict[str, Motion]:
    """The motions in the table, by column; the component asked for may be any column."""
    path, component, dt, unit = source.path, options.component, options.dt, options.unit
    table = _table(source)
    columns = _columns(table)
    horizontal = [c for c in columns if c.role == "horizontal"]
    vertical = [c for c in columns if c.role == "vertical"]
    wanted = _wanted(columns, component, path)
    pair = len(horizontal) == len(vertical) == 1
    if pair and component is None:
        wanted = horizontal
    words = "\n".join(table.header)
    stated_dt, line = _stated_dt(table.header, path)
    if stated_dt is not None or dt is not None:
        dt = settled_dt(path, stated_dt, dt, line)

    def unit_of(column: Column) -> str:
        stated = column.unit or stated_unit(words)
        return settled_unit(path, stated, unit, f"column {column}")

    def in_si(column: Column) -> FloatArray:
        return table.values[:, column.place] * unit_factor(unit_of(column))

    motions = {}
    for column in wanted:
        up = in_si(vertical[0]) if pair and column.role == "horizontal" else None
        step = _time_step(table, columns, column, dt, path)
        name = path.stem if len(wanted) == 1 else f"{path.stem} {column.name}"
        meta = {"format": NAME, "component": column.name, "unit": unit_of(column)}
        motions[column.name] = motion(path, in_si(column), step, name, meta, up)
    return motions


def _is_row(line: str) -> bool:
    words = re.sub("[,;]", " ", line.lower()).replace("d", "e").split()  # 0.1D-02
    return bool(words) and all(map(is_number, words))


def _table(source: Source) -> _Table:
    """Header, numbers and the lines they stand on."""
    path = source.path
    first = _first_row(source)
    if first is None:
        raise failure(path, "has no row of numbers.")
    row = source.line(first)
    _refuse_decimal_comma(source, first)
    separator = next((mark for mark in ",;" if mark in row), None)
    cells = _cells(source, first, separator)
    found = numbers(cells, cells.start_of(first))
    lines, counts = np.unique(cells.lines_of(found.places), return_counts=True)
    width = int(counts[0])
    uneven = counts != width
    if uneven.any():
        i = int(np.argmax(uneven))
        raise failure(
            path, f"the row has {counts[i]} numbers and the first row {width}.", int(lines[i])
        )
    values = found.values.reshape(-1, width)
    return _Table(source.lines(1, first - 1), separator, values, lines)


def _first_row(source: Source) -> int | None:
    for line, text in enumerate(source.head.split("\n"), start=1):
        if _is_row(text) and source.line(line) == text:  # not cut at the end of the head
            return line
    for line in range(1, source.line_count + 1):
        if _is_row(source.line(line)):
            return line
    return None


def _cells(source: Source, first: int, separator: str | None) -> Source:
    """The file with blanks for separators and empty lines for comments: lines keep their number."""
    start = source.start_of(first)
    body = source.content[start:]
    if any(mark.encode() in body for mark in _COMMENT):
        rows = body.split(b"\n")
        marks = tuple(mark.encode() for mark in _COMMENT)
        body = b"\n".join(b"" if row.lstrip().startswith(marks) else row for row in rows)
    elif separator is None:
        return source
    if separator is not None:
        body = body.replace(separator.encode(), b" ")
    return Source(source.path, source.content[:start] + body)


def _refuse_decimal_comma(source: Source, first: int) -> None:
    """An error where one of the first rows can only be numbers with decimal commas."""
    rows = [(first + i, row) for i, row in enumerate(source.lines(first, first + 19))]
    rows = [(line, row.strip()) for line, row in rows if _is_row(row)]
    # 0,12 could be two columns, but not if every row looks like this and they have no names
    alone = all(re.fullmatch(r"[-+]?\d+(?:,\d\d+(?:[eE][-+]?\d+)?)?", row) for _, row in rows)
    alone = alone and columns_named(source.lines(1, first - 1), 2, ",") is None
    for line, row in rows:
        words = row.split()
        several = len(words) > 1 and all(_DECIMAL_COMMA.fullmatch(word) for word in words)
        if "," in row and (";" in row or alone or several):
            raise _decimal_comma(source.path, row, line)


def _decimal_comma(path: Path | FileName, words: str, line: int) -> MotionFormatError:
    return failure(
        path,
        f"{words[:40]!r} has a decimal comma, which is not supported: write the numbers with "
        "decimal points.",
        line,
    )


def _columns(table: _Table) -> list[Column]:
    count = table.values.shape[1]
    increases = bool((np.diff(table.values[:, 0]) > 0).all())
    named = columns_named(table.header, count, table.separator)
    return named or columns_unnamed(count, increases)


def _wanted(columns: list[Column], component: str | None, path: Path | FileName) -> list[Column]:
    """The columns to make motions of: the one asked for, or all accelerations."""
    listed = ", ".join(map(str, columns))
    if component is not None:
        for column in columns:
            if column.name.casefold() == component.casefold() and column.role != "time":
                return [column]
        raise failure(path, f"has no acceleration column {component!r}: it has {listed}.")
    unknown = [column for column in columns if column.role == "unknown"]
    accelerations = [column for column in columns if column.role in ("horizontal", "vertical")]
    if unknown or not accelerations:
        what = f"cannot tell what column {unknown[0]} is" if unknown else "has no acceleration"
        example = (accelerations or unknown or columns)[0].name
        raise failure(
            path,
            f"{what}; the columns are {listed}. Choose the acceleration, component={example!r} for "
            "example, or name the columns in a header: time [s], a [g].",
        )
    return accelerations


def _stated_dt(header: list[str], path: Path | FileName) -> tuple[float | None, int]:
    """The time step [s] in the words above the table, and its line."""
    for line, words in enumerate(header, start=1):
        match = _DT.search(re.sub(r"\s+", " ", words))
        if match:
            before, number, after = match.groups()
            if "," in number:
                raise _decimal_comma(path, match[0].strip(), line)
            return float(number) * (seconds_in(before or after) or 1.0), line
    return None, 0


def _time_step(
    table: _Table, columns: list[Column], column: Column, dt: float | None, path: Path | FileName
) -> float:
    """The step [s] of the time column that ``column`` belongs to: the nearest one to its left."""
    times = [c for c in columns if c.role == "time"]
    if not times:
        return settled_dt(path, None, dt, 0)
    own = ([c for c in times if c.place < column.place] or times)[-1]
    t = table.values[:, own.place] * own.seconds
    if dt is not None:
        off = np.abs(t - t[0] - np.arange(t.size) * dt) >= dt / 2
        if off.any():
            i = int(np.argmax(off))
            raise failure(
                path, f"time {t[i]:g} s is not where dt = {dt:g} s puts it.", int(table.lines[i])
            )
        return dt
    steps = np.diff(t)
    step = float(np.median(steps)) if steps.size else 0.0
    if not step > 0:
        raise failure(path, f"the time column {own} does not increase.", int(table.lines[-1]))
    off = np.abs(steps - step) > _UNIFORM * step
    if off.any():
        i = int(np.argmax(off))
        raise failure(
            path,
            f"time goes from {t[i]:g} to {t[i + 1]:g} s where the step is {step:g} s elsewhere: "
            "resample the record to a uniform step. If the times are only rounded in print, say "
            "dt= [s].",
            int(table.lines[i + 1]),
        )
    return float(f"{(t[-1] - t[0]) / (t.size - 1):.12g}")
