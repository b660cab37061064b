"""D'Altri et al. 2024: rocking by numerical dissipation. Eqs. 1–3 and 9–10, Table 1."""

import math

import numpy as np

from rocksteady.analysis.statistics import CLASSICAL_R, SPECIMEN, TESTED_R
from rocksteady.analysis.timestep.fitting import BLOCKS
from rocksteady.bodies import Block
from rocksteady.reproduce.daltri2024.decay import (
    COLUMN,
    closed_forms,
    figure_2,
    figure_3,
    figure_4,
    figure_5,
)
from rocksteady.reproduce.daltri2024.law import figure_7, figure_8, figure_9, figure_10
from rocksteady.reproduce.daltri2024.rule import equations as rule
from rocksteady.reproduce.daltri2024.shaken import figure_12_14, figure_16
from rocksteady.reproduce.daltri2024.statistics import figure_17, figure_18
from rocksteady.reproduce.daltri2024.tests import bed_name, figure_11_15
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.verdict import Effort, Item, Paper, Result, Verdict, between, number
from rocksteady.simulation import simulate
from rocksteady.theories import Housner
from rocksteady.theories.dissipation.time_step import time_step
from rocksteady.view import style
from rocksteady.view.labels import signs

MISPRINT = (
    "In the text available to us 2B is 2.8 m, which gives R = 3.86 m: only 1.8 m gives its R and "
    "its H/B."
)
MULTIPLES = (
    "R is printed as two or four times the rounded R of the smallest block of that slenderness "
    "(0.62, 1.51), which carries its rounding along. (That of 7.2 × 1.8 m is not: 6 × 0.62 = 3.72.)"
)
PRINTED_R = (0.62, 1.24, 2.48, 3.71, 1.06, 2.12, 4.24, 1.51, 3.02, 6.04)


def equations(effort: Effort) -> Result:
    """The classical theory: closed forms of free rocking against the nonlinear equation."""
    block, start, n = COLUMN, 0.5, np.arange(12)
    exact = simulate(block, None, Housner(), theta0=start * block.alpha).decay()
    slender = simulate(block, None, Housner(slender=True), theta0=start * block.alpha).decay()
    peaks, periods = closed_forms(block, block.r, n, start)
    with sheet("D'Altri et al. 2024, Eqs. 1–3: classical free rocking, 4.2 × 0.6 m", 75) as fig:
        left, right = fig.subplots(1, 2)
        for ax, closed, run, label in (
            (left, peaks, exact.peak, "peak |θ|/α [–]"),
            (right, periods, exact.half_period, "half period [s]"),
        ):
            ax.plot(n, closed, color=style.INK, label="closed form, Eq. 3")
            ax.plot(n, run[:12], "o", ms=4, mfc="white", mec=style.BLUE, label="Eq. 1, integrated")
            ax.set(xlabel="impacts n [–]", ylabel=label, ylim=(0, None))
        left.legend(loc="upper right")
        left.set_title("Peaks")
        right.set_title("Half periods")
    # Eq. 2 as printed, from the moment of inertia about the corner
    I_0 = block.right.inertia
    eq_2 = (1 - block.mass * block.R**2 / I_0 * (1 - math.cos(2 * block.alpha))) ** 2
    off_T = np.abs(exact.half_period[:12] / periods - 1)
    verdicts = [
        number("Eq. 2 against (1 − (3/2) sin²α)²", (1 - 1.5 * math.sin(block.alpha) ** 2) ** 2,
               eq_2, 1e-12, "the same expression: rounding", basis="derived"),
        number("p = √(3g/4R)", math.sqrt(3 * block.g / (4 * block.R)), block.p, 1e-12, "rounding",
               unit="rad/s", basis="derived",
               remark="Above Eq. 1 the text available to us has α = tan(B/H) for atan(B/H)."),
        number("Eq. 3, peaks of the linearised block, farthest", 0.0,
               float(np.abs(slender.peak[:12] - peaks).max()), 1e-8,
               "Eq. 3 solves the linearised equation: error of the integration", basis="derived"),
        number("Eq. 3, half periods of the linearised block, farthest", 0.0,
               float(np.abs(slender.half_period[:12] - periods).max()), 1e-8, "as above", unit="s",
               basis="derived"),
        between("Eq. 3 against Eq. 1, half periods, largest relative difference", 0.001, 0.0025,
                float(off_T.max()), "other code found 0.1 to 0.2 % for this block",
                basis="independent", remark="Eq. 3 is for slender blocks: it is not exact."),
    ]  # fmt: skip
    table = {
        "n": n,
        "peak closed form [-]": peaks,
        "peak Eq. 1 [-]": exact.peak[:12],
        "half period closed form [s]": periods,
        "half period Eq. 1 [s]": exact.half_period[:12],
    }
    return Result(table, fig, verdicts)


