"""Bodies in space on the command line: what is printed equals what the API returns, and every error
says what to type instead."""

from __future__ import annotations

import json
import math
import re
import shlex

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.cli.common.space_summary import body_rows, of_body
from rocksteady.ensembles.study_file import read_study

BOX = ("--base", "0.45x0.6", "--height", "1.8")
SINE = "pulse:sine,a=0.4g,T=0.6"
G = 9.80665  # m/s²: the unit


@pytest.fixture
def station(tmp_path):
    """A record of three components in three files, as a network stores it."""
    t = np.arange(0, 4, 0.01)
    waves = {"000": 3.4 * np.sin(9 * t), "090": 3.0 * np.sin(7 * t), "-UP": np.sin(11 * t)}
    for name, accel in waves.items():
        _write(tmp_path / f"KJM{name}.AT2", accel, name)
    return tmp_path


def _write(path, accel, component):
    rows = "\n".join(f"{value / G:.8E}" for value in accel)
    head = "PEER NGA STRONG MOTION DATABASE RECORD\n"
    head += f"Testville, 1/1/2000, Station KJM, {component.strip('-')}\n"
    head += f"ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {len(accel)}, DT= .0100 SEC\n"
    path.write_text(head + rows + "\n")


def told(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


# -- what shakes it --------------------------------------------------------------------------------


def test_all_components_of_a_station_are_one_motion(rocksteady, station):
    said = told(rocksteady("simulate", *BOX, "-m", station / "KJM000.AT2", "--json"))
    response = rs.simulate(rs.Body.box(0.45, 0.6, 1.8), rs.read_record(station / "KJM000.AT2"))
    assert said["motion"]["transverse"] and said["motion"]["vertical"]
    assert said["formulation"]["name"] == "Spatial"
    assert said["peak"] == response.peak > 0.05
    assert (said["walked"], said["turned"]) == (response.walked, response.turned)
    assert said["impacts"] == len(response.impacts)


def test_components_in_files_of_their_own(rocksteady, station):
    files = [station / f"KJM{name}.AT2" for name in ("000", "090", "-UP")]
    given = ("-m", files[0], "--transverse", files[1], "--vertical", files[2])
    said = told(rocksteady("simulate", *BOX, *given, "--json"))
    x, y, z = (rs.read_motion(file) for file in files)
    response = rs.simulate(rs.Body.box(0.45, 0.6, 1.8), x.with_transverse(y).with_vertical(z))
    assert said["peak"] == response.peak
    scaled = told(rocksteady("simulate", *BOX, *given, "--pga", "0.5", "--json"))["motion"]
    assert scaled["pga_g"] == pytest.approx(0.5)
    assert scaled["pga_transverse_g"] == pytest.approx(0.5 * y.pga / x.pga)


def test_one_component_can_be_chosen(rocksteady, station):
    file = station / "KJM000.AT2"
    given = ("-m", file, "--transverse", station / "KJM090.AT2")
    assert not told(rocksteady("simulate", *BOX, *given, "--json"))["motion"]["vertical"]


def test_turning_by_90_degrees_swaps_the_sides(rocksteady):
    """A body turned by 90° feels along y what came along x: as a box of turned sizes does."""
    turned = told(rocksteady("simulate", *BOX, "-m", SINE, "--turn", "90", "--json"))
    other = ("--base", "0.6x0.45", "--height", "1.8")
    plain = told(rocksteady("simulate", *other, "-m", SINE, "--json"))
    assert turned["peak"] == pytest.approx(plain["peak"], rel=1e-9)
    assert turned["peak"] > 0


def test_a_block_is_shaken_by_the_component_at_an_angle(rocksteady, station):
    block = ("--height", "1.8", "--width", "0.45")
    said = told(rocksteady("simulate", *block, "-m", station / "KJM000.AT2", "--turn", "30",
                           "--json"))  # fmt: skip
    motion = rs.read_record(station / "KJM000.AT2").turned(30).with_transverse(None)
    assert said["peak"] == rs.simulate(rs.Block(1.8, 0.45), motion).peak
    assert not said["motion"]["transverse"]


# -- the body and its start ------------------------------------------------------------------------


def test_a_square_base_needs_one_size(rocksteady):
    said = told(rocksteady("simulate", "--base", "0.45", "--height", "1.8", "-m", SINE, "--json"))
    assert (said["body"]["base_x"], said["body"]["base_y"]) == (0.45, 0.45)


def test_it_is_let_go_in_a_direction(rocksteady):
    given = ("simulate", *BOX, "--lean", "0.5a", "--direction", "30")
    said = told(rocksteady(*given, "--until", "2", "--json"))
    body = rs.Body.box(0.45, 0.6, 1.8)
    assert said["theta0"] == pytest.approx(0.5 * body.limit(30), rel=1e-12)
    assert said["direction"] == pytest.approx(30)
    assert said["peak"] == pytest.approx(0.5)
    outcome = rocksteady(*given, "--until", "2")
    assert "towards 30°" in outcome.out
    assert "kg, centre of mass 0.9 m high" in outcome.out


def test_what_falls_says_over_what(rocksteady):
    strong = "pulse:sine,a=1g,T=1"
    outcome = rocksteady("simulate", *BOX, "-m", strong)
    assert "over the edge of corners" in outcome.out and "towards 0°" in outcome.out
    assert "moves" not in outcome.out
    said = told(rocksteady("simulate", *BOX, "-m", strong, "--json"))
    assert said["walked"] is None and said["fell_to"].startswith("over the edge")


def test_a_round_body_that_wobbles_is_not_told_to_wait(rocksteady):
    given = ("--diameter", "0.45", "--height", "1.8", "--lean", "0.5a", "--omega0", "0")
    outcome = rocksteady("simulate", *given, "--until", "0.2")
    said = " ".join(re.sub(r"[│╭╮╰╯─]", " ", outcome.out).split())
    assert "all of its kinetic energy" in said and "never comes to rest" in said


def test_what_stands_says_how_far_it_walked(rocksteady, station):
    square = ("--base", "0.52x0.52", "--height", "1.8")
    outcome = rocksteady("simulate", *square, "-m", station / "KJM000.AT2")
    assert "mm over the floor" in outcome.out and "seen from above" in outcome.out


def test_a_scan_is_a_body(rocksteady, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((450, 600, 1800)).export(tmp_path / "statue.stl")
    given = ("simulate", "statue.stl", "--scan-unit", "mm", "-m", SINE)
    said = told(rocksteady(*given, "--json"))
    box = told(rocksteady("simulate", *BOX, "-m", SINE, "--json"))
    assert said["peak"] == pytest.approx(box["peak"], rel=1e-6)
    assert "rocksteady simulate statue.stl --scan-unit mm" in rocksteady(*given).out
    guessed = rocksteady("simulate", "statue.stl", "-m", SINE, "--json")
    assert "Give --scan-unit mm" in guessed.err
    refused = rocksteady(*given, "--height", "2")
    assert refused.code == 2 and "--height does not go with a scan" in refused.err


def test_rounding_of_a_scan_is_not_told():
    turned = rs.Body.box(0.45, 0.6, 1.8, offset=(1e-17, 0)).turned(-1e-9)
    said = {"body": of_body(turned), "formulation": {}, "keeps_at_impact": ""}
    words = " ".join(value for _, value in body_rows(said))
    assert "beside the middle" not in words
    assert "towards 0°" in words or "towards 180°" in words  # never 360°


def test_files_of_a_run_are_written(rocksteady, tmp_path):
    given = ("simulate", *BOX, "-m", SINE, "-q", "-o", "run.csv", "-o", "run.nc", "-o", "run.png")
    assert rocksteady(*given).code == 0
    loaded = [rs.Response.load(tmp_path / name) for name in ("run.csv", "run.nc")]
    assert loaded[0].peak == loaded[1].peak > 0
    assert loaded[0].walked == loaded[1].walked
    assert (tmp_path / "run.png").stat().st_size > 10_000


def test_a_run_becomes_a_study_of_three_components(rocksteady, tmp_path):
    assert rocksteady("simulate", *BOX, "-m", SINE, "-q", "-o", "study.toml").code == 0
    text = (tmp_path / "study.toml").read_text()
    assert "components = 3" in text
    (tmp_path / "study.toml").write_text(text.replace("count = 100", "count = 2, sets = 1"))
    said = told(rocksteady("ensemble", "study.toml", "--json"))
    assert said["formulation"] == "Spatial" and said["runs"] == 14


def test_on_a_smooth_floor_it_slides(rocksteady):
    given = ("--base", "0.45x0.45", "--height", "1.8", "-m", SINE, "--friction", "0.2")
    said = told(rocksteady("simulate", *given, "--json"))
    body, push = rs.Body.box(0.45, 0.45, 1.8), rs.pulses.sine(amplitude=0.4 * G, period=0.6)
    response = rs.simulate(body, push, rs.Spatial(friction=0.2))
    assert said["formulation"]["friction"] == 0.2
    assert said["walked"] == response.walked > 0.001  # it slides to and fro
    printed = rocksteady("simulate", *given).out
    assert said["slide"] == said["walked"]
    assert "it slides before, from 0.2 g" in printed and "0.2 (Coulomb)" in printed
    assert "2 times what makes it slide" in printed and "what lifts it off" not in printed
    assert "to the right" not in printed
    compared = told(rocksteady("compare", *given, "--json"))["rows"][0]
    assert compared["peak"] == response.peak and compared["moved"] == response.walked
    assert f"{1e3 * response.walked:.2f}" in rocksteady("compare", *given).out
    data = rs.ensemble(body, [push], rs.Spatial(friction=0.2), progress=False)
    assert float(data.walked.squeeze()) == response.walked


@pytest.mark.parametrize(("strength", "components"), [(0.7, 3), (2.0, 2)])
def test_the_study_of_a_strong_motion_can_be_run(rocksteady, tmp_path, strength, components):
    """Its scales end where a vertical component would make the body weightless; where the motion
    itself is stronger, there is none."""
    given = ("-m", f"pulse:sine,a={strength}g,T=0.4", "-q", "-o", "study.toml")
    assert rocksteady("simulate", *BOX, *given).code == 0
    text = (tmp_path / "study.toml").read_text()
    assert f"components = {components}" in text and "would make the body" in text
    study = read_study(tmp_path / "study.toml").study  # refuses scales that go too far
    assert strength in study.scales
    assert (study.scales.max() == 2 * strength) == (components == 2)


def test_a_round_body_lifts_off_in_every_direction(rocksteady):
    given = ("--diameter", "0.45", "--height", "1.8", "-m", SINE, "--until", "0.3")
    assert "0.250 g (g tan α)" in rocksteady("simulate", *given).out
    assert "0.250 g there (g tan α)" in rocksteady("simulate", *BOX, "-m", SINE).out


def test_only_a_round_body_is_said_to_move_for_ever(rocksteady):
    outcome = rocksteady("simulate", *BOX, "--lean", "0.5a", "--until", "0.2")
    assert "MOVING" in outcome.out and "round" not in outcome.out


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("--base 0.45y0.6 --height 1.8", "as in --base 0.45x0.60"),
        ("--base 0.45x0.6", "--base needs --height"),
        ("--base 0.4x0.4 --width 1 --height 2", "--width and --base were both given"),
        ("--base 0.4x0.4 --diameter 1 --height 2", "describe the body in one way"),
        ("record.AT2 --height 2", "--motion record.AT2"),
        ("statue.stl", "There is no file statue.stl"),
        ("--up z --height 1.8 --width 0.4", "--up is for a body in space"),
        (f"--base 0.4x0.4 --height 1.8 --direction 30 -m {SINE}", "give --theta0, or --turn"),
        (f"--base 0.4x0.4 --height 1.8 --eta 0.9 -m {SINE}", "follows from its shape"),
        (f"--height 1.8 --width 0.4 --direction 30 --lean 0.1a -m {SINE}", "moves in one plane"),
        (f"--base 0.4x0.4 --height 1.8 --formulation housner -m {SINE}", "body.block(direction)"),
        ("--base -1x0.4 --height 1.8", "--base -1x0.4 is not allowed"),
        ("--base 0x1 --height 1.8", "--base 0x1 is not allowed"),
        ("--diameter 0 --height 1.8", "diameter = 0.0 m is not allowed"),
        ("--diameter 1 --top-diameter -1 --height 1.8", "top diameter = -1.0 m is not allowed"),
        (f"--base 0.4 --height 1.8 -m {SINE} --transverse {SINE}", "--turn sets its direction"),
    ],
)
def test_errors_say_what_to_type(rocksteady, line, sentence):
    outcome = rocksteady("simulate", *shlex.split(line))
    assert outcome.code == 2
    assert sentence in outcome.err and "Traceback" not in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["overturning", "check", "validate"])
