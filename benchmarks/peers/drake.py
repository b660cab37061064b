"""Drake: a box on a half space, with a small sphere at each lower corner to touch it.

Drake's point contact finds one point between two bodies, the deepest; its own advice for a box is
spheres at the corners. The ground's acceleration acts as an inertial force on the box.
"""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from benchmarks.peers.cases import FRICTION, Case
from benchmarks.peers.history import History, Run, Setting

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


def _plant(builder: Any, setting: Setting, case: Case) -> Any:
    from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import PrismaticJoint, RevoluteJoint, SpatialInertia

    block = case.block
    config = MultibodyPlantConfig()  # its defaults, but for the step
    config.time_step = setting.options.get("step", config.time_step)
    plant, _ = AddMultibodyPlant(config, builder)
    properties = ProximityProperties()
    friction = CoulombFriction(FRICTION, FRICTION)
    AddContactMaterial(
        point_stiffness=setting.options.get("stiffness"), friction=friction, properties=properties
    )
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -block.g])
    plant.RegisterCollisionGeometry(
        plant.world_body(), RigidTransform(), HalfSpace(), "ground", properties
    )
    size = block.width, block.thickness, block.height
    box = plant.AddRigidBody("block", SpatialInertia.SolidBoxWithMass(block.mass, *size))
    carriers = [plant.AddRigidBody(name, SpatialInertia.Zero()) for name in ("x", "z")]
    frames = [body.body_frame() for body in (plant.world_body(), *carriers, box)]
    x = plant.AddJoint(PrismaticJoint("x", frames[0], frames[1], [1, 0, 0]))
    plant.AddJoint(PrismaticJoint("z", frames[1], frames[2], [0, 0, 1]))
    plant.AddJoint(RevoluteJoint("theta", frames[2], frames[3], [0, 1, 0]))
    plant.AddJointActuator("inertial force", x)
    for i, (sx, sy) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        corner = [sx * size[0] / 2, sy * size[1] / 2, SPHERE - size[2] / 2]
        plant.RegisterCollisionGeometry(
            box, RigidTransform(corner), Sphere(SPHERE), f"corner {i}", properties
        )
    plant.Finalize()
    return plant
