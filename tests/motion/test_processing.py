"""Processing: what each step removes and keeps, and that its history is a command line."""

from __future__ import annotations

import math
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import standins
from rocksteady.errors import InputError
from rocksteady.motion import Motion, intensity, provenance, pulses, read_motion, recipe, scaling
from rocksteady.motion import components as co
from rocksteady.motion import processing as pr
from rocksteady.motion.provenance import Step
from rocksteady.motion.spectra import response_spectrum


def shaking(seed: int = 0, size: int = 4001, dt: float = 0.01, *, vertical: bool = True) -> Motion:
    """Noise of a few hertz under an envelope, at rest at both ends."""
    rng = np.random.default_rng(seed)
    t = np.arange(size) * dt
    bell = np.sin(np.pi * t / t[-1]) ** 2
    velocities = [np.convolve(rng.standard_normal(size), np.hanning(n), "same") for n in (9, 5)]
    accel, up = (np.gradient(0.1 * v * bell, dt) for v in velocities)
    return Motion(accel, dt, up if vertical else None, name="noise", meta={"event": "none"})


# -- baseline -------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_a_known_drift_is_removed(order: int) -> None:
    """The fit is linear and the drift lies in its span: with or without it, the same comes out."""
    clean = shaking()
    x = clean.time / clean.duration
    drift = sum((k + 1) * x**k for k in range(order)) * 0.05
    spoilt = pr.baseline(Motion(clean.accel + drift, clean.dt), order=order)
    assert spoilt.accel == pytest.approx(pr.baseline(clean, order=order).accel, abs=1e-11)
    drifting = Motion(clean.accel + drift, clean.dt).velocity[-1]
    assert drifting > 1.9 and abs(spoilt.velocity[-1]) < 0.01 * drifting


def test_a_corrected_velocity_has_no_trend_left() -> None:
    """Least squares: what is left is orthogonal to t and t², and ends near zero."""
    rng = np.random.default_rng(3)
    motion = Motion(rng.standard_normal(3000) * 0.3 + 0.02, 0.01)
    found = pr.baseline(motion, "poly", 2)
    t = found.time
    for k in (1, 2):
        cosine = (found.velocity @ t**k) / np.linalg.norm(found.velocity) / np.linalg.norm(t**k)
        assert abs(cosine) < 1e-12
    assert abs(motion.velocity[-1]) > 0.5 > 5 * abs(found.velocity[-1])
    again = pr.baseline(found, "poly", 2)
    assert again.accel == pytest.approx(found.accel, abs=1e-12)


def test_baseline_of_a_real_raw_record(records: Path) -> None:
    motion = read_motion(records / "AT2" / "RSN1106_KOBE_KJM000.AT2")
    assert isinstance(motion, Motion)
    spoilt = Motion(motion.accel + 0.05, motion.dt)  # 150 s: 7.5 m/s of drift
    found = pr.baseline(spoilt, "poly", 1)
    assert abs(spoilt.velocity[-1]) > 7 and abs(found.velocity[-1]) < 0.02
    assert found.pga == pytest.approx(motion.pga, rel=1e-3)


def test_baseline_of_a_generated_record(generated_records: Path) -> None:
    motion = read_motion(generated_records / standins.STRONG)
    assert isinstance(motion, Motion)
    spoilt = Motion(motion.accel + 0.05, motion.dt)  # 30 s: 1.5 m/s of drift
    found = pr.baseline(spoilt, "poly", 1)
    assert abs(spoilt.velocity[-1]) > 1.4 and abs(found.velocity[-1]) < 0.02
    assert found.pga == pytest.approx(motion.pga, rel=5e-3)


# -- filters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "apply",
    [
        lambda m: pr.bandpass(m, 0.6, 6.0),
        lambda m: pr.lowpass(m, 3.0, order=3),
        lambda m: pr.highpass(m, 0.5, order=2),
    ],
)
def test_a_filter_has_no_phase(apply) -> None:  # type: ignore[no-untyped-def]
    """A symmetric pulse stays symmetric about the same sample."""
    pulse = pulses.ricker(1.0, 0.5, dt=0.005)
    motion = Motion(np.pad(pulse.accel, 4000), 0.005)
    found = apply(motion)
    middle = motion.npts // 2
    assert np.abs(found.accel - found.accel[::-1]).max() < 1e-9
    assert np.argmax(np.abs(found.accel)) == middle
    assert np.abs(found.accel - motion.accel).max() > 0.01  # it did something


