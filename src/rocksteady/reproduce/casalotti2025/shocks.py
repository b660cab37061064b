"""Casalotti et al. 2025: resonance, repeated records and sequences. Figs. 10 to 13."""

from functools import cache
from typing import Any

import numpy as np

from rocksteady.analysis.sequence import SequenceResponse, sequence
from rocksteady.motion import Motion
from rocksteady.motion.generate.stochastic import Parameters, ensemble
from rocksteady.motion.generate.tones import tones
from rocksteady.motion.intensity import arias
from rocksteady.numerics.types import Array
from rocksteady.reproduce.casalotti2025.ramps import HOUSE
from rocksteady.reproduce.drawing import power_of_ten, sheet, thinned
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, claim
from rocksteady.view import style

TONE = 0.3  # m/s²: a fifth of the acceleration that would make the building slip at once
PGA = 2.0  # m/s², of main shocks: it wears the building and does not bring it down
NEAR = Parameters(
    arias=1.2, d5_95=8.0, t_mid=5.0, frequency_mid=4.0, frequency_rate=-0.1, damping=0.25
)  # a near-source motion of a magnitude of about 6 on stiff ground
SEED = 2009
WEAKER = (0.2, 0.5)  # of the main shock's PGA: foreshocks are drawn from this range
MASS = f"The mass is not given: {HOUSE.mass / 1e3:g} t, undamped as in the paper."
GENERATED = (
    "The records of L'Aquila are not in the text: stochastic motions (Rezaeian & Der Kiureghian) "
    f"stand in for them. {MASS}"
)

# -- Fig. 10 --------------------------------------------------------------------------------------


def figure_10(effort: Effort) -> Result:
    """Resonance: one tone, and three of the same total amplitude."""
    omega = HOUSE.natural_frequency
    one = sequence(HOUSE, [tones([TONE], [omega], 60.0)], gap=0.0)
    lower = [omega, 0.95 * omega, 0.9 * omega]
    three = sequence(HOUSE, [tones([TONE / 3] * 3, lower, 60.0)], gap=0.0)
    top = 1.1 * float(three.wear[-1])
    with sheet("Casalotti et al. 2025, Fig. 10: wear under harmonic load", 80) as fig:
        axes = fig.subplots(1, 2, sharey=True)
        for ax, run, colour, title in (
            (axes[0], one, style.BLUE, "One tone at ω₀"),
            (axes[1], three, style.VERMILLION, "Three tones at ω₀, 0.95 ω₀ and 0.9 ω₀"),
        ):
            ax.plot(run.time, run.wear, color=colour)
            ax.set(xlabel="time [s]", xlim=(0, 60), ylim=(0, top), title=title)
        axes[0].set_ylabel("wear w [–]")
    quarter = len(one.wear) // 4
    grown = [float(run.wear[-1] / run.wear[quarter] - 1) for run in (one, three)]
    verdicts = [
        between("one tone: growth of w after the first quarter, relative", 0.0, 1e-3, grown[0],
                '"stabilizes to a constant value"'),
        between("three tones: growth of w after the first quarter, relative", 0.1, np.inf, grown[1],
                '"continues to accumulate": a tenth at least'),
        claim("three tones wear more than one of the same amplitude", "more",
              f"{three.wear[-1]:.3f} against {one.wear[-1]:.3f}",
              bool(three.wear[-1] > one.wear[-1])),
    ]  # fmt: skip
    table = {"time [s]": one.time, "w one tone [-]": one.wear, "w three tones [-]": three.wear}
    return Result(thinned(table), fig, verdicts, f"A_f is not given: A_f/m = {TONE:g} m/s². {MASS}")


# -- Fig. 11 --------------------------------------------------------------------------------------


@cache
def motions(count: int) -> tuple[Motion, ...]:
    """Stochastic motions, each with the PGA of a main shock."""
    return tuple(motion.scaled_to(pga=PGA) for motion in ensemble(count, SEED, NEAR))


