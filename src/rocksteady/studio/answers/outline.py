"""An outline that was traced: its area, centre and second moments, and the block that has it."""

from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.studio.answers.body import about_body
from rocksteady.systems import Block
from rocksteady.systems.outline import Outline, scaled

WEIGHED = ("density", "thickness", "mass", "section")


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Numbers of the outline in metres; where no body can stand on it, a sentence says why."""
    points = scaled(request["points"], request.get("height"), request.get("scale"))
    tolerance = request.get("tolerance")
    outline = Outline(points, tolerance)
    heavy = {name: request[name] for name in WEIGHED if request.get(name) is not None}
    found: dict[str, Any] = {
        "area": outline.area,
        "centre": outline.centre,
        "second": outline.second,
        "height": outline.height,
        "breadth": outline.breadth,
        "floor": outline.floor,
        "tolerance": outline.tolerance,
        "base": None,
        "body": None,
        "problem": None,
    }
    try:
        found["base"] = outline.base
        block = Block.from_outline(points, tolerance=tolerance, **heavy)
        found["centre_of_mass"] = outline.weighed(**heavy).centre
        found["body"] = about_body(block, outline.standing)
    except InputError as error:
        found["problem"] = str(error)
    return found
