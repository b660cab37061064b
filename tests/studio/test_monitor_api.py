"""The studio shows what `rocksteady monitor` keeps: real runs, broken files, a demonstration."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.studio.watching import logs
from rocksteady.studio.watching.building import MOST_POINTS, Building
from rocksteady.studio.watching.logs import LogFolder
from studio.conftest import started, stopped

HOUSE = {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 40e3}
DT = 0.01


def shaking(seconds: float, peak: float = 1.5) -> np.ndarray:
    """Accelerations [m/s²] near the frequency of the building."""
    t = np.arange(0, seconds, DT)
    return peak * np.sin(2 * np.pi * 7.5 * t)


def feed(path: Path, accel: np.ndarray, first: int = 0) -> None:
    lines = [f"{(first + i) * DT:.2f},{a!r}\n" for i, a in enumerate(accel.tolist())]
    with path.open("a") as file:
        file.writelines(lines)


def monitor(*options: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "rocksteady", "monitor", "--quiet", *options]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes]) -> int:
    process.send_signal(signal.SIGTERM)
    return process.wait(20)


def until(found: Callable[[], Any], seconds: float = 60.0) -> Any:
    """The first thing found that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := found():
            return answer
        time.sleep(0.1)
    raise AssertionError("it did not happen")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two buildings watched by a real monitor, a third whose state is broken, and the studio."""
    folder = tmp_path_factory.mktemp("town")
    feed(folder / "square.csv", shaking(4.0))
    (folder / "town.toml").write_text(f"""
        logs = "logs"
        sync = 0.2
        every = 0.1
        [[sources]]
        name = "square"
        follow = "square.csv"
        columns = "time,a_h"
        dt = {DT}
        [[buildings]]
        name = "town hall"
        source = "square"
        body = {{ kind = "MasonryBuilding", preset = "casalotti2025", mass = 40e3 }}
        alarms = {{ wear = [0.001, 0.9], drift = 0.001 }}
        [[buildings]]
        name = "statue"
        source = "square"
        body = {{ kind = "Block", height = 1.8, width = 0.8 }}
        alarms = {{ lean = 0.3 }}
        """)
    (folder / "logs" / "mill").mkdir(parents=True)
    (folder / "logs" / "mill" / "state.json").write_text('{"monitor": {"format": "?"}}')
    (folder / "logs" / "not a log").mkdir()
    watching = monitor("--config", "town.toml", folder=folder)
    studio, url = started(folder / "studio", "--monitor", str(folder / "logs"))
    with httpx.Client(base_url=url, timeout=60.0) as client:
        town = {"folder": folder, "client": client, "monitor": watching, "url": url}
        until(lambda: len(board(client)["buildings"]) == 3)
        yield town
    assert studio.poll() is None
    stopped(studio)
    if watching.poll() is None:
        ended(watching)


def board(client: httpx.Client) -> dict[str, Any]:
    return client.get("/api/monitor").json()


def card(client: httpx.Client, name: str) -> dict[str, Any]:
    return next(one for one in board(client)["buildings"] if one["name"] == name)


def test_the_state_is_that_of_the_monitor_bit_for_bit(town):
    client = town["client"]
    accel = shaking(4.0)
    own = rs.Monitor(rs.MasonryBuilding.casalotti2025(40e3), dt=DT,
                     alarms={"wear": [0.001, 0.9], "drift": 0.001})  # fmt: skip
    own.push_block(accel)
    until(lambda: card(client, "town hall").get("samples") == len(accel))
    found = client.get("/api/monitor/building", params={"name": "town hall"}).json()
    about = found["card"]
    assert about["values"] == own.values
    assert about["words"].startswith("standing")
    assert about["followed"] == "live"
    raised = [alarm["text"] for alarm in about["alarms"] if alarm["raised"]]
    assert raised == [str(alarm) for alarm in own.alarms if alarm.raised]
    assert raised
    first = rs.Monitor(rs.MasonryBuilding.casalotti2025(40e3), dt=DT)
    first.push_block(accel[:11])
    at = next(point for point in found["points"] if point[0] == pytest.approx(0.1))
    assert at[1] == first.state[0]
    assert at[3] == first.values["wear"]


def test_the_urgent_come_first_and_a_broken_state_is_told(town):
    found = board(town["client"])["buildings"]
    assert [one["name"] for one in found] == ["mill", "town hall", "statue"]
    assert "has no digest: an earlier version" in found[0]["problem"]
    assert found[1]["urgency"] == 2
    assert found[2]["values"].keys() == {"lean"}
    assert found[2]["coordinate"]["unit"] == "rad"


def test_no_path_is_told(town):
    text = town["client"].get("/api/monitor").text
    text += town["client"].get("/api/monitor/building", params={"name": "mill"}).text
    assert str(town["folder"]) not in text
    assert "/tmp" not in text


def test_new_samples_come_as_events(town):
    client = town["client"]
    until(lambda: card(client, "town hall").get("samples") == 400)
    heard: list[tuple[str, Any]] = []
    with client.stream("GET", "/api/monitor/events", params={"name": "town hall"}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for kind, data in parts(stream):
            heard.append((kind, data))
            if kind == "points" and len(heard) < 9 and data[-1][0] < 4.0:
                feed(town["folder"] / "square.csv", shaking(2.0, 0.5), first=400)
            if kind == "points" and data[-1][0] >= 5.9:
                break
    assert {kind for kind, _ in heard} == {"board", "begin", "building", "points"}
    times = [point[0] for kind, data in heard if kind == "points" for point in data]
    assert times == sorted(set(times))


def parts(stream: httpx.Response) -> Iterator[tuple[str, Any]]:
    kind = ""
    for line in stream.iter_lines():
        if line.startswith("event: "):
            kind = line[7:]
        elif line.startswith("data: "):
            yield kind, json.loads(line[6:])


def test_a_monitor_that_stops_is_told(town):
    ended(town["monitor"])
    until(lambda: card(town["client"], "town hall")["followed"] == "stopped")
    lines = (
        town["client"].get("/api/monitor/building", params={"name": "town hall"}).json()["lines"]
    )
    assert [line["kind"] for line in lines][-1] == "stop"


def test_a_log_that_disappears_is_told_and_its_numbers_stay(town):
    state = town["folder"] / "logs" / "statue"
    state.rename(town["folder"] / "gone")
    found = until(lambda: (c := card(town["client"], "statue"))["problem"] and c)
    assert found["samples"] >= 400
    (town["folder"] / "gone").rename(state)
    until(lambda: not card(town["client"], "statue")["problem"])


def test_unknown_buildings_and_values_are_refused(town):
    client = town["client"]
    assert client.get("/api/monitor/building", params={"name": "../x"}).status_code == 404
    for wrong in (
        {"buildings": 0},
        {"buildings": 1000},
        {"speed": 1e9},
        {"seed": -1},
        {"seed": False},
    ):
        assert client.post("/api/monitor/demonstration", json=wrong).status_code == 422


def test_one_log_is_one_building(tmp_path):
    (tmp_path / "house.json").write_text(json.dumps({**HOUSE, "damping": 2e3}))
    feed(tmp_path / "s.csv", shaking(2.0))
    with (tmp_path / "s.csv").open("rb") as samples:
        subprocess.run(
            [sys.executable, "-m", "rocksteady", "monitor", "-q", "--preset", "casalotti2025",
             "--mass", "4e4", "--dt", str(DT), "--log", "house"],
            cwd=tmp_path, stdin=samples, check=True,
        )  # fmt: skip
    studio, url = started(tmp_path / "studio", "--monitor", str(tmp_path / "house"))
    try:
        with httpx.Client(base_url=url, timeout=60.0) as client:
            until(lambda: not board(client)["reading"])
            (found,) = board(client)["buildings"]
        assert (found["name"], found["followed"], found["samples"]) == ("house", "stopped", 200)
    finally:
        stopped(studio)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    command = [sys.executable, "-m", "rocksteady", "studio", "--monitor", "nowhere", "--no-browser"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "There is no folder nowhere" in " ".join(said.stderr.split())


# -- the demonstration ----------------------------------------------------------------------------


def test_a_demonstration_runs_through_a_monitor_and_is_labelled(client):
    begun = client.post("/api/monitor/demonstration", json={"buildings": 8, "speed": 16})
    assert begun.status_code == 202
    try:
        moving = until(lambda: all(b.get("time", 0) > 20 for b in board(client)["buildings"]))
        assert moving
        found = board(client)
        assert len(found["buildings"]) == 8
        assert all(one["demonstration"] for one in found["buildings"])
        assert found["demonstration"]["speed"] == 16
        one = client.get("/api/monitor/building", params={"name": "Town hall"}).json()
        assert one["points"][-1][2] is not None  # the ground's acceleration
    finally:
        client.delete("/api/monitor/demonstration")
    assert board(client)["buildings"] == []


def test_a_demonstration_gives_the_numbers_of_a_monitor():
    from rocksteady.studio.watching import demonstration as shown

    ground = shown.feed(8)
    building = Building("x", demonstration=True)
    model = shown.MODELS[0]
    own = rs.Monitor(model.build(), dt=shown.DT, alarms=shown.ALARMS)
    pieces = rs.Monitor(model.build(), dt=shown.DT, alarms=shown.ALARMS)
    for piece in np.array_split(ground.accel, 300):
        shown._push(model, building, pieces, piece)
    own.push_block(ground.accel)
    assert pieces.state == own.state
    assert building.card["values"] == own.values
    assert 0.01 < own.values["wear"] < 0.2  # something to see


# -- bounded, and hostile files -------------------------------------------------------------------


def test_histories_are_bounded():
    building = Building("x")
    building.add([float(i), None, None] for i in range(10 * MOST_POINTS))
    number, points = building.after(0)
    assert (number, len(points)) == (10 * MOST_POINTS, MOST_POINTS)
    assert building.after(number) == (number, [])


def small_log(folder: Path) -> LogFolder:
    """A log of one building, as the monitor writes it."""
    from rocksteady.monitor.state_log import StateLog

    watched = rs.Monitor(rs.MasonryBuilding.casalotti2025(40e3), dt=DT, alarms={"drift": 1e-3})
    log = StateLog(watched, folder, every=0.1)
    log.commit({})
    log.push_block(shaking(3.0))
    log.commit({})
    log.close()
    return LogFolder(folder)


@pytest.mark.parametrize(
    "text",
    [b"", b"\x00" * 100, b"[]", b'"x"', b"{}", b'{"monitor": 3}', b'{"monitor": {}}',
     b"[" * 100_000, b'{"monitor": {"format": "rocksteady monitor 1"}}'],
)  # fmt: skip
def test_a_broken_state_is_a_sentence(tmp_path, text):
    log = small_log(tmp_path / "house")
    log.look()
    assert log.building.card["problem"] == ""
    (tmp_path / "house" / "state.json").write_bytes(text)
    (tmp_path / "house" / "state.previous.json").unlink()
    log.look()
    assert log.building.card["problem"]
    assert str(tmp_path) not in log.building.card["problem"]
    assert log.building.card["samples"] == 300  # what was known stays
    assert log.building.card["urgency"] == 1


def test_broken_lines_of_a_log_are_left_out(tmp_path):
    log = small_log(tmp_path / "house")
    path = tmp_path / "house" / "log.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[3] = b"\xff" * len(lines[3])
    lines[5] = b"[" * len(lines[5])
    path.write_bytes(b"\n".join(lines))
    (tmp_path / "house" / "service.jsonl").write_bytes(b'{"kind": 3}\n\xff\n{"at": [1]}\n')
    log.look()
    assert log.building.card["problem"] == ""
    assert len(log.building.after(0)[1]) == 28
    log_said, service_said = log.building.card["damaged"]
    assert log_said == "log.jsonl: the line after number 5 is damaged or was edited."
    assert service_said.startswith("service.jsonl: ")


def test_a_state_that_one_bit_damaged_is_told(tmp_path):
    """The one before it is shown meanwhile."""
    log = small_log(tmp_path / "house")
    path = tmp_path / "house" / "state.json"
    log.look()
    assert log.building.card["damaged"] == []
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    log.look()
    (said,) = log.building.card["damaged"]
    assert "state.json is damaged or was edited" in said and str(tmp_path) not in said
    assert log.building.card["problem"] == ""


def test_only_the_end_of_a_long_log_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "MOST_BYTES", 1000)
    log = small_log(tmp_path / "house")
    log.look()
    points = log.building.after(0)[1]
    assert 1 <= len(points) < 10
    assert points[-1][0] == pytest.approx(2.9)


def test_nothing_is_written_or_locked(tmp_path):
    log = small_log(tmp_path / "house")
    before = {path: path.read_bytes() for path in (tmp_path / "house").iterdir()}
    stamp = (tmp_path / "house").stat().st_mtime_ns
    log.look()
    assert {path: path.read_bytes() for path in (tmp_path / "house").iterdir()} == before
    assert (tmp_path / "house").stat().st_mtime_ns == stamp
