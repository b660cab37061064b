"""OpenSees: a very stiff corotational column on a base section of two no-tension fibres.

The usual finite-element model of a rocking body (Vassiliou, Mackie and Stojadinović 2017): a
zero-length section whose two fibres stand for the corners, the mass at the centre of gravity, and
a time integration (HHT) whose numerical damping takes the energy out at impacts. The section's
kinematics are linear in the angle: its corner lifts by b θ and stays above itself, which makes
this block's swings 2 % too short whatever the step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.peers.cases import Case, times
from benchmarks.peers.history import History, Run, Setting

NAME, PACKAGE = "OpenSeesPy", "openseespy"

SETTINGS = (
    Setting("usual", "step 10 ms, HHT 0.9, fibres 1e8 N/m", {"step": 1e-2, "k": 1e8, "hht": 0.9}),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, HHT 0.7, fibres {1e4 / step**2:.0e} N/m",
            {"step": step, "k": 1e4 / step**2, "hht": 0.7},  # soft or damped less: it bounces
        )
        for step in (1e-3, 1e-4)
    ),
)
STIFFER = 1e3  # the column, against its base
COM = 3  # the node at the centre of mass
SUBSTEPS = 10  # where the iteration fails at a step


def prepare(setting: Setting, case: Case) -> Run:
    import openseespy.opensees as ops

    step = float(setting.options["step"])
    n = len(case.midpoints(step))

    def run() -> History:
        theta = np.empty(n + 1)
        theta[0] = -ops.nodeDisp(COM, 3)
        for i in range(n):
            if ops.analyze(1, step) and not _carefully(ops, step):
                theta[i + 1 :] = np.nan
                break
            theta[i + 1] = -ops.nodeDisp(COM, 3)
            if abs(theta[i + 1]) > np.pi / 2:
                theta[i + 1 :] = theta[i + 1]
                break
        return History(times(n + 1, step), theta)

    _model(ops, case, float(setting.options["k"]))
    _lean(ops, case.theta0)
    _transient(ops, case, float(setting.options["hht"]))
    return run


def _model(ops: Any, case: Case, k: float) -> None:
    block = case.block
    b, h = block.width / 2, block.com_height
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.node(1, 0.0, 0.0)
    ops.node(2, 0.0, 0.0)
    ops.node(COM, 0.0, h)
    ops.fix(1, 1, 1, 1)
    ops.equalDOF(1, 2, 1)  # no sliding
    ops.mass(COM, block.mass, block.mass, block.inertia)
    ops.uniaxialMaterial("ENT", 1, k)  # elastic, no tension
    ops.section("Fiber", 1)
    ops.fiber(b, 0.0, 1.0, 1)
    ops.fiber(-b, 0.0, 1.0, 1)
    ops.element("zeroLengthSection", 1, 1, 2, 1, "-orient", 0, 1, 0, -1, 0, 0)
    ops.geomTransf("Corotational", 1)
    ops.element("elasticBeamColumn", 2, 2, COM, 1.0, STIFFER * k * h, b**2, 1)
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 1, 1)
    ops.load(COM, 0.0, -block.mass * block.g, 0.0)
    _solver(ops)
    ops.integrator("LoadControl", 0.1)
    ops.analysis("Static")
    ops.analyze(10)
    ops.loadConst("-time", 0.0)


def _solver(ops: Any) -> None:
    ops.wipeAnalysis()
    ops.constraints("Transformation")
    ops.numberer("Plain")
    ops.system("FullGeneral")
    ops.test("NormDispIncr", 1e-12, 100, 0)
    ops.algorithm("Newton")


def _lean(ops: Any, theta0: float) -> None:
    """Push it over to the angle at which it is let go."""
    if theta0 == 0:
        return
    ops.timeSeries("Linear", 2)
    ops.pattern("Plain", 2, 2)
    ops.load(COM, 1.0, 0.0, 0.0)
    _solver(ops)
    ops.integrator("DisplacementControl", COM, 3, -theta0 / 200)
    ops.analysis("Static")
    if ops.analyze(200):
        raise RuntimeError("OpenSees did not reach the angle of release.")
    ops.remove("loadPattern", 2)
    ops.setTime(0.0)


def _transient(ops: Any, case: Case, hht: float) -> None:
    motion = case.motion
    ops.timeSeries("Path", 3, "-dt", motion.dt, "-values", *motion.accel.tolist())
    ops.pattern("UniformExcitation", 3, 1, "-accel", 3)
    _solver(ops)
    ops.integrator("HHT", hht)
    ops.analysis("Transient")


def _carefully(ops: Any, step: float) -> bool:
    """The step once more, in small ones."""
    return all(ops.analyze(1, step / SUBSTEPS) == 0 for _ in range(SUBSTEPS))
