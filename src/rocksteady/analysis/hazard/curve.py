"""A hazard curve: how often, in a year, the shaking at a site exceeds a level."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rocksteady.ensembles.labels import PGA, Measure, measure_named
from rocksteady.errors import InputError
from rocksteady.numbers import number_row, positive, real
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.specs.hazard import HazardSpec

LARGEST = 100.0
"""g or m/s: what no ground reaches, by a factor of twenty. A level above it in a file is a mistake,
mostly of the unit."""
FARTHEST = 1e4
"""The same for curves that are made in Python, of any shape."""
MOST_OFTEN = 1e4
"""1/year: more often than once in an hour nothing is called an event."""
MOST_POINTS = 10_000
"""Levels of a curve; a hazard study has 20 to 100."""
DECADE = 10.0  # ratio of the two levels by which a power law is kept


def rate_of_poe(poe: Any, years: float) -> Any:
    """The yearly rate whose probability of at least one event in so many years is ``poe``:
    −ln(1 − poe)/years. Events come at random and independently (Poisson)."""
    return -np.log1p(-np.asarray(poe, dtype=float)) / positive("years", years)


def poe_of_rate(rate: Any, years: float) -> Any:
    """The probability of at least one event in so many years at a yearly ``rate``:
    1 − exp(−rate · years)."""
    return -np.expm1(-np.asarray(rate, dtype=float) * positive("years", years))


@dataclass(frozen=True, eq=False)
class Hazard:
    """Yearly rates at which levels of a measure of the ground are exceeded; between two levels the
    curve is straight in logarithms.

    Parameters
    ----------
    levels
        Increasing, above zero, in the measure's unit: PGA and SA in g, PGV in m/s.
    rates
        Yearly rates of exceedance [1/year], above zero, nowhere increasing.
    measure
        ``"pga"``, ``"pgv"``, ``"SA(1.0)"`` …
    name
        Where the curve comes from.
    notes
        Sentences about it that a reader must know, such as how far away its site is.
    continued
        The curve goes on below the first and above the last level as a power law. Otherwise the
        rate below the first level is held, and nothing is known above the last.

    Examples
    --------
    >>> curve = Hazard([0.1, 0.2, 0.4, 0.8], [0.02, 0.005, 0.001, 0.0001])
    >>> f"{curve.rate(0.3):.3e}"  # 1/year
    '1.950e-03'
    """

    levels: Array
    rates: Array
    measure: Measure = PGA
    name: str = ""
    notes: tuple[str, ...] = ()
    continued: bool = False

    def __post_init__(self) -> None:
        measure = measure_named(self.measure)
        levels = number_row("levels", self.levels, measure.unit)
        rates = number_row("rates", self.rates, "1/year")
        if len(levels) != len(rates) or len(levels) < 2:
            raise InputError(
                f"A hazard curve needs a rate for each level, and two or more of them: there are "
                f"{len(levels)} levels and {len(rates)} rates."
            )
        problem = problem_with(levels, rates, measure.unit)
        if problem is not None:
            raise InputError(f"A hazard curve cannot have {problem[1]}.")
        for array in (levels, rates):
            array.setflags(write=False)
        for name, value in (("measure", measure), ("levels", levels), ("rates", rates)):
            object.__setattr__(self, name, value)

    # -- where it comes from -----------------------------------------------------------------------

    @classmethod
    def read(
        cls,
        path: str | Path,
        measure: str | Measure | None = None,
        site: tuple[float, float] | None = None,
    ) -> Self:
        """A curve from a file: OpenQuake's CSV, the JSON of the USGS services, or a plain table
        with a heading such as ``pga [g],rate [1/year]``.

        ``measure`` chooses among several, and names that of a table which does not. ``site`` is
        longitude and latitude [°]: the nearest site of the file is taken, and `notes` says how far
        away it is.
        """
        from rocksteady.analysis.hazard.files import read_curve

        return cls(**read_curve(Path(path), measure, site))

    @classmethod
    def power(
        cls, level: float, rate: float, k: float, measure: str | Measure = "pga", name: str = ""
    ) -> Self:
        """The power law λ(x) = ``rate`` (x/``level``)^−``k`` for all levels: PGA in g, PGV in m/s;
        ``rate`` in 1/year."""
        level, rate, k = positive("level", level), positive("rate", rate), positive("k", k)
        by = measure_named(measure)
        said = (
            name
            or f"power law, {by.short} {level:g} {by.unit} once in {1 / rate:.4g} years, k {k:g}"
        )
        return cls(
            np.array([level, DECADE * level]),
            np.array([rate, rate * DECADE**-k]),
            by,
            said,
            continued=True,
        )

    @classmethod
    def from_spec(cls, spec: "HazardSpec", folder: str | Path = ".") -> Self:
        """The curve that a description, such as ``[hazard]`` of a file, stands for; its path begins
        in ``folder``."""
        measure = spec.measure
        if spec.file is not None:
            return cls.read(Path(folder) / spec.file, measure, spec.site)
        if spec.power is not None:
            law = spec.power
            return cls.power(law.level, law.rate, law.k, measure or "pga")
        return cls(np.array(spec.levels), np.array(spec.rates), measure_named(measure or "pga"))

    # -- the curve ---------------------------------------------------------------------------------

    @property
    def slopes(self) -> Array:
        """k of each straight piece: −d ln λ / d ln x."""
        return -np.diff(np.log(self.rates)) / np.diff(np.log(self.levels))

    def rate(self, level: Any) -> Any:
        """Yearly rate at which a level is exceeded [1/year]: straight in logarithms between the
        points. Below the first it is held, above the last it is nan; both unless `continued`."""
        at = np.log(np.asarray(level, dtype=float))
        known, logs = np.log(self.levels), np.log(self.rates)
        found = np.interp(at, known, logs)
        if self.continued:
            first, last = self.slopes[[0, -1]]
            found = np.where(at < known[0], logs[0] - first * (at - known[0]), found)
            above = logs[-1] - last * (at - known[-1])
            return np.exp(np.where(at > known[-1], above, found))[()]
        return np.where(at > known[-1], np.nan, np.exp(found))[()]

    def poe(self, level: Any, years: float = 50.0) -> Any:
        """Probability that a level is exceeded in so many years."""
        return poe_of_rate(self.rate(level), years)

    def level(self, rate: float) -> float:
        """The level that is exceeded at a yearly rate: the highest one; nan where the curve does
        not reach that rate."""
        wanted, logs, known = (
            np.log(positive("rate", rate)),
            np.log(self.rates),
            np.log(self.levels),
        )
        first, last = self.slopes[[0, -1]]
        if self.continued and wanted > logs[0] and first > 0:
            return float(np.exp(known[0] + (logs[0] - wanted) / first))
        if self.continued and wanted < logs[-1] and last > 0:
            return float(np.exp(known[-1] + (logs[-1] - wanted) / last))
        if not logs[-1] <= wanted <= logs[0]:
            return float("nan")
        return float(np.exp(np.interp(-wanted, -logs, known)))

    def reaching(self, low: float | None = None, high: float | None = None) -> Self:
        """The same curve, continued down to one level and up to another by its first and last
        slope."""
        levels, rates = [*self.levels], [*self.rates]
        if low is not None and low < levels[0]:
            rates.insert(0, rates[0] * (levels[0] / low) ** self.slopes[0])
            levels.insert(0, low)
        if high is not None and high > levels[-1]:
            rates.append(rates[-1] * (high / levels[-1]) ** -self.slopes[-1])
            levels.append(high)
        return replace(self, levels=np.array(levels), rates=np.array(rates))

    def told(self, level: float) -> str:
        """A level with its unit: "0.25 g"."""
        return f"{level:.3g} {self.measure.unit}"

    def __repr__(self) -> str:
        ends = f"{self.levels[0]:.3g} to {self.levels[-1]:.3g} {self.measure.unit}"
        rates = f"{self.rates[0]:.3g} to {self.rates[-1]:.3g} 1/year"
        return f"<Hazard: {self.measure.short} {ends}, {rates}>"


def problem_with(
    levels: Array, rates: Array, unit: str = "", largest: float = FARTHEST
) -> tuple[int, str] | None:
    """The first point that no hazard curve can have, and what is wrong with it."""
    if len(levels) > MOST_POINTS:
        return 0, f"{len(levels)} levels: at most {MOST_POINTS} were expected"
    for i, (level, rate) in enumerate(zip(levels, rates, strict=True)):
        if not 0 < real(level) < np.inf:
            return i, f"the level {level:g}: a number above zero was expected"
        if level > largest:
            return i, f"the level {level:g} {unit}: at most {largest:g} {unit} was expected"
        if not 0 < real(rate) < np.inf:
            return i, f"the rate {rate:g} at {level:g} {unit}: a number above zero was expected"
        if rate > MOST_OFTEN:
            return i, f"the rate {rate:g} at {level:g} {unit}: at most {MOST_OFTEN:g} was expected"
        if i and level <= levels[i - 1]:
            return (
                i,
                f"the level {level:g} after {levels[i - 1]:g}: levels that increase were expected",
            )
        if i and rate > rates[i - 1]:
            return i, (
                f"the rate {rate:g} at {level:g} {unit} after {rates[i - 1]:g} at "
                f"{levels[i - 1]:g}: a rate of exceedance cannot grow with the level"
            )
    return None
