"""What this server is, and what it can do."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from rocksteady.studio.answering import answered
from rocksteady.studio.encoding import encode
from rocksteady.studio.problems import PROBLEMS

router = APIRouter(tags=["about"])


class Compiling(BaseModel):
    """What is compiled for the first time on this machine: a sentence for each theory."""

    compiling: list[str]


@router.get("/about", responses={**PROBLEMS, 200: {"description": "Version, theories, presets."}})
async def about(request: Request) -> dict[str, Any]:
    """Version, theories with their parameters, presets, and limits. It does not change while the
    server runs."""
    studio = request.app.state.studio
    if studio.about is None:
        found = await answered(request, "rocksteady.studio.answers.about:answer", {}, 60.0)
        studio.about = bytes(found.body)
    return Response(studio.about, media_type="application/json")  # type: ignore[return-value]


@router.get("/compiling", responses=PROBLEMS, response_model=Compiling)
async def compiling(request: Request) -> Response:
    """What people wait for where a first answer takes longer."""
    return Response(encode({"compiling": request.app.state.studio.workers.compiling}),
                    media_type="application/json")  # fmt: skip
