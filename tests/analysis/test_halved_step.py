"""The error of the time step of runs of stones, bounded by halving it."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.stones import halved_step, step_error
from rocksteady.errors import heard
from rocksteady.theories.assembly.formulation import scale

G = 9.81


def noise(rng, peak, dt=0.005, seconds=2.0):
    """Noise from 0.8 to 4 Hz, its largest value ``peak`` [m/s²]."""
    time = np.arange(round(seconds / dt) + 1) * dt
    rates = 2 * np.pi * rng.uniform(0.8, 4.0, 40)
    wave = np.sin(time[:, None] * rates + rng.uniform(0, 2 * np.pi, 40)).sum(axis=1)
    wave *= np.minimum(1, time / 0.5)
    return rs.Motion(wave * peak / np.abs(wave).max(), dt)


def columns_and_frames(rng, seed):
    """(Stones, how they are followed, motion): columns, frames and statues under noise."""
    made = (
        lambda: rs.Assembly.drums(int(rng.integers(1, 5)), 3.0, rng.uniform(0.5, 1.5),
                                  friction=rng.uniform(0.2, 1.0)),
        lambda: rs.Assembly.portal(0.5, 2.0, 4.0, 0.4, friction=rng.uniform(0.3, 1.0)),
        lambda: rs.Assembly.pedestal((0.5, 1.5), (0.9, 1.0), friction=rng.uniform(0.2, 1.0)),
    )  # fmt: skip
    return made[seed % 3](), "auto", noise(rng, rng.uniform(0.2, 1.0) * G)


def anything(rng, seed):
    """The same, of arches and walls as well, by both rules, of any size and sampled as they come,
    under sines, noise and wavelets, three in ten with a vertical component."""
    friction, uniform = rng.uniform(0.15, 1.0), rng.uniform
    made = (
        lambda: rs.Assembly.drums(int(rng.integers(1, 5)), uniform(1, 5), uniform(0.4, 1.5),
                                  top_width=uniform(0.4, 1.0), friction=friction),
        lambda: rs.Assembly.portal(uniform(0.3, 0.8), uniform(1, 3), uniform(3, 5),
                                   uniform(0.2, 0.7), friction=friction),
        lambda: rs.Assembly.pedestal((uniform(0.3, 1), uniform(0.5, 2)),
                                     (uniform(0.6, 1.5), uniform(0.3, 1.5)), friction=friction),
        lambda: rs.Assembly.arch(int(rng.integers(5, 9)), uniform(0.2, 0.4), friction=0.8),
        lambda: rs.Assembly.wall(int(rng.integers(2, 4)), 2, 0.4, 0.2, friction=friction),
    )  # fmt: skip
    assembly, dt = made[seed % 5](), float(rng.choice([0.005, 0.01, 0.02]))
    vertical = uniform(0.1, 0.9) * G * wave(rng, dt) if rng.random() < 0.3 else None
    motion = rs.Motion(uniform(0.15, 1.0) * G * wave(rng, dt), dt, vertical=vertical)
    return assembly, "stepped" if rng.random() < 0.2 else "auto", motion


def wave(rng, dt, seconds=2.5):
    """A sine of two periods, noise or a wavelet, its largest value 1."""
    time, kind = np.arange(round(seconds / dt) + 1) * dt, rng.integers(3)
    if kind == 1:
        return noise(rng, 1.0, dt, seconds).accel
    period = rng.uniform(0.3, 1.2)
    if kind == 0:
        found = np.where(time < 2 * period, np.sin(2 * np.pi * time / period), 0.0)
    else:
        found = np.exp(-(((time - 1) / 0.5) ** 2)) * np.cos(2 * np.pi * (time - 1) / period)
    return found / np.abs(found).max()


def truths(run, step):
    """Poses of runs with 1/16 and 1/24 of a step, which both stand for the truth: where stones move
    chaotically, they differ."""
    until = max(float(run.time[-1]), run.motion.dt)
    for parts in (16, 24):
        how = replace(run.formulation, step=step / parts)
        fine = rs.simulate(run.system, run.motion, how, until=until)
        yield how.poses(run.system, fine.states)


def bounded(made, seed):
    """Whether a random run has a bound, and whether that is above its error against both truths."""
    assembly, rule, motion = made(np.random.default_rng(seed), seed)
    run = rs.simulate(assembly, motion, rs.BlockDynamics(rule=rule), until="motion")
    bound = step_error(run)
    if not bound.known:
        return False, False
    ours, held = run.formulation.poses(assembly, run.states), True
    for true in truths(run, bound.step):
        count = min(len(ours), len(true))
        off = np.abs(ours[:count] - true[:count])
        place, turn = np.hypot(off[..., 0], off[..., 1]).max(), off[..., 2].max()
        held = held and place <= bound.displacement and turn <= bound.turn
    return True, held


@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
@pytest.mark.parametrize(
    ("made", "seeds", "known"),
    [
        (columns_and_frames, range(20), 0.8),
        pytest.param(columns_and_frames, range(100), 0.8, marks=pytest.mark.slow),
        pytest.param(anything, range(3000, 3100), 0.75, marks=pytest.mark.slow),
    ],
)
def test_the_bound_holds_in_most_random_runs(made, seeds, known):
    """In 95 of 100 of those that have one; ``known``: the least share that has."""
    found = [bounded(made, seed) for seed in seeds]
    bounds = sum(has for has, _ in found)
    assert sum(holds for _, holds in found) >= 0.95 * bounds
    assert bounds >= known * len(found)


def test_the_second_run_warns_nobody():
    """Its residuals are no matter of the first run."""
    stones = rs.Assembly.drums(2, 2.0, 0.5)
    motion = rs.pulses.sine(amplitude=3.0, period=0.8)
    run = rs.simulate(stones, motion.with_transverse(0.1 * motion.accel), until=0.1)
    assert run.warnings
    with heard() as said:
        step_error(run)
    assert said == []


def random_run(seed):
    assembly, rule, motion = anything(np.random.default_rng(seed), seed)
    return rs.simulate(assembly, motion, rs.BlockDynamics(rule=rule), until="motion")


@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
def test_runs_that_do_not_converge_have_no_bound():
    """A frame by the stepped rule: half the step changes 7 mm, a quarter 0.1 m more."""
    bound = step_error(random_run(66))
    assert bound.settled and not bound.converges and not bound.known
    assert "the error of the step is not known, judge many runs" in bound.sentence
    assert bound.summary()["displacement"] is None


@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
def test_a_fall_may_come_a_little_later_with_a_shorter_step():
    """An arch whose run ends with its fall: it falls with all steps, though not in the same one."""
    run = random_run(8)
    assert run.fell and step_error(run).known


def test_its_sentence():
    block = rs.Assembly.drums(1, 0.5, 1.0, friction=0.3)
    run = rs.simulate(block, rs.pulses.sine(amplitude=5.0, period=0.8))
    bound = step_error(run)
    assert bound.settled and not run.fell
    assert bound.step <= 0.005
    assert bound.displacement < 1e-5
    assert "places err by less than" in bound.sentence


@pytest.mark.parametrize(("rule", "order"), [("located", 2), ("stepped", 1)])
@pytest.mark.parametrize("worse", [False, True])
def test_the_bound_is_three_times_the_error_of_a_rule_of_its_order(rule, order, worse, monkeypatch):
    """Runs whose errors are e at the step, e/2ᵖ at half and e/4ᵖ at a quarter of it; with
    ``worse`` the quarter changes by a fifth more, which counts. Beside it 10⁻⁵ of the way and the
    gap, 1 nm and nrad of the size of a stone."""
    stones = rs.Assembly.drums(2, 2.0, 0.5)
    run = rs.simulate(
        stones, rs.pulses.sine(amplitude=1.0, period=0.5), rs.BlockDynamics(rule=rule), until=0.5
    )
    samples, (place, turn) = 50, (1e-3, 4e-3)
    true = np.zeros((samples, len(stones), 3))
    true[:, 1:, 0], true[:, 1:, 2] = 0.2, 0.1  # from the second sample on: a way of 0.2 m, 0.1 rad
    true[0] = 0.0

    def poses(_, assembly, states):
        h = {1: 1.0, 2: 0.5, 4: 0.25}[states]
        error = h**order
        if worse and states == 4:
            error = 0.5**order - 1.2 * (0.5**order - 0.25**order)
        found = true.copy()
        found[1:, 1:, 1] += place * error
        found[1:, 1:, 2] -= turn * error
        return found

    again = iter((2, 4))
    monkeypatch.setattr(rs.BlockDynamics, "poses", poses)
    monkeypatch.setattr(
        halved_step, "_again", lambda response, how: replace(run, states=next(again))
    )
    bound = step_error(replace(run, states=1))
    more = 1.2 if worse else 1.0
    size = scale(stones)
    assert bound.displacement == pytest.approx(
        3 * more * place + 1e-5 * np.hypot(0.2, place) + 1e-9 * size, rel=1e-9
    )
    assert bound.turn == pytest.approx(3 * more * turn + 1e-5 * (0.1 - turn) + 1e-9, rel=1e-9)


@pytest.mark.parametrize(("share", "converges"), [(0.69, True), (0.72, False)])
def test_runs_converge_if_the_second_halving_changes_clearly_less(share, converges, monkeypatch):
    """By less than 1/√2 of what the first one changed, half-way between order 1 and none."""
    stones = rs.Assembly.drums(2, 2.0, 0.5)
    run = rs.simulate(stones, rs.pulses.sine(amplitude=1.0, period=0.5), until=0.5)
    change = 1e-3
    off = {1: 0.0, 2: change, 4: change * (1 + share)}

    def poses(_, assembly, states):
        found = np.zeros((50, len(stones), 3))
        found[1:, 1:, 0] = 0.2 + off[states]
        return found

    again = iter((2, 4))
    monkeypatch.setattr(rs.BlockDynamics, "poses", poses)
    monkeypatch.setattr(
        halved_step, "_again", lambda response, how: replace(run, states=next(again))
    )
    bound = step_error(replace(run, states=1))
    assert bound.converges == converges and math.isfinite(bound.displacement) == converges


@pytest.mark.parametrize("fell", [False, True])
def test_the_other_runs_go_on_while_a_stone_falls_its_own_reach(fell, monkeypatch):
    """g t²/2 = reach: from there on it would have left its place in the first run, too."""
    stones, asked = rs.Assembly.portal(0.5, 2.0, 4.0, 0.4), []
    monkeypatch.setattr(halved_step, "simulate", lambda *_, until: asked.append(until))
    run = SimpleNamespace(
        system=stones, motion=rs.Motion([0.0, 0.1], 0.5), time=np.array([0.0, 1.0, 3.0]), fell=fell
    )
    halved_step._again(run, rs.BlockDynamics())
    (more,) = np.array(asked) - 3.0
    reach = max(math.dist(stone.centre, corner) for stone in stones for corner in stone.corners)
    assert G * more**2 / 2 == pytest.approx(reach if fell else 0.0)
    run.time = np.array([0.0])
    halved_step._again(SimpleNamespace(**vars(run) | {"fell": False}), rs.BlockDynamics())
    assert asked[-1] == 0.5  # at least one sample
