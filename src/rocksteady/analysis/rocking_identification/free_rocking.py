"""Identify a block from a signal of free rocking: angle, displacement of a point, or rate."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.analysis.rocking_identification.free_fit import MISFIT, MORE, FreeFit, fit_signal
from rocksteady.analysis.rocking_identification.free_signal import (
    DRIFT,
    ETA,
    FIRST,
    KINDS,
    OFFSET,
    THETA0,
    Sensor,
    Sides,
    Unknowns,
    fall_time,
)
from rocksteady.analysis.rocking_identification.identified import LOGARITHMIC, IdentifiedBlock
from rocksteady.errors import InputError
from rocksteady.numbers import finite, number_row, positive, real, yes_or_no
from rocksteady.numerics.types import Array


def identify_block(
    time: ArrayLike,
    signal: ArrayLike,
    *,
    kind: str = "angle",
    height: float | None = None,
    width: float = 0.0,
    symmetric: bool = True,
    released: float | str | None = None,
    clock: float = 0.0,
    gain: float = 0.0,
    drifting_clock: bool = False,
) -> IdentifiedBlock:
    """Find p, α and η of a block from a record of its free rocking, with 90 % intervals.

    Neither sizes nor starting values are needed. The sensor's offset and steady drift are fitted,
    too; the record may have noise, begin while the block is held and end early.

    Parameters
    ----------
    time, signal
        The record [s, unit of the signal].
    kind
        What was measured: ``"angle"`` [rad], ``"displacement"`` [m] of a point of the block, or
        ``"rate"`` [rad/s], by a gyroscope.
    height
        Height of the point whose displacement is measured, above the base [m].
    width
        Width of the base [m], for a displacement: the point lies above its middle, and moves by
        height·sin θ + width/2·(1 − cos θ). Without it the second term is left out.
    symmetric
        False for a body with different angles to the right and to the left. Its η is `Block.eta`:
        every impact keeps η² of the energy, as in Housner's theory and ``rs.Housner(r=η²)``.
    released
        Time of the release [s], if it is known; ``"fit"`` to find it. Unless given, a record that
        begins at rest is taken to begin with the release, and any other release is found.
    clock
        Standard deviation of the clock's rate, relative (2e-4 for 200 parts in a million). The
        record cannot tell it from p, whose interval it widens.
    gain
        That of the sensor's gain, relative. The record cannot tell it from α.
    drifting_clock
        Fit a clock whose rate changes steadily during the record.

    Examples
    --------
    >>> import numpy as np
    >>> import rocksteady as rs
    >>> block = rs.Block(height=1.0, width=0.25)
    >>> still = rs.Motion(np.zeros(801), 0.01)
    >>> rocking = rs.Housner(eta=0.9)
    >>> test = rs.simulate(block, still, rocking, theta0=0.7 * block.alpha, until="motion")
    >>> found = identify_block(test.time, test.theta)
    >>> round(found.values["p"] / block.p, 4), round(found.values["eta"], 4)
    (1.0, 0.9)
    """
    t, values = _checked(time, signal)
    sensor = _sensor(kind, height, width)
    known = None if released is None or released == "fit" else finite("released", released, "s")  # type: ignore[arg-type]
    unknowns = Unknowns(
        not yes_or_no("symmetric", symmetric), yes_or_no("drifting_clock", drifting_clock), known
    )
    errors = _relative("clock", clock), _relative("gain", gain)
    try:
        fit = fit_signal(t, values, sensor, unknowns, look=released is None)
        _check_fit(fit, sensor)
        return _identified(t, values, fit, errors, released)
    except np.linalg.LinAlgError as error:  # the best fit is at a bound: no derivatives
        raise _no_block(sensor, unknowns, "the best fit is none that a block can have") from error


def _identified(
    time: Array, values: Array, fit: FreeFit, errors: tuple[float, float], released: Any
) -> IdentifiedBlock:
    unknowns, side = fit.signal.unknowns, fit.side
    names, quantities = _quantities(unknowns, side, fit.signal.zero)
    found, covariance = fit.spread(quantities)
    covariance = covariance + _uncertain_sensor(names, fit.signal.sensor, *errors)
    deviations = np.sqrt(np.diag(covariance))
    results = dict(zip(names, found.tolist(), strict=True))
    logs = [name in LOGARITHMIC for name in names]
    swings = fit.swings + MORE
    at_all = fit.signal.unknowns.complete(fit.x)
    whole = type(fit.signal)(time, side * values, fit.signal.sensor, unknowns, fit.signal.zero)
    return IdentifiedBlock(
        time=time,
        signal=values,
        kind=fit.signal.sensor.kind,
        height=fit.signal.sensor.height,
        values={n: math.exp(v) if n in LOGARITHMIC else v for n, v in results.items()},
        deviations=dict(zip(names, deviations.tolist(), strict=True)),
        correlation=_correlation(covariance),
        fitted=side * (whole.history(at_all, swings) + whole.baseline(at_all)),
        compared=(float(fit.signal.time[0]), float(fit.signal.time[-1])),
        impacts=fit.impacts,
        noise=fit.noise,
        misfit=fit.misfit,
        independent=fit.independent,
        release=_how_released(unknowns, released),
        logarithmic=tuple(n for n, log in zip(names, logs, strict=True) if log),
    )


def _correlation(covariance: Array) -> Array:
    """Zero for what is known exactly."""
    deviations = np.sqrt(np.diag(covariance))
    inverse = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    return np.asarray(covariance * np.outer(inverse, inverse))


def _how_released(unknowns: Unknowns, released: Any) -> str:
    if unknowns.released is None:
        return "fitted"
    return "first sample" if released is None else "given"


def _quantities(unknowns: Unknowns, side: float, zero: float) -> tuple[list[str], Any]:
    """The names of what is reported and the function that gives it (logarithms of p, α, p²α)."""
    right = 0 if side > 0 else 1
    sides = ["alpha_right", "alpha_left"] if unknowns.asymmetric else ["alpha"]
    products = [name.replace("alpha", "p2alpha") for name in sides]
    names = ["p", *sides, "eta", *products, "theta0", "released", "offset", "drift"]
    if unknowns.clock:
        names.append("clock_drift")

    def quantities(x: Array) -> list[float]:
        both = Sides.of(x, unknowns)
        order = [right, 1 - right][: len(sides)]
        release = x[FIRST] - fall_time(x, unknowns)
        offset = x[OFFSET] + x[DRIFT] * (release - zero)
        angles = [math.log(both.alpha[i]) for i in order]
        stiff = [math.log(both.p[i] ** 2 * both.alpha[i]) for i in order]
        signs = [side * x[THETA0], release, side * offset, side * x[DRIFT]]
        clock = [unknowns.clock_drift(x)] * unknowns.clock
        return [math.log(both.weak_p), *angles, x[ETA], *stiff, *signs, *clock]

    return names, quantities


def _uncertain_sensor(names: list[str], sensor: Sensor, clock: float, gain: float) -> Array:
    """What uncertain rates of the clock and gains of the sensor add to the covariance. A clock
    that runs fast by c makes p small by c; a gain makes θ large; ω is both."""
    of_angle = 1.0 if sensor.kind == "rate" else 0.0
    by_clock, by_gain = np.zeros((2, len(names)))
    for i, name in enumerate(names):
        if name == "p":
            by_clock[i] = -1.0
        elif name.startswith("alpha"):
            by_clock[i], by_gain[i] = of_angle, 1.0
        elif name.startswith("p2alpha"):
            by_clock[i], by_gain[i] = of_angle - 2.0, 1.0
    return np.asarray(
        clock**2 * np.outer(by_clock, by_clock) + gain**2 * np.outer(by_gain, by_gain)
    )


# -- checks ----------------------------------------------------------------------------------------


def _checked(time: ArrayLike, signal: ArrayLike) -> tuple[Array, Array]:
    t, values = number_row("time", time, "s"), number_row("signal", signal)
    if len(t) != len(values) or len(t) < 20:
        raise InputError(
            f"time has {len(t)} values and signal {len(values)}: give as many of both, at least 20."
        )
    if not np.isfinite(values).all() or not (np.diff(t) > 0).all():
        raise InputError(
            "The record has gaps or goes back in time: give finite numbers, increasing times [s]."
        )
    if not np.ptp(values) > 0:
        raise InputError("The signal does not change: give a record of free rocking.")
    return t, values


def _sensor(kind: str, height: float | None, width: float) -> Sensor:
    if kind not in KINDS:
        raise InputError(f"kind = {kind!r} is not known: choose from {', '.join(KINDS)}.")
    if kind != "displacement":
        if height is not None or width:
            raise InputError(
                f"height and width are for a displacement, and kind = {kind!r}: leave them out."
            )
        return Sensor(kind)
    if height is None:
        raise InputError(
            "A displacement needs the height [m] above the base at which it was measured: give "
            "height=."
        )
    return Sensor(kind, positive("height", height, "m"), finite("width", width, "m", minimum=0.0))


def _relative(name: str, value: float) -> float:
    if not 0 <= real(value) < 0.5:
        raise InputError(
            f"{name} = {value!r} is not allowed: give a relative standard deviation, 0.01 for 1 %."
        )
    return float(value)


def _check_fit(fit: FreeFit, sensor: Sensor) -> None:
    if fit.misfit > MISFIT:
        why = f"the residual of the best fit is {100 * fit.misfit:.0f} % of the motion"
        raise _no_block(sensor, fit.signal.unknowns, why)


def _no_block(sensor: Sensor, unknowns: Unknowns, why: str) -> InputError:
    sides = "" if unknowns.asymmetric else " Is it asymmetric (symmetric=False)?"
    return InputError(
        f"No rigid block rocks like this record: {why}. Is the signal {_in_words(sensor)}, in "
        f"these units, and did the block rock undisturbed after one release?{sides} Cut off what "
        "comes before the release."
    )


def _in_words(sensor: Sensor) -> str:
    return {
        "angle": "an angle in rad",
        "displacement": "a displacement in m",
        "rate": "an angular rate in rad/s",
    }[sensor.kind]
