"""Giouvanidis and Dimitrakopoulos 2016, Eqs. 1–12 and 16: the complementarity problem of an impact,
solved here by trying all cases, and the motion between impacts."""

import math
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.bodies import Block
from rocksteady.motion.generate.pulses import sine
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.giouvanidis2016.motion import SLENDER
from rocksteady.reproduce.verdict import Effort, Result, Verdict, claim, number
from rocksteady.simulation import simulate
from rocksteady.theories import Nonsmooth
from rocksteady.theories.nonsmooth.lcp import impact
from rocksteady.view import style
from rocksteady.view.labels import signs

COUNT, SEED = 400, 2016
ROUNDING = "rounding: velocities and impulses are of the order of 1"
UNTIL = 0.4  # s: before the first impact of the pulse's block


class Trial(NamedTuple):
    """A block that strikes the ground with both corners closing or at rest, and does not slide."""

    slenderness: float
    epsilon: float
    mass: Array
    W_N: Array
    W_T: Array
    before: Array
    after: Array
    normal: Array
    tangential: Array

    @property
    def closing(self) -> tuple[Array, Array]:
        """Normal velocities of the corners, before and after."""
        return self.W_N.T @ self.before, self.W_N.T @ self.after


@cache
def trials() -> tuple[Trial, ...]:
    """Impacts drawn at random: H/b 0.2 to 12, ε 0 to 1, R = m = 1; the base does not slide before
    the impact, as the paper assumes."""
    draw = np.random.default_rng(SEED)
    found = []
    for _ in range(COUNT):
        slenderness, epsilon = math.exp(draw.uniform(math.log(0.2), math.log(12))), draw.uniform()
        alpha = math.atan(1 / slenderness)
        b, h = math.sin(alpha), math.cos(alpha)
        mass = np.diag([1.0, 1.0, 1 / 3])
        W_N, W_T = np.array([[0, 0], [1, 1], [-b, b]]), np.array([[1.0], [0.0], [h]])
        corners = -draw.uniform(0, 1, 2) * (draw.uniform(size=2) < 0.8)  # some are at rest
        spin = (corners[1] - corners[0]) / (2 * b)
        before = np.array([-h * spin, corners.mean(), spin])
        solved = impact(mass, W_N, W_T, before, epsilon)
        found.append(Trial(slenderness, epsilon, mass, W_N, W_T, before, *solved))
    return tuple(found)


def enumerated(one: Trial) -> Array:
    """The normal impulses by trying all cases: of each contact either Λ = 0 or v = 0 (Eq. 9)."""
    G = {
        (i, j): getattr(one, f"W_{i}").T @ np.linalg.inv(one.mass) @ getattr(one, f"W_{j}")
        for i, j in product("NT", "NT")
    }
    A = G["N", "N"] - G["N", "T"] @ np.linalg.inv(G["T", "T"]) @ G["T", "N"]
    c = (1 + one.epsilon) * one.W_N.T @ one.before
    for active in product((False, True), repeat=2):
        chosen, impulse = np.flatnonzero(active), np.zeros(2)
        if len(chosen):
            impulse[chosen] = np.linalg.solve(A[np.ix_(chosen, chosen)], -c[chosen])
        if np.all(impulse >= -1e-12) and np.all(A @ impulse + c >= -1e-12):
            return impulse
    raise AssertionError("an LCP with a positive definite matrix has a solution")


def equations(effort: Effort) -> Result:
    """The complementarity problem for impacts drawn at random."""
    runs = trials()
    cases = np.array([enumerated(one) for one in runs])
    ours = np.array([one.normal for one in runs])
    opening = np.array([one.closing[1] + one.epsilon * one.closing[0] for one in runs])
    slender = np.array([one.slenderness for one in runs])
    title = "Giouvanidis & Dimitrakopoulos 2016, Eqs. 1–12: impacts drawn at random"
    with sheet(title, 80) as fig:
        left, right = fig.subplots(1, 2)
        left.plot((0, cases.max()), (0, cases.max()), color=style.QUIET, lw=0.8, ls=style.DASHED)
        right.axhline(0, color=style.FAINT, lw=0.8)
        right.axvline(0, color=style.FAINT, lw=0.8)
        for k, colour, mark in ((0, style.BLUE, "o"), (1, style.VERMILLION, "s")):
            look = {"ms": 2.5, "mfc": "none", "mec": colour, "mew": 0.5}
            left.plot(cases[:, k], ours[:, k], mark, label=f"corner {k + 1}", **look)
            right.plot(ours[:, k], opening[:, k], mark, **look)
        left.set(xlabel=signs("Λ_N by trying all cases [kg m/s]"),
                 ylabel=signs("Λ_N of the LCP [kg m/s]"), title="Normal impulses")  # fmt: skip
        right.set(xlabel=signs("Λ_N [kg m/s]"), ylabel=signs("v = ġ_N⁺ + ε ġ_N⁻ [m/s]"),
                  title="Either an impulse or an opening")  # fmt: skip
        left.legend(loc="upper left")
    table = {
        "H/b [-]": slender, "ε [-]": [one.epsilon for one in runs],
        "Λ_N1 [kg m/s]": ours[:, 0], "Λ_N2 [kg m/s]": ours[:, 1],
        "v_1 [m/s]": opening[:, 0], "v_2 [m/s]": opening[:, 1],
    }  # fmt: skip
    note = (
        f"{len(runs)} impacts of blocks with R = 1 m and m = 1 kg; both corners close or rest, and "
        "the base does not slide before the impact."
    )
    return Result(table, fig, _verdicts(runs, ours, cases, opening), note)


