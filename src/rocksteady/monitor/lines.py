"""Lines of text, as a logger or a socket delivers them, into numbers. Never fails on a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array
from rocksteady.monitor.decimal_commas import with_points

COLUMNS = ("time", "a_h", "a_v", "measured", "-")
USUAL = {1: ("a_h",), 2: ("time", "a_h"), 3: ("time", "a_h", "a_v")}
LONGEST = 4096  # bytes: a longer line is garbage and is not kept
_ODD = (b"_", b"#", b";")  # Python reads 1_0 as ten; a remark; another way to part columns


@dataclass(frozen=True)
class Lines:
    """What some lines said: a column per quantity, None where there is none."""

    a_h: Array
    time: Array | None
    a_v: Array | None
    measured: Array | None
    garbage: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.a_h)


class LineReader:
    """Cut a stream of bytes into lines and read the numbers in them.

    ``columns`` are the names of the columns (of COLUMNS; ``-`` is not read, be it a number, a date
    or nothing, where commas part the columns); unless given, the first line with numbers settles
    them: ``a_h``, ``time,a_h`` or ``time,a_h,a_v``. ``factor`` turns accelerations into m/s². Blank
    lines, lines that start with ``#`` and a heading are not counted.
    """

    def __init__(self, columns: tuple[str, ...] | None = None, factor: float = 1.0) -> None:
        self.columns = None if columns is None else checked_columns(columns)
        self.factor = factor
        self.bytes = self.lines = 0
        """How much has been read, whole lines only."""
        self.skip = 0
        """Lines to pass over unread, because they are known already."""
        self._tail = b""
        self._overlong = False

    @property
    def timed(self) -> bool:
        """Whether samples come with their times."""
        return self.columns is not None and "time" in self.columns

    def read(self, data: bytes, *, last: bool = False) -> Lines:
        """The samples in all lines that ``data`` completes; the rest waits for its end."""
        data = self._tail + data
        if last and data and not data.endswith(b"\n"):
            data += b"\n"
        cut = data.rfind(b"\n") + 1
        body, self._tail = data[:cut], data[cut:]
        if len(self._tail) > LONGEST:
            self.bytes += len(self._tail) - LONGEST
            self._tail, self._overlong = self._tail[:LONGEST], True
        if not cut:
            return self._table(np.empty((0, len(self.columns or ("a_h",)))), None)
        return self._body(body)

    def drop_tail(self) -> bool:
        """Forget a line that was begun: its end will not come. True where there was one."""
        torn, self._tail, self._overlong = bool(self._tail), b"", False
        return torn

    def _body(self, body: bytes) -> Lines:
        heading = self.lines == 0
        self.bytes += len(body)
        if self.skip:
            body = self._skipped(body)
            heading = False
        body = with_points(body, self.columns)
        self.lines += body.count(b"\n")
        if self.columns is not None and not self._overlong and not heading:
            fast = self._even(body)
            if fast is not None:
                return self._table(fast, None)
        return self._uneven(body, heading)

    def _skipped(self, body: bytes) -> bytes:
        pieces = body.split(b"\n", self.skip)
        passed = len(pieces) - 1
        self.skip -= passed
        self.lines += passed
        return pieces[-1]

    def _even(self, body: bytes) -> Array | None:
        """All lines at once where each has just its numbers and commas; else None."""
        columns = self.columns or ()
        width = len(columns)
        signs = np.frombuffer(body, dtype=np.uint8)
        separators = signs[(signs == 10) | (signs == 44)]
        pattern = np.array([44] * (width - 1) + [10], dtype=np.uint8)
        if len(separators) % width or (separators.reshape(-1, width) != pattern).any():
            return None
        if any(sign in body for sign in _ODD):
            return None
        fields = body[:-1].replace(b"\n", b",").split(b",")
        table = np.full((len(fields) // width, width), np.nan)
        try:
            for k in _named(columns):
                table[:, k] = list(map(float, fields[k::width]))
        except ValueError:
            return None
        return table

    def _uneven(self, body: bytes, heading: bool) -> Lines:
        rows: list[list[float] | None] = []
        for line in body.split(b"\n")[:-1]:
            overlong, self._overlong = self._overlong, False
            tokens = line.replace(b",", b" ").replace(b";", b" ").split()
            if not overlong and (not tokens or tokens[0].startswith(b"#")):
                continue
            if self.columns is None and not overlong and all(map(_is_number, tokens)):
                self.columns = _usual(len(tokens))
            row = None if overlong or self.columns is None else _row(line, self.columns)
            if row is None and heading and not any(map(_is_number, tokens)):
                heading = False
                continue
            heading = False
            rows.append(row)
        width = len(self.columns or ("a_h",))
        table = np.full((len(rows), width), np.nan)
        for i, row in enumerate(rows):
            if row is not None:
                table[i] = row
        return self._table(table, np.array([row is None for row in rows], dtype=bool))

    def _table(self, table: Array, garbage: NDArray[np.bool_] | None) -> Lines:
        columns = self.columns or ("a_h",)

        def column(name: str, factor: float = 1.0) -> Array | None:
            return table[:, columns.index(name)] * factor if name in columns else None

        a_h = column("a_h", self.factor)
        assert a_h is not None  # checked_columns
        bad = np.zeros(len(table), dtype=bool) if garbage is None else garbage
        return Lines(a_h, column("time"), column("a_v", self.factor), column("measured"), bad)

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        return {"columns": self.columns, "bytes": self.bytes, "lines": self.lines}


def checked_columns(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the columns, or an error that says which there are."""
    named = [name for name in columns if name != "-"]
    if set(columns) - set(COLUMNS) or "a_h" not in named or len(set(named)) < len(named):
        raise InputError(
            f"columns = {','.join(columns)!r} is not allowed: name each column of the lines, "
            f"of {', '.join(COLUMNS)} (not read); a_h once, none twice."
        )
    return tuple(columns)


def _usual(width: int) -> tuple[str, ...]:
    if width not in USUAL:
        raise InputError(
            f"The lines have {width} numbers each: say what they are, as in "
            "--columns time,a_h,a_v,measured (with - for what is not to be read)."
        )
    return USUAL[width]


def _named(columns: tuple[str, ...]) -> list[int]:
    """Which columns are read."""
    return [k for k, name in enumerate(columns) if name != "-"]


def _row(line: bytes, columns: tuple[str, ...]) -> list[float] | None:
    """The numbers of a line, nan where a column is not read; None if it is no sample. Commas and
    semicolons part its columns if that makes as many as there should be; else spaces do, too."""
    named, commas = _named(columns), line.replace(b";", b",")
    for fields in (commas.split(b","), commas.replace(b",", b" ").split()):
        if len(fields) == len(columns) and all(_is_number(fields[k]) for k in named):
            return [float(fields[k]) if k in named else np.nan for k in range(len(fields))]
    return None


def _is_number(token: bytes) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return b"_" not in token
