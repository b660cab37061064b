"""What is missing: counted, logged, told, and results called uncertain from then on."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.cli.monitor.summary import faults
from rocksteady.errors import InputError
from rocksteady.monitor import Feed, Monitor, sources
from rocksteady.monitor.counts import BREAKS
from rocksteady.monitor.grid import CLOCK_SET
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.session import Session, passing_over, restarted
from rocksteady.monitor.settings import Settings
from rocksteady.monitor.sources import SILENT, Break
from rocksteady.monitor.state_log import StateLog
from rocksteady.monitor.watch import SourceColumns, Watch

DT = 0.01
HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)


def shaking(count: int) -> np.ndarray:
    return 0.3 * np.random.default_rng(1).standard_normal(count)


def fed(values, times=None, **options) -> Feed:
    feed = Feed(Monitor(HOUSE, dt=DT), **options)
    feed.take(values, time=times)
    return feed


def doubts(feed: Feed) -> dict[str, tuple[int, int]]:
    return {why: (d.sample, d.count) for why, d in feed.monitor.doubts.items()}


def test_a_short_gap_is_no_doubt_and_an_outage_is():
    a, t = shaking(300), DT * np.arange(300)
    assert fed(np.delete(a, [5, 6]), np.delete(t, [5, 6])).monitor.certain
    late = t + np.where(np.arange(300) >= 100, 20.0, 0.0)
    feed = fed(a, late)
    assert doubts(feed) == {"outage": (100, 1)}
    assert feed.monitor.doubts["outage"].seconds == pytest.approx(20.0)
    assert feed.monitor.certain_at(99) and not feed.monitor.certain_at(100)
    again = Monitor.from_dict(json.loads(json.dumps(feed.monitor.to_dict())))
    assert again.doubts == feed.monitor.doubts and not again.push(0.0).certain


def test_results_are_a_lower_bound_after_an_outage():
    """Wear and hardening only grow: what the outage hid can only be added."""
    a = shaking(2000)
    whole = fed(a, DT * np.arange(2000)).monitor.values
    hidden = np.r_[0:300, 1700:2000]
    partly = fed(a[hidden], DT * hidden).monitor.values
    assert partly["wear"] <= whole["wear"] and partly["hardening"] <= whole["hardening"]


@pytest.mark.parametrize("pieces", [1, 7])
def test_saturated_samples_are_taken_and_counted(pieces):
    a = shaking(200)
    a[[50, 51, 120]] = 2.0, -2.5, 2.0
    feed = Feed(Monitor(HOUSE, dt=DT), full_scale=2.0)
    for part, t in zip(
        np.array_split(a, pieces), np.array_split(DT * np.arange(200), pieces), strict=True
    ):
        feed.take(part, time=t)
        feed = Feed.from_dict(feed.to_dict(), feed.monitor)
    assert feed.counts["saturated"] == 3 and doubts(feed) == {"saturated": (50, 3)}
    whole = Monitor(HOUSE, dt=DT)
    whole.push_block(a)
    assert feed.monitor.state == whole.state
    with pytest.raises(InputError, match="full_scale = 0"):
        Feed(Monitor(HOUSE, dt=DT), full_scale=0.0)


@pytest.mark.parametrize(("unit", "factor"), [(None, 1.0), ("m/s2", 1.0), ("g", 9.80665)])
def test_the_range_of_a_sensor_is_in_the_unit_of_its_samples(unit, factor):
    given = Settings(HOUSE, dt=DT, unit=unit, full_scale=2.0)
    assert given.largest == pytest.approx(2.0 * factor, rel=1e-12)
    assert given.reader().factor == pytest.approx(factor, rel=1e-12)
    assert Settings(HOUSE, dt=DT, unit=unit).largest is None


@pytest.mark.parametrize("at_once", [1, 10, 11, 21, 99])
def test_a_sample_from_far_ahead_waits_for_the_next_one_alone(at_once):
    """It is stray as soon as that one goes on where the one before it was, in whatever pieces."""
    times = np.insert(DT * np.arange(40), 20, 70.0)
    feed, values = Feed(Monitor(HOUSE, dt=DT)), shaking(41)
    waited = []
    for i in range(0, 41, at_once):
        feed.take(values[i : i + at_once], time=times[i : i + at_once])
        waited.append(feed.to_dict()["unconfirmed"] is not None)
        assert feed.counts["stray"] == (i + at_once > 21)
    assert waited == [i + at_once == 21 for i in range(0, 41, at_once)]
    assert feed.monitor.samples == 40 and feed.monitor.certain
    whole = Monitor(HOUSE, dt=DT)
    whole.push_block(np.delete(values, 20))
    assert feed.monitor.state == whole.state


def test_lines_of_others_leave_a_building_as_it_is(tmp_path):
    """Another channel, or another column: nothing is new, so nothing is committed."""
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path)
    columns = SourceColumns(a_h="x", channel="N")
    one = Watch("house", Feed(log), log, sync=0.0, source_columns=columns)
    reader = LineReader(("channel", "time", "x"))
    one.take(reader.read(b"N,0.00,0.1\n"))
    one.tick(reader.to_dict, False)
    before = (tmp_path / "state.json").stat().st_mtime_ns, one.position
    other = LineReader(("channel", "time", "y"))
    for lines in (reader.read(b"E,0.01,0.1\n"), reader.read(b""), other.read(b"N,0.01,0.2\n")):
        assert one.take(lines) == ()
        one.tick(reader.to_dict, False)
    assert ((tmp_path / "state.json").stat().st_mtime_ns, one.position) == before
    assert one.monitor.samples == 1 and not one.broken
    one.take(reader.read(b"N,0.01,0.3\n"))
    one.tick(reader.to_dict, False)
    assert one.monitor.samples == 2 and one.position["lines"] == 3
    log.close()


def test_a_clock_that_is_set_ahead_by_years_is_no_outage(tmp_path):
    """A sensor that starts in 1970 and hears of the true time a minute later."""
    a, t = shaking(400), DT * np.arange(400)
    t[200:] += 1.75e9
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path)
    feed = Feed(log)
    feed.take(a, time=t)
    assert feed.monitor.samples == 400 and feed.counts["clock_resets"] == 1
    assert feed.counts["outages"] == 0 and doubts(feed) == {"clock": (200, 1)}
    log.commit({})
    log.close()
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").open()]
    (clock,) = [line for line in lines if line["kind"] == "clock"]
    assert clock["sample"] == 200 and clock["ahead"] == pytest.approx(1.75e9)
    assert CLOCK_SET > 300 * 86400  # a winter without power is an outage


def test_a_clock_that_is_set_back_leaves_a_doubt():
    t = DT * np.arange(4000)
    t[2000:] -= 15.0
    feed = fed(shaking(4000), t)
    assert doubts(feed) == {"lost": (2000, 1000), "clock": (2000, 1)}
    assert feed.counts["late"] == 1000


def test_state_lines_say_since_when_results_are_uncertain(tmp_path):
    """Whatever the pieces in which samples come."""
    t = DT * np.arange(600) + np.where(np.arange(600) >= 250, 5.0, 0.0)
    logs = []
    for pieces in (1, 9):
        folder = tmp_path / str(pieces)
        log = StateLog(Monitor(HOUSE, dt=DT), folder)
        feed = Feed(log, full_scale=0.8)
        for part, when in zip(
            np.array_split(shaking(600), pieces), np.array_split(t, pieces), strict=True
        ):
            feed.take(part, time=when)
        log.commit({})
        log.close()
        logs.append((folder / "log.jsonl").read_text())
    assert logs[0] == logs[1]
    states = [json.loads(line) for line in logs[0].splitlines()]
    states = [line for line in states if line["kind"] == "state"]
    first = min(doubt.sample for doubt in feed.monitor.doubts.values())
    assert first < 250
    assert [line["sample"] for line in states if "certain" not in line] == [
        line["sample"] for line in states if line["sample"] < first
    ]


# -- streams that are interrupted -----------------------------------------------------------------


def session(*watches: Watch, columns=("a_h",)) -> Session:
    return Session(LineReader(columns), list(watches))


def plain(source_columns: SourceColumns | None = None) -> Watch:
    log = StateLog(Monitor(HOUSE, dt=DT), None)
    return Watch("house", Feed(log), log, source_columns=source_columns or SourceColumns())


def test_without_time_stamps_an_interruption_is_a_doubt():
    one = plain()
    pieces = [b"0.1\n0.2\n0.", Break("disconnected"), b"0.3\n"]
    session(one).run(iter(pieces), lambda watch, raised: None)
    assert doubts(one.feed) == {"interrupted": (2, 1)} and one.monitor.samples == 3
    assert one.breaks == {"disconnected": 1, "torn lines": 1}
    timed = plain()
    pieces = [b"0,0.1\n.01,0.2\n", Break("disconnected"), b".02,0.3\n"]
    session(timed, columns=("time", "a_h")).run(iter(pieces), lambda watch, raised: None)
    assert timed.monitor.certain  # the time stamps say that nothing is missing


def test_a_pipe_that_comes_again_is_known_by_its_beginning():
    text = "".join(f"{i * DT:.2f},{a!r}\n" for i, a in enumerate(shaking(100).tolist())).encode()
    first = LineReader(("time", "a_h"))
    first.read(text[: len(text) // 2])
    kept = first.to_dict()
    for again in ([text], [text[:10], b"", text[10:200], text[200:]]):
        reader = LineReader.from_dict(json.loads(json.dumps(kept)))
        rows = sum(len(reader.read(p)) for p in passing_over(iter(again), reader) if p)
        assert rows == 100 - kept["lines"]
    reader = LineReader.from_dict(kept)
    on = list(passing_over(iter([text[kept["bytes"] :]]), reader))
    assert on[0] == Break("restarted") and not reader.skip
    assert list(passing_over(iter([text[:5]]), LineReader.from_dict(kept)))[1:] == [text[:5]]
    zeros = LineReader(("time", "a_h"))  # a sensor that counts from its start, and rests
    quiet = "".join(f"{i * DT:.2f},0.00\n" for i in range(100)).encode()
    zeros.read(quiet)
    list(passing_over(iter([quiet]), zeros))
    assert not zeros.skip
    assert list(restarted(iter([b"1\n"]))) == [Break("restarted"), b"1\n"]


def test_a_pipe_that_begins_differently_is_read_at_once():
    """Nothing of it is held back until it is as long as what is known."""
    reader = LineReader(("a_h",))
    reader.read("".join(f"{a!r}\n" for a in shaking(100).tolist()).encode())
    taken = []

    def pieces():
        for piece in (b"7.0\n", b"8.0\n"):
            taken.append(piece)
            yield piece

    source = passing_over(pieces(), reader)
    assert [next(source), next(source)] == [Break("restarted"), b"7.0\n"] and len(taken) == 1
    assert list(source) == [b"8.0\n"] and not reader.skip


def test_what_is_kept_while_known_lines_are_passed_over_is_what_was_known():
    """Killed then, the next start must pass over all of them again."""
    text = "".join(f"{a!r}\n" for a in shaking(100).tolist()).encode()
    reader = LineReader(("a_h",))
    reader.read(text)
    before = reader.to_dict()
    reader.pass_over_known()
    assert reader.to_dict() == before
    reader.read(text[:300])
    assert reader.skip and reader.to_dict() == before
    reader.read(text[300:] + b"1\n")
    assert reader.to_dict()["lines"] == 101


def test_a_file_that_was_replaced_while_nobody_looked(tmp_path):
    """It is longer than the old one was, and begins differently."""
    path = tmp_path / "samples.csv"
    path.write_bytes(b"0.00,1\n0.01,2\n")
    reader = LineReader(("time", "a_h"))
    reader.read(path.read_bytes())
    path.write_bytes(b"9.00,1\n9.01,2\n9.02,3\n")
    pieces = sources.from_file(
        path, lambda: False, offset=reader.bytes, mark=reader.mark, patience=0.01
    )
    assert [p for p in pieces if p] == [Break("rotated"), path.read_bytes(), SILENT]
    assert not sources.continues(path, reader.bytes, reader.mark)
    path.write_bytes(b"0.00,1\n0.01,2\n0.02,3\n")
    assert sources.continues(path, reader.bytes, reader.mark)
    pieces = sources.from_file(
        path, lambda: False, offset=reader.bytes, mark=reader.mark, patience=0.01
    )
    assert [p for p in pieces if p] == [b"0.02,3\n", SILENT]


def test_a_file_on_standard_input_goes_on_if_it_is_the_same(tmp_path):
    path = tmp_path / "samples.csv"
    for text, expected in (
        (b"1\n2\n3\n", [b"3\n"]),
        (b"1\n2\n", []),
        (b"7\n8\n9\n", [Break("another file"), b"7\n8\n9\n"]),
        (b"1\n", [Break("another file"), b"1\n"]),
    ):
        path.write_bytes(text)
        with path.open("rb") as file:
            pieces = sources.from_descriptor(file.fileno(), lambda: False, offset=4, mark=b"1\n2\n")
            assert list(pieces) == expected


def test_a_pipe_on_standard_input_has_no_place_to_go_back_to():
    reading, writing = os.pipe()
    os.write(writing, b"7\n8\n")
    os.close(writing)
    pieces = sources.from_descriptor(reading, lambda: False, offset=4, mark=b"1\n2\n")
    assert [piece for piece in pieces if piece] == [b"7\n8\n"]
    os.close(reading)


def test_a_pipe_without_data_does_not_hold_up_the_monitor():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    asked = iter([False, False, True])
    assert list(sources.from_descriptor(reading, lambda: next(asked))) == [b"", b""]
    os.close(reading)
    os.close(writing)


def test_a_state_is_certain_until_the_sample_that_is_doubted(tmp_path):
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path / "log", every=DT)
    log.push_block(np.full(3, 0.1))
    log.monitor.doubt("lost", 3)
    assert "certain" not in log._state()
    log.push_block(np.full(1, 0.1))
    assert log._state()["certain"] is False
    log.close()
    log.close()  # again: nothing else is closed
    os.fstat(1)


def test_what_came_before_a_file_was_replaced_is_read(tmp_path, monkeypatch):
    """Written to the old file between the last look and its replacement."""
    path, old = tmp_path / "samples.csv", tmp_path / "samples.1"
    path.write_bytes(b"1\n")
    pieces = sources.from_file(path, lambda: False, patience=0.01)
    assert next(pieces) == b"1\n"
    real = sources._replaced

    def late(*arguments):
        if not old.exists():
            with path.open("ab") as file:
                file.write(b"2\n")
            path.rename(old)
            path.write_bytes(b"3\n")
        return real(*arguments)

    monkeypatch.setattr(sources, "_replaced", late)
    assert [p for p in pieces if p] == [b"2\n", Break("rotated"), b"3\n", SILENT]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_whose_writer_comes_back(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    done = threading.Event()

    def write():
        for text in (b"1\n2\n", b"3\n"):
            with path.open("wb", buffering=0) as file:
                file.write(text)
            deadline = time.monotonic() + 30
            while sum(map(len, got)) < 4 and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.5)
        done.set()

    got: list[bytes] = []
    breaks = []
    writer = threading.Thread(target=write)
    writer.start()
    for piece in sources.from_path(path, lambda: done.is_set() and b"3\n" in got):
        if isinstance(piece, Break):
            breaks.append(piece.why)
        elif piece:
            got.append(piece)
    writer.join()
    assert b"".join(got) == b"1\n2\n3\n" and breaks[0] == "disconnected"


# -- lines ----------------------------------------------------------------------------------------


def test_a_bad_number_is_missing_for_its_own_column_only():
    reader = LineReader(("time", "x", "y"))
    lines = reader.read(b"0.00,1,2\n0.01,ERR,3\n0.02,,\nx,1,2\n")
    assert lines.garbage.tolist() == [False, False, True, True]
    assert np.isnan(lines.column("x")[1]) and lines.column("y")[1] == 3.0


def test_a_comma_is_a_decimal_one_where_there_is_one_column():
    lines = b"0,05\n1,25\n"
    assert LineReader(("a_h",)).read(lines).column("a_h").tolist() == [0.05, 1.25]
    both = LineReader(("time", "a_h")).read(lines)
    assert both.time.tolist() == [0.0, 1.0] and both.column("a_h").tolist() == [5.0, 25.0]


def test_lines_of_several_channels():
    reader = LineReader(("channel", "time", "a_h"), 2.0)
    lines = reader.read(b"N,0.00,1\nE,0.00,2\nrubbish\nN,0.01,3\n")
    assert lines.of(b"N").accelerations("a_h")[[0, 2]].tolist() == [2.0, 6.0]
    assert lines.of(b"N").garbage.tolist() == [False, True, False]
    even = reader.read(b"N,0.02,1\nE,0.02,2\n")
    assert even.of(b"E").accelerations("a_h").tolist() == [4.0] and len(even.of(b"Z")) == 0


@pytest.mark.parametrize("cut", [4, 5, 6, 7])
def test_a_line_that_is_no_sample_is_filled_without_stamps_too(cut):
    """Sample 5 is lost: between 0.4 and 0.6 m/s² the ground is taken as linear."""
    a_h = 0.1 * np.arange(10)
    lost = np.arange(10) == 5
    feed, straight = (Feed(Monitor(HOUSE, dt=DT), max_gap=0.05) for _ in range(2))
    for part in (slice(0, cut), slice(cut, 10)):
        feed.take(np.where(lost, 9.9, a_h)[part], garbage=lost[part])
    straight.take(a_h)
    assert feed.monitor.samples == 10 and feed.counts["filled"] == 1
    assert feed.monitor.state == pytest.approx(straight.monitor.state, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("pieces", [1, 2])
def test_an_overlong_line_is_garbage_however_it_comes(pieces):
    reader = LineReader(("a_h",))
    text = b"1\n" + b"9" * 5000 + b"\n2\n"
    cuts = [text] if pieces == 1 else [text[:4500], text[4500:]]
    parts, read = [], 0
    for piece in cuts:
        parts.append(reader.read(piece))
        read += len(piece)
        assert reader.position == read
    assert np.concatenate([p.garbage for p in parts]).tolist() == [False, True, False]


def test_every_interruption_is_said_in_words():
    reasons = {"torn lines"}
    for file in Path(sources.__file__).parent.glob("*.py"):
        reasons |= set(re.findall(r'Break\("([^"]+)"\)', file.read_text(encoding="utf-8")))
    assert "rotated" in reasons and reasons - set(BREAKS) == {"silent"}  # which ends it all
    said = faults({"counts": {"lost": 2}, "breaks": {"rotated": 1, "disconnected": 2}})
    assert (
        said == "2 samples lost in outages, 1 new file in place of the old one, 2 lost connections"
    )
