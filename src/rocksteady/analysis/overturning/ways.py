"""Ways to stand and to fall, and the islands that they form on a map."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from rocksteady.numerics.types import Array
from rocksteady.status import FALLEN, Status

Classes = NDArray[np.int8]
SQUARE = ndimage.generate_binary_structure(2, 2)


class Way(IntEnum):
    """What became of a run."""

    UNKNOWN = -1
    FLAT = 0
    ROCKS = 1
    AT_ONCE = 2
    AFTER_ONE = 3
    LATER = 4

    @property
    def words(self) -> str:
        return _WORDS[self]

    @property
    def how(self) -> str:
        """How it falls: "after one impact"."""
        return self.words.removeprefix("falls ")

    @property
    def falls(self) -> bool:
        return self >= Way.AT_ONCE


_WORDS = {
    Way.UNKNOWN: "no answer",
    Way.FLAT: "does not lift off",
    Way.ROCKS: "rocks and stands",
    Way.AT_ONCE: "falls without an impact",
    Way.AFTER_ONE: "falls after one impact",
    Way.LATER: "falls after more impacts",
}


def ways(
    status: NDArray[np.int8], impacts: NDArray[np.int32] | None, peak: Array, *, lifts: bool
) -> Classes:
    """The way of each run; without ``lifts`` nobody can tell whether a body that stands has lifted
    off: on a soft bed it always leans a little."""
    fell = np.isin(status, FALLEN)
    count = np.zeros(status.shape) if impacts is None else np.minimum(impacts, 2)
    stands = np.where(peak > 0, Way.ROCKS, Way.FLAT) if lifts else Way.ROCKS
    found = np.where(fell, Way.AT_ONCE + count, stands)
    return np.where(fell | (status == Status.AT_REST), found, Way.UNKNOWN).astype(np.int8)


class Island(NamedTuple):
    """A patch of points that fall, or stand, apart from the largest such patch."""

    falls: bool
    points: int
    """How many."""
    row: float
    column: float
    """Its middle, in numbers of points along both axes."""


def islands(classes: Classes) -> list[Island]:
    """The islands of a map, largest first. Points that touch at a corner belong together; a strip
    that is narrower than that is broken into several."""
    fell = classes >= Way.AT_ONCE
    found = []
    for falls, mask in ((True, fell), (False, ~fell & (classes != Way.UNKNOWN))):
        patches, count = ndimage.label(mask, SQUARE)
        if count < 2:
            continue
        numbers = np.arange(1, count + 1)
        sizes = np.bincount(patches.ravel())[1:]
        middles: Any = ndimage.center_of_mass(mask, patches, numbers)
        main = int(np.argmax(sizes))
        found += [
            Island(falls, int(sizes[k]), float(middles[k][0]), float(middles[k][1]))
            for k in range(count)
            if k != main
        ]
    return sorted(found, key=lambda island: -island.points)


def missed(truth: Classes, found: Classes) -> tuple[int, int]:
    """How many patches of one class of the true map have no point of it in the other, and how many
    patches there are."""
    lost = total = 0
    for way in np.unique(truth):
        patches, count = ndimage.label(truth == way, SQUARE)
        seen = np.unique(patches[(found == way) & (truth == way)])
        lost, total = lost + count - len(seen), total + count
    return lost, total


def percent(share: float) -> str:
    """ "38 %", "1.3 %", "less than 0.1 %"."""
    if 0 < share < 0.001:
        return "less than 0.1 %"
    return f"{100 * share:.3g} %" if share < 0.995 or share == 1 else "more than 99 %"
