"""The laws of a body in space. About a corner that holds, d from it to the centre of mass, in the
body's axes, with the ground's push and the weight G = a + g z turned into them,

    J_P W' + W × J_P W = −m d × G,   J_P = J + m (d·d 1 − d dᵀ),

and about an edge r the part of it along r. γ' = γ × W, ξ' = ξ × W.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.auditing import rim
from rocksteady.analysis.auditing.cones import lacking, spatial_edges
from rocksteady.analysis.auditing.flow import (
    Flow,
    Rows,
    Sides,
    chosen_intervals,
    counts_of_events,
    followed,
    means,
    sides,
    whole_intervals,
)
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.analysis.auditing.solid import EDGE, LOOSE, REST, RIM, VERTEX, Solid
from rocksteady.numerics.types import Array
from rocksteady.response import Response

LEVEL = 1e-6  # rad
ALLOWED = 1e-7  # of the scale of the motion
WHY = "an interval may miss 2e-10 rad of the angle turned"
LOOSE_WHY = "loose bodies move in steps of 0.25 ms at most, by a rule of second order"


def laws(response: Response) -> tuple[Law, ...]:
    """Of a body in space, on corners or on its rim."""
    solid = Solid(response)
    energy = solid.energies()
    slides = solid.friction is not None
    if solid.body.radius is not None:
        moving = rim.laws(response, solid)
    else:
        moving = _on_corners(response, solid)
    loose = pushes(response, solid) if slides else _never_slips()
    allowed, why = (1e-4, LOOSE_WHY) if slides else (1e-6, f"{WHY}; errors of a run add up")
    lift = solid.mass * solid.g * solid.body.R * solid.body.alpha**2
    return (
        *moving,
        *loose,
        _attitude(response, solid),
        _lean(response, solid),
        _gaps(response, solid),
        _rest(response, solid),
        *energy_laws(response, energy, allowed, why, lift),
    )


def _on_corners(response: Response, solid: Solid) -> tuple[Law, ...]:
    flow = _flow(response, solid)
    found = followed(flow, response)
    return (
        momentum_law(response, flow, found, slice(0, 11), ALLOWED, WHY),
        work_law(response, flow, found, slice(11, 13), ALLOWED, WHY),
        _impacts(response, solid, flow, sides(flow, response)),
        _feet(response, solid),
    )


def _flow(response: Response, solid: Solid) -> Flow:
    states = response.states
    y = np.concatenate([states[:, 3:14], states[:, 16:18]], axis=1)
    mode = states[:, 14:16]
    known = np.isin(mode[:, 0], (REST, EDGE, VERTEX))

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _rate(solid, y, mode, ground)

    body: Any = response.system
    p, alpha = body.p, body.alpha
    unit = solid.mass * solid.g * body.R * alpha**2
    scale = np.array([*[alpha] * 6, *[p * alpha] * 3, *[body.R * alpha] * 2, unit, unit])
    spin = np.abs(y[known, 6:9]).max(initial=0.0)
    return Flow(y, mode, known, rate, scale, max(2 * p, float(spin)))


def _rate(solid: Solid, y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
    up, ahead, W = y[:, :3], y[:, 3:6], y[:, 6:9]
    d = solid.arm(mode)
    J = solid.about(d)
    push, weight = solid.pushes_on(up, ahead, ground)
    turn = -np.cross(W, np.einsum("nij,nj->ni", J, W)) - solid.mass * np.cross(d, push + weight)
    free = np.linalg.solve(J, turn[..., None])[..., 0]
    r = solid.axis(mode)
    on_edge = (r * turn).sum(1) / np.einsum("ni,nij,nj->n", r, J, r)
    kind = mode[:, :1]
    spin = np.where(kind == EDGE, on_edge[:, None] * r, free)
    power = -solid.mass * (np.cross(W, d) * push).sum(1)
    zero = np.zeros((len(y), 2))
    rates = np.concatenate(
        [np.cross(up, W), np.cross(ahead, W), spin, zero, power[:, None], zero[:, :1]], axis=1
    )
    return np.asarray(np.where(kind == REST, 0.0, rates))


def _impacts(response: Response, solid: Solid, flow: Flow, at: Sides) -> Law:
    """Momentum about the corner, or edge, on which it goes on is kept."""
    struck = np.isin(at.mode_before[:, 0], (EDGE, VERTEX))
    mine = struck & np.isin(at.mode_after[:, 0], (EDGE, VERTEX, REST))
    if solid.friction is not None:  # with friction contacts may slip and bounce: see "contacts"
        mine &= False
    before, after, mode = at.before[mine], at.after[mine], at.mode_after[mine]
    W, d0, d1 = before[:, 6:9], solid.arm(at.mode_before[mine]), solid.arm(mode)
    J = solid.about(d1)
    kept = W @ solid.inertia.T + solid.mass * np.cross(d1, np.cross(W, d0))
    corner = np.linalg.solve(J, kept[..., None])[..., 0] if len(W) else W
    r = solid.axis(mode)
    edge = ((r * kept).sum(1) / np.einsum("ni,nij,nj->n", r, J, r))[:, None] * r
    kind = mode[:, :1]
    wanted = np.where(kind == EDGE, edge, np.where(kind == VERTEX, corner, 0.0))
    turned = np.abs(after[:, :6] - before[:, :6]) / flow.scale[:6]
    jump = np.abs(after[:, 6:9] - wanted) / flow.scale[6:9]
    for turned_back in (0, 1):  # it may land on an edge and rise on one end of it at once
        spin, pushes = _landed(solid, W, d0, mode[:, 1] - turned_back)
        rises = (np.abs(after[:, 6:9] - spin) / flow.scale[6:9]).max(axis=1, initial=0.0)
        better = (kind[:, 0] == VERTEX) & pushes & (rises < jump.max(axis=1, initial=0.0))
        jump = np.where(better[:, None], rises[:, None], jump)
    stopped = kind[:, 0] == REST  # a body that lands flat, and would hardly rise again
    worst = np.where(stopped[:, None], 0.0, jump).max(axis=1, initial=0.0)
    # where both attitudes differ it changed its corner once more within the interval
    alone = turned.max(axis=1, initial=0.0) < 10 * ALLOWED
    name = "impacts"
    equation = "The momentum about the corner or edge on which the body goes on is kept"
    if solid.friction is not None:
        return unchecked(name, equation, "with friction contacts may slip: see contacts")
    return law(
        name, equation, worst[alone], response.events[at.events[mine], 0][alone],
        10 * ALLOWED, f"{WHY}; and the instant is rounded", relative_to="of α and p α",
        extent=f"{alone.sum()} of {len(response.impacts)} impacts",
        nothing="no impact lies alone between two samples",
    )  # fmt: skip


def _feet(response: Response, solid: Solid) -> Law:
    """Whether each change to corners that it did not stand on has its event."""
    count = len(solid.corners)
    kind, pivot = solid.mode[:, 0], np.nan_to_num(solid.mode[:, 1]).astype(int)
    stands = np.zeros((len(kind), count), bool)
    rows = np.arange(len(kind))
    stands[rows, pivot % count] = np.isin(kind, (EDGE, VERTEX))
    stands[rows, (pivot + 1) % count] |= kind == EDGE
    stands[kind == REST] = True
    moves = ~(stands[1:] & stands[:-1]).any(axis=1) & (kind[1:] != LOOSE) & (kind[:-1] != LOOSE)
    alone = moves & (counts_of_events(response)[0] == 0)
    return law(
        "table", "Where the body goes on to a corner on which it did not stand the table has an "
        "event", alone.astype(float), response.time[:-1], 0.0, "none may be missing",
        extent=f"{int(moves.sum())} changes",
    )  # fmt: skip


def _landed(solid: Solid, W: Array, arm: Array, edge: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The spin after an impact on a whole edge, and whether the impulses at both its ends push."""
    mode = np.stack([np.full(len(W), EDGE), edge % len(solid.corners)], axis=1)
    d, r = solid.arm(mode), solid.axis(mode)
    far = solid.corners[((edge + 1) % len(solid.corners)).astype(int)]
    kept = W @ solid.inertia.T + solid.mass * np.cross(d, np.cross(W, arm))
    J = solid.about(d)
    spin = ((r * kept).sum(1) / np.einsum("ni,nij,nj->n", r, J, r))[:, None] * r
    upwards = solid.mass * (np.cross(spin, d) - np.cross(W, arm))[:, 2]
    # about the first end only the impulse at the other one turns the body across the edge
    moment = np.einsum("nij,nj->ni", J, spin) - kept
    across = np.cross(far + d, np.array([0.0, 0.0, 1.0]))
    other = (moment * across).sum(1) / (across**2).sum(1)
    least = -1e-9 * np.abs(upwards)
    return spin, np.asarray((other >= least) & (upwards - other >= least))


