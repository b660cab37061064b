"""Impacts on a soft bed, where nothing jumps: told from the states at the samples, as `Response`
tells them of a whole record."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rocksteady.engine.watch import make_watch
from rocksteady.formulations.contract import NOTHING, OVERTURN, Array, Formulation, Numbers
from rocksteady.numerics.cache import driver
from rocksteady.response import lifted, passages_through_zero


class Swing(NamedTuple):
    """The swing under way at a sample."""

    lean: float
    """The last coordinate that was not zero."""
    in_air: bool
    """Whether a corner has left the bed in it."""
    resting: bool
    """Whether the body is at rest, as the formulation calls it."""


def swing_of(formulation: Formulation, system: Any, state: Numbers) -> Swing:
    """A swing that begins in this state."""
    row = np.array([state])
    resting = formulation.at_rest(system, row)
    return Swing(state[0], bool(_lifted(formulation, system, row)[0]), bool(resting[0]))


def strikes(
    formulation: Formulation, system: Any, swing: Swing, states: Array
) -> tuple[int, Swing]:
    """How many impacts there are up to the last of ``states``, a row for each sample that followed,
    and the swing under way there."""
    theta = np.concatenate([[swing.lean], states[:, 0]])
    in_air = np.concatenate([[swing.in_air], _lifted(formulation, system, states)])
    resting = np.concatenate([[swing.resting], formulation.at_rest(system, states)])
    count = np.arange(len(theta), dtype=float)
    impacts, _, _ = passages_through_zero(count, theta, theta, resting, in_air)
    _, _, before = passages_through_zero(count, theta, theta)
    begin = before[-1] + 1 if len(before) else 0
    leans = theta[theta != 0]
    lean = float(leans[-1]) if len(leans) else 0.0
    return len(impacts), Swing(lean, bool(in_air[begin:].any()), bool(resting[-1]))


def _lifted(formulation: Formulation, system: Any, states: Array) -> Any:
    """In which a corner is off its bed; in all where the formulation does not tell."""
    up = lifted(formulation, system, states)
    return np.ones(len(states), dtype=bool) if up is None else up


@cache
def make_recording_watch(advance: Any) -> Any:
    """As `make_watch`, and the state at each sample is written to ``states``."""
    watch = make_watch(advance)

    def recording_watch(  # type: ignore[no-untyped-def]
        state, params, ground, a_h, a_v, dt, last, extremes, rules, passed, states
    ):
        event, part, i = NOTHING, 0.0, 0
        for i in range(len(a_h)):
            one = slice(i, i + 1)
            state, _, extremes, event, part = watch(
                state, params, ground, a_h[one], a_v[one], dt, last + i, extremes, rules, passed
            )
            for j in range(len(state)):
                states[i, j] = state[j]
            ground = (a_h[i], a_v[i])
            if event >= OVERTURN:
                break
        return state, i + 1, extremes, event, part

    return driver(recording_watch)
