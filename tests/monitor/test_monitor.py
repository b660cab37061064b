"""The monitor: live equals batch bit for bit, alarms are right, and no data can break it."""

from __future__ import annotations

import itertools
import json
import math
import tracemalloc

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies import Block
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.errors import InputError, OtherVersionError
from rocksteady.monitor import Feed, Monitor
from rocksteady.monitor.alarms import quantities
from rocksteady.monitor.exact import write_json
from rocksteady.monitor.frequency import FrequencyTracker
from rocksteady.monitor.lines import LineReader, checked_columns
from rocksteady.monitor.session import Session
from rocksteady.monitor.settings import Settings, resumed
from rocksteady.monitor.state_log import StateLog, saved_state
from rocksteady.monitor.status_text import status_text
from rocksteady.monitor.watch import Watch
from rocksteady.motion import Motion
from rocksteady.simulation import simulate
from rocksteady.status import Status
from rocksteady.theories import Housner, NumericalDissipation, RigidBodySpring
from rocksteady.theories.contract import NOTHING, kernel
from rocksteady.theories.masonry.formulation import Masonry

DT = 0.01
HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
ALARMS = {"wear": (0.001, 0.02), "hardening": 0.004, "drift": 2e-3, "frequency_drop": 0.005}


def shaking(samples: int, seed: int = 1, strength: float = 0.04) -> np.ndarray:
    """Ambient noise with a few seconds of strong shaking every now and then [m/s²]."""
    bursts = 1 + 14 * (np.arange(samples) % 200_000 < 300)
    return strength * bursts * np.random.default_rng(seed).standard_normal(samples)


def batch(system, formulation, a_h, dt=DT, a_v=None):
    """What the drivers for whole records give."""
    return (
        formulation.advance_for(system),
        formulation.start(system, 0.0, 0.0),
        formulation.parameters(system),
        (a_h, np.zeros(len(a_h)) if a_v is None else a_v),
        dt,
    )


def traced(system, formulation, a_h, dt=DT):
    advance, start, params, ground, dt = batch(system, formulation, a_h, dt)
    states = np.empty((len(a_h), len(start)))
    rows, events, state = make_trace(advance)(start, params, ground, dt, 0.0, states)
    return states[:rows], events, state


def bits(monitor: Monitor) -> dict:
    """Everything a monitor knows, exactly."""
    return monitor.to_dict()


# -- the same as a batch --------------------------------------------------------------------------


def test_a_million_samples_are_the_batch_bit_for_bit(tmp_path):
    a_h = shaking(1_000_000)
    advance, *arguments = batch(HOUSE, Masonry(), a_h)
    state, _, highest, lowest, t_peak, _, event = make_peaks(advance)(*arguments)
    assert 0.001 < state[4] < 0.5 and event == 0  # damaged, standing
    assert traced(HOUSE, Masonry(), a_h)[2] == state

    monitor, rng, i = Monitor(HOUSE, dt=DT, alarms=ALARMS), np.random.default_rng(2), 0
    while i < len(a_h):
        if rng.random() < 0.3:  # stop here, go on with what was saved
            monitor = Monitor.restore(monitor.save(tmp_path / "monitor.json"))
        if rng.random() < 0.5:
            for sample in a_h[i : i + 5]:
                monitor.push(sample)
            i += 5
        size = int(rng.integers(1, 60_000))
        monitor.push_block(a_h[i : i + size])
        i += size
    assert monitor.samples == len(a_h)
    assert monitor.state == state
    assert monitor.extremes[:3] == (highest, lowest, t_peak)


