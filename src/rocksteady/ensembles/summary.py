"""An ensemble in a few numbers, and how far a store is; one part in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.ensembles.labels import system_labels
from rocksteady.ensembles.layout import AXES
from rocksteady.ensembles.outcome import CODE, STATUSES
from rocksteady.ensembles.store import Store, part_path
from rocksteady.motion.readers._common import GRAVITY_UNIT
from rocksteady.response import Status

if TYPE_CHECKING:
    import xarray

MOST_SYSTEMS = 1000  # more of them are not told one by one
SAME = 1e-9  # relative difference of peaks that were scaled to one value
FALLEN = [CODE[Status.OVERTURNED], CODE[Status.COLLAPSED]]
Piece = tuple[Any, Any, Any]
"""Run numbers, status and peak."""


def of_dataset(data: xarray.Dataset, store: Store | None = None) -> dict[str, Any]:
    """What became of the runs, over all and by system, motion and scale; read from the store if
    large."""
    shape, axes = data["status"].shape, data["status"].dims
    if store is not None:
        pieces = _stored(store)
    else:
        values = (data["status"].values.ravel(), data["peak"].values.ravel())
        pieces = iter([(np.arange(data["status"].size), *values)])
    about = _counted(pieces, shape)
    about["pga_g"] = common_pga(data)
    shares_of_each, peaks_of_each = about.pop("by_system_and_scale")
    for axis in axes:
        shares = about.pop(f"by_{axis}", None)
        if shares is not None:
            names = system_labels(data) if axis == "system" else data[axis].values.tolist()
            about[f"fallen_by_{axis}"] = [
                {axis: name, "share": share} for name, share in zip(names, shares, strict=True)
            ]
    for i, row in enumerate(about.get("fallen_by_system", ())):
        row["by_scale"], row["peak_by_scale"] = shares_of_each[i], peaks_of_each[i]
    return about


def common_pga(data: xarray.Dataset) -> float | None:
    """The peak acceleration [g] of all motions where it is the same: what the scales multiply."""
    pga = np.atleast_1d(data["pga"].values) / GRAVITY_UNIT
    same = pga.size and np.ptp(pga) <= SAME * pga.max() > 0
    return float(pga.mean()) if same else None


def of_store(store: Store) -> dict[str, Any]:
    """How far it is and what has become of the runs so far."""
    parts = [part for part in store.plan if store.has(part)]
    done = sum(part.stop - part.start for part in parts)
    paths = [part_path(store.folder, part) for part in parts]
    stats = [path.stat() for path in paths]
    about = {
        "store": str(store.folder),
        "runs": store.plan.runs,
        "done": done,
        "parts": store.plan.parts,
        "parts_done": len(parts),
        "bytes": sum(stat.st_size for stat in stats),
        "last_written": max((stat.st_mtime for stat in stats), default=None),
        "formulation": store.manifest["study"]["formulation"]["name"],
        "rocksteady": store.manifest["rocksteady"],
        "name": store.manifest["notes"].get("name", ""),
    }
    counted = _counted(_stored(store, parts), store.layout.shape)
    return {**about, **{name: counted[name] for name in ("status", "fallen_share")}}


def _stored(store: Store, parts: Any = None) -> Iterator[Piece]:
    for part in store.plan if parts is None else parts:
        numbers = np.arange(part.start, part.stop)
        yield numbers, store.read("status", part), store.read("peak", part)


def _counted(pieces: Iterator[Piece], shape: tuple[int, ...]) -> dict[str, Any]:
    counts = np.zeros(len(STATUSES), dtype=np.int64)
    largest, total, runs = 0.0, 0.0, 0
    axes = {name: axis for axis, name in enumerate(AXES)} if len(shape) == len(AXES) else {}
    if axes and shape[0] > MOST_SYSTEMS:
        del axes["system"]
    fallen = {name: np.zeros(shape[axis], dtype=np.int64) for name, axis in axes.items()}
    each = np.zeros((shape[0], shape[-1]) if "system" in axes else (0, 1), dtype=np.int64)
    peaks = np.zeros(each.shape)
    for numbers, status, peak in pieces:
        counts += np.bincount(status, minlength=len(STATUSES))
        down = np.isin(status, FALLEN)
        standing = peak[~down & (status != CODE[Status.FAILED])]
        largest, total = max(largest, standing.max(initial=0.0)), total + float(standing.sum())
        runs += len(standing)
        where = np.unravel_index(numbers[down], shape)
        for name, axis in axes.items():
            fallen[name] += np.bincount(where[axis], minlength=shape[axis])
        if each.size:
            np.add.at(each, (where[0], where[-1]), 1)
            every_run = np.unravel_index(numbers, shape)
            np.maximum.at(peaks, (every_run[0], every_run[-1]), peak)  # nan stays nan
    every = int(counts.sum())
    about: dict[str, Any] = {
        "runs": every,
        "status": {s.value: int(counts[CODE[s]]) for s in STATUSES if counts[CODE[s]]},
        "fallen_share": float(counts[FALLEN].sum() / every) if every else None,
        "standing_peak_mean": total / runs if runs else None,
        "standing_peak_largest": float(largest) if runs else None,
    }
    for name, axis in axes.items():
        about[f"by_{name}"] = (fallen[name] * shape[axis] / max(every, 1)).tolist()
    about["by_system_and_scale"] = (each * each.size / max(every, 1)).tolist(), peaks.tolist()
    return about
