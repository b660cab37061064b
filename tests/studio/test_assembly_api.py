"""Columns, arches and walls of the API are those of the package, bit for bit."""

import csv
import io
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.limit_analysis import limit_load
from rocksteady.analysis.stones import step_error
from rocksteady.bodies.assembly import Assembly
from rocksteady.specs import CaseSpec

PULSE = {"pulse": "sine,a=0.45g,T=0.8,dt=0.005"}
DRUMS = {"kind": "Assembly", "structure": "drums", "count": 3, "height": 3.0, "width": 0.6}
ARCH = {"kind": "Assembly", "structure": "arch", "voussoirs": 7, "ring": 0.25, "span": 2.0,
        "rise": 0.8}  # fmt: skip
WALL = {"kind": "Assembly", "structure": "wall", "rows": 4, "columns": 4, "length": 0.4,
        "height": 0.2}  # fmt: skip
WINDOW = WALL | {"rows": 5, "openings": [[0.4, 0.2, 0.8, 0.4]]}


def bits(values: Any) -> bytes:
    return np.array(values, dtype=float).tobytes()


def own_run(case: dict[str, Any]) -> rs.Response:
    return rs.simulate(**CaseSpec.checked(case).build()[0])


def check_run(found: dict[str, Any], own: rs.Response) -> None:
    """All numbers of an answer of rigid stones are those of the package."""
    check_frames(found, own)
    assert found["residual"] == own.column("residual")[-1]
    assert found["rule"] == own.formulation.rule_for(own.system)
    assert found["not_halved"] == ""


def check_frames(found: dict[str, Any], own: rs.Response) -> None:
    """The same, by any theory."""
    theory, assembly = own.formulation, own.system
    every = max(1, round(1 / 60 / own.motion.dt + 0.499))
    rows = [*range(0, len(own.states), every)]
    rows += [len(own.states) - 1] * (rows[-1] != len(own.states) - 1)
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    assert bits(found["frames"]["time"]) == bits(own.time[rows])
    assert max(np.diff(found["frames"]["time"][:-1]), default=1) >= 1 / 60 - 1e-9
    poses = theory.poses(assembly, own.states[rows])[:, moving]
    assert bits(found["frames"]["poses"]) == bits(poses)
    for name, values in found["columns"].items():
        assert bits(values) == bits(own.column(name)), name
    assert bits(found["ground"]) == bits(own.ground[0])
    assert bits(found["impacts"]) == bits(own.impacts["time"])
    assert (found["peak"], found["status"]) == (own.peak, str(own.status))
    assert found["told"] == theory.told(own)


def finished(client: httpx.Client, case: dict[str, Any]) -> dict[str, Any]:
    asked = client.post("/api/jobs", json={"kind": "assembly", "case": case})
    assert asked.status_code == 202, asked.text
    while True:
        job = client.get(f"/api/jobs/{asked.json()['id']}").json()
        if job["state"] in ("done", "failed", "cancelled"):
            assert job["state"] == "done", job["error"]
            return job
        time.sleep(0.1)


@pytest.mark.parametrize("body", [DRUMS, ARCH], ids=["drums", "arch"])
def test_a_run_is_that_of_the_package(client, body):
    case = {"body": body, "motion": PULSE}
    answer = client.post("/api/assembly/simulate", json=case)
    assert answer.status_code == 200, answer.text
    check_run(answer.json(), own_run(case))


def test_the_error_of_the_step_is_asked_for_afterwards(client):
    """The run itself says that its residual tells nothing of it."""
    case = {"body": DRUMS, "motion": PULSE}
    told = client.post("/api/assembly/simulate", json=case).json()["told"]
    assert "The residual says nothing about the error of the time step" in told
    assert (
        client.post("/api/assembly/step", json=case).json() == step_error(own_run(case)).summary()
    )