@pytest.mark.parametrize(
    ("system", "formulation", "dt"),
    [
        (HOUSE, Masonry(update="explicit"), 0.005),
        (Block(1.8, 0.5), Housner(), 0.01),
        (Block(1.8, 0.5), NumericalDissipation(dt=0.002), 0.002),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_other_ways_to_move(system, formulation, dt, tmp_path):
    a_h = 2.5 * np.sin(2 * np.pi * 1.1 * dt * np.arange(2000)) * np.hanning(2000)
    _, _, state = traced(system, formulation, a_h, dt)
    monitor = Monitor(system, dt=dt, formulation=formulation)
    monitor.push_block(a_h[:700])
    again = Monitor.restore(monitor.save(tmp_path / "m.json"))
    for one in (monitor, again):
        one.push_block(a_h[700:])
        assert one.state == state
    assert bits(monitor) == bits(again)


@settings(max_examples=25)
@given(cuts=st.lists(st.integers(0, 3000), max_size=6), kept=st.integers(0, 3000))
def test_any_split_and_any_place_to_save(cuts, kept):
    a_h = shaking(3000, seed=3, strength=0.08)
    whole = Monitor(HOUSE, dt=DT, alarms=ALARMS)
    whole.push_block(a_h)
    monitor = Monitor(HOUSE, dt=DT, alarms=ALARMS)
    edges = sorted({0, 3000, kept, *cuts})
    for first, last in itertools.pairwise(edges):
        monitor.push_block(a_h[first:last])
        if last == kept:
            monitor = Monitor.from_dict(json.loads(json.dumps(monitor.to_dict())))
    assert bits(monitor) == bits(whole)


# -- alarms ---------------------------------------------------------------------------------------


def test_alarms_come_at_the_right_sample():
    a_h = shaking(250_000, seed=5, strength=0.07)
    states, events, _ = traced(HOUSE, Masonry(), a_h)
    extreme = np.abs(states[:, 0])
    interval_end = np.ceil(events[:, 0] / DT - 1e-9).astype(int)  # events lie between samples
    np.maximum.at(extreme, interval_end, np.abs(events[:, 2]))
    values = {
        "wear": states[:, 4],
        "hardening": states[:, 3],
        "drift": extreme,
        "frequency_drop": 1 - np.sqrt(1 - states[:, 4]),
    }
    monitor = Monitor(HOUSE, dt=DT, alarms=ALARMS)
    told = [a for part in np.array_split(a_h, 97) for a in monitor.push_block(part).raised]
    assert len(told) == len(monitor.alarms) == 5
    assert set(told) == set(monitor.alarms)  # each told once
    for alarm in monitor.alarms:
        first = int(np.argmax(values[alarm.quantity] >= alarm.threshold))
        assert alarm.sample == first > 0
        assert alarm.time == first * DT
        assert alarm.value == pytest.approx(values[alarm.quantity][first], rel=1e-15)


def test_only_what_moves_in_metres_has_a_velocity_in_words():
    house, statue = Monitor(HOUSE, dt=DT), Monitor(Block(1.8, 0.5), dt=DT)
    house.push_block(np.full(10, 6.0))
    statue.push_block(np.full(10, 6.0))
    assert house.status is statue.status is Status.MOVING
    assert status_text(house) == f"standing, moving: v = {1e3 * house.state[1]:.3g} mm/s"
    assert status_text(statue) == "standing, moving"
    rests = Monitor(HOUSE, dt=DT)
    rests.push(0.0)
    assert status_text(rests) == "standing, at rest"


def test_what_little_a_building_vibrates_is_told_in_millimetres():
    """Let go 0.02 mm beside its rest at 3 mm/s: the amplitude follows from both."""
    house = Monitor(HOUSE, dt=DT)
    house.push(0.0)
    assert status_text(house) == "standing, at rest"
    speed = 0.003
    house._state = (2e-5, speed, *house.state[2:])
    amplitude = math.hypot(0.02, 1e3 * speed / HOUSE.worn_frequency(0.0))
    assert status_text(house) == (
        f"standing, vibrating: amplitude {amplitude:.3g} mm, v = 3 mm/s, too little to do damage"
    )
    assert status_text(Monitor(HOUSE, dt=DT)) == "no samples: nothing is known"


@pytest.mark.parametrize(("theta", "b"), [(0.21, 0.2), (-0.21, 0.3)])
def test_the_lean_of_an_eccentric_block_is_a_share_of_the_angle_of_that_side(theta, b):
    """Its centre is 0.2 m left of the right toe, towards which θ > 0 leans, and 0.9 m high."""
    block = rs.Block(height=1.8, width=0.5, offset=0.05)
    lean = quantities(block, rs.Housner())["lean"]
    assert lean.now((theta, 0.0)) == pytest.approx(0.21 / math.atan(b / 0.9), rel=1e-12)


def test_it_says_how_it_stands():
    monitor = Monitor(HOUSE, dt=DT, alarms=ALARMS)
    monitor.push(0.0)
    first = "<Monitor of a 40 t masonry building: at rest, 1 sample of 0.01 s, wear 0, hardening 0,"
    assert repr(monitor) == f"{first} drift 0, frequency_drop 0>"
    block = Monitor(Block(2.0, 0.5), dt=DT)
    block.push_block([0.0, 0.0])
    assert repr(block) == "<Monitor of a 2 × 0.5 m block: at rest, 2 samples of 0.01 s, lean 0>"


def test_an_alarm_not_reached_is_not_raised():
    monitor = Monitor(HOUSE, dt=DT, alarms={"wear": 0.5})
    monitor.push_block(shaking(5000))
    assert not monitor.alarms[0].raised
    assert "not reached" in str(monitor.alarms[0])


def test_the_lean_of_an_asymmetric_block():
    block = Block(1.8, 0.5, offset=0.08)
    a_h = 3.0 * np.sin(2 * np.pi * 1.2 * DT * np.arange(600))
    states, _, _ = traced(block, Housner(), a_h)
    monitor = Monitor(block, dt=DT, alarms={"lean": 0.05})
    monitor.push_block(a_h)
    (alarm,) = monitor.alarms
    lean = np.abs(block.relative(states[:, 0]))
    assert alarm.sample == int(np.argmax(lean >= 0.05)) > 0  # it grows on past this sample


def test_collapse_is_told_with_its_time_and_is_the_end():
    a_h = 6.0 * np.random.default_rng(0).standard_normal(3000)
    advance, *arguments = batch(HOUSE, Masonry(), a_h)
    state, end, *_ = make_peaks(advance)(*arguments)
    monitor = Monitor(HOUSE, dt=DT, alarms={"wear": (0.5, 0.999)})
    monitor.push_block(a_h[:7])
    reading = monitor.push_block(a_h[7:])
    assert reading.status is Status.COLLAPSED
    assert monitor.state == state
    assert monitor.end == end < 30
    assert monitor.alarms[0].sample < monitor.alarms[1].sample == math.ceil(end / DT)
    assert monitor.frequency_ratio == pytest.approx(math.sqrt(1 - 0.999))
    monitor = Monitor.from_dict(monitor.to_dict())
    assert monitor.push(9.9).sample == 3000  # it still counts
    assert monitor.state == state


# -- rest, memory, frequency ----------------------------------------------------------------------


def test_rest_is_a_ground_that_does_not_move():
    a_h = shaking(2000, strength=0.08)
    monitor, zeros = Monitor(HOUSE, dt=DT), Monitor(HOUSE, dt=DT)
    for one in (monitor, zeros):
        one.push_block(a_h)
    monitor.rest(5000)
    zeros.push_block(np.zeros(5000))
    assert (zeros.seen.samples, monitor.seen.samples) == (7000, 2000)  # of rest nothing is known
    assert zeros.certain and not monitor.certain
    zeros.seen, zeros.doubts = monitor.seen, monitor.doubts
    assert bits(monitor) == bits(zeros)
    monitor.rest(10**12)  # ten thousand centuries take no longer than ten minutes
    assert monitor.samples == 7000 + 10**12
    assert monitor.state[4] == zeros.state[4]
    assert monitor.status is Status.AT_REST


def test_memory_does_not_grow():
    monitor = Monitor(HOUSE, dt=DT, alarms=ALARMS)
    feed = Feed(monitor)
    block, ticks = shaking(20_000), DT * np.arange(20_000)

    def feed_blocks(first: int, last: int) -> int:
        tracemalloc.reset_peak()
        for i in range(first, last):
            feed.take(block, time=200.0 * i + ticks, measured=block)
        return tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        few, many = feed_blocks(0, 3), feed_blocks(3, 60)
    finally:
        tracemalloc.stop()
    assert monitor.samples == 1_200_000
    assert many < few + 20_000
    assert len(json.dumps(monitor.to_dict())) < 40_000


def test_measured_frequency_falls_as_the_model_says():
    """Ambient vibration of an unworn and of a worn building, through Welch's method."""
    noise = 1e-3 * np.random.default_rng(4).standard_normal(60_000)
    wear = 0.3
    tracker = FrequencyTracker(DT)
    for w in (0.0, wear):
        start = (0.0, 0.0, 0.0, 0.0, w, 0.0, 0.0, 0.0, 0.0, 0.0)
        states = np.empty((len(noise), 10))
        make_trace(Masonry().advance_for(HOUSE))(
            start, Masonry().parameters(HOUSE), (noise, np.zeros(len(noise))), DT, 0.0, states
        )
        u, v, tau = states[:, 0], states[:, 1], states[:, 5]
        assert np.ptp(u) > 0 and (states[:, 4] == w).all()
        tracker.push(-(HOUSE.contact_area * tau + HOUSE.damping * v) / HOUSE.mass)
        f = HOUSE.worn_frequency(w) / (2 * math.pi)
        assert tracker.frequency == pytest.approx(f, rel=0.01)
    assert tracker.ratio == pytest.approx(math.sqrt(1 - wear), rel=0.01)


def test_frequency_of_a_sine_between_two_lines_of_the_spectrum():
    tracker, whole = FrequencyTracker(DT, window=5.0), FrequencyTracker(DT, window=5.0)
    x = np.sin(2 * np.pi * 3.47 * DT * np.arange(10_000))
    x[7000] = np.nan  # begins a segment anew
    whole.push(x)
    for part in np.array_split(x, 37):
        tracker.push(part)
        tracker = FrequencyTracker.from_dict(tracker.to_dict(), DT)
    assert whole.frequency == pytest.approx(3.47, abs=0.01)  # lines are 0.2 Hz apart
    assert tracker.to_dict() == whole.to_dict()
    assert FrequencyTracker(DT).to_dict()["frequency"] == "nan"


@pytest.mark.parametrize("count", [1, 5, 8, 11])
def test_the_spectrum_is_welchs_and_its_peak_a_parabolas(count):
    """Periodograms by SciPy, their mean, of which the older ones fade after the eighth."""
    x = np.random.default_rng(count).standard_normal(200 * count + 60)
    t = DT * np.arange(len(x))
    x += 3.0 + 5 * np.sin(2 * np.pi * 7.3 * t)
    tracker = FrequencyTracker(DT, window=2.0)
    tracker.push(x)
    mean = np.zeros(101)
    for k in range(count):
        part = x[200 * k : 200 * (k + 1)]
        power = scipy.signal.periodogram(
            part, 1 / DT, "hann", detrend="constant", return_onesided=False
        )[1][:101]
        mean += (power / power.sum() - mean) / min(k + 1, 8)
    assert (tracker.segments, tracker.filled) == (count, 60)
    assert tracker.spectrum == pytest.approx(mean, rel=1e-9)
    near = np.arange(13, 18)
    top = int(near[np.argmax(mean[near])]) + np.array([-1, 0, 1])
    bend, slope, _ = np.polyfit(0.5 * top, np.log(mean[top]), 2)
    assert tracker.frequency == pytest.approx(-slope / (2 * bend), rel=1e-6)
    assert math.isnan(tracker.ratio) == (count < 8)


def test_what_is_slower_than_a_fifth_of_a_hertz_is_no_building():
    t = DT * np.arange(4000)
    for slow, found in ((0.1, 2.0), (0.2, 0.2), (0.25, 0.25)):
        tracker = FrequencyTracker(DT)
        tracker.push(100 * np.sin(2 * np.pi * slow * t) + np.sin(2 * np.pi * 2.0 * t))
        assert tracker.frequency == pytest.approx(found, abs=0.01)


def test_a_dead_sensor_has_no_frequency():
    tracker = FrequencyTracker(DT)
    tracker.push(np.ones(10_000))
    assert math.isnan(tracker.frequency)


# -- data as they really come ---------------------------------------------------------------------


def fed(times, values, **options) -> Feed:
    feed = Feed(Monitor(HOUSE, dt=DT), **options)
    feed.take(values, time=times)
    return feed


def counted(feed: Feed) -> dict[str, int]:
    return {name: count for name, count in feed.counts.items() if count}


def test_a_gap_is_filled_by_a_straight_line():
    t, a = DT * np.arange(1000), shaking(1000, strength=0.08)
    kept = np.ones(1000, dtype=bool)
    kept[[100, 101, 102, 500, 700]] = False
    a[500], missing = math.nan, ~kept
    feed = fed(100 + t[kept | (t == t[500])], a[kept | (t == t[500])])
    assert counted(feed) == {"samples": 995, "gaps": 3, "filled": 5, "nonfinite": 1}
    whole = Monitor(HOUSE, dt=DT)
    whole.push_block(np.where(missing, np.interp(t, t[kept], a[kept]), a))
    assert feed.monitor.state == pytest.approx(whole.state, rel=1e-9)
    assert feed.monitor.start == 100 and feed.monitor.time == pytest.approx(109.99)


def test_a_sensor_that_goes_mad_leaves_a_gap(tmp_path):
    """A number that is finite and no acceleration of any ground does not end the monitor."""
    t, a = DT * np.arange(1000), shaking(1000, strength=0.08)
    mad = a.copy()
    mad[[100, 500]] = 1e160, -1e300
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path / "log", every=DT)
    feed = Feed(log)
    feed.take(mad, time=t)
    log.commit({})
    log.close()
    assert counted(feed) == {"samples": 998, "gaps": 2, "filled": 2, "impossible": 2}
    left_out = np.delete(np.arange(1000), [100, 500])
    assert feed.monitor.state == fed(t[left_out], a[left_out]).monitor.state
    with pytest.raises(InputError, match=r"a_h\[0\] = 1e\+160 m/s² is beyond 10000 m/s²"):
        feed.monitor.push(1e160)


@pytest.mark.parametrize("value", ["one half", None])
def test_a_log_that_someone_changed_is_not_resumed(tmp_path, value):
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path)
    Session(LineReader(), [Watch("house", Feed(log), log)]).commit()
    log.close()
    about = saved_state(tmp_path)
    assert about is not None
    about["feed"]["max_gap"] = value
    with pytest.raises(InputError, match=r"holds no run that can be resumed: its state\.json was"):
        resumed("house", Settings(), about, tmp_path)


