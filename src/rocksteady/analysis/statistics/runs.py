"""The runs of a validation: each test by a theory, once or many times."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.measured_tests import MeasuredTests
from rocksteady.analysis.statistics.distributions import as_sample
from rocksteady.bodies import System
from rocksteady.ensembles.api import ensemble
from rocksteady.ensembles.checks import checked_floor, named
from rocksteady.ensembles.progress import Progress, part_of
from rocksteady.ensembles.study import A_MOTION
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.numerics.types import Array
from rocksteady.specs.theory import TheorySpec
from rocksteady.status import Status
from rocksteady.theories import Formulation
from rocksteady.theories.registry import suitable

BoolArray = NDArray[np.bool_]


def theory_label(formulation: Formulation) -> str:
    """ "Housner", or "Housner (eta = 0.9)" with the options that differ from the usual ones."""
    name, colon, options = str(TheorySpec.of(formulation)).partition(": ")
    return f"{name} ({options})" if colon and "=" in options else name


def seen_by_theory(
    body: System, other: Formulation, motions: Any, floor: Floor | None, progress: bool | Progress
) -> tuple[dict[str, Any], MeasuredTests]:
    """Runs by another theory in the place of tests."""
    if motions is None:
        raise InputError(
            "Two theories are compared under motions: give them, as in "
            "motions=rs.stochastic.ensemble(100, seed=1)."
        )
    tests = tests_of(motions)
    n = len(tests)
    peak, fell = runs_of((body,), tests, suitable(other, body), floor, np.ones((1, n)), progress)
    return {
        "against": f"{theory_label(suitable(other, body))} under {n} motion{'s' * (n > 1)}",
        "observed": peak[:, 0],
        "observed_fell": fell[:, 0],
        "observed_known": ~np.isnan(peak[:, 0]),
    }, tests


def tests_of(motions: Any) -> MeasuredTests:
    """Motions as tests of which nothing was measured."""
    shaken, names = named(motions, (Motion,), "motions", A_MOTION)
    names = names or tuple(motion.name or str(i) for i, motion in enumerate(shaken, start=1))
    n = len(shaken)
    nothing = np.full(n, np.nan), "-", np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    return MeasuredTests(names, shaken, np.ones(n), *nothing, ())


def runs_of(
    bodies: Sequence[System],
    tests: MeasuredTests,
    how: Formulation,
    floor: Floor | None,
    factors: Array,
    progress: bool | Progress,
) -> tuple[Array, BoolArray]:
    """(n, draws) max |θ|/α as a sample, nan without an answer, and whether it overturned: each body
    with each row of factors on the strengths."""
    place = checked_floor(floor)
    made: dict[int, Motion] = {}
    for motion in tests.motions:
        if id(motion) not in made:
            made[id(motion)] = motion if place is None else place.motion(motion)
    felt = [made[id(motion)] for motion in tests.motions]
    peaks, falls = [], []
    pairs = [(body, row) for body in bodies for row in factors]
    shown = progress if callable(progress) or len(pairs) == 1 else False  # no bar for each draw
    for part, (body, row) in enumerate(pairs):
        data = ensemble(
            body,
            felt,
            how,
            scales=tests.scales * row,
            paired=len(felt) > 1,
            until="outcome",
            progress=part_of(shown, part, len(pairs)),
        )
        known = data["status"].values.ravel() != Status.FAILED
        fell = data["fell"].values.ravel() & known
        peaks.append(np.where(known, as_sample(data["peak"].values.ravel(), fell), np.nan))
        falls.append(fell)
    return np.column_stack(peaks), np.column_stack(falls)
