"""`rocksteady identify`: the block that was put into a file comes out of it."""

import json

import numpy as np
import pytest

import rocksteady as rs

BLOCK = rs.Block(height=1.0, width=0.25)


@pytest.fixture
def identify(command_line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return lambda *words: command_line("identify", *words)


def write_test(heading, of=lambda run: run.theta, share=0.7):
    still = rs.Motion(np.zeros(801), 0.01)
    how = rs.Housner(eta=0.9)
    run = rs.simulate(BLOCK, still, how, theta0=share * BLOCK.alpha, until="motion")
    signal = of(run)
    noise = np.random.default_rng(5).normal(0, 0.005 * np.abs(signal).max(), len(signal))
    rows = np.column_stack([run.time, signal + noise])
    np.savetxt("test.csv", rows, delimiter=",", header=heading, comments="")


@pytest.mark.parametrize(
    ("heading", "of", "options"),
    [
        ("time [s],lean [deg]", lambda run: np.degrees(run.theta), ()),
        ("time_s,angle_deg", lambda run: np.degrees(run.theta), ()),
        ("t,theta", lambda run: run.theta, ("--unit", "rad")),
        ("t [s],gyro (deg/s)", lambda run: np.degrees(run.omega), ()),
        ("t,tip [mm]", lambda run: 800 * np.sin(run.theta), ("--height", "0.8")),
    ],
)
def test_the_block_put_in_comes_out(identify, heading, of, options):
    write_test(heading, of)
    about = json.loads(identify("rocking", "test.csv", *options, "--json").out)
    parameters = about["parameters"]
    assert parameters["p [rad/s]"]["value"] == pytest.approx(BLOCK.p, rel=0.01)
    assert parameters["alpha [rad]"]["value"] == pytest.approx(BLOCK.alpha, rel=0.01)
    assert parameters["eta [-]"]["value"] == pytest.approx(0.9, abs=0.001)


def test_words_and_figure(identify, tmp_path):
    write_test("time [s],lean [rad]")
    out = identify("rocking", "test.csv", "-o", "fit.png").out
    assert "p = " in out and "90 %" in out and "rocksteady simulate --p" in out
    assert (tmp_path / "fit.png").is_file()
    write_test("time [s],lean [rad]", share=0.1)
    assert "Only p²α = " in identify("rocking", "test.csv").out


@pytest.mark.parametrize(
    ("heading", "options", "words"),
    [
        ("t,theta", (), "give --unit"),
        ("t,theta", ("--unit", "mm"), "give --height"),
        ("t,theta", ("--unit", "feet"), "--unit feet is not known"),
        ("t [ms],theta [rad]", (), "give it in s"),
        ("t,theta [rad]", ("--released", "now"), "--released now is not a time"),
    ],
)
def test_what_is_missing_is_named(identify, heading, options, words):
    write_test(heading)
    refused = identify("rocking", "test.csv", *options)
    assert refused.code == 2 and words in " ".join(refused.err.split())


def test_outcomes_and_a_prediction(identify, tmp_path):
    push = rs.pulses.sine(amplitude=1.0, period=0.5, dt=0.01)
    rs.write_motion(push, "push.csv")
    scales = np.geomspace(1.5, 9, 12)
    body = rs.Block.from_parameters(p=5.0, alpha=0.17)
    fell = [
        rs.simulate(body, push.scaled(scale), rs.Housner(eta=0.93)).status == rs.Status.OVERTURNED
        for scale in scales
    ]
    assert 2 < sum(fell) < 10
    rows = [f"push.csv,{s},{'yes' if f else 'no'}" for s, f in zip(scales, fell, strict=True)]
    (tmp_path / "tests.csv").write_text("\n".join(["motion,scale,overturned", *rows]))
    words = ("outcomes", "tests.csv", "--p", "4:6.5", "--alpha", "0.1:0.25", "--eta", "0.85:0.99")
    more = ("--predict", "push.csv:0.5", "--predict", "push.csv:12", "--json")
    about = json.loads(identify(*words, *more).out)
    weak, strong = about["predictions"]
    assert weak["probability"] < 0.1 and strong["probability"] > 0.9
    low, high = about["parameters"]["alpha [rad]"]["interval"]
    assert low < 0.17 < high
    refused = identify("outcomes", "tests.csv", "--p", "4", "--alpha", "0.1:0.3")
    assert refused.code == 2 and "is not a range" in refused.err
