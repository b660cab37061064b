"""Circolare 7/2019, C8.7.1.2.1.9: SLV and SLC by nonlinear time histories.

"No motion may exceed d_0, and the mean over the motions of the largest displacements must not
exceed d_SLV (d_SLC)." The displacement is the centroid's, d = R [sin α − sin(α − θ)], whose d_0 is
b. The runs are this package's own, so every theory and loss at impacts may be used.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocksteady.analysis.codes.fit import spectrum_ratio
from rocksteady.analysis.codes.mechanism import SHARE
from rocksteady.analysis.codes.result import INPUT, Check, Limit, Line
from rocksteady.analysis.codes.settings import NotApplicableError, Settings
from rocksteady.analysis.codes.site import Site
from rocksteady.analysis.stripes import BoolArray, Stripes, stripes
from rocksteady.bodies import Block
from rocksteady.ensembles.labels import Measure
from rocksteady.motion import Motion
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numerics.types import Array
from rocksteady.theories import Formulation

TITLE = "Circolare 7/2019 (NTC 2018), time histories"
SHORT = "Circolare 2019, time histories"
CLAUSE = "C8.7.1.2.1.9"
LEVELS = 120  # of a_g between lift-off and where nearly all fall
FEW = 7  # motions: with fewer a mean is not what the codes mean


def runs_in_ag(
    body: Block,
    motions: Sequence[Motion],
    site: Site,
    formulation: Formulation | None = None,
    *,
    levels: Any = LEVELS,
    progress: Any = False,
) -> Stripes:
    """The motions, which stand for the site's a_g as they are, at a number of levels of a_g."""
    measure = _as_given(site.ag)
    return stripes(
        body,
        list(motions),
        formulation,
        levels=levels,
        measure=measure,
        floor=site.floor,
        progress=progress,
    )


def _as_given(ag: float) -> Measure:
    """a_g [g] as a measure of motions: the same for all as they were given."""

    class AsGiven(Measure):
        """What the motions stand for."""

        def of(self, motion: Motion) -> float:
            return ag

    return AsGiven("a_g", "g", "design ground acceleration", "ag", GRAVITY_UNIT)


def displacement(body: Block, peak: Array | float) -> Array:
    """The centroid's largest displacement [m] at peaks of |θ|/α: R [sin α − sin(α − θ)], d_0 from
    the point of balance on."""
    side = body.weak_side
    theta = side.alpha * np.clip(np.asarray(peak, dtype=np.float64), 0.0, 1.0)
    d: Array = side.R * (math.sin(side.alpha) - np.sin(side.alpha - theta))
    return d


def time_histories(
    body: Block,
    site: Site,
    motions: Sequence[Motion],
    settings: Settings | None = None,
    formulation: Formulation | None = None,
    *,
    runs: Stripes | None = None,
    at_ag: Stripes | None = None,
    progress: Any = False,
) -> Check:
    """Check a block by time histories.

    The motions are taken as they are: they stand for the site's a_g. ``runs`` are those of
    `runs_in_ag`, where they exist already; the a_g at the limits is read from them. ``at_ag`` are
    those at the site's a_g alone.
    """
    if not len(motions):
        raise NotApplicableError("C8.7.1.2.1.9 needs motions: give several that fit the spectrum.")
    chosen = settings or Settings()
    required = {"SLV": site.ag, "SLC": math.nan if chosen.ag_slc is None else chosen.ag_slc}
    asked = sorted({level for level in required.values() if not math.isnan(level)})
    at_once = at_ag if at_ag is not None and len(asked) == 1 else None
    at_once = at_once or runs_in_ag(body, motions, site, formulation, levels=asked)
    many = runs or runs_in_ag(body, motions, site, formulation, progress=progress)
    lines = [*_body(body), *site.lines("The action"), *_fit(site, motions)]
    lines += _each(body, at_once, motions, asked.index(site.ag))
    limits = []
    for state, level in required.items():
        lines.append(_border(state, body, many))
        bears, verdict = lines[-1].value, None
        if not math.isnan(level):
            said, verdict = _verified(state, body, at_once, asked.index(level))
            lines += said
        limits.append(Limit(state, bears, level, CLAUSE, verdict, _undecided(motions, verdict)))
    notes = _notes(at_once, many, motions, body)
    return Check("histories", TITLE, SHORT, body.label, tuple(lines), tuple(limits), notes)


def _body(body: Block) -> list[Line]:
    side = body.weak_side
    d0 = side.R * math.sin(side.alpha)
    return [
        Line("R", "toe to the centroid", side.R, "m", INPUT, "The body"),
        Line("α", "rotation at which it balances", side.alpha, "rad", INPUT, "The body"),
        Line("d_0", "R sin α, centroid above the toe", d0, "m", "C8.7.1.2.1.6", "The body"),
    ]


