"""MuJoCo: a box on a plane, free to move in the plane of the motion.

The ground's acceleration acts as an inertial force on the box. `mujoco.rollout` runs all steps in
compiled code. MuJoCo's contact is a spring and damper with a time constant (solref), which it
wants at two steps or more.
"""

from __future__ import annotations

import numpy as np
from benchmarks.peers.cases import FRICTION, Case, times
from benchmarks.peers.history import History, Run, Setting

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


def prepare(setting: Setting, case: Case) -> Run:
    import mujoco
    from mujoco import rollout

    block, step = case.block, setting.options.get("step")
    model = mujoco.MjModel.from_xml_string(
        MODEL.format(
            g=block.g,
            option="" if step is None else TUNED.format(step=step),
            contact="" if step is None else CONTACT.format(tau=2 * float(step)),
            friction=FRICTION,
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