@pytest.mark.parametrize("order", [2, 4, 8])
def test_the_gain_is_that_of_butterworth_squared(order: int) -> None:
    """|H|² = 1/(1 + (f/f_c)^2n) for each of the two runs; tan-warped by the bilinear transform."""
    dt, corner = 0.005, 4.0
    impulse = np.zeros(8001)
    impulse[4000] = 1.0
    f = np.fft.rfftfreq(8001, dt)
    warped = np.tan(np.pi * f * dt) / np.tan(np.pi * corner * dt)
    low = np.abs(np.fft.rfft(pr.lowpass(Motion(impulse, dt), corner, order).accel))
    assert low == pytest.approx(1 / (1 + warped ** (2 * order)), abs=1e-6)
    with np.errstate(divide="ignore"):
        gain = 1 / (1 + warped ** (-2.0 * order))
    high = np.abs(np.fft.rfft(pr.highpass(Motion(impulse, dt), corner, order).accel))
    assert high == pytest.approx(gain, abs=1e-5)
    at_corner = np.interp(corner, f, low)
    assert at_corner == pytest.approx(0.5, abs=1e-3)


def test_a_padded_and_filtered_motion_ends_at_rest() -> None:
    """An offset of 0.05 m/s² is 2 m/s after 40 s; high-passed between pads it is gone."""
    raw = shaking()
    spoilt = Motion(raw.accel + 0.05, raw.dt)
    ready = pr.highpass(pr.pad(spoilt, 60.0, 60.0), 0.1)
    assert abs(spoilt.velocity[-1]) > 1.9
    assert abs(ready.velocity[-1]) < 2e-3 and abs(ready.displacement[-1]) < 2e-2


@pytest.mark.parametrize(
    "call",
    [
        lambda m: pr.bandpass(m, 5.0, 1.0),
        lambda m: pr.bandpass(m, 0.0, 1.0),
        lambda m: pr.lowpass(m, 50.0),
        lambda m: pr.highpass(m, math.nan),
        lambda m: pr.lowpass(m, 1.0, order=0),
        lambda m: pr.lowpass(m, 1.0, order=2.5),
        lambda m: pr.highpass(m, 1e-12),
        lambda m: pr.baseline(m, "spline"),
        lambda m: pr.baseline(m, "poly", 0),
        lambda m: pr.baseline(m, "poly", 11),
        lambda m: pr.taper(m, "cosine", 30.0),
        lambda m: pr.taper(m, "cosine", -1.0),
        lambda m: pr.taper(m, "tukey", 1.5),
        lambda m: pr.taper(m, "tukey", 0.5, 0.5),
        lambda m: pr.taper(m, "square", 1.0),
        lambda m: pr.pad(m, -1.0, 0.0),
        lambda m: pr.similarity(m, 0.0),
        lambda m: scaling.scale_to(m, "pga", -1.0),
        lambda m: scaling.scale_to(m, "ia", 1.0),
        lambda m: scaling.scale_to(m, "sa", 1.0),
        lambda m: scaling.scale_to(m, "pga", 1.0, 0.5),
        lambda m: scaling.scale_to(m.scaled(0), "pgv", 1.0),
        lambda m: scaling.scale_to_spectrum(m, [0.1, 1.0], [1.0, 1.0], 0.05, 0.5),
        lambda m: scaling.scale_to_spectrum(m, [0.1, 1.0], [1.0, 0.0], 0.1, 0.5),
        lambda m: scaling.scale_to_spectrum(m, [1.0, 0.1], [1.0, 1.0], 0.1, 0.5),
        lambda m: scaling.scale_to_spectrum(m.scaled(0), [0.1, 1.0], [1.0, 1.0], 0.1, 0.5),
        lambda m: co.rotate(m, m, math.inf),
        lambda m: co.rotd(m, m, percentiles=(101,)),
    ],
)
def test_what_is_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError):
        call(shaking())


# -- windows --------------------------------------------------------------------------------------


def test_a_cosine_taper() -> None:
    flat = Motion(np.ones(101), 0.1)
    found = pr.taper(flat, "cosine", 2.0, 4.0).accel
    assert found[0] == 0 and found[-1] == pytest.approx(0, abs=1e-15)
    assert found[10] == pytest.approx(0.5) and found[80] == pytest.approx(0.5)
    assert (found[20:61] == 1).all()
    assert found[:21] == pytest.approx((1 - np.cos(np.pi * np.arange(21) / 20)) / 2)


