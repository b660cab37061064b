"""An outline traced over a photograph. The photograph stays in the browser."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import Field, FiniteFloat, NonNegativeFloat, PositiveFloat

from rocksteady.bodies.outline_checks import MOST_CORNERS
from rocksteady.specs import Spec
from rocksteady.studio.answering import answered
from rocksteady.studio.problems import PROBLEMS

router = APIRouter(tags=["one run"])


class OutlineQuestion(Spec):
    """The corners of a closed outline, and how large and heavy it is."""

    points: list[tuple[FiniteFloat, FiniteFloat]] = Field(max_length=MOST_CORNERS)
    """Corners (x, y), x to the right and y up, in the order along the outline."""
    height: PositiveFloat | None = None
    """Its full height [m]."""
    scale: PositiveFloat | None = None
    """Or the length of one unit of the points [m]."""
    density: PositiveFloat | None = None
    """[kg/m³]"""
    thickness: PositiveFloat | None = None
    """Across the picture [m]."""
    mass: PositiveFloat | None = None
    """[kg], in place of the density."""
    section: Literal["flat", "round", "square"] = "flat"
    """What it is across the picture."""
    tolerance: NonNegativeFloat | None = None
    """Corners within this of the lowest one touch the floor [m]."""


@router.post(
    "/outline", responses={**PROBLEMS, 200: {"description": "Area, centre, inertia, the block."}}
)
async def outline(
    request: Request,
    asked: Annotated[
        OutlineQuestion,
        Body(examples=[{"points": [[0, 0], [50, 0], [40, 180], [10, 180]], "height": 1.8}]),
    ],
) -> dict[str, Any]:
    """Measure an outline: area [m²], centre [m], second moments [m⁴] and base [m], exactly those of
    the polygon, and the block that `rs.Block.from_outline` makes of it. Where it crosses itself or
    nothing can stand on its base, ``problem`` says so and the rest is null."""
    return await answered(request, "rocksteady.studio.answers.outline:answer", asked)  # type: ignore[return-value]
