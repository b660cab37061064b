"""The folder that `rocksteady monitor --log` writes, read while it is being written."""

import math
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.monitor import Monitor
from rocksteady.monitor.clock import Clock
from rocksteady.monitor.logfile import checked_lines
from rocksteady.monitor.service import SERVICE
from rocksteady.monitor.state_log import HISTORY, LOG, STATE, lost_state, positions, saved_state
from rocksteady.studio.paths import without_paths
from rocksteady.studio.watching.building import (
    MOST_LINES,
    Building,
    Point,
    of_monitor,
    pointer,
    urgency,
)

MOST_BYTES = 1 << 20  # of a log that are read at a time: its end counts
MOST_DAYS = 1000  # shown; of more, every second or third
NOT_HEARD = 90.0  # s without a new state, after which the monitor is said to have stopped writing


class LogFolder:
    """One monitor's folder and the building that it is about."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.building = Building(folder.name)
        self._seen: tuple[Any, ...] = ()
        self._at = (-1, 0)
        """Number of the log's file and the bytes of it that have been read."""
        self._written = 0.0
        self._damaged: dict[str, str] = {}
        """By log: what was damaged in it, the last of it."""

    def look(self) -> None:
        """Read what is new. A file that cannot be read is told, and tried again."""
        try:
            seen = self._stamps()
            if seen != self._seen:
                self._seen = seen
                self._read()
            self._heard()
        except InputError as error:
            self.building.problem(self._without(str(error)))
        except OSError as error:
            self._seen = ()  # try again
            self.building.problem(f"It cannot be read: {error.strerror or 'unknown reason'}.")
        except Exception as error:  # whatever is in the file, the other buildings are shown
            said = self._without(str(error)) or type(error).__name__
            self.building.problem(f"Its state is not that of a monitor of this version ({said}).")

    def _stamps(self) -> tuple[Any, ...]:
        """What changes when the monitor writes."""
        found = []
        for name in (STATE, SERVICE, HISTORY):
            path = self.folder / name
            about = path.stat() if path.exists() else None
            found.append(about and (about.st_mtime_ns, about.st_size))
        return tuple(found)

    def _read(self) -> None:
        about = saved_state(self.folder)
        if about is None:
            raise InputError("There is no state of a monitor in this folder any more.")
        monitor = Monitor.from_dict(about["monitor"])
        self._written = (self.folder / STATE).stat().st_mtime
        names = [label.split(" [")[0] for label in monitor.formulation.columns(monitor.system)]
        self._read_log(about, monitor, names)
        self.building.days = tuple(self._days(monitor, names))
        self.building.lines = tuple(self._service())
        self._damaged[STATE] = lost_state(self.folder)
        clock = []
        if "feed" in about:  # not in the log of a program that feeds its monitor itself
            clock = Clock.from_dict(about["feed"]["clock"], monitor.dt).words()
        told = {**of_monitor(monitor), "clock": clock, "damaged": self._told_damage()}
        self.building.update(self._followed(told))

    def _told_damage(self) -> list[str]:
        return [self._without(said) for said in self._damaged.values() if said]

    # -- the log ----------------------------------------------------------------------------------

    def _read_log(self, about: dict[str, Any], monitor: Monitor, names: list[str]) -> None:
        (number, end, _), _ = positions(about)
        begin = self._at[1] if number == self._at[0] and end >= self._at[1] else 0
        if number < self._at[0] or (number == self._at[0] and end < self._at[1]):
            self.building.restart()  # another log in the same place
        lines = self._lines(LOG, begin, end)
        self.building.add(_points(lines, monitor, names))
        self._at = (number, end)

    def _days(self, monitor: Monitor, names: list[str]) -> list[Point]:
        """A point a day, for as long as the building has been watched."""
        days = _points(self._lines(HISTORY, 0, None), monitor, names)
        return days[:: math.ceil(len(days) / MOST_DAYS) or 1]

    def _service(self) -> list[dict[str, Any]]:
        """The last lines of what the monitor said of itself."""
        kept = list(self._lines(SERVICE, 0, None))[-MOST_LINES:]
        return [
            {"at": str(line.get("at", "")), "kind": str(line.get("kind", "")),
             "why": self._without(str(line.get("why", "")))}
            for line in kept
        ]  # fmt: skip

    def _lines(self, name: str, begin: int, end: int | None) -> list[dict[str, Any]]:
        """The lines between two bytes of a file, of its end only if there are very many. Damaged
        lines are left out and told."""
        path = self.folder / name
        found: list[dict[str, Any]] = []
        if not path.is_file():
            return found
        with path.open("rb") as file:
            end = path.stat().st_size if end is None else end
            start = max(begin, end - MOST_BYTES)
            file.seek(start)
            whole = file.read(max(end - start, 0)).split(b"\n")[:-1]
        for line in checked_lines(path, whole[start > begin :]):
            if isinstance(line, str):
                self._damaged[name] = line
            else:
                found.append(line)
        return found

    # -- whether it is being followed --------------------------------------------------------------

    def _heard(self) -> None:
        """Whether the monitor still writes: that changes without a file changing."""
        card = self.building.card
        if "samples" in card and self._follows() != card["followed"]:
            self.building.update(self._followed(card))

    def _followed(self, about: dict[str, Any]) -> dict[str, Any]:
        about = {**about, "followed": self._follows(), "written": self._written}
        return {**about, "urgency": urgency(about)}

    def _follows(self) -> str:
        """live, silent (the sensor), stopped (the monitor), or unheard: nothing for a while."""
        for line in reversed(self.building.lines):
            if line["kind"] == "stop":
                return "stopped"
            if line["kind"] in ("silent", "broken"):
                return str(line["kind"])
            if line["kind"] in ("start", "heard"):
                break
        return "live" if time.time() - self._written < NOT_HEARD else "unheard"

    def _without(self, text: str) -> str:
        return without_paths(text, self.folder)


def _points(lines: Iterable[dict[str, Any]], monitor: Monitor, names: list[str]) -> list[Point]:
    point = pointer(monitor)
    states = [line for line in lines if line.get("kind") == "state"]
    return [point(line.get("time"), [line.get(name) for name in names]) for line in states]
