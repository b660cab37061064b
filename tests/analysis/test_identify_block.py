"""p, α and η from a record of free rocking."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay.model import lean_history, quarter_periods, rate_history
from rocksteady.analysis.rocking_identification import identify_block

BLOCK = rs.Block(height=1.0, width=0.25)
ETA, DT = 0.9, 0.01
TIP, WIDTH = 0.8, 0.25


def record(share=0.7, kind="angle", noise=0.0, seed=0, block=BLOCK, side=1, eta=ETA, seconds=8.0):
    """Time, and the signal of a block released at ``share`` of α, with noise as a share of the
    signal's largest value."""
    still = rs.Motion(np.zeros(round(seconds / DT) + 1), DT)
    alpha = block.right.alpha if side > 0 else block.left.alpha
    how = rs.Housner(r=eta**2)
    run = rs.simulate(block, still, how, theta0=side * share * alpha, until="motion")
    assert run.peak < 1
    signal = {
        "angle": run.theta,
        "rate": run.omega,
        "displacement": TIP * np.sin(run.theta)
        + np.sign(run.theta) * WIDTH / 2 * (1 - np.cos(run.theta)),
    }[kind]
    scatter = np.random.default_rng(seed).normal(0, 1, len(signal))
    return run.time, signal + noise * np.abs(signal).max() * scatter


def identified(kind, *args, **more):
    tip = {"height": TIP, "width": WIDTH} if kind == "displacement" else {}
    return identify_block(*args, kind=kind, **tip, **more)


@pytest.mark.parametrize("kind", ["angle", "displacement", "rate"])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_without_noise_the_block_is_found_exactly_and_without_a_start(kind, share):
    found = identified(kind, *record(share, kind)).values
    assert found["p"] == pytest.approx(BLOCK.p, rel=1e-4)
    assert found["alpha"] == pytest.approx(BLOCK.alpha, rel=2e-4)
    assert found["eta"] == pytest.approx(ETA, abs=1e-5)
    assert found["theta0"] == pytest.approx(share * BLOCK.alpha, rel=1e-4)


@pytest.mark.parametrize(("height", "width", "eta"), [(0.3, 0.1, 0.97), (6.0, 0.8, 0.75)])
def test_other_sizes_and_losses(height, width, eta):
    block = rs.Block(height=height, width=width)
    time, theta = record(0.6, block=block, eta=eta, noise=0.003, seconds=12.0)
    found = identify_block(time, theta)
    assert found.values["p"] == pytest.approx(block.p, rel=0.01)
    assert found.values["alpha"] == pytest.approx(block.alpha, rel=0.015)
    assert found.values["eta"] == pytest.approx(eta, abs=0.001)
    assert found.told_apart


def errors_and_cover(signals, kind="angle", **options):
    truth = {"p": BLOCK.p, "alpha": BLOCK.alpha, "eta": ETA}
    wrong, covered = [], []
    for time, signal in signals:
        found = identified(kind, time, signal, **options)
        wrong.append(
            [
                found.values["p"] / BLOCK.p - 1,
                found.values["alpha"] / BLOCK.alpha - 1,
                found.values["eta"] - ETA,
            ]
        )
        ends = found.intervals
        covered.append([ends[name][0] <= truth[name] <= ends[name][1] for name in truth])
    return np.sqrt(np.mean(np.square(wrong), axis=0)), np.mean(covered, axis=0)


def test_noise_of_one_per_cent():
    rms, cover = errors_and_cover(record(0.7, noise=0.01, seed=i) for i in range(100, 112))
    assert (rms <= [0.005, 0.005, 0.0005]).all(), rms
    assert (cover >= 8 / 12).all(), cover


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["angle", "rate"])
def test_accuracy_and_coverage_over_many_signals(kind):
    """The figures are in docs/identification.md."""
    rms, cover = errors_and_cover(
        (record(0.7, kind, noise=0.01, seed=i) for i in range(2000, 2300)), kind
    )
    print(kind, rms, cover)
    assert (rms <= [0.005, 0.005, 0.0005]).all(), rms
    assert ((cover >= 0.85) & (cover <= 0.95)).all(), cover


