"""The laws of the complex formulation: a particle at χ e^{iψ} in a plane, time in units of 1/p,

    χ'' = χ ψ'² − (1 + a_v/g) sin(α − αχ)/α + c χ' ψ' − (a_h/αg) cos κψ cos(α − αχ),   ψ' = l/χ².

An impact is a passage round the origin, with no jump: SciPy's eighth-order rule follows it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.analysis.auditing.flow import (
    Flow,
    Followed,
    counts_of_events,
    followed,
    pieces,
    whole_intervals,
)
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.numerics.types import Array
from rocksteady.response import Response

MOST = 12  # passages that are followed: each takes a few ms


def laws(response: Response) -> tuple[Law, ...]:
    """Of a block by the complex formulation."""
    flow = _flow(response)
    found = followed(flow, response)
    far = flow.y[found.rows, 0] > 0.01  # nearer to the origin χ'' grows without bound
    far &= flow.y[found.rows + 1, 0] > 0.01
    found = Followed(
        found.errors[far], found.rows[far], f"{far.sum()} of {len(response.states) - 1} intervals"
    )
    how: Any = response.formulation
    block = response.system
    local = max(1e-11, min(1e-4 * how.l, 1e-9))  # what a step of the theory may err by
    allowed = 100 * local
    why = f"a step of the theory may err by {local:.0e}; a passage takes some hundreds of them"
    return (
        momentum_law(response, flow, found, slice(0, 3), allowed, why),
        work_law(response, flow, found, slice(3, 5), allowed, why),
        _passages(response, flow, 10 * allowed, why),
        _angle(response),
        unchecked("friction", "A contact sticks only within |T| ≤ μ N",
                  "the theory holds the block on its corner at any friction"),
        *energy_laws(response, _energy(response), 100 * allowed + _ended(response),
                     f"{why}; a bounce below 2 l^(2/3) ends in rest, and a passage gives back up "
                     "to that",
                     1e6 * _unit(block), 2 * how.l ** (2 / 3)),
    )  # fmt: skip


def _ended(response: Response) -> float:
    """What bounces that ended in rest may have left [of I α² p²]; 0 if it never came to rest."""
    rests = response.column("side") == 0
    how: Any = response.formulation
    return float(2 * how.l ** (2 / 3)) if (rests[1:] & ~rests[:-1]).any() else 0.0


def constants(response: Response) -> tuple[float, float]:
    """(c, κ) of the loss, from η."""
    how: Any = response.formulation
    block = response.system
    eta = how.eta if how.eta is not None else _kept(block)
    log = math.log(eta)
    if how.variant == "paper":
        return 2 * log / math.pi, 1.0
    root = math.hypot(math.pi, log)
    return 2 * log / root, math.pi / root


def _kept(block: Any) -> float:
    b, h = block.width / 2, block.com_height
    own = block.inertia + block.mass * h**2
    return float((own - block.mass * b**2) / (own + block.mass * b**2))


def _flow(response: Response) -> Flow:
    block: Any = response.system
    names = ("chi", "chi_rate", "psi", "work", "loss")
    y = np.stack([response.column(name) for name in names], axis=-1)
    mode = np.stack([response.column("side") != 0, response.column("l")], axis=-1)
    turns = response.column("half_turns")
    mode = np.column_stack([mode, turns])
    c, kappa = constants(response)

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _rate(block, c, kappa, y, mode, ground)

    unit = _unit(block)
    scale = np.array([1.0, 1.0, 1.0, unit, unit])
    return Flow(y, mode, np.ones(len(y), bool), rate, scale, 100 * block.p)


def _unit(block: Any) -> float:
    """I α² p² [J]."""
    R2 = (block.width / 2) ** 2 + block.com_height**2
    return float(block.mass * block.g * math.sqrt(R2) * block.alpha**2)


def _rate(
    block: Any, c: float, kappa: float, y: Array, mode: Array, ground: tuple[Array, ...]
) -> Array:
    """dy/dt, with the time in seconds."""
    chi, v, psi = y[:, 0], y[:, 1], y[:, 2]
    moves, l = mode[:, 0] != 0, mode[:, 1]
    alpha, g, p = block.alpha, block.g, block.p
    a_h, a_v = ground[:2]
    spin = np.where(l > 0, l / np.where(chi > 0, chi, 1.0) ** 2, 0.0)
    below = alpha * (1 - chi)
    shaking = -(a_v / g) * np.sin(below) / alpha
    shaking -= a_h / (alpha * g) * np.cos(kappa * psi) * np.cos(below)
    taken = c * v * spin
    pull = chi * spin**2 - np.sin(below) / alpha + taken + shaking
    unit = _unit(block)
    parts = np.stack([v, pull, spin, unit * v * shaking, -unit * v * taken], axis=-1)
    return np.asarray(np.where(moves[:, None], p * parts, 0.0))


def _passages(response: Response, flow: Flow, allowed: float, why: str) -> Law:
    """Follow the particle round the origin."""
    near, _ = counts_of_events(response)
    rows = np.flatnonzero((near > 0) & (flow.mode[1:, 1] == flow.mode[:-1, 1])
                          & (flow.mode[1:, 0] == 1) & (flow.mode[:-1, 0] == 1)
                          & (flow.mode[1:, 1] > 0))  # fmt: skip
    rows = rows[rows < whole_intervals(response)]
    count = len(rows)
    if count > MOST:
        rows = rows[np.linspace(0, count - 1, MOST).astype(int)]
    ground, slope = pieces(response)
    worst = np.zeros(len(rows))
    for i, row in enumerate(rows):
        end = solve_ivp(_slope, (0.0, response.motion.dt), flow.y[row], "DOP853", rtol=1e-11,
                        atol=1e-13 * flow.scale, args=(flow, flow.mode[row], ground[row],
                                                       slope[row])).y[:, -1]  # fmt: skip
        worst[i] = (np.abs(end - flow.y[row + 1]) / flow.scale)[[0, 1, 3, 4]].max()
    return law(
        "impacts", "Round the origin, where θ changes its sign, the same equations hold", worst,
        response.time[rows], allowed, why, relative_to="of the scale of the motion",
        extent=f"{len(rows)} of {count} passages", nothing="it never passes θ = 0",
    )  # fmt: skip


def _slope(t: float, y: Array, flow: Flow, mode: Array, ground: Array, slope: Array) -> Array:
    at = tuple(np.atleast_1d(value) for value in ground + t * slope)
    return np.asarray(flow.rate(y[None], mode[None], at)[0])


def _angle(response: Response) -> Law:
    """θ and ω are those of the particle."""
    block: Any = response.system
    _, kappa = constants(response)
    chi, v, psi, l = (response.column(name) for name in ("chi", "chi_rate", "psi", "l"))
    spin = np.where(chi > 0, l / np.where(chi > 0, chi, 1.0) ** 2, 0.0)
    theta = block.alpha * chi * np.cos(kappa * psi)
    moves = response.column("side") != 0
    moves[whole_intervals(response) + 1 :] = False  # where it lies, θ is π/2
    off = np.abs(response.column("theta") - theta) / block.alpha
    turn = v * np.cos(kappa * psi) - kappa * chi * spin * np.sin(kappa * psi)
    rate = np.abs(response.column("omega") - block.alpha * block.p * turn)
    off = np.maximum(off, rate / (block.alpha * block.p))
    return law(
        "lean", "θ = α χ cos κψ, and ω is its rate", np.where(moves, off, 0.0), response.time, 1e-9,
        "the rounding of a phase of many half turns", relative_to="of α and p α",
    )  # fmt: skip


def _energy(response: Response) -> Array:
    block: Any = response.system
    chi, v, l = (response.column(name) for name in ("chi", "chi_rate", "l"))
    swirl = np.where(chi > 0, l / np.where(chi > 0, chi, 1.0), 0.0)
    alpha = block.alpha
    rise = (np.cos(alpha - alpha * chi) - math.cos(alpha)) / alpha**2
    return np.asarray(_unit(block) * ((v**2 + swirl**2) / 2 + rise))
