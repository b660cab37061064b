"""Laws that hold for any stones: energy, momentum, mirror images, and runs that end."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.theories.assembly.rows import residual
from rocksteady.theories.assembly.state import LOSS, SIZE
from rocksteady.theories.assembly.workspace import W
from theories.assembly.cases import G, noise, run, standing, still, thrown

sizes = st.floats(0.2, 1.5)


def stack(widths, heights, offsets, friction):
    """Stones on top of each other, each shifted by a share of what it may overhang."""
    stones, level, x = [], 0.0, 0.0
    for i, (width, height, offset) in enumerate(zip(widths, heights, offsets, strict=True)):
        if i:
            x += 0.2 * offset * min(width, widths[i - 1])
        stones.append(Stone.box(x - width / 2, level, width, height, name=f"s{i}"))
        level += height
    return standing(*stones, friction=friction)


@st.composite
def stacks(draw, most=4):
    count = draw(st.integers(1, most))
    some = [draw(st.lists(sizes, min_size=count, max_size=count)) for _ in range(2)]
    offsets = draw(st.lists(st.floats(-1, 1), min_size=count, max_size=count))
    return stack(*some, offsets, draw(st.sampled_from([0.1, 0.4, 0.7, 2.0])))


def kinetic(assembly, states):
    """Kinetic energy of each state [J]."""
    moving = [stone for stone in assembly.stones if not stone.fixed]
    rates = states[..., SIZE + 3 * len(moving) :].reshape(*states.shape[:-1], len(moving), 3)
    mass = np.array([(s.mass, s.mass, s.inertia) for s in moving])
    return (mass * rates**2).sum(axis=(-2, -1)) / 2


# -- energy ----------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(stacks(), st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 1.0]))
def test_no_impact_makes_energy(assembly, seed, restitution):
    """Stones thrown at random from where they touch: an impact of any of them leaves at most the
    kinetic energy that there was."""
    velocities = np.random.default_rng(seed).normal(size=(assembly.stone_count, 3))
    states = thrown(assembly, velocities, 1e-9, 1e-9, step=0.001, restitution=restitution)
    before, after = kinetic(assembly, states[[0, -1]])
    assert after <= before * (1 + 1e-6)
    assert states[-1, LOSS] == pytest.approx(before - after, abs=1e-6 * before)


@settings(max_examples=30)
@given(stacks(most=3), st.integers(0, 10**6), st.sampled_from([0.1, 0.4, 0.8]))
def test_no_impact_with_a_share_makes_energy(assembly, seed, share):
    velocities = np.random.default_rng(seed).normal(size=(assembly.stone_count, 3))
    states = thrown(assembly, velocities, 1e-9, 1e-9, step=0.001, share=share)
    before, after = kinetic(assembly, states[[0, -1]])
    assert after <= before * (1 + 1e-6)


def test_energy_balance_of_a_column_that_is_shaken():
    """Kinetic and potential energy, less the work of the ground, plus all losses: nothing is left
    over but the step's own error."""
    column = Assembly.drums(3, 3.0, 1.0)
    shaken = run(column, noise(0.6 * G, 6.0, 0.001), step=0.001)
    total = shaken.energy - shaken.column("work") + shaken.column("loss")
    scale = column.mass * G * 1.0
    assert shaken.column("turn").max() > 0.01  # it rocks
    assert np.abs(total - total[0]).max() < 2e-4 * scale
    assert np.diff(shaken.column("loss")).min() > -1e-5 * scale


# -- momentum --------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_a_free_collision_conserves_momentum(restitution, friction):
    """Two stones collide in the air: their momentum changes by their weight only, their angular
    momentum by its moment."""
    stones = (
        Stone.box(-0.6, 50.0, 0.5, 0.8, name="left"),
        Stone.box(0.2, 50.3, 0.9, 0.4, name="right").turned(0.2),
    )
    pair = standing(*stones, friction=friction, floating=True)
    dt, seconds = 0.001, 0.4
    start = ((1.5, 0.2, 0.4), (-1.0, 0.0, -0.7))
    states = thrown(pair, start, seconds, dt, restitution=restitution)
    poses = states[:, SIZE : SIZE + 6].reshape(-1, 2, 3)
    rates = states[:, SIZE + 6 :].reshape(-1, 2, 3)
    mass = np.array([stone.mass for stone in stones])
    inertia = np.array([stone.inertia for stone in stones])
    time = dt * np.arange(len(states))
    momentum = (mass[:, None] * rates[..., :2]).sum(axis=1)
    assert np.abs(np.diff(rates[:, 0, 0])).max() > 0.1  # they did collide
    size = mass.sum() * 1.0
    assert momentum[:, 0] == pytest.approx(momentum[0, 0], abs=1e-9 * size)
    assert momentum[:, 1] == pytest.approx(momentum[0, 1] - mass.sum() * G * time, abs=1e-9 * size)
    spin = mass * (poses[..., 0] * rates[..., 1] - poses[..., 1] * rates[..., 0])
    angular = (spin + inertia * rates[..., 2]).sum(axis=1)
    x0 = (mass * poses[0, :, 0]).sum()
    moment = -G * (x0 * time + momentum[0, 0] * time**2 / 2)
    assert angular == pytest.approx(angular[0] + moment, abs=1e-6 * size)


