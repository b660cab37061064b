"""The levels of stripes: given, or from just below lift-off to where nearly all motions overturn a
body."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from rocksteady.bodies import System
from rocksteady.ensembles.api import ensemble
from rocksteady.ensembles.labels import Measure
from rocksteady.errors import InputError, warn
from rocksteady.motion import Motion
from rocksteady.numbers import number_row, real
from rocksteady.numerics.types import Array
from rocksteady.theories import Formulation

LEVELS = 40
MOST_LEVELS = 10_000
BELOW = 0.98  # of the gate: where the levels begin
NEARLY_ALL = 0.97  # share that falls where the levels end
CALM = 0.1  # θ/α: where they begin for a theory without a gate
TRIED = 40  # motions of the first, coarse pass
STEP, FARTHEST = math.sqrt(2), 64.0  # its levels: their ratio, and the last over the first


def checked_levels(
    levels: Any,
    bodies: tuple[System, ...],
    how: Formulation,
    shaken: tuple[Motion, ...],
    measure: Measure,
    lifts: Array,
) -> Array:
    """The levels that were given, or as many as were asked for, 40 by default. ``shaken``: what
    shakes the bodies where the ground's measure is 1."""
    count = LEVELS
    if levels is not None and not isinstance(levels, (list, tuple)) and np.ndim(levels) == 0:
        if not real(levels).is_integer() or not 2 <= real(levels) <= MOST_LEVELS:
            raise InputError(
                f"levels = {levels!r} is not allowed: give how many, two or more (a whole number, "
                f"at most {MOST_LEVELS}), or the levels themselves in {measure.unit}, such as "
                "[0.2, 0.4, 0.8]."
            )
        count = int(levels)
    elif levels is not None:
        given = number_row("levels", levels)
        if not len(given) or not (given > 0).all() or not (np.diff(given) > 0).all():
            raise InputError(
                f"levels = {levels!r} is not allowed: give numbers above zero that increase, in "
                f"{measure.unit}, such as [0.2, 0.4, 0.8]."
            )
        return given
    first, last = _range(bodies, how, shaken, measure, lifts)
    return np.geomspace(first, last, count)


def _range(
    bodies: tuple[System, ...],
    how: Formulation,
    shaken: tuple[Motion, ...],
    measure: Measure,
    lifts: Array,
) -> tuple[float, float]:
    """From just below lift-off to where nearly all fall, by a coarse pass over some motions."""
    gate = float(np.min(lifts))
    begin = gate if 0 < gate < math.inf else 1 / FARTHEST
    power, most = measure.power, weightless(bodies, shaken)
    steps = round(math.log(FARTHEST * (1 if begin == gate else FARTHEST), STEP))
    scales = begin ** (1 / power) * STEP ** np.arange(steps + 1)
    scales = np.append(scales[scales < most], most) if most < scales[-1] else scales
    tried = np.unique(np.linspace(0, len(shaken) - 1, min(TRIED, len(shaken))).astype(int))
    some = [shaken[i] for i in tried]
    data = ensemble(bodies, some, how, scales=scales.tolist(), until="outcome", progress=False)
    fell, peak = data["fell"].values, np.nan_to_num(data["peak"].values)
    share = fell.mean(axis=1).min(axis=0)  # of the body that falls least
    enough = np.flatnonzero(share >= NEARLY_ALL)
    last = scales[enough[0]] if len(enough) else scales[-1]
    if most <= last:
        warn(
            f"Beyond {measure.short} {most**power:.3g} {measure.unit} a vertical component would "
            "make the body weightless, so the levels end there: what comes after is not known."
        )
    if begin != gate:  # no threshold: begin where nothing much happens yet
        moved = (fell | (peak > CALM)).any(axis=(0, 1))
        begin = scales[max(int(np.argmax(moved)) - 1, 0)] ** power
    return BELOW * begin, max(last**power, 2 * begin)


def weightless(bodies: Iterable[System], shaken: Iterable[Motion]) -> float:
    """The factor just below that at which a vertical component would lift a body from the ground
    as a whole; inf where none has one."""
    deepest = min((float(m.vertical.min()) for m in shaken if m.vertical is not None), default=0.0)
    g = min(getattr(body, "g", math.inf) for body in bodies)
    return 0.99 * g / -deepest if deepest < 0 else math.inf
