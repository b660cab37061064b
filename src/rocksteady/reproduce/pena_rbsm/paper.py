"""Peña, rigid body spring model: the six motion states. The paper is an extended abstract without
figures."""

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rocksteady.motion import Motion
from rocksteady.reproduce.drawing import long_table, sheet
from rocksteady.reproduce.pena_rbsm.bodies import BLOCK, GRANITE, asymmetry, slenderness
from rocksteady.reproduce.pena_rbsm.contacts import interfaces
from rocksteady.reproduce.pena_rbsm.scheme import scheme
from rocksteady.reproduce.verdict import Effort, Item, Paper, Result, Verdict, claim, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Housner, RigidBodySpring
from rocksteady.theories.springs import motion_states
from rocksteady.view import style

STEP = 1e-3  # s, between samples
COLOURS = {
    "rest": style.QUIET,
    "slide": style.ORANGE,
    "rotation": style.BLUE,
    "slide-rotation": style.GREEN,
    "translation-jump": style.SKY,
    "rotation-jump": style.PURPLE,
}


class Case(NamedTuple):
    """A ground that brings the body into one of the states."""

    state: str
    words: str
    horizontal: float  # g
    vertical: float  # g
    friction: float
    omega0: float = 0.0
    duration: float = 0.2


CASES = (
    Case("rest", "a = 0.1 g, μ = 1", 0.1, 0.0, 1.0),
    Case("slide", "a = 0.15 g, μ = 0.1", 0.15, 0.0, 0.1, duration=1.2),
    Case("rotation", "a = 0.4 g, μ = 1", 0.4, 0.0, 1.0, duration=0.35),
    Case("slide-rotation", "a = 1 g, μ = 0.3", 1.0, 0.0, 0.3, duration=0.3),
    Case("translation-jump", "the ground falls at 2 g", 0.0, -2.0, 1.0, duration=0.3),
    Case("rotation-jump", "the same, turning at 0.5 rad/s", 0.0, -2.0, 1.0, 0.5, duration=0.3),
)


@cache
def shaken(case: Case) -> Response:
    """The block under the steady acceleration of the case."""
    samples = round(case.duration / STEP) + 1
    a_h, a_v = (np.full(samples, value * BLOCK.g) for value in (case.horizontal, case.vertical))
    how = RigidBodySpring(friction=case.friction)
    ground = Motion(a_h, STEP, vertical=a_v if case.vertical else None)
    return simulate(BLOCK, ground, how, omega0=case.omega0, duration=case.duration)


def prevailing(response: Response) -> str:
    """The state that lasts longest."""
    return max(motion_states(response), key=lambda state: state[1] - state[0])[2]


# -- the six states --------------------------------------------------------------------------------