def test_springs_in_the_joints_are_those_of_the_package(client):
    how = {"name": "joints", "k_n": 1e9}
    case = {"body": DRUMS, "motion": PULSE, "theories": [how]}
    answer = client.post("/api/assembly/simulate", json=case)
    assert answer.status_code == 200, answer.text
    found, own = answer.json(), own_run(case)
    check_frames(found, own)
    assert isinstance(own.formulation, rs.JointDissipation)
    assert found["told"] == own.formulation.told(own)
    assert found["time_step"] == own.motion.dt and "residual" not in found
    assert "another loss" in found["not_halved"]
    refused = client.post("/api/assembly/step", json=case)
    assert refused.status_code == 422 and "half of it is another loss" in refused.json()["error"]
    wrong = case | {"theories": [{"name": "joints", "rule": "located"}]}
    assert "has no 'rule'" in client.post("/api/assembly/simulate", json=wrong).json()["error"]
    table = client.post("/api/assembly/take/displacements", json=case).text.splitlines()
    assert len(table) == 1 + len(found["frames"]["time"])


def test_the_ground_moves_as_the_motion_says(client):
    found = client.post("/api/assembly/simulate", json={"body": DRUMS, "motion": PULSE}).json()
    own = own_run({"body": DRUMS, "motion": PULSE})
    moments = np.array(found["frames"]["time"])
    shaken = moments <= own.motion.duration
    exact = np.interp(moments[shaken], own.motion.time, own.motion.displacement)
    assert np.array(found["frames"]["ground"])[shaken] == pytest.approx(exact, abs=1e-12)
    # afterwards it keeps the velocity it had: none after a whole sine
    assert np.ptp(np.array(found["frames"]["ground"])[~shaken]) < 1e-9


def test_a_wall_is_shaken_by_a_job_and_its_numbers_are_those_of_the_package(client):
    case = {"body": WALL, "motion": PULSE, "until": 0.5}
    job = finished(client, case)
    own = own_run(case)
    check_run(job["result"], own)
    assert job["done"] == job["total"] == 100
    (name,) = job["files"]
    table = csv.reader(io.StringIO(client.get(f"/api/jobs/{job['id']}/files/{name}").text))
    head, *rows = table
    frames = job["result"]["frames"]
    assert [float(row[0]) for row in rows] == frames["time"]
    stone = "stone 2-1"
    column = head.index(f"dx {stone} [m]")
    start = own.system.stones[own.system.number(stone)].centre[0]
    number = [s.name for s in own.system.stones if not s.fixed].index(stone)
    exact = [pose[number][0] - start for pose in frames["poses"]]
    assert [float(row[column]) for row in rows] == exact


def test_a_wall_is_refused_where_answers_are_quick(client):
    for path in ("simulate", "take/displacements"):
        answer = client.post(f"/api/assembly/{path}", json={"body": WALL, "motion": PULSE})
        assert answer.status_code == 422
        assert "wall of 18 stones" in answer.json()["error"]
        assert '"kind": "assembly"' in answer.json()["error"]


def test_what_fell_is_told(client):
    strong = {"pulse": "sine,a=1.2g,T=1,dt=0.005"}
    for rubble in (False, True):
        theories = [{"name": "blocks", "rubble": rubble}]
        case = {"body": DRUMS, "motion": strong, "theories": theories}
        found = client.post("/api/assembly/simulate", json=case).json()
        own = own_run(case)
        assert found["fell"] and found["status"] == "collapsed"
        assert len(found["fallen"]) == own.column("fallen")[-1]
        first = own.time[np.argmax(own.column("fallen") > 0)]
        assert found["first_fall"] == first
        assert found["outcome"].startswith(f"It collapses at {first:.3g} s: ")
    assert len(found["frames"]["time"]) > 60  # the rubble was followed


def test_what_stands_is_told(client):
    weak = {"body": DRUMS, "motion": {"pulse": "sine,a=0.05g,T=0.5,dt=0.005"}}
    assert client.post("/api/assembly/simulate", json=weak).json()["outcome"] == (
        "It stands, and no stone moves."
    )
    alone = client.post("/api/assembly/simulate", json={"body": DRUMS}).json()
    assert alone["motion"] is None and alone["status"] == "at rest"


