"""One check by code, or all that can be made from what is known, beside our own shares."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady import registry
from rocksteady.analysis.codes import asce43, circolare, eurocode8, fema_p58, histories
from rocksteady.analysis.codes.mechanism import Mechanism
from rocksteady.analysis.codes.result import Check, digits, write_checks
from rocksteady.analysis.codes.settings import Settings
from rocksteady.analysis.codes.site import Site
from rocksteady.analysis.shares.interval import interval
from rocksteady.analysis.stripes import Stripes
from rocksteady.ensembles.labels import PGA
from rocksteady.errors import InputError, warn
from rocksteady.formulations import Formulation
from rocksteady.motion import Motion
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.motion.floors import Floor
from rocksteady.motion.intensity import pgv
from rocksteady.motion.scaling import scale_to_spectrum
from rocksteady.systems import Block

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARES = (0.1, 0.5)  # of the motions that reach d_0
OWN = "rocksteady, own runs"


class _Given(NamedTuple):
    """All that a check may be made from."""

    body: Block
    site: Site
    settings: Settings
    motions: tuple[Motion, ...]
    formulation: Formulation | None
    runs: Stripes | None
    at_ag: Stripes | None
    progress: Any


def _histories(given: _Given) -> Check:
    if not given.motions:
        raise InputError("time histories need motions.")
    return histories.time_histories(
        given.body,
        given.site,
        given.motions,
        given.settings,
        given.formulation,
        runs=given.runs,
        at_ag=given.at_ag,
        progress=given.progress,
    )


def _contents(given: _Given) -> Check:
    speed = floor_velocity(given.motions, given.site) if given.motions else None
    return fema_p58.contents(given.body, given.site, given.settings, speed)


CODES: dict[str, tuple[str, Callable[[_Given], Check]]] = {
    "circolare": (
        "Circolare 7/2019 to NTC 2018: linear (q = 2) and nonlinear kinematic analysis",
        lambda given: circolare.kinematic(given.body, given.site, given.settings),
    ),
    "histories": ("Circolare 7/2019, C8.7.1.2.1.9: time histories", _histories),
    "ec8": (
        "EN 1998-1:2004, 4.3.5: static force on a non-structural element",
        lambda given: eurocode8.non_structural(given.body, given.site, given.settings),
    ),
    "asce43": (
        "ASCE 43-05, Appendix A: rocking by reserve energy",
        lambda given: asce43.rocking(given.body, given.site, given.settings),
    ),
    "asce43-sliding": (
        "ASCE 43-05, Appendix A: sliding",
        lambda given: asce43.sliding(given.body, given.site, given.settings),
    ),
    "fema": ("FEMA P-58: fragilities of unanchored contents, a comparison", _contents),
}
"""Every check by its key: what it is, and what makes it."""


def check(
    body: Block | Mechanism,
    spectrum: Eurocode8 | Ntc2018,
    code: str = "circolare",
    *,
    floor: Floor | None = None,
    motions: Sequence[Motion] = (),
    match: bool = False,
    formulation: Formulation | None = None,
    progress: Any = False,
    **settings: Any,
) -> Check:
    """Check a body by one code.

    Parameters
    ----------
    body
        A block; for ``"circolare"`` also a `Mechanism`.
    spectrum
        Of the ground: `Eurocode8` or `Ntc2018` of :mod:`rocksteady.motion.code_spectra`.
    code
        One of `CODES`: "circolare", "histories", "ec8", "asce43", "asce43-sliding" or "fema".
    floor
        The ``rs.Floor`` that it stands on; the ground unless given.
    motions
        Of the ground, which stand for the spectrum's a_g as they are, for "histories" and "fema".
    match
        Scale each motion to the spectrum first, from 0.15 to 2 s.
    formulation
        Theory of the time histories; the usual one unless given.
    progress
        As in :func:`rocksteady.ensemble`.
    **settings
        Fields of `Settings`: fc, e_star, q, friction …

    Examples
    --------
    >>> import rocksteady as rs
    >>> from rocksteady.motion.code_spectra import Eurocode8
    >>> found = check(rs.Block(height=1.2, width=0.25), Eurocode8(ag=0.25 * 9.81, soil="B"))
    >>> round(found["T_SLV"], 7), round(found["d/S_De,SLV"], 7)
    (1.2382876, 0.4940599)
    """
    chosen = Settings.of(settings)
    if isinstance(body, Mechanism):
        if _known(code) != "circolare":
            raise InputError(f"code = {code!r} is for blocks: a Mechanism needs 'circolare'.")
        return circolare.kinematic(body, Site(spectrum, floor), chosen)
    site = _site(body, spectrum, floor)
    if match:
        motions = matched(motions, site)
    given = _Given(body, site, chosen, tuple(motions), formulation, None, None, progress)
    return CODES[_known(code)][1](given)


def compare(
    body: Block,
    spectrum: Eurocode8 | Ntc2018,
    *,
    use: Sequence[str] | None = None,
    floor: Floor | None = None,
    motions: Sequence[Motion] = (),
    match: bool = False,
    stripes: Stripes | None = None,
    formulation: Formulation | None = None,
    levels: Any = histories.LEVELS,
    progress: Any = False,
    **settings: Any,
) -> "Comparison":
    """Check a body by several codes, and put the a_g at each limit beside our own shares.

    Parameters
    ----------
    body, spectrum, floor, motions, match, formulation, progress, **settings
        As in `check`.
    use
        Keys of `CODES`; all that can be made from what was given unless told.
    stripes
        Runs that exist already, in PGA, for our own shares: their a_g is PGA/S. Without them the
        motions are run at levels of a_g.
    levels
        Of a_g [g], or how many.
    """
    chosen, site = Settings.of(settings), _site(body, spectrum, floor)
    wanted = [_known(code) for code in use] if use is not None else list(CODES)
    if match:
        motions = matched(motions, site)
    runs, at_ag = None, None
    if len(motions):
        how = (body, motions, site, formulation)
        at_ag = histories.runs_in_ag(*how, levels=[site.ag])
        runs = histories.runs_in_ag(*how, levels=levels, progress=progress)
        _warn_of_misfit(site, motions)
    given = _Given(body, site, chosen, tuple(motions), formulation, runs, at_ag, progress)
    checks, skipped = [], {}
    for code in wanted:
        try:
            checks.append(CODES[code][1](given))
        except InputError as error:
            if use is not None:
                raise
            skipped[code] = str(error)
    if stripes is not None:
        runs, at_ag = _in_ag(stripes, site), None
    return Comparison(body, site, tuple(checks), skipped, runs, at_ag)


def _known(code: str) -> str:
    if code not in CODES:
        raise InputError(f"code = {code!r} is not known: choose from {', '.join(CODES)}.")
    return code


def _site(body: Any, spectrum: Any, floor: Floor | None) -> Site:
    if not isinstance(body, Block):
        raise InputError(f"{type(body).__name__} cannot be checked: give a Block.")
    if not isinstance(spectrum, Eurocode8 | Ntc2018):
        raise InputError(
            f"spectrum = {spectrum!r} is not allowed: give Eurocode8(...) or Ntc2018(...) of "
            "rocksteady.motion.code_spectra."
        )
    return Site(spectrum, floor, body.g)


def floor_velocity(motions: Sequence[Motion], site: Site) -> float:
    """Median of the motions' peak velocities where the body stands [m/s]."""
    floor = site.floor
    moved = motions if floor is None else [floor.motion(motion) for motion in motions]
    return float(np.median([pgv(motion) for motion in moved]))


