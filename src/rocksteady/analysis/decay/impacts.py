"""The kinetic energy left after each impact of a run, and the swings between the impacts.

A run stores the states at samples, and the angular velocities before and after each impact. If the
body can also slide, hop or bend, these do not give all of its kinetic energy: the interval with the
impact is then computed again from the state at its start.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.drivers import EVENT_FIELDS, make_impacts
from rocksteady.errors import held_back
from rocksteady.numerics.types import Array, Numbers
from rocksteady.response import Response, table
from rocksteady.theories.contract import IMPACT, UPLIFT

KIND, COORDINATE = EVENT_FIELDS.index("kind"), EVENT_FIELDS.index("coordinate")


def released_at_rest(response: Response) -> bool:
    """Whether the run starts at rest, leaning."""
    return bool(response.omega[0] == 0 and response.theta[0] != 0)


def rigid_decay(response: Response) -> np.recarray[Any, Any]:
    """The swings of a run with instantaneous impacts. A swing lasts from one side to the other, or
    from uplift to rest: all impacts between its largest lean and that of the next swing belong to
    it, including hops. It ends when the body is first upright."""
    peaks, when = largest_leans(response)
    swing = np.searchsorted(when, response.impacts.time) - 1  # that of the largest lean before
    known = swing >= 0  # an impact without a lean (a sliding base that jams) ends no swing
    swing, struck, upright = swing[known], response.impacts.time[known], _upright(response)[known]
    had, lost = (each[known] for each in impact_energies(response))

    ended, first = np.unique(swing, return_index=True)
    in_all = np.zeros(len(peaks))
    np.add.at(in_all, swing, lost)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = 1 - in_all[ended] / had[first]
    last = np.append(first[1:], len(swing))[: len(first)]
    through = [i + int(np.argmax(upright[i:j])) for i, j in zip(first, last, strict=True)]
    half_periods = np.diff(struck[np.array(through, dtype=np.intp)], prepend=0.0)
    if released_at_rest(response) and len(half_periods):
        half_periods[0] *= 2
    return table(n=np.arange(len(ended)), peak=peaks[ended], half_period=half_periods, r=ratio)


def _upright(response: Response) -> NDArray[np.bool_]:
    """Which impacts find the body upright: a hopping block also lands leaning."""
    rows = response.events[response.events[:, KIND] == IMPACT]
    return np.asarray(rows[:, COORDINATE] == 0)


def largest_leans(response: Response) -> tuple[Array, Array]:
    """|θ|/α and time [s] of the largest lean between two changes of side, turning points between
    samples included. An uplift always starts a new swing."""
    body = response.rocker
    theta = np.concatenate([response.theta, response.events[:, COORDINATE]])
    at = np.concatenate([response.time, response.events[:, 0]])
    rises = np.concatenate([np.zeros(len(response.time)), response.events[:, KIND] == UPLIFT])
    order = np.argsort(at, kind="stable")
    theta, at, rises = theta[order], at[order], rises[order] > 0
    leans = np.flatnonzero(theta)  # an upright sample belongs to the side before it
    if not len(leans):
        return np.empty(0), np.empty(0)
    right = theta[leans] > 0
    lifted = np.cumsum(rises)[leans]
    starts = np.flatnonzero((right[1:] != right[:-1]) | (lifted[1:] != lifted[:-1])) + 1
    lean = np.abs(body.relative(theta[leans]))
    parts = zip([0, *starts], [*starts, len(leans)], strict=True)
    largest = np.array([i + int(np.argmax(lean[i:j])) for i, j in parts])
    return lean[largest], at[leans][largest]


def impact_energies(response: Response) -> tuple[Array, Array]:
    """Energy [J] just before each impact relative to the body at rest upright (all kinetic energy,
    and the height of a hop), and the energy that the impact dissipates."""
    rates = [i for i, name in enumerate(response.columns) if name.endswith(("[rad/s]", "[m/s]"))]
    if rates == [1]:
        return _turning(response)
    sides = _both_sides(response)
    if sides is None:  # saved by a version with other impacts
        unknown = np.full(len(response.impacts), np.nan)
        return unknown, unknown
    stopped = sides[:, 0].copy()
    heights = [i for i, name in enumerate(response.columns) if name in ("theta [rad]", "lift [m]")]
    stopped[:, rates + heights] = 0.0
    energy = response.formulation.energy
    before, after = energy(response.system, sides).T
    return before - energy(response.system, stopped), before - after


def _turning(response: Response) -> tuple[Array, Array]:
    """Energies of a body that only turns about its corners."""
    impacts, body = response.impacts, response.rocker
    to_left = impacts.omega_before < 0  # turning back from the right corner onto the left one
    inertia_before = np.where(to_left, body.right.inertia, body.left.inertia)
    inertia_after = np.where(to_left, body.left.inertia, body.right.inertia)
    before = inertia_before * impacts.omega_before**2 / 2
    return before, before - inertia_after * impacts.omega_after**2 / 2


def _both_sides(response: Response) -> NDArray[np.float64] | None:
    """The states (before, after) of each impact; None if repeating the intervals gives others."""
    system, how, dt = response.system, response.formulation, response.motion.dt
    with held_back():  # the first run already warned
        params = how.parameters(system)
    again = make_impacts(how.advance_for(system))
    struck = response.impacts.time
    # rounding may put an impact on either side of a sample: repeat the neighbouring intervals too
    near = np.unique((np.floor(struck / dt)[:, None] + [-1, 0, 1]).astype(int))
    rows = [np.empty((0, 2 * len(response.columns)))]
    for i in near[(near >= 0) & (near < len(response.states) - 1)]:
        start = tuple(response.states[i].tolist())
        rows.append(again(start, params, *_ground_during(response, i), dt))
    found = np.concatenate(rows)
    width = len(response.columns)
    return found.reshape(-1, 2, width) if len(found) == len(struck) else None


def _ground_during(response: Response, i: int) -> tuple[Numbers, Numbers]:
    """The ground at both ends of interval i; it stops abruptly at the end of the motion."""
    moves = i + 1 < len(response.motion)
    before, after = (
        tuple(float(values[k]) if moves else 0.0 for values in response.ground) for k in (i, i + 1)
    )
    return before, after
