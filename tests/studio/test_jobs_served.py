"""Jobs by the API: the numbers are those of `rs.analysis`, a click on a map is that very run, and
neither a killed child nor a killed server loses what was shown."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.specs import CaseSpec, MotionSpec
from studio.conftest import started, stopped

STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
BLOCK = rs.Block(height=1.8, width=0.5)
SHAKING = {"arias": 1.0, "d5_95": 6.0, "t_mid": 4.0, "frequency_mid": 1.5, "frequency_rate": 0.0,
           "damping": 0.3, "dt": 0.02}  # fmt: skip
DRAWN = {"stochastic": {"count": 12, "seed": 4, **SHAKING}, "pga": 0.6}
MAP = {"kind": "map", "body": STATUE, "pulse": "sine", "points": 33}


def asked(client: httpx.Client, **request: Any) -> str:
    answer = client.post("/api/jobs", json=request)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def told(client: httpx.Client, id: str, **headers: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a job as they come."""
    with client.stream("GET", f"/api/jobs/{id}/events", headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        event = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield event, json.loads(line.removeprefix("data: "))


def partials(client: httpx.Client, id: str) -> list[dict[str, Any]]:
    return [data for event, data in told(client, id) if event == "partial"]


def done(client: httpx.Client, **request: Any) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
    """The id of a job, its result and its partial results, once it is done."""
    id = asked(client, **request)
    shown = partials(client, id)
    found = client.get(f"/api/jobs/{id}").json()
    assert found["state"] == "done", found["error"]
    return id, found["result"], shown


def points(shown: list[dict[str, Any]], *names: str) -> dict[tuple[int, int], tuple[Any, ...]]:
    """What was shown of each point of a map; each once."""
    found: dict[tuple[int, int], tuple[Any, ...]] = {}
    for part in shown[1:]:
        for i, j, *values in zip(part["i"], part["j"], *(part[n] for n in names), strict=True):
            assert (i, j) not in found, "shown twice"
            found[i, j] = tuple(values)
    return found


def motions(*sources: dict[str, Any]) -> list[Any]:
    return [motion for one in sources for motion in MotionSpec.checked(one).motions().values()]


# -- maps -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pulse_map(client: httpx.Client) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
    return done(client, **MAP)


def test_a_map_is_that_of_the_library_bit_for_bit(pulse_map: Any) -> None:
    _, result, shown = pulse_map
    direct = rs.analysis.overturning_map(BLOCK, "sine", points=33, progress=False)
    assert result["way"] == direct.one.classes.tolist()
    found = points(shown, "way", "peak", "impacts")
    assert len(found) == 33 * 33
    for (i, j), values in found.items():
        one = direct.one
        assert values == (one.classes[i, j], one.peak[i, j], one.impacts[i, j])
    assert result["sentences"] == direct.sentences
    for name, boundary in direct.closed_forms.items():
        given = [np.nan if x is None else x for x in result["closed_forms"][name]]
        np.testing.assert_array_equal(given, boundary)
    assert shown[0]["map"]["x"]["values"] == direct.x.values.tolist()


def test_a_map_fills_in_from_coarse_to_fine(pulse_map: Any) -> None:
    shown = pulse_map[2]
    assert {(i % 32, j % 32) for i, j in zip(shown[1]["i"], shown[1]["j"], strict=True)} == {(0, 0)}
    sizes = [len(part["i"]) for part in shown[1:]]
    assert len(sizes) >= 6 and sizes[0] < sizes[1] < sizes[2] < sizes[-1]


def test_files_of_a_map_can_be_downloaded(client: httpx.Client, pulse_map: Any) -> None:
    id = pulse_map[0]
    assert client.get(f"/api/jobs/{id}").json()["files"] == ["map.csv", "map.png", "map.svg"]
    table = client.get(f"/api/jobs/{id}/files/map.csv")
    assert table.text.count("\n") == 33 * 33 + 1
    assert "attachment" in table.headers["content-disposition"]
    assert client.get(f"/api/jobs/{id}/files/map.png").content[1:4] == b"PNG"
    for name in ("request.json", "..%2Fstate.json", "map.nc", "%2e%2e"):
        assert client.get(f"/api/jobs/{id}/files/{name}").status_code == 404


def simulated(client: httpx.Client, id: str, **point: int) -> tuple[dict[str, Any], dict[str, Any]]:
    case = client.post(f"/api/jobs/{id}/case", json=point)
    assert case.status_code == 200, case.text
    answer = client.post("/api/simulate", json=case.json())
    assert answer.status_code == 200, answer.text
    return case.json(), answer.json()["runs"][0]


def same(found: tuple[Any, ...], run: dict[str, Any], moving: float) -> bool:
    """Whether a run is that of a point: the same outcome, peak and impacts. Of a body that stands
    a map counts impacts while the ground moves, and takes a later peak from the energy."""
    way, peak, impacts = found
    if run["fell"]:
        return way >= 2 and peak == run["peak"] and impacts == len(run["impacts"]["time"])
    close = peak == run["peak"] or (
        run["time_of_peak"] > moving and peak == pytest.approx(run["peak"], rel=1e-9)
    )
    counted = sum(time <= moving for time in run["impacts"]["time"])
    return 0 <= way < 2 and close and impacts == counted


def moving(folder: Path, case: dict[str, Any]) -> float:
    """How long the ground moves [s]."""
    motion = CaseSpec.checked(case).build(folder)[0]["motion"]
    return float(motion.dt * (len(motion) - 1))


@pytest.mark.parametrize("pulse", ["sine", "rectangle", "mavroeidis"])
def test_a_click_on_a_map_of_pulses_is_that_very_run(
    client: httpx.Client, studio: Any, pulse: str
) -> None:
    id, _, shown = done(client, **MAP | {"pulse": pulse})
    found = points(shown, "way", "peak", "impacts")
    places = np.random.default_rng(1).integers(0, 33, (12, 2)).tolist()
    for i, j in places:
        case, run = simulated(client, id, i=i, j=j)
        assert same(found[i, j], run, moving(studio.folder, case)), (i, j)


@pytest.mark.parametrize("floor", [None, {"period": 0.4, "storeys": 3}])
def test_a_click_on_a_map_of_a_record_is_that_very_run(
    client: httpx.Client, studio: Any, floor: Any
) -> None:
    drawn = {"stochastic": {"count": 1, "seed": 2, **SHAKING}}
    request = MAP | {"pulse": None, "motions": [drawn], "floor": floor, "points": 17}
    id, _, shown = done(client, **request)
    found = points(shown, "way", "peak", "impacts")
    ways = {values[0] for values in found.values()}
    assert len(ways) > 1
    for i, j in [(0, 0), (16, 16), (8, 3), (3, 12), (5, 5), (15, 9)]:
        case, run = simulated(client, id, i=i, j=j)
        assert same(found[i, j], run, moving(studio.folder, case)), (i, j)


def test_a_map_of_several_motions_counts_them(client: httpx.Client) -> None:
    id, result, shown = done(client, **MAP | {"pulse": None, "motions": [DRAWN], "points": 5})
    direct = rs.analysis.overturning_map(BLOCK, motions(DRAWN), points=5, progress=False)
    assert direct.counts is not None
    assert result["fell"] == direct.counts.fell.tolist()
    assert result["low"] == direct.interval()[0].tolist()
    found = points(shown, "fell", "known")
    assert found[4, 2] == (direct.counts.fell[4, 2], direct.counts.known[4, 2])
    fell = [simulated(client, id, i=4, j=2, motion=m)[1]["fell"] for m in range(12)]
    assert sum(fell) == direct.counts.fell[4, 2]
    outside = client.post(f"/api/jobs/{id}/case", json={"i": 4, "j": 2, "motion": 12})
    assert outside.status_code == 422 and "motion = 12" in outside.json()["error"]


# -- the other kinds ------------------------------------------------------------------------------


def test_fragility_is_that_of_the_library(client: httpx.Client) -> None:
    drawn = {"stochastic": {"count": 40, "seed": 3, **SHAKING}}
    id, result, shown = done(
        client, kind="fragility", body=STATUE, motions=[drawn], levels=15, limits=["overturned"]
    )
    direct = rs.analysis.fragility(
        BLOCK, motions(drawn), levels=15, limits=["overturned"], progress=False
    )
    summary = json.loads(json.dumps(direct.summary()))
    assert {name: result[name] for name in summary} == summary
    last, of = shown[-1], direct.main.shares
    assert [part["motions"] for part in shown] == list(range(2, 41, 2))
    assert last["count"] == of.count.tolist() and last["low"] == of.low.tolist()
    assert direct.main.curve is not None
    at = np.array(result["curves"]["levels"])
    drawn_curve = result["curves"]["overturned"]["probability"]
    assert drawn_curve == direct.main.curve.probability(at).tolist()
    names = client.get(f"/api/jobs/{id}").json()["files"]
    assert names == ["fragility.csv", "fragility.png", "fragility.svg", "fragility.xml"]


def test_a_rocking_spectrum_is_that_of_the_library(client: httpx.Client) -> None:
    periods = {"from": 1.5, "to": 6.0, "count": 9}
    _, result, _ = done(
        client, kind="spectrum", motions=[DRAWN], alpha=[0.15, 0.3], periods=periods
    )
    direct = rs.analysis.rocking_spectrum(
        motions(DRAWN), alpha=[0.15, 0.3], periods=np.linspace(1.5, 6.0, 9), progress=False
    )
    for a, curve in enumerate(result["curves"]):
        given = np.array([np.nan if x is None else x for x in curve["peak"]])
        np.testing.assert_array_equal(given, direct.quantile(0.5)[a])
        assert curve["share"] == direct.share[a].tolist()
    assert result["sentences"] == direct.sentences
    _, of_body, _ = done(client, kind="spectrum", motions=[DRAWN], body=STATUE, periods=periods)
    assert of_body["body"] == {"alpha": BLOCK.alpha, "period": 2 * np.pi / BLOCK.p}
    assert [curve["alpha"] for curve in of_body["curves"]] == [BLOCK.alpha]


def test_theories_are_compared_as_validate_does(client: httpx.Client) -> None:
    theories = [{"name": "Housner"}, {"name": "Housner", "eta": 0.8}]
    _, result, shown = done(
        client, kind="theories", body=STATUE, motions=[DRAWN], theories=theories
    )
    direct = rs.analysis.validate(
        BLOCK, rs.Housner(), rs.Housner(eta=0.8), motions=motions(DRAWN), progress=False
    )
    summary = json.loads(json.dumps(direct.summary()))
    assert result["compared"] == [summary]
    assert [part["name"] for part in shown] == ["Housner", "Housner (eta = 0.8)"]
    assert shown[0]["of"]["peak"] == direct.observed.tolist()
    assert result["theories"][0]["fell"]["count"] == int(direct.observed_fell.sum())


# -- questions ------------------------------------------------------------------------------------


def test_the_same_question_in_other_words_is_the_same_job(
    client: httpx.Client, pulse_map: Any
) -> None:
    again = client.post("/api/jobs", json=MAP | {"measure": "pga", "motions": [], "floor": None})
    assert again.json()["id"] == pulse_map[0] and again.json()["state"] == "done"
    listed = client.get("/api/jobs").json()
    assert pulse_map[0] in [job["id"] for job in listed]
    assert [job["made"] for job in listed] == sorted((job["made"] for job in listed), reverse=True)


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({"kind": "weather"}, "there are map, fragility"),
        ({}, "is not a kind of job"),
        (MAP | {"body": STATUE | {"height": -1}}, "height = -1 m is not allowed"),
        (MAP | {"pulse": None}, "give a pulse or motions"),
        (MAP | {"colour": "red"}, "colour"),
        (MAP | {"points": 100_000}, "401"),
        (MAP | {"x": {"from": 1, "to": 8, "count": 9000}}, "9 000 points along x are too many"),
        (MAP | {"x": {"from": 8, "to": 1, "count": 9}}, "larger than the one before"),
        (MAP | {"theory": {"name": "os:system"}}, "There is no"),
        (MAP | {"pulse": None, "motions": [{"file": "/etc/passwd"}]}, "uploaded"),
        (MAP | {"pulse": None, "motions": [{"folder": ".."}]}, "uploaded"),
        (MAP | {"pulse": None, "motions": [{"stochastic": {"count": 10**9}}]}, "too many"),
        ({"kind": "fragility", "body": STATUE, "motions": [DRAWN], "measure": "loud"}, "loud"),
        ({"kind": "fragility", "body": STATUE, "motions": [DRAWN], "levels": 10**6}, "too many"),
        ({"kind": "spectrum", "motions": [DRAWN], "alpha": [2.0]}, "alpha"),
        ({"kind": "spectrum", "motions": [DRAWN]}, "give alpha [rad], a body, or both"),
        ({"kind": "theories", "body": STATUE, "motions": [DRAWN], "theories": []}, "theories"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_at_once(
    client: httpx.Client, request_: dict[str, Any], says: str
) -> None:
    answer = client.post("/api/jobs", json=request_)
    assert answer.status_code == 422 and says in answer.json()["error"], answer.text


def test_what_is_not_there_is_said_to_be_missing(client: httpx.Client, pulse_map: Any) -> None:
    asked = (("GET", ""), ("GET", "/events"), ("POST", "/cancel"), ("GET", "/files/a.csv"))
    for method, path in asked:
        answer = client.request(method, f"/api/jobs/0123456789abcdef{path}")
        assert answer.status_code == 404 and answer.json()["error"]
    assert client.post(f"/api/jobs/{pulse_map[0]}/case", json={"i": 99, "j": 0}).status_code == 422
    assert client.post(f"/api/jobs/{pulse_map[0]}/case", json={"i": -1, "j": 0}).status_code == 422
    stray = client.post(f"/api/jobs/{pulse_map[0]}/case", json={"i": 1, "j": 0, "moton": 1})
    assert stray.status_code == 422 and "did you mean motion?" in stray.text


# -- what goes wrong ------------------------------------------------------------------------------

SLOW = MAP | {"pulse": None, "motions": [{"stochastic": {"count": 1, "seed": 9}}], "points": 201}


def children(pid: int) -> list[int]:
    """The processes of jobs of a server."""
    found = []
    for name in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        if b"rocksteady.studio.jobs.child" in Path(f"/proc/{name}/cmdline").read_bytes():
            found.append(int(name))
    return found


def some(client: httpx.Client, id: str, count: int) -> list[dict[str, Any]]:
    """The first partial results of a running job."""
    found = []
    for event, data in told(client, id):
        assert event == "partial" or data["state"] in ("queued", "running"), data
        found += [data] if event == "partial" else []
        if len(found) == count:
            break
    return found


def gone(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.02)
    return not Path(f"/proc/{pid}").exists()


def test_cancel_stops_the_process_within_a_second(client: httpx.Client, studio: Any) -> None:
    id = asked(client, **SLOW)
    some(client, id, 2)
    (pid,) = children(studio.process.pid)
    began = time.monotonic()
    answer = client.post(f"/api/jobs/{id}/cancel")
    assert time.monotonic() - began < 1.0
    assert answer.json()["state"] == "cancelled" and gone(pid, 0.0)
    assert client.get(f"/api/jobs/{id}").json()["result"] is None


def test_a_killed_child_is_told_and_asking_again_goes_on(client: httpx.Client, studio: Any) -> None:
    request = SLOW | {"points": 41}
    id = asked(client, **request)
    shown = some(client, id, 3)
    os.kill(children(studio.process.pid)[0], signal.SIGKILL)
    states = [data for event, data in told(client, id) if event == "state"]
    assert states[-1]["state"] == "failed" and "SIGKILL" in states[-1]["error"]
    assert client.get("/api/about").status_code == 200
    _, result, again = done(client, **request)
    assert again[: len(shown)] == shown
    assert len(points(again, "way")) == 41 * 41 and len(result["way"]) == 41


def test_a_killed_server_leaves_no_process_and_the_next_one_goes_on(tmp_path: Path) -> None:
    process, url = started(tmp_path)
    with httpx.Client(base_url=url, timeout=60.0) as client:
        finished, result, _ = done(client, **MAP | {"points": 9})
        id = asked(client, **SLOW)
        shown = some(client, id, 4)
        (pid,) = children(process.pid)
        process.kill()
        process.wait()
    assert gone(pid, 2.0)
    kept = (tmp_path / "jobs" / id / "partials.jsonl").read_bytes()
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "jobs" / id).rglob("*.parquet")}
    whole = kept.count(b"\n")
    assert whole >= len(shown)

    process, url = started(tmp_path)
    try:
        with httpx.Client(base_url=url, timeout=60.0) as client:
            assert client.get(f"/api/jobs/{finished}").json()["result"] == result
            again = some(client, id, whole + 1)
            assert again[: len(shown)] == shown
            assert [part["n"] for part in again] == list(range(whole + 1))
            for number in range(whole - 1):  # the rounds that were shown are not run again
                folder = tmp_path / "jobs" / id / "runs" / f"round-{number:03d}" / "runs"
                parts = [path for path in made if path.parent == folder]
                assert parts and all(path.stat().st_mtime_ns == made[path] for path in parts)
            points(again, "way")
            assert client.post(f"/api/jobs/{id}/cancel").json()["state"] == "cancelled"
    finally:
        assert stopped(process) == 0
