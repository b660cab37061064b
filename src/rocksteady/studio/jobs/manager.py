"""All jobs of a studio: those that wait, the one that runs, those that have ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.studio.jobs.kinds import KINDS, Kind
from rocksteady.studio.jobs.limits import KEPT, WAITING
from rocksteady.studio.jobs.process import Child
from rocksteady.studio.jobs.store import Job, Store, job_id
from rocksteady.studio.jobs.titles import title_of
from rocksteady.studio.listening import Listeners
from rocksteady.studio.paths import without_paths
from rocksteady.studio.problems import BusyError


class Jobs:
    """The jobs in ``folder/jobs``. One heavy job runs at a time, the others wait their turn."""

    def __init__(self, folder: Path, kinds: Mapping[str, Kind] = KINDS) -> None:
        self.folder, self.store, self.kinds = folder, Store(folder / "jobs"), kinds
        self.jobs: dict[str, Job] = {}
        self.queue: list[str] = []
        self.running: tuple[str, Child] | None = None
        self.listeners = Listeners()
        """Clients that are told of jobs as they go on."""
        self.remarks: list[str] = []
        """What was wrong in the folder when the studio started, a sentence each."""
        self._changed = asyncio.Event()
        """Set, and replaced by another, whenever there is something to tell of a job."""
        self._turn = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._lock: int | None = None

    # -- the studio begins and ends -------------------------------------------------------------

    async def start(self) -> None:
        """Find the jobs of earlier studios in the folder; go on with those that had not ended."""
        self.store.folder.mkdir(parents=True, exist_ok=True)
        found, damaged = await asyncio.to_thread(self.store.found)
        self.remarks = [self._damaged(name) for name in damaged]
        self.jobs = {job.id: job for job in found}
        self._lock = _locked(self.store.folder)
        if self._lock is None:  # another studio runs them
            return
        self.queue = [job.id for job in found if not job.ended]
        self._number()
        self._worker = asyncio.create_task(self._work())
        self._turn.set()

    def _damaged(self, name: str) -> str:
        return (
            f"The job in {self.store.folder / name} is damaged or of another version and is left "
            "out. Ask for it again on the page; the folder can be deleted."
        )

    async def stop(self) -> None:
        """End all processes. What had not ended is resumed by the next studio in this folder."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
        if self._lock is not None:
            os.close(self._lock)
        self._worker = self._lock = None

    # -- questions ------------------------------------------------------------------------------

    async def submit(self, kind: str, request: dict[str, Any]) -> Job:
        """The job that answers this; a new one unless it was asked before. One that failed or was
        cancelled is queued again and goes on from what it had found."""
        id = job_id(kind, request)
        job = self.jobs.get(id)
        if job is not None and job.state not in ("failed", "cancelled"):
            return job
        if self._worker is None:
            raise BusyError(
                "Another Rocksteady Studio uses this folder, so jobs run there: open that one, or "
                "close it and start this one again."
            )
        if len(self.queue) >= WAITING:
            raise BusyError(f"{WAITING} jobs are waiting already: cancel some, or try again later.")
        again = job is not None
        job = job or Job(id, kind, time.time(), title_of(kind, request))
        job.state, job.error, job.words = "queued", None, ""
        self.jobs[id] = job
        self._forget()
        self.queue.append(id)
        self._number()
        try:
            if again:
                await asyncio.to_thread(self.store.keep, job)
            else:
                await asyncio.to_thread(self.store.begin, job, request)
        except InputError:  # the disk is full
            self.queue.remove(id)
            del self.jobs[id]
            raise
        self._turn.set()
        self.tell()
        return job

    def newest(self, most: int = 100) -> list[Job]:
        """The jobs, newest first."""
        return sorted(self.jobs.values(), key=lambda job: -job.made)[:most]

    async def cancel(self, job: Job) -> None:
        """Stop a job at once; one that has ended stays as it is."""
        if self.running is not None and self.running[0] == job.id:
            self.running[1].cancelled = True
            await self.running[1].kill()
            while not job.ended:
                await self.wait(1.0)
        elif job.id in self.queue:
            self.queue.remove(job.id)
            self._number()
            await self._ended(job, "cancelled", None)

    # -- telling --------------------------------------------------------------------------------

    def tell(self) -> None:
        """Wake up whoever waits for news of a job."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self, seconds: float) -> bool:
        """Wait until something changes from now on; False if nothing did."""
        changed = self._changed  # taken before anything else can happen: no news is missed
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await changed.wait()
        return False

    # -- running --------------------------------------------------------------------------------

    async def _work(self) -> None:
        while True:
            await self._turn.wait()
            self._turn.clear()
            while self.queue:
                job = self.jobs[self.queue.pop(0)]
                self._number(running=True)
                await self._run(job)
                self._number()

    async def _run(self, job: Job) -> None:
        job.state, job.words, job.position = "running", "starting", 0
        kind = self.kinds.get(job.kind)
        if kind is None:
            unknown = f"This version of the studio has no jobs of the kind {job.kind!r}."
            return await self._ended(job, "failed", unknown)
        child = Child(kind.function, self.store.of(job.id))
        self.running = job.id, child
        try:
            await asyncio.to_thread(self.store.keep, job)
            self.tell()
            error: str | None = await child.run(lambda message: self._heard(job, message))
        except (InputError, OSError) as problem:  # no room on the disk, no more processes
            error = f"The job could not be run: {problem}"
        finally:
            await child.kill()
            self.running = None
        if error is None:  # also where it was cancelled too late
            return await self._ended(job, "done", None)
        if child.cancelled:
            return await self._ended(job, "cancelled", None)
        return await self._ended(job, "failed", error)

    def _heard(self, job: Job, message: dict[str, Any]) -> None:
        """What the child says: how far it is, or up to where its partial results may be shown."""
        for name in ("words", "done", "total", "announced"):
            if name in message:
                setattr(job, name, message[name])
        self.tell()

    async def _ended(self, job: Job, state: Any, error: str | None) -> None:
        job.error = None if error is None else without_paths(error, self.folder)
        job.state, job.position, job.words = state, 0, ""
        if state == "done":
            job.done = job.total = max(job.total, 1)
        with contextlib.suppress(InputError):  # the disk is full: the next studio runs it again
            await asyncio.to_thread(self.store.keep, job)
        self.tell()

    def _forget(self) -> None:
        """Drop the oldest jobs that came to nothing, where there are very many."""
        for job in sorted(self.jobs.values(), key=lambda job: job.made)[: len(self.jobs) - KEPT]:
            if job.state in ("failed", "cancelled"):
                del self.jobs[job.id]
                shutil.rmtree(self.store.of(job.id), ignore_errors=True)

    def _number(self, *, running: bool | None = None) -> None:
        """Tell those that wait how many are before them."""
        before = int(self.running is not None if running is None else running)
        for place, id in enumerate(self.queue):
            self.jobs[id].position = place + before


def _locked(folder: Path) -> int | None:
    """Lock the folder for this studio; None if another one has it."""
    file = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o666)
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows
        pass
    except OSError:
        os.close(file)
        return None
    return file
