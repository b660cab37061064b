"""The processes that answer quick questions: none of them can take the server down."""

import asyncio
import json
import os
import signal
import time
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rocksteady.errors import InputError, warn
from rocksteady.studio import worker
from rocksteady.studio import workers as module
from rocksteady.studio.problems import BusyError
from rocksteady.studio.workers import FaultError, UnansweredError, Workers, asking_client


@pytest.fixture
def tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[Workers], Awaitable[Any]]], Any]:
    """Run a test with two workers."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}:{Path(module.__file__).parents[2]}")
    monkeypatch.setattr(module, "WARM", "odd_answers:echo")

    def run(test: Callable[[Workers], Awaitable[Any]]) -> Any:
        async def inside() -> Any:
            workers = Workers(tmp_path, 2)
            await workers.start()
            try:
                return await test(workers)
            finally:
                await workers.stop()

        return asyncio.run(inside())

    return run


async def asked(workers: Workers, what: str, timeout: float = 20.0, **request: Any) -> Any:
    return json.loads(await workers.call(f"odd_answers:{what}", request, timeout))


def test_an_answer_keeps_every_bit(tried: Any) -> None:
    found = tried(lambda workers: asked(workers, "numbers"))
    assert found["exact"] == [0.1, 1 / 3, 5e-324, 1.7976931348623157e308]
    assert found["odd"] == [None, None, None]
    assert found["columns"] == [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]
    assert found["path"] == "uploads/a"


def test_what_is_wrong_is_told(tried: Any) -> None:
    async def test(workers: Workers) -> None:
        with pytest.raises(InputError, match="must be positive"):
            await asked(workers, "refuses")
        with pytest.raises(FaultError, match="KeyError"):
            await asked(workers, "fails")
        with pytest.raises(InputError, match="memory"):
            await asked(workers, "devours")
        assert await asked(workers, "prints") == {"printed": True}

    tried(test)


def test_a_process_that_dies_or_does_not_end_is_replaced(tried: Any) -> None:
    async def test(workers: Workers) -> None:
        with pytest.raises(UnansweredError, match="ended unexpectedly"):
            await asked(workers, "crashes")
        began = time.monotonic()
        with pytest.raises(UnansweredError, match=r"longer than 0\.5 s"):
            await asked(workers, "computes", timeout=0.5)
        assert time.monotonic() - began < 5.0
        assert (await asked(workers, "echo", a=1))["a"] == 1

    tried(test)


def test_nobody_notices_that_an_idle_process_was_killed(tried: Any) -> None:
    async def test(workers: Workers) -> None:
        known: set[int] = set()
        while len(known) < 2:
            known |= {one["pid"] for one in await both(workers)}
        for pid in known:
            os.kill(pid, signal.SIGKILL)
        while any(not process.ended for process in workers._processes):
            await asyncio.sleep(0.01)
        assert not known & {one["pid"] for one in await both(workers)}

    async def both(workers: Workers) -> list[Any]:
        return await asyncio.gather(*(asked(workers, "sleeps", seconds=0.1) for _ in range(2)))

    tried(test)


def test_what_needs_no_compiled_code_is_answered_while_it_is_compiled(
    tried: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    """Nothing has been compiled yet: the object is seen, and its run waits."""
    monkeypatch.setattr(module, "WARM", "odd_answers:waits")
    monkeypatch.setattr(module, "EASY", frozenset({"odd_answers:echo"}))

    async def test(workers: Workers) -> None:
        hard = asyncio.create_task(asked(workers, "numbers"))
        await asyncio.sleep(0)
        assert await asked(workers, "echo")
        assert not hard.done() and not any(process.ready for process in workers._processes)
        (tmp_path / "go").touch()
        assert await hard
        while not all(process.ready for process in workers._processes):
            await asyncio.sleep(0.01)
        assert await asked(workers, "echo")

    tried(test)


def test_others_are_answered_while_two_compute(tried: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "SPARE_AFTER", 0.3)

    async def test(workers: Workers) -> float:
        slow = [asyncio.create_task(asked(workers, "computes", timeout=60.0)) for _ in range(2)]
        await asyncio.sleep(0.2)
        began = time.monotonic()
        for _ in range(3):
            await asked(workers, "echo")
        for one in slow:
            one.cancel()
        return time.monotonic() - began

    assert tried(test) < 30.0


def test_clients_with_slow_questions_leave_a_process_to_others(tmp_path: Path) -> None:
    async def test() -> None:
        workers = Workers(tmp_path, 2)
        for client in ("slow", None):
            nothing: Any = None
            process = module._Process(nothing)
            process.ready, process.client = True, client
            workers._processes.add(process)
        waiting = [
            asyncio.create_task(in_the_name_of(client, workers)) for client in ("slow", "quick")
        ]
        await asyncio.sleep(0)
        assert workers._whose_turn() == "slow"  # nothing is known of it yet
        workers._remember("slow")
        assert workers._whose_turn() == "quick"
        workers._waiting.pop("quick")
        assert workers._whose_turn() is None
        process.ready = False
        for one in workers._processes:
            one.client = None
        assert workers._whose_turn() is None  # the only one that is ready is for others
        process.ready = True
        assert workers._whose_turn() == "slow"
        for one in waiting:
            one.cancel()

    asyncio.run(test())


async def in_the_name_of(client: str, workers: Workers) -> None:
    asking_client.set(client)
    await asked(workers, "echo")


def test_what_nobody_waits_for_any_more_is_stopped(tried: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "SPARE_AFTER", 0.2)

    async def test(workers: Workers) -> None:
        first = {(await asked(workers, "echo"))["pid"] for _ in range(6)}
        slow = asyncio.create_task(asked(workers, "computes", timeout=600.0))
        await asyncio.sleep(1.5)
        slow.cancel()
        async with asyncio.timeout(60.0):
            while all(Path(f"/proc/{pid}").exists() for pid in first):
                await asked(workers, "echo")
                await asyncio.sleep(0.05)

    tried(test)


def test_what_nobody_waits_for_is_not_computed(tried: Any) -> None:
    async def test(workers: Workers) -> int:
        first = [asyncio.create_task(asked(workers, "sleeps", seconds=0.5)) for _ in range(2)]
        await asyncio.sleep(0.2)
        gone = [asyncio.create_task(asked(workers, "echo")) for _ in range(50)]
        await asyncio.sleep(0)
        for one in gone:
            one.cancel()
        await asyncio.gather(*first, *gone, return_exceptions=True)
        last = [await asked(workers, "echo") for _ in range(2)]
        return max(one["called"] for one in last)

    assert tried(test) <= 5  # the warm-up, the sleep and the last ones


def test_clients_take_turns(tried: Any) -> None:
    """One question of another client is not answered after a hundred of the first."""

    async def test(workers: Workers) -> int:
        async def one(client: str, order: list[str]) -> None:
            asking_client.set(client)
            await asked(workers, "sleeps", seconds=0.01)
            order.append(client)

        order: list[str] = []
        many = [asyncio.create_task(one("greedy", order)) for _ in range(100)]
        await asyncio.sleep(0.05)
        await one("patient", order)
        place = order.index("patient")
        await asyncio.gather(*many)
        return place

    assert tried(test) < 60


def test_the_queue_is_bounded(tried: Any) -> None:
    async def test(workers: Workers) -> tuple[int, int]:
        async def one(client: str) -> bool:
            asking_client.set(client)
            try:
                await asked(workers, "echo")
            except BusyError as error:
                assert "busy" in str(error)
                return False
            return True

        greedy = await asyncio.gather(*(one("greedy") for _ in range(1000)))
        others = await asyncio.gather(*(one(f"client {i}") for i in range(200)))
        return sum(greedy), sum(others)

    answered, others = tried(test)
    assert module.QUEUE_EACH <= answered < 1000
    assert others == 200


def test_every_warning_reaches_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, each once, also those that are raised while files are read; not those of others."""

    def doubtful(folder: Path, request: Any) -> dict[str, Any]:
        for sentence in ("The motion is vertical.", "The motion is vertical.", "It is short."):
            warn(sentence)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return {"found": 1, "warnings": ["It is long.", "It is short."]}

    monkeypatch.setattr(worker, "_function", lambda home: doubtful)
    kind, content = worker._answered(tmp_path, b"a:b\n{}")
    assert kind == worker.ANSWER
    said = json.loads(content)["warnings"]
    assert said == ["It is long.", "It is short.", "The motion is vertical."]
