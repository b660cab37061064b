"""Motion: what it accepts, what it is, what can be made of it."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rocksteady.errors import InputError
from rocksteady.motion import Motion, processing, recipe

ACCEL = np.array([0.0, 1.0, -3.0, 2.0, 0.5])

motions = st.builds(
    Motion,
    arrays(np.float64, st.integers(2, 40), elements=st.floats(-20, 20)),
    st.sampled_from([0.001, 0.004, 0.005, 0.01, 0.02]),
)


# -- what it accepts --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_arrays_are_read_only_copies(kind: type) -> None:
    given_array = ACCEL[::2].astype(kind)
    motion = Motion(given_array, 0.1, vertical=given_array)
    given_array[0] = 99.0
    assert motion.accel[0] == 0.0
    assert motion.vertical is not None and motion.vertical[0] == 0.0
    assert motion.accel.dtype == np.float64 and motion.accel.flags.c_contiguous
    for array in (motion.accel, motion.vertical, motion.time, motion.velocity, motion.displacement):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_it_cannot_be_changed() -> None:
    motion = Motion(ACCEL, 0.1, meta={"a": 1})
    with pytest.raises(AttributeError):
        motion.dt = 0.2  # type: ignore[misc]
    with pytest.raises(TypeError):
        motion.meta["a"] = 2  # type: ignore[index]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("large", [1e154, 1e155, 1e300, 1.7976931348623157e308])
def test_large_numbers_are_finite(large: float) -> None:
    """Also those whose squares are not."""
    assert Motion([0.0, large, -large], 0.1).pga == large
    for wrong in (np.inf, -np.inf, np.nan):
        with pytest.raises(InputError, match=r"accel\[2\] = -?(inf|nan) is not a finite number"):
            Motion([large, -large, wrong, -np.inf], 0.1)


@given(arrays(np.float64, st.integers(2, 40), elements=st.floats(-20, 20)))
@example(np.array([-0.0, -0.0]))
def test_peak(accel: np.ndarray) -> None:
    assert Motion(accel, 0.1).pga == np.abs(accel).max()
    assert math.copysign(1, Motion(accel, 0.1).pga) == 1


@pytest.mark.parametrize("dt", [0.0, -0.01, np.nan, np.inf, None, "a", 1e308])
def test_bad_time_steps_are_refused(dt: float) -> None:
    with pytest.raises(InputError, match="dt = "):
        Motion(ACCEL, dt)


@pytest.mark.parametrize(
    ("accel", "reason"),
    [
        ([], "at least 2"),
        ([1.0], "at least 2"),
        (3.0, "one-dimensional"),
        ([[1.0, 2.0], [3.0, 4.0]], "one-dimensional"),
        ([0.0, np.nan, 1.0], r"accel\[1\] = nan"),
        ([0.0, 1.0, -np.inf], r"accel\[2\] = -inf"),
        ([0.0, 1j], "real numbers"),
        (["a", "b"], "real numbers"),
        ([[1.0], [2.0, 3.0]], "real numbers"),
        (None, "real numbers|one-dimensional"),
        (
            np.ma.array([0.0, 9.0, 1.0], mask=[False, True, False]),
            "real numbers: some values are masked",
        ),
    ],
)
def test_bad_accelerations_are_refused(accel: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Motion(accel, 0.01)  # type: ignore[arg-type]


def test_vertical_must_be_as_long() -> None:
    with pytest.raises(InputError, match="vertical has 4 samples and accel has 5"):
        Motion(ACCEL, 0.01, vertical=ACCEL[1:])
    with pytest.raises(InputError, match=r"vertical\[0\]"):
        Motion(ACCEL, 0.01, vertical=ACCEL * np.nan)


# -- what it is -------------------------------------------------------------------------------


def test_its_numbers() -> None:
    motion = Motion(ACCEL, 0.25)
    assert (motion.npts, len(motion), motion.duration, motion.pga) == (5, 5, 1.0, 3.0)
    np.testing.assert_array_equal(motion.time, [0, 0.25, 0.5, 0.75, 1.0])


def test_equality_is_by_samples_and_step() -> None:
    one = Motion(ACCEL, 0.1, name="one")
    assert one == Motion(ACCEL, 0.1, name="two", meta={"x": 1})
    assert hash(one) == hash(Motion(ACCEL, 0.1))
    zeros, negative_zeros = Motion([0.0, 0.0], 1.0), Motion([-0.0, -0.0], 1.0)
    assert zeros == negative_zeros and hash(zeros) == hash(negative_zeros)
    assert one != Motion(ACCEL, 0.2)
    assert one != Motion(ACCEL + 1, 0.1)
    assert one != Motion(ACCEL, 0.1, vertical=0 * ACCEL)
    assert one.with_vertical(ACCEL) != one.with_vertical(2 * ACCEL)
    assert one != "one"


def test_it_survives_pickling_and_copying() -> None:
    motion = Motion(ACCEL, 0.1, vertical=ACCEL / 2, name="x").scaled(2)
    motion.velocity  # noqa: B018  (a cached value must not get in the way)
    for again in (pickle.loads(pickle.dumps(motion)), copy.deepcopy(motion)):
        assert again == motion and again.name == "x" and again.meta == motion.meta
        assert not again.accel.flags.writeable


def test_repr_is_short_and_tells_the_essentials() -> None:
    text = repr(Motion(np.tile(ACCEL, 1000), 0.01, name="Kobe"))
    assert text == "Motion('Kobe', 5000 samples, dt=0.01 s, duration 49.99 s, pga 3 m/s²)"
    assert "with vertical" in repr(Motion(ACCEL, 0.01, vertical=ACCEL))


def test_at_is_linear_inside_and_zero_outside() -> None:
    motion = Motion(ACCEL, 0.1)
    assert motion.at(0.15) == pytest.approx(-1.0)
    assert motion.at(motion.duration) == 0.5
    assert motion.at(-1e-9) == motion.at(0.4 + 1e-9) == 0.0
    np.testing.assert_array_equal(motion.at(motion.time), ACCEL)


@given(motions, st.floats(0.1, 5.0))
def test_integration_is_exact_for_linear_accelerations(motion: Motion, slope: float) -> None:
    t = motion.time
    ramp = Motion(1.0 - slope * t, motion.dt)
    np.testing.assert_allclose(ramp.velocity, t - slope * t**2 / 2, atol=1e-13)
    np.testing.assert_allclose(ramp.displacement, t**2 / 2 - slope * t**3 / 6, atol=1e-13)
    # Within any piecewise linear motion a finer step changes nothing.
    fine = motion.resampled(motion.dt / 4)
    np.testing.assert_allclose(fine.velocity[::4], motion.velocity, atol=1e-13)
    np.testing.assert_allclose(fine.displacement[::4], motion.displacement, atol=1e-13)


# -- what can be made of it -------------------------------------------------------------------


@given(motions, st.floats(-10, 10))
def test_scaling(motion: Motion, factor: float) -> None:
    motion = motion.with_vertical(-motion.accel)
    scaled = motion.scaled(factor)
    assert scaled.vertical is not None
    np.testing.assert_array_equal(scaled.accel, motion.accel * factor)
    np.testing.assert_array_equal(scaled.vertical, -motion.accel * factor)
    assert scaled.pga == pytest.approx(abs(factor) * motion.pga)
    assert scaled.dt == motion.dt


def test_scaled_to_moves_the_vertical_by_the_same_factor() -> None:
    scaled = Motion(ACCEL, 0.1, vertical=ACCEL / 2).scaled_to(pga=6.0)
    assert scaled.pga == 6.0
    assert scaled.vertical is not None and np.max(np.abs(scaled.vertical)) == 3.0
    assert scaled.meta["history"] == ("scaled(2)",)


def test_scaling_refuses_what_has_no_answer() -> None:
    with pytest.raises(InputError, match="all zeros"):
        Motion.zeros(1.0, 0.1).scaled_to(pga=1.0)
    with pytest.raises(InputError, match=r"pga = -1\.0 m/s²"):
        Motion(ACCEL, 0.1).scaled_to(pga=-1.0)
    with pytest.raises(InputError, match="factor = nan"):
        Motion(ACCEL, 0.1).scaled(np.nan)


@given(motions, st.floats(0.1, 10))
def test_stretching(motion: Motion, factor: float) -> None:
    stretched = motion.stretched(factor)
    np.testing.assert_array_equal(stretched.accel, motion.accel)
    assert stretched.duration == pytest.approx(factor * motion.duration)
    np.testing.assert_allclose(stretched.velocity, factor * motion.velocity, atol=1e-12)


@pytest.mark.parametrize("factor", [0.0, -1.0, np.inf])
def test_stretching_needs_a_positive_factor(factor: float) -> None:
    with pytest.raises(InputError, match="positive"):
        Motion(ACCEL, 0.1).stretched(factor)


@given(motions)
def test_mirroring_twice_changes_nothing_and_leaves_the_vertical(motion: Motion) -> None:
    motion = motion.with_vertical(motion.accel)
    mirrored = motion.mirrored()
    np.testing.assert_array_equal(mirrored.accel, -motion.accel)
    np.testing.assert_array_equal(mirrored.vertical, motion.vertical)
    assert mirrored.mirrored() == motion


@given(motions, st.integers(2, 9))
def test_finer_steps_keep_the_old_samples_to_the_last_bit(motion: Motion, n: int) -> None:
    fine = motion.with_vertical(motion.accel).resampled(motion.dt / n)
    assert fine.npts == (motion.npts - 1) * n + 1
    np.testing.assert_array_equal(fine.accel[::n], motion.accel)
    np.testing.assert_array_equal(fine.vertical, fine.accel)
    inside = motion.dt * (motion.npts - 1) / 3
    assert fine.at(inside) == pytest.approx(motion.at(inside), abs=1e-9)


def test_resampling_covers_the_duration_whatever_the_step() -> None:
    motion = Motion(np.ones(101), 0.01)
    even = motion.resampled(0.008)  # 125 steps: the last sample is the end itself
    assert even.duration == pytest.approx(1.0) and even.accel[-1] == 1.0
    odd = motion.resampled(0.007)
    assert 1.0 < odd.duration < 1.007 and odd.accel[-2] == 1.0 and odd.accel[-1] == 0.0
    assert motion.resampled(0.01) is motion


def test_coarser_steps_lose_high_frequencies_and_keep_low_ones_in_place() -> None:
    t = np.arange(4001) * 0.005
    low, high = np.sin(2 * np.pi * 1.0 * t), np.sin(2 * np.pi * 18.0 * t)
    middle = slice(50, -50)
    coarse = Motion(low + high, 0.005).resampled(0.05)  # 18 Hz would appear as 2 Hz
    np.testing.assert_allclose(coarse.accel[middle], low[::10][middle], atol=1e-3)
    assert coarse.duration == pytest.approx(20.0)
    still_there = Motion(low, 0.005).resampled(0.0125)
    expected = np.sin(2 * np.pi * still_there.time)
    np.testing.assert_allclose(still_there.accel[middle], expected[middle], atol=2e-4)
    np.testing.assert_allclose(Motion(np.ones(200), 0.01).resampled(0.02).accel[:-1], 1.0)


@pytest.mark.parametrize(
    ("dt", "reason"), [(0.0, "positive"), (1e-12, "samples"), (5.0, "longer than")]
)
def test_impossible_resampling_is_refused(dt: float, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Motion(ACCEL, 0.1).resampled(dt)


def test_trimming() -> None:
    motion = Motion(ACCEL, 0.1, vertical=-ACCEL)
    part = motion.trimmed(0.1, 0.3)
    np.testing.assert_array_equal(part.accel, [1.0, -3.0, 2.0])
    np.testing.assert_array_equal(part.vertical, [-1.0, 3.0, -2.0])
    assert part.time[0] == 0.0
    assert motion.trimmed() == motion
    assert motion.trimmed(0.2).npts == 3
    for start, end in ((0.2, 0.2), (0.3, 0.1), (-0.2, 0.3), (0.0, 0.6), (np.nan, 1.0)):
        with pytest.raises(InputError, match=r"start|end"):
            motion.trimmed(start, end)
    for start, end in ((0.0, 1e308), (-1e308, 0.3), (1e308, None)):  # in steps: infinite
        with pytest.raises(InputError, match="lie between 0 and"):
            motion.trimmed(start, end)


@given(motions, motions, st.integers(0, 20))
def test_joining_adds_samples_and_durations(one: Motion, two: Motion, zeros: int) -> None:
    dt = min(one.dt, two.dt)
    both = one.then(two, gap=zeros * dt)
    assert both.dt == dt
    first, second = one.resampled(dt), two.resampled(dt)
    assert both.npts == first.npts + zeros + second.npts
    assert both.duration == pytest.approx(first.duration + (zeros + 1) * dt + second.duration)
    assert both.trimmed(0.0, first.duration) == first
    assert not both.accel[first.npts : first.npts + zeros].any()
    np.testing.assert_array_equal(both.accel[first.npts + zeros :], second.accel)


def test_joining_fills_a_missing_vertical_and_names_both() -> None:
    one, two = Motion(ACCEL, 0.1, name="a"), Motion(ACCEL, 0.1, vertical=ACCEL, name="b")
    both = one.then(two, gap=0.2)
    np.testing.assert_array_equal(both.vertical, [0.0] * 7 + list(ACCEL))
    assert both.name == "a + b"
    assert one.then(one).vertical is None
    with pytest.raises(InputError, match=r"gap = -1"):
        one.then(two, gap=-1)
    with pytest.raises(InputError, match="gap"):
        one.then(two, gap=1e12)


def test_with_vertical() -> None:
    motion = Motion(ACCEL, 0.1)
    np.testing.assert_array_equal(motion.with_vertical(2 * ACCEL).vertical, 2 * ACCEL)
    short = motion.with_vertical(Motion([1.0, 2.0], 0.2, name="up"))
    np.testing.assert_array_equal(short.vertical, [1.0, 1.5, 2.0, 0.0, 0.0])
    long = motion.with_vertical(Motion(np.arange(50.0), 0.1))
    np.testing.assert_array_equal(long.vertical, [0, 1, 2, 3, 4])
    assert short.with_vertical(None) == motion
    with pytest.raises(InputError, match="vertical has 2"):
        motion.with_vertical([1.0, 2.0])


def test_zeros() -> None:
    still = Motion.zeros(2.0, 0.1)
    assert still.npts == 21 and still.pga == 0.0
    for duration, dt in ((-1.0, 0.1), (np.inf, 0.1), (1.0, 0.0), (1e12, 1e-3)):
        with pytest.raises(InputError, match=r"duration|dt"):
            Motion.zeros(duration, dt)


def test_history_tells_what_was_done() -> None:
    motion = Motion(ACCEL, 0.1, meta={"station": "KJMA", "history": ("read(x)",)})
    made = motion.mirrored().scaled(1.5).stretched(2).resampled(0.05).trimmed(0.1, 0.4)
    made = made.with_vertical(made).then(Motion.zeros(1, 0.05), gap=3)
    assert made.meta["history"] == (
        "read(x)",
        "mirrored()",
        "scaled(1.5)",
        "stretched(2)",
        "resampled(0.05)",
        "trimmed(0.1, 0.4)",
        "with_vertical(motion)",
        "then(still ground, gap=3)",
    )
    assert made.meta["station"] == "KJMA"


@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.integers(0, 3), st.integers(5, 8))
@example(math.pi, 1 / 3, 1, 7)
def test_history_has_all_digits(factor: float, stretch: float, first: int, last: int) -> None:
    """What is written down makes the same motion again, to the last bit."""
    motion = Motion(np.sin(np.arange(9.0)), 0.1)
    made = motion.scaled(factor).stretched(stretch).scaled_to(pga=factor)
    made = made.trimmed(first * made.dt, last * made.dt).mirrored()
    words = recipe.command_line(made, "file").split()
    again = recipe.process(motion, words[4:])
    assert again.dt == made.dt and again.accel.tobytes() == made.accel.tobytes()


def test_importing_the_room_is_light() -> None:
    heavy = "{'scipy', 'pandas', 'matplotlib', 'numba'}"
    code = f"import sys, rocksteady.motion; sys.exit(str({heavy} & set(sys.modules) or ''))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == ""


# -- peak velocity ---------------------------------------------------------------------------------


def test_peak_velocity_between_samples():
    """Half a sine in two straight lines and back: the velocity is largest where the acceleration
    passes zero, which is not at a sample."""
    motion = Motion([0.0, 3.0, -1.0, 0.0], dt=0.4)
    exact = 0.4 * 3.0 / 2 + 0.4 * 0.75 * 3.0 / 2  # up to the crossing at 3/4 of the second line
    assert motion.pgv == pytest.approx(exact, rel=1e-14)
    assert motion.pgv > np.abs(motion.velocity).max()
    fine = Motion(np.random.default_rng(1).normal(size=50), 0.02)
    dense = fine.resampled(0.02 / 4096)  # the same lines
    assert fine.pgv == pytest.approx(np.abs(dense.velocity).max(), rel=1e-7)
    assert fine.mirrored().pgv == fine.pgv and fine.scaled(3.0).pgv == pytest.approx(3 * fine.pgv)


def test_scaled_to_a_peak_velocity_scales_the_vertical_too():
    motion = Motion([0.0, 1.0, -2.0, 0.0], 0.5, vertical=[0.0, 1.0, 0.0, 0.0])
    made = motion.scaled_to(pgv=0.3)
    factor = 0.3 / motion.pgv
    assert made.pgv == pytest.approx(0.3, rel=1e-14)
    assert np.array_equal(made.vertical, motion.vertical * factor)
    assert made == motion.scaled(factor)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "neither was given"),
        ({"pga": 1.0, "pgv": 0.5}, r"pga = 1\.0 and pgv = 0\.5 were given: give one of them"),
        ({"pgv": 0.0}, r"pgv = 0\.0 m/s is not allowed"),
        ({"pgv": "fast"}, "pgv = 'fast' m/s is not allowed"),
    ],
)
def test_scaled_to_takes_one_measure(options, words):
    with pytest.raises(InputError, match=words):
        Motion([0.0, 1.0, 0.0], 0.1).scaled_to(**options)


def test_still_ground_has_no_peak_to_scale():
    for options in ({"pga": 1.0}, {"pgv": 1.0}):
        with pytest.raises(InputError, match="all zeros"):
            Motion.zeros(1.0, 0.1).scaled_to(**options)


# -- three components -------------------------------------------------------------------------

X, Y, Z = np.random.default_rng(5).normal(size=(3, 64))
THREE = Motion(X, 0.1, Z, Y, "three", {"station": "KJMA"})


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.scaled(-2.5),
        lambda m: m.stretched(3.0),
        lambda m: m.resampled(0.025),
        lambda m: m.resampled(0.3),
        lambda m: m.trimmed(0.5, 4.0),
        lambda m: m.then(m, gap=0.3),
        lambda m: m.renamed("other"),
        lambda m: m.mapped(lambda a: a[::-1]),
        lambda m: pickle.loads(pickle.dumps(m)),
        lambda m: processing.baseline(m),
        lambda m: processing.bandpass(m, 0.5, 3.0),
        lambda m: processing.taper(m, "cosine", 1.0),
        lambda m: processing.pad(m, 1.0, 2.0),
    ],
)
def test_every_component_is_changed_alike(change):
    changed = change(THREE)
    for role, accel in {"accel": X, "vertical": Z, "transverse": Y}.items():
        alone = change(Motion(accel, 0.1))
        assert (getattr(changed, role) == alone.accel).all()
        assert changed.dt == alone.dt


def test_mirroring_turns_both_horizontal_components():
    mirrored = THREE.mirrored()
    assert (mirrored.accel == -X).all() and (mirrored.transverse == -Y).all()
    assert (mirrored.vertical == Z).all()


def test_a_transverse_component_makes_another_motion():
    assert THREE != THREE.with_transverse(None) != Motion(X, 0.1)
    assert Motion(X, 0.1, Z, Y) == THREE and hash(THREE) == hash(Motion(X, 0.1, Z, Y))
    assert THREE.with_transverse(X) != THREE
    assert Motion(X, 0.1, vertical=Y) != Motion(X, 0.1, transverse=Y)
    assert repr(THREE).endswith("with vertical and transverse)")
    assert list(THREE.components) == ["accel", "vertical", "transverse"]
    assert not THREE.transverse.flags.writeable


def test_scaling_to_a_peak_goes_by_accel():
    scaled = THREE.scaled_to(pga=1.0)
    np.testing.assert_allclose(scaled.transverse / Y, 1 / np.abs(X).max())


def test_a_component_that_only_one_of_two_motions_has():
    joined = Motion(X, 0.1).then(THREE)
    assert not joined.transverse[:64].any() and (joined.transverse[64:] == Y).all()


def test_a_name_in_the_place_of_the_transverse_component():
    with pytest.raises(InputError, match=r"transverse = 'Kobe' is a text.*name='Kobe'"):
        Motion(X, 0.1, Z, "Kobe")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"transverse has 63 samples and accel has 64.*with_trans"):
        Motion(X, 0.1, transverse=Y[1:])


def test_facts_of_a_component_come_with_its_record():
    record = Motion(Y[:50], 0.1, name="EW", meta={"component": "E-W", "azimuth": 90.0})
    motion = Motion(X, 0.1, meta={"component": "N-S"}).with_transverse(record)
    assert (motion.transverse[:50] == Y[:50]).all() and not motion.transverse[50:].any()
    assert motion.meta["transverse_component"] == "E-W"
    assert motion.meta["transverse_azimuth"] == 90.0
    assert motion.meta["history"] == ("with_transverse(EW)",)
    assert "transverse_component" not in motion.with_transverse(None).meta
    assert "transverse_component" not in motion.with_transverse(X).meta
