"""What the report says, in sentences and small tables."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.assessment.facts import Fact, facts, lift_off
from rocksteady.analysis.assessment.findings import Findings
from rocksteady.analysis.assessment.limits import limits
from rocksteady.analysis.assessment.tables import (
    SHOWN,
    Printed,
    Table,
    codes_table,
    hazard_table,
    shares_table,
)
from rocksteady.analysis.codes.result import digits
from rocksteady.analysis.hazard import poe_of_rate
from rocksteady.analysis.hazard.words import percent
from rocksteady.bodies.units import TALL
from rocksteady.ensembles.labels import PGA
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.registry import imported

if TYPE_CHECKING:
    import datetime

    from rocksteady.analysis.assessment.motions import MotionRow

WEAK = 0.01  # g: a record below it is mostly noise once it is scaled up
LN_RATE = "the logarithm of the yearly rate"
LN_RATIO = "the logarithm of the yearly rate over that of the body as computed"


class Assessment(Findings):
    """One object assessed, in numbers, sentences and tables; see `rocksteady.analysis.assess`."""

    # -- for programs and for people -----------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """All numbers, for programs: plain values, units in the names."""
        return {
            "name": self.said.name,
            "answer": self.answer,
            "assumed": self.assumed,
            "object": {
                "label": self.block.label,
                **{fact.words + (f" [{fact.unit}]" if fact.unit else ""): fact.value
                   for fact in self.facts},
            },
            "floor": None if self.floor is None else str(self.floor),
            "formulation": self.formulation.name,
            "fragility": self.fragility.summary(),
            "risk": None if self.risk is None else self.risk.summary(),
            "assumed_hazard": self.assumed_hazard,
            "measures": self._measures_summary(),
            "uncertainty": None if self.uncertainty is None else self.uncertainty.summary(),
            "codes": None if self.codes is None else self.codes.summary(),
            "limits": self.limits,
            "warnings": self.warnings,
            "motions": [row._asdict() for row in self.motion_rows],
            "files": [{"file": name, "sha256": sha} for name, sha in self.files],
            "sha256": self.digest,
            "version": self.environment["rocksteady"],
            "environment": self.environment,
            "command": self.command,
        }  # fmt: skip

    def _measures_summary(self) -> dict[str, Any]:
        """What would help; without a hazard as ratios of rates, for the rates are of an assumed
        one."""
        found, rate = self.measures.summary(), self.measures.base.rate
        if self.hazard is not None:
            return found
        del found["rate_per_year"], found["wanted_per_year"]
        for tried in found["tried"]:
            for name in ("rates", "rates_low", "rates_high"):
                rates = tried.pop(f"{name}_per_year")
                tried[f"{name}_of_present"] = [one / rate for one in rates] if rate else None
        return found

    def report(self, path: str | Path, date: datetime.date | None = None) -> Path:
        """Write the report as one HTML file that needs nothing else; ``date``: today's."""
        written: Path = imported("rocksteady.view.report.page:write_report")(self, path, date)
        return written

    # -- the head of the report ---------------------------------------------------------------

    @property
    def title(self) -> str:
        return self.said.name

    @property
    def subtitle(self) -> str:
        kind = self.said.object.kind
        body = self.block.label if kind is None else f"{kind.words}, {self.block.label}"
        return f"Assessment of {body}, on {self.standing}"

    @property
    def standing(self) -> str:
        """What it stands on: "the ground", "the roof of a 3-storey building, …"."""
        return f"the {self.floor or 'ground'}"

    @property
    def about(self) -> list[tuple[str, str]]:
        """Who asked, who answered: what was filled in."""
        said = self.said.report.model_dump()
        return [(name.capitalize(), text.rstrip(". ")) for name, text in said.items() if text]

    @property
    def answer(self) -> str:
        """One sentence, with its interval, and what it takes for granted of the object."""
        found = self.risk.sentence if self.risk is not None else self.fragility.sentence
        return f"{found} {self.assumed}" if self.assumed else found

    @property
    def assumed(self) -> str:
        kind = self.said.object.kind
        return kind.assumed if kind is not None else ""

    @property
    def beside(self) -> list[str]:
        """What else must be read with the answer."""
        told = []
        if self.risk is not None:
            level = f"{100 * self.risk.level:g} %"
            if self.risk.rate > 0:  # else there is a bound, and no interval
                told.append(
                    f"The interval ({level}) accounts for the number of motions only, not for "
                    "whether they and the hazard curve suit the site."
                )
            told += [self.spread, self.fragility.sentence]
        if "halves" in (helps := self.measures_sentences[0]):
            told += [helps, self.assumed_hazard]
        return [text for text in [*told, self._verdicts()] if text]

    @property
    def spread(self) -> str:
        """How far the probability moves with what is not known about the body."""
        if self.risk is None or self.uncertainty is None or self.risk.rate == 0:
            return ""
        if self.uncertainty.outcome != LN_RATE:
            return ""
        ends = [end - self.uncertainty.nominal for end in self.uncertainty.interval()]
        if ends[0] == ends[1]:  # too few runs to show what the tolerances change
            return ""
        low, high = (
            float(poe_of_rate(self.risk.rate * math.exp(end), self.risk.years)) for end in ends
        )
        within = ", ".join(
            f"{name.replace('com_height', 'centre of mass').replace('eta', 'η')} {said}"
            for name, said in self.uncertainty.ranges.items()
        )
        return (
            f"If the body differs from the one computed within its tolerances ({within}), the "
            f"probability is {percent(low, '')} to {percent(high)} in nine of ten cases."
        )

    def _verdicts(self) -> str:
        """Which verifications by code it passes, each by its name; only those with a verdict."""
        if self.codes is None:
            return ""
        verdicts = [
            f"{check.short}, {limit.name}: {'' if limit.satisfied else 'not '}satisfied"
            for check in self.codes.checks
            for limit in check.limits
            if limit.satisfied is not None
        ]
        return f"By code: {'; '.join(verdicts)}." if verdicts else ""

    @property
    def warnings(self) -> list[str]:
        """What was warned of, and what else is wrong with the inputs or the runs."""
        told = list(self.warned)
        failed = int((~self.stripes.known).sum())
        if failed:
            told.append(f"{failed} of {self.stripes.known.size} runs gave no answer.")
        if self.skipped:
            names = ", ".join(list(self.skipped)[:5])
            more = f" and {len(self.skipped) - 5} more" if len(self.skipped) > 5 else ""
            files = "1 file" if len(self.skipped) == 1 else f"{len(self.skipped)} files"
            told.append(f"{files} could not be read: {names}{more}.")
        read = [motion for motion in self.motions if "format" in motion.meta]
        weak = [motion for motion in read if motion.pga < WEAK * GRAVITY_UNIT]
        if weak:
            told.append(
                f"{len(weak)} of {len(read)} records have a peak below {WEAK:g} g: scaled up, "
                "their noise counts as shaking. Leave weak records out."
            )
        if self.block.height > TALL:
            told.append(f"The body is {self.block.height:g} m high. Sizes are in metres.")
        if self.hazard is not None and self.hazard.measure == PGA and self.hazard.levels[0] > 1:
            told.append(
                f"The hazard curve begins at {self.hazard.levels[0]:g} g. Levels are in g, not in "
                "per cent."
            )
        if self.stripes.draws < 20:
            told.append(
                f"Only {self.stripes.draws} independent motions: intervals are wide, and rare "
                "falls cannot be seen. A hundred are better."
            )
        return told

    # -- the object and its place -------------------------------------------------------------

    @property
    def facts(self) -> list[Fact]:
        return facts(self.said.object, self.block)

    @property
    def theory(self) -> list[str]:
        """The theory, and its loss at impacts with the reason."""
        how, eta = self.formulation, getattr(self.formulation, "eta", None)
        r = getattr(self.formulation, "r", None)
        if eta is not None:
            loss = f"η = {eta:.4g} was given as the ratio of angular velocities at an impact."
        elif r is not None:
            loss = f"r = {r:.4g} was given as the ratio of kinetic energies at an impact."
        elif "eta" not in {one.name for one in how.loss_parameters(self.block)}:
            loss = f"An impact keeps {how.keeps_at_impact(self.block)}; it was not measured."
        else:
            loss = (
                f"η = {self.block.eta:.3g}, the ratio of angular velocities at an impact, follows "
                "from the shape (Housner 1963); it was not measured."
            )
        return [f"Theory: {how.name}, every run to its outcome.", loss]

    @property
    def place(self) -> list[str]:
        if self.floor is None:
            return ["It stands on the ground, which moves as the motions say."]
        peaks = np.array([self.floor.motion(m).pga / m.pga for m in self.motions if m.pga > 0])
        low, middle, high = np.percentile(peaks, [16, 50, 84])
        return [
            f"It stands on {self.standing}. The building is elastic; its modes turn the motion of "
            "the ground into that of the floor.",
            f"The peak acceleration of the floor is {middle:.2f} times that of the ground (median; "
            f"16 to 84 %: {low:.2f} to {high:.2f}). Strengths in this report are those of the "
            "ground.",
        ]

    # -- shares and risk ----------------------------------------------------------------------

    @property
    def shares_sentences(self) -> list[str]:
        return self.fragility.sentences

    @property
    def shares(self) -> Table:
        """Shares at round strengths, in per cent with their intervals."""
        return shares_table(self.at_round, list(self.fragility.states))

    @property
    def risk_sentences(self) -> list[str]:
        if self.risk is None or self.hazard is None:
            return []
        name = self.hazard.name or "given in the file"
        surface = (
            "It is taken as it is: its levels must be those at the surface of the site, with the "
            "effect of the soil."
        )
        return [*self.risk.sentences, f"Hazard: {name.rstrip('.')}.", surface]

    @property
    def hazard_points(self) -> Table | None:
        return None if self.hazard is None else hazard_table(self.hazard)

    @property
    def measures_sentences(self) -> list[str]:
        return [text for text in (*self.measures.sentences, self.assumed_hazard) if text]

    @property
    def assumed_hazard(self) -> str:
        """What stands for the hazard where none was given; empty where one was."""
        if self.hazard is not None:
            return ""
        return (
            "No hazard curve was given: here stronger shaking is taken to be rarer by the power "
            f"{self.measures.base.hazard.slopes[0]:g} of its strength, and only ratios of rates "
            "are used."
        )

    @property
    def uncertainty_sentences(self) -> list[str]:
        if self.uncertainty is None:
            return [f"This could not be found: {self.why_not_uncertain}"]
        assumed = self.assumed_hazard if self.uncertainty.outcome == LN_RATIO else ""
        return [text for text in (self.spread, self.uncertainty.sentence, assumed) if text]

    # -- codes --------------------------------------------------------------------------------

    @property
    def checks(self) -> list[Printed]:
        return [] if self.codes is None else [Printed.of(check) for check in self.codes.checks]

    @property
    def codes_sentences(self) -> list[str]:
        if self.codes is None:
            return []
        told = [
            f"Required: a_g = {digits(self.codes.site.ag)} g. The table puts the a_g at which each "
            "limit is reached beside our own runs; the calculations follow.",
            "a_g is that on rock. For our own runs here each motion is scaled to the code's "
            "spectrum, not to one peak, so their a_g is not the PGA of section 2."
            if self.matched
            else "a_g is that on rock.",
        ]
        return told + [f"Not checked: {key} ({why})" for key, why in self.codes.skipped.items()]

    @property
    def codes_table(self) -> Table | None:
        return None if self.codes is None else codes_table(self.codes)

    @property
    def no_checks(self) -> str:
        return "No checks by code were asked for: add a [codes] table with a spectrum to the file."

    # -- limits, motions ----------------------------------------------------------------------

    @property
    def limits(self) -> list[str]:
        kind = self.said.object.kind
        return limits(
            self.block,
            self.formulation,
            motions=self.motions,
            left_out=bool(self.verticals),
            generated=any(source.stochastic is not None for source in self.said.motions),
            on_a_floor=self.floor is not None,
            masonry=kind is not None and kind.masonry,
        )

    @property
    def motions_sentences(self) -> list[str]:
        n, draws, runs = len(self.motions), self.stripes.draws, self.stripes
        measure = runs.measure
        apart = "" if n == draws else f", {draws} of them independent"
        peaks = [motion.pga / GRAVITY_UNIT for motion in self.motions]
        return [
            f"{n} motions{apart}, each scaled to {len(runs.levels)} strengths from {measure.short} "
            f"{runs.levels[0]:.3g} to {runs.levels[-1]:.3g} {measure.unit}. Before "
            f"scaling, their peak accelerations are {min(peaks):.2g} to {max(peaks):.2g} g.",
            f"The body lifts off where its support accelerates by {lift_off(self.block):.3g} g.",
        ]

    @property
    def motions_shown(self) -> list[MotionRow]:
        return self.motion_rows[:SHOWN]

    @property
    def motions_rest(self) -> list[MotionRow]:
        return self.motion_rows[SHOWN:]
