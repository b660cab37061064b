"""Exit statuses of the monitor."""

from enum import IntEnum


class Outcome(IntEnum):
    """Exit statuses of `rocksteady monitor`; the first in `WORST` that applies."""

    FINE = 0
    REFUSED = 2
    """Wrong options, or an input that cannot be read: nothing was watched."""
    NO_SAMPLES = 3
    """Not one sample came."""
    ALARM = 4
    """A threshold was passed in this run."""
    FALLEN = 5
    """Collapsed or overturned."""
    SILENT = 6
    """The sensor fell silent: ``--patience`` ran out."""
    NOT_KEPT = 7
    """The log is not complete: the disk was full or could not be written."""
    BROKEN = 8
    """The computation failed, or one of several buildings could not be watched."""
    UNCERTAIN = 9
    """Part of the ground motion is unknown: samples are lost, or the clock cannot be trusted."""


WORST = (
    Outcome.FALLEN,
    Outcome.BROKEN,
    Outcome.ALARM,
    Outcome.NOT_KEPT,
    Outcome.NO_SAMPLES,
    Outcome.UNCERTAIN,
    Outcome.SILENT,
    Outcome.FINE,
)


def worst(outcomes: list[Outcome]) -> Outcome:
    """The worst of several."""
    return min(outcomes, key=WORST.index, default=Outcome.FINE)
