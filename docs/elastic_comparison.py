"""The figures and tables of formulations/elastic.md, computed anew: half a minute.

    python docs/elastic_comparison.py

The figures go to docs/_static, the tables to the screen.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import rocksteady as rs
from rocksteady.analysis.body_history import body_history, impact_history
from rocksteady.analysis.decay import measure_r
from rocksteady.view import style
from rocksteady.view.contact import plot_stress

FIGURES = Path(__file__).parent / "_static"
COLUMN = rs.Block(4.2, 0.6)
TABLE = [  # 2h, 2b [m], k_n [N/m³], Δt [s]
    (4.2, 0.6, 2.5e8, 0.01),
    (4.2, 0.6, 25e8, 0.01),
    (6.0, 0.6, 10e8, 0.01),
    (12.0, 1.2, 25e8, 0.02),
    (2.4, 0.6, 2.5e8, 0.02),
    (2.4, 0.6, 25e8, 0.01),
    (7.2, 1.8, 25e8, 0.01),
]
BODIES = {
    "rigid, no virial": {"alpha_hht": 0.0, "beta_hht": 0.5, "gamma_hht": math.sqrt(2) - 0.5},
    "rigid": {},
    "elastic, 10 GPa": {"body": "elastic", "E": 1e10},
    "elastic, 30 GPa": {"body": "elastic"},
    "elastic, 1000 GPa": {"body": "elastic", "E": 1e12},
}
LOOKS = dict(
    zip(BODIES, (style.QUIET, style.INK, style.ORANGE, style.BLUE, style.GREEN), strict=True)
)


def release(block: rs.Block, duration: float = 15.0, **options: object) -> rs.Response:
    how = rs.NumericalDissipation(**options)  # type: ignore[arg-type]
    return rs.simulate(block, None, how, theta0=block.alpha / 2, duration=duration)


def r_of(
    block: rs.Block, impacts: int | None = 6, duration: float = 15.0, **options: object
) -> float:
    return measure_r(release(block, duration, **options), impacts=impacts).r


def law(block: rs.Block, k_n: float, dt: float) -> float:
    """r of Eq. 9 at this step: the law's step is proportional to −ln r."""
    return float(np.exp(-dt / rs.time_step(block, k_n, np.exp(-1.0)).dt))


def print_table() -> None:
    """r over six impacts, and the energy's largest rise from its lowest value so far."""
    print("| 2h × 2b [m], k_n, Δt [s] | law |", " | ".join(BODIES), "|")
    print("|---|---|" + "---|" * len(BODIES))
    for height, width, k_n, dt in TABLE:
        block = rs.Block(height, width)
        values = [r_of(block, k_n=k_n, dt=dt, **options) for options in BODIES.values()]
        shown = " | ".join(f"{r:.3f}" for r in (law(block, k_n, dt), *values))
        print(f"| {height:g} × {width:g}, {k_n / 1e8:g}e8, {dt:g} | {shown} |")


def draw_impact() -> None:
    run = release(COLUMN, dt=0.013, body="elastic")
    r = measure_r(run, impacts=6).r
    classical = rs.simulate(
        COLUMN,
        rs.Motion.zeros(12.0, 0.002),
        rs.Housner(r=r),
        theta0=COLUMN.alpha / 2,
        duration=12.0,
    )
    shown = release(COLUMN, 12.0, dt=0.013, body="elastic")
    impact_history(shown).plot(FIGURES / "elastic-impact.png", reference=classical)
    impact = run.impacts.time[0]
    history = body_history(run, (impact - 0.04, impact + 0.04))
    rows = tuple(range(len(history.samples)))
    plot_stress(history, rows, FIGURES / "elastic-stress.png")


def draw_findings() -> None:
    with style.house_style():
        fig = style.new_figure(height=70 * style.MM)
        lagged, spaced, bounced = fig.subplots(1, 3)
        steps = np.array([0.007, 0.010, 0.013, 0.016, 0.020, 0.026, 0.032])
        for name, options in BODIES.items():
            r = [r_of(COLUMN, None, 90.0, k_n=5e8, dt=float(dt), **options) for dt in steps]
            lagged.plot(1e3 * steps, r, ".-", color=LOOKS[name], label=name)
        curve = [law(COLUMN, 5e8, dt) for dt in steps]
        lagged.plot(1e3 * steps, curve, color=style.VERMILLION, ls=style.DASHED, label="law, Eq. 9")
        lagged.set(xlabel="time step [ms]", ylabel="r over the whole decay [–]")
        lagged.set_title("(a)  4.2 × 0.6 m, $k_n$ = 5e8")

        wide = rs.Block(8.4, 1.2)
        spacings = np.array([0.05, 0.075, 0.1, 0.15, 0.2, 0.3])
        for name in ("rigid", "elastic, 30 GPa"):
            r = [
                r_of(wide, k_n=5e8, dt=0.02, spacing=float(space), **BODIES[name])
                for space in spacings
            ]
            spaced.plot(spacings, r, ".-", color=LOOKS[name])
        spaced.axhline(law(wide, 5e8, 0.02), color=style.VERMILLION, ls=style.DASHED)
        spaced.set(xlabel="spacing of the springs [m]", ylabel="r over six impacts [–]")
        spaced.set_title("(b)  8.4 × 1.2 m, 20 ms")

        short = np.array([0.0001, 0.0003, 0.0006, 0.00125, 0.0025, 0.005])
        for block, line in ((rs.Block(6.0, 0.6), "-"), (rs.Block(2.4, 0.6), style.DASHED)):
            for name in ("rigid", "elastic, 30 GPa"):
                r = [r_of(block, 3, 6.0, k_n=25e8, dt=float(dt), **BODIES[name]) for dt in short]
                bounced.semilogx(1e3 * short, r, ".", ls=line, color=LOOKS[name])
        bounced.set(xlabel="time step [ms]", ylabel="r over three impacts [–]")
        bounced.set_title("(c)  $k_n$ = 25e8, small steps")
        bounced.annotate("6 × 0.6 m", (0.2, 0.985))
        bounced.annotate("2.4 × 0.6 m", (0.2, 0.95))
        bounced.set_xticks([0.1, 1, 5], ["0.1", "1", "5"])
        bounced.minorticks_off()
        fig.legend(loc="outside lower center", ncols=6)
        style.save_figure(fig, FIGURES / "elastic-findings.png")


if __name__ == "__main__":
    draw_impact()
    draw_findings()
    print_table()
