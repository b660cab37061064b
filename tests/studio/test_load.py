"""Many at once: the server stays up, answers everybody clearly, and its memory stays bounded."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import bench_studio

NO_LIMIT = httpx.Limits(max_connections=None)


async def plainly(url: str, width: float) -> tuple[int, str]:
    """Status and text of one answer, over a connection of its own."""
    at = urlsplit(url)
    body = json.dumps(bench_studio.case(width))
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(
        f"POST /api/simulate HTTP/1.1\r\nHost: {at.netloc}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    text = (await reader.read()).decode()
    writer.close()
    return int(text[9:12]), text


def test_a_thousand_requests_at_once(studio: Any) -> None:
    """Each is answered, or told that the studio is busy; another client is served meanwhile."""

    async def run() -> tuple[list[tuple[int, str]], list[int]]:
        flood = asyncio.gather(*(plainly(studio.url, 0.4 + i * 1e-4) for i in range(1000)))
        served = []
        own = {"X-Studio-Client": "another"}
        async with httpx.AsyncClient(base_url=studio.url, timeout=120.0, headers=own) as other:
            while not flood.done():
                answer = await other.post("/api/simulate", json=bench_studio.case(0.5))
                served.append(answer.status_code)
                await asyncio.sleep(0.1)
        return await flood, served

    answers, served = asyncio.run(run())
    codes = [code for code, _ in answers]
    assert set(codes) <= {200, 503} and codes.count(200) >= 128
    for code, text in answers:
        if code == 503:
            assert "busy" in text and "retry-after: 1" in text.lower()
    assert served == [200] * len(served)
    assert studio.process.poll() is None


def test_a_client_that_hangs_up_does_no_harm(studio: Any, client: httpx.Client) -> None:
    async def run() -> None:
        async with httpx.AsyncClient(base_url=studio.url, limits=NO_LIMIT) as hasty:
            asked = [
                asyncio.create_task(hasty.post("/api/simulate", json=bench_studio.case(0.5)))
                for _ in range(100)
            ]
            await asyncio.sleep(0.05)
            for one in asked:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)

    asyncio.run(run())
    assert client.post("/api/simulate", json=bench_studio.case(0.5)).status_code == 200


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_memory_stays_bounded_over_ten_thousand_requests(studio: Any) -> None:
    found = asyncio.run(bench_studio.memory_over(studio.url, studio.process.pid, 10_000))
    used = dict(found)
    assert used[10_000] < used[5_000] * 1.05 + 10, found
    assert used[10_000] < 1500, found


@pytest.mark.slow
def test_fifty_people_at_their_sliders(studio: Any) -> None:
    waits, lost = asyncio.run(bench_studio.many(studio.url, 50, 10.0))
    assert not lost
    assert sorted(waits)[len(waits) // 2] <= bench_studio.WITHIN
