"""`rocksteady fragility` as a user types it, and the motions that `-m` takes."""

import json
import re

import pandas
import pytest

import rocksteady as rs
from rocksteady.cli.common.grounds import GroundOptions

BODY = ("fragility", "--height", 1.8, "--width", 0.5)
MOTIONS = ("-m", "stochastic:24,seed=5,sets=8")


def test_from_nothing_to_a_figure_and_files_for_others(rocksteady, tmp_path):
    found = rocksteady(
        *BODY, *MOTIONS, "--levels", 12, "-o", "f.png", "-o", "f.csv", "-o", "f.xml",
        "-o", "statue_pelicun.csv",
    )  # fmt: skip
    assert found.code == 0, found.err
    words = " ".join(found.out.split())
    assert "half of the motions overturn it at PGA" in words
    assert "nothing lifts off, so nothing falls" in words
    assert "The 24 motions come in 8 clusters" in words
    assert "first fall (IDA)" in words and "at one scale and do not at a larger one" in words
    for name in ("f.png", "f.csv", "f.xml", "statue_pelicun.csv"):
        assert f"wrote {name}" in words and (tmp_path / name).stat().st_size > 100
    table = pandas.read_csv(tmp_path / "f.csv")
    assert set(table["limit"]) >= {"lifts off", "overturned"} and len(table) == 5 * 12
    again = rocksteady(*BODY, *MOTIONS, "--levels", 4, "-o", "f.csv", "-q")  # ours: replaced
    assert again.code == 0 and not again.out
    assert len(pandas.read_csv(tmp_path / "f.csv")) == 5 * 4


def test_json_has_what_python_has(rocksteady):
    found = rocksteady(
        *BODY, *MOTIONS, "--levels", "0.4,0.8,1.6", "--limit", "0.5", "--limit", "overturned",
        "--eta", 0.9, "--storeys", 2, "--period", 0.3, "--json",
    )  # fmt: skip
    assert found.code == 0, found.err
    about = json.loads(found.out)
    drawn = rs.stochastic.sample_parameters(8, 5)
    motions = rs.stochastic.ensemble(24, 5, [drawn[i // 3] for i in range(24)])
    same = rs.analysis.fragility(
        rs.Block(1.8, 0.5),
        motions,
        rs.Housner(eta=0.9),
        levels=[0.4, 0.8, 1.6],
        limits=[0.5, "overturned"],
        floor=rs.Floor(period=0.3, storeys=2),
        progress=False,
    )
    assert about["limits"]["overturned"]["count"] == same.main.shares.count.tolist()
    assert list(about["limits"]) == ["θ/α > 0.5", "overturned"] and about["clusters"] == 8


def test_measures_are_compared_on_request(rocksteady):
    found = rocksteady(*BODY, *MOTIONS, "--levels", 12, "--measures")
    assert "p·PGV/(g tan α)" in found.out and "is the most efficient of these" in found.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "There are no ground motions"),
        (("-m", "nothing.AT2"), "There is no file nothing.AT2"),
        (("-m", "stochastic:"), "does not say how many motions"),
        (("-m", "stochastic:5,sed=1"), "did you mean seed"),
        (("-m", "stochastic:5,sets=9"), "sets must not exceed the count of motions, 5"),
        (("-m", "stochastic:5,seed=1,seed=2"), "has seed twice"),
        ((*MOTIONS, "--measure", "pgx"), "measure = 'pgx' is not known"),
        ((*MOTIONS, "--levels", "0.8,0.4"), "that increase"),
        ((*MOTIONS, "--levels", "few"), "--levels few is not allowed"),
        ((*MOTIONS, "--limit", "half"), "'half' is not known"),
        ((*MOTIONS, "--confidence", "90"), "--confidence 90 is not allowed"),
        ((*MOTIONS, "-o", "f.txt"), "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_before_the_runs(rocksteady, options, words):
    found = rocksteady(*BODY, *options)
    assert found.code == 2 and words in " ".join(found.err.split()), found.err


def test_many_motions_from_files_folders_pulses_and_the_model(tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    for i in range(3):
        rs.write_motion(rs.pulses.sine(amplitude=1.0 + i, period=0.5), folder / f"{i}.AT2")
    (folder / "notes.txt").write_text("no record")
    options = GroundOptions(
        motion=[
            str(folder),
            str(folder / "1.AT2"),
            "pulse:sine,a=2gtana,w=5p",
            "stochastic:4,seed=1",
        ]
    )
    block = rs.Block(1.8, 0.5)
    found = options.build(block)
    assert len(found) == 3 + 1 + 1 + 4 and len(set(found)) == 9
    assert list(found.skipped) == ["notes.txt"]
    pulse = next(motion for name, motion in found.items() if name.startswith("sine"))
    assert pulse.pga == pytest.approx(2 * block.g * 0.5 / 1.8, rel=1e-3)
    assert [re.sub(r"\d", "", name) for name in list(found)[-4:]] == ["stochastic "] * 4
    assert options.sources == [str(folder), str(folder / "1.AT2")]


def test_motions_of_a_set_are_those_of_its_parameters(tmp_path):
    """Grouping changes how they are made, not what they are."""
    found = list(GroundOptions(motion=["stochastic:6,seed=3,sets=2"]).build().values())
    drawn = rs.stochastic.sample_parameters(2, 3)
    one_by_one = [
        rs.stochastic.rezaeian(seed, drawn[i // 3])
        for i, seed in enumerate(rs.stochastic.seed_sequence(3).spawn(6))
    ]
    assert found == one_by_one
