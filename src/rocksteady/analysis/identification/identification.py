"""Identify a masonry building from a measured force–displacement curve."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.analysis.identification.curve import checked_curve
from rocksteady.analysis.identification.findings import findings, strong_correlations
from rocksteady.analysis.identification.fit import (
    PARAMETERS,
    Problem,
    Stage,
    default_box,
    fit_stages,
    sketch,
)
from rocksteady.analysis.identification.mass import mass_from_frequency
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.95  # of the intervals


@dataclass(frozen=True, eq=False)
class Identification:
    """A building identified from a curve; dictionaries by parameter name, values in SI units."""

    displacement: Array
    """As measured [m]."""
    force: Array
    """As measured [N]."""
    contact_area: float
    """As given [m²]."""
    values: dict[str, float]
    """The six parameters; NaN if the curve does not determine one."""
    intervals: dict[str, tuple[float, float]]
    """95 % confidence intervals; the whole possible range for an undetermined parameter."""
    fixed: dict[str, float]
    """Parameters that were given, not fitted."""
    free: tuple[str, ...]
    """Parameters that were fitted: the rows and columns of ``correlation``."""
    correlation: Array
    """Correlation of the fitted parameters' logarithms."""
    fitted: Array
    """The law's force at each displacement [N]."""
    noise: float
    """Standard deviation of the residual [N]."""
    findings: tuple[str, ...]
    """Remarks in words: undetermined parameters, strong correlations, misfit."""

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Parameters that the curve does not determine."""
        return tuple(name for name in PARAMETERS if math.isnan(self.values[name]))

    @property
    def residual(self) -> Array:
        """Measured minus fitted force [N]."""
        return self.force - self.fitted

    @property
    def strong_correlations(self) -> dict[tuple[str, str], float]:
        """Pairs of fitted parameters whose absolute correlation is 0.9 or more."""
        return strong_correlations(self.free, self.correlation)

    def building(self, mass: float, damping: float = 0.0, **assumed: float) -> MasonryBuilding:
        """The building with this mass [kg] and viscous damping [N s/m].

        You must assume undetermined parameters by name: ``wear_energy=4.0``.
        """
        extra = [name for name in assumed if name not in self.undetermined]
        if extra:
            raise InputError(
                f"{extra[0]} cannot be assumed here: {', '.join(self.undetermined) or 'nothing'} "
                "is left to assume. Give what is known to identify(fixed=...)."
            )
        missing = [name for name in self.undetermined if name not in assumed]
        if missing:
            raise InputError(
                f"The curve does not determine {', '.join(missing)}: assume a value, as in "
                f"building(mass, {missing[0]}=...), or measure a longer curve."
            )
        return MasonryBuilding(
            mass=mass, contact_area=self.contact_area, damping=damping, **{**self.values, **assumed}
        )

    def mass_from_frequency(self, frequency: float) -> float:
        """Mass [kg] of a building of this stiffness that vibrates at ``frequency`` [Hz]."""
        return mass_from_frequency(self.values["stiffness"], self.contact_area, frequency)

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot fit, residual, intervals and correlations."""
        return imported("rocksteady.view.identification:plot_identification")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        known = ", ".join(f"{k} {v:.4g}" for k, v in self.values.items() if not math.isnan(v))
        return f"<Identification: {known}; noise {self.noise:.3g} N>"


