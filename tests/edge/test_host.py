"""The C kernels on this machine: the same bits as the Python ones, and hard to break."""

from __future__ import annotations

import ctypes
import dis
import inspect
import math
import re
import subprocess
from dataclasses import astuple, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.building import EDGE, Library, make, need, run, worst_error
from edge.vectors import SUBJECTS, Subject, single, write_header
from one_interval import make_stream
from rocksteady.bodies import Block
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.housner import rocking
from rocksteady.theories.housner.formulation import Housner
from rocksteady.theories.masonry import adhering, slipping
from rocksteady.theories.masonry import interface as masonry_step
from rocksteady.theories.masonry import motion as masonry_motion

KERNELS = sorted(SUBJECTS)
CASES = 1000
COMPILERS_OWN = {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"}  # Ubuntu's guards the stack
BAD_SAMPLE, BAD_STEP, BAD_STATE, BAD_PARAMS = -1, -2, -3, -4


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    need("make", "cc")
    out = tmp_path_factory.mktemp("library")
    make("library", out)
    return Library(out / "librocksteady-double.so")


@pytest.fixture(scope="module", params=KERNELS)
def vectors(request, tmp_path_factory):
    """(kernel, folder with its vectors.h): 1000 intervals and four motions of 15 s."""
    need("make", "cc")
    folder = tmp_path_factory.mktemp(request.param)
    write_header(folder, request.param, CASES, 1500)
    return request.param, folder


# -- one set of vectors -------------------------------------------------------------------------


def test_double_precision_gives_the_bits_of_python(vectors):
    kernel, folder = vectors
    make("host", folder)
    found = run([folder / "host-double"])
    assert found["cases.compared"] == CASES * (len(SUBJECTS[kernel].rest) + 6)
    assert found["cases.unequal"] == found["runs.unequal"] == 0
    assert found["cases.asymmetric"] == 0
    assert found["input.bad_accepted"] == 0


def test_single_precision_is_as_good_as_it_can_be(vectors):
    """Per interval, and after 1500 of them, where errors have grown; docs/edge.md has the table."""
    kernel, folder = vectors
    make("host", folder, REAL="float")
    found = run([folder / "host-float"])
    moves, energies = (range(2), range(3, 5)) if kernel == "housner" else (range(6), range(7, 10))
    assert found["cases.other_way"] == found["runs.other_way"] == 0  # same corner, same mode
    assert 1e-9 < worst_error(found, "cases", moves) < (1e-6 if kernel == "housner" else 1e-3)
    assert worst_error(found, "cases", energies) < (1e-5 if kernel == "housner" else 1e-2)
    # Rocking magnifies a rounding of 1e-7: over a dozen other motions of 15 s to anything between
    # 3e-7 and 0.14 of α where it ends. The peak comes earlier.
    assert worst_error(found, "runs", moves) < (0.1 if kernel == "housner" else 1e-3)
    assert found["runs.error.peak"] < 1e-3
    assert found["cases.asymmetric"] == 0
    assert found["input.bad_accepted"] == 0


def test_without_fused_operations_only_the_last_bits_differ(vectors):
    kernel, folder = vectors
    (folder / "plain").mkdir()
    make("host", folder / "plain", FUSED="0", VECTORS=str(folder))
    found = run([folder / "plain" / "host-double"])
    assert found["cases.unequal"] > 0
    assert found["cases.other_way"] == found["runs.other_way"] == found["cases.asymmetric"] == 0
    columns = range(5) if kernel == "housner" else range(10)
    assert worst_error(found, "cases", columns) < 1e-13
    assert found["runs.error.peak"] < 1e-10


@pytest.mark.parametrize("real", ["double", "float"])
def test_sanitizers_find_nothing(vectors, real):
    kernel, folder = vectors
    make("sanitized", folder, REAL=real)
    found = run([folder / f"sanitized-{real}"])  # a finding ends the program with an error
    assert found["cases.compared"] == CASES * (len(SUBJECTS[kernel].rest) + 6)


def test_a_wrong_vector_is_noticed(vectors):
    """The check itself can fail: change the last bits of one expected number."""
    _kernel, folder = vectors
    (folder / "wrong").mkdir()
    text = (folder / "vectors.h").read_text()
    start = text.index("runs[]")
    peak = f"(real){_first_peak(text[start:])}"
    wrong = text[:start] + text[start:].replace(peak, f"{peak} * (real)1.000000001", 1)
    (folder / "wrong" / "vectors.h").write_text(wrong)
    make("host", folder / "wrong")
    found = run([folder / "wrong" / "host-double"])
    assert found["runs.unequal"] == 1
    assert 1e-11 < found["runs.error.peak"] < 1.001e-9  # relative to the scale of the body


def _first_peak(rows: str) -> str:
    numbers = rows.split("{", 2)[2].split("}")[0].split(", ")
    return max((n.removeprefix("(real)") for n in numbers[-4:-2]), key=lambda n: abs(float(n)))


# -- how it is built ----------------------------------------------------------------------------


@pytest.mark.parametrize("real", ["double", "float"])
def test_strict_and_without_a_heap(tmp_path, real):
    """No warning, nothing from outside but libm (no malloc, no printf), no global variable."""
    need("make", "cc", "nm")
    make("strict", tmp_path, REAL=real, FUSED="0")
    make("strict", tmp_path, REAL=real)
    functions = {"housner": ("fma", "sqrt", "atan2"), "masonry": ("fma", "sqrt", "exp", "pow")}
    for source, names in functions.items():
        allowed = {*names, *(f"{name}f" for name in names)}
        listing = subprocess.run(
            ["nm", "-P", tmp_path / f"{source}-{real}.o"],
            capture_output=True,
            text=True,
            check=True,
        )
        symbols = [line.split()[:2] for line in listing.stdout.splitlines()]
        outside = {name for name, kind in symbols if kind == "U"} - COMPILERS_OWN
        assert outside <= allowed
        assert not [name for name, kind in symbols if kind in "bBdDC"]
        public = {name for name, kind in symbols if kind == "T"}
        assert public and all(name.startswith(source) for name in public)


def test_names_are_those_of_python():
    """Every kernel function of the Python step has its namesake (renamed: what libc already has;
    left out: what only other updates or analyses need, and the search of `numerics.roots`, which C
    writes out in place)."""
    renamed = {"sincos": "sine_of", "wait": "wait_for_uplift"}
    for source, step in (
        ("housner.c", housner.ADVANCE),
        ("housner.c", housner.ADVANCE.turning),
        ("masonry.c", masonry_motion.advance),
    ):
        text = (EDGE / source).read_text()
        names = _called(step, set())
        assert len(names) > 6
        for name in names - {"root", "within"}:
            if name.startswith("look"):
                continue
            assert f"{renamed.get(name, name)}(" in text, name


def test_constants_are_those_of_python():
    for source, modules in (
        ("housner.c", (rocking, housner)),
        ("masonry.c", (masonry_step, adhering, slipping)),
    ):
        text = (EDGE / source).read_text()
        defined = dict(re.findall(r"^#define (\w+) .*?(?:R|EITHER)\(([-0-9.e]+)[,)]", text, re.M))
        shared = {n: v for n in defined for m in modules if (v := getattr(m, n, None)) is not None}
        assert len(shared) >= 4
        assert {name: float(defined[name]) for name in shared} == shared


def _called(function, seen: set[str]) -> set[str]:
    """Names of all compiled functions that a compiled function calls, itself included."""
    plain = getattr(function, "py_func", function)
    name = plain.__name__
    if name not in seen:
        seen.add(name)
        inside = dict(plain.__globals__)
        for cell, variable in zip(plain.__closure__ or (), plain.__code__.co_freevars, strict=True):
            inside[variable] = cell.cell_contents
        globals_ = [i.argval for i in dis.get_instructions(plain) if i.opname == "LOAD_GLOBAL"]
        for called in (*globals_, *plain.__code__.co_freevars):
            value = inside.get(called)
            value = getattr(value, "py_func", value)
            if inspect.isfunction(value) and value.__module__.startswith("rocksteady"):
                _called(value, seen)
    return seen


# -- any input ----------------------------------------------------------------------------------

accelerations = st.floats(-20, 20)
steps = st.sampled_from([0.001, 0.004, 0.01, 0.05, 0.4])


@pytest.mark.parametrize("kernel", KERNELS)
@given(data=st.data())
@settings(max_examples=300)
def test_any_interval_equals_python_bit_for_bit(library, kernel, data):
    subject: Subject = SUBJECTS[kernel]
    params = data.draw(st.sampled_from([params for params, _ in subject.bodies]))
    dt = data.draw(steps)
    stream = make_stream(subject.advance)
    state = subject.rest
    a = data.draw(st.lists(accelerations, min_size=3, max_size=12))
    push = subject.strength(params) / 5
    for h0, h1 in pairwise(a):
        ground0, ground1 = (h0 * push, h1 / 4), (h1 * push, h0 / 4)
        expected, used, high, low, t_peak, impacts, event = stream(
            state, params, ground0, ground1, dt
        )
        if event == 6:  # Python gives up after 200 000 steps, C after 1000
            return
        got, extremes, code = library.interval(kernel, state, params, ground0, ground1, dt)
        if code == 6 and extremes.steps == 1000:
            return
        assert got == expected
        assert (code, extremes.used, extremes.impacts) == (event, used, impacts)
        assert (extremes.highest, extremes.lowest, extremes.t_peak) == (high, low, t_peak)
        if event >= 5:
            again = library.interval(kernel, got, params, ground0, ground1, dt)
            assert again[0] == got and again[2] == event  # what has fallen stays fallen
            return
        state = expected


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("ground0", "ground1", "dt", "error"),
    [
        ((math.nan, 0.0), (0.0, 0.0), 0.01, BAD_SAMPLE),
        ((0.0, 0.0), (math.inf, 0.0), 0.01, BAD_SAMPLE),
        ((0.0, 0.0), (0.0, 0.0), 0.0, BAD_STEP),
        ((0.0, 0.0), (0.0, 0.0), -0.01, BAD_STEP),
        ((0.0, 0.0), (0.0, 0.0), math.nan, BAD_STEP),
        ((math.nan, 0.0), (0.0, 0.0), math.nan, BAD_STEP),
    ],
)
def test_bad_input_is_refused_and_the_state_kept(library, kernel, ground0, ground1, dt, error):
    subject = SUBJECTS[kernel]
    params = subject.bodies[0][0]
    state = library.interval(kernel, subject.rest, params, (3.0, 0.0), (9.0, 0.0), 0.05)[0]
    assert state != subject.rest
    assert library.interval(kernel, state, params, ground0, ground1, dt)[::2] == (state, error)
    assert library.advance(kernel, state, params, ground0, ground1, dt) == (state, 0.0, error)


