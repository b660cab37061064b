"""The laws of a rigid block on its corners, Housner's: one coordinate.

About the corner s = ±1, with y = |θ|, its distance R from the centre of mass and p² = m g R/I,

    θ'' = −p² [s (1 + a_v/g) sin(α − y) + (a_h/g) cos(α − y)].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.auditing.flow import Flow, Sides, followed, sides
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.contract import IMPACT, UPLIFT

ALLOWED = 1e-8  # of α, p α and m g R α²
WHY = (
    "a step of the theory leaves out up to 5e-11 of p, and an interval takes a few; one part in "
    "1e8 is far above that and far below what anybody measures"
)
PRESS = 1e-9  # of g: rounding of the instant at which a block lifts off


class Corners:
    """Geometry of both corners, by the side s of each row: right +1, left −1."""

    def __init__(self, block: Any) -> None:
        self.block = block
        self.h = block.com_height

    def b(self, side: Any) -> Array:
        """From the corner to the centre of mass, horizontally [m]."""
        half, off = self.block.width / 2, self.block.offset
        return np.asarray(np.where(np.asarray(side) > 0, half - off, half + off))

    def R(self, side: Any) -> Array:
        return np.asarray(np.hypot(self.b(side), self.h))

    def alpha(self, side: Any) -> Array:
        return np.asarray(np.arctan2(self.b(side), self.h))

    def inertia(self, side: Any) -> Array:
        return np.asarray(self.block.inertia + self.block.mass * self.R(side) ** 2)

    def p(self, side: Any) -> Array:
        weight = self.block.mass * self.block.g
        return np.asarray(np.sqrt(weight * self.R(side) / self.inertia(side)))

    def kept(self, new: Any) -> Array:
        """ω⁺/ω⁻ of an impact that moves the pivot to the corner ``new`` and keeps the angular
        momentum about it."""
        before, after = self.b(-np.asarray(new)), self.b(new)
        carried = self.block.inertia + self.block.mass * (self.h**2 - before * after)
        return np.asarray(carried / self.inertia(new))


def laws(response: Response) -> tuple[Law, ...]:
    """Of Housner's block."""
    corners, how = Corners(response.system), response.formulation
    slender: bool = getattr(how, "slender", False)
    flow = _flow(response, corners, slender)
    found = followed(flow, response)
    energy = _energy(corners, flow.mode, flow.y, slender)
    at = sides(flow, response)
    return (
        momentum_law(response, flow, found, slice(0, 2), ALLOWED, WHY),
        work_law(response, flow, found, slice(2, 4), ALLOWED, WHY),
        _uplifts(response, flow),
        _impacts(response, corners, at),
        _ratios(response, corners),
        _energy_at_impacts(response, corners, at),
        _gaps(response, corners),
        unchecked(
            "friction",
            "A contact sticks only within |T| ≤ μ N",
            "the theory holds the block on its corner at any friction",
        ),
        stands(response, corners, slender),
        *energy_laws(response, energy, ALLOWED, WHY, lift_of(corners)),
    )


def _flow(response: Response, corners: Corners, slender: bool) -> Flow:
    side = response.column("side")
    names = ("theta", "omega", "work", "loss")
    y = np.stack([response.column(name) for name in names], axis=-1)
    block = corners.block

    def rate(y: Array, side: Array, ground: tuple[Array, ...]) -> Array:
        theta, omega = y[:, 0], y[:, 1]
        turn, power = turning(corners, side, theta, omega, ground, slender)
        still = side == 0
        zero = np.zeros_like(theta)
        parts = (np.where(still, 0, omega), np.where(still, 0, turn), np.where(still, 0, power))
        return np.stack([*parts, zero], axis=-1)

    p, alpha = block.p, block.alpha
    unit = lift_of(corners)
    scale = np.array([alpha, p * alpha, unit, unit])
    return Flow(y, side, np.ones(len(y), bool), rate, scale, p)


