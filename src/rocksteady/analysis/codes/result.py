"""What a check by code gives: lines of a hand calculation, each with its clause, and verdicts."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocksteady import registry
from rocksteady.files import write_whole
from rocksteady.marks import mark
from rocksteady.names import csv_text
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INPUT = "input"
"""The clause of a number that the user gave, or that follows from the body's size alone."""
COLUMNS = ("check", "part", "symbol", "meaning", "value", "unit", "clause")


def digits(value: float) -> str:
    """As an engineer writes it: five digits, no power of ten where it can be avoided."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return f"{value:.5g}" if abs(value) < 1e5 else f"{value:.0f}"
    return f"{value:.4e}"


def plain(value: float) -> float | None:
    """For JSON, which has no infinity: None where a number is not finite."""
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Line:
    """One line of the calculation: a symbol, what it means, its value and where that is written."""

    symbol: str
    words: str
    """What it is, with the formula where there is one."""
    value: float
    unit: str
    """Empty for a number without one."""
    clause: str
    """Of the code, or "input"."""
    part: str = ""
    """The heading that it stands under."""

    def text(self) -> str:
        number = f"{digits(self.value)} {self.unit}".rstrip()
        return f"  {self.symbol:<13} {self.words:<58} {number:>16}  [{self.clause}]"


@dataclass(frozen=True)
class Limit:
    """One verification: the a_g [g] at which a limit is reached, and that which is required."""

    name: str
    """Such as "SLV, nonlinear kinematic"."""
    bears: float
    """a_g [g] at the limit; nan where the code gives none."""
    required: float
    """a_g [g] of the site; nan where none was given for this limit state."""
    clause: str
    verdict: bool | None = None
    """Where the code does not decide by a_g: whether it is satisfied."""
    undecided: str = ""
    """Why there is no verdict: the text of the standard was not read, or the runs are too few."""

    @property
    def ratio(self) -> float:
        """Capacity over demand, both as a_g [-]."""
        return self.bears / self.required

    @property
    def satisfied(self) -> bool | None:
        """Whether it is; None where no a_g was given for this limit state, and where it is left
        undecided."""
        if self.undecided:
            return None
        if self.verdict is not None:
            return self.verdict
        return None if math.isnan(self.ratio) else self.ratio >= 1

    @property
    def sentence(self) -> str:
        bears = f"It bears a_g = {digits(self.bears)} g"
        if self.undecided and not math.isnan(self.required):
            return (
                f"{self.name}: no verdict, since {self.undecided}. The limit is at a_g = "
                f"{digits(self.bears)} g, {digits(self.ratio)} times the required "
                f"{digits(self.required)} g [{self.clause}]."
            )
        if self.satisfied is None:
            why = "no verdict, since no a_g was given for it"
            return f"{self.name}: {why}. {bears} [{self.clause}]."
        verdict = "satisfied" if self.satisfied else "not satisfied"
        if math.isnan(self.bears):
            return f"{self.name}: {verdict} [{self.clause}]."
        return (
            f"{self.name}: {verdict}. {bears}, required {digits(self.required)} g, "
            f"capacity/demand {digits(self.ratio)} [{self.clause}]."
        )


@dataclass(frozen=True, eq=False)
class Capacity:
    """What the figure of a kinematic check shows: capacity curve, demands and limit states."""

    d: Array
    """Displacement of the capacity curve [m]."""
    a: Array
    """Its acceleration [m/s²]."""
    demands: dict[str, tuple[Array, Array]]
    """S_De [m] and S_e [m/s²] of each limit state's damping."""
    points: dict[str, tuple[float, float, float, float]]
    """Of each limit state d [m], a(d) [m/s²], its period T [s] and the demand [m]."""


