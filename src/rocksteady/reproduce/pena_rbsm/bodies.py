"""Peña, rigid body spring model: asymmetric bodies in both directions, and the slender bodies it is
meant for."""

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import quad

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.motion.generate.pulses import sine
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import OURS, REFERENCE, long_table, sheet
from rocksteady.reproduce.verdict import Effort, Result, between, claim, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Housner, RigidBodySpring
from rocksteady.view import style

BLOCK = Block(height=2.0, width=0.4)  # h/b = 5
LOPSIDED = Block(height=2.0, width=0.4, offset=0.05)
STRONG, MILD = 1.5, 1.3  # pulses on the asymmetric body, times g tan α of its weak side
GRANITE = (
    "The four granite blocks of the shaking-table tests are not described in the text: "
    f"a {BLOCK.label} and generated motions stand in for them."
)


# -- asymmetric bodies -----------------------------------------------------------------------------


@cache
def pushed(block: Block, amplitude: float, side: int, rigid: bool = False) -> Response:
    """Under a one-sine pulse of so many times g tan α of the weaker side, period 1 s."""
    push = side * amplitude * block.g * math.tan(block.weak_side.alpha)
    how = Housner() if rigid else RigidBodySpring()
    return simulate(block, sine(push, period=1.0, dt=2e-3), how)


def asymmetry(effort: Effort) -> Result:
    """The same pulse to either side of an asymmetric body."""
    amplitudes = np.linspace(1.1, 1.8, effort.pick(5, 15))
    both = {side: pushed(LOPSIDED, STRONG, side) for side in (1, -1)}
    classical = {side: pushed(LOPSIDED, STRONG, side, True) for side in (1, -1)}
    with sheet("Peña, rigid body spring model: an asymmetric body in both directions", 115) as fig:
        grid = fig.add_gridspec(2, 2, width_ratios=(1.7, 1))
        axes = [fig.add_subplot(grid[i, 0]) for i in (0, 1)]
        curve = fig.add_subplot(grid[:, 1])
        for ax, side, word in ((axes[0], 1, "right"), (axes[1], -1, "left")):
            ours, rigid = both[side], classical[side]
            ax.plot(rigid.time, rigid.relative, label="Housner", **REFERENCE)
            ax.plot(ours.time, ours.relative, label="springs", **OURS)
            ax.set(xlim=(0, 4), ylim=(-1.2, 1.2), ylabel="rotation θ/α [–]")
            ax.set_title(f"Ground first to the {word}: it {'falls' if ours.fell else 'stands'}")
        axes[0].legend(loc="upper right", ncols=2)
        axes[1].set_xlabel("time [s]")
        parts = _peaks(curve, amplitudes)
        curve.set_title("Peak over strength")
    one, other = both.values()
    symmetric = [pushed(BLOCK, 1.2, side).peak for side in (1, -1)]
    mild = [pushed(LOPSIDED, MILD, side).peak for side in (1, -1)]
    agree = all(both[side].status is classical[side].status for side in both)
    verdicts = [
        claim("asymmetric: the largest response depends on the direction", "depends",
              f"{one.status} against {other.status}",
              one.status is not other.status, basis="substitute"),
        claim("the same at 1.3 g tan α", "depends", f"peak {mild[0]:.3f} against {mild[1]:.3f}",
              abs(mild[0] - mild[1]) > 0.1 * max(mild), basis="substitute",
              reason="a tenth of the peak at least",
              remark="Weaker pulses lift it off towards its weak side only, once, and then either "
              "direction gives the same peak, half a period apart."),
        number("symmetric: difference of the peaks", 0.0, symmetric[0] - symmetric[1], 0.0,
               "mirrored to the last bit", basis="derived"),
        claim("Housner's theory for asymmetric bodies says the same", "same outcome",
              "same" if agree else "other", agree, basis="derived"),
    ]  # fmt: skip
    return Result(long_table(parts, "direction"), fig, verdicts, GRANITE)


def _peaks(ax: Any, amplitudes: Array) -> dict[str, dict[str, Any]]:
    parts = {}
    for side, word, colour in ((1, "right", style.ORANGE), (-1, "left", style.BLUE)):
        ours = [pushed(LOPSIDED, float(a), side) for a in amplitudes]
        rigid = [pushed(LOPSIDED, float(a), side, True) for a in amplitudes]
        springs, housner = (
            np.array([math.nan if run.fell else run.peak for run in runs]) for runs in (ours, rigid)
        )
        ax.plot(amplitudes, housner, **REFERENCE | {"color": colour})
        name = f"first to the {word}"
        ax.plot(amplitudes, springs, "o-", ms=3, lw=0.9, color=colour, label=name)
        parts[word] = {
            "a/(g tan α) [-]": amplitudes,
            "peak springs [-]": springs,
            "peak Housner [-]": housner,
        }
    ax.set(xlabel="a/(g tan α) [–]", ylabel="peak |θ|/α [–]", xlim=(1.05, 1.85), ylim=(0, 0.9))
    ax.legend(loc="upper right", title="wide: Housner; beyond: it falls", alignment="left")
    return parts


