"""One file's bytes, as text and by lines, wherever it came from: a folder or an archive."""

import codecs
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import MotionFormatError
from rocksteady.names import shown
from rocksteady.text_tables import encoding_of

HEAD = 8192  # bytes shown to the sniffers
_FEW = 10  # lines that are looked for one by one
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_SMALL = 4 * 2**20  # bytes of a file that is read at once


class FileName(NamedTuple):
    """A file's name and its parts, as `pathlib` has them but without its cost."""

    name: str

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return self.name.removesuffix(self.suffix)

    @property
    def suffix(self) -> str:
        """The last point and what follows it; empty where nothing does."""
        point = self.name.rfind(".")
        return self.name[point:] if 0 < point < len(self.name) - 1 else ""


def failure(path: Path | FileName, message: str, line: int | None = None) -> MotionFormatError:
    """As `Source.failure`, for a file that is not open, or an archive."""
    where = shown(path.name or str(path))
    return MotionFormatError(
        f"{where}: {message}" if line is None else f"{where}, line {line}: {message}"
    )


def read_at_once(path: str | PathLike[str]) -> bytes | None:
    """All of a file of usual size; None of a large one, and of one that cannot be read so."""
    try:
        file = os.open(path, _FLAGS)
        try:
            size = os.lseek(file, 0, os.SEEK_END)
            os.lseek(file, 0, os.SEEK_SET)
            raw = os.read(file, size + 1) if 0 < size <= _SMALL else b""
        finally:
            os.close(file)
    except (OSError, ValueError):  # ValueError: a null character in the name
        return None
    return raw if raw and len(raw) == size else None


def no_neighbours() -> Iterable[tuple[str, bytes]]:
    """A file that lies alone."""
    return ()


@dataclass(eq=False)
class Source:
    """A file that is being read. Lines are counted from 1, as editors do."""

    path: Path | FileName  # for names and messages: the file may lie in an archive
    raw: bytes
    neighbours: Callable[[], Iterable[tuple[str, bytes]]] = no_neighbours
    """Name and content of the StationXML files beside it."""
    notes: dict[str, Any] = field(default_factory=dict)
    """What a format's reader found while sniffing and can use again."""
    format: str = ""
    """The name of the format that it is read as."""

    def failure(self, message: str, line: int | None = None) -> MotionFormatError:
        """The error for a bad file: its name, the line and a sentence."""
        return failure(self.path, message, line)

    def cut(self, declared: str, found: str, line: int | None = None) -> MotionFormatError:
        """The error for a file that does not hold what its header declares."""
        problem = f"the header declares {declared}, but {found} follow: the file is cut or damaged."
        return self.failure(problem, line)

    @cached_property
    def content(self) -> bytes:
        """The text's bytes: UTF-8 or Latin-1, lines ended by a plain newline."""
        raw = self.raw
        if b"\0" in raw[:64] or raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            encoding = encoding_of(raw)
            if encoding.startswith("utf-16"):
                raw = raw.decode(encoding, errors="replace").encode()
        raw = raw.removeprefix(codecs.BOM_UTF8)
        if b"\x1a" in raw[-3:]:  # the end of a text, for DOS
            raw = raw.rstrip(b"\x1a\r\n") + b"\n"
        return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw

    @cached_property
    def head(self) -> str:
        """The first 8192 bytes, as text."""
        return self.decoded(self.content[:HEAD])

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        newlines = np.flatnonzero(np.frombuffer(self.content, np.uint8) == ord("\n"))
        return np.concatenate([[0], newlines + 1])

    @property
    def line_count(self) -> int:
        """How many lines there are, an empty last one not counted."""
        return len(self._starts) - self.content.endswith(b"\n")

    def start_of(self, line: int) -> int:
        """The place of a line's first byte; beyond the last line: the end."""
        if line <= _FEW and "_starts" not in self.__dict__:
            content, place = self.content, 0
            for _ in range(line - 1):
                place = content.find(b"\n", place) + 1
                if place == 0:
                    return len(content)
            return place
        starts = self._starts
        return int(starts[line - 1]) if line <= len(starts) else len(self.content)

    def line_at(self, place: int) -> int:
        """The line of byte ``place``."""
        return self.content.count(b"\n", 0, place) + 1

    def lines_of(self, places: NDArray[np.int32]) -> NDArray[np.int64]:
        """The lines of many bytes."""
        return np.searchsorted(self._starts, places, side="right")

    def line(self, number: int) -> str:
        """One line; empty beyond the last."""
        return self.decoded(self.content[self.start_of(number) : self.start_of(number + 1)])[
            : -1 if number < len(self._starts) else None
        ]

    def lines(self, first: int, last: int) -> list[str]:
        """The lines ``first`` to ``last``, both included, as far as there are any."""
        part = self.content[self.start_of(first) : self.start_of(last + 1)]
        return self.decoded(part.removesuffix(b"\n")).split("\n") if part else []

    def is_words(self, line: int) -> bool:
        """Whether a line is more than blanks."""
        return bool(self.content[self.start_of(line) : self.start_of(line + 1)].strip())

    def header(self, first: int, last: int) -> list[str]:
        """The same, for lines of words: of each the first 400 characters, of all the first 200.

        No header has more, and patterns are searched in a hostile one without losing time.
        """
        last = min(last, first + 199)
        return [
            self.decoded(self.content[start : min(end, start + 400)]).removesuffix("\n")
            for start, end in pairwise(map(self.start_of, range(first, last + 2)))
            if end > start
        ]

    @staticmethod
    def decoded(part: bytes) -> str:
        """``part`` as UTF-8 or, failing that, as Latin-1."""
        try:
            return part.decode("utf-8")
        except UnicodeDecodeError:
            return part.decode("latin-1")
