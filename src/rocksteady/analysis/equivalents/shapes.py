"""Recognise single stones, frames and stacks of two from where the stones touch."""

from __future__ import annotations

import math
from typing import NamedTuple

from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.bodies.assembly.joints import Joint, joints
from rocksteady.bodies.block import Block

EQUAL = 1e-6  # relative: stones that differ less are alike
LEVEL = 1e-9  # of a joint's normal from the vertical


class Rest(NamedTuple):
    """A stone that stands on another with a level joint, and nowhere else."""

    left: float
    right: float
    height: float
    """The ends of the joint and its height [m]."""


class Frame(NamedTuple):
    """Equal columns under one beam."""

    columns: tuple[int, ...]
    beam: int


class Layout:
    """Which stones move and what each stands on."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.joints = joints(assembly)
        self.moving = [i for i, stone in enumerate(assembly) if not stone.fixed]

    def between(self, upper: int, lower: int) -> Joint | None:
        """The level joint by which a stone stands on another."""
        found = [j for j in self.joints if {j.a, j.b} == {upper, lower}]
        if len(found) != 1:
            return None
        up = found[0].normal[1] * (1 if found[0].a == upper else -1)
        return found[0] if up > 1 - LEVEL else None

    def on_ground(self, stone: int) -> Rest | None:
        """Its base, if it stands on one fixed stone."""
        for joint in self.joints:
            other = {joint.a, joint.b} - {stone}
            if len(other) == 1 and self.assembly.stones[next(iter(other))].fixed:
                found = self.between(stone, next(iter(other)))
                return None if found is None else _rest(found)
        return None

    def neighbours(self, stone: int) -> set[int]:
        """The stones that it touches."""
        pairs = [{j.a, j.b} for j in self.joints]
        return {i for pair in pairs if stone in pair for i in pair if i != stone}

    def single(self) -> Block | None:
        """The block that the only stone that moves is."""
        if len(self.moving) != 1 or len(self.joints) != 1:
            return None
        base = self.on_ground(self.moving[0])
        return None if base is None else as_block(self.assembly, [self.moving[0]], base)

    def stack(self) -> tuple[int, int] | None:
        """The lower and the upper one of two stones, one on the other."""
        if len(self.moving) != 2 or len(self.joints) != 2:
            return None
        for lower, upper in (self.moving, self.moving[::-1]):
            if self.on_ground(lower) and self.between(upper, lower):
                return lower, upper
        return None

    def frame(self) -> Frame | None:
        """Columns that are alike, each on the ground and under the same beam."""
        stones = self.assembly.stones
        for beam in self.moving:
            columns = [i for i in self.moving if i != beam]
            if len(columns) < 2 or self.neighbours(beam) != set(columns):
                continue
            if len(self.joints) != 2 * len(columns):
                continue
            shapes = [self._column(i, beam) for i in columns]
            if None in shapes:
                continue
            first = shapes[0]
            alike = all(_alike(first, shape) for shape in shapes)  # type: ignore[arg-type]
            if alike and all(_rectangular(stones[i]) for i in columns):
                return Frame(tuple(columns), beam)
        return None

    def _column(self, stone: int, beam: int) -> tuple[float, ...] | None:
        """Width, height and mass of a column between the ground and a beam."""
        base, top = self.on_ground(stone), self.between(beam, stone)
        if base is None or top is None:
            return None
        head = _rest(top)
        width = base.right - base.left
        full = abs(head.left - base.left) + abs(head.right - base.right) < EQUAL * width
        return (
            (width, head.height - base.height, self.assembly.stones[stone].mass) if full else None
        )


def as_block(assembly: Assembly, stones: list[int], base: Rest) -> Block:
    """Stones that move as one, as a block on a base."""
    bodies = [assembly.stones[i] for i in stones]
    mass = math.fsum(body.mass for body in bodies)
    x = math.fsum(body.mass * body.centre[0] for body in bodies) / mass
    y = math.fsum(body.mass * body.centre[1] for body in bodies) / mass
    inertia = math.fsum(b.inertia + b.mass * math.dist(b.centre, (x, y)) ** 2 for b in bodies)
    top = max(corner[1] for body in bodies for corner in body.corners)
    middle, width = (base.left + base.right) / 2, base.right - base.left
    offset = 0.0 if abs(x - middle) < EQUAL * width else x - middle
    return Block(
        height=top - base.height,
        width=width,
        offset=offset,
        com_height=y - base.height,
        mass=mass,
        inertia=inertia,
        g=assembly.g,
    )


def _rest(joint: Joint) -> Rest:
    (x0, y0), (x1, _) = joint.ends
    return Rest(min(x0, x1), max(x0, x1), y0)


def _alike(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(math.isclose(a, b, rel_tol=EQUAL) for a, b in zip(one, other, strict=True))


def _rectangular(stone: Stone) -> bool:
    """Whether it is a homogeneous upright rectangle."""
    xs, ys = zip(*stone.corners, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    inertia = stone.mass * (width**2 + height**2) / 12
    return (
        math.isclose(stone.section.area, width * height, rel_tol=EQUAL)
        and math.isclose(stone.inertia, inertia, rel_tol=EQUAL)
        and math.dist(stone.centre, middle) < EQUAL * max(width, height)
    )
