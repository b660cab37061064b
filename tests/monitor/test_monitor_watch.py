"""One watched building by a clock that the test sets: what it tells, when it commits, and that it
says each thing once."""

from __future__ import annotations

import time

import numpy as np
import pytest

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.monitor import Feed, Monitor
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.outcome import Outcome
from rocksteady.monitor.state_log import StateLog
from rocksteady.monitor.watch import Watch

HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)


class Clock:
    """Replaces `time.monotonic`."""

    def __init__(self):
        self.now = 1.0  # of a machine that has just started

    def __call__(self):
        return self.now


class Told:
    """A service log and an outbox that remember."""

    needs = 0.0

    def __init__(self):
        self.notes, self.messages = [], []

    def note(self, kind, **values):
        self.notes.append((kind, values))

    def post(self, message):
        self.messages.append((message["kind"], message["text"].removeprefix("house: ")))

    def close(self, grace):
        return 0


class Log:
    """A log whose disk may be full; it counts its commits."""

    waiting = 0
    trouble: OSError | None = None

    def __init__(self, monitor):
        self.monitor, self.commits = monitor, 0

    def commit(self, session):
        if self.trouble is not None:
            raise self.trouble
        self.commits += 1

    def close(self):
        pass


@pytest.fixture
def watched(monkeypatch):
    clock, told = Clock(), Told()
    monkeypatch.setattr(time, "monotonic", clock)
    monitor = Monitor(HOUSE, dt=0.01)
    log = Log(monitor)
    one = Watch("house", Feed(StateLog(monitor, None)), log, outbox=told, service=told)
    one._counted = one._last_heard = clock.now  # it began now
    one.start()
    reader = LineReader(("a_h",))

    def take(*values):
        return one.take(reader.read("".join(f"{a}\n" for a in values).encode()))

    def tick(after, raised=False):
        clock.now += after
        one.tick(reader.to_dict, raised)

    one.commit(reader.to_dict())
    told.notes.clear()
    return one, log, told, take, tick


def test_a_commit_is_due_after_ten_seconds_at_an_alarm_and_when_much_waits(watched):
    one, log, _, take, tick = watched
    tick(100.0)
    assert log.commits == 1  # the first one: nothing is new
    take(0.1)
    tick(0.0)
    assert log.commits == 2  # the last one is 100 s ago
    take(0.1)
    tick(9.75)
    assert log.commits == 2
    tick(0.25)
    assert log.commits == 3
    take(0.1)
    tick(1.0)
    log.waiting = 4 << 20
    tick(1.0)
    assert log.commits == 3
    log.waiting += 1
    tick(1.0)
    assert log.commits == 4
    take(0.1)
    tick(1.0, raised=True)
    assert log.commits == 5 and one.position["lines"] == 4


def test_a_full_disk_is_told_once_and_so_is_its_end(watched):
    one, log, told, take, tick = watched
    for why in (28, 28, 5):
        log.trouble = OSError(why, f"reason {why}")
        take(0.1)
        tick(20.0)
        assert one.unwritten == f"reason {why}"
    assert told.notes == [("log not written", {"why": "reason 28"})]
    assert told.messages == [("log", "the log cannot be written: reason 28")]
    assert one.outcome(silent=False) is Outcome.NOT_KEPT
    log.trouble = None
    tick(9.0)
    assert one.unwritten  # it is tried again after the usual time
    tick(1.0)
    assert not one.unwritten and one.outcome(silent=False) is Outcome.FINE
    assert told.notes[1:] == [("log written again", {"samples": 3})]
    assert one.commit({}) and len(told.messages) == 1


def test_silence_is_told_after_a_minute_and_once(watched):
    one, _, told, take, tick = watched
    take(0.1)
    tick(0.0)
    tick(59.75)
    assert not one.silent
    for _ in range(3):
        tick(0.25)
    assert one.silent and [kind for kind, _ in told.notes] == ["silent"]
    take(0.1)
    tick(0.1)
    tick(0.1)
    assert not one.silent
    assert [kind for kind, _ in told.messages] == ["silent", "heard"]
    assert told.messages[1][1] == "the sensor sends samples again"


def test_a_sensor_may_be_silent_for_ever_where_that_is_asked(watched):
    one, _, told, _, tick = watched
    one.silent_after = 0.0
    tick(1e6)
    assert not one.silent and not told.messages


def test_all_counts_are_noted_every_hour(watched):
    _, _, told, take, tick = watched
    take(0.1, 0.2)

    def hours():
        return [values["samples"] for kind, values in told.notes if kind == "counts"]

    tick(3599.75)
    assert hours() == []
    tick(0.25)
    assert hours() == [2]
    tick(3599.75)
    assert hours() == [2]
    tick(0.25)
    assert hours() == [2, 2]


def test_a_collapse_is_told_once_and_committed_at_once(watched):
    one, log, told, take, tick = watched
    take(0.1)
    tick(0.0)
    strong = 6.0 * np.random.default_rng(0).standard_normal(3000)
    take(*strong)
    assert one.monitor.over
    commits = log.commits
    tick(0.1)
    assert log.commits == commits + 1
    take(*strong[:10])
    tick(0.1)
    assert [kind for kind, _ in told.messages].count("collapsed") == 1
    assert one.outcome(silent=True) is Outcome.FALLEN


def test_a_doubt_is_told_once_and_committed_at_once(watched):
    one, log, told, take, tick = watched
    take(0.1)
    one.monitor.doubt("interrupted", 0)
    for _ in range(2):
        take(0.1)
        tick(0.1)
    assert log.commits == 2 and [kind for kind, _ in told.notes] == ["uncertain"]
    assert [kind for kind, _ in told.messages] == ["uncertain"]
    assert one.outcome(silent=True) is Outcome.UNCERTAIN


def test_an_error_without_words_is_told_by_its_kind(watched, monkeypatch):
    one, _, told, take, _ = watched

    def broken(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(one.feed, "take", broken)
    assert take(0.1) == () and one.broken == "RuntimeError()"
    assert told.messages == [("broken", "RuntimeError()")]
    assert take(0.1) == () and len(told.messages) == 1
    assert one.outcome(silent=False) is Outcome.BROKEN
    other = Watch("other", one.feed, one.log, outbox=told, service=told)
    monkeypatch.setattr(one.feed, "finish", broken)
    other.finish()
    assert other.broken == "RuntimeError()"
