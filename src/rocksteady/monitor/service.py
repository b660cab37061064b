"""What happened to the monitor itself, by this machine's clock: starts, silences, hooks, troubles.

These lines depend on the hour, not on the samples, so they have a file of their own, which is
written at once and never stands in the way: what cannot be written is left out.
"""

from __future__ import annotations

import contextlib
import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SERVICE, BEFORE = "service.jsonl", "service.previous.jsonl"
LARGEST = 2 << 20  # bytes, then a new file begins; one older file is kept


def now() -> str:
    """The time of this machine's clock, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class ServiceLog:
    """Appends a line at a time; any thread may. ``folder`` None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._turn = threading.Lock()

    def note(self, kind: str, **values: Any) -> None:
        """Add a line, if the disk takes it."""
        if self.folder is None:
            return
        line = json.dumps({"at": now(), "kind": kind, **values}, ensure_ascii=False) + "\n"
        path = self.folder / SERVICE
        with self._turn, contextlib.suppress(OSError):
            if path.exists() and path.stat().st_size + len(line) > LARGEST:
                path.replace(self.folder / BEFORE)
            with path.open("ab", buffering=0) as file:
                file.write(line.encode())
