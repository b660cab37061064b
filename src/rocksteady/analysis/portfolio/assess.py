"""A town of masonry buildings under earthquake scenarios: damage of each, and of each district."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.portfolio.study import Town
from rocksteady.analysis.portfolio.table import (
    TABLES,
    Buildings,
    read_buildings,
    write_geojson,
    write_table,
)
from rocksteady.ensembles.many import check_backend
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.run import run_many
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import real
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

__all__ = ["DamageStates", "PortfolioResult", "portfolio", "read_buildings", "write_table"]

EXAMPLE = "example_town.csv"
STORY = 3.0  # m, height of a building whose table has none
FAILED = -1  # the damage state of a building of which the method found no answer


@dataclass(frozen=True)
class DamageStates:
    """Where damage begins to be called slight, moderate, extensive and complete.

    A building is in the highest state whose limit its final wear w or its peak drift |u|/height
    reaches; one that collapses is in the last. The limits are a choice, to be adjusted to the
    building stock. Wear of 1, 5, 20, 50 % lowers the frequency of vibration by 0.5, 2.5, 11, 29 %.
    Drifts of 0.4 and 0.53 % are those of EN 1998-3 (Annex C) for significant damage and near
    collapse of masonry walls in shear; 0.1 and 0.2 % stand for first and for visible cracks.
    """

    wear: tuple[float, ...] = (0.01, 0.05, 0.2, 0.5)
    """Limits of wear w [-]."""
    drift: tuple[float, ...] = (0.001, 0.002, 0.004, 0.0053)
    """Limits of drift |u|/height [-]."""
    names: tuple[str, ...] = ("none", "slight", "moderate", "extensive", "complete")

    def __post_init__(self) -> None:
        for what in ("wear", "drift"):
            limits = tuple(real(value) for value in getattr(self, what))
            rising = all(a <= b for a, b in pairwise(limits))
            if len(limits) != len(self.names) - 1 or not (rising and limits[0] > 0):
                raise InputError(
                    f"Limits of {what} = {limits} are not allowed: {len(self.names) - 1} positive "
                    f"numbers that do not fall, one for each of {', '.join(self.names[1:])}."
                )
            object.__setattr__(self, what, limits)

    def judge(self, wear: Array, drift: Array, collapsed: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The state of each building, 0 (none) to 4 (complete)."""
        by_wear = np.searchsorted(self.wear, wear, side="right")
        by_drift = np.searchsorted(self.drift, drift, side="right")
        state = np.maximum(by_wear, by_drift)
        return np.asarray(np.where(collapsed, len(self.names) - 1, state), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class PortfolioResult:
    """What became of every building in every scenario."""

    table: pandas.DataFrame
    """A row per building and scenario; units in the names of columns. Where the method found no
    answer ``damage`` is "failed", ``damage_state`` −1 and NaN what is not known."""
    states: DamageStates
    scenarios: tuple[str, ...]
    place: tuple[str, str]
    """Names of the two columns of coordinates."""

    def of(self, scenario: str) -> pandas.DataFrame:
        """The rows of one scenario, in the order of the buildings."""
        if scenario not in self.scenarios:
            raise InputError(
                f"There is no scenario {scenario!r}: there are "
                f"{', '.join(map(repr, self.scenarios))}."
            )
        return self.table[self.table["scenario"] == scenario]

    def summary(self) -> pandas.DataFrame:
        """By scenario and district: buildings, how many in each state, collapsed, failed (without
        an answer, and so in no state), mean wear and drift of the others."""
        import pandas

        groups = self.table.groupby(["scenario", "district"], sort=False)
        out = pandas.DataFrame({"buildings": groups.size()})
        for i, name in enumerate(self.states.names):
            out[name] = groups["damage_state"].agg(_counter(i))
        out["collapsed"] = groups["collapse_time [s]"].count()
        out["failed"] = groups["damage_state"].agg(_counter(FAILED))
        out["mean wear [-]"] = groups["wear [-]"].mean()
        out["mean drift [-]"] = groups["drift [-]"].mean()
        return out.reset_index()

    def save(self, path: str | Path, crs: str | None = None) -> Path:
        """Write the table: ``.csv``, ``.parquet``, or points on a map, ``.geojson``."""
        if Path(path).suffix in TABLES:
            return write_table(self.table, path)
        return write_geojson(self.table, self.place, path, crs)

    def plot(self, path: str | Path | None = None, scenario: str | None = None) -> Figure:
        """Map of damage states, and their shares by district; the first scenario unless named."""
        return imported("rocksteady.view.portfolio:plot_portfolio")(self, path, scenario)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        count = len(self.table) // len(self.scenarios)
        return f"<PortfolioResult: {count} buildings × {len(self.scenarios)} scenarios>"


def _counter(state: int) -> Callable[[Any], int]:
    """Counts the values that are ``state``."""
    return lambda values: int((values == state).sum())


def portfolio(
    buildings: pandas.DataFrame | str | Path,
    motions: Motion | Mapping[str, Motion],
    *,
    intensity: str | Mapping[str, str] | None = None,
    states: DamageStates | None = None,
    height: float = STORY,
    preset: str | None = None,
    backend: str = "cpu",
    executor: Any = None,
    store: str | Path | None = None,
    precision: str = "float64",
    progress: bool | Progress = True,
) -> PortfolioResult:
    """Run every building of a table under every motion: on all cores, a GPU or a cluster.

    Parameters
    ----------
    buildings
        A table, or a file (.csv, .parquet): ``name`` or ``id``; ``lon`` and ``lat`` [degrees] or
        ``x`` and ``y`` [m]; the parameters of a :class:`MasonryBuilding` by their names, SI units;
        ``district`` and ``height`` [m] where known. Units may follow a name in brackets. A column
        ``preset`` may name a building of the literature, whose parameters fill what is empty.
    motions
        One ground motion, or several by the names of their scenarios.
    intensity
        The column that scales a motion to each building: peak accelerations in m/s², or in the
        unit of its name (``pga [g]``, ``pga [cm/s2]``); peak velocities, if that is its unit
        (``pgv [m/s]``, ``pgv [cm/s]``); or, if it is named ``scale`` or has the unit ``[-]``,
        factors. By scenario, if they differ. Motions are taken as they are without.
    states
        Limits of the damage states.
    height
        Height over which drift is taken [m], of buildings without a column ``height``.
    preset
        The building of the literature whose parameters those have that the table does not give:
        "casalotti2025", which needs the mass of each building.
    backend, executor, store, precision, progress
        A GPU, a Dask cluster, a folder from which an interrupted portfolio resumes, and a progress
        bar, as in :func:`rocksteady.ensemble`. Damage states and heights may be changed afterwards:
        the same store serves them all.
    """
    check_backend(backend, precision)
    table = read_buildings(buildings) if isinstance(buildings, (str, Path)) else buildings
    town = Buildings(_as_table(table), preset)
    shocks = _scenarios(motions)
    limits = states or DamageStates()
    heights = _heights(town, height)
    _check_intensity(intensity, shocks)
    town.warn_of_unread(_columns(intensity, shocks))
    scales = np.array([_scales(town, shocks[name], name, intensity) for name in shocks])
    study = Town(
        tuple(shocks), tuple(shocks.values()), town.ids, town.params, scales, backend, precision
    )
    data = run_many(study, executor=executor, store=store, progress=progress)
    import pandas

    parts = []
    for i, (name, motion) in enumerate(shocks.items()):
        found = {str(key): values.values[i] for key, values in data.data_vars.items()}
        parts.append(_assessed(town, motion, name, scales[i], found, limits, heights))
    whole = pandas.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
    return PortfolioResult(whole, limits, tuple(shocks), town.place)


def _assessed(
    town: Buildings,
    motion: Motion,
    name: str,
    scales: Array,
    found: dict[str, Array],
    limits: DamageStates,
    heights: Array,
) -> pandas.DataFrame:
    """The damage of one scenario."""
    import pandas

    failed = found["failed"] != 0
    known = np.where(failed, np.nan, 1.0)
    peak = known * found["peak_displacement"]
    wear, drift = known * np.clip(found["wear"], 0.0, 1.0), peak / heights
    collapsed = ~np.isnan(found["collapse_time"])
    damage = np.where(failed, FAILED, limits.judge(wear, drift, collapsed))
    columns = {
        "id": town.ids,
        **({} if town.names is None else {"name": town.names}),
        town.place[0]: town.xy[:, 0],
        town.place[1]: town.xy[:, 1],
        "district": town.districts,
        "scenario": name,
        "pga [m/s2]": scales * motion.pga,
        "pgv [m/s]": scales * motion.pgv,
        "peak_displacement [m]": peak,
        "drift [-]": drift,
        "slip [m]": known * found["slip"],
        "hardening [m]": known * found["hardening"],
        "wear [-]": wear,
        "frequency_drop [-]": 1 - np.sqrt(1 - wear),
        "collapse_time [s]": found["collapse_time"],
        "damage_state": damage,
        "damage": np.array([*limits.names, "failed"], dtype=object)[damage],  # −1 is the last
    }
    return pandas.DataFrame(columns)


# -- inputs ----------------------------------------------------------------------------------------


def _as_table(table: Any) -> pandas.DataFrame:
    import pandas

    if not isinstance(table, pandas.DataFrame):
        raise InputError(
            f"buildings is of type {type(table).__name__}: give a table (a pandas DataFrame), or "
            "the name of a .csv or .parquet file."
        )
    return table


def example() -> str:
    """A table of buildings that can be run, with all that it may say."""
    return (files("rocksteady.analysis.portfolio") / EXAMPLE).read_text(encoding="utf-8")


def _scenarios(motions: Any) -> dict[str, Motion]:
    if isinstance(motions, Motion):
        return {motions.name or "scenario": motions}
    if not isinstance(motions, Mapping) or not motions:
        raise InputError(
            "motions must be a Motion, or a dictionary of at least one by the names of scenarios."
        )
    for name, motion in motions.items():
        if not isinstance(motion, Motion):
            raise InputError(f"Scenario {name!r} is a {type(motion).__name__}, not a Motion.")
    return {str(name): motion for name, motion in motions.items()}


def _columns(intensity: str | Mapping[str, str] | None, shocks: Mapping[str, Motion]) -> list[str]:
    """The columns of the intensities, of all scenarios."""
    by_name = intensity if isinstance(intensity, Mapping) else dict.fromkeys(shocks, intensity)
    return [column for column in by_name.values() if column is not None]


def _check_intensity(intensity: object, shocks: Mapping[str, Motion]) -> None:
    """A scenario that is misspelt would be taken as it is, without a word."""
    if not isinstance(intensity, Mapping):
        return
    unknown = [name for name in intensity if name not in shocks]
    if unknown:
        raise InputError(
            f"intensity has a column for {unknown[0]!r}, and there is no such scenario: there are "
            f"{', '.join(map(repr, shocks))}."
        )


def _scales(
    town: Buildings, motion: Motion, name: str, intensity: str | Mapping[str, str] | None
) -> Array:
    column = intensity.get(name) if isinstance(intensity, Mapping) else intensity
    if column is None:
        return np.ones(len(town))
    values, measure = town.peak(column)
    if not measure:
        return values
    if motion.pga == 0:
        raise InputError(f"Scenario {name!r} is still: it cannot be scaled to {column!r}.")
    return values / (motion.pga if measure == "pga" else motion.pgv)


def _heights(town: Buildings, height: float) -> Array:
    heights = town.numbers("height") if "height" in town else np.full(len(town), real(height))
    if not (math.isfinite(heights.min()) and heights.min() > 0):
        raise InputError(f"A height of {heights.min():g} m is not allowed: it must be positive.")
    return heights
