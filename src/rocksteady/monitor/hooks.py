"""Send a message to a command or a web address, one attempt; `Outbox` repeats it."""

import contextlib
import http.client
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.monitor.messages import Message
from rocksteady.names import shown

TIMEOUT = 10.0  # s for one attempt


class HookError(Exception):
    """Why an attempt failed."""


@dataclass(frozen=True)
class Hooks:
    """Where alarms are sent."""

    command: str | None = None
    """Shell command; gets the message on its standard input and in its environment."""
    webhook: str | None = None
    """Web address; gets the message by HTTP POST."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """HTTP headers, for instance with a key."""
    timeout: float = TIMEOUT
    """Longest time for one attempt [s]."""
    folder: Path | None = None
    """Folder in which the command runs; the monitor's own unless given."""

    def __post_init__(self) -> None:
        if not self.timeout > 0:
            raise InputError(f"timeout = {self.timeout!r} s is not allowed: it must be positive.")
        if self.webhook is not None:
            try:
                parts = urllib.parse.urlsplit(self.webhook)
                good = parts.scheme in ("http", "https") and bool(parts.hostname)
            except ValueError:
                good = False
            if not good:
                raise InputError(
                    f"{self.webhook!r} is not a web address: give one as in "
                    "http://192.168.1.5:8080/alarm."
                )
        if self.command is not None and not self.command.strip():
            raise InputError("The alarm command is empty: give one as in 'mail -s alarm me@here'.")

    def senders(self) -> dict[str, Callable[[Message], None]]:
        """A function for each hook that sends a message."""
        out: dict[str, Callable[[Message], None]] = {}
        if self.command is not None:
            out["command"] = self._run
        if self.webhook is not None:
            out["webhook"] = self._post
        return out

    def _run(self, message: Message) -> None:
        assert self.command is not None
        process = subprocess.Popen(
            self.command,
            shell=True,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment(message)},
            start_new_session=True,
        )
        try:
            error = _error_text(process, json.dumps(message).encode(), self.timeout)
            status = process.poll()
        finally:
            _kill(process)
        if status is None:
            raise HookError(f"not done after {self.timeout:g} s: killed")
        if status:
            raise HookError(f"exit status {status}{': ' + error if error else ''}")

    def _post(self, message: Message) -> None:
        assert self.webhook is not None
        heads = {"Content-Type": "application/json", "User-Agent": "rocksteady", **self.headers}
        body = json.dumps(message).encode()
        request = urllib.request.Request(self.webhook, body, heads, method="POST")
        attempt = _Attempt(request, self.timeout)
        if not attempt.wait(self.timeout):
            raise HookError(f"no answer after {self.timeout:g} s")
        if attempt.error is not None:
            raise attempt.error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuse redirects: they turn the POST into a GET, which delivers nothing."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Attempt:
    """One request, in a thread of its own. The time limit of a socket is for each piece that comes,
    and the name of the host is looked up without any: only a thread can be given up in time."""

    def __init__(self, request: urllib.request.Request, timeout: float) -> None:
        self.error: Exception | None = None
        self._connections: list[http.client.HTTPConnection] = []
        self._thread = threading.Thread(
            target=self._run, args=(request, timeout), daemon=True, name="webhook attempt"
        )
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether it is done within this time; if not, its connection is cut."""
        self._thread.join(seconds)
        if not self._thread.is_alive():
            return True
        for connection in self._connections:
            if connection.sock is not None:
                with contextlib.suppress(OSError):
                    connection.sock.shutdown(socket.SHUT_RDWR)
        return False

    def _run(self, request: urllib.request.Request, timeout: float) -> None:
        try:
            opener = urllib.request.build_opener(_NoRedirect, *self._handlers())
            opener.open(request, timeout=timeout).close()  # its status is all that counts
        except urllib.error.HTTPError as error:
            self.error = HookError(f"answered {error.code} {error.reason}")
        except urllib.error.URLError as error:
            self.error = HookError(str(error.reason))
        except Exception as error:
            self.error = error

    def _handlers(self) -> tuple[urllib.request.BaseHandler, ...]:
        """Handlers of both protocols that remember their connections."""
        connections = self._connections

        def kept(kind: Any) -> Any:
            def connect(*arguments: Any, **options: Any) -> Any:
                connections.append(kind(*arguments, **options))
                return connections[-1]

            return connect

        class Plain(urllib.request.HTTPHandler):
            def http_open(self, req: urllib.request.Request) -> Any:
                return self.do_open(kept(http.client.HTTPConnection), req)

        class Secure(urllib.request.HTTPSHandler):
            def https_open(self, req: urllib.request.Request) -> Any:
                return self.do_open(kept(http.client.HTTPSConnection), req)

        return Plain(), Secure()


def environment(message: Message) -> dict[str, str]:
    """A message as variables: ROCKSTEADY_TEXT, ROCKSTEADY_KIND, ROCKSTEADY_VALUE, …

    No variable holds a NUL, and what a terminal would obey appears as it is shown there.
    """
    return {
        f"ROCKSTEADY_{name.upper()}": shown(
            json.dumps(value) if isinstance(value, dict) else str(value)
        )
        for name, value in message.items()
        if value is not None
    }


def _error_text(process: subprocess.Popen[bytes], message: bytes, timeout: float) -> str:
    """Give a command its message and wait until it ends; returns the last 500 bytes of its error
    stream."""
    assert process.stdin is not None and process.stderr is not None
    if os.name != "posix":  # where select does not work for pipes
        with contextlib.suppress(subprocess.TimeoutExpired):
            errors = process.communicate(message, timeout)[1]
            return " ".join(errors[-500:].decode(errors="replace").split())
        return ""
    with contextlib.suppress(OSError):  # the command need not read it
        process.stdin.write(message)
        process.stdin.close()
    end, last = time.monotonic() + timeout, b""
    while time.monotonic() < end:
        ended = process.poll() is not None
        if select.select([process.stderr], [], [], 0.0 if ended else 0.05)[0]:
            piece = os.read(process.stderr.fileno(), 4096)
            last = (last + piece)[-500:]
            if piece:
                continue
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))
            break
        if ended:
            break
    return " ".join(last.decode(errors="replace").split())


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the command, if it has not ended, and its child processes."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stderr is not None
    process.stderr.close()
