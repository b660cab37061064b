"""Blocks with friction and restitution at random: every run ends, energies add up, samples on the
motion's own lines change nothing, and an independent time stepping converges to the same motion."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import rocksteady as rs
from validation.giouvanidis2016.moreau import time_stepping

G = 9.81
DT = 0.05  # s between the samples of a motion, as coarse as any record


class Case(NamedTuple):
    """A block, how it meets the ground and what shakes it."""

    block: rs.Block
    epsilon: float
    mu: float
    theta0: float
    motion: rs.Motion

    def run(self, parts: int = 1) -> rs.Response:
        """With ``parts`` intervals on every line of the motion."""
        motion = refined(self.motion, parts)
        how = rs.Nonsmooth(epsilon=self.epsilon, friction=self.mu)
        return rs.simulate(
            self.block, motion, how, theta0=self.theta0, duration=self.motion.duration
        )

    @property
    def paradox(self) -> float:
        """The friction above which forces need neither exist nor be unique (Painlevé):
        2 sqrt(κ (1 + κ)), κ = I_c/(m R²) of the farther corner; 4/3 of a rectangle."""
        R = max(self.block.right.R, self.block.left.R)
        kappa = self.block.inertia / (self.block.mass * R**2)
        return 2 * math.sqrt(kappa * (1 + kappa))


def refined(motion: rs.Motion, parts: int) -> rs.Motion:
    at = np.arange(parts * (len(motion) - 1) + 1) / parts
    accel, vertical = (
        None if a is None else np.interp(at, np.arange(len(a)), a)
        for a in (motion.accel, motion.vertical)
    )
    return rs.Motion(accel, motion.dt / parts, vertical)


def case(seed: int) -> Case:
    """Any block from stocky to slender, half of them asymmetric and half released leaning; a
    constant push up to twice g b/h or noise, more than half with vertical motion, up to 1.5 g."""
    rng = np.random.default_rng([16, seed])
    height = rng.uniform(0.3, 4.0)
    width = height / rng.uniform(0.7, 8.0)
    offset = width * float(rng.choice([0.0, rng.uniform(-0.2, 0.2)]))
    block = rs.Block(height, width, offset=offset, com_height=height * rng.uniform(0.4, 0.6))
    mu = float(np.exp(rng.uniform(math.log(0.05), math.log(2.0))))
    epsilon = float(rng.choice([0.0, rng.uniform(0.0, 0.9)]))
    theta0 = float(rng.choice([0.0, rng.uniform(-0.8, 0.8)])) * block.alpha
    uplift, samples = G * width / height, 21
    push = np.full(samples, rng.uniform(-2, 2) * uplift)
    if rng.random() < 2 / 3:
        push = rng.standard_normal(samples)
        push *= rng.uniform(0.2, 3.0) * uplift / np.abs(push).max()
    vertical = None
    if rng.random() < 0.6:
        vertical = rng.uniform(-1, 1, samples) * rng.uniform(0, 15) * rng.choice([0.3, 1.0])
    return Case(block, epsilon, mu, theta0, rs.Motion(push, DT, vertical))


def turned(states: Any, upto: float = 1.0) -> int:
    """How many samples until it leans so far that it is as good as lying."""
    beyond = np.abs(states) > upto
    return int(np.argmax(beyond)) if beyond.any() else len(states)


# -- 3000 runs ------------------------------------------------------------------------------------


def test_every_run_ends_its_energies_add_up_and_samples_do_not_matter():
    """3000 runs, each with one, three and fifty intervals on every line of its motion (dt from 0.05
    to 0.001 s)."""
    differing = []
    for seed in range(3000):
        this = case(seed)
        coarse, *finer = runs = {parts: this.run(parts) for parts in (1, 3, 50)}.items()
        for parts, run in runs:
            assert run.status is not rs.Status.FAILED, (seed, parts)
            largest = max(run.energy.max(), np.abs(run.column("work")).max())
            assert np.abs(run.energy_balance).max() <= 1e-7 * largest, (seed, parts)
            assert np.diff(run.column("loss")).min() >= -1e-12 * largest, (seed, parts)
            assert run.column("least_normal")[-1] >= -1e-9 * this.block.mass * G, (seed, parts)
        whole = coarse[1]
        for parts, run in finer:
            assert run.status is whole.status, seed
            assert run.peak == pytest.approx(whole.peak, abs=1e-6), seed
            n = min(turned(whole.theta), turned(run.theta[::parts]))
            lean = np.abs(run.theta[::parts][:n] - whole.theta[:n]) / this.block.alpha
            slide = np.abs(run.column("slide")[::parts][:n] - whole.column("slide")[:n])
            assert max(lean[-1], slide[-1]) <= 1e-6, (seed, parts)
            if max(lean.max(), slide.max()) > 1e-6:
                differing.append(seed)
    # Hops with ε near 1 are chaotic while they last, and end alike: rounding grows a billionfold.
    assert len(set(differing)) <= 3
    assert all(case(seed).epsilon > 0.7 for seed in differing)


# -- against time stepping ------------------------------------------------------------------------


def distance(this: Case, steps: int) -> float:
    """The largest difference of lean [α] and slide [widths] from time stepping at the samples."""
    run = this.run()
    theirs = time_stepping(this.block, this.motion, this.epsilon, this.mu, this.theta0, steps=steps)
    n = min(turned(run.theta), turned(theirs[:, 0]))
    lean = np.abs(run.theta[:n] - theirs[:n, 0]) / this.block.alpha
    slide = np.abs(run.column("slide")[:n] - theirs[:n, 1]) / this.block.width
    return float(max(lean.max(), slide.max()))


def converges(seeds: range, coarse: int) -> list[int]:
    """Time stepping with ever shorter steps comes ever nearer, in proportion to the step: to within
    0.002 α or widths, or ten times nearer than at first. Returns the runs with friction beyond
    Painlevé's limit in which it does not."""
    errors, elsewhere = [], []
    for seed in seeds:
        this = case(seed)
        first, last = distance(this, coarse), distance(this, 16 * coarse)
        errors.append((first, last))
        shorter = 128 * coarse
        near = max(2e-3, first / 10)
        while last > near and shorter <= 8192 * coarse and this.mu < this.paradox:
            last, shorter = distance(this, shorter), 8 * shorter  # weak rocking is sensitive
        if last > near:
            assert this.mu > this.paradox, (seed, first, last)
            elsewhere.append(seed)
    first, last = np.median(errors, axis=0)
    order = math.log(first / last) / math.log(16)
    assert order == pytest.approx(1.0, abs=0.15)
    return elsewhere


