"""Stripes: the same motions at a number of strengths, and what they do to one body.

Fragility, risk and the checks by codes are all read from these runs. Each motion is scaled by a
measure of the *ground*, also where the body stands on a floor: that is what a hazard curve is for.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis._levels import checked_levels
from rocksteady.analysis.draws import cluster_numbers
from rocksteady.bodies import System
from rocksteady.ensembles.api import ensemble
from rocksteady.ensembles.checks import checked_floor, named, one_formulation
from rocksteady.ensembles.labels import Measure, measure_named
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.study import A_BODY, A_MOTION
from rocksteady.errors import InputError, held_back
from rocksteady.files import as_path
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.numbers import real
from rocksteady.numerics.types import Array
from rocksteady.status import Status
from rocksteady.theories import Formulation

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
Limit = str | float
"""A limit state: "lifts off", a ratio θ/α such as 0.5, or "overturned"."""

LIFTS, OVERTURNED = "lifts off", "overturned"
LIMITS: tuple[Limit, ...] = (LIFTS, 0.1, 0.5, 1.0, OVERTURNED)
SOME_RUNS = ": give what rs.analysis.stripes.stripes returned"
BATCHES = 20  # of motions, where they are to be shown meanwhile


@dataclass(frozen=True, eq=False)
class Stripes:
    """One body under the same motions at a number of strengths; see `stripes`."""

    system: System
    formulation: Formulation
    motions: tuple[Motion, ...]
    """Of the ground, as they were given, not scaled."""
    floor: Floor | None
    """What the body stands on; None: the ground."""
    measure: Measure
    """Of the ground, always."""
    levels: Array
    """(L,) increasing, in the measure's unit."""
    peak: Array
    """(n, L) max |θ|/α [-]; nan where a run gave no answer."""
    fell: BoolArray
    """(n, L) whether it overturned."""
    known: BoolArray
    """(n, L) whether the run gave an answer. One that failed is no run that stood."""
    clusters: IntArray
    """(n,) motions with the same number are one draw: see `rocksteady.analysis.draws`."""
    lifts: Array
    """(n,) the level at which each motion lifts the body off; nan where the theory has no such
    threshold, inf where a motion never does."""

    @property
    def gate(self) -> float:
        """The level below which no motion lifts the body off; nan where nobody knows."""
        return float(np.min(self.lifts)) if len(self.lifts) else math.nan

    @property
    def draws(self) -> int:
        """The number of clusters: of independent motions."""
        return len(np.unique(self.clusters))

    def beyond(self, limit: Limit) -> BoolArray:
        """(n, L) whether a run got beyond a limit state: "lifts off", a ratio such as 0.5 of θ/α,
        or "overturned". False where the run is not `known`: count those apart."""
        state = checked_limit(limit)
        if state == OVERTURNED:
            return self.fell & self.known
        if state == LIFTS:
            if np.isnan(self.lifts).any():
                raise InputError(
                    f"{self.formulation.name} has no threshold at which a body lifts off: choose "
                    "another limit, such as 0.1 of θ/α."
                )
            # friction below tan α: it slides instead
            with np.errstate(invalid="ignore"):
                return (self.levels > self.lifts[:, None]) & (self.peak > 0) & self.known
        with np.errstate(invalid="ignore"):
            return (self.fell | (self.peak > float(state))) & self.known

    def counts(self, limit: Limit = OVERTURNED) -> tuple[IntArray, IntArray]:
        """(L,) how many runs got beyond a limit at each level, and how many gave an answer."""
        return self.beyond(limit).sum(axis=0), self.known.sum(axis=0)

    def __repr__(self) -> str:
        n, levels = self.peak.shape
        first, last = self.levels[0], self.levels[-1]
        return (
            f"<Stripes: {self.system.label}, {n} motions × {levels} levels, "
            f"{self.measure.short} {first:.3g} to {last:.3g} {self.measure.unit}>"
        )


