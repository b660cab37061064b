"""The laws of a slender body on springs and dashpots: three freedoms of its centre of mass,
relative to the ground, u to the right, v up and ψ counter-clockwise,

    m u'' = T − m a_h,   m v'' = ΣN − m (g + a_v),   I_c ψ'' = Σ (x_i + h ψ) N_i + h T.

The rule is central differences in equal small steps, with the dashpots fed by the velocities half a
step before: its steps are repeated here from every row, all intervals at a time.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.auditing.flow import means, pieces
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.contract import NOTHING

ALLOWED = 1e-9  # of α h and √(g h), forces of m g
ROUNDED = 1e3  # roundings of a coordinate that an interval of many small steps may add up
BALANCE = 0.02  # of the largest change of energy


class Moving(NamedTuple):
    """What the small steps change, a row for each interval."""

    u: Array
    v: Array
    psi: Array
    du: Array
    dv: Array
    dpsi: Array
    slide: Array
    left: Array
    right: Array
    shear: Array


NAMES = (
    "u", "v", "theta", "u_rate", "v_rate", "omega", "slide", "N_left", "N_right", "shear",
)  # fmt: skip


def laws(response: Response) -> tuple[Law, ...]:
    """Of a body on springs."""
    block, how = response.system, response.formulation
    bed = how.bed(block)  # type: ignore[attr-defined]
    errors, rows = _errors(response, bed)
    energy = _energy(response, block, bed)
    why = (
        "the energy of a vibration goes up and down by (ω h)²/8, 2 % where a small step h is a "
        "fifth of the longest stable one"
    )
    weight = block.mass * block.g  # type: ignore[attr-defined]
    rounding = ROUNDED * np.finfo(float).eps * bed.K * block.com_height / weight  # type: ignore[attr-defined]
    return (
        law("momentum", "Every row follows from the one before by the equations of motion, in "
            "the small steps of the rule, through impacts as well", errors, response.time[rows],
            ALLOWED + rounding,
            "the same small steps in other words: only rounding differs, which K multiplies",
            relative_to="of α h, √(g h) and m g",
            extent=f"{len(rows)} of {len(response.states) - 1} intervals"),
        *_bed_laws(response, block, bed, float(how.friction)),  # type: ignore[attr-defined]
        _dissipation(response, energy, BALANCE, why),
    )  # fmt: skip


def _read(response: Response) -> Moving:
    found = [response.column(name) for name in NAMES]
    found[2], found[5] = -found[2], -found[5]  # ψ = −θ
    return Moving(*found)


def _forces(block: Any, bed: Any, mu: float, at: Moving) -> tuple[Array, Array, Array, Array]:
    """(N left, N right, T, slide) of the bed; `at` with the velocities that the dashpots feel."""
    h = block.com_height
    pushes = []
    for x in (-float(block.left.b), float(block.right.b)):
        gap = at.v + x * at.psi + h * at.psi**2 / 2
        rate = at.dv + (x + h * at.psi) * at.dpsi
        pushes.append(np.where(gap < 0, np.maximum(-bed.K * (gap + bed.beta * rate), 0.0), 0.0))
    along = at.u + h * at.psi
    shear = -bed.K_s * (along - at.slide + bed.beta * (at.du + h * at.dpsi))
    grip = mu * (pushes[0] + pushes[1])
    slips = np.abs(shear) > grip
    shear = np.where(slips, np.copysign(grip, shear), shear)
    return pushes[0], pushes[1], shear, np.where(slips, along + shear / bed.K_s, at.slide)


def _accelerations(block: Any, at: Moving, a_h: Array, a_v: Array) -> tuple[Array, ...]:
    h, mass = block.com_height, block.mass
    sway = h * at.psi
    moment = (sway - block.left.b) * at.left + (sway + block.right.b) * at.right + h * at.shear
    return (
        at.shear / mass - a_h,
        (at.left + at.right) / mass - block.g - a_v,
        moment / block.inertia,
    )


def _carried(
    block: Any, bed: Any, mu: float, at: Moving, ground: Array, slope: Array, span: Array
) -> Moving:
    """After ``span`` [s], the same for all rows: equal steps, none longer than the bed allows."""
    steps = max(1, math.ceil(float(span.max()) / bed.step))
    h = span / steps
    kick = _accelerations(block, at, ground[:, 0], ground[:, 1])
    lag = h / 2
    for i in range(1, steps + 1):
        du, dv, dpsi = (
            rate + lag * a for rate, a in zip((at.du, at.dv, at.dpsi), kick, strict=True)
        )
        moved = (at.u + h * du, at.v + h * dv, at.psi + h * dpsi)
        at = Moving(*moved, du, dv, dpsi, at.slide, at.left, at.right, at.shear)
        left, right, shear, slide = _forces(block, bed, mu, at)
        at = at._replace(left=left, right=right, shear=shear, slide=slide)
        there = ground + (i * h)[:, None] * slope
        kick, lag = _accelerations(block, at, there[:, 0], there[:, 1]), h
    du, dv, dpsi = (rate + h / 2 * a for rate, a in zip((at.du, at.dv, at.dpsi), kick, strict=True))
    return at._replace(du=du, dv=dv, dpsi=dpsi)


def _errors(response: Response, bed: Any) -> tuple[Array, Array]:
    """How far each row is from the one that the steps lead to, and the rows they begin at."""
    block: Any = response.system
    mu = float(response.formulation.friction)  # type: ignore[attr-defined]
    dt, count = response.motion.dt, len(response.states) - 1
    ground, slope = pieces(response)
    ground, slope = ground[:, :2], slope[:, :2]
    kind, time = response.event_column("kind"), response.event_column("time")
    stops = time[kind != NOTHING]  # there the rule begins a new row of small steps
    where = np.clip(np.ceil(stops / dt - 1e-9).astype(int) - 1, 0, max(count - 1, 0))
    plain = np.setdiff1d(np.arange(count), where)
    rows = _read(response)
    speed, tall = math.sqrt(block.g * block.com_height), block.com_height
    weight = block.mass * block.g
    unit = np.array([
        tall, tall, 1.0, speed, speed, speed / tall, tall, weight, weight, weight,
    ])[:, None] * np.where(np.arange(10) < 7, block.alpha, 1.0)[:, None]  # fmt: skip

    def off(end: Moving, at: Array) -> Array:
        wanted = np.stack([values[at + 1] for values in rows])
        return np.asarray((np.abs(np.stack(end) - wanted) / unit).max(axis=0))

    start = Moving(*(values[plain] for values in rows))
    span = np.full(len(plain), dt)
    found = [off(_carried(block, bed, mu, start, ground[plain], slope[plain], span), plain)]
    used = [plain]
    for k in np.unique(where)[:count]:
        at = Moving(*(values[k : k + 1] for values in rows))
        breaks = [t for t in stops[where == k] if (k + 1) * dt - t > 1e-9 * dt]
        edges = [k * dt, *breaks, (k + 1) * dt]
        for first, last in pairwise(edges):
            there = ground[k : k + 1] + (first - k * dt) * slope[k : k + 1]
            at = _carried(block, bed, mu, at, there, slope[k : k + 1], np.array([last - first]))
        if response.events[-1, 0] > (k + 1) * dt * (1 - 1e-12) or k + 1 < count:
            found.append(off(at, np.array([k])))
            used.append(np.array([k]))
    return np.concatenate(found), np.concatenate(used)


def _bed_laws(response: Response, block: Any, bed: Any, mu: float) -> tuple[Law, ...]:
    """The forces stored with each row: they push where a corner sinks in, within friction."""
    at = _read(response)
    weight, h = block.mass * block.g, block.com_height
    sunk, pulls = [], []
    for x, N in ((-block.left.b, at.left), (block.right.b, at.right)):
        gap = at.v + x * at.psi + h * at.psi**2 / 2
        sunk.append(np.where(gap > 0, N, 0.0))
        pulls.append(np.maximum(-N, 0.0))
    excess = np.maximum(np.abs(at.shear) - mu * (at.left + at.right), 0.0)
    why = "the rounding of a force"
    return (
        law("gaps", "A corner above the bed carries nothing", np.maximum(*sunk) / weight,
            response.time, 1e-9, why, relative_to="of m g"),
        law("friction", "Springs only push, and |T| ≤ μ ΣN",
            np.maximum(excess, np.maximum(*pulls)) / weight, response.time, 1e-9, why,
            relative_to="of m g"),
    )  # fmt: skip


def _energy(response: Response, block: Any, bed: Any) -> Array:
    at, h = _read(response), block.com_height
    kinetic = block.mass * (at.du**2 + at.dv**2) + block.inertia * at.dpsi**2
    total = kinetic / 2 + block.mass * block.g * at.v
    total = total + bed.K_s * (at.u + h * at.psi - at.slide) ** 2 / 2
    for x in (-block.left.b, block.right.b):
        gap = at.v + x * at.psi + h * at.psi**2 / 2
        total = total + bed.K * np.minimum(gap, 0.0) ** 2 / 2
    return np.asarray(total)


def _dissipation(response: Response, energy: Array, allowed: float, why: str) -> Law:
    """No work is stored: it is that of the inertia forces along the stored velocities."""
    at, a = _read(response), means(response)
    mass = response.system.mass  # type: ignore[attr-defined]
    du, dv = np.diff(at.u), np.diff(at.v)
    work = -mass * (a[0] * du + a[1] * dv)
    total = np.concatenate([[0.0], np.cumsum(work)])
    lost = total - (energy - energy[0])
    size = max(np.ptp(energy), np.abs(total).max(), 1e-300)
    grows = (np.maximum.accumulate(lost) - lost) / size
    return law(
        "losses", "Kinetic + potential energy never grows by more than the work of the ground",
        grows, response.time, allowed, why,
        relative_to="of the largest change of energy",
    )  # fmt: skip
