"""A response on one page: the ground, the rotation, the phase portrait and the energy."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import patheffects
from matplotlib.figure import Figure

from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.view import general, style
from rocksteady.view.labels import clear_legend, notes
from rocksteady.view.time_axis import Span, span_of
from rocksteady.view.words import describe, direction, only_slides, wrapped

BEYOND = 1.6  # |θ|/α up to which a fall is shown; what follows is free fall
SMALL = 0.3  # a smaller peak is drawn enlarged, with the balance points outside the frame
ROOM = 1.3  # of a frame beyond the peak: for the words beside it
LEAST = 0.01  # |θ|/α that a frame reaches at least: much less is no rocking to look at
LEAST_ENERGY = LEAST  # the same of the energy that overturns it: about that at half the lean
LEAST_RATE = LEAST_ENERGY**0.5  # ω/(p α) at which it passes upright with that energy
WEAK = 0.1  # of the energy that overturns it: less is drawn enlarged, without that level

_HALO = [patheffects.withStroke(linewidth=2.5, foreground="white")]


def plot_response(response: Response, path: str | Path | None = None) -> Figure:
    """Draw a response: ground acceleration [g], θ/α with the impacts, phase portrait and energy. Of
    a theory whose coordinate is not a lean: that coordinate and its rate, in their own units.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    with style.sheet(wrapped(describe(response)), 190, path) as fig:
        grid = fig.add_gridspec(3, 2, height_ratios=(1.0, 1.4, 1.75))
        ground = fig.add_subplot(grid[0, :])
        history = fig.add_subplot(grid[1, :], sharex=ground)
        phase, energy = fig.add_subplot(grid[2, 0]), fig.add_subplot(grid[2, 1])
        span = span_of(response)
        draw_ground(ground, response, span)
        ground.tick_params(labelbottom=False)
        if not response.rocks:
            general.draw_history(history, response)
            general.draw_phase(phase, response)
            general.draw_energy(energy, response, span)
        elif only_slides(response):
            draw_slide(history, response, span)
            draw_sliding(phase, response)
            draw_energy(energy, response, span)
        else:
            draw_rotation(history, response, span)
            draw_phase(phase, response)
            draw_energy(energy, response, span)
        fig.supxlabel(_footer(response), x=0.012, ha="left", fontsize=7.5, color=style.QUIET)
    return fig


# -- what there is to see -------------------------------------------------------------------------


def history(response: Response) -> tuple[Array, Array, Array]:
    """Time [s], θ [rad] and ω [rad/s] of the samples with the events between them.

    An impact gives two points, before and after; turning points are exact.
    """
    time, angle, before, after = (
        response.event_column(field)
        for field in ("time", "coordinate", "rate_before", "rate_after")
    )
    t = np.concatenate([time, time, response.time])
    theta = np.concatenate([angle, angle, response.states[:, 0]])
    omega = np.concatenate([before, after, response.states[:, 1]])
    # of one instant: each event's before and after together, the sample last
    turn = np.arange(len(time))
    rank = np.concatenate([turn, turn, np.full(len(response.time), len(time))])
    order = np.lexsort((rank, t))
    known = np.isfinite(theta[order]) & np.isfinite(omega[order])
    return t[order][known], theta[order][known], omega[order][known]


def _footer(response: Response) -> str:
    """The theory and, for what rocks, the numbers of each corner that it depends on."""
    theory = f"{response.formulation.name} formulation"
    if not response.rocks:
        return theory
    block = response.rocker
    sides = (block.right,) if block.symmetric else (block.right, block.left)
    numbers = [theory]
    for name, symbol, unit in (("alpha", "α", "rad"), ("p", "p", "rad/s"), ("R", "R", "m")):
        values = " / ".join(f"{getattr(side, name):.4g}" for side in sides)
        numbers.append(f"{symbol} = {values} {unit}")
    degrees = " / ".join(f"{np.degrees(side.alpha):.3g}°" for side in sides)
    numbers[1] += f" ({degrees})"
    return "   ".join(numbers) + ("" if block.symmetric else "   (right / left corner)")


# -- panels ---------------------------------------------------------------------------------------


