"""From a route to a worker and back."""

from typing import Any

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel

from rocksteady.studio.paths import checked


async def answered(
    request: Request, function: str, asked: BaseModel | dict[str, Any], timeout: float = 20.0
) -> Response:
    """The answer of a function in ``answers/`` to what was asked. Files that were not uploaded are
    refused."""
    plain = (
        asked.model_dump(mode="json", exclude_unset=True) if isinstance(asked, BaseModel) else asked
    )
    content = await request.app.state.studio.workers.call(function, checked(plain), timeout)
    return Response(content, media_type="application/json")
