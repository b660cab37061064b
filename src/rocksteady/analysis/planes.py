"""A body in space beside its shadows in vertical planes, and whether a plane is enough.

The rules are measured: docs/plane_or_space.md, benchmarks/plane_or_space.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rocksteady.bodies import Block, Body
from rocksteady.bodies.support import unit_vector
from rocksteady.bodies.system import expect
from rocksteady.motion import Motion
from rocksteady.motion.components import turned
from rocksteady.response import Response

_WHY_SPACE = ": a body in one plane has no other planes"
SMALL = 0.05  # θ/α in the worse plane up to which no body fell in space
WEAK = 0.8  # of what lifts the body off: a component across below this does not change the outcome
FAR, TURNED = 1e-3, 1.0  # m and degrees: what is worth a sentence
SAME = 0.1  # relative difference of peaks that count as the same
FLAT = 0.05  # degrees: a turn below this is none


class Plane(NamedTuple):
    """A vertical plane, the body in it, and the ground motion along it."""

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


def _rectangle(body: Any) -> bool:
    """Whether its base is a rectangle with sides along x and y: the bases of the measurements."""
    return len(body.base) == 4 and rocks_flat(body, 0.0) and rocks_flat(body, 90.0)


def rocks_flat(body: Any, direction: float) -> bool:
    """Whether a body that rocks in this direction turns about whole edges of its base on both
    sides, and so can stay in the plane; on a round base it can. Shaken across as well, a base
    with many corners soon leaves it."""
    expect(body, Body, "rocks_flat", _WHY_SPACE)
    if body.radius is not None:
        return True
    along = body.corners @ np.array(unit_vector(direction))
    near = 1e-9 * np.ptp(along)
    return all((abs(along - end) <= near).sum() > 1 for end in (along.min(), along.max()))


# -- in words --------------------------------------------------------------------------------------

Planes = Sequence[tuple[Plane, Response]]


def verdict(body: Response, planes: Planes) -> list[str]:
    """Whether a plane would have been enough, for this run and as a rule."""
    here = _this_run(body, planes)
    return [here.sentence, *_moved(body), _rule(body, planes, here.enough)]


class _Here(NamedTuple):
    """What this run says."""

    sentence: str
    enough: bool


def _worse(planes: Planes) -> tuple[Plane, Response]:
    return max(planes, key=lambda each: (each[1].fell, each[1].peak))


def _slides(body: Response) -> bool:
    """Whether it may slide."""
    return getattr(body.formulation, "friction", None) is not None


def _this_run(body: Response, planes: Planes) -> _Here:
    plane, worse = _worse(planes)
    if body.fell != worse.fell:
        here, there = ("falls", "stands") if body.fell else ("stands", "falls")
        said = f"the body {here} in space and {there} in the {plane.name}."
        return _Here(f"Here a plane is not enough: {said}", False)
    if body.fell:
        return _Here(f"Here the body falls in space and in the {plane.name}.", True)
    if worse.peak == body.peak == 0:
        return _Here("Here nothing lifts it off, in space or in a plane.", True)
    ratio = body.peak / worse.peak if worse.peak else math.inf
    if abs(ratio - 1) <= SAME:
        both = f"both lean equally far, within {100 * SAME:.0f} %."
        return _Here(f"Here the {plane.name} is enough: {both}", True)
    if math.isinf(ratio):
        rocks = f"rocks in space (peak {body.peak:.3g} α) and stands still in a plane."
        return _Here(f"Here the body {rocks}", False)
    far = f"{ratio:.3g} times as far in space as in the worse plane, the {plane.name}."
    return _Here(f"Here the body leans {far}", False)


def _moved(body: Response) -> list[str]:
    """How far it stands from where it stood, where that is worth a sentence."""
    if body.fell or (body.walked < FAR and abs(body.turned) < math.radians(TURNED)):
        return []
    far, turn = f"{1e3 * body.walked:.1f} mm", abs(math.degrees(body.turned))
    if not _slides(body):
        return [f"It walks {far} and turns by {turn:.1f}°, which no plane can show."]
    turns = f" and turns by {turn:.1f}°, and a plane cannot show the turn" if turn >= FLAT else ""
    return [f"It moves {far} over the floor{turns}."]


def _rule(body: Response, planes: Planes, enough: bool) -> str:
    """What the measurements say of runs like this one. Where in this one a plane was not
    ``enough``, not that as a rule it is."""
    system: Any = body.system
    if planes[0][0].motion is None:
        across = "Let go across an edge of its base it stays in that plane"
        return f"{across}; let go towards a corner it does not."
    if system.radius is not None and body.motion.transverse is not None:
        return (
            "As a rule a plane is not enough for a round base: it wobbles around its rim and falls "
            "far more often than any plane tells."
        )
    if not _rectangle(system):
        return _of_other_bases(system)
    if _slides(body):
        return "There is no rule for bodies that may slide: the rules were measured without."
    return _of_rectangles(body, planes, enough)


def _of_other_bases(body: Any) -> str:
    rule = (
        "As a rule a plane is not enough for this base: the rules were measured for rectangles "
        "with sides along x and y."
    )
    if len(body.base) <= 4:
        return rule
    return (
        f"{rule} A base with many corners behaves much like a round one, and falls more often than "
        "any plane tells."
    )


def _of_rectangles(body: Response, planes: Planes, enough: bool) -> str:
    _, worse = _worse(planes)
    strength = {d: lifting(body.system, body.motion, d) for d in (0.0, 90.0)}
    weaker = min(strength, key=lambda d: strength[d])
    if enough and strength[weaker] < WEAK <= strength[90.0 - weaker]:
        along, across = ("x", "y") if weaker else ("y", "x")
        return (
            f"As a rule the plane along {along} is enough where the motion along {across} "
            f"stays below {WEAK:g} of what lifts the body off there: here "
            f"{strength[weaker]:.2f}."
        )
    if not (body.fell or worse.fell) and worse.peak < SMALL:
        return (
            "As a rule a plane is enough to tell whether a body falls where the worse one leans by "
            f"less than {SMALL:g} α: of such bodies none fell in space."
        )
    return (
        "As a rule the worse of two planes tells how often a body falls under many motions, but "
        "not whether it falls under one. Only a run in space shows how it walks and twists."
    )
