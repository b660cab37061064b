"""`rocksteady masonry shake`: the numbers of rs.sequence, in words, JSON and files."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

HOUSE = ("masonry", "shake", "--preset", "casalotti2025")
WEAK, STRONG = "pulse:sine,a=0.3g,T=0.15", "pulse:sine,a=0.5g,T=0.15"


@pytest.fixture
def shake(rocksteady, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: rocksteady(*HOUSE, *words)


def expected(**options):
    motions = [rs.motion.parse_pulse(text) for text in (WEAK, STRONG)]
    return rs.sequence(rs.MasonryBuilding.casalotti2025(), motions, **options)


def test_json_has_the_numbers_of_python(shake):
    done = shake(WEAK, STRONG, "--json")
    about, run = json.loads(done.out), expected()
    assert done.code == 0 and done.err == ""
    assert [shock["wear"] for shock in about["shocks"]] == [s.states[-1, 4] for s in run.shocks]
    assert about["alone"]["hardening"] == run.alone.states[-1, 3]
    assert about["wear_increase"] == run.wear_increase
    assert about["hardening_increase"] == run.hardening_increase
    assert (about["status"], about["main"], about["mass"]) == ("standing", 2, 23e3)
    assert about["warnings"] == [] and "rocksteady" in about["environment"]
    frequency = about["shocks"][1]["frequency"]
    assert frequency == pytest.approx(about["frequency"] * np.sqrt(1 - about["shocks"][1]["wear"]))


def test_options_reach_the_sequence(shake):
    words = ("--gap", 3, "--settle", "--main", 1, "--scale", "1,-0.5", "--update", "explicit")
    about = json.loads(shake(WEAK, STRONG, "--mass", "30e3", *words, "--json").out)
    weak, strong = (rs.motion.parse_pulse(text) for text in (WEAK, STRONG))
    run = rs.sequence(
        rs.MasonryBuilding.casalotti2025(30e3),
        [weak, strong.scaled(-0.5)],
        rs.Masonry(update="explicit"),
        gap=3.0,
        settle=True,
        main=0,
    )
    assert [shock["wear"] for shock in about["shocks"]] == [s.states[-1, 4] for s in run.shocks]
    assert about["main"] == 1 and about["shocks"][1]["start"] == run.shocks[1].start


def test_what_a_person_reads(shake):
    out = shake(f"first={WEAK}", f"second={STRONG}").out
    run = expected()
    assert "23 t masonry building, 10.67 Hz unworn" in out
    rows = [line.split()[:2] for line in out.splitlines()[1:] if line.strip()[:1].isdigit()]
    assert rows == [["1", "first"], ["2", "second"], ["2", "alone"]]
    told = f"{100 * run.hardening_increase:.3g} % more hardening and "
    told += f"{100 * run.wear_increase:.3g} % more wear after those before it than alone."
    assert told in out
    assert max(map(len, out.splitlines()[:7])) <= 80


def test_how_it_ends_is_told(shake):
    collapse = shake(WEAK, "pulse:sine,a=3g,T=0.3")
    assert collapse.code == 0 and "COLLAPSES in shock 2" in collapse.out
    assert "Shock 2 alone brings it down, too." in collapse.out
    weak = shake("pulse:sine,a=0.04g,T=0.15", "pulse:sine,a=0.05g,T=0.15")
    assert "Shock 2 alone does not make it slip." in weak.out
    single = shake(STRONG).out
    assert "before it" not in single and "brings it down" not in single


def test_no_solution_is_no_answer(shake, tmp_path):
    rs.write_motion(rs.Motion(np.full(2, 0.1), 1e5, name="endless"), tmp_path / "endless.csv")
    done = shake("endless.csv", "--mass", "40e3")
    assert done.code == 1 and "says nothing about the building" in done.out
    assert json.loads(shake("endless.csv", "--mass", "40e3", "--json").out)["status"] == "failed"


def test_warnings_are_in_the_results(shake, tmp_path):
    motion = rs.motion.parse_pulse(STRONG)
    both = rs.Motion(motion.accel, motion.dt, name="b").with_vertical(0.1 * motion.accel)
    rs.write_motion(both, tmp_path / "both.csv")
    done = shake("both.csv", "--json")
    about = json.loads(done.out)
    told = [text for text in about["warnings"] if "ignores the vertical component" in text]
    assert len(told) == 1 and done.err.count("ignores the vertical") == 1


def test_a_folder_gets_everything(shake, tmp_path):
    done = shake(WEAK, STRONG, "-o", "run")
    assert done.code == 0
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert names == ["history.csv", "loop.gif", "sequence.png", "shocks.csv"]
    run = expected()
    with (tmp_path / "run" / "shocks.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["wear [-]"]) for row in rows] == [row["wear [-]"] for row in run.rows()]
    assert rows[0]["collapse [s]"] == ""
    with (tmp_path / "run" / "history.csv").open(encoding="utf-8") as file:
        history = list(csv.DictReader(file))
    assert len(history) == len(run.states)
    last = history[-1]
    assert float(last["w [-]"]) == pytest.approx(run.wear[-1], rel=1e-9)
    force = run.building.contact_area * run.states[-1, 5]
    assert float(last["force [N]"]) == pytest.approx(force, rel=1e-9) and last["shock"] == "2"
    assert shake(WEAK, STRONG, "-o", "run").code == 0  # over its own results


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Give the shocks in their order"),
        (("nowhere.AT2",), "There is no file nowhere.AT2"),
        ((WEAK, "--scale", "1,2"), "has 2 factors, and there are 1 shocks"),
        ((WEAK, "--scale", "much"), "--scale: 'much' is no number"),
        ((WEAK, "--main", "2"), "--main 2 is not allowed"),
        ((WEAK, "--gap", "-1"), "gap = -1"),
        ((WEAK, "--update", "magic"), "update = 'magic'"),
        ((WEAK, "-o", "a.docx"), "cannot be written"),
        ((WEAK, "--mass", "0"), "mass"),
    ],
)
def test_what_is_typed_wrong(shake, words, sentence):
    done = shake(*words)
    assert done.code == 2 and sentence in " ".join(done.err.split())
    assert not list(Path().glob("*"))