def test_the_stones_are_those_of_the_assembly(client):
    for body in (DRUMS, ARCH, WALL, WINDOW):
        found = client.post("/api/assembly", json=body).json()
        own = Assembly.from_values({k: v for k, v in body.items() if k != "kind"})
        assert found["label"] == own.label
        assert found["mass"] == own.total_mass
        for shown, stone in zip(found["stones"], own.stones, strict=True):
            assert (shown["name"], shown["fixed"]) == (stone.name, stone.fixed)
            assert bits(shown["centre"]) == bits(stone.centre)
            assert [bits(part) for part in shown["parts"]] == [bits(part) for part in stone.parts]
        assert found["quick"] == (found["joints"] <= 24)


@pytest.mark.parametrize("body", [DRUMS, ARCH, WINDOW], ids=["drums", "arch", "wall"])
def test_a_limit_load_is_that_of_the_package(client, body):
    for way in (1, -1):
        asked = {"body": body, "direction": [way, 0]}
        found = client.post("/api/assembly/limit", json=asked).json()
        own = limit_load(
            Assembly.from_values({k: v for k, v in body.items() if k != "kind"}), (way, 0)
        )
        assert found["multiplier"] == own.multiplier
        assert bits(found["velocities"]) == bits(own.velocities)
        assert found["words"] == own.words
        assert len(found["hinges"]) <= len(own.hinges) and found["hinges"]
        own_points = {tuple(hinge.point) for hinge in own.hinges}
        assert {tuple(one["point"]) for one in found["hinges"]} <= own_points


def test_what_cannot_fail_or_cannot_stand_has_no_multiplier(client):
    slender = ARCH | {"ring": 0.02}
    found = client.post("/api/assembly/limit", json={"body": slender}).json()
    assert (found["status"], found["multiplier"]) == ("does not stand", None)
    assert "does not stand under its own weight" in found["words"]
    down = {"body": DRUMS, "direction": [0, -1]}
    found = client.post("/api/assembly/limit", json=down).json()
    assert (found["status"], found["multiplier"]) == ("cannot fail", None)


@pytest.mark.parametrize("body", [DRUMS, WALL], ids=["located", "stepped"])
def test_to_tell_how_far_a_run_is_changes_no_bit(body):
    asked = CaseSpec.checked({"body": body, "motion": PULSE, "until": 0.7}).build()[0]
    told: list[tuple[int, int]] = []
    whole = rs.simulate(**asked)
    pieces = rs.simulate(**asked, progress=lambda done, total: told.append((done, total)))
    assert bits(pieces.states) == bits(whole.states)
    assert bits(pieces.events) == bits(whole.events)
    assert told == [(20 * k, 140) for k in range(1, 8)]


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["json", "compas", "dxf", "svg"])
def test_stones_are_taken_and_dropped_again(client, tmp_path, what):
    case = {"body": ARCH, "motion": PULSE}
    answer = client.post(f"/api/assembly/take/{what}", json=case)
    assert answer.status_code == 200, answer.text
    ending = {"compas": "compas.json"}.get(what, what)
    assert f'filename="assembly-sine.{ending}"' in answer.headers["content-disposition"]
    path = tmp_path / f"stones.{ending}"
    path.write_bytes(answer.content)
    own = rs.read_assembly(path)
    sent = client.post(f"/api/uploads?name=stones.{ending}", content=answer.content).json()
    assert (sent["kind"], sent["body"]["kind"]) == ("assembly", "Assembly")
    assert sent["asks"] == {}
    found = client.post("/api/assembly", json=sent["body"]).json()
    assert [one["name"] for one in found["stones"]] == [stone.name for stone in own.stones]
    for shown, stone in zip(found["stones"], own.stones, strict=True):
        assert [bits(part) for part in shown["parts"]] == [bits(part) for part in stone.parts]


