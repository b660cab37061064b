"""One source of samples and the buildings that are watched by it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from rocksteady.errors import InputError
from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.lines import LineReader, Lines
from rocksteady.monitor.sources import SILENT, Break, Input, Source, Stop
from rocksteady.monitor.watch import Watch
from rocksteady.numerics.types import Array

ENOUGH = 16  # time stamps that give dt
MOST_EQUAL = 0.1  # of the first time stamps
ANOTHER_FILE = ("rotated", "another file")
RESTARTED = Break("restarted")

Report = Callable[[Watch, tuple[Alarm, ...]], Any]


@dataclass
class Session:
    """Read bytes and hand the lines to every building.

    After a crash the buildings may have read different amounts of a file: each joins at the byte
    (``joins``) up to which it has read.
    """

    reader: LineReader
    watches: list[Watch]
    joins: dict[int, list[Watch]] = field(default_factory=dict)
    ended: str = ""
    """Why the input ended: "silent" if nothing came for too long."""

    @classmethod
    def at_positions(cls, watches: list[Watch], offsets: list[int]) -> Self:
        """A session that reads on from the building that is farthest behind."""
        first = min(range(len(watches)), key=offsets.__getitem__)
        reader = LineReader.from_dict(watches[first].position)
        joins: dict[int, list[Watch]] = {}
        active = []
        for watch, offset in zip(watches, offsets, strict=True):
            if offset > offsets[first]:
                joins.setdefault(offset, []).append(watch)
            else:
                active.append(watch)
        return cls(reader, active, joins)

    @property
    def all_watches(self) -> list[Watch]:
        """All buildings, also those that have not joined yet."""
        return [*self.watches, *(watch for some in self.joins.values() for watch in some)]

    def run(self, source: Source, report: Report, early: Iterable[Lines] = ()) -> None:
        """Take the ``early`` lines, then everything until the source ends; ``report`` is called
        with the alarms of every piece."""
        early = list(early)
        position = self.reader.to_dict()
        if early:  # not known until they are durable
            position |= {"bytes": 0, "lines": 0, "mark": "", "head": ""}
        for watch in self.all_watches:
            watch.start()
        for watch in self.watches:
            watch.commit(position)
        for lines in early:
            self._hand_out(lines, report)
        for piece in source:
            if isinstance(piece, Break):
                if piece is SILENT:
                    self.ended = piece.why
                    break
                self._interrupted(piece)
                self._check_clock(report)
                continue
            if piece:
                self.take(piece, report)
            else:
                self._check_clock(report)

    def take(self, piece: bytes, report: Report) -> None:
        """Take some bytes."""
        for part in self._parts(piece):
            self._hand_out(self.reader.read(part), report)

    def finish(self, report: Report) -> None:
        """The input has ended: take the rest of it."""
        self._hand_out(self.reader.read(b"", last=True), report)
        for watch in self.watches:
            watch.finish()
            report(watch, ())

    def commit(self) -> None:
        """Make everything so far durable."""
        for watch in self.watches:
            watch.commit(self.reader.to_dict())

    # -- a piece ----------------------------------------------------------------------------------

    def _hand_out(self, lines: Lines, report: Report) -> None:
        for watch in self.watches:
            raised = watch.take(lines)
            watch.tick(self.reader.to_dict, bool(raised))
            report(watch, raised)

    def _check_clock(self, report: Report) -> None:
        for watch in self.watches:
            watch.tick(self.reader.to_dict, False)
            report(watch, ())

    def _parts(self, piece: bytes) -> Iterator[bytes]:
        """The piece, split where a building joins."""
        while self.joins:
            at = min(self.joins)
            cut = at - self.reader.position
            if cut > len(piece):
                break
            if cut > 0:
                yield piece[:cut]
                piece = piece[cut:]
            self.watches += self.joins.pop(at)
        if piece:
            yield piece

    def _interrupted(self, piece: Break) -> None:
        torn = self.reader.drop_tail()
        if piece.why in ANOTHER_FILE:
            self.reader.start_over()
            for at in list(self.joins):  # what they have read is gone
                self.watches += self.joins.pop(at)
        for watch in self.watches:
            watch.interrupted(piece, torn=torn, timed=self.reader.timed)


def passing_over(source: Source, reader: LineReader) -> Source:
    """Standard input, which may continue or start over. If its first bytes are those of the first
    run, what is known is skipped."""
    seen = b""
    for piece in source:
        if isinstance(piece, Break) or not piece:
            yield piece
            continue
        seen += piece
        short = len(seen) < len(reader.head)
        if short and reader.head.startswith(seen):
            continue
        if reader.begins_alike(seen):
            reader.pass_over_known()
        else:
            yield RESTARTED
        yield seen
        yield from source
        return
    if seen:
        yield RESTARTED
        yield seen


def resumed_source(given: Input, stop: Stop, reader: LineReader, **options: Any) -> Source:
    """The source of a resumed run: a file from where ``reader`` stopped, standard input from there
    or from its beginning, a socket after a break of unknown length."""
    source = given.open(stop, offset=reader.bytes, mark=reader.mark, **options)
    if given.listen is not None:
        return restarted(source)
    return source if given.rereadable else passing_over(source, reader)


def restarted(source: Source) -> Source:
    """A source that cannot be rewound, after a break of unknown length."""
    yield RESTARTED
    yield from source


def time_step_of(times: Array) -> float:
    """dt [s] from the first time stamps: loggers take a whole number of samples per second."""
    steps = np.diff(times[np.isfinite(times)])
    equal, steps = np.count_nonzero(steps == 0), steps[steps > 0]
    if equal > MOST_EQUAL * (equal + len(steps)):
        raise InputError(
            f"{equal} of the first {equal + len(steps) + 1} time stamps are equal to the one "
            "before: they are too coarse to find the time step. Give --dt; samples are then "
            "counted between two ticks of the clock."
        )
    if len(steps) < 3:
        raise InputError("There are too few time stamps to find the time step: give --dt.")
    rate = 1 / float(np.median(steps))
    if round(rate) < 1 or abs(rate - round(rate)) > 1e-3 * rate:
        raise InputError(
            f"The first time stamps are {1 / rate:.6g} s apart, which is not a whole number of "
            "samples per second: give the time step with --dt."
        )
    return 1 / round(rate)


def first_lines(
    reader: LineReader, source: Source, waiting: Callable[[], None] = lambda: None
) -> list[Lines]:
    """The first lines: enough to find the time step, or all there are. ``waiting`` is called
    repeatedly until a first line has come."""
    early: list[Lines] = []
    for piece in source:
        if not any(map(len, early)):
            waiting()
        if isinstance(piece, Break):
            if piece is SILENT:
                break
            reader.drop_tail()
        elif piece:
            early.append(reader.read(piece))
        if (reader.columns and not reader.timed) or sum(map(len, early)) >= ENOUGH:
            break
    return early
