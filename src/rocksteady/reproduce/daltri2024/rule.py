"""D'Altri et al. 2024, Eqs. 4–6 and the outlook: the integration rule, the form of the law, and the
block that rocks as several do."""

import math
from itertools import product

import numpy as np

from rocksteady.analysis.equivalents import equivalent_block
from rocksteady.bodies import Assembly, Block
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.reproduce.daltri2024.decay import COLUMN
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, claim, number
from rocksteady.simulation import simulate
from rocksteady.theories import NumericalDissipation
from rocksteady.theories.dissipation.rule import OPTIMAL, Rule, family
from rocksteady.theories.dissipation.time_step import time_step
from rocksteady.view import style

ALPHA, BETA, GAMMA = 1 - math.sqrt(2), 0.5, math.sqrt(2) - 0.5  # Eq. 5


def equations(effort: Effort) -> Result:
    """How much of an oscillation the rule of Eqs. 4 and 5 keeps in a step, beside others."""
    steps = np.geomspace(1e-2, 1e3, 300)
    shown = {
        "α = 1 − √2, the paper's": (OPTIMAL, style.BLUE),
        "α = −0.1": (Rule.of(-0.1, None, None), style.ORANGE),
        "α = 0, trapezoidal": (Rule.of(0.0, None, None), style.VERMILLION),
    }
    kept = {
        name: np.array([_radius(rule, step) for step in steps]) for name, (rule, _) in shown.items()
    }
    with sheet("D'Altri et al. 2024, Eqs. 4–5: what a step keeps of an oscillation", 80) as fig:
        ax = fig.subplots()
        for name, (_, colour) in shown.items():
            ax.semilogx(steps, kept[name], color=colour, label=name)
        ax.axhline(math.sqrt(0.5), color=style.QUIET, lw=0.8, ls=style.DASHED)
        ax.annotate("1/√2", (1.2e-2, math.sqrt(0.5) + 0.015), fontsize=7, color=style.QUIET)
        ax.set(xlabel="ω Δt [–]", ylabel="amplitude kept in a step [–]", ylim=(0, 1.05))
        ax.legend(loc="center left")
    table = {"ω Δt [-]": steps} | {f"kept, {name} [-]": values for name, values in kept.items()}
    return Result(table, fig, [*_rule_verdicts(), *_form_verdicts(), *_one_stone()])


def _radius(rule: Rule, step: float) -> float:
    """Spectral radius of Eq. 4 for an undamped oscillator, ω Δt = ``step``, from its matrices."""
    return float(np.abs(np.linalg.eigvals(_advance(rule, step))).max())


def _advance(rule: Rule, step: float) -> Array:
    """(u, Δt v, Δt² a) of one instant to those of the next, M = 1, f = ω² u, no contact."""
    a, b, c = rule.alpha, rule.beta, rule.gamma
    square = step**2
    new = np.array([[1, 0, -b], [0, 1, -c], [(1 + a) * square, 0, 1]])
    old = np.array([[1, 1, 0.5 - b], [0, 1, 1 - c], [a * square, 0, 0]])
    return np.asarray(np.linalg.solve(new, old))


def _rule_verdicts() -> list[Verdict]:
    usual, given = (
        simulate(COLUMN, None, how, theta0=COLUMN.alpha / 2, duration=3.0)
        for how in (
            NumericalDissipation(k_n=5e8, dt=0.013),
            NumericalDissipation(
                k_n=5e8, dt=0.013, alpha_hht=ALPHA, beta_hht=BETA, gamma_hht=GAMMA
            ),
        )
    )
    most = max(_radius(OPTIMAL, step) for step in np.geomspace(1e-3, 1e6, 1000))
    try:
        NumericalDissipation(alpha_hht=-0.2, beta_hht=0.1)
        refused = False
    except InputError:
        refused = True
    return [
        number("Eq. 5, β that the call takes for α = 1 − √2", BETA,
               family(ALPHA).beta, 1e-12, "rounding"),
        number("Eq. 5, γ that the call takes for α = 1 − √2", GAMMA,
               family(ALPHA).gamma, 1e-12, "rounding"),
        number("Eq. 5 given as numbers against the default: largest |Δθ|", 0.0,
               float(np.abs(usual.theta - given.theta).max()), 0.0, "the same bits", unit="rad",
               basis="derived"),
        number("Eqs. 4 and 5, amplitude that a very long step keeps: |α|/(1 + α)", math.sqrt(0.5),
               _radius(OPTIMAL, 1e6), 1e-6, "ω Δt = 10⁶", basis="derived"),
        between("Eqs. 4 and 5, largest amplitude kept over all steps", -math.inf, 1 + 1e-12, most,
                "unconditionally stable; rounding", basis="derived"),
        claim("combinations that are not stable", "conditionally stable",
              "refused" if refused else "taken", refused, basis="derived",
              reason="α = −0.2, β = 0.1"),
    ]  # fmt: skip


def _form_verdicts() -> list[Verdict]:
    """Eq. 6: Δt = A1 (R H/B)^A2 k_n^A3 ln r, by the logarithms of steps."""
    blocks = (COLUMN, Block(2.4, 0.6), Block(12.0, 1.2))
    cases = list(product(blocks, (2.5e8, 10e8, 25e8), (0.85, 0.9, 0.97)))
    logs = np.log([
        time_step(block, k_n, r).dt / -math.log(r) for block, k_n, r in cases
    ])  # fmt: skip
    known = np.array([
        (1.0, math.log(block.R * block.slenderness), math.log(k_n)) for block, k_n, _ in cases
    ])  # fmt: skip
    fit, *_ = np.linalg.lstsq(known, logs, rcond=None)
    off = np.array([-math.exp(fit[0]), *fit[1:]]) / (-2.238, 0.629, -0.205) - 1
    return [
        number("Eq. 6, A1 to A3 of the steps of the call, relative difference from Eq. 9, largest",
               0.0, float(np.abs(off).max()), 1e-9, "rounding, in a fit to 27 steps"),
    ]  # fmt: skip


def _one_stone() -> list[Verdict]:
    """The outlook's equivalent block, of a single drum."""
    block = Block(height=4.0, width=0.8)
    drum = equivalent_block(Assembly.drums(1, height=4.0, width=0.8, friction=0.7))
    off = max(abs(drum.p / block.p - 1), abs(drum.alpha / block.alpha - 1))
    return [
        number("Section 5, equivalent block of one stone: p and α, largest relative difference",
               0.0, off, 1e-12, "rounding", basis="derived"),
    ]  # fmt: skip