@pytest.mark.parametrize("at", ["take", "finish"])
@pytest.mark.parametrize(
    ("error", "why"), [(ValueError("too wide"), "too wide"), (RuntimeError(), "RuntimeError()")]
)
def test_an_error_of_one_building_ends_its_watch_alone(at, error, why, tmp_path, monkeypatch):
    def stumble(*_, **__):
        raise error

    watches = []
    for name in ("house", "tower"):
        log = StateLog(Monitor(HOUSE, dt=DT), tmp_path / name)
        watches.append(Watch(name, Feed(log), log))
    monkeypatch.setattr(watches[0].feed, at, stumble)
    session = Session(LineReader(), watches)
    session.run(iter([b"0.5\n" * 20]), lambda watch, raised: None)
    session.finish(lambda watch, raised: None)
    assert [watch.broken for watch in watches] == [why, ""]
    assert watches[1].monitor.samples == 20
    for watch in watches:
        watch.log.close()


def test_an_outage_is_a_ground_at_rest():
    a = shaking(2000, strength=0.08)
    t = DT * np.arange(2000) + np.where(np.arange(2000) >= 1000, 60.0, 0.0)
    feed = fed(t, a)
    assert counted(feed) == {"samples": 2000, "outages": 1, "lost": 6000}
    whole = Monitor(HOUSE, dt=DT)
    whole.push_block(np.concatenate([a[:1000], np.zeros(6000), a[1000:]]))
    assert feed.monitor.state == whole.state


