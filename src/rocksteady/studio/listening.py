"""How many clients may listen to events at once: each holds a connection open."""

from collections.abc import AsyncIterator
from weakref import WeakSet

from rocksteady.studio.limits import LISTENERS
from rocksteady.studio.problems import BusyError


class _Place:
    """Held by one stream; free again when the stream ends or is dropped before it began."""


class Listeners:
    """Those of one kind of events."""

    def __init__(self) -> None:
        self._places: WeakSet[_Place] = WeakSet()

    def __len__(self) -> int:
        return len(self._places)

    def admitted(self, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The same stream, which counts as a listener until it ends; an error if there are too
        many."""
        if len(self) >= LISTENERS:
            raise BusyError(
                f"{LISTENERS} windows follow events already: close some of them, or ask without "
                "events."
            )
        place = _Place()
        self._places.add(place)
        return self._counted(stream, place)

    async def _counted(self, stream: AsyncIterator[bytes], place: _Place) -> AsyncIterator[bytes]:
        try:
            async for part in stream:
                yield part
        finally:
            self._places.discard(place)
