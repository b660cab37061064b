"""Implausible peaks: usually the unit is not what the file or its reader says.

The largest ground acceleration on record is about 4.4 g (IWTH25, 14 June 2008: the vector sum,
mostly vertical, 3.9 g alone); horizontal ones have stayed below 3 g. A peak above 5 g is taken for
a mistake, such as gal or counts read as g, until the caller confirms it. So is one sample more than
twice as large as any other: the ground does not move so, but a damaged digit does.
"""

import math
from functools import cache
from pathlib import Path

import numpy as np

from rocksteady.errors import warn
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.numbers import compiled
from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import FileName, failure
from rocksteady.motion.units import ACCELERATIONS, GRAVITY_UNIT, canonical_unit
from rocksteady.numerics.types import Array

LARGEST = 5.0
"""g: more than in any earthquake. A peak above it needs confirmation."""
ASSUMED = 2.0
"""g: the same if only the format states the unit, not the file."""
_ALONE = 0.5  # of the largest sample: in records, another reaches 0.74 of it
_FEWEST = 100  # samples, for which that is said
_RECORD = 4.4  # g; see above
_USUAL = (0.001, 2.0)  # g: peaks that make another unit worth suggesting
_TYPICAL = 0.3  # g: peak of a strong record


def exceeds(motion: Motion) -> bool:
    """Whether a reader asks about the peak of any component: `LARGEST`, or one sample alone."""
    return _is_above(motion, LARGEST) or any(map(_alone, motion.components.values()))


def require_plausible(
    path: Path | FileName, motions: dict[str, Motion], options: Options
) -> dict[str, Motion]:
    """The motions, or an error about the first with a peak that no earthquake has.

    ``any_peak`` accepts it. If the caller gave the unit, it is only a warning.
    """
    if options.any_peak:
        return motions
    for motion in motions.values():
        assumed = bool(motion.meta.get("unit_assumed"))
        limit = ASSUMED if assumed else LARGEST
        if motion.meta.get("any_peak"):
            continue
        if not _is_above(motion, limit):
            _refuse_alone(path, motion)
            continue
        if options.unit is None:
            raise failure(path, f"{_found(motion)} {_advice(motion, assumed)}")
        warn(
            f"{path.name}: {_found(motion)} It is read nevertheless, because its unit was given as "
            f"{options.unit}.",
            stacklevel=6,
        )
    return motions


def _refuse_alone(path: Path | FileName, motion: Motion) -> None:
    """An error if one sample stands alone."""
    for samples in motion.components.values():
        if not _alone(samples):
            continue
        sizes = np.abs(samples)
        place = int(sizes.argmax())
        others = float(np.delete(sizes, place).max())
        component = motion.meta.get("component")
        of = f" of component {component}" if component else ""
        raise failure(
            path,
            f"sample {place + 1}{of}, at {place * motion.dt:g} s, is {samples[place]:.4g} "
            f"m/s², and no other is larger than {others:.4g} m/s²: it is "
            "probably damaged. If it is right, say any_peak=True.",
        )


def _alone(samples: Array) -> bool:
    """Whether one sample is more than twice as large as any other."""
    if samples.size < _FEWEST:
        return False
    place = int(np.abs(samples).argmax())
    largest = _ALONE * abs(samples[place])
    others = (samples[:place], samples[place + 1 :])
    return all(one.size == 0 or np.abs(one).max() < largest for one in others)


def _is_above(motion: Motion, limit: float) -> bool:
    """Whether the peak is above ``limit`` [g]; compiled, as every file is checked."""
    above, bits = compiled().exceeds, _bits(limit)
    return any(above(samples.view(np.int64), bits) for samples in motion.components.values())


@cache
def _bits(limit: float) -> int:
    """The bits of ``limit`` [g] in m/s², as a whole number."""
    return int(np.array(limit * GRAVITY_UNIT).view(np.int64))


def _peak(motion: Motion) -> float:
    """The largest acceleration of any component [g]."""
    return float(max(abs(samples).max() for samples in motion.components.values())) / GRAVITY_UNIT


def _found(motion: Motion) -> str:
    component = motion.meta.get("component")
    of = f" of component {component}" if component else ""
    return (
        f"the largest acceleration{of} would be {_peak(motion):.4g} g; no earthquake has been "
        f"recorded above {_RECORD} g."
    )


def _advice(motion: Motion, assumed: bool) -> str:
    unit = canonical_unit(str(motion.meta.get("unit", "")))
    right = "If it is right, say any_peak=True."
    if motion.meta.get("unit") == "counts":
        return f"Is the sensitivity right, in counts per m/s²? {right}"
    if unit is None:  # what was differentiated
        return f"Are its unit and its time step right? {right}"
    other = _likely_unit(motion, unit)
    as_other = ""
    if other is not None:
        as_other = f"in {other} it would be {_peak_in(motion, unit, other):.3g} g"
    if assumed:
        say = f"{as_other}: say unit={other!r}" if other else "Say which it is, as in unit='cm/s2'"
        say = say[0].upper() + say[1:]
        return f"The file states no unit, so {unit} was assumed. {say}, or any_peak=True."
    if other is None:
        return f"The file states {unit}: is that so? {right}"
    return (
        f"The file states {unit}; {as_other}. Correct the unit in the file if it is wrong. {right}"
    )


def _likely_unit(motion: Motion, unit: str) -> str | None:
    """The other unit in which the peak would be most typical of an earthquake, if any."""
    low, high = _USUAL
    for units in (("cm/s2", "m/s2", "g"), ("mm/s2",)):  # the last one is rare
        fitting = {
            abs(math.log(peak / _TYPICAL)): other
            for other in units
            if other != unit and low <= (peak := _peak_in(motion, unit, other)) <= high
        }
        if fitting:
            return fitting[min(fitting)]
    return None


def _peak_in(motion: Motion, unit: str, other: str) -> float:
    """The peak [g] if the file's numbers were in ``other``."""
    return _peak(motion) * ACCELERATIONS[other] / ACCELERATIONS[unit]
