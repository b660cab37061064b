"""What a running job tells: how far it is, and what it has found so far."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rocksteady.digests import sealed_object
from rocksteady.errors import InputError
from rocksteady.studio.encoding import encode
from rocksteady.studio.jobs.limits import PARTIAL
from rocksteady.studio.jobs.store import read_line, sound_lines

EVERY = 0.1  # s between two tellings of progress
BUSY = 10.0  # s to wait for an earlier process of the same job to end

Send = Callable[[dict[str, Any]], None]


class Tell:
    """Given to the function of a kind of job. ``folder`` is the job's, ``studio`` that of the
    whole studio, in which the paths of uploads begin."""

    def __init__(self, folder: Path, send: Send) -> None:
        self.folder, self.studio, self._send = folder, folder.parent.parent, send
        self._told, self._words = 0.0, ""
        path = folder / "partials.jsonl"
        self._file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o666)
        _lock(self._file)
        self._end = sound_lines(path)
        os.ftruncate(self._file, self._end)
        self._count = sum(1 for _ in self.known())

    def known(self) -> Iterator[dict[str, Any]]:
        """The partial results of an earlier process that was stopped: they need not be found
        again."""
        path = self.folder / "partials.jsonl"
        with path.open("rb") as file:
            for n, line in enumerate(file):
                yield read_line(line, n, path)

    def progress(self, words: str, done: int = 0, total: int = 0) -> None:
        """How far it is, in words and of ``total`` steps. The same
        words are told some ten times a second at most."""
        now = time.monotonic()
        if now - self._told >= EVERY or words != self._words or (total and done >= total):
            self._told, self._words = now, words
            self._send({"words": words, "done": int(done), "total": int(total)})

    def partial(self, found: dict[str, Any]) -> None:
        """Show what has been found: on the disk first, then announced."""
        line = sealed_object(encode({"n": self._count, **found}), b"\n")
        if len(line) > PARTIAL:
            raise ValueError(f"A partial result of {len(line)} bytes: at most {PARTIAL}.")
        rest = line
        while rest:  # a disk that is nearly full takes a part of it
            rest = rest[os.write(self._file, rest) :]
        os.fsync(self._file)
        self._count, self._end = self._count + 1, self._end + len(line)
        self._send({"announced": self._end})


def _lock(file: int) -> None:
    """Wait until no other process runs this job: the child of a server that was killed takes a
    moment to notice."""
    with contextlib.suppress(ImportError):  # not on Windows
        import fcntl

        until = time.monotonic() + BUSY
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > until:
                    raise InputError("Another studio is running this job: wait for it.") from None
                time.sleep(0.05)
    return None
