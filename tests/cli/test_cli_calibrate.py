"""`rocksteady calibrate measure`: the r that was put into a test comes out of its file."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.view.decay import plot_measured

TRUE_R = 0.8
BLOCK = rs.Block(height=1.0, width=0.25)
SIZES = ("--height", "1.0", "--width", "0.25")


@pytest.fixture
def measure(command_line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return lambda *words: command_line("calibrate", "measure", *words)


def write_test(
    path: str,
    heading: str,
    factor: float,
    *,
    held: float = 0.0,
    lean: float = 0.6,
    offset: float = 0.0,
    until: float = np.inf,
):
    """A film of 100 frames a second, with noise of 0.01 degrees."""
    free = rs.simulate(BLOCK, None, rs.Housner(r=TRUE_R), theta0=lean * BLOCK.alpha)
    time = np.arange(0, min(free.time[-1] + held, until), 0.01)
    theta = np.interp(time - held, free.time, free.theta)
    theta += np.random.default_rng(1).normal(0, 1.7e-4, len(time))
    rows = np.column_stack([time, factor * (theta + offset)])
    np.savetxt(path, rows, delimiter=",", header=heading, comments="")


@pytest.mark.parametrize(
    ("heading", "factor", "options"),
    [
        ("time [s],lean [deg]", 180 / np.pi, ()),
        ("t,theta_rad", 1.0, ()),
        ("t,θ [°]", 180 / np.pi, ()),
        ("t,theta", 180 / np.pi, ("--unit", "deg")),
        ("t,theta", 1.0, ("--unit", "rad", "--impacts", "6")),
    ],
)
def test_the_r_put_in_comes_out(measure, heading, factor, options):
    write_test("test.csv", heading, factor)
    about = json.loads(measure("test.csv", *SIZES, *options, "--json").out)
    assert about["r"] == pytest.approx(TRUE_R, abs=0.005)
    assert about["eta"] == about["r"] ** 0.5 and about["housner_r"] == BLOCK.r
    assert "--impacts" not in options or about["impacts"] == 6


def test_a_block_that_leans_to_the_left_and_is_held_first(measure):
    write_test("test.csv", "t [s],lean [rad]", 1.0, held=2.4, lean=-0.6)
    about = json.loads(measure("test.csv", *SIZES, "--released", "2.4", "--json").out)
    assert about["r"] == pytest.approx(TRUE_R, abs=0.005)


def test_a_held_start_and_an_offset_are_found_and_told(measure, tmp_path):
    write_test("test.csv", "t [s],lean [rad]", 1.0, held=2.0, offset=np.radians(0.4))
    about = json.loads(measure("test.csv", *SIZES, "--json").out)
    low, high = about["interval"]
    assert about["r"] == pytest.approx(TRUE_R, abs=1e-3) and low < TRUE_R < high < low + 0.005
    assert about["released"] == pytest.approx(2.0, abs=0.01)
    assert about["offset"] == pytest.approx(np.radians(0.4), abs=3e-4)
    out = " ".join(measure("test.csv", *SIZES, "-o", "fit.svg").out.split())
    assert f"(90 % interval {low:.4f} to {high:.4f})" in out
    assert "let go at 2.0" in out and "zero is off by 0.4" in out
    assert f"90 %: {low:.4f} to {high:.4f}" in (tmp_path / "fit.svg").read_text(encoding="utf-8")


def test_decimal_commas_between_semicolons(measure, tmp_path):
    write_test("test.csv", "t;lean [deg]", 180 / np.pi)
    text = (tmp_path / "test.csv").read_text(encoding="utf-8")
    (tmp_path / "it.csv").write_text(text.replace(",", ";").replace(".", ","), encoding="utf-8")
    assert json.loads(measure("it.csv", *SIZES, "--json").out)["r"] == pytest.approx(0.8, abs=5e-3)


def test_a_block_that_is_not_the_one_tested_is_refused(measure):
    write_test("test.csv", "t,theta_rad", 1.0, held=1.0)
    done = measure("test.csv", "--height", "2", "--width", "0.5")
    assert done.code == 2 and "simulate" not in done.out
    assert "not that of a 2 × 0.5 m block: it rocks 1.41 times as fast" in " ".join(
        done.err.split()
    )
    nearly = " ".join(measure("test.csv", "--height", "1.1", "--width", "0.275").out.split())
    assert "% faster than its dimensions say: check them" in nearly


def test_a_film_that_ends_early_is_compared_to_its_end(measure):
    write_test("test.csv", "t,theta_rad", 1.0, until=2.5)
    about = json.loads(measure("test.csv", *SIZES, "--json").out)
    assert about["r"] == pytest.approx(TRUE_R, abs=0.005) and 3 <= about["impacts"] <= 6
    write_test("test.csv", "t,theta_rad", 1.0, until=0.1)
    assert "has 0 impacts, too few" in measure("test.csv", *SIZES).err.replace("\n", " ")


def test_what_is_shown_and_drawn(measure, tmp_path):
    write_test("test.csv", "time [s],lean [deg]", 180 / np.pi)
    out = measure("test.csv", *SIZES, "-o", "fit.svg").out
    assert "impacts: r = 0.80" in out and "wrote fit.svg" in out
    assert f"from its shape alone (Housner): r = {BLOCK.r:.4f}" in out
    drawn = (tmp_path / "fit.svg").read_text(encoding="utf-8")
    assert "lean θ [°]" in drawn and "measured" in drawn


@pytest.mark.parametrize("impacts", [1, 4])
def test_what_was_compared_is_shaded_to_the_end_of_its_last_swing(impacts):
    free = rs.simulate(BLOCK, None, rs.Housner(r=TRUE_R), theta0=0.6 * BLOCK.alpha)
    found = rs.measure_r(free, impacts=impacts)
    shade = plot_measured(free.time, free.theta, BLOCK, found).axes[0].patches[0]
    assert shade.get_x() + shade.get_width() == pytest.approx(free.impacts.time[impacts], rel=0.01)


@pytest.mark.parametrize(
    ("heading", "factor", "options", "words"),
    [
        ("t,theta", 1.0, (), "give --unit deg or --unit rad"),
        ("t,theta", 1.0, ("--unit", "mm"), "choose deg or rad"),
        ("t,theta_rad", 180 / np.pi, (), "is the unit right (--unit deg)"),
        ("t,theta_rad", 1.0, ("--released", "99"), "go on after --released"),
        ("t,theta_rad", 1.0, ("--impacts", "900"), "too few to measure r over 900 impacts"),
        ("t,theta_rad", 1.0, ("-o", "fit.gif"), "must end in .png"),
        ("time [ms],theta_rad", 1.0, (), "give it in s"),
    ],
)
def test_what_is_wrong_is_told(measure, heading, factor, options, words):
    write_test("test.csv", heading, factor)
    done = measure("test.csv", *SIZES, *options)
    assert done.code == 2 and words in " ".join(done.err.split())


def test_files_that_are_no_test(measure, tmp_path):
    assert "There is no file" in measure("none.csv", *SIZES).err
    (tmp_path / "words.csv").write_text("time,lean [deg]\n0,much\n1,little\n")
    err = " ".join(measure("words.csv", *SIZES).err.split())
    assert "cannot be read as a test" in err and "time [s], lean [deg]" in err
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "bare.csv").write_text("0,5\n0.01,4.9\n0.02,4.7\n0.03,4.4\n")
    for name in ("empty.csv", "bare.csv"):
        done = measure(name, *SIZES, "--unit", "deg")
        assert done.code == 2 and "cannot be read as a test" in " ".join(done.err.split()), name
