"""What a peer gives back, and what is measured of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from benchmarks.peers.cases import BLOCK, FALLEN, Array, Case

from rocksteady.analysis.decay.measure import swings


@dataclass(frozen=True, eq=False)
class History:
    """Rotation over time, as a peer computed it; ``impacts`` and ``turns`` where it knows them
    better than its samples show."""

    time: Array
    theta: Array
    impacts: Array | None = None
    """When it passed upright [s]."""
    turns: Array | None = None
    """Largest |θ| of each swing [rad]."""

    @property
    def fell(self) -> bool:
        return bool(not np.isfinite(self.theta).all() or np.abs(self.theta).max() > FALLEN)

    @property
    def peak(self) -> float:
        """Largest |θ|/α, between samples where it turned there."""
        largest = swings(self.time, self.theta).peaks if self.turns is None else self.turns
        return float(np.max(largest, initial=0.0)) / BLOCK.alpha

    @property
    def swings(self) -> tuple[Array, Array]:
        """Peaks [rad] and half periods [s] of free rocking."""
        if self.impacts is None or self.turns is None:
            found = swings(self.time, self.theta)
            return found.peaks, found.half_periods
        return self.turns, np.diff(self.impacts, prepend=-self.impacts[:1])


@dataclass(frozen=True)
class Setting:
    """One way to run a peer; ``words`` say how, for the table."""

    name: str
    words: str
    options: dict[str, float | str | bool]
    runs: int = 1
    """How many runs one call makes."""


Run = Callable[[], History]
"""A case, ready to go: building the model is not timed, running it is."""


class Peer(Protocol):
    """What each peer's file has."""

    NAME: str
    PACKAGE: str
    SETTINGS: tuple[Setting, ...]

    def prepare(self, setting: Setting, case: Case) -> Run: ...
