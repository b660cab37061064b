"""The command line: what it prints equals what the API returns, and errors are one sentence."""

from __future__ import annotations

import json
import math
import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.main import get_command

import rocksteady as rs
from rocksteady.cli import COMMANDS, app, demo
from rocksteady.cli.common import files, inputs, progress, theory
from rocksteady.motion.intensity import pgv
from rocksteady.numerics import first_use

DATA = Path(__file__).parents[1] / "data"
STATUE = ("simulate", "--height", "1.8", "--width", "0.5")
SINE = "pulse:sine,a=0.45g,w=5.75p"
HEAVY = {"numpy", "numba", "scipy", "matplotlib", "xarray", "pandas", "h5py"}


@pytest.fixture
def rocksteady(command_line):
    return command_line


def shell(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
    )


# -- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["simulate", "--help"], ["demo", "--help"], ["motion", "info", "--help"]],
    ids=" ".join,
)
def test_help_imports_nothing_heavy(arguments):
    program = (
        "import sys, typer.main\n"
        "from rocksteady.cli import app\n"
        f"typer.main.get_command(app).main({arguments}, standalone_mode=False)\n"
        f"print('heavy:', sorted({HEAVY} & set(sys.modules)))\n"
    )
    done = shell("-c", program)
    assert done.stderr == ""
    assert done.stdout.endswith("heavy: []\n")
    assert "Usage" in done.stdout


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_none_of_the_commands(option):
    """What takes long is importing: of the package only the door, of others only Typer's own."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from rocksteady.cli import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    for name in sorted(set(sys.modules) - before):\n"
        "        print('module', name)\n"
    )
    done = shell("-c", program, option)
    assert done.returncode == 0, done.stderr
    loaded = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("module ")]
    ours = {name for name in loaded if name.split(".")[0] == "rocksteady"}
    assert ours - {"rocksteady.version"} == {
        "rocksteady",
        "rocksteady.cli",
        "rocksteady.cli.common",
        "rocksteady.cli.common.group",
        "rocksteady.errors",
        "rocksteady.public",
    }
    others = {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    assert others & {"typer", "rich"} and not others & HEAVY


def test_help_lists_every_command_with_its_own_first_sentence(rocksteady):
    listing = " ".join(rocksteady("--help").out.replace("│", " ").split())
    for name, summary in COMMANDS.items():
        assert summary in listing
        command = get_command(import_module(f"rocksteady.cli.{name}").app)
        assert command.help.splitlines()[0] == summary


def test_help_of_simulate_has_examples_that_are_not_broken(rocksteady):
    help_text = rocksteady("simulate", "--help").out
    assert f"rocksteady simulate --height 1.8 --width 0.5 -m {SINE}" in help_text
    assert "Full height, m." in help_text


def test_version(rocksteady):
    assert rocksteady("--version") == (0, f"rocksteady {rs.__version__}\n", "")


def test_python_m_rocksteady_is_the_command():
    assert shell("-m", "rocksteady", "--version").stdout == f"rocksteady {rs.__version__}\n"


def test_a_command_that_does_not_exist_is_a_usage_error(rocksteady):
    outcome = rocksteady("simulat")
    assert outcome.code == 2
    assert "simulat" in outcome.err


# -- simulate -------------------------------------------------------------------------------------


def test_a_flexible_oscillator_with_coefficients_of_its_edges(rocksteady):
    shake = ("-m", "pulse:sine,a=0.5g,w=7p", "--until", "3", "--json")
    edges = ("--set", "epsilon=0.2,0.4", "--set", "friction=0.2,0.4")
    outcome = rocksteady("simulate", "--preset", "giouvanidis2016", *shake, *edges)
    about = json.loads(outcome.out)
    tower = rs.FlexibleOscillator.giouvanidis2016()
    how = rs.Nonsmooth(epsilon=(0.2, 0.4), friction=(0.2, 0.4))
    motion = rs.pulses.sine(0.5 * 9.80665, omega=7 * tower.p)
    assert about["peak"] == rs.simulate(tower, motion, how, duration=3.0).peak
    assert about["block"]["column"]["natural_frequency"] == tower.natural_frequency
    assert about["formulation"]["epsilon"] == [0.2, 0.4]
    stiff = ("--preset", "giouvanidis2016", "--natural-frequency", "50")
    other = json.loads(rocksteady("simulate", *stiff, *shake, "--friction", "0.3").out)
    assert other["block"]["column"]["natural_frequency"] == 50 and other["peak"] != about["peak"]
    refused = rocksteady("simulate", "--preset", "giouvanidis2016", "--diameter", "2", *shake)
    assert refused.code == 2 and "--preset and --diameter were both given" in refused.err
    refused = rocksteady("simulate", "--preset", "somebody", *shake)
    assert "use giouvanidis2016" in refused.err


def test_a_film_of_a_flexible_oscillator(rocksteady, tmp_path):
    shake = ("-m", "pulse:sine,a=0.5g,w=7p", "--until", "1.5")
    path = tmp_path / "tower.gif"
    code, out, _ = rocksteady("simulate", "--preset", "giouvanidis2016", *shake, "-o", path)
    assert code == 0 and f"wrote {path}" in out
    assert path.read_bytes().startswith(b"GIF8")


def test_json_is_what_the_api_says(rocksteady):
    code, out, err = rocksteady(*STATUE, "--motion", SINE, "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)

    block = rs.Block(height=1.8, width=0.5)
    motion = rs.pulses.sine(amplitude=0.45 * 9.80665, omega=5.75 * block.p)
    response = rs.simulate(block, motion)
    for name in ("height", "width", "mass", "inertia", "alpha", "R", "p", "eta", "r", "g"):
        assert said["block"][name] == getattr(block, name)
    assert said["block"]["uplift_acceleration"] == pytest.approx(block.g * math.tan(block.alpha))
    assert said["formulation"]["name"] == "Housner"
    assert said["motion"]["name"] == "sine pulse"
    assert said["motion"]["pga"] == motion.pga
    assert said["motion"]["pga_g"] == pytest.approx(0.45)
    assert said["motion"]["duration"] == motion.duration
    assert said["status"] == str(response.status) == "at rest"
    assert said["advice"] == response.status.advice
    assert said["peak"] == response.peak
    assert said["impacts"] == len(response.impacts)
    assert said["duration"] == response.time[-1]
    assert said["energy"]["largest"] == response.energy.max()
    assert said["energy"]["loss"] == response.column("loss")[-1]
    assert said["energy"]["balance"] < 1e-8 * said["energy"]["largest"]
    assert said["files"] == []


def test_time_of_peak_is_that_of_the_true_extremum(rocksteady):
    said = json.loads(rocksteady(*STATUE, "--motion", SINE, "--json").out)
    block = rs.Block(height=1.8, width=0.5)
    response = rs.simulate(block, rs.pulses.sine(0.45 * 9.80665, omega=5.75 * block.p))
    assert abs(said["peak_angle"]) / block.alpha == pytest.approx(response.peak, rel=1e-15)
    nearest = abs(response.theta).argmax()
    assert abs(said["time_of_peak"] - response.time[nearest]) <= response.motion.dt


def test_all_options_of_a_block_reach_it(rocksteady):
    sizes = {"height": 2.0, "width": 0.6, "offset": 0.05, "com_height": 0.9}
    options = {**sizes, "mass": 450.0, "inertia": 160.0}
    words = [w for k, v in options.items() for w in ("--" + k.replace("_", "-"), v)]
    said = json.loads(
        rocksteady(
            "simulate", *words, "--g", 9.80665, "--theta0", "-0.5a", "--r", 0.8, "--json"
        ).out
    )
    block = rs.Block(**options, g=9.80665)
    response = rs.simulate(block, None, rs.Housner(r=0.8), theta0=-0.5 * block.left.alpha)
    assert said["theta0"] == -0.5 * block.left.alpha
    assert said["block"]["alpha_left"] == block.left.alpha
    assert said["formulation"]["r"] == 0.8
    assert said["motion"] is None
    assert (said["peak"], said["impacts"]) == (response.peak, len(response.impacts))


def test_p_and_alpha_instead_of_sizes(rocksteady):
    said = json.loads(
        rocksteady(
            "simulate", "--p", 2.0, "--alpha", 0.2, "--omega0", 0.1, "--slender", "--json"
        ).out
    )
    block = rs.Block.from_parameters(p=2.0, alpha=0.2)
    response = rs.simulate(block, None, rs.Housner(slender=True), omega0=0.1)
    assert said["peak"] == response.peak
    assert said["block"]["height"] == block.height


@pytest.mark.parametrize(
    ("options", "factor"), [((), 1), (("--scale", "2"), 2), (("--pga", "0.5"), None)]
)
def test_a_record_scaled(rocksteady, options, factor):
    file = DATA / "two_components.txt"
    said = json.loads(
        rocksteady(*STATUE, "--motion", file, "--component", "EW", *options, "--json").out
    )
    motion = rs.read_motion(file, "EW")
    expected = 0.5 * 9.80665 if factor is None else factor * motion.pga
    assert said["motion"]["pga"] == pytest.approx(expected)
    assert said["motion"]["name"] == motion.name


def test_the_vertical_can_be_left_out(rocksteady):
    words = (*STATUE, "--motion", DATA / "time_and_vertical.csv", "--json")
    assert json.loads(rocksteady(*words).out)["motion"]["vertical"] is True
    assert json.loads(rocksteady(*words, "--no-vertical").out)["motion"]["vertical"] is False


@pytest.mark.parametrize(
    ("text", "angle"),
    [("0.1", 0.1), ("0.5a", 0.5 * 0.2), ("5deg", math.radians(5)), ("-1e-2", -0.01)],
)
def test_ways_to_write_an_angle(text, angle):
    block = rs.Block.from_parameters(p=2.0, alpha=0.2)
    assert inputs.StartOptions(theta0=text).angle(block) == pytest.approx(angle)


def test_the_table_is_for_people(rocksteady):
    code, out, err = rocksteady(*STATUE, "--motion", SINE)
    assert (code, err) == (0, "")
    for words in (
        "1.8 m high, 0.5 m wide",
        "α = 15.52° (0.2709 rad)",
        "p = 2.807 rad/s",
        "η = 0.8926",
        "0.278 g (g tan α)",
        "0.45 g, 1.62 times what lifts it off",
        "AT REST",
        "It came to rest under this one motion. Its peak is not a safety margin",
        "% of its balance angle",
    ):
        assert words in out
    assert "\x1b" not in out  # no colours where there is no terminal


def test_a_name_with_brackets_is_shown_as_it_is(rocksteady, tmp_path):
    file = tmp_path / "event[red]1.csv"
    file.write_text((DATA / "one_column.txt").read_text())
    out = rocksteady(*STATUE, "-m", file).out
    assert out.count("event[red]1") == 2
    assert "event[red]1.csv" in rocksteady("motion", "info", file).out


def test_a_block_that_falls_and_one_that_does_not_lift_off(rocksteady):
    assert "OVERTURNED" in rocksteady(*STATUE, "-m", SINE, "--scale", 4).out
    assert "does not lift off" in rocksteady(*STATUE, "-m", SINE, "--scale", 0.1).out


def test_a_terminal_without_greek_letters_is_no_error():
    program = "from rocksteady.cli import main; main()"
    done = shell("-c", program, *STATUE, "--theta0", "0.5a", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "#####" in done.stdout


def test_a_warning_is_one_line_and_json_stays_alone(rocksteady):
    code, out, err = rocksteady("simulate", "--p", 2, "--alpha", 1.2, "--theta0", "0.1", "--json")
    assert code == 0
    assert json.loads(out)["status"]
    assert err.startswith("Warning: ")
    assert err.count("\n") == 1
    assert "stocky" in err


# -- files ----------------------------------------------------------------------------------------


def test_a_folder_gets_figure_film_and_data(rocksteady, tmp_path):
    folder = tmp_path / "new" / "results"
    code, out, _ = rocksteady(*STATUE, "-m", SINE, "--duration", 1, "--out", folder)
    assert code == 0
    written = [folder / name for name in files.FOLDER]
    assert sorted(folder.iterdir()) == sorted(written)
    for path in written:
        assert f"wrote {path}\n" in out
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "animation.gif").read_bytes().startswith(b"GIF8")
    assert rs.Response.load(folder / "response.nc").time[-1] == pytest.approx(1.0, abs=1e-3)


def test_files_of_a_kind_and_quiet(rocksteady, tmp_path):
    paths = [tmp_path / name for name in ("a.csv", "b.svg", "c.nc")]
    words = [w for path in paths for w in ("--out", path)]
    assert rocksteady(*STATUE, "--theta0", "0.2a", *words, "--quiet") == (0, "", "")
    assert sorted(tmp_path.iterdir()) == paths


def test_where_results_go(tmp_path):
    assert files.planned(["x.png", "x.png"]) == [Path("x.png")]
    assert files.planned(["v1.2/"]) == [Path("v1.2") / name for name in files.FOLDER]
    (tmp_path / "odd.name").mkdir()
    assert files.planned([str(tmp_path / "odd.name")])[0].parent == tmp_path / "odd.name"
    (tmp_path / "file").touch()
    with pytest.raises(rs.InputError, match="without a suffix"):
        files.planned([str(tmp_path / "file")])


# -- errors ---------------------------------------------------------------------------------------

FREE = (*STATUE, "--theta0", "0.1")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("simulate",), "lacks --height and --width"),
        (("simulate", "--height", "1.8"), "lacks --width"),
        (("simulate", "--p", "2"), "lacks --alpha"),
        (("simulate", "--p", "2", "--height", "1"), "--p and --height were both given"),
        (("simulate", "--p", "2", "--alpha", "0.2", "--mass", "3"), "--p and --mass"),
        (("simulate", "--height", "-1", "--width", "1", "--theta0", "0.1"), "height = -1"),
        (STATUE, "Nothing would move"),
        ((*STATUE, "--theta0", "0.5b"), "is not an angle"),
        ((*STATUE, "--theta0", "1..2"), "is not an angle"),
        ((*STATUE, "--theta0", "2"), "lies on its side"),
        ((*FREE, "--scale", "2"), "--scale needs --motion"),
        ((*FREE, "--duration", "-1"), "until = -1"),
        ((*FREE, "--eta", "0.9", "--r", "0.8"), "were both given"),
        ((*FREE, "--eta", "1.1"), "eta = 1.1"),
        ((*FREE, "--out", "x.jpg"), "--out x.jpg cannot be written"),
        ((*STATUE, "-m", SINE, "--scale", "2", "--pga", "0.3"), "--scale 2 and --pga 0.3"),
        ((*STATUE, "-m", SINE, "--pga", "0"), "--pga 0 is not allowed"),
        ((*STATUE, "-m", SINE, "--dt", "0.1"), "--dt is for files"),
        ((*STATUE, "-m", "pulse:square,a=1"), "'square' is not a pulse"),
        ((*STATUE, "-m", "absent.AT2"), "There is no file absent.AT2: give the path of a record"),
        ((*STATUE, "-m", "sine"), "a pulse such as pulse:sine"),
        ((*STATUE, "-m", DATA), f"{DATA} is a folder: give one of the records in it."),
        ((*STATUE, "-m", DATA / "one_column.txt", "--scale", "0"), "--scale 0 leaves the ground"),
        ((*STATUE, "-m", "pulse:sine,a=0,T=1"), "pulse:sine,a=0,T=1 leaves the ground at rest"),
        ((*STATUE, "-m", SINE, "--scale", "nan"), "nan is not allowed"),
        ((*STATUE, "-m", DATA / "two_components.txt"), "--component 'NS'"),
        ((*STATUE, "-m", DATA / "two_components.txt", "--component", "Z"), "'Z'"),
    ],
)
def test_an_error_is_one_sentence(rocksteady, words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = rocksteady(*words, "--out", "results", "--json")
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert says in err
    assert list(tmp_path.iterdir()) == []  # nothing was begun


@pytest.mark.parametrize(
    ("option", "typed", "says"),
    [
        ("--height", "180cm", "as in --height 1.8. --height means: Full height, m."),
        ("--height", "1,8", "as in --height 1.8."),
        ("--height", "1800 mm", "as in --height 1.8."),
        ("--mass", "2t", "as in --mass 2000. --mass means: Mass, kg;"),
        ("--mass", "2cm", "without a unit. --mass means"),  # no length is a mass
        ("--density", "2kg", "without a unit. --density means"),  # nor a mass a density
        ("--eta", "90%", "as in --eta 0.9."),
        ("--height", "90%", "without a unit. --height means"),  # of what?
        ("--alpha", "10deg", "as in --alpha 0.174533."),
        ("--pga", "0.4g", "as in --pga 0.4."),
        ("--height", "tall", "without a unit. --height means"),
    ],
)
def test_a_number_with_a_unit_gets_our_sentence(rocksteady, option, typed, says):
    code, out, err = rocksteady("simulate", option, typed)
    assert (code, out) == (2, "")
    assert err.startswith(f"Error: {option} {typed} is not a number: write it with a decimal point")
    assert says in err
    assert err.count("\n") == 1


def test_a_whole_number_is_asked_for_in_digits(rocksteady):
    code, _, err = rocksteady("motion", "generate", "rezaeian", "--count", "3.5")
    assert code == 2
    assert err.startswith("Error: --count 3.5 is not a whole number: write it in digits only.")


@pytest.mark.parametrize("command", ["simulate", "compare"])
def test_a_run_that_ends_before_the_worst_is_not_believed(rocksteady, command):
    words = (command, *STATUE[1:], "-q", "-m", "pulse:mavroeidis,A=0.5,f=1,gamma=3", "--duration")
    cut = rocksteady(*words, 0.5)
    assert cut.code == 0 and "before the motion is at its strongest, at 1." in cut.err
    assert "strongest" not in rocksteady(*words, 2.5).err


def test_a_comparison_refuses_a_loss_that_cannot_be(rocksteady):
    done = rocksteady("compare", *STATUE[1:], "-m", SINE, "--eta", 1.5)
    assert done.code == 2 and "--eta 1.5 is not allowed: it must lie in (0, 1]" in done.err


def test_a_comparison_needs_something_that_moves(rocksteady):
    code, out, err = rocksteady("compare", *STATUE[1:])
    assert (code, out) == (2, "")
    assert err.startswith("Error: Nothing would move: give a ground motion with --motion")


def test_sizes_in_centimetres_are_suspected(rocksteady):
    code, _out, err = rocksteady("simulate", "--height", 180, "--width", 50, "--theta0", "0.1a")
    assert code == 0
    assert "Warning: The body is 180 m high." in err and "180 cm would be --height 1.8" in err
    _code, _out, err = rocksteady("simulate", "--height", 1800, "--width", 500, "--theta0", "0.1a")
    assert "1800 mm would be --height 1.8" in err


@pytest.mark.parametrize("options", [("-m", SINE, "--pga", 300), ("-m", "pulse:sine,a=450,T=1")])
def test_accelerations_in_other_units_are_suspected(rocksteady, options):
    code, _out, err = rocksteady(*STATUE, *options)
    assert code == 0
    assert "Warning: The ground's acceleration reaches" in err and "--pga is in g" in err


def test_an_earthquake_the_other_way_round(rocksteady):
    """A symmetric block does not mind, a lopsided one does."""
    for offset, same in ((0, True), (0.05, False)):
        runs = [
            json.loads(
                rocksteady(*STATUE, "--offset", offset, "-m", SINE, "--scale", f, "--json").out
            )
            for f in (1, -1)
        ]
        assert (runs[0]["peak"] == runs[1]["peak"]) is same


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (OSError(28, "No space left on device", "x.png"), 2, "No space left on device: x.png."),
        (MemoryError("big"), 2, "more memory than there is"),
        (KeyboardInterrupt(), 130, "Stopped."),
    ],
)
def test_what_goes_wrong_on_the_way(rocksteady, monkeypatch, tmp_path, error, code, says):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(rs.Response, "plot", fail)
    outcome = rocksteady(*FREE, "--out", tmp_path / "x.png")
    assert (outcome.code, outcome.out) == (code, "")
    assert says in outcome.err
    assert outcome.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_debug_keeps_the_traceback(rocksteady, monkeypatch):
    monkeypatch.setenv("ROCKSTEADY_DEBUG", "1")
    with pytest.raises(rs.InputError, match="lacks --width"):
        get_command(app).main(["simulate", "--height", "1"], prog_name="rocksteady")


# -- motion info ----------------------------------------------------------------------------------


def test_motion_info_for_people(rocksteady, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    code, out, err = rocksteady("motion", "info", *sorted(DATA.glob("t*.*")))
    assert (code, err) == (0, "")
    assert "[m/s²]" in out
    row = next(line for line in out.splitlines() if "two_components.txt EW" in line)
    assert row.split()[2:9] == ["0.02", "6", "0.1", "0.306", "3.000", "4.80", "–"]
    assert row.endswith("table of numbers ")
    row = next(line for line in out.splitlines() if "time_and_vertical" in line)
    assert row.split()[1:8] == ["0.01", "6", "0.05", "0.400", "3.923", "3.43", "0.031"]


def test_motion_info_for_machines(rocksteady):
    file = DATA / "two_components.txt"
    code, out, err = rocksteady("motion", "info", file, "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert said["failures"] == []
    for row, (name, motion) in zip(said["motions"], rs.read_motion(file).items(), strict=True):
        assert (row["file"], row["component"]) == (str(file), name)
        assert (row["dt"], row["npts"], row["duration"]) == (motion.dt, 6, motion.duration)
        assert row["pga"] == motion.pga
        assert row["pga_g"] == motion.pga / 9.80665
        assert row["pgv"] == pgv(motion)  # between samples, too, as `motion plot` has it


def test_motion_info_shows_the_rest_when_a_file_cannot_be_read(rocksteady, tmp_path):
    bad = tmp_path / "bad.AT2"
    bad.write_text("not a record\n")
    files = (bad, DATA / "dt_only.AT2", tmp_path / "absent.csv")
    code, out, err = rocksteady("motion", "info", *files)
    assert code == 1
    assert "dt_only.AT2" in out
    bad_said, absent_said = err.splitlines()
    assert bad_said.startswith("Error: bad.AT2: has no known format")
    assert absent_said.startswith(f"Error: There is no file {tmp_path / 'absent.csv'}: give the")
    code, out, _ = rocksteady("motion", "info", *files, "--json")
    assert code == 1
    said = json.loads(out)
    assert [row["file"] for row in said["failures"]] == [str(bad), str(files[2])]
    assert len(said["motions"]) == 1


def test_motion_info_takes_what_a_file_lacks(rocksteady, tmp_path):
    file = tmp_path / "plain.txt"
    file.write_text("0\n0.1\n-0.2\n0\n")
    assert rocksteady("motion", "info", file).code == 1
    said = json.loads(rocksteady("motion", "info", file, "--dt", 0.01, "--unit", "g", "--json").out)
    assert said["motions"][0]["pga_g"] == pytest.approx(0.2)


# -- demo -----------------------------------------------------------------------------------------


def test_demo_delights(rocksteady, tmp_path):
    code, out, err = rocksteady("demo", "--out", tmp_path / "demo")
    assert (code, err) == (0, "")
    assert sorted(p.name for p in (tmp_path / "demo").iterdir()) == sorted(files.FOLDER)
    response = rs.Response.load(tmp_path / "demo" / "response.nc")
    assert response.status is rs.Status.AT_REST
    assert 0.5 < response.peak < 0.9
    assert 15 <= (response.decay().peak > 0.02).sum() <= 40  # swings that one can see
    for line in demo.NEXT.values():
        assert line in out


def test_what_the_demo_says_to_try_next_does_what_it_says(rocksteady, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stronger = shlex.split(next(iter(demo.NEXT.values())))
    assert stronger.pop(0) == "rocksteady"
    said = json.loads(rocksteady(*stronger, "--json").out)
    assert said["status"] == "overturned"
    assert (tmp_path / said["files"][0]).stat().st_size > 0


# -- parts ----------------------------------------------------------------------------------------


def test_compiling_is_announced_where_it_takes_long_and_not_when_quiet(capsys, monkeypatch):
    """Whatever the command has in hand then shows it: the engine's line goes nowhere else."""
    progress.follow_engine()
    line = "Compiling Housner for this processor."
    for quiet, said in ((False, line + "\n"), (True, "")):
        with progress.Work(quiet=quiet) as work:
            assert progress.Work.current is work
            work.compiling()
            assert capsys.readouterr() == ("", "")  # it may not take long
            first_use._tell(line)
            assert work.compiled
        assert progress.Work.current is None
        assert capsys.readouterr() == ("", said)
    first_use._tell(line)
    assert capsys.readouterr() == ("", "")


