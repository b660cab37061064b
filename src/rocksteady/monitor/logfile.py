"""A log of lines that is cut into files of bounded size.

``log.jsonl`` is the file being written; full ones are ``log-000000.jsonl`` and so on, of which the
oldest are removed. A *position* (number of the file, bytes in it, lines in all) says how much is
durable: the rest is cut off before the next line is written. The place of a line depends on the
lines alone, not on when they were written.

Each line is a JSON object with its number, ``n``, and a digest of the line. So a line that was
changed is known, and a number that is missing tells of one that was removed (`checked_lines`).
"""

import contextlib
import os
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocksteady.digests import checked_line, sealed_line
from rocksteady.errors import InputError
from rocksteady.monitor.disk import sync_folder, write_all

MOST_WAITING = 16 << 20  # bytes of lines kept in memory while the disk is full

Position = tuple[int, int, int]
NOWHERE: Position = (0, 0, 0)


class LogFile:
    """Lines that wait to be written, and the files with the durable ones.

    ``segment`` is the size of a file [bytes], and ``files`` how many full ones are kept; None
    keeps everything in one file.
    """

    def __init__(
        self, path: Path, at: Position = NOWHERE, *, segment: int | None = None, files: int = 0
    ) -> None:
        self.path, self.durable = path, at
        self.segment, self.files = segment, files
        self.dropped = 0
        """Lines lost because the disk was full for too long."""
        self.waiting = 0
        """Bytes that are not durable."""
        self.count = at[2]
        """Lines so far, those that wait included."""
        self._lines: deque[bytes] = deque()
        self._written: Position | None = None
        self._in_order = False
        self._name = re.compile(rf"{re.escape(path.stem)}-(\d{{6,}}){re.escape(path.suffix)}")

    def add(self, kind: str, **values: Any) -> None:
        """A line, to be written with the next commit."""
        self.count += 1
        line = sealed_line({"kind": kind, **values, "n": self.count}, allow_nan=False)
        self._lines.append(line)
        self.waiting += len(line)
        while self.waiting > MOST_WAITING:
            self.waiting -= len(self._lines.popleft())
            self.dropped += 1

    def write(self) -> Position:
        """Write all lines to the disk; the position after them. `settle` once it is recorded."""
        if not self._in_order:
            self._rewind()
        self._in_order = False  # until `settle`: after a failure everything is written again
        number, length, _ = self.durable
        chunk: list[bytes] = []
        for line in [*self._gap(), *self._lines]:
            if self.segment is not None and length and length + len(line) > self.segment:
                self._append(chunk)
                self.path.replace(self._closed_path(number))
                number, length = number + 1, 0
            chunk.append(line)
            length += len(line)
        self._append(chunk)
        if number != self.durable[0]:
            sync_folder(self.path.parent)
        self._written = (number, length, self.count)
        return self._written

    def _gap(self) -> list[bytes]:
        """A line for those that were dropped, with the number of the last of them."""
        if not self.dropped:
            return []
        last = self.count - len(self._lines)
        return [sealed_line({"kind": "dropped", "lines": self.dropped, "n": last})]

    def settle(self) -> None:
        """The position is recorded: the lines are durable now, and old files are removed."""
        if self._written is None:
            return
        turned = self._written[0] != self.durable[0]
        self.durable, self._written, self._in_order = self._written, None, True
        self._lines.clear()
        self.waiting = self.dropped = 0
        if turned:
            self._remove_old()

    # -- files ------------------------------------------------------------------------------------

    def _append(self, chunk: list[bytes]) -> None:
        if not chunk:
            return
        new = not self.path.exists()
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            write_all(descriptor, b"".join(chunk))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if new:
            sync_folder(self.path.parent)
        chunk.clear()

    def _rewind(self) -> None:
        """Make the files as long as the durable position says."""
        number, length, count = self.durable
        closed = self.closed()
        for later in sorted(closed, reverse=True):
            if later > number:
                closed[later].unlink()
        if number in closed:
            closed[number].replace(self.path)
        size = self.path.stat().st_size if self.path.exists() else 0
        if size > length:
            descriptor = os.open(self.path, os.O_RDWR)
            try:
                os.ftruncate(descriptor, length)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        elif size < length:  # someone shortened or removed it
            self.durable = (number, size, count)
        self._in_order = True

    def closed(self) -> dict[int, Path]:
        """The full files, by their numbers."""
        found = ((self._name.fullmatch(path.name), path) for path in self.path.parent.iterdir())
        return {int(match[1]): path for match, path in found if match}

    def _closed_path(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}-{number:06d}{self.path.suffix}")

    def _remove_old(self) -> None:
        for number, path in self.closed().items():
            if number < self.durable[0] - self.files:
                with contextlib.suppress(OSError):  # it will be tried again
                    path.unlink()


def checked_lines(
    path: Path, lines: list[bytes], before: int | None = None
) -> Iterator[dict[str, Any] | str]:
    """What some whole lines of a log say, or a sentence where one is damaged or lines before it are
    missing. ``before`` is the number of the line before them, if that is known."""
    for line in lines:
        try:
            about = checked_line(line + b"\n", path)
            number = int(about["n"])
        except (InputError, KeyError, TypeError, ValueError):
            place = "its first line" if before is None else f"the line after number {before}"
            yield f"{path.name}: {place} is damaged or was edited."
            before = None if before is None else before + 1
            continue
        missing = 0 if before is None else number - before - 1
        if about.get("kind") == "dropped":
            missing -= int(about["lines"]) - 1
        if missing:
            said = f"{missing} lines are" if missing > 1 else "a line is"
            if missing < 0:
                said = "lines are repeated or"
            yield f"{path.name}: {said} missing before number {number}."
        before = number
        yield about