def _verdicts(runs: tuple[Trial, ...], ours: Array, cases: Array, v: Array) -> list[Verdict]:
    jump, stuck, newton = [], [], []
    for one in runs:
        change = one.W_N @ one.normal + one.W_T @ one.tangential
        jump.append(np.abs(one.after - one.before - np.linalg.solve(one.mass, change)).max())
        stuck.append(np.abs(one.W_T.T @ one.after).max())
        before, after = one.closing
        newton.append(np.abs((after + one.epsilon * before)[one.normal > 1e-9]).max(initial=0.0))
    slender = [one for one in runs if one.slenderness > 1 and np.ptp(one.closing[0]) > 0.1]
    rests = [one for one in slender if one.closing[0][0] == 0 and one.epsilon > 0]
    opens = sum(one.closing[1][0] > 0 for one in rests)

    def zero(what: str, value: float, tolerance: float = 1e-12, reason: str = ROUNDING) -> Verdict:
        return number(what, 0.0, value, tolerance, reason, basis="derived")

    return [
        _between_impacts(),
        zero("Eqs. 2 to 5, what q'⁺ − q'⁻ − M⁻¹ W Λ leaves", max(jump)),
        zero("Eq. 6, tangential velocity after an impact that sticks", max(stuck)),
        zero("Eqs. 7 and 8, ġ⁺ + ε ġ⁻ of contacts that take an impulse", max(newton)),
        zero("Eq. 9, the most negative impulse or opening velocity",
             max(0.0, -float(min(ours.min(), v.min())))),
        zero("Eq. 9, largest product Λ v", float(np.abs(ours * v).max())),
        zero("Eq. 10, impulses against all cases tried, largest difference",
             float(np.abs(ours - cases).max())),
        *_matrices(),
        claim("Eqs. 12 and 16, slender: a corner at rest leaves as the other strikes",
              "corner 1 opens", f"{opens} of {len(rests)}", opens == len(rests) > 0,
              basis="stated"),
    ]  # fmt: skip


def _matrices() -> list[Verdict]:
    """Eq. 11: of the block of Fig. 5, by integrals over its area."""
    block = SLENDER
    cells = 400
    x, y = ((np.arange(cells) + 0.5) / cells - 0.5 for _ in "xy")
    across, up = np.meshgrid(x * block.width, y * block.height)
    polar = block.mass * float(np.mean(across**2 + up**2)) / (1 - 1 / cells**2)
    return [
        number("Eq. 11, I over its integral over the area", 1.0, block.inertia / polar, 1e-9,
               "midpoint rule, its error removed", basis="derived"),
        number("Eq. 11, R² = b² + H²", (block.width / 2) ** 2 + (block.height / 2) ** 2,
               block.R**2, 1e-12, "rounding", unit="m²", basis="derived"),
    ]  # fmt: skip


def _between_impacts() -> Verdict:
    """Eq. 1 between uplift and the first impact: SciPy on one degree of freedom."""
    block = SLENDER
    ground = sine(amplitude=0.45 * block.g, period=2 * math.pi / (5.75 * block.p), dt=1e-4)
    run = simulate(block, ground, Nonsmooth(), duration=UNTIL)
    lean = int(np.flatnonzero(np.abs(run.theta) > 1e-3 * block.alpha)[0])
    times = run.time[lean:]
    other = solve_ivp(
        _rocking, (times[0], times[-1]), [run.theta[lean], run.omega[lean]], method="DOP853",
        t_eval=times, rtol=1e-12, atol=1e-14, max_step=1e-3,
        args=(block, ground.time, ground.accel),
    )  # fmt: skip
    off = float(np.abs(other.y[0] - run.theta[lean:]).max()) / block.alpha
    return number(
        "Eq. 1, the pulse of Fig. 6 until 0.4 s: largest |Δθ|/α from SciPy", 0.0, off, 1e-7,
        "error of the integration", basis="independent",
    )  # fmt: skip


def _rocking(t: float, state: Array, block: Block, time: Array, accel: Array) -> list[float]:
    """θ'' of a block that leans on one edge (Housner's equation, from Eq. 1)."""
    theta, omega = state
    lean = block.alpha - abs(theta)
    ground = float(np.interp(t, time, accel)) / block.g
    pull = math.copysign(math.sin(lean), theta) + ground * math.cos(lean)
    return [omega, -(block.p**2) * pull]