def test_time_stepping_converges_to_the_same_motion():
    assert len(converges(range(60), 50)) <= 2


@pytest.mark.slow
def test_time_stepping_converges_to_the_same_motion_in_many_runs():
    """Where μ is beyond Painlevé's limit both a contact force and free flight may obey all laws;
    time stepping then takes flight, we stay on the ground. So in 1 % of the runs."""
    assert len(converges(range(60, 400), 100)) <= 7


# -- what was wrong once --------------------------------------------------------------------------


@pytest.mark.parametrize("lean", [0.1, 0.3, 0.5, -0.3])
def test_a_block_settles_while_it_slides(lean):
    """1 × 0.8 m, μ = 0.3, ε = 0.1, a push of 1.3 g b/h: it slides flat, since μ < b/h, and hops
    ever less on the way. From then on the slide is that of a point mass."""
    block = rs.Block(1.0, 0.8)
    push, mu = 1.3 * G * 0.8, 0.3
    motion = rs.Motion(np.full(101, push), 0.01)
    run = rs.simulate(
        block,
        motion,
        rs.Nonsmooth(epsilon=0.1, friction=mu),
        theta0=lean * block.alpha,
        duration=1.0,
    )
    assert 5 < len(run.impacts) < 40
    assert run.impacts.time[-1] < 0.5
    late = run.time > 0.5
    assert np.all(run.theta[late] == 0) and np.all(run.column("contact")[late] == 0)
    speed = run.column("slide_rate")[late]
    np.testing.assert_allclose(np.diff(speed), -(push - mu * G) * 0.01, rtol=1e-10)
    theirs = time_stepping(block, motion, 0.1, mu, lean * block.alpha, steps=200)
    assert run.slide == pytest.approx(theirs[-1, 1], abs=1e-3)


