"""Two columns under a beam: three bodies against one equivalent block."""

import math
from typing import Any

import numpy as np

from rocksteady.bodies import Block
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.motion import Motion, pulses
from rocksteady.reproduce.assemblies.runs import G, shaken, side_by_side, unconverged
from rocksteady.reproduce.drawing import OURS, REFERENCE, long_table, sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, claim, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Housner
from rocksteady.view import style
from rocksteady.view.assembly.stage import View, outline, paint_stones, set_view

B, H = 0.25, 1.0  # m: half sizes of a column
ALPHA, R = math.atan2(B, H), math.hypot(B, H)
BEAM = 4.5  # m
STEP, FINER = 0.002, 10  # s; the equivalent block is sampled so much more often
AMPLITUDE, PERIOD = 0.40, 0.6  # g, s
PEAK = 0.419105  # θ/α, DOP853 on the equivalent block
GAMMAS = (0.25, 0.5625, 1.0, 2.25, 4.0)
CHECKED = {  # γ: p̂ [rad/s], η̂
    0.5625: (2.3756810388242773, 0.8932968536251711),
    2.25: (2.2506781471658295, 0.8861480075901329),
}
FREE = {  # γ: first peak [rad] and when [s], let go at α/2
    0.5625: (0.08983506312917, 0.98995147974),
    2.25: (0.08800457710210, 1.03817507774),
}


def beam_height(gamma: float) -> float:
    """Of the beam that weighs γ times both columns [m]."""
    return gamma * 2 * (4 * B * H) / BEAM


def frame(gamma: float, theta0: float = 0.0) -> Assembly:
    """Two columns under a beam, leaning to the right by θ₀ [rad]: the beam lies on the corners
    that rise."""
    ground = Stone.box(-12.0, -0.4, 24.0, 0.4, name="ground", fixed=True)
    left, right = (Stone.box(x - B, 0.0, 2 * B, 2 * H, name=f"column {i}")
                   for i, x in ((1, -1.75), (2, 1.75)))  # fmt: skip
    beam = Stone.box(-BEAM / 2, 2 * H, BEAM, beam_height(gamma), name="beam")
    if theta0:
        corner = left.corners[3]
        left, right = (stone.turned(-theta0, about=stone.corners[1]) for stone in (left, right))
        x, y = left.corners[3]
        beam = beam.moved(x - corner[0], y - corner[1])
    return Assembly((ground, left, right, beam), friction=1.0, name="rocking frame")


def equivalent(gamma: float) -> tuple[float, float]:
    """(p̂ [rad/s], η̂) of Makris and Vassiliou."""
    p2 = 0.75 * G / R * (1 + 2 * gamma) / (1 + 3 * gamma)
    eta = 1 - 1.5 * math.sin(ALPHA) ** 2 + 3 * gamma * math.cos(2 * ALPHA)
    return math.sqrt(p2), eta / (1 + 3 * gamma)


def equivalent_run(gamma: float, motion: Motion, until: float) -> Response:
    """The solitary block of half diagonal R̂ with the frame's own η̂."""
    size = R * (1 + 3 * gamma) / (1 + 2 * gamma)
    block = Block(2 * size * math.cos(ALPHA), 2 * size * math.sin(ALPHA), g=G)
    return simulate(block, motion, Housner(eta=equivalent(gamma)[1]), until=until)


