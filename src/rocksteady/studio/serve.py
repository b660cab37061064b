"""Start the server, say where it is, and open the page."""

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from rocksteady.errors import InputError
from rocksteady.names import shown
from rocksteady.studio.app import create_app
from rocksteady.studio.folder import prepare
from rocksteady.studio.jobs.manager import Jobs
from rocksteady.studio.protocol import PatientProtocol
from rocksteady.studio.settings import LOOPBACK, Settings


def serve(
    host: str, port: int, folder: Path | None, monitor: Path | None = None, *, browser: bool = True
) -> None:
    """Serve until Ctrl-C. ``monitor`` is a monitor's log, or a folder with several, to be shown."""
    if monitor is not None and not monitor.is_dir():
        raise InputError(
            f"There is no folder {monitor}: --monitor takes the folder that was given to "
            "rocksteady monitor as --log, or the one with a log for each building."
        )
    _allow_many_connections()
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    folder = folder or _usual_folder()
    prepare(folder)
    settings = replace(_settings(host, folder), monitor=monitor)
    address = _address(host, port, settings)
    server = _Server(create_app(settings), address, browser)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[listening]))
    if not server.started:
        raise InputError("The studio could not start: the lines above say why.")
    print("Rocksteady Studio is closed.", flush=True)


class _Server(uvicorn.Server):
    """Says where it is once it answers, and closes quietly while a page is still open."""

    def __init__(self, app: FastAPI, address: str, browser: bool) -> None:
        super().__init__(_config(app))
        self._jobs: Jobs = app.state.studio.jobs
        self._address, self._browser = address, browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        print(f"Rocksteady Studio: {self._address}\nCtrl-C closes it.", flush=True)
        for sentence in self._jobs.remarks:
            print(f"Warning: {shown(sentence)}", file=sys.stderr, flush=True)
        if self._browser:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").addFilter(_not_cut_off)
        await super().shutdown(sockets)


def _not_cut_off(record: logging.LogRecord) -> bool:
    """Whether a line is about anything else than answers that the closing server cuts off."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError) and "graceful" not in str(record.msg)


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        lifespan="on",
        http=PatientProtocol,
    )


def _settings(host: str, folder: Path) -> Settings:
    if host in LOOPBACK:
        return Settings(folder)
    print(
        f"Warning: at {host} others in the network can reach the studio. They need the token that "
        "is in the address below; whoever has it can use this computer's processors and see what "
        "is uploaded. The connection is not encrypted.",
        file=sys.stderr,
    )
    return Settings(folder, token=secrets.token_urlsafe(24), hosts=("*",))


def _address(host: str, port: int, settings: Settings) -> str:
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{port}/" + (f"?token={settings.token}" if settings.token else "")


def _listening(host: str, port: int) -> socket.socket:
    """The open port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Of a socket that is named TCP, asyncio sends at once what there is. Else the body of an answer
    # waits until its head was acknowledged, 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name != "nt":  # there it would let two servers share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise InputError(
            f"The studio cannot listen at {host}, port {port}: {error.strerror or error}. Is it "
            "open already? Otherwise take another port: rocksteady studio --port 0."
        ) from error
    return listening


def _allow_many_connections() -> None:
    """As many open files as this account may have: each connection is one."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 65536 if most == resource.RLIM_INFINITY else min(most, 65536)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _usual_folder() -> Path:
    """Where a program keeps its data in this account."""
    if os.name == "nt":
        home = Path(os.environ.get("LOCALAPPDATA", "~"))
    else:
        home = Path(os.environ.get("XDG_DATA_HOME", "~/.local/share"))
    return home.expanduser() / "rocksteady" / "studio"
