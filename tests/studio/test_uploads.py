"""Files that people drop: recognised, asked about where they say too little, refused in a sentence
where they are damaged or hostile."""

import asyncio
import errno
import gzip
import io
import os
import struct
import time
import zipfile
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import InputError
from rocksteady.studio import uploads, worker
from rocksteady.studio.app import create_app
from rocksteady.studio.jobs.kinds.inputs import kept_motion
from rocksteady.studio.problems import BusyError
from rocksteady.studio.settings import Settings

DATA = Path(__file__).parents[1] / "data"
STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
PULSE = rs.pulses.sine(amplitude=3.0, period=0.5, dt=0.01)


def send(client: httpx.Client, name: str, content: bytes, **query: str) -> httpx.Response:
    return client.post("/api/uploads", params={"name": name, **query}, content=content)


def table(*columns: Any, head: str = "time [s], acceleration [m/s2]") -> bytes:
    rows = [", ".join(f"{value!r}" for value in row) for row in zip(*columns, strict=True)]
    return "\n".join([head, *rows]).encode()


def box_stl(x: float = 0.5, y: float = 0.4, z: float = 1.8) -> bytes:
    """A closed box as a binary STL file."""
    corners = np.array([[i, j, k] for i in (0, x) for j in (0, y) for k in (0, z)], float)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    parts = [struct.pack("<12fH", 0, 0, 0, *corners[list(face)].ravel(), 0) for face in faces]
    return b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(parts)


KNOWN = sorted(
    path.name
    for path in DATA.glob("hand_made*")
    if path.suffix != ".mseed"  # it has a file beside it
)


# -- records ---------------------------------------------------------------------------------------


def test_a_record_is_recognised_and_shakes_as_in_python(
    client: httpx.Client, any_records: Path, tmp_path: Path
) -> None:
    file = min((any_records / "AT2").glob("*.AT2"))
    found = send(client, file.name, file.read_bytes()).json()
    motion = rs.read_motion(file)
    assert found["kind"] == "record" and found["asks"] == {}
    assert found["about"]["n"] == len(motion) and found["about"]["dt"] == motion.dt
    case = {"body": STATUE, "motion": found["motion"]}
    run = client.post("/api/simulate", json=case).json()["runs"][0]
    assert run["peak"] == rs.simulate(rs.Block(1.8, 0.5), motion).peak


@pytest.mark.parametrize("name", KNOWN)
def test_what_the_readers_know_is_known_here(client: httpx.Client, name: str) -> None:
    content = (DATA / name).read_bytes()
    answer = send(client, name, content)
    try:
        motion = rs.read_motion(DATA / name)
    except InputError as error:
        said = answer.json()
        assert said.get("words", said.get("error")) == str(error)
        return
    found = answer.json()
    assert found["kind"] == "record", found
    first = next(iter(motion.values())) if isinstance(motion, dict) else motion
    assert found["about"]["dt"] == first.dt


def test_what_a_table_does_not_say_is_asked(client: httpx.Client) -> None:
    bare = "\n".join(f"{value!r}" for value in PULSE.accel.tolist()).encode()
    found = send(client, "bare.txt", bare).json()
    assert found["kind"] == "record" and set(found["asks"]) == {"dt", "unit"}
    assert "m/s2" in found["asks"]["unit"]
    told = {**found["motion"], "unit": "m/s2", "dt": 0.01}
    answer = client.post("/api/motion", json={"motion": told})
    assert answer.status_code == 200, answer.text


def test_three_components_in_one_file_are_one_record(client: httpx.Client) -> None:
    time = np.arange(len(PULSE)) * 0.01
    head = "time [s], N [m/s2], E [m/s2], Z [m/s2]"
    columns = [time.tolist(), *((PULSE.accel * part).tolist() for part in (1.0, 0.5, 0.3))]
    found = send(client, "station.csv", table(*columns, head=head)).json()
    assert found["motion"] == {"record": found["path"]}
    assert set(found["about"]["components"]) == {"accel", "transverse", "vertical"}


def test_three_files_of_a_station_are_one_record(client: httpx.Client) -> None:
    path = None
    for part, scale in (("000", 1.0), ("090", 0.5), ("-UP", 0.3)):
        motion = PULSE.scaled(scale)
        lines = ["PEER NGA STRONG MOTION DATABASE RECORD", f"PULSE, TEST, {part}",
                 "ACCELERATION TIME SERIES IN UNITS OF G",
                 f"NPTS= {len(motion)}, DT= .0100 SEC"]  # fmt: skip
        lines += [f"{value / 9.80665:.7E}" for value in motion.accel]
        query = {} if path is None else {"beside": path}
        answer = send(client, f"KJM{part}.AT2", "\n".join(lines).encode(), **query)
        assert answer.status_code == 200, answer.text
        path = answer.json()["path"]
    found = answer.json()
    assert found["motion"] == {"record": path}
    assert len(found["about"]["files"]) == 3
    assert set(found["about"]["components"]) == {"accel", "transverse", "vertical"}


