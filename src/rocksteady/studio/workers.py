"""Child processes that answer quick questions, so that no question can take the server down.

A process that takes too long, or too much memory, is killed and replaced; whoever waits for its
answer is told so in a sentence. Clients take turns: one with a thousand questions does not keep
another from an answer, and those with slow ones leave a process to the others.
"""

import asyncio
import contextlib
import errno
import logging
import os
import sys
import time
from collections import OrderedDict, deque
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.studio.encoding import encode
from rocksteady.studio.problems import BusyError
from rocksteady.studio.worker import ANSWER, LENGTH, NO_ROOM, NOTE, REFUSED

log = logging.getLogger("rocksteady.studio")

QUEUE = 512
"""Questions that may wait, of all clients together."""
QUEUE_EACH = 128
"""Questions of one client that may wait."""
COMPILING = 180.0
"""s more for a question whose theory is compiled first."""
SPARE_AFTER = 2.0
"""s after which another process takes over from one that is still computing."""
HEAVY_FOR = 60.0
"""s for which a client is known by its slow question."""
WARM = "rocksteady.studio.answers.warm:answer"
EASY = frozenset(
    f"rocksteady.studio.answers.{name}:answer" for name in ("about", "body", "outline")
)
"""Questions whose answers need no compiled code: a process answers them while another one warms up,
so that an object is seen at once where nothing has been compiled yet."""

asking_client: ContextVar[str] = ContextVar("asking_client", default="")
"""Who asks, as far as that is known: clients take turns."""


class UnansweredError(BusyError):
    """It took too long, or its process ended."""


class FaultError(Exception):
    """An error in rocksteady itself, in a worker."""


