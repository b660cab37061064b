"""What is compared: the paper's number, ours, and whether they agree. No figure, no physics here.

A tolerance is chosen before looking: half a unit of the paper's last digit, or what its words allow
("less than 1 %"). Where the paper is misprinted or lost its data, the remark says so.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rocksteady.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Basis = Literal["printed", "stated", "derived", "independent", "substitute"]
BASES: dict[Basis, str] = {
    "printed": "a number of the paper",
    "stated": "what the paper says in words",
    "derived": "closed form from the paper's equations",
    "independent": "computed once by other code from the paper's equations",
    "substitute": "the paper's words, on data that stand in for data it does not give",
}
"""Where the paper's side of a comparison comes from."""
Level = Literal["quick", "usual", "full"]


@dataclass(frozen=True)
class Verdict:
    """One comparison; its fields in the order of a table."""

    quantity: str
    unit: str
    paper: float | str
    """The paper's number, range or words."""
    ours: float | str
    difference: float | None
    """Ours less the paper's, or how far ours lies outside the paper's range; None for words."""
    tolerance: float | None
    """None where the paper's side is a range or words."""
    passed: bool
    basis: Basis
    reason: str = ""
    """Why this tolerance."""
    remark: str = ""

    def row(self) -> dict[str, Any]:
        """The fields by name, with "pass" or "FAIL" as ``verdict``."""
        row = {name.replace("passed", "verdict"): value for name, value in vars(self).items()}
        return row | {"verdict": "pass" if self.passed else "FAIL"}


def number(
    quantity: str,
    paper: float,
    ours: float,
    tolerance: float,
    reason: str,
    *,
    unit: str = "",
    basis: Basis = "printed",
    remark: str = "",
) -> Verdict:
    """Ours is to equal the paper's within ``tolerance``, which needs a ``reason``."""
    ours = float(ours)
    difference = ours - paper
    # the digits of a decimal number carry rounding errors of their own
    passed = math.isfinite(ours) and abs(difference) <= tolerance * (1 + 1e-9) + 1e-15 * abs(paper)
    about = (passed, basis, reason, remark)
    return Verdict(quantity, unit, float(paper), ours, difference, tolerance, *about)


def between(
    quantity: str,
    low: float,
    high: float,
    ours: float,
    reason: str,
    *,
    unit: str = "",
    basis: Basis = "stated",
    remark: str = "",
) -> Verdict:
    """Ours is to lie from ``low`` to ``high``; infinite means no limit."""
    ours = float(ours)
    outside = max(low - ours, ours - high, 0.0)
    about = (math.isfinite(ours) and outside == 0, basis, reason, remark)
    return Verdict(quantity, unit, _range(low, high), ours, outside, None, *about)


def claim(
    quantity: str,
    paper: str,
    ours: str | float,
    holds: bool,
    *,
    basis: Basis = "stated",
    reason: str = "",
    remark: str = "",
) -> Verdict:
    """What the paper says in words, and whether it holds here."""
    return Verdict(quantity, "", paper, ours, None, None, bool(holds), basis, reason, remark)


def _range(low: float, high: float) -> str:
    if math.isinf(low):
        return f"≤ {high:.6g}"
    if math.isinf(high):
        return f"≥ {low:.6g}"
    return f"{low:.6g} to {high:.6g}"


# -- what is reproduced ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Effort:
    """How much work to do, and whom to tell how far it is."""

    level: Level = "usual"
    progress: Callable[[int, int], Any] = lambda done, total: None
    unfinished: Path | None = None
    """A folder where an item may keep what it has done so far, to go on after an interruption."""
    records: Path | None = None
    """A folder with recorded motions that a paper used, if the user has them."""

    def pick(self, quick: Any, usual: Any, full: Any = None) -> Any:
        """The one of the three that suits; ``full`` is as ``usual`` unless given."""
        if self.level == "quick":
            return quick
        return full if self.level == "full" and full is not None else usual


@dataclass(frozen=True, eq=False)
class Result:
    """What an item gave."""

    table: Mapping[str, Any]
    """Columns of equal length by their names, with units: what the figure shows."""
    figure: "Figure"
    verdicts: Sequence[Verdict]
    note: str = ""
    """What the text does not determine, and what was taken instead."""

    def __post_init__(self) -> None:
        lengths = {len(column) for column in self.table.values()}
        if len(lengths) != 1:
            raise InputError(f"The columns of a table have different lengths: {sorted(lengths)}.")


@dataclass(frozen=True)
class Item:
    """A table, figure or group of equations of a paper."""

    name: str
    """As the paper calls it: "Fig. 4"."""
    title: str
    run: Callable[[Effort], Result]
    also: tuple[str, ...] = ()
    """Other things of the paper that it answers for: "Table 1"."""
    recorded: bool = False
    """Whether it takes recorded motions from `Effort.records`."""

    @property
    def key(self) -> str:
        """As a file name: "fig-4"."""
        return _key(self.name)

    def answers(self, wanted: str) -> bool:
        """Whether this is "9", "Fig. 9", "table 2" or "eqs-13-21"."""
        key = _key(wanted)
        key = f"fig-{key}" if key[:1].isdigit() else key
        return key in {_key(name) for name in (self.name, *self.also)}


@dataclass(frozen=True)
class Paper:
    """A paper and what of it is reproduced."""

    key: str
    citation: str
    items: tuple[Item, ...] = field(repr=False)
    missing: str = ""
    """What of it is not reproduced, and why."""

    def chosen(self, figures: Sequence[str]) -> tuple[Item, ...]:
        """The items asked for, all of them unless some are."""
        if not figures:
            return self.items
        return tuple(item for item in self.items if any(item.answers(name) for name in figures))


def _key(name: str) -> str:
    words = name.lower().replace("–", "-").replace(",", " ").replace(".", " ").split()
    long = {"figure": "fig", "figures": "figs", "equation": "eq", "equations": "eqs"}
    return "-".join(long.get(word, word) for word in words)
