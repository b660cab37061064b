"""From a description of an object and its place to all that its report says."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rocksteady.analysis import codes
from rocksteady.analysis.assessment.description import Described, described
from rocksteady.analysis.assessment.motions import motion_rows, whole_digest
from rocksteady.analysis.assessment.tables import round_levels
from rocksteady.analysis.assessment.words import LN_RATE, LN_RATIO, Assessment
from rocksteady.analysis.fragilities import fragility
from rocksteady.analysis.fragilities.uncertainty import Uncertainty, ln_median, uncertainty
from rocksteady.analysis.hazard import Hazard, risk, yearly_rate
from rocksteady.analysis.hazard.measures import Measures, measures
from rocksteady.analysis.stripes import Stripes, stripes
from rocksteady.ensembles.labels import PGA
from rocksteady.errors import InputError, heard, so_far
from rocksteady.motion.collection import Motions, distinct
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.specs.assessment import AssessmentSpec
from rocksteady.specs.motion_sources import Tell, silent
from rocksteady.theories.registry import suitable
from rocksteady.version import version

MEASURED_LEVELS = 24  # of what would help: bodies are compared with each other, at the same levels
MOTIONS_VARIED, LEVELS_VARIED = 40, 16  # of what matters: many bodies, fewer runs of each
SUITABLE = {
    "statue": ("circolare", "histories", "ec8", "asce43"),
    "column": ("circolare", "histories", "ec8", "asce43"),
    "parapet": ("circolare", "histories", "ec8"),
    "facade": ("circolare", "histories", "ec8"),
    "cabinet": ("ec8", "asce43", "fema"),
    "obelisk": ("circolare", "histories", "ec8", "asce43"),
    "vase": ("ec8", "asce43"),
    "vase_fixed_on_plinth": ("ec8", "asce43"),
}
"""Checks that are made unless the file names others."""
SLOPE = 2.5  # k of a hazard where none is given: only ratios of rates are then used


def assess(
    what: str | Path | AssessmentSpec | Described,
    *,
    motions: Motions | None = None,
    store: str | Path | None = None,
    command: str = "rs.analysis.assess(...)",
    tell: Tell = silent,
    working: Callable[[str], Any] = lambda what: False,
    found: Callable[[Measures], Any] = lambda measures: None,
) -> Assessment:
    """Assess one object: shares that fall, risk, what would help, what matters, checks by code.

    Parameters
    ----------
    what
        A file as ``rocksteady assess --example`` prints it, or an `AssessmentSpec`.
    motions
        Those of the description, where they were made before.
    store
        A folder for the runs: if it is stopped, the same call resumes from there. Other inputs
        begin anew in a folder of their own inside it.
    command
        What the report says it was made by.
    tell
        Called with what is read or made, how much of it is done, and the total.
    working
        Called with what is computed next; returns what `ensemble` takes as ``progress``.
    found
        Called with what would help as soon as that is known.

    Examples
    --------
    >>> import rocksteady as rs
    >>> found = rs.analysis.assess("object.toml")  # doctest: +SKIP
    >>> print(found.answer)  # doctest: +SKIP
    >>> found.report("report.html")  # doctest: +SKIP
    """
    given = described(what)
    with heard():
        return _assessed(given, motions, store, command, tell, working, found)


def _assessed(
    given: Described,
    motions: Motions | None,
    store: str | Path | None,
    command: str,
    tell: Tell,
    working: Callable[[str], Any],
    found: Callable[[Measures], Any],
) -> Assessment:
    said = given.said
    with given.at("object"):
        block = said.object.build()
    with given.at("formulation"):
        how = suitable(None if said.formulation is None else said.formulation.build(), block)
    with given.at("floor"):
        floor = None if said.floor is None else said.floor.build()
    with given.at("codes"):
        checks = None if said.codes is None else _checks(said, block.g)
    with given.at("hazard"):
        hazard = None if said.hazard is None else Hazard.from_spec(said.hazard, given.folder)
    motions = _motions(given, tell) if motions is None else motions
    every = tuple(motions.values())

    files, rows = given.files, motion_rows(every)
    digest = whole_digest(
        [
            version(),
            said.model_dump_json(),
            *(sha for _, sha in files),
            *(row.sha256 for row in rows),
        ]
    )

    def kept(part: str) -> Path | None:
        return None if store is None else Path(store) / digest[:12] / part

    masonry = said.object.kind is not None and said.object.kind.masonry
    common: dict[str, Any] = {"formulation": how, "floor": floor}
    site = hazard or Hazard.power(0.1, 0.01, SLOPE)
    runs = stripes(
        block,
        every,
        levels=said.levels,
        measure=site.measure,
        store=kept("shares"),
        progress=working("Shaking the object"),
        **common,
    )
    curves = fragility(runs)
    asked = [checks["spectrum"].pga / GRAVITY_UNIT] if checks and site.measure == PGA else []
    rounds = stripes(
        block,
        every,
        levels=round_levels(runs.levels[0], runs.levels[-1], asked),
        measure=site.measure,
        progress=False,
        **common,
    )
    helps = measures(
        block,
        every,
        site,
        tries=("width",) if masonry else ("width", "com_height", "plinth"),
        years=said.years,
        levels=min(said.levels, MEASURED_LEVELS),
        store=kept("measures"),
        progress=working("Trying what would help"),
        **common,
    )
    found(helps)
    matters, why = _uncertainty(
        runs,
        site,
        said.uncertain.tolerances,
        hazard is None,
        samples=said.uncertain.samples,
        motions=MOTIONS_VARIED,
        levels=LEVELS_VARIED,
        store=kept("uncertainty"),
        progress=working("Finding which uncertainty matters"),
    )
    checked = None
    if checks is not None:
        with given.at("codes"):
            checked = codes.compare(
                block, motions=every, progress=working("Checking by code"), **common, **checks
            )
    return Assessment(
        said=said,
        text=given.text,
        block=block,
        floor=floor,
        hazard=hazard,
        formulation=how,
        motions=every,
        skipped=motions.skipped,
        verticals=motions.verticals,
        fragility=curves,
        risk=None if hazard is None else risk(curves, hazard, years=said.years),
        measures=helps,
        at_round=rounds,
        uncertainty=matters,
        why_not_uncertain=why,
        codes=checked,
        matched=bool(checks and checks["match"]),
        files=files,
        motion_rows=rows,
        digest=digest,
        command=command,
        warned=tuple(dict.fromkeys([*given.warned, *so_far()])),
    )


def _checks(said: AssessmentSpec, g: float) -> dict[str, Any]:
    """What `codes.compare` is told: by default the checks that suit the kind of object, with
    motions scaled to the code's spectrum, for which they stand."""
    assert said.codes is not None
    options = said.codes.build(g)
    if "match" not in said.codes.model_fields_set:
        options["match"] = True
    if options["use"] is None and said.object.preset is not None:
        options["use"] = list(SUITABLE[said.object.preset])
    return options


