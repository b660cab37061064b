"""The end of a run by energy (housner/outcome.py), and what compiled loops ask of a state.

The reference is the run itself, followed until the block rests or lies on its side.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.ensembles.study import Study

PULSES = [
    rs.pulses.sine(1.0, period=1.0, dt=0.005),
    rs.pulses.ricker(1.0, period=0.8, dt=0.005),
    rs.pulses.rectangular(1.0, duration=0.4, dt=0.005),
]


def noise(seed, seconds=6.0, dt=0.005, vertical=False):
    """Straight lines between random values 0.1 s apart: it ends in the middle of things."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(seconds / dt)) * dt
    across, up = (np.interp(t, np.arange(0, seconds + 0.1, 0.1), rng.standard_normal(61))
                  for _ in range(2))  # fmt: skip
    return rs.Motion(across, dt, 0.1 * up if vertical else None, name=f"noise {seed}")


def some_blocks(count, seed, lopsided=0.0):
    rng = np.random.default_rng(seed)
    heights, ratios = rng.uniform(0.5, 6.0, count), rng.uniform(0.08, 0.5, count)
    offsets = lopsided * rng.uniform(-0.3, 0.3, count)
    return [
        rs.Block(height=h, width=r * h, offset=o * r * h)
        for h, r, o in zip(heights, ratios, offsets, strict=True)
    ]


@pytest.mark.parametrize(
    ("lopsided", "how", "motions"),
    [
        (0.0, rs.Housner(), [*PULSES, noise(1), noise(2, vertical=True)]),
        (1.0, rs.Housner(), [*PULSES, noise(3)]),
        (1.0, rs.Housner(r=0.9), PULSES),
        (0.0, rs.Housner(slender=True), [*PULSES, noise(4)]),
    ],
    ids=["symmetric", "lopsided", "given loss", "slender"],
)
def test_energy_tells_what_the_long_run_finds(lopsided, how, motions):
    """Over 10 000 runs in all: every outcome is the same, peaks agree within 1e-10. (Samples 5 ms
    apart: with 10 ms the long run itself is wrong by 2e-10.)"""
    blocks = some_blocks(60, 7, lopsided)
    scales = np.linspace(0.5, 25.0, 14)
    told, found = (
        rs.ensemble(blocks, motions, how, scales=scales, until=until, progress=False)
        for until in ("outcome", "rest")
    )
    assert np.array_equal(told.fell, found.fell)
    stood = ~found.fell.values
    assert 0.15 < stood.mean() < 0.9 and (told.status.values[stood] == rs.Status.AT_REST).all()
    np.testing.assert_allclose(told.peak, found.peak, rtol=0, atol=1e-10)
    # many leant most after the motion: nobody knows when; impacts are counted before a fall
    later = np.isnan(told.time_of_peak.values)
    assert 0.05 < later.mean() < 0.95
    assert np.array_equal(told.time_of_peak.values[~later], found.time_of_peak.values[~later])
    assert np.array_equal(told.impacts.values[~stood], found.impacts.values[~stood])
    assert (told.impacts <= found.impacts).all() and (told.impacts < found.impacts).any()


def test_what_is_stored_says_how_far_runs_were_followed(tmp_path):
    block, push = rs.Block(height=1.8, width=0.5), PULSES[0].scaled(3.0)
    data = rs.ensemble(block, push, until="outcome", store=tmp_path / "s", progress=False)
    for opened in (data, rs.open_ensemble(tmp_path / "s")):
        assert opened.attrs["until"] == "outcome"
        assert "only those before a fall" in opened.impacts.attrs["long_name"]
        for name in ("time_of_overturning", "energy_lost", "time_of_peak"):
            assert opened[name].attrs["long_name"].endswith("to the end of the motion only")
        assert "only" not in opened.peak.attrs["long_name"]
    with pytest.raises(rs.InputError, match="another study"):
        rs.ensemble(block, push, store=tmp_path / "s", progress=False)


