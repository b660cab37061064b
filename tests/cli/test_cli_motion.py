"""`rocksteady motion`: what is printed and written equals what the API gives."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.motion import intensity, recipe
from rocksteady.motion.catalogue import read_folder
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.motion.generate import stochastic
from rocksteady.motion.generate.artificial import artificial_set, check
from rocksteady.motion.generate.pulse_fit import fit_mavroeidis

DATA = Path(__file__).parents[1] / "data"
TWO = DATA / "two_components.txt"
SIX = (
    *("--arias", 0.5, "--d5-95", 12, "--t-mid", 8),
    *("--frequency-mid", 5, "--frequency-rate", -0.1, "--filter-damping", 0.25),
)
PARAMETERS = stochastic.Parameters(0.5, 12.0, 8.0, 5.0, -0.1, 0.25)


@pytest.fixture
def motion(command_line, monkeypatch, tmp_path):
    """`rocksteady motion` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(command_line, "motion")


@pytest.fixture(scope="module")
def shaking(tmp_path_factory) -> Path:
    """A record of 20 s, written as a file."""
    from rocksteady.motion.writers import write_motion

    made = stochastic.rezaeian(3, PARAMETERS, dt=0.02)
    return write_motion(made, tmp_path_factory.mktemp("record") / "shaking.AT2")[0]


def records(path: Path, *files: Path) -> Path:
    """A folder "records" in ``path`` with copies of the files."""
    folder = path / "records"
    folder.mkdir()
    for file in files:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def refused(outcome, words: str) -> None:
    """One sentence on the error stream, and the exit status of a wrong option."""
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1


