"""Stones by numerical dissipation beside `BlockDynamics`: prints the tables of
docs/formulations/joints.md.

    python docs/joint_comparison.py
"""

from __future__ import annotations

import dataclasses
import math
import warnings

import numpy as np

import rocksteady as rs

DRUMS = rs.Assembly.drums(2, height=4.0, width=0.8, friction=0.7)
WHOLE = rs.Block(4.0, 0.8)
PULSES = (  # amplitude [m/s²], period [s]
    (2.5, 0.8), (3.0, 0.8), (3.5, 0.8), (3.0, 0.5), (4.0, 0.5), (5.0, 0.5), (2.3, 1.2), (4.0, 0.3),
    (6.0, 0.3), (8.0, 0.3),
)  # fmt: skip


def released(angle: float) -> rs.Assembly:
    """The two drums, turned together about the right corner of the base."""
    turned = [
        stone if stone.fixed else stone.turned(-angle, about=(0.4, 0.0)) for stone in DRUMS.stones
    ]
    return dataclasses.replace(DRUMS, stones=tuple(turned))


def kept(lean: np.ndarray, impacts: int = 5) -> float:
    """Share of the energy that an impact keeps, the mean of the first few: from the peaks of the
    lean over α, as Eq. 3 has it."""
    sides = np.flatnonzero(np.diff(np.sign(lean)))[: impacts + 1]
    peaks = [np.abs(part).max() for part in np.split(lean, sides + 1)[: impacts + 1]]
    energy = 1 - (1 - np.array(peaks) / WHOLE.alpha) ** 2
    return float((energy[-1] / energy[0]) ** (1 / impacts))


def free_rocking(how: rs.JointDissipation | rs.BlockDynamics) -> float:
    angle = WHOLE.alpha / 2
    dt = 0.002 if isinstance(how, rs.BlockDynamics) else how.time_step(DRUMS)
    run = rs.simulate(released(angle), rs.Motion.zeros(10.0, dt), how, until=10.0)
    return kept(angle - run.column("theta drum 1"))


def sharing(r: float) -> float:
    """κ of `BlockDynamics` for which an impact of the whole column keeps r of its energy."""
    eta, half, h = math.sqrt(r), WHOLE.width / 2, WHOLE.com_height
    c = (1 - eta) / (1 + eta) * (WHOLE.inertia / WHOLE.mass + h**2) / half
    return (half - c) / (half + c)


def turn(assembly: rs.Assembly, motion: rs.Motion, how: rs.Formulation) -> str:
    run = rs.simulate(assembly, motion, how, until=8.0)
    return "falls" if run.fell else f"{run.column('turn').max() / WHOLE.alpha:.3f}"


def main() -> None:
    warnings.simplefilter("ignore", rs.RocksteadyWarning)
    print("| Δt | r of the law | r measured | BlockDynamics, share | r measured |")
    pairs = []
    for dt in (None, 0.01, 0.005):
        how = rs.JointDissipation(dt=dt)
        base = next(joint for joint in how.joint_steps(DRUMS) if joint.below == "ground")
        r = free_rocking(how)
        other = rs.BlockDynamics(share=max(sharing(r), 0.0))
        pairs.append((how, other))
        print(
            f"| {1e3 * how.time_step(DRUMS):.1f} ms | {base.r_expected:.3f} | {r:.3f} | "
            f"{other.share:.3f} | {free_rocking(other):.3f} |"
        )
    print("\n| pulse | " + " | ".join(f"{how.time_step(DRUMS):.4f} s, share" for how, _ in pairs))
    for amplitude, period in PULSES:
        motion = rs.pulses.sine(amplitude, period=period)
        cells = [turn(DRUMS, motion, how) for pair in pairs for how in pair]
        print(f"| {amplitude:g} m/s², {period:g} s | {' | '.join(cells)} |", flush=True)
    trilith = rs.Assembly.trilith(0.5, 2.5, 1.5, 0.4, friction=0.7)
    column = rs.Assembly.drums(10, height=6.0, width=1.0, friction=0.7)
    for assembly in (trilith, column):
        print(f"\n{assembly.label}: {rs.JointDissipation().time_step(assembly):.4f} s")
        for amplitude, period in ((2.5, 0.8), (3.0, 0.8), (4.0, 0.5), (6.0, 0.3)):
            motion = rs.pulses.sine(amplitude, period=period)
            hows = (rs.BlockDynamics(), rs.JointDissipation(), rs.JointDissipation(dt=0.005))
            print(amplitude, period, *(turn(assembly, motion, how) for how in hows), flush=True)


if __name__ == "__main__":
    main()
