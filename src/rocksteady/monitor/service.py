"""A log of the monitor itself, by this machine's clock: starts, silences, hooks, problems.

These lines depend on the time of day, not on the samples, so they have their own file. A line that
cannot be written is left out.
"""

import contextlib
import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SERVICE, BEFORE = "service.jsonl", "service.previous.jsonl"
LARGEST = 2 << 20  # bytes, after which a new file begins; one older file is kept


def now() -> str:
    """The time of this machine's clock, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class ServiceLog:
    """Appends one line at a time, from any thread. Without ``folder`` nothing is written."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._turn = threading.Lock()

    def note(self, kind: str, **values: Any) -> None:
        """Add a line, if the disk is not full."""
        if self.folder is None:
            return
        line = json.dumps({"at": now(), "kind": kind, **values}, ensure_ascii=False) + "\n"
        path = self.folder / SERVICE
        with self._turn, contextlib.suppress(OSError):
            if path.exists() and path.stat().st_size + len(line) > LARGEST:
                path.replace(self.folder / BEFORE)
            with path.open("ab", buffering=0) as file:
                file.write(line.encode())
