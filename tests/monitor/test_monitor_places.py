"""Where the grid puts a sample, at the very edges of its rules: the longest gap that is filled, the
sample that confirms another from far ahead, blocks and lines that need no care, and the bytes by
which an input is known."""

from __future__ import annotations

import itertools
import math
import os
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.monitor import Feed, Monitor, lines, sources
from rocksteady.monitor.frequency import FrequencyTracker
from rocksteady.monitor.grid import Grid
from rocksteady.monitor.lines import LONGEST, LineReader
from rocksteady.monitor.many import ManyBuildings
from rocksteady.monitor.settings import Settings
from rocksteady.monitor.sources import from_stream

HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)


def fed(places, dt=0.01, **options) -> Feed:
    """A feed that has taken samples with the stamps of these places on its grid."""
    feed = Feed(Monitor(HOUSE, dt=dt), **options)
    feed.take(np.zeros(len(places)), time=dt * np.asarray(places, dtype=float))
    return feed


def counted(feed: Feed) -> dict[str, int]:
    """What was counted beside the samples taken."""
    return {name: n for name, n in feed.counts.items() if n and name != "samples"}


@pytest.mark.parametrize(
    ("dt", "max_gap", "most"),
    [(0.1, 0.3, 3), (0.01, 0.29, 29), (0.01, 0.05, 5), (0.005, 1.0, 200), (0.01, 0.0, 0)],
)
def test_a_gap_is_filled_up_to_the_longest_one_and_no_further(dt, max_gap, most):
    """0.3 s is three samples of 0.1 s, though 0.3/0.1 is less than 3 in floating point."""
    before, after = np.arange(300), np.arange(300, 310)
    if most:
        whole = fed(np.r_[before, after + most], dt, max_gap=max_gap)
        assert counted(whole) == {"gaps": 1, "filled": most}
    broken = fed(np.r_[before, after + most + 1], dt, max_gap=max_gap)
    assert counted(broken) == {"outages": 1, "lost": most + 1}
    assert broken.monitor.samples == 310 + most + 1


@pytest.mark.parametrize(
    ("later", "confirmed"), [(0, False), (1, True), (2, True), (6, True), (7, False)]
)
def test_a_sample_from_far_ahead_is_confirmed_within_one_gap(later, confirmed):
    """With gaps of five samples filled, the next one may come up to six places behind it."""
    feed = fed([*range(300), 500, 500 + later], max_gap=0.05)
    if confirmed:
        gap = {"gaps": 1, "filled": later - 1} if later > 1 else {}
        assert counted(feed) == {"outages": 1, "lost": 200} | gap
        assert feed.monitor.samples == 501 + later
    else:
        assert counted(feed) == {"stray": 1} and feed.monitor.samples == 300


