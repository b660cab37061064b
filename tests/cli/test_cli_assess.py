"""`rocksteady assess` from the outside."""

import json

import pytest

QUICK = """
name = "Parapet"
levels = 8
[object]
preset = "parapet"
[[motions]]
pulse = "sine,a=0.3g,T=0.8"
[[motions]]
pulse = "ricker,a=0.3g,T=1.2"
[[motions]]
pulse = "sine,a=0.3g,T=1.6"
[[motions]]
pulse = "cosine,a=0.3g,T=1.0"
[uncertain]
samples = 8
"""


@pytest.fixture
def described(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "parapet.toml"
    path.write_text(QUICK, encoding="utf-8")
    return path


def test_the_report_and_nothing_else_is_left(rocksteady, described):
    done = rocksteady("assess", "parapet.toml", "--out", "report.html")
    assert done.code == 0, done.out + done.err
    assert "wrote report.html" in done.out + done.err
    assert "4 independent motions" in done.out + done.err  # too few: the reader is told
    assert sorted(path.name for path in described.parent.iterdir()) == [
        "parapet.toml",
        "report.html",
    ]


def test_the_headline_of_a_wall_says_what_it_assumes(rocksteady, described):
    """On the terminal, in print and in JSON; a statue stands by itself."""
    assumed = (
        "It is computed as free to rock to both sides: masonry that stops it on one side can make "
        "falls much rarer, and a missing or brittle tie can be worse."
    )
    done = rocksteady("assess", "parapet.toml", "--json", "--out", "report.html")
    page, about = (described.parent / "report.html").read_text(), json.loads(done.out)
    assert about["answer"].endswith(f" {assumed}") and about["assumed"] == assumed
    assert f"{assumed}</p>" in page.split('<section class="answer">')[1].split("<p class")[0]
    told = " ".join(rocksteady("assess", "parapet.toml", "--out", "report.html").out.split())
    assert assumed in told
    described.write_text(QUICK.replace("parapet", "statue").replace("Parapet", "Statue"))
    about = json.loads(rocksteady("assess", "parapet.toml", "--json").out)
    assert about["assumed"] == "" and "free to rock" not in about["answer"]


def test_a_study_of_walls_says_what_it_assumes(rocksteady, tmp_path):
    (tmp_path / "walls.toml").write_text(
        "[systems]\npreset = 'facade'\n[[motions]]\npulse = 'sine,a=0.3g,T=0.8'\n"
    )
    about = json.loads(rocksteady("ensemble", "walls.toml", "--json").out)
    assert len(about["warnings"]) == 1 and "free to rock to both sides" in about["warnings"][0]


def test_json_has_the_same_numbers(rocksteady, described):
    done = rocksteady("assess", "parapet.toml", "--json")
    about = json.loads(done.out)
    assert about["fragility"]
    assert about["risk"] is None
    assert not (described.parent / "parapet.html").exists()


@pytest.mark.parametrize(
    ("body", "width"),
    [("base_x = 0.6\nbase_y = 0.45", "width = 0.45"), ("diameter = 0.5", "width = 0.5"),
     ('mesh = "statue.stl"', "as width")],
)  # fmt: skip
def test_a_body_in_space_is_told_what_to_do(rocksteady, described, body, width):
    described.write_text(QUICK.replace('preset = "parapet"', f"{body}\nheight = 1.8"))
    done = rocksteady("assess", "parapet.toml")
    assert done.code == 2
    assert width in done.err and "rocksteady risk --base" in done.err
    done = rocksteady("assess", "--base", "0.45x0.6")
    assert "rocksteady assess --example" in done.err


def test_the_example_is_printed(rocksteady):
    assert "[object]" in rocksteady("assess", "--example").out


def test_what_is_wrong_is_said_before_anything_runs(rocksteady, described):
    done = rocksteady("assess", "parapet.toml", "--out", "report.pdf")
    assert done.code == 2
    assert ".html" in done.out + done.err
    (described.parent / "mine.html").write_text("<p>mine</p>")
    done = rocksteady("assess", "parapet.toml", "--out", "mine.html")
    assert done.code == 2
    assert "--overwrite" in done.out + done.err
    assert rocksteady("assess").code == 2
