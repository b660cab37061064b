"""POST /api/outline and what POST /api/body says of outlines: the numbers of the package."""

import math

import pytest

import rocksteady as rs
from rocksteady.bodies.presets import PRESETS
from rocksteady.motion.units import GRAVITY_UNIT as G

L_SHAPE = [[0, 0], [100, 0], [100, 20], [30, 20], [30, 100], [0, 100]]  # pixels, y up


def test_the_numbers_are_those_of_the_package_bit_for_bit(client):
    asked = {"points": L_SHAPE, "height": 1.6, "thickness": 0.3, "density": 2000}
    found = client.post("/api/outline", json=asked).raise_for_status().json()
    block = rs.Block.from_outline(L_SHAPE, height=1.6, thickness=0.3, density=2000)
    side = found["body"]["side"]
    assert side["mass"] == block.mass
    assert side["inertia"] == block.inertia
    assert side["centre"] == [block.offset, block.com_height]
    assert side["limits"] == list(block.limits)
    assert found["area"] == pytest.approx((100 * 20 + 30 * 80) * 0.016**2, rel=1e-12)
    assert found["base"] == [0.0, 1.6]
    assert found["problem"] is None
    assert side["outline"][0] == [-0.8, 0.0]


def test_the_body_that_holds_the_outline_is_the_same(client):
    body = {"kind": "Block", "outline": L_SHAPE, "height": 1.6, "mass": 400, "section": "flat"}
    about = client.post("/api/body", json=body).raise_for_status().json()
    block = rs.Block.from_outline(L_SHAPE, height=1.6, mass=400)
    assert about["alpha"] == block.alpha
    assert about["side"]["mass"] == block.mass
    assert len(about["side"]["outline"]) == len(L_SHAPE)
    case = {"body": body, "motion": {"pulse": "sine,a=0.4g,T=0.8"}}
    answer = client.post("/api/simulate", json=case).raise_for_status().json()
    assert answer["body"]["side"] == about["side"]
    motion = rs.pulses.sine(amplitude=0.4 * G, period=0.8)
    assert answer["runs"][0]["peak"] == rs.simulate(block, motion).peak


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_drawn_in_their_size(client, name):
    about = client.post("/api/body", json={"kind": "Block", "preset": name, "height": 3.0})
    side = about.raise_for_status().json()["side"]
    assert side["height"] == 3.0
    assert max(y for _, y in side["outline"]) == pytest.approx(3.0)
    floor = [x for x, y in side["outline"] if y == 0.0]
    assert max(floor) - min(floor) == pytest.approx(side["width"])
    told = client.get("/api/about").json()["presets"][name]
    assert told["words"] == PRESETS[name].words
    assert len(told["outline"]) == len(side["outline"])


def test_an_outline_that_cannot_stand_is_still_measured(client):
    leaning = [[0, 0], [2, 0], [9, 10], [7, 10]]
    found = client.post("/api/outline", json={"points": leaning, "scale": 0.1})
    told = found.raise_for_status().json()
    assert told["area"] == pytest.approx(0.2)
    assert told["body"] is None
    assert "to the right of its base" in told["problem"]


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([[0, 0], [1, 0]], "at least 3"),
        ([[0, 0], [1, 0], [0, 1], [1, 1]], "crosses or touches itself"),
        ([[0, 0], [1e300, 0], [0, 1e300]], "Corner 2"),
        ([[0, 0], [1, 0], [2, 0]], "itself"),
    ],
)
def test_half_traced_is_no_error_but_a_sentence(client, points, says):
    told = client.post("/api/outline", json={"points": points}).raise_for_status().json()
    assert says in told["problem"]
    assert told["area"] is told["body"] is None


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"points": [[0, 0], [1, 0], [1, None]]}, "points"),
        ({"points": L_SHAPE, "height": 1, "scale": 1}, "both given"),
        ({"points": L_SHAPE, "height": -1}, "height"),
        ({"points": L_SHAPE, "section": "hollow"}, "section"),
        ({"points": [[i, math.sin(i)] for i in range(1001)]}, "points"),
        ({}, "points"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(client, asked, says):
    answer = client.post("/api/outline", json=asked)
    assert answer.status_code == 422
    assert says in answer.json()["error"]
    assert "Traceback" not in answer.text