def _slip_levels(response: Response) -> list[float]:
    """The accelerations of the ground over g from which the rigid body would slide."""
    friction: Any = getattr(response.formulation, "friction", None)
    if friction is None:
        return []
    right, left = np.broadcast_to(friction, 2)  # of each edge
    # the push shifts the weight from one edge to the other
    uneven = (left - right) / (2 * np.tan(response.rocker.rigid().alpha))
    return [s * (right + left) / 2 / (1 - s * uneven) for s in (1, -1) if s * uneven < 1]


def draw_ground(axes: Any, response: Response, span: Span) -> None:
    """Ground acceleration in units of g, with the thresholds of uplift, and of slip if lower; in
    m/s² for what does not rock."""
    if not response.rocks:
        general.draw_ground(axes, response, span)
        return
    block, motion = response.rocker.rigid(), response.motion
    a_h, a_v = (accel / GRAVITY_UNIT for accel in response.ground[:2])
    pull = block.g / GRAVITY_UNIT
    # Ground that accelerates to +x lifts the block onto its left corner.
    for level in (pull * np.tan(block.left.alpha), -pull * np.tan(block.right.alpha)):
        axes.axhline(level, color=style.QUIET, lw=0.7, ls=style.DASHED)
    slips = [level for level in _slip_levels(response) if abs(level) < np.tan(block.alpha)]
    for level in slips:
        axes.axhline(pull * level, color=style.QUIET, lw=0.9, ls=":")
    if motion.vertical is not None:
        axes.plot(response.time, a_v, color=style.ORANGE, lw=0.6)
    axes.plot(response.time, a_h, color=style.INK, lw=0.8)
    largest = max(motion.pga, 0.0 if motion.vertical is None else np.abs(motion.vertical).max())
    lifts = pull * np.tan(max(block.left.alpha, block.right.alpha))
    limit = 1.12 * max(largest / GRAVITY_UNIT, lifts)
    axes.set(xlim=span, ylim=(-limit, limit))
    floor = motion.meta.get("floor")
    axes.set(ylabel="acceleration [g]", title=f"{'Floor' if floor else 'Ground'} acceleration")
    size = f"{'PFA' if floor else 'PGA'} = {motion.pga / GRAVITY_UNIT:.3g} g"
    size = size if motion.pga else "ground at rest"
    words = [(size, style.INK), ("dashed: uplift at ±g tan α", style.QUIET)]
    if motion.vertical is not None:
        words.insert(1, ("vertical", style.ORANGE))
    if slips:
        alike = len(slips) == 2 and slips[0] == -slips[1]
        words.append(("dotted: slip at ±μ g" if alike else "dotted: slip", style.QUIET))
    if span.note:
        words.insert(0, (span.note, style.VERMILLION))
    notes(axes, words)


def draw_lean(axes: Any, response: Response, span: Span) -> Any:
    """θ/α against time between its balance points; returns the line."""
    time, theta, _ = history(response)
    lean = response.coordinate.relative(response.system, theta)
    axes.axhline(0, color=style.FAINT, lw=0.8)
    for level in (-1, 1):
        axes.axhline(level, color=style.QUIET, lw=0.7, ls=style.DASHED)
    axes.set(xlim=span, ylim=_range(response, lean))
    return axes.plot(time, lean, color=style.BLUE)[0]


def draw_rotation(axes: Any, response: Response, span: Span) -> None:
    """θ/α against time: impacts as ticks on the zero line, balance points, the peak."""
    line = draw_lean(axes, response, span)
    impacts = response.impacts.time
    size = 7 if len(impacts) < 50 else 4  # hundreds of them form a band: keep it low
    axes.plot(impacts, 0 * impacts, "|", ms=size, mew=0.6, color=style.VERMILLION, zorder=3)
    axes.set(xlabel="time [s]", ylabel="rotation θ/α [–]", title="Rotation")
    inside = axes.get_ylim()[1] > 1
    balance = "dashed: balance points ±1" if inside else "balance points ±1 lie outside the frame"
    marks = [("| impacts", style.VERMILLION)] if len(impacts) else []
    notes(axes, [*marks, (balance, style.QUIET)])
    _mark_peak(axes, response, *line.get_data())


