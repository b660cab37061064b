"""`rs.analysis.overturning_map`: which pulses, or which strengths of a record, overturn a body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocksteady.analysis.overturning.axes import (
    A_PULSE,
    Shape,
    name_of,
    pulse_axes,
    record_axes,
    shape_named,
)
from rocksteady.analysis.overturning.result import OverturningMap
from rocksteady.analysis.overturning.runs import (
    FAST,
    Show,
    brute_force_seconds,
    deciding_points,
    every_point,
    shares,
)
from rocksteady.analysis.overturning.timing import measured_seconds, tell_before
from rocksteady.bodies import Block, Rocker, expect
from rocksteady.ensembles.checks import named
from rocksteady.ensembles.progress import Progress
from rocksteady.ensembles.study import A_MOTION, Study
from rocksteady.errors import InputError, what_it_is
from rocksteady.files import as_path
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.numbers import whole
from rocksteady.theories import Formulation

METHODS = ("brute force", "adaptive")


def overturning_map(
    system: Rocker,
    motions: str | Shape | Motion | Sequence[Motion] | Mapping[str, Motion] = "sine",
    formulation: Formulation | None = None,
    *,
    frequencies: Any = None,
    heights: Any = None,
    strengths: Any = None,
    points: int | None = None,
    measure: str = "pga",
    floor: Floor | None = None,
    method: str | None = None,
    backend: str = "cpu",
    store: str | Path | None = None,
    progress: bool | Progress = True,
    show: Show | None = None,
) -> OverturningMap:
    """Which pulses overturn a body, or at which strength a record overturns bodies of which size.

    Every point is the run that :func:`rocksteady.simulate` makes:
    :meth:`rocksteady.analysis.overturning.OverturningMap.response` returns it.

    Parameters
    ----------
    system
        The body. In Housner's theory pulses need only its α: its p is the unit of ω.
    motions
        A pulse by name (``"sine"``, ``"half sine"``, ``"cosine"``, ``"rectangle"``, ``"ricker"``,
        ``"antisymmetric ricker"``, ``"mavroeidis"``), or a function that makes one from ω [rad/s]:
        a map over ω/p and a/(g tan α). One motion: a map over the size of similar bodies and the
        strength. Several motions: the share of them that overturns the body, over the same.
    formulation
        The theory; the usual one for the body unless given.
    frequencies
        ω/p [-] of the pulses; 0.5 to 8 unless given.
    heights
        Heights [m] of bodies similar to ``system``, for motions; a third to three times its own
        unless given.
    strengths
        Of pulses a/(g tan α) [-], 0.5 to 12 unless given; of motions the peak acceleration [g] or
        velocity [m/s] to which each is scaled.
    points
        How many along an axis that is not given; 401, or 61 for several motions, unless given.
    measure
        ``"pga"`` or ``"pgv"``: what the strength of motions is.
    floor
        Where the bodies stand, for motions: ``rs.Floor(period=0.5, storeys=4)``. Strengths remain
        those of the ground.
    method
        ``"brute force"`` runs every point; ``"adaptive"`` runs the points along the borders and may
        miss small islands. Unless given, every point is run where that takes at most two minutes of
        one core by the cost that the theory declares, and always for several motions. Before a map
        that takes long some of its points are timed, and a line says how long it will take.
    backend, store, progress
        As in :func:`rocksteady.ensemble`. With a ``store`` the same call resumes where it was
        stopped.
    show
        Called after each round with the points that were run in it: ``i`` and ``j`` along both
        axes, and ``found`` (``way``, ``peak``, ``impacts``; of several motions ``fell``,
        ``known``). Rounds then go from coarse to fine; the map is the same.

    Examples
    --------
    >>> import numpy as np
    >>> import rocksteady as rs
    >>> block = rs.Block.from_parameters(p=2.0, alpha=0.25)
    >>> found = rs.analysis.overturning_map(
    ...     block, "sine", frequencies=np.linspace(1, 8, 15), strengths=np.linspace(1, 8, 15)
    ... )
    >>> found.way(0, 14).words
    'falls without an impact'
    """
    _check_method(method)
    kept = None if store is None else as_path(store, "a folder for the store")
    laid_out = lay_out(
        system,
        motions,
        formulation,
        frequencies=frequencies,
        heights=heights,
        strengths=strengths,
        points=points,
        measure=measure,
        floor=floor,
        backend=backend,
    )
    return fill_in(laid_out, method, kept, progress, show)


def lay_out(
    system: Rocker,
    motions: str | Shape | Motion | Sequence[Motion] | Mapping[str, Motion],
    formulation: Formulation | None = None,
    *,
    frequencies: Any = None,
    heights: Any = None,
    strengths: Any = None,
    points: int | None = None,
    measure: str = "pga",
    floor: Floor | None = None,
    backend: str = "cpu",
) -> OverturningMap:
    """The map of `overturning_map` before its first run: what lies along the axes, and the runs
    that it stands for."""
    body = expect(system, Rocker, "An overturning map", ": give a Block or a FlexibleOscillator")
    points = None if points is None else whole("points", points, 2, 10_000)
    run: dict[str, Any] = {"until": "outcome", "backend": backend}
    pulse: Any = None if _are_motions(motions) else motions
    if pulse is not None:
        _refuse("heights", heights, "a pulse has no size but its frequency: give frequencies=")
        _refuse("measure", None if str(measure) == "pga" else measure, "it is for motions")
        _refuse("floor", floor, "it is for motions: a floor turns a pulse into a long vibration")
        shape = shape_named(pulse) if isinstance(pulse, str) else pulse
        x, y, shaking = pulse_axes(body, shape, frequencies, strengths, points)
        study = Study.of(body, shaking, formulation, scales=y.values, **run)
    else:
        _refuse("frequencies", frequencies, "they are for pulses: give heights= for motions")
        block = expect(system, Block, "A map over the size of a body")
        given, names = named(motions, (Motion,), "motions", A_MOTION)
        x, y, bodies, scaled = record_axes(block, given, heights, strengths, measure, points)
        those: Any = dict(zip(names, scaled, strict=True)) if names else scaled
        study = Study.of(bodies, those, formulation, scales=y.values, floor=floor, **run)
    return OverturningMap(body, study, x, y, None if pulse is None else name_of(pulse), "")


def _are_motions(given: Any) -> bool:
    """Whether these are motions, not a pulse by its name or a function that makes one."""
    if isinstance(given, type):
        raise InputError(f"motions is {what_it_is(given)}: give {A_PULSE}, or motions.")
    return isinstance(given, Motion) or not (isinstance(given, str) or callable(given))


def fill_in(
    found: OverturningMap,
    method: str | None,
    store: Path | None,
    progress: bool | Progress,
    show: Show | None,
) -> OverturningMap:
    """The map with what its runs came to, by a method that is chosen unless given."""
    study, size = found.study, found.shape
    if found.motions > 1 and method == "adaptive":
        raise InputError(
            "method = 'adaptive' is for one motion or pulse: a share changes gradually, so that "
            "every point has to be run. Leave it out, and take fewer points."
        )
    adaptive = found.motions == 1 and (
        method == "adaptive" or (method is None and brute_force_seconds(study) > FAST)
    )
    found = replace(found, method=METHODS[adaptive], seconds=measured_seconds(study))
    if progress:
        tell_before(study, found.seconds, adaptive=adaptive)
    if found.motions > 1:
        counts = shares(study, size, store, progress, show)
        return replace(found, counts=counts)
    if adaptive:
        points = deciding_points(study, size, store, progress, show, ragged=found.pulse is None)
    else:
        points = every_point(study, size, store, progress, show)
    return replace(found, points=points)


def _check_method(method: str | None) -> None:
    if method is not None and method not in METHODS:
        raise InputError(
            f"method = {method!r} is not known: choose 'brute force' or 'adaptive', or leave it "
            "out."
        )


def _refuse(name: str, value: Any, why: str) -> None:
    if value is not None:
        raise InputError(f"{name} was given, but {why}.")
