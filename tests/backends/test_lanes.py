"""Runs side by side: the bits of single runs, whatever the order, the chunks and the threads."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import rocksteady as rs
from one_interval import make_stream
from rocksteady.engine import batch
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.rest import BOX, Boxes
from rocksteady.theories.contract import NOTHING, OVERTURN
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.masonry import motion as masonry_motion

HOW = rs.Housner()
FOLLOWED = [0, 1, 2, 4]  # θ, ω, side, loss; not the work


def some_blocks(n, seed=0):
    rng = np.random.default_rng(seed)
    blocks = [
        rs.Block.from_parameters(p=p, alpha=alpha)
        for p, alpha in zip(rng.uniform(0.8, 4, n), rng.uniform(0.08, 0.35, n), strict=True)
    ]
    return [
        rs.Block(b.height, b.width, offset=0.1 * b.width) if i % 5 == 4 else b
        for i, b in enumerate(blocks)
    ]


def shaking(samples, dt, seed, quiet=0, vertical=False):
    """Noise of 1 g peak in a few hertz, with a quiet spell in the middle."""
    rng = np.random.default_rng(seed)
    knots = rng.standard_normal((2, samples // 10 + 2))
    at = np.arange(samples) / 10
    a_h, a_v = (np.interp(at, np.arange(knots.shape[1]), row) for row in knots)
    a_h[samples // 2 : samples // 2 + quiet] *= 0.02
    a_h *= 9.81 / np.abs(a_h).max()
    motion = rs.Motion(a_h, dt)
    return motion.with_vertical(0.4 * a_v) if vertical else motion


MOTIONS = [
    shaking(900, 0.01, 1, quiet=200),
    shaking(411, 0.02, 2, quiet=100, vertical=True),
    shaking(64 + 1, 0.005, 3),
    rs.pulses.sine(9.81, period=0.7, dt=0.01).then(rs.Motion.zeros(9.0, 0.01)),
]


def tables(blocks, how=HOW):
    return (
        np.array([how.start(block) for block in blocks]),
        np.array([how.parameters(block) for block in blocks]),
    )


def mixed_runs(blocks, n, seed=5):
    rng = np.random.default_rng(seed)
    system = rng.integers(0, len(blocks), n)
    tangents = np.tan([block.alpha for block in blocks])
    scale = rng.uniform(0.7, 3.0, n) * tangents[system] * rng.choice([-1.0, 1.0], n)
    return Runs(system, rng.integers(0, len(MOTIONS), n), scale)


def side_by_side(blocks, runs, **options):
    states, params = tables(blocks)
    return batch_peaks(
        housner.ADVANCE, states, params, Ground.of(MOTIONS), runs, glide=housner.GLIDE, **options
    )


def assert_same(ours, theirs):
    np.testing.assert_array_equal(ours.states[:, FOLLOWED], theirs.states[:, FOLLOWED])
    for name in ours._fields[1:]:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)


def test_ten_thousand_runs_are_the_single_runs_bit_for_bit():
    """Against the loop over single intervals; a share of them against `peaks` itself."""
    blocks = some_blocks(500)
    runs = mixed_runs(blocks, 10_000)
    states, params = tables(blocks)
    ground = Ground.of(MOTIONS)
    ours = side_by_side(blocks, runs)
    plain = batch_peaks(housner.ADVANCE, states, params, ground, runs)
    assert_same(ours, plain)
    # all kinds of runs were among them
    assert 0.02 < np.mean(ours.event == OVERTURN) < 0.9
    assert np.mean(ours.highest == ours.lowest) > 0.01  # never lifted
    assert np.mean((ours.states[:, 2] == 0) & (ours.impacts > 0)) > 0.1  # came to rest
    assert np.mean((ours.states[:, 2] != 0) & (ours.event != OVERTURN)) > 0.1  # still rocks

    peaks = make_peaks(housner.ADVANCE)
    for i in range(0, 10_000, 97):
        motion, block = MOTIONS[runs.motion[i]], blocks[runs.system[i]]
        a_v = np.zeros(len(motion)) if motion.vertical is None else motion.vertical
        one = peaks(
            HOW.start(block), HOW.parameters(block),
            (runs.scale[i] * motion.accel, runs.scale[i] * a_v), motion.dt,
        )  # fmt: skip
        assert np.array_equal(np.array(one[0])[FOLLOWED], ours.states[i, FOLLOWED])
        assert one[1:] == tuple(column[i] for column in ours[1:])


def test_simulate_gives_the_same_numbers():
    blocks = some_blocks(12)
    runs = Runs(np.arange(12), np.zeros(12, dtype=int), 1.5 * np.tan([b.alpha for b in blocks]))
    ours = side_by_side(blocks, runs)
    for i, block in enumerate(blocks):
        motion = MOTIONS[0].scaled(runs.scale[i])
        response = rs.simulate(block, motion, HOW, duration=motion.duration)
        assert (response.theta[-1], response.omega[-1]) == tuple(ours.states[i, :2])
        assert len(response.impacts) == ours.impacts[i]
        theta = np.concatenate([response.theta, response.events[:, 2]])
        assert (theta.max(), theta.min()) == (ours.highest[i], ours.lowest[i])


def test_order_chunks_and_threads_do_not_matter(monkeypatch):
    blocks = some_blocks(60)
    runs = mixed_runs(blocks, 700)
    expected = side_by_side(blocks, runs, threads=1)
    order = np.random.default_rng(1).permutation(700)
    shuffled = side_by_side(blocks, Runs(*(column[order] for column in runs[:3])))
    back = np.argsort(order)
    assert_same(type(expected)(*(column[back] for column in shuffled)), expected)
    monkeypatch.setattr(batch, "CHUNK_SAMPLES", 1)
    monkeypatch.setattr(batch, "FEWEST", 7)
    assert_same(side_by_side(blocks, runs, threads=5), expected)
    few = Runs(*(column[:3] for column in runs[:3]))
    assert_same(side_by_side(blocks, few), type(expected)(*(column[:3] for column in expected)))


def test_what_was_given_is_left_alone_and_what_is_not_followed_is_nan():
    blocks = some_blocks(20)
    states, params = tables(blocks)
    kept = states.copy(), params.copy()
    runs = Runs(np.arange(20), np.zeros(20, dtype=int), 2 * np.tan([b.alpha for b in blocks]))
    got = batch_peaks(
        housner.ADVANCE, states, params, Ground.of(MOTIONS), runs, glide=housner.GLIDE
    )
    np.testing.assert_array_equal(states, kept[0])
    np.testing.assert_array_equal(params, kept[1])
    assert np.isnan(got.states[:, 3]).all() and np.isfinite(got.states[:, FOLLOWED]).all()


# -- glide ------------------------------------------------------------------------------------

stream = make_stream(housner.ADVANCE)


@given(
    p=st.floats(0.5, 8),
    alpha=st.floats(0.03, 0.6),
    lean=st.floats(0, math.pi / 2),
    rate=st.floats(-2, 2),
    side=st.sampled_from([-1.0, 1.0]),
    push=arrays(float, 2, elements=st.floats(-3, 3)),
    dt=st.sampled_from([0.001, 0.01, 0.02, 0.1]),
)
@settings(max_examples=2000)
def test_where_glide_says_yes_nothing_happens_and_the_bits_are_equal(
    p, alpha, lean, rate, side, push, dt
):
    block = rs.Block.from_parameters(p=p, alpha=alpha)
    state = (side * lean, side * rate * p * alpha, side, 0.0, 0.0)
    params = HOW.parameters(block)
    ends = [(float(9.81 * math.tan(alpha) * a), 0.0) for a in push]
    after, reach, ok = housner.GLIDE.attempt(state, params, *ends, dt, 1 / dt)
    if ok:
        exact, used, highest, lowest, _, impacts, event = stream(state, params, *ends, dt)
        assert (after[:3], after[4]) == (exact[:3], exact[4])
        assert (used, impacts, event) == (dt, 0, NOTHING)
        furthest = max(abs(state[0]), abs(after[0]))
        assert furthest <= max(highest, -lowest) <= max(furthest, reach)


def test_glide_takes_nearly_every_interval_of_plain_rocking():
    """Else it would be right but useless: here all but those with an impact, and turning points
    all but a few."""
    block = rs.Block.from_parameters(p=2.0, alpha=0.2)
    motion = rs.pulses.sine(2.4, period=1.0, cycles=10, dt=0.01)
    response = rs.simulate(block, motion, duration=motion.duration)
    params, taken, moving = HOW.parameters(block), 0, 0
    struck = {int(t / motion.dt) for t in response.impacts.time}
    for i in range(len(motion) - 1):
        if response.states[i, 2] != 0 and i not in struck:
            ground = [(float(a), 0.0) for a in motion.accel[i : i + 2]]
            given = tuple(response.states[i]), params, *ground, motion.dt, 1 / motion.dt
            moving += 1
            taken += housner.GLIDE.attempt(*given)[2]
    assert moving > 500
    assert taken > 0.99 * moving


# -- rest -------------------------------------------------------------------------------------


@given(samples=arrays(float, st.integers(2, 3 * BOX), elements=st.floats(-5, 5)))
def test_boxes_hold_the_extremes(samples):
    ground = Ground.of([rs.Motion(samples, 0.01), rs.Motion(-samples, 0.01)])
    boxes = Boxes.of(ground)
    for m, accel in enumerate((samples, -samples)):
        for k in range(math.ceil((len(samples) - 1) / BOX)):
            row = boxes.first[m] + k
            part, rest = accel[k * BOX : (k + 1) * BOX + 1], accel[k * BOX :]
            assert tuple(boxes.in_box[row, :2]) == (part.min(), part.max())
            assert tuple(boxes.to_end[row, :2]) == (rest.min(), rest.max())


@pytest.mark.parametrize("knock", [-0.1, 0.1])
@pytest.mark.parametrize("scale", [1.0, -1.0])
@pytest.mark.parametrize("late", [0, 1, 31, 32, 33, 1000, 1999])
def test_a_knock_after_a_long_rest_is_not_missed(late, scale, knock):
    """|a_h| > (g + a_v) tan α: one sample of vertical acceleration decides whether it lifts. The
    scale turns both the motion and what was turned beforehand."""
    block = rs.Block(2.0, 0.5)
    a_h, a_v = np.full(2001, 0.95 * block.g * math.tan(block.alpha)), np.zeros(2001)
    a_v[late] = knock * block.g
    motion = rs.Motion(scale * a_h, 0.01, vertical=scale * a_v)
    params = np.array([HOW.parameters(block)])
    ours = batch_peaks(
        housner.ADVANCE, np.zeros((1, 5)), params, Ground.of([motion]),
        Runs(np.array([0]), np.array([0]), np.array([scale])), glide=housner.GLIDE,
    )  # fmt: skip
    assert (ours.lowest[0] < 0) == (knock < 0)
    response = rs.simulate(block, rs.Motion(a_h, 0.01, vertical=a_v), HOW, duration=20.0)
    assert ours.lowest[0] == np.concatenate([response.theta, response.events[:, 2]]).min()


# -- other formulations and odd input ---------------------------------------------------------


def test_parameters_that_hold_arrays_come_one_tuple_per_run():
    """A bed of contact points remembers where its springs hold on."""
    blocks, how = some_blocks(3), rs.NumericalDissipation(dt=0.002)
    motion = rs.pulses.sine(4.0, period=0.5, dt=0.002)
    runs = Runs(np.array([0, 1, 2, 0]), np.zeros(4, dtype=int), np.array([1.0, 1.0, 1.0, 1.3]))
    states = np.array([how.start(block) for block in blocks])
    params = [how.parameters(blocks[i]) for i in runs.system]
    advance = how.advance_for(blocks[0])
    seen = []
    got = batch_peaks(
        advance, states, params, Ground.of([motion]), runs,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    peaks = make_peaks(advance)
    for i, scale in enumerate(runs.scale):
        block = blocks[runs.system[i]]
        accel = scale * motion.accel
        one = peaks(how.start(block), how.parameters(block), (accel, 0 * accel), motion.dt)
        assert one[0] == tuple(got.states[i])
        assert one[1:] == tuple(column[i] for column in got[1:])
    assert seen[-1] == (4, 4)
    assert got.lowest[3] < got.lowest[0] < 0


def test_motions_without_an_interval_and_no_runs_at_all():
    block = rs.Block(2.0, 0.5)
    states, params = np.array([HOW.start(block, 0.05)]), np.array([HOW.parameters(block)])
    ground = Ground(
        (np.zeros(5), np.zeros(5)), np.array([0, 1]), np.array([1, 4]), np.full(2, 0.01)
    )
    runs = Runs(np.zeros(2, dtype=int), np.array([0, 1]), np.ones(2))
    got = batch_peaks(housner.ADVANCE, states, params, ground, runs, glide=housner.GLIDE)
    assert tuple(got.time) == (0.0, 0.03)
    assert got.highest[0] == got.lowest[0] == 0.05
    none = Runs(*(column[:0] for column in runs[:3]))
    empty = batch_peaks(housner.ADVANCE, states, params, ground, none, glide=housner.GLIDE)
    assert empty.states.shape == (0, 5) and len(empty.time) == 0


def test_an_interruption_stops_handing_out_work(monkeypatch):
    """Ctrl-C is heard in the progress call; no thread goes on behind the user's back."""
    monkeypatch.setattr(batch, "CHUNK_SAMPLES", 1)
    monkeypatch.setattr(batch, "FEWEST", 10)
    blocks = some_blocks(10)
    runs = mixed_runs(blocks, 3000)
    calls = []

    def stop(done, total):
        calls.append(done)
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        side_by_side(blocks, runs, progress=stop)
    assert len(calls) == 1 and calls[0] < len(runs.system) / 2  # as many as were under way
    assert threading.active_count() == before


