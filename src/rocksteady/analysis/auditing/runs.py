"""Audit a response: the laws of all theories, and those that its theory names."""

from __future__ import annotations

from typing import Any

from rocksteady.analysis.auditing.general import laws_of_every_run
from rocksteady.analysis.auditing.result import Audit
from rocksteady.bodies import expect
from rocksteady.registry import imported
from rocksteady.response import A_RUN, Response


def audit(response: Response) -> Audit:
    """Recompute the laws that a response has to obey from what it stores: momentum between events
    and at impacts, friction cones, gaps, energy, and its outcome.

    The equations are written anew in NumPy, apart from the compiled steps that made the response.
    What the stored rows cannot tell of is said to be unchecked, with the reason.

    Examples
    --------
    >>> import rocksteady as rs
    >>> column = rs.Block(height=4.2, width=0.6)
    >>> found = rs.analysis.audit(rs.simulate(column, theta0=column.alpha / 2))
    >>> found.ok, found["impacts"].verdict
    (True, 'holds')
    """
    expect(response, Response, "An audit", A_RUN)
    own: Any = imported(response.formulation.laws_for(response.system))
    name = " ".join(response.motion.name.split()) or "a ground motion"
    about = f"{response.system.label} under {name} ({response.formulation.name})"
    return Audit(about, (*own(response), *laws_of_every_run(response)))