def _uncertainty(
    runs: Stripes, hazard: Hazard, tolerances: dict[str, Any], assumed: bool, **how: Any
) -> tuple[Uncertainty | None, str]:
    """Which property of the body matters most for the rate, or for the median where the
    hazard ends below all that moves the body. None, and the reason, where some bodies have
    neither. Of an ``assumed`` hazard only the ratio to the rate of the body as it is."""

    rate_of_body = yearly_rate(runs, hazard)
    unit = rate_of_body if assumed else 1.0

    def ln_rate(of_one: Stripes) -> float:
        rate = yearly_rate(of_one, hazard)
        return math.log(rate / unit) if rate > 0 else math.nan

    try:
        if rate_of_body == 0:
            return uncertainty(runs, tolerances, ln_median, **how), ""
        words = LN_RATIO if assumed else LN_RATE
        return uncertainty(runs, tolerances, ln_rate, words=words, **how), ""
    except InputError as error:
        return None, str(error)


def _motions(given: Described, tell: Tell) -> Motions:
    found: list[Motions] = []
    for i, source in enumerate(given.said.motions):
        with given.at("motions", i):
            found.append(source.motions(given.folder, tell))
    every = [motion for motions in found for motion in motions.values()]
    names = distinct(tuple(motion.name for motion in every))
    skipped = {name: why for motions in found for name, why in motions.skipped.items()}
    verticals = tuple(name for motions in found for name in motions.verticals)
    return Motions(dict(zip(names, every, strict=True)), skipped, verticals)
