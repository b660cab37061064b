"""The process of one job: ``python -m rocksteady.studio.jobs.child module:function FOLDER``.

It says where it stands on its standard output, a line of JSON each, and ends when its standard
input does: that is, when the server is gone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import orjson

from rocksteady import registry
from rocksteady.errors import InputError, held_back
from rocksteady.numerics import first_use
from rocksteady.studio.encoding import encode
from rocksteady.studio.jobs.limits import MEMORY
from rocksteady.studio.jobs.store import keep_result, request_in
from rocksteady.studio.jobs.tell import Send, Tell
from rocksteady.studio.warned import with_warnings
from rocksteady.studio.worker import limit_memory

NICE = 10  # quick questions go first


def main(function: str, folder: Path) -> int:
    """Run the job in ``folder``; the exit status."""
    send = _channel()
    threading.Thread(target=_end_with_server, args=(_server(),), daemon=True).start()
    _limit()
    first_use.tell_by(lambda line: send({"words": line, "done": 0, "total": 0}))
    try:
        tell = Tell(folder, send)
        request = request_in(folder)
        with held_back() as said:
            result = registry.imported(function)(request, folder, tell)
        result = with_warnings({"warnings": [], **result}, said)
        keep_result(folder, encode(result))
    except BaseException as error:
        traceback.print_exc()
        with contextlib.suppress(OSError):
            send({"error": _sentence(error)})
        return 1
    send({"finished": True})
    return 0


def _sentence(error: BaseException) -> str:
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, MemoryError):
        return (
            "The job needs more memory than the studio gives it: take fewer points, motions or "
            "strengths."
        )
    if isinstance(error, ArithmeticError):
        return f"These values are beyond what can be computed: {error}. Take less extreme ones."
    return (
        f"The job met an error that should not occur ({type(error).__name__}: {error}). What was "
        "shown is kept; ask again to continue. If it recurs, please report it."
    )


def _channel() -> Send:
    """Something that sends messages to the server; what is printed goes to the log instead."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    lock = threading.Lock()

    def send(message: dict[str, Any]) -> None:
        with lock:
            out.write(orjson.dumps(message) + b"\n")

    return send


def _server() -> int:
    """The standard input, which nobody else is to read: it ends with the server."""
    watched, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    return watched


def _end_with_server(watched: int) -> None:
    """Wait for the end of the input, then end all processes of this job."""
    while os.read(watched, 4096):
        pass
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _limit() -> None:
    """Leave the processor to quick questions, and memory to others."""
    limit_memory(MEMORY)
    with contextlib.suppress(ImportError, OSError, AttributeError):  # not on Windows
        import resource

        os.nice(NICE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