def test_what_housner_does_not_cover(library):
    """a_v ≤ −g, a side that is none, a vertical NaN."""
    subject = SUBJECTS["housner"]
    params, state = subject.bodies[0][0], subject.rest
    for v in (-params[0], -20.0, math.nan):
        assert library.interval("housner", state, params, (0, 0), (0, v), 0.01)[2] == BAD_SAMPLE
    assert (
        library.interval("housner", (0, 0, 0.5, 0, 0), params, (0, 0), (0, 0), 0.01)[2] == BAD_STATE
    )


def test_parameters_are_checked(library):
    for kernel in KERNELS:
        for params, _ in SUBJECTS[kernel].bodies:
            assert library.check(kernel, params) == 0
            for i in range(len(params)):
                for wrong in (-1.0, math.nan, math.inf):
                    changed = (*params[:i], wrong, *params[i + 1 :])
                    assert library.check(kernel, changed) == BAD_PARAMS
    adds_energy = list(SUBJECTS["housner"].bodies[0][0])
    adds_energy[5] = 1.01
    assert library.check("housner", adds_energy) == BAD_PARAMS


def test_free_rocking_in_float_neither_gains_nor_loses_energy(tmp_path):
    """Impacts without loss, no ground motion: energy stays. Rounding at random leaves an error of
    2e-6 after 4000 steps; with ω taken as a product with the rounded 1/dt, wrong by 6e-8 and always
    the same way, it was 1.3e-4."""
    need("make", "cc")
    make("library", tmp_path, REAL="float")
    library = Library(tmp_path / "librocksteady-float.so", ctypes.c_float)
    dt = single([0.0078])[0]
    dt = max(
        (float(np.float32(dt) * np.float32(1 + n * 2**-20)) for n in range(200)),
        key=lambda t: abs(t * float(np.float32(1 / t)) - 1),
    )
    assert abs(dt * float(np.float32(1 / dt)) - 1) > 5e-8
    block = Block(2.0, 0.4)
    params = list(single(Housner(eta=1.0).parameters(block)))
    params[1] *= 1e3  # the tolerance of float
    state, impacts = single((0.5 * block.right.alpha, 0, 1, 0, 0)), 0
    start = Housner().energy(block, np.array(state))
    for _ in range(4000):
        state, extremes, event = library.interval("housner", state, params, (0, 0), (0, 0), dt)
        impacts += extremes.impacts
        assert event in (0, 2, 3)
    assert impacts > 20
    assert Housner().energy(block, np.array(state)) == pytest.approx(start, rel=2e-5)


