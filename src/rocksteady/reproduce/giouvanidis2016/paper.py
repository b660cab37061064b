"""Giouvanidis and Dimitrakopoulos 2016: impact as a complementarity problem. Eqs. 3–21, Fig. 4."""

import math
from typing import Any, NamedTuple

import numpy as np

from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.giouvanidis2016.motion import figure_5, figure_6, figure_7
from rocksteady.reproduce.giouvanidis2016.problem import equations as problem
from rocksteady.reproduce.verdict import (
    Effort,
    Item,
    Paper,
    Result,
    Verdict,
    between,
    claim,
    number,
)
from rocksteady.theories.nonsmooth.lcp import impact
from rocksteady.view import style
from rocksteady.view.labels import signs

LIMIT = 1 / math.sqrt(2)  # Eqs. 15 and 19: of H/b
ETA = r"$η = \dot{φ}^{+}/\dot{φ}^{-}$"
ROUNDING = "rounding in a 3 × 3 solution"
STATES = ("full contact", "bouncing", "rocking", "flight")
COLOURS = (style.ORANGE, style.VERMILLION, style.BLUE, style.SKY)


class Impact(NamedTuple):
    """What the complementarity problem gives for a block that turns about corner 1 until corner 2
    strikes, over the closing velocity of that corner."""

    normal_1: float
    normal_2: float
    tangential: float
    opening_1: float
    """Velocity at which corner 1 leaves."""
    eta: float
    """φ'⁺/φ'⁻."""
    energy: float
    """Kinetic energy kept."""
    momentum: float
    """What M(q'⁺ − q'⁻) − W Λ leaves."""

    opening_2: float
    """Velocity at which corner 2 leaves."""

    @property
    def state(self) -> str:
        """Which of the four post-impact states of Fig. 3 this is."""
        rocks, leaves = abs(self.opening_1) > 1e-9, abs(self.opening_2) > 1e-9
        return STATES[2 * rocks + leaves]


def strike(slenderness: float, epsilon: float) -> Impact:
    """The impact of a block with H/b = ``slenderness``, R = m = 1 (Eqs. 9 to 11)."""
    alpha = math.atan(1 / slenderness)
    b, h = math.sin(alpha), math.cos(alpha)
    mass = np.diag([1.0, 1.0, 1 / 3])
    W_N, W_T = np.array([[0, 0], [1, 1], [-b, b]]), np.array([[1.0], [0.0], [h]])
    before = -np.array([-h, b, 1.0])
    after, normal, tangential = impact(mass, W_N, W_T, before, epsilon)
    closing = float((W_N.T @ before)[1])
    left = mass @ (after - before) - W_N @ normal - W_T @ tangential
    return Impact(
        float(normal[0]) / closing,
        float(normal[1]) / closing,
        float(tangential[0]) / closing,
        float((W_N.T @ after)[0]) / closing,
        float(after[2] / before[2]),
        float(after @ mass @ after / (before @ mass @ before)),
        float(np.abs(left).max()),
        float((W_N.T @ after)[1]) / closing,
    )


def printed(slenderness: float, epsilon: float) -> tuple[float, float, float, float, float]:
    """(Λ_N1, Λ_N2, Λ_T, ġ_N1⁺, η) of Eqs. 13, 14, 17, 18, 20 and 21, in the same units."""
    alpha = math.atan(1 / slenderness)
    s2, e = math.sin(alpha) ** 2, 1 + epsilon
    if slenderness < LIMIT:
        return e * (1 / (3 * s2) - 0.5), -e / (3 * s2), e / (2 * math.tan(alpha)), 0.0, -epsilon
    shear = 0.75 * e * math.sin(alpha) * math.cos(alpha)
    return 0.0, e * (0.75 * s2 - 1), shear, e * (1.5 * s2 - 1), 1 - 1.5 * e * s2


# -- Eqs. 13–21 ------------------------------------------------------------------------------------


