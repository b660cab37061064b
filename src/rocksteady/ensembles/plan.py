"""A study in parts of consecutive runs: small enough to lose, large enough to be efficient.

The parts depend on the study alone, not on the machine, so a store begun on one machine can be
finished on another or on a cluster.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from rocksteady.ensembles.many import ManyRuns
from rocksteady.motion import Motion
from rocksteady.theories.contract import Formulation

PART_SECONDS = 1.5  # about, of one core; less where runs end early
MOST_RUNS = 1 << 18  # of a part: what is written to a disk in a moment
CUDA_SPEED = 500.0  # of a GPU, in cores


class Part(NamedTuple):
    """Runs from ``start`` on, up to but without ``stop``."""

    start: int
    stop: int

    @property
    def runs(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Plan:
    """All runs of a study, in parts of equal size."""

    runs: int
    size: int

    @classmethod
    def of(cls, study: ManyRuns) -> Self:
        return cls(len(study), study.part_size)

    def __iter__(self) -> Iterator[Part]:
        for start in range(0, self.runs, self.size):
            yield Part(start, min(start + self.size, self.runs))

    @property
    def parts(self) -> int:
        return -(-self.runs // self.size)


def part_size(seconds: float, backend: str = "cpu") -> int:
    """How many runs to put into a part, if a core takes so many ``seconds`` for one."""
    if backend == "cuda":
        seconds /= CUDA_SPEED
    return max(1, min(round(PART_SECONDS / seconds), MOST_RUNS))


def run_seconds(formulation: Formulation, motions: Sequence[Motion]) -> float:
    """About how long a core takes for a run by this theory under one of these motions."""
    samples = sum(len(motion) for motion in motions) / len(motions)
    return 1e-9 * samples * formulation.cost