def test_duplicates_late_and_stray_samples_change_nothing():
    t, a = DT * np.arange(1000), shaking(1000, strength=0.08)
    odd = [(300, 2.99, 9.9), (400, 1.0, 9.9), (400, 3.99, -9.0), (600, 7e5, 9.9), (600, 1e300, 1.0)]
    dirty_t, dirty_a = t.tolist(), a.tolist()
    for place, when, value in reversed(odd):
        dirty_t.insert(place, when), dirty_a.insert(place, value)
    feed = fed(dirty_t, dirty_a)
    assert counted(feed) == {"samples": 1000, "duplicates": 2, "late": 1, "stray": 2}
    assert bits(feed.monitor) == bits(fed(t, a).monitor)


def test_jitter_of_less_than_half_a_step_is_no_fault():
    t, a = DT * np.arange(1000), shaking(1000)
    jitter = 0.4 * DT * np.random.default_rng(1).uniform(-1, 1, 1000)
    jitter[0] = 0
    feed = fed(t + jitter, a)
    assert counted(feed) == {"samples": 1000}


def test_a_clock_that_was_set_back_is_believed_after_ten_seconds():
    a = shaking(4000)
    t = DT * np.arange(4000)
    t[2000:] -= 15.0
    feed = fed(t, a)
    assert counted(feed) == {"samples": 3000, "late": 1000, "clock_resets": 1}
    assert feed.monitor.samples == 3000


