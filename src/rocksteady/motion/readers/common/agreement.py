"""What a header states twice must agree: the peak, the time step and the duration.

A header's peak repeats what the numbers say, its duration what the time step and their count say.
If one of them is wrong, the file is refused: nobody can tell which. Where a time step has no
second statement, one that no recorder has is asked about; the caller confirms it with ``dt=``.
"""

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.units import canonical_unit, unit_factor
from rocksteady.numbers import NUMBER, is_number
from rocksteady.numerics.types import Array

_TOLERANCE = 0.005  # of the peak or the duration, if its last digit says no less
_SPEED = 0.01  # of the peak velocity
_OFFSET = 0.02  # of the peak: a mean below it is no sensor's offset
_PRINTED = re.compile(r"[-+]?\d*(?:\.(\d*))?(?:[eE]([-+]?\d+))?")
_SAME_STEP = 1e-3
_SLOWEST = 0.05  # s: no recorder of strong motion takes fewer than 20 samples per second
_USUAL = np.array([50, 100, 200])  # samples per second in what networks hand out as corrected


class Peak(NamedTuple):
    """A peak as a header prints it."""

    value: str
    unit: str  # empty: that of the numbers
    line: int
    time: float | None = None  # s, from the first sample; None where the header does not say


def peak_in(lines: Iterable[str], pattern: re.Pattern[str], first: int = 1) -> Peak | None:
    """The peak in the first line that matches, from the pattern's groups ``value`` and, if it has
    them, ``unit`` and ``time``. ``first`` is the number of the first line."""
    for number, words in enumerate(lines, start=first):
        match = pattern.search(words)
        if match:
            found = match.groupdict()
            time = found.get("time")
            at = float(time) if time and is_number(time) else None
            return Peak(found["value"], found.get("unit") or "", number, at)
    return None


def require_peak(
    source: Source, accel: Array, peak: Peak | None, end: float = math.inf, what: str = ""
) -> None:
    """An error unless the largest of ``accel`` [m/s²] is the header's peak, except for rounding.

    A peak of zero or in an unknown unit is ignored. One before the first sample or after ``end``
    [s] belongs to a longer record of which this is a part: it is an upper bound. Of numbers with a
    sensor's offset it may be the distance from zero or from their mean: both are tried.
    """
    if peak is None or not accel.size or not is_number(peak.value):
        return
    if canonical_unit(peak.unit) is None:
        return
    factor, stated = unit_factor(peak.unit), abs(float(peak.value))
    if stated == 0 or not math.isfinite(stated):
        return
    allowed = _allowed(peak.value) * factor
    largest, mean = float(np.abs(accel).max()), float(accel.mean())
    found = [largest]
    if abs(mean) > _OFFSET * largest:
        found.append(float(np.abs(accel - mean).max()))
    if peak.time is not None and not 0 <= peak.time <= end:
        if min(found) <= stated * factor + allowed:
            return
    elif min(abs(one - stated * factor) for one in found) <= allowed:
        return
    raise source.failure(
        f"the header states a peak of {peak.value} {peak.unit}{what and ' for component ' + what}, "
        f"but the largest number is {largest / factor:.4g} {peak.unit}: the header, the unit or a "
        "number is wrong. Get the file from its archive again.",
        peak.line,
    )


def require_duration(
    source: Source, printed: str | None, count: int, dt: float, options: Options, line: int = 0
) -> None:
    """An error unless ``count`` samples [of ``dt`` s] last as long as the header prints [s].

    A header may count the steps or the samples. Without a duration, or if the caller gave ``dt``,
    nothing is compared.
    """
    match = re.search(NUMBER, printed or "")
    stated = float(match[0]) if match else 0.0
    if match is None or not (stated > 0 and math.isfinite(stated)) or options.dt is not None:
        return
    if abs(stated - (count - 0.5) * dt) <= 0.6 * dt + _allowed(match[0]):
        return
    raise source.failure(
        f"the header states a duration of {match[0]} s, but {count} samples at its step of "
        f"{dt:g} s last {count * dt:.6g} s: one of them is wrong. {_advice(dt)}",
        line,
    )


