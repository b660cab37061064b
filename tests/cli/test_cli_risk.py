"""`rocksteady risk`: from a hazard file and motions to a probability."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

STATUE = ("--height", "1.8", "--width", "0.5")
SHAKING = (
    "stochastic:12,seed=3,arias=1,d5_95=10,t_mid=6,frequency_mid=2,frequency_rate=-0.05,damping=0.3"
)


@pytest.fixture
def risk(rocksteady):
    """The command in an empty folder that has a hazard file."""
    example = rocksteady("risk", "--example")
    assert example.code == 0 and example.out.startswith("# The hazard of a site")
    Path("hazard.csv").write_text(example.out, encoding="utf-8")

    def call(*words, motions=SHAKING, hazard="hazard.csv"):
        return rocksteady("risk", *STATUE, "-m", motions, "--hazard", hazard, *words)

    return call


def test_a_probability_and_a_figure(risk, tmp_path):
    done = risk("--levels", "12", "-o", "risk.png")
    assert (done.code, done.err) == (0, "")
    assert "1.8 × 0.5 m block, 12 motions, hazard.csv" in done.out
    assert "In 50 years it falls with a probability of" in done.out
    assert "contributes most" in done.out and "wrote risk.png" in done.out
    assert (tmp_path / "risk.png").stat().st_size > 20_000


def test_the_same_numbers_for_programs(risk):
    about = json.loads(risk("--levels", "12", "--years", "10", "--json").out)
    assert about["years"] == 10 and 0 < about["probability_low"] < about["probability"] < 1
    again = json.loads(risk("--levels", "12", "--years", "10", "--json").out)
    assert again == about
    fewer = json.loads(risk("--levels", "0.3,0.6,1.2", "--limit", "0.5", "--json").out)
    assert fewer["limit"] == 0.5 and fewer["levels"][1:] == [0.3, 0.6, 1.2]
    roof = json.loads(risk("--levels", "12", "--storeys", "4", "--period", "1.0", "--json").out)
    assert roof["rate_per_year"] > json.loads(risk("--levels", "12", "--json").out)["rate_per_year"]


def test_what_halves_it(risk, tmp_path):
    done = risk("--levels", "10", "--halve", "--plinth-height", "0.3", "-o", "risk.svg")
    assert done.code == 0
    text = " ".join(done.out.split())
    assert "A width of" in text and "0.30 m high, with a width of" in text and "Anchors at" in text
    assert (tmp_path / "risk.svg").is_file() and (tmp_path / "risk-halved.svg").is_file()


def test_velocity_where_the_file_has_it(risk, tmp_path):
    rows = "pgv [cm/s],rate\n5,0.1\n20,0.02\n80,0.001\n200,0.00002\n"
    (tmp_path / "v.csv").write_text(rows, encoding="utf-8")
    about = json.loads(risk("--levels", "10", "--json", hazard="v.csv").out)
    assert about["measure"] == "PGV" and about["hazard_levels"] == pytest.approx(
        [0.05, 0.2, 0.8, 2]
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--site", "here"), "--site here is no place: give longitude and latitude, as in --site"),
        (("--measure", "pgv"), "its curve is one of PGA, and one of PGV is wanted"),
        (("--limit", "falls"), "--limit 'falls' is not known"),
        (("--years", "0"), "--years 0 is not allowed: give a time above zero"),
        (("--confidence", "90"), "--confidence 90 is not allowed: give a share, such as 0.9."),
        (("--levels", "many"), "--levels many is not allowed"),
        (("--plinth-height", "0.3"), "--plinth-height belongs to --halve"),
        (("-o", "risk.doc"), "--out risk.doc cannot be written"),
    ],
)
def test_errors_speak_of_options(risk, words, why):
    done = risk(*words)
    assert done.code == 2 and why in " ".join(done.err.split())


def test_a_hazard_is_needed_and_must_be_one(rocksteady, risk, tmp_path):
    done = rocksteady("risk", *STATUE, "-m", SHAKING)
    assert done.code == 2 and "rocksteady risk --example > hazard.csv" in " ".join(done.err.split())
    (tmp_path / "bad.csv").write_text("im,rate\n0.1,0.1\n0.2,0.05\n", encoding="utf-8")
    done = risk(hazard="bad.csv")
    assert "bad.csv, line 1: the heading 'im'" in done.err and "give --measure pga" in done.err
    (tmp_path / "sites.csv").write_text(
        "#,,\"kind='mean', investigation_time=50, imt='PGA'\"\nlon,lat,depth,poe-0.1,poe-0.2\n"
        "13,42,0,0.5,0.1\n14,42,0,0.5,0.1\n",
        encoding="utf-8",
    )
    done = risk(hazard="sites.csv")
    assert "it has 2 sites" in done.err and "as in --site 13,42" in " ".join(done.err.split())
    done = risk("--site", "13.1,42", "--levels", "8", hazard="sites.csv")
    assert done.code == 0 and "is 8.3 km away" in " ".join(done.out.split())


def test_inputs_are_never_replaced(risk, tmp_path):
    (tmp_path / "risk-halved.png").write_bytes(b"mine")
    done = risk("--halve", "-o", "risk.png")
    assert done.code == 2 and "risk-halved.png exists and was not written by" in done.err
