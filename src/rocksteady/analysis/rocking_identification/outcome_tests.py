"""Tests of which only the outcome is known: a motion, its scale, and whether it overturned."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import number_row
from rocksteady.numerics.types import Array
from rocksteady.specs.motion_sources import one_motion
from rocksteady.text_tables import read_table_file

if TYPE_CHECKING:
    import pandas

YES = ("yes", "y", "true", "1", "1.0", "overturned", "fell")
NO = ("no", "n", "false", "0", "0.0", "stood", "at rest")
COLUMNS = ("motion", "scale", "overturned", "series", "component")
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
    """

    motions: Sequence[Motion]
    overturned: ArrayLike
    scales: ArrayLike | None = None
    series: Sequence[str] | None = None

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

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a CSV table with a row for each test and the columns ``motion`` (a file, relative to
        the table) and ``overturned`` (yes or no); ``scale``, ``series`` and ``component`` (of a
        file with several) if needed."""
        path = Path(path)
        table = read_table_file(path, "a table of tests")
        table.columns = [str(name).strip().lower() for name in table.columns]
        for name in ("motion", "overturned"):
            if name not in table.columns:
                raise InputError(
                    f"{path} has no column {name!r}; it has {', '.join(map(repr, table.columns))}. "
                    f"A table of tests has the columns {', '.join(COLUMNS)}; the first and the "
                    "third are required."
                )
        known: dict[tuple[str, str], Motion] = {}
        motions, outcomes = [], []
        for row in range(len(table)):
            where = f"{path}, test {row + 1}"
            key = _text(table, "motion", row), _text(table, "component", row)
            if key not in known:
                known[key] = _motion(path.parent / key[0], key[1] or None, where)
            motions.append(known[key])
            outcomes.append(_yes(_text(table, "overturned", row), where))
        scales = table["scale"].to_numpy() if "scale" in table.columns else None
        series = [_text(table, "series", row) for row in range(len(table))]
        try:
            return cls(motions, outcomes, scales, series)
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

    @cached_property
    def folds(self) -> NDArray[np.intp]:
        """Tests that are left out together when the others predict them: all of a motion, since
        tests of one motion at two scales resemble each other."""
        motions, which = self.distinct
        if len(motions) < FEWEST:
            return np.asarray(np.arange(len(self)) % min(FOLDS, len(self)))
        return np.asarray(which % min(FOLDS, len(motions)))

    @property
    def scale_values(self) -> Array:
        return np.asarray(self.scales, dtype=float)

    @property
    def outcomes(self) -> NDArray[np.bool_]:
        return np.asarray(self.overturned, dtype=bool)


def _text(table: "pandas.DataFrame", name: str, row: int) -> str:
    """A cell as text; empty where the table has no such column, or nothing there."""
    if name not in table.columns:
        return ""
    cell: Any = table[name].iloc[row]
    return "" if cell is None or cell != cell else str(cell).strip()


def _yes(text: str, where: str) -> bool:
    if text.lower() in YES or text.lower() in NO:
        return text.lower() in YES
    raise InputError(f"{where}: overturned = {text!r} is not allowed: write yes or no.")


def _motion(path: Path, component: str | None, where: str) -> Motion:
    if not path.is_file():
        raise InputError(
            f"{where}: there is no file {path}. Motions are files with a path relative to the "
            "table."
        )
    try:
        return one_motion(path, component)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