def test_without_times_a_bad_line_keeps_its_place():
    a = shaking(500, strength=0.08)
    a[[100, 200, 201]] = math.nan
    feed = Feed(Monitor(HOUSE, dt=DT))
    garbage = np.zeros(500, dtype=bool)
    garbage[100] = True
    feed.take(a, garbage=garbage)
    assert counted(feed) == {
        "samples": 497, "gaps": 2, "filled": 3, "nonfinite": 2, "garbage": 1
    }  # fmt: skip
    assert feed.monitor.samples == 500


LINE = st.one_of(
    st.integers(0, 80).map(lambda k: f"{k * DT:.2f},{0.3 * math.sin(k):.3f}"),
    st.sampled_from(["", "# note", "nan,1", "0.1,inf", "x,y", "0.1", "1,2,3", "0.2;0.5", "1_0,2"]),
    st.sampled_from(["9e9,1", "1e300,1", "-5,1", "70.00,0.1", "70.01,0.2", "\x00\xff", "9" * 5000]),
)


@settings(max_examples=60)
@given(odd=st.lists(st.tuples(st.integers(0, 80), LINE), max_size=12), cuts=st.data())
def test_pieces_do_not_matter_whatever_comes(odd, cuts):
    """Any bytes, cut anywhere, saved anywhere: the same state and the same counts; and never an
    error or a number that is not finite."""
    lines = [f"{k * DT:.2f},{0.5 * math.sin(k):.4f}" for k in range(80)]
    for place, line in sorted(odd, reverse=True):
        lines.insert(place, line)
    text = ("time,a_h\n" + "\n".join(lines) + "\n").encode("latin-1")
    results = []
    for pieces in (1, 6):
        edges = sorted(cuts.draw(st.integers(0, len(text))) for _ in range(pieces - 1))
        reader = LineReader(("time", "a_h"), 9.80665)
        feed = Feed(Monitor(HOUSE, dt=DT, alarms={"drift": 1e-4}), max_gap=0.05)
        for first, last in zip([0, *edges], [*edges, len(text)], strict=True):
            table = reader.read(text[first:last])
            feed.take(table.accelerations("a_h"), time=table.time, garbage=table.garbage)
            state = json.loads(json.dumps([feed.monitor.to_dict(), feed.to_dict()]))
            feed = Feed.from_dict(state[1], Monitor.from_dict(state[0]))
        results.append((feed.monitor.to_dict(), feed.to_dict(), reader.lines, reader.bytes))
        assert np.isfinite(feed.monitor.state).all()
    assert results[0] == results[1]
    assert results[0][3] == len(text)


