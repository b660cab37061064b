"""Run any study of many runs: here or on a cluster, in memory or into a store."""

import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from rocksteady.ensembles import cluster
from rocksteady.ensembles.dataset import dataset_of
from rocksteady.ensembles.layout import Layout
from rocksteady.ensembles.many import Columns, ManyRuns, need_gpu
from rocksteady.ensembles.outcome import empty
from rocksteady.ensembles.plan import Part, Plan
from rocksteady.ensembles.progress import Progress, shown
from rocksteady.ensembles.store import Store
from rocksteady.errors import InputError, warn
from rocksteady.files import as_path
from rocksteady.theories.contract import Quantity

if TYPE_CHECKING:
    import xarray

MOST_AT_ONCE = 1 << 23  # runs that are in memory at a time while they are stored
WRITERS = min(8, os.cpu_count() or 1)  # threads
MEMORY_SHARE = 0.25  # of this machine's memory: what results may take that are not stored

Done = tuple[Part, Columns | None]
"""A part and its numbers; None where a worker has already put them into the store."""
Finish = Callable[[Any, Store | None], Any]


def run_many(
    study: ManyRuns,
    *,
    executor: Any = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
    notes: dict[str, Any] | None = None,
    finish: Finish | None = None,
) -> "xarray.Dataset":
    """Make all runs of a study and return their results over its axes.

    ``executor``, ``store`` and ``progress`` are those of :func:`rocksteady.ensemble`; ``notes`` go
    into the manifest. ``finish(data, store)`` adds histories to the results while the store is
    still locked.
    """
    need_gpu(study.backend)
    if store is None:
        data = _in_memory(study, executor, progress)
        return data if finish is None else finish(data, None)
    kept = Store.begin(as_path(store, "a folder for the store"), study, notes)
    with kept.locked():
        if damaged := kept.damaged():
            more = f" So are {len(damaged) - 1} other parts." if len(damaged) > 1 else ""
            whose = "Their" if more else "Its"
            warn(f"{damaged[0]}{more} {whose} runs are made again.", stacklevel=4)
        columns: Columns | None = None
        with shown(progress, kept.plan.runs, done := kept.done()) as report:
            report(done, kept.plan.runs)
            if study.at_once and executor is None:
                columns = _stored_at_once(study, kept, report, done)
            else:
                with closing(_stored(study, kept, executor)) as parts:
                    for part in parts:
                        done += part.runs
                        report(done, kept.plan.runs)
        if columns is not None:
            data = kept.layout.dataset(columns)
        else:
            data = dataset_of(kept, histories=finish is None)
        with saying_how_to_resume(kept):
            return data if finish is None else finish(data, kept)


def _in_memory(study: ManyRuns, executor: Any, progress: bool | Progress) -> "xarray.Dataset":
    plan, kept = Plan.of(study), study.quantities()
    _check_memory(kept, plan.runs)
    done = 0
    labels: Future[tuple[Layout, xarray.Coordinates]] | None = None
    with ThreadPoolExecutor(1) as beside, shown(progress, plan.runs) as report:

        def begun(done: int, total: int) -> None:
            nonlocal labels
            labels = labels or beside.submit(_labels, study)
            if done > 0:
                report(done, total)

        report(done, plan.runs)
        if study.at_once and executor is None:  # the runs begin first: labels take Python's time
            columns = study.compute_all(begun)
        else:
            begun(done, plan.runs)
            columns = empty(kept, plan.runs)
            with closing(_computed(study, list(plan), executor, None)) as parts:
                for part, found in parts:
                    assert found is not None
                    for name, values in found.items():
                        columns[name][part.start : part.stop] = values
                    done += part.runs
                    report(done, plan.runs)
        layout, coordinates = labels.result() if labels else _labels(study)
        return layout.dataset(columns, coordinates)


def _labels(study: ManyRuns) -> tuple[Layout, "xarray.Coordinates"]:
    """What labels the results: made ready while the runs are computed, for that takes xarray, and
    the first labels that it makes have it look for more packages."""
    layout = study.layout()
    return layout, layout.coordinates()


