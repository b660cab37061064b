"""Many runs at once give what each gives alone, bit for bit, labelled and in any order."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import warnings

import numba
import numpy as np
import pytest
import xarray
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis.shares.summary import of_dataset
from rocksteady.ensembles import plan, run
from rocksteady.ensembles.api import ensemble
from rocksteady.ensembles.outcome import empty, quantities, write_response
from rocksteady.ensembles.shake import shake
from rocksteady.ensembles.study import Study

# `simulate` adds the start of a piece of still ground to each time in another order than a batch
# can: (start + i dt) + t against start + (i dt + t). One rounding, in times after the motion only.
TIMES = ("time_of_peak", "time_of_overturning", "time_of_collapse")


def shaking(seed, samples=400, dt=0.02, pga=5.0, vertical=False, name=""):
    """Noise with most of its power below 5 Hz."""
    rng = np.random.default_rng(seed)

    def noise(peak):
        knots = rng.standard_normal(samples // 5 + 2)
        smooth = np.interp(np.arange(samples), 5 * np.arange(len(knots)), knots)
        return smooth * peak / np.abs(smooth).max()

    return rs.Motion(noise(pga), dt, noise(2.0) if vertical else None, name=name)


def blocks(count, seed=0):
    rng = np.random.default_rng(seed)
    return [
        rs.Block.from_parameters(p=p, alpha=alpha)
        for p, alpha in zip(rng.uniform(0.8, 4, count), rng.uniform(0.08, 0.3, count), strict=True)
    ]


def leaning_blocks(count, seed=0):
    """Asymmetric: the two sides differ in α and p."""
    rng = np.random.default_rng(seed)
    return [
        rs.Block(height=height, width=0.4, offset=offset)
        for height, offset in zip(
            rng.uniform(1, 3, count), rng.uniform(-0.1, 0.1, count), strict=True
        )
    ]


MOTIONS = (
    shaking(1),
    shaking(2, samples=300, dt=0.01, vertical=True),
    shaking(3, samples=701, dt=0.005),
    rs.pulses.sine(amplitude=4.0, period=0.8),  # peaks and falls come after its end
)
SPRINGS = rs.RigidBodySpring()
BUILDINGS = [
    rs.MasonryBuilding.casalotti2025(mass, damping) for mass in (20e3, 40e3) for damping in (0, 2e4)
]
TANK = rs.FlexibleOscillator(
    height=10.0, width=2.0, top_mass=1e4, base_mass=2e4, column_mass=1e4, natural_frequency=5.0
)


def singly(study):
    """The same numbers by `simulate`, a run at a time."""
    columns = empty(quantities(study), len(study))
    for i in range(len(study)):
        system, motion = study.run(i)
        response = rs.simulate(system, motion, study.formulation, until=study.until)
        write_response(study, response, columns, i)
    return columns


def bits(values):
    """As they are stored: −0 is not 0."""
    return values.view(np.int64) if values.dtype == np.float64 else values


def assert_same(got, want):
    for name, expected in want.items():
        found = got[name]
        if name in TIMES:  # nan where it did not happen
            assert np.array_equal(found, expected, equal_nan=True), name
        else:
            assert bits(found).tolist() == bits(expected).tolist(), name


# -- the same numbers --------------------------------------------------------------------------


@pytest.mark.parametrize("until", ["rest", "motion"])
@pytest.mark.parametrize(
    ("systems", "motions", "formulation"),
    [
        (blocks(20), MOTIONS, rs.Housner()),
        (leaning_blocks(12), MOTIONS, rs.Housner()),
        (blocks(10), MOTIONS[::2], rs.Housner(slender=True)),
        (blocks(6), MOTIONS, rs.Nonsmooth()),
        (leaning_blocks(6), MOTIONS, rs.Nonsmooth(epsilon=0.3, friction=0.4)),
        (blocks(4), MOTIONS, rs.ComplexPotential()),
        (blocks(2), MOTIONS[1:3], rs.ComplexPotential(variant="paper")),
        (BUILDINGS, MOTIONS, rs.Masonry()),
        (BUILDINGS[:2], MOTIONS, rs.Masonry(update="explicit")),
        ([TANK], MOTIONS[:3:2], rs.Nonsmooth()),
        (blocks(2, seed=5), MOTIONS[::3], rs.RigidBodySpring()),
        ([rs.Block(height=3.0, width=0.5)], MOTIONS[::3], rs.NumericalDissipation()),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_equals_single_runs(systems, motions, formulation, until):
    study = Study.of(systems, motions, formulation, scales=[0.3, 0.7, 1.3], until=until)
    want = singly(study)
    assert_same(shake(study, np.arange(len(study))), want)
    assert want["peak"].max() > 0.1  # something moved


def test_some_fall_some_rest_some_move_on():
    """The comparison above means something: every outcome occurs."""
    data = ensemble(blocks(20), MOTIONS, scales=[0.3, 1.3], until="motion", progress=False)
    codes = {rs.Status[value.upper()]: i for i, value in enumerate(meanings(data))}
    seen = np.unique(data.status)
    for status in (rs.Status.AT_REST, rs.Status.MOVING, rs.Status.OVERTURNED):
        assert codes[status] in seen


def meanings(data):
    return data.status.attrs["flag_meanings"].split()


@settings(max_examples=10)
@given(
    p=st.floats(0.8, 4),
    alpha=st.floats(0.05, 0.6),
    offset=st.floats(-0.3, 0.3),
    scale=st.floats(-3, 3),
    seed=st.integers(0, 100),
)
def test_any_block_equals_its_single_run(p, alpha, offset, scale, seed):
    plain = rs.Block.from_parameters(p=p, alpha=alpha)
    block = dataclasses.replace(plain, offset=offset * plain.width, inertia=None, mass=None)
    study = Study.of(block, shaking(seed, samples=200), scales=scale)
    assert_same(shake(study, np.arange(1)), singly(study))


def test_mirrored_ground_gives_mirrored_blocks():
    """θ → −θ: the same peak for a motion and its mirror image, and for the mirrored block."""
    lean = leaning_blocks(8)
    mirrored = [dataclasses.replace(block, offset=-block.offset) for block in lean]
    motion = shaking(4)
    one = ensemble(lean, motion, scales=[0.5, 1.0], progress=False)
    two = ensemble(mirrored, motion.mirrored(), scales=[0.5, 1.0], progress=False)
    for name in ("peak", "time_of_peak", "status", "impacts"):
        assert np.array_equal(one[name], two[name])


@pytest.mark.parametrize("seconds", [1e-9, 1e-3, 1e-2])
def test_parts_do_not_matter(monkeypatch, seconds):
    def run():
        return ensemble(blocks(7), MOTIONS, scales=[0.5, 1.0], progress=False)

    whole = run()
    monkeypatch.setattr(plan, "PART_SECONDS", seconds)
    xarray.testing.assert_identical(whole, run())


def test_threads_do_not_matter():
    before = numba.get_num_threads()
    results = []
    for threads in range(1, before + 1):
        numba.set_num_threads(threads)
        results.append(ensemble(blocks(7), MOTIONS, scales=[0.5, 1.0], progress=False))
    numba.set_num_threads(before)
    for result in results[1:]:
        xarray.testing.assert_identical(results[0], result)


@pytest.mark.parametrize("paired", [False, True])
def test_a_part_of_a_study_is_that_part_of_the_whole(paired):
    bodies, motions = (blocks(30), MOTIONS[0]) if paired else (blocks(5), MOTIONS)
    study = Study.of(bodies, motions, scales=1.0 if paired else [0.5, 1.0], paired=paired)
    whole = shake(study, range(len(study)))
    for start, stop in ((0, 1), (7, 20), (len(study) - 3, len(study))):
        for name, values in shake(study, np.arange(start, stop)).items():
            kind = values.dtype.kind
            assert np.array_equal(values, whole[name][start:stop], equal_nan=kind == "f")


@pytest.mark.parametrize("how", [rs.Housner(), rs.Nonsmooth()], ids=["Housner", "Nonsmooth"])
def test_what_a_run_comes_to_that_ends_before_its_motion(how):
    """The ground may yet save a block that leans too far: it is moving. A motion that has ended by
    then decides."""
    short, long = shaking(2, pga=4.0), shaking(2, pga=4.0).then(shaking(3, pga=0.5))
    bodies, until = blocks(12, seed=3), short.duration
    data = ensemble(bodies, [short, long], how, scales=[0.7, 1.0], until=until, progress=False)
    study = Study.of(bodies, [short, long], how, scales=[0.7, 1.0], until=until)
    found = []
    for number, status in enumerate(data.status.values.ravel()):
        system, motion = study.run(number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocksteadyWarning)
            found.append(rs.simulate(system, motion, how, until=until).status)
        assert status == found[-1]
    assert {rs.Status.MOVING, rs.Status.OVERTURNED} <= set(found)


# -- labels ------------------------------------------------------------------------------------


def test_labels_say_what_is_what():
    tower, statue = rs.Block(height=4.0, width=0.8), rs.Block(height=1.8, width=0.5)
    motions = {"weak": shaking(1, pga=1.0), "strong": shaking(1, pga=6.0)}
    data = ensemble({"tower": tower, "statue": statue}, motions, scales=[1, 2], progress=False)
    assert data.peak.dims == ("system", "motion", "scale")
    assert data.peak.sel(system="statue", motion="strong", scale=2).item() == (
        rs.simulate(statue, motions["strong"].scaled(2)).peak
    )
    assert data.alpha.sel(system="tower").item() == tower.alpha
    assert data.p.values.tolist() == [tower.p, statue.p]
    assert data.pga.values == pytest.approx([1.0, 6.0])
    units = {name: data[name].attrs["units"] for name in data.data_vars}
    assert units == {
        "fell": "1",
        "peak": "1",
        "time_of_peak": "s",
        "status": "1",
        "impacts": "1",
        "time_of_overturning": "s",
        "energy_lost": "J",
    }
    assert meanings(data) == [str(status).replace(" ", "_") for status in rs.Status]
    assert data.status.dtype == np.int8
    assert json.loads(data.attrs["formulation"])["name"] == "Housner"


def test_motions_of_one_name_are_told_apart():
    motions = [shaking(1, name="a"), shaking(2), shaking(3, name="a"), shaking(4, name="a (2)")]
    data = ensemble(blocks(1), motions, progress=False)
    names = data.motion.values.tolist()
    assert names[:2] == ["a", "motion 2"] and len(set(names)) == 4


def test_pairs():
    bodies, scales = blocks(4), [0.5, 1.0, 1.5, 2.0]
    data = ensemble(bodies, MOTIONS, scales=scales, paired=True, progress=False)
    assert data.peak.dims == ("run",)
    for i, (body, motion, scale) in enumerate(zip(bodies, MOTIONS, scales, strict=True)):
        assert data.peak[i] == rs.simulate(body, motion.scaled(scale)).peak
    one_motion = ensemble(bodies, MOTIONS[0], scales=scales, paired=True, progress=False)
    assert one_motion.peak.shape == (4,) and one_motion.motion.shape == ()


def test_sliding_is_kept_where_it_can():
    how = rs.Nonsmooth(friction=0.2)
    data = ensemble(blocks(3), MOTIONS[0], how, progress=False)
    block = blocks(3)[1]
    assert data.slide[1].item() == rs.simulate(block, MOTIONS[0], how).slide != 0
    assert "slide" not in ensemble(blocks(1), MOTIONS[0], progress=False)


def test_buildings_have_wear_and_no_impacts():
    data = ensemble(BUILDINGS, MOTIONS[0], progress=False)
    response = rs.simulate(BUILDINGS[2], MOTIONS[0])
    got = data.isel(system=2, motion=0, scale=0)
    assert got.wear.item() == response.column("w")[-1]
    assert got.peak_displacement.item() == abs(response.peak_angle)
    assert "impacts" not in data and "time_of_collapse" in data


def test_buildings_by_the_explicit_update_are_those_of_single_runs():
    """Its steps pass turning points, and samples 0.3 s apart see less of them than steps do."""
    coarse = rs.Motion([8.0, -8.0, 8.0, -8.0, 0.0], 0.3)
    how = rs.Masonry(update="explicit")
    data = ensemble(BUILDINGS, coarse, how, progress=False)
    for i, building in enumerate(BUILDINGS):
        assert data.peak[i].item() == rs.simulate(building, coarse, how).peak


def test_a_run_whose_numbers_are_none_has_failed():
    absurd = rs.Motion(np.full(50, 1e300), 0.01, name="absurd")
    found = ensemble(blocks(3), [absurd])
    assert (found.status == list(rs.Status).index(rs.Status.FAILED)).all()
    assert (found.peak == 0).all() and found.time_of_overturning.isnull().all()


def test_a_study_of_whole_numbers_is_that_of_floats():
    whole, floats = rs.Block(2, 1), rs.Block(2.0, 1.0)
    assert Study.of(whole, MOTIONS).description() == Study.of(floats, MOTIONS).description()


# -- histories ---------------------------------------------------------------------------------


def test_kept_histories_are_the_responses():
    study = Study.of(blocks(3), MOTIONS, scales=[0.5, 1.0])
    data = ensemble(blocks(3), MOTIONS, scales=[0.5, 1.0], keep=[7, 2], progress=False)
    assert data.kept.values.tolist() == [7, 2]
    for number in (7, 2):
        system, motion = study.run(number)
        response = rs.simulate(system, motion)
        kept = data.history_theta.sel(kept=number).values
        assert np.array_equal(kept[: len(response.theta)], response.theta)
        assert np.isnan(kept[len(response.theta) :]).all()


def test_histories_may_be_chosen_by_the_outcome():
    data = ensemble(blocks(6), MOTIONS[0], keep=lambda data: data.peak > 1, progress=False)
    assert data.kept.values.tolist() == np.flatnonzero(data.peak.values.ravel() > 1).tolist()
    assert data.sizes["kept"] > 0


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([], MOTIONS), "no systems"),
        ((blocks(1), []), "no motions"),
        ((blocks(1), ["record.AT2"]), "motions[0] = 'record.AT2' is not a Motion"),
        (([*blocks(1), TANK], MOTIONS[:1]), "several kinds, Block, FlexibleOscillator"),
        ((BUILDINGS, MOTIONS, rs.Housner()), "Housner moves a Block"),
        ((blocks(1), MOTIONS, rs.Housner), "did you mean Housner()"),
        (
            ({"slim": rs.Block(4.0, 0.5), "stout": rs.Block(1.0, 0.9)}, MOTIONS, SPRINGS),
            "systems[1] (stout): The body is too stocky",
        ),
        (([rs.Block(1.0, 0.9)], MOTIONS, SPRINGS), "The body is too stocky"),
    ],
)
def test_bad_inputs(arguments, words):
    with pytest.raises(rs.InputError) as caught:
        ensemble(*arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scales": []}, "no scales"),
        ({"scales": [1.0, np.nan]}, "scale nan"),
        ({"paired": True, "scales": [1, 2, 3]}, "2 systems, 4 motions, 3 scales"),
        ({"backend": "gpu"}, "backend = 'gpu'"),
        ({"precision": "float32"}, "backend='cuda'"),
        ({"keep": [99]}, "no run 99"),
        ({"keep": rs.Motion}, "keep is the class Motion itself"),
        ({"keep": lambda data: 3}, "true or false for every run"),
        ({"executor": 3}, "executor = 3"),
        ({"scales": [1.0, 10.0]}, "vertical acceleration reaches -19.8"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(rs.InputError) as caught:
        ensemble(blocks(2), MOTIONS, progress=False, **options)
    assert words in str(caught.value)


@pytest.mark.parametrize("paired", [False, True])
def test_a_motion_that_goes_too_far_is_named_with_its_scale(paired):
    quiet = rs.Motion([0.0, 1.0, 0.0], 0.01, vertical=[0.0, -1.0, 0.0])
    loud = quiet.with_vertical([0.0, -6.0, 0.0])
    words = r"^loud at scale 2: The vertical acceleration reaches -12 m/s²"
    with pytest.raises(rs.InputError, match=words):
        ensemble(
            blocks(2), {"quiet": quiet, "loud": loud}, scales=[1, 2], paired=paired, progress=False
        )


def test_more_than_memory_wants_a_store(monkeypatch):
    monkeypatch.setattr(run, "MEMORY_SHARE", 1e-12)
    with pytest.raises(rs.InputError, match=r"store=\.\.\."):
        ensemble(blocks(2), MOTIONS, progress=False)


def test_warnings_about_many_systems_are_one():
    stocky = [rs.Block(height=0.3, width=width) for width in (0.6, 0.7, 0.8)]
    with pytest.warns(rs.RocksteadyWarning, match="for 3 of 3 systems") as caught:
        ensemble(stocky, MOTIONS[0], progress=False)
    assert len(caught) == 1


def test_runs_that_simulate_would_doubt_are_told_once(tmp_path):
    """In memory and from a store, in the words of the first of them; what is sound is not."""
    stiff = rs.NumericalDissipation(k_n=1e13, dt=0.025)
    push = rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.025)
    block, scales, options = rs.Block(2.0, 0.5), [0.01, 1.0, 1.5], {"until": "motion"}
    doubts = []
    for scale in scales:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rs.simulate(block, push.scaled(scale), stiff, duration=push.duration)
        doubts.append([str(w.message) for w in caught if "halved" in str(w.message)])
    count, first = sum(map(bool, doubts)), next(i for i, each in enumerate(doubts) if each)
    assert 0 < count < 3
    for store in (None, tmp_path / "out", tmp_path / "out"):
        with pytest.warns(rs.RocksteadyWarning, match=f"{count} of 3 runs are doubtful") as caught:
            found = ensemble(block, push, stiff, scales=scales, store=store, **options)
        told = [str(w.message) for w in caught if "doubtful" in str(w.message)]
        assert len(told) == 1 and told[0].endswith(f"Of run {first}: {doubts[first][0]}")
        assert found.doubtful.values.ravel().tolist() == [len(each) for each in doubts]
        assert of_dataset(found)["doubtful"] == count
    assert "doubtful" not in ensemble(block, push, progress=False)


def test_progress_counts_runs(monkeypatch):
    monkeypatch.setattr(plan, "PART_SECONDS", 1e-4)
    told = []
    ensemble(blocks(3), MOTIONS, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (12, 12) and len(told) > 1
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_importing_stays_light():
    program = (
        "import sys, rocksteady.ensembles.api\n"
        "heavy = {'pydantic', 'dask', 'distributed', 'typer', 'pandas', 'matplotlib', 'xarray',"
        " 'pyarrow', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


# -- a GPU -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_cuda_backend_by_its_simulator():
    """The same numbers through the other engine, aftermath and soft beds included."""
    program = (
        "import numpy as np, rocksteady as rs\n"
        "from rocksteady.ensembles.api import ensemble\n"
        "push = rs.pulses.sine(amplitude=4.0, period=0.6, dt=0.02)\n"
        "statues = [rs.Block(height=1.8, width=width) for width in (0.3, 0.5)]\n"
        "def same(bodies, how, **options):\n"
        "    one, two = (ensemble(bodies, push, how, backend=backend, **options)\n"
        "                for backend in ('cpu', 'cuda'))\n"
        "    for name in one.data_vars:\n"
        "        np.testing.assert_allclose(one[name], two[name], rtol=1e-9, err_msg=name)\n"
        "same(statues, rs.Housner(), scales=[0.5, 1.0])\n"
        "same(rs.Block(height=3.0, width=0.5), rs.NumericalDissipation(), until='motion')\n"
        "same(statues[1], rs.RigidBodySpring(K=1e7), scales=[0.15, 0.75])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
    )
    assert done.returncode == 0, done.stderr


def test_a_body_that_slides_is_not_followed_by_a_gpu():
    with pytest.raises(rs.InputError, match=r"too long for a GPU's compiler. Use backend='cpu'"):
        Study.of(rs.Body.box(0.45, 0.45, 1.8), MOTIONS[0], rs.Spatial(friction=0.5), backend="cuda")


def test_a_workspace_does_not_come_back_from_a_gpu():
    tower = rs.Block(height=3.0, width=0.5)
    with pytest.raises(rs.InputError, match="give until='motion'"):
        Study.of(tower, MOTIONS[0], rs.NumericalDissipation(), backend="cuda")
