"""`rs.ensemble`: many runs in one call."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.ensembles import cluster, histories
from rocksteady.ensembles.dataset import dataset_of, open_ensemble
from rocksteady.ensembles.given import as_path
from rocksteady.ensembles.layout import Layout
from rocksteady.ensembles.outcome import Columns, doubt, empty
from rocksteady.ensembles.plan import Part, Plan
from rocksteady.ensembles.progress import Progress, shown
from rocksteady.ensembles.shake import shake
from rocksteady.ensembles.store import Store
from rocksteady.ensembles.study import Study
from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.formulations import Formulation
from rocksteady.motion import Motion
from rocksteady.systems import System

if TYPE_CHECKING:
    import xarray

__all__ = ["ensemble", "open_ensemble", "run_study"]

MEMORY_SHARE = 0.25  # of this machine's memory: what results may take that are not stored

Done = tuple[Part, Columns | None]
"""A part and its numbers; None where a worker has already put them into the store."""


def ensemble(
    systems: System | Sequence[System] | Mapping[str, System],
    motions: Motion | Sequence[Motion] | Mapping[str, Motion],
    formulation: Formulation | None = None,
    *,
    scales: float | Sequence[float] | None = None,
    paired: bool = False,
    aftermath: bool = True,
    keep: histories.Keep = None,
    backend: str = "cpu",
    executor: Any = None,
    store: str | Path | None = None,
    precision: str = "float64",
    progress: bool | Progress = True,
) -> xarray.Dataset:
    """Let every motion, times every scale, shake every system; keep what became of each.

    Every number is the one that :func:`rocksteady.simulate` gives for that run, on any number of
    cores and in any order.

    Parameters
    ----------
    systems
        Bodies of one kind: one, a sequence, or a mapping from names.
    motions
        Ground motions: one, a sequence, or a mapping from names.
    formulation
        How they move; the usual one for the bodies unless given.
    scales
        What to multiply the motions by; 1 unless given.
    paired
        Run the first system under the first motion times the first scale, the second under the
        second, and so on, instead of every combination. Single ones serve all runs.
    aftermath
        After the motion go on with the ground at rest until the body has come to rest or fallen,
        as :func:`rocksteady.simulate` does; False: end with the motion.
    keep
        Runs whose histories are kept, too: their numbers in the order of the axes, or a function of
        the results that is true where they are to be kept, ``lambda data: data.peak > 0.9``.
    backend
        ``"cpu"``: all cores. ``"cuda"``: a GPU, needs ``rocksteady[cuda]``.
    executor
        A Dask client, or the address of a scheduler: share the work among its workers. Needs
        ``rocksteady[dask]``.
    store
        A folder for the results. Killed at any moment, the same call goes on where it was.
    precision
        ``"float64"``; or ``"float32"`` on a GPU, quicker and less accurate.
    progress
        Show how far it is, if in a terminal; or a function to call with (runs done, all runs).

    Returns
    -------
    xarray.Dataset
        Over (system, motion, scale), or over run: peak [-], time_of_peak [s], status (see
        :class:`rocksteady.Status`), impacts, time_of_overturning [s], energy_lost [J], slide [m],
        doubtful (1 where :func:`rocksteady.simulate` would warn that a run is not to be trusted);
        of buildings peak_displacement [m], wear [-], slip [m], hardening [m], ... Kept histories
        are ``history_theta`` and so on, over (kept, sample).

    Examples
    --------
    >>> import rocksteady as rs
    >>> from rocksteady.ensembles.api import ensemble
    >>> statues = [rs.Block(height=1.8, width=width) for width in (0.3, 0.5, 0.7)]
    >>> push = rs.pulses.sine(amplitude=3.0, period=0.8)
    >>> found = ensemble(statues, push, scales=[1.0, 2.0])
    >>> found.status.values[:, 0].tolist()  # a row per statue; 2: overturned
    [[2, 2], [0, 2], [0, 2]]
    """
    study = Study.of(
        systems,
        motions,
        formulation,
        scales=scales,
        paired=paired,
        aftermath=aftermath,
        backend=backend,
        precision=precision,
    )
    return run_study(study, keep=keep, executor=executor, store=store, progress=progress)


def run_study(
    study: Study,
    *,
    keep: histories.Keep = None,
    executor: Any = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
    notes: dict[str, Any] | None = None,
) -> xarray.Dataset:
    """Run a study that has been checked; see :func:`ensemble`. ``notes`` go into the manifest."""
    _check_backend(study)
    keep = histories.checked(keep, len(study))
    plan = Plan.of(study)
    if store is None:
        data = _in_memory(study, plan, keep, executor, progress)
    else:
        data = _in_store(study, plan, keep, executor, store, progress, notes)
    _tell_doubts(study, data)
    return data


def _in_store(
    study: Study,
    plan: Plan,
    keep: histories.Keep,
    executor: Any,
    store: str | Path,
    progress: bool | Progress,
    notes: dict[str, Any] | None,
) -> xarray.Dataset:
    kept = Store.begin(as_path(store, "a folder for the store"), study, plan, notes)
    with kept.owned():
        todo = kept.missing()
        done = plan.runs - sum(part.stop - part.start for part in todo)
        with shown(progress, plan.runs, done) as tell:
            tell(done, plan.runs)
            for part in _stored(study, kept, todo, executor):
                done += part.stop - part.start
                tell(done, plan.runs)
        data = dataset_of(kept)
        numbers = histories.chosen(keep, data)
        with _says_how_to_go_on(kept):
            histories.keep_in(kept.folder / "histories", study, numbers)
        return dataset_of(kept) if numbers else data


def _in_memory(
    study: Study, plan: Plan, keep: histories.Keep, executor: Any, progress: bool | Progress
) -> xarray.Dataset:
    layout = Layout.of(study)
    _check_memory(layout)
    columns = empty(layout.quantities, plan.runs)
    done = 0
    with shown(progress, plan.runs) as tell:
        tell(done, plan.runs)
        for part, found in _made(study, list(plan), executor, None):
            assert found is not None
            for name, values in found.items():
                columns[name][part.start : part.stop] = values
            done += part.stop - part.start
            tell(done, plan.runs)
    data = layout.dataset(columns)
    responses = {n: histories.respond(study, n) for n in histories.chosen(keep, data)}
    return data.assign(histories.history_variables(responses))


def _made(study: Study, todo: list[Part], executor: Any, store: Store | None) -> Iterator[Done]:
    """The parts, as they are done."""
    if executor is not None:
        yield from cluster.made(study, todo, executor, store)
        return
    for part in todo:
        yield part, shake(study, np.arange(part.start, part.stop))


def _stored(study: Study, store: Store, todo: list[Part], executor: Any) -> Iterator[Part]:
    """The parts, each when it is safe on the disk. One is written while the next is computed."""
    writing: tuple[Part, Future[None]] | None = None
    with ThreadPoolExecutor(1) as writer, _says_how_to_go_on(store):
        for part, columns in _made(study, todo, executor, store):
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


# -- what can go wrong -----------------------------------------------------------------------------


def _tell_doubts(study: Study, data: xarray.Dataset) -> None:
    """Warn once of all runs that `simulate` would warn of, in the words that it has for the first.
    (A store of an earlier version does not know.)"""
    if "doubtful" not in data:
        return
    doubtful = np.flatnonzero(data["doubtful"].values)
    if not len(doubtful):
        return
    first = int(doubtful[0])
    response = histories.respond(study, first)
    why = doubt(study, response.system, response.states) or "it is not where computed here."
    warnings.warn(
        f"{len(doubtful)} of {len(study)} runs are doubtful, where `doubtful` is 1 in the results. "
        f"Of run {first}: {why}",
        RocksteadyWarning,
        stacklevel=4,
    )


@contextmanager
def _says_how_to_go_on(store: Store) -> Iterator[None]:
    """Whatever stops the writing, the message says what is kept and what to do."""
    try:
        yield
    except cluster.NoClusterError:
        raise
    except (InputError, OSError) as error:
        done = store.plan.runs - sum(part.stop - part.start for part in store.missing())
        raise InputError(
            f"{error} {done} of {store.plan.runs} runs are safe in {store.folder}. Put right what "
            "stopped it, and give the same command again: it goes on from there."
        ) from error


def _check_backend(study: Study) -> None:
    if study.backend == "cuda":
        from rocksteady.engine.cuda import batch as cuda

        able, why = cuda.available()
        if not able:
            raise InputError(why)


def _check_memory(layout: Layout) -> None:
    row = sum(np.dtype(what.dtype).itemsize for what in layout.quantities.values())
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return
    if row * layout.runs > MEMORY_SHARE * memory:
        raise InputError(
            f"{layout.runs:.3g} runs would fill {row * layout.runs / 1e9:.3g} GB of memory: give a "
            "folder, store=..., and the results are kept there and read as they are needed."
        )
