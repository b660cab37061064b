"""Many runs of small steps side by side: in vector code everywhere, in any order, bit for bit."""

import numba
import numpy as np
import pytest
from llvmlite import binding as llvm

import rocksteady as rs
from emitted import ALONE, PACKED, PROCESSORS, SVE, count, written
from rocksteady.engine.abreast import WIDTH, Layout, follow_abreast, make_step_all
from rocksteady.engine.drivers import make_peaks
from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.settle import After
from rocksteady.theories.contract import OVERTURN

HOW = rs.RigidBodySpring()
BLOCKS = [rs.Block(2.4, 0.5), rs.Block(1.6, 0.4, offset=0.03), rs.Block(4.2, 0.6)]
LEAST = 50  # operations of a small step, on two numbers or more at once
SIGNATURE = "void(float64[::1])"
compiles = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


def tables():
    states = np.array([HOW.start(block) for block in BLOCKS])
    params = np.array([HOW.parameters(block) for block in BLOCKS])
    return states, params, np.array([block.limits for block in BLOCKS])


def step_all():
    states, params, _ = tables()
    parts, sizes = HOW.substeps_for(BLOCKS[0]), (states.shape[1], params.shape[1])
    blanks = tuple((0.0,) * size for size in (*sizes, *parts.sizes))
    return make_step_all(parts.step, blanks, Layout.of(parts.sizes, *sizes))


@pytest.fixture(scope="module")
def before_llvm():
    with pytest.MonkeyPatch.context() as patch:
        return written(step_all(), SIGNATURE, patch)


@compiles
@pytest.mark.parametrize("processor", PROCESSORS, ids=lambda it: f"{it.name}-{it.triple}")
def test_small_steps_are_in_the_widest_vectors_of_the_processor(processor, before_llvm, capfd):
    if not processor.known:
        pytest.skip(f"LLVM {llvm.llvm_version_info[0]} does not know the {processor.name}")
    code = before_llvm.emitted_for(processor)
    packed, alone = count(PACKED, code), count(ALONE, code)
    assert packed["plain"] >= LEAST
    if SVE in processor.vectors:  # a remainder, which eight lanes never reach
        assert all(alone[what] <= packed[what] / 2 for what in alone)
    else:
        assert alone == {"plain": 0, "fused": 0}
    assert count({"registers": processor.vectors}, code)["registers"] > 100
    assert capfd.readouterr().err == ""  # LLVM warns where it could not do as it was told


def motions():
    rng, t = np.random.default_rng(3), 0.01 * np.arange(300)
    shapes = [np.sin(2 * np.pi * f * t + rng.uniform(0, 6)) for f in (0.8, 1.3, 2.2)]
    return [rs.Motion(3 * shape, 0.01, vertical=0.5 * shape[::-1]) for shape in shapes]


def followed(order, **options):
    """Runs in this order, as a table with a row per run."""
    scales = np.linspace(0.1, 1.5, 8)
    every = np.array([(s, m, k) for s in range(3) for m in range(3) for k in range(8)])[order]
    runs = Runs(every[:, 0].copy(), every[:, 1].copy(), scales[every[:, 2]])
    ground = Ground.of(motions())
    after = np.array([After(False, 0, 0)] * 3)
    block = BLOCKS[0]
    found = follow_abreast(
        HOW.substeps_for(block), HOW.resting_for(block), (*tables(), after), ground, runs, **options
    )
    return runs, ground, found


def test_order_and_threads_do_not_matter():
    order = np.arange(72)
    _, _, one = followed(order, threads=1)
    mixed, calls = np.random.default_rng(0).permutation(order), []
    _, _, other = followed(mixed, threads=3, progress=lambda *done: calls.append(done))
    assert calls[-1] == (72, 72)
    for mine, theirs in zip(one, other, strict=True):
        assert mine[mixed].tobytes() == theirs.tobytes()


def test_a_lane_has_the_bits_of_the_run_alone():
    runs, ground, found = followed(np.arange(72))
    assert len(runs.system) > 2 * WIDTH  # lanes take several runs
    assert 5 < (found.event == OVERTURN).sum() < 40 and found.impacts.max() > 3
    peaks = make_peaks(HOW.advance_for(BLOCKS[0]))
    for row, (system, motion, scale) in enumerate(zip(*runs[:3], strict=True)):
        block, part = BLOCKS[system], slice(ground.first[motion], ground.first[motion] + 300)
        shaken = tuple(scale * values[part] for values in ground.accel)
        alone = peaks(HOW.start(block), HOW.parameters(block), shaken, 0.01)
        assert alone[0] == tuple(found.states[row])
        assert alone[5] == found.impacts[row]
        right, left = block.limits
        assert max(alone[2] / right, -alone[3] / left) == found.peak[row]


def test_no_runs_at_all_and_motions_without_an_interval():
    states, params, limits = tables()
    ground = Ground.of([rs.Motion(np.ones(2), 0.01)])._replace(count=np.array([1]))
    given = HOW.substeps_for(BLOCKS[0]), HOW.resting_for(BLOCKS[0])
    bodies = states, params, limits, np.array([After(False, 0, 0)])
    one = Runs(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1))
    found = follow_abreast(*given, bodies, ground, one)
    assert (found.samples[0], found.rests[0]) == (1, 1)
    assert tuple(found.states[0]) == tuple(states[0])
    none = Runs(*(column[:0] for column in one[:3]))
    assert len(follow_abreast(*given, bodies, ground, none).peak) == 0
