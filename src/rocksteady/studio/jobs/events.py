"""Server-sent events of a job: what was found so far, where it stands, then what is new."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import orjson

from rocksteady.digests import without_seal
from rocksteady.studio.jobs.manager import Jobs
from rocksteady.studio.jobs.store import Job

HEARTBEAT = 15.0  # s
AT_ONCE = 1 << 18  # bytes read at a time; one line may be longer


async def events(jobs: Jobs, job: Job, after: int = -1) -> AsyncIterator[bytes]:
    """Every partial result after number ``after``, then the state, then both as they change, until
    the job has ended. Read from the disk as fast as the client takes it: nothing is kept for it."""
    position, told = 0, b""
    while True:
        state, announced = _state(job), job.announced  # before the partials that belong to it
        while position < announced:
            lines = await asyncio.to_thread(
                _lines, jobs.store.partials(job.id), position, announced
            )
            position += sum(map(len, lines))
            shown = b"".join(_partial(line, after) for line in lines)
            if shown:
                yield shown
        if state != told:
            told = state
            yield b"event: state\ndata: " + state + b"\n\n"
        if orjson.loads(state)["state"] in ("done", "failed", "cancelled"):
            return
        while _state(job) == told and job.announced == announced:
            if not await jobs.wait(HEARTBEAT):
                yield b": still here\n\n"


def _state(job: Job) -> bytes:
    return orjson.dumps(job.told())


def _lines(path: Path, start: int, stop: int) -> list[bytes]:
    """Whole lines from ``start`` on, at least one and not beyond ``stop``."""
    with path.open("rb") as file:
        file.seek(start)
        first = file.readline()
        rest = file.read(min(AT_ONCE, stop - start - len(first)))
    return [first, *(line for line in rest.splitlines(keepends=True) if line.endswith(b"\n"))]


def _partial(line: bytes, after: int) -> bytes:
    number = int(line[5 : line.index(b",")])  # {"n":12,...
    if number <= after:
        return b""
    return b"id: %d\nevent: partial\ndata: %b\n\n" % (number, without_seal(line))
