"""How sure the law of the time step is: the bootstrap over block–bed cells."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.optimize import curve_fit

import rocksteady as rs
from rocksteady.analysis import timestep
from rocksteady.errors import InputError
from rocksteady.theories.dissipation.laws import LAWS


@pytest.fixture(scope="module")
def small():
    """A part of the campaign: all blocks and beds, every second step, three r."""
    return timestep.campaign(steps=timestep.STEPS[1::2], ratios=(0.86, 0.92, 0.98), progress=False)


def law(inputs, a, A2, A3):
    """Eq. 6 in ms, with ln A1 for k_n in GN/m³."""
    size, k_n, r = inputs
    return -1e3 * np.exp(a) * size**A2 * (k_n / 1e9) ** A3 * np.log(r)


def cells_of(made):
    """R h/b, k_n, r and Δt of each block on each bed with accepted cases."""
    cases = made.cases
    keys = sorted(set(zip(cases.block.tolist(), cases.k_n.tolist(), strict=True)))
    where = [(cases.block == block) & (cases.k_n == k_n) for block, k_n in keys]
    columns = np.array([cases.R * cases.slenderness, cases.k_n, cases.r, cases.dt])
    return [columns[:, cell] for cell in where]


def fit_to(drawn):
    """SciPy's regression through every single case of the cells drawn."""
    *inputs, dt = np.concatenate(drawn, axis=1)
    a, A2, A3 = curve_fit(law, inputs, 1e3 * dt, (-3.5, 0.6, -0.2))[0]
    left = np.sum((law(inputs, a, A2, A3) - 1e3 * dt) ** 2)
    r2 = 1 - left / np.sum((1e3 * dt - 1e3 * dt.mean()) ** 2)
    return math.exp(a) * 1e9**-A3, A2, A3, r2


def test_each_draw_is_a_regression_through_its_cases(small):
    """Draw by draw: cells repeated as often as they were drawn, every case by itself, by SciPy."""
    found, cells = small.bootstrap(20, seed=7), cells_of(small)
    share = np.full(len(cells), 1 / len(cells))
    times = np.random.default_rng(7).multinomial(len(cells), share, size=20)
    assert found.cells == len(cells) and found.undetermined == 0
    for row, r2, picked in zip(found.coefficients, found.r2, times, strict=True):
        drawn = [cell for cell, n in zip(cells, picked, strict=True) for _ in range(n)]
        assert (*row, r2) == pytest.approx(fit_to(drawn), rel=2e-5)


def test_the_interval_is_that_of_another_resampling(small):
    """Cells drawn one by one with another generator; 5 % and 95 % of 300 draws are known to about
    a fifth of the interval's width."""
    rng, cells = np.random.default_rng(1), cells_of(small)
    fits = [fit_to([cells[i] for i in rng.integers(0, len(cells), len(cells))]) for _ in range(300)]
    mine = small.bootstrap().interval(0.9)
    theirs = np.percentile(np.array(fits)[:, :3], (5, 95), axis=0)
    for column, (low, high) in enumerate(mine.T):
        scale = (lambda x: np.log(x)) if column == 0 else (lambda x: x)
        width = scale(high) - scale(low)
        assert np.abs(scale(theirs[:, column]) - scale(mine[:, column])).max() < 0.2 * width


def test_the_fit_lies_inside_and_a_seed_repeats(small):
    own, found = small.fit(), small.bootstrap(500, seed=3)
    low, high = found.interval()
    assert np.all(low < own.coefficients) and np.all(own.coefficients < high)
    again, other = small.bootstrap(500, seed=3), small.bootstrap(500, seed=4)
    np.testing.assert_array_equal(found.coefficients, again.coefficients)
    assert not np.array_equal(found.coefficients, other.coefficients)
    inner = found.interval(0.5)
    assert np.all(low < inner[0]) and np.all(inner[0] < inner[1]) and np.all(inner[1] < high)
    low, high = found.r2_interval()
    assert low < own.r2 < high < 1
    assert "500 draws of" in repr(found) and "A3 -0." in repr(found)


def test_a_law_without_scatter_is_certain(small):
    """Where every best step is the law's, so is every draw's fit."""
    one = LAWS["daltri2024"]
    steps = np.sort(np.unique([
        one.step(block, k, r)
        for block in small.blocks for k in small.stiffnesses for r in small.ratios
    ]))  # fmt: skip
    best = np.array([
        [[one.step(block, k, r) for r in small.ratios] for k in small.stiffnesses]
        for block in small.blocks
    ])  # fmt: skip
    miss = np.abs(steps[:, None] - best[:, :, None, :])
    errors = np.stack([100 * miss, 0 * miss], axis=-1)
    exact = dataclasses.replace(small, steps=steps, errors=errors)
    low, high = exact.bootstrap(50).interval()
    assert low == pytest.approx(one.coefficients, rel=1e-6)
    assert high == pytest.approx(one.coefficients, rel=1e-6)


def test_draws_that_determine_no_law_are_counted():
    """Two sizes on two beds: a draw may have one bed alone, or both sizes on one bed each."""
    made = timestep.campaign(
        blocks=[rs.Block(2.1, 0.3), rs.Block(4.2, 0.6)],
        stiffnesses=[2.5e8, 10e8],
        ratios=(0.9, 0.94),
        progress=False,
    )
    found = made.bootstrap(400)
    assert found.cells == 4 and np.isfinite(found.coefficients).all()
    # a law needs three different cells: 4! draws have four, 4 · 36 have three, of 4⁴
    expected = 400 * (24 + 144) / 256
    assert len(found.r2) == 400 - found.undetermined == pytest.approx(expected, abs=40)


def test_what_cannot_be_drawn(small):
    for options, words in (
        ({"draws": 0}, "draws = 0"),
        ({"draws": 2.5}, "draws = 2.5"),
        ({"seed": -1}, "seed = -1"),
    ):
        with pytest.raises(InputError, match=words):
            small.bootstrap(**options)
    for level in (0.0, 1.0, 95, math.nan):
        with pytest.raises(InputError, match="share between 0 and 1"):
            small.bootstrap(10).interval(level)
    one = timestep.campaign(blocks=[rs.Block(4.2, 0.6)], stiffnesses=[5e8], progress=False)
    with pytest.raises(InputError, match="1 block–bed cells do not determine three constants"):
        one.bootstrap()


@pytest.mark.slow
def test_the_paper_s_constants_lie_in_the_interval_of_ours():
    """Fig. 9: the whole campaign; the ends as other code found them, within their own scatter from
    seed to seed."""
    made = timestep.campaign(progress=False)
    low, high = made.bootstrap().interval()
    paper = LAWS["daltri2024"].coefficients
    assert np.all(low < paper) and np.all(paper < high)
    assert low == pytest.approx([1.63, 0.599, -0.289], rel=0.03)
    assert high == pytest.approx([11.4, 0.676, -0.189], rel=0.05)
    assert made.fit().coefficients == pytest.approx((3.98, 0.635, -0.236), abs=0.005)
    stocky = np.array([block.slenderness < 5 for block in made.blocks])[:, None]
    left_out = stocky & (made.stiffnesses == 25e8)
    errors = np.where(left_out[:, :, None, None, None], np.inf, made.errors)
    without = dataclasses.replace(made, errors=errors).fit()
    assert without.coefficients == pytest.approx((2.13, 0.608, -0.201), abs=0.003)
    assert without.r2 == pytest.approx(0.9645, abs=1e-4)
