"""A theory that takes three components of the ground goes through every driver, and two of them
give what a planar theory gives."""

import math

import numpy as np
import pytest

import rocksteady as rs
import sledge
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.drivers import make_impacts, make_peaks, make_trace
from rocksteady.engine.ground import Ground, Runs, samples_of
from rocksteady.engine.rest import BOX, Boxes, make_rest
from rocksteady.monitor import Feed
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.state_log import StateLog
from rocksteady.monitor.watch import Watch
from rocksteady.numerics.decorators import driver
from rocksteady.theories.contract import partway
from sledge import Rail, Sledge

BLOCK, HOW, DT = rs.Block(1.0, 0.5), Sledge(), 0.01
ALL = HOW.components


def shaking(seed: int, samples: int = 900, strength: float = 3.0) -> rs.Motion:
    """Three components that grow and fade, with a quiet second in which it rests."""
    rng = np.random.default_rng(seed)
    knots = rng.standard_normal((3, samples // 6 + 2))
    rows = [np.interp(np.arange(samples) / 6, np.arange(knots.shape[1]), row) for row in knots]
    window = np.sin(np.pi * np.arange(samples) / samples) ** 2
    window[samples // 2 : samples // 2 + 100] = 0.0
    a_x, a_y, a_z = (strength * row * window for row in rows)
    return rs.Motion(a_x, DT, vertical=0.4 * a_z, transverse=a_y)


MOTIONS = [shaking(seed) for seed in range(3)]
SCALES = np.linspace(0.3, 2.0, 7)


def traced(how, motion):
    samples = samples_of(motion, how.components)
    states = np.empty((len(motion), len(sledge.COLUMNS)))
    given = how.start(BLOCK), how.parameters(BLOCK), samples, motion.dt
    rows, events, last = make_trace(how.advance_for(BLOCK))(*given, 0.0, states)
    assert rows == len(motion)
    return states, events, last, make_peaks(how.advance_for(BLOCK))(*given)


# -- the drivers ----------------------------------------------------------------------------------


def test_a_point_between_two_samples_has_as_many_components():
    assert partway((1.0, 2.0), (3.0, 6.0), 0.25) == (1.5, 3.0)
    assert partway((1.0, 2.0, 4.0), (3.0, 6.0, 0.0), 0.25) == (1.5, 3.0, 3.0)


@pytest.mark.parametrize("glides", [False, True], ids=["one by one", "lanes"])
def test_all_drivers_agree_bit_for_bit(glides):
    runs = Runs.grid(1, len(MOTIONS), SCALES)
    found = batch_peaks(
        sledge.advance, np.array([HOW.start(BLOCK)]), np.array([HOW.parameters(BLOCK)]),
        Ground.of(MOTIONS, ALL), runs, glide=HOW.glide_for(BLOCK) if glides else None,
    )  # fmt: skip
    every = runs.part(0, runs.total)
    for run in range(runs.total):
        motion = MOTIONS[every.motion[run]].scaled(float(every.scale[run]))
        states, _, last, peaks = traced(HOW, motion)
        assert last == tuple(states[-1]) == tuple(found.states[run])
        assert peaks == (last, found.time[run], found.highest[run], found.lowest[run],
                         found.time_of_peak[run], found.impacts[run], found.event[run])  # fmt: skip
        live = rs.Monitor(BLOCK, HOW, dt=DT)
        for part in (slice(0, 1), slice(1, 400), slice(400, None)):
            own = motion.accel[part], motion.vertical[part], motion.transverse[part]
            live.push_block(*own)
        assert live.state == last
    ways = {tuple(np.sign(state[2:4])) for state in found.states}
    assert found.states[:, 0].max() > 1.0 and found.states[:, 6].min() == 0.0 and len(ways) > 1


@pytest.mark.parametrize("until", ["rest", "motion", 6.0])
def test_an_ensemble_gives_what_simulate_gives(until):
    data = rs.ensemble(BLOCK, MOTIONS, HOW, scales=SCALES, until=until, progress=False)
    for i, motion in enumerate(MOTIONS):
        for j, scale in enumerate(SCALES):
            one = rs.simulate(BLOCK, motion.scaled(float(scale)), HOW, until=until)
            assert float(data.peak[0, i, j]) == one.peak
            assert int(data.status[0, i, j]) == one.status
    assert float(data.peak.min()) == 0.0 < float(data.peak.max())


def test_without_a_transverse_component_it_is_the_planar_theory():
    rail, level = Rail(), [motion.with_transverse(None) for motion in MOTIONS]
    tables = {
        how.name: rs.ensemble(BLOCK, level, how, scales=SCALES, progress=False)
        for how in (HOW, rail)
    }
    np.testing.assert_array_equal(tables["Sledge"].peak, tables["Rail"].peak)
    for motion in level:
        np.testing.assert_array_equal(traced(HOW, motion)[0], traced(rail, motion)[0])
    with pytest.warns(rs.RocksteadyWarning, match="Rail ignores the transverse component"):
        ignored = rs.simulate(BLOCK, MOTIONS[0], rail)
    np.testing.assert_array_equal(ignored.states, rs.simulate(BLOCK, level[0], rail).states)
    assert len(ignored.ground) == 2


def test_turned_ground_gives_a_turned_response():
    straight = rs.simulate(BLOCK, MOTIONS[0], HOW)
    for angle in (90.0, 37.0):
        turned = rs.simulate(BLOCK, MOTIONS[0].turned(angle), HOW)
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        x, y = straight.column("x"), straight.column("y")
        np.testing.assert_allclose(turned.column("x"), c * x + s * y, atol=1e-12)
        np.testing.assert_allclose(turned.column("y"), c * y - s * x, atol=1e-12)
        assert turned.peak == pytest.approx(straight.peak, rel=1e-12)


def test_the_states_on_both_sides_of_an_impact_need_all_components():
    ground = (0.0, 0.0, 0.0), (3.0, 0.0, 3.0)
    assert (
        len(make_impacts(sledge.advance)(HOW.start(BLOCK), HOW.parameters(BLOCK), *ground, DT)) == 0
    )


def test_planar_motions_take_no_more_memory():
    assert len(Ground.of(MOTIONS).accel) == 2 and len(Ground.of(MOTIONS, ("accel",)).accel) == 2
    assert len(Ground.of(MOTIONS, ALL).accel) == 3
    assert Boxes.of(Ground.of(MOTIONS)).in_box.shape[1] == 4


# -- rest -----------------------------------------------------------------------------------------


def searched(motion, scale=1.0):
    """The first interval that may move a sledge at rest, by boxes."""
    ground = Ground.of([motion], ALL)
    first, in_box, to_end = Boxes.of(ground)
    search = make_rest(sledge.advance, 3)

    def find(state, params, samples, scale, dt, accel, in_box, to_end):
        return search(state, params, 0, samples, scale, dt, accel, 0, in_box, to_end)

    assert in_box.shape[1] == 6 and first[0] == 0
    own = HOW.start(BLOCK), HOW.parameters(BLOCK), (0, len(motion) - 1), scale, DT
    return driver(find)(*own, ground.accel, in_box, to_end)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scale", [0.3, 0.7, -0.7])
def test_boxes_find_the_interval_that_moves_it(seed, scale):
    motion = shaking(seed, 400)
    held = 0.2 * (BLOCK.g + scale * motion.vertical)
    slips = np.flatnonzero(np.hypot(scale * motion.accel, scale * motion.transverse) > held)
    expected = max(slips[0] - 1, 0) if len(slips) else len(motion) - 1
    assert searched(motion, scale) == expected


@pytest.mark.parametrize("ways", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_two_components_that_hold_it_by_themselves_move_it_together(ways):
    """0.16 g along x, 0.16 g along y, 0.2 g of friction: one knock at one corner of the box."""
    a_x, a_y = np.zeros(20 * BOX), np.zeros(20 * BOX)
    knock = 17 * BOX + 5
    a_x[knock], a_y[knock] = (0.16 * BLOCK.g * way for way in ways)
    a_x[3 * BOX], a_y[5 * BOX] = 0.16 * BLOCK.g, -0.16 * BLOCK.g  # alone: not enough
    motion = rs.Motion(a_x, DT, transverse=a_y)
    assert searched(motion) == knock - 1
    many = rs.ensemble(BLOCK, motion, HOW, scales=[0.5, 1.0], until="motion", progress=False)
    assert float(many.peak[0, 0, 0]) == 0.0 < float(many.peak[0, 0, 1])


# -- simulate and what comes out ------------------------------------------------------------------


def test_a_start_in_a_direction():
    run = rs.simulate(BLOCK, None, HOW, v0=2.0, direction=30.0)
    far = 2.0**2 / (2 * 0.2 * BLOCK.g)
    assert run.peak == pytest.approx(far, rel=1e-12)
    assert run.column("y")[-1] == pytest.approx(far / 2, rel=1e-12)
    with pytest.raises(rs.InputError, match=r"direction = 30.0 degrees .* Rail moves in one plane"):
        rs.simulate(BLOCK, None, Rail(), v0=2.0, direction=30.0)
    with pytest.raises(rs.InputError, match="direction"):
        rs.simulate(BLOCK, None, HOW, v0=2.0, direction=math.nan)


@pytest.mark.parametrize("ending", [".nc", ".csv"])
def test_a_response_keeps_all_components_and_derived_columns(tmp_path, ending):
    run = rs.simulate(BLOCK, MOTIONS[1], HOW)
    for ground, own in zip(run.ground, (getattr(MOTIONS[1], name) for name in ALL), strict=True):
        np.testing.assert_array_equal(ground[: len(own)], own[: len(ground)])
    heading = np.arctan2(run.column("v_y"), run.column("v_x"))
    assert run.has("heading") and not run.has("yaw")
    np.testing.assert_array_equal(run.column("heading [rad]"), heading)
    with pytest.raises(rs.InputError, match=r"There is no column 'yaw'.*heading \[rad\]"):
        run.column("yaw")
    again = rs.Response.load(run.save(tmp_path / f"run{ending}"))
    assert again.motion == run.motion and again.formulation == HOW
    np.testing.assert_array_equal(again.states, run.states)
    np.testing.assert_array_equal(again.column("heading"), heading)
    data = run.to_dataset()
    assert data.heading.attrs["units"] == "rad" and "a_t" in data
    if ending == ".csv":
        assert ",heading [rad]," in (tmp_path / "run.csv").read_text().splitlines()[1]


def test_a_store_of_three_components(tmp_path):
    first = rs.ensemble(BLOCK, MOTIONS, HOW, scales=SCALES, store=tmp_path / "a", progress=False)
    again = rs.open_ensemble(tmp_path / "a")
    np.testing.assert_array_equal(first.peak, again.peak)
    others = [motion.with_transverse(-motion.transverse) for motion in MOTIONS]
    with pytest.raises(rs.InputError):  # another study
        rs.ensemble(BLOCK, others, HOW, scales=SCALES, store=tmp_path / "a", progress=False)


def test_a_left_handed_record_is_turned_into_a_right_handed_one():
    facts = {"azimuth": 0.0, "transverse_azimuth": 90.0}
    one = MOTIONS[0]
    east = rs.Motion(one.accel, DT, one.vertical, one.transverse, meta=facts)
    west = rs.Motion(one.accel, DT, one.vertical, -one.transverse)
    left, right = (rs.simulate(BLOCK, motion, HOW) for motion in (east, west))
    np.testing.assert_array_equal(left.states, right.states)
    assert left.motion.meta["transverse_azimuth"] == 270.0
    data = [rs.ensemble(BLOCK, motion, HOW, progress=False) for motion in (east, west)]
    np.testing.assert_array_equal(data[0].peak, data[1].peak)
    assert str(data[0].sha256[0].values) == str(data[1].sha256[0].values)


# -- monitor --------------------------------------------------------------------------------------


def test_a_feed_fills_gaps_in_all_components():
    motion = MOTIONS[0]
    line = motion.mapped(lambda a: np.concatenate([a[:11], [(a[10] + a[12]) / 2], a[12:]]))
    live = rs.Monitor(BLOCK, HOW, dt=DT)
    feed, kept = Feed(live, full_scale=2.0), np.arange(len(motion)) != 11
    own = {"a_v": motion.vertical, "a_t": motion.transverse, "time": motion.time}
    feed.take(motion.accel[kept], **{name: values[kept] for name, values in own.items()})
    assert feed.counts["filled"] == 1
    beyond = np.maximum(np.abs(motion.accel), np.abs(motion.transverse)) >= 2.0
    assert feed.counts["saturated"] == np.count_nonzero(beyond[kept]) > 10
    assert live.state == pytest.approx(traced(HOW, line)[2], rel=1e-9, abs=1e-12)
    assert live.seen.means[2] == pytest.approx(np.mean(line.transverse), rel=1e-9)
    assert len(live.ground) == 3


def test_a_monitor_goes_on_where_it_was():
    motion, live = MOTIONS[1], rs.Monitor(BLOCK, HOW, dt=DT)
    feed = Feed(live)
    for i in range(0, len(motion), 90):
        part = slice(i, i + 90)
        feed.take(
            motion.accel[part], time=motion.time[part], a_v=motion.vertical[part],
            a_t=motion.transverse[part],
        )  # fmt: skip
        live = rs.Monitor.from_dict(live.to_dict())
        feed = Feed.from_dict(feed.to_dict(), live)
    assert live.state == traced(HOW, motion)[2]


def test_lines_with_a_transverse_column():
    reader, live = LineReader(("time", "a_h", "a_t", "a_v")), rs.Monitor(BLOCK, HOW, dt=DT)
    planar = rs.Monitor(BLOCK, Rail(), dt=DT)
    motion = MOTIONS[2]
    rows = zip(motion.time, motion.accel, motion.transverse, motion.vertical, strict=True)
    lines = reader.read("".join(f"{t!r},{a!r},{b!r},{c!r}\n" for t, a, b, c in
                                (map(float, row) for row in rows)).encode())  # fmt: skip
    for monitor, how in ((live, HOW), (planar, Rail())):
        log = StateLog(monitor, None)
        Watch("sledge", Feed(log), log).take(lines)
        assert monitor.state == traced(how, motion)[2]
    with pytest.raises(rs.InputError, match="Rail takes no transverse component"):
        planar.push(0.0, 0.0, 0.1)
    assert live.push(0.0, 0.0, 0.1).sample == len(motion)