# -- slender bodies --------------------------------------------------------------------------------


def slenderness(effort: Effort) -> Result:
    """Small rotations: how far free rocking is from the nonlinear theory."""
    ratios = np.array([2.75, 3.0, 4.0, 5.0, 7.0, 10.0])
    times, own, losses = [], [], []
    for ratio in ratios:
        block = Block(height=2.0, width=2.0 / ratio)
        start: dict[str, Any] = {"theta0": block.alpha / 2, "duration": 14 / block.p}
        ours = simulate(block, None, RigidBodySpring(), **start)
        rigid = simulate(block, None, Housner(), **start)
        first = float(ours.impacts.time[0])
        times.append(first / float(rigid.impacts.time[0]) - 1)
        own.append(first / _first_impact(block, block.alpha / 2) - 1)
        losses.append(float(np.exp(np.log(ours.decay().r[:4]).mean())) - block.r)
    with sheet("Peña, rigid body spring model: slender bodies and small rotations", 75) as fig:
        time, loss = fig.subplots(1, 2)
        angle = np.arctan(1 / ratios)
        guide = 100 * abs(times[0]) * (angle / angle[0]) ** 2
        time.plot(ratios, guide, color=style.QUIET, ls=style.DASHED, label="∝ α²")
        time.plot(ratios, 100 * np.abs(times), "o-", ms=3.5, color=style.BLUE, label="springs")
        time.set(xlabel="slenderness h/b [–]", ylabel="relative difference [%]", ylim=(0, None))
        time.set_title("Time to the first impact from Housner's")
        time.legend(loc="upper right")
        loss.axhline(0, color=style.FAINT, lw=0.8)
        loss.plot(ratios, 1e3 * np.array(losses), "o-", ms=3.5, color=style.VERMILLION)
        loss.set(xlabel="slenderness h/b [–]", ylabel="r − Housner's [10⁻³]", ylim=(-4, 4))
        loss.set_title("Energy kept at impacts, default bed")
    verdicts = [
        number("h/b of a body with α = 20°", 2.75, 1 / math.tan(math.radians(20)), 0.005,
               "two decimals", basis="printed"),
        claim("a body with α above 20° is outside the model", "only slender bodies",
              "refused" if _refused() else "accepted", _refused()),
        number("first impact against first-order geometry on a rigid base, farthest", 0.0,
               float(np.abs(own).max()), 1e-3, "the bed sinks by 1e-4 of b²/h", basis="derived"),
        between("small rotations: order in α of the error of the first impact's time", 1.7, 2.3,
                float(np.polyfit(np.log(angle), np.log(np.abs(times)), 1)[0]),
                "first-order geometry errs at order 2", basis="derived",
                remark=f"Against the nonlinear theory it comes {100 * abs(times[0]):.1f} % too "
                f"early at h/b = 2.75 and {100 * abs(times[-1]):.1f} % at 10, let go at α/2."),
        number("r from Housner's, default bed, farthest", 0.0,
               float(losses[int(np.argmax(np.abs(losses)))]), 0.002,
               "what the formulation's page promises for ξ = 1", basis="derived"),
    ]  # fmt: skip
    table = {
        "h/b [-]": ratios,
        "first impact / Housner's − 1 [-]": times,
        "first impact / first-order geometry − 1 [-]": own,
        "r − Housner's [-]": losses,
    }
    return Result(table, fig, verdicts)


def _first_impact(block: Block, lean: float) -> float:
    """Time [s] until a body let go at ``lean`` is upright, on a rigid base with first-order
    geometry: (I_c + m h² + m (b − hθ)²) θ'²/2 + m g (bθ − hθ²/2) is constant."""
    m, h, b, g = block.mass, block.com_height, block.width / 2, block.g

    def slowness(s: float) -> float:  # θ = lean (1 − s²): the square root's end made smooth
        theta = lean * (1 - s * s)
        inertia = block.inertia + m * h**2 + m * (b - h * theta) ** 2
        fallen = m * g * (lean - theta) * (b - h * (lean + theta) / 2)
        return 2 * lean * s * math.sqrt(inertia / (2 * fallen)) if s else 0.0

    return float(quad(slowness, 1e-9, 1)[0])


def _refused() -> bool:
    try:
        RigidBodySpring().parameters(Block(height=2.0, width=2.0 * math.tan(math.radians(21))))
    except InputError:
        return True
    return False