def equations(effort: Effort) -> Result:
    """Impulses and velocities after an impact: the LCP against the printed formulas."""
    ratios = np.concatenate([np.linspace(0.2, 0.70, 11), np.geomspace(0.72, 12, 29)])
    rows = [(s, e, strike(s, e), printed(s, e)) for e in (0.0, 0.5, 1.0) for s in ratios]
    labels = (
        "Λ_N1/(m ġ) (Eq. 13)",
        "Λ_N2/(m ġ) (Eqs. 13, 17)",
        "Λ_T/(m ġ) (Eqs. 14, 18)",
        "ġ_N1⁺/ġ (Eq. 17)",
        ETA + " (Eqs. 20, 21)",
    )
    with sheet("Giouvanidis & Dimitrakopoulos 2016, Eqs. 13–21: after an impact", 120) as fig:
        axes = fig.subplots(2, 3).ravel()
        for k, (ax, label) in enumerate(zip(axes, labels, strict=False)):
            for e, colour in ((0.0, style.BLUE), (0.5, style.GREEN), (1.0, style.VERMILLION)):
                ours = [row[2][k] for row in rows if row[1] == e]
                fine = np.geomspace(0.2, 12, 400)
                fine[np.searchsorted(fine, LIMIT)] = math.nan  # the formulas jump there
                line = [printed(s, e)[k] if s == s else math.nan for s in fine]
                ax.semilogx(fine, line, color=colour, lw=0.8)
                ax.semilogx(ratios, ours, ".", ms=4, color=colour, label=f"ε = {e:g}")
            ax.axvline(LIMIT, color=style.QUIET, lw=0.7, ls=style.DASHED)
            ax.set(xlabel="H/b [–]", title=signs(label))
            ax.set_xticks([0.2, 0.5, 1, 2, 5, 10], ["0.2", "0.5", "1", "2", "5", "10"])
            ax.minorticks_off()
        axes[5].axis("off")
        key = {"title": "points: the LCP; lines: printed", "alignment": "left"}
        axes[5].legend(*axes[0].get_legend_handles_labels(), loc="upper left", **key)
        axes[5].text(0.03, 0.42, "dashed: H/b = 1/√2", color=style.QUIET, size=7.5)
    return Result(_table(rows), fig, _equation_verdicts(rows))


Rows = list[tuple[float, float, Impact, tuple[float, float, float, float, float]]]


def _table(rows: Rows) -> dict[str, Any]:
    slender, epsilon, hits, formulas = zip(*rows, strict=True)
    table: dict[str, Any] = {"H/b [-]": slender, "ε [-]": epsilon}
    table["state"] = [hit.state for hit in hits]
    for k, name in enumerate(("Λ_N1", "Λ_N2", "Λ_T", "ġ_N1⁺", "η")):
        table[f"{name} LCP [-]"] = [hit[k] for hit in hits]
        table[f"{name} printed [-]"] = [row[k] for row in formulas]
    return table


def _equation_verdicts(rows: Rows) -> list[Verdict]:
    def worst(k: int, stocky: bool | None = None) -> float:
        chosen = [r for r in rows if stocky is None or (r[0] < LIMIT) == stocky]
        return max(abs(r[2][k] - r[3][k]) for r in chosen)

    residual = max(row[2].momentum for row in rows)
    verdicts = [
        number(f"{what}: largest difference of the LCP", 0.0, value, 1e-11, ROUNDING)
        for what, value in (
            ("Eq. 13, normal impulses of stocky blocks", max(worst(0, True), worst(1, True))),
            ("Eq. 14, tangential impulse", worst(2, True)),
            ("Eq. 17, impulse of corner 2", worst(1, False)),
            ("Eq. 17, velocity of corner 1", worst(3, False)),
            ("Eq. 18, tangential impulse", worst(2, False)),
            ("Eqs. 20 and 21, ratio of angular velocities", worst(4)),
        )
    ]  # fmt: skip
    return [
        number("Eq. 3, what M(q'⁺ − q'⁻) − W Λ leaves", 0.0, residual, 1e-12, ROUNDING,
               basis="derived", remark="The text available to us has a plus sign, q'⁺ + q'⁻; the "
               "paper's Eq. 4 has the minus."),
        *verdicts,
        number("Eqs. 15 and 19, H/b that divides stocky from slender", LIMIT, _dividing(), 1e-9,
               "bisection"),
        number("Eq. 20 for H/b = 7, ε = 0", 0.97, strike(7.0, 0.0).eta, 0.005,
               "two decimals, as quoted with Fig. 6"),
    ]  # fmt: skip


