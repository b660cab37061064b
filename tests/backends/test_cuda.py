"""The GPU gives what the CPU gives. What needs a GPU is skipped, with the reason, where none is."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest

import sledge
from rocksteady.bodies import Block, Body
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.engine import batch
from rocksteady.engine.cuda import batch as cuda
from rocksteady.engine.cuda import layout as cuda_layout
from rocksteady.engine.cuda.single import in_single
from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.rest import Boxes
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from rocksteady.theories.housner import Housner
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.masonry import motion as masonry_motion
from rocksteady.theories.masonry.formulation import Masonry
from rocksteady.theories.spatial.formulation import Spatial
from rocksteady.theories.springs.formulation import RigidBodySpring

ABLE, WHY = cuda.available()
needs_gpu = pytest.mark.skipif(not ABLE, reason=WHY)
HOUSNER = {"advance": housner.ADVANCE, "glide": housner.GLIDE}
DT = 0.01


def shaking(samples, seed=1):
    """Straight lines between random values 0.08 s apart, dying away; largest value 1."""
    knots = np.random.default_rng(seed).standard_normal(samples // 8 + 2)
    accel = np.interp(np.arange(samples), 8 * np.arange(len(knots)), knots)
    return accel * np.exp(-2 * np.arange(samples) / samples) / np.abs(accel).max()


def blocks(n, seed=0):
    """Housner's parameters of n rectangles, p 0.8–4, α 0.08–0.35."""
    rng = np.random.default_rng(seed)
    how = Housner()
    pairs = zip(rng.uniform(0.8, 4, n), rng.uniform(0.08, 0.35, n), strict=True)
    return np.array([how.parameters(Block.from_parameters(p=p, alpha=a)) for p, a in pairs])


