"""What the joints of an assembly carry at one moment of a run: `joint_forces`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.bodies import Assembly, expect
from rocksteady.bodies.assembly.joints import Joint
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.names import csv_text
from rocksteady.numbers import finite
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.response import A_RUN, Response
from rocksteady.theories.assembly import BlockDynamics
from rocksteady.theories.assembly.forces import forces_at
from rocksteady.theories.assembly.link_energy import broken_links
from rocksteady.theories.assembly.workspace import CLOSED, PAIRS, Workspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEAR = 1e-6  # m: ends nearer than this carry
AT_REST = 1e-5  # g h: speed of ends that are at rest on each other; the solves leave up to 1e-6


@dataclass(frozen=True, eq=False)
class JointForces:
    """The forces of all joints that touch, at one moment.

    A joint that touches along a line carries N₀ and N₁ at its ends and T along it. Where there are
    more joints than equations, as in a wall, other forces would do as well.
    """

    assembly: Assembly
    time: float
    """[s]"""
    poses: Array
    """x, y [m] and rotation [rad] of every stone."""
    joints: tuple[Joint, ...]
    """Where they are at that time."""
    forces: Array
    """N₀, N₁ at the ends, T along the joint on stone a, a row each [N]."""
    residual: float
    """Of the contact problem, over g."""

    def between(self, a: str | int, b: str | int) -> tuple[float, float]:
        """(N, T) [N] of all joints of two stones together; 0 where they do not touch."""
        pair = sorted((self.assembly.number(a), self.assembly.number(b)))
        mine = [i for i, joint in enumerate(self.joints) if sorted((joint.a, joint.b)) == pair]
        total = self.forces[mine].sum(axis=0)
        return float(total[0] + total[1]), float(total[2])

    @property
    def words(self) -> str:
        """How many joints carry how much, in a sentence."""
        at = f"At {self.time:.3g} s" if self.time else "At rest"
        if not len(self.forces):
            return f"{at} no joint touches."
        normal = self.forces[:, 0] + self.forces[:, 1]
        most = self.joints[int(np.argmax(normal))]
        a, b = (self.assembly.stones[i].name for i in (most.a, most.b))
        count = "1 joint carries" if len(normal) == 1 else f"{len(normal)} joints carry"
        return (
            f"{at} {count} up to {normal.max() / 1e3:.4g} kN, between {a!r} and {b!r} "
            f"(residual {self.residual:.1e} g)."
        )

    def __repr__(self) -> str:
        return f"<JointForces: {self.words}>"

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw them: a line at each joint as thick as its force is large."""
        draw: Any = imported("rocksteady.view.assembly:plot_forces")
        title = f"Forces in the joints at {self.time:.3g} s"
        return draw(self.assembly, self.joints, self.forces, path, poses=self.poses, title=title)  # type: ignore[no-any-return]

    def save(self, path: str | Path) -> Path:
        """Write them as a table to a ``.csv`` file."""
        names = [stone.name for stone in self.assembly.stones]
        ends = ("x0 [m]", "y0 [m]", "x1 [m]", "y1 [m]")
        rows = [["stone a", "stone b", *ends, "N0 [N]", "N1 [N]", "T [N]"]]
        for joint, row in zip(self.joints, self.forces.tolist(), strict=True):
            numbers = [*joint.ends[0], *joint.ends[1], *row]
            rows.append([names[joint.a], names[joint.b], *map(repr, map(float, numbers))])
        return write_whole(path, csv_text(rows))


def joint_forces(response: Response, time: float = 0.0) -> JointForces:
    """The forces in the joints of an assembly at the sample nearest to ``time`` [s].

    They are solved anew from poses, velocities and the ground's acceleration at that sample, so no
    run needs to keep them. Weight, the ground's push and these forces make the change of momentum,
    centripetal terms included. An end that is about to strike carries nothing yet: the impulse of
    its impact is not given here.
    """
    expect(response, Response, "joint_forces", A_RUN)
    assembly = expect(response.system, Assembly, "Forces in joints")
    how = expect(response.formulation, BlockDynamics, "Forces in joints")
    time = finite("time", time, "s")
    end = float(response.time[-1])
    if not 0 <= time <= end + 1e-9:
        raise InputError(f"time = {time!r} s is outside the run, which lasts from 0 to {end:g} s.")
    row = int(np.argmin(np.abs(response.time - time)))
    work = how.parameters(assembly)
    h = how.step_for(assembly)
    if how.rule_for(assembly) == "located":
        work.number[CLOSED], still = NEAR, (AT_REST * assembly.g * h, 0.0)
    else:  # gaps and speeds are those of the middle of a step
        work.number[CLOSED], still = max(NEAR, assembly.g * h**2), (assembly.g * h, h)
    poses = how.poses(assembly, response.states[: row + 1])
    work.broken[: len(assembly.links)] = broken_links(assembly, poses)
    ground = tuple(float(values[row]) for values in response.ground[:2])
    residual = forces_at(response.states[row].copy(), work, ground, still)
    if residual < 0:
        raise InputError("Too many stones are near each other to list all their joints.")
    joints, forces = _table(assembly, work)
    return JointForces(assembly, float(response.time[row]), poses[-1], joints, forces, residual)


def _table(assembly: Assembly, work: Workspace) -> tuple[tuple[Joint, ...], Array]:
    """The joints that carry, and their forces."""
    joints, rows = [], []
    for pair in range(int(work.tally[PAIRS])):
        if not work.on[pair, :2].any():
            continue
        a, b = (int(work.part[part, 3]) for part in work.pair[pair, :2])
        ends = [tuple(work.corner[corner, 2:].tolist()) for corner in work.foot[0, pair, :, 0]]
        lead = int(work.live[0, pair, 1])
        normal = tuple(work.row[pair, lead, :2].tolist())
        n0, n1, t = work.force[pair].tolist()
        tangent = -normal[1], normal[0]
        along = [(ends[1][k] - ends[0][k]) * tangent[k] for k in range(2)]
        if sum(along) < 0:  # ends in the direction of the tangent
            ends, n0, n1 = ends[::-1], n1, n0
        joints.append(Joint(a, b, (ends[0], ends[1]), normal, float(work.rub[pair, 0])))
        rows.append((n0, n1, t))
    return tuple(joints), np.array(rows).reshape(-1, 3)
