"""The engine against an independent SciPy solution (tests/reference.py) on random cases."""

import math

import numpy as np
import pytest

import rocksteady as rs
import standins
from reference import solve

FIRST = 20  # impacts compared, those with |ω⁻| > 1e-3 p


def random_block(rng, *, asymmetric=False):
    block = rs.Block.from_parameters(p=rng.uniform(1, 5), alpha=rng.uniform(0.08, 0.35))
    if asymmetric:
        shift = rng.uniform(-0.3, 0.3) * block.width
        return rs.Block(block.height, block.width, offset=shift)
    return block


def random_pulse(rng, block):
    period = rng.uniform(0.3, 1.5)
    amplitude = rng.uniform(1.05, 3) * block.g * math.tan(block.alpha) * rng.choice([-1, 1])
    shape = rng.choice(["sine", "cosine", "ricker"])
    pulse = getattr(rs.pulses, shape)(amplitude, period, dt=0.01)
    return pulse.then(rs.Motion.zeros(3.0, pulse.dt))


def strong_impacts(times, rates, p):
    return times[np.abs(rates) > 1e-3 * p][:FIRST]


def compare(block, motion, eta=None):
    """Largest differences (impact times [s], peak), or None where the reference is unsure."""
    options = {"eta": eta, "vertical": motion.vertical}
    coarse = solve(block, motion.accel, motion.dt, rtol=1e-10, **options)
    fine = solve(block, motion.accel, motion.dt, rtol=1e-12, **options)
    coarse_t, fine_t = (
        strong_impacts(*np.reshape(run.impacts, (-1, 3)).T[:2], block.p) for run in (coarse, fine)
    )
    unsure = (
        coarse.overturned != fine.overturned
        or len(coarse_t) != len(fine_t)
        or abs(coarse.peak - fine.peak) > 1e-7
        or np.max(np.abs(coarse_t - fine_t), initial=0) > 1e-7
    )
    if unsure:
        return None
    run = rs.simulate(block, motion, rs.Housner(eta=eta), duration=motion.duration)
    assert (abs(run.theta[-1]) == math.pi / 2) == fine.overturned
    ours = strong_impacts(run.impacts.time, run.impacts.omega_before, block.p)
    assert len(ours) == len(fine_t)
    return np.max(np.abs(ours - fine_t), initial=0), abs(run.peak - fine.peak)


def assert_agreement(cases):
    differences = [compare(*case) for case in cases]
    known = [pair for pair in differences if pair is not None]
    assert len(differences) - len(known) <= 0.02 * len(differences)
    times, peaks = np.array(known).T
    assert times.max() < 1e-6
    assert peaks.max() < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_pulses(seed):
    rng = np.random.default_rng(seed)
    blocks = [random_block(rng, asymmetric=i % 4 == 3) for i in range(10)]
    assert_agreement([(block, random_pulse(rng, block)) for block in blocks])


def test_given_eta_and_vertical_motion():
    rng = np.random.default_rng(100)
    cases = []
    for _ in range(8):
        block = random_block(rng)
        motion = random_pulse(rng, block)
        vertical = 3 * np.sin(2 * np.pi * motion.time / rng.uniform(0.1, 0.5))
        cases.append((block, motion.with_vertical(vertical), rng.uniform(0.8, 0.99)))
    assert_agreement(cases)


RECORDS = ["RSN1106_KOBE_KJM000.AT2", "RSN753_LOMAP_CLS000.AT2", "IMPVALL79_ElCentroArray4_230.AT2"]


@pytest.mark.parametrize("name", RECORDS)
def test_real_records(records, name):
    agree_under(rs.read_motion(records / "AT2" / name).trimmed(0, 20), len(name), 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDS)
def test_more_blocks_under_real_records(records, name):
    agree_under(rs.read_motion(records / "AT2" / name).trimmed(0, 20), len(name), 12)


@pytest.mark.parametrize("name", [standins.PULSE, standins.STRONG])
def test_generated_records(generated_records, name):
    agree_under(rs.read_motion(generated_records / name).trimmed(0, 10), 1, 3)


def agree_under(motion, seed, count):
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(count):
        block = random_block(rng)
        scale = rng.uniform(1.2, 2.2) * block.g * math.tan(block.alpha) / motion.pga
        cases.append((block, motion.scaled(scale)))
    assert_agreement(cases)


def test_free_rocking_from_an_angle():
    block = rs.Block(2.4, 0.6)
    still = np.zeros(1001)
    run = solve(block, still, 0.01, theta0=0.5 * block.alpha, rtol=1e-12)
    ours = rs.simulate(block, theta0=0.5 * block.alpha, duration=10.0)
    reference = np.array(run.impacts)[:FIRST]
    np.testing.assert_allclose(ours.impacts.time[:FIRST], reference[:, 0], atol=1e-10)
    np.testing.assert_allclose(ours.impacts.omega_after[:FIRST], reference[:, 2], rtol=1e-9)
