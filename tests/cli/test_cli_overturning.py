"""`rocksteady spectrum` and `rocksteady overturning`."""

import json

import numpy as np
import pandas
import pytest
from typer.testing import CliRunner

import rocksteady as rs
from rocksteady.cli import app

BODY = ["--height", "1.8", "--width", "0.5"]


def run(*words, code=0):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


@pytest.fixture
def record(tmp_path):
    kick = rs.stochastic.Parameters(
        arias=1.0, d5_95=6.0, t_mid=4.0, frequency_mid=1.5, frequency_rate=0.0, damping=0.3
    )
    return rs.write_motion(rs.stochastic.ensemble(1, 3, kick)[0], tmp_path / "record.AT2")[0]


def test_a_map_of_pulses(tmp_path):
    outs = [tmp_path / name for name in ("map.png", "map.csv", "map.nc")]
    said = run("overturning", "--pulse", "half-sine", "--alpha", 0.25, "--points", 21,
               *(word for out in outs for word in ("-o", out)))  # fmt: skip
    assert "falls without an impact" in said and "Brute force: each of 441 points" in said
    assert "the block has p = 2 rad/s. In Housner's theory that does not matter" in said
    assert all(out.is_file() for out in outs)
    assert len(pandas.read_csv(outs[1])) == 441


def test_a_map_of_a_record_is_the_functions(tmp_path, record):
    words = ["-m", record, "--heights", "1:3:5", "--strengths", "0.2:1:6", "--json"]
    about = json.loads(run("overturning", *BODY, *words))
    found = rs.analysis.overturning_map(
        rs.Block(1.8, 0.5), rs.read_motion(record), heights=np.geomspace(1, 3, 5),
        strengths=np.linspace(0.2, 1, 6), progress=False,
    )  # fmt: skip
    assert about["share_of_points"] == found.summary()["share_of_points"]
    assert about["height_m"] == [1, 3] and about["pga_g"] == [0.2, 1.0]


def test_shares_of_many_motions_on_a_floor(tmp_path):
    words = ["-m", "stochastic:4,seed=1", "--points", 5, "--period", 0.5, "--storeys", 3]
    said = run("overturning", *BODY, *words, "-o", tmp_path / "shares.csv")
    assert "At each of 25 points 4 motions were run" in said
    table = pandas.read_csv(tmp_path / "shares.csv")
    assert (table["motions"] == 4).all() and table["share [-]"].max() > 0


def test_a_stopped_map_resumes(tmp_path):
    words = ["overturning", "--pulse", "sine", "--alpha", 0.25, "--points", 33]
    words += ["--method", "adaptive", "--store", tmp_path / "runs", "--json"]
    first = json.loads(run(*words))
    assert sorted(path.name for path in (tmp_path / "runs").iterdir())[0] == "round-000"
    assert json.loads(run(*words)) == first


def test_what_is_kept_is_told(tmp_path, monkeypatch):
    from rocksteady.analysis.overturning import runs

    store, real = tmp_path / "runs", runs.run_study
    calls = []

    def stopped(*given, **options):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*given, **options)

    monkeypatch.setattr(runs, "run_study", stopped)
    words = ["overturning", "--pulse", "sine", "--alpha", 0.25, "--points", 33]
    said = run(*words, "--method", "adaptive", "--store", store, code=130)
    assert f"runs are kept in {store}: the same command resumes from there." in said


def test_a_spectrum(tmp_path, record):
    out = tmp_path / "spectrum.csv"
    said = run("spectrum", "-m", record, "--alpha", 0.15, "--alpha", 0.25, "--sizes", "2:6:5",
               "--pga", 0.4, "-o", out, "-o", tmp_path / "spectrum.svg")  # fmt: skip
    assert "Blocks with α = 0.25 rad" in said
    motion = rs.read_motion(record).scaled_to(pga=0.4 * 9.80665)
    found = rs.analysis.rocking_spectrum(
        motion, alpha=[0.15, 0.25], periods=np.linspace(2, 6, 5), progress=False
    )
    table = pandas.read_csv(out)
    assert table["peak |theta|/alpha [-]"].to_numpy() == pytest.approx(
        found.peak[:, 0].ravel(), nan_ok=True
    )
    assert table["peak |omega|/p [-]"].to_numpy() == pytest.approx(
        found.rate[:, 0].ravel(), nan_ok=True
    )


def test_the_band_of_many_motions(tmp_path):
    about = json.loads(
        run("spectrum", "-m", "stochastic:5,seed=2", "--alpha", 0.2, "--sizes", "2:6:3",
            "--eta", 0.9, "-o", tmp_path / "band.csv", "--json")
    )  # fmt: skip
    assert about["motions"] == 5 and about["curves"][0]["eta"] == 0.9
    columns = pandas.read_csv(tmp_path / "band.csv").columns
    assert {"|theta|/alpha at 16% [-]", "|theta|/alpha at 84% [-]", "share [-]"} <= set(columns)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["overturning", "--alpha", "0.2"], "What shakes it? Give a pulse, as in --pulse sine"),
        (["overturning", "--pulse", "sinus", "--alpha", "0.2"], "--pulse sinus is not known"),
        (["overturning", "--pulse", "sine", "-m", "a", *BODY], "were both given"),
        (["overturning", "--pulse", "sine", *BODY, "--period", "1"], "--period is for motions"),
        (["overturning", "--pulse", "sine", *BODY, "--strengths", "3"], "as in 0.5:8:201"),
        (["overturning", "--pulse", "sine", *BODY, "--method", "quick"], "brute or adaptive"),
        (["overturning", "--pulse", "sine", *BODY, "-o", "map.txt"], "map.txt cannot be written"),
        (["spectrum", "-m", "pulse:sine,a=3,T=1"], "Which blocks? Give their slenderness"),
        (["spectrum", "--alpha", "0.2"], "There are no ground motions"),
        (["spectrum", "-m", "pulse:sine,a=3,T=1", "--alpha", "14"], "in radians"),
    ],
)
def test_what_the_commands_refuse(words, sentence):
    assert sentence in run(*words, code=2)
