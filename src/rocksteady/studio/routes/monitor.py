"""The monitors of buildings: what they know now, and what is new, as it comes. Read-only."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import Field

from rocksteady.specs import Spec
from rocksteady.studio.encoding import encode
from rocksteady.studio.problems import PROBLEMS
from rocksteady.studio.watching.board import Board
from rocksteady.studio.watching.building import Building
from rocksteady.studio.watching.demonstration import MODELS, Demonstration

router = APIRouter(tags=["monitor"])

LOOK_EVERY = 0.1  # s between two looks at what is new
BOARD_EVERY = 1.0  # s between two pictures of all buildings
HEARTBEAT = 15.0  # s
FIRST_LOOK = 2.0  # s to wait for the first reading of the folders

Name = Annotated[str, Query(max_length=255, description="The name of a building.")]
UNKNOWN: dict[int | str, dict[str, Any]] = {
    404: {**PROBLEMS[400], "description": "There is no building of this name."}
}


class DemonstrationRequest(Spec):
    """Buildings shaken by generated earthquakes, for want of a sensor."""

    buildings: int = Field(default=1, ge=1, le=len(MODELS))
    speed: Literal[1, 4, 16] = 4
    """Times as fast as time."""
    seed: int = Field(default=8, ge=0, le=2**31)


@router.get("/monitor", responses={**PROBLEMS, 200: {"description": "All buildings."}})
async def board(request: Request) -> dict[str, Any]:
    """All buildings that are watched, the most urgent first: state, alarms, doubts."""
    return _json(_picture(await _board(request)))


@router.get("/monitor/building", responses={**PROBLEMS, **UNKNOWN})
async def building(request: Request, name: Name) -> dict[str, Any]:
    """One building: its state, the last part of its history, what is kept of earlier days, and
    what its monitor said of itself. Times in s, displacements in m, angles in rad."""
    found = _named(await _board(request), name)
    return _json({**_whole(found), "points": found.after(0)[1]})


@router.get("/monitor/events", response_class=StreamingResponse, responses={
    **PROBLEMS, 200: {"content": {"text/event-stream": {}}, "description": "Events."},
})  # fmt: skip
async def events(request: Request, name: Name = "") -> Response:
    """What is new, as server-sent events: `board` (all buildings), and for the building that is
    named `building` (its state) and `points` (its history so far, then what follows; from the
    start again after `begin`). A building that is not there yet is told once it is."""
    board = await _board(request)
    stream = board.listeners.admitted(_events(board, name))
    return StreamingResponse(stream, media_type="text/event-stream")


@router.post("/monitor/demonstration", status_code=202, responses=PROBLEMS)
async def demonstrate(request: Request, asked: DemonstrationRequest) -> dict[str, Any]:
    """Begin a demonstration in place of the one that runs. It ends with its last earthquake, or
    a minute after the last window that watched it was closed."""
    board = await _board(request)
    board.show(Demonstration(asked.buildings, asked.speed, asked.seed))
    return _json(_picture(board), 202)


@router.delete("/monitor/demonstration", responses=PROBLEMS)
async def end(request: Request) -> dict[str, Any]:
    """End the demonstration."""
    board = await _board(request)
    board.show(None)
    return _json(_picture(board))


async def _board(request: Request) -> Board:
    board: Board = request.app.state.studio.board
    board.wanted()
    await asyncio.to_thread(board.ready, FIRST_LOOK)
    return board


def _named(board: Board, name: str) -> Building:
    found = board.named(name)
    if found is None:
        raise HTTPException(404, f"No building of the name {name[:60]!r} is watched.")
    return found


def _json(answer: dict[str, Any], status: int = 200) -> dict[str, Any]:
    """Encoded here: FastAPI would go through every number."""
    return Response(encode(answer), status, media_type="application/json")  # type: ignore[return-value]


def _picture(board: Board) -> dict[str, Any]:
    return {**board.about(), "buildings": [one.card for one in board.buildings()]}


def _whole(building: Building) -> dict[str, Any]:
    return {"card": building.card, "days": building.days, "lines": building.lines}


async def _events(board: Board, name: str) -> AsyncIterator[bytes]:
    """Looks at what is kept as fast as the client takes it: nothing is kept for a client."""
    found: Building | None = None
    number, version, pictured, sent = 0, -1, b"", time.monotonic()
    board_due = 0.0
    while True:
        now = time.monotonic()
        board.wanted()
        news = b""
        if now >= board_due:
            board_due = now + BOARD_EVERY
            picture = encode(_picture(board))
            if picture != pictured:
                pictured = picture
                news += _event("board", picture)
        if name and board.named(name) is not found:  # a new demonstration, or an ended one
            found = board.named(name)
            number, version = 0, -1
            news += _event("begin", b"{}")
        if found is not None and found.version != version:
            version = found.version
            news += _event("building", encode(_whole(found)))
        if found is not None:
            number, points = found.after(number)
            if points:
                news += _event("points", encode(points))
        if news or now - sent >= HEARTBEAT:
            sent = now
            yield news or b": still here\n\n"
        await asyncio.sleep(LOOK_EVERY)


def _event(kind: str, data: bytes) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), data)
