"""What people do on their first day: name the same file twice, leave out what goes without saying,
use a folder that the program itself made. Nothing of theirs is lost, and every refusal helps."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.cli.monitor import start as monitor_start
from rocksteady.monitor import session

STATUE = ("simulate", "--height", "1.8", "--width", "0.5")
HOUSE = ("monitor", "--preset", "casalotti2025", "--mass", "40e3")


@pytest.fixture
def refused(rocksteady):
    """A command that is not run: its message."""

    def call(*words: object) -> str:
        code, out, err = rocksteady(*words)
        assert (code, out) == (2, "") and err.startswith("Error: ")
        return err

    return call


def study(text: str) -> str:
    Path("study.toml").write_text(f"scales = [0.2, 0.4]\n{text}")
    return "study.toml"


TABLE = """
[systems]
table = "objects.csv"
"""
PULSE = """
[[motions]]
pulse = "sine,a=1g,T=0.5"
"""


# -- nothing that is read is written over ---------------------------------------------------------


def test_a_record_is_not_replaced_by_its_response(refused, tmp_path):
    kept = rs.write_motion(rs.pulses.sine(3.0, 0.5), "record.csv")[0].read_bytes()
    for out in ("record.csv", "./record.csv", tmp_path / "record.csv"):
        err = refused(*STATUE, "-m", "record.csv", "-o", out)
        assert "would be written over what is read: give another name or a folder." in err
    refused("motion", "generate", "rezaeian", "--like", "record.csv", "-o", "record.csv")
    refused("motion", "info", "record.csv", "-o", "record.csv")
    refused("motion", "info", tmp_path, "-o", "record.csv")
    assert Path("record.csv").read_bytes() == kept


def test_a_study_does_not_replace_what_it_reads(refused, rocksteady):
    objects = "name,height,width\nApollo,1.8,0.5\nVenus,1.9,0.6\n"
    Path("objects.csv").write_text(objects)
    outs = ("-o", "shares.csv", "-o", "objects.csv", "--overwrite")
    err = refused("ensemble", study(TABLE + PULSE), *outs)
    assert "--out objects.csv would be written over what is read" in err
    assert Path("objects.csv").read_text() == objects and not Path("shares.csv").exists()
    Path("records").mkdir()
    rs.write_motion(rs.pulses.sine(3.0, 0.5), "records/one.csv")
    for source in ('folder = "records"', 'file = "records/one.csv"'):
        ground = f"[[motions]]\n{source}\n"
        refused("ensemble", study(TABLE + ground), "-o", "records/one.csv")
    like = '[[motions]]\nstochastic = { count = 2, like = "records/one.csv" }\n'
    refused("ensemble", study(TABLE + like), "-o", "records/one.csv")
    assert rocksteady("ensemble", study(TABLE + PULSE), "-o", "shares.csv").code == 0


def test_a_town_is_not_replaced_by_its_damage(refused):
    Path("town.csv").write_text("name,mass\nA,40e3\n")
    rs.write_motion(rs.pulses.sine(3.0, 0.5), "shock.csv")
    for motion, out in (("shock.csv", "town.csv"), ("main=shock.csv", "shock.csv")):
        words = ("town.csv", "-m", motion, "-o", out, "--overwrite")
        err = refused("masonry", "portfolio", *words)
        assert f"--out {out} would be written over what is read" in err


# -- motions that were made -----------------------------------------------------------------------


def test_a_folder_of_made_motions_can_be_read_as_one(rocksteady):
    made = rocksteady("motion", "generate", "rezaeian", "--sample", 3, "--seed", 1, "-o", "made/")
    assert made.code == 0 and "wrote made_table.csv" in made.out
    assert rocksteady("motion", "info", "made").code == 0
    body = "[systems]\nheight = 1.8\nwidth = 0.5\n"
    out = rocksteady("ensemble", study(f'{body}[[motions]]\nfolder = "made"\npga = 1.0\n')).out
    assert "rezaeian_0003" in out


def test_motions_made_here_leave_their_table_here(rocksteady):
    assert rocksteady("motion", "generate", "rezaeian", "--sample", 2, "-o", "./").code == 0
    names = ["rezaeian_0001.csv", "rezaeian_0002.csv", "rezaeian_table.csv"]
    assert sorted(path.name for path in Path().iterdir()) == names


# -- what is missing, and where a word belongs ----------------------------------------------------


def test_a_peak_acceleration_alone_is_no_earthquake(refused):
    err = refused(*STATUE, "--pga", "0.25")
    assert "--pga 0.25 says how strong a motion is to be, and there is none" in err
    assert "It lifts off at 0.278 g" in err and "rocksteady motion generate" in err


@pytest.mark.parametrize(
    ("words", "belongs"),
    [
        ((*STATUE, "record.AT2"), "as in --motion record.AT2."),
        (("compare", *STATUE[1:], "record.AT2", "other.AT2"), "as in --motion other.AT2."),
        ((*HOUSE, "mems.csv"), "… < mems.csv, or from a file that grows, with --follow mems.csv."),
    ],
)
def test_a_bare_file_is_told_its_option(refused, words, belongs):
    assert belongs in refused(*words)


def test_a_folder_of_records_is_for_an_ensemble(refused):
    Path("records").mkdir()
    assert "rocksteady ensemble runs them all" in refused(*STATUE, "-m", "records")


def test_a_folder_with_a_dot_needs_its_slash(refused, rocksteady):
    assert "with a dot in its name, end it with /" in refused(*STATUE, "-o", "wall.AT2")
    free = (*STATUE, "--theta0", "0.1a", "--duration", 0.5)
    assert rocksteady(*free, "-o", "wall.AT2/").code == 0
    assert Path("wall.AT2/figure.png").exists()


def test_a_store_that_is_not_there_yet(refused):
    assert "is not an ensemble store: there is no such folder." in refused(
        "ensemble", "status", "x"
    )


# -- what is shown --------------------------------------------------------------------------------


def test_the_table_of_a_run_speaks_of_what_it_shows(rocksteady):
    out = rocksteady(*STATUE, "-m", "pulse:sine,a=0.35g,T=0.5").out
    assert "Its peak is not a safety margin: another motion" in " ".join(
        re.findall(r"[\w,;:.]+", out)
    )
    assert "largest lean  " in out


def test_peaks_of_the_fallen_are_not_compared(rocksteady):
    """A body on its side has the angle of the floor: one less another says nothing."""
    column = ("compare", "--height", 4.2, "--width", 0.6, "-m")
    rows = rocksteady(*column, "pulse:sine,a=2g,T=1").out.splitlines()
    fell = [row.split() for row in rows if "overturned" in row]
    assert len(fell) >= 3 and all("–" in row for row in fell)
    rows = rocksteady(*column, "pulse:sine,a=0.21g,T=0.8").out.splitlines()
    stood = [row for row in rows if "at rest" in row]
    assert stood and not any("–" in row for row in stood)
    apart = "Numerical dissipation differs from the first by more than 10 % of the peak"
    assert apart in " ".join(rows)
    rows = json.loads(rocksteady(*column, "pulse:sine,a=2g,T=1", "--json").out)["rows"]
    told = {row["peak_difference"] for row in rows if row.get("status") == "overturned"}
    assert told == {None}


@pytest.mark.parametrize("systems", [3, 20])
def test_strengths_are_never_cut_off(rocksteady, systems):
    text = f"""