def test_lines_of_every_usual_kind():
    for text, columns in (
        ("1.5\n", ("a_h",)),
        ("0.0,1.5\n", ("time", "a_h")),
        ("0.0 1.5 0.2\r\n", ("time", "a_h", "a_v")),
    ):
        reader = LineReader()
        table = reader.read(text.encode())
        assert reader.columns == columns and table.accelerations("a_h").tolist() == [1.5]
    reader = LineReader(("-", "measured", "a_h"), 2.0)
    table = reader.read(b"7,3,1\n")
    assert (table.accelerations("a_h")[0], table.column("measured")[0]) == (2.0, 3.0)
    assert table.time is None
    with pytest.raises(InputError, match=r"5 numbers each: .* --columns time,a_h"):
        LineReader().read(b"1,2,3,4,5\n")


ROWS = st.lists(
    st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999)), min_size=1, max_size=6
)


@settings(max_examples=60)
@given(
    rows=ROWS,
    between=st.sampled_from([",", ";", " ", "\t", "; ", " ;"]),
    named=st.booleans(),
    comma=st.booleans(),
    cut=st.integers(0, 200),
    above=st.sampled_from(["", "# a, b; c\n", "time a-h\n"]),
)
def test_numbers_are_read_alike_however_they_are_written(rows, between, named, comma, cut, above):
    """Hundredths, with decimal points or commas, between commas, semicolons, spaces or tabs."""
    mark = "," if comma and between != "," else "."
    lines = [between.join(f"{x / 100:.2f}".replace(".", mark) for x in row) for row in rows]
    text = (above + "\n".join(lines) + "\n").encode()
    reader = LineReader(("time", "a_h") if named else None)
    tables = [reader.read(piece) for piece in (text[:cut], text[cut:])]
    assert reader.columns == ("time", "a_h") and not any(each.garbage.any() for each in tables)
    found = [row for table in tables for row in table.table.tolist()]
    assert found == [[x / 100, y / 100] for x, y in rows]


@pytest.mark.parametrize("above", ["", "# 1.5, 2\n", "acceleration\n", "a-h\n", "\n"])
@pytest.mark.parametrize(
    ("lines", "columns", "numbers"),
    [
        ("0,05\n1,25\n", ("a_h",), [[0.05], [1.25]]),  # no whole number is written 05
        ("-0,5\n1,5\n", ("a_h",), [[-0.5], [1.5]]),  # nor -0
        ("1,5\n2,25\n4,1\n", ("time", "a_h"), [[1, 5], [2, 25], [4, 1]]),  # times rise
        ("7,5\n", ("time", "a_h"), [[7, 5]]),
        ("1,5\n1,25\n", None, "1,5 can be a time and an acceleration, or one number"),
        ("2,5\n1,25\n", None, "2,5 can be a time and an acceleration, or one number"),
        ("1,5\n2.5\n", ("time", "a_h"), [[1, 5], [math.nan, math.nan]]),
        ("1.5\n2,5\n", ("a_h",), [[1.5], [math.nan]]),
    ],
)
def test_one_comma_in_each_line(above, lines, columns, numbers):
    """Without the names of columns the lines must show what it is."""
    reader = LineReader()
    if columns is None:
        with pytest.raises(InputError, match=numbers):
            reader.read((above + lines).encode())
        return
    table = reader.read((above + lines).encode())
    assert reader.columns == columns
    assert table.table.tolist() == pytest.approx(np.array(numbers), nan_ok=True)


@pytest.mark.parametrize("cut", range(31))
def test_remarks_before_the_first_number_may_come_alone(cut):
    text, reader = b"# station A\n\n0.0,1.5\n0.01,1.6\n", LineReader()
    tables = [reader.read(piece) for piece in (text[:cut], text[cut:])]
    found = [a for table in tables for a in table.accelerations("a_h").tolist()]
    assert found == [1.5, 1.6] and reader.columns == ("time", "a_h")
    assert not any(table.garbage.any() for table in tables)


@pytest.mark.parametrize("columns", ["time", "-", "a_h,a_h", "time,time,a_h", "a_h,force", ""])
def test_columns_that_cannot_be_read(columns):
    with pytest.raises(InputError, match="a_h once, none twice"):
        checked_columns(tuple(columns.split(",")))


