"""An `advance` that takes many equal small steps: in parts, so that many bodies can take their
small steps side by side (`engine/abreast.py`)."""

from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import kernel


class Substeps(NamedTuple):
    """The parts of such an `advance`: ``begin``, ``step`` until it says stop, ``end``."""

    begin: Any
    """``begin(state, params, ground0, ground1, dt) -> (work, fixed)``, tuples of floats: what the
    small steps change, and what they need beside the parameters and do not change."""
    step: Any
    """``step(work, fixed, params) -> (work, stop)``, without a branch."""
    end: Any
    """``end(state, work, fixed, params, dt) -> (state, used, event)``, from the state in which the
    interval began."""
    sizes: tuple[int, int]
    """How many numbers ``work`` and ``fixed`` have."""


@cache
def in_small_steps(parts: Substeps) -> Any:
    """The `advance` of these parts."""
    begin, step, end = parts.begin, parts.step, parts.end

    @kernel
    def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        work, fixed = begin(state, params, ground0, ground1, dt)
        stop = False
        while not stop:
            work, stop = step(work, fixed, params)
        return end(state, work, fixed, params, dt)

    return advance