class Workers:
    """``size`` processes that answer questions, and as many again while one of them is slow."""

    def __init__(self, folder: Path, size: int = 2) -> None:
        self._folder, self._size = folder, size
        self._waiting: OrderedDict[str, deque[_Question]] = OrderedDict()
        self._count = 0
        self._arrived = asyncio.Event()
        self._lanes: list[asyncio.Task[None]] = []
        self._spares = 0
        self._processes: set[_Process] = set()
        self._heavy: dict[str, float] = {}
        """Clients with slow questions, and until when they are known by them."""
        self._closed = False
        self._warming = asyncio.Lock()
        """One at a time: what the first one compiles the next ones find on disk."""
        self._warm = False
        """Whether the first process has warmed up."""

    @property
    def compiling(self) -> list[str]:
        """What is being compiled for the first time, a sentence each."""
        return sorted({process.note for process in self._processes if process.note})

    async def start(self) -> None:
        """Start the processes; they warm up in the background, all but one of them."""
        for number in range(self._size):
            self._open_lane(early=number > 0 and number + 1 == self._size)

    async def stop(self) -> None:
        """End all processes at once."""
        self._closed = True
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        for process in list(self._processes):
            await process.end()
        for question in [one for line in self._waiting.values() for one in line]:
            if not question.answer.done():
                question.answer.set_exception(BusyError("The studio is being closed."))

    async def call(self, function: str, request: Any, timeout: float = 20.0) -> bytes:
        """The answer of ``function`` ("module:name") as JSON; it runs as ``function(folder,
        request)``. An `InputError` in it is raised here. If the caller is cancelled while the
        question waits, it is not computed."""
        client = asking_client.get()
        line = self._waiting.get(client, ())
        if self._count >= QUEUE or len(line) >= QUEUE_EACH:
            raise BusyError(f"The studio is busy: {self._count} questions wait. Try again shortly.")
        try:
            message = function.encode() + b"\n" + encode(request)
        except TypeError as error:  # orjson's limits: whole numbers of 64 bits, 254 levels
            raise InputError(f"The request cannot be passed on: {error}.") from error
        question = _Question(function, message, timeout, client)
        self._waiting.setdefault(client, deque()).append(question)
        self._count += 1
        self._arrived.set()
        try:
            return await question.answer
        finally:
            question.answer.cancel()  # nobody waits any more

    # -- the lanes --------------------------------------------------------------------------------

    def _open_lane(self, spare: bool = False, early: bool = False) -> None:
        lane = asyncio.create_task(self._lane(spare, early))
        self._lanes.append(lane)
        lane.add_done_callback(self._lanes.remove)

    async def _lane(self, spare: bool, early: bool) -> None:
        """Answer one question after the other, as long as this lane is needed. An ``early`` one
        begins with those that need no compiled code, and warms up after the others."""
        process: _Process | None = None
        try:
            while not self._closed:
                early = early and not self._warm
                if process is None:
                    process = await self._started(warm=not early)
                elif not early and not process.ready:
                    await self._warmed(process)
                question = await self._next(early)
                if question is None:
                    continue
                if process.ended:  # while nobody asked it
                    await self._gone(process)
                    process = await self._started(warm=not early)
                watch = asyncio.create_task(self._watch(process, question))
                process.client = question.client
                try:
                    alive = await process.ask(question)
                finally:
                    watch.cancel()
                    process.client = None
                    self._arrived.set()  # heavy ones may have waited for this
                if not alive:
                    await self._gone(process)
                    process = None
                if spare and self._spares > sum(one.slow for one in self._processes):
                    return  # the slow one is back
                if process is not None:
                    process.slow = False
        finally:
            if spare:
                self._spares -= 1
            if process is not None:
                await self._gone(process)

    async def _watch(self, process: "_Process", question: "_Question") -> None:
        """If a question takes long, somebody else takes the next one, and this process computes on
        with lower priority, as long as somebody waits for its answer. One that merely waits for its
        turn on a busy machine is not slow: another process would only add to that."""
        begun = process.computed()
        while True:
            await asyncio.sleep(SPARE_AFTER)
            if process.computed() - begun > SPARE_AFTER / 2:
                break
        process.slow = True
        process.lower_priority()
        if self._spares < self._size and not process.note and not self._closed:
            self._spares += 1
            self._open_lane(spare=True)
        if not process.note:  # to compile takes its time with any question
            self._remember(question.client)
            await asyncio.wait({question.answer})
            if question.answer.cancelled():
                process.kill()

    def _remember(self, client: str) -> None:
        now = time.monotonic()
        self._heavy = {one: until for one, until in self._heavy.items() if until > now}
        self._heavy[client] = now + HEAVY_FOR

    async def _started(self, warm: bool = True) -> "_Process":
        if not warm:
            process = _Process(await _spawned(self._folder))
            self._processes.add(process)
            return process
        async with self._warming:
            process = _Process(await _spawned(self._folder))
            self._processes.add(process)
            await process.ask(_Question(WARM, WARM.encode() + b"\n{}", COMPILING))
        return self._is_warm(process)

    async def _warmed(self, process: "_Process") -> None:
        async with self._warming:
            await process.ask(_Question(WARM, WARM.encode() + b"\n{}", COMPILING))
        self._is_warm(process)

    def _is_warm(self, process: "_Process") -> "_Process":
        process.ready = self._warm = True
        self._arrived.set()  # early lanes may take all questions now
        return process

    async def _gone(self, process: "_Process") -> None:
        self._processes.discard(process)
        await process.end()

    async def _next(self, early: bool = False) -> "_Question | None":
        """The next question: clients take turns, and heavy ones leave a process to the others.
        For an early lane one that needs no compiled code; none once others have warmed up, and none
        once it is closed: a wait that ends as it is cancelled may swallow the cancellation."""
        while not self._closed:
            if early and self._warm:
                return None
            while (client := self._whose_turn(early)) is not None:
                line = self._waiting.pop(client)
                question = next(one for one in line if not early or one.easy)
                line.remove(question)
                self._count -= 1
                if line:
                    self._waiting[client] = line  # at the end of the queue
                if not question.answer.done():
                    return question
            self._arrived.clear()
            await self._arrived.wait()
        return None

    def _whose_turn(self, early: bool = False) -> str | None:
        if early:
            lines = self._waiting.items()
            return next((one for one, line in lines if any(each.easy for each in line)), None)
        now = time.monotonic()
        heavy = {client for client, until in self._heavy.items() if until > now}
        busy = sum(process.client in heavy for process in self._processes)
        ready = sum(process.ready for process in self._processes)
        full = busy >= (ready - 1 if self._size > 1 else 1)
        return next((one for one in self._waiting if not (full and one in heavy)), None)