def test_a_tukey_taper_is_scipys() -> None:
    from scipy.signal.windows import tukey

    for part in (0.0, 0.2, 1.0):
        found = pr.taper(Motion(np.ones(301), 0.01), "tukey", part).accel
        assert found == pytest.approx(tukey(301, part), abs=1e-12)


@given(
    accel=st.lists(st.floats(-10, 10), min_size=2, max_size=50),
    before=st.floats(0.001, 1),
    after=st.floats(0.001, 2),
)
def test_a_padded_motion_ends_at_rest(accel: list[float], before: float, after: float) -> None:
    motion = Motion(accel, 0.01)
    found = pr.pad(motion, before, after)
    front = math.ceil(before / 0.01 * (1 - 1e-9))
    assert found.accel[front : front + motion.npts] == pytest.approx(motion.accel)
    assert (found.accel[:front] == 0).all() and found.accel[-1] == pytest.approx(0, abs=1e-9)
    assert found.velocity[-1] == pytest.approx(0, abs=1e-10)
    assert found.duration >= motion.duration + before + after - 1e-9


def test_padding_brings_to_rest_gently() -> None:
    """Twice the mean deceleration at most, and no oscillation."""
    motion = Motion(np.ones(101), 0.01)  # 1 m/s at the end
    found = pr.pad(motion, 0.0, 10.0)
    added = found.accel[101:]
    assert (added <= 0).all() and np.abs(added).max() == pytest.approx(2 * 1.005 / 10.0, rel=1e-3)
    assert pr.pad(motion, 1.0, 0.0).accel[-101:] == pytest.approx(1.0)


# -- time and size --------------------------------------------------------------------------------


def test_resampling_does_not_alias() -> None:
    """45 Hz sampled at 50 Hz would look like 5 Hz; it must vanish, and 2 Hz must stay."""
    t = np.arange(20001) * 0.001
    motion = Motion(np.sin(2 * np.pi * 45 * t) + np.sin(2 * np.pi * 2 * t), 0.001)
    found = pr.resample(motion, 0.02)
    middle = slice(100, -100)
    assert found.accel[middle] == pytest.approx(np.sin(4 * np.pi * found.time)[middle], abs=2e-3)


def test_similarity_keeps_acceleration_and_scales_length() -> None:
    """At a quarter of the size: half the time, half the velocity, a quarter of the displacement."""
    motion, found = shaking(), pr.similarity(shaking(), 0.25)
    assert found.pga == motion.pga and found.duration == pytest.approx(motion.duration / 2)
    assert found.velocity == pytest.approx(motion.velocity / 2, abs=1e-12)
    assert found.displacement == pytest.approx(motion.displacement / 4, abs=1e-12)


def test_scaling_to_measures() -> None:
    motion = shaking()
    assert scaling.scale_to(motion, "pga", 3.0).pga == pytest.approx(3.0)
    assert intensity.pgv(scaling.scale_to(motion, "pgv", 0.4)) == pytest.approx(0.4)
    found = scaling.scale_to(motion, "sa", 2.0, 0.7, 0.1)
    assert response_spectrum(found, [0.7], 0.1, exact=True).psa[0] == pytest.approx(2.0)
    assert found.vertical is not None and motion.vertical is not None
    ratio = found.accel[1000] / motion.accel[1000]
    assert found.vertical == pytest.approx(ratio * motion.vertical)


def test_scaling_to_a_spectrum_is_least_squares_in_the_logarithm() -> None:
    motion = shaking()
    T = np.geomspace(0.1, 3.0, 100)
    own = response_spectrum(motion, T, exact=True).psa
    assert scaling.scale_to_spectrum(motion, T, 3 * own, 0.1, 3.0).pga == pytest.approx(
        3 * motion.pga, rel=1e-9
    )
    target = 5.0 * np.exp(-T)
    found = scaling.scale_to_spectrum(motion, T, target, 0.2, 2.0)
    at = np.geomspace(0.2, 2.0, 100)
    wanted = np.exp(np.interp(np.log(at), np.log(T), np.log(target)))

    def misfit(factor: float) -> float:
        psa = response_spectrum(found.scaled(factor), at, exact=True).psa
        return float(np.sum(np.log(psa / wanted) ** 2))

    assert misfit(1.0) < min(misfit(0.99), misfit(1.01))
    assert misfit(0.99) == pytest.approx(misfit(1 / 0.99), rel=1e-9)


