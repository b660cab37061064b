"""The loop over lanes is vector code on every processor, whichever one runs this."""

import hashlib
import os
import platform
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from llvmlite import binding as llvm
from numba.extending import intrinsic

import rocksteady as rs
from emitted import ALONE, PACKED, PROCESSORS, SVE, X86, Processor, count, written
from rocksteady.engine import gliding
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.lane_table import Layout
from rocksteady.numerics.cache import DriverCache
from rocksteady.numerics.decorators import vector_kernel
from rocksteady.numerics.fingerprint import fingerprint
from rocksteady.numerics.fusing import fma
from rocksteady.numerics.vectors import read_spaced, write_picked, write_spaced
from rocksteady.theories.contract import OVERTURN
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.masonry import motion as masonry

compiles = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
SIGNATURE = "void(float64[::1])"
KINDS = {
    "housner": (housner.GLIDE.attempt, Layout.of(5, 15, 2)),
    "masonry": (masonry.GLIDE.attempt, Layout.of(10, 9, 2)),
}
# Operations that an attempt needs at least: the series of Housner's block, which are fused; the
# oscillator of the masonry building, which are not.
LEAST = {"housner": {"fused": 40, "plain": 40}, "masonry": {"fused": 0, "plain": 100}}
NONE = {"fused": 0, "plain": 0}


def all_in_vectors(kind, code, scalable=False):
    packed, alone = count(PACKED, code), count(ALONE, code)
    enough = all(packed[what] >= least for what, least in LEAST[kind].items())
    leftover = scalable and all(alone[what] <= packed[what] / 2 for what in alone)
    return enough and (alone == NONE or leftover)


@pytest.fixture(scope="module")
def before_llvm():
    """The loop over lanes as LLVM gets it, for each kind of body."""
    with pytest.MonkeyPatch.context() as patch:
        return {
            kind: written(gliding.make_glide_all(*parts), SIGNATURE, patch)
            for kind, parts in KINDS.items()
        }


@compiles
@pytest.mark.parametrize("processor", PROCESSORS, ids=lambda it: f"{it.name}-{it.triple}")
@pytest.mark.parametrize("kind", KINDS)
def test_all_arithmetic_is_in_the_widest_vectors_of_the_processor(
    kind, processor, before_llvm, capfd
):
    if not processor.known:
        pytest.skip(f"LLVM {llvm.llvm_version_info[0]} does not know the {processor.name}")
    code = before_llvm[kind].emitted_for(processor)
    assert all_in_vectors(kind, code, processor.scalable)
    assert count({"registers": processor.vectors}, code)["registers"] > 200
    assert capfd.readouterr().err == ""  # LLVM warns where it could not do as it was told


@compiles
@pytest.mark.parametrize("kind", KINDS)
def test_without_fused_instructions_a_function_is_called_for_them(kind, before_llvm):
    """Slow, and still exact; the rest is done in vectors."""
    code = before_llvm[kind].emitted_for(Processor("x86-64", X86, "xmm"))
    called = count({"fma": r"\bcallq?\b.*|movabsq\s+\$fma\b"}, code)["fma"]
    assert called > LEAST[kind]["fused"]
    assert count(PACKED, code)["plain"] >= LEAST[kind]["plain"]
    assert count(ALONE, code) == NONE


@compiles
@pytest.mark.parametrize("kind", KINDS)
def test_all_arithmetic_is_in_vectors_in_the_code_that_runs_here(kind):
    glide_all = gliding.make_glide_all(*KINDS[kind])
    glide_all.compile(SIGNATURE)
    (code,) = glide_all.inspect_asm().values()
    if LEAST[kind]["fused"] and count(PACKED, code)["fused"] == count(ALONE, code)["fused"] == 0:
        pytest.skip("this processor has no fused operations")
    assert all_in_vectors(kind, code, scalable=bool(re.search(SVE, code)))


@compiles
@pytest.mark.parametrize("processor", PROCESSORS[::5], ids=lambda it: it.name)
def test_a_loop_that_is_left_scalar_is_noticed(processor, before_llvm):
    text = before_llvm["housner"].text
    scalar = text.replace('vectorize.enable", i1 true', 'vectorize.enable", i1 false')
    assert scalar != text
    code = replace(before_llvm["housner"], text=scalar).emitted_for(processor)
    assert not all_in_vectors("housner", code)
    assert count(ALONE, code)["fused"] > LEAST["housner"]["fused"]


# -- the same bits on all -------------------------------------------------------------------------

RUN = """
import sys
sys.path[:0] = sys.argv[1:]
from test_vectors import digest
print(digest())
"""
AVX2 = {"avx2", "bmi2", "fma", "movbe"}
AVX512 = AVX2 | {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}
NEEDS = {"x86-64": set(), "haswell": AVX2, "znver2": AVX2 | {"sse4a"}, "skylake-avx512": AVX512}


