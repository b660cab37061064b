"""Casalotti et al. 2025: the masonry building of Table 1 and its pushover, Fig. 3."""

from typing import Any

import numpy as np

from rocksteady.analysis.pushover import PushoverResponse, pushover
from rocksteady.reproduce.casalotti2025.interface import equations
from rocksteady.reproduce.casalotti2025.ramps import HOUSE, figure_4, figure_7, figure_8, table_2
from rocksteady.reproduce.casalotti2025.records import recorded
from rocksteady.reproduce.casalotti2025.sequences import figure_12, figure_13, figure_map
from rocksteady.reproduce.casalotti2025.shocks import figure_10, figure_11
from rocksteady.reproduce.casalotti2025.steps import figure_5, figure_6, figure_9
from rocksteady.reproduce.drawing import sheet, thinned
from rocksteady.reproduce.verdict import Effort, Item, Paper, Result, Verdict, claim, number
from rocksteady.view import style
from rocksteady.view.labels import signs

T_MAX, U_MAX = 300.0, 0.018  # s, m: the ramp of section 2.2
PRINTED_H = (
    "The printed hardening function H does not keep the slip function at zero: from F' = 0 "
    "follows 1/H = a(A∞ − A/(1−w)) − {A∞ − 2A∞[(1−w) + aα/2]e + |τ|/(1−w)²}(W/Γ)^γ."
)


def figure_3(effort: Effort) -> Result:
    """Push the building of Table 1 to 18 mm."""
    run = pushover(HOUSE, np.linspace(0, U_MAX, effort.pick(18_001, 180_001)))
    time = T_MAX * run.displacement / U_MAX
    with sheet(
        "Casalotti et al. 2025, Fig. 3: the building of Table 1 pushed to 18 mm", 115
    ) as fig:
        (force, slip), (hardening, wear) = fig.subplots(2, 2)
        _draw_force(force, run)
        for ax, values, label, colour in (
            (slip, 1e3 * run.slip, "slip g [mm]", style.BLUE),
            (hardening, 1e3 * run.hardening, "hardening α [mm]", style.ORANGE),
            (wear, run.wear, "wear w [–]", style.INK),
        ):
            ax.plot(time, values, color=colour)
            ax.set(xlabel="time [s]", ylabel=label, xlim=(0, T_MAX), ylim=(0, None))
            ax.set_title(label.split(" [")[0].capitalize())
    table = {
        "time [s]": time,
        "u [m]": run.displacement,
        "tau [N/m²]": run.stress,
        "force [N]": run.force,
        "g [m]": run.slip,
        "alpha [m]": run.hardening,
        "w [-]": run.wear,
    }
    note = (
        "The measured curve (red in the paper) is not in the text. Fig. 3's own numbers are not "
        "either: the independent ones were integrated by other code from Table 1."
    )
    return Result(thinned(table), fig, _figure_3_verdicts(run), note)


def _draw_force(ax: Any, run: PushoverResponse) -> None:
    u, kN = 1e3 * run.displacement, run.force / 1e3
    for level, word in ((HOUSE.elastic_force, "τ₀ A_c"), (HOUSE.strength, "(τ₀ + A∞) A_c")):
        ax.axhline(level / 1e3, color=style.QUIET, lw=0.7, ls=style.DASHED)
        ax.text(18, level / 1e3 + 2.5, signs(word), ha="right", color=style.QUIET, size=7)
    ax.plot(u, kN, color=style.BLUE)
    i = int(np.argmax(kN))
    ax.plot(u[i], kN[i], "o", ms=3.5, color=style.BLUE)
    ax.annotate(f"{kN[i]:.2f} kN at {u[i]:.2f} mm", (u[i], kN[i]), (0, -24), ha="center",
                textcoords="offset points", color=style.BLUE)  # fmt: skip
    ax.set(xlabel="displacement u [mm]", ylabel="base shear [kN]", xlim=(0, 18), ylim=(0, 112))
    ax.set_title("Force")


def _figure_3_verdicts(run: PushoverResponse) -> list[Verdict]:
    slips = run.mode == 1
    off = float(np.abs(run.slip_function[slips]).max()) / HOUSE.threshold
    rising = np.diff(run.force) > 0
    peak = int(np.argmax(run.force))
    shape = bool(rising[: peak - 1].all() and not rising[peak:].any())
    digits = "the last digit"
    return [
        number("elastic limit τ₀ A_c", 60.0, HOUSE.elastic_force / 1e3, 0.05, digits, unit="kN",
               basis="derived"),
        number("displacement at the elastic limit τ₀/k_a", 0.580,
               1e3 * HOUSE.elastic_displacement, 5e-4, digits, unit="mm", basis="derived"),
        number("force without wear (τ₀ + A∞) A_c", 100.0, HOUSE.strength / 1e3, 0.05, digits,
               unit="kN", basis="derived"),
        number("peak force", 98.485, run.peak_force / 1e3, 5e-4, digits, unit="kN",
               basis="independent"),
        number("displacement at the peak", 8.4526, 1e3 * run.displacement_at_peak,
               5e-5 + 1e3 * U_MAX / len(run.displacement), "the last digit and a step of the ramp",
               unit="mm", basis="independent"),
        number("stress at 18 mm", 4561.2, float(run.stress[-1]), 0.05, digits, unit="N/m²",
               basis="independent"),
        number("wear at 18 mm", 0.20246, float(run.wear[-1]), 5e-6, digits, basis="independent"),
        claim("first linear, then plastic to a maximum, then falling by damage", "that shape",
              "so" if shape else "not so", shape),
        number("largest |F|/τ₀ while it slips (consistency, Eq. 4)", 0.0, off, 1e-6,
               "the condition is F = 0: rounding", basis="derived", remark=PRINTED_H),
    ]  # fmt: skip


PAPER = Paper(
    "casalotti2025",
    "A. Casalotti, F. Milicchio, F. D'Annibale, G. Formica: An efficient numerical tool for 1-dof "
    "nonlinear systems towards large-scale seismic structural health monitoring of masonry "
    "buildings. Springer Nature (2025).",
    (
        Item("Section 2", "The building, Eqs. 1 and 5, identification", equations),
        Item("Fig. 3", "Pushover of the building of Table 1", figure_3, also=("Table 1",)),
        Item("Table 2", "Eight ramps by two independent methods", table_2),
        Item("Fig. 4", "Test Set 1: stress and wear", figure_4),
        Item("Fig. 5", "Convergence with the number of steps", figure_5),
        Item("Fig. 6", "General solvers and the slip function", figure_6, also=("Table 3",)),
        Item("Fig. 7", "Test Set 2a: energies", figure_7),
        Item("Fig. 8", "Test Set 2b: energies", figure_8),
        Item("Fig. 9", "Test Set 3: step sizes", figure_9),
        Item("Fig. 10", "One tone and three tones", figure_10),
        Item("Fig. 11", "The same record three times", figure_11, recorded=recorded),
        Item("Fig. 12", "A sequence of shocks", figure_12, recorded=recorded),
        Item("Fig. 13", "Foreshocks and the main shock", figure_13, recorded=recorded),
        Item("Map", "What the text leaves out: mass and foreshocks", figure_map, recorded=recorded),
    ),
    "Figs. 1 and 2 are sketches; MATLAB's and Mathematica's own runs: SciPy's solvers stand in.",
)
