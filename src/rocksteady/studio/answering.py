"""From a route to a worker and back."""

from typing import Any

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel

from rocksteady.studio.limits import UNSENT_BYTES
from rocksteady.studio.paths import checked
from rocksteady.studio.problems import BusyError
from rocksteady.studio.protocol import unsent

SMALL = 1_000_000  # bytes of an answer that is sent however much waits to be sent


async def answered(
    request: Request, function: str, asked: BaseModel | dict[str, Any], timeout: float = 20.0
) -> Response:
    """The answer of a function in ``answers/`` to what was asked. Files that were not uploaded are
    refused."""
    plain = (
        asked.model_dump(mode="json", exclude_unset=True) if isinstance(asked, BaseModel) else asked
    )
    content = await request.app.state.studio.workers.call(function, checked(plain), timeout)
    if len(content) > SMALL and unsent() > UNSENT_BYTES:
        raise BusyError("Large answers are still being sent to others. Try again shortly.")
    return Response(content, media_type="application/json")
