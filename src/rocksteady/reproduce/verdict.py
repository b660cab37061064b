"""What is compared: the paper's number, ours, and what came of it. No figure, no physics here.

A tolerance is chosen before looking: half a unit of the paper's last digit, what its words allow
("less than 1 %"), or the confidence interval of a fit. Where the text available to us differs from
what its authors must have meant, or lacks their data, the remark says so.

A row that does not agree fails, unless another row computes the reason (`Verdict.explained_by`) or
the text lacks an input that decides (`Verdict.lacks`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
Class = Literal["agrees", "explained", "not determinable", "fails"]
CLASSES: dict[Class, str] = {
    "agrees": "ours lies within the tolerance, or the paper's words hold",
    "explained": "it does not agree, and a computation in another row shows the reason",
    "not determinable": "the text available to us lacks an input that decides it",
    "fails": "it does not agree, and what was tried does not explain it",
}
"""What can come of a comparison."""
UNEXPECTED = (
    "Unexpected: it agreed when this version was made, so nothing has been tried yet. Compare the "
    "versions of NumPy, SciPy and Numba, and the machine."
)
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
    tolerance: float | str | None
    """Of a fit, the interval in which the paper's number must lie; None where the paper's side is
    a range or words."""
    verdict: Class
    basis: Basis
    reason: str = ""
    """Why this tolerance."""
    remark: str = ""
    why: str = ""
    """Why it does not agree: the computation that explains it, the input that the text lacks, or
    what was tried."""

    @property
    def agrees(self) -> bool:
        """Whether ours is what the paper says."""
        return self.verdict == "agrees"

    def explained_by(self, computation: "Verdict", why: str) -> "Verdict":
        """Explained, if it fails and the row ``computation`` agrees."""
        if self.agrees:
            return self
        if not computation.agrees:
            return self.tried(f"{why} But the row “{computation.quantity}” does not agree.")
        named = f"{why} Computed in the row “{computation.quantity}”."
        return replace(self, verdict="explained", why=named)

    def lacks(self, what: str, depends: bool = True) -> "Verdict":
        """Not determinable, for the text available to us lacks ``what`` (a noun with its reason);
        as it is unless the outcome ``depends`` on it."""
        if not depends:
            return self
        return replace(
            self, verdict="not determinable", why=f"The text available to us lacks {what}"
        )

    def tried(self, why: str) -> "Verdict":
        """The same; if it fails, ``why`` says what was tried."""
        return self if self.agrees else replace(self, why=why)

    def row(self) -> dict[str, Any]:
        """The fields by name; a failure without a word says that it is unexpected."""
        why = UNEXPECTED if self.verdict == "fails" and not self.why else self.why
        return {**vars(self), "why": why}


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
    about = (_class(passed), basis, reason, remark)
    return Verdict(quantity, unit, float(paper), ours, difference, tolerance, *about)


def fitted(
    quantity: str,
    paper: float,
    ours: float,
    interval: tuple[float, float],
    reason: str,
    *,
    unit: str = "",
    remark: str = "",
) -> Verdict:
    """Both are fits: the paper's is to lie in the confidence ``interval`` of ours."""
    low, high = (float(end) for end in interval)
    inside = math.isfinite(float(ours)) and low <= paper <= high
    inside_of = f"{low:.3g} to {high:.3g}".replace("-", "−")
    sides = (paper, float(ours), float(ours) - paper)
    return Verdict(quantity, unit, *sides, inside_of, _class(inside), "printed", reason, remark)


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
    about = (_class(math.isfinite(ours) and outside == 0), basis, reason, remark)
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
    return Verdict(quantity, "", paper, ours, None, None, _class(holds), basis, reason, remark)


def _class(agrees: bool) -> Class:
    return "agrees" if agrees else "fails"


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
    recorded: Callable[[Path], Any] | None = None
    """Reads the recorded motions that it takes from the folder `Effort.records`; an `InputError` if
    there are none. None if it takes no recorded motions."""

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
