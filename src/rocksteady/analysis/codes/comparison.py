"""The checks of one body in one table, beside our own shares."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady import registry
from rocksteady.analysis.codes import histories
from rocksteady.analysis.codes.result import Check, digits, plain, write_checks
from rocksteady.analysis.codes.site import Site
from rocksteady.analysis.shares.interval import interval
from rocksteady.analysis.stripes import Stripes
from rocksteady.bodies import Block

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARES = (0.1, 0.5)  # of the motions that reach d_0
OWN = "rocksteady, own runs"


class Row(NamedTuple):
    """A line of the table: what limit is reached at which a_g."""

    method: str
    limit: str
    bears: float
    """a_g [g]."""
    satisfied: bool | None
    clause: str
    required: float = math.nan
    """a_g [g] that is required for this limit state; nan where none was given."""


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
    warnings: tuple[str, ...] = ()
    """What was warned of since the inputs were read."""

    def __getitem__(self, code: str) -> Check:
        for each in self.checks:
            if each.code == code:
                return each
        raise KeyError(f"{code!r} was not checked: {', '.join(c.code for c in self.checks)} were")

    @property
    def rows(self) -> list[Row]:
        """The table: every limit of every check, then our own shares."""
        rows = [
            Row(each.short, limit.name, limit.bears, limit.satisfied, limit.clause, limit.required)
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
            f"In our own runs it reaches d_0 in {count} of {n} motions ({_percent(count / n)}; "
            f"90 % interval {_percent(low)} to {_percent(high)}) at a_g = "
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
                    "a_g at the limit [g]": plain(row.bears),
                    "satisfied": row.satisfied,
                    "clause": row.clause,
                }
                for row in self.rows
            ],
            "checks": [each.summary() for each in self.checks],
            "not checked": dict(self.skipped),
            "sentences": self.sentences,
            "warnings": list(self.warnings),
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
        said += [f"- Warning: {text}" for text in self.warnings]
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


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
