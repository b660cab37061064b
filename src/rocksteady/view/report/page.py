"""Fill the template with an assessment."""

import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from rocksteady.files import as_path, suffix_of, write_whole
from rocksteady.marks import MARK


def write_report(assessment: Any, path: str | Path, date: datetime.date | None = None) -> Path:
    """Write the report to ``path`` (.html), whole or not at all. ``date``: today unless given."""
    path = as_path(path, "a file for the report")
    suffix_of(path, ("html",), "a report")
    return write_whole(path, lambda: report_html(assessment, date).encode())


def report_html(assessment: Any, date: datetime.date | None = None) -> str:
    """The page as text. The same assessment and date give the same bytes."""
    from jinja2 import Environment, StrictUndefined

    from rocksteady.view.report.figures import figures

    page = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = (files("rocksteady.view.report") / "report.html.jinja").read_text(encoding="utf-8")
    day = date or datetime.date.today()
    return page.from_string(source).render(
        a=assessment, figures=figures(assessment), date=f"{day.day} {day:%B %Y}", mark=MARK
    )
