"""MuJoCo: boxes that move in a vertical plane.

The ground's acceleration acts as an inertial force on every box, by one motor on a tendon that
couples all of them. `mujoco.rollout` runs all steps in compiled code. Its contact is a spring and
damper with a time constant (solref).
"""

from __future__ import annotations

import numpy as np
from benchmarks.peers.assemblies.problems import Problem, size
from benchmarks.peers.assemblies.runs import Run
from benchmarks.peers.history import Setting

NAME, PACKAGE = "MuJoCo", "mujoco"

SETTINGS = (
    Setting("default, 1 ms", "step 1 ms, pyramidal cones, solref 20 ms", {"step": 1e-3}),
    Setting(
        "noslip, 1 ms",
        "step 1 ms, elliptic cones, solref 2 ms, 20 noslip iterations",
        {"step": 1e-3, "option": 'cone="elliptic" noslip_iterations="20"', "solref": 2e-3},
    ),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, elliptic cones, impratio 100, solref {2e3 * step:g} ms, "
            "solimp 0.99–0.999",
            {"step": step, "option": 'cone="elliptic" impratio="100"', "solref": 2 * step,
             "solimp": "0.99 0.999 1e-5"},
        )
        for step in (1e-3, 2e-4)
    ),
)  # fmt: skip

BOX = """
    <body pos="{x} 0 {z}">
      <joint name="x{i}" type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <joint type="hinge" axis="0 -1 0"/>
      <geom type="box" size="{b} 0.5 {h}" mass="{mass}" friction="{friction}" {contact}/>
    </body>"""
MODEL = """
<mujoco>
  <option gravity="0 0 -{g}" timestep="{step}" {option}/>
  <size memory="64M"/>
  <worldbody>
    <geom type="plane" size="50 50 1" friction="{friction}" {contact}/>{boxes}
  </worldbody>
  <tendon><fixed name="all">{joints}</fixed></tendon>
  <actuator><motor tendon="all" gear="-1"/></actuator>
</mujoco>
"""


def prepare(setting: Setting, problem: Problem) -> Run:
    import mujoco
    from mujoco import rollout

    step, assembly = float(setting.options["step"]), problem.assembly
    rubbing = {"friction": assembly.friction, "contact": _contact(setting)}
    boxes, joints = "", ""
    for i, stone in enumerate(problem.loose):
        (width, height), (x, z) = size(stone), stone.centre
        boxes += BOX.format(x=x, z=z, b=width / 2, h=height / 2, mass=stone.mass, i=i, **rubbing)
        joints += f'<joint joint="x{i}" coef="{stone.mass}"/>'
    option = setting.options.get("option", "")
    text = MODEL.format(
        g=assembly.g, step=step, option=option, boxes=boxes, joints=joints, **rubbing
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    control = problem.midpoints(step)[None, :, None]
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty((1, mujoco.mj_stateSize(model, full)))
    mujoco.mj_getState(model, data, start[0], full)
    n, every = len(problem.loose), problem.between_notes(step)

    def run() -> np.ndarray:
        states, _ = rollout.rollout(model, data, start, control)
        moved = states[0, every - 1 :: every, 1 : 1 + 3 * n].reshape(-1, n, 3)
        return problem.starts + np.concatenate([np.zeros((1, n, 3)), moved])

    return run


def _contact(setting: Setting) -> str:
    options = setting.options
    time = f'solref="{options["solref"]} 1"' if "solref" in options else ""
    return time + (f' solimp="{options["solimp"]}"' if "solimp" in options else "")