def _never_slips() -> tuple[Law, ...]:
    return (
        unchecked("friction", "A contact sticks only within |T| ≤ μ N",
                  "the theory holds contacts at any friction: give friction="),
    )  # fmt: skip


def _attitude(response: Response, solid: Solid) -> Law:
    up, ahead = solid.up, solid.ahead
    off = np.maximum.reduce([
        np.abs((up**2).sum(1) - 1), np.abs((ahead**2).sum(1) - 1), np.abs((up * ahead).sum(1)),
        np.abs(np.cos(response.column("tilt")) - np.maximum(up[:, 2], 0.0)),
    ])  # fmt: skip
    return law(
        "attitude", "The rows of the rotation have length 1 and are square to each other, and "
        "cos θ = γ₃", off, response.time, 1e-9, "the rounding of many small turns",
    )  # fmt: skip


def _lean(response: Response, solid: Solid) -> Law:
    """The lean is the tilt over that at which gravity stops pulling the body back on its foot:
    cos θ = γ₃, tan α = −(γ₁ c₁ + γ₂ c₂)/(h sin θ)."""
    slope = np.cross(solid.up, solid.spin)
    mode = solid.mode[:, 0]
    foot = -solid.arm(solid.mode)[:, :2]
    s = np.hypot(solid.up[:, 0], solid.up[:, 1])
    leans = np.isin(mode, (EDGE, VERTEX, RIM)) & (s > LEVEL)
    leans[whole_intervals(response) + 1 :] = False  # where it lies
    up, slope, foot, s = (each[leans] for each in (solid.up, slope, foot, s))
    s_rate = (up[:, :2] * slope[:, :2]).sum(axis=1) / s
    arm, arm_rate = -(up[:, :2] * foot).sum(axis=1), -(slope[:, :2] * foot).sum(axis=1)
    far = solid.h * s
    limit = np.arctan2(arm, far)
    limit_rate = (arm_rate * far - arm * solid.h * s_rate) / (arm**2 + far**2)
    lean = np.arctan2(s, up[:, 2]) / limit
    rate = (up[:, 2] * s_rate - s * slope[:, 2] - lean * limit_rate) / limit
    off = np.abs(response.column("lean")[leans] - lean)
    off_rate = np.abs(response.column("lean_rate")[leans] - rate) / solid.body.p
    return law(
        "lean", "Lean and its rate are those of the rotation and the foot",
        np.maximum(off, off_rate), response.time[leans], 1e-6, "rounding, of a body that hardly "
        f"leans: below {LEVEL:g} rad it is not compared", relative_to="of 1 and p",
        extent=f"{int(leans.sum())} rows", nothing="it never leans",
    )  # fmt: skip


