"""The load at which an assembly collapses: `limit_load`."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rocksteady.analysis.limit_analysis.contacts import Corners
from rocksteady.analysis.limit_analysis.friction import estimate
from rocksteady.analysis.limit_analysis.loads import Forces, live_loads, steady_loads, weights
from rocksteady.analysis.limit_analysis.program import SOLVED, UNBOUNDED, Equilibrium, Solution
from rocksteady.analysis.limit_analysis.result import (
    CANNOT_FAIL,
    COLLAPSES,
    FALLS,
    LimitLoad,
    scaled,
)
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import yes_or_no

RULES = ("associated", "estimate")


def limit_load(
    assembly: Assembly,
    direction: Sequence[float] = (1.0, 0.0),
    *,
    sliding: bool = True,
    friction_rule: str = "associated",
    forces: Forces | None = None,
    steady: Forces | None = None,
) -> LimitLoad:
    """The multiplier of a load at which the assembly collapses, and how it collapses.

    Stones are rigid, joints carry no tension and crush nowhere. Among all forces that balance the
    stones and respect friction, linear programming (HiGHS) finds those with the largest load; its
    multipliers are the mechanism (Livesley 1978).

    Parameters
    ----------
    assembly
        The stones.
    direction
        Where the load acts (x, y): (1, 0) pushes to the right. On every stone that moves it is λ
        times its weight, however long this vector is.
    sliding
        Whether joints may slide; if not, friction is unlimited.
    friction_rule
        ``"associated"``: stones that slide also lift by μ times the slip. It has one exact answer,
        an upper bound of the true collapse load. ``"estimate"``: sliding without lifting, by
        iteration (Gilbert et al. 2006), with a range: the true load is not unique.
    forces
        Another load for λ to multiply: by stone, (F_x, F_y) [N] at its centre of mass or
        (F_x, F_y, x, y) at a point [m].
    steady
        Forces that act beside the weight and are not multiplied, in the same form. Links pull up
        to their strength, however far they stretch.

    Examples
    --------
    >>> from rocksteady.bodies.assembly import Stone
    >>> floor = Stone.box(-1, -0.5, 2, 0.5, fixed=True, name="ground")
    >>> pillar = Assembly((floor, Stone.box(-0.25, 0, 0.5, 2, name="pillar")))
    >>> round(limit_load(pillar).multiplier, 6)
    0.25
    """
    expect(assembly, Assembly, "A limit load")
    if friction_rule not in RULES:
        raise InputError(
            f"friction_rule = {friction_rule!r} is not allowed: it is 'associated' or 'estimate'."
        )
    corners = Corners.of(assembly)
    problem = Equilibrium(
        assembly,
        corners.start,
        yes_or_no("sliding", sliding),
        dead=weights(assembly) + steady_loads(assembly, steady),
        live=live_loads(assembly, direction, forces),
    )
    return limit_of(problem, corners, "weight" if forces is None else "forces", friction_rule)


def limit_of(
    problem: Equilibrium, corners: Corners, live: str = "weight", friction_rule: str = "associated"
) -> LimitLoad:
    """The limit load of a problem of equilibrium."""
    if not len(problem.moving):
        raise InputError("All stones are fixed: nothing can collapse.")
    if not problem.stands():
        return _result(_weakest(problem), corners, FALLS, live=live)
    found = problem.largest()
    if found.status == UNBOUNDED:
        return _result(problem, corners, CANNOT_FAIL, live=live, multiplier=np.inf)
    _check(found)
    if friction_rule == "associated" or not problem.sliding:
        return _result(problem, corners, COLLAPSES, live=live, **_fields(found))
    told, more = estimate(problem, found)
    return _result(
        problem, corners, COLLAPSES, live=live, friction_rule=friction_rule, **_fields(told), **more
    )


def _weakest(problem: Equilibrium) -> Equilibrium:
    """Why it falls: the problem without sliding if unlimited friction would not help either."""
    stuck = replace(problem, sliding=False)
    return problem if stuck.stands() else stuck


def _fields(found: Solution) -> dict[str, object]:
    return {name: value for name, value in found._asdict().items() if name != "status"}


def _check(found: Solution) -> None:
    if found.status != SOLVED:
        raise InputError(
            "The linear program found no collapse load: stones of very different sizes or weights "
            "(more than 1 : 10⁶) are the usual cause. Join small ones to a neighbour, if no joint "
            "between them can open."
        )


def _result(problem: Equilibrium, corners: Corners, status: str, **fields: object) -> LimitLoad:
    count = len(problem.assembly)
    given: dict[str, object] = {
        "multiplier": np.nan,
        "forces": np.zeros((len(corners.joints), 3)),
        "link_forces": np.zeros(len(problem.assembly.links)),
        "velocities": np.zeros((count, 3)),
        **fields,
    }
    if status == FALLS:
        given["velocities"] = problem.fall()
    given["velocities"] = scaled(given["velocities"])  # type: ignore[arg-type]
    residual = np.nan
    if status == COLLAPSES:
        residual = problem.residual(given["forces"], given["link_forces"], given["multiplier"])  # type: ignore[arg-type]
    return LimitLoad(
        problem.assembly,
        corners.joints,
        status,
        contacts=corners.start,
        sliding=problem.sliding,
        residual=residual,
        **given,  # type: ignore[arg-type]
    )