def _fit(site: Site, motions: Sequence[Motion]) -> list[Line]:
    part, ratio = "The motions", spectrum_ratio(site, motions)
    words = "of their mean spectrum over the ground's, 0.15 to 2 s"
    return [
        Line("N", "number of motions", len(motions), "", INPUT, part),
        Line("mean ratio", words, float(ratio.mean()), "", CLAUSE, part),
        Line(
            "least ratio", "the smallest over these periods", float(ratio.min()), "", CLAUSE, part
        ),
    ]


def _each(body: Block, runs: Stripes, motions: Sequence[Motion], column: int) -> list[Line]:
    part, d = "Largest displacements", displacement(body, runs.peak[:, column])
    return [
        Line(f"d_{i + 1}", motion.name or "motion without a name", float(each), "m", CLAUSE, part)
        for i, (motion, each) in enumerate(zip(motions, d, strict=True))
    ]


def reached(runs: Stripes) -> BoolArray:
    """(n, L) whether a run got to d_0: θ ≥ α, also where it came back; or has no answer."""
    with np.errstate(invalid="ignore"):
        there: BoolArray = (runs.peak >= 1) | runs.fell | ~runs.known
    return there


def _holds(state: str, body: Block, runs: Stripes) -> BoolArray:
    """(L,) whether the limit state is respected at each level."""
    d0 = body.weak_side.R * math.sin(body.weak_side.alpha)
    mean = displacement(body, np.where(reached(runs), 1.0, runs.peak)).mean(axis=0)
    holds: BoolArray = ~reached(runs).any(axis=0) & (mean <= SHARE[state] * d0)
    return holds


def _verified(state: str, body: Block, runs: Stripes, column: int) -> tuple[list[Line], bool]:
    part = f"{state}, time histories"
    d0 = body.weak_side.R * math.sin(body.weak_side.alpha)
    gone = reached(runs)[:, column]
    mean = float(displacement(body, np.where(gone, 1.0, runs.peak[:, column])).mean())
    lines = [
        Line("a_g", "of this limit state", float(runs.levels[column]), "g", INPUT, part),
        Line("N_0", "motions that reach d_0; none may", int(gone.sum()), "", CLAUSE, part),
        Line("mean d", "mean of the largest, d_0 where it is reached", mean, "m", CLAUSE, part),
        Line(f"d_{state}", f"{SHARE[state]:g} d_0", SHARE[state] * d0, "m", "C8.7.1.2.1.6", part),
    ]
    return lines, bool(_holds(state, body, runs)[column])


def _border(state: str, body: Block, runs: Stripes) -> Line:
    """The largest a_g [g] below which the limit state holds at every level."""
    broken = np.flatnonzero(~_holds(state, body, runs))
    part, words = f"{state}, time histories", "largest level of a_g below the first that fails"
    if not broken.size:
        value, words = math.inf, "no level that was run fails"
    else:
        value = float(runs.levels[broken[0] - 1]) if broken[0] else 0.0
    return Line(f"a_g,{state}", words, value, "g", CLAUSE, part)


def _undecided(motions: Sequence[Motion], verdict: bool | None) -> str:
    """Why so few motions cannot show that a limit state is respected; empty where they are enough,
    and where they show that it is not."""
    if len(motions) >= FEW or not verdict:
        return ""
    count = "1 motion is" if len(motions) == 1 else f"{len(motions)} motions are"
    return f"{count} too few for a mean: {FEW} or more are needed"


def _notes(
    at_once: Stripes, many: Stripes, motions: Sequence[Motion], body: Block
) -> tuple[str, ...]:
    notes = [
        f"Theory: {at_once.formulation.name}. The motions stand for a_g as the check was given "
        f"them; for other levels all are multiplied by one factor{_steps(many.levels)} [{CLAUSE}].",
        "The body may rock to both sides; the clause also allows one-sided mechanisms, which this "
        f"theory does not have [{CLAUSE}].",
        "FC is not in the runs: the clause does not name it. Motions multiplied by FC are on the "
        f"safe side [{CLAUSE}].",
    ]
    if len(motions) < FEW:
        notes.append(
            f"{len(motions)} motions are few: the clause asks for more than a global analysis "
            f"does [{CLAUSE}]."
        )
    unknown = int((~at_once.known).sum())
    if unknown:
        notes.append(f"{unknown} runs gave no answer and count as reaching d_0 [{CLAUSE}].")
    if not body.symmetric:
        notes.append(
            "The body is asymmetric: displacements are those of its weaker side at the same share "
            f"of α [{CLAUSE}]."
        )
    return tuple(notes)


def _steps(levels: Array) -> str:
    """How much larger than the one before each level is, in words."""
    if len(levels) < 2:
        return ""
    rises = 100 * np.diff(levels) / levels[:-1]
    least, most = f"{rises.min():.2g}", f"{rises.max():.2g}"
    return f", in steps of {least} %" if least == most else f", in steps of {least} to {most} %"