def rocking_frame(effort: Effort) -> Result:
    """The frame shaken and let go."""
    motion = pulses.sine(amplitude=AMPLITUDE * G, period=PERIOD, dt=STEP)
    three = shaken(frame(0.5625), motion, 3.0, step=STEP)
    # It takes samples as joined by straight lines, which at 2 ms would be another sine.
    fine = pulses.sine(amplitude=AMPLITUDE * G, period=PERIOD, dt=STEP / FINER)
    one = equivalent_run(0.5625, fine, 3.0)
    gammas = effort.pick(tuple(FREE), GAMMAS)
    found = side_by_side(_measured, gammas)
    angle = -three.column("theta column 1") / ALPHA
    with sheet(
        "A rocking frame is one block: the heavier its beam, the slower it rocks", 100
    ) as fig:
        grid = fig.add_gridspec(2, 3, height_ratios=(1, 1))
        _draw_frame(fig.add_subplot(grid[0, 0]), three)
        _draw_history(fig.add_subplot(grid[0, 1:]), three.time, angle, one)
        _draw_law(fig.add_subplot(grid[1, 0]), fig.add_subplot(grid[1, 1]), gammas, found)
        tough = _draw_strength(fig.add_subplot(grid[1, 2]), effort)
    table = long_table(
        {
            "three bodies": {"time [s]": three.time, "theta/alpha [-]": angle},
            "equivalent block": {"time [s]": one.time, "theta/alpha [-]": one.theta / ALPHA},
        },
        "run",
    )
    error = float(np.abs(np.abs(angle) - np.abs(one.theta[::FINER] / ALPHA)).max())
    verdicts = [
        *_constants(),
        *_free(gammas, found),
        number("shaken by 0.40 g, 0.6 s, γ = 0.5625: peak θ/α", PEAK, float(np.abs(angle).max()),
               1e-5, "error of steps of 2 ms; DOP853 on the equivalent block",
               basis="independent", remark=f"Contact problems left: {unconverged(three):.0f}."),
        number("the same over 3 s: θ/α against the equivalent block, farthest", 0.0, error, 1e-4,
               "error of steps of 2 ms", basis="derived"),
        *_tougher(tough),
    ]  # fmt: skip
    note = (
        "γ is the mass of the beam over that of both columns. Nothing slides (μ = 1). The three "
        "bodies know nothing of the equivalent block: contact, friction and impulses at six "
        "corners alone make them rock as one."
    )
    return Result(table, fig, verdicts, note)


def _measured(gamma: float) -> tuple[float, float, float, float]:
    """(p̂, η̂, first peak, when) of a frame let go at α/2: p̂ from the speed at the first impact,
    which the height fallen gives, and η̂ from what the impact leaves."""
    assembly, theta0 = frame(gamma, ALPHA / 2), ALPHA / 2
    run = shaken(assembly, Motion(np.zeros(2), 0.001), 1.3, step=0.001)
    angle, rate = theta0 - run.column("theta column 1"), -run.column("omega column 1")
    struck = int(np.searchsorted(run.time, run.impacts.time[0]))
    # Energy of the equivalent block: ω² = 2 p̂² (cos(α − θ₀) − cos(α − θ)).
    at = struck // 2
    drop = math.cos(ALPHA - theta0) - math.cos(ALPHA - abs(angle[at]))
    p = math.sqrt(rate[at] ** 2 / (2 * drop))
    turn = int(np.flatnonzero((rate[struck:-1] < 0) & (rate[struck + 1 :] >= 0))[0]) + struck
    share = rate[turn] / (rate[turn] - rate[turn + 1])
    peak = abs(angle[turn] + 0.5 * share * rate[turn] * 0.001)
    kept = math.cos(ALPHA - peak) - math.cos(ALPHA)
    eta = math.sqrt(kept / (math.cos(ALPHA - theta0) - math.cos(ALPHA)))
    return p, eta, float(peak), float(run.time[turn] + share * 0.001)


def _draw_frame(ax: Any, run: Response) -> None:
    assembly = run.system
    assert isinstance(assembly, Assembly)
    at = int(np.argmax(np.abs(run.column("theta column 1"))))
    poses = run.formulation.poses(assembly, run.states[at])  # type: ignore[attr-defined]
    set_view(ax, View.of(assembly, poses))
    paint_stones(ax, assembly, poses)
    outline(ax, assembly, poses)
    ax.set_title(f"At {run.time[at]:.2f} s")


def _draw_history(ax: Any, time: Any, angle: Any, one: Response) -> None:
    ax.plot(one.time, one.theta / ALPHA, **REFERENCE, label="equivalent block")
    ax.plot(time, angle, **OURS, label="three bodies")
    ax.set(xlabel="time [s]", ylabel="θ/α [–]", xlim=(0, 3), title="Sine of 0.40 g, 0.6 s")
    ax.legend(loc="lower left")


