"""Casalotti et al. 2025: the test ramps of Table 2; Figs. 4, 7 and 8."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from rocksteady.analysis.pushover import PushoverResponse, pushover
from rocksteady.analysis.ramps import RAMPS
from rocksteady.analysis.solver_comparison import compare_solvers
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.reproduce.drawing import OURS, REFERENCE, every, long_table, sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, claim, number
from rocksteady.view import style
from rocksteady.view.labels import signs

HOUSE = MasonryBuilding.casalotti2025()  # ramps do not use its mass
T_MAX = 500.0  # s, of every ramp
STEPS = 5587  # as many as Mathematica took (Table 3)
FINE = 64
PERFECT = 0.01  # of the largest value: the width of a drawn line, "align perfectly"
STAND_IN = "SciPy's DOP853 with events, rtol 1e-8, stands in for NDSolve and ode45."


@cache
def ours(name: str, steps: int = STEPS, update: str = "explicit") -> PushoverResponse:
    """A ramp by the paper's explicit return mapping, or by the accurate update."""
    return pushover(HOUSE, RAMPS[name].history(steps), update)


def converged(name: str) -> PushoverResponse:
    """The accurate update in many steps."""
    return ours(name, FINE * STEPS, "accurate")


@cache
def independent(name: str) -> float:
    """Error of another solver's final wear [%], against the accurate update in many steps."""
    rows = compare_solvers(HOUSE, RAMPS[name], solvers=("DOP853",), rtol=1e-8, atol=1e-11)
    return float(rows[1]["error [%]"])


def times(run: PushoverResponse) -> Any:
    """Time [s] of each step."""
    return np.linspace(0, T_MAX, len(run.displacement))


# -- Table 2 --------------------------------------------------------------------------------------


def table_2(effort: Effort) -> Result:
    """All ramps: where they end, and what an independent solver says."""
    names = list(RAMPS)
    ends = {name: converged(name) for name in names}
    errors = {}
    for i, name in enumerate(names):
        errors[name] = independent(name)
        effort.progress(i + 1, len(names))
    with sheet("Casalotti et al. 2025, Table 2: the test ramps", 105, letters=False) as fig:
        axes = fig.subplots(2, 4, sharex=True).ravel()
        for ax, name in zip(axes, names, strict=True):
            run = ours(name)
            ax.plot(times(run), 1e3 * run.displacement, color=style.INK, lw=0.8)
            ax.set(title=f"Set {name[:-2]}, ramp {name[-1]}", xlim=(0, T_MAX))
        for ax in axes[::4]:
            ax.set_ylabel("u [mm]")
        for ax in axes[4:]:
            ax.set_xlabel("time [s]")
    verdicts = [
        number(f"ramp {name}: final wear of DOP853 with events", 0.0, errors[name], 0.01,
               "a tenth of the smallest difference between two of the paper's solvers",
               unit="%", basis="derived")
        for name in names
    ]  # fmt: skip
    table = {
        "ramp": names,
        "final tau [N/m²]": [float(run.stress[-1]) for run in ends.values()],
        "final w [-]": [float(run.wear[-1]) for run in ends.values()],
        "E_int [J]": [float(run.work[-1]) for run in ends.values()],
        "final W [N/m]": [float(run.wear_energy[-1]) for run in ends.values()],
        "error of DOP853's w [%]": [errors[name] for name in names],
    }
    return Result(table, fig, verdicts, "Test Set 3 is ramp 2 of Set 2b.")


# -- Fig. 4 ---------------------------------------------------------------------------------------


