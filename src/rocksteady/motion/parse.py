"""A pulse written as text, for the command line: ``sine,a=0.45g,w=5.75p``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from rocksteady.errors import InputError
from rocksteady.motion import pulses
from rocksteady.motion.motion import Motion
from rocksteady.numbers import NUMBER, positive

# Which key of the text is which argument, for each pulse.
_TIMING = {"dt": "dt", "start": "start", "tail": "tail"}
_HARMONIC = {"a": "amplitude", "T": "period", "w": "omega", "cycles": "cycles", "phase": "phase"}
_RICKER = {"a": "amplitude", "T": "period", "w": "omega", "kind": "kind", "t0": "t0"}
_MAVROEIDIS = {
    "A": "velocity", "T": "period", "f": "frequency", "gamma": "gamma", "nu": "nu", "t0": "t0",
}  # fmt: skip
_PULSES: dict[str, tuple[Callable[..., Motion], dict[str, str]]] = {
    "sine": (pulses.sine, _HARMONIC | _TIMING),
    "cosine": (pulses.cosine, _HARMONIC | _TIMING),
    "rectangular": (pulses.rectangular, {"a": "amplitude", "d": "duration"} | _TIMING),
    "ricker": (pulses.ricker, _RICKER | _TIMING),
    "mavroeidis": (pulses.mavroeidis, _MAVROEIDIS | _TIMING),
}
_NEEDED = {"a", "A", "d"}
_HOW_OFTEN = {"T": "period [s]", "w": "circular frequency [rad/s]", "f": "frequency [Hz]"}
_SUFFIXES = {"a": ("g", "gtana"), "w": ("p",)}  # which key may have which; all may be plain SI
_VALUE = re.compile(rf"({NUMBER})\s*([a-z]*)", re.ASCII)


def parse_pulse(
    text: str, *, p: float | None = None, alpha: float | None = None, g: float = 9.81
) -> Motion:
    """The pulse that ``text`` describes: its name, then ``key=value`` pairs, all with commas.

    Keys, in SI units unless a suffix says otherwise: ``a`` acceleration, ``w`` circular frequency,
    ``T`` period, ``cycles``, ``phase``, ``kind``, ``A`` velocity, ``f`` frequency [Hz], ``gamma``,
    ``nu``, ``d`` duration, ``t0``, ``dt``, ``start``, ``tail``; each pulse takes its own. Suffixes:
    ``a=0.45g`` in gravities, ``a=2gtana`` in g·tan(alpha), ``w=5.75p`` in the block's frequency
    parameter.

    Parameters
    ----------
    p
        The block's frequency parameter [rad/s].
    alpha
        The block's slenderness angle [rad].
    g
        Acceleration of gravity [m/s²].

    Examples
    --------
    >>> parse_pulse("sine,a=0.45g,w=5.75p", p=2.0).name
    'sine pulse'
    """
    name, *pairs = (part.strip() for part in text.removeprefix("pulse:").split(","))
    if name not in _PULSES:
        raise InputError(f"{name!r} is not a pulse: choose one of {_listed(_PULSES)}.")
    function, keys = _PULSES[name]
    units = {"": 1.0, "g": g}
    if p is not None:
        units["p"] = positive("p", p, "rad/s")
    if alpha is not None:
        units["gtana"] = g * math.tan(alpha)
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or key not in keys:
            raise InputError(
                f"{pair!r} is not allowed in the pulse {text!r}: {name} takes {_listed(keys)}, "
                "each as key=value."
            )
        if keys[key] in arguments:
            raise InputError(f"{key} is given twice in the pulse {text!r}: give it once.")
        arguments[keys[key]] = value if key == "kind" else _value(key, value, units)
    missing = [k for k in keys if k in _NEEDED and keys[k] not in arguments]
    if missing:
        raise InputError(
            f"the pulse {text!r} lacks {_listed(missing)}: {name} takes {_listed(keys)}."
        )
    forms = [k for k in keys if k in _HOW_OFTEN]
    given = [k for k in forms if keys[k] in arguments]
    if forms and len(given) != 1:
        says = "has both of" if given else "lacks one of"
        raise InputError(
            f"the pulse {text!r} {says} {' and '.join(forms)}: give exactly one, "
            f"{' or '.join(f'{form} {_HOW_OFTEN[form]}' for form in forms)}."
        )
    return function(**arguments)


def _value(key: str, text: str, units: dict[str, float]) -> float:
    match = _VALUE.fullmatch(text)
    allowed = ("", *_SUFFIXES.get(key, ()))
    if match is None or match[2] not in allowed:
        suffixes = _listed(_SUFFIXES.get(key, ()))
        raise InputError(
            f"{key}={text} is not allowed: it must be a number"
            + (f", plain (SI) or with one of the suffixes {suffixes}." if suffixes else ", in SI.")
        )
    number, suffix = match.groups()
    if suffix not in units:
        wanted = {"p": "the block's frequency parameter p", "gtana": "the block's alpha"}[suffix]
        raise InputError(f"{key}={text} needs {wanted}: give a block, or {key} in SI units.")
    return float(number) * units[suffix]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