def test_constant_pushes_find_an_answer():
    """216 constant pushes of leaning blocks, up to 2 g b/h."""
    for slenderness in (1.25, 2.5):
        block = rs.Block(1.0, 1.0 / slenderness)
        for push in (0.5, 1.3, -1.3, 2.0):
            motion = rs.Motion(np.full(101, push * G / slenderness), 0.01)
            for lean in (0.2, 0.5, -0.5):
                for epsilon in (0.05, 0.3, 0.6):
                    for mu in (0.1, 0.3, 0.6):
                        how = rs.Nonsmooth(epsilon=epsilon, friction=mu)
                        theta0 = lean * block.alpha
                        run = rs.simulate(block, motion, how, theta0=theta0, duration=1.0)
                        assert run.status is not rs.Status.FAILED
                        assert len(run.impacts) < 1000


@pytest.mark.parametrize("dt", [0.05, 0.01, 1e-3])
def test_a_jammed_corner_lets_go_where_its_force_leaves_the_cone(dt):
    """a_h = −2 m/s², a_v falls to −1.5 g in 0.3 s, 1 × 0.6 m, μ = 1.8 beyond Painlevé's limit: the
    corner cannot slip, so it leaves the ground, at one instant however the ground is sampled."""
    n = round(0.3 / dt) + 1
    motion = rs.Motion(np.full(n, -2.0), dt, np.linspace(0.0, -1.5 * G, n))
    run = rs.simulate(
        rs.Block(1.0, 0.6), motion, rs.Nonsmooth(epsilon=0.0, friction=1.8), duration=0.3
    )
    assert run.omega[-1] == pytest.approx(0.0871617107, abs=1e-9)
    theirs = time_stepping(rs.Block(1.0, 0.6), motion, 0.0, 1.8, steps=round(dt / 1e-5))
    assert run.theta[-1] == pytest.approx(theirs[-1, 0], abs=1e-5)


def test_the_slide_of_a_settling_block_does_not_depend_on_samples():
    """ε = 0.05, dt = 0.02 s: the friction of every hop counts, however many samples there are."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        block = rs.Block(1.0, rng.uniform(0.4, 1.0))
        push = rng.standard_normal(30) * G * block.width
        how = rs.Nonsmooth(epsilon=0.05, friction=rng.uniform(0.1, 0.6))
        slides = [
            rs.simulate(block, refined(rs.Motion(push, 0.02), parts), how, duration=0.58).slide
            for parts in (1, 7)
        ]
        assert slides[0] == pytest.approx(slides[1], abs=1e-8)


# -- what the theory does not cover, and says -----------------------------------------------------


def test_an_edge_that_was_held_down_is_told():
    """Contacts that never slip hold a stocky block's edge down, with half of its weight."""
    block = rs.Block(1.0, 1.2)
    rng = np.random.default_rng(1)
    motion = rs.Motion(rng.standard_normal(100) * 15.0, 0.02)
    with pytest.warns(rs.RocksteadyWarning, match=r"held down with up to 0\.\d+ of its weight"):
        run = rs.simulate(block, motion, rs.Nonsmooth(), duration=2.0)
    assert run.column("least_normal")[-1] < -0.1 * block.mass * G
    slender = rs.simulate(rs.Block(2.0, 0.5), rs.pulses.sine(4.0, 0.5), rs.Nonsmooth())
    assert slender.column("least_normal")[-1] > 0
    rough = rs.simulate(block, motion, rs.Nonsmooth(epsilon=0.0, friction=0.8), duration=2.0)
    assert rough.column("least_normal")[-1] >= 0
    with pytest.warns(rs.RocksteadyWarning, match="1 of 1 runs are doubtful"):
        found = rs.ensemble([block], [motion], rs.Nonsmooth(), progress=False)
    assert found.doubtful.item() == 1


def test_a_column_whose_base_has_no_mass_is_refused():
    bare = rs.FlexibleOscillator(10.0, 2.0, 1e4, 0.0, 0.0, 5.0)
    with pytest.raises(rs.InputError, match=r"base_mass = 0 and column_mass = 0.*100 kg"):
        rs.simulate(bare, rs.pulses.sine(3.0, 1.0))