def test_the_same_file_is_kept_once(client: httpx.Client, studio: Any) -> None:
    content = table((np.arange(500) * 0.01).tolist(), np.sin(np.arange(500) / 9).tolist())
    first, second = (send(client, "same.csv", content).json() for _ in range(2))
    assert first["path"] == second["path"]
    assert (studio.folder / first["path"]).read_bytes() == content


# -- 3D scans --------------------------------------------------------------------------------------


def test_a_scan_becomes_a_body(client: httpx.Client) -> None:
    found = send(client, "box.stl", box_stl()).json()
    assert found["kind"] == "scan" and found["body"] == {"kind": "Body", "mesh": found["path"]}
    assert found["about"]["height"] == pytest.approx(1.8)
    assert found["about"]["mass"] == pytest.approx(2600 * 0.5 * 0.4 * 1.8)
    body = client.post("/api/body", json=found["body"]).json()
    assert body["alpha"] == pytest.approx(np.arctan2(0.4, 1.8), rel=1e-7)  # STL has 32 bits


def test_what_is_uncertain_of_a_scan_is_said(client: httpx.Client) -> None:
    found = send(client, "box.stl", box_stl(500, 400, 1800)).json()
    assert any("millimetres" in text or "mm" in text for text in found["warnings"])


# -- hostile files ---------------------------------------------------------------------------------


