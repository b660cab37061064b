"""A log of the monitor itself, by this machine's clock: starts, silences, hooks, problems.

These lines depend on the time of day, not on the samples, so they have their own file. A line that
cannot be written is left out.
"""

import contextlib
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rocksteady.digests import checked_line, sealed_line
from rocksteady.errors import InputError

SERVICE, BEFORE = "service.jsonl", "service.previous.jsonl"
LARGEST = 2 << 20  # bytes, after which a new file begins; one older file is kept


def now() -> str:
    """The time of this machine's clock, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class ServiceLog:
    """Appends one line at a time, from any thread, each with its number and a digest. Without
    ``folder`` nothing is written."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._turn = threading.Lock()
        self._count: int | None = None  # lines so far, once that is known

    def note(self, kind: str, **values: Any) -> None:
        """Add a line, if the disk is not full."""
        if self.folder is None:
            return
        path = self.folder / SERVICE
        with self._turn, contextlib.suppress(OSError):
            if self._count is None:
                self._count = _lines_so_far(path)
            about = {"at": now(), "kind": kind, **values, "n": self._count + 1}
            line = sealed_line(about, ensure_ascii=False)
            if path.exists() and path.stat().st_size + len(line) > LARGEST:
                path.replace(self.folder / BEFORE)
            with path.open("ab", buffering=0) as file:
                file.write(line)
            self._count += 1


def _lines_so_far(path: Path) -> int:
    """The number of the last line. One that a power cut left incomplete is ended here."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        with path.open("ab", buffering=0) as file:
            file.write(b"\n")
    lines, after = data.split(b"\n"), 0
    for line in reversed(lines):
        try:
            return int(checked_line(line + b"\n", path)["n"]) + after
        except (InputError, KeyError, TypeError, ValueError):
            after += bool(line)
    return after
