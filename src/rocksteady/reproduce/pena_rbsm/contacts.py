"""Peña, rigid body spring model: bodies with r interfaces, each with its own K and β (Eqs. 1–4)."""

from functools import cache

import numpy as np

from rocksteady.bodies import Block
from rocksteady.motion import Motion
from rocksteady.reproduce.drawing import long_table, sheet
from rocksteady.reproduce.pena_rbsm.bodies import GRANITE
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import RigidBodySpring
from rocksteady.theories.springs import Interface
from rocksteady.view import style

BODY = Block(height=2.0, width=0.4, density=2700.0)
FRICTION = 0.4
BASE = Interface.base(BODY, K=2e7, beta=2e-3)
CASES = {
    "between two walls": (
        BASE,
        Interface.wall(BODY, "right", 1.6, gap=5e-3, K=1e7, beta=1e-3),
        Interface.wall(BODY, "left", 1.4, 1.8, gap=4e-3, K=4e6, beta=3e-3),
    ),
    "on a step": (
        Interface.pad(-0.2, -0.02, K=3e7, beta=1e-3, name="floor"),
        Interface.pad(0.02, 0.2, 0.1, K=1e7, beta=3e-3, name="step"),
    ),
    "on three pads": (
        Interface.pad(-0.2, -0.16, K=2e7, beta=1e-3, name="left pad"),
        Interface.pad(-0.02, 0.02, K=5e6, beta=2e-3, name="middle pad"),
        Interface.pad(0.15, 0.19, K=2e7, beta=1e-3, name="right pad"),
    ),
}
COLOURS = (style.BLUE, style.VERMILLION, style.GREEN)
FINER = (1, 4, 16, 64, 256)  # times shorter steps than the default
LEVEL, SPAN = 3.5, 0.8  # m/s², s


@cache
def shaken(name: str, finer: int = 1) -> Response:
    """The body of this case under a modulated sine with a vertical component."""
    time = 2e-3 * np.arange(round(SPAN / 2e-3) + 1)
    accel = LEVEL * np.sin(9 * time) * np.sin(2.5 * time)
    ground = Motion(accel, 2e-3, vertical=0.6 * np.sin(31 * time))
    how = RigidBodySpring(interfaces=CASES[name], friction=FRICTION)
    dt = how.parameters(BODY).longest / finer
    how = RigidBodySpring(interfaces=CASES[name], friction=FRICTION, dt=dt)
    return simulate(BODY, ground, how, until="motion")


def interfaces(effort: Effort) -> Result:
    """A block between two walls, on a step and on three pads."""
    parts = {}
    with sheet("Peña, rigid body spring model: several interfaces", 120) as fig:
        grid = fig.subplots(2, 3, sharex=True)
        for (lean, push), (name, contacts) in zip(grid.T, CASES.items(), strict=True):
            run = shaken(name)
            lean.plot(run.time, run.theta / BODY.alpha, color=style.INK, lw=0.9)
            lean.set(title=name.capitalize())
            columns = {"time [s]": run.time, "theta [rad]": run.theta}
            for i, (one, colour) in enumerate(zip(contacts, COLOURS, strict=False)):
                force = run.column(f"N start {one.name}") + run.column(f"N end {one.name}")
                push.plot(run.time, force / (BODY.mass * BODY.g), color=colour, lw=0.9,
                          label=one.name)  # fmt: skip
                columns[f"force of interface {i + 1} [N]"] = force
            columns.setdefault("force of interface 3 [N]", np.full(len(run.time), np.nan))
            parts[name] = columns
            push.set(xlabel="time [s]", xlim=(0, SPAN), ylim=(-0.05, 1.75))
            push.legend(loc="upper left", fontsize=7)
        grid[0, 0].set_ylabel("θ/α [–]")
        grid[1, 0].set_ylabel("normal force/weight [–]")
    return Result(long_table(parts, "case", 400), fig, _verdicts(), GRANITE)


def imbalance(name: str, finer: int) -> float:
    """Largest energy that work and loss do not account for, over the largest of all energies."""
    run = shaken(name, finer)
    work, loss, energy = run.column("work"), run.column("loss"), run.energy
    size = max(np.ptp(energy), np.abs(work).max(), np.abs(loss).max())
    return float(np.abs(energy - energy[0] - work + loss).max() / size)


def _verdicts() -> list[Verdict]:
    found = [
        number("one interface against the bed under the base, largest |Δθ|", 0.0, _one(), 0.0,
               "the same to the last bit", unit="rad", basis="derived"),
    ]  # fmt: skip
    for name in CASES:
        off = [imbalance(name, finer) for finer in FINER]
        order = -float(np.polyfit(np.log(FINER), np.log(off), 1)[0])
        found += [
            between(f"{name}: energy that is unaccounted for, at a 256th of the default step",
                    -np.inf, 1e-7, off[-1], "of the largest energy; impacts and friction included",
                    basis="derived", remark=f"{off[0]:.1e} at the default step."),
            between(f"{name}: order of that in the step", 1.6, 2.4, order,
                    "forces act for a whole step: order 2; contact begins anywhere inside one",
                    basis="derived"),
        ]  # fmt: skip
    return found


def _one() -> float:
    ground = shaken("on three pads").motion
    alone = RigidBodySpring(K=BASE.K, beta=BASE.beta, friction=FRICTION)
    joined = RigidBodySpring(interfaces=[BASE], friction=FRICTION)
    one, other = (simulate(BODY, ground, how, until="motion") for how in (alone, joined))
    return float(np.abs(one.theta - other.theta).max())
