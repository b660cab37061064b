"""`--interface`: a body on springs with several contacts, on the command line and in files."""

import json

import pytest
from typer.testing import CliRunner

import rocksteady as rs
from rocksteady.cli import app

BODY = ("--height", "2", "--width", "0.4", "-m", "pulse:sine,a=4,T=0.4")
CONTACTS = ("base", "wall,side=right,bottom=1.6,gap=0.005,K=2e7")
WORDS = [word for one in CONTACTS for word in ("--interface", one)]


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    return lambda *words: runner.invoke(app, words)


def own_run():
    how = rs.RigidBodySpring(interfaces=CONTACTS)
    return rs.simulate(rs.Block(2.0, 0.4), rs.pulses.sine(4.0, period=0.4), how)


def test_a_niche_is_that_of_python(run):
    result = run("simulate", *BODY, "--formulation", "springs", *WORDS, "--json")
    assert result.exit_code == 0, result.output
    about = json.loads(result.stdout)
    assert about["peak"] == own_run().peak
    assert [one["kind"] for one in about["formulation"]["interfaces"]] == ["base", "wall"]


def test_a_study_keeps_the_contacts_and_gives_the_same_run(run, tmp_path):
    words = ("simulate", *BODY, "--formulation", "springs", *WORDS, "-o", "study.toml", "-q")
    assert run(*words).exit_code == 0
    text = (tmp_path / "study.toml").read_text(encoding="utf-8")
    assert '{ kind = "wall", side = "right", bottom = 1.6, gap = 0.005, K = 20000000.0 }' in text
    line = next(line for line in text.splitlines() if line.startswith("interfaces"))
    (tmp_path / "one.toml").write_text(
        '[systems]\nkind = "Block"\nheight = 2.0\nwidth = 0.4\n'
        '[[motions]]\npulse = "sine,a=4,T=0.4"\n'
        f'[formulation]\nname = "springs"\n{line}\n'
        '[run]\nstore = "runs"\n',
        encoding="utf-8",
    )
    result = run("ensemble", "one.toml", "--quiet")
    assert result.exit_code == 0, result.output
    assert rs.open_ensemble("runs").peak.item() == pytest.approx(own_run().peak, rel=1e-12)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--interface", "base"), "Housner has no 'interfaces': only the formulation springs"),
        (("--formulation", "springs", "--interface", "roof"), "base, wall, pad, line"),
        (("--formulation", "springs", "--interface", "wall,side=right"), "does not stand on"),
        (("--formulation", "springs", "--interface", "base", "--r", "0.9"), "were both given"),
        (("--formulation", "springs", "--set", "interfaces=base"), "give a list"),
    ],
)
def test_errors_are_sentences(run, words, said):
    result = run("simulate", *BODY, *words)
    text = " ".join(result.output.split())
    assert result.exit_code == 2, text
    assert said in text and "Traceback" not in text