@dataclass(frozen=True, eq=False)
class Check:
    """A body checked by one method of one code.

    ``lines`` are the calculation in its order, each with its clause; ``limits`` the verifications.
    ``print(check)`` shows it as a hand calculation.
    """

    code: str
    """Its key, as in ``rs.analysis.codes.CODES``."""
    title: str
    """The code, its edition and the method."""
    short: str
    """The same in a few words, for tables."""
    body: str
    lines: tuple[Line, ...]
    limits: tuple[Limit, ...]
    notes: tuple[str, ...] = ()
    """What was assumed, and what the method does not cover."""
    capacity: Capacity | None = field(default=None, repr=False)

    @property
    def satisfied(self) -> bool | None:
        """Whether every verification that has a verdict is satisfied; None where none has one."""
        verdicts = [limit.satisfied for limit in self.limits if limit.satisfied is not None]
        return all(verdicts) if verdicts else None

    @property
    def sentences(self) -> list[str]:
        """The verdicts in words."""
        return [f"{self.title}, {limit.sentence}" for limit in self.limits]

    def __getitem__(self, symbol: str) -> float:
        """The value of the first line with this symbol."""
        for line in self.lines:
            if line.symbol == symbol:
                return line.value
        known = ", ".join(dict.fromkeys(line.symbol for line in self.lines))
        raise KeyError(f"{self.title} has no line {symbol!r}: it has {known}")

    def limit(self, name: str) -> Limit:
        """The verification whose name begins so."""
        for limit in self.limits:
            if limit.name.startswith(name):
                return limit
        known = ", ".join(limit.name for limit in self.limits)
        raise KeyError(f"{self.title} has no limit {name!r}: it has {known}")

    def summary(self) -> dict[str, Any]:
        """Plain numbers with units in the keys, for JSON."""
        return {
            "code": self.code,
            "title": self.title,
            "satisfied": self.satisfied,
            "limits": [
                {
                    "name": limit.name,
                    "a_g at the limit [g]": plain(limit.bears),
                    "a_g required [g]": plain(limit.required),
                    "capacity/demand [-]": plain(limit.ratio),
                    "satisfied": limit.satisfied,
                    "clause": limit.clause,
                }
                for limit in self.limits
            ],
            "lines": [
                {**dict(zip(COLUMNS[1:], row[1:], strict=True)), "value": plain(row[4])}
                for row in self.rows()
            ],
            "notes": list(self.notes),
        }

    def rows(self) -> list[tuple[str, str, str, str, float, str, str]]:
        """A row of `COLUMNS` for each line."""
        return [
            (self.title, each.part, each.symbol, each.words, each.value, each.unit, each.clause)
            for each in self.lines
        ]

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The calculation as it would be written by hand."""
        said = [f"{self.title}: {self.body}"]
        part = ""
        for line in self.lines:
            if line.part != part:
                part = line.part
                said += ["", part]
            said.append(line.text())
        said += ["", "Verdict", *(f"  {limit.sentence}" for limit in self.limits)]
        if not self.limits:
            said.append("  none: this is a comparison, not a verification.")
        return "\n".join([*said, *(f"  Note: {note}" for note in self.notes)])

    def markdown(self) -> str:
        """The same as a section of Markdown with a table."""
        said = [f"## {self.title}", "", self.body, ""]
        said += [
            "| part | symbol | meaning | value | unit | clause |",
            "|---|---|---|---:|---|---|",
        ]
        for each in self.lines:
            cells = (each.part, each.symbol, each.words, digits(each.value), each.unit, each.clause)
            said.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        said += ["", *(f"- **{limit.sentence}**" for limit in self.limits)]
        return "\n".join([*said, *(f"- {note}" for note in self.notes), ""])

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Draw the capacity curve with the demand, or the a_g at each limit."""
        figure: Figure = registry.imported("rocksteady.view.codes:plot_check")(self, path)
        return figure


def as_csv(checks: "tuple[Check, ...] | list[Check]") -> str:
    """Every line of the checks, one row each."""
    rows = [row for check in checks for row in check.rows()]
    return csv_text([COLUMNS, *rows])


def write_checks(checks: "list[Check] | tuple[Check, ...]", path: str | Path, head: str) -> Path:
    """Write checks as .md (``head``, then each calculation) or .csv (a row for each line)."""
    path = Path(path)
    if path.suffix == ".csv":
        return write_whole(path, as_csv(checks))
    pages = "\n".join(check.markdown() for check in checks)
    return write_whole(path, f"{head}\n{pages}\n<!-- {mark()} -->\n")