# -- masonry ----------------------------------------------------------------------------------


def town(n):
    """Parameters of the paper's building, scattered."""
    params = np.tile(rs.Masonry().parameters(rs.MasonryBuilding.casalotti2025(mass=40e3)), (n, 1))
    params[:, 1:7] *= np.exp(0.1 * np.random.default_rng(1).standard_normal((n, 6)))
    return params


def test_a_town_side_by_side_is_its_buildings_one_by_one_bit_for_bit():
    """In every number, the works among them: standing, slipping and collapsing buildings, at rest
    before the motion, in a quiet spell of it and after it."""
    quiet = rs.Motion.zeros(1.0, 0.01)
    motions = [quiet.then(shaking(900, 0.01, 1, quiet=200)).then(quiet), shaking(411, 0.02, 2)]
    rng, n = np.random.default_rng(3), 600
    runs = Runs(np.arange(n), rng.integers(0, 2, n), 0.6 * rng.uniform(0.02, 1.0, n) ** 2)
    given = masonry_motion.advance, np.zeros((n, 10)), town(n), Ground.of(motions), runs
    ours = batch_peaks(*given, glide=rs.Masonry().glide_for(None))
    for column, theirs in zip(ours, batch_peaks(*given), strict=True):
        np.testing.assert_array_equal(column, theirs)
    wear = ours.states[:, 4]
    assert min(np.mean(wear == 0), np.mean((wear > 0) & (ours.event < OVERTURN))) > 0.1
    assert np.mean(ours.event == OVERTURN) > 0.02


def test_masonry_s_attempt_gives_the_bits_of_its_step():
    """It succeeds in three intervals of four and more: where it neither turns nor slips."""
    glide, trace = rs.Masonry().glide_for(None), make_trace(masonry_motion.advance)
    a_h, dt = 0.12 * shaking(1000, 0.01, 4).accel, 0.01
    accepted = declined = 0
    for row in town(5):
        params, states = tuple(row), np.empty((1000, 10))
        rows, _, _ = trace((0.0,) * 10, params, (a_h, 0 * a_h), dt, 0.0, states)
        for i in range(rows - 2):
            given = (tuple(states[i]), params, (a_h[i], 0.0), (a_h[i + 1], 0.0), dt)
            after, reach, ok = glide.attempt(*given, 1 / dt)
            accepted, declined = accepted + ok, declined + (not ok)
            assert reach == 0
            if ok:
                assert glide.step(*given) == (after, dt, NOTHING)
                assert not glide.hopeless(given[0])
        assert states[:rows, 4].max() > 0  # it has slipped
    assert accepted > 3 * declined > 0
