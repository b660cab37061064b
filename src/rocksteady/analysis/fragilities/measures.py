"""Which measure of the ground says most about a body: efficiency and sufficiency (Luco and Cornell
2007).

A measure is *efficient* if the motions that just overturn a body hardly scatter in it, and
*sufficient* if, given its value, nothing else about the motion matters: neither its frequency
content nor its duration, nor the magnitude and distance it came from.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from rocksteady.analysis.fragilities import probit
from rocksteady.analysis.fragilities.first_falls import first_falls
from rocksteady.analysis.fragilities.two_measures import values_of_runs
from rocksteady.analysis.stripes import OVERTURNED, SOME_RUNS, Limit, Stripes, limit_words
from rocksteady.bodies.system import expect
from rocksteady.ensembles.labels import ARIAS, CAV, HOUSNER, PGA, PGA_ROTD100, PGD, PGV
from rocksteady.motion import Motion, intensity
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST = 8  # clusters from which a slope is tested
SMALL = 0.05  # p-value below which a measure is not called sufficient
METADATA = {"magnitude": ("magnitude",), "ln distance": ("distance", "epicentral_distance")}


class Dependence(NamedTuple):
    """How ln(measure at first fall) depends on something else about the motion."""

    on: str
    slope: float
    p_value: float
    """Of a slope of zero; standard errors by cluster, Student's t."""
    motions: int


class MeasureRow(NamedTuple):
    """One measure of the ground."""

    name: str
    unit: str
    median: float
    """At first falls."""
    sigma: float
    """Standard deviation of its logarithm at first falls [-]: the smaller, the more efficient. For
    a measure that grows with the square of the acceleration, that of its root."""
    log_loss: float
    """Of a probit in its logarithm, per run at or above lift-off [-]: the smaller, the better."""
    dependence: tuple[Dependence, ...]

    @property
    def tested(self) -> bool:
        """Whether there were enough motions to look for a dependence."""
        return any(math.isfinite(one.p_value) for one in self.dependence)

    @property
    def sufficient(self) -> bool:
        """Whether no dependence on something else was found."""
        return not any(one.p_value < SMALL for one in self.dependence)


