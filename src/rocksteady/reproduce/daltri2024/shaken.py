"""D'Altri et al. 2024: harmonic motions (Figs. 12, 14) and chaos near collapse (Fig. 16)."""

import math
from itertools import count as count_from
from typing import Any

import numpy as np

from rocksteady.analysis.statistics import stochastic_motions
from rocksteady.bodies import Block
from rocksteady.motion import Motion
from rocksteady.motion.generate.pulses import sine
from rocksteady.reproduce.daltri2024.tests import BEDS, LOST, SPECIMENS, bed_name, on_bed
from rocksteady.reproduce.drawing import REFERENCE, lean, long_table, sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, claim
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Housner, NumericalDissipation
from rocksteady.view import style
from rocksteady.view.labels import signs

SHAKEN = {1: 20.0, 2: 10.0}  # s: when the ground stops in Figs. 12 and 14
REST = 8.0  # s, after it
CHAOS_STEPS = (0.0020, 0.0025, 0.0030, 0.0032, 0.0035)  # s, of Fig. 16

# -- Figs. 12 and 14 ------------------------------------------------------------------------------


AMPLITUDE = 1.5  # of g tan α, at which the block lifts off
RULE = (
    "1.5 g tan α, at the lowest whole multiple of p at which Housner's block never leans beyond α: "
    "there it would fall if the ground stopped"
)

CHAOTIC = (
    "Tried: the ground stronger and weaker by up to 7·10⁻¹². On the stiffest bed this stocky block "
    "bounces, and rounding decides its history: 31 such runs gave free swings of 0.81 to 1.21 "
    "times Housner's, one of them beyond a fifth."
)


def harmonic(block: Block, length: float, multiple: int) -> Motion:
    """A sine of 1.5 g tan α at a ``multiple`` of p, then the ground at rest."""
    omega, amplitude = multiple * block.p, AMPLITUDE * block.g * math.tan(block.alpha)
    cycles = round(length * omega / (2 * math.pi))
    return sine(amplitude, omega=omega, cycles=cycles, dt=0.002, tail=REST)


def chosen_harmonic(block: Block, length: float) -> tuple[int, Motion, Response]:
    """By the `RULE`, which asks the classical theory alone: multiple of p, motion and response."""
    for multiple in count_from(1):
        ground = harmonic(block, length, multiple)
        exact = simulate(block, ground, Housner(), duration=ground.duration)
        if not exact.fell and exact.peak < block.alpha:
            return multiple, ground, exact
    raise AssertionError("the response falls as the frequency grows")


def figure_12_14(effort: Effort) -> Result:
    """Specimens 1 and 2 under a harmonic, three beds."""
    verdicts: list[Verdict] = []
    parts, used = {}, []
    title = "D'Altri et al. 2024, Figs. 12, 14: small specimens under harmonic motion"
    with sheet(title, 115) as fig:
        axes = fig.subplots(2, 1)
        for ax, (specimen, length) in zip(axes, SHAKEN.items(), strict=True):
            block = SPECIMENS[specimen]
            multiple, ground, exact = chosen_harmonic(block, length)
            stop = ground.duration - REST
            used.append(f"{multiple} p for {length:g} s")
            ax.plot(*lean(exact), label="Eq. 1 with ground", **REFERENCE)
            ratios, after = [], []
            for k_n, colour in BEDS.items():
                run = simulate(block, ground, on_bed(specimen, k_n), duration=ground.duration)
                ax.plot(*lean(run), color=colour, lw=0.8, label=signs(bed_name(k_n)))
                ratios.append(run.peak / exact.peak)
                after.append(_largest_after(run, stop) / _largest_after(exact, stop))
                time, x = lean(run)
                parts[f"{specimen}, {k_n:g}"] = {"time [s]": time, "theta/alpha [-]": x}
            ax.axvline(stop, color=style.QUIET, lw=0.7, ls=style.DASHED)
            ax.set(ylabel="θ/α [–]", xlim=(stop - 5, stop + 4))
            ax.set_title(f"Specimen {specimen}, last cycles; dashed: the ground stops")
            verdicts += _harmonic_verdicts(specimen, ratios, after)
        axes[-1].set_xlabel("time [s]")
        fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    note = f"{LOST} The harmonic is not in it either. Ours: {RULE}; that is {' and '.join(used)}."
    return Result(long_table(parts, "specimen, k_n [N/m³]", 1000), fig, verdicts, note)