def test_the_vertical_is_treated_the_same_way() -> None:
    motion = shaking()
    assert motion.vertical is not None
    turned = Motion(motion.vertical, motion.dt, motion.accel)
    for step in (
        lambda m: pr.bandpass(m, 0.2, 12.0),
        lambda m: pr.baseline(m, order=3),
        lambda m: pr.taper(m, "tukey", 0.3),
        lambda m: pr.pad(m, 1.0, 2.0),
    ):
        one, other = step(motion), step(turned)
        assert np.array_equal(one.accel, other.vertical)
        assert np.array_equal(one.vertical, other.accel)


# -- components -----------------------------------------------------------------------------------


def ellipse(A: float, B: float, cycles: int = 5) -> tuple[Motion, Motion]:
    """x = A sin Ωt, y = B cos Ωt; as fine as needed to have a sample near each extreme."""
    t = np.arange(cycles * 3600 + 1) * (0.5 / 3600)
    W = 2 * np.pi / 0.5
    return Motion(A * np.sin(W * t), t[1], name="x"), Motion(B * np.cos(W * t), t[1], name="y")


@pytest.mark.parametrize(("A", "B"), [(3.0, 1.0), (1.0, 2.0), (2.0, 2.0), (1.0, 0.0)])
def test_rotd_of_an_ellipse(A: float, B: float) -> None:
    """The peak at angle θ is √(A²cos²θ + B²sin²θ): median √((A² + B²)/2), largest max(A, B)."""
    x, y = ellipse(A, B)
    found = co.rotd(x, y, percentiles=(0, 50, 100))
    assert found.psa[:, 0] == pytest.approx(
        [min(A, B), math.sqrt((A**2 + B**2) / 2), max(A, B)], rel=1e-6, abs=2e-3
    )
    angles = np.radians(np.arange(180))
    by_angle = np.sqrt(A**2 * np.cos(angles) ** 2 + B**2 * np.sin(angles) ** 2)
    assert found.by_angle[:, 0] == pytest.approx(by_angle, rel=1e-6, abs=2e-3)


def test_rotd_of_oscillators_is_that_of_rotated_motions() -> None:
    """By definition (Boore 2010): rotate first, then compute the spectrum, at every angle."""
    x, y = shaking(1, 1500), shaking(2, 1500)
    T = np.array([0.0, 0.2, 1.0])
    spectra = [response_spectrum(co.rotate(x, y, angle)[0], T).psa for angle in range(180)]
    found = co.rotd(x, y, T)
    assert found.psa[0] == pytest.approx(np.median(spectra, axis=0), rel=1e-10)
    assert found.psa[1] == pytest.approx(np.max(spectra, axis=0), rel=1e-10)


def test_the_component_of_rotd() -> None:
    x, y = shaking(1, 1500), shaking(2, 1500)
    for percentile in (50, 100):
        along, _ = co.to_rotd(x, y, percentile, 0.5)
        wanted = co.rotd(x, y, [0.5], percentiles=(percentile,)).psa[0, 0]
        exact = percentile == 100  # the median lies between two directions
        psa = response_spectrum(along, [0.5]).psa[0]
        assert psa == pytest.approx(wanted, rel=1e-10 if exact else 0.01)


@given(angle=st.floats(-720, 720))
def test_rotation_keeps_the_length_and_can_be_undone(angle: float) -> None:
    x, y = shaking(1, 300), shaking(2, 300)
    along, across = co.rotate(x, y, angle)
    assert along.accel**2 + across.accel**2 == pytest.approx(x.accel**2 + y.accel**2, abs=1e-12)
    back, other = co.rotate(along, across, -angle)
    assert back.accel == pytest.approx(x.accel, abs=1e-12)
    assert other.accel == pytest.approx(y.accel, abs=1e-12)


def test_right_angles_are_exact() -> None:
    x, y = shaking(1), shaking(2)
    along, across = co.rotate(x, y, 90.0)
    assert np.array_equal(along.accel, y.accel) and np.array_equal(across.accel, -x.accel)
    assert np.array_equal(along.vertical, x.vertical)
    assert np.array_equal(co.rotate(x, y, 0.0)[0].accel, x.accel)


def test_components_of_other_length_and_step() -> None:
    x, y = shaking(1, 400, 0.01), shaking(2, 120, 0.02)
    along, across = co.rotate(x, y, 90.0)
    assert along.dt == 0.01 and along.npts == across.npts == 400
    assert along.accel[:239] == pytest.approx(y.resampled(0.01).accel)
    assert (along.accel[239:] == 0).all()


