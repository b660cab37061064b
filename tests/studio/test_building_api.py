"""Pushovers and sequences of the API are those of the package, bit for bit."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.specs import MotionSpec
from rocksteady.theories.masonry.formulation import COLUMNS

HOUSE = {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 40e3, "damping": 1e5}
SHOCKS = [
    {"stochastic": {"count": 1, "seed": 7}, "pga": 0.1},
    {"pulse": "sine,a=0.2g,T=0.4"},
    {"stochastic": {"count": 1, "seed": 8}, "pga": 0.15, "name": "aftershock"},
]
house = rs.MasonryBuilding.casalotti2025(40e3, damping=1e5)


def same(given: list[float], own: np.ndarray) -> bool:
    return np.array(given, dtype=float).tobytes() == np.asarray(own, dtype=float).tobytes()


def test_a_pushover_is_that_of_the_package(client):
    there = np.linspace(0, 0.018, 400)
    for request, history in (
        ({"displacement": there.tolist()}, there),
        ({"to": 0.018}, there),
        ({"displacement": [0.001, -0.004, 0.003], "update": "explicit"}, [0.001, -0.004, 0.003]),
    ):
        answer = client.post("/api/pushover", json={"building": HOUSE, **request})
        assert answer.status_code == 200, answer.text
        found = answer.json()
        own = rs.pushover(house, history, request.get("update", "accurate"))
        for name in ("displacement", "force", "slip", "hardening", "wear", "work", "dissipated"):
            assert same(found[name], getattr(own, name)), name
        assert found["peak_force"] == own.peak_force
        assert found["displacement_at_peak"] == own.displacement_at_peak
        assert found["collapse"] == own.collapse


def test_cycles_grow_to_the_amplitude_on_both_sides(client):
    found = client.post("/api/pushover", json={"building": HOUSE, "to": 0.003, "cycles": 3}).json()
    u = np.array(found["displacement"])
    turns = u[1:-1][(np.diff(u)[1:] * np.diff(u)[:-1]) < 0]
    assert turns == pytest.approx([0.001, -0.001, 0.002, -0.002, 0.003, -0.003])
    assert u[0] == u[-1] == 0
    assert same(found["force"], rs.pushover(house, u).force)


def test_a_sequence_is_that_of_the_package(client):
    request = {"building": HOUSE, "motions": SHOCKS, "gap": 5.0}
    answer = client.post("/api/sequence", json=request)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    own = rs.sequence(house, [MotionSpec.checked(one).build() for one in SHOCKS], gap=5.0)
    assert len(found["shocks"]) == len(own.shocks) == 3
    for one, shock in zip(found["shocks"], own.shocks, strict=True):
        for i, name in enumerate(COLUMNS):
            assert same(one["columns"][name], shock.states[:, i]), name
        force = house.contact_area * shock.states[:, 5]
        assert same(one["columns"]["force [N]"], force)
        assert same(one["accel"], shock.motion.accel)
        assert (one["start"], one["dt"], one["row"]) == (shock.start, shock.motion.dt, shock.row())
    assert found["main"] == own.main == 1
    assert found["wear_increase"] == own.wear_increase
    assert found["alone"] == own.alone.row()
    worn = house.worn_frequency(float(own.wear[-1])) / (2 * np.pi)
    assert found["shocks"][-1]["columns"]["frequency [Hz]"][-1] == pytest.approx(worn, rel=1e-14)


def test_a_collapse_ends_the_sequence_and_is_told(client):
    strong = [{"pulse": "sine,a=0.6g,T=0.5"}, {"pulse": "sine,a=0.1g,T=0.5"}]
    request = {"building": HOUSE, "motions": strong, "columns": ["w [-]"]}
    found = client.post("/api/sequence", json=request).json()
    own = rs.sequence(house, [MotionSpec.checked(one).build() for one in strong])
    assert found["collapse"] == own.collapse is not None
    assert (found["asked"], len(found["shocks"])) == (2, 1)
    assert list(found["shocks"][0]["columns"]) == ["w [-]"]
    assert "collapses in earthquake 1" in found["sentence"]


def test_parameters_have_words_and_units(client):
    about = client.get("/api/building").json()
    assert all(one["words"] for one in about["parameters"])
    assert {one["name"]: one["unit"] for one in about["parameters"]}["stiffness"] == "N/m³"
    (preset,) = about["presets"]
    own = rs.MasonryBuilding.casalotti2025()
    assert {name: getattr(own, name) for name in preset["values"]} == preset["values"]
    assert preset["values"]["mass"] == 23e3
    assert len(about["damage"]["names"]) == len(about["damage"]["wear"]) + 1


@pytest.mark.parametrize(
    ("path", "request_", "said"),
    [
        ("pushover", {"building": HOUSE}, "give one of displacement and to"),
        ("pushover", {"building": HOUSE, "to": -1}, "to"),
        ("pushover", {"building": HOUSE, "to": 0.01, "cycles": 1000}, "cycles"),
        ("pushover", {"building": {"kind": "Block", "height": 1, "width": 0.3}, "to": 0.01},
         "only masonry buildings wear"),
        ("pushover", {"building": {"kind": "MasonryBuilding", "mass": 1e4}, "to": 0.01}, "lacks"),
        ("pushover", {"building": HOUSE | {"mass": -4}, "to": 0.01}, "mass"),
        ("sequence", {"building": HOUSE, "motions": []}, "motions"),
        ("sequence", {"building": HOUSE, "motions": SHOCKS * 3}, "motions"),
        ("sequence", {"building": HOUSE, "motions": SHOCKS, "columns": ["x"]}, "is not one of"),
        ("sequence", {"building": HOUSE, "motions": [{"file": "/etc/passwd"}]}, "uploaded"),
        ("sequence", {"building": HOUSE, "motions": SHOCKS, "main": 5}, "main"),
        ("sequence",
         {"building": HOUSE, "motions": 8 * [{"pulse": "sine,a=0.1g,T=20,dt=0.0005"}]},
         "at most 200000"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_said(client, path, request_, said):
    answer = client.post(f"/api/{path}", json=request_)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["error"]