def test_a_command_may_take_groups_of_options():
    got = []
    small = typer.Typer()

    @small.command()
    @inputs.grouped
    def command(
        loss: theory.TheoryOptions, times: Annotated[int, typer.Option("--times")] = 1
    ) -> None:
        """Say what it got."""
        got.append((loss, times))

    get_command(small).main(["--eta", "0.9", "--times", "3"], standalone_mode=False)
    assert got == [(theory.TheoryOptions(eta=0.9), 3)]


# -- compare, and other theories ----------------------------------------------------------------

COLUMN = ("--height", "4.2", "--width", "0.6")


def test_compare_prints_a_row_for_each_formulation(rocksteady, tmp_path):
    figure = tmp_path / "all.png"
    outcome = rocksteady("compare", *COLUMN, "--theta0", "0.5a", "--duration", "3", "-o", figure)
    assert outcome.code == 0
    for name in ("Housner", "Nonsmooth", "Complex potential", "Rigid body spring", "dissipation"):
        assert name in outcome.out
    assert figure.stat().st_size > 10_000


def test_compare_json_equals_the_api(rocksteady):
    outcome = rocksteady("compare", *COLUMN, "--theta0", "0.5a", "--duration", "3", "--json")
    rows = {row["formulation"]: row for row in json.loads(outcome.out)["rows"]}
    block = rs.Block(4.2, 0.6)
    ours = {
        row["formulation"]: row
        for row in rs.compare(block, theta0=0.5 * block.alpha, duration=3).rows()
    }
    assert {name: row["peak"] for name, row in rows.items()} == {
        name: row["peak"] for name, row in ours.items()
    }


