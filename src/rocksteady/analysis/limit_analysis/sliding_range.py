"""Loads at which a mechanism that slides without lifting is in equilibrium: `mechanism_loads`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_array, hstack, vstack

from rocksteady.analysis.limit_analysis.contacts import Contacts, Corners
from rocksteady.analysis.limit_analysis.friction import SETTINGS
from rocksteady.analysis.limit_analysis.loads import live_loads, weights
from rocksteady.analysis.limit_analysis.program import FINE, SOLVED, Equilibrium
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import reals
from rocksteady.numerics.types import Array

STILL = 0.01  # of the fastest stone's speed: joints that open or slip more slowly do not


def mechanism_loads(
    assembly: Assembly, velocities: Array, direction: Sequence[float] = (1.0, 0.0)
) -> tuple[float, float]:
    """The least and the greatest multiplier λ at which a mechanism without dilatancy is in
    equilibrium: joints that open carry nothing, joints that slip have T = μ (N₀ + N₁) against the
    slip, all others |T| ≤ μ (N₀ + N₁). Between the two every load is an exact collapse load of
    Coulomb's friction; which one fells the assembly depends on the forces it has at the start.

    Parameters
    ----------
    assembly
        The stones, where they stand.
    velocities
        (stones, 3): velocity (x, y) and rate of turning of each stone, to any scale, as those of a
        `LimitLoad` or of a run that begins to move. Joints that open or slip with less than 1 % of
        the fastest speed are taken as closed or stuck. In a `LimitLoad` every joint that slides
        also opens, by μ times the slip (dilatancy): that part is left out.
    direction
        Of the load, as for `limit_load`.
    """
    expect(assembly, Assembly, "A mechanism")
    try:
        velocities = reals(velocities)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"velocities must be numbers, (x, y, turn) for each stone: {error}."
        ) from error
    if velocities.shape != (len(assembly), 3) or not np.isfinite(velocities).all():
        raise InputError(
            f"velocities have the shape {velocities.shape}: give finite (x, y, turn) for each of "
            f"the {len(assembly)} stones."
        )
    if not velocities.any():
        raise InputError(
            "velocities are all 0, which is no mechanism: give those of a LimitLoad, or of a run "
            "when it begins to move."
        )
    contacts = Corners.of(assembly).start
    live = live_loads(assembly, direction, None)
    problem = Equilibrium(assembly, contacts, True, dead=weights(assembly), live=live)
    open_ends, slips = _motion(assembly, contacts, velocities)
    low, high = (_extreme(problem, open_ends, slips, sign) for sign in (1.0, -1.0))
    return low, high


def _motion(
    assembly: Assembly, contacts: Contacts, velocities: Array
) -> tuple[NDArray[np.bool_], Array]:
    """(joints, 2): which ends open; the sign of the slip of each joint, 0 where it sticks."""
    reach = np.array([stone.reach for stone in assembly])
    fastest = (
        np.hypot(velocities[:, 0], velocities[:, 1]) + np.abs(velocities[:, 2]) * reach
    ).max()
    opening, slip = contacts.rates(velocities)
    slides = np.abs(slip) > STILL * fastest
    lift = (contacts.friction * np.abs(slip) * slides)[:, None]
    opening = opening - _dilatancy(opening, lift, STILL * fastest) * lift
    return opening > STILL * fastest, np.where(slides, np.sign(slip), 0.0)


def _dilatancy(opening: Array, lift: Array, slow: float) -> float:
    """The share of μ |slip| by which every end of the joints that slide opens at least: 1 in a
    mechanism of associated friction, less in those of the estimates, 0 without dilatancy."""
    for share in (1.0, *sorted({share for share, _ in SETTINGS if share}, reverse=True)):
        if ((opening - share * lift)[lift[:, 0] > 0] > -slow).all():
            return share
    return 0.0


def _extreme(
    problem: Equilibrium, open_ends: NDArray[np.bool_], slips: Array, sign: float
) -> float:
    """The least multiplier, or the greatest for a ``sign`` of −1."""
    mu, count = problem.contacts.friction, len(slips)
    links, link_bounds = problem.links
    live = csc_array(problem.live_rows[:, None])
    equal = hstack([problem.joint_matrix, links, live], format="csc")
    width = equal.shape[1]
    slides = slips != 0
    # T + μ sign(slip) (N₀ + N₁) = 0 where it slips, ± T − μ (N₀ + N₁) ≤ 0 elsewhere
    tied = _rows(np.flatnonzero(slides), mu * slips, 1.0, width)
    stuck = np.flatnonzero(~slides)
    room = vstack([_rows(stuck, -mu, side, width) for side in (1.0, -1.0)])
    bounds = np.tile([[0.0, np.inf], [0.0, np.inf], [-np.inf, np.inf]], (count, 1))
    bounds[:, 1].reshape(count, 3)[:, :2][open_ends] = 0.0
    limits = np.vstack([FINE * bounds, FINE * link_bounds, (-np.inf, np.inf)])
    cost = np.zeros(width)
    cost[-1] = sign
    found = linprog(  # type: ignore[call-overload]
        cost,
        A_eq=vstack([equal, tied]),
        b_eq=np.concatenate([-FINE * problem.dead_rows, np.zeros(tied.shape[0])]),
        A_ub=room,
        b_ub=np.zeros(room.shape[0]),
        bounds=limits,
        method="highs",
    )
    if found.status != SOLVED:
        raise InputError(
            "The stones cannot move in this way under such a load: no forces are in equilibrium "
            "with what opens and slips. Take the velocities of a run when it begins to move."
        )
    return float(found.x[-1] / FINE)


def _rows(joints: NDArray[np.int64], press: Array, shear: float, width: int) -> csc_array:
    """A row for each of these joints: press (N₀ + N₁) + shear T."""
    count = len(joints)
    at = np.repeat(np.arange(count), 3), np.add.outer(3 * joints, np.arange(3)).ravel()
    values = np.column_stack([press[joints], press[joints], np.full(count, shear)]).ravel()
    return csc_array((values, at), shape=(count, width))
