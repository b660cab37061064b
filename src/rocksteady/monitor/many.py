"""Watch many buildings in one process: a thread for each source, a log for each building.

An error in one building or source does not touch the others: a building that can be watched no
longer is reported and left alone, and a source that cannot be opened is tried again. The compiled
loops release Python's lock, so sources run on all processors.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.monitor import sources
from rocksteady.monitor.config import Config
from rocksteady.monitor.disk import reason
from rocksteady.monitor.outcome import Outcome
from rocksteady.monitor.session import Report, Session, resumed_source
from rocksteady.monitor.settings import new_watch, resumed
from rocksteady.monitor.sources import Source, Stop
from rocksteady.monitor.state_log import saved_state
from rocksteady.monitor.watch import Watch

AGAIN = 10.0  # s until a source that could not be opened is tried again


class ManyBuildings:
    """All buildings of a config file."""

    def __init__(self, config: Config, stop: Stop, stdin: int = 0) -> None:
        self.config, self.stop, self.stdin = config, stop, stdin
        self.watches: list[Watch] = []
        self.refused: dict[str, str] = {}
        """Buildings whose log cannot be resumed, and why."""
        self.unopened: dict[str, str] = {}
        """Sources that cannot be opened at present, and why."""
        self._sessions: dict[str, Session] = {}
        self._resumed: set[str] = set()
        for name in config.sources:
            self._prepare(name)

    def _prepare(self, source: str) -> None:
        """The buildings of a source, each where its log ends."""
        watches = []
        for name in self.config.buildings_of(source):
            try:
                watches.append(self._watch(name))
            except (InputError, OSError) as error:
                self.refused[name] = str(error)
        if not watches:
            return
        self.watches += watches
        if any(watch.monitor.samples for watch in watches):
            self._resumed.add(source)
        given, offsets = self.config.input_of(source, self.stdin), [0] * len(watches)
        if given.follow is not None:
            offsets = [_offset(given.follow, watch) for watch in watches]
        elif given.rereadable:
            offsets = [int(watch.position["bytes"]) for watch in watches]
        self._sessions[source] = Session.at_positions(watches, offsets)

    def _watch(self, name: str) -> Watch:
        settings = self.config.settings[name]
        folder = self.config.logs / name
        about = saved_state(folder)
        if about is not None:
            return resumed(name, settings, about, folder)
        return new_watch(name, settings, settings.monitor(), folder, settings.reader())

    # -- while it runs ----------------------------------------------------------------------------

    def run(self, report: Report, show: Callable[[], None]) -> None:
        """Until every source has ended, or ``stop()``; ``show`` is called now and then."""
        threads = [
            threading.Thread(target=self._follow, args=(name, session, report), name=name)
            for name, session in self._sessions.items()
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            show()
            time.sleep(0.05)

    def _follow(self, name: str, session: Session, report: Report) -> None:
        """One source, in its own thread."""
        try:
            while not self.stop():
                try:
                    source = self._open(name, session)
                except (InputError, OSError) as error:
                    self._not_opened(name, error)
                    continue
                self.unopened.pop(name, None)
                session.run(source, report)
                if not self.stop():
                    session.finish(report)
                break
            session.commit()
        except Exception as error:
            for watch in session.all_watches:
                watch.fail(f"its source {name}: {error or repr(error)}")
                report(watch, ())

    def _open(self, name: str, session: Session) -> Source:
        given, reader = self.config.input_of(name, self.stdin), session.reader
        if name in self._resumed:
            return resumed_source(given, self.stop, reader)
        return given.open(self.stop, offset=reader.bytes, mark=reader.mark)

    def _not_opened(self, name: str, error: Exception) -> None:
        why = reason(error) if isinstance(error, OSError) else str(error).rstrip(".")
        if name not in self.unopened:
            for watch in self._sessions[name].all_watches:
                watch.service.note("source not opened", source=name, why=why)
        self.unopened[name] = why
        end = time.monotonic() + AGAIN
        while not self.stop() and time.monotonic() < end:
            time.sleep(0.05)

    # -- at the end -------------------------------------------------------------------------------

    def close(self, grace: float | None = None) -> int:
        """Close logs and hooks, within ``grace`` seconds, or as many as one attempt at each message
        may take; returns how many messages the next start must send."""
        if grace is None:  # the hooks of all work at the same time
            boxes = [watch.outbox for watch in self.watches if watch.outbox is not None]
            grace = max((box.needs for box in boxes), default=0.0)
        end = time.monotonic() + grace
        return sum(watch.close(max(0.5, end - time.monotonic())) for watch in self.watches)

    def outcomes(self) -> list[Outcome]:
        """The outcome of each building."""
        out = [Outcome.BROKEN] * len(self.refused)
        for session in self._sessions.values():
            silent = session.ended == "silent"
            out += [watch.outcome(silent=silent) for watch in session.all_watches]
        return out


def _offset(file: Path, watch: Watch) -> int:
    """The byte up to which a building has read a file; 0 if the file has been replaced."""
    at, mark = int(watch.position["bytes"]), watch.position["mark"].encode("latin-1")
    if at and not sources.continues(file, at, mark):
        watch.interrupted(sources.Break("rotated"), torn=False, timed=True)
        watch.position |= {"bytes": 0, "mark": ""}
        return 0
    return at
