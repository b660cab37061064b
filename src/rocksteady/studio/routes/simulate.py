"""Questions that are answered at once: a case, a motion, a body."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request

from rocksteady.specs import BodySpec, CaseSpec, FloorSpec, MotionSpec, Spec
from rocksteady.studio.answering import answered
from rocksteady.studio.problems import PROBLEMS

router = APIRouter(tags=["one run"])

STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
PULSE = {"pulse": "sine,a=0.4g,T=0.8"}


class MotionQuestion(Spec):
    """A motion of the ground, and the floor on which it is felt."""

    motion: MotionSpec
    floor: FloorSpec | None = None


@router.post("/simulate", responses={**PROBLEMS, 200: {"description": "A run for each theory."}})
async def simulate(
    request: Request, case: Annotated[CaseSpec, Body(examples=[{"body": STATUE, "motion": PULSE}])]
) -> dict[str, Any]:
    """Shake a body: histories, impacts and outcome in each theory, those of `rs.simulate` bit for
    bit. Angles in rad, lengths in m, accelerations in m/s², energies in J."""
    return await answered(request, "rocksteady.studio.answers.simulate:answer", case)  # type: ignore[return-value]


@router.post("/motion", responses={**PROBLEMS, 200: {"description": "Samples and peaks."}})
async def motion(
    request: Request, asked: Annotated[MotionQuestion, Body(examples=[{"motion": PULSE}])]
) -> dict[str, Any]:
    """Make or read a motion: accelerations [m/s²] of the ground and of the floor, PGA [g]."""
    return await answered(request, "rocksteady.studio.answers.motion:answer", asked)  # type: ignore[return-value]


@router.post("/body", responses={**PROBLEMS, 200: {"description": "Its numbers."}})
async def body(
    request: Request, described: Annotated[BodySpec, Body(examples=[STATUE])]
) -> dict[str, Any]:
    """What follows from a body's sizes: α [rad], p [rad/s], mass [kg], and how to draw it."""
    return await answered(request, "rocksteady.studio.answers.body:answer", described)  # type: ignore[return-value]
