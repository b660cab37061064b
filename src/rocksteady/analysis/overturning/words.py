"""What an overturning map shows, in numbers and sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.overturning.adaptive import RAGGED_STEP, STEP
from rocksteady.analysis.overturning.axes import Axis
from rocksteady.analysis.overturning.runs import brute_force_seconds
from rocksteady.analysis.overturning.ways import Way, percent
from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.ensembles.progress import spaced, span

if TYPE_CHECKING:
    from rocksteady.analysis.overturning.result import OverturningMap

PULSES = {
    "sine": "one sine",
    "half sine": "half a sine",
    "cosine": "one cosine",
    "rectangle": "a rectangular pulse",
    "ricker": "a Ricker wavelet",
    "antisymmetric ricker": "an antisymmetric Ricker wavelet",
    "mavroeidis": "a near-fault pulse of Mavroeidis and Papageorgiou",
    "pulse": "a pulse",
}
"""What each is called in a sentence."""


def title(found: OverturningMap) -> str:
    """What is shaken by what."""
    name = found.study.formulation.name
    if found.study.floor is not None:
        name = f"{name}; {found.study.floor}"
    if found.pulse is not None:
        what = PULSES[found.pulse]
        alpha = found.system.alpha
        angle = f"α = {alpha:.3g} rad ({math.degrees(alpha):.3g}°)"
        return f"Body with {angle} under {what} ({name})"
    if found.motions > 1:
        return f"Bodies like the {found.system.label} under {found.motions} motions ({name})"
    motion = " ".join(found.study.motion_names[0].split()) or "a record"
    return f"Bodies like the {found.system.label} under {motion} ({name})"


def summary(found: OverturningMap) -> dict[str, Any]:
    about: dict[str, Any] = {
        "title": title(found),
        "formulation": found.study.formulation.name,
        "alpha_rad": found.system.alpha,
        "p_rad_per_s": found.system.p,
        "eta": found.eta,
        "pulse": found.pulse,
        "motions": found.motions,
        **{
            _key(axis): [float(axis.values[0]), float(axis.values[-1])]
            for axis in (found.x, found.y)
        },
        "points": list(found.shape),
        "method": found.method,
        "runs": found.runs,
    }
    if found.counts is not None:
        about["largest_share"] = float(np.nanmax(found.share))
        about["without_an_answer"] = int(
            found.motions * found.share.size - found.counts.known.sum()
        )
        return about | {"half_fall_at": half_falls(found)}
    classes = found.one.classes
    about["share_of_points"] = {
        way.words: float((classes == way).mean()) for way in Way if (classes == way).any()
    }
    about["islands_of_falls"] = sum(island.falls for island in found.islands)
    about["islands_of_standing"] = sum(not island.falls for island in found.islands)
    about["stands_again_share"] = found.stands_again
    return about


def _key(axis: Axis) -> str:
    """Its name with the unit: "pga_g", "pgv_m_per_s"."""
    return "_".join([axis.name, *axis.unit.replace("/", "_per_").split()])


def half_falls(found: OverturningMap) -> float | None:
    """The lowest strength at which half of the motions overturn the body itself; None where none
    of the strengths does."""
    i, _ = found.nearest(getattr(found.system, "height", found.x.values[0]), 0.0)
    above = np.flatnonzero(found.share[i] >= 0.5)
    return float(found.y.values[above[0]]) if len(above) else None


def sentences(found: OverturningMap) -> list[str]:
    said = _of_shares(found) if found.counts is not None else _of_ways(found)
    return [*said, how_it_was_made(found)]


def _of_shares(found: OverturningMap) -> list[str]:
    n, at = found.motions, half_falls(found)
    part = found.independent / n
    low, high = interval(part * round(n / 2), part * n)
    unit = found.y.unit
    said = [
        f"At each of {spaced(found.share.size)} points {n} motions were run; where half of them "
        f"overturn the body, the share is known to lie between {percent(low)} and {percent(high)} "
        f"({percent(LEVEL)} interval)."
    ]
    name = found.system.label
    if at is None:
        said.append(f"Up to {found.y.values[-1]:.3g} {unit} fewer than half overturn the {name}.")
    else:
        said.append(f"Half of the motions first overturn the {name} at {at:.3g} {unit}.")
    missing = int(n * found.share.size - found.counts.known.sum()) if found.counts else 0
    if missing:
        are = "is" if missing == 1 else "are"
        said.append(f"{_counted(missing, 'run')} gave no answer and {are} not counted.")
    return said


def _of_ways(found: OverturningMap) -> list[str]:
    classes = found.one.classes
    falls = [way for way in Way if way.falls and (classes == way).any()]
    said = []
    if not falls:
        said.append("It falls nowhere on this map.")
    else:
        parts = ", ".join(f"{percent((classes == way).mean())} {way.how}" for way in falls)
        said.append(f"It falls at {percent(found.fell.mean())} of the points: {parts}.")
        said.append(_islands(found))
    if found.stands_again:
        where = "frequencies" if found.pulse is not None else "sizes"
        said.append(
            f"More is not always worse: at {percent(found.stands_again)} of the {where} it stands "
            "under a stronger motion than one that overturns it."
        )
    unknown = int((classes == Way.UNKNOWN).sum())
    if unknown:
        have = "has" if unknown == 1 else "have"
        said.append(
            f"{_counted(unknown, 'point')} {have} no answer: the run failed or never came to rest."
        )
    return said


def _islands(found: OverturningMap) -> str:
    falls = sum(island.falls for island in found.islands)
    stands = len(found.islands) - falls
    if not found.islands:
        return "The points that fall are one connected area, and so are those that stand."
    return (
        f"Apart from the largest areas it falls in {_counted(falls, 'island')} and stands in "
        f"{stands} (a strip thinner than the grid breaks into several)."
    )


def _counted(count: int, what: str) -> str:
    return f"{spaced(count)} {what}{'s' * (count != 1)}"


def how_it_was_made(found: OverturningMap) -> str:
    """Which method was used, and what it may miss."""
    points = spaced(found.shape[0] * found.shape[1])
    if found.method == "brute force":
        each = "a run" if found.motions == 1 else f"{found.motions} runs"
        return f"Brute force: each of {points} points is {each}; between points nothing is known."
    made = found.runs / found.study.scales.size / found.shape[0]
    text = (
        f"Adaptive: {spaced(found.runs)} of {points} points were run ({percent(made)}), those "
        "along the borders; the others are taken from their surroundings. All of them would take a "
        f"core about {span(found.seconds or brute_force_seconds(found.study))}. "
    )
    if found.pulse is not None:
        return text + f"An island narrower than {STEP} points may be missing."
    return text + (
        f"Islands narrower than {RAGGED_STEP} points away from the borders may be missing, and "
        "under a record some are: for every island use brute force."
    )