def figure_4(effort: Effort) -> Result:
    """Set 1: stress over displacement, wear over time."""
    names = ("1.1", "1.2", "1.3")
    with sheet("Casalotti et al. 2025, Fig. 4: Test Set 1", 165) as fig:
        axes = fig.subplots(3, 2)
        for row, name in zip(axes, names, strict=True):
            stress, wear = row
            _draw_both(stress, name, lambda run: (1e3 * run.displacement, run.stress))
            _draw_both(wear, name, lambda run: (times(run), run.wear))
            stress.set(xlabel="u [mm]", ylabel="τ [N/m²]", title=f"Ramp {name[-1]}, stress")
            wear.set(xlabel="time [s]", ylabel="w [–]", xlim=(0, T_MAX), ylim=(0, None))
            wear.set_title(f"Ramp {name[-1]}, wear")
        axes[0, 1].legend(loc="upper left")
    verdicts: list[Verdict] = []
    for name, paper in (("1.1", "aligns"), ("1.2", "aligns"), ("1.3", "the reference solution")):
        verdicts += [
            number(f"ramp {name[-1]}: largest difference of w from the converged one, relative",
                   0.0, _worst(ours(name).wear, converged(name).wear[::FINE]), PERFECT,
                   f"\"{paper}\": a drawn line", basis="stated"),
            number(f"ramp {name[-1]}: final w of an independent solver", 0.0, independent(name),
                   0.1, "the good solvers of Table 3 are within 0.1 %", unit="%",
                   basis="substitute", remark=STAND_IN),
        ]  # fmt: skip
    fallen = converged("1.1").collapse
    note = (
        "The curves of the paper are not in its text. Its solvers disagree on ramp 3; here an "
        "independent one with events does not. Ramp 1 ends at 50 mm "
        + ("before collapse." if fallen is None else f"after collapse at {1e3 * fallen:.1f} mm.")
    )
    return Result(_ramp_table(names), fig, verdicts, note)


def _draw_both(ax: Any, name: str, curve: Callable[[PushoverResponse], tuple[Any, Any]]) -> None:
    """A curve of the converged ramp, and the explicit one's over it."""
    x, y = curve(converged(name))
    kept = every(x, 4000)
    ax.plot(x[kept], y[kept], label="converged", **REFERENCE)
    ax.plot(*curve(ours(name)), label=f"explicit, {STEPS} steps", **OURS)


def _worst(one: Any, other: Any) -> float:
    return float(np.abs(one - other).max() / np.abs(other).max())


def _ramp_table(names: tuple[str, ...]) -> dict[str, Any]:
    parts = {}
    for name in names:
        run = ours(name)
        parts[name] = {
            "time [s]": times(run),
            "u [m]": run.displacement,
            "tau [N/m²]": run.stress,
            "w [-]": run.wear,
            "E_int [J]": run.work,
            "W [N/m]": run.wear_energy,
        }
    return long_table(parts, "ramp", 1000)


# -- Figs. 7 and 8 --------------------------------------------------------------------------------


def figure_7(effort: Effort) -> Result:
    """Set 2a: growing amplitude, growing frequency."""
    return _energies("Fig. 7: Test Set 2a", ("2a.1", "2a.2", "2a.3"), 155)


def figure_8(effort: Effort) -> Result:
    """Set 2b: amplitudes that grow faster and slower than time."""
    return _energies("Fig. 8: Test Set 2b", ("2b.1", "2b.2"), 110)


def _energies(title: str, names: tuple[str, ...], height: float) -> Result:
    with sheet(f"Casalotti et al. 2025, {title}", height) as fig:
        axes = fig.subplots(len(names), 2, sharex=True)
        for row, name in zip(axes, names, strict=True):
            work, wear = row
            _draw_both(work, name, lambda run: (times(run), run.work))
            _draw_both(wear, name, lambda run: (times(run), run.wear_energy))
            work.set(ylabel=signs("E_int [J]"), xlim=(0, T_MAX))
            work.set_title(f"Ramp {name[-1]}, internal work")
            wear.set(ylabel="W [N/m]", title=f"Ramp {name[-1]}, energy of wear")
        axes[0, 0].legend(loc="upper left")
        for ax in axes[-1]:
            ax.set_xlabel("time [s]")
    verdicts: list[Verdict] = []
    for name in names:
        fine, run = converged(name), ours(name)
        balanced = float(np.abs(fine.energy_balance).max() / fine.work[-1])
        verdicts += [
            *(number(f"ramp {name}: largest difference of {what}, relative", 0.0,
                     _worst(a, b[::FINE]), 0.02, '"coherent": twice a drawn line, since the '
                     "explicit update is of first order", basis="stated")
              for what, a, b in (("E_int", run.work, fine.work),
                                 ("W", run.wear_energy, fine.wear_energy))),
            claim(f"ramp {name}: no divergence", "stays stable",
                  f"energy balance closes to {balanced:.0e} of the work", balanced < 1e-6),
        ]  # fmt: skip
    note = f"NDSolve's divergence at higher frequency is not reproduced: {STAND_IN}"
    return Result(_ramp_table(names), fig, verdicts, note)
