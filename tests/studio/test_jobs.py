"""Jobs: told in order, kept on disk, ended at once, and never able to take the server down."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from job_kinds import KINDS
from rocksteady.digests import sealed_object
from rocksteady.errors import DamagedFileError, InputError, OtherVersionError
from rocksteady.studio.jobs.events import events
from rocksteady.studio.jobs.limits import WAITING, at_most
from rocksteady.studio.jobs.manager import Jobs
from rocksteady.studio.jobs.store import Job, Store, job_id, keep_result, whole_lines
from rocksteady.studio.jobs.titles import title_of
from rocksteady.studio.problems import BusyError

TESTS = Path(__file__).parents[1]
Told = list[tuple[str, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _children_find_the_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Jobs]:
    jobs = Jobs(folder, KINDS)
    await jobs.start()
    try:
        yield jobs
    finally:
        await jobs.stop()


def during(folder: Path, story: Callable[[Jobs], Coroutine[Any, Any, Any]]) -> Any:
    """What happens while a studio runs in this folder."""

    async def told() -> Any:
        async with running(folder) as jobs, asyncio.timeout(60):
            return await story(jobs)

    return asyncio.run(told())


async def asked(jobs: Jobs, count: int = 0, wait: float = 0.0, do: str = "") -> Job:
    return await jobs.submit("count", {"count": count, "wait": wait, "do": do})


async def followed(jobs: Jobs, job: Job, after: int = -1, most: int = 10**6) -> Told:
    """The events of a job to its end, or until so many partial results have come."""
    found: Told = []
    async for chunk in events(jobs, job, after):
        for block in chunk.decode().strip().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.split("\n") if line[0] != ":")
            if lines:
                found.append((lines["event"], orjson.loads(lines["data"])))
                if "id" in lines:
                    assert int(lines["id"]) == found[-1][1]["n"]
        if len(numbers(found)) >= most:
            break
    return found


def numbers(told: Told) -> list[int]:
    return [data["n"] for event, data in told if event == "partial"]


def alive(pid: int) -> bool:
    """Whether a process is there, be it as a zombie."""
    return Path("/proc", str(pid)).exists()


async def pid_of(jobs: Jobs, job: Job) -> int:
    told = await followed(jobs, job, most=1)
    return int(next(data["pid"] for event, data in told if event == "partial"))


# -- what is told ---------------------------------------------------------------------------------


def test_partials_come_in_order_before_the_state_and_the_stream_ends(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> tuple[Job, Told]:
        job = await asked(jobs, 5)
        return job, await followed(jobs, job)

    job, told = during(tmp_path, story)
    assert numbers(told) == [0, 1, 2, 3, 4]
    states = [data["state"] for event, data in told if event == "state"]
    assert states[-1] == "done" and set(states) <= {"queued", "running", "done"}
    assert told[-1][0] == "state" and job.state == "done"
    assert {"id", "kind", "state", "words", "done", "total", "error"} <= told[-1][1].keys()


def test_whoever_comes_later_gets_all_that_was_shown_before(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> list[Told]:
        job = await asked(jobs, 6, 0.15)
        first = await followed(jobs, job, most=2)  # then the page is closed
        again = await followed(jobs, job)
        rest = await followed(jobs, job, after=3)  # EventSource sends the last number it saw
        return [first, again, rest]

    first, again, rest = during(tmp_path, story)
    shown = numbers(first)
    assert numbers(again) == [0, 1, 2, 3, 4, 5] and len(shown) >= 2
    before = [event for event, _ in again[: len(shown) + 1]]
    assert before == ["partial"] * len(shown) + ["state"] or before == ["partial"] * len(before)
    assert numbers(rest) == [4, 5]


def test_a_hundred_pages_all_get_all_and_none_waits_for_a_slow_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocksteady.studio.jobs.events.HEARTBEAT", 1e6)  # nothing else wakes them

    async def story(jobs: Jobs) -> list[Told]:
        job = await asked(jobs, 20, 0.01)
        slow = events(jobs, job)  # takes one event and no more
        await anext(slow)
        return await asyncio.gather(*(followed(jobs, job) for _ in range(100)))

    found = during(tmp_path, story)
    assert all(numbers(told) == list(range(20)) for told in found)
    assert all(told[-1][1]["state"] == "done" for told in found)


def test_what_is_announced_is_on_the_disk(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> None:
        job = await asked(jobs, 4, 0.1)
        async for _ in events(jobs, job):
            assert whole_lines(jobs.store.partials(job.id)) >= job.announced

    during(tmp_path, story)


def test_a_queued_job_is_told_its_place(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> list[int]:
        first = await asked(jobs, 50, 0.1)
        await followed(jobs, first, most=1)
        second, third = await asked(jobs, 1), await asked(jobs, 2)
        places = [first.position, second.position, third.position]
        await jobs.cancel(second)
        assert second.state == "cancelled"
        places.append(third.position)
        await jobs.cancel(first)
        assert (await followed(jobs, third))[-1][1]["state"] == "done"
        return places

    assert during(tmp_path, story) == [0, 1, 2, 1]


def test_the_same_question_is_the_same_job(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> None:
        job = await asked(jobs, 3)
        assert await asked(jobs, 3) is job
        await followed(jobs, job)
        assert await asked(jobs, 3) is job and job.state == "done"
        assert (await asked(jobs, 4)).id != job.id

    during(tmp_path, story)
    assert job_id("a", {"x": 1, "y": 2}) == job_id("a", {"y": 2, "x": 1})


def test_the_queue_is_bounded(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> None:
        first = await asked(jobs, 1, 30.0)
        await followed(jobs, first, most=1)
        for number in range(WAITING):
            await asked(jobs, 2 + number)
        with pytest.raises(BusyError, match="waiting"):
            await asked(jobs, 1000)

    during(tmp_path, story)


def test_jobs_that_came_to_nothing_are_forgotten_where_there_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocksteady.studio.jobs.manager.KEPT", 5)

    async def story(jobs: Jobs) -> None:
        done = await asked(jobs, 1)
        await followed(jobs, done)
        first = await asked(jobs, 1, 30.0)
        await followed(jobs, first, most=1)
        for number in range(2, 12):
            await jobs.cancel(await asked(jobs, number))
        assert len(jobs.jobs) <= 6 and {done.id, first.id} <= jobs.jobs.keys()
        folders = [path.name for path in (tmp_path / "jobs").iterdir() if path.is_dir()]
        assert sorted(folders) == sorted(jobs.jobs)

    during(tmp_path, story)


# -- cancel and crash -----------------------------------------------------------------------------


def test_cancel_ends_the_process_and_what_it_started_within_a_second(tmp_path: Path) -> None:
    def children(pid: int) -> list[int]:
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    async def story(jobs: Jobs) -> None:
        job = await asked(jobs, 1, 0.0, "another")
        pid = await pid_of(jobs, job)
        while not children(pid):
            await asyncio.sleep(0.05)
        (other,) = children(pid)
        began = time.monotonic()
        await jobs.cancel(job)
        assert time.monotonic() - began < 1.0
        assert job.state == "cancelled" and not alive(pid)
        while time.monotonic() - began < 2.0 and _runs(other):
            await asyncio.sleep(0.02)
        assert not _runs(other)
        await jobs.cancel(job)  # again: nothing happens
        assert (await followed(jobs, job))[-1][1]["state"] == "cancelled"

    during(tmp_path, story)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_cancelled_job_that_is_asked_again_goes_on(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> dict[str, Any]:
        job = await asked(jobs, 8, 0.1)
        await followed(jobs, job, most=2)
        await jobs.cancel(job)
        shown = job.announced
        assert shown and await asked(jobs, 8, 0.1) is job
        assert numbers(await followed(jobs, job)) == list(range(8))
        return dict(orjson.loads(jobs.store.result(job.id) or b""))

    found = during(tmp_path, story)
    assert found["sum"] == 28 and found["known"]


@pytest.mark.parametrize(
    ("do", "says"),
    [
        ("abort", "SIGABRT"),
        ("exit", "exit status 3"),
        ("leave", "SystemExit"),
        ("fail", "KeyError: 'of all things'"),
        ("divide", "beyond what can be computed"),
        ("memory", "more memory than the studio gives"),
        ("refuse", "The file secret.csv is not a motion."),
        ("half", "ended unexpectedly"),
    ],
)
def test_a_crash_is_told_and_the_next_job_runs(tmp_path: Path, do: str, says: str) -> None:
    async def story(jobs: Jobs) -> Job:
        job, next_one = await asked(jobs, 1, 0.0, do), await asked(jobs, 2)
        told = await followed(jobs, job)
        assert numbers(told) == [0] and told[-1][1]["state"] == "failed"
        assert (await followed(jobs, next_one))[-1][1]["state"] == "done"
        return job

    job = during(tmp_path, story)
    assert says in (job.error or "") and str(Path.cwd()) not in (job.error or "")


# -- the studio ends ------------------------------------------------------------------------------


def test_an_unfinished_job_goes_on_in_the_next_studio(tmp_path: Path) -> None:
    async def begin(jobs: Jobs) -> tuple[str, list[int], int]:
        done = await asked(jobs, 2)
        await followed(jobs, done)
        job, waiting = await asked(jobs, 10, 0.1), await asked(jobs, 3)
        pid = await pid_of(jobs, job)
        shown = numbers(await followed(jobs, job, most=3))
        assert waiting.state == "queued"
        return job.id, shown, pid

    id, shown, pid = during(tmp_path, begin)
    assert not alive(pid)
    kept = (tmp_path / "jobs" / id / "partials.jsonl").read_bytes()
    with (tmp_path / "jobs" / id / "partials.jsonl").open("ab") as file:
        file.write(b'{"n":99,"num')  # half a line, as a process leaves it that was killed

    async def go_on(jobs: Jobs) -> None:
        told = await followed(jobs, jobs.jobs[id])
        assert numbers(told) == list(range(10))
        assert orjson.loads(jobs.store.result(id) or b"")["known"] == list(range(len(shown)))
        states = {}
        for job in jobs.jobs.values():
            await followed(jobs, job)
            states[job.state] = states.get(job.state, 0) + 1
        assert states == {"done": 3}

    shown = [orjson.loads(line)["n"] for line in kept.splitlines()]
    during(tmp_path, go_on)
    assert (tmp_path / "jobs" / id / "partials.jsonl").read_bytes().startswith(kept)


def test_a_second_studio_in_the_folder_only_looks_on(tmp_path: Path) -> None:
    async def story(jobs: Jobs) -> None:
        job = await asked(jobs, 1)
        await followed(jobs, job)
        async with running(tmp_path) as other:
            assert other.jobs[job.id].state == "done"
            with pytest.raises(BusyError, match="Another"):
                await asked(other, 7)

    during(tmp_path, story)


def test_what_is_not_a_job_is_left_alone(tmp_path: Path) -> None:
    for name, state in {"0" * 16: b"not JSON", "1" * 16: b'{"id": "../x"}', "notes": b"{}"}.items():
        (tmp_path / "jobs" / name).mkdir(parents=True)
        (tmp_path / "jobs" / name / "state.json").write_bytes(state)

    async def story(jobs: Jobs) -> None:
        assert not jobs.jobs

    during(tmp_path, story)


def test_limits_say_what_is_allowed() -> None:
    at_most(10, 10, "motions", "Take fewer.")
    with pytest.raises(InputError, match=r"1 200 motions are too many.*at most 1 000"):
        at_most(1200, 1000, "motions", "Take fewer.")


# -- what it is about -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "request_", "title"),
    [
        (
            "map",
            {"body": {"preset": "statue", "height": 1.8, "width": 0.5}, "pulse": "sine"},
            "Statue, 1.8 × 0.5 m: overturning map, sine pulse",
        ),
        (
            "fragility",
            {
                "body": {"kind": "Body", "height": 4.2, "diameter": 0.6},
                "motions": [{"stochastic": {"count": 99}}, {"file": "uploads/0f/kobe.AT2"}],
            },
            "Body, 4.2 × ⌀0.6 m: fragility, 100 motions",
        ),
        (
            "spectrum",
            {"body": None, "alpha": [0.2], "motions": [{"file": "uploads/0f/kobe.AT2"}]},
            "Blocks of one slenderness: rocking spectrum, kobe",
        ),
        (
            "theories",
            {
                "body": {"kind": "Body", "mesh": "uploads/0f/angel.stl"},
                "theories": [{}, {}],
                "motions": [{"pulse": "ricker,a=0.3g,T=0.5"}],
            },
            "angel: 2 theories, ricker pulse",
        ),
        (
            "ask",
            {"what": "vase", "name": "", "height": 1.4},
            "Vase, 1.4 m: how likely it is to fall",
        ),
        ("ask", {"what": "vase", "name": "Our amphora"}, "Our amphora: how likely it is to fall"),
        (
            "film",
            {"case": {"body": {"kind": "MasonryBuilding", "mass": 4e4}, "motion": None}},
            "Masonry building, 40 t: film, let go",
        ),
        ("count", {}, ""),
    ],
)
def test_a_job_has_a_title_that_a_person_recognises(
    kind: str, request_: dict[str, Any], title: str
) -> None:
    assert title_of(kind, request_) == title


DAMAGED: dict[str, bytes] = {
    "empty": b"",
    "half": b'{"id": "0000000000000000", "kin',
    "not UTF-8": b"\xff\xfe",
    "a list": b"[]",
    "a number": b"3",
    "another id": b'{"id": "1111111111111111", "kind": "map", "made": 1.0}',
    "a number as id": b'{"id": 3, "kind": "map", "made": 1.0}',
    "a word as time": b'{"id": "0000000000000000", "kind": "map", "made": "x"}',
    "no time": b'{"id": "0000000000000000", "kind": "map", "made": NaN}',
    "a kind that is none": b'{"id": "0000000000000000", "kind": ["map"], "made": 1.0}',
    "an unknown state": b'{"id": "0000000000000000", "kind": "map", "made": 1.0, "state": "odd"}',
    "a word as count": b'{"id": "0000000000000000", "kind": "map", "made": 1.0, "done": "x"}',
    "nested": b"[" * 100_000,
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_state_is_told_and_the_others_go_on(tmp_path: Path, name: str) -> None:
    async def first(jobs: Jobs) -> None:
        await followed(jobs, await asked(jobs, 2))

    async def second(jobs: Jobs) -> tuple[list[str], list[str]]:
        (whole,) = jobs.jobs.values()
        assert whole.state == "done"
        return [job.id for job in jobs.newest()], jobs.remarks

    during(tmp_path, first)
    folder = tmp_path / "jobs" / ("0" * 16)
    folder.mkdir()
    (folder / "request.json").write_bytes(b"{}")
    text = DAMAGED[name]
    whole = text.startswith(b"{") and text.endswith(b"}")
    (folder / "state.json").write_bytes(sealed_object(text) if whole else text)
    found, remarks = during(tmp_path, second)
    assert found != ["0" * 16]
    (sentence,) = remarks
    assert str(folder) in sentence and "damaged" in sentence


def test_no_flipped_bit_is_read(tmp_path: Path) -> None:
    """In any file of a job that is done: it is left out, or the file that was asked for is refused.
    Asked again, it is made again."""

    async def first(jobs: Jobs) -> str:
        job = await asked(jobs, 3)
        await followed(jobs, job)
        return job.id

    id = during(tmp_path, first)
    store, folder = Store(tmp_path / "jobs"), tmp_path / "jobs" / id
    (folder / "files").mkdir(exist_ok=True)
    (folder / "files" / "map.csv").write_bytes(b"a,b\n1,2\n")
    keep_result(folder, store.result(id) or b"")
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "log.txt"]
    assert {path.name for path in files} == {
        "request.json", "state.json", "partials.jsonl", "result.json", "files.json", "map.csv"
    }  # fmt: skip
    rng = np.random.default_rng(1)
    for path in files:
        data = path.read_bytes()
        for place in rng.integers(8 * len(data), size=20):
            changed = bytearray(data)
            changed[place // 8] ^= 1 << place % 8
            path.write_bytes(changed)
            if path.name in ("files.json", "map.csv"):
                with pytest.raises((DamagedFileError, OtherVersionError)):
                    store.file(id, "map.csv")
            else:
                assert store.found() == ([], [id]), path.name
        path.write_bytes(data)
    assert [job.id for job in store.found()[0]] == [id] and store.file(id, "map.csv") is not None
    (folder / "partials.jsonl").write_bytes(bytes(changed))

    async def again(jobs: Jobs) -> None:
        assert not jobs.jobs and len(jobs.remarks) == 1
        job = await asked(jobs, 3)
        assert numbers(await followed(jobs, job)) == [0, 1, 2]
        assert job.id == id and job.state == "done"

    during(tmp_path, again)
    assert store.found()[1] == []


@pytest.mark.parametrize("name", ["request.json", "state.json", "partials.jsonl", "result.json"])
def test_a_folder_in_place_of_a_file_is_damage(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path)
    store.begin(Job("0" * 16, "map", 1.0, state="done"), {})
    (tmp_path / ("0" * 16) / name).unlink(missing_ok=True)
    (tmp_path / ("0" * 16) / name).mkdir()
    assert store.found() == ([], ["0" * 16])