def _computed(
    study: ManyRuns, todo: list[Part], executor: Any, store: Store | None
) -> Generator[Done, None, None]:
    """The parts, as they are done."""
    if executor is not None:
        return cluster.made(study, todo, executor, store)
    if study.uses_all_cores:
        return ((part, study.compute(np.arange(part.start, part.stop))) for part in todo)
    return _in_threads(study, todo, numba.get_num_threads())


def _in_threads(study: ManyRuns, todo: list[Part], threads: int) -> Generator[Done, None, None]:
    """Several parts at a time. If the caller stops early, the remaining parts are not begun."""
    waiting: dict[Future[Columns], Part] = {}
    parts = iter(todo)
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                for part in islice(parts, 2 * threads - len(waiting)):
                    numbers = np.arange(part.start, part.stop)
                    waiting[pool.submit(study.compute, numbers)] = part
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _stored(study: ManyRuns, store: Store, executor: Any) -> Generator[Part, None, None]:
    """The parts, each when it is safe on the disk. One is written while the next is computed."""
    writing: tuple[Part, Future[None]] | None = None
    computed = closing(_computed(study, store.missing(), executor, store))
    with ThreadPoolExecutor(1) as writer, saying_how_to_resume(store), computed as parts:
        for part, columns in parts:
            if writing is not None:
                writing[1].result()
                yield writing[0]
                writing = None
            if columns is None:
                yield part
            else:
                writing = part, writer.submit(store.write, study, part, columns)
        if writing is not None:
            writing[1].result()
            yield writing[0]


def _stored_at_once(study: ManyRuns, store: Store, report: Progress, done: int) -> Columns | None:
    """Many parts in one go, each written as soon as it is done while others are computed. The
    columns of all runs, if all were made now and are few enough to be kept."""
    parts, fresh = store.missing(), done == 0 and store.plan.runs <= MOST_AT_ONCE
    columns = empty(store.layout.quantities, store.plan.runs) if fresh else None
    writing: list[tuple[Part, Future[None]]] = []

    def settle(most: int) -> None:
        """Wait until at most so many parts are being written."""
        nonlocal done
        while len(writing) > most:
            part, written = writing.pop(0)
            written.result()
            done += part.runs
            report(done, store.plan.runs)

    def deliver(part: Part, found: Columns) -> None:
        writing.append((part, writers.submit(store.write, study, part, found)))
        if columns is not None:
            for name, values in found.items():
                columns[name][part.start : part.stop] = values
        settle(2 * WRITERS)

    with saying_how_to_resume(store), ThreadPoolExecutor(WRITERS) as writers:
        for group in _groups(parts):
            study.compute_parts(group, deliver)
        settle(0)
    return columns


def _groups(parts: list[Part]) -> Iterator[list[Part]]:
    """The same in groups of consecutive ones, of at most MOST_AT_ONCE runs."""
    group: list[Part] = []
    for part in parts:
        if group and (group[-1].stop != part.start or part.stop - group[0].start > MOST_AT_ONCE):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


# -- what can go wrong -----------------------------------------------------------------------------


@contextmanager
def saying_how_to_resume(store: Store) -> Iterator[None]:
    """Whatever stops the writing, the message says what is kept and what to do."""
    try:
        yield
    except cluster.NoClusterError:
        raise
    except (InputError, OSError) as error:
        raise InputError(
            f"{error} {store.done()} of {store.plan.runs} runs are safe in {store.folder}. Put "
            "right what stopped it, and give the same command again: it resumes from there."
        ) from error


def _check_memory(kept: dict[str, Quantity], runs: int) -> None:
    row = sum(np.dtype(what.dtype).itemsize for what in kept.values())
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return
    if row * runs > MEMORY_SHARE * memory:
        raise InputError(
            f"{runs:.3g} runs would fill {row * runs / 1e9:.3g} GB of memory: give a "
            "folder, store=..., and the results are kept there and read as they are needed."
        )