def _gaps(response: Response, solid: Solid) -> Law:
    height = solid.body.R
    sunk = np.maximum(-solid.heights().min(axis=1), 0.0) / height
    slides = solid.friction is not None
    return law(
        "gaps", "No corner, and no point of the rim, is below the floor", sunk, response.time,
        1e-4 if slides else 1e-8, LOOSE_WHY if slides else "a landing is located to 1e-9 of R",
        relative_to="of R",
    )  # fmt: skip


def _rest(response: Response, solid: Solid) -> Law:
    """At rest the resultant of weight and push stays within the base, and within friction."""
    rests = response.column("mode") == REST
    rests[:-1] &= rests[1:]
    a_x, a_z, a_y = solid.ground
    weight = solid.g + a_z
    axes = np.stack([solid.ahead, solid.left], axis=1)[rests]  # rows of R: level at rest
    flat = np.stack([a_x, a_y], axis=-1)[rests]
    push = np.einsum("nik,ni->nk", axes[:, :, :2], flat)  # as the body sees it
    if solid.body.radius is None:
        outward, reach = solid.outward()
        excess = (-push @ outward.T * solid.h - weight[rests, None] * reach).max(axis=1)
    else:
        excess = np.hypot(*push.T) * solid.h - weight[rests] * solid.body.radius
    excess = excess / (solid.g * solid.h)
    if solid.friction is not None:
        slips = np.hypot(*push.T) - solid.friction * weight[rests]
        excess = np.maximum(excess, slips / solid.g)
    return law(
        "rest", "It rests only while weight and push stay within the base, and within friction",
        np.maximum(excess, 0.0), response.time[rests], 1e-8, "the instant of uplift is rounded",
        relative_to="of g", nothing="it never rests",
    )  # fmt: skip


