"""Which motions are draws of their own.

A binomial interval counts motions. Motions made from one set of stochastic parameters are alike,
and so are the two components of one record: fifty of them are not fifty earthquakes. They form a
cluster, and intervals count clusters.
"""

import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.motion import Motion

MOST = 0.9  # of a motion's root mean square: what a cut must leave
ALIKE = 0.999  # correlation of motions that are one at two strengths, as print and cuts change it
_STOCHASTIC = re.compile(r"rezaeian\(seed=[^()]*?(?:spawn_key=\([^()]*\))?,?\s*(arias=[^()]*)\)")


def cluster_numbers(motions: Sequence[Motion], labels: Any = None) -> NDArray[np.int64]:
    """(n,) the number of the cluster of each motion, from labels or from the motions.

    Without labels, motions of one record (the same station and event, or the same file) are one
    cluster, and so are motions made from one set of stochastic parameters where there are several
    sets. Where all come from one set, that set is the population, and each motion is a draw.
    """
    if labels is not None:
        return label_numbers("clusters", labels, len(motions), "motions")
    sets = [_parameters(motion) for motion in motions]
    several = len({own for own in sets if own is not None}) > 1
    keys: list[Hashable] = []
    seen: dict[Hashable, list[NDArray[np.float64]]] = {}
    for i, (motion, own) in enumerate(zip(motions, sets, strict=True)):
        record = _record(motion) or _file(motion, seen)
        if own is not None:
            keys.append(own if several else i)
        else:
            keys.append(i if record is None else record)
    return _numbered(keys)


def label_numbers(name: str, labels: Any, count: int, what: str) -> NDArray[np.int64]:
    """(n,) a number for each of the ``labels``, the same for equal ones; an error unless there is
    one for each of ``count`` things."""
    if not hasattr(labels, "__iter__") or getattr(labels, "ndim", 1) == 0:
        raise InputError(
            f"{name} = {labels!r} is not allowed: give a list with a label for each of the {count} "
            f"{what}, such as ['a', 'a', 'b']."
        )
    given = list(labels)
    if len(given) != count:
        raise InputError(f"{name} has {len(given)} labels for {count} {what}: give one for each.")
    try:
        return _numbered(given)
    except TypeError:  # lists, which cannot be compared
        kind = type(given[0]).__name__
        raise InputError(f"{name} holds a {kind}: labels are text or numbers.") from None


def earthquake_numbers(motions: Sequence[Motion]) -> NDArray[np.int64]:
    """(n,) the number of the earthquake of each motion, however strong it is and wherever it was
    recorded: the same event, the same record or file, or the same samples but for a factor."""
    keys: list[Hashable] = []
    shapes: list[tuple[Hashable, float, NDArray[np.float64]]] = []
    seen: dict[Hashable, list[NDArray[np.float64]]] = {}
    known: dict[int, Hashable] = {}
    for i, motion in enumerate(motions):
        if id(motion) not in known:
            key: Hashable = _event(motion) or _record(motion) or _file(motion, seen)
            size = float(np.linalg.norm(motion.accel))
            shape = motion.accel / size if size else motion.accel
            if key is None:
                same = (k for k, dt, other in shapes if dt == motion.dt and _alike(shape, other))
                key = next(same, i)
            shapes.append((key, motion.dt, shape))
            known[id(motion)] = key
        keys.append(known[id(motion)])
    return _numbered(keys)


def independent(motions: Sequence[Motion]) -> float:
    """As how many draws motions count at the least: the number of their clusters, n²/Σn_i² where
    these differ in size."""
    sizes = np.bincount(cluster_numbers(motions)).astype(float)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _numbered(keys: Sequence[Hashable]) -> NDArray[np.int64]:
    """Numbers from 0 on, in the order in which the keys first appear."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)


def _parameters(motion: Motion) -> str | None:
    """The parameters of a stochastic motion, without its seed."""
    for entry in motion.meta.get("history", ()):
        found = _STOCHASTIC.match(str(entry))
        if found:
            return found[1]
    return None


def _event(motion: Motion) -> Hashable | None:
    """The earthquake, as a motion's record names it."""
    names = (str(motion.meta.get(key) or "") for key in ("event", "origin_time"))
    known = tuple(" ".join(name.casefold().split()) for name in names)
    return known if any(name not in ("", "-") for name in known) else None


def _alike(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether samples of length 1 are the same but for a factor; one may have been cut."""
    count = min(len(one), len(other))
    one, other = one[:count], other[:count]
    common = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    return min(common) > MOST and bool(abs(one @ other) > ALIKE * common[0] * common[1])


def _record(motion: Motion) -> Hashable | None:
    """What the components of one record share."""
    meta = motion.meta
    when = meta.get("event") or meta.get("origin_time") or meta.get("start_time")
    if meta.get("station", "-") not in ("", "-") and when:  # "-": a motion that we wrote
        return str(meta.get("network", "")), str(meta["station"]), str(when)
    return None


def _file(motion: Motion, seen: dict[Hashable, list[NDArray[np.float64]]]) -> Hashable | None:
    """The file of a motion. Files of one name may lie in several folders: a component that was seen
    before, with other values, is of another file; ``seen`` has the components so far."""
    meta = motion.meta
    if "file" not in meta:
        return None
    shape = np.asarray(motion.accel / max(motion.pga, 1e-300))
    earlier = seen.setdefault((str(meta["file"]), str(meta.get("component"))), [])
    for number, other in enumerate(earlier):
        if len(other) == len(shape) and np.allclose(np.abs(other), np.abs(shape), atol=1e-9):
            return str(meta["file"]), number
    earlier.append(shape)
    return str(meta["file"]), len(earlier) - 1
