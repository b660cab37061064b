"""Our own description in JSON: all of an assembly, and exactly."""

from __future__ import annotations

import json
from typing import Any

from rocksteady.errors import InputError
from rocksteady.marks import sealed_mark

FORMAT = "assembly"
VERSION = 1
ABOUT = ("rocksteady", "version", "comment")  # what the file says of itself


def parsed(text: str) -> dict[str, Any]:
    """The object in a JSON text."""
    try:
        found = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise InputError("It is nested too deeply to be a description of stones.") from None
    except ValueError as error:
        raise InputError(f"It is not JSON: {str(error)[:100]}.") from None
    if not isinstance(found, dict):
        raise InputError(
            f"It is JSON, but a {type(found).__name__}: the description of an assembly begins with "
            "a brace, {."
        )
    return found


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is not a number of JSON")


def values(found: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the assembly."""
    if found.get("rocksteady") != FORMAT or "stones" not in found:
        raise InputError(
            'It is JSON, but neither ours ("rocksteady": "assembly") nor of COMPAS ("dtype", '
            '"data").'
        )
    version = found.get("version")
    if version != VERSION:
        raise InputError(
            f"It is of version {version!r}: this rocksteady reads version {VERSION}. Update it."
        )
    return {name: value for name, value in found.items() if name not in ABOUT}


def written(plain: dict[str, Any]) -> str:
    """The text of a file; a stone on each line."""
    head = {"rocksteady": FORMAT, "version": VERSION, "comment": sealed_mark()}
    rest = {name: value for name, value in plain.items() if name != "stones"}
    lines = [f'"{name}": {_json(value)}' for name, value in (head | rest).items()]
    stones = ",\n".join(_json(stone) for stone in plain["stones"])
    return "{\n" + ",\n".join([*lines, f'"stones": [\n{stones}\n]']) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
