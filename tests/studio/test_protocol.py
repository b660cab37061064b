"""Clients that do not take their answers."""

import asyncio
from typing import Any

import pytest
import uvicorn

from rocksteady.studio import answering, protocol
from rocksteady.studio.problems import BusyError

LARGE = 20_000_000  # bytes, more than the sockets of this machine hold


async def page(scope: Any, receive: Any, send: Any) -> None:
    head = [(b"content-length", b"%d" % LARGE)]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": bytes(LARGE)})


async def serving(config: uvicorn.Config) -> tuple[uvicorn.Server, int, asyncio.Task[None]]:
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    return server, server.servers[0].sockets[0].getsockname()[1], running


def test_a_client_that_takes_nothing_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "TAKE_SECONDS", 0.3)

    async def tried() -> None:
        config = uvicorn.Config(
            page, port=0, http=protocol.PatientProtocol, lifespan="off", log_level="warning"
        )
        server, port, running = await serving(config)
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        await until(lambda: protocol.unsent() > 0)
        await until(lambda: protocol.unsent() == 0)  # it was sent away
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(LARGE)
        writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n")
        assert len(await reader.readexactly(LARGE)) == LARGE  # one that takes it has all of it
        writer.close()
        server.should_exit = True
        await running

    asyncio.run(tried())


async def until(holds: Any) -> None:
    async with asyncio.timeout(20.0):
        while not holds():
            await asyncio.sleep(0.02)


def test_large_answers_wait_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    class Workers:
        async def call(self, function: str, request: Any, timeout: float) -> bytes:
            return bytes(request["size"])

    studio = type("Studio", (), {"workers": Workers()})
    request: Any = type("Request", (), {"app": type("App", (), {"state": studio})})
    studio.studio = studio  # type: ignore[attr-defined]

    async def size(asked: int) -> int:
        return len((await answering.answered(request, "", {"size": asked})).body)

    assert asyncio.run(size(2_000_000)) == 2_000_000
    monkeypatch.setattr(answering, "unsent", lambda: 300_000_000)
    with pytest.raises(BusyError, match="Try again"):
        asyncio.run(size(2_000_000))
    assert asyncio.run(size(500_000)) == 500_000