# -- what only C has ----------------------------------------------------------------------------


@pytest.mark.parametrize(("height", "width", "eta"), [(2.0, 0.4, 0), (1.0, 0.3, 0.9), (1, 1.6, 0)])
@pytest.mark.filterwarnings("ignore:The block is so stocky")
def test_a_rectangle_gets_the_parameters_of_python(library, height, width, eta):
    """Rounding aside; 1 × 1.6 m is so stocky that Housner's eta is zero."""
    block = Block(height, width, mass=700.0)
    params, error = library.rectangle(height, width, 700.0, eta, 9.81)
    assert error == 0
    assert params == pytest.approx(Housner(eta=eta or None).parameters(block), rel=1e-14)


@pytest.mark.parametrize(
    "numbers",
    [(0, 1, 1, 0, 9.81), (1, -1, 1, 0, 9.81), (1, 0.2, 1, 1.1, 9.81), (1, 0.2, math.nan, 0, 9.81)],
)
def test_an_impossible_rectangle_is_refused(library, numbers):
    assert library.rectangle(*numbers)[1] == BAD_PARAMS


def test_pushover(library):
    """Casalotti 2025, Table 1, 0 → 18 mm: 98.485 kN at 8.4526 mm, end τ = 4561.2, w = 0.20246
    (docs/formulations/masonry.md); bit for bit as in Python, reversals and collapse included."""
    params = astuple(MasonryBuilding.casalotti2025(mass=1.0))
    ramp = np.linspace(0, 0.018, 3001)
    point, curve = (0.0,) * 8, []
    for u in ramp:
        point, event = library.deform(point, params, u)
        curve.append(params[1] * point[1])
        assert event == 0
    peak = int(np.argmax(curve))
    assert curve[peak] == pytest.approx(98_485, abs=1)
    assert ramp[peak] == pytest.approx(8.4526e-3, abs=6e-6)
    assert point[1] == pytest.approx(4561.2, abs=0.1)
    assert point[4] == pytest.approx(0.20246, abs=1e-5)

    there_and_back = 0.03 * np.sin(np.linspace(0, 60, 600)) * np.linspace(0, 1, 600)
    ours = theirs = (0.0,) * 8
    for u in there_and_back:
        ours, event = library.deform(ours, params, u)
        theirs = masonry_step.deform(theirs, float(u), params)
        assert ours == theirs
    assert event == 5 and ours[1] == 0.0  # it has collapsed
    assert library.deform(ours, params, math.nan) == (ours, BAD_SAMPLE)


