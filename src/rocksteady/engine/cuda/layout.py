"""How runs, bodies and records are laid out for a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.ground import Ground, Runs
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

BLOCK = 64  # samples whose extremes are kept, so that a body at rest can skip them
EXTRAS = 6  # rows of the results after the state: time, highest, lowest, its time, impacts, event
COUNTS = 2  # the last of them, whole numbers
EVERY = (
    5  # rows of a summary before the entries of the state: peak, its time, end, farthest, impacts
)
PRECISIONS = ("float64", "float32")


class Shape(NamedTuple):
    """What a loop is compiled for."""

    state: int  # numbers in a state
    arrays: tuple[bool, ...]  # which of a body's parameters are arrays
    longest: int  # entries of the longest of them
    components: int  # of the ground that the step is given
    vertical: bool  # whether the ground moves up and down, too; or there are three components
    shared: bool  # whether the records fit into a multiprocessor's own memory
    number: type = np.float64  # or numpy.float32


class Bodies(NamedTuple):
    """Tables with a row per body."""

    states: Any
    numbers: Any  # those parameters that are numbers
    arrays: Any  # those that are arrays: (body, which, entry)
    lengths: Any  # how many entries each has: (body, which)
    limits: Any  # what the coordinate is divided by, to the right and to the left


class Records(NamedTuple):
    """Motions laid end to end, and the extremes of every BLOCK of their samples."""

    accel: Any  # a tuple, an array for each component
    first: Any
    count: Any
    dt: Any
    still: Any  # samples that the ground stands still afterwards
    first_box: Any
    boxes: Any  # (lowest, highest) of each component in turn, of each block of samples
    tails: Any  # the same from a block to the end of its motion


# -- runs that wait in the GPU's memory: see `waves.py` --------------------------------------------

POOL_OF_BLOCK, POOL_SIMULATED = 2048, 4  # runs of a block of threads
THREADS = 192  # of a block
KINDS = 7  # of work


def in_waves(glide: Any) -> bool:
    """Whether bodies are followed in waves: those that move in several ways, each with code of its
    own, and have numbers that are prepared for it."""
    return glide.prepare is not None


# Whole numbers of a run: which it is, its place in the record, the first and the last sample of its
# motion, impacts so far, ordinary steps in this interval, and the last event.
RUN, AT, FIRST, LAST, IMPACTS, STEPS, EVENT = range(7)
WHOLE = 8  # with one that is not used
# Its numbers after the state, what is prepared and the ground: what is left of the interval and all
# of it, the scale of its motion, how far out it has been, on either side and as far as an attempt
# may go without a new extreme, and the reach of the last attempt.
LEFT, DT, SCALE, KNOWN, HIGHEST, LOWEST, REACH = range(7)
ROWS = 7
LINE = 16  # numbers that a GPU reads at once: a run begins with a new line


class Pool(NamedTuple):
    """Runs of all blocks, one after the other."""

    numbers: Any
    times: Any
    """Of their peaks [s]."""
    whole: Any
    rings: Any
    """Which of them wait for each kind of work, block by block."""

    @classmethod
    def shapes(cls, blocks: int, runs: int, numbers: int) -> Pool:
        """Of its arrays, for blocks with so many runs each."""
        total, columns = blocks * runs, -(-(numbers + ROWS) // LINE) * LINE
        rings = blocks * KINDS, runs + THREADS
        return cls((total, columns), (total,), (total, WHOLE), rings)


class Table(NamedTuple):
    """Bodies' parameters, numbers and arrays apart; ``kinds`` says which are arrays."""

    numbers: Array
    arrays: Array
    lengths: NDArray[np.int64]
    kinds: tuple[bool, ...]


def tabulate(params: Array | Sequence[tuple[Any, ...]]) -> Table:
    """Lay parameters out: a table of numbers, or a list of tuples that hold arrays, too."""
    if isinstance(params, np.ndarray):
        numbers = np.ascontiguousarray(params, dtype=float)
        kinds = (False,) * numbers.shape[1]
        nothing = np.zeros((1, 1, 1)), np.zeros((1, 0), dtype=np.int64)
        return Table(numbers, *nothing, kinds)
    kinds = tuple(np.ndim(entry) > 0 for entry in params[0])
    which = [k for k, is_array in enumerate(kinds) if is_array]
    numbers = np.array(
        [[x for x, is_array in zip(row, kinds, strict=True) if not is_array] for row in params],
        dtype=float,
    )
    lengths = np.array([[len(row[k]) for k in which] for row in params], dtype=np.int64)
    arrays = np.zeros((len(params), max(len(which), 1), lengths.max(initial=1)))
    for row, entries in zip(arrays, params, strict=True):
        for line, k in zip(row, which, strict=False):
            line[: len(entries[k])] = entries[k]
    return Table(numbers, arrays, lengths.reshape(len(params), -1), kinds)


def by_run(
    states: Array, params: Array | Sequence[tuple[Any, ...]], runs: Runs
) -> tuple[Array, Runs]:
    """Start states and runs that go with the rows of ``params``, where these are a list with an
    entry per *run*, as the CPU wants it: then each run is a body of its own."""
    if isinstance(params, np.ndarray) or len(params) != len(runs.system):
        return states, runs
    return states[runs.system], runs._replace(system=np.arange(len(params)))


def check(table: Table, states: Array, ground: Ground, runs: Runs, precision: str) -> None:
    if precision not in PRECISIONS:
        raise InputError(f"precision = {precision!r} is not known: choose from {[*PRECISIONS]}.")
    if precision == "float32" and any(table.kinds):
        raise InputError(
            'precision = "float32" is too coarse for a body on a bed of springs: its equations of '
            'motion could not be solved. Use precision="float64".'
        )
    if len(states) != len(table.numbers):
        raise InputError(
            f"{len(states)} start states and {len(table.numbers)} rows of parameters were given: "
            "each body needs one of both."
        )
    for name, index, rows in (
        ("system", runs.system, len(states)),
        ("motion", runs.motion, len(ground.first)),
    ):
        # (as a number without a sign a negative one is too large)
        if len(index) and np.max(np.asarray(index, dtype=np.int64).view(np.uint64)) >= rows:
            raise InputError(
                f"A run's {name} number lies outside 0 … {rows - 1}: there are {rows} of them."
            )
