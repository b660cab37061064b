"""Long questions: start a job, follow it, cancel it, fetch what it found."""

from typing import Annotated, Any, Union

import orjson
from fastapi import APIRouter, Body, Request
from fastapi.responses import FileResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from rocksteady.errors import InputError
from rocksteady.specs import CaseSpec, Spec
from rocksteady.studio.answering import answered
from rocksteady.studio.encoding import encode
from rocksteady.studio.guard import REPORT_CSP
from rocksteady.studio.jobs.events import events
from rocksteady.studio.jobs.kinds import KINDS
from rocksteady.studio.jobs.manager import Jobs
from rocksteady.studio.jobs.store import Job, State
from rocksteady.studio.paths import checked
from rocksteady.studio.problems import PROBLEMS, Problem

router = APIRouter(tags=["jobs"])

MISSING: dict[int | str, dict[str, Any]] = {
    **PROBLEMS,
    404: {"model": Problem, "description": "There is no such job, or no such file."},
}
EXAMPLE = {
    "kind": "map",
    "body": {"kind": "Block", "height": 1.8, "width": 0.5},
    "pulse": "sine",
    "points": 101,
}
Asked: Any = Union[tuple(kind.request for kind in KINDS.values())]  # noqa: UP007


class JobState(BaseModel):
    """Where a job stands."""

    id: str
    kind: str
    made: float
    """When it was asked for: seconds since 1970."""
    title: str
    """The object and the question, in words."""
    state: State
    words: str
    """What it is doing."""
    done: int
    total: int
    error: str | None
    """Why it failed."""
    position: int
    """Of a queued job: how many are before it."""


class JobFound(JobState):
    """All there is of a job."""

    request: Asked
    result: dict[str, Any] | None
    files: list[str]
    """Names for ``/files/{name}``."""


class Point(Spec):
    """A point of a map: its numbers along both axes, and of several motions which."""

    model_config = ConfigDict(strict=True, extra="forbid")
    i: int = Field(ge=0, le=10_000)
    j: int = Field(ge=0, le=10_000)
    motion: int = Field(default=0, ge=0, le=10_000)


_schemas = {
    "oneOf": [{"$ref": f"#/components/schemas/{k.request.__name__}"} for k in KINDS.values()],
    "discriminator": {"propertyName": "kind"},
    "example": EXAMPLE,
}
BODY = {"requestBody": {"content": {"application/json": {"schema": _schemas}}, "required": True}}


@router.post(
    "/jobs",
    status_code=202,
    responses={**PROBLEMS, 202: {"model": JobState, "description": "It is queued, or was before."}},
    openapi_extra=BODY,
)
async def ask(request: Request, asked: Annotated[dict[str, Any], Body()]) -> Response:
    """Start a job, or find the one that was asked the same before: its state, with the ``id``."""
    kind = KINDS.get(str(asked.get("kind")))
    if kind is None:
        raise InputError(
            f"kind = {asked.get('kind')!r} is not a kind of job: there are {', '.join(KINDS)}."
        )
    plain = checked(kind.request.checked(asked).model_dump(mode="json", by_alias=True))
    studio = request.app.state.studio
    if kind.check is not None:
        await studio.workers.call(kind.check, plain)
    job = await studio.jobs.submit(asked["kind"], plain)
    return _json(job.told(), 202)


@router.get("/jobs", responses={**PROBLEMS, 200: {"model": list[JobState]}})
async def listed(request: Request) -> Response:
    """The latest hundred jobs, newest first."""
    return _json([job.told() for job in _jobs(request).newest()])


@router.get("/jobs/{id}", responses={**MISSING, 200: {"model": JobFound}})
async def found(request: Request, id: str) -> Response:
    """What was asked, where the job stands, and its result once it is done."""
    jobs, job = _jobs(request), _job(request, id)

    def read() -> dict[str, Any]:
        result = jobs.store.result(id) if job.state == "done" else None
        return {
            "request": jobs.store.request(id),
            "result": None if result is None else orjson.Fragment(result),
            "files": jobs.store.files(id) if job.state == "done" else [],
        }

    return _json(job.told() | await run_in_threadpool(read))


@router.get(
    "/jobs/{id}/events",
    response_class=StreamingResponse,
    responses={**MISSING, 200: {"content": {"text/event-stream": {}}, "description": "Events."}},
)
async def follow(request: Request, id: str) -> Response:
    """Server-sent events: every ``partial`` result so far (numbered ``n``), then the ``state``,
    then both as they change, until the job has ended. ``Last-Event-ID`` leaves out what was
    received before."""
    seen = request.headers.get("last-event-id", "")
    after = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else -1
    jobs = _jobs(request)
    stream = jobs.listeners.admitted(events(jobs, _job(request, id), after))
    return StreamingResponse(stream, media_type="text/event-stream")


@router.post("/jobs/{id}/cancel", responses={**MISSING, 200: {"model": JobState}})
async def cancel(request: Request, id: str) -> Response:
    """Stop a job at once. What it has shown is kept; one that has ended stays as it is."""
    job = _job(request, id)
    await _jobs(request).cancel(job)
    return _json(job.told())


@router.get(
    "/jobs/{id}/files/{name}",
    response_class=FileResponse,
    responses={**MISSING, 200: {"description": "The file."}},
)
async def file(request: Request, id: str, name: str) -> Response:
    """A file that the job has made. Browsers open a report; other files they save."""
    path = _jobs(request).store.file(_job(request, id).id, name)
    if path is None:
        raise HTTPException(404, f"This job has no file of that name: GET jobs/{id} lists them.")
    if path.suffix == ".html":
        policy = {"content-security-policy": REPORT_CSP}
        return FileResponse(path, headers=policy, filename=path.name,
                            content_disposition_type="inline")  # fmt: skip
    return FileResponse(path, filename=path.name)


@router.post("/jobs/{id}/case", responses={**MISSING, 200: {"model": CaseSpec}})
async def case(request: Request, id: str, point: Point) -> Response:
    """The case behind a point of a map: POST simulate of it is the run of that point."""
    job = _job(request, id)
    kind = KINDS.get(job.kind)
    if kind is None or kind.case is None:
        raise InputError(f"A job of the kind {job.kind!r} has no points: maps have.")
    asked = await run_in_threadpool(_jobs(request).store.request, id)
    return await answered(
        request, kind.case, {"id": id, "request": asked, **point.model_dump()}, 60.0
    )


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.studio.jobs
    return jobs


def _job(request: Request, id: str) -> Job:
    job = _jobs(request).jobs.get(id)
    if job is None:
        raise HTTPException(404, "There is no such job here: GET jobs lists those there are.")
    return job


def _json(value: Any, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")