def test_rotation_to_the_pulse_leaves_none_across() -> None:
    pulse = pulses.mavroeidis(0.8, 2.0, 2.0, nu=1.0, dt=0.01, start=3, tail=10)
    x, y = pulse.scaled(math.cos(0.5)), pulse.scaled(math.sin(0.5))
    along, across = co.to_pulse(x, y)
    assert along.pga == pytest.approx(pulse.pga, rel=1e-9)
    assert across.pga < 1e-6 * pulse.pga
    assert "to the velocity pulse" in along.meta["history"][-1]


# -- provenance -----------------------------------------------------------------------------------

EVERYTHING = shlex.split(
    "--baseline poly,2 --taper cosine,1,2.5 --pad 12,12.3 --bandpass 0.1,25 --lowpass 20,3 "
    "--highpass 0.05 --resample 0.015 --trim 1.5,41 --stretch 1.1 --similarity 0.3333333333333333 "
    "--scale -1.7 --mirror --scale-to pgv,0.123456789012345 --scale-to sa,2,0.7,0.02 "
    "--taper tukey,0.1"
)


def test_a_history_is_a_command_line_that_gives_the_same_motion() -> None:
    motion = shaking()
    made = recipe.process(motion, EVERYTHING)
    line = recipe.command_line(made, "my record.AT2")
    words = shlex.split(line)
    assert words[:4] == ["rocksteady", "motion", "process", "my record.AT2"]
    again = recipe.process(motion, words[4:])
    assert again == made and again.meta["history"] == made.meta["history"]
    assert len(made.meta["history"]) == 15
    assert made.meta["event"] == "none" and made.name == "noise"
    assert motion.meta == {"event": "none"}  # untouched


def test_defaults_are_written_out() -> None:
    made = recipe.process(shaking(), ["--baseline", "--bandpass=0.1,25", "--pad", "1,1"])
    assert made.meta["history"] == ("baseline(poly,2)", "bandpass(0.1,25,4)", "pad(1,1)")


def test_methods_of_motion_are_steps_too() -> None:
    made = shaking().scaled(0.5).stretched(2).resampled(0.05).trimmed(1, 5).mirrored()
    line = recipe.command_line(made, "a")
    assert line.endswith("a --scale 0.5 --stretch 2 --resample 0.05 --trim 1,5 --mirror")
    assert recipe.process(shaking(), shlex.split(line)[4:]) == made


def test_where_a_motion_came_from_is_no_step() -> None:
    made = pr.lowpass(pulses.sine(1.0, 0.5, dt=0.01), 10.0)
    assert recipe.command_line(made, "sine.csv") == (
        "rocksteady motion process sine.csv --lowpass 10,4"
    )


def test_what_needs_two_files_is_told() -> None:
    motion = shaking()
    named = Motion(motion.accel, motion.dt, name="pulse (the second)")
    for made in (
        motion.then(motion),
        motion.then(named),
        motion.with_vertical(None),
        motion.with_vertical(named),
        pr.mirror(motion).then(motion),
    ):
        with pytest.raises(InputError, match="more than one file"):
            recipe.command_line(made, "a")