def test_a_small_release_tells_only_the_product():
    found = identify_block(*record(0.1, noise=0.01, seed=5))
    low, high = found.intervals["p2alpha"]
    assert low < BLOCK.p**2 * BLOCK.alpha < high < 1.03 * low
    assert not found.told_apart and found.known == ("eta", "p2alpha")
    words = found.sentences[0]
    assert words.startswith("Only p²α = ") and "cannot be told apart" in words
    assert f"{low:.4g} to {high:.4g}" in words
    assert found.correlation_of("p", "alpha") < -0.99
    with pytest.raises(rs.InputError, match="Only p²α"):
        found.block()
    large = identify_block(*record(0.7, noise=0.01, seed=5))
    assert large.told_apart and large.sentences[0].startswith("p = ")
    assert large.block().alpha == pytest.approx(BLOCK.alpha, rel=0.02)


@pytest.mark.parametrize(("side", "share"), [(1, 0.7), (-1, 0.4)])
def test_an_asymmetric_body(side, share):
    body = rs.Block.from_sides(p=3.7, alpha_right=0.20, alpha_left=0.26)
    assert body.right.alpha == pytest.approx(0.20) and body.left.alpha == pytest.approx(0.26)
    assert body.p == pytest.approx(3.7)
    time, theta = record(share, noise=0.003, block=body, side=side)
    found = identify_block(time, theta, symmetric=False)
    for name, truth in (("p", 3.7), ("alpha_right", 0.20), ("alpha_left", 0.26), ("eta", ETA)):
        assert found.values[name] == pytest.approx(truth, rel=0.01), name
    assert np.sign(found.values["theta0"]) == side
    assert found.block().offset == pytest.approx(body.offset, rel=0.1)


def test_a_symmetric_fit_of_an_asymmetric_body_is_refused_or_says_so():
    body = rs.Block.from_sides(p=3.7, alpha_right=0.20, alpha_left=0.26)
    try:
        words = " ".join(identify_block(*record(0.7, block=body, noise=0.01)).sentences)
    except rs.InputError as error:
        words = str(error)
    assert "symmetric=False" in words


def test_a_held_block_and_a_sensor_that_drifts():
    time, theta = record(0.7, noise=0.005, seed=3)
    held = np.arange(0, 2, DT)
    lean = np.concatenate([np.full(len(held), theta[0]), theta])
    t = np.concatenate([held, time + 2])
    found = identify_block(t, lean + 0.05 + 0.002 * t)
    assert found.release == "fitted"
    assert found.values["released"] == pytest.approx(2.0, abs=0.02)
    assert found.values["offset"] == pytest.approx(0.05 + 0.002 * 2, abs=0.002)
    assert found.values["drift"] == pytest.approx(0.002, abs=5e-4)
    assert found.values["alpha"] == pytest.approx(BLOCK.alpha, rel=0.02)
    fitted = found.fitted[(t > 2) & (t < 5)]
    assert np.abs(fitted - (lean + 0.05 + 0.002 * t)[(t > 2) & (t < 5)]).max() < 0.01


def test_a_known_release_is_worth_a_factor_of_two():
    time, theta = record(0.7, noise=0.01, seed=8)
    tied, fitted = identify_block(time, theta), identify_block(time, theta, released="fit")
    assert (tied.release, fitted.release) == ("first sample", "fitted")
    assert fitted.deviations["alpha"] > 1.7 * tied.deviations["alpha"]
    given = identify_block(time - 1, theta, released=-1.0)
    assert given.release == "given"
    assert given.values["alpha"] == pytest.approx(tied.values["alpha"], rel=1e-6)


