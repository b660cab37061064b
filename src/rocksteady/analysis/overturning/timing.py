"""How long a map takes: by a random sample of its points, which are run and timed before it begins.

What a theory declares is a mean over bodies. A body that falls at once takes a tenth of the time of
one that hops on, so for one body under all pulses of a map it may be wrong by several times.
"""

from __future__ import annotations

import time

import numba
import numpy as np

from rocksteady.analysis.overturning.runs import brute_force_seconds
from rocksteady.ensembles.api import run_study
from rocksteady.ensembles.picked import Picked
from rocksteady.ensembles.progress import spaced, span
from rocksteady.ensembles.study import Study
from rocksteady.errors import held_back
from rocksteady.numerics.first_use import tell

LONG = 60.0  # s of one core, by what the theory declares: a map that takes less is not timed
SAMPLE, FEWEST, MOST = 0.5, 32, 4096  # s of one core for the timed runs; fewest and most of them
WARMING = 4  # runs before them, in which all that they need is compiled


def measured_seconds(study: Study) -> float | None:
    """About how long a core takes to run every point, measured here; None where what the theory
    declares is so little that nobody needs to know."""
    declared = brute_force_seconds(study)
    if declared <= LONG:
        return None
    count = int(np.clip(SAMPLE * len(study) / declared, FEWEST, MOST))
    count = min(count, len(study))
    numbers = np.sort(np.random.default_rng(0).choice(len(study), count, replace=False))
    _ = study.ground, study.tables, study.limits  # once for all rounds
    clock = time.perf_counter if study.backend == "cuda" else time.process_time
    with held_back():  # the map itself warns
        run_study(Picked.from_study(study, numbers[:WARMING]), progress=False)
        start = clock()
        run_study(Picked.from_study(study, numbers), progress=False)
        return (clock() - start) / count * len(study)


def tell_before(study: Study, seconds: float | None, *, adaptive: bool) -> None:
    """Say how long it will take, where that is long."""
    if seconds is None:
        return
    cores = 1 if study.backend == "cuda" else numba.get_num_threads()
    if seconds / cores < LONG:
        return
    runs, by = spaced(len(study)), "the GPU" if study.backend == "cuda" else f"{cores} cores"
    if adaptive:
        line = f"All {runs} runs of this map would take {by} about {span(seconds / cores)}: "
        tell(f"{line}only those along the borders are made, as a rule 4 to 25 % of them.")
    else:
        tell(f"The {runs} runs of this map take {by} about {span(seconds / cores)}.")
