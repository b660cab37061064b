"""The server itself: it starts, answers, and says so where it cannot."""

import asyncio
import socket

import httpx

import rocksteady as rs
from rocksteady.studio.serve import _listening


def test_it_says_what_it_can_do(client: httpx.Client) -> None:
    about = client.get("/api/about").json()
    assert about["version"] == rs.__version__
    assert {"housner", "spatial", "masonry"} <= {one["name"] for one in about["theories"]}
    assert all(one["words"] and one["bodies"] for one in about["theories"])
    assert about["presets"]["statue"]["height"] == 1.8


def test_the_page_or_a_sentence_is_there(client: httpx.Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200 and "Rocksteady Studio" in answer.text


def test_an_unknown_address_is_answered_with_a_sentence(client: httpx.Client) -> None:
    answer = client.get("/api/nothing")
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("There is nothing at this address")


def test_no_answer_waits_for_an_acknowledgement() -> None:
    """Head and body are sent one after the other: the body at once, not 40 ms later."""

    async def accepted() -> int:
        delays: asyncio.Queue[int] = asyncio.Queue()

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connected = writer.get_extra_info("socket")
            delays.put_nowait(connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = _listening("127.0.0.1", 0)
        async with await asyncio.start_server(answer, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await delays.get()

    assert asyncio.run(accepted())
