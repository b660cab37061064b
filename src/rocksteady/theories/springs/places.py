"""Interfaces as people give them: in words or tables, and those whose ends follow from the body.

    base                                 the whole base
    wall,side=right,bottom=1.6,gap=0.01  beside the left or the right side
    pad,left=-0.2,right=0,y=0.1          level, from x = left to right at the height y
    line,x0=0.2,y0=0,x1=0.2,y1=2         any two ends, counter-clockwise round the body

Each may have K, K_s, beta, friction, gap and name. Lengths are in metres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rocksteady.bodies import Block
from rocksteady.errors import InputError, unknown
from rocksteady.numbers import finite, real
from rocksteady.theories.springs.interfaces import SIDES, Interface

OWN = ("K", "K_s", "beta", "friction", "gap", "name")
NEEDS = {"base": (), "wall": ("side",), "pad": ("left", "right"), "line": ("x0", "y0", "x1", "y1")}
MAY_HAVE = {"wall": ("bottom", "top"), "pad": ("y",)}
WORDS = ("side", "name")
FORMS = "'base', 'wall,side=right,gap=0.01', 'pad,left=-0.2,right=0'"


@dataclass(frozen=True)
class Place:
    """The base of a body, or a wall beside it: an `Interface` once the body is known."""

    kind: str
    values: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        given = dict(self.values)
        return str(given.get("name") or f"{given.get('side', '')} {self.kind}".strip())

    def on(self, block: Block) -> Interface:
        """Where it is on this block."""
        made = Interface.base if self.kind == "base" else Interface.wall
        return made(block, **dict(self.values))

    def as_values(self) -> dict[str, Any]:
        """What was given, as plain values."""
        return {"kind": self.kind, **dict(self.values)}


def placed(interfaces: Sequence[Interface | Place], block: Block) -> tuple[Interface, ...]:
    """The interfaces of this block."""
    return tuple(one.on(block) if isinstance(one, Place) else one for one in interfaces)


def checked(interfaces: Any) -> tuple[Interface | Place, ...]:
    """Interfaces as given, with names of their own."""
    if isinstance(interfaces, (Interface, Place, Mapping, str)) or not isinstance(
        interfaces, Sequence
    ):
        raise InputError(f"interfaces = {interfaces!r} is not allowed: give a list, of {FORMS}.")
    made: list[Interface | Place] = []
    for number, given in enumerate(interfaces, 1):
        one = _read(given)
        nameless = isinstance(one, Interface) and not one.name
        made.append(replace(one, name=str(number)) if nameless else one)  # type: ignore[arg-type]
    names = [one.name for one in made]
    if not made or len(set(names)) < len(names):
        raise InputError(
            "A body needs an interface to stand on."
            if not made
            else f"Interfaces have the names {names}: give each a name of its own, name = …."
        )
    return tuple(made)


def _read(given: Any) -> Interface | Place:
    if isinstance(given, (Interface, Place)):
        return given
    if isinstance(given, str):
        (kind, values), words = _parted(given), given
    elif isinstance(given, Mapping):
        kind, values = str(given.get("kind", "")), {k: v for k, v in given.items() if k != "kind"}
        words = ",".join([*filter(None, [kind]), *(f"{k}={v}" for k, v in values.items())])
    else:
        raise InputError(
            f"{given!r} is not an interface: give rs.Interface((x, y), (x, y)), or one of {FORMS}."
        )
    try:
        return _made(kind, values)
    except InputError as error:
        raise InputError(f"Interface {words!r}: {error}") from error


def _parted(text: str) -> tuple[str, dict[str, Any]]:
    kind, *parts = (part.strip() for part in text.split(","))
    if not kind:
        raise InputError(f"Interface {text!r} says nothing: give one of {FORMS}.")
    values: dict[str, Any] = {}
    for part in parts:
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not value:
            raise InputError(f"Interface {text!r}: write {part!r} as NAME=VALUE.")
        values[name] = value if name in WORDS else _number(name, value, text)
    return kind, values


def _number(name: str, value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"Interface {text!r}: {name} = {value!r} is not a number.") from None


def _made(kind: str, values: dict[str, Any]) -> Interface | Place:
    if not kind:
        return _between(values)
    if kind not in NEEDS:
        raise InputError(f"{kind!r} {unknown(kind, NEEDS, 'as an interface')}.")
    needs, allowed = NEEDS[kind], (*NEEDS[kind], *MAY_HAVE.get(kind, ()), *OWN)
    _check_names(values, needs, allowed, kind)
    own = {name: value for name, value in values.items() if name in OWN}
    where = {name: value for name, value in values.items() if name not in OWN}
    for name, value in where.items():
        if name != "side":
            finite(name, value, "m")
    if kind == "pad":
        return Interface.pad(**where, **own)
    if kind == "line":
        x0, y0, x1, y1 = (real(where[name]) for name in needs)
        return Interface((x0, y0), (x1, y1), **own)
    if where.get("side", "left") not in SIDES:
        raise InputError(f"side = {where['side']!r} is not known: give 'left' or 'right'.")
    Interface((0.0, 0.0), (1.0, 0.0), **own)  # refuses what no interface may have
    return Place(kind, tuple(values.items()))


def _between(values: dict[str, Any]) -> Interface:
    """The table of an interface with its two ends."""
    _check_names(values, ("start", "end"), ("start", "end", *OWN), "an interface")
    return Interface(**values)


def _check_names(
    values: dict[str, Any], needs: Sequence[str], allowed: Sequence[str], what: str
) -> None:
    for name in values:
        if name not in allowed:
            raise InputError(f"{name!r} {unknown(name, allowed, f'for {what}')}.")
    lacks = [name for name in needs if name not in values]
    if lacks:
        raise InputError(f"it lacks {' and '.join(lacks)}.")
