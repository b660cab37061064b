"""What the readers share: units, numbers with line-accurate errors, components."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.errors import InputError, MotionFormatError
from rocksteady.motion._checks import FloatArray
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._fixed import parse_fixed_width

GRAVITY_UNIT = 9.80665  # m/s² in one g: the unit in which records are stated, not a site's gravity

_FACTORS = {
    "g": GRAVITY_UNIT,
    "%g": GRAVITY_UNIT / 100,
    "m/s2": 1.0,
    "cm/s2": 0.01,
    "gal": 0.01,
    "mm/s2": 0.001,
}


def failure(path: Path, message: str, line: int | None = None) -> MotionFormatError:
    """The error for a bad file: its name, the line and a sentence."""
    where = path.name or str(path)
    return MotionFormatError(
        f"{where}: {message}" if line is None else f"{where}, line {line}: {message}"
    )


def canonical_unit(text: str) -> str | None:
    """The unit of acceleration that ``text`` spells (`m/s/s`, `cm/sec^2`, ...), or None."""
    unit = re.sub(r"[\s^*·.()\[\]]", "", text.lower().replace("²", "2")).replace("sec", "s")
    unit = re.sub(r"/?s-?2$|/s/s$", "/s2", unit)
    unit = {"gals": "gal", "g%": "%g", "percentg": "%g", "g's": "g"}.get(unit, unit)
    return unit if unit in _FACTORS else None


def unit_factor(text: str) -> float:
    """m/s² in one ``text``; an unknown unit is an error that lists the known ones."""
    unit = canonical_unit(text)
    if unit is None:
        raise InputError(
            f"unit = {text!r} is not a unit of acceleration: use one of {', '.join(_FACTORS)}."
        )
    return _FACTORS[unit]


def stated_unit(header: str) -> str | None:
    """The unit named in a header's words, such as "UNITS OF G" or "unit: cm/s2", or None."""
    match = re.search(
        r"\bunits?\b(?:\s+(?:are|of|is|in))?\s*[:=]?\s*[(\[]?\s*(%?[a-z%][\w/^²*%-]*)", header, re.I
    )
    return match[1] if match else None


def settled_unit(path: Path, stated: str | None, given: str | None, what: str = "") -> str:
    """The unit that the file states or the caller gave; an error where neither did, or both differ.

    ``what`` names the column, for the message.
    """
    unit = stated if stated is not None else given
    if unit is None:
        raise failure(
            path,
            f"no unit is stated{what and ' for ' + what}: say which it is, unit='g' for example "
            f"(one of {', '.join(_FACTORS)}).",
        )
    known = canonical_unit(unit)
    if known is None:
        raise failure(
            path,
            f"{unit!r}{what and ' of ' + what} is not a unit of acceleration; those are "
            f"{', '.join(_FACTORS)}.",
        )
    if given is not None and unit_factor(given) != _FACTORS[known]:
        raise failure(path, f"states the unit {unit} but unit={given!r} was given: leave it out.")
    return known


def settled_dt(path: Path, stated: float | None, given: float | None, line: int) -> float:
    """The time step [s] that the file states (in ``line``) or the caller gave, likewise."""
    dt = stated if stated is not None else given
    if dt is None:
        raise failure(path, "no time step is stated and there is no time column: say dt=0.01 [s].")
    if not (dt > 0 and math.isfinite(dt)):
        raise failure(path, f"dt = {dt:g} s is not a time step: it must be positive.", line)
    if given is not None and not math.isclose(dt, given, rel_tol=1e-3):
        raise failure(path, f"states dt = {dt:g} s but dt={given!r} was given: leave it out.", line)
    return dt


def numbers(text: str, path: Path, first_line: int) -> FloatArray:
    """All numbers in ``text``, which is separated by white space and starts at ``first_line``."""
    head, rest = parse_fixed_width(text) or (np.empty(0), text)
    words = rest.split()
    # float() also takes "1_0" and the digits of other scripts: here they are damage.
    if "_" in rest or not (rest.isascii() or all(map(str.isascii, words))):
        raise _bad_number(text, path, first_line)
    try:
        values = np.array(list(map(float, words)), dtype=np.float64)
    except ValueError:
        raise _bad_number(text, path, first_line) from None
    if not np.isfinite(values).all():
        raise _bad_number(text, path, first_line)
    return np.concatenate([head, values])


def _bad_number(text: str, path: Path, first_line: int) -> MotionFormatError:
    for line, row in enumerate(text.split("\n"), start=first_line):
        for word in row.split():
            try:
                good = word.isascii() and "_" not in word and math.isfinite(float(word))
            except ValueError:
                good = False
            if not good:
                return failure(path, f"{word[:40]!r} is not a finite number.", line)
    raise AssertionError("called for numbers that are all good")


def motion(
    path: Path,
    accel: FloatArray,
    dt: float,
    name: str,
    meta: Mapping[str, Any],
    vertical: FloatArray | None = None,
) -> Motion:
    """The Motion of ``accel`` [m/s²]; what Motion refuses is an error of the file."""
    meta = {"file": path.name, **meta, "history": (f"read({path.name})",)}
    try:
        return Motion(accel, dt, vertical, name, meta)
    except InputError as error:
        raise failure(path, str(error)) from error


def pick(motions: dict[str, Motion], component: str, path: Path) -> Motion:
    """The motion of that name (or that name in other letter case), or an error with the names."""
    for name, motion in motions.items():
        if name.casefold() == component.casefold():
            return motion
    names = ", ".join(repr(name) for name in motions)
    raise failure(path, f"has no component {component!r}: it has {names}.")
