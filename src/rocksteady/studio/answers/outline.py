"""An outline that was traced: its area, centre and second moments, and the block that has it."""

from pathlib import Path
from typing import Any

from rocksteady.bodies import Block
from rocksteady.bodies.outline import Outline, scaled
from rocksteady.errors import InputError
from rocksteady.studio.answers.body import about_body

WEIGHED = ("density", "thickness", "mass", "section")


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Numbers of the outline in metres. While somebody traces it, it may cross itself or have no
    base yet: then a sentence says so, and what cannot be known is null."""
    found: dict[str, Any] = dict.fromkeys(
        ("area", "centre", "second", "height", "breadth", "floor", "tolerance", "base",
         "centre_of_mass", "body", "problem")
    )  # fmt: skip
    tolerance = request.get("tolerance")
    heavy = {name: request[name] for name in WEIGHED if request.get(name) is not None}
    sizes = _sizes(request)
    try:
        points = scaled(request["points"], *sizes)
        outline = Outline(points, tolerance)
        found |= {
            "area": outline.area,
            "centre": outline.centre,
            "second": outline.second,
            "height": outline.height,
            "breadth": outline.breadth,
            "floor": outline.floor,
            "tolerance": outline.tolerance,
        }
        found["base"] = outline.base
        block = Block.from_outline(points, tolerance=tolerance, **heavy)
        found["centre_of_mass"] = outline.weighed(**heavy).centre
        found["body"] = about_body(block, outline.standing)
    except InputError as error:
        found["problem"] = str(error)
    return found


def _sizes(request: dict[str, Any]) -> tuple[float | None, float | None]:
    """Height and scale, of which one may be given."""
    sizes = request.get("height"), request.get("scale")
    if None not in sizes:
        raise InputError("height and scale were both given: the outline takes one of them.")
    return sizes