def _in_ag(runs: Stripes, site: Site) -> Stripes:
    """Stripes in PGA as stripes in a_g: a_g = PGA/S."""
    if runs.measure != PGA:
        raise InputError(
            f"stripes in {runs.measure.short} cannot be compared with codes: run them in PGA."
        )
    measure = runs.measure._replace(short="a_g", words="design ground acceleration")
    scale = 1 / site.spectrum.S
    return replace(runs, levels=runs.levels * scale, lifts=runs.lifts * scale, measure=measure)


def _warn_of_misfit(site: Site, motions: Sequence[Motion]) -> None:
    ratio = histories.spectrum_ratio(site, motions)
    mean, (low, high) = float(ratio.mean()), histories.UNLIKE
    if not low <= mean <= high:
        warn(
            f"The motions' mean spectrum is {mean:.2f} of the code's (0.15 to 2 s): they do not "
            f"stand for a_g = {site.ag:g} g. Scale each to the spectrum first "
            "(rocksteady.motion.scaling.scale_to_spectrum; --match on the command line).",
            stacklevel=3,
        )


def matched(motions: Sequence[Motion], site: Site) -> list[Motion]:
    """Each motion scaled to the ground's spectrum, from 0.15 to 2 s, on the mean of the logs."""
    T = np.geomspace(histories.PERIODS[0], histories.PERIODS[-1], 200)
    target = site.ground(T, 0.05)
    return [scale_to_spectrum(motion, T, target, T[0], T[-1]) for motion in motions]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


