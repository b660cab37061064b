"""The parameters of bodies and theories in JSON schemas: type, unit, default, what they mean."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from rocksteady.registry import class_of
from rocksteady.systems.units import UNITS

_TYPES = {"float": "number", "int": "integer", "bool": "boolean", "str": "string"}
_UNIT = re.compile(r"\[(?!0|-)([^\]]+)\]")


def with_parameters(schema: dict[str, Any], key: str, made_by: Mapping[str, Any]) -> dict[str, Any]:
    """A schema that also says which parameters go with each name that ``key`` may have. Names of
    classes elsewhere, "module:Class", may have any."""
    own = [_alternative(key, name, made) for name, made in made_by.items()]
    elsewhere = {"properties": {key: {"type": "string", "pattern": ":"}}}
    return {**schema, "anyOf": [*own, elsewhere]}


def _alternative(key: str, name: str, made_by: Any) -> dict[str, Any]:
    taken = inspect.signature(made_by).parameters
    told = documented(class_of(made_by))
    properties = {n: _parameter(p, *told.get(n, ("", ""))) for n, p in taken.items()}
    for other in getattr(made_by, "parameter_names", list)():  # other forms, such as p and alpha
        properties.setdefault(other, {"type": "number", "unit": UNITS.get(other, "1")})
    return {"title": name, "properties": {key: {"const": name}, **properties}}


def _parameter(taken: inspect.Parameter, meaning: str, unit: str) -> dict[str, Any]:
    kinds = [_TYPES[word] for word in re.findall(r"\w+", str(taken.annotation)) if word in _TYPES]
    about: dict[str, Any] = {"type": kinds[0]} if kinds else {}
    if about.get("type") == "number":
        about["unit"] = UNITS.get(taken.name, unit) or "1"
    if meaning:
        about["description"] = meaning
    if taken.default not in (inspect.Parameter.empty, None):
        about["default"] = taken.default
    return about


def documented(kind: type) -> dict[str, tuple[str, str]]:
    """What the docstring of a class says of each parameter, and the unit in brackets there."""
    text = inspect.getdoc(kind) or ""
    section = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    found: dict[str, tuple[str, str]] = {}
    for entry in re.split(r"\n(?=\S)", section):
        names, _, meaning = entry.partition("\n")
        words = " ".join(meaning.split())
        unit = _UNIT.search(words) if "," not in names else None
        found |= {name.strip(): (words, unit[1] if unit else "") for name in names.split(",")}
    return found