Show = Callable[[Stripes], Any]


def checked_limit(limit: Any) -> str | float:
    """A limit state, from its name or number."""
    if isinstance(limit, str) and limit.strip().lower() in (LIFTS, OVERTURNED):
        return limit.strip().lower()
    value = real(float(limit)) if isinstance(limit, str) and _is_float(limit) else real(limit)
    if not 0 < value < math.inf:
        raise InputError(
            f"limit = {limit!r} is not known: give 'lifts off', 'overturned', or a ratio θ/α above "
            "zero, such as 0.5."
        )
    return value


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def limit_words(limit: Limit) -> str:
    """ "overturned", or "θ/α > 0.5"."""
    state = checked_limit(limit)
    return state if isinstance(state, str) else f"θ/α > {state:g}"


# -- the runs ---------------------------------------------------------------------------------


def stripes(
    system: System,
    motions: Motion | Sequence[Motion] | Mapping[str, Motion],
    formulation: Formulation | None = None,
    *,
    levels: Any = None,
    measure: str | Measure = "pga",
    floor: Floor | None = None,
    clusters: Any = None,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: bool | Progress = True,
    show: Show | None = None,
) -> Stripes:
    """Run one body under every motion at every level of a measure.

    Parameters
    ----------
    system
        The body.
    motions
        Motions of the ground; each is scaled to each level.
    formulation
        How it moves; the usual one for the body unless given.
    levels
        Of the measure, in its unit (PGA in g, PGV in m/s): numbers that increase, or how many. By
        default 40 at equal ratios, from just below where the first motion lifts the body off to
        where nearly all motions overturn it.
    measure
        ``"pga"``, ``"pgv"``, ``"housner"``, ``"arias"``, ``"cav"``, ``"pgd"`` or ``"SA(1.0)"``,
        all of the first horizontal component. For a body in space also ``"pga_rotd100"``, the
        largest horizontal acceleration in any direction, which does not depend on the axes.
    floor
        What the body stands on; the ground unless given. Levels remain those of the ground.
    clusters
        A label for each motion: those with the same label are one draw, as motions made from one
        set of stochastic parameters are. Found from the motions unless given.
    backend, store, progress
        As in :func:`rocksteady.ensemble`.
    show
        Called now and then with the stripes of the motions that have been run so far. The motions
        are then run in some twenty batches; the result is the same.

    Examples
    --------
    >>> import rocksteady as rs
    >>> statue = rs.Block(height=1.8, width=0.5)
    >>> pulses = [rs.pulses.sine(amplitude=1.0, period=T) for T in (0.4, 0.8, 1.6)]
    >>> runs = stripes(statue, pulses, levels=[0.2, 0.4, 0.8, 1.6], progress=False)
    >>> runs.fell.sum(axis=0).tolist()
    [0, 2, 2, 3]
    """
    return stripes_of(
        [system],
        motions,
        formulation,
        levels=levels,
        measure=measure,
        floor=floor,
        clusters=clusters,
        backend=backend,
        store=store,
        progress=progress,
        show=None if show is None else lambda made: show(made[0]),
    )[0]


