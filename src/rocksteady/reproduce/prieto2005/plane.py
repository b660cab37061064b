"""Prieto and Lourenço 2005: the effective potential, the torque that the paper drops, and its
outlook on several blocks."""

import math
from functools import cache
from typing import Any

import numpy as np

from rocksteady.analysis.complex_plane import EffectivePotential, PlaneMotion, varying_momentum
from rocksteady.analysis.complex_plane.stack import StackMotion, stack_motion
from rocksteady.bodies import Assembly, Block, Stone
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import OURS, REFERENCE, long_table, power_of_ten, sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, claim, number
from rocksteady.simulation import simulate
from rocksteady.theories import BlockDynamics, Housner
from rocksteady.view import style
from rocksteady.view.complex_plane import plot_potential

ALPHA, MU = math.atan(1 / 4), 0.925
BLOCK = Block.from_parameters(p=1.0, alpha=ALPHA)  # p = 1: seconds are the paper's time p τ

# -- Eqs. 12, 13 and 40 ----------------------------------------------------------------------------


def potential(effort: Effort) -> Result:
    """V_eff, its turning points, and the circle that the printed block rests on."""
    well = EffectivePotential(BLOCK, l=1e-3)
    figure = plot_potential(
        well, title="Prieto & Lourenço 2005, Eqs. 12, 13, 40: the effective potential, l = 10⁻³"
    )
    chi = np.geomspace(well.l / 4, 1.6, 400)
    table = {"χ [-]": chi, "(V_eff − U0)/(I p² α²) [-]": (well(chi) - well.U0) / well.unit}
    energy = well.released(0.5)
    off = [
        well_of.nearest(energy_of) / well_of.turning_points(energy_of)[0] - 1
        for well_of in (EffectivePotential(BLOCK, l=l) for l in (1e-2, 1e-3, 1e-4))
        for energy_of in (well_of.released(0.5),)
    ]
    near, far = well.turning_points(energy)
    slope = float((well(1.001 * well.chi_c) - well(0.999 * well.chi_c)) / well.unit)
    return Result(table, figure, [
        number("E − V_eff at both turning points, relative", 0.0,
               max(abs(float(well(chi)) - energy) for chi in (near, far)) / well.unit, 1e-11,
               "rounding of M g R beside I p² α²", basis="derived"),
        claim("Eq. 13 for small l_0", "tends to the exact r_min",
              ", ".join(f"{error:.1e}" for error in off),
              abs(off[0]) > 5 * abs(off[1]) > 25 * abs(off[2]), basis="stated",
              reason="relative error at l = 1e-2, 1e-3, 1e-4, a fifth or less each time"),
        number("dV_eff/dχ at χ_c (Eqs. 38 and 40)", 0.0, slope, 1e-6 * well.chi_c,
               "a central difference over 0.2 % of χ_c", basis="derived"),
    ])  # fmt: skip


# -- Eqs. 26 to 30 ---------------------------------------------------------------------------------

BETA, OMEGA, X0, UNTIL = 0.3, 4.0, 0.5, 3.0
MOMENTA = (1e-3, 1e-4, 1e-5)
ABOUT: dict[Any, str] = {
    None: "constant l (Eq. 35)",
    "pivot": "torque about the pivot (Eq. 30)",
    "ground": "torque about a fixed point",
}


@cache
def turned(about: Any, l: float) -> PlaneMotion:
    """Released at x = 0.5 under β cos ωt, with what the torque does to l."""
    return varying_momentum(BLOCK, _harmonic(), about=about, l=l, eta=MU, theta0=X0 * ALPHA)


@cache
def _harmonic() -> Motion:
    time = np.linspace(0, UNTIL, 1201)
    # Eq. 2; a positive β pushes towards +x, the ground to −x
    return Motion(-ALPHA * BLOCK.g * BETA * np.cos(OMEGA * time), float(time[1]), name="β cos ωt")


@cache
def _exact() -> Any:
    return simulate(BLOCK, _harmonic(), Housner(eta=MU), theta0=X0 * ALPHA, duration=UNTIL)


