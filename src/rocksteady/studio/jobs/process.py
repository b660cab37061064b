"""Start, hear and end the process of one job."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from rocksteady.errors import InputError

Hear = Callable[[dict[str, Any]], None]
LINE = 1 << 20  # bytes of a message, at most
MODULE = "rocksteady.studio.jobs.child"


class Child:
    """One process, in a session of its own, so that all it starts can be ended with it."""

    def __init__(self, function: str, folder: Path) -> None:
        self.function, self.folder = function, folder
        self.cancelled = False
        self.process: asyncio.subprocess.Process | None = None

    async def run(self, hear: Hear) -> str | None:
        """Run it to its end; the sentence that says what went wrong, if anything did."""
        with _log(self.folder) as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", MODULE, self.function, str(self.folder),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
                start_new_session=True, limit=LINE,
            )  # fmt: skip
        if self.cancelled:  # while it was being started
            await self.kill()
        assert self.process.stdout is not None
        finished, error = False, None
        async for line in self.process.stdout:
            message = _message(line)
            finished, error = "finished" in message or finished, message.get("error", error)
            hear(message)
        status = await self.process.wait()
        if finished or error is not None:
            return error
        return _how_it_ended(status)

    async def kill(self) -> None:
        """End the process and all that it has started, and wait for it."""
        if self.process is None or self.process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        await self.process.wait()


def _log(folder: Path) -> Any:
    """Where the child's warnings and tracebacks go: for whoever looks for the cause of a crash."""
    try:
        return (folder / "log.txt").open("wb")
    except OSError as error:
        raise InputError(f"its folder cannot be written to ({error.strerror}).") from None


def _message(line: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:  # half a line of a process that was killed
        return {}
    return found if isinstance(found, dict) else {}


def _how_it_ended(status: int) -> str:
    name = f"exit status {status}"
    if status < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
    why = " It may have needed more memory than there is." if name == "SIGKILL" else ""
    return (
        f"The process of this job ended unexpectedly ({name}).{why} What was shown is kept; ask "
        "again to continue from there."
    )
