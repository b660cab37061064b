"""Answers as JSON: floats keep every bit, numbers that are not finite become null."""

from pathlib import PurePath
from typing import Any

import orjson

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS


def encode(obj: Any) -> bytes:
    """The JSON text of plain values, dataclasses, descriptions and NumPy arrays."""
    return orjson.dumps(obj, default=_plain, option=_OPTIONS)


def _plain(value: Any) -> Any:
    """What orjson cannot write itself."""
    if isinstance(value, PurePath):
        return value.as_posix()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_defaults=True)
    if hasattr(value, "tolist"):  # an array that is not contiguous, or a NumPy scalar
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")
