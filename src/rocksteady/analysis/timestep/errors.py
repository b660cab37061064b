"""What a law of the time step is worth: the r that free rocking shows at its steps."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from rocksteady.analysis.timestep.fitting import (
    BLOCKS,
    RATIOS,
    STIFFNESSES,
    THREADS,
    Progress,
    in_threads,
)
from rocksteady.analysis.timestep.runs import ClosedForms, swing_errors
from rocksteady.formulations import NumericalDissipation
from rocksteady.formulations.contract import Array
from rocksteady.formulations.dissipation.law import Table, TimeStepLaw, law_named
from rocksteady.systems import Block

LOOKED_AT = np.arange(0.700, 0.9985, 0.001)  # r
HOPELESS = 0.2  # e_G
MIDDLE = 0.905  # of r: the table of errors has a part below it and one above


def errors_in_r(
    law: str | TimeStepLaw,
    formulation: NumericalDissipation | None = None,
    *,
    blocks: Sequence[Block] = BLOCKS,
    stiffnesses: Sequence[float] = STIFFNESSES,
    ratios: Sequence[float] = RATIOS,
    progress: Progress | None = None,
    threads: int = THREADS,
) -> Array:
    """r measured − r wanted [-] in free rocking at the law's step, by block, k_n and r.

    Measured is the r between 0.700 and 0.998, in steps of 0.001, with the smallest e_G (Eq. 8);
    nan where that is above 20 % for all of them.
    """
    how, chosen = formulation or NumericalDissipation(), law_named(law)
    found = np.empty((len(blocks), len(stiffnesses), len(ratios)))

    def case(place: tuple[int, int]) -> tuple[tuple[int, int], list[float]]:
        block, k_n = blocks[place[0]], stiffnesses[place[1]]
        closed, ceilings = ClosedForms.of(block, LOOKED_AT), np.full(len(LOOKED_AT), HOPELESS)
        measured = []
        for r in ratios:
            dt = chosen.step(block, k_n, r)
            run = dataclasses.replace(how, k_n=k_n, dt=dt, r=None)
            e_theta, e_period = swing_errors(block, run, dt, closed, ceilings).T
            e_G = np.hypot(e_theta, e_period)
            best = int(np.argmin(e_G))
            measured.append(float(LOOKED_AT[best]) - r if math.isfinite(e_G[best]) else math.nan)
        return place, measured

    places = list(np.ndindex(found.shape[:2]))
    for done, (place, measured) in enumerate(in_threads(case, places, threads), start=1):
        found[place] = measured
        if progress is not None:
            progress(done, len(places))
    return found


def error_table(errors: Array, ratios: Sequence[float] = RATIOS) -> Table:
    """Root mean square of the errors of the paper's campaign, by r (below and above 0.9), h/b and
    k_n, as :class:`TimeStepLaw` keeps it."""
    slenderness = np.array([round(block.slenderness) for block in BLOCKS])
    low = np.array(ratios) < MIDDLE
    return tuple(
        tuple(
            tuple(
                round(float(np.sqrt(np.mean(errors[slenderness == value][:, bed, part] ** 2))), 4)
                for bed in range(len(STIFFNESSES))
            )
            for value in np.unique(slenderness)
        )
        for part in (low, ~low)
    )
