"""The laws of a slender body on several interfaces (Peña, Eqs. 1–4), as for one base: the small
steps of the rule are repeated from every row, here with [B] of a matrix of springs.

    [M]{u''} = {f_e} − [B]ᵀ{F_s},   rows of [B]: (d_x, d_y, lever − (p · d) ψ)
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.auditing.flow import pieces
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.analysis.auditing.springs import ALLOWED, BALANCE, ROUNDED
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.contract import NOTHING


class Bed(NamedTuple):
    """Springs of a body, a row for each of the axial ones and of the shear springs."""

    direction: Array  # (2r, 2)
    lever: Array  # (2r,)
    curve: Array
    K: Array
    beta: Array
    gap: Array
    along: Array  # (r, 2)
    arm: Array  # (r,)
    K_s: Array
    damping: Array
    mu: Array
    longest: float


class Moving(NamedTuple):
    """What the small steps change, a row for each interval."""

    at: Array  # u, v, ψ
    rate: Array
    slide: Array
    N: Array
    shear: Array


def laws(response: Response) -> tuple[Law, ...]:
    """Of a body on several interfaces."""
    block: Any = response.system
    bed = _bed(response)
    errors, rows = _errors(response, bed)
    weight = block.mass * block.g
    stiff = float(max(bed.K.max(), bed.K_s.max()))
    rounding = ROUNDED * np.finfo(float).eps * stiff * block.com_height / weight
    now = _read(response)
    gap, _ = _gaps(bed, now.at)
    carried = now.N.reshape(len(gap), -1, 2).sum(axis=2)
    above = np.where(gap > 0, now.N, np.maximum(-now.N, 0.0)).max(axis=1)
    excess = np.maximum(np.abs(now.shear) - bed.mu * carried, 0.0).max(axis=1)
    why = "the rounding of a force"
    return (
        law("momentum", "Every row follows from the one before by the equations of motion, in the "
            "small steps of the rule, through impacts as well", errors, response.time[rows],
            ALLOWED + rounding, "the same small steps in other words: only rounding differs",
            relative_to="of α h, √(g h) and m g",
            extent=f"{len(rows)} of {len(response.states) - 1} intervals"),
        law("gaps", "Axial springs push where they are pressed, and never pull", above / weight,
            response.time, 1e-9, why, relative_to="of m g"),
        law("friction", "|T| ≤ μ (N_start + N_end) at each interface", excess / weight,
            response.time, 1e-9, why, relative_to="of m g"),
        energy_laws(response, _energy(block, bed, now), BALANCE,
                    "forces act for a whole small step: of second order in it")[0],
    )  # fmt: skip


def _bed(response: Response) -> Bed:
    """From the interfaces as they were given; defaults of K and β from the theory."""
    block: Any = response.system
    how: Any = response.formulation
    springs = how.springs(block)
    x, y = -block.offset, -block.com_height
    rows, alongs, arms, gaps = [], [], [], []
    for one in how.interfaces_of(block):
        t = np.subtract(one.end, one.start) / math.dist(one.start, one.end)
        n = np.array([-t[1], t[0]])
        for px, py in (one.start, one.end):
            p = np.array([px + x, py + y])
            rows.append((*n, p[0] * n[1] - p[1] * n[0], -p @ n))
            gaps.append(one.gap)
        p = np.add(one.start, one.end) / 2 + (x, y)
        alongs.append(t)
        arms.append(p[0] * t[1] - p[1] * t[0])
    table = np.array(rows)
    K, beta = springs.axial[..., 4].ravel(), springs.axial[..., 5].ravel()
    axial = (table[:, :2], table[:, 2], table[:, 3], K, beta, np.array(gaps))
    K_s, damping, mu = springs.shear[:, 3:6].T
    shear = (np.array(alongs), np.array(arms), K_s, damping, mu)
    return Bed(*axial, *shear, how.parameters(block).longest)


def _read(response: Response) -> Moving:
    at = np.stack([response.column("u"), response.column("v"), -response.theta], axis=1)
    rate = [response.column("u_rate"), response.column("v_rate"), -response.omega]
    names = [one.name for one in response.formulation.interfaces]  # type: ignore[attr-defined]

    def each(*labels: str) -> Array:
        found = [response.column(f"{label} {name}") for name in names for label in labels]
        return np.stack(found, axis=1)

    N = each("N start", "N end")
    return Moving(at, np.stack(rate, axis=1), each("slide"), N, each("shear"))


def _gaps(bed: Bed, at: Array) -> tuple[Array, Array]:
    """(δ, dδ/dψ), a row for each row of ``at``."""
    psi = at[:, 2:]
    arm = bed.lever + bed.curve * psi
    return at[:, :2] @ bed.direction.T + psi * (bed.lever + bed.curve * psi / 2) + bed.gap, arm


def _pressed(bed: Bed, now: Moving) -> Moving:
    """The forces there; `now` with the velocities that the dashpots feel."""
    gap, arm = _gaps(bed, now.at)
    rate = now.rate[:, :2] @ bed.direction.T + arm * now.rate[:, 2:]
    N = np.where(gap < 0, np.maximum(-bed.K * (gap + bed.beta * rate), 0.0), 0.0)
    d = now.at[:, :2] @ bed.along.T + bed.arm * now.at[:, 2:]
    moved = now.rate[:, :2] @ bed.along.T + bed.arm * now.rate[:, 2:]
    shear = -bed.K_s * (d - now.slide + bed.damping * moved)
    grip = bed.mu * N.reshape(len(N), -1, 2).sum(axis=2)
    slips = np.abs(shear) > grip
    shear = np.where(slips, np.copysign(grip, shear), shear)
    slide = np.where(slips, d + shear / bed.K_s, now.slide)
    return now._replace(N=N, shear=shear, slide=slide)


def _accelerations(block: Any, bed: Bed, now: Moving, ground: Array) -> Array:
    _, arm = _gaps(bed, now.at)
    force = now.N @ bed.direction + now.shear @ bed.along
    moment = (now.N * arm).sum(axis=1) + now.shear @ bed.arm
    outside = ground + np.array([0.0, block.g])
    return np.column_stack([force / block.mass - outside, moment / block.inertia])


def _carried(block: Any, bed: Bed, now: Moving, ground: Array, slope: Array, span: float) -> Moving:
    """After ``span`` [s]: equal steps, none longer than the bed allows."""
    steps = max(1, math.ceil(span / bed.longest))
    h = span / steps
    kick, lag = _accelerations(block, bed, now, ground), h / 2
    for i in range(1, steps + 1):
        rate = now.rate + lag * kick
        now = _pressed(bed, now._replace(rate=rate, at=now.at + h * rate))
        kick, lag = _accelerations(block, bed, now, ground + i * h * slope), h
    return now._replace(rate=now.rate + h / 2 * kick)


def _errors(response: Response, bed: Bed) -> tuple[Array, Array]:
    """How far each row is from the one that the steps lead to, and the rows they begin at."""
    block: Any = response.system
    dt, count = response.motion.dt, len(response.states) - 1
    ground, slope = (values[:, :2] for values in pieces(response))
    kind, time = response.event_column("kind"), response.event_column("time")
    stops = time[kind != NOTHING]  # there the rule begins a new row of small steps
    where = np.clip(np.ceil(stops / dt - 1e-9).astype(int) - 1, 0, max(count - 1, 0))
    rows, speed, tall = _read(response), math.sqrt(block.g * block.com_height), block.com_height
    weight, small = block.mass * block.g, block.alpha
    place = small * np.array([tall, tall, 1.0])
    pace = small * speed * np.array([1.0, 1.0, 1 / tall])
    units = Moving(place, pace, np.array(tall * small), np.array(weight), np.array(weight))

    def off(end: Moving, at: Array) -> Array:
        parts = [
            np.abs(got - wanted[at + 1]) / unit
            for got, wanted, unit in zip(end, rows, units, strict=True)
        ]
        return np.asarray(np.concatenate(parts, axis=1).max(axis=1))

    plain = np.setdiff1d(np.arange(count), where)
    start = Moving(*(values[plain] for values in rows))
    found = [off(_carried(block, bed, start, ground[plain], slope[plain], dt), plain)]
    used = [plain]
    for k in np.unique(where)[:count]:
        one = slice(k, k + 1)
        now = Moving(*(values[one] for values in rows))
        breaks = [t for t in stops[where == k] if (k + 1) * dt - t > 1e-9 * dt]
        for first, last in pairwise([k * dt, *breaks, (k + 1) * dt]):
            there = ground[one] + (first - k * dt) * slope[one]
            now = _carried(block, bed, now, there, slope[one], last - first)
        if response.events[-1, 0] > (k + 1) * dt * (1 - 1e-12) or k + 1 < count:
            found.append(off(now, np.array([k])))
            used.append(np.array([k]))
    return np.concatenate(found), np.concatenate(used)


def _energy(block: Any, bed: Bed, now: Moving) -> Array:
    gap, _ = _gaps(bed, now.at)
    stretch = now.at[:, :2] @ bed.along.T + bed.arm * now.at[:, 2:] - now.slide
    masses = np.array([block.mass, block.mass, block.inertia])
    stored = (bed.K * np.minimum(gap, 0.0) ** 2).sum(axis=1) + (bed.K_s * stretch**2).sum(axis=1)
    kinetic = (masses * now.rate**2).sum(axis=1)
    return np.asarray((kinetic + stored) / 2 + block.mass * block.g * now.at[:, 1])
