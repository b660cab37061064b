"""A study in parts of consecutive runs, small enough to lose and large enough to pay.

The parts follow from the study alone, not from the machine: whoever goes on with a store, on more
cores or on a cluster, finds the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rocksteady.ensembles.study import Study

PART_SECONDS = 1.5  # about, of one core; less where runs end early
MOST_RUNS = {"cpu": 1 << 18, "cuda": 1 << 20}  # of a part: what fits into memory several times
CUDA_SPEED = 500.0  # of a GPU, in cores


class Part(NamedTuple):
    """Runs from ``start`` on, up to but without ``stop``."""

    start: int
    stop: int


@dataclass(frozen=True)
class Plan:
    """All runs of a study, in parts of equal size."""

    runs: int
    size: int

    @classmethod
    def of(cls, study: Study) -> Plan:
        samples = sum(len(motion) for motion in study.motions) / len(study.motions)
        seconds = 1e-9 * samples * study.formulation.cost
        if study.backend == "cuda":
            seconds /= CUDA_SPEED
        size = max(1, min(round(PART_SECONDS / seconds), MOST_RUNS[study.backend]))
        return cls(len(study), size)

    def __iter__(self) -> Iterator[Part]:
        for start in range(0, self.runs, self.size):
            yield Part(start, min(start + self.size, self.runs))

    @property
    def parts(self) -> int:
        return -(-self.runs // self.size)