@dataclass(frozen=True, eq=False)
class MeasureTable:
    """The measures side by side."""

    limit: Limit
    rows: tuple[MeasureRow, ...]
    motions: int
    """With a first fall between the levels: those that the scatter is taken from."""

    @property
    def best(self) -> MeasureRow:
        """The most efficient."""
        return min(self.rows, key=lambda row: row.sigma if math.isfinite(row.sigma) else math.inf)

    @property
    def sentence(self) -> str:
        best = self.best
        if not math.isfinite(best.sigma):
            return (
                "Too few motions reach the limit to compare measures: give more, or higher levels."
            )
        first = next(row for row in self.rows if row.name == PGA.short)
        text = (
            f"{best.name} is the most efficient of these measures: its logarithm scatters by "
            f"{best.sigma:.2f} at first falls"
        )
        if best is not first:
            text += f", that of PGA by {first.sigma:.2f}"
        if not best.tested:
            return f"{text}; there are too few motions to tell whether it is sufficient."
        left = [one for one in best.dependence if one.p_value < SMALL]
        if left:
            worst = max(left, key=lambda one: abs(one.slope))
            return (
                f"{text}; it is not sufficient: the rest depends on {worst.on} (slope "
                f"{worst.slope:.2f})."
            )
        return f"{text}; no dependence on anything else was found."

    def table(self) -> list[dict[str, Any]]:
        """A row of plain values for each measure."""
        return [
            {
                "measure": row.name,
                "unit": row.unit,
                "median_at_first_fall": row.median,
                "sigma_ln": row.sigma,
                "log_loss_per_run": row.log_loss,
                **{f"slope_on_{one.on}": one.slope for one in row.dependence},
                **{f"p_value_on_{one.on}": one.p_value for one in row.dependence},
            }
            for row in self.rows
        ]

    def summary(self) -> dict[str, Any]:
        """Plain numbers: None where there is none."""
        rows = [{key: _plain(value) for key, value in row.items()} for row in self.table()]
        return {
            "limit": limit_words(self.limit),
            "motions_with_a_first_fall": self.motions,
            "measures": rows,
            "sentence": self.sentence,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """The scatter at first falls and the log loss of each."""
        draw = imported("rocksteady.view.fragility_measures:plot_measures")
        return draw(self, path)  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def compare_measures(runs: Stripes, limit: Limit = OVERTURNED) -> MeasureTable:
    """Efficiency and sufficiency of PGA, PGV, PGV·p/(g tan α), Housner intensity, √Arias, CAV and
    PGD, from the same runs, whatever measure the stripes are in."""
    expect(runs, Stripes, "compare_measures", SOME_RUNS)
    beyond = runs.beyond(limit)
    first = first_falls(runs.levels, beyond, runs.known)
    at = np.isfinite(first.capacities)
    others = _others(runs.motions)
    # at first fall: what each motion was multiplied by
    own = np.array([runs.measure.of(motion) for motion in runs.motions])
    with np.errstate(invalid="ignore"):
        scale = (first.capacities / own) ** (1 / runs.measure.power)
    lifting = runs.levels >= np.where(np.isnan(runs.lifts), 0.0, runs.lifts)[:, None]
    used = runs.known & lifting
    rows = []
    for name, unit, values, factor in _measures(runs):
        capacity = np.log(values * scale)
        x = np.log(values_of_runs(runs, list(values), 1.0))
        rows.append(
            MeasureRow(
                name,
                unit,
                float(factor * np.exp(np.mean(capacity[at]))) if at.any() else math.nan,
                float(np.std(capacity[at], ddof=1)) if at.sum() > 2 else math.nan,
                _loss(x, beyond, used),
                tuple(
                    _dependence(on, capacity, what, runs.clusters, at & np.isfinite(what))
                    for on, what in others.items()
                ),
            )
        )
    return MeasureTable(limit, tuple(rows), int(at.sum()))


def _measures(runs: Stripes) -> list[tuple[str, str, Array, float]]:
    """Name, unit, value for each motion, and what turns that into the unit. Each grows in
    proportion to the acceleration: of Arias intensity it is the root."""
    found: list[tuple[str, str, Array, float]] = []
    in_space = (PGA_ROTD100,) if runs.system.spatial else ()
    for measure in (PGA, *in_space, PGV, HOUSNER, ARIAS, CAV, PGD):
        values = np.array([measure.of(motion) for motion in runs.motions]) ** (1 / measure.power)
        name = f"√{measure.short}" if measure.power == 2 else measure.short
        unit = f"({measure.unit})^½" if measure.power == 2 else measure.unit
        found.append((name, unit, values, 1.0))
        if measure is PGV and runs.system.rocks:
            body: Any = runs.system
            factor = body.p / (body.g * math.tan(body.alpha))
            found.append(("p·PGV/(g tan α)", "1", values, factor))
    return found


def _others(motions: tuple[Motion, ...]) -> dict[str, Array]:
    """What else is known of the motions: none of it changes with the scale."""
    others = {
        "ln(PGV/PGA)": np.log([PGV.of(m) / (PGA.of(m) * PGA.si) for m in motions]),
        "ln D5-95": np.log([intensity.significant_duration(m) for m in motions]),
    }
    for name, keys in METADATA.items():
        values = np.array([_number(m, keys) for m in motions])
        if name.startswith("ln"):
            with np.errstate(invalid="ignore", divide="ignore"):
                values = np.log(values)
        if np.isfinite(values).sum() >= FEWEST:
            others[name] = values
    return others


def _number(motion: Motion, keys: tuple[str, ...]) -> float:
    for key in keys:
        try:
            return float(motion.meta[key])
        except (KeyError, TypeError, ValueError):
            continue
    return math.nan


def _loss(x: Array, beyond: Any, used: Any) -> float:
    design = np.stack([np.ones(x.size), x.ravel()], axis=-1)
    y, weight = beyond.ravel().astype(float), used.ravel().astype(float)
    found = probit.fit(design, y, weight)
    return probit.log_loss(found, design, y, weight) if found.converged else math.nan


def _dependence(on: str, capacity: Array, other: Array, clusters: Any, at: Any) -> Dependence:
    """Least squares of one on the other, standard error by cluster."""
    y, x = capacity[at], other[at]
    numbers = np.unique(clusters[at], return_inverse=True)[1]
    groups = int(numbers.max()) + 1 if len(numbers) else 0
    if groups < FEWEST or np.ptp(x) == 0:
        return Dependence(on, math.nan, math.nan, int(at.sum()))
    off = x - x.mean()
    slope = float(off @ y / (off @ off))
    residual = y - y.mean() - slope * off
    scores = np.bincount(numbers, weights=off * residual)
    error = math.sqrt(float(scores @ scores) * groups / (groups - 2)) / float(off @ off)
    p_value = 2 * student.sf(abs(slope) / error, groups - 2) if error > 0 else 0.0
    return Dependence(on, slope, float(p_value), int(at.sum()))
