"""Numbers as text without losing a bit, and JSON files that survive a crash."""

import base64
from pathlib import Path
from typing import Any, Self, get_type_hints

import numpy as np

from rocksteady.digests import checked_json, sealed_json
from rocksteady.errors import InputError
from rocksteady.files import write_durably
from rocksteady.numerics.types import Array


def to_hex(value: float) -> str:
    """A float as hexadecimal text, every bit of it."""
    return float(value).hex()


def from_hex(text: str) -> float:
    return float.fromhex(text)


class Exact:
    """A dataclass that goes through JSON without losing a bit: its floats are hexadecimal."""

    def to_dict(self) -> dict[str, Any]:
        return {name: _described(value) for name, value in vars(self).items()}

    @classmethod
    def from_dict(cls, about: dict[str, Any]) -> Self:
        """The one that `to_dict` described. Its types say which texts are numbers."""
        kinds = get_type_hints(cls).items()
        return cls(**{name: _restored(about[name], kind) for name, kind in kinds if name in about})


def _described(value: Any) -> Any:
    if isinstance(value, tuple):
        return [to_hex(part) for part in value]
    return to_hex(value) if isinstance(value, float) else value


def _restored(value: Any, kind: Any) -> Any:
    if isinstance(value, list):
        return tuple(from_hex(text) for text in value)
    return from_hex(value) if isinstance(value, str) and kind is not str else value


def array_text(values: Array) -> str:
    """An array of floats as base64 text of its bytes (little-endian doubles)."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def read_array(text: str) -> Array:
    return np.frombuffer(base64.b64decode(text), dtype="<f8").astype(float)


def write_json(path: Path, about: dict[str, Any]) -> Path:
    """Write sealed JSON so that after a crash or power cut ``path`` holds the old text or the new
    one."""
    return write_durably(path, sealed_json(about))


def read_json(path: Path, what: str) -> dict[str, Any]:
    """A JSON object from ``path`` whose digest is right, or an error that says why not."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except OSError as error:
        raise InputError(f"{path} is not {what} ({error}).") from error
    return checked_json(data, path)
