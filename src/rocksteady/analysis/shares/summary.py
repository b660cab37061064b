"""An ensemble in a few numbers, and how far a store is."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.shares.counts import Counted, answered, fell, pieces, ratio
from rocksteady.ensembles.labels import PGA, PGV, common
from rocksteady.ensembles.plan import Part
from rocksteady.ensembles.store import Store, part_path
from rocksteady.numerics.types import Array
from rocksteady.status import FALLEN, Status

if TYPE_CHECKING:
    import xarray

MOST_SYSTEMS = 1000  # if there are more, they are not listed one by one


def of_dataset(data: "xarray.Dataset") -> dict[str, Any]:
    """How the runs ended, over all and by system, motion and scale; a few million in memory at a
    time. A share is one of the runs that gave an answer; where none did, it is None."""
    found, shared = Counted(data), common(data)
    about = _outcomes(found.by_status)
    peaks, standing = _peaks(found)
    about |= standing | {"pga_g": shared.get(PGA), "pgv": shared.get(PGV)}
    about["floor"] = data.attrs.get("floor")
    if not found.paired:
        about |= _by_axis(found, peaks)
    if "doubtful" in data:
        about["doubtful"] = int(data["doubtful"].sum())
    return about


def of_store(store: Store) -> dict[str, Any]:
    """How far it is and how the runs have ended so far."""
    parts = [part for part in store.plan if store.has(part)]
    notes = store.manifest["notes"]
    paths = [part_path(store.folder, part) for part in parts]
    stats = [path.stat() for path in paths]
    counts = np.zeros(len(Status), dtype=np.int64)
    for part in parts if "status" in store.layout.quantities else ():
        counts += np.bincount(store.read("status", part), minlength=len(Status))
    return {
        "store": str(store.folder),
        "runs": store.plan.runs,
        "done": sum(part.runs for part in parts),
        "parts": store.plan.parts,
        "parts_done": len(parts),
        "bytes": sum(stat.st_size for stat in stats),
        "last_written": max((stat.st_mtime for stat in stats), default=None),
        "formulation": store.manifest["study"]["formulation"]["name"],
        "rocksteady": store.manifest["rocksteady"],
        "name": notes.get("name", ""),
        "warnings": [*notes.get("warnings", []), *_damaged(store, parts)],
        "skipped": json.loads(store.layout.about.get("skipped", "{}")),
        "verticals_left_out": json.loads(store.layout.about.get("verticals_left_out", "[]")),
        **{key: value for key, value in _outcomes(counts).items() if key != "runs"},
    }


def _damaged(store: Store, sound: list[Part]) -> list[str]:
    """What to say of parts that are there and cannot be read; they count as not done."""
    known = set(sound)
    there = [part_path(store.folder, part) for part in store.plan if part not in known]
    bad = [str(path) for path in there if path.exists()]
    if not bad:
        return []
    more = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
    are, them = ("are", "them") if more else ("is", "it")
    return [
        f"{bad[0]}{more} {are} damaged, edited or of another version. The command that began the "
        f"study makes {them} again."
    ]


def _outcomes(counts: Any) -> dict[str, Any]:
    """From the number of runs with each status."""
    failed = int(counts[Status.FAILED])
    return {
        "runs": int(counts.sum()),
        "status": {str(each): int(counts[each]) for each in Status if counts[each]},
        "failed": failed,
        "fallen_share": _or_none(ratio(counts[list(FALLEN)].sum(), counts.sum() - failed)),
    }


def _peaks(found: Counted) -> tuple[Array, dict[str, Any]]:
    """The largest peak of each system at each scale, nan where no run gave an answer; and those of
    all runs that stood."""
    largest, total, runs, each = 0.0, 0.0, 0, []
    for _, status, peak in pieces(found.data, "status", "peak"):
        known = answered(status)
        standing = peak[known & ~fell(status)]
        largest, total = max(largest, standing.max(initial=0.0)), total + float(standing.sum())
        runs += len(standing)
        if not found.paired:
            each.append(np.fmax.reduce(np.where(known, peak, np.nan), axis=1))
    return np.concatenate(each) if each else np.empty(0), {
        "standing_peak_mean": total / runs if runs else None,
        "standing_peak_largest": float(largest) if runs else None,
    }


def _by_axis(found: Counted, peaks: Array) -> dict[str, Any]:
    """A row for each system (unless there are very many), motion and scale."""
    data, about = found.data, {}
    counts = {
        "system": (found.labels, found.fallen.sum(axis=1), found.known.sum(axis=1)),
        "motion": (data["motion"].values.tolist(), found.fallen_by_motion, found.known_by_motion),
        "scale": (data["scale"].values.tolist(), found.fallen.sum(axis=0), found.known.sum(axis=0)),
    }
    for axis, (names, fallen, known) in counts.items():
        if axis == "system" and found.bodies > MOST_SYSTEMS:
            continue
        failed = found.runs // len(names) - known
        columns = names, _or_none(ratio(fallen, known)), failed.tolist()
        about[f"fallen_by_{axis}"] = [
            {axis: name, "share": share, "failed": count}
            for name, share, count in zip(*columns, strict=True)
        ]
    lists = {
        "by_scale": _or_none(found.shares),
        "failed_by_scale": (found.motions - found.known).tolist(),
        "peak_by_scale": _or_none(peaks),
    }
    for i, row in enumerate(about.get("fallen_by_system", ())):
        row |= {name: values[i] for name, values in lists.items()}
    return about


def _or_none(values: Any) -> Any:
    """As a list; None where a number is not known."""
    known: Any = np.asarray(values, dtype=float).astype(object)
    known[np.isnan(values)] = None
    return known.tolist()