class _Question:
    """One question, and where its answer goes."""

    def __init__(self, function: str, message: bytes, timeout: float, client: str = "") -> None:
        self.function, self.message, self.timeout = function, message, timeout
        self.client = client
        self.easy = function in EASY
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class _Process:
    """One child process."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self._child = child
        self.note = ""
        """What it compiles now."""
        self.ready = self.slow = False
        self.client: str | None = None
        """Who waits for it."""

    async def ask(self, question: _Question) -> bool:
        """Answer a question; False if the process cannot be used any more."""
        self._until = time.monotonic() + question.timeout
        try:
            kind, content = await self._answer(question)
        except TimeoutError:
            question.fail(UnansweredError(
                f"This took longer than {question.timeout:g} s, the limit for a quick answer: ask "
                "for a shorter motion, a coarser time step or a simpler theory, or start it as a "
                "job."
            ))  # fmt: skip
            return False
        except (asyncio.IncompleteReadError, OSError):
            question.fail(UnansweredError(
                "The process that computed this ended unexpectedly, perhaps for want of memory. "
                "Nothing else is affected; ask for less."
            ))  # fmt: skip
            return False
        finally:
            self.note = ""
        if kind == ANSWER:
            if not question.answer.done():
                question.answer.set_result(content)
        elif kind == REFUSED:
            question.fail(InputError(content.decode()))
        elif kind == NO_ROOM:
            question.fail(OSError(errno.ENOSPC, "no room for an answer"))
        else:
            question.fail(FaultError(f"{question.function}: {content.decode()}"))
        return True

    async def _answer(self, question: _Question) -> tuple[bytes, bytes]:
        assert self._child.stdin and self._child.stdout
        self._child.stdin.write(LENGTH.pack(len(question.message)) + question.message)
        await self._within(self._child.stdin.drain())
        while True:
            head = await self._within(self._child.stdout.readexactly(LENGTH.size + 1))
            size = LENGTH.unpack(head[: LENGTH.size])[0] - 1
            content = await self._within(self._child.stdout.readexactly(size))
            kind = head[LENGTH.size :]
            if kind != NOTE:
                return kind, content
            self.note = content.decode()
            log.warning("%s", self.note)
            self._until += COMPILING

    async def _within(self, part: Any) -> Any:
        return await asyncio.wait_for(part, max(self._until - time.monotonic(), 0.0))

    def computed(self) -> float:
        """Processor time that it has used so far [s]; the clock's where that cannot be told."""
        try:
            about = Path(f"/proc/{self._child.pid}/stat").read_text(encoding="utf-8")
            own, system = about.rpartition(")")[2].split()[11:13]
            return (int(own) + int(system)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, AttributeError):
            return time.monotonic()

    def lower_priority(self) -> None:
        with contextlib.suppress(AttributeError, OSError):  # not on Windows
            os.setpriority(os.PRIO_PROCESS, self._child.pid, 10)

    @property
    def ended(self) -> bool:
        return self._child.returncode is not None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()

    async def end(self) -> None:
        self.kill()
        await self._child.wait()


async def _spawned(folder: Path) -> asyncio.subprocess.Process:
    one_thread = dict.fromkeys(
        ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
    )
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rocksteady.studio.worker", str(folder),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env=os.environ | one_thread, limit=1 << 22,
    )  # fmt: skip
