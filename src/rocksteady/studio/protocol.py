"""HTTP as uvicorn speaks it, for clients that take their time."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from rocksteady.studio.limits import HEAD_SECONDS


class PatientProtocol(H11Protocol):
    """Hangs up on a client that does not say in time what it wants: uvicorn would wait for ever,
    and connections are few."""

    _hanging_up: asyncio.TimerHandle | None = None

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
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._hanging_up is None:
            self._hanging_up = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._hanging_up is not None:
            self._hanging_up.cancel()
            self._hanging_up = None
