"""Tests of which only the outcome is known: a motion, its scale, and whether it overturned."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.analysis.draws import earthquake_numbers, label_numbers
from rocksteady.analysis.measured_tests import read_tests
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import number_row
from rocksteady.numerics.types import Array

FEWEST = 4
FOLDS = 10


@dataclass(frozen=True, eq=False)
class OutcomeTests:
    """Tests on one block: what shook it, and whether it overturned.

    Parameters
    ----------
    motions
        A motion for each test; the same one may come several times.
    overturned
        True or False for each test.
    scales
        What each motion was multiplied by; 1 unless given.
    series
        A name for each test, the same for tests on one table with one set of sensors; one series
        unless given. It matters if the gain of a series is uncertain.
    groups
        A name for each test, the same for tests with one earthquake, at whatever strength. Tests of
        a group are held out together. If you leave it out, motions of the same event, the same
        record or file, or with the same samples but for a factor are one group.
    """

    motions: Sequence[Motion]
    overturned: ArrayLike
    scales: ArrayLike | None = None
    series: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    group_numbers: NDArray[np.int64] = field(init=False, repr=False)
    """Which group each test belongs to."""

    def __post_init__(self) -> None:
        motions = tuple(self.motions)
        for i, motion in enumerate(motions):
            if not isinstance(motion, Motion):
                raise InputError(
                    f"motions[{i}] = {motion!r} is not a motion: give one for each test, as "
                    "rs.read_motion returns it."
                )
        n = len(motions)
        if n < FEWEST:
            raise InputError(f"There are {n} tests: give at least {FEWEST}, better 50 or more.")
        outcomes = np.asarray(self.overturned)
        if outcomes.shape != (n,) or not np.isin(outcomes, (0, 1)).all():
            raise InputError(
                f"overturned must have True or False for each of the {n} tests; it has shape "
                f"{outcomes.shape}."
            )
        scales = np.ones(n) if self.scales is None else number_row("scales", self.scales)
        series = ("",) * n if self.series is None else tuple(str(name) for name in self.series)
        for name, length in (("scales", len(scales)), ("series", len(series))):
            if length != n:
                raise InputError(f"{name} has {length} entries for {n} tests: give one for each.")
        if not np.isfinite(scales).all():
            raise InputError("scales has an entry that is not a finite number.")
        for name, value in (("motions", motions), ("overturned", outcomes.astype(bool))):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "scales", scales)
        object.__setattr__(self, "series", series)
        if self.groups is None:
            numbers = earthquake_numbers(motions)
        else:
            numbers = label_numbers("groups", self.groups, n, "tests")
        object.__setattr__(self, "group_numbers", numbers)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a table with a row for each test; see `rocksteady.analysis.measured_tests` for its
        columns, of which ``motion`` and ``overturned`` are needed."""
        tests = read_tests(path)
        if not tests.known.all():
            name = tests.names[int(np.argmin(tests.known))]
            raise InputError(
                f"{path}, test {name}: it is not known whether the block overturned. Write yes or "
                "no into the column 'overturned', or leave the test out."
            )
        try:
            return cls(
                tests.motions, tests.fell, tests.scales, tests.series or None, tests.groups or None
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from error

    def __len__(self) -> int:
        return len(self.motions)

    @cached_property
    def distinct(self) -> tuple[tuple[Motion, ...], NDArray[np.int64]]:
        """The motions, each once, and which of them each test has."""
        numbers: dict[int, int] = {}
        which = [numbers.setdefault(id(motion), len(numbers)) for motion in self.motions]
        first = {number: self.motions[i] for i, number in reversed(list(enumerate(which)))}
        return tuple(first[i] for i in range(len(first))), np.array(which, dtype=np.int64)

    @cached_property
    def series_names(self) -> tuple[str, ...]:
        """The series, each once, in the order of the tests."""
        return tuple(dict.fromkeys(self._series))

    @property
    def _series(self) -> Sequence[str]:
        assert self.series is not None
        return self.series

    @cached_property
    def series_numbers(self) -> NDArray[np.intp]:
        """Which of them each test belongs to."""
        return np.array([self.series_names.index(name) for name in self._series], dtype=np.intp)

    @property
    def group_count(self) -> int:
        """How many groups there are."""
        return int(self.group_numbers.max()) + 1

    @cached_property
    def folds(self) -> NDArray[np.intp]:
        """Tests that are left out together when the others predict them: all of a group, since
        tests with one earthquake at two strengths resemble each other. Tests of a single group are
        left out by turns."""
        if self.group_count < 2:
            return np.asarray(np.arange(len(self)) % min(FOLDS, len(self)))
        return np.asarray(self.group_numbers % min(FOLDS, self.group_count))

    @property
    def scale_values(self) -> Array:
        return np.asarray(self.scales, dtype=float)

    @property
    def outcomes(self) -> NDArray[np.bool_]:
        return np.asarray(self.overturned, dtype=bool)
