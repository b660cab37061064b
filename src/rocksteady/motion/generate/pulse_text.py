"""A pulse written as text, for the command line: ``sine,a=0.45g,w=5.75p``."""

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from rocksteady.errors import InputError
from rocksteady.motion.generate import pulses
from rocksteady.motion.motion import Motion
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numbers import NUMBER, positive

# Which key of the text is which argument, for each pulse.
_TIMING = {"dt": "dt", "start": "start", "tail": "tail"}
_REPEATED = {"T": "period", "f": "frequency", "w": "omega"}
_HARMONIC = {"a": "amplitude", **_REPEATED, "cycles": "cycles", "phase": "phase"}
_RICKER = {"a": "amplitude", **_REPEATED, "kind": "kind", "t0": "t0"}
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
_HOW_OFTEN = {"T": "period [s]", "f": "frequency [Hz]", "w": "circular frequency [rad/s]"}
_MEANS = {
    "a": "[m/s², or 0.45g]",
    "A": "[m/s]",
    "T": "[s]",
    "f": "[Hz]",
    "w": "[rad/s, or 5.75p]",
    "d": "[s]",
    "phase": "[rad]",
    "nu": "[rad]",
    "kind": "[symmetric or antisymmetric]",
    "t0": "[s]",
    "dt": "[s]",
    "start": "[s]",
    "tail": "[s]",
}
_SUFFIXES = {"a": ("g", "gtana"), "w": ("p",)}  # which key may have which; all may be plain SI
_VALUE = re.compile(rf"({NUMBER})\s*([a-z]*)", re.ASCII)


def parse_pulse(
    text: str, *, p: float | None = None, alpha: float | None = None, g: float = 9.81
) -> Motion:
    """The pulse that ``text`` describes: its name, then ``key=value`` pairs, separated by commas.

    Keys, in SI units unless a suffix says otherwise: ``a`` acceleration; ``T`` period, ``f``
    frequency [Hz] or ``w`` circular frequency; ``cycles``, ``phase``, ``kind``, ``A`` velocity,
    ``gamma``, ``nu``, ``d`` duration, ``t0``, ``dt``, ``start``, ``tail``; each pulse takes its
    own. Suffixes: ``a=0.45g`` in the unit g, 9.80665 m/s²; ``a=2gtana`` in g·tan(alpha) of the
    block, ``w=5.75p`` in units of its frequency parameter.

    Parameters
    ----------
    p
        The block's frequency parameter [rad/s].
    alpha
        The block's slenderness angle [rad].
    g
        Acceleration of gravity at the block [m/s²], for ``gtana``.

    Examples
    --------
    >>> parse_pulse("sine,a=0.45g,w=5.75p", p=2.0).name
    'sine pulse'
    """
    name, arguments = pulse_call(text, p=p, alpha=alpha, g=g)
    return _PULSES[name][0](**arguments)


def pulse_call(
    text: str, *, p: float | None = None, alpha: float | None = None, g: float = 9.81
) -> tuple[str, dict[str, Any]]:
    """The function of :mod:`rocksteady.pulses` that makes the pulse of `parse_pulse`, and its
    arguments, all in SI units."""
    name, *pairs = (part.strip() for part in text.removeprefix("pulse:").split(","))
    if name not in _PULSES:
        raise InputError(f"{name!r} is not a pulse: choose one of {', '.join(_PULSES)}.")
    function, keys = _PULSES[name]
    units = {"": 1.0, "g": GRAVITY_UNIT}
    if p is not None:
        units["p"] = positive("p", p, "rad/s")
    if alpha is not None:
        units["gtana"] = g * math.tan(alpha)
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or key not in keys:
            raise InputError(
                f"{pair!r} is not allowed in the pulse {text!r}: {name} takes {_meant(keys)}, "
                "each as key=value."
            )
        if keys[key] in arguments:
            raise InputError(f"{key} is given twice in the pulse {text!r}: give it once.")
        arguments[keys[key]] = value if key == "kind" else _value(key, value, units)
    missing = [k for k in keys if k in _NEEDED and keys[k] not in arguments]
    if missing:
        raise InputError(
            f"the pulse {text!r} lacks {', '.join(missing)}: {name} takes {_meant(keys)}."
        )
    forms = [k for k in keys if k in _HOW_OFTEN]
    given = [k for k in forms if keys[k] in arguments]
    if forms and len(given) != 1:
        says = f"has {' and '.join(given)}" if given else f"lacks one of {', '.join(forms)}"
        raise InputError(
            f"the pulse {text!r} {says}: give exactly one, "
            f"{' or '.join(f'{form} {_HOW_OFTEN[form]}' for form in forms)}."
        )
    if "frequency" in arguments and function is not pulses.mavroeidis:  # which alone knows it
        arguments["period"] = 1 / positive("f", arguments.pop("frequency"), "Hz")
    return name, arguments


def pulse_text(name: str, arguments: dict[str, Any]) -> str:
    """The text from which `parse_pulse` makes the pulse of `pulse_call`, bit for bit."""
    keys = {argument: key for key, argument in _PULSES[name][1].items()}
    return ",".join([name, *(f"{keys[one]}={value}" for one, value in arguments.items())])


def _value(key: str, text: str, units: dict[str, float]) -> float:
    match = _VALUE.fullmatch(text)
    allowed = ("", *_SUFFIXES.get(key, ()))
    if match is None or match[2] not in allowed:
        suffixes = ", ".join(_SUFFIXES.get(key, ()))
        raise InputError(
            f"{key}={text} is not allowed: it must be a number"
            + (f", plain (SI) or with one of the suffixes {suffixes}." if suffixes else ", in SI.")
        )
    number, suffix = match.groups()
    if suffix not in units:
        wanted = {"p": "the block's frequency parameter p", "gtana": "the block's alpha"}[suffix]
        raise InputError(f"{key}={text} needs {wanted}: give a block, or {key} in SI units.")
    return float(number) * units[suffix]


def _meant(keys: Iterable[str]) -> str:
    """Each key with its unit."""
    return ", ".join(f"{key} {_MEANS[key]}" if key in _MEANS else key for key in keys)
