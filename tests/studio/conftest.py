"""A running studio, a client for its API, and a browser that looks at its page."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from rocksteady.studio.app import PAGE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card
]


def started(folder: Path, *options: str, **process: Any) -> tuple[subprocess.Popen[str], str]:
    """`rocksteady studio` on a free port, and its address once it answers."""
    command = [sys.executable, "-m", "rocksteady", "studio", "--port", "0", "--no-browser"]
    settings = os.environ | {"PYTHONUNBUFFERED": "1"} | process.pop("env", {})
    running = subprocess.Popen(
        [*command, "--folder", str(folder), *options],
        stdout=subprocess.PIPE,
        text=True,
        env=settings,
        **process,
    )
    assert running.stdout
    for line in running.stdout:
        if found := re.search(r"http://\S+", line):
            return running, found[0].rstrip("/")
    raise AssertionError(f"The studio did not start: {running.wait()}")


def stopped(process: subprocess.Popen[str]) -> int:
    """End it as Ctrl-C does; its exit status."""
    process.send_signal(signal.SIGINT)
    try:
        return process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A running server: ``.url`` and its ``.folder``."""
    folder = tmp_path_factory.mktemp("studio")
    process, url = started(folder)
    yield SimpleNamespace(url=url, folder=folder, process=process)
    assert process.poll() is None, "the studio ended by itself"
    stopped(process)


@pytest.fixture(scope="session")
def client(studio: Any) -> Iterator[httpx.Client]:
    """Asks the API: ``client.get("/api/about")``."""
    with httpx.Client(base_url=studio.url, timeout=200.0) as asking:
        yield asking


@pytest.fixture(scope="module")  # while it runs, nobody else can use asyncio in this process
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: apt-get install chromium")
    if not (PAGE / "index.html").is_file():
        pytest.skip("the page is not built: make page")
    with playwright.sync_playwright() as tools:
        opened = tools.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, studio: Any) -> Iterator[Any]:
    """A fresh window of 1366 × 900. The test fails on errors in the console and on requests to
    any other host."""
    context = browser.new_context(viewport={"width": 1366, "height": 900}, base_url=studio.url)
    opened = context.new_page()
    errors, elsewhere = watched(opened, studio.url)
    yield opened
    context.close()
    assert not errors
    assert not elsewhere


def watched(page: Any, url: str) -> tuple[list[str], list[str]]:
    """What goes wrong in a window from now on: errors in its console, requests to other hosts."""
    errors: list[str] = []
    elsewhere: list[str] = []
    own = urlsplit(url).netloc

    def asked(request: Any) -> None:
        to = urlsplit(request.url)
        if to.scheme in ("http", "https", "ws", "wss") and to.netloc != own:
            elsewhere.append(request.url)

    def said(message: Any) -> None:
        if message.type == "error":
            errors.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", asked)
    return errors, elsewhere
