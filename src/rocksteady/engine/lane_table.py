"""The table in which a thread keeps several runs side by side, each in its lane.

A row has a number for every lane, so that vector instructions find those of all lanes together:
first the state, the parameters and what a formulation has prepared, then the rows below, then the
ground at both ends of what is left of the interval. Whole numbers have a table of their own.
"""

from __future__ import annotations

from typing import NamedTuple

from rocksteady.numerics.decorators import inner_kernel
from rocksteady.numerics.vectors import read_spaced, write_spaced

WIDTH = 16  # lanes: two vectors of eight, so that one can be computed while the other waits

# Rows of the table of lanes after those of state and parameters, each WIDTH numbers long: what is
# left of the interval, the interval's number and length. Behind them: the components of the ground
# at both ends of what is left of the interval.
LEFT, INDEX, DT, OK, HIGHEST, LOWEST, T_PEAK = 0, 1, 2, 3, 4, 5, 6
SCALE, RATE, WHOLE_RATE, REACH = 7, 8, 9, 10
ROWS = 11
# Rows of the table of whole numbers: the run, the sample at the end of the interval, the first and
# the last sample of its motion, its first box; impacts so far, ordinary steps in this interval; the
# last sample of the run, still ground included, and the body.
RUN, AT, FIRST, LAST, BOXES, IMPACTS, STEPS, STOP, SYSTEM = 0, 1, 2, 3, 4, 5, 6, 7, 8
WHOLE = 9
IDLE = -1


@inner_kernel
def column(table, lane, row, blank):  # type: ignore[no-untyped-def]
    """As many numbers of one lane as ``blank`` has, from a row on."""
    return read_spaced(table, row * WIDTH + lane, WIDTH, blank)


@inner_kernel
def put(table, lane, row, numbers):  # type: ignore[no-untyped-def]
    """Numbers of one lane into as many rows."""
    write_spaced(table, row * WIDTH + lane, WIDTH, numbers)


@inner_kernel
def nothing(state, params):  # type: ignore[no-untyped-def]
    return ()


class Layout(NamedTuple):
    """Where the rows of the table of lanes begin: first those of the state."""

    params: int
    prepared: int
    others: int
    ground0: int
    ground1: int
    total: int
    blanks: tuple[tuple[float, ...], ...]
    """A state, parameters and a ground of zeros: they say how many numbers each has."""

    @classmethod
    def of(cls, state: int, params: int, components: int, prepared: int = 0) -> Layout:
        others = state + params + prepared
        ground0 = others + ROWS
        ground1 = ground0 + components
        blanks = tuple((0.0,) * size for size in (state, params, components))
        total = ground1 + components
        return cls(state, state + params, others, ground0, ground1, total, blanks)
