"""What was tried to bring a yearly rate down, and what reaches the goal."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.hazard.result import Risk
from rocksteady.analysis.hazard.words import percent, rounded
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Measured:
    """Yearly rates for one thing that was changed."""

    what: str
    """In a sentence: "fixed plinth 0.20 m high with a width"."""
    title: str
    """ "Fixed plinth, 0.20 m high"."""
    axis: str
    """ "width of the plinth"."""
    unit: str
    values: Array
    """What was tried, from the smallest change on."""
    rates: Array
    """[1/year]."""
    bands: Array
    """(2, V) of the rates [1/year]."""
    wanted: float
    """The yearly rate that was aimed at [1/year]."""
    reaches: float
    """The value at which it is reached; nan where none of those tried does it."""
    interval: tuple[float, float]
    """Of that value: what other motions could have given; inf where some never reach it, nan where
    too few independent motions overturn the body to tell."""

    @property
    def uneven(self) -> bool:
        """Whether a larger change gave a higher rate somewhere."""
        return bool((np.diff(self.rates) > 0).any())

    def sentence(self, factor: float, level: float) -> str:
        """What reaches the goal, or that nothing tried does."""
        goal = "halves" if factor == 0.5 else f"brings to {percent(factor)}"
        first, last = self.values[0], self.values[-1]
        tried = f"{rounded(first, 3)} to {rounded(last, 3)} {self.unit}"
        if self.wanted == 0:
            return (
                "No rate was found for the body as it is, so nothing can be said of what a "
                f"{self.what} from {tried} would change."
            )
        if math.isnan(self.reaches):
            best = float(self.rates.min())
            return (
                f"No {self.what} from {tried} {goal} the rate: the best of these leaves "
                f"{percent(best * factor / self.wanted)} of it."
            )
        if self.reaches == first:
            size = f"{rounded(first, 3)} {self.unit}"
            return f"A {self.what} of {size}, the first that was tried, {goal} the rate."
        rough = (
            " The rates do not fall evenly with it; this is from a smoothed curve."
            if self.uneven
            else ""
        )
        value = f"{rounded(self.reaches, 3)} {self.unit}"
        return f"A {self.what} of {value} {goal} the rate ({self._between(level)}).{rough}"

    def _between(self, level: float) -> str:
        if any(map(math.isnan, self.interval)):
            return "too few independent motions overturn it for an interval"
        low, high = (
            rounded(end, 3) if math.isfinite(end) else "beyond what was tried"
            for end in self.interval
        )
        return f"{100 * level:g} %: {low} to {high}"


@dataclass(frozen=True)
class Anchor:
    """A tie at the edges of the base that holds the body down until it breaks."""

    holds_to: float
    """Peak acceleration of the ground up to which it holds [g]."""
    pull: float
    """What it must bear at the edge that would lift [N]."""
    amplification: float = 1.0
    """Peak acceleration of the floor it stands on over that of the ground; the median."""

    def sentence(self, factor: float) -> str:
        goal = "half" if factor == 0.5 else percent(factor)
        floor = ""
        if self.amplification != 1:
            times = f"{rounded(self.amplification, 3)} times as much on the floor, the median"
            floor = f" ({times})"
        return (
            f"Anchors at the edges of the base that hold to PGA {rounded(self.holds_to)} g{floor}, "
            f"a pull of {rounded(self.pull / 1000)} kN at the edge that lifts, leave {goal} of the "
            "rate if the body rocks as a free one once they break; check shear and the strength of "
            "the body apart."
        )


@dataclass(frozen=True, eq=False)
class Measures:
    """What would bring the rate down; see `measures`."""

    base: Risk
    """The body as it is."""
    factor: float
    """Of its rate: what is aimed at."""
    tried: tuple[Measured, ...]
    anchor: Anchor | None

    @property
    def sentences(self) -> list[str]:
        """For each what reaches the goal."""
        said = [one.sentence(self.factor, self.base.level) for one in self.tried]
        return said if self.anchor is None else [*said, self.anchor.sentence(self.factor)]

    def summary(self) -> dict[str, Any]:
        """Plain numbers, units in the keys."""
        return {
            "factor": self.factor,
            "rate_per_year": self.base.rate or None,
            "wanted_per_year": self.factor * self.base.rate or None,
            "tried": [
                {
                    "what": one.what,
                    "unit": one.unit,
                    "values": one.values.tolist(),
                    "rates_per_year": one.rates.tolist(),
                    "rates_low_per_year": one.bands[0].tolist(),
                    "rates_high_per_year": one.bands[1].tolist(),
                    "reaches": _or_none(one.reaches),
                    "reaches_low": _or_none(one.interval[0]),
                    "reaches_high": _or_none(one.interval[1]),
                }
                for one in self.tried
            ],
            "anchor_pull_N": None if self.anchor is None else self.anchor.pull,
            "anchor_holds_to_g": None if self.anchor is None else self.anchor.holds_to,
            "sentences": self.sentences,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """The rate over each thing that was changed."""
        figure: Figure = imported("rocksteady.view.measures:plot_measures")(self, path)
        return figure


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
