"""A body in space beside its shadows in vertical planes, and whether a plane is enough.

The rules are measured: docs/plane_or_space.md, benchmarks/plane_or_space.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rocksteady.motion import Motion
from rocksteady.motion.components import turned
from rocksteady.response import Response
from rocksteady.systems import Block, Body
from rocksteady.systems.support import unit_vector
from rocksteady.systems.system import expect

_WHY_SPACE = ": a body in one plane has no other planes"
SMALL = 0.05  # θ/α in the worse plane up to which no body fell in space
WEAK = 0.8  # of what lifts the body off: a component across below this does not change the outcome
FAR, TURNED = 1e-3, 1.0  # m and degrees: what is worth a sentence
SAME = 0.1  # relative difference of peaks that count as the same


class Plane(NamedTuple):
    """A vertical plane, what the body is in it, and what shakes it there."""

    direction: float
    """Degrees from x towards y."""
    block: Block
    motion: Motion | None

    @property
    def name(self) -> str:
        named = {0.0: "plane along x", 90.0: "plane along y"}
        return named.get(self.direction, f"plane at {self.direction:.4g}°")


def planes_of(body: Any, motion: Motion | None, lean: float | None = None) -> list[Plane]:
    """Those along x, along y and in the weakest direction; or the one in which it ``lean``s at
    first [degrees]."""
    expect(body, Body, "A shadow in a plane", _WHY_SPACE)
    if lean is not None:
        return [plane_at(body, motion, lean % 360)]
    weak = body.weakest % 180
    directions = [0.0, 90.0] + ([weak] if weak not in (0.0, 90.0) else [])
    return [plane_at(body, motion, direction) for direction in directions]


def plane_at(body: Any, motion: Motion | None, direction: float) -> Plane:
    """The body's shadow in one direction, and the component of the motion along it."""
    expect(body, Body, "A shadow in a plane", _WHY_SPACE)
    if motion is not None:
        motion = motion.right_handed()
        if motion.transverse is None:
            motion = motion.with_transverse(0 * motion.accel)
        along = turned(motion, direction) if direction else motion
        motion = along.with_transverse(None).renamed(motion.name)
    return Plane(direction, body.block(direction), motion)


def lifting(body: Any, motion: Motion, direction: float) -> float:
    """Largest acceleration of the ground along a direction, over the one that lifts the body off
    there: along the vertical gravity counts less by the vertical acceleration."""
    along = plane_at(body, motion, direction).motion
    assert along is not None
    up = 0.0 if along.vertical is None else along.vertical
    ahead, behind = (math.tan(body.limit(direction + angle)) for angle in (180.0, 0.0))
    weight = np.maximum(body.g + up, 1e-9)
    pushes = np.where(along.accel > 0, along.accel / ahead, -along.accel / behind) / weight
    return max(0.0, float(pushes.max()))


def rocks_flat(body: Any, direction: float) -> bool:
    """Whether a body that rocks in this direction turns about whole edges of its base on both
    sides, and so can stay in the plane; on a round base it can."""
    expect(body, Body, "rocks_flat", _WHY_SPACE)
    if body.radius is not None:
        return True
    along = body.corners @ np.array(unit_vector(direction))
    near = 1e-9 * np.ptp(along)
    return all((abs(along - end) <= near).sum() > 1 for end in (along.min(), along.max()))


# -- in words --------------------------------------------------------------------------------------


def verdict(body: Response, planes: Sequence[tuple[Plane, Response]]) -> list[str]:
    """Whether a plane would have been enough, for this run and as a rule."""
    said = [_this_run(body, planes), _rule(body, planes)]
    if not body.fell and (body.walked >= FAR or abs(body.turned) >= math.radians(TURNED)):
        walk, turn = 1e3 * body.walked, abs(math.degrees(body.turned))
        said.insert(1, f"It walks {walk:.1f} mm and turns by {turn:.1f}°, which no plane can show.")
    return said


def _this_run(body: Response, planes: Sequence[tuple[Plane, Response]]) -> str:
    plane, worse = max(planes, key=lambda each: (each[1].fell, each[1].peak))
    if body.fell != worse.fell:
        here, there = ("falls", "stands") if body.fell else ("stands", "falls")
        return (
            f"Here a plane is not enough: the body {here} in space and {there} in the {plane.name}."
        )
    if body.fell:
        return f"Here the body falls in space and in the {plane.name}."
    if worse.peak == body.peak == 0:
        return "Here nothing lifts it off, in space or in a plane."
    ratio = body.peak / worse.peak if worse.peak else math.inf
    if abs(ratio - 1) <= SAME:
        return f"Here the {plane.name} is enough: both lean equally far, within {100 * SAME:.0f} %."
    if math.isinf(ratio):
        return f"Here the body rocks in space (peak {body.peak:.3g} α) and stands still in a plane."
    return (
        f"Here the body leans {ratio:.3g} times as far in space as in the worse plane, the "
        f"{plane.name}."
    )


def _rule(body: Response, planes: Sequence[tuple[Plane, Response]]) -> str:
    """What the measurements say of runs like this one."""
    worse = max(planes, key=lambda each: (each[1].fell, each[1].peak))[1]
    system: Any = body.system
    motion: Any = planes[0][0].motion
    if motion is None:
        across = "Let go across an edge of its base it stays in that plane"
        return f"{across}; let go towards a corner it does not."
    if system.radius is not None and body.motion.transverse is not None:
        return (
            "As a rule a plane is not enough for a round base: it wobbles around its rim and falls "
            "far more often than any plane tells."
        )
    strength = {d: lifting(body.system, body.motion, d) for d in (0.0, 90.0)}
    weaker = min(strength, key=lambda d: strength[d])
    if strength[weaker] < WEAK <= strength[90.0 - weaker] and rocks_flat(system, 90.0 - weaker):
        along, across = ("x", "y") if weaker else ("y", "x")
        return (
            f"As a rule the plane along {along} is enough where the motion along {across} "
            f"stays below {WEAK:g} of what lifts the body off there: here "
            f"{strength[weaker]:.2f}."
        )
    if not worse.fell and worse.peak < SMALL:
        return (
            f"As a rule a plane is enough where the worse one leans by less than {SMALL:g} α: of "
            "such bodies none fell in space."
        )
    return (
        "As a rule the worse of two planes tells how often a body falls under many motions, but "
        "not whether it falls under one. Only a run in space shows how it walks and twists."
    )