def draw_slid(axes: Any, response: Response, span: Span) -> Any:
    """The slide of the base [mm] against time; returns the line."""
    slide = 1000 * response.slide_history
    axes.axhline(0, color=style.FAINT, lw=0.8)
    low, high = min(slide.min(), 0.0), max(slide.max(), 0.0)
    room = 0.12 * (high - low)
    axes.set(xlim=span, ylim=(low - room, high + room))
    return axes.plot(response.time, slide, color=style.BLUE)[0]


def draw_slide(axes: Any, response: Response, span: Span) -> None:
    """Of a block that only slides: how far, against time."""
    draw_slid(axes, response, span)
    axes.set(xlabel="time [s]", ylabel="slide [mm]", title="Slide of the base")
    notes(axes, [("no uplift", style.QUIET)])


def draw_sliding(axes: Any, response: Response) -> None:
    """Velocity against slide of a block that only slides; its phase portrait in θ is a dot."""
    slide = response.slide_history
    speed = np.gradient(slide, response.time)
    general.draw_trajectory(axes, 1e3 * slide, speed, last_rate=0.0)
    axes.set(xlabel="slide [mm]", ylabel="velocity of the base on the ground [m/s]")
    axes.set_title("Sliding")


def draw_phase(axes: Any, response: Response) -> None:
    """The phase portrait, inside and outside the separatrix of each side."""
    block, rigid = response.rocker, response.rocker.rigid()
    scale = block.p * block.alpha
    _, theta, omega = history(response)
    lean = block.relative(theta)
    small = 0 < response.peak < SMALL
    reach = max(ROOM * response.peak, LEAST) if small else _reach(response, lean)
    nearest = np.inf  # where the separatrix leaves the frame, at the sides
    for sign, side in ((1, rigid.right), (-1, rigid.left)):
        y = np.linspace(0, reach, 100)
        edge = 2 * side.p * np.sin(side.alpha * (1 - y) / 2) / scale
        for half in (1, -1):
            axes.plot(sign * y, half * edge, color=style.QUIET, lw=0.7, ls=style.DASHED)
        nearest = min(nearest, abs(edge[-1]))
        inside = y <= 1
        axes.fill_between(
            sign * y[inside], -edge[inside], edge[inside], color=style.FAINT, alpha=0.45, lw=0
        )
    axes.plot(lean, omega / scale, color=style.BLUE, lw=0.6)
    axes.plot(lean[0], omega[0] / scale, "o", ms=3, color=style.INK)
    shown = np.abs(lean) <= reach
    least = max(side.p * side.alpha for side in (rigid.right, rigid.left))
    least *= LEAST_RATE if small else 1.0
    tall = 1.12 * np.abs(omega[shown]).max(initial=least) / scale
    axes.set(xlim=(-reach, reach), ylim=(-tall, tall))
    axes.locator_params(axis="x", nbins=5)
    axes.set(xlabel="rotation θ/α [–]", ylabel="angular velocity ω/(p α) [–]")
    axes.set_title("Phase portrait")
    seen = "dashed: separatrix" if nearest < tall or not small else "all within the separatrix"
    notes(axes, [("● start", style.INK), (seen, style.QUIET)])
    if response.peak == 0:
        axes.text(0, -0.3 * tall, "never leaves the start", ha="center", color=style.QUIET)


def draw_energy(axes: Any, response: Response, span: Span) -> None:
    """Mechanical energy, work of the ground and losses, with the energy that overturns."""
    curves: list[tuple[str, Array, str, Any]] = [("mechanical", response.energy, style.BLUE, "-")]
    if response.has("work") and response.motion.pga:  # a formulation need not keep accounts
        curves.append(("work of the ground", response.column("work"), style.INK, (0, (4, 1.5))))
    if response.has("loss"):
        curves.append((_lost(response), response.column("loss"), style.VERMILLION, "-."))
    weak = response.rocker.rigid().weak_side
    barrier = weak.inertia * weak.p**2 * 2 * np.sin(weak.alpha / 2) ** 2
    known = np.concatenate([values[np.isfinite(values)] for _, values, _, _ in curves])
    weak_motion = 0 < known.max() < WEAK * barrier
    top = max(known.max(), LEAST_ENERGY * barrier if weak_motion else barrier)
    size = max(np.abs(known).max(), top)
    factor, unit = energy_unit(size)
    axes.axhline(barrier / factor, color=style.QUIET, lw=0.7, ls=style.DASHED)
    for label, values, colour, dash in curves:
        axes.plot(response.time, values / factor, color=colour, ls=dash, label=label)
    low, high = min(known.min(), 0.0) / factor, top / factor
    room = high - low
    axes.set(xlim=span, ylim=(low - 0.04 * room, high + 0.12 * room))
    axes.locator_params(axis="x", nbins=6)  # longer numbers would touch
    axes.set(xlabel="time [s]", ylabel=f"energy [{unit}]", title="Energy")
    share = 100 * known.max() / barrier
    enough = f"at most {share:.2g} % of what overturns it"
    notes(axes, [(enough if weak_motion else "dashed: enough to overturn", style.QUIET)])
    clear_legend(axes)