# -- mirror images ---------------------------------------------------------------------------------

SHOWN = {
    "column": (Assembly.drums(4, 4.0, 1.0, top_width=0.8), 3.0),
    "portal": (Assembly.portal(0.5, 2.0, 4.0, 0.4), 3.5),
    "statue": (Assembly.pedestal((0.5, 1.8), (0.9, 1.0)), 4.5),
}


@pytest.mark.parametrize("name", SHOWN)
def test_mirrored_assemblies_give_mirrored_results(name):
    assembly, peak = SHOWN[name]
    motion = noise(peak, 3.0, 0.005, seed=3)
    one = run(assembly, motion, step=0.005)
    other = run(assembly.mirrored(), rs.Motion(-motion.accel, motion.dt), step=0.005)
    assert one.column("displacement").max() > 1e-3
    for stone in assembly.stones[1:]:
        for quantity, sign in (("x", -1), ("y", 1), ("theta", -1)):
            ours, theirs = (r.column(f"{quantity} {stone.name}") for r in (one, other))
            assert ours == pytest.approx(sign * theirs, abs=1e-6)


def test_a_still_mirror_image_falls_the_other_way():
    leaning = standing(Stone.box(-0.25, 0, 0.5, 2, name="a").turned(-0.3, about=(0.25, 0.0)))
    one = run(leaning, still(0.005), step=0.005, until=3.0)
    other = run(leaning.mirrored(), still(0.005), step=0.005, until=3.0)
    assert one.fell and other.fell
    assert one.column("theta a") == pytest.approx(-other.column("theta a"), abs=1e-9)


# -- the same in other words -----------------------------------------------------------------------


def test_stones_may_be_listed_in_any_order():
    column = Assembly.drums(3, 3.0, 1.0)
    ground, *drums = column.stones
    turned_round = Assembly((ground, *reversed(drums)), friction=column.friction)
    motion = noise(4.0, 2.0, 0.005, seed=5)
    one, other = (run(a, motion, step=0.005) for a in (column, turned_round))
    for drum in drums:
        x = [r.column(f"x {drum.name}") for r in (one, other)]
        assert x[0] == pytest.approx(x[1], abs=1e-6)


def test_mass_and_size_scale():
    """Twice as large and √2 times as slow: the same motion, whatever the density."""
    small = Assembly.drums(3, 3.0, 1.0, density=1000.0)
    large = Assembly.drums(3, 6.0, 2.0, density=2700.0)
    pulse = rs.pulses.sine(amplitude=0.6 * G, period=0.8, dt=0.004)
    slow = rs.Motion(pulse.accel, 0.004 * math.sqrt(2))
    one = run(small, pulse, step=0.004)
    other = run(large, slow, step=0.004 * math.sqrt(2))
    assert one.column("turn").max() > 0.01
    assert other.column("turn") == pytest.approx(one.column("turn"), abs=1e-6)
    assert other.column("displacement") == pytest.approx(2 * one.column("displacement"), abs=1e-6)


# -- runs that end ---------------------------------------------------------------------------------


def some_assembly(rng):
    """A small assembly at random."""
    kind, friction = rng.integers(5), rng.uniform(0.2, 1.0)
    if kind == 0:
        count = int(rng.integers(1, 6))
        return Assembly.drums(count, rng.uniform(1, 6), rng.uniform(0.4, 1.5),
                              top_width=rng.uniform(0.4, 1.0), friction=friction)  # fmt: skip
    if kind == 1:
        return Assembly.portal(rng.uniform(0.3, 0.8), rng.uniform(1, 4), rng.uniform(3, 5),
                               rng.uniform(0.2, 0.8), friction=friction)  # fmt: skip
    if kind == 2:
        return Assembly.pedestal((rng.uniform(0.3, 1), rng.uniform(0.5, 3)),
                                 (rng.uniform(0.6, 1.5), rng.uniform(0.3, 1.5)),
                                 friction=friction)  # fmt: skip
    if kind == 3:
        return Assembly.arch(int(rng.integers(5, 10)), rng.uniform(0.2, 0.4), friction=0.8)
    return Assembly.wall(int(rng.integers(2, 4)), 2, 0.4, 0.2, friction=friction)