def test_commands_that_need_a_plane_say_so(rocksteady, command):
    outcome = rocksteady(command, *BOX)
    assert outcome.code == 2
    assert f"rocksteady {command} needs a block in a plane" in outcome.err
    assert ("rs.analysis.direction_map" in outcome.err) == (command == "overturning")
    assert "space" not in rocksteady(command, "--help").out


# -- other commands --------------------------------------------------------------------------------


def test_fragility_takes_a_body_in_space(rocksteady):
    given = ("fragility", *BOX, "-m", "stochastic:4,seed=1,sets=1", "--levels", "0.3,0.6,0.9")
    said = told(rocksteady(*given, "--json"))
    motions = rs.stochastic.ensemble(
        4, 1, [rs.stochastic.sample_parameters(1, 1)[0]] * 4, components=3
    )
    found = rs.analysis.fragility(rs.Body.box(0.45, 0.6, 1.8), motions, levels=[0.3, 0.6, 0.9])
    added = {"files": 0, "warnings": []}
    assert said | added == json.loads(json.dumps(found.summary())) | added
    refused = rocksteady(*given, "--tolerance", "usual")
    assert "for a block in a plane" in refused.err
    turns = {**said, "files": 0}
    any_axes = told(rocksteady(*given, "--measure", "pga_rotd100", "--json"))
    assert any_axes["measure"] != turns["measure"]
    assert "component along x alone" in rocksteady(*given).out.replace("\n", " ")


