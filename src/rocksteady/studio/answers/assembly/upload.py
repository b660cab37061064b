"""A drawing of stones that was uploaded: JSON, COMPAS JSON, DXF or SVG."""

from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.specs import BodySpec
from rocksteady.studio.answers.assembly.shape import about, built

DRAWINGS = (".dxf", ".svg")
MARKS = (b'"stones"', b'"dtype"')
"""What stands in a JSON file of stones, ours or that of COMPAS."""
NO_UNIT, NOT_FIXED = "give its `scale`", "No stone is fixed"
GROUND = "No stone in the drawing is fixed: a ground was added below the lowest one."


def is_drawing(file: Path) -> bool:
    """Whether a file may be a drawing of stones."""
    suffix = file.suffix.lower()
    if suffix == ".json":
        content = file.read_bytes()
        return any(mark in content for mark in MARKS)
    return suffix in DRAWINGS


def stones(folder: Path, path: str) -> dict[str, Any]:
    """The description of the assembly. Where nothing is fixed a ground is added; the unit is asked
    for where the drawing has none."""
    body: dict[str, Any] = {"kind": "Assembly", "file": path}
    found: dict[str, Any] = {"kind": "assembly", "body": body}
    try:
        return found | {"about": _measured(body, folder)}
    except InputError as error:
        text = str(error)
    if NO_UNIT in text:
        try:  # in metres, to learn what else is missing
            _measured(body | {"scale": 1.0}, folder)
        except InputError as error:
            if NOT_FIXED not in str(error):
                raise
            body |= {"ground": True}
        return found | {"body": body, "asks": {"scale": None}, "words": text}
    if NOT_FIXED not in text:
        raise InputError(text)
    body |= {"ground": True}
    return found | {"body": body, "about": _measured(body, folder), "words": GROUND}


def _measured(body: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What follows from it, without the outlines."""
    found = about(built(BodySpec.checked(body), folder))
    return {name: value for name, value in found.items() if name != "stones"}