def momentum(effort: Effort) -> Result:
    """l as a variable: the paper's own torque does work at an impact however small l is."""
    runs = {(about, l): turned(about, l) for about in ABOUT for l in MOMENTA}
    exact = _exact()
    with sheet("Prieto & Lourenço 2005, Eqs. 26–30: the torque of the ground", 80) as fig:
        history, work = fig.subplots(1, 2)
        history.plot(exact.time, exact.theta / ALPHA, label="Housner", **REFERENCE)
        lines = (style.DASHED, "-", "-")
        for about, colour, line in zip(ABOUT, (style.INK, style.VERMILLION, style.BLUE), lines,
                                       strict=True):  # fmt: skip
            run = runs[about, 1e-5]
            history.plot(run.time, run.x, color=colour, ls=line, lw=0.9, label=ABOUT[about],
                         zorder=2 if about else 3)  # fmt: skip
            if about:
                work.plot(run.time, run.torque_work / _unit(), color=colour, lw=0.9)
        jump = _jump(runs["pivot", 1e-5])
        work.axhline(jump, color=style.QUIET, lw=0.8, ls=style.DASHED)
        work.annotate("2β cos ωt sin α/α", (0.1, jump - 0.03), fontsize=7, color=style.QUIET)
        history.set(xlabel="time pτ [–]", ylabel="x = θ/α [–]", xlim=(0, UNTIL))
        history.set_title("Rotation, l = 10⁻⁵")
        history.legend(loc="lower left", fontsize=7)
        work.set_title("Work of the torque")
        work.set(xlabel="time pτ [–]", ylabel="work of the torque/(I p² α²) [–]", xlim=(0, UNTIL))
    parts = {
        f"{ABOUT[about]}, l = {l:.0e}": {
            "t = pτ [-]": run.time, "x [-]": run.x, "l [-]": run.l,
            "work of the torque/(I p² α²) [-]": run.torque_work / _unit(),
        }
        for (about, l), run in runs.items()
    }  # fmt: skip
    note = (
        f"β = {BETA}, ω = {OMEGA:g}, x₀ = {X0}: chosen here, the paper keeps l constant. That "
        "is a modelling choice: the limit of the paper's own Eqs. 14b and 30 is another one."
    )
    return Result(long_table(parts, "system", 400), fig, _momentum_verdicts(runs), note)


def _unit() -> float:
    return float(BLOCK.right.inertia * (BLOCK.p * ALPHA) ** 2)


def _jump(run: PlaneMotion) -> float:
    """2β cos ωt sin α/α at the first impact."""
    impact = float(np.interp(math.pi / 2, run.psi, run.time))
    return 2 * BETA * math.cos(OMEGA * impact) * math.sin(ALPHA) / ALPHA


def _momentum_verdicts(runs: dict[Any, PlaneMotion]) -> list[Verdict]:
    classical = float(_exact().theta[-1]) / ALPHA
    said = "computed by other code from the paper's equations, in three decimals"
    verdicts = [
        number(f"x(3), {ABOUT[about]}, l = {power_of_ten(l)}", value, float(runs[about, l].x[-1]),
               0.005, f"{said}; it moves by 0.004 over these l", basis="independent")
        for about, value in ((None, -0.282), ("pivot", -1.128))
        for l in MOMENTA
    ]  # fmt: skip
    for about in (None, "ground"):
        off = [abs(float(runs[about, l].x[-1]) - classical) for l in MOMENTA]
        verdicts.append(
            claim(f"x(3) as l → 0, {ABOUT[about]}", f"Housner's, {classical:.4f}",
                  ", ".join(f"{error:.1e}" for error in off) + " off",
                  off[0] > 4 * off[1] > 12 * off[2] and off[2] < 1e-3, basis="derived",
                  reason="the error falls with l")
        )  # fmt: skip
    return [
        *verdicts,
        *(
            number(f"work of the torque over 2β cos ωt sin α/α, l = {power_of_ten(l)}",
                   1.0, _work_at_impact(runs["pivot", l]), 0.02,
                   "the impact is known to a sample, in which cos ωt changes by 1 %",
                   basis="derived",
                   remark="X of Eq. 28 is measured from the pivot and jumps with it by 2R sin α.")
            for l in MOMENTA
        ),
    ]  # fmt: skip


def _work_at_impact(run: PlaneMotion) -> float:
    return float(run.torque_work[-1]) / _unit() / _jump(run)


# -- the outlook: a higher number of blocks --------------------------------------------------------

RATIOS = (10.0, 20.0, 40.0)  # h/b
LEANS = {"to the same side": (0.3, 0.3), "to opposite sides": (0.3, -0.5)}  # of b/h
SPAN = 0.5  # s: impacts of the upper block and, in the second case, of both


