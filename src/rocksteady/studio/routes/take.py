"""Downloads: what is on the page, as a file."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Request, Response

from rocksteady.specs import CaseSpec
from rocksteady.studio.answering import answered
from rocksteady.studio.problems import PROBLEMS
from rocksteady.studio.routes.simulate import PULSE, STATUE
from rocksteady.studio.taking.names import attachment, file_name

router = APIRouter(tags=["take it with you"])

What = Literal["script", "study", "csv", "nc", "png", "svg"]
TYPES = {
    "script": ("py", "text/x-python; charset=utf-8"),
    "study": ("toml", "application/toml"),
    "csv": ("csv", "text/csv; charset=utf-8"),
    "nc": ("nc", "application/x-netcdf"),
    "png": ("png", "image/png"),
    "svg": ("svg", "image/svg+xml"),
    "zip": ("zip", "application/zip"),
}
"""The ending of each file, and its media type."""
ONCE = ("script", "study")
"""One file for all theories."""
FILES: dict[str, dict[str, str]] = {kind.partition(";")[0]: {} for _, kind in TYPES.values()}


@router.post(
    "/take/{what}",
    responses={**PROBLEMS, 200: {"description": "The file.", "content": FILES}},
    response_class=Response,
)
async def take(
    request: Request,
    what: What,
    case: Annotated[CaseSpec, Body(examples=[{"body": STATUE, "motion": PULSE}])],
) -> Response:
    """Download a case: as a Python script or a study file that gives the same numbers, as a table
    (CSV, NetCDF) or as a figure (PNG, SVG). Tables and figures of several theories come as a ZIP
    archive with a file for each."""
    asked = {"what": what, "case": case.model_dump(mode="json", exclude_unset=True)}
    answer = await answered(request, "rocksteady.studio.taking.files:answer", asked)
    packed = what not in ONCE and len(case.theories) > 1
    ending, media_type = TYPES["zip" if packed else what]
    headers = {"Content-Disposition": attachment(file_name(case, ending))}
    return Response(answer.body, headers=headers, media_type=media_type)