def ends_well(seed):
    rng = np.random.default_rng(seed)
    assembly = some_assembly(rng)
    pulse = rs.pulses.sine(amplitude=rng.uniform(0.1, 1.2) * G, period=rng.uniform(0.2, 1.5),
                           dt=0.005)  # fmt: skip
    found = run(assembly, pulse, step=0.005, until=4.0)
    assert str(found.status) in ("at rest", "moving", "collapsed"), (seed, found)
    assert np.isfinite(found.states).all(), seed
    total = found.energy - found.column("work")
    allowed = 1e-3 * assembly.mass * G * assembly.total_height
    assert (total - np.minimum.accumulate(total)).max() < allowed, (seed, found)


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_random_assemblies_end_without_failure_or_energy_from_nowhere(first):
    for seed in range(first, first + 20):
        ends_well(seed)


@pytest.mark.parametrize("rule", ["located", "stepped"])
def test_an_interval_far_shorter_than_the_step(rule):
    """What events leave of an interval may be so short: cut into no step at all it was endless."""
    push = rs.Motion(np.full(3, 0.5 * G), 1e-6)
    found = run(Assembly.drums(2, 2.0, 0.5, friction=0.2), push, rule=rule, step=1e4)
    assert np.isfinite(found.states).all() and len(found.time) == 3
    assert abs(found.column("displacement")[-1]) < 1e-10


def test_what_is_no_number_solves_nothing():
    """NaN passed for a solved problem, for max(0, NaN) is 0."""
    work = rs.BlockDynamics().parameters(Assembly.drums(2, 2.0, 0.5))
    assert residual(work) == 0.0
    work.body[W, 0] = math.nan
    assert residual(work) == math.inf


@pytest.mark.parametrize(
    "made",
    [
        lambda s: Assembly.drums(3, 3.0 * s, 1.0 * s),
        lambda s: Assembly.drums(3, 3.0 * s, 1.5 * s, friction=0.2),
        lambda s: Assembly.portal(0.5 * s, 2.0 * s, 4.0 * s, 0.4 * s),
        lambda s: Assembly.pedestal((0.5 * s, 1.2 * s), (0.9 * s, 1.0 * s), friction=0.3),
    ],
    ids=["rocking drums", "sliding drums", "portal", "statue"],
)
@pytest.mark.parametrize("size", [1e-3, 2.0**-10, 0.25, 4.0, 1e3])
def test_a_model_of_any_size_moves_as_its_original(made, size):
    """Lengths × s, times × √s: the same samples, statuses and turns, and displacements to scale. To
    the bit where s and √s are powers of 2, else but for rounding."""
    push, slower = rs.pulses.sine(amplitude=0.5 * G, period=0.8, dt=0.005), math.sqrt(size)
    runs, poses = [], []
    for s, dt in ((1.0, push.dt), (size, push.dt * slower)):
        how, stones = rs.BlockDynamics(step=dt), made(s)
        runs.append(rs.simulate(stones, rs.Motion(push.accel, dt), how))
        moved = how.poses(stones, runs[-1].states)
        poses.append((moved - moved[0]) / [s, s, 1.0])
    original, model = runs
    assert model.status is original.status
    assert poses[1].shape == poses[0].shape
    assert np.abs(poses[0]).max() > 0.02
    exact = math.log2(size) % 2 == 0
    assert np.abs(poses[1] - poses[0]).max() <= (0.0 if exact else 1e-7)


def test_the_usual_step_of_a_model_shrinks_with_it():
    """5 ms for stones that reach 0.1 m or more; √10 times shorter for a tenth of that."""
    steps = [rs.BlockDynamics().step_for(Assembly.drums(1, h, h)) for h in (3.0, 0.3, 0.01)]
    reach = math.hypot(0.005, 0.005)
    assert steps[0] == steps[1] == 0.005
    assert steps[2] == pytest.approx(0.005 * math.sqrt(reach / 0.1))


@pytest.mark.parametrize("rule", ["located", "stepped"])
def test_a_shaken_column_obeys_its_laws(rule):
    column = Assembly.drums(3, 3.0, 1.0)
    response = run(column, noise(0.5 * G, 2.0, 0.002), step=0.001, rule=rule)
    found = rs.analysis.audit(response)
    assert found.ok and found["joints"].extent, found
