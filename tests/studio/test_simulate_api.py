"""What /api/simulate answers is what `rs.simulate` computes, to the last bit."""

from typing import Any

import httpx
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.specs import CaseSpec

BLOCK = {"kind": "Block", "height": 1.8, "width": 0.5, "offset": 0.03}
PULSE = {"pulse": "sine,a=0.35g,T=0.8"}
CASES = {
    "Housner": {"body": BLOCK, "motion": PULSE},
    "several theories": {
        "body": BLOCK | {"offset": 0.0},
        "motion": PULSE,
        "theories": [{"name": "nonsmooth", "friction": 0.4}, {"name": "complex"}],
    },
    "generated, on a floor": {
        "body": BLOCK,
        "motion": {"stochastic": {"count": 1, "seed": 7}, "pga": 0.5},
        "floor": {"period": 0.4, "storeys": 3, "level": 2},
    },
    "let go": {"body": BLOCK, "theta0": 0.1, "until": 4.0},
    "on a flexible column": {
        "body": {"kind": "FlexibleOscillator", "preset": "giouvanidis2016", "height": 2.0},
        "motion": PULSE,
        "theories": [{"name": "nonsmooth", "epsilon": [0.2, 0.4], "friction": [0.3, 0.5]}],
    },
    "in space": {
        "body": {"kind": "Body", "base_x": 0.4, "base_y": 0.5, "height": 1.8},
        "motion": {"stochastic": {"count": 1, "seed": 7, "components": 3}, "pga": 0.6},
    },
}


@pytest.mark.parametrize("asked", CASES.values(), ids=CASES)
def test_the_answer_has_the_bits_of_simulate(client: httpx.Client, asked: dict[str, Any]) -> None:
    answer = client.post("/api/simulate", json=asked).json()
    direct = [rs.simulate(**one) for one in CaseSpec.checked(asked).build()]
    assert len(answer["runs"]) == len(direct)
    for run, response in zip(answer["runs"], direct, strict=True):
        for i, name in enumerate(response.columns):
            assert np.array_equal(run["columns"][name], response.states[:, i]), name
        assert np.array_equal(run["relative"], response.relative)
        assert np.array_equal(run["energy"], response.energy)
        assert np.array_equal(run["impacts"]["time"], response.impacts.time)
        assert run["peak"] == response.peak and run["dt"] == response.motion.dt
        assert run["status"] == str(response.status) and run["fell"] is response.fell


def test_a_flexible_oscillator_is_told_as_it_balances_and_is_drawn(client: httpx.Client) -> None:
    """α is φ_cr of the paper, not that of the line to the mass; the barrier is that of the bent
    column, the largest energy over all leans at the drift that is least there."""
    found = client.post("/api/body", json=CASES["on a flexible column"]["body"]).json()
    body = rs.FlexibleOscillator.giouvanidis2016(2.0)
    assert found["alpha"] == body.alpha == pytest.approx(np.arctan(4 * 0.2 / (2 * 1.5)))
    assert found["values"]["natural_frequency"] == body.natural_frequency
    leans = np.linspace(0, body.alpha, 4001)
    states = np.zeros((4001, 8))
    states[:, 0], states[:, 2] = leans, 1
    states[:, 3] = body.g * body.modal_participation * np.sin(leans) / body.stiffness
    barrier = rs.Nonsmooth().energy(body, states).max()
    assert found["barrier"] == pytest.approx(barrier, rel=1e-7)
    stem = found["stem"]
    assert (stem["height"], stem["width"]) == (2.0, 0.4)
    assert stem["share"] == body.modal_participation / body.mass
    rigid = client.post("/api/body", json=BLOCK).json()
    assert rigid["stem"] is None and rigid["barrier"] == rs.Block(1.8, 0.5, offset=0.03).barrier


def test_the_page_is_told_which_options_an_edge_may_have_of_its_own(client: httpx.Client) -> None:
    theories = {
        one["name"]: one["parameters"] for one in client.get("/api/about").json()["theories"]
    }
    for name in ("epsilon", "friction"):
        about = theories["nonsmooth"][name]
        assert about["type"] == "number" and about["each"] is True, name
    assert "each" not in theories["springs"]["friction"]


def test_a_motion_is_answered_with_its_samples_and_those_of_the_floor(client: httpx.Client) -> None:
    found = client.post("/api/motion", json={"motion": PULSE, "floor": {"period": 0.4}}).json()
    ground = rs.pulses.sine(amplitude=0.35 * 9.80665, period=0.8)
    assert np.array_equal(found["ground"]["samples"]["accel"], ground.accel)
    felt = rs.Floor(period=0.4).motion(ground)
    assert np.array_equal(found["felt"]["samples"]["accel"], felt.accel)
    assert found["ground"]["pga"] == pytest.approx(0.35)


def test_a_body_is_answered_with_what_follows_from_its_sizes(client: httpx.Client) -> None:
    found = client.post("/api/body", json=BLOCK).json()
    block = rs.Block(height=1.8, width=0.5, offset=0.03)
    assert found["alpha"] == block.alpha and found["p"] == block.p
    assert found["side"]["limits"] == list(block.limits)
    assert found["side"]["eta"] == [block.eta_to_left, block.eta_to_right]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"body": BLOCK, "motion": {"stochastic": {"count": 9}}}, "one at a time"),
        ({"body": BLOCK, "theta0": 0.1, "until": 1e9}, "at most 3600 s"),
        ({"body": BLOCK | {"height": -1}}, "height"),
        ({"body": {"kind": "os:system"}}, "there is no body"),
        ({"body": BLOCK, "theories": [{"name": "os:system"}]}, "There is no formulation"),
    ],
)
def test_what_cannot_be_answered_is_said(client: httpx.Client, asked: Any, said: str) -> None:
    answer = client.post("/api/simulate", json=asked)
    assert answer.status_code == 422 and said in answer.json()["error"]


def test_a_theory_that_refuses_the_body_leaves_the_others(client: httpx.Client) -> None:
    theories = [{"name": "housner"}, {"name": "complex"}]
    answer = client.post(
        "/api/simulate", json={"body": BLOCK, "motion": PULSE, "theories": theories}
    )
    found = answer.json()
    assert [run["name"] for run in found["runs"]] == ["housner"]
    assert "symmetric blocks only" in found["refused"][0]["error"]