# -- a body that may slide -------------------------------------------------------------------------
# Whether its momentum comes from pushes within friction: over an interval it changes by weight,
# ground and impulses at corners near the floor, through impacts, slip and flight. Friction spread
# over a base is one of impulses at its corners, too.


MOST = 200  # intervals that are compared
NEAR = 1e-6  # m
ENOUGH = 2e-3  # of m g Δt: the steps within are of second order, at most 0.25 ms long


def pushes(response: Response, solid: Solid) -> tuple[Law, ...]:
    """That no contact pulls or leaves the friction cone."""
    rows = _chosen(response, solid)
    ground = np.stack(means(response), axis=-1)
    found = np.array([_lacking(response, solid, ground, row) for row in rows])
    return (
        law("contacts", "Momentum changes by weight, ground and pushes at corners near the floor, "
            "within |T| ≤ μ N", found, response.time[rows], ENOUGH,
            "loose bodies move in steps of 0.25 ms, by a rule of second order; the cone is drawn "
            "with 24 sides", relative_to="of m g Δt",
            extent=f"{len(rows)} of {len(response.states) - 1} intervals"),
    )  # fmt: skip


def _chosen(response: Response, solid: Solid) -> Rows:
    rates = np.concatenate([solid.velocity(), solid.spin * solid.h], axis=1)
    return chosen_intervals(response, rates, solid.rotation.reshape(-1, 9) * solid.h, MOST)


def _lacking(response: Response, solid: Solid, ground: Array, row: int) -> float:
    assert solid.friction is not None
    dt, both, R = response.motion.dt, [row, row + 1], solid.body.R
    velocity, momentum = solid.velocity()[both], solid.moment_of_momentum()[both]
    a_x, a_z, a_y = ground[row]
    change = np.concatenate([
        solid.mass * (np.diff(velocity, axis=0)[0] + np.array([a_x, a_y, solid.g + a_z]) * dt),
        np.diff(momentum, axis=0)[0] / R,
    ]) / (solid.mass * solid.g * dt)  # fmt: skip
    speed, spin = np.abs(velocity).max(), np.abs(solid.spin[both]).max()
    reach = NEAR + 2 * solid.g * dt**2 + solid.restitution * (speed + R * spin) * dt
    edges = spatial_edges(solid.friction)
    columns = []
    corners = np.concatenate([solid.corners, *solid.lowest(both)])
    arms = np.einsum("kij,cj->kci", solid.rotation[both], corners)
    heights = arms[..., 2] + solid.height()[both][:, None]
    for c in np.flatnonzero(heights.min(axis=0) <= reach):
        arm = arms[:, c].mean(axis=0)
        columns.append(np.concatenate([edges, np.cross(arm, edges.T).T / R]))
    generators = np.hstack(columns) if columns else np.zeros((6, 0))
    turns = spin * dt + speed * dt / R
    return float(max(lacking(generators, change) - turns * np.abs(change).max(), 0.0))
