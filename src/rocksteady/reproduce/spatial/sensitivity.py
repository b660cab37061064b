"""Outcome over direction and strength of a motion; and how much more sensitive space is."""

from typing import Any

import numpy as np

from rocksteady.bodies import Body
from rocksteady.ensembles.api import ensemble
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.spatial.runs import BOX, along, shaking
from rocksteady.reproduce.verdict import Effort, Result, between, claim
from rocksteady.theories import Housner, Spatial
from rocksteady.view import style

PLINTH = Body.box(0.45, 0.6, 1.8)  # lifts at 2.45 m/s² along x, 3.27 along y
SEED = 4
PGA = 4.5  # m/s²
STRONGER = 1e-10
LEAST = 1e-16  # no difference is drawn here


def sensitivity(effort: Effort) -> Result:
    """A map of peaks, and what a ground stronger by 1e-10 changes."""
    directions = np.arange(0.0, 180.1, effort.pick(15.0, 3.0))
    scales = np.linspace(0.6, 2.6, effort.pick(15, 81))
    motion = shaking(SEED, PGA)
    motions = [motion.turned(float(degrees)) for degrees in directions]
    found = ensemble(
        PLINTH, motions, Spatial(), scales=scales.tolist(), until="motion", progress=False
    )
    peak = np.where(found.fell.values, np.nan, found.peak.values)
    peak = peak.reshape(len(directions), len(scales))
    seeds = range(effort.pick(100, 400))
    space, plane, spread = _moved(seeds)
    with sheet("Sensitivity: direction, strength, and a ground stronger by 10⁻¹⁰", 82) as fig:
        left, right = fig.subplots(1, 2, width_ratios=(1.35, 1))
        _draw_map(fig, left, directions, PGA * scales, peak)
        for values, name, colour in (
            (plane, "Housner, along x", style.VERMILLION),
            (space, "box in space", style.BLUE),
        ):
            order = np.sort(np.maximum(values, LEAST))
            share = np.arange(1, len(order) + 1) / len(order)
            right.step(order, share, where="post", color=colour, label=name)
        right.set(xscale="log", xlabel="change of the peak [–]", xlim=(1e-13, 1e-2), ylim=(0, 1))
        right.set(ylabel="share of motions below [–]", title="Ground × (1 + 10⁻¹⁰)")
        right.legend(loc="lower right")
    fell = np.isnan(peak)
    ratio = np.percentile(space, 95) / np.percentile(plane, 95)
    first = PGA * scales[np.argmax(fell[fell.any(axis=1)], axis=1)]
    back = float(np.mean([np.any(~row[np.argmax(row) :]) for row in fell if row.any()]))
    verdicts = [
        between("95 % of the changes, in space over in the plane", 3.0, np.inf, float(ratio),
                "other motions gave 5e-8 and 3.5e-9, \"an order more sensitive\"",
                basis="substitute"),
        claim("a stronger motion need not be worse: directions in which it survives a stronger one",
              "some", f"{back:.0%}", back > 0, basis="substitute"),
    ]  # fmt: skip
    table = {
        "turned by [deg]": np.repeat(directions, len(scales)),
        "PGA [m/s²]": np.tile(PGA * scales, len(directions)),
        "peak [-]": peak.ravel(),
    }
    note = (
        f"Where it falls, it does so first at {first.min():.2f} to {first.max():.2f} m/s². The "
        "peaks of motions of one peak acceleration spread from 16 % to 84 % by a factor of "
        f"{spread[0]:.1f} in space, {spread[1]:.1f} in the plane."
    )
    return Result(table, fig, verdicts, note)


def _moved(seeds: Any) -> tuple[Array, Array, tuple[float, float]]:
    """(change of the peaks in space, in the plane, spread of the peaks of both)."""
    motions = [shaking(seed, PGA) for seed in seeds]
    planar = [along(motion, "accel").scaled_to(pga=PGA) for motion in motions]
    changes, spreads = [], []
    runs: tuple[tuple[Any, Any, Any], ...] = (
        (BOX, motions, Spatial()), (BOX.block(0.0), planar, Housner())
    )  # fmt: skip
    for body, ground, theory in runs:
        found = ensemble(
            body, ground, theory, scales=[1.0, 1.0 + STRONGER], until="motion", progress=False
        )
        peaks, fell = (found[name].values.reshape(-1, 2) for name in ("peak", "fell"))
        stands = peaks[~fell.any(axis=1)]
        changes.append(np.abs(stands[:, 1] - stands[:, 0]))
        low, high = np.percentile(stands[:, 0], (16, 84))
        spreads.append(float(high / low))
    return changes[0], changes[1], (spreads[0], spreads[1])


def _draw_map(fig: Any, ax: Any, directions: Array, pga: Array, peak: Array) -> None:
    import matplotlib

    colours = matplotlib.colormaps["cividis_r"].with_extremes(bad=style.VERMILLION)
    image = ax.pcolormesh(
        directions, pga, np.ma.masked_invalid(peak.T), cmap=colours, vmin=0, vmax=1,
        shading="nearest", rasterized=True,
    )  # fmt: skip
    fig.colorbar(image, ax=ax, label="peak lean [–]", shrink=0.9)
    ax.set(xlabel="body turned by [°]", ylabel="peak acceleration [m/s²]")
    ax.set_xticks(range(0, 181, 45))
    ax.set_title("Peak lean; orange: fell")