def mixed(n, samples=3001, bodies=2000):
    """Runs of which many strike often, come to rest or fall; three motions, one with vertical."""
    rng = np.random.default_rng(2)
    ground = Ground.of(
        [
            Motion(shaking(samples), DT),
            Motion(shaking(samples // 2, 3), DT, vertical=0.3 * shaking(samples // 2, 4)),
            Motion(shaking(samples // 3, 5), 2 * DT),
        ]
    )
    runs = Runs(rng.integers(0, bodies, n), rng.integers(0, 3, n), rng.uniform(-8, 8, n))
    return {"states": np.zeros((bodies, 5)), "params": blocks(bodies), "ground": ground} | {
        "runs": runs,
        **HOUSNER,
    }


def peaks(found):
    return np.maximum(found.highest, -found.lowest)


def equal(one, other):
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


# -- without a GPU ---------------------------------------------------------------------------------


@pytest.mark.skipif(ABLE, reason="there is a GPU here")
def test_without_a_gpu_it_says_what_to_do():
    with pytest.raises(InputError, match=r'GPU|numba-cuda.*backend="cpu"'):
        cuda.batch_peaks(**mixed(4, samples=100, bodies=4))


def test_import_asks_for_no_gpu_library():
    code = (
        "import sys, rocksteady.engine.cuda.batch; "
        "print([m for m in ('numba.cuda', 'dask', 'pydantic', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_attempt_gives_the_bits_of_step():
    """Along real trajectories, where an attempt succeeds it is what a step gives, bit for bit, and
    nothing happens on the way but a turn no further out than it says."""
    from rocksteady.engine.drivers import make_trace

    trace, a_h = make_trace(housner.ADVANCE), shaking(800)
    a_v, attempt, step = 0.3 * shaking(800, 3), housner.GLIDE.attempt, housner.GLIDE.step
    tried = accepted = passed = 0
    for row, scale in zip(blocks(60), np.linspace(1, 8, 60), strict=True):
        params, states = tuple(row), np.empty((800, 5))
        rows, _, _ = trace((0.0,) * 5, params, (scale * a_h, scale * a_v), DT, 0.0, states)
        for i in range(rows - 2):
            ground = [(scale * a_h[j], scale * a_v[j]) for j in (i, i + 1)]
            given = (tuple(states[i]), params, *ground, DT)
            after, reach, ok = attempt(*given, 1 / DT)
            tried, accepted = tried + 1, accepted + ok
            if ok:
                exact, used, event = step(*given)
                assert used == DT and event == 0
                assert after[:3] == exact[:3] and after[4] == exact[4]
                if given[0][1] * after[1] < 0:
                    passed += 1
                    t, coordinate = step.turning(*given, DT)
                    assert 0 < t < DT
                    assert max(abs(given[0][0]), abs(after[0])) <= abs(coordinate) <= reach
    assert accepted > 0.2 * tried and passed > 50


def test_attempt_goes_on_from_a_turning_point_and_from_the_ground():
    params, attempt = tuple(blocks(1)[0]), housner.GLIDE.attempt
    still = ((0.0, 0.0), (0.1, 0.0), DT)
    for state in ((0.02, 0.0, 1.0, 0.0, 0.0), (0.0, -0.3, -1.0, 0.0, 0.0)):
        after, _, ok = attempt(state, params, *still, 1 / DT)
        exact, used, event = housner.ADVANCE(state, params, *still)
        assert ok and used == DT and event == 0 and after[:3] == exact[:3]
    for state in ((0.0, 0.3, -1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0)):  # it strikes; it rests
        assert not attempt(state, params, *still, 1 / DT)[2]


@pytest.mark.parametrize("n", [0, 1, cuda.CHUNK, 3 * cuda.CHUNK + 1, 1 << 22, 100_000_000])
def test_chunks_follow_one_another_small_at_both_ends(n):
    parts = cuda.chunks(n, cuda.CHUNK)
    assert [start for start, _ in parts] == [0, *(stop for _, stop in parts)][: len(parts)]
    sizes = [stop - start for start, stop in parts]
    assert sum(sizes) == n and max(sizes, default=0) <= cuda.LARGEST_CHUNK
    if n >= 2 * cuda.CHUNK:
        assert sizes[0] == cuda.CHUNK <= min(sizes) and sizes[-1] < 2 * cuda.CHUNK


def test_boxes_hold_every_sample_and_no_more():
    ground = mixed(1)["ground"]
    first, boxes, tails = Boxes.of(ground, cuda_layout.BLOCK)
    for m, (start, count) in enumerate(zip(ground.first, ground.count, strict=True)):
        for b in range((count - 2) // cuda_layout.BLOCK + 1):
            i = start + b * cuda_layout.BLOCK
            inside = slice(i, min(i + cuda_layout.BLOCK + 1, start + count))
            for table, part in ((boxes, inside), (tails, slice(i, start + count))):
                a_h, a_v = (values[part] for values in ground.accel)
                assert [*table[first[m] + b]] == [a_h.min(), a_h.max(), a_v.min(), a_v.max()]
    assert len(boxes) == len(tails) == first[-1] + (ground.count[-1] - 2) // cuda_layout.BLOCK + 1


def test_parameters_with_arrays_are_laid_out():
    rows = [(1.0, np.array([1.0, 2.0]), 3.0), (4.0, np.array([5.0]), 6.0)]
    table = cuda_layout.tabulate(rows)
    assert table.kinds == (False, True, False)
    assert table.numbers.tolist() == [[1, 3], [4, 6]]
    assert table.lengths.tolist() == [[2], [1]]
    assert table.arrays.tolist() == [[[1, 2]], [[5, 0]]]


def test_parameters_with_arrays_come_by_run_or_by_body():
    """A list as long as the runs has an entry per run, as in `batch.batch_peaks`."""
    states, entry = np.array([[0.0, 1.0], [2.0, 3.0]]), (1.0, np.ones(2))
    runs = Runs(np.array([1, 0, 1]), np.zeros(3, dtype=np.int64), np.ones(3))
    rows, numbered = cuda_layout.by_run(states, [entry] * 3, runs)
    assert rows.tolist() == [[2, 3], [0, 1], [2, 3]]
    assert numbered.system.tolist() == [0, 1, 2]
    for params in ([entry] * 2, np.ones((3, 2))):
        rows, numbered = cuda_layout.by_run(states, params, runs)
        assert rows is states and numbered is runs


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"precision": "half"}, "choose from"),
        ({"runs": Runs(np.array([4]), np.array([0]), np.ones(1))}, "system number"),
        ({"runs": Runs(np.array([0]), np.array([-1]), np.ones(1))}, "motion number"),
        ({"states": np.zeros((3, 5))}, "3 start states and 4 rows"),
    ],
)
def test_bad_input(monkeypatch, change, said):
    monkeypatch.setattr(cuda, "available", lambda: (True, "pretended"))
    with pytest.raises(InputError, match=said):
        cuda.batch_peaks(**mixed(4, samples=100, bodies=4) | change)


def test_single_precision_refuses_a_bed_of_springs(monkeypatch):
    monkeypatch.setattr(cuda, "available", lambda: (True, "pretended"))
    with pytest.raises(InputError, match="float64"):
        cuda.batch_peaks(**beds(4), precision="float32")


def test_a_step_in_single_precision():
    """Everything in it is single: Numba would make one double number spoil all others."""
    f = np.float32
    params, state = blocks(1)[0], (0.02, 0.1, 1.0, 0.0, 0.0)
    single = in_single(housner.ADVANCE)
    given = (f(0.5), f(0)), (f(0.7), f(0)), f(DT)
    after, _used, event = single(tuple(map(f, state)), tuple(map(f, params)), *given)
    exact = housner.ADVANCE(state, tuple(params), (0.5, 0.0), (0.7, 0.0), DT)
    returned = str(single.nopython_signatures[0].return_type)
    assert "float64" not in returned and "float32" in returned
    assert event == exact[2] and after[:3] == pytest.approx(exact[0][:3], rel=1e-5)


def sledges(n, samples=900):
    """Runs of a theory of three components that slide, rest and slide again."""
    rng = np.random.default_rng(6)
    how, block = sledge.Sledge(), Block(1.0, 0.5)
    every = [3 * shaking(samples // k, 7 + k) for k in (1, 2, 3)]
    motions = [
        Motion(a, DT, vertical=0.3 * np.roll(a, 40), transverse=np.roll(a, 20)) for a in every
    ]
    return {
        "advance": sledge.advance,
        "glide": how.glide_for(block),
        "states": np.array([how.start(block, 0.0, v, 70.0) for v in (0.0, 1.0)]),
        "params": np.array([how.parameters(block)] * 2),
        "ground": Ground.of(motions, how.components),
        "runs": Runs(rng.integers(2, size=n), rng.integers(3, size=n), rng.uniform(0.2, 2, n)),
    }


def statues(bodies, samples, scales, seed=1, **start):
    """Runs in space on edges and corners, of bodies with three or four corners."""
    rng, how = np.random.default_rng(seed), Spatial()
    made = [Body.box(*rng.uniform(0.3, 0.6, 2), rng.uniform(1.2, 2.0)) for _ in range(bodies)]
    made += [Body.prism(polygon(n, rng), 1.6) for n in (3, 4)]
    motions = [
        Motion(
            5 * shaking(samples, 11 + k),
            DT,
            transverse=4 * shaking(samples, 21 + k),
            vertical=1.5 * shaking(samples, 31 + k),
        )
        for k in range(3)
    ]
    grid = np.meshgrid(np.arange(len(made)), np.arange(3), scales, indexing="ij")
    return {
        "advance": how.advance_for(made[0]),
        "glide": how.glide_for(made[0]),
        "states": np.array([how.start(body, **start) for body in made]),
        "params": np.array([how.parameters(body) for body in made]),
        "ground": Ground.of(motions, how.components),
        "runs": Runs(*(column.ravel() for column in grid)),
    }


def polygon(corners, rng):
    """On a circle, at irregular angles."""
    angles = 2 * np.pi * (np.arange(corners) + rng.uniform(-0.2, 0.2, corners)) / corners
    return 0.3 * np.column_stack([np.cos(angles), np.sin(angles)])


def same_but_lowest(one, other):
    """All columns are equal; a GPU does not look at every sample for the smallest lean, which is
    never below zero."""
    return equal(one._replace(lowest=other.lowest), other)


@pytest.mark.slow
def test_simulated_loops_equal_the_cpu():
    """Numba's simulator runs the loops as Python, around the CPU's functions: bit for bit."""
    code = """
        import numpy as np
        from rocksteady.engine import batch
        from rocksteady.engine.cuda import batch as cuda, slots
        from test_cuda import equal, mixed, same_but_lowest, sledges, statues, town
        given = mixed(8, samples=600, bodies=8)
        cuda.CHUNK, slots.BUFFER_BYTES = 2, 130  # a row of parameters at a time
        for most, case in ((1, given), (8, given | {"glide": None}), (8, town(8, samples=600))):
            cuda.FEW_BODIES = cuda.MOST_BODIES = most  # whose tables are sent at once
            calls = []
            one = cuda.batch_peaks(**case, progress=lambda done, n: calls.append((done, n)))
            assert calls[0] == (0, 8)  # begun
            assert calls[1:] == [(0, 8), (2, 8), (4, 8), (6, 8), (8, 8)]  # before the last chunk
            other = batch.batch_peaks(**case)
            assert equal(one, other)
            assert other.impacts.sum() > 20 or np.max(other.states[:, 4]) > 0
        given = sledges(8, samples=600)
        for case in (given, given | {"glide": None}):
            one, other = cuda.batch_peaks(**case), batch.batch_peaks(**case)
            assert equal(one, other) and 0 < other.highest.min() and np.ptp(other.states[:, 3]) > 0
        given = statues(1, 250, [0.6, 1.0])
        one, other = cuda.batch_peaks(**given), batch.batch_peaks(**given)
        assert same_but_lowest(one, other) and other.impacts.sum() > 100
    """
    folder = os.path.dirname(__file__)  # noqa: PTH120
    path = os.pathsep.join([folder, *sys.path])
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=env, check=True)


# -- with one --------------------------------------------------------------------------------------


@needs_gpu
def test_bits_equal_the_cpu():
    """Every product and sum is said to be fused or not (`fusing.fuse`), and nothing else is left
    to a compiler: so 10⁵ runs with their hundreds of impacts come out the same to the last bit."""
    given = mixed(100_000)
    gpu, cpu = cuda.batch_peaks(**given), batch.batch_peaks(**given)
    assert 0.1 < np.mean(cpu.event >= 5) < 0.9 and np.mean(cpu.impacts) > 10
    assert equal(gpu, cpu)


@needs_gpu
@pytest.mark.parametrize("glides", [True, False])
def test_three_components_give_the_bits_of_the_cpu(glides):
    given = sledges(20_000) | ({} if glides else {"glide": None})
    assert equal(cuda.batch_peaks(**given), batch.batch_peaks(**given))


@needs_gpu
@pytest.mark.parametrize(
    ("scales", "start"), [(6300, {}), (400, {"theta0": 0.05, "direction": 35.0})]
)
def test_bodies_in_space_have_the_bits_of_the_cpu(scales, start):
    """Some rest, some fall and most strike often. The first are more than all blocks of an H200
    have at a time."""
    given = statues(30, 1501, np.linspace(0.2, 1.4, scales), **start)
    gpu, cpu = cuda.batch_peaks(**given), batch.batch_peaks(**given)
    assert 0.01 < np.mean(cpu.event >= 5) < 0.9 and np.mean(cpu.impacts) > 20
    assert same_but_lowest(gpu, cpu)


@needs_gpu
def test_few_bodies_in_space_have_the_bits_of_the_cpu():
    """Fewer than a block has threads, and one alone."""
    for scales in (np.linspace(0.2, 1.4, 10), [1.0]):
        given = statues(1, 1501, scales)
        assert same_but_lowest(cuda.batch_peaks(**given), batch.batch_peaks(**given))


@needs_gpu
@pytest.mark.parametrize("rolling", ["restrained", "free"])
def test_round_bases_have_the_outcomes_of_the_cpu(rolling):
    """Their step is not fused throughout, so last bits may differ, and chaotic runs then do."""
    body, how = Body.cylinder(0.45, 1.8), Spatial(rolling=rolling)
    given = statues(1, 1501, np.linspace(0.2, 1.0, 200))
    given |= {"advance": how.advance_for(body), "glide": None}
    given |= {"states": np.array([how.start(body)]), "params": np.array([how.parameters(body)])}
    given["runs"] = given["runs"]._replace(system=0 * given["runs"].system)
    gpu, cpu = cuda.batch_peaks(**given), batch.batch_peaks(**given)
    assert np.mean((gpu.event >= 5) == (cpu.event >= 5)) > 0.95
    stand = (gpu.event < 5) & (cpu.event < 5)
    assert np.median(np.abs(peaks(gpu) - peaks(cpu))[stand]) < 1e-9


@needs_gpu
def test_same_bits_for_any_order_and_chunk(monkeypatch):
    given = mixed(20_000)
    one = cuda.batch_peaks(**given)
    order = np.random.default_rng(0).permutation(20_000)
    other = cuda.batch_peaks(**given | {"runs": Runs(*(c[order] for c in given["runs"][:3]))})
    assert equal((column[order] for column in one), other)
    monkeypatch.setattr(cuda, "CHUNK", 3000)
    monkeypatch.setattr(cuda, "MOST_BODIES", 100)
    assert equal(one, cuda.batch_peaks(**given))
    by_run = given["runs"]._replace(system=np.arange(20_000))  # each with a body of its own
    tables = {name: given[name][given["runs"].system] for name in ("states", "params")}
    monkeypatch.setattr(cuda, "FEW_BODIES", 100)
    assert equal(one, cuda.batch_peaks(**given | tables | {"runs": by_run}))


@needs_gpu
def test_record_too_long_for_shared_memory():
    given = mixed(2000, samples=9001)
    assert equal(cuda.batch_peaks(**given), batch.batch_peaks(**given))


def buildings(n):
    """Parameters of the paper's building, scattered."""
    params = np.tile(Masonry().parameters(MasonryBuilding.casalotti2025(mass=40e3)), (n, 1))
    params[:, 1:7] *= np.exp(0.1 * np.random.default_rng(1).standard_normal((n, 6)))
    return params


def town(n, samples=1501):
    scale = np.random.default_rng(4).uniform(1, 4, n)
    return {
        "advance": masonry_motion.advance,
        "glide": masonry_motion.GLIDE,
        "states": np.zeros((n, 10)),
        "params": buildings(n),
        "ground": Ground.of([Motion(shaking(samples), DT)]),
        "runs": Runs(np.arange(n), np.zeros(n, dtype=np.int64), scale),
    }


@needs_gpu
def test_masonry_equals_the_cpu():
    given = town(20_000)
    gpu, cpu = cuda.batch_peaks(**given), batch.batch_peaks(**given)
    assert np.mean(cpu.states[:, 4] > 0) > 0.3  # worn
    assert np.mean((gpu.event >= 5) == (cpu.event >= 5)) > 0.999
    off = np.abs(peaks(gpu) - peaks(cpu)) / peaks(cpu)
    assert np.percentile(off, 95) < 1e-10


def beds(n):
    rng, how = np.random.default_rng(3), NumericalDissipation(dt=DT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        some = [Block(h, h / rng.uniform(4, 9)) for h in rng.uniform(1.5, 4.5, n)]
        params = [how.parameters(block) for block in some]
    scale = 9.81 * np.tan([block.alpha for block in some]) * rng.uniform(0.9, 1.6, n)
    return {
        "advance": how.advance_for(some[0]),
        "states": np.array([how.start(block) for block in some]),
        "params": params,
        "ground": Ground.of([Motion(shaking(1501), DT)]),
        "runs": Runs(np.arange(n), np.zeros(n, dtype=np.int64), scale),
    }


def springs(n):
    rng, how = np.random.default_rng(6), RigidBodySpring(K=1e7)
    some = [Block(h, h / rng.uniform(4, 7)) for h in rng.uniform(1.5, 3, n)]
    scale = 9.81 * np.tan([block.alpha for block in some]) * rng.uniform(0.9, 1.6, n)
    return {
        "advance": how.advance_for(some[0]),
        "states": np.array([how.start(block, 0.0, 0.0) for block in some]),
        "params": np.array([how.parameters(block) for block in some]),
        "ground": Ground.of([Motion(shaking(801), DT)]),
        "runs": Runs(np.arange(n), np.zeros(n, dtype=np.int64), scale),
    }


@needs_gpu
def test_bodies_with_arrays_equal_the_cpu():
    given = beds(500)
    gpu = cuda.batch_peaks(**given)
    again = cuda.batch_peaks(**given)
    assert equal(gpu, again)  # what a run remembers does not leak into the next
    cpu = batch.batch_peaks(**given)
    assert np.mean((gpu.event >= 5) == (cpu.event >= 5)) > 0.98
    stand = (gpu.event < 5) & (cpu.event < 5)
    off = np.abs(peaks(gpu) - peaks(cpu))[stand]
    assert np.percentile(off, 50) < 1e-6 and np.median(peaks(cpu)) > 1e-3
    more = np.abs(gpu.impacts - cpu.impacts)[stand]
    assert np.mean(more == 0) > 0.5 and np.median(cpu.impacts) > 5


@needs_gpu
def test_impacts_on_springs_are_those_of_the_cpu():
    """Counted in the step, which both run. A run in which rounding has grown to another swing may
    differ by some."""
    given = springs(500)
    gpu, cpu = cuda.batch_peaks(**given), batch.batch_peaks(**given)
    stand = (gpu.event < 5) & (cpu.event < 5)
    assert cpu.impacts[stand].sum() > 200
    assert np.mean((gpu.impacts == cpu.impacts)[stand]) > 0.9


@needs_gpu
def test_single_precision_is_close():
    given = mixed(20_000)
    single, double = cuda.batch_peaks(**given, precision="float32"), cuda.batch_peaks(**given)
    stand = (single.event < 5) & (double.event < 5)
    off = np.abs(peaks(single) - peaks(double))[stand]
    assert np.percentile(off, 50) < 1e-5
    assert abs(np.mean(single.event >= 5) - np.mean(double.event >= 5)) < 0.005


@needs_gpu
def test_a_loop_is_compiled_once_for_all_processes(tmp_path):
    """A second process that may not compile finds the loop on disk, and gets the same bits."""
    code = """
        import sys
        import numpy as np
        from rocksteady.engine.cuda import batch as cuda
        from test_cuda import mixed
        if sys.argv[1] == "second":
            sys.modules["numba.cuda"] = None  # cannot be imported
        found = cuda.batch_peaks(**mixed(500, samples=400))
        np.save(sys.argv[1], np.vstack([found.states.T, *found[1:]]))
    """
    folder = os.path.dirname(__file__)  # noqa: PTH120
    path = os.pathsep.join([folder, *(str(Path(entry).resolve()) for entry in sys.path)])
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}
    for name in ("first", "second"):
        command = [sys.executable, "-c", textwrap.dedent(code), name]
        subprocess.run(command, env=env, cwd=tmp_path, check=True)
    first, second = (np.load(tmp_path / f"{name}.npy") for name in ("first", "second"))
    assert np.array_equal(first, second, equal_nan=True)


@needs_gpu
def test_nothing_to_do():
    given = mixed(4) | {"runs": Runs(*(np.zeros(0, dtype=t) for t in (int, int, float)))}
    assert len(cuda.batch_peaks(**given).time) == 0