def figure_11(effort: Effort) -> Result:
    """The same record once and three times."""
    drawn = motions(effort.pick(20, 100))
    runs = []
    for i, motion in enumerate(drawn):
        runs.append(sequence(HOUSE, [motion] * 3))
        effort.progress(i + 1, len(drawn))
    worn = [[row["wear [-]"] for row in run.rows()[: len(run.shocks)]] for run in runs]
    swings = [[row["peak |u| [m]"] for row in run.rows()[: len(run.shocks)]] for run in runs]
    standing = [i for i, run in enumerate(runs) if run.collapse is None and run.failed is None]
    # a building in the middle of those that stand is drawn
    typical = sorted(standing, key=lambda i: worn[i][-1])[len(standing) // 2]
    with sheet("Casalotti et al. 2025, Fig. 11: the same motion three times", 120) as fig:
        _draw_repeats(fig, runs[typical])
    more = np.mean([bool(np.all(np.diff(values) > 0)) for values in worn if len(values) == 3])
    further = np.mean([max(values[1:], default=np.inf) > values[0] for values in swings])
    tail = _free_vibration(runs[typical])
    verdicts = [
        between("share of motions whose 2nd and 3rd occurrence wear further", 0.95, 1.0,
                float(more), '"further damage", in 19 of 20 generated motions', basis="substitute"),
        between("share of motions whose 2nd or 3rd occurrence swings further", 0.5, 1.0,
                float(further), '"larger oscillations", in most generated motions',
                basis="substitute"),
        between("undamped vibration after the signal: change of amplitude, relative", 0.0, 1e-6,
                tail, '"undamped free oscillations" within the elastic range'),
    ]  # fmt: skip
    table: dict[str, Any] = {"motion": np.arange(len(drawn))}
    for name, values in (("w after {} [-]", worn), ("peak |u| in {} [m]", swings)):
        for k in range(3):
            table[name.format(k + 1)] = [v[k] if k < len(v) else np.nan for v in values]
    fallen = sum(run.collapse is not None for run in runs)
    note = f"{GENERATED} PGA {PGA:g} m/s²; {fallen} of {len(runs)} buildings do not survive."
    return Result(table, fig, verdicts, note)


def _draw_repeats(fig: Any, run: SequenceResponse) -> None:
    axes = fig.subplots(3, 2, sharex="col", sharey="row", width_ratios=(1, 1.8),
                        height_ratios=(0.6, 1.2, 1.2))  # fmt: skip
    single = run.shocks[0]
    for column, time, states, ground in (
        (0, single.time, single.states, single.motion.accel),
        (1, run.time, run.states, np.concatenate([s.motion.accel for s in run.shocks])),
    ):
        a, u, w = axes[:, column]
        a.plot(time, ground[: len(time)], color=style.QUIET, lw=0.5)
        u.plot(time, 1e3 * states[:, 0], color=style.BLUE, lw=0.4)
        w.plot(time, states[:, 4], color=style.INK)
        w.set(xlabel="time [s]", xlim=(0, time[-1]))
        a.set_title("Once" if column == 0 else "Three times")
        for ax in (a, u, w):
            for shock in run.shocks[1:] if column else ():
                ax.axvline(shock.start, color=style.VERMILLION, lw=0.7, ls=style.DASHED)
    for ax, label in zip(axes[:, 0], ("a [m/s²]", "u [mm]", "wear w [–]"), strict=True):
        ax.set_ylabel(label)
    axes[2, 1].set_ylim(0, None)
    fig.align_ylabels(axes[:, 0])


def _free_vibration(run: SequenceResponse) -> float:
    """Change of the mechanical energy of vibration over the last half of the rest, relative."""
    states = run.shocks[-1].states
    dt = run.shocks[-1].motion.dt
    rest = states[-round(5.0 / dt) :]
    stretch = rest[:, 0] - rest[:, 2]
    springs = HOUSE.elastic_stiffness * (1 - rest[:, 4]) * stretch**2 / 2
    energy = springs + HOUSE.mass * rest[:, 1] ** 2 / 2
    return float(np.ptp(energy) / energy.mean()) / 2  # the amplitude changes by half of that


# -- Figs. 12 and 13 ------------------------------------------------------------------------------


@cache
def sequences(count: int) -> tuple[SequenceResponse, ...]:
    """Four foreshocks and a main shock each; days between them, so that vibrations die out."""
    drawn = motions(5 * count)
    share = np.random.default_rng(SEED).uniform(*WEAKER, size=(count, 4))
    found = []
    for i in range(count):
        own = zip(drawn[5 * i : 5 * i + 5], (*share[i], 1.0), strict=True)
        shocks = [motion.scaled(float(s)) for motion, s in own]
        named = [Motion(m.accel, m.dt, name=f"S{k}") for k, m in enumerate(shocks, start=1)]
        found.append(sequence(HOUSE, named, settle=True, main=4))
    return tuple(found)


def representative(runs: tuple[SequenceResponse, ...]) -> SequenceResponse:
    """The one whose increase of wear is in the middle."""
    return runs[int(np.argsort([run.wear_increase for run in runs])[len(runs) // 2])]


def figure_12(effort: Effort) -> Result:
    """The shocks of a sequence and their Arias intensities."""
    run = representative(sequences(effort.pick(20, 100)))
    intensities = [arias(shock.motion) for shock in run.shocks]
    with sheet("Casalotti et al. 2025, Fig. 12: a generated sequence of shocks", 85) as fig:
        ground, bars = fig.subplots(1, 2, width_ratios=(2.4, 1))
        for i, shock in enumerate(run.shocks):
            colour = style.INK if i == run.main else style.QUIET
            ground.plot(shock.time, shock.motion.accel[: len(shock.time)], color=colour, lw=0.5)
            ground.text(shock.start + 2, 2.15, shock.name, color=colour)
        ground.set(xlabel="time [s]", ylabel="a [m/s²]", ylim=(-2.4, 2.4), title="Accelerograms")
        names = [shock.name for shock in run.shocks]
        bars.bar(names, intensities, color=[style.QUIET] * 4 + [style.INK], width=0.6)
        bars.set(ylabel="Arias intensity [m/s]", title="Intensity")
    weaker = all(value < intensities[-1] for value in intensities[:-1])
    verdicts = [
        claim("foreshocks are weaker than the main shock", "low-amplitude events", "yes" if weaker
              else "no", weaker, basis="substitute"),
    ]  # fmt: skip
    table = {
        "shock": names,
        "PGA [m/s²]": [shock.motion.pga for shock in run.shocks],
        "Arias intensity [m/s]": intensities,
    }
    return Result(table, fig, verdicts, GENERATED)


def figure_13(effort: Effort) -> Result:
    """Hardening and wear through a sequence, and how much foreshocks add in many."""
    runs = sequences(effort.pick(20, 100))
    wear = np.array([run.wear_increase for run in runs])
    hardening = np.array([run.hardening_increase for run in runs])
    with sheet("Casalotti et al. 2025, Fig. 13: foreshocks and the main shock", 115) as fig:
        grid = fig.add_gridspec(2, 3, width_ratios=(1.2, 1.2, 1.5))
        _draw_sequence(fig, grid, representative(runs))
        ax = fig.add_subplot(grid[:, 2])
        ax.plot(100 * hardening, 100 * wear, ".", ms=4, color=style.BLUE, label="generated")
        ax.plot(9, 50, "*", ms=11, color=style.VERMILLION, label="L'Aquila (paper)")
        ax.set_yscale("symlog", linthresh=100)
        ax.set_yticks([0, 50, 100, 300, 1000], ["0", "50", "100", "300", "1000"])
        ax.set(xlabel="increase of α [%]", ylabel="increase of w [%], logarithmic above 100 %")
        ax.set(ylim=(-5, None), title=f"{len(runs)} sequences over S5 alone")
        ax.legend(loc="lower right")
    verdicts = [
        claim("foreshocks raise the final wear", "by 50 %",
              f"by {100 * np.median(wear):.0f} % (median)",
              bool(np.median(wear) > 0), basis="substitute",
              remark=f"Raised in {100 * np.mean(wear > 0):.0f} % of {len(runs)} sequences. In the "
              "others the foreshocks harden the interface and hardly wear it, and the main shock "
              "alone does more."),
        claim("they raise it more than the hardening", "50 % against 9 %",
              f"median {100 * np.median(wear):.0f} % against {100 * np.median(hardening):.0f} %",
              bool(np.median(wear) > np.median(hardening)), basis="substitute"),
        _among("w", 50, wear),
        _among("α", 9, hardening),
    ]  # fmt: skip
    table = {
        "sequence": np.arange(len(runs)),
        "increase of w [-]": wear,
        "increase of α [-]": hardening,
        "w of the main shock alone [-]": [run.alone.row()["wear [-]"] for run in runs],
    }
    note = (
        f"{GENERATED} In the two rows with ranges it is asked whether the paper's number could "
        f"come from the generated population (main shocks of {PGA:g} m/s², foreshocks of "
        f"{WEAKER[0]:g} to {WEAKER[1]:g} of it)."
    )
    return Result(table, fig, verdicts, note)


def _among(what: str, paper: float, found: Array) -> Verdict:
    """Whether the paper's increase [%] of one sequence could be one of those found [-]."""
    low, high = 100 * np.percentile(found, (5, 95))
    found_range = f"{low:.0f} to {high:.0f} % (5th to 95th percentile)".replace("-", "−")
    return claim(
        f"increase of {what}, in the range of the generated ones", f"{paper:g} %", found_range,
        bool(low <= paper <= high), basis="substitute",
        reason="one recorded sequence against a generated population",
    )  # fmt: skip


def _draw_sequence(fig: Any, grid: Any, run: SequenceResponse) -> None:
    axes = [[fig.add_subplot(grid[i, j]) for j in (0, 1)] for i in (0, 1)]
    main, alone = run.shocks[run.main], run.alone
    little = 10.0 ** np.floor(np.log10(run.shocks[run.main - 1].states[-1, 4]))
    for (left, right), column, scale, fore, label, small in (
        (axes[0], 3, 1e3, 1e3, "hardening α [mm]", ""),
        (axes[1], 4, 1.0, 1 / little, "wear w [–]", f"wear w [{power_of_ten(little)}]"),
    ):
        for shock in run.shocks[: run.main]:
            left.plot(shock.time, fore * shock.states[:, column], color=style.BLUE)
        since = main.time - main.start
        right.plot(since, scale * main.states[:, column], color=style.BLUE, label="whole sequence")
        right.plot(alone.time - alone.start, scale * alone.states[:, column],
                   color=style.VERMILLION, ls=style.DASHED, label="S5 alone")  # fmt: skip
        left.set(ylabel=small or label, ylim=(0, None))
        right.set(ylabel=label, ylim=(0, None), xlim=(0, 30))
    for left, right in axes:
        left.set_title("Foreshocks S1–S4")
        right.set_title("Main shock S5")
    for ax in axes[1]:
        ax.set_xlabel("time [s]")
    axes[0][1].legend(loc="lower right")
