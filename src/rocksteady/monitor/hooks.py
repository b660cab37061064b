"""Who is told of an alarm: a command, a web address.

Each hook has a thread of its own, so that the monitor never waits for one. What is to be told is
written down (``hooks.json``) before the first try and crossed out after one that succeeded: killed
in between, the next start tells it again. A try that fails is repeated after 1, 2, 4, … s, at most
an hour apart, and given up after `TRIES` of them, about a day; restarts do not begin the count
anew.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import os
import select
import signal
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
from rocksteady.monitor.disk import sync_folder, write_file
from rocksteady.monitor.messages import CONDITIONS, Message
from rocksteady.monitor.service import ServiceLog

HOOKS = "hooks.json"
TIMEOUT = 10.0  # s for one try
TRIES = 30
PAUSE = 1.0  # s after the first try that failed, then twice as long each time
SLOWEST = 3600.0  # s between two tries, and between two messages about the same condition
_KEPT = 50  # conditions remembered as told


class HookError(Exception):
    """A try that failed, and why."""


@dataclass(frozen=True)
class Hooks:
    """Who is told."""

    command: str | None = None
    """Run by the shell, with the message on its standard input and in its environment."""
    webhook: str | None = None
    """Gets the message by HTTP POST."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent along with it, for a key."""
    timeout: float = TIMEOUT
    """Longest time for one try [s]."""
    folder: Path | None = None
    """Where the command runs; where the monitor does unless given."""

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
        """What each of them does with a message."""
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
            words = _words(process, json.dumps(message).encode(), self.timeout)
            status = process.poll()
        finally:
            _kill(process)
        if status is None:
            raise HookError(f"not done after {self.timeout:g} s: killed")
        if status:
            raise HookError(f"exit status {status}{': ' + words if words else ''}")

    def _post(self, message: Message) -> None:
        assert self.webhook is not None
        heads = {"Content-Type": "application/json", "User-Agent": "rocksteady", **self.headers}
        body = json.dumps(message).encode()
        request = urllib.request.Request(self.webhook, body, heads, method="POST")
        try:
            with _OPENER.open(request, timeout=self.timeout) as answer:
                answer.read(1024)
        except urllib.error.HTTPError as error:
            raise HookError(f"answered {error.code} {error.reason}") from None
        except urllib.error.URLError as error:
            raise HookError(str(error.reason)) from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An alarm sent elsewhere as a GET, which is what redirecting does, is not delivered."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def environment(message: Message) -> dict[str, str]:
    """A message as variables: ROCKSTEADY_TEXT, ROCKSTEADY_KIND, ROCKSTEADY_VALUE, …"""
    return {
        f"ROCKSTEADY_{name.upper()}": json.dumps(value) if isinstance(value, dict) else str(value)
        for name, value in message.items()
        if value is not None
    }


