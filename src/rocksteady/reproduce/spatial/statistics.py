"""Many motions: single runs of twins part, their distributions agree.

Vassiliou et al. (2021) shook a podium on rocking columns 226 times, for a comparison of models by
distributions instead of histories. The podium is not one body; the way of comparing is used here on
a box and a twin whose centre of mass lies a tenth of a millimetre beside it.
"""

import math
from typing import Any

import numpy as np

from rocksteady.bodies import Body
from rocksteady.ensembles.api import ensemble
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.spatial.runs import BOX, B, H, along, shaking
from rocksteady.reproduce.verdict import Effort, Result, between, claim
from rocksteady.theories import Housner, Spatial
from rocksteady.view import style

PGA = 4.5  # m/s²; it lifts at 2.45
TWIN = Body.box(2 * B, 2 * B, 2 * H, offset=(1e-4, 1e-4))
FELL = 1.05  # drawn in the place of the peak of a run that fell


def peaks_of(systems: Any, motions: Any, formulation: Any) -> Array:
    """Peak lean of each system and motion [-], infinite where it fell: (systems, motions)."""
    found = ensemble(systems, motions, formulation, until="motion", progress=False)
    peak = np.where(found.fell.values, np.inf, found.peak.values)
    return np.asarray(peak.reshape(len(systems), len(motions)))


def planes(body: Body, motions: Any) -> tuple[Array, Array]:
    """(the larger peak of Housner's block in the two planes, each under its own component; that in
    the first of them)."""
    block = body.block(0.0)
    both = [
        peaks_of([block], [along(motion, name) for motion in motions], Housner())[0]
        for name in ("accel", "transverse")
    ]
    return np.maximum(*both), both[0]


def distance(one: Array, other: Array) -> float:
    """Of Kolmogorov and Smirnov: the largest between the shares below any level."""
    levels = np.sort(np.concatenate([one, other]))
    shares = [np.searchsorted(np.sort(each), levels, side="right") / len(each)
              for each in (one, other)]  # fmt: skip
    return float(np.abs(shares[0] - shares[1]).max())


def statistics(effort: Effort) -> Result:
    """Peaks of a box, of its twin and of the plane, run by run and as distributions."""
    motions = [shaking(seed, PGA) for seed in range(effort.pick(100, 400))]
    box, twin = peaks_of([BOX, TWIN], motions, Spatial())
    plane, one = planes(BOX, motions)
    n = len(motions)
    critical = math.sqrt(-math.log(0.05 / 2) / 2) * math.sqrt(2 / n)  # at 5 %
    with sheet("Many motions: single runs part, distributions agree", 82) as fig:
        left, right = fig.subplots(1, 2, width_ratios=(1, 1.25))
        left.plot([0, FELL], [0, FELL], color=style.QUIET, lw=0.8)
        left.plot(np.minimum(box, FELL), np.minimum(twin, FELL), "o", ms=2.6, alpha=0.6,
                  color=style.BLUE, mec="none")  # fmt: skip
        left.set(xlabel="peak of the box [–]", ylabel="peak of its twin [–]", xlim=(0, 1.1),
                 ylim=(0, 1.1), title="Run by run; fell: at 1.05")  # fmt: skip
        left.set_aspect("equal")
        _draw_shares(right, {"box in space": box, "twin, off by 0.1 mm": twin,
                             "Housner, worse of two planes": plane,
                             "Housner, one plane": one}, critical)  # fmt: skip
    parted = float(np.mean(np.abs(np.minimum(box, FELL) - np.minimum(twin, FELL)) > 0.02))
    near, far, worse = distance(box, twin), distance(box, one), distance(box, plane)
    verdicts = [
        claim("single runs are not reproducible: peaks of twins apart by more than 0.02, or one "
              "of the two fell", "a single comparison says little",
              f"{parted:.0%} of {n} motions", parted > 0.05, basis="substitute"),
        between("distance of their distributions (Kolmogorov, Smirnov)", 0.0, critical, near,
                f"5 % level for two samples of {n}", basis="substitute"),
        claim("the same test tells another model: Housner in one plane", "differs",
              f"distance {far:.2f}, 5 % level {critical:.2f}", far > critical, basis="substitute",
              remark=f"Of the worse of two planes the distance is {worse:.3f}."),
    ]  # fmt: skip
    table = {"seed": np.arange(n), "box [-]": box, "twin [-]": twin, "worse plane [-]": plane,
             "plane of x [-]": one}  # fmt: skip
    note = (
        "The 226 tests themselves are of a podium on columns, not of one body, and are not "
        "computed. Peaks are tilt over the tilt that overturns in that direction; inf: fell."
    )
    return Result(table, fig, verdicts, note)


def _draw_shares(ax: Any, parts: dict[str, Array], critical: float) -> None:
    looks = ((style.BLUE, "-"), (style.ORANGE, "--"), (style.VERMILLION, "-"),
             (style.GREEN, "-"))  # fmt: skip
    for i, ((name, peaks), (colour, line)) in enumerate(zip(parts.items(), looks, strict=True)):
        order = np.sort(peaks)
        share = np.arange(1, len(order) + 1) / len(order)
        stands = np.isfinite(order)
        if i == 0:
            ax.fill_between(order[stands], share[stands] - critical, share[stands] + critical,
                            step="post", color=colour, alpha=0.15, lw=0,
                            label="5 % level around it")  # fmt: skip
        x, y = [*order[stands], 1.0], [*share[stands], stands.mean()]
        ax.step(x, y, where="post", color=colour, ls=line, label=name)
    ax.set(xlabel="peak lean [–]", ylabel="share of motions below [–]", xlim=(0, 1), ylim=(0, 1))
    ax.set_title("Distributions")
    ax.legend(loc="lower right")
