"""How an assembly is pushed or shaken, and what several figures draw of it."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from rocksteady.analysis.limit_analysis import LimitLoad
from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import held_back
from rocksteady.motion import Motion
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import BlockDynamics
from rocksteady.view.assembly.mechanism import draw_joints, drawn_poses
from rocksteady.view.assembly.stage import View, outline, paint_stones, set_view

G = 9.81  # m/s²
NO_SLIDING = 50.0  # μ of stones that cannot slide
STEP = 0.005  # s

In = TypeVar("In")
Out = TypeVar("Out")


def shaken(
    assembly: Assembly, motion: Motion, until: str | float = "motion", **options: Any
) -> Response:
    """A run; what it left unconverged is told by a verdict, not by a warning."""
    with held_back():
        return simulate(assembly, motion, BlockDynamics(**options), until=until)


def pushed(assembly: Assembly, load: float, seconds: float = 4.0) -> Response:
    """A run under a horizontal load of this share of the weight, to the right, from the start."""
    return shaken(assembly, Motion(np.full(round(seconds / STEP) + 1, -load * G), STEP))


def unconverged(run: Response) -> float:
    """How many contact problems of a run were left with a residual above 1e-4 g h."""
    return float(run.column("unconverged")[-1])


def side_by_side(work: Callable[[In], Out], parts: Iterable[In]) -> list[Out]:
    """The same work on all parts, two at a time: compiled code lets other threads go on."""
    with held_back(), ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, parts))


def draw_mechanism(axes: Any, result: LimitLoad, poses: Any = None) -> None:
    """The stones moved along their mechanism over where they stood."""
    poses = drawn_poses(result.assembly, result.velocities) if poses is None else poses
    set_view(axes, View.of(result.assembly, poses))
    paint_stones(axes, result.assembly, poses)
    outline(axes, result.assembly, poses)
    draw_joints(axes, result, poses)
