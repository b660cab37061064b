"""The tables of a report: cells that are written as they are."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from rocksteady.analysis.codes import Comparison
from rocksteady.analysis.codes.result import Check, Line, digits
from rocksteady.analysis.fragilities.shares import shares
from rocksteady.analysis.hazard import Hazard
from rocksteady.analysis.hazard.words import rounded
from rocksteady.analysis.stripes import LIFTS, OVERTURNED, Limit, Stripes

SHOWN = 12  # motions that are printed one by one
# what people ask for, times powers of 10
ROUND = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
MOST_ROWS = 12
RETURN_PERIODS = (50, 100, 475, 975, 2475, 10_000)  # years
# a line of a calculation that is repeated for each motion; d_0 is that of the balance
OF_A_MOTION = re.compile(r"d_[1-9]\d*")


class Table(NamedTuple):
    """A heading for each column, and the rows."""

    head: list[str]
    rows: list[list[str]]


def round_levels(first: float, last: float, wanted: Sequence[float] = ()) -> list[float]:
    """Round numbers between two levels, and those that are ``wanted``."""
    every = [part * 10.0**power for power in range(-4, 3) for part in ROUND]
    inside = [level for level in every if first <= level <= last]
    step = -(-len(inside) // MOST_ROWS) or 1
    found = {float(f"{level:.12g}") for level in [*inside[::step], *wanted]}
    return sorted(found)


def shares_table(runs: Stripes, limits: Sequence[Limit]) -> Table:
    """Shares by strength, in per cent with their intervals."""
    chosen = [limit for limit in (OVERTURNED, 1.0, 0.5, LIFTS) if limit in limits]
    words: dict[Limit, str] = {LIFTS: "lifts off", OVERTURNED: "falls"}
    head = [runs.measure.column]
    head += [f"{words.get(limit, f'leans beyond {limit} α')} [%]" for limit in chosen]
    found = [shares(runs.beyond(limit), runs.known, runs.clusters) for limit in chosen]
    rows = []
    for j, level in enumerate(runs.levels):
        cells = [f"{level:.3g}"]
        for one in found:
            share, low, high = (100 * part[j] for part in (one.share, one.low, one.high))
            cells.append("–" if math.isnan(share) else f"{share:.0f} ({low:.0f}–{high:.0f})")
        rows.append(cells)
    return Table(head, rows)


def hazard_table(hazard: Hazard) -> Table:
    """The points of the curve; for a power law, those of the usual return periods."""
    points = list(zip(hazard.levels.tolist(), hazard.rates.tolist(), strict=True))
    if hazard.continued:
        points = [(hazard.level(1 / years), 1 / years) for years in RETURN_PERIODS]
    rows = [[f"{level:.4g}", rounded(rate, 3), _years(1 / rate)] for level, rate in points]
    return Table([hazard.measure.column, "exceeded [1/year]", "once in [years]"], rows)


def _years(period: float) -> str:
    """A return period in four digits: 475, 2475, 151 000."""
    return f"{float(f'{period:.4g}'):,.12g}".replace(",", " ")


def codes_table(found: Comparison) -> Table:
    """The a_g at each limit beside that which is required, and our own runs."""
    verdicts = {True: "satisfied", False: "not satisfied", None: "–"}
    rows = []
    for row in found.rows:
        ratio = row.bears / row.required
        shown = f"{ratio:.2f}" if math.isfinite(ratio) else "–"
        cells = [row.method, f"{row.bears:.3g}", shown, row.limit]
        rows.append([*cells, verdicts[row.satisfied], row.clause])
    return Table(["method", "a_g [g]", "of the required", "limit", "verdict", "clause"], rows)


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
    satisfied: bool | None
    sentence: str
    lines: list[PrintedLine]
    notes: list[str]

    @classmethod
    def of(cls, check: Check) -> "Printed":
        """Of the lines for single motions, those in which the body goes farthest."""
        sentence = " ".join(limit.sentence for limit in check.limits)
        repeated = [line for line in check.lines if OF_A_MOTION.fullmatch(line.symbol)]
        left_out = sorted(repeated, key=lambda line: -line.value)[SHOWN:]
        notes = list(check.notes)
        if left_out:
            notes.append(
                f"The {SHOWN} motions with the largest d are printed; {len(left_out)} more are in "
                "the numbers that --json prints."
            )
        return cls(
            check.title,
            check.satisfied,
            sentence or "A comparison, not a verification.",
            [_line(line) for line in check.lines if line not in left_out],
            notes,
        )


def _line(line: Line) -> PrintedLine:
    return PrintedLine(line.symbol, line.words, digits(line.value), line.unit, line.clause)