name = "cabinets"
scales = {{ from = 0.1, to = 1.5, count = 29 }}
[systems]
height = {{ from = 1.813, to = 2.217, count = {systems} }}
width = 0.4137
[[motions]]
pulse = "sine,a=1g,T=0.5"
[[motions]]
pulse = "sine,a=1g,T=0.7"
"""
    Path("study.toml").write_text(text)
    out = rocksteady("ensemble", "study.toml").out
    headings = [row for row in out.splitlines() if row.startswith("  system")]
    assert "…" not in "".join(headings) and headings[-1].rstrip().endswith("1.5 g")
    shown = sum(heading.count(" g ") for heading in headings)
    assert shown >= 12 and f"{shown} of 29 strengths are shown" in out
    assert max(len(row.rstrip()) for row in out.splitlines()) <= 80
    assert "fallen, by PGA" in out  # where the others are


# -- samples as loggers write them ----------------------------------------------------------------


@pytest.fixture
def mems(rocksteady, monkeypatch, tmp_path):
    """`rocksteady monitor` of a file on standard input."""

    def call(rows: list[str], *words: object):
        path = tmp_path / "mems.csv"
        path.write_text("\n".join(["time,ax,ay,az", *rows, ""]))
        with path.open() as stdin:
            monkeypatch.setattr("sys.stdin", stdin)
            return rocksteady(*HOUSE, "--unit", "g", "--columns", "time,a_h,-,-", *words)

    return call


def rows_of(times: object) -> list[str]:
    return [f"{time},0.001,0.002,1.0" for time in np.asarray(times)]


def test_time_stamps_in_milliseconds_are_recognised(mems):
    done = mems(rows_of(1_763_200_000_000 + 10 * np.arange(50)))
    assert done.code == 2
    assert "look like ms, 100 samples a second, and must be in s: divide them by 1000" in done.err


@pytest.mark.parametrize("row", ["2026-11-15T12:00:00,0.1,0.2,1.0", "12:00:01;0,001;0,002;1,000"])
def test_lines_that_are_no_numbers_are_called_so(mems, row):
    done = mems([row] * 50)
    assert done.code == 2
    assert "None of the first 50 lines is a sample." in done.err and "no dates" in done.err


def test_an_empty_input_is_called_so(mems):
    done = mems([])
    assert done.code == 3 and "No samples came" in done.err


def test_a_wrong_column_names_the_option(mems):
    assert "Error: --columns 'time,ax,ay,az' is not" in mems([], "--columns", "time,ax,ay,az").err


def test_the_whole_of_a_followed_file_is_read(rocksteady, monkeypatch):
    """Patience is with a silent sensor: what getting ready takes does not count, for it is over
    before the first line is read."""
    order: list[str] = []

    def noted(what: str, call):
        return lambda *words: [order.append(what), call(*words)][1]

    monkeypatch.setattr(monitor_start, "warm_up", noted("ready", monitor_start.warm_up))
    monkeypatch.setattr(monitor_start, "first_lines", noted("read", session.first_lines))
    Path("long.csv").write_text("".join(f"{k / 100:.2f},0.001\n" for k in range(8000)))
    done = rocksteady(*HOUSE, "--follow", "long.csv", "--patience", 2)
    assert order == ["ready", "read"]
    assert "8 000 of 0.01 s" in done.out
