"""How large a job may be. All sizes are checked here, before anything is run."""

from rocksteady.errors import InputError

GRID = 401  # points along either axis of a map
MAP_RUNS = 2_000_000  # runs of a map, over all motions
MOTIONS = 1_000  # motions of one job
STRENGTHS = 60  # levels of a fragility
PERIODS, ALPHAS = 1_001, 12  # of a rocking spectrum
RUNS = 1_000_000  # of any other job
THEORIES = 8  # beside each other
WAITING = 50  # jobs in the queue
KEPT = 1_000  # jobs from which on the oldest that failed or were cancelled are forgotten
PARTIAL = 4 << 20  # bytes of one partial result
MEMORY = 8 << 30  # bytes of address space for a job's process


def at_most(count: int, most: int, what: str, instead: str) -> None:
    """Refuse more than so many: "1 200 motions are too many: at most 1 000 …"."""
    if count > most:
        raise InputError(
            f"{_spaced(count)} {what} are too many for the studio: at most {_spaced(most)} are "
            f"allowed. {instead} For more, use the command line or a script."
        )


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")
