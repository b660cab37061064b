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
