"""The least-squares fit behind `identify`: stages, starting values from the curve, multi-start.

The logarithms of the parameters are fitted, because all are positive and their errors are relative.
Four stages are fitted, each with more of the law than the one before; an F-test decides which of
them the curve supports.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.analysis.pushover import pushed
from rocksteady.numerics.types import Array

PARAMETERS = (
    "stiffness",
    "threshold",
    "hardening_rate",
    "hardening_limit",
    "wear_energy",
    "wear_exponent",
)
SLIP, HARDENING, WEAR = PARAMETERS[1:2], PARAMETERS[2:4], PARAMETERS[4:]
HASTE = 5e2  # largest wear rate times slip path: beyond this the interface is worn out at once
NO_WEAR = 1e150  # Γ [N/m · m^(1/γ)] of an interface that does not wear
STEP = 1e-4  # of a logarithm, for central differences: the curve is accurate to 1e-7
SIGNIFICANT = 0.01  # significance level of the F-test
TRIES = 4  # most starts of a stage
ROUGH = 1e-4  # relative gain at which stages are compared; the chosen one is refined
EXPONENTS = (1.0, 2.0, 4.0)  # γ to start from

Box = Mapping[str, tuple[float, float]]


def fastest_wear(values: Mapping[str, float], way: float) -> float:
    """Upper bound of D = dw/dα [1/m] of such a building along a slip path of ``way`` [m]."""
    k, tau0, a, limit, gamma, exponent = (values[name] for name in PARAMETERS)
    x = a * way
    stored = limit * ((x - 3) + (3 + x) * math.exp(-x)) / a  # largest without wear
    energy = (tau0 + limit * min(1.0, 0.25 + x)) ** 2 / (2 * k) + max(stored, 0.0)
    return math.exp(min(exponent * math.log(energy / gamma), 600.0))


@dataclass(frozen=True)
class Stage:
    """One fit: the free parameters, all values, and the residual."""

    free: tuple[str, ...]
    values: dict[str, float]
    squares: float
    """Sum of squared residuals [N²]."""


class Problem:
    """A measured curve, the contact area, the fixed parameters and the bounds of the others."""

    def __init__(
        self, u: Array, force: Array, area: float, fixed: Mapping[str, float], box: Box
    ) -> None:
        self.u, self.force, self.area = u, force, area
        self.fixed, self.box = dict(fixed), dict(box)
        self.size = float(np.abs(force).max())
        self.way = float(np.abs(np.diff(u, prepend=0.0)).sum())

    def curve(self, values: Mapping[str, float]) -> Array:
        """The force [N] of the law with these parameters at each displacement."""
        if fastest_wear(values, self.way) * self.way >= HASTE:
            return np.zeros(len(self.u))
        params = (1.0, self.area, *(float(values[name]) for name in PARAMETERS), 0.0)
        return np.asarray(self.area * pushed(params, self.u)[:, 1])

    def squares(self, values: Mapping[str, float]) -> float:
        return float(np.sum((self.curve(values) - self.force) ** 2))

    def jacobian(self, free: tuple[str, ...], values: Mapping[str, float]) -> Array:
        """Force over the logarithm of each free parameter [N], by central differences."""
        columns = []
        for name in free:
            up = self.curve({**values, name: values[name] * math.exp(STEP)})
            down = self.curve({**values, name: values[name] * math.exp(-STEP)})
            columns.append((up - down) / (2 * STEP))
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.u), 0))

    def fit(self, free: tuple[str, ...], start: Mapping[str, float], fine: float = 1e-9) -> Stage:
        """Least squares from one start, within the bounds, until the gain is below ``fine``."""
        from scipy.optimize import least_squares

        free = tuple(name for name in free if name not in self.fixed)
        start = {**start, **self.fixed}
        if not free:
            return Stage(free, start, self.squares(start))
        low, high = (np.log([self.box[name][side] for name in free]) for side in (0, 1))
        first = np.clip(np.log([start[name] for name in free]), low + 1e-9, high - 1e-9)

        def named(logs: Array) -> dict[str, float]:
            return {**start, **dict(zip(free, np.exp(logs).tolist(), strict=True))}

        def wrong(logs: Array) -> Array:
            return (self.curve(named(logs)) - self.force) / self.size

        def slope(logs: Array) -> Array:
            return self.jacobian(free, named(logs)) / self.size

        found = least_squares(
            wrong,
            first,
            jac=slope,
            bounds=(low, high),
            x_scale="jac",
            xtol=fine,
            ftol=fine,
            gtol=1e-10,
            max_nfev=60,
        )
        values = named(found.x)
        return Stage(free, values, self.squares(values))

    def best(self, free: tuple[str, ...], starts: list[dict[str, float]]) -> Stage:
        """The best fit from the most promising of ``starts``, until two of them agree."""
        starts = [{**start, **self.fixed} for start in starts]
        starts.sort(key=self.squares)
        best = self.fit(free, starts[0], ROUGH)
        for start in starts[1:TRIES]:
            found = self.fit(free, start, ROUGH)
            best, worse = sorted((best, found), key=lambda stage: stage.squares)
            if worse.squares <= (1 + 10 * ROUGH) * best.squares + (1e-5 * self.size) ** 2:
                break
        return best

    def needs(self, more: Stage, less: Stage) -> bool:
        """Whether the curve supports the extra parameters of ``more`` (F-test)."""
        from scipy.stats import f

        extra = len(more.free) - len(less.free)
        spare = len(self.u) - len(more.free)
        if extra <= 0 or spare <= 0:
            return extra <= 0
        noise = max(more.squares, (1e-7 * self.size) ** 2 * len(self.u)) / spare
        return bool(f.sf((less.squares - more.squares) / extra / noise, extra, spare) < SIGNIFICANT)


# -- starting values and bounds, from the curve ---------------------------------------------------


@dataclass(frozen=True)
class Sketch:
    """The main features of a curve: first slope and peak."""

    stiffness: float
    peak: float
    """Largest |τ| [N/m²]."""
    at_peak: float
    """|u| at the peak [m]."""
    reach: float
    """Largest |u| [m]."""


def sketch(u: Array, force: Array, area: float) -> Sketch:
    """Its features; the first slope is the steepest line from the origin through the first part."""
    size, stress = np.abs(u), np.abs(force) / area
    peak, reach = float(stress.max()), float(size.max())
    slopes = []
    for share in (0.25, 0.4, 0.6):
        beyond = np.flatnonzero(stress >= share * peak)
        part = slice(0, max(int(beyond[0]) + 1, min(3, len(u))))
        across = float(np.sum(u[part] ** 2))
        if across > 0:
            slopes.append(float(np.sum(u[part] * force[part])) / across / area)
    slopes = [slope for slope in slopes if slope > 0]
    steepest = max(slopes, default=peak / reach)
    return Sketch(steepest, peak, max(float(size[np.argmax(stress)]), 1e-3 * reach), reach)


def default_box(seen: Sketch) -> dict[str, tuple[float, float]]:
    """Bounds wide enough for any building with such a curve."""
    work = seen.peak * seen.reach
    return {
        "stiffness": (1e-2 * seen.stiffness, 1e3 * seen.stiffness),
        "threshold": (1e-3 * seen.peak, 1e2 * seen.peak),
        "hardening_rate": (1e-2 / seen.reach, 1e2 / seen.reach),
        "hardening_limit": (1e-5 * seen.peak, 1e4 * seen.peak),
        "wear_energy": (1e-12 * work, 1e12 * work),
        "wear_exponent": (0.1, 10.0),
    }


def _slip_starts(seen: Sketch, k: float) -> list[dict[str, float]]:
    return [
        {**_unused(seen), "stiffness": k, "threshold": share * seen.peak}
        for share in (0.3, 0.5, 0.7, 0.85, 0.98)
    ]


def _hardening_starts(seen: Sketch, simple: Stage) -> list[dict[str, float]]:
    starts = []
    for k in {simple.values["stiffness"], seen.stiffness}:
        for share in (0.3, 0.5, 0.7, 0.9):
            for growth in (1.0, 3.0, 10.0):
                starts.append(
                    {
                        **_unused(seen),
                        "stiffness": k,
                        "threshold": share * seen.peak,
                        "hardening_limit": (1.03 - share) * seen.peak / -math.expm1(-growth),
                        "hardening_rate": growth / seen.at_peak,
                    }
                )
    return starts


def _wear_starts(seen: Sketch, others: list[dict[str, float]]) -> list[dict[str, float]]:
    """For each γ, Γ for a wear of 0.02 … 0.5 at the end of the curve."""
    starts = []
    for values in others:
        limit, k = values["hardening_limit"], values["stiffness"]
        energy = (values["threshold"] + limit) ** 2 / (2 * k) + limit * seen.reach
        for exponent in EXPONENTS:
            for worn in (0.02, 0.1, 0.5):
                rate = (exponent + 1) * worn / seen.reach
                gamma = energy / rate ** (1 / exponent)
                starts.append({**values, "wear_energy": gamma, "wear_exponent": exponent})
    return starts


def _unused(seen: Sketch) -> dict[str, float]:
    """Values of the parts of the law that a stage leaves out."""
    return {
        "threshold": 1e2 * seen.peak,
        "hardening_rate": 1 / seen.reach,
        "hardening_limit": 0.0,
        "wear_energy": NO_WEAR,
        "wear_exponent": 1.0,
    }


# -- the stages ------------------------------------------------------------------------------------


def fit_stages(problem: Problem, seen: Sketch, progress: Callable[[int, int], Any]) -> Stage:
    """The fit with only the stages that the curve supports."""
    stage = _supported_stage(problem, seen, progress)
    return problem.fit(stage.free, stage.values)


def _supported_stage(problem: Problem, seen: Sketch, progress: Callable[[int, int], Any]) -> Stage:
    elastic = problem.fit(("stiffness",), {**_unused(seen), "stiffness": seen.stiffness})
    progress(1, 4)
    k = elastic.values["stiffness"]
    simple = problem.best(
        ("stiffness", *SLIP), _slip_starts(seen, seen.stiffness) + _slip_starts(seen, k)
    )
    progress(2, 4)
    hardens_to = _hardening_starts(seen, simple)
    hard = problem.best(("stiffness", *SLIP, *HARDENING), hardens_to)
    progress(3, 4)
    hardens_to.sort(key=problem.squares)
    full = problem.best(PARAMETERS, _wear_starts(seen, [hard.values, *hardens_to[:6]]))
    progress(4, 4)
    known = problem.fixed
    if "wear_energy" in known or problem.needs(full, hard):
        soft = {**full.values, "hardening_limit": 0.0}
        brittle = problem.best(
            ("stiffness", *SLIP, *WEAR), _wear_starts(seen, [simple.values, soft])
        )
        return full if "hardening_limit" in known or problem.needs(full, brittle) else brittle
    if "hardening_limit" in known or problem.needs(hard, simple):
        return hard
    return simple if "threshold" in known or problem.needs(simple, elastic) else elastic
