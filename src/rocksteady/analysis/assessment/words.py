"""What the report says, in sentences and small tables."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady.analysis.assessment.facts import Fact, facts, lift_off
from rocksteady.analysis.assessment.findings import Findings
from rocksteady.analysis.assessment.limits import limits
from rocksteady.analysis.codes.result import Check, Line, digits
from rocksteady.analysis.stripes import LIFTS, OVERTURNED, Limit
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.registry import imported

if TYPE_CHECKING:
    import datetime

    from rocksteady.analysis.assessment.motions import MotionRow

ROWS = 9  # of the table of shares
SHOWN = 12  # motions that are printed; the others are on the screen
OF_A_MOTION = re.compile(r"d_\d+")  # a line of a calculation that is repeated for each motion


class Table(NamedTuple):
    """Cells that are written as they are."""

    head: list[str]
    rows: list[list[str]]


class Assessment(Findings):
    """One object assessed, in numbers, sentences and tables; see `rocksteady.analysis.assess`."""

    # -- for programs and for people -----------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """All numbers, for programs: plain values, units in the names."""
        return {
            "name": self.said.name,
            "answer": self.answer,
            "object": {
                "label": self.block.label,
                **{fact.words + (f" [{fact.unit}]" if fact.unit else ""): fact.value
                   for fact in self.facts},
            },
            "floor": None if self.floor is None else str(self.floor),
            "formulation": self.formulation.name,
            "fragility": self.fragility.summary(),
            "risk": None if self.risk is None else self.risk.summary(),
            "measures": self.measures.summary(),
            "uncertainty": self.uncertainty.summary(),
            "codes": None if self.codes is None else self.codes.summary(),
            "limits": self.limits,
            "motions": [row._asdict() for row in self.motion_rows],
            "files": [{"file": name, "sha256": sha} for name, sha in self.files],
            "sha256": self.digest,
            "version": self.version,
            "command": self.command,
        }  # fmt: skip

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
        where = "on the ground" if self.floor is None else f"on the {self.floor}"
        return f"Assessment of {body}, {where}"

    @property
    def about(self) -> list[tuple[str, str]]:
        """Who asked, who answered: what was filled in."""
        said = self.said.report.model_dump()
        return [(name.capitalize(), text) for name, text in said.items() if text]

    @property
    def answer(self) -> str:
        """One sentence, with its interval."""
        if self.risk is not None:
            return self.risk.sentence
        return self.fragility.sentence

    @property
    def beside(self) -> list[str]:
        """What else must be read with the answer."""
        told = [] if self.risk is None else [self.fragility.sentence]
        told += [text for text in self.measures_sentences[:1] if "halves" in text]
        if self.codes is not None:
            verdicts = [limit.satisfied for check in self.codes.checks for limit in check.limits]
            known = [verdict for verdict in verdicts if verdict is not None]
            if known:
                told.append(f"It satisfies {sum(known)} of {len(known)} verifications by code.")
        return told

    @property
    def warnings(self) -> list[str]:
        """What is wrong with the inputs or the runs."""
        told = []
        failed = int((~self.stripes.known).sum())
        if failed:
            told.append(f"{failed} of {self.stripes.known.size} runs gave no answer.")
        if self.skipped:
            names = ", ".join(list(self.skipped)[:5])
            told.append(f"{len(self.skipped)} files could not be read: {names}.")
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
        else:
            loss = (
                f"η = {self.block.eta:.3g}, the ratio of angular velocities at an impact, follows "
                "from the shape (Housner 1963); nobody measured it."
            )
        return [f"Theory: {how.name}, every run to its outcome.", loss]

    @property
    def place(self) -> list[str]:
        if self.floor is None:
            return ["It stands on the ground, which moves as the motions say."]
        peaks = np.array([self.floor.motion(m).pga / m.pga for m in self.motions if m.pga > 0])
        low, middle, high = np.percentile(peaks, [16, 50, 84])
        return [
            f"It stands on the {self.floor}. The building is elastic; its modes turn the motion of "
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
        """Shares by strength, in per cent with their intervals."""
        runs, measure = self.stripes, self.stripes.measure
        known = {state.limit: state for state in self.fragility.states.values()}
        chosen = [limit for limit in (OVERTURNED, 1.0, 0.5, LIFTS) if limit in known]
        words: dict[Limit, str] = {LIFTS: "lifts off", OVERTURNED: "falls"}
        head = [f"{measure.short} [{measure.unit}]"]
        head += [f"{words.get(limit, f'leans beyond {limit} α')} [%]" for limit in chosen]
        places = np.unique(np.linspace(0, len(runs.levels) - 1, ROWS).round().astype(int))
        rows = []
        for j in places:
            cells = [f"{runs.levels[j]:.3g}"]
            for limit in chosen:
                found = known[limit].shares
                share, low, high = (100 * part[j] for part in (found.share, found.low, found.high))
                cells.append("–" if math.isnan(share) else f"{share:.0f} ({low:.0f}–{high:.0f})")
            rows.append(cells)
        return Table(head, rows)

    @property
    def risk_sentences(self) -> list[str]:
        if self.risk is None or self.hazard is None:
            return []
        name = self.hazard.name or "given in the file"
        return [f"Hazard: {name}.", *self.risk.sentences]

    @property
    def measures_sentences(self) -> list[str]:
        assumed = (
            "No hazard curve was given: here stronger shaking is taken to be rarer by the power "
            f"{self.measures.base.hazard.slopes[0]:g} of its strength, and only ratios of rates "
            "are used."
        )
        told = self.measures.sentences
        return told if self.hazard is not None else [*told, assumed]

    @property
    def uncertainty_sentences(self) -> list[str]:
        return [self.uncertainty.sentence]

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
            "limit is reached beside our own runs; the calculations follow."
        ]
        return told + [f"Not checked: {key} ({why})" for key, why in self.codes.skipped.items()]

    @property
    def codes_table(self) -> Table:
        head = ["method", "a_g [g]", "of that required", "limit", "verdict", "clause"]
        rows = []
        if self.codes is not None:
            verdicts = {True: "satisfied", False: "not satisfied", None: ""}
            for row in self.codes.rows:
                ratio = row.bears / self.codes.site.ag
                shown = f"{ratio:.2f}" if math.isfinite(ratio) else "–"
                cells = [row.method, digits(row.bears), shown, row.limit]
                rows.append([*cells, verdicts[row.satisfied], row.clause])
        return Table(head, rows)

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
            generated=any(source.stochastic is not None for source in self.said.motions),
            vertical=any(motion.vertical is not None for motion in self.motions),
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
            f"{runs.levels[0]:.3g} to {runs.levels[-1]:.3g} {measure.unit}. As they were given "
            f"they have peak accelerations of {min(peaks):.2g} to {max(peaks):.2g} g.",
            f"The body lifts off at a floor acceleration of {lift_off(self.block):.3g} g.",
        ]

    @property
    def motions_shown(self) -> list[MotionRow]:
        return self.motion_rows[:SHOWN]

    @property
    def motions_rest(self) -> list[MotionRow]:
        return self.motion_rows[SHOWN:]


class PrintedLine(NamedTuple):
    """A line of a calculation, its number written."""

    symbol: str
    words: str
    written: str
    unit: str
    clause: str


class Printed(NamedTuple):
    """A check as the report prints it."""

    title: str
    satisfied: bool
    sentence: str
    lines: list[PrintedLine]
    notes: list[str]

    @classmethod
    def of(cls, check: Check) -> Printed:
        sentence = " ".join(limit.sentence for limit in check.limits)
        repeated = [line for line in check.lines if OF_A_MOTION.fullmatch(line.symbol)]
        left_out = repeated[SHOWN:]
        notes = list(check.notes)
        if left_out:
            notes.append(f"{len(left_out)} more motions are in the numbers that --json prints.")
        return cls(
            check.title,
            check.satisfied,
            sentence or "A comparison, not a verification.",
            [_line(line) for line in check.lines if line not in left_out],
            notes,
        )


def _line(line: Line) -> PrintedLine:
    return PrintedLine(line.symbol, line.words, digits(line.value), line.unit, line.clause)
