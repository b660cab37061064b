"""A log of lines that is cut into files of bounded size.

``log.jsonl`` is the file being written; full ones are ``log-000000.jsonl`` and so on, of which the
oldest are removed. A *position* (number of the file, bytes in it) says how much is durable: the
rest is cut off before the next line is written. The place of a line depends on the lines alone, not
on when they were written.
"""

import contextlib
import os
import re
from collections import deque
from pathlib import Path

from rocksteady.monitor.disk import sync_folder, write_all

MOST_WAITING = 16 << 20  # bytes of lines kept in memory while the disk is full

Position = tuple[int, int]


class LogFile:
    """Lines that wait to be written, and the files with the durable ones.

    ``segment`` is the size of a file [bytes], and ``files`` how many full ones are kept; None
    keeps everything in one file.
    """

    def __init__(
        self, path: Path, at: Position = (0, 0), *, segment: int | None = None, files: int = 0
    ) -> None:
        self.path, self.durable = path, at
        self.segment, self.files = segment, files
        self.dropped = 0
        """Lines lost because the disk was full for too long."""
        self.waiting = 0
        """Bytes that are not durable."""
        self._lines: deque[bytes] = deque()
        self._written: Position | None = None
        self._in_order = False
        self._name = re.compile(rf"{re.escape(path.stem)}-(\d{{6,}}){re.escape(path.suffix)}")

    def add(self, line: bytes) -> None:
        """A line, with its end, to be written with the next commit."""
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
        number, length = self.durable
        chunk: list[bytes] = []
        lost = b'{"kind": "dropped", "lines": %d}\n' % self.dropped
        for line in ([lost] if self.dropped else []) + list(self._lines):
            if self.segment is not None and length and length + len(line) > self.segment:
                self._append(chunk)
                self.path.replace(self._closed_path(number))
                number, length = number + 1, 0
            chunk.append(line)
            length += len(line)
        self._append(chunk)
        if number != self.durable[0]:
            sync_folder(self.path.parent)
        self._written = (number, length)
        return self._written

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
        number, length = self.durable
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
            self.durable = (number, size)
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