def turning(
    corners: Corners, side: Array, theta: Array, omega: Array, ground: tuple[Array, ...],
    slender: bool = False,
) -> tuple[Array, Array]:  # fmt: skip
    """(θ'', power of the ground [W]) about a corner that holds."""
    g, mass = corners.block.g, corners.block.mass
    a_h, a_v = ground[:2]
    R, p = corners.R(side), corners.p(side)
    below = corners.alpha(side) - side * theta  # of the balance point
    sine, cosine = (below, 1.0) if slender else (np.sin(below), np.cos(below))
    turn = -(p**2) * (side * (1 + a_v / g) * sine + a_h / g * cosine)
    along, up = R * cosine * omega, side * R * sine * omega
    return turn, -mass * (a_h * along + a_v * (0 if slender else up))


def _energy(corners: Corners, side: Array, y: Array, slender: bool) -> Array:
    """Kinetic and potential [J]."""
    block, lean = corners.block, np.abs(y[:, 0])
    R, alpha = corners.R(side), corners.alpha(side)
    rise = (
        R * (alpha * lean - lean**2 / 2) if slender else R * (np.cos(alpha - lean) - np.cos(alpha))
    )
    kinetic = corners.inertia(side) * y[:, 1] ** 2 / 2
    return np.asarray(np.where(side == 0, 0.0, kinetic + block.mass * block.g * rise))


def _uplifts(response: Response, flow: Flow) -> Law:
    """Nothing jumps where it lifts off."""
    at = sides(flow, response, (UPLIFT,))
    jump = (np.abs(at.after - at.before) / flow.scale).max(axis=1, initial=0.0)
    return law(
        "uplift", "It lifts off from rest: position, velocity and energies do not jump", jump,
        response.events[at.events, 0], 10 * ALLOWED, f"{WHY}; and the instant is rounded",
        relative_to="of the scale of the motion", extent=f"{len(jump)} uplifts",
        nothing="no uplift lies alone between two samples",
    )  # fmt: skip


def ratio_after(response: Response, corners: Corners, new: Array) -> Array:
    """ω⁺/ω⁻ that the theory states at an impact which moves the pivot to the corner ``new``."""
    how: Any = response.formulation
    if getattr(how, "eta", None) is not None:
        return np.full(len(new), float(how.eta))
    if getattr(how, "r", None) is not None:
        return np.asarray(np.sqrt(how.r * corners.inertia(-new) / corners.inertia(new)))
    return np.maximum(corners.kept(new), 0.0)


def _impacts(response: Response, corners: Corners, at: Sides) -> Law:
    """Both sides of impacts against the table of events and the law of the jump."""
    block = corners.block
    unit = block.p * block.alpha
    _, _, theta, before, after = response.events[at.events].T
    new = np.where(before < 0, -1.0, 1.0)
    wanted = ratio_after(response, corners, new) * before
    stopped = after == 0
    chatter = np.where(
        stopped & _chatters(response, corners, new, np.abs(wanted), at.ground),
        0.0,
        np.abs(after - wanted) / unit,
    )
    worst = np.maximum.reduce(
        [
            np.abs(theta) / block.alpha,
            np.abs(at.before[:, 0]) / block.alpha,
            np.abs(at.after[:, 0]) / block.alpha,
            np.abs(at.before[:, 1] - before) / unit,
            np.abs(at.after[:, 1] - after) / unit,
            chatter,
        ]
    ) if len(before) else np.zeros(0)  # fmt: skip
    return law(
        "impacts", "At θ = 0 the velocity jumps from ω⁻ to η ω⁻, seen from both sides", worst,
        response.events[at.events, 0], 10 * ALLOWED, f"{WHY}; and the instant is rounded",
        relative_to="of α and p α", extent=f"{len(worst)} of {len(response.impacts)} impacts",
        nothing="no impact lies alone between two samples",
    )  # fmt: skip


