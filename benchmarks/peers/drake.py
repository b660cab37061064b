"""Drake: a box on a half space, with a small sphere at each lower corner to touch it; a cylinder
touches it itself.

Drake's point contact finds one point between two bodies, the deepest; its own advice for a box is
spheres at the corners. The ground's acceleration acts as an inertial force on the box.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.peers.cases import FRICTION, Case
from benchmarks.peers.history import History, Run, Setting
from benchmarks.peers.space import Flight, Pose

NAME, PACKAGE = "Drake", "drake"
SPHERE = 1e-5  # m

SETTINGS = (
    Setting("default", "step 1 ms, point contact, lagged, stiffness 1e6 N/m", {}),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, point contact, lagged, stiffness {stiffness:.0e} N/m",
            {"step": step, "stiffness": stiffness},
        )
        for step, stiffness in ((1e-3, 1e9), (5e-4, 4e9))  # softer: it bounces
    ),
)


def prepare(setting: Setting, case: Case) -> Run:
    logging.getLogger("drake").setLevel(logging.ERROR)  # half spaces cannot touch soft bodies
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder
    from pydrake.systems.primitives import LogVectorOutput, TrajectorySource
    from pydrake.trajectories import PiecewisePolynomial

    builder = DiagramBuilder()
    plant = _plant(builder, setting, case)
    motion = case.motion
    force = -case.block.mass * motion.accel[None, :]
    source = builder.AddSystem(
        TrajectorySource(PiecewisePolynomial.FirstOrderHold(motion.time, force))
    )
    builder.Connect(source.get_output_port(), plant.get_actuation_input_port())
    log = LogVectorOutput(plant.get_state_output_port(), builder)
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    x, z = case.pose
    plant.SetPositions(plant.GetMyMutableContextFromRoot(context), [x, z, case.theta0])
    simulator = Simulator(diagram, context)
    simulator.Initialize()

    def run() -> History:
        simulator.AdvanceTo(case.duration)
        kept = log.FindLog(context)
        return History(np.array(kept.sample_times()), np.array(kept.data()[2]))

    return run


def prepare_body(setting: Setting, flight: Flight) -> Callable[[], Pose]:
    logging.getLogger("drake").setLevel(logging.ERROR)
    from pydrake.geometry import Cylinder
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.tree import SpatialInertia, UnitInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    body, start, builder = flight.body, flight.start, DiagramBuilder()
    plant, properties = _ground(builder, setting, body.g)
    unit = UnitInertia(*(np.diag(body.inertia) / body.mass))
    inertia = SpatialInertia(body.mass, np.zeros(3), unit)
    moving = plant.AddRigidBody("body", inertia)
    if body.radius is None:
        _add_corners(plant, moving, [*(2 * c for c in body.base[2]), body.height], properties)
    else:
        shape = Cylinder(body.radius, body.height)
        plant.RegisterCollisionGeometry(moving, RigidTransform(), shape, "rim", properties)
    plant.Finalize()
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    own = plant.GetMyMutableContextFromRoot(context)
    plant.SetFreeBodyPose(own, moving, RigidTransform(RotationMatrix(start.R), start.centre))
    velocity = SpatialVelocity(start.spin, start.velocity)
    plant.SetFreeBodySpatialVelocity(context=own, body=moving, V_JpJc=velocity)
    simulator = Simulator(diagram, context)
    simulator.Initialize()
    n = flight.steps(plant.time_step())

    def run() -> Pose:
        simulator.AdvanceTo(n * plant.time_step())
        pose = plant.EvalBodyPoseInWorld(own, moving)
        moved = plant.EvalBodySpatialVelocityInWorld(own, moving)
        about = pose.translation(), moved.translational(), moved.rotational()
        return Pose(n * plant.time_step(), pose.rotation().matrix(), *about)

    return run


def _plant(builder: Any, setting: Setting, case: Case) -> Any:
    from pydrake.multibody.tree import PrismaticJoint, RevoluteJoint, SpatialInertia

    block = case.block
    plant, properties = _ground(builder, setting, block.g)
    size = block.width, block.thickness, block.height
    box = plant.AddRigidBody("block", SpatialInertia.SolidBoxWithMass(block.mass, *size))
    carriers = [plant.AddRigidBody(name, SpatialInertia.Zero()) for name in ("x", "z")]
    frames = [body.body_frame() for body in (plant.world_body(), *carriers, box)]
    x = plant.AddJoint(PrismaticJoint("x", frames[0], frames[1], [1, 0, 0]))
    plant.AddJoint(PrismaticJoint("z", frames[1], frames[2], [0, 0, 1]))
    plant.AddJoint(RevoluteJoint("theta", frames[2], frames[3], [0, 1, 0]))
    plant.AddJointActuator("inertial force", x)
    _add_corners(plant, box, size, properties)
    plant.Finalize()
    return plant


def _ground(builder: Any, setting: Setting, g: float) -> tuple[Any, Any]:
    """(plant with gravity and the ground, properties of contacts)."""
    from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig

    config = MultibodyPlantConfig()  # its defaults, but for the step
    config.time_step = setting.options.get("step", config.time_step)
    plant, _ = AddMultibodyPlant(config, builder)
    properties = ProximityProperties()
    friction = CoulombFriction(FRICTION, FRICTION)
    AddContactMaterial(
        point_stiffness=setting.options.get("stiffness"), friction=friction, properties=properties
    )
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -g])
    plant.RegisterCollisionGeometry(
        plant.world_body(), RigidTransform(), HalfSpace(), "ground", properties
    )
    return plant, properties


def _add_corners(plant: Any, box: Any, size: Any, properties: Any) -> None:
    from pydrake.geometry import Sphere
    from pydrake.math import RigidTransform

    for i, (sx, sy) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        corner = [sx * size[0] / 2, sy * size[1] / 2, SPHERE - size[2] / 2]
        plant.RegisterCollisionGeometry(
            box, RigidTransform(corner), Sphere(SPHERE), f"corner {i}", properties
        )
