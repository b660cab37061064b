"""What a law of the time step is worth: the r that free rocking shows at its steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.analysis.timestep.fitting import BLOCKS, RATIOS, STIFFNESSES
from rocksteady.analysis.timestep.study import LawSteps
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.run import run_many
from rocksteady.formulations import NumericalDissipation
from rocksteady.formulations.dissipation.law import Table, TimeStepLaw, law_named
from rocksteady.numerics.types import Array
from rocksteady.systems import Block

MIDDLE = 0.905  # of r: the table of errors has a part below it and one above


def errors_in_r(
    law: str | TimeStepLaw,
    formulation: NumericalDissipation | None = None,
    *,
    blocks: Sequence[Block] = BLOCKS,
    stiffnesses: Sequence[float] = STIFFNESSES,
    ratios: Sequence[float] = RATIOS,
    executor: Any = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> Array:
    """r measured − r wanted [-] in free rocking at the law's step, by block, k_n and r.

    Measured is the r between 0.700 and 0.998, in steps of 0.001, with the smallest e_G (Eq. 8);
    nan where that is above 20 % for all of them. ``executor``, ``store`` and ``progress`` are those
    of :func:`rocksteady.ensemble`.
    """
    beds, wanted = np.array(stiffnesses, dtype=float), np.array(ratios, dtype=float)
    how = formulation or NumericalDissipation()
    study = LawSteps(how, tuple(blocks), beds, law_named(law), wanted)
    data = run_many(study, executor=executor, store=store, progress=progress)
    return np.asarray(data["error"].values)


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
