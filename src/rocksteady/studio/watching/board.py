"""All buildings that the studio watches: a thread reads, the routes tell."""

import threading
import time
from pathlib import Path
from typing import Any

from rocksteady.monitor.state_log import PREVIOUS, STATE
from rocksteady.studio.listening import Listeners
from rocksteady.studio.watching.building import Building
from rocksteady.studio.watching.demonstration import Demonstration
from rocksteady.studio.watching.logs import LogFolder

MOST_BUILDINGS = 2000
LOOK_EVERY = 0.5  # s between two looks at the folders
SEARCH_EVERY = 5.0  # s between two searches for new folders
FORGOTTEN_AFTER = 60.0  # s after which a demonstration that nobody watches ends


class Board:
    """The buildings by name. ``folder`` is that of one monitor, or one with a folder for each."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.demonstration: Demonstration | None = None
        self.left_out = 0
        """Folders beyond the largest number."""
        self.listeners = Listeners()
        """Windows that are told what is new."""
        self._logs: dict[str, LogFolder] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._ready = threading.Event()
        self._starting = threading.Lock()
        self._watched = time.monotonic()

    # -- for the routes ---------------------------------------------------------------------------

    def wanted(self) -> None:
        """Somebody watches: begin to look, where that has not begun."""
        self._watched = time.monotonic()
        with self._starting:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="monitors", daemon=True)
                self._thread.start()

    def ready(self, timeout: float) -> bool:
        """Wait until the folders have been read once."""
        return self._ready.wait(timeout)

    def buildings(self) -> list[Building]:
        """All of them, the most urgent first."""
        found = [log.building for log in self._logs.copy().values()]
        if self.demonstration is not None:
            found += self.demonstration.buildings
        return sorted(found, key=_order)

    def named(self, name: str) -> Building | None:
        """A building by its name."""
        return next((one for one in self.buildings() if one.name == name), None)

    def about(self) -> dict[str, Any]:
        """The board itself: what is watched, and whether a demonstration runs."""
        showing = self.demonstration
        return {
            "watching": self.folder is not None,
            "folder": "" if self.folder is None else self.folder.resolve().name,
            "missing": self.folder is not None and not self.folder.is_dir(),
            "reading": not self._ready.is_set(),
            "left_out": self.left_out,
            "demonstration": None if showing is None else showing.about(),
        }

    def show(self, demonstration: Demonstration | None) -> None:
        """Begin a demonstration in place of the one that runs; None ends it."""
        with self._starting:
            before, self.demonstration = self.demonstration, demonstration
        if before is not None:
            before.stop()
        if demonstration is not None:
            demonstration.start()

    def close(self) -> None:
        """End the threads."""
        self._closed.set()
        self.show(None)

    # -- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        searched = -SEARCH_EVERY
        while not self._closed.is_set():
            now = time.monotonic()
            if now - searched >= SEARCH_EVERY or not self._logs:
                searched = now
                self._search()
            if now - self._watched < FORGOTTEN_AFTER:
                for log in list(self._logs.values()):
                    log.look()
            elif self.demonstration is not None:
                self.show(None)
            self._ready.set()
            self._closed.wait(LOOK_EVERY)

    def _search(self) -> None:
        """Find the folders of monitors."""
        if self.folder is None:
            return
        try:
            if _is_log(self.folder):
                found = [self.folder.resolve()]
            else:
                found = [path for path in sorted(self.folder.iterdir()) if _is_log(path)]
        except OSError:
            return  # `missing` tells
        self.left_out = max(0, len(found) - MOST_BUILDINGS)
        logs = self._logs.copy()
        for path in found[:MOST_BUILDINGS]:
            logs.setdefault(path.name, LogFolder(path))
        self._logs = logs


def _is_log(path: Path) -> bool:
    return (path / STATE).is_file() or (path / PREVIOUS).is_file()


def _order(building: Building) -> tuple[Any, ...]:
    card = building.card
    nearest = round(card.get("nearest", 0.0), 1)  # rows that change places are hard to read
    return card.get("urgency", 1), -nearest, building.name