def identify(
    displacement: ArrayLike,
    force: ArrayLike,
    *,
    contact_area: float,
    fixed: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Identification:
    """Fit the masonry law to a force–displacement curve, monotonic or cyclic.

    Least squares of the force, on the logarithms of the parameters. F-tests (1 %) decide which
    parts of the law the curve supports: one without slip gives only a stiffness. Intervals come
    from the Jacobian and t-quantiles, and allow for noise that varies from point to point. They
    account for independent noise, not for a misfit of the law.

    Parameters
    ----------
    displacement, force
        The history [m, N], in the order of measurement, from the first push of an unworn building.
        Linear between points; if it does not start at zero, a push to its first value is added.
    contact_area
        A_c [m²]. Required: c A_c with k_a, τ_0, A∞, Γ divided by c gives the same curve.
    fixed
        Known parameters, by name: ``{"wear_exponent": 2.0}``.
    bounds
        (lowest, highest) of parameters, by name; by default wide bounds from the curve.
    progress
        Called with (stages done, all stages).

    Examples
    --------
    >>> import numpy as np
    >>> from rocksteady.analysis.pushover import pushover
    >>> house = MasonryBuilding.casalotti2025(mass=40e3)
    >>> curve = pushover(house, np.linspace(0, 0.018, 200))
    >>> found = identify(curve.displacement, curve.force, contact_area=16.07)
    >>> round(found.values["hardening_rate"], 2), round(found.values["wear_exponent"], 3)
    (500.0, 2.0)
    """
    u, F = checked_curve(displacement, force)
    area = positive("contact_area", contact_area, "m²")
    known = _checked_fixed(fixed or {})
    seen = sketch(u, F, area)
    box = _checked_box(default_box(seen), bounds or {}, known)
    problem = Problem(u, F, area, known, box)
    stage = fit_stages(problem, seen, progress or (lambda done, total: None))
    return _judged(problem, stage)


def _judged(problem: Problem, stage: Stage) -> Identification:
    """Intervals, correlations and remarks for a fit."""
    from scipy.stats import t

    J = problem.jacobian(stage.free, stage.values)
    fitted = problem.curve(stage.values)
    size = np.sqrt(np.sum(J**2, axis=0))
    free = tuple(n for n, s in zip(stage.free, size, strict=True) if s > 1e-9 * problem.size)
    J = J[:, [stage.free.index(name) for name in free]]
    residual, spare = problem.force - fitted, max(len(problem.u) - len(free), 1)
    noise = math.sqrt(float(np.sum(residual**2)) / spare)
    deviation, correlation = _covariance(J, residual)
    reach = float(t.ppf(0.5 + LEVEL / 2, spare)) * deviation
    values = {n: stage.values[n] if n in free else math.nan for n in PARAMETERS} | problem.fixed
    intervals = dict.fromkeys(PARAMETERS, (0.0, math.inf))
    intervals |= {n: (v, v) for n, v in problem.fixed.items()}
    for name, half in zip(free, reach, strict=True):
        half = min(half, 600.0)  # avoids overflow of exp
        intervals[name] = (values[name] * math.exp(-half), values[name] * math.exp(half))
    if math.isnan(values["threshold"]):
        intervals["threshold"] = (problem.size / problem.area, math.inf)
    words = findings(problem, free, values, intervals, correlation, residual)
    return Identification(
        displacement=problem.u,
        force=problem.force,
        contact_area=problem.area,
        values=values,
        intervals=intervals,
        fixed=problem.fixed,
        free=free,
        correlation=correlation,
        fitted=fitted,
        noise=noise,
        findings=words,
    )


def _covariance(J: Array, residual: Array) -> tuple[Array, Array]:
    """Standard deviations of the logarithms and their correlation.

    The deviation is the larger of two: the textbook's s²(JᵀJ)⁻¹, for equal noise at every point,
    and White's (HC3, with the leverage h), for noise that is larger at some points than at others:
    (JᵀJ)⁻¹ Jᵀ diag(r²/(1 − h)²) J (JᵀJ)⁻¹. The correlation is the textbook's.
    """
    points, count = J.shape
    if count == 0:
        return np.zeros(0), np.zeros((0, 0))
    scale = np.sqrt(np.sum(J**2, axis=0))
    Q, R = np.linalg.qr(J / scale)
    inverse = np.linalg.pinv(R, rcond=1e-10)
    equal = inverse @ inverse.T
    variance = np.sum(residual**2) / max(points - count, 1) * np.diag(equal)
    leverage = np.minimum(np.sum(Q**2, axis=1), 1 - 1e-9)
    lever = inverse @ Q.T * (residual / (1 - leverage))
    deviation = np.sqrt(np.maximum(variance, np.sum(lever**2, axis=1))) / scale
    spread = np.sqrt(np.diag(equal))
    return deviation, np.asarray(equal / np.outer(spread, spread))


# -- checks ----------------------------------------------------------------------------------------


def _checked_name(name: str, where: str) -> str:
    if name not in PARAMETERS:
        raise InputError(
            f"{where} has {name!r}, which is not a parameter of the fit: use "
            f"{', '.join(PARAMETERS)}."
        )
    return name


def _checked_fixed(fixed: Mapping[str, float]) -> dict[str, float]:
    known = {}
    for name, value in fixed.items():
        _checked_name(name, "fixed")
        if name == "hardening_limit" and value == 0:
            known[name] = 0.0
        else:
            known[name] = positive(f"fixed {name}", value)
    return known


def _checked_box(
    box: dict[str, tuple[float, float]],
    bounds: Mapping[str, tuple[float, float]],
    known: Mapping[str, float],
) -> dict[str, tuple[float, float]]:
    for name, pair in bounds.items():
        _checked_name(name, "bounds")
        if name in known:
            raise InputError(f"{name} is both fixed and bounded: give one of them.")
        try:
            low, high = (float(value) for value in pair)
        except (TypeError, ValueError):
            low = high = math.nan
        if not (0 < low < high < math.inf):
            raise InputError(
                f"bounds of {name} = {pair!r} are not allowed: give two positive numbers, the "
                "lower one first."
            )
        box[name] = (low, high)
    return box