def table_1(effort: Effort) -> Result:
    """The blocks of the campaign."""
    with sheet("D'Altri et al. 2024, Table 1 and Fig. 6: the blocks of the campaign", 72) as fig:
        ax = fig.subplots()
        x = 0.0
        for block in BLOCKS:
            colour = {4: style.BLUE, 7: style.GREEN, 10: style.VERMILLION}[round(block.slenderness)]
            b, h = block.width, block.height
            outline = np.array([(x, 0), (x + b, 0), (x + b, h), (x, h), (x, 0)]).T
            ax.fill(*outline[:, :4], color=colour, alpha=0.25)
            ax.plot(*outline, color=colour, lw=0.9)
            ax.text(x + b / 2, h + 0.2, f"R = {block.R:.2f} m", ha="center", size=6.5)
            x += b + 3.2
        ax.axhline(0, color=style.INK, lw=0.8)
        for name, colour in (("4", style.BLUE), ("7", style.GREEN), ("10", style.VERMILLION)):
            ax.fill([], [], color=colour, alpha=0.4, label=f"H/B = {name}")
        ax.legend(loc="upper left", ncols=3)
        ax.set(ylabel="height [m]", xlim=(-1.8, x - 1.4), ylim=(0, 14.5), xticks=[])
        ax.set_aspect("equal")
    verdicts = [
        row
        for block, printed in zip(BLOCKS, PRINTED_R, strict=True)
        for row in _radius(block, printed)
    ]
    table = {
        "2H [m]": [block.height for block in BLOCKS],
        "2B [m]": [block.width for block in BLOCKS],
        "R [m]": [block.R for block in BLOCKS],
        "H/B [-]": [block.slenderness for block in BLOCKS],
        "p [rad/s]": [block.p for block in BLOCKS],
        "r of Eq. 2 [-]": [block.r for block in BLOCKS],
    }
    return Result(table, fig, verdicts)


def _radius(block: Block, printed: float) -> list[Verdict]:
    """R, and where it is not as printed the rounded R of the smallest block, multiplied."""
    remark = MISPRINT if block.height == 7.2 else ""
    name = f"R of {block.height:g} × {block.width:g} m"
    row = number(name, printed, block.R, 0.005, "two decimals", unit="m", remark=remark)
    if row.agrees:
        return [row]
    smallest = next(b for b in BLOCKS if round(b.slenderness) == round(block.slenderness))
    times = round(block.height / smallest.height)
    rounded = round(smallest.R, 2)
    source = f"{times} × {rounded:g} m, the rounded R of {smallest.height:g} × {smallest.width:g} m"
    computed = number(source, printed, times * rounded, 1e-9, "rounding", unit="m")
    return [row.explained_by(computed, MULTIPLES), computed]