def test_a_drawing_without_ground_gets_one(client):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="5" height="9"/></svg>'
    sent = client.post("/api/uploads?name=stone.svg", content=drawing.encode()).json()
    assert sent["asks"] == {"scale": None} and "scale" in sent["words"]
    found = client.post("/api/assembly", json=sent["body"] | {"scale": 0.1}).json()
    assert [one["fixed"] for one in found["stones"]].count(True) == 1
    assert found["height"] == pytest.approx(0.9)


def test_json_that_is_no_drawing_is_still_read_as_a_record(client):
    answer = client.post("/api/uploads?name=x.json", content=b'{"a": 1}')
    assert answer.status_code == 422
    assert "stones" not in answer.json()["error"]


def test_the_script_gives_the_numbers_of_the_page(client, tmp_path: Path):
    case = {"body": DRUMS, "motion": PULSE, "theories": [{"name": "blocks", "rubble": True}]}
    text = client.post("/api/take/script", json=case).text
    assert "rs.Assembly.drums(" in text and "rs.BlockDynamics(rubble=True)" in text
    names: dict[str, Any] = {}
    exec(compile(text, "script.py", "exec"), names)  # what the page gave, as a person runs it
    check_run(client.post("/api/assembly/simulate", json=case).json(), names["response"])


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "asked", "said"),
    [
        ("", {"kind": "Block", "height": 1, "width": 0.3}, "only stones are drawn here"),
        ("", WALL | {"rows": 300, "columns": 300}, "90000 stones are too many here: at most 1000"),
        ("", DRUMS | {"count": 10**9}, "too many"),
        ("", DRUMS | {"height": -1}, "height"),
        ("", DRUMS | {"structure": "igloo"}, "there are drums"),
        ("", {"kind": "Assembly", "file": "/etc/passwd"}, "uploaded"),
        ("", {"kind": "Assembly", "stones": [[0, 0]]}, "Stone 1"),
        ("/simulate", {"body": DRUMS, "motion": PULSE, "theories": [{"name": "housner"}]},
         "Assembly"),
        ("/simulate", {"body": DRUMS, "motion": PULSE, "theta0": 0.1}, "start"),
        ("/simulate", {"body": DRUMS, "theories": [{"name": "blocks"}] * 2}, "moves by one"),
        ("/simulate", {"body": DRUMS, "motion": {"pulse": "sine,a=0.1g,T=200,dt=0.01"}},
         "at most 180 s here"),
        ("/simulate", {"body": DRUMS, "until": 1e5}, "at most 3600 s"),
        ("/limit", {"body": DRUMS, "direction": [0, 0]}, "direction"),
        ("/limit", {"body": DRUMS, "direction": [1, 0, 0]}, "direction"),
        ("/limit", {"body": DRUMS, "friction_rule": "none"}, "friction_rule"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_said(client, path, asked, said):
    begun = time.monotonic()
    answer = client.post(f"/api/assembly{path}", json=asked)
    assert answer.status_code == 422, answer.text[:500]
    assert said in answer.json()["error"]
    assert time.monotonic() - begun < 10


def test_a_job_that_is_too_long_or_no_assembly_is_not_queued(client):
    long = {"pulse": "sine,a=0.1g,T=200,dt=0.01"}
    for case, said in (
        ({"body": WALL, "motion": long}, "at most 180 s"),
        ({"body": {"kind": "Block", "height": 1, "width": 0.3}, "motion": PULSE}, "only stones"),
    ):
        answer = client.post("/api/jobs", json={"kind": "assembly", "case": case})
        assert answer.status_code == 422
        assert said in answer.json()["error"]


def test_a_job_is_cancelled_at_once(client):
    slow = {"body": WALL | {"rows": 10, "columns": 10},
            "motion": {"stochastic": {"count": 1, "seed": 3}, "pga": 1.0}}  # fmt: skip
    asked = client.post("/api/jobs", json={"kind": "assembly", "case": slow}).json()
    begun = time.monotonic()
    client.post(f"/api/jobs/{asked['id']}/cancel")
    while client.get(f"/api/jobs/{asked['id']}").json()["state"] != "cancelled":
        assert time.monotonic() - begun < 10
        time.sleep(0.05)
