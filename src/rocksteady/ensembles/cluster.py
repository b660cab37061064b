"""The parts of a study shared among the workers of a Dask cluster.

The study, with its motions, is sent to each worker once. A worker computes a part and writes it
into the store itself, if it sees the same folder; otherwise it sends the numbers back. A part of a
lost worker goes to another one.
"""

import platform
import re
import time
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.ensembles.many import Columns, ManyRuns
from rocksteady.ensembles.plan import Part
from rocksteady.ensembles.store import Store, home_of, part_path, read_manifest, write_part
from rocksteady.errors import InputError
from rocksteady.extras import needs

AHEAD = 3  # parts sent to each worker at a time, so that it never waits for the next one
LOST_WORKERS = 5  # on one part, before it is an error
SENDS = 10  # attempts to send the study to the workers
CONNECT = 30.0  # s to find the scheduler
ADDRESS = r"inproc://.+|(\w+://)?[^/\s]+:\d+/?"


class NoClusterError(InputError):
    """No cluster answers: nothing was begun."""


def made(
    study: ManyRuns, todo: list[Part], executor: Any, store: Store | None
) -> Generator[tuple[Part, Columns | None], None, None]:
    """The parts in the order in which they are done; None for one that is in the store already."""
    with _client(executor) as client:
        shared = _Shared(client, study, store)
        try:
            yield from shared.made(todo)
        finally:  # also when interrupted: workers stop at the end of their present part
            client.cancel(list(shared.under_way), force=True)


class _Shared:
    """A study on a cluster, and its parts under way."""

    def __init__(self, client: Any, study: ManyRuns, store: Store | None) -> None:
        self.client, self.study, self.store = client, study, store
        self.name = f"rocksteady-{uuid.uuid4().hex[:12]}"
        self.under_way: dict[Any, tuple[Part, Any]] = {}
        """Of each task its part, and the study as it was sent to the workers for it."""
        self.attempts: dict[Part, int] = {}
        _ = study.step  # travels with the study: see `_check_program`
        self.sent = self._send()

    def _send(self) -> Any:
        """The study on every worker there is; those that come later get it from one of them."""
        for attempt in range(SENDS):
            self.client.wait_for_workers(1)
            try:
                return self.client.scatter(self.study, broadcast=True, hash=False)
            except (OSError, TimeoutError, KeyError):  # a worker went away at that moment
                time.sleep(attempt)
        raise InputError(
            "The workers of the Dask cluster come and go too fast to be sent any work."
        )

    def made(self, todo: list[Part]) -> Iterator[tuple[Part, Columns | None]]:
        from distributed import as_completed

        waiting = iter(todo)
        finished = as_completed(loop=self.client.loop)

        def submit(part: Part, to_store: bool = True) -> None:
            future = self._submit(part, to_store)
            self.under_way[future] = part, self.sent
            finished.add(future)

        for _ in todo[: self._most()]:
            submit(next(waiting))
        for future in finished:
            part, sent = self.under_way.pop(future)
            found = self._result(future, part, sent)
            if found is False:
                submit(part)
                continue
            if found is None and not (self.store is not None and self.store.has(part)):
                submit(part, to_store=False)  # written, but not where we can see it
                continue
            yield part, found
            for _ in range(self._most() - len(self.under_way)):
                if (another := next(waiting, None)) is None:
                    break
                submit(another)

    def _most(self) -> int:
        return AHEAD * max(len(self.client.nthreads()), 1)

    def _submit(self, part: Part, to_store: bool) -> Any:
        attempt = self.attempts[part] = self.attempts.get(part, 0) + 1
        folder = str(self.store.folder.resolve()) if self.store and to_store else None
        identity = self.store.manifest["identity"] if self.store else ""
        return self.client.submit(
            work,
            self.sent,
            part,
            folder,
            identity,
            key=f"{self.name}-{part.start}-{attempt}",
            priority=-part.start,
            pure=False,
        )

    def _result(self, future: Any, part: Part, sent: Any) -> Any:
        """What a worker made of it; False where it must be made once more."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            return future.result()
        except CancelledError:  # all workers that had the study are gone
            if self.sent is sent:
                self.sent = self._send()
            lost: BaseException | None = None
        except KilledWorker as error:
            lost = error
        if self.attempts[part] >= LOST_WORKERS:
            raise InputError(
                f"Runs {part.start} to {part.stop - 1} were sent to {LOST_WORKERS} workers, and "
                "each was lost. Look at the workers' logs: they may run out of memory; start them "
                "with more."
            ) from lost
        return False


# -- on a worker -----------------------------------------------------------------------------------


def work(study: ManyRuns, part: Part, folder: str | None, identity: str) -> Columns | None:
    """Run a part; write it if the store is in reach (then None), else return its numbers."""
    import numba
    from distributed import get_worker

    threads = get_worker().state.nthreads
    numba.set_num_threads(max(1, min(threads, numba.config.NUMBA_NUM_THREADS)))
    _check_program(study)
    part = Part(*part)
    columns = study.compute(np.arange(part.start, part.stop))
    if folder is not None and _is_store(folder, identity):
        path = part_path(Path(folder), part)
        write_part(path, study, part, columns, study.quantities(), home_of(identity, part))
        return None
    return columns


def _check_program(study: ManyRuns) -> None:
    """Workers that compute something else must not take part."""
    if study.step != study.program():
        raise InputError(
            f"A worker on {platform.node()} has another version of {study.name} than "
            "this program: install the same rocksteady everywhere, and restart the workers."
        )


@lru_cache(maxsize=16)
def _is_store(folder: str, identity: str) -> bool:
    try:
        return bool(read_manifest(Path(folder)).get("identity") == identity)
    except InputError:
        return False


# -- who is the cluster ------------------------------------------------------------------------


@contextmanager
def _client(executor: Any) -> Iterator[Any]:
    """A Dask client, as given or connected to a scheduler's address for as long as needed."""
    try:
        from distributed import Client
    except ImportError:
        raise NoClusterError(f"A cluster (executor) {needs('distributed')}") from None
    if isinstance(executor, Client):
        if executor.asynchronous:
            raise NoClusterError(
                "The Dask client is asynchronous: give Client(..., asynchronous=False)."
            )
        yield executor
        return
    if not isinstance(executor, str) and not hasattr(executor, "scheduler_address"):
        raise NoClusterError(
            f"executor = {executor!r} is not allowed: give a dask.distributed.Client, or the "
            "address of its scheduler such as 'tcp://node1:8786'."
        )
    if isinstance(executor, str) and not re.fullmatch(ADDRESS, executor):
        raise NoClusterError(
            f"executor = {executor!r} is not the address of a Dask scheduler: give its machine and "
            "port, as the scheduler prints them when it starts, such as 'tcp://node1:8786'."
        )
    try:
        client = Client(executor, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoClusterError(
            f"No Dask scheduler answers at {executor!r} ({error}). Is it running, and can this "
            "machine reach it? Without executor the runs are made here."
        ) from error
    with client:
        yield client
