"""The campaign behind the law of the time step (D'Altri et al. 2024, section 3).

Blocks on beds of several stiffnesses are let go from half of α, once with each of many time steps.
For every wanted r the best step is the one whose swings are nearest to the closed forms (smallest
e_G, Eqs. 7 and 8), and a regression through all best steps is the law (Eq. 6).

>>> import rocksteady as rs
>>> from rocksteady.analysis import timestep
>>> small = timestep.campaign(blocks=[rs.Block(4.2, 0.6)], stiffnesses=[5e8], ratios=[0.94])
>>> round(float(small.best_step[0, 0, 0]), 3)  # Fig. 2
0.013
"""

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.analysis.timestep.result import ACCEPTED, Campaign
from rocksteady.analysis.timestep.study import CampaignStudy
from rocksteady.bodies import Block, expect
from rocksteady.ensembles.many import check_backend
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.run import run_many
from rocksteady.errors import InputError
from rocksteady.numbers import real, reals
from rocksteady.numerics.types import Array
from rocksteady.theories import NumericalDissipation

# Table 1; its 2.8 m is a misprint: only 1.8 m gives the printed R of 3.71 m.
BLOCKS = tuple(
    Block(height, width)
    for height, width in (
        (1.2, 0.3), (2.4, 0.6), (4.8, 1.2), (7.2, 1.8),
        (2.1, 0.3), (4.2, 0.6), (8.4, 1.2),
        (3.0, 0.3), (6.0, 0.6), (12.0, 1.2),
    )
)  # fmt: skip
STIFFNESSES = (2.5e8, 5e8, 10e8, 25e8)  # N/m³
STEPS = tuple(round(0.001 * n, 3) for n in range(1, 41))  # s
LONG_STEPS = tuple(round(0.001 * n, 3) for n in range(1, 81))  # s; for rules that damp less
RATIOS = tuple(round(0.01 * n, 2) for n in range(80, 100))
# Not in the fit. The paper's own (Table 2) are lost in print: these lie between those of Table 1.
VALIDATION_BLOCKS = tuple(
    Block(height, width)
    for height, width in ((1.65, 0.3), (3.3, 0.6), (6.6, 1.2), (2.55, 0.3), (5.1, 0.6), (10.2, 1.2))
)
VALIDATION_STIFFNESSES = (4e8, 7e8, 12e8)


def campaign(
    formulation: NumericalDissipation | None = None,
    *,
    blocks: Sequence[Block] = BLOCKS,
    stiffnesses: Sequence[float] = STIFFNESSES,
    steps: Sequence[float] = STEPS,
    ratios: Sequence[float] = RATIOS,
    ceiling: float = ACCEPTED,
    only_best: bool = True,
    backend: str = "cpu",
    executor: Any = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> Campaign:
    """Let every block rock freely on every bed with every time step: the paper's 1600 runs, unless
    you choose others.

    Parameters
    ----------
    formulation
        The body, e.g. ``rs.NumericalDissipation(body="elastic")``; the rigid one unless given. Its
        k_n, dt and r are replaced.
    blocks, stiffnesses, steps, ratios
        Which blocks, k_n [N/m³], Δt [s] and r.
    ceiling
        e_G above which a run is not followed any further for an r.
    only_best
        Whether to leave a run also where it can no longer become the best for any r. That saves
        half of the time and changes nothing but the errors of steps that are not the best.
    backend
        ``"cpu"``: all cores. There is no other: a GPU cannot leave runs early.
    executor, store, progress
        A Dask cluster, a folder from which an interrupted campaign resumes, and a progress bar, as
        in :func:`rocksteady.ensemble`.
    """
    how = dataclasses.replace(_numerical(formulation), r=None)
    beds, dts, wanted = (_checked(values) for values in (stiffnesses, steps, ratios))
    for each in blocks:
        expect(each, Block, "A campaign needs blocks: it")
    if not blocks or not all(each.symmetric for each in blocks):
        raise InputError("A campaign needs blocks, and symmetric ones: the closed forms are.")
    if not real(ceiling) > 0:
        raise InputError(f"ceiling = {ceiling!r} is not allowed: it must be above zero.")
    if not np.all(wanted < 1):
        raise InputError(f"ratios up to {wanted.max():g} are not allowed: r is less than 1.")
    _check_cpu(backend)
    _refuse_old_file(store)
    # The longest runs first, so that all cores finish at about the same time.
    order = sorted(range(len(blocks)), key=lambda i: -blocks[i].R)
    ordered = tuple(blocks[i] for i in order)
    study = CampaignStudy(how, ordered, beds, dts, wanted, ceiling, only_best)
    data = run_many(study, executor=executor, store=store, progress=progress)
    errors = np.empty((*study.shape, len(wanted), 2))
    for j, names in enumerate(study.error_names()):
        for k, name in enumerate(names):
            errors[order, ..., j, k] = data[name].values
    return Campaign(how, tuple(blocks), beds, dts, wanted, errors)


def error_curves(
    block: Block,
    ratios: Sequence[float],
    formulation: NumericalDissipation | None = None,
    *,
    steps: Sequence[float] = STEPS,
) -> Array:
    """e_G over the time step for some r, a column each (Fig. 8); nothing is cut off."""
    how = _numerical(formulation)
    one = campaign(
        how,
        blocks=[block],
        stiffnesses=[how.k_n],
        steps=steps,
        ratios=ratios,
        ceiling=math.inf,
        only_best=False,
        progress=False,
    )
    return np.asarray(one.e_G[0, 0])


def _check_cpu(backend: str) -> None:
    check_backend(backend)
    if backend != "cpu":
        raise InputError(
            f"backend = {backend!r} is not for a campaign, whose runs end as soon as they can no "
            "longer be the best: leave it out, or share the work among machines with executor=."
        )


def _refuse_old_file(store: str | Path | None) -> None:
    if store is not None and Path(store).suffix == ".npz" and Path(store).is_file():
        raise InputError(
            f"{store} is the file of a campaign by an earlier version, which cannot be resumed: "
            "start it anew in a folder, as in store='campaign'."
        )


def _numerical(formulation: NumericalDissipation | None) -> NumericalDissipation:
    how = formulation or NumericalDissipation()
    why = ": others do not lose energy by their time step"
    return expect(how, NumericalDissipation, "A time-step campaign", why)


def _checked(values: Sequence[float]) -> Array:
    try:
        array = reals(values)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim != 1 or not len(array) or not np.all((array > 0) & np.isfinite(array)):
        raise InputError(f"{values!r} is not allowed: give positive, finite numbers, one at least.")
    return array
