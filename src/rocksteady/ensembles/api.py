"""`rs.ensemble`: many runs in one call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.bodies import System
from rocksteady.ensembles import histories
from rocksteady.ensembles.dataset import open_ensemble
from rocksteady.ensembles.many import get_gpu_ready
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.run import run_many
from rocksteady.ensembles.store import Store
from rocksteady.ensembles.study import Study
from rocksteady.errors import heard, so_far, warn
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.theories import Formulation

if TYPE_CHECKING:
    import xarray

__all__ = ["ensemble", "open_ensemble", "run_study"]


def ensemble(
    systems: System | Sequence[System] | Mapping[str, System],
    motions: Motion | Sequence[Motion] | Mapping[str, Motion],
    formulation: Formulation | None = None,
    *,
    scales: float | Sequence[float] | None = None,
    paired: bool = False,
    until: str | float = "rest",
    keep: histories.Keep = None,
    backend: str = "cpu",
    executor: Any = None,
    store: str | Path | None = None,
    precision: str = "float64",
    floor: Floor | None = None,
    progress: bool | Progress = True,
) -> xarray.Dataset:
    """Run every system under every motion times every scale, and keep a few numbers of each run.

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
    until
        When a run ends, as in :func:`rocksteady.simulate`: ``"rest"``, ``"motion"``, or after so
        many seconds.
    keep
        Runs whose histories are kept, too: their numbers in the order of the axes, or a function of
        the results that is true where they are to be kept, ``lambda data: data.peak > 0.9``.
    backend
        ``"cpu"``: all cores. ``"cuda"``: a GPU, needs ``rocksteady[cuda]``.
    executor
        A Dask client, or the address of a scheduler: share the work among its workers. Needs
        ``rocksteady[dask]``.
    store
        A folder for the results. If it is stopped or killed, the same call resumes from there.
    precision
        ``"float64"``; or ``"float32"`` on a GPU, quicker and less accurate.
    floor
        Where the bodies stand: a floor of a building, ``rs.Floor(period=0.5, storeys=4)``, which
        turns each motion of the ground into its own. ``pga`` and ``pgv`` stay those of the ground.
    progress
        Show a progress bar, if in a terminal; or a function to call with (runs done, all runs).

    Returns
    -------
    xarray.Dataset
        Over (system, motion, scale), or over run: peak [-], time_of_peak [s], status (see
        :class:`rocksteady.Status`), fell (True or False), impacts, time_of_overturning [s],
        energy_lost [J], slide [m], doubtful (1 where :func:`rocksteady.simulate` would warn that a
        run is not to be trusted); of buildings peak_displacement [m], wear [-], slip [m], hardening
        [m], ...; of bodies in space walked [m], turned [rad], heading [degrees], mode and pivot at
        the end. Kept histories are ``history_theta`` and so on, over (kept, sample).

    Examples
    --------
    >>> import rocksteady as rs
    >>> from rocksteady.ensembles.api import ensemble
    >>> statues = [rs.Block(height=1.8, width=width) for width in (0.3, 0.5, 0.7)]
    >>> push = rs.pulses.sine(amplitude=3.0, period=0.8)
    >>> found = ensemble(statues, push, scales=[1.0, 2.0])
    >>> found.fell.values[:, 0].tolist()  # a row per statue
    [[True, True], [False, True], [False, True]]
    """
    get_gpu_ready(backend)
    with heard():
        study = Study.of(
            systems,
            motions,
            formulation,
            scales=scales,
            paired=paired,
            until=until,
            backend=backend,
            precision=precision,
            floor=floor,
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
    keep = histories.checked(keep, len(study))

    def add_histories(data: xarray.Dataset, kept: Store | None) -> xarray.Dataset:
        numbers = histories.chosen(keep, data)
        if kept is None:
            responses = {number: histories.respond(study, number) for number in numbers}
            return data.assign(histories.history_variables(responses))
        histories.keep_in(kept, study, numbers)
        return data.assign(histories.kept_variables(kept))

    with heard():
        data = run_many(
            study,
            executor=executor,
            store=store,
            progress=progress,
            notes={"warnings": so_far(), **(notes or {})},
            finish=add_histories,
        )
        _warn_of_doubts(study, data)
        told = so_far()
    return data.assign_attrs(warnings=json.dumps(told, ensure_ascii=False)) if told else data


def _warn_of_doubts(study: Study, data: xarray.Dataset) -> None:
    """Warn once of all runs that `simulate` would warn of, in its words for the first."""
    if "doubtful" not in data:
        return
    doubtful = np.flatnonzero(data["doubtful"].values)
    if not len(doubtful):
        return
    first = int(doubtful[0])
    response = histories.respond(study, first)
    why = (
        study.formulation.doubt(response.system, response.states)
        or "it is not where computed here."
    )
    warn(
        f"{len(doubtful)} of {len(study)} runs are doubtful, where `doubtful` is 1 in the results. "
        f"Of run {first}: {why}",
        stacklevel=4,
    )
