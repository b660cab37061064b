"""Blocks with friction and restitution where two things happen at once, or nothing weighs: no run
fails for it, and none depends on how the ground is sampled."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocksteady as rs
from validation.giouvanidis2016.test_random_runs import Case

G = 9.81


def ends_alike(this: Case, within: float = 1e-6) -> rs.Response:
    """The run, once it has ended, closed its energy balance and not depended on samples."""
    whole, *finer = (this.run(parts) for parts in (1, 2, 7))
    for parts, run in zip((2, 7), finer, strict=True):
        assert run.status is whole.status
        n = len(whole.theta) - (whole.fall is not None)  # a fall ends between samples
        lean = run.theta[::parts][:n] - whole.theta[:n]
        slide = run.column("slide")[::parts][:n] - whole.column("slide")[:n]
        assert np.abs(lean).max() <= within * this.block.alpha
        assert np.abs(slide).max() <= within * this.block.width
        assert run.events[-1] == pytest.approx(whole.events[-1], abs=1e-6)
    for run in (whole, *finer):
        assert run.status is not rs.Status.FAILED
        largest = max(run.energy.max(), np.abs(run.column("work")).max())
        assert np.abs(run.energy_balance).max() <= 1e-7 * largest
    return whole


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
@pytest.mark.parametrize("push", [-1.2, 1.2])
def test_a_base_that_slips_without_weight_tips_as_soon_as_it_weighs(epsilon, push):
    """Without weight it slips under any push. The friction that comes with the weight turns a
    block with μ > b/h at once, not at the next sample."""
    n = np.arange(21)
    a_h = np.where(n >= 10, push, 0.0)
    a_v = np.where((n >= 7) & (n < 15), -G, 0.0)
    this = Case(rs.Block(0.2, 0.02), epsilon, 0.7, 0.0, rs.Motion(a_h, 0.01, a_v))
    run = ends_alike(this)
    assert abs(run.theta[14]) < 1e-15 and -np.sign(push) * run.column("slide_rate")[14] > 0.01
    assert -np.sign(push) * run.omega[15] > 0.1


@pytest.mark.parametrize("epsilon", [0.01, 0.5])
def test_a_block_lands_flat_where_sliding_would_just_tip_it(epsilon):
    """μ = b/h: once it slides nothing closes a corner that lifts, and nothing lifts one."""
    block = rs.Block(0.8, 0.068)
    a_v = np.array([0.0, -12.0, -12.0, 5.0, 0.0, 0.0, 0.0, 0.0])
    motion = rs.Motion(np.full(8, -0.9), 0.05, a_v)
    run = ends_alike(Case(block, epsilon, block.width / block.height, 0.0, motion))
    assert 2 < len(run.impacts) < 200
    assert run.column("lift").max() > 1e-3 and run.peak < 1e-10


@pytest.mark.parametrize(
    ("height", "slenderness", "mu", "lean", "push"),
    [(1.0, 11, 0.39, 0.47, 1.27), (0.16, 10, 0.74, 0.84, 0.53), (0.55, 18, 0.55, 0.27, 0.62)],
)
def test_perfectly_elastic_hops_come_to_an_end(height, slenderness, mu, lean, push):
    """ε = 1: hops that nobody could see would go on for ever, a hundred thousand in a moment."""
    block = rs.Block(height, height / slenderness)
    motion = rs.Motion(np.full(3, push * G / slenderness), 0.5)
    for epsilon in (1.0, 0.999):
        run = Case(block, epsilon, mu, lean * block.alpha, motion).run()
        assert run.status is not rs.Status.FAILED
        largest = max(run.energy.max(), np.abs(run.column("work")).max())
        assert np.abs(run.energy_balance).max() <= 1e-7 * largest


def test_a_slipping_corner_jams_where_its_force_grows_without_bound():
    """Beyond Painlevé's limit a corner that slips may be led to the very lean at which its force
    has no bound (Génot & Brogliato 1999). It jams there, and the block is thrown over it."""
    n = np.arange(21)
    a_h = np.where(n < 10, 0.0, -15.0)
    a_v = np.where((n >= 7) & (n < 15), -G, 0.0)
    block = rs.Block(0.158, 0.411)
    run = ends_alike(Case(block, 0.0, 2.7, 0.3, rs.Motion(a_h, 0.5, a_v)))
    assert run.status is rs.Status.OVERTURNED


@pytest.mark.parametrize("g", [1.62, 3.71, 9.80665, 24.79])
@pytest.mark.parametrize("friction", [None, 0.5])
def test_a_block_without_weight_or_push_stands_still(g, friction):
    """a_v = −g exactly: rounding must not turn it."""
    block = rs.Block(1.0, 0.4, g=g)
    a_v = np.repeat([0.0, -g, 0.0], 20)
    run = rs.simulate(
        block, rs.Motion(np.zeros(60), 0.02, a_v), rs.Nonsmooth(epsilon=0.5, friction=friction)
    )
    assert not run.theta.any() and not run.omega.any() and not len(run.events)


@pytest.mark.parametrize("seed", [99, 155, 160, 164])
def test_a_corner_that_cannot_slip_does_not_hop_for_ever(seed):
    """Pushed sideways while a corner hops, the stop of its slip lifts it again, by next to
    nothing: it stays on the ground."""
    block = rs.Block(0.34, 0.71, com_height=0.27)
    motion = rs.Motion(np.random.default_rng(seed).standard_normal(41) * 20, 0.05)
    how = rs.Nonsmooth(epsilon=0.27)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)  # its edge is held down
        run = rs.simulate(block, motion, how, theta0=-0.67, omega0=4.6, duration=2.0)
    assert run.status is not rs.Status.FAILED
    assert np.abs(run.energy_balance).max() <= 1e-7 * run.energy.max()