@pytest.mark.parametrize(("tick", "confirmed"), [(0, True), (1, True), (2, False)])
def test_under_a_coarse_clock_it_is_confirmed_within_a_gap_and_a_tick(tick, confirmed):
    """Ten samples a tick: the next stamp is the same or one tick later, not two."""
    stamps = np.r_[np.arange(300) // 10 * 10, 500, 500 + 10 * tick]
    feed = fed(stamps, max_gap=0.05)
    assert feed.clock.resolution == pytest.approx(0.1)
    assert feed.counts["stray"] == (not confirmed) and feed.counts["outages"] == confirmed
    assert feed.counts["samples"] == 300 + 2 * confirmed


@pytest.mark.parametrize(("days", "outage"), [(365.9, True), (366.1, False)])
def test_a_year_without_data_is_an_outage_and_more_a_clock_that_was_set(days, outage):
    """However long it has watched before."""
    before, far = 86_400, 86_400 + round(days * 86_400)  # a day of samples of 1 s
    feed = Feed(Monitor(HOUSE, dt=1.0))
    feed.take(np.zeros(before + 2), time=np.r_[np.arange(before), far, far + 1].astype(float))
    lost = round(days * 86_400)
    assert counted(feed) == ({"outages": 1, "lost": lost} if outage else {"clock_resets": 1})
    assert feed.monitor.samples == before + 2 + outage * lost


@pytest.mark.parametrize("pieces", [1, 3, 100])
@pytest.mark.parametrize("stamped", [True, False])
def test_samples_in_order_are_not_placed_one_by_one(monkeypatch, pieces, stamped):
    def placed(*_):
        raise AssertionError("placed alone")

    monkeypatch.setattr(Grid, "sample", placed)
    values, times = np.random.default_rng(1).standard_normal(600), 7.0 + 0.01 * np.arange(600)
    feed, whole = Feed(Monitor(HOUSE, dt=0.01)), Monitor(HOUSE, dt=0.01)
    for part, when in zip(
        np.array_split(values, pieces), np.array_split(times, pieces), strict=True
    ):
        feed.take(part, time=when if stamped else None)
    whole.push_block(values)
    assert feed.monitor.state == whole.state and feed.counts["samples"] == 600
    assert feed.monitor.time == pytest.approx(5.99 + (7.0 if stamped else 0.0))


@settings(max_examples=50)
@given(cuts=st.lists(st.integers(0, 1500), max_size=8), count=st.integers(1, 120))
def test_a_reader_knows_its_input_by_its_first_and_last_bytes(cuts, count):
    """By the first 512 and the last 64 of all whole lines, in whatever pieces they come."""
    text = "".join(f"{0.01 * i:.2f},{i % 7}\n" for i in range(count)).encode()
    reader = LineReader(("time", "a_h"))
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    for first, last in itertools.pairwise(edges):
        reader.read(text[first:last])
        whole = text[: text[:last].rfind(b"\n") + 1]
        assert (reader.head, reader.mark) == (whole[:512], whole[-64:])
        assert (reader.bytes, reader.lines) == (len(whole), whole.count(b"\n"))
        assert reader.position == last


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_stream_closes_what_it_opened_and_nothing_else(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "serial")
    opened, closed, real_open, real_close = [], [], os.open, os.close
    monkeypatch.setattr(os, "open", lambda *a, **k: opened.append(real_open(*a, **k)) or opened[-1])
    monkeypatch.setattr(os, "close", lambda fd: (closed.append(fd), real_close(fd))[1])
    source = from_stream(tmp_path / "serial", lambda: False)
    assert next(source) == b""  # nobody writes yet
    source.close()
    assert opened and closed == opened


@pytest.mark.parametrize("count", [10, 2000])
def test_even_lines_are_read_at_once(monkeypatch, count):
    """Whether they are more or fewer bytes than a line may have; an overlong one goes alone."""
    reader = LineReader(("time", "a_h"))
    reader.read(b"0.00,0\n")
    text = "".join(f"{0.01 * i:.2f},{i}\n" for i in range(count)).encode()
    with monkeypatch.context() as patch:
        patch.setattr(lines, "_row", lambda *_: pytest.fail("read alone"))
        found = reader.read(text)
    assert found.column("a_h").tolist() == list(range(count)) and not found.garbage.any()
    overlong = reader.read(text + b"1," + b"0" * LONGEST + b"\n")
    assert overlong.garbage.tolist() == [False] * count + [True]


def test_a_peak_at_the_edge_of_a_spectrum_or_between_zeros_is_at_its_line():
    """A parabola needs three values that rise and fall."""
    tracker = FrequencyTracker(0.01)  # 20 s: a line every 0.05 Hz, the first that counts at 0.2 Hz
    tracker.spectrum[[3, 4, 5]] = 9.0, 4.0, 1.0  # the tilt of a sensor, below the first one
    assert tracker._peak() == pytest.approx(0.2, rel=1e-12)
    tracker.spectrum[:] = 0.0
    tracker.spectrum[40] = 1.0
    assert tracker._peak() == pytest.approx(2.0, rel=1e-12)
    tracker.spectrum[[39, 41]] = math.exp(-1), math.exp(-1)
    assert tracker._peak() == pytest.approx(2.0, rel=1e-12)
    # ln of a Gauss bell is a parabola: its top, 0.3 of a line beyond 2 Hz
    tracker.spectrum[38:44] = np.exp(-((np.arange(38, 44) - 40.3) ** 2))
    assert tracker._peak() == pytest.approx(0.05 * 40.3, rel=1e-12)


@pytest.mark.parametrize("given", [{"dt": 0.01}, {"system": HOUSE}, {}])
def test_a_new_monitor_needs_its_building_and_its_time_step(given):
    with pytest.raises(InputError, match="There is no log to resume: give the building and dt"):
        Settings(**given).monitor()


@pytest.mark.parametrize("at_once", [1, 7, 100])
@pytest.mark.parametrize("stands", [False, True])
def test_what_a_coarse_clock_has_shown_does_not_depend_on_the_pieces(at_once, stands):
    """The sample at which a tick begins has the very stamp of its place; it is counted all the
    same, and so are those of a clock that stands still."""
    stamps = 0.01 * (np.arange(400) // 10 * 10)
    if stands:
        stamps = 0.01 * np.minimum(np.arange(400), 100)
    whole, parts = (Feed(Monitor(HOUSE, dt=0.01)) for _ in range(2))
    whole.take(np.zeros(400), time=stamps)
    for i in range(0, 400, at_once):
        part = stamps[i : i + at_once]
        parts.take(np.zeros(len(part)), time=part)
    assert parts.to_dict() == whole.to_dict()
    assert parts.monitor.to_dict() == whole.monitor.to_dict()


@pytest.mark.parametrize("at_once", [1, 7, 60])
def test_a_gap_of_the_response_is_filled_from_its_newest_sample(at_once):
    """As that of the ground; the spectrum has the straight line."""
    own, times = np.random.default_rng(3).standard_normal(60), 0.01 * np.arange(60)
    feed = Feed(Monitor(HOUSE, dt=0.01))
    for i in range(0, 60, at_once):
        feed.take(np.zeros(len(own[i : i + at_once])), time=times[i : i + at_once],
                  measured=own[i : i + at_once])  # fmt: skip
    feed.take([0.0], time=[0.63], measured=[1.5])
    line = np.linspace(own[-1], 1.5, 5)[1:]
    tracker = feed.monitor.tracker
    assert tracker.buffer[: tracker.filled] == pytest.approx(np.r_[own, line])


def test_a_small_gap_is_filled_though_the_clock_is_not_known_yet():
    assert counted(fed([0, 3, 4, 5, 6, 7], max_gap=0.03)) == {"gaps": 1, "filled": 2}


@pytest.mark.parametrize(
    ("ahead", "found"),
    [(-1, {"clock_resets": 1}), (0, {}), (5, {"gaps": 1, "filled": 5}), (6, {"clock_resets": 1})],
)
def test_a_clock_that_stood_still_may_go_on_within_a_gap(ahead, found):
    """Its first stamp afterwards is that of the next sample, or of one that is filled up to."""
    stands = [299] * 150  # longer than 10 s
    after = range(300 + len(stands) + ahead, 340 + len(stands) + ahead)
    assert counted(fed([*range(300), *stands, *after], 0.1, max_gap=0.5)) == found


@pytest.mark.parametrize(("on", "found"), [(6, {"clock_resets": 1}), (7, {"duplicates": 6})])
def test_a_clock_that_is_far_behind_the_samples_is_set(on, found):
    """Of twelve samples with one stamp as many are used as the clock then goes on by; it may lag
    by the longest gap that is filled, and one sample."""
    places = [*range(300), *[299] * 12, *range(299 + on, 340 + on)]
    assert counted(fed(places, max_gap=0.05)) == found


@pytest.mark.parametrize("stopped", [False, True])
def test_a_source_that_was_stopped_has_not_ended(stopped):
    did = []
    session = SimpleNamespace(
        run=lambda source, report: did.append("run"),
        finish=lambda report: did.append("finish"),
        commit=lambda: did.append("commit"),
    )
    asked = iter([False, stopped])
    many = SimpleNamespace(stop=lambda: next(asked), _open=lambda *about: None, unopened={})
    ManyBuildings._follow(many, "house", session, None)
    assert did == (["run", "commit"] if stopped else ["run", "finish", "commit"])


@pytest.mark.parametrize("other", [False, True])
def test_a_short_file_is_known_by_its_bytes_when_its_disk_is_back(tmp_path, monkeypatch, other):
    path = tmp_path / "samples.csv"
    path.write_bytes(b"0.1\n0.2\n0.3\n")
    failed = []

    def replaced(*about):
        if failed:
            return False
        failed.append(True)
        if other:
            path.write_bytes(b"0.7\n0.8\n0.9\n")
        raise OSError("the disk is away")

    monkeypatch.setattr(sources, "_replaced", replaced)
    pieces = [piece for piece in sources.from_file(path, lambda: False, patience=0.3) if piece]
    assert any(getattr(piece, "why", None) == "rotated" for piece in pieces) == other
