"""Many motions and many runs, laid out as compiled code reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.motion import Motion
from rocksteady.numerics.decorators import array_kernel, inner_array_kernel
from rocksteady.numerics.types import Array

PLANAR = ("accel", "vertical")


def directions(components: Sequence[str]) -> tuple[str, ...]:
    """The components of a motion that a step is given, in order, where its theory takes these: the
    first two always, the transverse one where it is among them."""
    return (*PLANAR, "transverse") if "transverse" in components else PLANAR


def samples_of(motion: Motion, components: Sequence[str]) -> tuple[Array, ...]:
    """An array for each component of the ground [m/s²] that a step is given; zeros for one that the
    motion does not have. Copies: a compiled driver accepts one type of array."""
    return tuple([np.array(_component(motion, name)) for name in directions(components)])


def _component(motion: Motion, name: str) -> Array:
    values = getattr(motion, name)
    return np.zeros(len(motion)) if values is None else np.asarray(values)


def _end_to_end(motions: Sequence[Motion], name: str, count: NDArray[np.int64]) -> Array:
    """A component of all motions; where none has it, zeros that are not written one by one."""
    if all(getattr(motion, name) is None for motion in motions):
        return np.zeros(count.sum())
    return np.concatenate([_component(motion, name) for motion in motions])


class Ground(NamedTuple):
    """Motions laid end to end: motion m has ``count[m]`` samples from ``first[m]`` on."""

    accel: tuple[Array, ...]
    """Acceleration [m/s²] of all samples, an array for each component: see `directions`."""
    first: NDArray[np.int64]
    count: NDArray[np.int64]  # type: ignore[assignment]
    dt: Array
    """Time step of each motion [s]."""

    @classmethod
    def of(cls, motions: Sequence[Motion], components: Sequence[str] = PLANAR) -> Ground:
        """Of motions, with the components that a theory takes."""
        count = np.array([len(motion) for motion in motions], dtype=np.int64)
        return cls(
            tuple(_end_to_end(motions, name, count) for name in directions(components)),
            np.cumsum(count) - count,
            count,
            np.array([motion.dt for motion in motions]),
        )

    def plain(self) -> Ground:
        """The same, as compiled code knows it."""
        accel, *others = self
        return Ground(tuple(plain(accel)), *plain(others))


def plain(arrays: Sequence[Any]) -> list[Any]:
    """The same, as compiled code knows them: contiguous, and writeable where someone froze them."""
    return [np.require(array, requirements=["C", "W"]) for array in arrays]


@inner_array_kernel
def sample(ground, i):  # type: ignore[no-untyped-def]
    """The ground at sample i, from an array for each component."""
    if len(ground) == 2:  # known when compiled: only one of the two returns remains
        return ground[0][i], ground[1][i]
    return ground[0][i], ground[1][i], ground[2][i]


@inner_array_kernel
def scaled_sample(ground, i, scale):  # type: ignore[no-untyped-def]
    """The same of a motion that is multiplied by a scale."""
    i = np.uintp(i)  # not signed: that would be checked for counting from the end
    if len(ground) == 2:
        return scale * ground[0][i], scale * ground[1][i]
    return scale * ground[0][i], scale * ground[1][i], scale * ground[2][i]


EACH = np.ones(3, dtype=np.int64)


class Runs(NamedTuple):
    """Which body under which motion, multiplied by what.

    Run n, counted from ``first``, has the entries n // every of these lists, which begin again when
    they have come to their end: with an ``every`` of one, an entry for each run; otherwise the axes
    of a study, whose last changes fastest.
    """

    system: NDArray[np.int64]
    """Row of the tables of start states and parameters."""
    motion: NDArray[np.int64]
    scale: Array
    every: NDArray[np.int64] = EACH
    first: int = 0

    @classmethod
    def grid(cls, systems: int, motions: int, scales: Array) -> Runs:
        """Every system under every motion times every scale."""
        every = np.array([motions * len(scales), len(scales), 1])
        return cls(np.arange(systems), np.arange(motions), scales, every)

    @property
    def total(self) -> int:
        """How many runs there are."""
        lists = zip(self.every, (self.system, self.motion, self.scale), strict=True)
        return max(int(every) * len(entries) for every, entries in lists) - self.first

    def part(self, start: int, stop: int) -> Runs:
        """The same for the runs from ``start`` to ``stop``, an entry each."""
        start, stop = self.first + start, self.first + stop
        parts: list[Any] = []
        for entries, every in zip(self[:3], self.every.tolist(), strict=True):
            if every == 1 and stop <= len(entries):
                parts.append(entries[start:stop])
            else:
                parts.append(entries[np.arange(start, stop) // every % len(entries)])
        return Runs(*parts)


@array_kernel
def run_of(runs, run):  # type: ignore[no-untyped-def]
    """(system, motion, scale) of a run."""
    n = runs.first + run
    system = runs.system[n // runs.every[0] % len(runs.system)]
    motion = runs.motion[n // runs.every[1] % len(runs.motion)]
    return system, motion, runs.scale[n // runs.every[2] % len(runs.scale)]
