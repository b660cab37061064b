"""Numbers as text without losing a bit, and JSON files that survive a crash."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.files import write_durably
from rocksteady.formulations.contract import Array


def to_hex(value: float) -> str:
    """A float as hexadecimal text, every bit of it."""
    return float(value).hex()


def from_hex(text: str) -> float:
    return float.fromhex(text)


def array_text(values: Array) -> str:
    """An array of floats as base64 text of its bytes (little-endian doubles)."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def read_array(text: str) -> Array:
    return np.frombuffer(base64.b64decode(text), dtype="<f8").astype(float)


def write_json(path: Path, about: dict[str, Any]) -> Path:
    """Write JSON so that after a crash or power cut ``path`` holds the old text or the new one."""
    return write_durably(path, json.dumps(about))


def read_json(path: Path, what: str) -> dict[str, Any]:
    """A JSON object from ``path``, or an error that says why not."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except (ValueError, OSError) as error:
        raise InputError(f"{path} is not {what} ({error}).") from error
    if not isinstance(about, dict):
        raise InputError(f"{path} is not {what}: it holds no JSON object.")
    return about
