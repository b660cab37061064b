"""When two dimensions are enough: bodies in space beside their shadows in two planes.

    PYTHONPATH=src python benchmarks/plane_or_space.py            (three minutes; tables)
    PYTHONPATH=src python benchmarks/plane_or_space.py RECORDS    (also the records in a folder)

Each body is shaken in space by all components of a motion, and its shadows along x and along y by
the component in that direction and the vertical one. The tables are those of
docs/plane_or_space.md.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import rocksteady as rs
from rocksteady.errors import RocksteadyWarning

COUNT, SEED = 200, 20
LEVELS = (1.25, 1.5, 2.0, 3.0)  # largest acceleration along x, over that which lifts the body off
BODIES = {
    "square, h/b 4": rs.Body.box(0.45, 0.45, 1.8),
    "rectangle 1 : 1.33, h/b 4": rs.Body.box(0.45, 0.60, 1.8),
    "rectangle 1 : 2, h/b 4": rs.Body.box(0.45, 0.90, 1.8),
    "square, h/b 8": rs.Body.box(0.50, 0.50, 4.0),
    "round, h/b 4": rs.Body.cylinder(0.45, 1.8),
    "round, h/b 4, flat_loss 0.83": rs.Body.cylinder(0.45, 1.8),
}
THEORIES = {"round, h/b 4, flat_loss 0.83": rs.Spatial(flat_loss=0.83)}  # as a planar impact
PEAKS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)  # of the worse plane
ACROSS = (0.0, 0.5, 0.8, 1.0, 1.25, 2.0, 10.0)  # strength along y over what lifts it off there


class Runs(NamedTuple):
    """The same runs in space and in both planes, over motions and levels."""

    peak: Any
    fell: Any
    x_fell: Any
    worse: Any
    """The larger peak of both planes."""
    worse_fell: Any
    walked: Any
    turned: Any
    across: Any
    """Largest acceleration along y over what lifts the body off there."""
    x_peak: Any


def generated() -> list[rs.Motion]:
    """Motions of three components, both horizontal ones of the same parameters."""
    return rs.stochastic.ensemble(COUNT, SEED, components=3)


def pulses() -> list[rs.Motion]:
    """One Ricker pulse each, along a random direction: strongly polarised."""
    rng = np.random.default_rng(SEED)
    made = []
    for period, angle in zip(rng.uniform(0.4, 2.0, COUNT), rng.uniform(0, 360, COUNT), strict=True):
        pulse = rs.pulses.ricker(amplitude=1.0, period=period)
        made.append(pulse.with_transverse(0 * pulse.accel).turned(angle))
    return made


def recorded(folder: Path) -> list[rs.Motion]:
    """All records of three components in a folder."""
    found: dict[tuple[str, ...], rs.Motion] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            motion = rs.read_record(path)
        except Exception:  # not a record of one station: whatever the reader says
            continue
        if motion.transverse is not None and motion.vertical is not None and motion.pga > 0:
            key = tuple(sorted(motion.meta.get("files", (path.name,))))
            found.setdefault(key, motion.right_handed())
    return list(found.values())


def shaken(what: str, motions: list[rs.Motion], *, by: str = "x") -> Runs:
    """All runs of one body. Levels are those of the component along x, or ``by`` "both" of the
    larger of both horizontal ones over what lifts the body off in its direction."""
    body = BODIES[what]
    lifts = {axis: body.g * math.tan(body.limit(angle)) for axis, angle in (("x", 0), ("y", 90))}
    units = [motion.scaled(1 / _strength(motion, lifts, by)) for motion in motions]
    planes = {"x": [rs.Motion(m.accel, m.dt, m.vertical) for m in units],
              "y": [rs.Motion(m.transverse, m.dt, m.vertical) for m in units]}  # fmt: skip
    space = rs.ensemble(body, units, THEORIES.get(what), scales=LEVELS, progress=False)
    x = rs.ensemble(body.block(0), planes["x"], scales=LEVELS, progress=False)
    y = rs.ensemble(body.block(90), planes["y"], scales=LEVELS, progress=False)
    lost = (space.status == rs.Status.FAILED).values[0]
    if lost.any():
        print(
            f"(no answer in space in {lost.sum()} of {lost.size} runs: left out)", file=sys.stderr
        )
    fell = {name: np.where(lost, np.nan, data.fell.values[0]) for name, data in
            (("space", space), ("x", x), ("y", y))}  # fmt: skip
    across = np.array([[abs(m.accel).max() for m in planes["y"]]]).T / lifts["y"]
    return Runs(
        space.peak.values[0],
        fell["space"],
        fell["x"],
        np.maximum(x.peak.values[0], y.peak.values[0]),
        np.maximum(fell["x"], fell["y"]),
        space.walked.values[0],
        space.turned.values[0],
        across * np.array(LEVELS),
        x.peak.values[0],
    )


def _strength(motion: rs.Motion, lifts: dict[str, float], by: str) -> float:
    x = motion.pga / lifts["x"]
    if by == "x":
        return x
    return max(x, float(abs(motion.transverse).max()) / lifts["y"])


# -- tables ----------------------------------------------------------------------------------------


def shares(name: str, runs: Runs) -> Iterator[str]:
    """A row for each level: who falls, and how far the others lean."""
    for k, level in enumerate(LEVELS):
        fell, worse, x = runs.fell[:, k], runs.worse_fell[:, k], runs.x_fell[:, k]
        stands = (fell == 0) & (worse == 0)
        lifted = stands & (runs.worse[:, k] > 0.01)
        low, middle, high = _spread(runs.peak[lifted, k] / runs.worse[lifted, k])
        standing = fell == 0
        walk = 1e3 * np.median(runs.walked[standing, k])
        turn = math.degrees(np.median(abs(runs.turned[standing, k])))
        parts = [f"{100 * np.nanmean(each):.0f}" for each in (fell, x, worse)]
        missed = 100 * np.nanmean((fell == 1) & (worse == 0))
        extra = 100 * np.nanmean((fell == 0) & (worse == 1))
        yield (
            f"| {name} | {level:g} | {' | '.join(parts)} | {missed:.0f} / {extra:.0f} | "
            f"{middle:.2f} ({low:.2f} to {high:.2f}) | {walk:.0f} | {turn:.0f} |"
        )


def by_peak(every: list[Runs]) -> Iterator[str]:
    """What happens in space, by the largest lean in the worse plane."""
    worse, fell, peak, other = (
        np.concatenate([getattr(runs, name).ravel() for runs in every])
        for name in ("worse", "fell", "peak", "worse_fell")
    )
    for low, high in pairwise(PEAKS):
        those = (worse > low) & (worse <= high) & (other == 0)
        stands = those & (fell == 0)
        spread = _spread(peak[stands] / worse[stands])
        most = peak[stands].max() if stands.any() else math.nan
        yield (
            f"| {low:g} to {high:g} | {those.sum()} | {int(fell[those].sum())} | "
            f"{spread[1]:.2f} ({spread[0]:.2f} to {spread[2]:.2f}) | {most:.2f} |"
        )


def by_across(every: list[Runs]) -> Iterator[str]:
    """How well the plane along x does, by the strength along y."""
    across, fell, x_fell, peak, x_peak = (
        np.concatenate([getattr(runs, name).ravel() for runs in every])
        for name in ("across", "fell", "x_fell", "peak", "x_peak")
    )
    for low, high in pairwise(ACROSS):
        those = (across > low) & (across <= high) & ~np.isnan(fell)
        if not those.any():
            continue
        stands = those & (fell == 0) & (x_fell == 0) & (x_peak > 0.01)
        spread = _spread(peak[stands] / x_peak[stands])
        same = 100 * (fell[those] == x_fell[those]).mean()
        top = f"{high:g}" if high < ACROSS[-1] else "more"
        yield (
            f"| {low:g} to {top} | {those.sum()} | {100 * fell[those].mean():.0f} | "
            f"{100 * x_fell[those].mean():.0f} | {same:.0f} | "
            f"{spread[1]:.2f} ({spread[0]:.2f} to {spread[2]:.2f}) |"
        )


def _spread(values: Any) -> tuple[float, float, float]:
    """5 %, median, 95 %."""
    if not len(values):
        return math.nan, math.nan, math.nan
    low, middle, high = np.percentile(values, [5, 50, 95])
    return float(low), float(middle), float(high)


SHARES = (
    "| body | strength | in space [%] | plane along x [%] | worse of two planes [%] | "
    "missed / false alarm [%] | peak in space over worse plane | walks [mm] | turns [°] |\n"
    "|---|---|---|---|---|---|---|---|---|"
)
BY_PEAK = (
    "| peak in the worse plane, θ/α | runs | fell in space | peak in space over it | largest |\n"
    "|---|---|---|---|---|"
)
BY_ACROSS = (
    "| strength along y | runs | fell in space [%] | fell in the plane along x [%] | "
    "same outcome [%] | peak in space over that along x |\n|---|---|---|---|---|---|"
)


def _polygons() -> list[str]:
    return [what for what, body in BODIES.items() if body.radius is None]


def main(folders: list[str]) -> None:
    warnings.simplefilter("ignore", RocksteadyWarning)
    families = {"generated": generated(), "pulses": pulses()}
    for folder in folders:
        families[f"records in {Path(folder).name}"] = recorded(Path(folder))
    for name, motions in families.items():
        print(f"\n## {len(motions)} motions: {name}\n\n{SHARES}", flush=True)
        every = {}
        for what in _polygons() if name == "pulses" else BODIES:  # a round body stays in the plane
            every[what] = shaken(what, motions, by="x" if name == "generated" else "both")
            print("\n".join(shares(what, every[what])), flush=True)
        polygons = [every[what] for what in _polygons()]
        print(f"\n{BY_PEAK}\n" + "\n".join(by_peak(polygons)))
        print(f"\n{BY_ACROSS}\n" + "\n".join(by_across(polygons)))
        for what in (each for each in every if each not in _polygons()):
            print(f"\n{what}:\n\n{BY_PEAK}\n" + "\n".join(by_peak([every[what]])), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