def stripes_of(
    systems: Sequence[System],
    motions: Motion | Sequence[Motion] | Mapping[str, Motion],
    formulation: Formulation | None = None,
    *,
    levels: Any = None,
    measure: str | Measure = "pga",
    floor: Floor | None = None,
    clusters: Any = None,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: bool | Progress = True,
    show: Callable[[list[Stripes]], Any] | None = None,
) -> list[Stripes]:
    """The stripes of several bodies of one kind in one ensemble, at the same levels: by default
    from just below where the first of them lifts off to where nearly all motions overturn the
    last. See `stripes`."""
    bodies = named(systems, (System,), "systems", A_BODY)[0]
    grounds = named(motions, (Motion,), "motions", A_MOTION)[0]
    how, by = one_formulation(formulation, bodies), measure_named(measure)
    at_one = _at_one(grounds, by)
    shaken = _on_floor(at_one, checked_floor(floor))
    lifts = np.array([lift_levels(body, how, shaken, np.ones(len(shaken)), by) for body in bodies])
    at = checked_levels(levels, bodies, how, shaken, by, lifts)
    draws = cluster_numbers(grounds, clusters)
    kept = None if store is None else as_path(store, "a folder for the store")
    run: dict[str, Any] = {
        "floor": floor,
        "scales": (at ** (1 / by.power)).tolist(),
        "until": "outcome",
        "backend": backend,
    }

    def found(parts: list[Any]) -> list[Stripes]:
        """The stripes of the first motions."""
        status, peak, fell = (
            np.concatenate([part[name].values for part in parts], axis=1)
            for name in ("status", "peak", "fell")
        )
        known, n = status != Status.FAILED, status.shape[1]
        peaks = np.where(known, peak, np.nan)
        return [
            Stripes(
                body, how, grounds[:n], floor, by, at, peaks[i], fell[i].astype(bool), known[i],
                draws[:n], lifts[i][:n],
            )
            for i, body in enumerate(bodies)
        ]  # fmt: skip

    if show is None:
        return found([ensemble(bodies, at_one, how, store=kept, progress=progress, **run)])
    made: list[Any] = []
    size = -(-len(at_one) // BATCHES)
    for number, start in enumerate(range(0, len(at_one), size)):
        part = at_one[start : start + size]
        folder = None if kept is None else kept / f"batch-{number:03d}"
        told = _after(progress, start, len(at_one), len(part))
        made.append(ensemble(bodies, part, how, store=folder, progress=told, **run))
        show(found(made))
    return found(made)


def _after(progress: bool | Progress, before: int, motions: int, those: int) -> bool | Progress:
    """The progress of the runs of some motions as that of the runs of all."""
    if not callable(progress):
        return progress
    return lambda done, total: progress(done + total // those * before, total // those * motions)


def _at_one(motions: tuple[Motion, ...], measure: Measure) -> tuple[Motion, ...]:
    """The ground's motions with a measure of 1: what the scales multiply."""
    found = []
    for i, motion in enumerate(motions):
        value = measure.of(motion)
        if not 0 < value < math.inf:
            raise InputError(
                f"motions[{i}] ({motion.name or 'no name'}) has {measure.short} = {value:g} "
                f"{measure.unit}: it cannot be scaled. Leave out motions in which the ground "
                "stands still."
            )
        found.append(motion.scaled(value ** (-1 / measure.power)))
    return tuple(found)


def _on_floor(motions: tuple[Motion, ...], floor: Floor | None) -> tuple[Motion, ...]:
    """What shakes the body."""
    if floor is None:
        return motions
    with held_back():  # the ensemble will tell
        return tuple(floor.motion(motion) for motion in motions)


def lift_levels(
    system: System, how: Formulation, motions: tuple[Motion, ...], levels: Array, measure: Measure
) -> Array:
    """(n,) the level at which each motion lifts a body off, where it has these ``levels`` as it is:
    the factor is g tan α / max(|a_h| − a_v tan α), with the α of the corner on either side. The
    body goes up on the corner away from the ground's acceleration. nan where the theory has no such
    threshold."""
    slopes = how.lift_off(system)
    if slopes is None:
        return np.full(len(motions), math.nan)
    right, left = slopes
    g, found = getattr(system, "g", math.nan), np.empty(len(motions))
    for i, motion in enumerate(motions):
        a_h, up = motion.accel, 0.0 if motion.vertical is None else motion.vertical
        sides = [(sign, slope) for sign, slope in ((-1, right), (1, left)) if slope < math.inf]
        pushes = [(slope, np.max(sign * a_h - up * slope)) for sign, slope in sides]
        levels_of = [g * slope / push for slope, push in pushes if push > 0]
        found[i] = min(levels_of, default=math.inf)
    return np.asarray(levels * found**measure.power)
