"""What only Python can tell of runs, from their last states, a system at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.ground import Runs
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.ensembles.study import Study

Bools = NDArray[np.bool_]


class LastStates:
    """The states in which runs ended, a row each."""

    def __init__(self, study: Study, runs: Runs, states: Array) -> None:
        self.study, self.runs, self.states = study, runs, states

    def resting(self) -> Bools:
        at_rest = self.study.formulation.at_rest
        return np.asarray(self._by_system(at_rest, np.empty(len(self.states), dtype=bool)))

    def doomed(self, among: Bools) -> Bools:
        """Which of those fall though the ground has stopped."""
        doomed, systems, found = self.study.formulation.doomed, self.study.systems, ~among
        for row in np.flatnonzero(among):
            found[row] = doomed(systems[self.runs.system[row]], self.states[row])
        return found & among

    def slides(self) -> Array:
        """How far each has slid [m]."""
        names, slide = self.study.columns(), self.study.formulation.slide
        if "slide" in names:
            return self.states[:, names.index("slide")]
        return np.asarray(self._by_system(slide, np.empty(len(self.states))))

    def doubts(self, samples: NDArray[np.int64]) -> Bools:
        """Which should not be trusted. Only the last state is known of each, and how many samples
        it had: that is what a formulation that counts something in its state asks for."""
        doubt, systems = self.study.formulation.doubt, self.study.systems
        every = zip(self.runs.system, self.states, samples, strict=True)
        return np.array(
            [
                doubt(systems[i], np.broadcast_to(state, (count, len(state)))) is not None
                for i, state, count in every
            ],
            dtype=bool,
        )

    def at_end(self) -> dict[str, Array]:
        """What the formulation works out from the last states."""
        how, systems = self.study.formulation, self.study.systems
        names = how.at_end(systems[0], self.states[:1])
        if not names:
            return {}

        def ask(system: Any, states: Array) -> Array:
            return np.stack(list(how.at_end(system, states).values()), axis=-1)

        found = self._by_system(ask, np.empty((len(self.states), len(names))))
        return dict(zip(names, found.T, strict=True))

    def _by_system(self, ask: Callable[..., Any], out: Any) -> Any:
        """``ask(system, states)`` of all runs."""
        order = np.argsort(self.runs.system, kind="stable")
        starts = np.flatnonzero(np.diff(self.runs.system[order])) + 1
        for rows in np.split(order, starts):
            out[rows] = ask(self.study.systems[self.runs.system[rows[0]]], self.states[rows])
        return out
