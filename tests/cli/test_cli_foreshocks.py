"""`rocksteady masonry foreshocks`: the numbers of rs.analysis.foreshock_map."""

import csv
import json

import numpy as np
import pytest

import rocksteady as rs

PULSE = "pulse:sine,a=0.4g,T=0.15"
HOUSE = ("masonry", "foreshocks", PULSE, "--preset", "casalotti2025")
SMALL = ("--masses", "20e3:28e3:3", "--scales", "0.2:0.6:3")


@pytest.fixture
def asked(rocksteady, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: rocksteady(*HOUSE, *words)


def own(masses=(20e3, 24e3, 28e3), scales=(0.2, 0.4, 0.6), **options):
    return rs.analysis.foreshock_map(rs.motion.parse_pulse(PULSE), masses, scales, **options)


def numbers(rows):
    return np.array([[np.nan if one is None else one for one in row] for row in rows])


def test_json_has_the_numbers_of_python(asked):
    about, found = json.loads(asked(*SMALL, "--json").out), own()
    np.testing.assert_array_equal(numbers(about["wear_increase"]), found.wear_increase)
    np.testing.assert_array_equal(numbers(about["hardening_increase"]), found.hardening_increase)
    assert about["wear_alone"] == found.alone.tolist() and about["masses"] == [20e3, 24e3, 28e3]
    assert {one for row in about["outcome"] for one in row} == {"stands"}


def test_options_reach_the_map(asked):
    words = ("--count", 2, "--gap", 3, "--no-settle", "--update", "explicit")
    about = json.loads(asked(*SMALL, *words, "--json").out)
    how = rs.Masonry(update="explicit")
    found = own(count=2, gap=3.0, settle=False, formulation=how)
    np.testing.assert_array_equal(numbers(about["wear_increase"]), found.wear_increase)
    assert about["foreshocks"] == 2


def test_its_masses_are_those_around_the_building_unless_given(asked):
    about = json.loads(asked("--scales", "0.3:0.5:2", "--mass", "20e3", "--json").out)
    assert (about["masses"][0], about["masses"][-1], len(about["masses"])) == (14e3, 30e3, 17)


def test_the_table_and_the_files(asked, tmp_path):
    out = asked(*SMALL, "-o", "map.png", "-o", "map.csv").out
    found = own()
    for mass, row in zip(("20", "24", "28"), found.wear_increase, strict=True):
        line = next(text for text in out.splitlines() if text.split()[:1] == [mass])
        assert f"{100 * row[1]:+.3g} %" in line
    with (tmp_path / "map.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [float(row["wear increase [-]"]) for row in rows] == found.wear_increase.ravel().tolist()
    assert (tmp_path / "map.png").stat().st_size > 5000


def test_a_collapse_is_told_in_its_place(rocksteady):
    shock = "pulse:sine,a=0.9g,T=0.3"
    words = ("--masses", "10e3:50e3:3", "--scales", "0.2:0.8:3")
    out = rocksteady("masonry", "foreshocks", shock, *HOUSE[3:], *words).out
    motion, masses = rs.motion.parse_pulse(shock), (10e3, 30e3, 50e3)
    found = rs.analysis.foreshock_map(motion, masses, (0.2, 0.5, 0.8))
    assert (found.outcome == 2).any() and (found.outcome == 0).any()
    assert out.count("collapses, too") == (found.outcome == 2).sum()
    assert out.count("collapses ") == (found.outcome[:, 0] == 2).sum()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--masses", "3"), "--masses 3 is not a range"),
        (("--scales", "0.5:0.1"), "--scales 0.5:0.1 is not a range"),
        (("--count", 0), "--count"),
        (("--update", "x"), "'x' is not allowed"),
        (("-o", "a.docx"), "a.docx cannot be written"),
    ],
)
def test_errors_are_sentences(asked, words, said):
    done = asked(*words)
    assert done.code == 2 and said in " ".join(done.err.split()) and "Traceback" not in done.err


def test_the_main_shock_is_needed(rocksteady):
    done = rocksteady("masonry", "foreshocks", "--preset", "casalotti2025")
    assert done.code == 2 and "Give the main shock" in done.err
