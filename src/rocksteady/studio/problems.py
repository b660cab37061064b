"""What can go wrong with a request, and the sentence that answers it."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from rocksteady.errors import InputError
from rocksteady.specs.problems import Place, sentence
from rocksteady.studio.encoding import encode
from rocksteady.studio.folder import FULL, full
from rocksteady.studio.paths import without_paths

log = logging.getLogger("rocksteady.studio")


class Problem(BaseModel):
    """Why a request was not answered."""

    error: str
    """One or two sentences: what was wrong, what is allowed, what to try."""


class BusyError(Exception):
    """Nobody can answer just now: asking again later may help."""


PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request is not what this address takes."},
    403: {"model": Problem, "description": "It comes from another site, or has no token."},
    413: {"model": Problem, "description": "It is too large."},
    422: {"model": Problem, "description": "A value is not allowed: the sentence says which."},
    503: {"model": Problem, "description": "Too busy, or it took too long: try again."},
    507: {"model": Problem, "description": "The disk is full."},
}
"""For ``responses=`` of every route."""


LONGEST = 1000  # characters of a sentence: some errors list what there is


def problem(status: int, text: str, **headers: str) -> Response:
    """The answer with a sentence."""
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    plain = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    return Response(encode({"error": plain}), status, headers, "application/json")


def fault(method: str, path: str, error: Exception) -> Response:
    """The answer to what nobody expected; the terminal tells more."""
    log.error("%s %s", method, path, exc_info=error)
    return problem(500, "This is a fault in rocksteady: the terminal it was started in tells more.")


def add_handlers(app: FastAPI) -> None:
    """Answer every error that is expected with a `Problem`. Others are left to the outermost layer:
    FastAPI would answer them outside of it, without the headers that browsers heed."""

    def told(request: Request, status: int, text: str, **headers: str) -> Response:
        folder = request.app.state.studio.settings.folder
        return problem(status, without_paths(text, folder), **headers)

    @app.exception_handler(InputError)
    async def _(request: Request, error: InputError) -> Response:
        if full(error.__cause__):  # `files` says in words what could not be written
            return told(request, 507, FULL)
        return told(request, 422, str(error))

    @app.exception_handler(OSError)
    async def _(request: Request, error: OSError) -> Response:
        if not full(error):
            raise error
        return told(request, 507, FULL)

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> Response:
        return told(request, 422, _in_words(request, error))

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        text = _ROUTING.get((error.status_code, str(error.detail)), str(error.detail))
        headers = {"Allow": _allowed(request)} if error.status_code == 405 else error.headers
        return told(request, error.status_code, text, **(headers or {}))

    @app.exception_handler(BusyError)
    async def _(request: Request, error: BusyError) -> Response:
        return told(request, 503, str(error), **{"Retry-After": "1"})


_ROUTING = {  # what Starlette says, and what we say
    (404, "Not Found"): "There is nothing at this address: /api/docs lists what there is.",
    (405, "Method Not Allowed"): "This address does not take that method: see /api/docs.",
    (400, "There was an error parsing the body"): "The body cannot be read as JSON.",
}


def _allowed(request: Request) -> str:
    """The methods that an address takes: Starlette names those of its first route only."""
    path = request.url.path.removeprefix("/api")
    routes = [one for one in request.app.state.studio.routes if one.path_regex.match(path)]
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


class _Found:
    """What pydantic found, as `sentence` wants it: keys begin in the body."""

    def __init__(self, problems: list[Any]) -> None:
        self._problems = [{**one, "loc": tuple(one["loc"])[1:]} for one in problems]

    def errors(self) -> list[Any]:
        return self._problems


def _in_words(request: Request, error: RequestValidationError) -> str:
    problems = list(error.errors())
    first = problems[0]
    if first["type"] == "json_invalid":
        return f"The body cannot be read as JSON: {first['ctx'].get('error', 'it is cut short')}."
    field = getattr(request.scope.get("route"), "body_field", None)
    model = getattr(getattr(field, "field_info", None), "annotation", None)
    where = ".".join(map(str, first["loc"][1:])) or str(first["loc"][0])
    if first["loc"] == ("body",) or not (isinstance(model, type) and issubclass(model, BaseModel)):
        said = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        return f"{where}: {said[:1].lower()}{said[1:]}."
    found: Any = _Found(problems)
    return sentence(found, model, Place())