def law(effort: Effort) -> Result:
    """The law of the time step in both forms, and the steps the paper quotes."""
    ratios = np.linspace(0.8, 0.99, 60)
    with sheet("D'Altri et al. 2024, Eqs. 9 and 10: the time step for a wanted r", 75) as fig:
        left, right = fig.subplots(1, 2, sharey=True)
        for height, colour in ((2.1, style.BLUE), (4.2, style.GREEN), (8.4, style.VERMILLION)):
            block = Block(height, height / 7)
            steps = [1e3 * time_step(block, 5e8, float(r)).dt for r in ratios]
            left.plot(ratios, steps, color=colour, label=f"R = {block.R:.2f} m")
        left.set_title(signs("Sizes: h/b = 7, k_n = 5·10⁸ N/m³"))
        for k_n, colour in ((2.5e8, style.BLUE), (5e8, style.GREEN), (25e8, style.VERMILLION)):
            steps = [1e3 * time_step(COLUMN, k_n, float(r)).dt for r in ratios]
            right.plot(ratios, steps, color=colour, label=signs(bed_name(k_n)))
        right.set_title("Beds: 4.2 × 0.6 m")
        left.set_ylabel("Δt [ms]")
        for ax in (left, right):
            ax.set(xlabel="r [–]", xlim=(0.8, 0.99), ylim=(0, None))
            ax.legend(loc="upper right")
    from_p = Block.from_parameters(p=4.8883, alpha=math.atan(0.15))
    unit = "In the text available to us p is in Hz: the number is in rad/s."
    factor = 2.238 * (3 * 9.81 / 4) ** 0.629
    digits = "three digits of the quoted step, t00278 and t00319"
    verdicts = [
        number("2H of the equivalent cuboid from p and tan α", 0.609, from_p.height, 5e-4,
               "three decimals", unit="m", remark=unit),
        number("2B of it", 0.09135, from_p.width, 7.5e-5,
               "three decimals of 2H, times tan α", unit="m"),
        number("Δt for r = 0.9532, k_n = 5·10⁸ (Eq. 9)", 0.00278,
               time_step(SPECIMEN, 5e8, TESTED_R).dt, 5e-6, digits, unit="s"),
        number("Δt for r = 0.9465 (Eq. 9)", 0.00319, time_step(SPECIMEN, 5e8, CLASSICAL_R).dt, 5e-6,
               digits, unit="s", remark="These r are the tested specimen's: the cuboid itself has "
               f"{SPECIMEN.r:.4f} by Eq. 2."),
        number("Δt for r = 0.9532 (Eq. 10)", 0.0027767,
               time_step(from_p, 5e8, TESTED_R, form="frequency").dt, 5e-7, "seven decimals",
               unit="s", basis="independent"),
        number("factor of Eq. 10 from that of Eq. 9, 2.238 (3g/4)^0.629", 7.851, factor, 2.3e-3,
               "half a unit of the last digit of 7.851 and of 2.238 × 3.51"),
    ]  # fmt: skip
    table = {
        "r [-]": ratios,
        "Δt, 4.2 × 0.6 m, k_n = 5e8 [s]": [time_step(COLUMN, 5e8, float(r)).dt for r in ratios],
    }
    return Result(table, fig, verdicts)


PAPER = Paper(
    "daltri2024",
    "A. M. D'Altri, G. Vlachakis, S. de Miranda, P. B. Lourenço: Rocking block simulation based on "
    "numerical dissipation. Nonlinear Dynamics (2024).",
    (
        Item("Eqs. 1–3", "Classical free rocking", equations),
        Item("Eqs. 4–6", "The rule and the form of the law", rule),
        Item("Fig. 2", "Proof of concept", figure_2),
        Item("Fig. 3", "Phase portrait and contact pressure", figure_3),
        Item("Fig. 4", "Three time steps", figure_4),
        Item("Fig. 5", "Several amplitudes", figure_5),
        Item("Table 1", "Blocks of the campaign", table_1, also=("Fig. 6",)),
        Item("Fig. 7", "Swings of one run", figure_7),
        Item("Fig. 8", "Error over the time step", figure_8),
        Item("Eqs. 9–10", "The law of the time step", law),
        Item("Fig. 9", "Campaign and regression", figure_9),
        Item("Fig. 10", "Validation of the law", figure_10, also=("Table 2",)),
        Item("Fig. 11", "Specimens in free rocking", figure_11_15,
             also=("Fig. 13", "Fig. 15", "Table 3", "Figs. 11 13 15")),
        Item("Fig. 12", "Specimens under harmonic motion", figure_12_14,
             also=("Fig. 14", "Figs. 12 14")),
        Item("Fig. 16", "Earthquakes are chaotic", figure_16),
        Item("Fig. 17", "Distributions over 100 motions", figure_17),
        Item("Fig. 18", "Phase portraits far from and near to collapse", figure_18),
    ),
    "Fig. 1 is a sketch; the test results of Figs. 11 to 17, which are not in the text.",
)  # fmt: skip
