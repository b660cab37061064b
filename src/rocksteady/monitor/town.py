"""Watch many buildings in one process: a thread for each source, a log for each building.

What goes wrong with one building or one source stays there: a building that cannot be watched any
further is told and left alone, a source that cannot be opened is tried again, and the others never
know. The compiled loops hold no lock of Python's, so that sources share the processors.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.monitor import sources
from rocksteady.monitor.config import SourceTable, Town
from rocksteady.monitor.disk import reason
from rocksteady.monitor.journal import kept
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.outcome import Outcome
from rocksteady.monitor.session import Look, Session, passing_over, restarted
from rocksteady.monitor.settings import Settings, fresh, resumed
from rocksteady.monitor.sources import Source, Stop
from rocksteady.monitor.watch import Watch

AGAIN = 10.0  # s until a source that could not be opened is tried again


class Watchmen:
    """All buildings of a town."""

    def __init__(self, town: Town, stop: Stop, stdin: int = 0) -> None:
        self.town, self.stop, self.stdin = town, stop, stdin
        self.watches: list[Watch] = []
        self.refused: dict[str, str] = {}
        """Buildings whose log cannot be resumed, and why."""
        self.unopened: dict[str, str] = {}
        """Sources that cannot be opened at present, and why."""
        self._sessions: dict[str, Session] = {}
        self._resumed: set[str] = set()
        for name in town.sources:
            self._prepare(name)

    def _prepare(self, source: str) -> None:
        """The buildings of a source, each where its log ends."""
        table, watches = self.town.sources[source], []
        for name in self.town.of(source):
            try:
                watches.append(self._watch(name, table))
            except (InputError, OSError) as error:
                self.refused[name] = str(error)
        if not watches:
            return
        self.watches += watches
        if any(watch.monitor.samples for watch in watches):
            self._resumed.add(source)
        file = self.town.file_of(source)
        offsets = [0] * len(watches)
        if file is not None:
            offsets = [_offset(file, watch) for watch in watches]
        elif table.stdin and self._stdin_is_file():
            offsets = [int(watch.position["bytes"]) for watch in watches]
        self._sessions[source] = Session.at_positions(watches, offsets)

    def _watch(self, name: str, table: SourceTable) -> Watch:
        settings: Settings = self.town.settings[name]
        folder = self.town.logs / name
        about = kept(folder)
        if about is not None:
            return resumed(name, settings, about, folder)
        reader = LineReader(table.names, table.factor)
        return fresh(name, settings, settings.monitor(), folder, reader)

    # -- while it runs ----------------------------------------------------------------------------

    def run(self, look: Look, show: Callable[[], None]) -> None:
        """Until every source has ended, or ``stop()``; ``show`` is called now and then."""
        threads = [
            threading.Thread(target=self._follow, args=(name, session, look), name=name)
            for name, session in self._sessions.items()
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            show()
            time.sleep(0.05)

    def _follow(self, name: str, session: Session, look: Look) -> None:
        """One source, in its own thread."""
        try:
            while not self.stop():
                try:
                    source = self._open(name, session)
                except (InputError, OSError) as error:
                    self._not_opened(name, error)
                    continue
                self.unopened.pop(name, None)
                session.run(source, look)
                if not self.stop():
                    session.finish(look)
                break
            session.commit()
        except Exception as error:
            for watch in session.everyone:
                watch.fail(f"its source {name}: {error or repr(error)}")
                look(watch, ())

    def _open(self, name: str, session: Session) -> Source:
        table, reader = self.town.sources[name], session.reader
        again = name in self._resumed
        file = self.town.file_of(name)
        if file is not None:
            if not file.parent.is_dir():
                raise InputError(f"there is no folder {file.parent}")
            return sources.from_path(
                file, self.stop, offset=reader.bytes, mark=reader.mark, patience=table.patience
            )
        if table.listen is not None:
            listener = sources.listen(*sources.host_and_port(table.listen))
            live = sources.from_socket(listener, self.stop, patience=table.patience)
            return restarted(live) if again else live
        if self._stdin_is_file():
            return sources.from_descriptor(
                self.stdin, self.stop, offset=reader.bytes, mark=reader.mark
            )
        live = sources.from_descriptor(self.stdin, self.stop)
        return passing_over(live, reader) if again else live

    def _stdin_is_file(self) -> bool:
        return stat.S_ISREG(os.fstat(self.stdin).st_mode)

    def _not_opened(self, name: str, error: Exception) -> None:
        why = reason(error) if isinstance(error, OSError) else str(error)
        if name not in self.unopened:
            for watch in self._sessions[name].everyone:
                watch.service.note("source not opened", source=name, why=why)
        self.unopened[name] = why
        end = time.monotonic() + AGAIN
        while not self.stop() and time.monotonic() < end:
            time.sleep(0.05)

    # -- at the end -------------------------------------------------------------------------------

    def close(self, grace: float) -> int:
        """Close logs and hooks; returns how many messages the next start must send."""
        end = time.monotonic() + grace
        return sum(watch.close(max(0.5, end - time.monotonic())) for watch in self.watches)

    def outcomes(self) -> list[Outcome]:
        """How it went with each building."""
        out = [Outcome.BROKEN] * len(self.refused)
        for session in self._sessions.values():
            silent = session.ended == "silent"
            out += [watch.outcome(silent=silent) for watch in session.everyone]
        return out


def _offset(file: Path, watch: Watch) -> int:
    """Up to where a building knows a file; 0 if it is another one now."""
    at, mark = int(watch.position["bytes"]), watch.position.get("mark", "").encode("latin-1")
    if at and not sources.continues(file, at, mark):
        watch.interrupted(sources.Break("rotated"), torn=False, timed=True)
        watch.position |= {"bytes": 0, "mark": ""}
        return 0
    return at