@pytest.mark.parametrize(
    "line",
    ["{t},{a}", "2026-11-15 12:00:00,{a}", ",{a}", "1_0,{a}", "{t};{a}", "all well;{a}", "{t} {a}"],
)
def test_a_column_that_is_not_read_may_hold_anything(line):
    lines = [line.format(t=0.01 * i, a=0.1 * i) + "\n" for i in range(40)]
    for pieces in (lines, ["".join(lines)], [lines[0], "".join(lines[1:])]):
        reader = LineReader(("-", "a_h"))
        tables = [reader.read(piece.encode()) for piece in pieces]
        assert not any(table.garbage.any() for table in tables)
        assert np.concatenate([table.accelerations("a_h") for table in tables]) == pytest.approx(
            0.1 * np.arange(40), abs=1e-12
        )


def test_a_remark_or_a_bad_number_is_no_sample_beside_what_is_not_read():
    reader = LineReader(("-", "a_h"))
    assert reader.read(b"noon,0.5\n").accelerations("a_h").tolist() == [0.5]
    table = reader.read(b"# noon,0.5\nnoon,0.6\nnoon,much\nnoon,1_0\n")
    assert table.garbage.tolist() == [False, True, True] and table.accelerations("a_h")[0] == 0.6
    decimal_commas = LineReader(("time", "-", "a_h"))
    assert decimal_commas.read(b"0,01;0,001\n" * 3).garbage.all()


# -- what the sensor says on the whole ------------------------------------------------------------


def test_what_was_seen_of_the_ground(tmp_path):
    a_h, a_v = shaking(5000) + 0.3, np.full(5000, 0.02)
    monitor, other = Monitor(HOUSE, dt=DT), Monitor(HOUSE, dt=DT)
    monitor.push_block(a_h, a_v)
    for start in range(0, 5000, 700):
        other.push_block(a_h[start : start + 700], a_v[start : start + 700])
        other.save(tmp_path / "house.json")
        other = Monitor.restore(tmp_path / "house.json")
    assert bits(monitor) == bits(other)
    assert other.seen.largest == np.abs(a_h).max()
    assert other.seen.means == pytest.approx((a_h.mean(), 0.02), rel=1e-12)
    assert other.seen.offsets(DT) == {"a_h": other.seen.means[0]}
    assert other.seen.offsets(0.001) == {}  # five seconds
    centred = Monitor(HOUSE, dt=DT)
    centred.push_block(a_h - a_h.mean())
    assert centred.seen.offsets(DT) == {}


@kernel
def into_nothing(state, params, ground0, ground1, dt):
    return (math.nan, *state[1:]), dt, NOTHING


class Lost(Housner):
    """A formulation that loses its body."""

    def advance_for(self, block):
        return into_nothing


@pytest.mark.parametrize("pieces", [1, 3])
def test_a_state_that_is_no_number_is_a_failure(pieces, tmp_path):
    monitor = Monitor(Block(1.8, 0.5), dt=DT, formulation=Lost())
    log = StateLog(monitor, tmp_path / "log", every=DT)
    readings = [log.push_block(part) for part in np.split(np.ones(6), pieces)]
    assert {reading.status for reading in readings} == {Status.FAILED} and monitor.over
    log.commit({})
    log.close()
    lines = [json.loads(line) for line in (tmp_path / "log" / "log.jsonl").open()]
    assert [line["theta"] for line in lines] == [0.0, *[None] * 5]


@kernel
def into_endless_work(state, params, ground0, ground1, dt):
    return (*state[:3], math.inf, state[4]), dt, NOTHING


class Tireless(Housner):
    """A formulation whose account of the work overflows."""

    def advance_for(self, block):
        return into_endless_work


def test_an_account_that_overflows_is_no_failure():
    monitor = Monitor(Block(1.8, 0.5), dt=DT, formulation=Tireless())
    assert monitor.push_block(np.ones(6)).status is not Status.FAILED and not monitor.over
    assert math.isinf(monitor.state[3])


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"dt": 0.0}, "dt = 0.0 s is not allowed"),
        ({"dt": math.nan}, "dt = nan"),
        ({"dt": DT, "alarms": {"tilt": 1}}, "'tilt' cannot be watched"),
        ({"dt": DT, "alarms": {"wear": -1}}, "wear = -1 is not allowed"),
        ({"dt": DT, "alarms": {"wear": "much"}}, "wear = 'much' is not allowed"),
        ({"dt": DT, "formulation": Housner()}, "moves a Block, not a MasonryBuilding"),
        ({"dt": DT, "window": 0}, "window = 0"),
    ],
)
def test_bad_options(options, sentence):
    with pytest.raises(InputError, match=sentence.replace("(", r"\(")):
        Monitor(HOUSE, **options)


