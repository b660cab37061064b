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
        self.kept = [loss for loss in self.kept if loss[0] > place - self._minute]
        self.kept.append((place, count))
        total = sum(lost for _, lost in self.kept)
        if total <= max(FEW, SHARE * min(place + count, self._minute)):
            return 0
        self.kept = []
        return total
