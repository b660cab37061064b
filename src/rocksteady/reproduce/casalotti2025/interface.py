"""Casalotti et al. 2025, sections 2 and 2.2: the building's plan, the elastic relation of the
interface, the equation of motion, and the identification from a curve. Eqs. 1 and 5."""

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.analysis.identification import identify
from rocksteady.analysis.pushover import pushover
from rocksteady.bodies.masonry import CASALOTTI_STOREY
from rocksteady.motion import Motion
from rocksteady.motion.generate.pulses import sine
from rocksteady.numerics.types import Array
from rocksteady.reproduce.casalotti2025.ramps import HOUSE
from rocksteady.reproduce.drawing import OURS, REFERENCE, sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.view import style

PERIOD, WEAK, STRONG = 0.2, 1.0, 4.0  # s; m/s²: below slip, and far beyond it
UNTIL, STEP = 0.8, 5e-4  # s
PUSHED = 0.018  # m, Fig. 3
DIGITS = 5e-5  # half a unit of the fourth digit, with which Table 1 is printed


def equations(effort: Effort) -> Result:
    """The building shaken below and beyond slip, and identified from its own curve."""
    weak, strong = (_shaken(amplitude) for amplitude in (WEAK, STRONG))
    exact = _elastic(weak)
    with sheet("Casalotti et al. 2025, Eqs. 1 and 5: stress and motion", 80) as fig:
        left, right = fig.subplots(1, 2)
        left.plot(weak.time, 1e3 * exact, label="SciPy, elastic", **REFERENCE)
        left.plot(weak.time, 1e3 * weak.displacement, label="ours", **OURS)
        left.set(xlabel="time [s]", ylabel="u [mm]", xlim=(0, UNTIL))
        left.set_title(f"Sine of {WEAK:g} m/s², {PERIOD:g} s")
        left.legend(loc="lower left", ncols=2)
        left.set_ylim(1.5e3 * exact.min(), None)
        right.plot(1e3 * strong.displacement, 1e-3 * strong.stress, color=style.BLUE, lw=0.9)
        right.set(xlabel="u [mm]", ylabel="τ [kN/m²]", title=f"Sine of {STRONG:g} m/s²")
    table = {
        "time [s]": weak.time, "u below slip [m]": weak.displacement, "u of SciPy [m]": exact,
        "u beyond slip [m]": strong.displacement, "τ beyond slip [N/m²]": strong.stress,
    }  # fmt: skip
    return Result(table, fig, [
        number("A_c of Table 1, plan of 4.115 × 3.905 m", 16.07, CASALOTTI_STOREY.plan_area, 0.005,
               "two decimals", unit="m²"),
        number("Eq. 1, τ − k_a (1 − w)(u − g) over τ₀, largest", 0.0, _off_eq_1(strong), 1e-9,
               "rounding", basis="derived"),
        *_motion(weak, strong, exact),
        _identified(),
    ])  # fmt: skip


def _shaken(amplitude: float) -> Response:
    ground = sine(amplitude=amplitude, period=PERIOD, dt=STEP)
    padded = np.pad(ground.accel, (0, round(UNTIL / STEP) + 1 - len(ground.accel)))
    return simulate(HOUSE, Motion(padded, STEP, name=ground.name), duration=UNTIL)


def _elastic(run: Response) -> Array:
    """u [m] of m ü + k_a A_c u = −m a by SciPy."""
    square = HOUSE.stiffness * HOUSE.contact_area / HOUSE.mass
    time, accel = run.motion.time, run.motion.accel

    def motion(t: float, state: Array) -> list[float]:
        return [state[1], -square * state[0] - float(np.interp(t, time, accel))]

    exact = solve_ivp(motion, (0, UNTIL), [0.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-15,
                      t_eval=run.time, max_step=STEP)  # fmt: skip
    return np.asarray(exact.y[0])


def _off_eq_1(run: Response) -> float:
    slip, wear = run.column("g"), run.wear
    stress = HOUSE.stiffness * (1 - wear) * (run.displacement - slip)
    return float(np.abs(run.stress - stress).max()) / HOUSE.threshold


def _motion(weak: Response, strong: Response, exact: Array) -> list[Verdict]:
    largest = float(np.abs(exact).max())
    balance = float(np.abs(strong.energy_balance).max() / np.abs(strong.energy).max())
    return [
        number("Eq. 5 below slip, u over its largest from SciPy", 0.0,
               float(np.abs(weak.displacement - exact).max()) / largest, 1e-6,
               "error of the integration", basis="independent",
               remark=f"u stays below {1e3 * largest:.2f} mm; slip begins at 0.58 mm."),
        number("Eq. 5 beyond slip, energy that is unaccounted for over the largest", 0.0, balance,
               1e-6, "error of the integration", basis="derived",
               remark=f"w reaches {float(strong.wear[-1]):.3f}."),
    ]  # fmt: skip


def _identified() -> Verdict:
    """Section 2.2: the parameters of Table 1 from the curve that they give."""
    curve = pushover(HOUSE, np.linspace(0, PUSHED, 2001))
    found = identify(curve.displacement, curve.force, contact_area=HOUSE.contact_area).values
    names = ("stiffness", "threshold", "hardening_rate", "hardening_limit", "wear_energy")
    off = {name: found[name] / getattr(HOUSE, name) - 1 for name in names}
    return number(
        "Section 2.2, parameters of Table 1 from their own curve: largest relative difference",
        0.0, max(map(abs, off.values())), DIGITS, "four digits, as printed", basis="substitute",
        remark="k_a, τ₀, a, A∞ and Γ. The measured curve is not in the text available to us.",
    )  # fmt: skip
