"""One check by code, or all that can be made from what is known."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rocksteady.analysis.codes import asce43, circolare, eurocode8, fema_p58, histories
from rocksteady.analysis.codes.comparison import Comparison
from rocksteady.analysis.codes.fit import floor_velocity, matched, warn_of_misfit
from rocksteady.analysis.codes.mechanism import Mechanism
from rocksteady.analysis.codes.result import Check
from rocksteady.analysis.codes.settings import NotApplicableError, Settings, refuse_unread
from rocksteady.analysis.codes.site import Site
from rocksteady.analysis.stripes import Stripes
from rocksteady.bodies import Block, expect
from rocksteady.ensembles.labels import PGA
from rocksteady.errors import InputError, heard, so_far
from rocksteady.motion import Motion
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.motion.floors import Floor
from rocksteady.theories import Formulation


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
        "After EN 1998-1:2004, 4.3.5: static force on a non-structural element; no verdict",
        lambda given: eurocode8.non_structural(given.body, given.site, given.settings),
    ),
    "asce43": (
        "After ASCE 43-05, Appendix A: rocking by reserve energy, our derivation; no verdict",
        lambda given: asce43.rocking(given.body, given.site, given.settings),
    ),
    "asce43-sliding": (
        "After ASCE 43-05, Appendix A: sliding; no verdict",
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
        Of the ground: `Eurocode8` or `Ntc2018` of ``rocksteady.motion.code_spectra``.
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
    refuse_unread(settings, [_known(code)], {})
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
) -> Comparison:
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
    with heard():
        if len(motions):
            how = (body, motions, site, formulation)
            at_ag = histories.runs_in_ag(*how, levels=[site.ag])
            runs = histories.runs_in_ag(*how, levels=levels, progress=progress)
            warn_of_misfit(site, motions)
        given = _Given(body, site, chosen, tuple(motions), formulation, runs, at_ag, progress)
        checks, skipped = [], {}
        for code in wanted:
            try:
                checks.append(CODES[code][1](given))
            except NotApplicableError as error:
                if use is not None:
                    raise
                skipped[code] = str(error)
        refuse_unread(settings, [check.code for check in checks], skipped)
        told = tuple(so_far())
    if stripes is not None:
        runs, at_ag = _in_ag(stripes, site), None
    return Comparison(body, site, tuple(checks), skipped, runs, at_ag, told)


def _known(code: str) -> str:
    if code not in CODES:
        raise InputError(f"code = {code!r} is not known: choose from {', '.join(CODES)}.")
    return code


def _site(body: Any, spectrum: Any, floor: Floor | None) -> Site:
    expect(body, Block, "A check by a code")
    if not isinstance(spectrum, Eurocode8 | Ntc2018):
        raise InputError(
            f"spectrum = {spectrum!r} is not allowed: give Eurocode8(...) or Ntc2018(...) of "
            "rocksteady.motion.code_spectra."
        )
    return Site(spectrum, floor, body.g)


def _in_ag(runs: Stripes, site: Site) -> Stripes:
    """Stripes in PGA as stripes in a_g: a_g = PGA/S, in g of the site instead of 9.80665 m/s²."""
    if runs.measure != PGA:
        raise InputError(
            f"stripes in {runs.measure.short} cannot be compared with codes: run them in PGA."
        )
    measure = runs.measure._replace(short="a_g", words="design ground acceleration")
    scale = runs.measure.si / site.g / site.spectrum.S
    return replace(runs, levels=runs.levels * scale, lifts=runs.lifts * scale, measure=measure)
