"""Prieto and Lourenço 2005, Eqs. 1–11 and 31: the equations of motion, and what the complex form
conserves."""

import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.analysis.complex_plane import EffectivePotential
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import OURS, REFERENCE, sheet, thinned
from rocksteady.reproduce.prieto2005.plane import ALPHA, BETA, BLOCK, MU, OMEGA, X0
from rocksteady.reproduce.verdict import Effort, Result, Verdict, number
from rocksteady.simulation import simulate
from rocksteady.theories import ComplexPotential, Housner
from rocksteady.theories.contract import UPLIFT
from rocksteady.view import style

UNTIL = 1.2  # p τ: before the first impact of the forced block
FREE = 12.0  # p τ: seven impacts
BALANCE = 1e-7
ACCOUNTED = "the part of the energy that every theory here accounts for, or better"
SLOW = 2.0  # p τ in which the ground's acceleration grows to twice g tan α


def equations(effort: Effort) -> Result:
    """The real equation under β cos ωt, and energy and phase of the complex form."""
    run, other = _forced()
    free = simulate(
        BLOCK, formulation=ComplexPotential(l=1e-5, eta=MU, variant="paper"),
        theta0=X0 * ALPHA, duration=FREE,
    )  # fmt: skip
    well = EffectivePotential(BLOCK, l=1e-5)
    kept = (free.energy + free.column("loss")) / free.energy[0] - 1
    with sheet("Prieto & Lourenço 2005, Eqs. 1–11: motion and energy", 80) as fig:
        left, right = fig.subplots(1, 2)
        left.plot(run.time, other, label="SciPy, Eq. 4", **REFERENCE)
        left.plot(run.time, run.theta / ALPHA, label="Housner", **OURS)
        left.set(xlabel="time pτ [–]", ylabel="x = θ/α [–]", xlim=(0, UNTIL))
        left.set_title(f"β = {BETA}, ω = {OMEGA:g}")
        left.legend(loc="lower left")
        right.plot(free.time, free.energy / well.unit, color=style.BLUE,
                   label="energy")  # fmt: skip
        right.plot(free.time, (free.energy + free.column("loss")) / well.unit,
                   color=style.VERMILLION, ls=style.DASHED, label="energy and loss")  # fmt: skip
        right.set(xlabel="time pτ [–]", ylabel="(E − U₀)/(I p² α²) [–]", xlim=(0, FREE))
        right.set(ylim=(0, 0.45), title="Free rocking, l = 10⁻⁵")
        right.legend(loc="lower left")
    table = thinned({
        "t = pτ [-]": free.time, "x [-]": free.theta / ALPHA,
        "(E − U0)/(I p² α²) [-]": free.energy / well.unit,
        "loss/(I p² α²) [-]": free.column("loss") / well.unit,
    })  # fmt: skip
    turned = free.column("chi") * np.cos(free.column("psi")) - free.theta / ALPHA
    verdicts = [
        number("Eqs. 1 to 4, x under β cos ωt: largest |Δx| from SciPy", 0.0,
               float(np.abs(run.theta / ALPHA - other).max()), 1e-7, "error of the integration",
               basis="independent", remark="In the text available to us the first term of Eq. 4 is "
               "the absolute value of ẍ for the second derivative of |x|."),
        *_constants(well),
        number("Eq. 7, |θ| cos ψ against θ, over α", 0.0, float(np.abs(turned).max()), 1e-12,
               "the definition: rounding", basis="derived"),
        number("Eqs. 8 to 11, energy of the lossless form, largest relative change", 0.0,
               _lossless(), BALANCE, ACCOUNTED, basis="derived"),
        number("Eqs. 19 to 22, energy and loss together, largest relative change", 0.0,
               float(np.abs(kept).max()), BALANCE, ACCOUNTED, basis="derived"),
        number("Eq. 25, uplift on a ground whose acceleration grows: β = 1/(α cot α)", 1.0,
               _uplift(), 1e-6, "Housner's |a| = g tan α, between samples of 0.5 ms",
               basis="derived",
               remark="The printed system has no rest; this is the default `ComplexPotential()`."),
    ]  # fmt: skip
    return Result(table, fig, verdicts, "β, ω and x₀ are chosen here.")


def _forced() -> tuple[Any, Array]:
    """Housner's block and SciPy's solution of Eq. 4 until before the first impact."""
    time = np.linspace(0, UNTIL, 4801)
    # Eq. 2; a positive β pushes towards +x, the ground to −x
    ground = Motion(-ALPHA * BLOCK.g * BETA * np.cos(OMEGA * time), float(time[1]), name="β cos ωt")
    run = simulate(BLOCK, ground, Housner(eta=MU), theta0=X0 * ALPHA, duration=UNTIL)

    def rocking(t: float, state: Array) -> list[float]:
        x, rate = state
        lean = ALPHA - ALPHA * x
        return [rate, -math.sin(lean) / ALPHA + BETA * math.cos(OMEGA * t) * math.cos(lean)]

    exact = solve_ivp(rocking, (0, UNTIL), [X0, 0.0], method="DOP853", rtol=1e-12, atol=1e-14,
                      t_eval=run.time)  # fmt: skip
    return run, exact.y[0]


def _constants(well: EffectivePotential) -> list[Verdict]:
    """Fig. 1 and Eqs. 6 and 31: p, U₀ and I p² α², from height and width."""
    b, h, mass, g = BLOCK.width / 2, BLOCK.height / 2, BLOCK.mass, BLOCK.g
    R, alpha = math.hypot(b, h), math.atan2(b, h)
    inertia = 4 / 3 * mass * R**2
    rows = (
        ("Fig. 1, p = √(MgR/I)", math.sqrt(mass * g * R / inertia), BLOCK.p, "rad/s"),
        ("Eq. 6, potential energy of the standing block", mass * g * R * math.cos(alpha), well.U0,
         "J"),
        ("Eq. 31, unit of energy I p² α²", mass * g * R * alpha**2, well.unit, "J"),
    )  # fmt: skip
    return [
        number(name, value, ours, 1e-12 * value, "rounding", unit=unit, basis="derived")
        for name, value, ours, unit in rows
    ]


def _lossless() -> float:
    """Largest relative change of the energy of a block that loses none, μ = 1."""
    how = ComplexPotential(l=1e-3, eta=1.0, variant="paper")
    run = simulate(BLOCK, formulation=how, theta0=X0 * ALPHA, duration=FREE)
    return float(np.abs(run.energy / run.energy[0] - 1).max())


def _uplift() -> float:
    """|a| / (g tan α) at which the block at rest lifts, while the ground's acceleration grows."""
    time = np.arange(0, SLOW, 5e-4)
    ground = Motion(2 * BLOCK.g * math.tan(ALPHA) * time / SLOW, 5e-4, name="growing")
    run = simulate(BLOCK, ground, ComplexPotential(eta=MU))
    lifted = float(run.events[run.events[:, 1] == UPLIFT][0, 0])
    return 2 * lifted / SLOW
