"""Files: records of earthquakes, 3D scans and drawings of stones."""

import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException

from rocksteady.errors import InputError
from rocksteady.studio import uploads
from rocksteady.studio.answering import answered
from rocksteady.studio.limits import RECORD_SECONDS, SCAN_SECONDS
from rocksteady.studio.problems import PROBLEMS
from rocksteady.studio.workers import UnansweredError

router = APIRouter(tags=["files"])
BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {"description": "What it is, and how motions and bodies name it."}
}


@router.post("/uploads", openapi_extra=BODY, responses={**PROBLEMS, **DESCRIBED})
async def upload(
    request: Request,
    name: Annotated[
        str, Query(description="Name of the file, with its ending.", min_length=1, max_length=500)
    ],
    beside: Annotated[
        str | None,
        Query(description="Path of an earlier upload that is of the same station.", max_length=500),
    ] = None,
) -> dict[str, Any]:
    """Send a file as it is, as the body. The answer says what was recognised: ``motion`` or
    ``body``, for use in a description; ``asks``, what the file does not tell (unit, time step,
    component), to be added to that description; and ``warnings``, what is uncertain.
    Records and drawings of stones (our JSON, COMPAS JSON, DXF, SVG) up to 32 MB, 3D scans (STL,
    OBJ, PLY, GLB) up to 128 MB."""
    folder = request.app.state.studio.settings.folder
    try:
        async with contextlib.aclosing(request.stream()) as parts:
            path = await uploads.keep(folder, name, parts, beside)
    except uploads.TooLargeError as error:
        raise HTTPException(413, str(error)) from error
    function = "rocksteady.studio.answers.upload:answer"
    seconds = SCAN_SECONDS if uploads.is_scan(path) else RECORD_SECONDS
    try:
        return await answered(request, function, {"path": path}, seconds)  # type: ignore[return-value]
    except UnansweredError as error:
        raise InputError(
            f"{uploads.safe_name(name)} cannot be read in the {seconds:g} s and the memory "
            "that one file may take: is it damaged? Reduce it, or send another."
        ) from error
