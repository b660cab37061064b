"""An ensemble in a few numbers, and how far a store is; one part in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.ensembles.labels import system_labels
from rocksteady.ensembles.layout import AXES
from rocksteady.ensembles.outcome import CODE, STATUSES
from rocksteady.ensembles.store import Store, part_path
from rocksteady.ensembles.strength import PGA, PGV, common
from rocksteady.status import Status

if TYPE_CHECKING:
    import xarray

MOST_SYSTEMS = 1000  # more of them are not told one by one
FALLEN = [CODE[Status.OVERTURNED], CODE[Status.COLLAPSED]]
Piece = tuple[Any, Any, Any]
"""Run numbers, status and peak."""


def of_dataset(data: xarray.Dataset, store: Store | None = None) -> dict[str, Any]:
    """What became of the runs, over all and by system, motion and scale; read from the store if
    large. A share is one of the runs that gave an answer; where none did, it is None."""
    shape, axes = data["status"].shape, data["status"].dims
    if store is not None:
        pieces = _stored(store)
    else:
        values = (data["status"].values.ravel(), data["peak"].values.ravel())
        pieces = iter([(np.arange(data["status"].size), *values)])
    about = _counted(pieces, shape)
    shared = common(data)
    about["pga_g"], about["pgv"] = shared.get(PGA), shared.get(PGV)
    each = about.pop("by_system_and_scale")
    for axis in axes:
        counted = about.pop(f"by_{axis}", None)
        if counted is not None:
            names = system_labels(data) if axis == "system" else data[axis].values.tolist()
            about[f"fallen_by_{axis}"] = [
                {axis: name, "share": share, "failed": failed}
                for name, share, failed in zip(names, *counted, strict=True)
            ]
    for i, row in enumerate(about.get("fallen_by_system", ())):
        row |= {name: values[i] for name, values in each.items()}
    if "doubtful" in data:
        about["doubtful"] = int(data["doubtful"].sum())
    return about


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
        "skipped": json.loads(store.layout.about.get("skipped", "{}")),
        "verticals_left_out": json.loads(store.layout.about.get("verticals_left_out", "[]")),
    }
    counted = _counted(_stored(store, parts), store.layout.shape)
    return {**about, **{name: counted[name] for name in ("status", "failed", "fallen_share")}}


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
    cells = (shape[0], shape[-1]) if "system" in axes else (0, 1)
    fallen, answered, failed = (_Tally(shape, axes, cells) for _ in range(3))
    peaks = np.full(cells, np.nan)
    for numbers, status, peak in pieces:
        counts += np.bincount(status, minlength=len(STATUSES))
        down, lost = np.isin(status, FALLEN), status == CODE[Status.FAILED]
        standing = peak[~down & ~lost]
        largest, total = max(largest, standing.max(initial=0.0)), total + float(standing.sum())
        runs += len(standing)
        fallen.add(numbers[down])
        failed.add(numbers[lost])
        where = answered.add(numbers[~lost])
        if peaks.size:
            np.fmax.at(peaks, (where[0], where[-1]), peak[~lost])
    every, none = int(counts.sum()), int(counts[CODE[Status.FAILED]])
    about: dict[str, Any] = {
        "runs": every,
        "status": {str(s): int(counts[CODE[s]]) for s in STATUSES if counts[CODE[s]]},
        "failed": none,
        "fallen_share": _shares(counts[FALLEN].sum(), every - none),
        "standing_peak_mean": total / runs if runs else None,
        "standing_peak_largest": float(largest) if runs else None,
    }
    for name in axes:
        shares = _shares(fallen.along[name], answered.along[name])
        about[f"by_{name}"] = shares, failed.along[name].tolist()
    about["by_system_and_scale"] = {
        "by_scale": _shares(fallen.each, answered.each),
        "failed_by_scale": failed.each.tolist(),
        "peak_by_scale": _or_none(peaks),
    }
    return about


class _Tally:
    """How many runs of a kind there are along each axis, and of each system at each scale."""

    def __init__(self, shape: tuple[int, ...], axes: dict[str, int], cells: tuple[int, int]):
        self.shape, self.axes = shape, axes
        self.along = {name: np.zeros(shape[axis], dtype=np.int64) for name, axis in axes.items()}
        self.each = np.zeros(cells, dtype=np.int64)

    def add(self, numbers: Any) -> tuple[Any, ...]:
        """Count the runs with these numbers; where they are on each axis."""
        where = np.unravel_index(numbers, self.shape)
        for name, axis in self.axes.items():
            self.along[name] += np.bincount(where[axis], minlength=self.shape[axis])
        if self.each.size:
            np.add.at(self.each, (where[0], where[-1]), 1)
        return where


def _shares(fallen: Any, answered: Any) -> Any:
    """Of the runs that gave an answer; None where there are none."""
    with np.errstate(invalid="ignore"):
        return _or_none(np.divide(fallen, answered))


def _or_none(values: Any) -> Any:
    """As a list; None where a number is not known."""
    known: Any = np.asarray(values, dtype=float).astype(object)
    known[np.isnan(values)] = None
    return known.tolist()