def states(effort: Effort) -> Result:
    """Each state in a drawing of its own, with the forces below."""
    runs = {case: shaken(case) for case in CASES}
    with sheet("Peña, rigid body spring model: the six motion states", 165) as fig:
        grid = fig.add_gridspec(4, 3, height_ratios=(2, 1, 2, 1))
        drawings, forces = [], []
        for i, (case, run) in enumerate(runs.items()):
            row, column = 2 * (i // 3), i % 3
            drawings.append(fig.add_subplot(grid[row, column]))
            forces.append(fig.add_subplot(grid[row + 1, column]))
            _draw_body(drawings[-1], run, COLOURS[case.state])
            drawings[-1].set_title(case.state.capitalize())
            drawings[-1].text(-1.3, 2.66, case.words, size=7, color=style.QUIET)
            _draw_forces(forces[-1], run)
        for ax in forces[::3]:
            ax.set_ylabel("force/weight [–]")
        fig.legend(*forces[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    parts = {
        case.state: {"time [s]": run.time} | {name: run.column(name) for name in _KEPT}
        for case, run in runs.items()
    }
    return Result(long_table(parts, "case", 400), fig, _state_verdicts(runs), GRANITE)


_KEPT = ("theta [rad]", "u [m]", "v [m]", "slide [m]", "N_left [N]", "N_right [N]", "shear [N]")


def _draw_body(ax: Any, run: Response, colour: str) -> None:
    """The body at four instants, the last in full colour, on the ground as it moves along."""
    b, height = BLOCK.width / 2, BLOCK.height
    outline = np.array([(-b, 0), (b, 0), (b, height), (-b, height), (-b, 0)])
    centre = np.array([0, height / 2])
    for share, alpha in ((0.0, 0.25), (0.5, 0.45), (0.8, 0.65), (1.0, 1.0)):
        i = round(share * (len(run.time) - 1))
        psi = -run.theta[i]
        turn = np.array([[math.cos(psi), -math.sin(psi)], [math.sin(psi), math.cos(psi)]])
        moved = (outline - centre) @ turn.T + centre
        moved += [float(run.column("u")[i]), float(run.column("v")[i])]
        ax.plot(*moved.T, color=colour, alpha=alpha, lw=1.2 if share == 1 else 0.8)
    ax.axhline(0, color=style.INK, lw=0.8)
    ax.set(xlim=(-1.3, 1.3), ylim=(-0.08, 2.8))
    ax.set_aspect("equal")
    ax.axis("off")


def _draw_forces(ax: Any, run: Response) -> None:
    weight = BLOCK.mass * BLOCK.g
    ax.axhline(0, color=style.FAINT, lw=0.8)
    for name, colour, label in (
        ("N_left", style.BLUE, "normal force, left corner"),
        ("N_right", style.VERMILLION, "normal force, right corner"),
        ("shear", style.INK, "friction"),
    ):
        ax.plot(run.time, run.column(name) / weight, color=colour, lw=0.9, label=label)
    ax.set(xlabel="time [s]", xlim=(0, run.time[-1]), ylim=(-0.35, 1.15))


def _state_verdicts(runs: dict[Case, Response]) -> list[Verdict]:
    reproduced = [
        claim(f"{case.state}, {case.words}", case.state, prevailing(run),
              prevailing(run) == case.state)
        for case, run in runs.items()
    ]  # fmt: skip
    by = {case.state: run for case, run in runs.items()}
    slid = by["slide"].column("slide")[600]
    expected = -(0.15 - 0.1) * BLOCK.g * 0.6**2 / 2
    flown = by["translation-jump"].column("v")[150]
    air = by["rotation-jump"].omega[20:]
    classical = simulate(BLOCK, Motion(np.full(201, 0.4 * BLOCK.g), STEP), Housner(), duration=0.2)
    return [
        *reproduced,
        number("slide after 0.6 s, −(a − μ g) t²/2", expected, float(slid), 0.01 * abs(expected),
               "1 %: the springs are first loaded", unit="m", basis="derived"),
        number("rotation after 0.2 s against Housner", float(classical.theta[-1]),
               float(by["rotation"].theta[200]), 0.02 * abs(float(classical.theta[-1])),
               "2 %: small rotations and a bed that sinks", unit="rad", basis="derived"),
        _slide_rotation(),
        number("flight after 0.15 s, g t²/2", BLOCK.g * 0.15**2 / 2, float(flown),
               0.01 * BLOCK.g * 0.15**2 / 2, "1 %: the springs throw it a little", unit="m",
               basis="derived"),
        number("change of spin in flight, relative", 0.0, float(np.ptp(air)) / 0.5, 1e-12,
               "no moment acts: rounding", basis="derived"),
    ]  # fmt: skip


def _slide_rotation() -> Verdict:
    """The start of slide-rocking, from the equations of a rigid body on a frictional corner."""
    A, mu, t = 1.0, 0.3, 0.05
    m, inertia, g = BLOCK.mass, BLOCK.inertia, BLOCK.g
    h, b = BLOCK.com_height, BLOCK.width / 2
    N = g / (1 / m + (b - mu * h) * b / inertia)
    psi = (mu * h - b) * N / inertia
    how = RigidBodySpring(K=100 * RigidBodySpring().bed(BLOCK).K, friction=mu)
    run = simulate(BLOCK, Motion(np.full(51, A * g), STEP), how, duration=t)
    wanted = -psi * t**2 / 2
    return number(
        "rotation after 0.05 s of slide-rotation, stiff bed", wanted, float(run.theta[-1]),
        0.02 * abs(wanted), "2 %: constant acceleration is the limit for small rotations",
        unit="rad", basis="derived",
    )  # fmt: skip


PAPER = Paper(
    "pena-rbsm",
    "F. Peña: A rigid body spring model for the numerical simulation of free standing blocks. "
    "Instituto de Ingeniería, UNAM.",
    (
        Item("States", "The six motion states", states),
        Item("Asymmetry", "An asymmetric body in both directions", asymmetry),
        Item("Slenderness", "Slender bodies and small rotations", slenderness),
        Item("Interfaces", "Walls, a step, pads", interfaces, also=("Eqs. 1–4",)),
        Item("Scheme", "A body with n sides, and the step", scheme),
    ),
    "the shaking-table tests, which the text does not describe.",
)
