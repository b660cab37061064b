"""The outcomes as tables: on the screen, and in the documentation."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.peers.cases import BLOCK, HALF_CYCLES
from benchmarks.peers.measure import Outcome
from benchmarks.peers.roster import Absent
from benchmarks.peers.space import SpaceError, SpaceOutcome
from rich.table import Table

from rocksteady.errors import InputError

NONE = "–"


@dataclass(frozen=True)
class Sheet:
    """One table: every cell a string."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def rich(self) -> Table:
        table = Table(title=self.title, title_justify="left")
        for column in self.columns:
            table.add_column(column, justify="left" if column in WORDS else "right")
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        marks = [":--" if column in WORDS else "--:" for column in self.columns]
        lines = [self.columns, marks, *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


WORDS = ("peer", "version", "setting", "how")


def free_sheet(outcomes: list[Outcome]) -> Sheet:
    columns = ("first impact", "r", "half periods", "own r", "time per run", "× ours")
    rows = []
    ours = _ours(outcomes)
    for one in outcomes:
        if one.setting.runs > 1:
            continue
        free = one.free
        errors = (
            (NONE,) * 4
            if free is None
            else (
                percent(free.quarter),
                f"{free.r:.4f}",
                percent(free.periods),
                percent(free.periods_own),
            )
        )
        cost = seconds(one.free_time), ratio(one.free_time, ours.free_time if ours else None)
        rows.append((one.name, one.setting.name, *errors, *cost))
    title = f"Free rocking from α/2, {HALF_CYCLES} half cycles; Housner's r = {BLOCK.r:.4f}"
    return Sheet(title, ("peer", "setting", *columns), rows)


def shaken_sheet(outcomes: list[Outcome]) -> Sheet:
    kinds = list(outcomes[0].shaken.outcomes) if outcomes else []
    columns = (*(f"{kind}: right" for kind in kinds), "median error", "largest", "own r")
    rows = []
    ours = _ours(outcomes)
    for one in outcomes:
        found = one.shaken
        right = (f"{good} of {total}" for good, total in found.outcomes.values())
        errors = (number(found.median), number(found.largest), number(found.median_own))
        cost = seconds(one.shaken_time), ratio(one.shaken_time, ours.shaken_time if ours else None)
        rows.append((one.name, one.setting.name, *right, *errors, *cost))
    title = "Shaken: stands or falls, and the peak |θ|/α where it stands"
    return Sheet(title, ("peer", "setting", *columns, "time per run", "× ours"), rows)


def space_sheets(outcomes: list[SpaceOutcome]) -> tuple[Sheet, Sheet]:
    """The box that is let go, and the cylinder that wobbles."""
    titles = "A box let go on a corner, 0.9 s", "A cylinder in steady precession, one turn"
    found = [[one.release for one in outcomes], [one.wobble for one in outcomes]]
    released, wobbling = (
        Sheet(title, ("peer", "setting", *SPACE), _space_rows(outcomes, errors))
        for title, errors in zip(titles, found, strict=True)
    )
    return released, wobbling


SPACE = ("error of attitude, rad", "energy left", "time per run", "× ours")


def _space_rows(outcomes: list[SpaceOutcome], errors: list[SpaceError]) -> list[tuple[str, ...]]:
    pairs = list(zip(outcomes, errors, strict=True))
    ours = next((error.seconds for one, error in pairs if one.name == "rocksteady"), None)
    return [
        (one.name, one.setting.name, number(error.attitude), f"{error.kept:.6f}",
         seconds(error.seconds), ratio(error.seconds, ours))
        for one, error in pairs
    ]  # fmt: skip


def space_words(outcomes: list[SpaceOutcome], machine: str) -> dict[str, str]:
    """What goes between the markers of the body in space."""
    released, wobbling = space_sheets(outcomes)
    return {"release": released.markdown(), "wobble": wobbling.markdown(), "space-machine": machine}


def settings_sheet(outcomes: list[Outcome]) -> Sheet:
    rows = [(one.name, one.version, one.setting.name, one.setting.words) for one in outcomes]
    return Sheet("Versions and settings", WORDS, rows)


def _ours(outcomes: list[Outcome]) -> Outcome | None:
    """What the others' times are compared with: one run of ours."""
    return next((one for one in outcomes if one.name == "rocksteady"), None)


# -- numbers -----------------------------------------------------------------------------------


def percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= 1e-6 else f"{100 * share:.0e} %"


def number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return NONE
    return f"{value:.2g}" if value >= 1e-4 else f"{value:.0e}"


def seconds(value: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return NONE if math.isnan(value) else f"{value * 1e9:.3g} ns"


def ratio(value: float, ours: float | None) -> str:
    if not ours or math.isnan(value):
        return NONE
    times = value / ours
    return f"{times:.2g}" if times < 10 else f"{float(f'{times:.2g}'):,.0f}".replace(",", " ")


# -- the documentation -------------------------------------------------------------------------


def words(outcomes: list[Outcome], absent: list[Absent], machine: str) -> dict[str, str]:
    """What goes between each pair of markers in the page."""
    missing = [f"- {one.name}: {one.reason}" for one in absent]
    return {
        "free": free_sheet(outcomes).markdown(),
        "shaken": shaken_sheet(outcomes).markdown(),
        "settings": settings_sheet(outcomes).markdown(),
        "machine": "\n".join([machine, *(["", "Not there:", "", *missing] if missing else [])]),
    }


def fill(page: str, parts: dict[str, str]) -> str:
    """The page with what is between `<!-- peers:NAME -->` and `<!-- /peers:NAME -->` replaced."""
    for name, text in parts.items():
        pattern = rf"(<!-- peers:{name} -->\n).*?(<!-- /peers:{name} -->)"
        plain = text.replace("\\", r"\\")  # a backslash is a backslash
        page, found = re.subn(pattern, rf"\g<1>\n{plain}\n\n\g<2>", page, flags=re.S)
        if found != 1:
            raise InputError(
                f"The page has {found} places for {name!r}, not one: put <!-- peers:{name} --> and "
                f"<!-- /peers:{name} --> on lines of their own where it belongs."
            )
    return page
