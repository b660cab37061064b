"""What stands before every request: who may ask, how much, and what browsers are told."""

import asyncio
import re
from typing import Any

import numpy as np
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rocksteady.studio.access import refusal
from rocksteady.studio.limits import (
    JSON_BYTES,
    JSON_LEVELS,
    JSON_SECONDS,
    SCAN_BYTES,
    UPLOAD_SECONDS,
)
from rocksteady.studio.problems import fault, problem
from rocksteady.studio.settings import Settings
from rocksteady.studio.workers import asking_client

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; "
    "manifest-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
UPLOADS = "/api/uploads"
TOO_DEEP = (
    f"The request has lists or objects nested more than {JSON_LEVELS} levels deep: no description "
    "needs that. See /api/docs."
)
REPORT_CSP = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Of a report that is opened in the browser: its own styles and pictures, no scripts, no origin."""
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        asking_client.set(_client(scope, headers))
        sent = _with_headers(scope, send)
        query = scope["query_string"].decode("latin-1")
        refused = refusal(scope["path"], query, headers, self.settings)
        if refused is None and _announced(headers) > _limits(scope)[0]:
            refused = problem(413, _too_large(_limits(scope)[0]))
        if refused is not None:
            await refused(scope, receive, sent)
            return
        begun = False

        async def begin(message: Message) -> None:
            nonlocal begun
            begun = True
            await sent(message)

        try:
            await self._until_gone(scope, _limited(scope, receive), begin)
        except Exception as error:
            if begun:  # the rest cannot be told any more
                raise
            await fault(scope["method"], scope["path"], error)(scope, receive, sent)

    async def _until_gone(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; stop where the client goes away meanwhile."""
        received = asyncio.Event()
        sent = False
        gone: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

        async def take() -> Message:
            if received.is_set():
                return await asyncio.shield(gone)
            message = await receive()
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                received.set()
            return message

        async def give(message: Message) -> None:
            nonlocal sent
            last = not message.get("more_body", False)
            sent = sent or (message["type"] == "http.response.body" and last)
            await send(message)

        async def watch() -> None:
            await received.wait()
            message = await receive()
            if not gone.done():
                gone.set_result(message)
            if not sent:
                answer.cancel()

        answer = asyncio.ensure_future(self.app(scope, take, give))
        watching = asyncio.create_task(watch())
        try:
            await asyncio.wait({answer})
        except asyncio.CancelledError:
            answer.cancel()
            raise
        finally:
            watching.cancel()
        if not answer.cancelled():
            answer.result()


def _limits(scope: Scope) -> tuple[int, float]:
    """Bytes that a request may have, and seconds that it may take to arrive."""
    if scope["path"] == UPLOADS:
        return SCAN_BYTES, UPLOAD_SECONDS
    return JSON_BYTES, JSON_SECONDS


def _announced(headers: dict[str, str]) -> int:
    """The length that a request says it has."""
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _too_large(most: int) -> str:
    return f"The request is too large: at most {most / 1e6:g} MB here."


def _limited(scope: Scope, receive: Receive) -> Receive:
    """Receive so much, so long and so deep at most."""
    most, seconds = _limits(scope)
    end = asyncio.get_running_loop().time() + seconds
    got = 0
    whole = False
    text: list[bytes] | None = None if scope["path"] == UPLOADS else []

    async def limited() -> Message:
        nonlocal got, whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise HTTPException(
                408, f"The request did not arrive within {seconds:g} s: send it again."
            ) from None
        got += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if got > most:
            raise HTTPException(413, _too_large(most))
        if text is not None:
            text.append(message.get("body", b""))
            if whole and levels(b"".join(text)) > JSON_LEVELS:
                raise HTTPException(422, TOO_DEEP)
        return message

    return limited


def _client(scope: Scope, headers: dict[str, str]) -> str:
    """Which of the clients asks: pages name themselves, others are known by their address."""
    host = (scope.get("client") or ("", 0))[0]
    return f"{host} {headers.get('x-studio-client', '')[:64]}"


def _with_headers(scope: Scope, send: Send) -> Send:
    """Send with the headers that browsers heed; those that an answer has itself stay."""
    path: str = scope["path"]
    if path.startswith("/api"):
        cache = "no-store"
    elif path.startswith("/assets/"):
        cache = "public, max-age=31536000, immutable"  # their names change with their content
    else:
        cache = "no-cache"
    more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own: list[Any] = list(message.get("headers", []))
            there = {name for name, _ in own}
            added = [header for header in more if header[0] not in there]
            kept = cache if message["status"] < 400 else "no-store"
            message = {**message, "headers": [*own, *added, (b"cache-control", kept.encode())]}
        await send(message)

    return sent


# -- how deep a JSON text is nested: encoders and decoders on the way give up at different depths --

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_OTHERS = bytes(set(range(256)) - set(b"[{]}"))


def levels(text: bytes) -> int:
    """Lists and objects within each other at the deepest place. The text need not be valid."""
    steps = np.frombuffer(_STRINGS.sub(b"", text).translate(_STEPS, _OTHERS), np.int8)
    return int(np.cumsum(steps, dtype=np.int64).max(initial=0))