class Row(NamedTuple):
    """A line of the table: what limit is reached at which a_g."""

    method: str
    limit: str
    bears: float
    """a_g [g]."""
    satisfied: bool | None
    clause: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """The checks of one body, and our own shares beside them."""

    body: Block
    site: Site
    checks: tuple[Check, ...]
    skipped: dict[str, str]
    """Codes that were not used, and why."""
    runs: Stripes | None
    """Our own runs, by a_g; None without motions."""
    at_ag: Stripes | None = None
    """The same at the required a_g alone."""

    def __getitem__(self, code: str) -> Check:
        for each in self.checks:
            if each.code == code:
                return each
        raise KeyError(f"{code!r} was not checked: {', '.join(c.code for c in self.checks)} were")

    @property
    def rows(self) -> list[Row]:
        """The table: every limit of every check, then our own shares."""
        rows = [
            Row(each.short, limit.name, limit.bears, limit.satisfied, limit.clause)
            for each in self.checks
            for limit in each.limits
        ]
        for check in self.checks:
            if check.code == "fema":
                rows += _contents_rows(check)
        return [*rows, *self._own_rows()]

    def level(self, share: float) -> float:
        """The smallest a_g [g] that was run at which this share of the motions reaches d_0; inf if
        none does."""
        if self.runs is None:
            return math.nan
        there = np.flatnonzero(histories.reached(self.runs).mean(axis=0) >= share)
        return float(self.runs.levels[there[0]]) if there.size else math.inf

    def _own_rows(self) -> list[Row]:
        if self.runs is None:
            return []
        words = f"{OWN} ({self.runs.formulation.name}, {len(self.runs.motions)} motions)"
        rows = [Row(words, "first lifts off", self.runs.gate, None, "a > g tan α")]
        return rows + [
            Row(words, f"{_percent(share)} reach d_0", self.level(share), None, "θ ≥ α")
            for share in SHARES
        ]

    @property
    def sentences(self) -> list[str]:
        """Verdicts in words, and what our own runs say of the required a_g."""
        said = [sentence for each in self.checks for sentence in each.sentences]
        if self.runs is not None:
            said.append(self._share_sentence())
        return said

    def _share_sentence(self) -> str:
        runs, ag = self.at_ag or self.runs, self.site.ag
        assert runs is not None
        near = int(np.argmin(np.abs(np.log(runs.levels / ag))))
        count, n = int(histories.reached(runs)[:, near].sum()), len(runs.motions)
        # motions of one parameter set are one draw: they count as one
        low, high = interval(count * runs.draws / n, runs.draws)
        return (
            f"In our own runs {count} of {n} motions ({_percent(count / n)}; 90 % interval "
            f"{_percent(low)} to {_percent(high)}) carry it to d_0 at a_g = "
            f"{digits(float(runs.levels[near]))} g."
        )

    def summary(self) -> dict[str, Any]:
        """Plain numbers with units in the keys, for JSON."""
        return {
            "body": self.body.label,
            "a_g required [g]": self.site.ag,
            "floor": None if self.site.floor is None else str(self.site.floor),
            "table": [
                {
                    "method": row.method,
                    "limit": row.limit,
                    "a_g at the limit [g]": row.bears,
                    "satisfied": row.satisfied,
                    "clause": row.clause,
                }
                for row in self.rows
            ],
            "checks": [each.summary() for each in self.checks],
            "not checked": dict(self.skipped),
            "sentences": self.sentences,
        }

    def table_text(self) -> str:
        """The table as aligned text."""
        words = {True: "satisfied", False: "not satisfied", None: ""}
        wide = max([20, *(len(f"{row.method}: {row.limit}") for row in self.rows)])
        said = [f"a_g at the limit, required {digits(self.site.ag)} g [input]"]
        for row in self.rows:
            name = f"{row.method}: {row.limit}"
            said.append(
                f"  {name:<{wide}} {digits(row.bears):>8} g  {words[row.satisfied]:<13}  "
                f"[{row.clause}]"
            )
        return "\n".join(said)

    def __str__(self) -> str:
        pages = [str(each) for each in self.checks]
        skipped = [f"Not checked, {code}: {why}" for code, why in self.skipped.items()]
        last = [self._share_sentence()] if self.runs is not None else []
        return "\n\n".join([*pages, self.table_text(), *last, *skipped])

    def markdown(self) -> str:
        """The table in Markdown."""
        words = {True: "satisfied", False: "not satisfied", None: "–"}
        said = [f"# Checks by code: {self.body.label}", ""]
        said += [f"Required a_g {digits(self.site.ag)} g (input).", ""]
        said += ["| method | limit | a_g at the limit [g] | verdict | clause |"]
        said += ["|---|---|---:|---|---|"]
        said += [
            f"| {row.method} | {row.limit} | {digits(row.bears)} | {words[row.satisfied]} | "
            f"{row.clause} |"
            for row in self.rows
        ]
        said += ["", *(f"- {sentence}" for sentence in self.sentences)]
        said += [f"- Not checked, {code}: {why}" for code, why in self.skipped.items()]
        return "\n".join([*said, ""])

    def write(self, path: str | Path) -> Path:
        """Write the table and all calculations as .md, or every line of them as .csv."""
        return write_checks(self.checks, path, self.markdown())

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Draw the capacity curve with its demand, and the a_g at every limit."""
        figure: Figure = registry.imported("rocksteady.view.codes:plot_comparison")(self, path)
        return figure


def _contents_rows(check: Check) -> list[Row]:
    """The range of the items' medians."""
    halves = [line for line in check.lines if line.symbol == "a_g,50"]
    low, high = (pick(halves, key=lambda line: line.value) for pick in (min, max))
    names = [low] if low is high else [low, high]
    return [Row(check.short, line.words, line.value, None, line.clause) for line in names]