def _words(process: subprocess.Popen[bytes], message: bytes, timeout: float) -> str:
    """Hand a command its message, and wait for its end; the last words of its error stream, however
    much it prints."""
    assert process.stdin is not None and process.stderr is not None
    with contextlib.suppress(OSError):  # it need not read it
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
    """The command, if it has not ended, and all it has started."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stderr is not None
    process.stderr.close()


class Courier:
    """Takes messages and sees that each hook gets them. `post` never waits.

    ``folder`` None keeps nothing: what was not delivered when the run ends is lost.
    """

    def __init__(self, hooks: Hooks, folder: Path | None, service: ServiceLog) -> None:
        self.folder, self.service = folder, service
        self._senders = hooks.senders()
        self._turn = threading.Condition()
        self._closing = False
        self._waiting: dict[str, dict[str, Any]] = {}
        """By hook and id: the message, tries made, and when the next one is due."""
        self._told: dict[str, float] = {}
        """By hook and id: when it was delivered, or given up (machine's clock, s)."""
        self.failures: dict[str, str] = {}
        """By hook: why its last try failed, if it did."""
        self._remember()
        self._threads = [
            threading.Thread(target=self._deliver, args=(name,), daemon=True, name=f"{name} hook")
            for name in self._senders
        ]
        for thread in self._threads:
            thread.start()

    def post(self, message: Message) -> None:
        """Tell every hook that has not been told."""
        with self._turn:
            for hook in self._senders:
                key = f"{hook} {message['id']}"
                if key in self._told or key in self._waiting or self._too_soon(hook, message):
                    continue
                self._waiting[key] = {"message": message, "tries": 0, "due": 0.0}
            self._turn.notify_all()

    def _too_soon(self, hook: str, message: Message) -> bool:
        """A sensor that comes and goes is no reason to send a message every minute."""
        kind = message["kind"]
        if kind not in CONDITIONS:
            return False
        same = f"{hook} {kind}@"
        since = time.time() - SLOWEST
        recent = any(key.startswith(same) and at > since for key, at in self._told.items())
        return recent or any(key.startswith(same) for key in self._waiting)

    def undelivered(self) -> int:
        """How many messages wait."""
        with self._turn:
            return len(self._waiting)

    def close(self, grace: float) -> int:
        """End: wait until each message has had a try, at most ``grace`` s. How many still wait."""
        end = time.monotonic() + grace
        with self._turn:
            self._closing = True
            self._turn.notify_all()
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return self.undelivered()

    # -- in the thread of a hook ------------------------------------------------------------------

    def _deliver(self, hook: str) -> None:
        while True:
            with self._turn:
                key = self._next(hook)
                if key is None:
                    return
                entry = self._waiting[key]
                entry["tries"] += 1
                message, tries = entry["message"], entry["tries"]
                self._write()
            try:
                self._senders[hook](message)
                failure = ""
            except Exception as error:  # whatever a hook does, the next message is tried
                failure = str(error) or repr(error)
            with self._turn:
                self._tried(hook, key, message, tries, failure)
                self._write()

    def _next(self, hook: str) -> str | None:
        """Wait for a message that is due; None at the end."""
        while True:
            own = [(e["due"], k) for k, e in self._waiting.items() if k.startswith(hook + " ")]
            if self._closing:  # what has failed is left for the next start
                own = [(due, key) for due, key in own if due == 0.0]
                if not own:
                    return None
            if own:
                due, key = heapq.nsmallest(1, own)[0]
                left = due - time.time()
                if left <= 0:
                    return key
                self._turn.wait(min(left, SLOWEST))
            else:
                self._turn.wait()

    def _tried(self, hook: str, key: str, message: Message, tries: int, failure: str) -> None:
        about = {"hook": hook, "id": message["id"], "building": message["building"], "tries": tries}
        if not failure:
            self.failures.pop(hook, None)
            del self._waiting[key]
            self._told[key] = time.time()
            self.service.note("delivered", **about)
            return
        self.failures[hook] = failure
        if tries >= TRIES:
            del self._waiting[key]
            self._told[key] = time.time()
            self.service.note("given up", why=failure, **about)
            return
        pause = min(PAUSE * 2.0 ** (tries - 1), SLOWEST)
        self._waiting[key]["due"] = time.time() + pause
        self.service.note("not delivered", why=failure, again_in=pause, **about)

    # -- kept and restored ------------------------------------------------------------------------

    def _remember(self) -> None:
        if self.folder is None:
            return
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
            about = json.loads((self.folder / HOOKS).read_text(encoding="utf-8"))
            self._told.update({str(k): float(v) for k, v in about["told"].items()})
            for key, entry in about["waiting"].items():
                tries = int(entry["tries"])
                if key.split(" ")[0] not in self._senders:
                    continue
                self._waiting[key] = {"message": dict(entry["message"]), "tries": tries, "due": 0.0}

    def _write(self) -> None:
        """Write down who has been told what. A disk that does not take it is no reason to stop:
        the message is told again after a restart."""
        if self.folder is None:
            return
        conditions = [k for k in self._told if k.split(" ", 1)[1].split("@")[0] in CONDITIONS]
        for key in conditions[:-_KEPT]:
            del self._told[key]
        waiting = {
            key: {"message": entry["message"], "tries": entry["tries"]}
            for key, entry in self._waiting.items()
        }
        new = self.folder / f"{HOOKS}.new"
        try:
            write_file(new, json.dumps({"told": self._told, "waiting": waiting}).encode())
            new.replace(self.folder / HOOKS)
            sync_folder(self.folder)
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink()
