"""Samples that were left out or filled in, and when they are too many to be certain."""

from collections.abc import Iterable

MINUTE = 60.0  # s over which the share is taken
SHARE = 0.01  # of the samples of a minute: more make the results uncertain
FEW = 3  # samples that are allowed even where they are a larger share


class Losses:
    """The losses of the last minute: where, and how many there. ``dt`` in s."""

    def __init__(self, dt: float, kept: Iterable[tuple[int, int]] = ()) -> None:
        self._minute = max(1, round(MINUTE / dt))  # samples
        self.kept = [(int(place), int(count)) for place, count in kept]

    def add(self, place: int, count: int) -> int:
        """Lose ``count`` samples before number ``place``. Returns how many of the last minute are
        lost if they are too many, else 0."""
        total = self.too_many(place, count)
        self.kept = [] if total else [*self._of_the_last_minute(place), (place, count)]
        return total

    def too_many(self, place: int, count: int) -> int:
        """What `add` would return."""
        total = sum(lost for _, lost in self._of_the_last_minute(place)) + count
        allowed = max(FEW, SHARE * min(place + count, self._minute))
        return total if total > allowed else 0

    def _of_the_last_minute(self, place: int) -> list[tuple[int, int]]:
        return [loss for loss in self.kept if loss[0] > place - self._minute]
