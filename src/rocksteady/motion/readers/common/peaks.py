"""Check of the peak stated in a header against the largest of the numbers that follow."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rocksteady.motion.readers.common.options import quietly
from rocksteady.motion.readers.common.source import Source, failure
from rocksteady.motion.units import canonical_unit, unit_factor
from rocksteady.numbers import is_number
from rocksteady.numerics.types import Array

_TOLERANCE = 0.02  # of the peak: what a treatment of the baseline may change
_PRINTED = re.compile(r"[-+]?\d*(?:\.(\d*))?(?:[eE]([-+]?\d+))?")


class Peak(NamedTuple):
    """A peak as a header prints it."""

    value: str
    unit: str
    line: int
    time: float | None = None  # s, from the first sample; None where the header does not say


def peak_in(
    lines: Iterable[str], pattern: re.Pattern[str], first: int = 1, unit: str = ""
) -> Peak | None:
    """The peak in the first line that matches, from the pattern's groups ``value``, ``unit`` and
    ``time``. ``first`` is the number of the first line, ``unit`` that of a pattern without one."""
    for number, words in enumerate(lines, start=first):
        match = pattern.search(words)
        if match:
            found = match.groupdict()
            time = found.get("time")
            at = float(time) if time and is_number(time) else None
            return Peak(found["value"], found.get("unit") or unit, number, at)
    return None


@quietly
def require_peak(
    source: Source, accel: Array, peak: Peak | None, end: float = math.inf, what: str = ""
) -> None:
    """An error unless the largest of ``accel`` [m/s²] is the header's peak, except for rounding.

    A peak of zero or in an unknown unit is ignored. One before the first sample or after ``end``
    [s] belongs to a longer record of which this is a part: it is an upper bound. The baseline it
    refers to, zero or the mean, is not known: both are tried.
    """
    if peak is None or not accel.size or not is_number(peak.value):
        return
    if canonical_unit(peak.unit) is None:
        return
    factor, stated = unit_factor(peak.unit), abs(float(peak.value))
    if stated == 0 or not math.isfinite(stated):
        return
    allowed = (_rounding(peak.value) + _TOLERANCE * stated) * factor
    largest = float(np.abs(accel).max())
    about_mean = float(np.abs(accel - accel.mean()).max())
    if peak.time is not None and not 0 <= peak.time <= end:
        if min(largest, about_mean) <= stated * factor + allowed:
            return
    elif min(abs(found - stated * factor) for found in (largest, about_mean)) <= allowed:
        return
    raise failure(
        source.path,
        f"the header states a peak of {peak.value} {peak.unit}{what and ' for component ' + what}, "
        f"but the largest number is {largest / factor:.4g} {peak.unit}: the header, the unit or a "
        "number is wrong. Get the file from its archive again.",
        peak.line,
    )


def _rounding(printed: str) -> float:
    """Half of the last digit of a printed number."""
    match = _PRINTED.fullmatch(printed.strip())
    if match is None:
        return 0.0
    exponent = int(match[2] or 0) if len(match[2] or "") < 5 else 0
    return 0.5 * 10.0 ** (exponent - len(match[1] or ""))