# -- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "info", "plot", "convert", "process", "generate"])
def test_help_imports_nothing_heavy(name):
    words = ["motion", *([name] if name else []), "--help"]
    program = (
        "import sys, typer.main\n"
        "from rocksteady.cli import app\n"
        f"typer.main.get_command(app).main({words}, standalone_mode=False)\n"
        "print('heavy:', {'numpy', 'numba', 'scipy', 'matplotlib', 'pandas'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.endswith("heavy: set()\n")


def test_help_of_process_has_every_step(motion):
    text = motion("process", "--help").out
    for step in (*recipe.STEPS, *recipe.PAIR_STEPS):
        assert f"--{step} " in text or f"--{step}," in text


# -- info -----------------------------------------------------------------------------------------


def test_info_with_measures_equals_the_api(motion, shaking):
    code, out, err = motion("info", shaking, "--measures", "--json")
    assert (code, err) == (0, "")
    (row,) = json.loads(out)["motions"]
    for name, value in intensity.measures(rs.read_motion(shaking)).items():
        assert row[name] == pytest.approx(value, rel=1e-12)
    assert row["file"] == str(shaking)


def test_info_table_of_measures(motion, shaking):
    code, out, _ = motion("info", shaking, "-m")
    assert code == 0
    record = rs.read_motion(shaking)
    row = next(line for line in out.splitlines() if "shaking.AT2" in line).split()
    assert float(row[1]) == pytest.approx(record.pga / 9.80665, abs=5e-4)
    assert float(row[2]) == pytest.approx(100 * intensity.pgv(record), rel=5e-3)
    assert float(row[4]) == pytest.approx(intensity.arias(record), rel=5e-3)


def test_info_of_a_folder_is_its_catalogue(motion, tmp_path):
    folder = records(tmp_path, TWO, DATA / "dt_only.AT2")
    (folder / "notes.md").write_text("words\n")
    code, out, err = motion("info", folder, "--json", "--out", "table.csv")
    said = json.loads(out)
    assert code == 1
    assert "notes.md" in err
    assert [Path(row["file"]).name for row in said["failures"]] == ["notes.md"]
    table = read_folder(folder)
    good = table[table["problem"] == ""]
    assert [row["component"] for row in said["motions"]] == list(good["component"])
    assert [row["pga"] for row in said["motions"]] == list(good["pga [m/s²]"])
    with Path("table.csv").open(encoding="utf-8", newline="") as opened:
        written = list(csv.DictReader(opened))
    assert [row["file"] for row in written] == list(table["file"])
    assert float(written[0]["arias [m/s]"]) == good["arias [m/s]"].iloc[0]


def test_info_of_one_component_of_several(motion):
    name = list(rs.read_motion(TWO))[1]
    (row,) = json.loads(motion("info", TWO, "--component", name, "-m", "--json").out)["motions"]
    assert row["pga"] == rs.read_motion(TWO, name).pga
    outcome = motion("info", TWO, "--component", "Q", "-m")
    assert outcome.code == 1
    assert "no component 'Q'" in outcome.err


@pytest.mark.parametrize("words", [("info",), ("info", "-m"), ("convert",), ("plot",)])
def test_an_empty_folder_is_named(motion, words):
    Path("empty").mkdir()
    assert motion(*words, "empty") == (1, "", "Error: empty: there are no files in this folder.\n")


def test_info_refuses_a_table_that_is_no_csv(motion):
    refused(motion("info", TWO, "--out", "table.xlsx"), "must end in .csv")


# -- plot -----------------------------------------------------------------------------------------


def test_plot_writes_a_figure_for_each_component(motion):
    code, out, err = motion("plot", TWO, "-o", "page.svg")
    assert (code, err) == (0, "")
    names = [f"page_{name}.svg" for name in rs.read_motion(TWO)]
    assert [line.split()[-1] for line in out.splitlines()] == names
    text = Path(names[0]).read_text()
    assert text.startswith("<?xml")
    assert {path.name for path in Path().iterdir()} == set(names)


def test_plot_limits_the_time_and_refuses_what_is_no_stretch(motion, shaking):
    assert motion("plot", shaking, "--span", "2,5", "-q") == (0, "", "")
    assert Path("shaking.png").read_bytes().startswith(b"\x89PNG")
    for span in ("5,2", "5", "a,b", "1,2,3"):
        refused(motion("plot", shaking, "--span", span), f"--span {span} is not")
    refused(motion("plot", shaking, "-o", "page.doc"), "page.doc")


# -- convert --------------------------------------------------------------------------------------


def test_convert_gives_a_file_for_each_component(motion):
    code, out, err = motion("convert", TWO, "-o", "out/")
    assert (code, err) == (0, "")
    for name, record in rs.read_motion(TWO).items():
        assert f"out/two_components_{name}.csv" in out
        assert rs.read_motion(f"out/two_components_{name}.csv") == record


def test_convert_of_a_folder_to_at2(motion, tmp_path):
    folder = records(tmp_path, TWO, DATA / "time_and_vertical.csv")
    (folder / "bad.AT2").write_text("no record\n")
    code, out, err = motion("convert", folder, "--to", "at2", "-o", "out", "--json")
    assert code == 1
    assert err.startswith("Error: bad.AT2")
    names = {Path(file).name for file in json.loads(out)["files"]}
    assert {"time_and_vertical.AT2", "time_and_vertical-UP.AT2"} < names
    assert {path.name for path in Path("out").iterdir()} == names
    record = rs.read_motion(DATA / "time_and_vertical.csv")
    up = rs.read_motion("out/time_and_vertical-UP.AT2").accel
    np.testing.assert_allclose(up, record.vertical, rtol=1e-15)


def test_convert_never_writes_over_what_it_reads(motion):
    own = Path("mine.csv")
    own.write_bytes((DATA / "time_and_vertical.csv").read_bytes())
    refused(motion("convert", "mine.csv"), "mine.csv would be written over what is read")
    refused(motion("convert", "mine.csv", "-o", "mine.txt"), "must end in .csv or .at2")
    refused(motion("convert", "mine.csv", "--to", "mp3"), "--to mp3 is not a format")
    assert own.read_bytes() == (DATA / "time_and_vertical.csv").read_bytes()


def test_records_of_one_name_do_not_overwrite_each_other(motion, tmp_path):
    for folder, pga in (("a", 1.0), ("b", 2.0)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.csv").write_text(f"time [s],a [m/s2]\n0,0\n0.1,{pga}\n")
    assert motion("convert", "a/m.csv", "b/m.csv", "-o", "out").code == 0
    assert rs.read_motion("out/m.csv").pga == 1.0
    assert rs.read_motion("out/m_2.csv").pga == 2.0


# -- process --------------------------------------------------------------------------------------

STEPS = (
    "--baseline",
    "poly,2",
    "--bandpass",
    "0.2,10",
    "--taper",
    "cosine,1",
    "--scale-to",
    "pga,3",
)


def test_process_does_the_steps_in_their_order(motion, shaking):
    code, out, err = motion("process", shaking, *STEPS, "-o", "clean.csv")
    assert (code, err) == (0, "")
    expected = recipe.process(rs.read_motion(shaking), STEPS)
    assert rs.read_motion("clean.csv") == expected
    assert "wrote clean.csv" in out
    turned = recipe.process(rs.read_motion(shaking), ["--scale", "2", "--trim", "1,5"])
    assert motion("process", shaking, "--scale", 2, "--trim", "1,5", "-o", "t.csv").code == 0
    assert rs.read_motion("t.csv") == turned


def test_the_command_that_process_prints_does_it_again(motion, shaking):
    out = motion("process", shaking, *STEPS, "-o", "clean.csv").out
    again = next(line for line in out.splitlines() if line.startswith("  again "))
    before = Path("clean.csv").read_bytes()
    Path("clean.csv").unlink()
    program, group, *words = shlex.split(again.removeprefix("  again "))
    assert (program, group) == ("rocksteady", "motion")
    assert motion(*words).code == 0
    assert Path("clean.csv").read_bytes() == before


@pytest.mark.parametrize("way", [("--rotate", "-30"), ("--rotate-to", "rotd100")])
def test_two_components_are_rotated_and_the_command_does_it_again(motion, way):
    one, two = rs.read_motion(TWO)
    words = ("--component", one, "--component", two, *way, "--mirror")
    said = json.loads(motion("process", TWO, *words, "-o", "turned.csv", "--json").out)
    x, y = recipe.process_pair(*rs.read_motion(TWO).values(), [*way, "--mirror"])
    assert rs.read_motion("turned_along.csv") == x
    assert rs.read_motion("turned_across.csv") == y
    (command,) = {row["command"] for row in said["motions"]}
    for file in ("turned_along.csv", "turned_across.csv"):
        Path(file).unlink()
    assert motion(*shlex.split(command)[2:]).code == 0
    assert rs.read_motion("turned_along.csv") == x
    assert rs.read_motion("turned_across.csv") == y


def test_each_component_is_processed_where_no_step_needs_two(motion):
    said = json.loads(motion("process", TWO, "--scale", "2", "--json").out)["motions"]
    for row, (name, record) in zip(said, rs.read_motion(TWO).items(), strict=True):
        assert row["file"] == f"two_components_{name}_processed.csv"
        assert rs.read_motion(row["file"]) == record.scaled(2)
        assert f"--component {name}" in row["command"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((TWO,), "there is nothing to do"),
        (("--mirror",), "the files come first"),
        ((TWO, "--mirrr"), "'--mirrr' is not a processing step"),
        ((DATA / "dt_only.AT2", "--rotate", "30"), "needs two components, and there are 1"),
        ((TWO, "--lowpass", "x"), "lowpass(x)"),
        ((TWO, "--scale", "1,2,3"), "wrong number of values"),
        ((TWO, "--scale", "2", "-o", "m.xyz"), "must end in .csv or .at2"),
        (("absent.AT2", "--mirror"), "absent.AT2"),
    ],
)
def test_process_refuses_in_one_sentence(motion, words, said):
    refused(motion("process", *words), said)
    assert list(Path().iterdir()) == []


# -- generate -------------------------------------------------------------------------------------


def test_generate_a_pulse(motion):
    code, out, err = motion("generate", "pulse:sine,a=0.45g,T=0.5", "-o", "sine.csv")
    assert (code, err) == (0, "")
    assert rs.read_motion("sine.csv") == rs.pulses.sine(amplitude=0.45 * 9.80665, period=0.5)
    assert "sine.csv" in out


def test_a_pulse_without_a_place_is_named_by_its_kind(motion):
    assert motion("generate", "pulse: mavroeidis ,A=0.8,T=1.5").code == 0
    assert [file.name for file in Path().iterdir()] == ["mavroeidis.csv"]
    assert "name: near-fault pulse" in Path("mavroeidis.csv").read_text("utf-8")


def test_generate_the_pulse_of_a_record(motion):
    pulse = rs.pulses.mavroeidis(0.8, period=1.5, gamma=2.2, nu=0.7, dt=0.01, tail=2.0)
    from rocksteady.motion.writers import write_motion

    write_motion(pulse, "record.csv")
    out = motion("generate", "mavroeidis", "--like", "record.csv", "-o", "pulse.csv").out
    fit = fit_mavroeidis(rs.read_motion("record.csv"))
    assert rs.read_motion("pulse.csv") == fit.motion()
    assert "100% of the energy" in out
    again = next(line for line in out.splitlines() if "again" in line)
    assert motion(*shlex.split(again)[3:], "-o", "second.csv").code == 0
    assert rs.read_motion("second.csv") == rs.read_motion("pulse.csv")


def test_generate_a_stochastic_motion_by_seed(motion):
    assert motion("generate", "rezaeian", *SIX, "--seed", 5, "-o", "m.csv").code == 0
    assert rs.read_motion("m.csv") == stochastic.rezaeian(5, PARAMETERS)


def test_generate_an_ensemble_that_is_the_api_s(motion):
    words = ("generate", "rezaeian", *SIX, "--seed", 5, "-n", 3, "-o", "all")
    said = json.loads(motion(*words, "--json").out)
    for row, expected in zip(said["motions"], stochastic.ensemble(3, 5, PARAMETERS), strict=True):
        assert rs.read_motion(row["file"]) == expected
    assert said["parameters"]["d5_95"] == 12


def test_generate_a_sample_with_a_table_of_its_parameters(motion):
    code, out, err = motion("generate", "rezaeian", "--sample", 4, "--seed", 2, "-o", "drawn/")
    assert (code, err) == (0, "")
    drawn = stochastic.sample_parameters(4, 2)
    with Path("drawn_table.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    for row, parameters, expected in zip(rows, drawn, stochastic.ensemble(4, 2), strict=True):
        assert rs.read_motion(Path("drawn") / row["file"]) == expected
        assert float(row["t_mid [s]"]) == parameters.t_mid
        assert float(row["arias_asked [m/s]"]) == parameters.arias
        assert float(row["arias [m/s]"]) == intensity.arias(expected)
        assert row["file"] in out


def test_generate_like_a_record_prints_a_command_that_needs_no_record(motion, shaking):
    out = motion("generate", "rezaeian", "--like", shaking, "--seed", 1, "-o", "one.csv").out
    expected = stochastic.rezaeian(1, stochastic.fit(rs.read_motion(shaking)))
    assert rs.read_motion("one.csv") == expected
    again = next(line for line in out.splitlines() if line.startswith("  again "))
    assert motion(*shlex.split(again)[3:], "-o", "two.csv").code == 0
    assert rs.read_motion("two.csv") == expected


def test_generate_for_eurocode_8_and_check_it(motion):
    words = ("ec8", "--ag", 0.2, "--soil", "b", "-n", 1, "--seed", 1, "--period", 0.5, "-o", "ec8")
    said = json.loads(motion("generate", *words, "--json").out)
    target = Eurocode8(0.2 * 9.81, "B")
    expected = artificial_set(target, 1, 1)
    assert [rs.read_motion(row["file"]) for row in said["motions"]] == expected
    assert said["motions"][0]["spectrum_error"] == expected[0].meta["spectrum_error"] < 0.1
    found = check(expected, target, 0.5)
    assert said["check"]["lowest_ratio"] == found.lowest_ratio
    assert said["check"]["pga_ratio"] == pytest.approx(1.0)
    assert "fulfilled" not in said["check"]  # no verdict: we do not have the standard's text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sines",), "'sines' is not a kind of motion"),
        (("pulse",), "'pulse' is not a kind of motion"),
        (("pulse:sine,a=1,T=1", "--seed", 1), "--seed does not belong to pulse"),
        (("pulse:sine,a=1,w=2p",), "give a block"),
        (("mavroeidis",), "--like record.AT2"),
        (("mavroeidis", "--like", TWO), "several components"),
        (("rezaeian",), "in one of three ways"),
        (("rezaeian", "--sample", 3, *SIX), "in one of three ways"),
        (("rezaeian", "--sample", 0), "--sample 0"),
        (("rezaeian", "--arias", 1), "--t-mid"),
        (("rezaeian", *SIX, "--ag", 1), "--ag does not belong to rezaeian"),
        (("rezaeian", *SIX, "--seed", -1), "seed = -1"),
        (("rezaeian", *SIX, "-n", 0), "--count 0"),
        (("rezaeian", *SIX, "-n", 2, "-o", "one.csv"), "is one file"),
        (("ec8",), "--ag 0.25"),
        (("ec8", "--ag", -1), "-1"),
        (("ec8", "--ag", 0.2, "--type", 3), "type 1 or 2"),
        (("ec8", "--ag", 0.2, "--soil", "Q"), "soil = 'Q'"),
        (("ec8", "--ag", 0.2, "--seed", -1), "--seed -1"),
    ],
)
def test_generate_refuses_in_one_sentence(motion, words, said):
    refused(motion("generate", *words), said)
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("width", [80, 100, 110])
def test_measures_without_room_are_named(rocksteady, monkeypatch, width):
    """A narrow terminal shows fewer columns, and says which ones it does not."""
    rs.write_motion(rs.Motion(np.sin(np.arange(500) / 10), 0.01), "one.csv")
    monkeypatch.setenv("COLUMNS", str(width))
    out = rocksteady("motion", "info", "one.csv", "--measures").out
    for name in ("PGD", "PGV/PGA", "Arias", "CAV", "D5-75", "D5-95", "Tm", "Tp", "SI"):
        assert name in out
    assert ("no room for" in out) == (width < 110)