def test_compare_tells_why_not(rocksteady):
    outcome = rocksteady("compare", "--height", "1", "--width", "0.6", "--theta0", "0.5a")
    assert "Rigid body spring does not apply" in outcome.out


@pytest.mark.parametrize("name", ["nonsmooth", "complex", "springs", "dissipation"])
def test_simulate_with_another_theory(rocksteady, name):
    outcome = rocksteady(
        "simulate", *COLUMN, "--theta0", "0.5a", "--duration", "2", "--formulation", name, "--json"
    )
    about = json.loads(outcome.out)
    assert about["peak"] == pytest.approx(0.5, abs=2e-3)
    assert about["impacts"] == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--formulation", "newton"), "there are housner"),
        (("--formulation", "nonsmooth", "--eta", "0.9"), "impact problem"),
        (("--formulation", "complex", "--friction", "0.5"), "never slides"),
        (("--friction", "0.5"), "never slides"),
        (("--formulation", "springs", "--slender"), "linearised"),
        (("--formulation", "dissipation", "--eta", "0.9", "--r", "0.8"), "both given"),
    ],
)
def test_theories_that_do_not_go_together(rocksteady, options, says):
    outcome = rocksteady("simulate", *COLUMN, "--theta0", "0.5a", *options)
    assert outcome.code == 2
    assert says in outcome.err
