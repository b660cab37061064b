"""Read numbers from lines of text, as a logger or a socket sends them. No line is an error."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.monitor.decimal_commas import with_points
from rocksteady.numerics.types import Array

COLUMNS = ("time", "a_h", "a_v", "a_t", "measured", "-")
CHANNEL = "channel"
USUAL = {1: ("a_h",), 2: ("time", "a_h"), 3: ("time", "a_h", "a_v")}
LONGEST = 4096  # bytes: a line of this length or more is garbage
MARK, HEAD = 64, 512  # bytes
DISTINCT = 8  # lines that must differ to recognise an input by its first bytes
_ODD = (b"_", b"#", b";")  # Python reads 1_0 as ten; a comment; another separator


@dataclass(frozen=True)
class Lines:
    """Numbers from some lines: a row per line, a column per name."""

    columns: tuple[str, ...]
    table: Array
    garbage: NDArray[np.bool_]
    factor: float = 1.0
    """What turns accelerations into m/s²."""
    channels: NDArray[np.bytes_] | None = None
    """The channel of each line, if there is such a column."""

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> Array | None:
        """The numbers of a column, unchanged; None if there is no such column."""
        return self.table[:, self.columns.index(name)] if name in self.columns else None

    def accelerations(self, name: str) -> Array | None:
        """A column in m/s²."""
        column = self.column(name)
        return None if column is None else column * self.factor

    def of(self, channel: bytes) -> "Lines":
        """The lines of one channel, and garbage, whose channel is unknown."""
        if self.channels is None:
            return self
        own = (self.channels == channel) | self.garbage
        return Lines(self.columns, self.table[own], self.garbage[own], self.factor)

    @property
    def time(self) -> Array | None:
        return self.column("time")


class LineReader:
    """Cut a stream of bytes into lines and read the numbers in them.

    ``columns`` names the columns. ``-`` is ignored: it may be a number, a date or, between commas,
    nothing; ``channel`` is a word. Unless given, the first line with numbers decides: ``a_h``,
    ``time,a_h`` or ``time,a_h,a_v``. ``factor`` turns accelerations into m/s². Blank lines, lines
    that start with ``#`` and a heading do not count. A number that cannot be read becomes nan if
    another one on its line can be read; a line without a time is not a sample.
    """

    def __init__(self, columns: tuple[str, ...] | None = None, factor: float = 1.0) -> None:
        self.columns = columns
        self.factor = factor
        self.bytes = self.lines = 0
        """Bytes and lines read so far, whole lines only."""
        self.skip = 0
        """Lines still to be skipped, because they are known already."""
        self.mark = b""
        """The last bytes read, to check later whether a file is still the same."""
        self.head = b""
        """The first bytes of the input, to recognise it when it starts over."""
        self._tail = b""
        self._overlong = False
        self._known: dict[str, Any] = {}

    @property
    def timed(self) -> bool:
        """Whether samples come with their times."""
        return self.columns is not None and "time" in self.columns

    def read(self, data: bytes, *, last: bool = False) -> Lines:
        """The samples of all lines that ``data`` completes; an incomplete one is kept for later."""
        data = self._tail + data
        if last and data and not data.endswith(b"\n"):
            data += b"\n"
        cut = data.rfind(b"\n") + 1
        body, self._tail = data[:cut], data[cut:]
        lines = self._body(body) if cut else self._uneven(b"", heading=False)
        if len(self._tail) > LONGEST:
            self.bytes += len(self._tail) - LONGEST
            self.mark = b""
            self._tail, self._overlong = self._tail[:LONGEST], True
        return lines

    @property
    def position(self) -> int:
        """Bytes read, those of an incomplete line included."""
        return self.bytes + len(self._tail)

    def start_over(self) -> None:
        """Another file follows, from its first byte."""
        self.drop_tail()
        self.bytes, self.mark = 0, b""

    def drop_tail(self) -> bool:
        """Drop an incomplete line, whose end will not come; True if there was one."""
        torn, self._tail, self._overlong = bool(self._tail), b"", False
        return torn

    def _body(self, body: bytes) -> Lines:
        heading = self.lines == 0
        self.bytes += len(body)
        if len(self.head) < HEAD and self.bytes - len(body) == len(self.head):
            self.head += body[: HEAD - len(self.head)]
        self.mark = (self.mark + body[-MARK:])[-MARK:]
        if self.skip:
            body = self._skipped(body)
            heading = False
        body = with_points(body, self.columns)
        self.lines += body.count(b"\n")
        if self.columns is not None and not self._overlong and not heading:
            fast = self._even(body)
            if fast is not None:
                return fast
        return self._uneven(body, heading)

    def _skipped(self, body: bytes) -> bytes:
        pieces = body.split(b"\n", self.skip)
        passed = len(pieces) - 1
        self.skip -= passed
        self.lines += passed
        return pieces[-1]

    def _even(self, body: bytes) -> Lines | None:
        """All lines at once where each has just its numbers and commas; else None."""
        columns = self.columns or ()
        width = len(columns)
        signs = np.frombuffer(body, dtype=np.uint8)
        separators = signs[(signs == 10) | (signs == 44)]
        if len(body) > LONGEST and self._has_overlong(signs):
            return None
        pattern = np.array([44] * (width - 1) + [10], dtype=np.uint8)
        if len(separators) % width or (separators.reshape(-1, width) != pattern).any():
            return None
        if any(sign in body for sign in _ODD):
            return None
        fields = body[:-1].replace(b"\n", b",").split(b",")
        table = np.full((len(fields) // width, width), np.nan)
        try:
            for k in _numbers(columns):
                table[:, k] = list(map(float, fields[k::width]))
        except ValueError:
            return None
        names = []
        if CHANNEL in columns:
            names = [name.strip() for name in fields[columns.index(CHANNEL) :: width]]
        return self._lines(table, names, np.zeros(len(table), dtype=bool))

    @staticmethod
    def _has_overlong(signs: NDArray[np.uint8]) -> bool:
        return bool((np.diff(np.flatnonzero(signs == 10), prepend=-1) > LONGEST).any())

    def _uneven(self, body: bytes, heading: bool) -> Lines:
        rows: list[list[float] | None] = []
        names: list[bytes] = []
        for line in body.split(b"\n")[:-1]:
            overlong, self._overlong = self._overlong or len(line) >= LONGEST, False
            tokens = line.replace(b",", b" ").replace(b";", b" ").split()
            if not overlong and (not tokens or tokens[0].startswith(b"#")):
                continue
            if self.columns is None and not overlong and all(map(_is_number, tokens)):
                self.columns = _usual(len(tokens))
            row, name = None, b""
            if not overlong and self.columns is not None:
                row, name = _row(line, self.columns)
            if row is None and heading and not any(map(_is_number, tokens)):
                heading = False
                continue
            heading = False
            rows.append(row)
            names.append(name)
        garbage = np.array([row is None for row in rows], dtype=bool)
        unread = [np.nan] * len(self.columns or ("a_h",))
        table = np.array([row or unread for row in rows]).reshape(-1, len(unread))
        return self._lines(table, names, garbage)

    def _lines(self, table: Array, names: list[bytes], garbage: NDArray[np.bool_]) -> Lines:
        columns = self.columns or ("a_h",)
        channels = np.array(names, dtype="S64") if CHANNEL in columns else None
        return Lines(columns, table, garbage, self.factor, channels)

    # -- kept and restored ------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, about: dict[str, Any]) -> "LineReader":
        """The reader that `to_dict` described, to continue after the last whole line."""
        columns = about["columns"]
        reader = cls(columns and tuple(columns), float.fromhex(about["factor"]))
        reader.bytes, reader.lines = int(about["bytes"]), int(about["lines"])
        reader.mark = about["mark"].encode("latin-1")
        reader.head = about["head"].encode("latin-1")
        return reader

    def pass_over_known(self) -> None:
        """The input starts over from its first byte: skip what is known."""
        self._known = self.to_dict()
        self.skip, self.lines, self.bytes, self.mark = self.lines, 0, 0, b""

    def begins_alike(self, data: bytes) -> bool:
        """Whether an input that begins with ``data`` is the first one, started over. Several
        different numbers are needed to be sure: any sensor may begin with zeros."""
        values = {line.rpartition(b",")[2] for line in self.head.split(b"\n")[:-1]}
        return len(values) >= DISTINCT and data.startswith(self.head)

    def to_dict(self) -> dict[str, Any]:
        if self.skip:  # nothing new has been read yet
            return self._known
        return {
            "columns": self.columns and list(self.columns),
            "bytes": self.bytes,
            "lines": self.lines,
            "mark": self.mark.decode("latin-1"),
            "head": self.head.decode("latin-1"),
            "factor": self.factor.hex(),
        }


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
            f"The lines have {width} numbers each: name the columns, as in "
            "--columns time,a_h,a_v,measured (with - for a column to ignore)."
        )
    return USUAL[width]


def _numbers(columns: tuple[str, ...]) -> list[int]:
    """Which columns are read as numbers."""
    return [k for k, name in enumerate(columns) if name not in ("-", CHANNEL)]


def _row(line: bytes, columns: tuple[str, ...]) -> tuple[list[float] | None, bytes]:
    """The numbers of a line, nan where a column is ignored or is not a number, and its channel.
    None if it is not a sample: a wrong number of columns, no time, or no number at all. Commas and
    semicolons separate columns; spaces, too, if the count is wrong otherwise."""
    read, commas = _numbers(columns), line.replace(b";", b",")
    for fields in (commas.split(b","), commas.replace(b",", b" ").split()):
        if len(fields) != len(columns):
            continue
        good = [k for k in read if _is_number(fields[k])]
        values = [k for k in good if columns[k] != "time"]
        if not values or ("time" in columns and columns.index("time") not in good):
            continue
        name = fields[columns.index(CHANNEL)].strip() if CHANNEL in columns else b""
        return [float(fields[k]) if k in good else np.nan for k in range(len(fields))], name
    return None, b""


def _is_number(token: bytes) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return b"_" not in token