def test_bad_samples_and_files(tmp_path):
    monitor = Monitor(HOUSE, dt=DT)
    before = bits(monitor)
    with pytest.raises(InputError, match=r"a_h\[1\] = .*nan.* not finite"):
        monitor.push_block([0.0, math.nan])
    with pytest.raises(InputError, match="must have 2 samples"):
        monitor.push_block([0.0, 1.0], [0.0])
    with pytest.raises(InputError, match="not a list of numbers"):
        monitor.push("fast")
    assert bits(monitor) == before
    monitor.push(0.0, t=5.0)
    monitor.push(0.0, t=5.012)
    with pytest.raises(InputError, match=r"due at 5\.02"):
        monitor.push(0.0, t=5.04)
    with pytest.raises(InputError, match="max_gap = -1"):
        Feed(monitor, max_gap=-1)
    with pytest.raises(InputError, match=r"time of shape \(2,\) .* must have 3 samples"):
        Feed(monitor).take([0.0, 1.0, 2.0], time=[0.0, 0.01])
    with pytest.raises(InputError, match="a_h is not a list of numbers"):
        Feed(monitor).take(["fast"])
    with pytest.raises(InputError, match="There is no file"):
        Monitor.restore(tmp_path / "none.json")
    for text in (b"{", b"[]", b"{}"):
        (tmp_path / "bad.json").write_bytes(text)
        with pytest.raises(OtherVersionError, match="has no digest: an earlier version"):
            Monitor.restore(tmp_path / "bad.json")
    for about in ({}, {"format": "rocksteady monitor 1"}):
        write_json(tmp_path / "bad.json", about)
        with pytest.raises(InputError, match="not a saved monitor"):
            Monitor.restore(tmp_path / "bad.json")


def test_a_time_step_that_would_change_the_physics():
    how = NumericalDissipation(dt=0.002)
    with pytest.raises(InputError, match="would change the physics"):
        Monitor(Block(1.8, 0.5), how, dt=0.01)


# -- what one push did ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 400])
def test_a_reading_tells_of_its_own_samples(size):
    """Extreme and impacts of a block of samples are those of the response between its ends."""
    motion, block = rs.pulses.sine(4.0, 0.5, cycles=8, dt=0.01), Block(1.8, 0.5)
    run = simulate(block, motion, Housner(), duration=motion.duration)
    live, impacts = Monitor(block, Housner(), dt=0.01), 0
    for first in range(0, len(motion), size):
        reading = live.push_block(motion.accel[first : first + size])
        last = reading.sample
        between = (run.events[:, 0] > run.time[max(first - 1, 0)]) & (
            run.events[:, 0] <= run.time[last]
        )
        reached = [*run.theta[max(first - 1, 0) : last + 1], *run.events[between, 2]]
        assert reading.extreme == np.abs(reached).max()
        assert (reading.theta, reading.omega) == (run.theta[last], run.omega[last])
        impacts += reading.impacts
    assert impacts == len(run.impacts) == live.extremes[3] > 3
    assert max(live.extremes[0], -live.extremes[1]) == abs(run.peak_angle)


# -- impacts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formulation", "dt", "strength"),
    [
        (NumericalDissipation(dt=0.002), 0.002, 2.5),
        (NumericalDissipation(dt=0.005, body="elastic"), 0.005, 2.5),
        (RigidBodySpring(K=1e7), 0.005, 3.0),
        (Housner(), 0.005, 4.5),
    ],
    ids=["dissipation", "elastic", "springs", "Housner"],
)
def test_impacts_are_those_of_the_response(formulation, dt, strength, tmp_path):
    """On a soft bed, too; in pieces, saved in the middle of a swing, and one sample at a time."""
    count = round(6.0 / dt)
    push = strength * np.sin(2 * np.pi * 1.1 * dt * np.arange(count)) * np.hanning(count)
    a_h = np.concatenate([push, np.zeros(count)])  # and to rest
    block = Block(1.8, 0.5)
    response = simulate(block, Motion(a_h, dt), formulation, duration=(len(a_h) - 1) * dt)
    assert len(response.impacts) > 5
    monitor, i = Monitor(block, dt=dt, formulation=formulation), 0
    for size in (1, 2, 0, 700, 1, 333, len(a_h)):
        monitor.push_block(a_h[i : i + size])
        monitor = Monitor.restore(monitor.save(tmp_path / "m.json"))
        i += size
    assert monitor.extremes[3] == len(response.impacts)
    single = Monitor(block, formulation, dt=dt)
    assert sum(single.push(sample).impacts for sample in a_h) == monitor.extremes[3]