def require_same_step(
    source: Source, dt: float, other: float | None, options: Options, line: int = 0
) -> None:
    """An error if the header states ``other`` [s] as the time step in a second place."""
    if other is None or options.dt is not None or not (other > 0 and math.isfinite(other)):
        return
    if not math.isclose(dt, other, rel_tol=_SAME_STEP):
        raise source.failure(
            f"the header states two time steps, {dt:g} s and {other:g} s: one of them is "
            f"wrong. {_advice(dt)}",
            line,
        )


def require_time_of(
    source: Source,
    values: Array,
    dt: float,
    extreme: float,
    time: float | None,
    options: Options,
    line: int = 0,
) -> None:
    """An error unless ``time`` [s] is where ``dt`` [s] puts a number as large as ``extreme``, the
    largest or the smallest, except for rounding."""
    if time is None or options.dt is not None or not time > 0:
        return
    near = np.abs(np.abs(values) - abs(extreme)) <= _TOLERANCE * abs(extreme)
    places = np.flatnonzero(near) * dt
    if not places.size:
        return  # which is for `require_peak` to say
    nearest = float(places[np.argmin(np.abs(places - time))])
    if abs(nearest - time) > 1.5 * dt + _TOLERANCE * time:
        raise source.failure(
            f"the header states an extreme of {extreme:.4g} at {time:g} s, but its step of "
            f"{dt:g} s puts it at {nearest:.6g} s: one of them is wrong. {_advice(dt)}",
            line,
        )


def require_speed(
    source: Source, accel: Array, dt: float, stated: float, options: Options, line: int = 0
) -> None:
    """An error unless the accelerations [m/s²], added up at steps of ``dt`` [s] from rest, reach
    the header's peak velocity [cm/s]."""
    if options.dt is not None or accel.size < 2 or not stated > 0:
        return
    reached = 100 * dt * float(np.abs(np.cumsum((accel[1:] + accel[:-1]) / 2)).max())
    if abs(reached - stated) > _SPEED * stated:
        raise source.failure(
            f"the header states a peak velocity of {stated:g} cm/s, but its accelerations at its "
            f"step of {dt:g} s reach {reached:.4g} cm/s: one of them is wrong. {_advice(dt)}",
            line,
        )


def ask_about_step(
    source: Source,
    dt: float,
    options: Options,
    line: int = 0,
    *,
    highest: float | None = None,
    usual: bool = False,
) -> None:
    """An error that asks the caller to confirm a step that nothing else in the file confirms.

    It must be below 0.05 s, resolve the ``highest`` frequency [Hz] that the record's filter
    passes and, with ``usual``, be that of a rate that recorders and agencies use.
    """
    if options.dt is not None:
        return
    rate = 1 / dt
    if highest is not None and highest >= rate / 2 * (1 - 1e-6):
        why = f"but its filter passes {highest:g} Hz: the step must be below {0.5 / highest:.3g} s"
    elif dt > _SLOWEST * (1 + 1e-6) or (usual and np.abs(_USUAL / rate - 1).min() > _SAME_STEP):
        why = "which is unusual, and nothing else in the file confirms it"
    else:
        return
    raise source.failure(
        f"the header states a time step of {dt:g} s ({rate:.4g} samples per second), {why}. If it "
        f"is right, say dt={dt:g}.",
        line,
    )


def _advice(dt: float) -> str:
    return f"Get the file from its archive again, or, if {dt:g} s is the right step, say dt={dt:g}."


def rounding(printed: str) -> float:
    """Half of the last digit of a printed number."""
    match = _PRINTED.fullmatch(printed.strip())
    if match is None:
        return 0.0
    exponent = int(match[2] or 0) if len(match[2] or "") < 5 else 0
    return 0.5 * 10.0 ** (exponent - len(match[1] or ""))


def _allowed(printed: str) -> float:
    """By how much a printed number may be off: half of its last digit, or 0.5 %."""
    return max(rounding(printed) * (1 + 1e-6), _TOLERANCE * abs(float(printed)))