def test_where_energy_does_not_tell_runs_go_on_to_rest():
    block, push = rs.Block(height=1.8, width=0.5), PULSES[0].scaled(3.0)
    for how in (rs.Nonsmooth(), rs.RigidBodySpring(K=1e7)):
        told, found = (
            rs.ensemble(block, push, how, until=until, progress=False)
            for until in ("outcome", "rest")
        )
        assert all(told[name].equals(found[name]) for name in found.data_vars)
        assert not Study.of(block, push, how, until="outcome").by_energy


def test_a_single_run_is_followed_to_rest():
    block, push = rs.Block(height=1.8, width=0.5), PULSES[0].scaled(3.0)
    told, found = (rs.simulate(block, push, until=until) for until in ("outcome", "rest"))
    assert np.array_equal(told.states, found.states)


def test_a_block_beyond_its_balance_point_may_come_back():
    """Thrown back hard enough it passes the balance point, strikes and falls the other way; less
    hard it stands; hardly, it turns and falls where it was."""
    block = rs.Block(height=2.0, width=0.5)
    how = rs.Housner()
    outcome, params = how.outcome_for(block), how.parameters(block)
    lean, fates = 1.1 * block.alpha, []
    for rate in np.linspace(0.05, 4.0, 80) * block.p * block.alpha:
        falls, high, low, _ = outcome((lean, -rate, 1.0, 0.0, 0.0), params)
        run = rs.simulate(block, None, how, theta0=lean, omega0=-rate)
        assert falls == run.fell
        assert max(high, -low) / block.alpha == pytest.approx(run.peak, abs=1e-10)
        fates.append((falls, low == -math.pi / 2))
    assert {(True, False), (False, False), (True, True)} == set(fates)


@given(
    alpha=st.floats(0.05, 0.6),
    p=st.floats(0.8, 5),
    lean=st.floats(-1.5, 1.5),
    rate=st.floats(-3, 3),
    slender=st.booleans(),
)
@settings(max_examples=300)
def test_compiled_tests_of_a_state_say_what_the_theory_says(alpha, p, lean, rate, slender):
    block = rs.Block.from_parameters(p=p, alpha=alpha)
    away, kinetic = (alpha - abs(lean)) ** 2, (rate * alpha) ** 2
    assume(abs(2 - 2 * math.cos(alpha - abs(lean)) - kinetic) > 1e-9)  # rounding would decide
    assume(abs(away - kinetic) > 1e-9)
    state = np.array([lean, rate * p * alpha, math.copysign(1.0, lean), 0.0, 0.0])
    for how, columns in (
        (rs.Housner(slender=slender), state),
        (rs.Nonsmooth(), np.r_[state[:3], np.zeros(8)]),
        (rs.Nonsmooth(friction=0.5), np.r_[state[:3], np.zeros(8)]),
    ):
        params = how.parameters(block)
        for here in (columns, np.r_[columns[:2], 0.0, columns[3:]]):
            given_state = tuple(here.tolist())
            assert how.resting_for(block)(given_state, params) == how.at_rest(block, here)
            if here[2] != 0:
                assert how.doomed_for(block)(given_state, params) == how.doomed(block, here)


def test_a_worn_building_rests_and_falls_as_the_theory_says():
    house = rs.MasonryBuilding.casalotti2025(mass=40e3)
    how, rng = rs.Masonry(), np.random.default_rng(1)
    params = how.parameters(house)
    seen = set()
    for _ in range(400):
        g, stretch = rng.uniform(-5e-3, 5e-3), 10 ** rng.uniform(-7, -2)
        w, mode = rng.choice([0.0, 0.3, 0.9995]), rng.choice([0.0, 1.0, 2.0])
        state = np.array([g + stretch, 0.01 * rng.standard_normal(), g, 1e-3, w, 0, mode, 0, 0, 0])
        said = how.at_rest(house, state), how.doomed(house, state)
        given_state = tuple(state.tolist())
        assert said[0] == how.resting_for(house)(given_state, params)
        assert said[1] == how.doomed_for(house)(given_state, params)
        seen.add((bool(said[0]), said[1]))
    assert len(seen) >= 3
