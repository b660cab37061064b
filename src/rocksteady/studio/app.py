"""The server: the addresses under /api, and the page."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rocksteady.studio.folder import prepare
from rocksteady.studio.guard import Guard
from rocksteady.studio.jobs.manager import Jobs
from rocksteady.studio.problems import add_handlers, problem
from rocksteady.studio.settings import Settings
from rocksteady.studio.watching.board import Board
from rocksteady.studio.workers import Workers
from rocksteady.version import version

PAGE = Path(__file__).parent / "page"
NOT_BUILT = (
    "The page of Rocksteady Studio is not built. In a clone of the repository type: make page. "
    "The API works without it."
)
NOWHERE = "There is nothing at this address."
ROUTERS = (
    "about",
    "assembly",
    "building",
    "docs",
    "jobs",
    "monitor",
    "outline",
    "simulate",
    "take",
    "uploads",
)
"""The modules in ``routes/``."""


@dataclass
class Studio:
    """What the routes find in ``app.state.studio``."""

    settings: Settings
    workers: Workers
    jobs: Jobs
    board: Board
    """The monitors of buildings that are shown."""
    about: bytes | None = None
    """The answer of /api/about, once somebody has asked."""
    routes: list[APIRoute] = field(default_factory=list)
    """All of them, their paths without /api."""


def create_app(settings: Settings) -> FastAPI:
    """The server with its routes; its processes start with it."""

    @contextlib.asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        prepare(settings.folder)
        await studio.jobs.start()
        await studio.workers.start()  # last: nothing is left running where the rest fails
        try:
            yield
        finally:
            studio.board.close()
            await studio.jobs.stop()
            await studio.workers.stop()

    app = FastAPI(
        title="Rocksteady Studio",
        version=version(),
        summary="Everything that rocks, slides, wears or falls in an earthquake.",
        lifespan=running,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        separate_input_output_schemas=False,
    )
    studio = app.state.studio = Studio(
        settings,
        Workers(settings.folder, settings.workers),
        Jobs(settings.folder),
        Board(settings.monitor),
    )
    add_handlers(app)
    for name in ROUTERS:
        router = import_module(f"rocksteady.studio.routes.{name}").router
        app.include_router(router, prefix="/api")
        studio.routes += router.routes
    app.add_middleware(Page)
    app.add_middleware(Guard, settings=settings)  # the outermost
    return app


class Page:
    """The built page at every address that is not the API's; where there is none, a sentence."""

    def __init__(self, app: ASGIApp, folder: Path = PAGE) -> None:
        self.app = app
        built = (folder / "index.html").is_file()
        self.files = StaticFiles(directory=folder, html=True) if built else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        answer: ASGIApp
        if self.files is not None:
            answer = self.files
        elif scope["path"] == "/":
            answer = HTMLResponse(f"<!doctype html><title>Rocksteady Studio</title><p>{NOT_BUILT}")
        else:
            answer = problem(404, NOWHERE)
        try:
            await answer(scope, receive, send)
        except HTTPException as error:
            text = NOWHERE if error.status_code == 404 else str(error.detail)
            await problem(error.status_code, text)(scope, receive, send)