# -- all components of a station ------------------------------------------------------------------


@pytest.fixture
def station(tmp_path) -> rs.Motion:
    """A record whose three components lie in three files, ``kjm.AT2`` and two beside it."""
    x, y, z = np.random.default_rng(2).normal(size=(3, 400))
    facts = {"station": "KJMA", "component": "0", "azimuth": 0.0, "vertical_component": "UP"}
    facts |= {"transverse_component": "90", "transverse_azimuth": 90.0}
    made = rs.Motion(x, 0.02, z / 2, y, meta=facts)
    rs.write_motion(made, tmp_path / "kjm.AT2")
    return made


def test_info_of_a_record_shows_the_peaks_of_all_components(motion, station):
    code, out, _ = motion("info", ".", "--record", "--json")
    (row,) = json.loads(out)["motions"]
    assert code == 0
    assert row["files"] == ["kjm-T.AT2", "kjm-UP.AT2", "kjm.AT2"] or len(row["files"]) == 3
    assert row["transverse"] and row["vertical"]
    peaks = sorted((row["pga_g"], row["pga_transverse_g"]))
    expected = sorted(np.abs(a).max() / 9.80665 for a in (station.accel, station.transverse))
    assert peaks == pytest.approx(expected)
    assert row["pga_vertical_g"] == pytest.approx(np.abs(station.vertical).max() / 9.80665)
    code, out, _ = motion("info", "kjm.AT2", "--record")
    assert code == 0 and "trans." in out and "vert." in out and "kjm " in out
    assert "Arias" in motion("info", "kjm.AT2", "--record", "--measures").out
    refused(motion("info", "kjm.AT2", "--record", "-o", "a.csv"), "leave --record out")