def test_fragility_under_a_folder_of_stations(rocksteady, tmp_path):
    """Each station with all its components; what is no record is skipped and named."""
    folder = tmp_path / "records"
    folder.mkdir()
    made = rs.stochastic.ensemble(3, 3, components=3)
    for i, motion in enumerate(made):
        rs.write_motion(motion, folder / f"ST{i}.AT2")
    (folder / "notes.txt").write_text("Not a record.")
    given = ("fragility", *BOX, "-m", folder, "--levels", "0.2,0.4,0.6", "--json")
    said = told(rocksteady(*given))
    read = rs.read_records(folder, pattern="*.AT2")
    found = rs.analysis.fragility(rs.Body.box(0.45, 0.6, 1.8), read, levels=[0.2, 0.4, 0.6])
    added = {"files": 0, "warnings": []}
    assert said | added == json.loads(json.dumps(found.summary())) | added
    assert found.stripes.draws == 3
    assert "notes.txt" in rocksteady(*given[:-1]).err


def test_compare_puts_planes_beside_space(rocksteady, station):
    given = ("compare", *BOX, "-m", station / "KJM000.AT2")
    said = told(rocksteady(*given, "--json"))
    names = [row["formulation"] for row in said["rows"]]
    assert names == ["Body in space", "plane along x", "plane along y"]
    body, motion = rs.Body.box(0.45, 0.6, 1.8), rs.read_record(station / "KJM000.AT2")
    motion = motion.right_handed()
    alone = rs.simulate(body.block(0), rs.Motion(motion.accel, motion.dt, motion.vertical))
    assert said["rows"][1]["peak"] == alone.peak
    outcome = rocksteady(*given, "-o", "c.png")
    assert outcome.code == 0
    assert "As a rule" in outcome.out and "Here" in outcome.out
    assert math.isfinite(said["rows"][2]["peak_difference"])
