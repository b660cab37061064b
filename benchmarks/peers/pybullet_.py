"""PyBullet: a box on a large flat box, in three dimensions, deep enough to stay in its plane; or a
body in space.

The ground's acceleration tilts gravity. Bullet damps all velocities by default (4 % per second);
the tuned runs do not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.peers.cases import FRICTION, Case, times
from benchmarks.peers.history import History, Run, Setting
from benchmarks.peers.space import Flight, Pose

NAME, PACKAGE = "PyBullet", "pybullet"

SETTINGS = (
    Setting("default", "240 Hz, 50 iterations, restitution 0, damping 0.04", {"rate": 240.0}),
    *(
        Setting(
            f"tuned, {1e3 / rate:g} ms",
            f"{rate:g} Hz, 200 iterations, restitution 0, no damping, ERP 0.05, no slop",
            {"rate": rate, "tuned": True},
        )
        for rate in (1e3, 1e4)
    ),
)


def prepare(setting: Setting, case: Case) -> Run:
    import pybullet

    block, step = case.block, 1 / float(setting.options["rate"])
    size = [block.width / 2, block.thickness / 2, block.height / 2]
    accel = case.midpoints(step)
    x, z = case.pose
    pose = [x, 0, z], pybullet.getQuaternionFromEuler([0, case.theta0, 0])
    shape = {"shapeType": pybullet.GEOM_BOX, "halfExtents": size}
    world = _world(pybullet, block.mass, shape, pose)
    if setting.options.get("tuned"):
        _tune(pybullet, world)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=step, physicsClientId=world)

    def run() -> History:
        pybullet.resetBasePositionAndOrientation(1, *pose, physicsClientId=world)
        pybullet.resetBaseVelocity(1, [0, 0, 0], [0, 0, 0], physicsClientId=world)
        theta = np.empty(len(accel) + 1)
        theta[0] = case.theta0
        for i, a in enumerate(accel.tolist()):
            pybullet.setGravity(-a, 0, -block.g, physicsClientId=world)
            pybullet.stepSimulation(physicsClientId=world)
            _, (_, qy, _, qw) = pybullet.getBasePositionAndOrientation(1, physicsClientId=world)
            theta[i + 1] = 2 * math.atan2(qy, qw)
        pybullet.disconnect(world)
        return History(times(len(theta), step), theta)

    return run


def prepare_body(setting: Setting, flight: Flight) -> Callable[[], Pose]:
    import pybullet

    body, start, step = flight.body, flight.start, 1 / float(setting.options["rate"])
    if body.radius is None:
        size = [*body.base[2], body.height / 2]
        shape = {"shapeType": pybullet.GEOM_BOX, "halfExtents": size}
    else:
        round_shape = {"radius": body.radius, "height": body.height}
        shape = {"shapeType": pybullet.GEOM_CYLINDER, **round_shape}
    pose = start.centre.tolist(), _quaternion(start.R)
    world = _world(pybullet, body.mass, shape, pose)
    inertia = np.diag(body.inertia).tolist()
    pybullet.changeDynamics(1, -1, localInertiaDiagonal=inertia, physicsClientId=world)
    if setting.options.get("tuned"):
        _tune(pybullet, world)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=step, physicsClientId=world)
    pybullet.setGravity(0, 0, -body.g, physicsClientId=world)
    velocity = start.velocity.tolist(), start.spin.tolist()
    pybullet.resetBaseVelocity(1, *velocity, physicsClientId=world)
    n = flight.steps(step)

    def run() -> Pose:
        for _ in range(n):
            pybullet.stepSimulation(physicsClientId=world)
        centre, q = pybullet.getBasePositionAndOrientation(1, physicsClientId=world)
        moving = pybullet.getBaseVelocity(1, physicsClientId=world)
        R = np.array(pybullet.getMatrixFromQuaternion(q)).reshape(3, 3)
        pybullet.disconnect(world)
        return Pose(n * step, R, np.array(centre), *map(np.array, moving))

    return run


def _quaternion(R: Any) -> list[float]:
    """(x, y, z, w) of an attitude that is not upside down."""
    w = math.sqrt(1 + np.trace(R)) / 2
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    return [float(number) for number in (x / (4 * w), y / (4 * w), z / (4 * w), w)]


def _world(pybullet: Any, mass: float, shape: dict[str, Any], pose: Any) -> int:
    """Body 0 is the ground, body 1 the one that moves."""
    world: int = pybullet.connect(pybullet.DIRECT)
    ground = pybullet.createCollisionShape(
        pybullet.GEOM_BOX, halfExtents=[20, 20, 1], physicsClientId=world
    )
    moving = pybullet.createCollisionShape(**shape, physicsClientId=world)
    pybullet.createMultiBody(0, ground, basePosition=[0, 0, -1], physicsClientId=world)
    pybullet.createMultiBody(mass, moving, -1, *pose, physicsClientId=world)
    for body in (0, 1):
        pybullet.changeDynamics(
            body, -1, lateralFriction=math.sqrt(FRICTION), restitution=0, physicsClientId=world
        )  # Bullet multiplies the two bodies' friction
    return world


def _tune(pybullet: Any, world: int) -> None:
    pybullet.setPhysicsEngineParameter(
        numSolverIterations=200,
        erp=0.05,
        contactERP=0.05,
        contactSlop=0.0,
        restitutionVelocityThreshold=0.0,
        physicsClientId=world,
    )
    pybullet.changeDynamics(1, -1, linearDamping=0, angularDamping=0, physicsClientId=world)
