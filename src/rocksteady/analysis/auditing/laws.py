"""The laws that theories share, from what `flow` found."""

from __future__ import annotations

import numpy as np

from rocksteady.analysis.auditing.flow import Flow, Followed
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.response import Response


def momentum_law(
    response: Response, flow: Flow, found: Followed, moving: slice, tolerance: float, why: str
) -> Law:
    """Positions and velocities, the ``moving`` numbers of y, follow from row to row."""
    return _between(
        "momentum", "Between events every row follows from the one before by the equation of "
        "motion", response, found, moving, tolerance, why, "of the scale of the motion",
    )  # fmt: skip


def work_law(
    response: Response, flow: Flow, found: Followed, energies: slice, tolerance: float, why: str
) -> Law:
    """The work of the ground, and what friction or damping takes meanwhile."""
    return _between(
        "work", "Between events the ground's work and what is lost are those of forces along the "
        "motion", response, found, energies, tolerance, why, "of the scale of the energy",
    )  # fmt: skip


def _between(
    name: str, equation: str, response: Response, found: Followed, columns: slice,
    tolerance: float, why: str, unit: str,
) -> Law:  # fmt: skip
    worst = found.errors[:, columns].max(axis=1, initial=0.0) if len(found.errors) else np.zeros(0)
    return law(
        name, equation, worst, response.time[found.rows], tolerance, why, relative_to=unit,
        extent=found.extent, nothing="no interval is free of events",
    )  # fmt: skip