def digest():
    """Of what comes out of a few hundred runs."""
    rng, n, how = np.random.default_rng(1), 300, rs.Housner()
    sizes = zip(rng.uniform(0.8, 4, n), rng.uniform(0.08, 0.35, n), strict=True)
    blocks = [rs.Block.from_parameters(p=p, alpha=alpha) for p, alpha in sizes]
    knots = 9.81 * rng.standard_normal(60)
    motion = rs.Motion(np.interp(np.arange(600), 10 * np.arange(60), knots), 0.01)
    got = batch_peaks(
        housner.ADVANCE,
        np.array([how.start(block) for block in blocks]),
        np.array([how.parameters(block) for block in blocks]),
        Ground.of([motion]),
        Runs(np.arange(n), np.zeros(n, dtype=int), 0.7 * np.tan([b.alpha for b in blocks])),
        glide=housner.GLIDE,
    )
    assert 0.1 < np.mean(got.event == OVERTURN) < 0.9 and got.impacts.sum() > n
    return hashlib.sha256(b"".join(np.ascontiguousarray(c).tobytes() for c in got)).hexdigest()


@compiles
@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="for x86-64")
@pytest.mark.parametrize("cpu", NEEDS)
def test_the_bits_are_those_of_other_processors(cpu, tmp_path):
    """Code for other processors as far as this one can run it."""
    here = {name for name, there in llvm.get_host_cpu_features().items() if there}
    if missing := NEEDS[cpu] - here:
        pytest.skip(f"this processor has no {', '.join(sorted(missing))}")
    env = {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, Path(__file__).parents[:2])],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest()


def test_compiled_drivers_of_different_processors_have_files_of_their_own():
    """A home folder may be shared by several machines."""

    def name(*processor):
        cache = DriverCache(digest, "same")
        cache._index_key((), SimpleNamespace(magic_tuple=lambda: processor))
        return Path(cache._cache_file._index_path).name

    one = name("x86_64", "znver4", "+avx512f")
    assert one == name("x86_64", "znver4", "+avx512f")
    assert one not in (name("x86_64", "haswell", "+avx512f"), name("x86_64", "znver4", ""))
    assert one != name("arm64", "znver4", "+avx512f")


# -- the parts ------------------------------------------------------------------------------------


@vector_kernel(6)
def lift(table, i):
    """The largest of three numbers that lie six apart, and their sum, in place of the first two."""
    a, b, c = read_spaced(table, i, 6, (0.0, 0.0, 0.0))
    larger = a if a > b else b
    write_spaced(table, i, 6, (larger if larger > c else c, a + b + c))


def test_a_vector_kernel_does_all_of_them():
    table = np.random.default_rng(0).standard_normal(24)
    expected = table.reshape(4, 6).copy()
    a, b, c, _ = table.reshape(4, 6).copy()
    expected[0], expected[1] = np.maximum(np.maximum(a, b), c), a + b + c
    lift(table)
    np.testing.assert_array_equal(table.reshape(4, 6), expected)


@vector_kernel(4)
def from_whole_numbers(table, i):
    a, _ = read_spaced(table, i, 4, (0.0, 0.0))
    write_spaced(table, i, 4, (a / 2, 7))


def test_numbers_are_converted_to_those_of_the_table():
    table = np.arange(8) * 2
    from_whole_numbers(table)
    np.testing.assert_array_equal(table, [0, 1, 2, 3, 7, 7, 7, 7])


@compiles
def test_a_table_with_gaps_is_refused():
    with pytest.raises(numba.TypingError, match="contiguous array of one dimension"):
        from_whole_numbers(np.zeros(16)[::2])


@compiles
def test_what_depends_on_the_last_one_is_still_right(capfd):
    """Then LLVM refuses, and says so."""

    @vector_kernel(6)
    def add_up(table, i):
        table[i + 1] += table[i]

    table = np.ones(7)
    add_up(table)
    np.testing.assert_array_equal(table, np.arange(1, 8))
    assert "loop not vectorized" in capfd.readouterr().err


@compiles
def test_a_driver_with_another_intrinsic_is_another_driver():
    def make(operation):
        def driven(a, b, c):
            return operation(a, b, c)

        return driven

    def fused(context, a, b, c):
        return fma._defn(context, a, b, c)

    again = intrinsic(fused)
    assert fingerprint(make(fma)) == fingerprint(make(fma)) != fingerprint(make(again))


@pytest.mark.parametrize("count", [1, 5, 16])
def test_what_is_picked_from_many_places_is_written_as_one_row(count):
    """Of any length, wherever it begins, and nothing beside it."""
    like, rng = (0.0,) * count, np.random.default_rng(count)
    values, at = rng.standard_normal(100), rng.integers(0, 90, 20)
    table = rng.standard_normal(60)
    expected = table.copy()
    expected[3 : 3 + count] = table[41 : 41 + count] * values[at[:count] + 7]

    @numba.njit
    def pick(table, values, at):
        write_picked(table, 3, 41, values, at, 7, like)

    pick(table, values, at)
    np.testing.assert_array_equal(table, expected)