def test_clock_and_gain_decide_p_and_alpha():
    """A clock that is slow by 1 % makes p large by 1 %, a gain of 1.02 makes α large by 2 %: the
    record cannot tell, so the interval has to."""
    time, theta = record(0.7, noise=0.002)
    found = identify_block(time / 1.01, 1.02 * theta, clock=0.01, gain=0.02)
    assert found.values["p"] == pytest.approx(1.01 * BLOCK.p, rel=1e-3)
    assert found.values["alpha"] == pytest.approx(1.02 * BLOCK.alpha, rel=2e-3)
    assert found.deviations["p"] == pytest.approx(0.01, rel=0.01)
    assert found.deviations["alpha"] == pytest.approx(0.02, rel=0.01)
    assert found.deviations["p2alpha"] == pytest.approx(math.hypot(0.02, 2 * 0.01), rel=0.01)
    for name, truth in (("p", BLOCK.p), ("alpha", BLOCK.alpha)):
        low, high = found.intervals[name]
        assert low < truth < high


def test_a_clock_that_drifts():
    time, theta = record(0.8, noise=0.002, seed=1)
    wrong = time + 0.5 * 4e-3 * time**2  # gains 4 ms a second every second
    found = identify_block(wrong, theta, drifting_clock=True)
    low, high = found.intervals["clock_drift"]
    assert low < -4e-3 < high < 0
    assert found.values["eta"] == pytest.approx(ETA, abs=0.001)


def test_wider_intervals_where_residuals_are_not_independent():
    time, theta = record(0.7, noise=0.01, seed=4)
    filtered = np.convolve(np.random.default_rng(4).normal(0, 1, len(time)), np.ones(9) / 3, "same")
    rough = identify_block(time, record(0.7)[1] + 0.01 * theta.max() * filtered)
    plain = identify_block(time, theta)
    assert plain.independent and not rough.independent
    assert rough.deviations["alpha"] > 1.5 * plain.deviations["alpha"]


def test_the_rate_is_the_derivative_of_the_lean():
    leans = np.array([0.15, 0.1])
    first = float(quarter_periods(leans[:1], BLOCK.alpha, BLOCK.p)[0])
    about = leans, first, BLOCK.alpha, BLOCK.p
    for time in (np.linspace(0.02, first - 0.01, 2000), np.linspace(first + 0.01, 0.9, 2000)):
        slope = np.gradient(lean_history(time, *about), time)
        assert rate_history(time, *about)[1:-1] == pytest.approx(slope[1:-1], abs=1e-5)
    run = rs.simulate(BLOCK, None, rs.Housner(eta=ETA), theta0=0.15)
    swing = (run.time > 0) & (run.time < first)
    assert rate_history(run.time[swing], *about) == pytest.approx(run.omega[swing], abs=1e-8)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "tilt"}, "choose from angle, displacement, rate"),
        ({"kind": "displacement"}, "give height="),
        ({"height": 1.0}, "for a displacement"),
        ({"clock": -1}, "relative standard deviation"),
        ({"released": "soon"}, "released = 'soon'"),
    ],
)
def test_wrong_options_are_explained(options, words):
    with pytest.raises(rs.InputError, match=words):
        identify_block(*record(), **options)


def test_records_without_rocking_are_refused():
    time, theta = record()
    with pytest.raises(rs.InputError, match="visible impact"):
        identify_block(time[:60], theta[:60])
    with pytest.raises(rs.InputError, match="does not change"):
        identify_block(time, np.zeros_like(time))
    with pytest.raises(rs.InputError, match="gaps"):
        identify_block(time[::-1], theta)
    with pytest.raises(rs.InputError, match="as many of both"):
        identify_block(time, theta[:-1])
    with pytest.raises(rs.InputError, match="No rigid block"):
        identify_block(time, np.sin(7 * time) * (1 + np.sin(3 * time)))


def test_summary_is_plain_and_the_figure_is_drawn(tmp_path):
    import json

    found = identify_block(*record(0.7, noise=0.01, seed=5))
    about = json.loads(json.dumps(found.summary()))
    assert about["parameters"]["p [rad/s]"]["interval"][0] < BLOCK.p
    assert about["known"] == ["p", "alpha", "eta", "p2alpha"]
    found.plot(tmp_path / "fit.svg")
    assert (tmp_path / "fit.svg").stat().st_size > 10_000