def test_convert_of_a_record_writes_all_components(motion, station):
    assert motion("convert", "kjm.AT2", "--record", "-o", "all.csv").code == 0
    again = rs.read_motion("all.csv")
    for role, accel in station.components.items():
        np.testing.assert_allclose(getattr(again, role), accel, rtol=1e-15)
    assert again.meta["transverse_component"] == "90" and again.meta["station"] == "KJMA"
    assert Path("all.csv").read_text().count("time [s],a_h [m/s2],a_t [m/s2],a_v [m/s2]") == 1
    outcome = motion("convert", "kjm.AT2", "--record", "--component", "0")
    assert outcome.code != 0 and "leave one out" in outcome.err


def test_plot_of_a_record_draws_all_components(motion, station):
    code, out, _ = motion("plot", ".", "--record", "-o", "figures")
    assert code == 0 and out.count("wrote") == 1
    assert [path.name for path in Path("figures").iterdir()] == ["kjm.png"]


def test_process_turns_the_components_of_a_record(motion, station):
    from rocksteady.motion.components import turned

    code, out, _ = motion("process", "kjm.AT2", "--record", "--rotate", 30, "-o", "r.csv")
    assert code == 0
    made, expected = rs.read_motion("r.csv"), turned(station, 30.0)
    np.testing.assert_allclose(made.accel, expected.accel, atol=1e-14)
    np.testing.assert_allclose(made.transverse, expected.transverse, atol=1e-14)
    assert (made.meta["azimuth"], made.meta["transverse_azimuth"]) == (30.0, 120.0)
    again = shlex.split(out[out.index("again rocksteady") :])[3:]
    assert motion(*again).code == 0 and rs.read_motion("r.csv") == made