def _lost(response: Response) -> str:
    """What takes energy away: impacts, and friction or damping where there is any."""
    friction = getattr(response.formulation, "friction", None)
    damping = getattr(response.rocker, "damping_ratio", 0.0)
    return "lost" if friction is not None or damping > 0 else "lost in impacts"


_ENERGY_UNITS = ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"))


def energy_unit(size: float) -> tuple[float, str]:
    """The unit for energies of this size [J]: how many joules it has, and its name."""
    return next((f, u) for f, u in _ENERGY_UNITS if size >= 0.5 * f or u == "µJ")


def _reach(response: Response, lean: Array) -> float:
    """The largest |θ|/α to show: all of it, but of the last fall only its beginning."""
    size = np.abs(lean)
    if response.fell:
        safe = np.flatnonzero(size <= 1)
        before = size[: safe[-1] + 1] if len(safe) else size[:1]
        return float(max(BEYOND, 1.1 * before.max()))
    return float(max(1.2, ROOM * size.max()))


def _range(response: Response, lean: Array) -> tuple[float, float]:
    """Limits of θ/α against time."""
    if 0 < response.peak < SMALL:
        reach = max(ROOM * response.peak, LEAST)
        return -reach, reach
    reach = _reach(response, lean)
    return max(min(-1.2, ROOM * lean.min()), -reach), min(max(1.2, ROOM * lean.max()), reach)


def _mark_peak(axes: Any, response: Response, time: Array, lean: Array) -> None:
    """Say how far it leant and when; of a fall, where to and when it lay."""
    if response.fell:
        _mark_fall(axes, response, time, lean)
        return
    if response.peak == 0:
        axes.text(0.5, 0.6, "no uplift", transform=axes.transAxes, ha="center", color=style.QUIET)
        return
    i = int(np.argmax(np.abs(lean)))
    axes.plot(time[i], lean[i], "o", ms=3.5, color=style.BLUE, zorder=4)
    text = f"peak {lean[i]:.3g} at {time[i]:.3g} s".replace("-", "−")
    late = _late(axes, time[i])
    _label(axes, text, time[i], lean[i], left=late, above=bool(lean[i] > 0))


def _mark_fall(axes: Any, response: Response, time: Array, lean: Array) -> None:
    """Words where the curve leaves the frame for good, clear of it."""
    text = f"falls {direction(response)}"
    if abs(response.theta[-1]) > 0.999 * np.pi / 2:
        text += f", lies at {response.time[-1]:.3g} s"
    edge = axes.get_ylim()[int(lean[-1] > 0)]
    gone = time[np.flatnonzero(np.abs(lean) < abs(edge))[-1:]].max(initial=0)
    near = time[np.flatnonzero(np.abs(lean) < 0.85 * abs(edge))[-1:]].max(initial=0)
    late = _late(axes, gone)
    _label(axes, text, near if late else gone, edge, left=late, above=edge < 0)


def _late(axes: Any, time: float) -> bool:
    """Whether words beside it have more room on its left."""
    start, end = axes.get_xlim()
    return bool(time - start > 0.6 * (end - start))


def _label(axes: Any, text: str, x: float, y: float, *, left: bool, above: bool) -> None:
    place = {"ha": "right" if left else "left", "va": "bottom" if above else "top"}
    away = (-5 if left else 5, 3 if above else -3)
    look = {"color": style.BLUE, "path_effects": _HALO, "zorder": 5}
    axes.annotate(text, (x, y), away, textcoords="offset points", **place, **look)
