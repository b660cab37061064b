"""An assembly by plain numbers and words, as tables, study files and commands give it."""

from __future__ import annotations

import inspect
import json
import math
from typing import Any

from rocksteady.bodies.assembly.description import frictions_from, links_from, stones_from
from rocksteady.bodies.assembly.made import Made
from rocksteady.errors import InputError, unknown

STRUCTURES = ("drums", "pedestal", "vase_on_plinth", "portal", "trilith", "arch",
              "buttressed_arch", "wall", "patterned_wall", "ferris_tin_loi")  # fmt: skip
"""The class methods that make an assembly from a few sizes."""
READING = ("scale", "ground", "density", "thickness")
WORDS = ("structure", "file", "description", "name", "bond", "stones", "links", "joint_friction",
         "openings", "pattern", "statue", "pedestal")  # fmt: skip
"""Parameters that are no numbers."""
LISTS = ("stones", "links", "joint_friction", "openings", "pattern", "statue", "pedestal")
FIELDS = ("friction", "joint_friction", "links", "name", "g", "floating")


def names() -> list[str]:
    """All parameters by which an assembly can be described beside its fields."""
    of_structures = (name for way in STRUCTURES for name in taken(way))
    return list(dict.fromkeys(("structure", *of_structures, "file", *READING, "description")))


def taken(way: str) -> list[str]:
    """The parameters of a structure's class method, without the options of all assemblies."""
    own = inspect.signature(getattr(Made, way)).parameters
    return [name for name, one in own.items() if one.kind is not one.VAR_KEYWORD]


def plain(kind: Any, values: dict[str, Any], preset: str | None) -> Any:
    """The assembly that these values describe, or the fields of the class."""
    if preset is not None:
        raise InputError(
            f"preset = {preset!r}: an {kind.__name__} has no presets. Name a `structure`: "
            f"{', '.join(STRUCTURES)}."
        )
    given = {name: _unpacked(name, v) for name, v in values.items() if not _missing(v)}
    ways = [name for name in ("structure", "file", "description", "stones") if name in given]
    if len(ways) != 1:
        both = " and ".join(f"`{name}`" for name in ways) + " were given: " if ways else ""
        raise InputError(
            f"{both}describe an assembly in one way, by a `structure` "
            f"({', '.join(STRUCTURES)}) and its sizes, by a `file`, or by its `stones`."
        )
    if "joint_friction" in given:
        given["joint_friction"] = frictions_from(given["joint_friction"])
    if "links" in given:
        given["links"] = links_from(given["links"])
    if "structure" in given or "file" in given:
        way, arguments = _call(given)
        return getattr(kind, way)(**arguments)
    if "description" in given:
        return _from_row(kind, given)
    strange = [name for name in given if name not in ("stones", *FIELDS)]
    if strange:
        raise InputError(f"`{strange[0]}` {unknown(strange[0], FIELDS, 'beside `stones`')}.")
    return given | {"stones": stones_from(given["stones"])}


def written(values: dict[str, Any], preset: str | None) -> tuple[str, dict[str, Any]] | None:
    """How a person would write it in Python: the class method and its arguments; None where it is
    described by its fields."""
    given = {name: _unpacked(name, v) for name, v in values.items() if not _missing(v)}
    if preset is None and ("structure" in given or "file" in given):
        return _call(given)
    return "from_values", {"values": given}


def _call(given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The class method that makes it, and its arguments."""
    if "file" in given:
        way, needed, allowed = "read", ["file"], ["file", *READING]
    else:
        way = given["structure"]
        if way not in STRUCTURES:
            raise InputError(
                f"structure = {way!r} is not allowed: there are {', '.join(STRUCTURES)}."
            )
        allowed = taken(way)
        own = inspect.signature(getattr(Made, way)).parameters
        needed = [name for name in allowed if own[name].default is inspect.Parameter.empty]
    arguments = {name: value for name, value in given.items() if name != "structure"}
    strange = [name for name in arguments if name not in (*allowed, *FIELDS)]
    if strange:
        where = f"for a {_words(way)}"
        raise InputError(f"`{strange[0]}` {unknown(strange[0], (*allowed, *FIELDS), where)}.")
    lacks = [f"`{name}`" for name in needed if name not in arguments]
    if lacks:
        raise InputError(f"The {_words(way)} lacks {', '.join(lacks)}.")
    if "file" in arguments:
        arguments = {"path": arguments.pop("file"), **arguments}
    return way, arguments


def _words(way: str) -> str:
    return {"read": "file", "drums": "column of drums"}.get(way, way.replace("_", " "))


def _from_row(kind: Any, given: dict[str, Any]) -> Any:
    """What the columns of a table keep, bit for bit."""
    text = given.pop("description")
    try:
        values = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError(
            f"description = {str(text)[:60]!r} is not an assembly in JSON: it is what tables of "
            "results keep."
        )
    return kind.from_values({**values, **given})


def _unpacked(name: str, value: Any) -> Any:
    """Lists from the text that stands in a table."""
    if name not in LISTS or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise InputError(
            f"{name} = {value[:60]!r} is not a list: write it in brackets, as [[0.5, 1.8]]."
        ) from None


def _missing(value: Any) -> bool:
    """An empty cell of a table."""
    return value is None or (isinstance(value, float) and math.isnan(value))