def bomb() -> bytes:
    """A small archive that unpacks to half a gigabyte."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("record.csv", b"0.0, 1.0\n" * 60_000_000)
    return packed.getvalue()


HOSTILE = {
    "empty.AT2": b"",
    "zeros.AT2": bytes(1_000_000),
    "noise.csv": np.random.default_rng(0).bytes(1_000_000),
    "line.csv": b"1," * 1_000_000,
    "brackets.csv": b"[" * 5_000_000,
    "bomb.gz": gzip.compress(b"1.0\n" * 60_000_000, 1),
    "cut.zip": b"PK\x03\x04" + b"\0" * 100,
    "claims.stl": b"\0" * 80 + struct.pack("<I", 4_000_000_000) + bytes(50),
    "claims.ply": b"ply\nformat ascii 1.0\nelement vertex 999999999999\nend_header\n",
    "cut.glb": b"glTF\x02\0\0\0\xff\xff\xff\xff" + bytes(8),
    "deep.glb": b"glTF" + struct.pack("<IIII", 2, 100_020, 100_000, 0x4E4F534A) + b"[" * 100_000,
    "no_volume.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "endless.obj": b"v 1e400 nan inf\n" * 100_000 + b"f 1 2 3\n",
    "loops.mseed": b"000001D " + bytes(505),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_one_sentence(client: httpx.Client, name: str, studio: Any) -> None:
    one_sentence(client, name, HOSTILE[name], studio)


@pytest.mark.slow
def test_a_very_long_line_gets_one_sentence(client: httpx.Client, studio: Any) -> None:
    one_sentence(client, "line.csv", 5 * HOSTILE["line.csv"], studio)


def one_sentence(client: httpx.Client, name: str, content: bytes, studio: Any) -> None:
    began = time.monotonic()
    answer = send(client, name, content)
    assert answer.status_code == 422, answer.text[:300]
    error = answer.json()["error"]
    assert len(error) < 1100 and "Traceback" not in error and str(studio.folder) not in error
    assert time.monotonic() - began < 12.0


@pytest.mark.slow
def test_a_bomb_gets_one_sentence(client: httpx.Client) -> None:
    answer = send(client, "bomb.zip", bomb())
    assert answer.status_code == 422 and len(answer.json()["error"]) < 600


def test_a_large_file_is_refused_while_it_is_sent(client: httpx.Client, studio: Any) -> None:
    def parts() -> Any:
        for _ in range(40):
            yield b"1.0\n" * 250_000

    answer = client.post("/api/uploads", params={"name": "long.csv"}, content=parts())
    assert answer.status_code == 413 and "32 MB" in answer.json()["error"]
    assert not list((studio.folder / "uploads").glob(".*.part"))


@pytest.mark.parametrize(("given", "kept"), [
    ("../../etc/passwd", "passwd"),
    ("C:\\records\\KJM000.AT2", "KJM000.AT2"),
    ("a\x00b\n.csv", "ab.csv"),
    ("a\u202evsc.\x9bexe\t.csv", "avsc.exe.csv"),
    ("x" * 400 + ".csv", "x" * 96 + ".csv"),
    ("記録.csv", "記録.csv"),
    (".hidden", "hidden"),
])  # fmt: skip
def test_names_are_made_harmless(given: str, kept: str) -> None:
    assert uploads.safe_name(given) == kept


@pytest.mark.parametrize("given", ["", "/", "..", "\x00", "..."])
def test_what_is_no_name_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="not the name of a file"):
        uploads.safe_name(given)


def test_older_uploads_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SMALLEST", 0)
    for i in range(4):
        folder = tmp_path / f"{i:016x}"
        folder.mkdir()
        (folder / "a.csv").write_bytes(bytes(1000))
        os.utime(folder, (1e9 + i, 1e9 + i))
    uploads.make_room(tmp_path, 1000, most=3500)
    assert sorted(one.name[-1] for one in tmp_path.iterdir()) == ["2", "3"]
    for one in tmp_path.iterdir():
        os.utime(one)
    with pytest.raises(uploads.TooLargeError, match="last hour"):
        uploads.make_room(tmp_path, 3000, most=3500)


def test_one_file_cannot_be_put_beside_what_is_not_there(client: httpx.Client) -> None:
    for beside in ("../../etc/passwd", "uploads/0123456789abcdef/gone.AT2"):
        answer = send(client, "a.csv", b"1", beside=beside)
        assert answer.status_code == 422 and "not an upload" in answer.json()["error"]


def test_many_small_uploads_do_not_pile_up(tmp_path: Path) -> None:
    for i in range(10):
        (tmp_path / f"{i:016x}").mkdir()
        (tmp_path / f"{i:016x}" / "a.csv").write_bytes(b"1")
        os.utime(tmp_path / f"{i:016x}", (1e9 + i, 1e9 + i))
    uploads.make_room(tmp_path, 1, most=4 * uploads.SMALLEST)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_map_click_without_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SMALLEST", 3_000_000_000)
    with pytest.raises(InputError, match="try again later"):  # a worker tells it as a sentence
        kept_motion(PULSE, tmp_path)


def test_what_a_killed_server_left_is_removed(tmp_path: Path) -> None:
    left, arriving = tmp_path / ".0.part", tmp_path / ".1.part"
    left.write_bytes(b"1")
    arriving.write_bytes(b"1")
    os.utime(left, (1e9, 1e9))
    uploads.make_room(tmp_path, 1)
    assert list(tmp_path.iterdir()) == [arriving]


def test_uploads_that_have_not_arrived_do_not_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "ARRIVING_BYTES", 5000)

    async def tried() -> None:
        waits = asyncio.Event()

        async def parts(size: int) -> Any:
            yield bytes(size)
            await waits.wait()

        one = asyncio.create_task(uploads.keep(tmp_path, "a.csv", parts(4000)))
        await asyncio.sleep(0.05)
        with pytest.raises(BusyError, match="again in a minute"):
            await uploads.keep(tmp_path, "b.csv", parts(2000))
        waits.set()
        assert (await one).endswith("/a.csv")
        assert (await uploads.keep(tmp_path, "b.csv", parts(2000))).endswith("/b.csv")

    asyncio.run(tried())


@pytest.mark.parametrize("place", ["open", "replace", "mkdir"])
def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """While the file arrives, when it gets its name, before there is a folder."""
    app = create_app(Settings(tmp_path))

    def no_room(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path))

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            monkeypatch.setattr(Path, place, no_room)
            return await client.post("/api/uploads?name=a.csv", content=b"1,2\n")

    answer = asyncio.run(asked())
    assert answer.status_code == 507, answer.text
    assert "disk" in answer.json()["error"] and "full" in answer.json()["error"]
    assert str(tmp_path) not in answer.text
    assert not list(tmp_path.rglob("*.part"))


def test_a_disk_that_is_full_for_a_job_or_a_worker_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def no_room(*_: Any) -> Any:
        raise InputError("Could not write it.") from full

    monkeypatch.setattr(worker, "_function", lambda home: no_room)
    assert worker._answered(tmp_path, b"a:b\n{}")[0] == worker.NO_ROOM
    app = create_app(Settings(tmp_path))

    class Full:
        async def call(self, *asked: Any) -> bytes:
            raise full

    class Jobs:
        async def submit(self, *asked: Any) -> Any:
            no_room()

    app.state.studio.workers, app.state.studio.jobs = Full(), Jobs()

    async def asked() -> list[int]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            block = {"kind": "Block", "height": 1.8, "width": 0.5}
            first = await client.post("/api/body", json=block)
            second = await client.post("/api/jobs", json={"kind": "ask"})
            return [first.status_code, second.status_code]

    assert asyncio.run(asked()) == [507, 507]
