"""Masonry buildings: pushed slowly, or shaken by one earthquake after the other."""

from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Request
from pydantic import Field, FiniteFloat, model_validator

from rocksteady.specs import BodySpec, MotionSpec, Spec
from rocksteady.studio.answering import answered
from rocksteady.studio.problems import PROBLEMS

router = APIRouter(tags=["building"])

HOUSE = {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 40e3, "damping": 1e5}
ANSWERS = "rocksteady.studio.answers.building"
Update = Literal["accurate", "explicit"]


class PushoverRequest(Spec):
    """A building, and how far it is pushed: a history, or an amplitude with or without cycles."""

    building: BodySpec = Field(examples=[HOUSE])
    displacement: list[FiniteFloat] | None = Field(default=None, min_length=2, max_length=20_000)
    """The displacement history [m]; `to` and `cycles` are then not used."""
    to: Annotated[FiniteFloat, Field(gt=0, le=1)] | None = None
    """Push from zero to this displacement [m]."""
    cycles: int = Field(default=0, ge=0, le=20)
    """So many cycles to either side, growing to `to`; 0 pushes to one side only."""
    update: Update = "accurate"
    """How the interface is integrated."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.displacement is None) == (self.to is None):
            raise ValueError("give one of displacement and to")
        return self


class SequenceRequest(Spec):
    """A building and the earthquakes that shake it, in their order."""

    building: BodySpec = Field(examples=[HOUSE])
    motions: list[MotionSpec] = Field(
        min_length=1,
        max_length=8,
        examples=[[{"stochastic": {"count": 1, "seed": 7}, "pga": 0.15}]],
    )
    gap: Annotated[FiniteFloat, Field(ge=0, le=120)] = 10.0
    """Quiet time after each earthquake [s]."""
    settle: bool = False
    """Let all vibration die out before the next one."""
    main: Annotated[int, Field(ge=0, le=7)] | None = None
    """The main shock, from 0; the one with the largest peak acceleration unless given."""
    update: Update = "accurate"
    columns: list[str] | None = Field(default=None, max_length=12, examples=[["u [m]", "w [-]"]])
    """Which histories to return; all unless given."""


@router.get("/building", responses={**PROBLEMS, 200: {"description": "Words and units."}})
async def building(request: Request) -> dict[str, Any]:
    """What describes a masonry building (words and units), the presets, and what wear is called."""
    return await answered(request, f"{ANSWERS}:about", {})  # type: ignore[return-value]


@router.post("/pushover", responses={**PROBLEMS, 200: {"description": "A value per point."}})
async def pushover(request: Request, asked: PushoverRequest) -> dict[str, Any]:
    """Push a building slowly: base shear, slip, hardening and wear at every displacement, those of
    `rs.pushover` bit for bit. SI units."""
    return await answered(request, f"{ANSWERS}:push", _plain(asked))  # type: ignore[return-value]


@router.post("/sequence", responses={**PROBLEMS, 200: {"description": "Histories of each shock."}})
async def sequence(request: Request, asked: SequenceRequest) -> dict[str, Any]:
    """Shake a building by up to eight earthquakes in turn; its damage is carried over. Histories
    of each earthquake, those of `rs.sequence` bit for bit. SI units."""
    return await answered(request, f"{ANSWERS}:shake", _plain(asked))  # type: ignore[return-value]


def _plain(asked: Spec) -> dict[str, Any]:
    """With the defaults, which the functions in ``answers/`` do not repeat."""
    return asked.model_dump(mode="json", exclude_none=True)