def _largest_after(run: Response, time: float) -> float:
    """Largest |θ| [rad] once the ground has stopped."""
    return float(np.abs(run.theta[run.time > time]).max())


def _harmonic_verdicts(specimen: int, ratios: list[float], after: list[float]) -> list[Verdict]:
    """Of the peaks and the largest free swings on three beds over those of Eq. 1."""
    spread = (max(ratios) - min(ratios)) / max(ratios)
    alike, good, free = (
        f"Specimen {specimen}: {words}"
        for words in (
            "spread of the peaks over three beds, relative",
            "peak over that of Eq. 1, farthest of three beds",
            "largest free swing over that of Eq. 1, farthest",
        )
    )
    first = specimen == 1
    return [
        *([between(alike, 0.0, 0.10, spread, '"very similar results": a tenth',
                   basis="substitute")] if first else []),
        between(good, 0.8, 1.2, _farthest(ratios), '"overall good agreement": a fifth',
                basis="substitute", remark="" if first else "From bed to bed the peaks differ by "
                f"{100 * spread:.0f} %; the text calls those of specimen 1 alone very similar."),
        between(free, 0.8, 1.2, _farthest(after), '"free rocking is accurately predicted": a fifth',
                basis="substitute", remark="At the law's step these small blocks do not lose "
                "exactly what r asks for (Fig. 11), and leave the harmonic with another phase."
                ).tried(CHAOTIC if first else ""),
    ]  # fmt: skip


def _farthest(ratios: list[float]) -> float:
    return max(ratios, key=lambda x: abs(x - 1))


# -- Fig. 16 --------------------------------------------------------------------------------------


def figure_16(effort: Effort) -> Result:
    """Near collapse, the outcome depends on the time step."""
    block = SPECIMENS[3]
    count = effort.pick(12, 40)
    motions = stochastic_motions(
        block, 3.0, n=count, seed=16, strength=(1.2, 3.0), d5_95=8.0, t_mid=5.0
    )
    falls = np.zeros((count, len(CHAOS_STEPS)), dtype=bool)
    runs: list[dict[float, Response]] = []
    for i, motion in enumerate(motions):
        mine = {dt: simulate(block, motion, NumericalDissipation(dt=dt)) for dt in CHAOS_STEPS}
        falls[i] = [run.fell for run in mine.values()]
        runs.append(mine)
        effort.progress(i + 1, count)
    mixed = np.flatnonzero(falls.any(axis=1) & ~falls.all(axis=1))
    shown = int(mixed[np.argmin(np.abs(falls[mixed].sum(axis=1) - 2.5))]) if len(mixed) else 0
    with sheet("D'Altri et al. 2024, Fig. 16: chaos near collapse", 105) as fig:
        ax, bars = fig.subplots(1, 2, width_ratios=(2.4, 1))
        colours = (style.INK, style.ORANGE, style.GREEN, style.BLUE, style.VERMILLION)
        end = 0.0
        for (dt, run), colour in zip(runs[shown].items(), colours, strict=True):
            time, x = lean(run)
            inside = np.abs(x) < 1.6
            label = f"{1e3 * dt:g} ms, {'falls' if run.fell else 'stands'}"
            ax.plot(time[inside], x[inside], color=colour, lw=0.8, label=label)
            end = max(end, float(time[inside][-1]) if run.fell else 12.0)
        ax.set(xlabel="time [s]", ylabel="θ/α [–]", xlim=(0, min(end + 2, 20)), ylim=(-1.5, 1.5))
        ax.set_title(f"Motion {shown}")
        ax.legend(loc="lower left", fontsize=7)
        sums = falls.sum(axis=1)
        bars.bar(range(6), [int((sums == k).sum()) for k in range(6)], color=style.BLUE, width=0.7)
        bars.set(xlabel="steps with which it falls, of 5", ylabel="motions")
        bars.set_title(f"{count} motions")
    verdicts = [
        claim("steps that differ little give other outcomes", "3 of 5 steps collapse",
              f"the outcome depends on the step for {len(mixed)} of {count} motions",
              len(mixed) > 0, basis="substitute"),
    ]  # fmt: skip
    table: dict[str, Any] = {"motion": np.arange(count)}
    table |= {f"falls at {1e3 * dt:g} ms": falls[:, k] for k, dt in enumerate(CHAOS_STEPS)}
    note = f"{LOST} Stochastic motions of 3 Hz, 1.2 to 3 g tan α, stand in for the ground motion."
    return Result(table, fig, verdicts, note)
