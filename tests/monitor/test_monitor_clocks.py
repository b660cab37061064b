"""Clocks of sensors, coarse, frozen or wrong: never certain where samples are lost."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command

from rocksteady import cli
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.monitor import Feed, Monitor
from rocksteady.monitor.clock import Clock
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.losses import FEW, Losses
from rocksteady.monitor.session import first_lines, time_step_of
from rocksteady.monitor.state_log import StateLog
from rocksteady.status import Status

DT = 0.01
HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
COUNT = 3000
TIME = DT * np.arange(COUNT)
rng = np.random.default_rng


def collapse() -> np.ndarray:
    """Half a minute, with a shock near its end that brings the building down."""
    a_h = 0.6 * rng(1).standard_normal(COUNT)
    a_h[2600:2700] *= 10
    return a_h


def fed(a_h, time, *, dt: float = DT, pieces: int = 1) -> Feed:
    feed = Feed(Monitor(HOUSE, dt=dt, alarms={"drift": 1e-3}))
    for part, when in zip(np.array_split(a_h, pieces), np.array_split(time, pieces), strict=True):
        feed.take(part, time=when)
        state = json.loads(json.dumps([feed.monitor.to_dict(), feed.to_dict()]))
        feed = Feed.from_dict(state[1], Monitor.from_dict(state[0]))
    feed.finish()
    return feed


def whole() -> Monitor:
    monitor = Monitor(HOUSE, dt=DT, alarms={"drift": 1e-3})
    monitor.push_block(collapse())
    return monitor


@pytest.mark.parametrize("tick", [0.05, 0.1, 0.5, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("phase", [0.0, 0.37, 0.995])
@pytest.mark.parametrize("rounded", [np.floor, np.round])
def test_samples_are_counted_between_the_ticks_of_a_coarse_clock(tick, phase, rounded):
    stamps = rounded((TIME + phase * tick) / tick + 1e-9) * tick
    feed = fed(collapse(), stamps)
    assert feed.monitor.certain and feed.counts["samples"] == COUNT
    assert feed.monitor.samples <= COUNT + 1
    assert feed.monitor.status is Status.COLLAPSED
    assert feed.monitor.end - feed.monitor.start == pytest.approx(whole().end, abs=2 * DT)
    assert feed.clock.resolution == pytest.approx(tick)
    if tick < 3:  # some whole ticks
        assert feed.clock.rate == pytest.approx(100, rel=0.02)


def test_a_clock_of_whole_seconds_is_the_record_without_stamps():
    feed = fed(collapse(), np.floor(1.7e9 + 0.37 + TIME))
    assert feed.monitor.state == whole().state
    assert feed.monitor.end - 1.7e9 == pytest.approx(whole().end)
    (said,) = feed.clock.words()
    assert said == (
        "the time stamps are 1 s apart or equal: between them, samples are placed by their "
        "number, 100 a second"
    )


@pytest.mark.parametrize("rate, unit", [(128, 0.01), (1024, 0.001), (800, 0.001), (512, 0.001)])
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.9])
def test_stamps_that_are_rounded_to_about_a_sample(rate, unit, phase):
    stamps = np.floor(np.arange(COUNT) / rate / unit + phase + 1e-9) * unit
    feed = fed(np.zeros(COUNT), stamps, dt=1 / rate)
    assert feed.monitor.certain and feed.counts["samples"] == COUNT
    assert COUNT <= feed.monitor.samples <= COUNT + 2


def test_samples_that_are_missing_under_a_coarse_clock_are_noticed():
    a_h, stamps = collapse(), np.floor(TIME + 0.37)
    few, many = rng(2).random(COUNT) > 0.004, rng(3).random(COUNT) > 0.03
    assert fed(a_h[few], stamps[few]).monitor.certain
    feed = fed(a_h[many], stamps[many])
    missing = np.count_nonzero(~many)
    assert list(feed.monitor.doubts) == ["lost"]
    assert feed.counts["filled"] == pytest.approx(missing, abs=12)
    assert feed.monitor.samples == pytest.approx(COUNT, abs=12)
    assert feed.clock.rate == pytest.approx(100 * np.mean(many), rel=0.01)
    assert "not 100 as stated" in feed.clock.words()[1]
    outage = np.r_[0:1000, 1700:COUNT]
    feed = fed(a_h[outage], stamps[outage])
    assert feed.counts["lost"] == pytest.approx(700, abs=100)
    assert feed.monitor.doubts["outage"].sample == 1000 and feed.counts["outages"] == 1
    assert feed.counts["filled"] == feed.counts["duplicates"] == 0  # it resumes within a tick


def test_an_outage_is_no_part_of_the_rate():
    feed = fed(collapse(), TIME + np.where(TIME >= 10, 60.0, 0.0))
    assert feed.clock.rate == pytest.approx(100) and feed.clock.words() == []


@pytest.mark.parametrize(
    ("time", "doubts"),
    [
        (np.full(COUNT, 5.0), ["still"]),
        (np.minimum(TIME, 10.0), ["still"]),
        (np.where(TIME > 10, np.maximum(10, TIME - 3), TIME), ["clock"]),
        (np.where((TIME > 10) & (TIME < 22), 10.0, TIME), ["still"]),
        (np.where((TIME > 8) & (TIME < 20), 8.0, TIME - (TIME > 8) * 11), ["still", "clock"]),
    ],
    ids=["always", "from then on", "for a while", "and catches up", "and is behind"],
)
def test_the_samples_of_a_clock_that_stands_still_are_placed_by_number(time, doubts):
    feed = fed(collapse(), time)
    assert list(feed.monitor.doubts)[: len(doubts)] == doubts and not feed.monitor.certain
    assert feed.counts["samples"] == feed.monitor.samples == COUNT
    assert feed.monitor.state == whole().state


def test_a_clock_that_stops_for_three_seconds_and_catches_up_hides_nothing():
    feed = fed(collapse(), np.where((TIME > 10) & (TIME < 13), 10.0, TIME))
    assert feed.monitor.certain and feed.monitor.state == whole().state


@pytest.mark.parametrize("factor", [0.1, 0.5, 0.97, 1.03, 2.0, 10.0])
def test_a_wrong_rate_is_reported(factor):
    feed = fed(collapse(), factor * TIME)
    assert list(feed.monitor.doubts) == ["lost"] and not feed.monitor.certain
    assert feed.clock.rate == pytest.approx(100 / factor)
    (said,) = feed.clock.words()
    assert said == (
        f"the time stamps show {100 / factor:.5g} samples per second, not 100 as stated"
    )


def test_three_samples_or_one_in_a_hundred_may_be_lost():
    losses = Losses(DT)
    assert [losses.add(place, 1) for place in (10, 20, 30, 40)] == [0, 0, 0, FEW + 1]
    losses = Losses(DT)
    assert not losses.add(5000, 50) and losses.add(5001, 1) == 51
    losses = Losses(DT)
    assert not losses.add(60_000, 60) and not losses.add(66_000, 60)  # a minute later
    assert Losses(DT, losses.kept).add(66_001, 1) == 61


@pytest.mark.parametrize(("every", "certain"), [(101, True), (98, False)])
def test_filled_and_left_out_samples_count_alike(every, certain):
    kept = np.arange(COUNT) % every != every - 1
    assert fed(collapse()[kept], TIME[kept]).monitor.certain == certain
    again = np.repeat(np.arange(COUNT), 1 + ~kept)  # sent twice
    assert fed(collapse()[again], TIME[again]).monitor.certain == certain


def test_the_last_samples_may_be_the_lost_ones():
    """The clock is set back by five seconds at the end: nothing of them is known."""
    stamps = np.where(TIME >= 25, TIME - 5, TIME)
    feed = fed(collapse(), stamps)
    assert feed.monitor.samples == 2500 and not feed.monitor.certain


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e5])
@pytest.mark.parametrize("stamped", [True, False])
@pytest.mark.parametrize("pieces", [1, 37])
def test_a_sensor_that_sends_only_bad_numbers_to_the_end(bad, stamped, pieces):
    """No good sample follows that would show the gap."""
    a_h, first = collapse(), COUNT - 30
    a_h[first:] = bad
    stamps = TIME if stamped else None
    feed = Feed(Monitor(HOUSE, dt=DT))
    for place in np.array_split(np.arange(COUNT), pieces):
        feed.take(a_h[place], time=stamps if stamps is None else stamps[place])
    assert feed.monitor.certain and feed.monitor.samples == first  # 1 %
    a_h[first - 1] = bad
    feed = Feed(Monitor(HOUSE, dt=DT))
    for place in np.array_split(np.arange(COUNT), pieces):
        feed.take(a_h[place], time=stamps if stamps is None else stamps[place])
        feed = Feed.from_dict(
            json.loads(json.dumps(feed.to_dict())), Monitor.from_dict(feed.monitor.to_dict())
        )
    feed.finish()
    doubt = feed.monitor.doubts["lost"]
    assert not feed.monitor.certain and doubt.sample == first - 1
    assert doubt.seconds == pytest.approx(31 * DT)


@pytest.mark.parametrize("at_once", [1, 2, 3, 160])
def test_a_remark_now_and_then_is_no_loss_however_the_lines_come(at_once):
    """No sample is missing beside it, and it counts no more once a good one has come."""
    good = ["".join(f"{DT * k:.2f},0.1\n" for k in range(50 * j, 50 * j + 50)) for j in range(80)]
    lines = [text for each in good for text in ("all well\n", each)]
    reader, feed = LineReader(("time", "a_h")), Feed(Monitor(HOUSE, dt=DT))
    for i in range(0, len(lines), at_once):
        read = reader.read("".join(lines[i : i + at_once]).encode())
        feed.take(read.accelerations("a_h"), time=read.time, garbage=read.garbage)
    assert feed.monitor.certain and feed.counts["garbage"] == 79  # the first is a heading
    assert feed.counts["samples"] == feed.monitor.samples == 4000
    assert feed.to_dict()["bad"] == [0, 0]


def test_bad_numbers_are_counted_once_when_a_good_one_shows_their_gap():
    a_h = collapse()
    a_h[2000:2045] = np.nan  # at most 0.5 s are filled
    feed = fed(a_h, TIME)
    assert feed.counts["filled"] == feed.counts["nonfinite"] == 45
    assert feed.monitor.doubts["lost"].seconds == pytest.approx(45 * DT)


def test_nothing_but_bad_numbers_is_not_certain():
    feed = fed(np.zeros(COUNT), np.full(COUNT, np.nan))
    assert feed.monitor.samples == 0 and not feed.monitor.certain
    feed = fed(np.r_[[np.nan] * 5, collapse()[5:]], TIME)  # a sensor that is switched on
    assert feed.monitor.certain and feed.monitor.samples == COUNT - 5


def test_the_log_does_not_depend_on_pieces(tmp_path):
    """Whatever the clock does, the state is the same."""
    a_h = collapse()
    for number, stamps in enumerate(broken_clocks(9)):
        assert len(stamps) == len(a_h)
        one, many = fed(a_h, stamps), fed(a_h, stamps, pieces=37)
        assert one.monitor.to_dict() == many.monitor.to_dict(), number
        assert one.to_dict() == many.to_dict(), number


def test_the_log_says_what_the_clock_does(tmp_path):
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path)
    feed = Feed(log)
    feed.take(collapse(), time=np.where(TIME < 12, np.floor(TIME), 12.0))
    feed.finish()
    log.commit({})
    log.close()
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").open()]
    found = [line for line in lines if line["kind"] not in ("state", "alarm")]
    assert [line["kind"] for line in found] == ["coarse clock", "clock stands still"]
    assert found[0]["step"] == 1.0 and found[0]["sample"] == 1 and found[1]["stamp"] == 12.0


# -- two hundred broken clocks --------------------------------------------------------------------


def broken_clocks(count: int) -> Iterator[np.ndarray]:
    """Time stamps of such clocks: coarse, frozen, drifting, too fast or slow, set, irregular, and
    several of these at once."""
    for seed in range(count):
        chance = rng(1000 + seed)
        stamps = TIME + chance.choice([0.0, 1.7e9]) + chance.random()
        kinds = chance.choice(6, size=chance.integers(1, 3), replace=False)
        at = int(chance.integers(100, COUNT - 100))
        for kind in sorted(kinds):
            if kind == 0:
                stamps = stamps + chance.normal(0, 10 ** chance.uniform(-4, -1), COUNT)
            elif kind == 1:  # drift, up to a tenth
                stamps = stamps + chance.choice([-1, 1]) * 10 ** chance.uniform(-5, -1) * TIME
            elif kind == 2:  # rate
                stamps = stamps[0] + (stamps - stamps[0]) * chance.choice([0.1, 0.25, 0.5, 2, 4])
            elif kind == 3:  # a jump
                by = chance.choice([-1, 1]) * 10 ** chance.uniform(-2, 2)
                stamps = stamps + np.where(np.arange(COUNT) >= at, by, 0.0)
            elif kind == 4:  # frozen, for a while or for good
                end = min(COUNT, at + int(10 ** chance.uniform(0, 3.5)))
                frozen = stamps[at]
                behind = chance.choice([0.0, 1.0]) * (stamps[end - 1] - frozen)
                stamps = np.concatenate(
                    [stamps[:at], np.full(end - at, frozen), stamps[end:] - behind]
                )
            else:  # coarse
                tick = 10 ** chance.uniform(-2, 0.7)
                stamps = np.floor(stamps / tick) * tick
        yield stamps


@pytest.mark.parametrize("count", [24, pytest.param(200, marks=pytest.mark.slow)])
def test_never_certain_where_more_than_one_sample_in_a_hundred_is_lost(count):
    a_h = collapse()
    certain = 0
    for number, stamps in enumerate(broken_clocks(count)):
        feed = fed(a_h, stamps)
        counts, monitor = feed.counts, feed.monitor
        lost = COUNT - counts["samples"] + counts["filled"] + counts["lost"]
        certain += monitor.certain
        assert not (monitor.certain and lost > max(FEW, 0.01 * COUNT)), (number, counts)
        if monitor.certain:  # and then the collapse is seen
            assert monitor.status is Status.COLLAPSED, number
            assert monitor.end - monitor.start == pytest.approx(whole().end, abs=1.0), number
    assert count / 5 < certain < 4 * count / 5  # both happen


# -- the command ----------------------------------------------------------------------------------


@pytest.fixture
def monitor(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)

    def call(stamps, *arguments: object, code: int) -> tuple[str, str]:
        lines = zip(stamps.tolist(), collapse().tolist(), strict=True)
        text = "".join(f"{t!r},{a!r}\n" for t, a in lines)
        Path("samples.csv").write_text(text)
        house = ("--preset", "casalotti2025", "--mass", "40e3", "--damping", "2e3")
        with Path("samples.csv").open() as stdin, pytest.raises(SystemExit) as stop:
            monkeypatch.setattr(sys, "stdin", stdin)
            words = ["monitor", *house, *map(str, arguments)]
            get_command(cli.app).main(words, prog_name="rocksteady")
        said = capsys.readouterr()
        assert int(stop.value.code or 0) == code, said.err
        return said.out, said.err

    return call


def test_whole_seconds_at_a_hundred_samples_a_second(monitor):
    """The collapse is seen, and the summary says how samples were placed."""
    out, _ = monitor(np.floor(TIME + 0.4), "--dt", DT, code=5)
    assert "collapsed" in out and "1 s apart or equal" in " ".join(out.split())
    about = json.loads(monitor(np.floor(TIME + 0.4), "--dt", DT, "--json", code=5)[0])
    assert about["certain"] and about["clock"]["resolution"] == 1.0
    assert about["clock"]["stated_rate"] == 100 and about["counts"]["duplicates"] == 0


def test_uncertain_results_are_told_and_are_the_exit_status(monitor):
    hook = ("--on-alarm", "cat >> told; echo >> told")
    out, err = monitor(TIME / 2, "--dt", DT, "--log", "log", *hook, code=9)
    why = "more than 1 % of the samples of a minute were left out or filled in"
    assert f"Warning: uncertain from now on: {why}" in err
    assert "wear and hardening may be larger or smaller" in " ".join(out.split())
    assert "the time stamps show 200 samples per second, not 100 as stated" in " ".join(out.split())
    (told,) = map(json.loads, Path("told").read_text().splitlines())
    assert told["kind"] == "uncertain" and told["reason"] == "lost" and told["certain"] is False
    assert told["text"].endswith(f"uncertain since 0.050 s: {why}")
    monitor(TIME / 2, "--dt", DT, "--log", "log", *hook, code=9)
    assert len(Path("told").read_text().splitlines()) == 1  # not again


def test_a_coarse_clock_does_not_give_the_time_step(monitor):
    _, err = monitor(np.floor(TIME + 0.4), code=2)
    assert "equal" in err and "--dt" in err
    with pytest.raises(InputError, match="are equal"):
        time_step_of(np.repeat(np.arange(8.0), 2))
    with pytest.raises(InputError, match="too few"):
        time_step_of(np.array([0.0, 0.01]))
    assert time_step_of(np.array([0.0, 0.01, 0.01, *(0.02 + 0.01 * np.arange(13))])) == DT


@pytest.mark.parametrize("rate", [1, 3, 50, 100, 1024])
@pytest.mark.parametrize("off", [0.0, 0.9e-3, -0.9e-3, 1.1e-3, -1.1e-3])
def test_a_logger_takes_a_whole_number_of_samples_a_second(rate, off):
    """Its clock may be off by a thousandth; what a gap hides does not count, nor what is no
    number."""
    times = 1e3 + np.arange(16.0) / (rate * (1 + off))
    times[5:] += 7.0
    times = np.insert(times, 3, math.nan)
    # off by more than half a sample a second, it is as near to another whole number
    if abs(off) < 1e-3 or abs(rate * off - round(rate * off)) < 1e-3 * rate:
        assert time_step_of(times) == 1 / round(rate * (1 + off))
    else:
        with pytest.raises(InputError, match="which is not a whole number of samples per second"):
            time_step_of(times)


@pytest.mark.parametrize(("count", "equal"), [(20, 2), (20, 3), (30, 3), (30, 4)])
def test_one_stamp_in_ten_may_be_that_of_the_sample_before(count, equal):
    """Of ``count`` steps between the first stamps, ``equal`` are none."""
    steps = np.where(np.arange(count) < equal, 0.0, 0.01)
    times = np.concatenate([[0.0], np.cumsum(steps)])
    if equal <= 0.1 * count:
        assert time_step_of(times) == DT
    else:
        with pytest.raises(InputError, match=f"^{equal} of the first {count + 1} time stamps are"):
            time_step_of(times)
    with pytest.raises(InputError, match="apart, which is not a whole number"):
        time_step_of(np.arange(16) / 0.4)
    assert time_step_of(0.01 * np.arange(4)) == DT
    with pytest.raises(InputError, match="too few"):
        time_step_of(0.01 * np.arange(3))


@pytest.mark.parametrize("pieces", [1, 5, 300])
@pytest.mark.parametrize(("late", "known"), [(1.0, True), (1.02, True), (0.97, True), (1.0, False)])
def test_the_rate_of_a_clock_is_that_of_its_stamps(late, known, pieces):
    """However they come, and anew after an outage; from a hundred samples on."""
    t = 5.0 + DT * late * np.arange(300 if known else 100)
    clock = Clock(DT, 5.0)
    clock.see_all(DT * np.arange(500.0))
    clock.restart(5.0, 0)
    for part in np.array_split(t, pieces):
        if len(part) == 1:
            clock.see(float(part[0]))
        elif len(part):
            clock.see_all(part)
    about = clock.about()
    if not known:
        assert math.isnan(clock.rate) and about["rate"] is None and about["words"] == []
        return
    assert clock.rate == pytest.approx(100 / late, rel=1e-9)
    assert about["rate"] == clock.rate and about["stated_rate"] == pytest.approx(100)
    assert about["words"] == [
        f"the time stamps show {100 / late:.5g} samples per second, not 100 as stated"
    ] * (late != 1.0)


def test_as_many_lines_are_read_first_as_the_time_step_needs():
    stamped = iter([f"{0.02 * k:.2f},0.5\n".encode() for k in range(100)])
    early = first_lines(LineReader(), stamped)
    assert [len(lines) for lines in early] == [1] * 16
    assert time_step_of(np.concatenate([lines.time for lines in early])) == 0.02
    assert next(stamped) == b"0.32,0.5\n"
    assert len(first_lines(LineReader(), iter([b"0.5\n"] * 5))) == 1  # no time will ever come


def test_the_clock_alone():
    clock = Clock(DT)
    for t in (0.0, 0.01, 0.02):
        assert clock.ahead(t, round(t / DT)) == 0
        clock.see(t)
        clock.take(t, round(t / DT))
    assert clock.ahead(0.02, 3) == -1 and clock.ahead(0.05, 3) == 2
    assert clock.ahead(0.0379, 3) == 0 and clock.ahead(0.0381, 3) == 1  # 0.8 dt off
    assert clock.ahead(1e300, 3) is None and clock.ahead(-1.0, 3) == -103
    assert not clock.coarse and clock.words() == [] and clock.about()["rate"] is None


@pytest.mark.parametrize(("width", "jitter"), [(20, 2.0), (100, 3.0)])
def test_ticks_may_come_early_or_late_by_a_tenth_of_a_tick_and_at_most_3_samples(width, jitter):
    """And by half a sample, since places are whole numbers."""
    clock = Clock(DT)
    clock.see(0.0)
    clock.take(0.0, 0)
    clock.see(width * DT)
    clock.count_between_ticks(0)
    assert clock.width == pytest.approx(width)
    allowed = width + jitter + 0.5
    for off in (allowed, -allowed):
        assert clock.ahead((1000 + 0.999 * off) * DT, 1000) == 0
    assert clock.ahead((1000 + 1.001 * allowed) * DT, 1000) == round(allowed + 0.1)
    assert clock.ahead((1000 - 1.001 * allowed) * DT, 1000) == -1
