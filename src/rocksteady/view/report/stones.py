"""The report of an assembly: its stones, collapse loads and runs, in one HTML file."""

import datetime
from pathlib import Path
from typing import Any

from rocksteady.files import as_path, suffix_of, write_whole
from rocksteady.view.assembly import plot_assembly, plot_mechanism, plot_response
from rocksteady.view.report.page import rendered
from rocksteady.view.report.svg import inline_svg

NAMED = 60  # stones: more names are not legible


def write_stones_report(found: Any, path: str | Path, date: datetime.date | None = None) -> Path:
    """Write the report of an `Examination` to ``path`` (.html), whole or not at all."""
    path = as_path(path, "a file for the report")
    suffix_of(path, ("html",), "a report")
    return write_whole(path, lambda: stones_html(found, date).encode())


def stones_html(found: Any, date: datetime.date | None = None) -> str:
    """The page as text. The same examination and date give the same bytes."""
    return rendered(
        "stones.html.jinja",
        date,
        a=found,
        stones=_stones(found),
        mechanisms=_mechanisms(found),
        runs=_runs(found),
    )


def _stones(found: Any) -> str:
    names = found.assembly.stone_count <= NAMED
    return inline_svg(plot_assembly(found.assembly, names=names), "stones", "The stones to scale")


def _mechanisms(found: Any) -> list[tuple[str, str]]:
    """Side and figure of each mechanism."""
    return [
        (side, inline_svg(plot_mechanism(one), f"mechanism-{side}", "How it collapses"))
        for side, one in found.drawn_limits.items()
    ]


def _runs(found: Any) -> list[tuple[Any, Any, str]]:
    """Response, outcome and figure of each run."""
    return [
        (response, one, inline_svg(plot_response(response), f"run-{i}", one.sentence))
        for i, (response, one) in enumerate(zip(found.responses, found.outcomes, strict=True), 1)
    ]