def outlook(effort: Effort) -> Result:
    """Two blocks on each other: a plane for each joint, beside rigid blocks in contact."""
    parts, errors = {}, {}
    with sheet("Prieto & Lourenço 2005, outlook: a stack of two blocks, h/b = 10", 90) as fig:
        for ax, (name, lean) in zip(fig.subplots(1, 2), LEANS.items(), strict=True):
            for ratio in RATIOS:
                ours, (time, exact) = _stack(ratio, lean), _stones(ratio, lean)
                rigid = np.stack([np.interp(ours.time, time, column) for column in exact.T], axis=1)
                errors[name, ratio] = float(np.abs(ours.theta - rigid).max()) * ratio
                parts[f"{name}, h/b = {ratio:g}"] = {
                    "time [s]": ours.time,
                    "lower [rad]": ours.theta[:, 0], "upper on lower [rad]": ours.theta[:, 1],
                    "lower, rigid blocks [rad]": rigid[:, 0],
                    "upper on lower, rigid blocks [rad]": rigid[:, 1],
                }  # fmt: skip
                if ratio == RATIOS[0]:
                    for k, line in ((0, "-"), (1, style.DASHED)):
                        name_of = ("lower block", "upper against lower")[k]
                        ax.plot(ours.time, ratio * rigid[:, k], **REFERENCE | {"ls": line},
                                label=f"{name_of}, BlockDynamics")  # fmt: skip
                        ax.plot(ours.time, ratio * ours.theta[:, k], **OURS | {"ls": line},
                                label=f"{name_of}, complex form")  # fmt: skip
            ax.set(xlabel="time [s]", ylabel="rotation/(b/h) [–]", title=f"Leaning {name}")
        fig.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    note = (
        "BlockDynamics shares nothing with the complex form. A run ends where a joint comes to "
        "rest, which the form does not have."
    )
    return Result(long_table(parts, "case", 200), fig, _outlook_verdicts(errors), note)


def _outlook_verdicts(errors: dict[tuple[str, float], float]) -> list[Verdict]:
    verdicts = []
    for name in LEANS:
        off = [errors[name, ratio] for ratio in RATIOS]
        verdicts += [
            claim(f"leaning {name}: difference from rigid blocks over b/h, h/b = 10, 20, 40",
                  "falls with b/h: rotations are taken as small",
                  ", ".join(f"{error:.1e}" for error in off), off[0] > off[1] > off[2],
                  basis="derived"),
            number(f"leaning {name}: largest difference over b/h, h/b = {RATIOS[-1]:g}", 0.0,
                   off[-1], 0.005, "a drawn line, 1 % of the amplitude 0.5", basis="derived"),
        ]  # fmt: skip
    return verdicts


def _stack(ratio: float, lean: tuple[float, float]) -> StackMotion:
    block = Block(height=2.0, width=2.0 / ratio)
    start = (lean[0] / ratio, lean[1] / ratio)
    return stack_motion(block, block, theta0=start, l=1e-6, duration=SPAN)


def _stones(ratio: float, lean: tuple[float, float]) -> tuple[Array, Array]:
    """Rotations of the same two blocks as stones that touch."""
    height, b = 2.0, 1.0 / ratio
    lower, upper = (Stone.box(-b, y, 2 * b, height) for y in (0.0, height))
    upper = upper.named("upper").turned(-lean[1] / ratio, (math.copysign(b, lean[1]), height))
    base = (math.copysign(b, lean[0]), 0.0)
    lower, upper = (stone.turned(-lean[0] / ratio, base) for stone in (lower.named("lower"), upper))
    floor = Stone.box(-5.0, -1.0, 10.0, 1.0, fixed=True, name="floor")
    stones = Assembly((floor, lower, upper), friction=5.0)
    how = BlockDynamics(rule="located", step=5e-4)
    run = simulate(stones, None, how, duration=SPAN)
    turns = how.poses(stones, run.states)[:, 1:, 2]
    theta = lean[0] / ratio - (turns[:, 0] - turns[0, 0])
    against = lean[1] / ratio - ((turns[:, 1] - turns[:, 0]) - (turns[0, 1] - turns[0, 0]))
    return run.time, np.stack([theta, against], axis=1)
