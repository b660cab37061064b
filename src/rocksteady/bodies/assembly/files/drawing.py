"""What all formats have in common: outlines that were drawn, and how a file is opened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocksteady.bodies.support import Point, Polygon
from rocksteady.errors import InputError

MOST_BYTES = 200_000_000
FIXED_NAMES = ("FIXED", "SUPPORT", "SUPPORTS", "GROUND")
"""Layers, groups and classes of stones that do not move."""


@dataclass
class Shape:
    """One stone as it was drawn, in the units of the file."""

    parts: list[Polygon]
    name: str = ""
    fixed: bool = False
    thickness: float | None = None
    density: float | None = None


@dataclass
class Drawing:
    """All that a file has."""

    shapes: list[Shape]
    empty: str
    """What it should have, for the message if there is none."""
    fixing: str
    """How a stone is fixed, for the message if none is."""
    scale: float | None = 1.0
    """Length of one unit [m], if the file says so."""
    options: dict[str, Any] = field(default_factory=dict)
    """Further parameters of the assembly."""


def text_of(path: Path) -> str:
    """The text of a file, or a sentence that says why there is none."""
    if path.is_dir():
        raise InputError("It is a folder: give the name of a file.")
    if not path.exists():
        raise InputError("There is no such file.")
    if not path.is_file():
        raise InputError("It is not an ordinary file.")
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(
                f"It has {size / 1e6:.0f} MB: at most {MOST_BYTES / 1e6:g} MB are read. Take a "
                "part of it."
            )
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"It cannot be read: {error.strerror or error}.") from None
    if not data.strip():
        raise InputError("It is empty.")
    if data.startswith(b"AutoCAD Binary DXF"):
        raise InputError("It is a binary DXF file: save it as an ASCII (text) DXF.")
    if b"\0" in data[:65536]:
        raise InputError("It is not a text file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # older DXF files


def number(text: Any, where: str) -> float:
    """A finite number, or an error."""
    try:
        value = math.nan if isinstance(text, bool) else float(text)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where} is {str(text)[:40]!r}, which is not a finite number.")
    return value


def closed(points: Sequence[Point]) -> Polygon:
    """Without the last corner if it repeats the first."""
    same = len(points) > 1 and points[0] == points[-1]
    return tuple(points[:-1] if same else points)


def is_fixed(*names: str) -> bool:
    """Whether one of these names says that a stone does not move."""
    return any(name.strip().upper() in FIXED_NAMES for name in names)
