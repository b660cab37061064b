"""The server: the addresses under /api, and the page."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from rocksteady import __version__
from rocksteady.studio.guard import Guard
from rocksteady.studio.jobs.manager import Jobs
from rocksteady.studio.problems import add_handlers, problem
from rocksteady.studio.settings import Settings
from rocksteady.studio.workers import Workers

PAGE = Path(__file__).parent / "page"
NOT_BUILT = (
    "The page of Rocksteady Studio is not built. In a clone of the repository type: make page. "
    "The API works without it."
)
ROUTERS = ("about", "docs", "jobs", "outline", "simulate", "take", "uploads")
"""The modules in ``routes/``."""


@dataclass
class Studio:
    """What the routes find in ``app.state.studio``."""

    settings: Settings
    workers: Workers
    jobs: Jobs
    about: bytes | None = None
    """The answer of /api/about, once somebody has asked."""


def create_app(settings: Settings) -> FastAPI:
    """The server with its routes; its processes start with it."""

    @contextlib.asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        settings.folder.mkdir(parents=True, exist_ok=True)
        await studio.workers.start()
        await studio.jobs.start()
        try:
            yield
        finally:
            await studio.jobs.stop()
            await studio.workers.stop()

    app = FastAPI(
        title="Rocksteady Studio",
        version=__version__,
        summary="Everything that rocks, slides, wears or falls in an earthquake.",
        lifespan=running,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        separate_input_output_schemas=False,
    )
    studio = app.state.studio = Studio(
        settings, Workers(settings.folder, settings.workers), Jobs(settings.folder)
    )
    add_handlers(app)
    for name in ROUTERS:
        router = import_module(f"rocksteady.studio.routes.{name}").router
        app.include_router(router, prefix="/api")
    _serve_page(app, PAGE)
    app.add_middleware(Guard, settings=settings)
    return app


def _serve_page(app: FastAPI, folder: Path) -> None:
    """The built page; where there is none, a sentence."""

    @app.api_route("/api/{rest:path}", methods=["GET", "POST", "PUT", "DELETE"],
                   include_in_schema=False)  # fmt: skip
    async def unknown(rest: str) -> Response:
        return problem(404, "There is nothing at this address: /api/docs lists what there is.")

    if (folder / "index.html").is_file():
        app.mount("/", StaticFiles(directory=folder, html=True), name="page")
        return

    @app.get("/", include_in_schema=False)
    async def not_built() -> Response:
        return HTMLResponse(f"<!doctype html><title>Rocksteady Studio</title><p>{NOT_BUILT}</p>")
