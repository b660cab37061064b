"""Why results may be wrong: what the monitor had to assume about the ground motion."""

from dataclasses import dataclass

from rocksteady.monitor.exact import Exact

REASONS = {
    "outage": "data were missing, and the ground was taken to be at rest",
    "saturated": "the sensor was at the end of its range, and the ground moved more strongly",
    "lost": "more than 1 % of the samples of a minute were left out or filled in",
    "clock": "the sensor's clock was set, so it is unknown how much is missing",
    "still": "the sensor's clock stood still, so samples were placed by their number",
    "interrupted": "the input has no time stamps and was interrupted, so it is unknown how much is "
    "missing",
}

MISPLACED = ("lost", "still")
"""Reasons for which samples may be at wrong times: wear may then be too large, too."""
AT_ONCE = ("lost",)
"""Reasons that hold before another sample comes."""


@dataclass(frozen=True)
class Doubt(Exact):
    """One reason: since which sample, how often and for how long."""

    sample: int
    """The first sample after which results are uncertain."""
    count: int = 0
    seconds: float = 0.0
    """How long [s]; 0 if that is not known."""

    def again(self, count: int, seconds: float) -> "Doubt":
        return Doubt(self.sample, self.count + count, self.seconds + seconds)
