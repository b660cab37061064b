"""Floors on the command line: what is printed and written is what the API gives."""

from __future__ import annotations

import json

import pytest

import rocksteady as rs

BLOCK = ("--height", 1.8, "--width", 0.5)
ROOF = ("--storeys", 4, "--period", 0.5)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a record."""
    monkeypatch.chdir(tmp_path)
    rs.write_motion(rs.pulses.ricker(amplitude=3.0, period=0.6, dt=0.01), tmp_path / "rec.csv")
    return tmp_path


def test_motion_floor_writes_the_motion_and_a_figure(command_line, folder):
    done = command_line("motion", "floor", "rec.csv", *ROOF, "-o", "roof.csv", "-o", "roof.png")
    assert done.code == 0, done.err
    ground = rs.read_motion("rec.csv")
    exact = rs.floor_motion(ground, period=0.5, storeys=4)
    written = rs.read_motion("roof.csv")
    assert written.accel == pytest.approx(exact.accel, abs=1e-9)
    assert written.meta["floor"] == "roof of a 4-storey building, T1 0.5 s, damping 5 %"
    assert (folder / "roof.png").stat().st_size > 10_000
    for words in ("roof of a 4-storey building", "C7.2.11", "EN 1998-1", "ASCE 7-22", "3.36 times"):
        assert words in done.out


def test_motion_floor_as_json(command_line, folder):
    done = command_line("motion", "floor", "rec.csv", "--modes", "0.5:1.2 0.2:-0.1:0.02", "--json")
    (about,) = json.loads(done.out)["motions"]
    floor = rs.Floor.of_modes([0.5, 0.2], [1.2, -0.1], [0.05, 0.02])
    assert about["pfa [m/s2]"] == pytest.approx(floor.motion(rs.read_motion("rec.csv")).pga)
    assert about["modes"] == [[0.5, 1.2, 0.05], [0.2, -0.1, 0.02]]
    assert about["files"] == ["rec_floor.csv"]
    assert list(about["peak floor acceleration [m/s2]"]) == [
        "this motion",
        "Circolare C7.2.5–8, all modes",
    ]


def test_the_history_is_a_step_of_process(command_line, folder):
    command_line("motion", "floor", "rec.csv", *ROOF, "--level", 2, "-o", "one.csv")
    done = command_line("motion", "process", "rec.csv", "--floor", "0.5,0.05,4,2", "-o", "two.csv")
    assert done.code == 0, done.err
    assert rs.read_motion("one.csv") == rs.read_motion("two.csv")
    assert "--floor 0.5,0.05,4,2" in done.out


def test_simulate_on_a_floor(command_line, folder):
    done = command_line(
        "simulate", *BLOCK, "-m", "rec.csv", *ROOF, "--json", "-o", "study.toml", "-o", "run.csv"
    )
    assert done.code == 0, done.err
    about = json.loads(done.out)
    ground = rs.read_motion("rec.csv")
    felt = rs.floor_motion(ground, period=0.5, storeys=4)
    assert about["peak"] == rs.simulate(rs.Block(1.8, 0.5), felt).peak
    assert about["motion"]["pga"] == ground.pga
    assert about["floor"]["pfa"] == felt.pga
    from rocksteady.ensembles.study_file import read_study

    study = read_study(folder / "study.toml").study
    assert study.floor == rs.Floor(0.5, 0.05, 4, 4)
    assert study.scales[3] == pytest.approx(ground.pga / 9.80665, rel=1e-2)
    table = command_line("simulate", *BLOCK, "-m", "rec.csv", *ROOF).out
    assert "on the ground" in table and "roof of a 4-storey building" in table
    assert "--storeys 4 --period 0.5" in table  # what to type next


def test_a_file_with_a_floors_motion_says_so(command_line, folder):
    command_line("motion", "floor", "rec.csv", *ROOF, "-o", "roof.csv")
    table = command_line("simulate", *BLOCK, "-m", "roof.csv").out
    assert "roof of a 4-storey building" in table


def test_compare_on_a_floor(command_line, folder):
    done = command_line("compare", *BLOCK, "-m", "rec.csv", *ROOF, "--until", 3)
    assert "PGA 0.306 g of the ground, on the roof" in " ".join(done.out.split())
    plain = command_line("compare", *BLOCK, "-m", "rec.csv", "--until", 3)
    assert plain.out != done.out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("motion", "floor", "rec.csv"), "Which building"),
        (("motion", "floor", "rec.csv", "--storeys", 4), "--storeys needs --period"),
        (("motion", "floor", "rec.csv", "--period", 0.5, "--modes", "0.5:1"), "give one"),
        (("motion", "floor", "rec.csv", "--modes", "0.5"), "is not a mode"),
        (("motion", "floor", "rec.csv", *ROOF, "-o", "roof.txt"), "cannot be written"),
        (("motion", "floor", "rec.csv", *ROOF, "-o", "rec.csv"), "written over what is read"),
        (("simulate", *BLOCK, "--theta0", "0.5a", *ROOF), "A floor needs --motion"),
        (("simulate", *BLOCK, "-m", "rec.csv", *ROOF, "--level", 5), "from 0 to 4"),
        (("simulate", *BLOCK, "-m", "rec.csv", "--period", -1), "--period"),
    ],
)
def test_errors(command_line, folder, words, error):
    done = command_line(*words)
    assert done.code == 2
    assert error in " ".join(done.err.split())
