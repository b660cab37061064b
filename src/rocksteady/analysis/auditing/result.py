"""What an audit found: a row for each law, and all of them as text."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

import numpy as np

from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

WIDTH = 100  # characters of a line of the text


@dataclass(frozen=True)
class Law:
    """One law, and how far a response is from it."""

    name: str
    equation: str
    """The law in words."""
    violation: float
    """The largest one; nan where the law was not checked."""
    relative_to: str
    """What it is measured in: "of g", "J"."""
    tolerance: float
    why: str
    """Where the tolerance comes from."""
    time: float | None
    """When the violation was largest [s]."""
    extent: str
    """What was compared: "1190 of 1200 intervals"."""
    unchecked: str = ""
    """Why it could not be checked; empty where it was."""

    @property
    def ok(self) -> bool:
        """Whether no violation above the tolerance was found; true as well where the law was not
        checked, see ``unchecked``."""
        return bool(self.unchecked) or self.violation <= self.tolerance

    @property
    def verdict(self) -> str:
        """ "holds", "VIOLATED" or "not checked"."""
        if self.unchecked:
            return "not checked"
        return "holds" if self.ok else "VIOLATED"

    @property
    def words(self) -> str:
        """What was found, in a line."""
        if self.unchecked:
            return f"not checked: {self.unchecked}"
        at = "" if self.time is None else f" at {self.time:.4g} s"
        size = f"{self.violation:.2g} {self.relative_to}".rstrip()
        return f"{self.verdict}: {size}{at}, allowed {self.tolerance:.2g} ({self.extent})"

    def __str__(self) -> str:
        lines = [*_indented(self.equation), *_indented(self.words)]
        return "\n".join([self.name, *lines])


@dataclass(frozen=True)
class Audit:
    """The laws of a theory and how far one response is from each; see `audit`."""

    about: str
    """What was audited."""
    laws: tuple[Law, ...]

    @property
    def ok(self) -> bool:
        """Whether every law that could be checked holds."""
        return all(law.ok for law in self.laws)

    @property
    def violated(self) -> tuple[Law, ...]:
        return tuple(law for law in self.laws if not law.ok)

    @property
    def unchecked(self) -> tuple[Law, ...]:
        """The laws that what is stored cannot tell of, each with its reason."""
        return tuple(law for law in self.laws if law.unchecked)

    def __getitem__(self, name: str) -> Law:
        for law in self.laws:
            if law.name == name:
                return law
        raise InputError(f"There is no law {name!r}: there are {[law.name for law in self.laws]}.")

    @property
    def words(self) -> str:
        """The verdict in a sentence."""
        checked = len(self.laws) - len(self.unchecked)
        bad = ", ".join(law.name for law in self.violated)
        count = len(self.violated)
        said = (
            f"{count} of {checked} laws {'is' if count == 1 else 'are'} violated ({bad})"
            if bad
            else f"all {checked} laws that were checked hold"
        )
        left = f"; {len(self.unchecked)} could not be checked" if self.unchecked else ""
        return f"{self.about}: {said}{left}."

    def __str__(self) -> str:
        reasons: dict[str, list[str]] = {}
        for each in self.laws:
            if not each.unchecked:
                reasons.setdefault(each.why, []).append(each.name)
        told = [f"{', '.join(names)}: {why}" for why, names in reasons.items()]
        tolerances = "\n".join(["tolerances", *(line for why in told for line in _indented(why))])
        return "\n".join([*textwrap.wrap(self.words, WIDTH), *map(str, self.laws), tolerances])

    def __repr__(self) -> str:
        return f"<Audit: {self.words}>"


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ")


def law(
    name: str,
    equation: str,
    violations: Array,
    times: Array,
    tolerance: float,
    why: str,
    *,
    relative_to: str = "",
    extent: str = "",
    nothing: str = "nothing of it happened in this run",
) -> Law:
    """A law from its violation at each of these times; ``nothing`` says why where there is none. A
    number that is none counts as an infinite violation."""
    sizes = np.atleast_1d(np.asarray(violations, dtype=float))
    if not len(sizes):
        return unchecked(name, equation, nothing)
    sizes = np.where(np.isfinite(sizes), sizes, np.inf)
    worst = int(np.argmax(sizes))
    return Law(
        name, equation, float(sizes[worst]), relative_to, float(tolerance), why,
        float(np.atleast_1d(times)[worst]), extent or f"{len(sizes)} rows",
    )  # fmt: skip


def unchecked(name: str, equation: str, reason: str) -> Law:
    """A law that what is stored cannot tell of."""
    return Law(name, equation, math.nan, "", math.nan, "", None, "", unchecked=reason)
