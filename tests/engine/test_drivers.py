"""The drivers around one `advance` agree, bit for bit, and `peaks` allocates nothing."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import types
from numba.core.runtime import _nrt_python, rtsys

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.theories.contract import FAILURE, NOTHING, kernel

HOW = rs.Housner()


def both(block, motion):
    state, params = HOW.start(block, 0.0), HOW.parameters(block)
    ground = np.array(motion.accel), np.zeros(len(motion))
    states = np.empty((len(motion), len(state)))
    advance = HOW.advance_for(block)
    traced = make_trace(advance)(state, params, ground, motion.dt, 0.0, states)
    return states, traced, make_peaks(advance)(state, params, ground, motion.dt)


@given(
    alpha=st.floats(0.08, 0.4),
    p=st.floats(1, 6),
    scale=st.floats(1.0, 4.0),
    seed=st.integers(0, 99),
)
def test_peaks_are_those_of_the_trace(alpha, p, scale, seed):
    block = rs.Block.from_parameters(p=p, alpha=alpha)
    noise = np.random.default_rng(seed).standard_normal(400)
    motion = rs.Motion(scale * block.g * math.tan(alpha) * noise / np.abs(noise).max(), 0.02)
    states, (rows, events, last), summary = both(block, motion)
    state, _, highest, lowest, t_peak, impacts, _ = summary
    theta = np.concatenate([states[:rows, 0], events[:, 2]])
    assert state == last
    assert (highest, lowest) == (theta.max(), theta.min())
    assert impacts == np.count_nonzero(events[:, 1] == 3)
    if highest > 0 or lowest < 0:
        at = np.concatenate([np.arange(rows) * motion.dt, events[:, 0]])
        assert t_peak in at[np.abs(theta) == max(highest, -lowest)] or t_peak == pytest.approx(
            at[np.argmax(np.abs(theta))], abs=motion.dt
        )


@pytest.fixture
def allocations():
    """How often compiled code has asked for memory so far."""
    _nrt_python.memsys_enable_stats()
    yield lambda: rtsys.get_allocation_stats().alloc
    _nrt_python.memsys_disable_stats()


def test_peaks_allocates_nothing_per_step(allocations):
    """Handing two arrays over costs the same however long they are; the trace's table does not."""
    block = rs.Block(2.0, 0.5)
    motion = rs.pulses.sine(3.0, period=0.5).then(rs.Motion.zeros(20.0, 0.0005))
    state, params, advance = HOW.start(block, 0.0), HOW.parameters(block), HOW.advance_for(block)

    def cost(driver, samples, *more):
        ground = np.array(motion.accel[:samples]), np.zeros(samples)
        before = allocations()
        driver(state, params, ground, motion.dt, *more)
        return allocations() - before

    whole = len(motion)
    assert cost(make_peaks(advance), whole) == cost(make_peaks(advance), 2)
    table = np.empty((whole, len(state)))
    assert cost(make_trace(advance), whole, 0.0, table) > cost(make_trace(advance), 2, 0.0, table)


def test_one_signature_each():
    """Cold compilation is user time: a simulation must not compile a driver twice."""
    block = rs.Block(2.0, 0.5)
    rs.simulate(block, rs.pulses.sine(5.0, period=1.0))
    rs.simulate(block, theta0=0.05)
    rs.simulate(block, rs.pulses.sine(5.0, period=1.0).with_vertical(np.zeros(2001)), duration=1)
    trace = make_trace(HOW.advance_for(block))
    assert len(trace.signatures) == 1
    assert trace.signatures[0][2] == types.UniTuple(types.Array(types.float64, 1, "C"), 2)


def test_another_process_finds_the_compiled_driver():
    code = """
import rocksteady as rs
from rocksteady.numerics.cache import on_compile
compiled = []
on_compile(compiled.append)
rs.simulate(rs.Block(2.0, 0.5), theta0=0.05)
print(compiled)
"""
    rs.simulate(rs.Block(2.0, 0.5), theta0=0.05)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_slender_block_does_not_get_the_nonlinear_ones_driver():
    """Two steps with the same name and types are told apart by what they close over."""
    block, slender = rs.Block.from_parameters(p=2.0, alpha=0.5), rs.Housner(slender=True)
    ours = rs.simulate(block, None, slender, theta0=0.25, duration=1.0)
    others = rs.simulate(block, None, theta0=0.25, duration=1.0)
    assert abs(ours.theta - others.theta).max() > 1e-3


@kernel
def never(state, params, ground0, ground1, dt):
    return state, 0.0, NOTHING


class Stuck(rs.Housner):
    """A formulation that gets nowhere."""

    def advance_for(self, block):
        return never


def test_a_step_that_gets_nowhere_is_a_failure_not_a_hang():
    response = rs.simulate(rs.Block(2.0, 0.5), None, Stuck(), theta0=0.05, duration=1.0)
    assert response.status is rs.Status.FAILED
    assert "do not trust" in response.status.advice
    assert len(response.time) == 2
    live = rs.Monitor(rs.Block(2.0, 0.5), Stuck(), dt=0.01)
    assert [live.push(0.0).status for _ in range(3)][1:] == [rs.Status.FAILED] * 2
    still = np.zeros(3)
    summary = make_peaks(never)(tuple(response.states[0]), (0.0,), (still, still), 0.1)
    assert summary[-1] == FAILURE


TOY = """
import sys
import numpy as np
from rocksteady.engine.drivers import make_peaks
from rocksteady.theories.contract import NOTHING, kernel

@kernel
def slow(x):
    return x + 1.0

@kernel
def fast(x):
    return x + 100.0

def make(grow):
    @kernel
    def advance(state, params, ground0, ground1, dt):
        return (grow(state[0]), 0.0), dt, NOTHING
    return advance

still = np.zeros(4)
for name in sys.argv[1:]:
    peaks = make_peaks(make({"slow": slow, "fast": fast}[name]))
    print(peaks((0.0, 0.0), (0.0,), (still, still), 0.1)[0][0])
"""


def test_steps_of_one_factory_compiled_apart_are_not_mixed_up(tmp_path, apart):
    """Numba gives both the same symbol, each being the first in its process."""
    script = tmp_path / "toy.py"
    script.write_text(TOY)

    def run(*names):
        return [float(word) for word in apart(script, *names)]

    assert run("slow") == [3.0]
    assert run("fast") == [300.0]
    assert run("slow", "fast") == [3.0, 300.0]
    assert run("fast", "slow") == [300.0, 3.0]
