"""HTTP as uvicorn speaks it, for clients that take their time."""

import asyncio
from typing import Any
from weakref import WeakSet

from uvicorn.protocols.http.h11_impl import H11Protocol

from rocksteady.studio.limits import HEAD_SECONDS, TAKE_BYTES, TAKE_SECONDS


def unsent() -> int:
    """Bytes of answers that clients have yet to take."""
    return sum(one.transport.get_write_buffer_size() for one in _behind)


class PatientProtocol(H11Protocol):
    """Hangs up on a client that does not say in time what it wants, or does not take its answer:
    uvicorn would wait for ever, and connections and memory are few."""

    _hanging_up: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait()  # part of a head
        else:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._taken()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        _behind.add(self)
        self._look_again(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._taken()
        super().resume_writing()

    def _wait(self) -> None:
        if self._hanging_up is None:
            self._hanging_up = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._hanging_up is not None:
            self._hanging_up.cancel()
            self._hanging_up = None

    def _look_again(self, left: int) -> None:
        if self._taking is None:
            self._taking = self.loop.call_later(TAKE_SECONDS, self._look, left)

    def _look(self, left: int) -> None:
        """Hang up unless the client has taken enough since there were ``left`` bytes to take."""
        self._taking = None
        now = self.transport.get_write_buffer_size()
        if now > left - TAKE_BYTES:
            self.transport.abort()
        else:
            self._look_again(now)

    def _taken(self) -> None:
        _behind.discard(self)
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None


_behind: WeakSet[PatientProtocol] = WeakSet()
"""The connections whose clients are behind with taking."""
