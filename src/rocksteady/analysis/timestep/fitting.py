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

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.analysis.timestep.result import ACCEPTED, Campaign
from rocksteady.analysis.timestep.runs import ClosedForms, swing_errors
from rocksteady.analysis.timestep.store import CampaignStore
from rocksteady.errors import InputError
from rocksteady.formulations import NumericalDissipation
from rocksteady.formulations.contract import Array
from rocksteady.numbers import reals
from rocksteady.systems import Block

__all__ = [
    "BLOCKS",
    "RATIOS",
    "STEPS",
    "STIFFNESSES",
    "VALIDATION_BLOCKS",
    "VALIDATION_STIFFNESSES",
    "Campaign",
    "campaign",
    "error_curves",
]

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
RATIOS = tuple(round(0.01 * n, 2) for n in range(80, 100))
# Not in the fit. The paper's own (Table 2) are lost in print: these lie between those of Table 1.
VALIDATION_BLOCKS = tuple(
    Block(height, width)
    for height, width in ((1.65, 0.3), (3.3, 0.6), (6.6, 1.2), (2.55, 0.3), (5.1, 0.6), (10.2, 1.2))
)
VALIDATION_STIFFNESSES = (4e8, 7e8, 12e8)

THREADS = 2

Progress = Callable[[int, int], Any]


def campaign(
    formulation: NumericalDissipation | None = None,
    *,
    blocks: Sequence[Block] = BLOCKS,
    stiffnesses: Sequence[float] = STIFFNESSES,
    steps: Sequence[float] = STEPS,
    ratios: Sequence[float] = RATIOS,
    ceiling: float = ACCEPTED,
    only_best: bool = True,
    store: str | Path | None = None,
    progress: Progress | None = None,
    threads: int = THREADS,
) -> Campaign:
    """Let every block rock freely on every bed with every time step; the paper's 1600 runs
    unless told otherwise.

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
    store
        A .npz file that keeps what is done: an interrupted campaign goes on where it was.
    progress
        Called with (runs done, runs in all).
    threads
        How many runs at a time.
    """
    how = dataclasses.replace(_numerical(formulation), r=None)
    beds, dts, wanted = (_checked(values) for values in (stiffnesses, steps, ratios))
    if not blocks or not all(isinstance(each, Block) and each.symmetric for each in blocks):
        raise InputError("A campaign needs blocks, and symmetric ones: the closed forms are.")
    if not np.all(wanted < 1):
        raise InputError(f"ratios up to {wanted.max():g} are not allowed: r is less than 1.")
    shape = (len(blocks), len(beds), len(dts), len(wanted), 2)
    kept = CampaignStore(
        store, shape, _settings(how, blocks, beds, dts, wanted, ceiling, only_best)
    )
    todo = [(i, j) for i, j in np.ndindex(shape[:2]) if not kept.done[i, j]]
    todo.sort(key=lambda place: -blocks[place[0]].R)  # the longest first: all threads end together
    runs = len(dts) * kept.done.size
    if progress is not None:
        progress(len(dts) * int(kept.done.sum()), runs)

    def case(place: tuple[int, int]) -> tuple[tuple[int, int], Array]:
        block, bed = blocks[place[0]], dataclasses.replace(how, k_n=float(beds[place[1]]))
        return place, _errors(block, bed, dts, wanted, ceiling, only_best=only_best)

    for place, errors in in_threads(case, todo, threads):
        kept.put(place, errors)
        if progress is not None:
            progress(len(dts) * int(kept.done.sum()), runs)
    return Campaign(how, tuple(blocks), beds, dts, wanted, kept.errors)


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
    )
    return np.asarray(one.e_G[0, 0])


def _errors(
    block: Block,
    how: NumericalDissipation,
    dts: Array,
    ratios: Array,
    ceiling: float,
    *,
    only_best: bool,
) -> Array:
    """(e_θ, e_T) of one block on one bed, by Δt and r. Long steps, which are quick, go first."""
    closed, ceilings = ClosedForms.of(block, ratios), np.full(len(ratios), ceiling)
    errors = np.empty((len(dts), len(ratios), 2))
    for i in np.argsort(-dts):
        run = dataclasses.replace(how, dt=float(dts[i]))
        errors[i] = swing_errors(block, run, float(dts[i]), closed, ceilings)
        if only_best:
            found = np.hypot(errors[i, :, 0], errors[i, :, 1])
            ceilings = np.minimum(ceilings, found * (1 + 1e-9))  # equally good is good enough
    return errors


# -- how -----------------------------------------------------------------------------------------


def in_threads(work: Callable[[Any], Any], items: Sequence[Any], threads: int) -> Iterator[Any]:
    """Results as they come. Whoever stops listening stops the work that has not begun."""
    if threads <= 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: set[Future[Any]] = {pool.submit(work, item) for item in items}
        try:
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _numerical(formulation: NumericalDissipation | None) -> NumericalDissipation:
    how = formulation or NumericalDissipation()
    if not isinstance(how, NumericalDissipation):
        raise InputError(
            f"{how!r} does not lose energy by its time step: give an rs.NumericalDissipation()."
        )
    return how


def _checked(values: Sequence[float]) -> Array:
    try:
        array = reals(values)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim != 1 or not len(array) or not np.all((array > 0) & np.isfinite(array)):
        raise InputError(f"{values!r} is not allowed: give positive, finite numbers, one at least.")
    return array


def _settings(
    how: NumericalDissipation,
    blocks: Sequence[Block],
    beds: Array,
    dts: Array,
    ratios: Array,
    ceiling: float,
    only_best: bool,
) -> dict[str, Any]:
    """What a file of results must have been made with to go on with it."""
    body = dataclasses.asdict(how)
    for name in ("k_n", "dt", "r", "law"):  # replaced in every run
        body.pop(name, None)
    return {
        "formulation": body,
        "blocks": [dataclasses.asdict(block) for block in blocks],
        "stiffnesses": beds.tolist(),
        "steps": dts.tolist(),
        "ratios": ratios.tolist(),
        "ceiling": ceiling,
        "only_best": only_best,
    }
