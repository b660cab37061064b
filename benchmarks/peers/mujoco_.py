"""MuJoCo: a box on a plane, free to move in the plane of the motion, or a body in space.

The ground's acceleration acts as an inertial force on the box. `mujoco.rollout` runs all steps in
compiled code. MuJoCo's contact is a spring and damper with a time constant (solref), which it
wants at two steps or more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from benchmarks.peers.cases import FRICTION, Case, times
from benchmarks.peers.history import History, Run, Setting
from benchmarks.peers.space import Flight, Pose

NAME, PACKAGE = "MuJoCo", "mujoco"

SETTINGS = (
    Setting("default", "step 2 ms, semi-implicit Euler, pyramidal cones, solref 20 ms", {}),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, implicitfast, elliptic cones, impratio 100, "
            f"solref {2e3 * step:g} ms, solimp 0.99–0.999",
            {"step": step},
        )
        for step in (1e-3, 1e-4)
    ),
)

TUNED = '<option timestep="{step}" integrator="implicitfast" cone="elliptic" impratio="100"/>'
CONTACT = 'solref="{tau} 1" solimp="0.99 0.999 1e-5"'
MODEL = """
<mujoco>
  <option gravity="0 0 -{g}"/>
  {option}
  <worldbody>
    <geom type="plane" size="50 50 1" friction="{friction}" {contact}/>
    <body pos="0 0 {height}">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <joint type="hinge" axis="0 1 0"/>
      <geom type="box" size="{b} {d} {h}" mass="{mass}" friction="{friction}" {contact}/>
    </body>
  </worldbody>
  <actuator><motor joint="x" gear="-{mass}"/></actuator>
</mujoco>
"""

IN_SPACE = """
<mujoco>
  <option gravity="0 0 -{g}"/>
  {option}
  <worldbody>
    <geom type="plane" size="50 50 1" friction="{friction}" {contact}/>
    <body>
      <freejoint/>
      <geom type="{shape}" size="{size}" mass="{mass}" friction="{friction}" {contact}/>
    </body>
  </worldbody>
</mujoco>
"""


def prepare(setting: Setting, case: Case) -> Run:
    import mujoco
    from mujoco import rollout

    block = case.block
    model = mujoco.MjModel.from_xml_string(
        MODEL.format(
            g=block.g,
            **_contact(setting),
            b=block.width / 2,
            d=block.thickness / 2,
            h=block.height / 2,
            height=block.height / 2,
            mass=block.mass,
        )
    )
    data = mujoco.MjData(model)
    x, z = case.pose
    data.qpos[:] = x, z - block.height / 2, case.theta0
    dt = model.opt.timestep
    control = case.midpoints(dt)[None, :, None]
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty((1, mujoco.mj_stateSize(model, full)))
    mujoco.mj_getState(model, data, start[0], full)

    def run() -> History:
        states, _ = rollout.rollout(model, data, start, control)
        theta = np.concatenate([[case.theta0], states[0, :, 3]])  # time, x, z, θ, velocities
        return History(times(len(theta), dt), theta)

    return run


def prepare_body(setting: Setting, flight: Flight) -> Callable[[], Pose]:
    import mujoco
    from mujoco import rollout

    body, start = flight.body, flight.start
    half = body.height / 2
    size = (*body.base[2], half) if body.radius is None else (body.radius, half)
    model = mujoco.MjModel.from_xml_string(
        IN_SPACE.format(
            g=body.g,
            **_contact(setting),
            shape="box" if body.radius is None else "cylinder",
            size=" ".join(map(str, size)),
            mass=body.mass,
        )
    )
    data = mujoco.MjData(model)
    data.qpos[:3] = start.centre
    mujoco.mju_mat2Quat(data.qpos[3:], start.R.ravel())
    data.qvel[:3], data.qvel[3:] = start.velocity, start.R.T @ start.spin  # the spin in its axes
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    begin = np.empty((1, mujoco.mj_stateSize(model, full)))
    mujoco.mj_getState(model, data, begin[0], full)
    n = flight.steps(model.opt.timestep)

    def run() -> Pose:
        states, _ = rollout.rollout(model, data, begin, nstep=n)
        end, R = states[0, -1], np.empty(9)  # time, place, quaternion, velocities
        mujoco.mju_quat2Mat(R, end[4:8])
        R = R.reshape(3, 3)
        return Pose(n * model.opt.timestep, R, end[1:4], end[8:11], R @ end[11:14])

    return run


def _contact(setting: Setting) -> dict[str, str | float]:
    step = setting.options.get("step")
    return {
        "option": "" if step is None else TUNED.format(step=step),
        "contact": "" if step is None else CONTACT.format(tau=2 * float(step)),
        "friction": FRICTION,
    }
