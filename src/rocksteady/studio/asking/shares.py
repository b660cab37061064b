"""How many of the motions overturn the object at the strength of the place, in numbers and in a
sentence."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rocksteady.analysis.fragilities.shares import shares
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.analysis.stripes import LIFTS, OVERTURNED, Stripes

HUNDRED = 100


@dataclass(frozen=True)
class Share:
    """Of the motions that gave an answer."""

    count: int
    """That overturn it."""
    of: int
    share: float
    low: float
    high: float
    """Ends of the exact interval (Clopper and Pearson) at `level`."""
    draws: float
    """The number of independent motions that the interval is for."""
    level: float = LEVEL

    @property
    def sentence(self) -> str:
        """ "In 100 earthquakes of this strength 23 overturn it, between 19 and 27."."""
        if self.count == 0:
            most = _at_most(self.high)
            return f"None of {self.of} earthquakes of this strength overturns it: at most {most}."
        if self.count == self.of:
            least = _at_least(self.low)
            return f"All of {self.of} earthquakes of this strength overturn it: at least {least}."
        many = HUNDRED if self.share * HUNDRED >= 1 and self.low > 0 else 10 * HUNDRED
        found, low, high = (round(many * part) for part in (self.share, self.low, self.high))
        return (
            f"In {many} earthquakes of this strength {found} overturn it, between {low} and {high}."
        )


def _at_most(share: float) -> str:
    """ "1 in 100": rounded up."""
    return f"{int(np.ceil(HUNDRED * share - 1e-9))} in {HUNDRED} would"


def _at_least(share: float) -> str:
    return f"{int(np.floor(HUNDRED * share + 1e-9))} in {HUNDRED} would"


def share_of(runs: Stripes, limit: str = OVERTURNED) -> Share:
    """At the only level of the runs."""
    found = shares(runs.beyond(limit), runs.known, runs.clusters)
    return Share(
        int(found.count[0]),
        int(found.of[0]),
        float(found.share[0]),
        float(found.low[0]),
        float(found.high[0]),
        float(found.draws[0]),
    )


def counted(runs: Stripes) -> dict[str, Any]:
    """All that is told of the runs at the strength of the place; ``rocked`` is None where the
    theory has no threshold of rocking."""
    fallen = share_of(runs)
    rocked = None if np.isnan(runs.gate) else share_of(runs, LIFTS).count
    stood = runs.known[:, 0] & ~runs.fell[:, 0] & (runs.peak[:, 0] > 0)
    return {
        "part": "share",
        "pga": float(runs.levels[0]),
        **asdict(fallen),
        "sentence": fallen.sentence,
        "rocked": rocked,
        "failed": int((~runs.known[:, 0]).sum()),
        "lean": float(np.median(runs.peak[stood, 0])) if stood.any() else 0.0,
    }
