"""The laws of assemblies of stones. The change of their momentum over an interval, less that of
weight, ground and links, must come from pushes at points where stones touch, within friction.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocksteady.analysis.auditing.cones import lacking, planar_edges
from rocksteady.analysis.auditing.flow import (
    Rows,
    chosen_intervals,
    counts_of_events,
    means,
    pieces,
    whole_intervals,
)
from rocksteady.analysis.auditing.general import energy_laws, size_of_energies
from rocksteady.analysis.auditing.joints import joints_law
from rocksteady.analysis.auditing.outlines import Outlines, Point
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.assembly.falls import has_fallen

MOST = 400  # intervals that are compared
EFFORT = 1e5  # intervals times the square of the number of stones, at most
NEAR = 1e-6  # m: what located contacts may be open or sunk
ENOUGH = 1e-4  # of M g Δt: the residual with which solves count as converged is that of g h
ORDER = 30.0  # (ω h)²: energy that steps of second order may miss


def laws(response: Response) -> tuple[Law, ...]:
    """Of stones that touch, stick, slide, rock and strike."""
    assembly: Any = response.system
    how: Any = response.formulation
    outlines = Outlines(assembly)
    poses = how.poses(assembly, response.states)
    stepped = how.rule_for(assembly) == "stepped"
    rows = _chosen(response)
    allowed = ENOUGH * (1 + float(response.column("residual")[-1]) / ENOUGH)
    h = how.step_of(response)
    sunk, rule = NEAR, "contacts are closed to 1e-6 m"
    if stepped:
        sunk += h * _fastest(response, assembly)
        rule = "a stone that lands within a step of Moreau's rule sinks for up to that step"
    lacks, sinks = _lacking(response, outlines, poses, rows, sunk)
    energy = _energy(response, assembly, poses)
    small = min(stone.reach for stone in assembly.stones if not stone.fixed)
    fast = math.sqrt(assembly.g / small + sum(_rate(assembly, link) for link in assembly.links))
    lift = 100 * assembly.mass * assembly.g * small
    balance, order = 2 * fast * h, "the rule is of first order in its step"
    if not stepped:
        size = size_of_energies(response, energy, 1e-6 * lift)
        falls = assembly.mass * (assembly.g * h) ** 2 / 2  # energy of a fall that lasts a step
        balance = ORDER * (fast * h) ** 2 + falls / size
        order = "the rule is of second order in its step, and misses what a fall in a step gives"
    return (
        law("momentum", "Momentum changes by weight, ground, links and pushes within friction at "
            "points that touch, through impacts as well", lacks, response.time[rows], allowed,
            "solves may leave 1e-4 g h, and more where the response says so", extent=f"{len(rows)} "
            f"of {len(response.states) - 1} intervals", relative_to="of M g Δt"),
        _positions(response, assembly),
        joints_law(response, outlines, poses, h, stepped),
        _work(response, assembly, h),
        law("gaps", "Stones do not sink into each other", sinks, response.time[rows], sunk, rule,
            relative_to="m", extent=f"{len(rows)} of {len(response.states)} rows"),
        _head(response, assembly, poses),
        *energy_laws(response, energy, balance,
                     f"{order}, {1e3 * h:.3g} ms, for motions at √(g/r) and of links", lift),
    )  # fmt: skip


def _positions(response: Response, assembly: Any) -> Law:
    """The mean velocity over an interval leads from one pose to the next."""
    stepped = response.formulation.rule_for(assembly) == "stepped"  # type: ignore[attr-defined]
    if stepped and response.motion.dt > 2.5 * response.formulation.step_for(assembly):  # type: ignore[attr-defined]
        reason = "many steps of Moreau's rule lie between two rows, with impacts that are no events"
        return unchecked("positions", "Between events poses change by the velocities", reason)
    stones = [stone for stone in assembly.stones if not stone.fixed]
    count, dt = whole_intervals(response), response.motion.dt
    size = np.array([[1.0, 1.0, stone.reach] for stone in stones]).ravel()
    moving = response.states[: count + 1, -2 * len(size) :]
    poses, rates = moving[:, : len(size)] * size, moving[:, len(size) :] * size
    off = np.abs(np.diff(poses, axis=0) - dt * (rates[1:] + rates[:-1]) / 2)
    # Moreau's rule has no events: there the pose lies between those that either velocity leads to
    jumps = stepped * np.abs(np.diff(rates, axis=0)) * dt / 2
    several = stepped and dt > 1.5 * response.formulation.step_for(assembly)  # type: ignore[attr-defined]
    if several:  # the velocity at a step between two rows may lie beyond both
        jumps[1:-1] += jumps[:-2] + jumps[2:]
    quiet = counts_of_events(response)[0][:count] == 0
    worst = np.maximum(off - jumps, 0.0).max(axis=1)[quiet]
    return law(
        "positions", "Between events poses change by the velocities", worst,
        response.time[:count][quiet], (2 if several else 1) * assembly.g * dt**2, "a push of the "
        "weight may come or go within an interval, g Δt², and does both where several steps of "
        "Moreau's rule lie in it", relative_to="m",
        extent=f"{len(worst)} of {len(response.states) - 1} intervals",
        nothing="no interval is free of events",
    )  # fmt: skip


def _work(response: Response, assembly: Any, h: float) -> Law:
    """The work of the ground is that of inertia forces along the way of every stone."""
    stones = [stone for stone in assembly.stones if not stone.fixed]
    count, dt = whole_intervals(response), response.motion.dt
    mass = np.array([stone.mass for stone in stones])
    moving = response.states[: count + 1, -6 * len(stones) :].reshape(count + 1, 2, -1, 3)
    way = np.einsum("k,nki->ni", mass, np.diff(moving[:, 0], axis=0)[..., :2])
    # a = mean + slope (t − Δt/2) along a velocity that changes by Δv, evenly or at once
    gain = np.einsum("k,nki->ni", mass, np.diff(moving[:, 1], axis=0)[..., :2]) * dt**2
    slope = pieces(response)[1][:count, :2]
    mean = np.stack(means(response)[:2], axis=-1)[:count]
    wanted = -(mean * way + slope * gain / 12).sum(axis=1)
    off = np.abs(np.diff(response.column("work")[: count + 1]) - wanted)
    jumps = (np.abs(slope) * np.abs(np.diff(moving[:, 1], axis=0)[..., :2]).max(axis=1)).sum(axis=1)
    off = np.maximum(off - assembly.mass * jumps * dt**2 / 6, 0.0)
    size = np.abs(mean).max(initial=0.0) * np.abs(way).max(initial=0.0)
    falls = assembly.mass * (assembly.g * h) ** 2 / 2
    return law(
        "work", "The ground's work is that of inertia forces along the way of the stones",
        off / max(size, 1e-2 * falls, 1e-300), response.time[:count], 1e-3,
        "within an interval velocities are known at its ends only",
        relative_to="of the largest of an interval", extent=f"{count} intervals",
    )  # fmt: skip


def _fastest(response: Response, assembly: Any) -> float:
    """Of all corners [m/s]."""
    stones = [stone for stone in assembly.stones if not stone.fixed]
    rates = response.states[:, -3 * len(stones) :].reshape(len(response.states), -1, 3)
    reach = np.array([stone.reach for stone in stones])
    return float((np.hypot(rates[..., 0], rates[..., 1]) + reach * np.abs(rates[..., 2])).max())


def _rate(assembly: Any, link: Any) -> float:
    """(2π/period)² of the fastest vibration on a link [1/s²]."""
    ends = [assembly.stones[assembly.number(name)] for name in link.stones]
    light = sum(1 / s.mass + s.reach**2 / s.inertia for s in ends if not s.fixed)
    return float(link.stiffness * light)


def _chosen(response: Response) -> Rows:
    """The rows at which the intervals begin that are compared."""
    count = whole_intervals(response)
    stones = response.system.stone_count  # type: ignore[attr-defined]
    most = int(min(MOST, max(20, EFFORT / stones**2)))
    if count <= most:
        return np.arange(count)
    rates = response.states[:, -3 * stones :]
    poses = response.states[:, -6 * stones : -3 * stones]
    return chosen_intervals(response, rates, poses, most)


def _lacking(
    response: Response, outlines: Outlines, poses: Array, rows: Rows, sunk: float
) -> tuple[Array, Array]:
    """(what each of these intervals lacks, over M g Δt; how deep stones are sunk at its start)."""
    assembly, how = outlines.assembly, response.formulation
    dt, g = response.motion.dt, assembly.g
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    place = {stone: k for k, stone in enumerate(moving)}
    stones = [assembly.stones[i] for i in moving]
    mass = np.array([[s.mass, s.mass, s.inertia] for s in stones])
    rates = response.states[:, -3 * len(moving) :].reshape(len(response.states), -1, 3)
    ground = np.stack(means(response)[:2], axis=-1)
    size = g * dt * mass[:, 0].sum() * np.array([[1.0, 1.0, s.reach] for s in stones])
    broken = _broken(assembly, poses)
    lacks, sinks = np.zeros(len(rows)), np.zeros(len(rows))
    located = how.rule_for(assembly) == "located"  # type: ignore[attr-defined]
    quiet = (counts_of_events(response)[0] == 0) & located
    for n, row in enumerate(rows):
        middle = (poses[row] + poses[row + 1]) / 2
        change = mass * (rates[row + 1] - rates[row])
        pull = ground[row] + (0.0, g)
        change[:, :2] += mass[:, :2] * pull * dt
        forces, spread = _links(assembly, poses[row], poses[row + 1], broken[row], place)
        change -= forces * dt
        speed = np.abs(rates[[row, row + 1], :, :2]).max()
        spin = np.abs(rates[[row, row + 1], :, 2]).max()
        # it may close or open on the way, and hop within the interval
        reach = NEAR + 2 * g * dt**2 + how.restitution * speed * dt  # type: ignore[attr-defined]
        points = [p for k in (row, row + 1) for p in outlines.touching(poses[k], reach, sunk)]
        sinks[n] = max((-p.gap for p in outlines.touching(poses[row], 0.0)), default=0.0)
        columns = [_columns(p, assembly, middle, place, size) for p in points]
        generators = np.hstack(columns) if columns else np.zeros((change.size, 0))
        left = lacking(generators, (change / size).ravel())
        # arms and normals turn within an interval, an impact lies anywhere in it, links stretch
        turns = spin * dt + speed * dt / min(s.reach for s in stones)
        turns = turns**2 if quiet[row] else turns
        lacks[n] = max(left - turns * np.abs(change / size).max() - spread * dt / size[0, 0], 0.0)
    return lacks, sinks


def _columns(point: Point, assembly: Any, pose: Array, place: dict[int, int], size: Array) -> Array:
    """What unit pushes along the edges of the friction cone at a point give both stones."""
    edges = planar_edges(point.normal, assembly.friction_between(point.a, point.b))
    found = np.zeros((len(place), 3, edges.shape[1]))
    for stone, sign in ((point.a, 1.0), (point.b, -1.0)):
        if stone in place:
            arm = point.place - pose[stone, :2]
            found[place[stone], :2] = sign * edges
            found[place[stone], 2] = sign * (arm[0] * edges[1] - arm[1] * edges[0])
    return np.asarray((found / size[..., None]).reshape(-1, edges.shape[1]))


# -- links -------------------------------------------------------------------------------------


def _path(assembly: Any, link: Any, poses: Array) -> Array:
    """The points (..., points, 2) of a link at poses (..., stones, 3)."""
    found = []
    for name, place in zip(link.stones, link.points, strict=True):
        i = assembly.number(name)
        d = np.subtract(place, assembly.stones[i].centre)
        c, s = np.cos(poses[..., i, 2]), np.sin(poses[..., i, 2])
        turned = np.stack([c * d[0] - s * d[1], s * d[0] + c * d[1]], axis=-1)
        found.append(poses[..., i, :2] + turned)
    return np.stack(found, axis=-2)


def _force(assembly: Any, link: Any, poses: Array) -> Array:
    """What it would pull with at poses (..., stones, 3) if it never broke [N]."""
    length, first = (
        np.linalg.norm(np.diff(path, axis=-2), axis=-1).sum(axis=-1)
        for path in (_path(assembly, link, poses), np.array(link.points))
    )
    return np.asarray(link.pretension + link.stiffness * (length - first))


def _broken(assembly: Any, poses: Array) -> Array:
    """Which links have broken by each row."""
    found = np.zeros((len(poses), len(assembly.links)), bool)
    for k, link in enumerate(assembly.links):
        found[:, k] = np.logical_or.accumulate(_force(assembly, link, poses) > link.strength)
    return found


def _links(
    assembly: Any, first: Array, last: Array, broken: Array, place: dict[int, int]
) -> tuple[Array, float]:
    """(mean force and moment of all links on each stone; by how much a force changes [N])."""
    total, spread = np.zeros((len(place), 3)), 0.0
    for k, link in enumerate(assembly.links):
        if broken[k]:
            continue
        forces = []
        for pose in (first, last):
            force = float(_force(assembly, link, pose))
            force = force if link.pushes else max(force, 0.0)
            forces.append(0.0 if force > link.strength else force)
            path = _path(assembly, link, pose)
            along = np.diff(path, axis=0)
            along = along / np.maximum(np.linalg.norm(along, axis=1), 1e-300)[:, None]
            for j, unit in enumerate(along):
                for at, sign in ((j, 1.0), (j + 1, -1.0)):
                    stone = assembly.number(link.stones[at])
                    if stone in place:
                        arm = path[at] - pose[stone, :2]
                        push = sign * force * unit / 2
                        total[place[stone], :2] += push
                        total[place[stone], 2] += arm[0] * push[1] - arm[1] * push[0]
        spread += abs(forces[1] - forces[0])
    return total, spread


# -- the whole -----------------------------------------------------------------------------------


def _head(response: Response, assembly: Any, poses: Array) -> Law:
    """The columns of the whole are those of the stones."""
    stones = [(i, stone) for i, stone in enumerate(assembly.stones) if not stone.fixed]
    start = np.array([stone.centre for _, stone in stones])
    moving = [i for i, _ in stones]
    moved = np.hypot(*np.moveaxis(poses[:, moving, :2] - start, -1, 0)).max(axis=1)
    turned = np.abs(poses[:, moving, 2]).max(axis=1)
    fallen = sum(has_fallen(stone, poses[:, i]) for i, stone in stones)
    wrong = np.maximum.reduce([
        np.abs(moved - response.column("displacement")),
        np.abs(turned - response.column("turn")),
        np.abs(fallen - response.column("fallen")),
    ])  # fmt: skip
    return law(
        "whole", "The largest displacement and turn, and the stones that have fallen, are those of "
        "the poses", wrong, response.time, 1e-9, "rounding", relative_to="m, rad, stones",
    )  # fmt: skip


def _energy(response: Response, assembly: Any, poses: Array) -> Array:
    """Kinetic, of the weight and of links [J]."""
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    rates = response.states[:, -3 * len(moving) :].reshape(len(poses), -1, 3)
    total = np.zeros(len(poses))
    for k, i in enumerate(moving):
        stone = assembly.stones[i]
        speed = (rates[:, k, :2] ** 2).sum(axis=1)
        total += (stone.mass * speed + stone.inertia * rates[:, k, 2] ** 2) / 2
        total += stone.mass * assembly.g * (poses[:, i, 1] - stone.centre[1])
    return total + _stored(assembly, poses)


def _stored(assembly: Any, poses: Array) -> Array:
    """In links [J]: a slack or a broken one keeps nothing."""
    total = np.zeros(len(poses))
    broken = _broken(assembly, poses)
    for k, link in enumerate(assembly.links):
        forces = _force(assembly, link, poses)
        if not link.pushes:
            forces = np.maximum(forces, 0.0)
        total += np.where(broken[:, k], 0.0, forces**2 / (2 * link.stiffness))
    return total