def test_a_brittle_building_breaks_as_in_python(library):
    """Bit for bit, pushed and shaken: softening eats up the springs inside a step."""
    house = MasonryBuilding.casalotti2025(mass=40e3)
    params = astuple(replace(house, wear_energy=0.02, stiffness=2e5))
    ours = theirs = (0.0,) * 8
    assert library.deform(ours, params, 0.0225) == (ours, 6)  # 1000 steps in a call are too few
    for u in np.linspace(0, 0.0225, 3000):
        ours, event = library.deform(ours, params, float(u))
        theirs = masonry_step.deform(theirs, float(u), params)
        assert ours == theirs
    assert event == 5 and 0.4 < ours[4] < 0.6  # broken, not worn out
    ours = theirs = (0.0,) * 10
    ground, event = (3.0, 0.0), 0
    while event != 5:
        ours, used, event = library.advance("masonry", ours, params, ground, ground, 0.01)
        assert (ours, used, event) == masonry_motion.advance(theirs, params, ground, ground, 0.01)
        theirs = ours
    assert 0.4 < ours[4] < 0.6 and ours[6] == 2.0


def test_numbers_that_go_in_are_single_precision():
    """So that one set of vectors serves float and double."""
    for subject in SUBJECTS.values():
        for params, scales in subject.bodies:
            assert params == single(params) and scales == single(scales)