def _dividing() -> float:
    """The H/b from which corner 1 takes no impulse, ε = 0: bisection on solutions of the LCP."""
    low, high = 0.5, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        rocks = strike(middle, 0.0).normal_1 == 0
        low, high = (low, middle) if rocks else (middle, high)
    return (low + high) / 2


# -- Fig. 4 ----------------------------------------------------------------------------------------


def figure_4(effort: Effort) -> Result:
    """The four states over slenderness: which η can be."""
    slender = np.concatenate([np.linspace(0.1, 0.7, 13), np.linspace(0.72, 8, 40)])
    found = [(s, e, strike(s, e)) for s in slender for e in np.linspace(0, 1, 11)]
    with sheet("Giouvanidis & Dimitrakopoulos 2016, Fig. 4: states after an impact", 95) as fig:
        ax = fig.subplots()
        fine = np.linspace(LIMIT, 8, 300)
        top, bottom = ([printed(s, e)[4] for s in fine] for e in (0.0, 1.0))
        ax.fill_between(fine, bottom, top, color=style.FAINT, lw=0)
        ax.fill_between([0, LIMIT], [-1, -1], [0, 0], color=style.FAINT, alpha=0.5, lw=0)
        for name, colour in zip(STATES, COLOURS, strict=True):
            points = np.array([(s, hit.eta) for s, _, hit in found if hit.state == name])
            ax.plot(*points.T, ".", ms=3 if name in ("flight", "bouncing") else 5, color=colour,
                    label=name)  # fmt: skip
        ax.axvline(LIMIT, color=style.QUIET, lw=0.7, ls=style.DASHED)
        ax.text(LIMIT + 0.06, -1.17, "H/b = 1/√2", color=style.QUIET)
        ax.set(xlabel="slenderness H/b [–]", ylabel=f"{ETA} [–]", xlim=(0, 8), ylim=(-1.25, 1.1))
        ax.legend(loc="lower right", title="solutions of the LCP, ε = 0 to 1 by 0.1")
    expected = [STATES[(0 if s < LIMIT else 2) + (1 if e > 0 else 0)] for s, e, _ in found]
    wrong = sum(hit.state != name for (_, _, hit), name in zip(found, expected, strict=True))
    kept = [strike(s, 0.0).energy for s in slender if s > LIMIT]
    rises = bool(np.all(np.diff(kept) > 0))
    elastic = max(abs(hit.energy - 1) for s, e, hit in found if s < LIMIT and e == 1)
    verdicts = [
        number("points of the grid in another state than Fig. 4 says", 0, wrong, 0, "a count",
               remark=f"{len(found)} points."),
        number("ε = 1, stocky: energy lost in a bounce", 0.0, elastic, 1e-12, ROUNDING),
        claim("ε = 0: the higher H/b, the less energy is lost", "monotonic",
              "monotonic" if rises else "not so", rises),
        between("ε = 0: energy kept at H/b = 1000", 0.99999, 1.0, strike(1000.0, 0.0).energy,
                "in the limit none is lost; 3/(H/b)² = 3e-6 here"),
    ]  # fmt: skip
    slenderness, epsilon, hits = zip(*found, strict=True)
    table: dict[str, Any] = {"H/b [-]": slenderness, "ε [-]": epsilon}
    table |= {"η [-]": [hit.eta for hit in hits], "state": [hit.state for hit in hits]}
    return Result(table, fig, verdicts)


PAPER = Paper(
    "giouvanidis2016",
    "A. I. Giouvanidis, E. G. Dimitrakopoulos: Modelling contact in rocking structures with a "
    "nonsmooth dynamics approach. ECCOMAS Congress (2016).",
    (
        Item("Eqs. 1–12", "The complementarity problem", problem),
        Item("Eqs. 13–21", "Impulses and velocities after an impact", equations),
        Item("Fig. 4", "Post-impact states", figure_4),
        Item("Fig. 5", "Free rocking, stocky and slender", figure_5),
        Item("Fig. 6", "Against the classical model", figure_6),
        Item("Fig. 7", "Flexible oscillator", figure_7),
    ),
    "Figs. 1 to 3 are sketches.",
)