def _ratios(response: Response, corners: Corners) -> Law:
    """Every impact in the table, also where several share an interval."""
    hits = response.events[response.event_column("kind") == IMPACT]
    _, _, theta, before, after = hits.T
    goes_on = after != 0
    new = np.where(before < 0, -1.0, 1.0)
    size = np.maximum(np.abs(before), 1e-300)
    off = np.abs(after - ratio_after(response, corners, new) * before) / size
    off = np.maximum(np.where(goes_on, off, 0.0), np.abs(theta) / corners.block.alpha)
    return law(
        "ratios", "Each impact in the table is at θ = 0, and ω⁺ = η ω⁻ unless it stops", off,
        hits[:, 0], 1e-9, "the rounding of a product", relative_to="of ω⁻ and α",
        extent=f"{len(off)} impacts", nothing="there was no impact",
    )  # fmt: skip


def _chatters(
    response: Response, corners: Corners, new: Array, speed: Array, ground: Array
) -> NDArray[np.bool_]:
    """Whether all bounces that would still come, from corner to corner, fit into an interval under
    the ground's push at this impact, or are lower than rounding: see `rocking.settles`."""
    a_h, a_v = ground[:, 0], ground[:, 1]

    def restoring(side: Array) -> Array:
        pull = (corners.block.g + a_v) * corners.b(side) + side * a_h * corners.h
        return np.asarray(np.maximum(corners.block.mass * pull / corners.inertia(side), 1e-300))

    back, here = ratio_after(response, corners, -new), restoring(new)
    bounces = 2 * speed / here + 2 * back * speed / restoring(-new)
    left = response.motion.dt * (1 - back * ratio_after(response, corners, new))
    return np.asarray((bounces <= left) | (speed**2 / (2 * here) <= 1e-12 * corners.alpha(new)))


def _energy_at_impacts(response: Response, corners: Corners, at: Sides) -> Law:
    """What the loss column took is the drop of kinetic energy, and no gain."""
    before, after = at.before[:, 1], at.after[:, 1]
    new = np.where(before < 0, -1.0, 1.0)
    drop = (corners.inertia(-new) * before**2 - corners.inertia(new) * after**2) / 2
    unit = lift_of(corners)
    taken = at.after[:, 3] - at.before[:, 3]
    wrong = np.maximum(np.abs(taken - drop), np.maximum(-drop, 0)) / unit
    return law(
        "losses at impacts", "Each impact takes the kinetic energy that is missing after it, and "
        "never gives any", wrong, response.events[at.events, 0], 10 * ALLOWED, WHY,
        relative_to="of m g R α²", extent=f"{len(wrong)} of {len(response.impacts)} impacts",
        nothing="no impact lies alone between two samples",
    )  # fmt: skip


def lift_of(corners: Corners) -> float:
    """What it takes to lift it to its balance point [J], about."""
    block = corners.block
    return float(block.mass * block.g * block.R * block.alpha**2)


def _gaps(response: Response, corners: Corners) -> Law:
    """It leans to the side of the corner on which it stands."""
    side, theta = response.column("side"), response.column("theta")
    sunk = np.where(side == 0, np.abs(theta), np.maximum(-side * theta, 0.0))
    return law(
        "gaps", "No corner is below the ground: it leans to the side of the corner it stands on",
        sunk / corners.block.alpha, response.time, 1e-12, "the rounding of a coordinate",
        relative_to="of α",
    )  # fmt: skip


def stands(response: Response, corners: Corners, slender: bool = False) -> Law:
    """At rest the ground does not push hard enough to lift it off."""
    g = corners.block.g
    rests = response.states[:, 2] == 0
    if response.has("slip"):
        rests &= response.column("slip") == 0
    rests[:-1] &= rests[1:]
    a_h, a_v = response.ground[:2]
    excess = []
    for side in (1.0, -1.0):
        slope = corners.alpha(side) if slender else corners.b(side) / corners.h
        excess.append((-side * a_h - (g + a_v) * slope) / g)
    worst = np.maximum(*excess)[rests]
    return law(
        "rest", "It rests only while |a_h| ≤ (g + a_v) tan α, the ground cannot lift it off",
        np.maximum(worst, 0.0), response.time[rests], PRESS, "the instant of uplift is rounded",
        relative_to="of g", nothing="it never rests",
    )  # fmt: skip
