"""What the readers share: options, units, components, metadata."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rocksteady.errors import InputError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._source import FileName, Source, failure
from rocksteady.motion.units import (
    ACCELERATIONS,
    LENGTHS,
    SPEEDS,
    canonical_unit,
    plain_unit,
    unit_factor,
)
from rocksteady.numbers import NUMBER, is_number, positive
from rocksteady.text_tables import checked_decimal


class Options(NamedTuple):
    """What the caller of `read_motion` says about the file, already checked."""

    component: str | None = None
    dt: float | None = None  # s
    unit: str | None = None
    differentiate: bool = False
    sensitivity: float | None = None  # counts per m/s²
    decimal: str | None = None  # "." or ","
    any_peak: bool = False  # larger than any earthquake's, too

    @classmethod
    def checked(
        cls,
        component: str | None = None,
        dt: float | None = None,
        unit: str | None = None,
        differentiate: bool = False,
        sensitivity: float | None = None,
        decimal: str | None = None,
        any_peak: bool = False,
    ) -> Options:
        """What was said, or an error where it cannot be."""
        if component is not None and not isinstance(component, str):
            raise InputError(
                f"component = {component!r} is not a name: give it as text, as in '0'."
            )
        if dt is not None:
            dt = positive("dt", dt, "s")
        if unit is not None:
            _check_unit(unit, bool(differentiate))
        if sensitivity is not None:
            sensitivity = positive("sensitivity", sensitivity, "counts/(m/s²)")
        if decimal is not None:
            decimal = checked_decimal(decimal)
        return cls(component, dt, unit, bool(differentiate), sensitivity, decimal, bool(any_peak))


def _check_unit(unit: object, differentiate: bool) -> None:
    """An error unless ``unit`` is one of acceleration, or of what is to be differentiated."""
    if not isinstance(unit, str):
        raise InputError(f"unit = {unit!r} is not a unit: give it as text, as in 'g'.")
    if not (differentiate and plain_unit(unit) in SPEEDS | LENGTHS):
        unit_factor(unit)


# For readers that compute: what overflows is not finite, and Motion refuses that.
quietly = np.errstate(all="ignore")


def settled_unit(
    path: Path | FileName, stated: str | None, given: str | None, what: str = ""
) -> str:
    """The unit that the file states or the caller gave; an error where neither did, or both differ.

    ``what`` names the column, for the message.
    """
    unit = stated if stated is not None else given
    if unit is None:
        raise failure(
            path,
            f"no unit is stated{what and ' for ' + what}: say which it is, unit='g' for example "
            f"(one of {', '.join(ACCELERATIONS)}).",
        )
    known = canonical_unit(unit)
    if known is None:
        raise failure(
            path,
            f"{unit!r}{what and ' of ' + what} is not a unit of acceleration; those are "
            f"{', '.join(ACCELERATIONS)}.",
        )
    if given is not None and ACCELERATIONS.get(canonical_unit(given) or "") != ACCELERATIONS[known]:
        raise failure(path, f"states the unit {unit} but unit={given!r} was given: leave it out.")
    return known


def ask(path: Path | FileName, dt: bool, unit: bool, what: str = "") -> None:
    """An error that asks for the time step and the unit, or for the one that is missing."""
    if not (dt or unit):
        return
    units = ", ".join(ACCELERATIONS)
    if dt and unit:
        lacks = "no time step is stated, nor a unit"
        say = f"both, dt=0.01 [s] and unit='g' for example (one of {units})"
    elif dt:
        lacks, say = "no time step is stated and there is no time column", "dt=0.01 [s]"
    else:
        lacks = "no unit is stated"
        say = f"which it is, unit='g' for example (one of {units})"
    raise failure(path, f"{what}{lacks}: say {say}.")


def settled_dt(
    path: Path | FileName, stated: float | None, given: float | None, line: int
) -> float:
    """The time step [s] that the file states (in ``line``) or the caller gave, likewise."""
    dt = stated if stated is not None else given
    if dt is None:
        raise failure(path, "no time step is stated and there is no time column: say dt=0.01 [s].")
    if not (dt > 0 and math.isfinite(dt)):
        raise failure(path, f"dt = {dt:g} s is not a time step: it must be positive.", line)
    if given is not None and not math.isclose(dt, given, rel_tol=1e-3):
        raise failure(path, f"states dt = {dt:g} s but dt={given!r} was given: leave it out.", line)
    return dt


def step_of(rate: float) -> float:
    """The time step [s] of ``rate`` samples per second; not a number where there is none."""
    return float(f"{1 / rate:.12g}") if rate > 0 and math.isfinite(rate) else math.nan


@quietly
def in_si(
    source: Source,
    values: FloatArray,
    dt: float,
    unit: str | None,
    options: Options,
    quantity: str = "acceleration",
) -> tuple[FloatArray, str]:
    """``values`` as accelerations [m/s²] (in their place) and the unit they had.

    A velocity or displacement is refused, or differentiated where the caller asked for that:
    central differences, one-sided at the ends.
    """
    if quantity == "acceleration":
        unit = settled_unit(source.path, unit, options.unit)
        values *= unit_factor(unit)
        return values, unit
    if not options.differentiate:
        raise failure(
            source.path,
            f"holds a {quantity}, and a motion is an acceleration. Differentiating it amplifies "
            "its noise: use the record's acceleration file, or say differentiate=True.",
        )
    factors = SPEEDS if quantity == "velocity" else LENGTHS
    known = plain_unit(unit or options.unit or "")
    if not known:
        raise failure(
            source.path,
            f"holds a {quantity} and states no unit: say which it is, unit={next(iter(factors))!r} "
            f"for example (one of {', '.join(factors)}).",
        )
    given = plain_unit(options.unit or "")
    if given in SPEEDS | LENGTHS and given != known:
        raise failure(
            source.path,
            f"states the unit {unit} but unit={options.unit!r} was given: leave it out.",
        )
    if known not in factors:
        raise failure(
            source.path, f"{unit!r} is not a unit of {quantity}; those are {', '.join(factors)}."
        )
    if values.size < 2:
        raise failure(source.path, "has fewer than 2 samples.")
    for _ in range(1 if quantity == "velocity" else 2):
        values = np.gradient(values, dt)
    return values * factors[known], known


def without_offset(accel: FloatArray) -> tuple[FloatArray, float]:
    """Samples of a bare sensor without their mean, and the mean [m/s²].

    What a sensor gives carries its offset, in a vertical one gravity itself.
    """
    offset = float(accel.mean()) if accel.size else 0.0
    return accel - offset, offset


def motion(
    path: Path | FileName,
    accel: FloatArray,
    dt: float,
    name: str,
    meta: Mapping[str, Any],
    vertical: FloatArray | None = None,
) -> Motion:
    """The Motion of ``accel`` [m/s²]; what Motion refuses is an error of the file.

    Of ``meta``, what is empty or unknown (None) is left out. The samples are the Motion's from
    here on, and read-only. A ``note`` in it, on what was done to the file's numbers, stands in the
    history, too.
    """
    file = path.name
    known = {key: value for key, value in meta.items() if value is not None and value != ""}
    remark = f"  # {known['note']}" if "note" in known else ""
    known = {"file": file, **known, "history": (f"read({file}){remark}",)}
    accel.flags.writeable = False  # so that the Motion need not copy it
    try:
        return Motion(accel, dt, vertical, name, known)
    except InputError as error:
        raise failure(path, str(error)) from error


def by_component(motions: Iterable[Motion]) -> dict[str, Motion]:
    """The motions under the names of their components; one that is there twice is numbered."""
    named: dict[str, Motion] = {}
    for number, item in enumerate(motions, start=1):
        name = str(item.meta.get("component", "")) or str(number)
        named[f"{name} (channel {number})" if name in named else name] = item
    return named


def one_after_the_other(
    source: Source,
    options: Options,
    read_at: Callable[[Source, int, Options], tuple[Motion, int]],
) -> dict[str, Motion]:
    """The motions of a file that has one after the other, each with a header of its own; there may
    be blank lines between. ``read_at`` a line gives the motion and the line after it."""
    motions = []
    line = 1
    while line <= source.line_count:
        if source.is_words(line):
            found, line = read_at(source, line, options)
            motions.append(found)
        else:
            line += 1
    return by_component(motions)


def pick(motions: dict[str, Motion], component: str, path: Path) -> Motion:
    """The motion of that name (or that name in other letter case), or an error with the names."""
    for name, motion in motions.items():
        if name.casefold() == component.casefold():
            return motion
    names = ", ".join(repr(name) for name in motions)
    raise failure(path, f"has no component {component!r}: it has {names}.")


@lru_cache(maxsize=1024)
def azimuth_of(component: str) -> float | None:
    """Degrees clockwise from north of a direction: ``90``, ``360 Deg``, ``S16W``, ``E-W``, ``HNE``.

    None for a vertical one or one that is not known.
    """
    word = component.strip().upper()
    bearing = re.fullmatch(r"([NS])\s*(\d{1,2}(?:\.\d+)?)\s*([EW])", word)
    if bearing:
        angle = float(bearing[2])
        if bearing[1] == "S":
            angle = 180 - angle
        return angle if bearing[3] == "E" else (360 - angle) % 360
    degrees = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*(?:DEG\w*\.?|°)?", word)
    if degrees:
        return float(degrees[1]) if float(degrees[1]) <= 360 else None
    word = re.sub(r"[^A-Z]", "", word)
    if word in ("N", "NS", "SN") or re.fullmatch(r"[BEHLS][NLGH]N", word):
        return 0.0
    if word in ("E", "EW", "WE") or re.fullmatch(r"[BEHLS][NLGH]E", word):
        return 90.0
    return None


def band(low: float | None, high: float | None) -> str | None:
    """A filter's pass band in words."""
    if low and high:
        return f"{low:g}-{high:g} Hz"
    if low:
        return f"above {low:g} Hz"
    return f"below {high:g} Hz" if high else None


def found_in(text: str, pattern: str, flags: int = re.M) -> str | None:
    """What the first group of ``pattern`` matches in ``text``, or None."""
    match = re.search(pattern, text, flags)
    return match[1] if match else None


def number_in(text: str | None) -> float | None:
    """The first number in ``text``, or None."""
    match = re.search(NUMBER, text or "")
    return float(match[0]) if match else None


def require_all(source: Source, declared: float, found: int, line: int) -> None:
    """An error unless as many samples were found as the header's ``line`` declares."""
    if declared != found:
        raise failure(
            source.path,
            f"the header declares {declared:.0f} samples, but {found} numbers follow: the file is "
            "cut or damaged.",
            line,
        )


def header_number(
    source: Source, header: Mapping[str, str], lines: Mapping[str, int], key: str
) -> float:
    """The number that a header has under ``key``; ``lines`` tells where each of its keys stands."""
    if key not in header:
        raise failure(source.path, f"the header has no {key!r}.")
    if not is_number(header[key]):
        raise failure(source.path, f"{key} is {header[key][:40]!r}, not a number.", lines[key])
    return float(header[key])