def _draw_law(slow: Any, kept: Any, gammas: Any, found: Any) -> None:
    smooth = np.linspace(0.0, 4.2, 85)
    law = np.array([equivalent(gamma) for gamma in smooth])
    for ax, i, name in ((slow, 0, "p̂ [rad/s]"), (kept, 1, "η̂ [–]")):
        ax.plot(smooth, law[:, i], **REFERENCE, label="closed form")
        ax.plot(gammas, [values[i] for values in found], "o", ms=4, mfc="white", mec=style.BLUE,
                label="three bodies")  # fmt: skip
        ax.set(xlabel="γ [–]", ylabel=name, xlim=(0, 4.2))
    slow.set_title("How fast")
    kept.set_title("Kept at an impact")
    slow.legend(loc="upper right")


def _draw_strength(ax: Any, effort: Effort) -> dict[str, float]:
    """Least pulse that fells a solitary column and two frames, by bisection."""
    column = Assembly.drums(1, 2 * H, 2 * B, friction=1.0)
    bodies = {"column": column, "γ = 0.56": frame(0.5625), "γ = 2.25": frame(2.25)}

    def least(assembly: Assembly) -> float:
        low, high = B / H, 2.0
        while high - low > effort.pick(0.02, 0.004):
            middle = (low + high) / 2
            pulse = pulses.sine(amplitude=middle * G, period=PERIOD, dt=0.005)
            if shaken(assembly, pulse, 5.0, step=0.005).fell:
                high = middle
            else:
                low = middle
        return high

    tough = dict(zip(bodies, side_by_side(least, bodies.values()), strict=True))
    colours = (style.QUIET, style.BLUE, style.VERMILLION)
    ax.bar(list(tough), list(tough.values()), color=colours, width=0.6)
    for i, value in enumerate(tough.values()):
        ax.annotate(f"{value:.2f}", (i, value), (0, 2), textcoords="offset points", ha="center")
    ax.set(ylabel="felled by [g]", title=f"One sine of {PERIOD:g} s")
    ax.set_ylim(0, 1.15 * max(tough.values()))
    return tough


def _constants() -> list[Verdict]:
    return [
        number(f"{name}, γ = {gamma:g}", checked[i], equivalent(gamma)[i], 1e-14, "16 digits",
               unit=unit, basis="derived")
        for gamma, checked in CHECKED.items()
        for i, (name, unit) in enumerate((("p̂", "rad/s"), ("η̂", "")))
    ]  # fmt: skip


def _free(gammas: Any, found: Any) -> list[Verdict]:
    law = [equivalent(gamma) for gamma in gammas]
    ours = np.array(found)[:, :2]
    off = np.abs(ours - law)
    verdicts = [
        number("three bodies let go at α/2, all γ: p̂, farthest", 0.0, float(off[:, 0].max()), 1e-5,
               "error of steps of 1 ms", unit="rad/s", basis="derived"),
        number("the same: η̂, farthest", 0.0, float(off[:, 1].max()), 1e-5,
               "error of steps of 1 ms", basis="derived"),
    ]  # fmt: skip
    for gamma, (peak, when) in FREE.items():
        _, _, first, time = found[list(gammas).index(gamma)]
        verdicts += [
            number(f"γ = {gamma:g}: first peak", peak, first, 1e-8, "steps of 1 ms", unit="rad",
                   basis="derived"),
            number(f"γ = {gamma:g}: when", when, time, 1e-6, "steps of 1 ms", unit="s",
                   basis="derived"),
        ]  # fmt: skip
    return verdicts


def _tougher(tough: dict[str, float]) -> list[Verdict]:
    alone, light, heavy = tough.values()
    return [
        claim("a frame is more stable than its column alone, the more so the heavier its beam",
              "rises with γ", f"{alone:.2f} g alone, {light:.2f} g, {heavy:.2f} g",
              alone < light < heavy, basis="stated"),
    ]  # fmt: skip
