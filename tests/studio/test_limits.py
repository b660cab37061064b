"""Huge and absurd values: a sentence at once, and others are answered meanwhile."""

import time
from typing import Any

import httpx
import pytest

STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
PULSE = {"pulse": "sine,a=0.4g,T=0.8"}


def case(**parts: Any) -> dict[str, Any]:
    return {"body": STATUE, "motion": PULSE, **parts}


HUGE = {
    "a tall body": case(body={**STATUE, "height": 1e300}),
    "a small body": case(body={**STATUE, "height": 1e-300, "width": 1e-301}),
    "not a number": case(body={**STATUE, "height": "nan"}),
    "a fine pulse": case(motion={"pulse": "sine,a=0.4g,T=0.8,dt=1e-12"}),
    "a long pulse": case(motion={"pulse": "sine,a=0.4g,T=0.8,tail=1e9"}),
    "a slow pulse": case(motion={"pulse": "sine,a=0.4g,T=1e300"}),
    "many cycles": case(motion={"pulse": "sine,a=0.4g,T=0.8,cycles=1e12"}),
    "many motions": case(motion={"stochastic": {"count": 1_000_000}}),
    "a fine step": case(motion={"stochastic": {"count": 1, "dt": 1e-9}}),
    "a large seed": case(motion={"stochastic": {"count": 1, "seed": 2**70}}),
    "a long motion": case(
        motion={"stochastic": {"count": 1, "arias": 1e9, "d5_95": 1e9, "t_mid": 1e9,
                               "frequency_mid": 1.0, "frequency_rate": 0.0, "damping": 0.2}}
    ),
    "a long run": case(until=1e12),
    "long free rocking": {"body": STATUE, "theta0": 0.1, "until": 1e9},
    "many theories": case(theories=[{"name": "housner"}] * 1000),
    "many storeys": case(floor={"period": 0.5, "storeys": 10**9}),
    "many modes": case(floor={"modes": [[0.5, 1.2]] * 30_000}),
    "a strong motion": case(motion={**PULSE, "scale": 1e308}),
    "a long name": case(motion={**PULSE, "name": "x" * 900_000}),
}  # fmt: skip


@pytest.mark.parametrize("name", HUGE)
def test_what_is_too_much_is_answered_at_once(client: httpx.Client, name: str) -> None:
    began = time.monotonic()
    answer = client.post("/api/simulate", json=HUGE[name])
    assert answer.status_code in (200, 422), answer.text[:300]
    if answer.status_code == 422:
        assert answer.json()["error"].rstrip("…").strip()
    assert time.monotonic() - began < 5.0


REFUSED = ("a fine pulse", "a long pulse", "many cycles", "many motions", "a long run",
           "long free rocking", "many theories", "many storeys")  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_long_is_refused(client: httpx.Client, name: str) -> None:
    answer = client.post("/api/simulate", json=HUGE[name])
    assert answer.status_code == 422, answer.text[:300]


def test_very_many_keys_are_refused_at_once(client: httpx.Client) -> None:
    for asked in (
        {f"key{i}": i for i in range(50_000)},
        case(floor=dict.fromkeys(map(str, range(50_000)))),
    ):
        answer = client.post("/api/simulate", json=asked)
        assert answer.status_code == 422
        assert "at most 1000 are read" in answer.json()["error"]


def test_an_answer_is_not_larger_than_the_server_can_hold(client: httpx.Client) -> None:
    long = case(theta0=0.1, until=190.0, theories=[{"name": "housner"}] * 12)
    long["motion"] = {"pulse": "sine,a=0.01g,T=0.8,dt=0.001"}
    long["body"] = {**STATUE, "width": 0.9}
    answer = client.post("/api/simulate", json=long)
    assert answer.status_code == 422, f"{len(answer.content)} bytes"
    assert "at most 48 MB" in answer.json()["error"]