def test_a_target_spectrum_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "target.csv"
    file.write_text("# T [s], Sa [m/s2]\n0, 2\n0.1, 5\n0.5, 5  # plateau\n\n2.0, 1.25\n")
    periods, psa = scaling.read_spectrum(file)
    assert periods.tolist() == [0, 0.1, 0.5, 2.0] and psa.tolist() == [2, 5, 5, 1.25]
    made = recipe.process(shaking(), ["--scale-to-spectrum", f"{file},0.2,2"])
    assert made.meta["history"][-1].startswith("scale(")
    assert "target spectrum" in made.meta["history"][-1]
    words = shlex.split(recipe.command_line(made, "a"))  # the factor: no file is needed any more
    assert words[4] == "--scale" and recipe.process(shaking(), words[4:]) == made
    for text in ("", "1 2", "1 2 3\n2 3 4\n", "a b\nc d\n", "1 2\n3\n", "1 2\nT Sa\n3 4"):
        file.write_text(text)
        with pytest.raises(InputError, match=r"cannot be read as a spectrum.*two columns"):
            scaling.read_spectrum(file)
    with pytest.raises(InputError, match="spectrum"):
        scaling.read_spectrum(tmp_path / "none.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_a_target_spectrum_may_come_from_any_editor(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "target.csv"
    file.write_bytes("T [s]; Sa [cm/s²]\r\n0.1; 50\r\n2.0; 25\r\n\x1a".encode(encoding))
    periods, psa = scaling.read_spectrum(file)
    assert periods.tolist() == [0.1, 2.0] and psa.tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("heading", "factor"),
    [
        ("T, Sa", 1.0),
        ("T [s], Sa [g]", 9.80665),
        ("Period (s);PSA (cm/s²)", 0.01),
        ("# Rome (soil B)\n# T [s] Sa [%g]", 0.0980665),
        ("Design spectrum\nT [s]\tSa [m/s^2]", 1.0),
        ("\ufeffT, Sa [g]", 9.80665),
        ("T (s), Sa(T) (g)", 9.80665),
        ("Period [S]; SA [g] (5 %)", 9.80665),
    ],
)
def test_the_heading_of_a_spectrum_says_its_unit(
    tmp_path: Path, heading: str, factor: float
) -> None:
    file = tmp_path / "target.csv"
    file.write_text(f"{heading}\n0.1; 0.5\n2.0; 0.125\n", encoding="utf-8")
    periods, psa = scaling.read_spectrum(file)
    assert periods.tolist() == [0.1, 2.0]
    np.testing.assert_allclose(psa, np.array([0.5, 0.125]) * factor, rtol=1e-15)


@pytest.mark.parametrize("heading", ["f [Hz], Sa [g]", "T [s], Sd [cm]", "Sa [g], Sa [m/s2]"])
def test_a_spectrum_of_something_else_is_refused(tmp_path: Path, heading: str) -> None:
    file = tmp_path / "target.csv"
    file.write_text(f"{heading}\n0.1, 0.5\n2.0, 0.125\n")
    with pytest.raises(InputError, match=r"heading has the unit.*T \[s\], Sa \[g\]"):
        scaling.read_spectrum(file)


def test_two_components_have_one_history() -> None:
    x, y = shaking(1), shaking(2)
    work = ["--bandpass", "0.1,20", "--rotate-to", "rotd50,0.5", "--scale", "2"]
    one, two = recipe.process_pair(x, y, work)
    assert one.meta["history"] == two.meta["history"]
    assert one.meta["components"] == ("noise", "noise")
    words = shlex.split(recipe.command_line(one, "x.AT2", "y.AT2"))
    assert words[3:5] == ["x.AT2", "y.AT2"] and words[7] == "--rotate"
    again = recipe.process_pair(x, y, words[5:])
    assert again[0] == one and again[1] == two
    pulse = recipe.process_pair(x, y, ["--rotate-to", "pulse"])[0]
    assert pulse == co.to_pulse(x, y)[0]
    with pytest.raises(InputError, match="two components"):
        recipe.process(x, ["--rotate", "30"])
    with pytest.raises(InputError, match="rotd50"):
        recipe.process_pair(x, y, ["--rotate-to", "north"])
    with pytest.raises(InputError, match="rotd50"):
        recipe.process_pair(x, y, ["--rotate-to", "rotd²"])


@pytest.mark.parametrize(
    "words",
    [
        ["--blur", "3"],
        ["bandpass", "1,2"],
        ["--bandpass", "1"],
        ["--bandpass", "1,2,3,4"],
        ["--bandpass", "one,two"],
        ["--bandpass"],
        ["--baseline", "poly,2.5"],
        ["--mirror", "1"],
        ["--scale", "nan"],
        ["--taper", "1"],
    ],
)
def test_bad_command_lines_are_told(words: list[str]) -> None:
    with pytest.raises(InputError):
        recipe.process(shaking(), words)


def test_entries_that_are_no_steps() -> None:
    assert provenance.parse_entry("what now?") is None
    assert provenance.parse_entry("scale(2)  # to (this)") == Step("scale", ("2",))
    with pytest.raises(InputError, match="choose from"):
        recipe.process(shaking(), [Step("blur")])


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive_being_written(value: float) -> None:
    read = provenance.parse_entry(str(provenance.step("scale", value)))
    assert read is not None
    assert float(read.arguments[0]) == value


def test_importing_is_light() -> None:
    code = (
        "import sys, rocksteady.motion.recipe; heavy = ('rocksteady.motion._oscillator', "
        "'scipy.signal', 'matplotlib'); print([m for m in heavy if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
