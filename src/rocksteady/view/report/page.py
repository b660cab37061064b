"""Fill the templates, with an assessment or what else a report is about."""

import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from rocksteady.files import as_path, suffix_of, write_whole
from rocksteady.marks import mark
from rocksteady.names import markup


def write_report(assessment: Any, path: str | Path, date: datetime.date | None = None) -> Path:
    """Write the report to ``path`` (.html), whole or not at all. ``date``: today unless given."""
    path = as_path(path, "a file for the report")
    suffix_of(path, ("html",), "a report")
    return write_whole(path, lambda: report_html(assessment, date).encode())


def report_html(assessment: Any, date: datetime.date | None = None) -> str:
    """The page as text. The same assessment and date give the same bytes."""
    from rocksteady.view.report.figures import figures

    return rendered("report.html.jinja", date, a=assessment, figures=figures(assessment))


def rendered(template: str, date: datetime.date | None, **values: Any) -> str:
    """A template of this folder, filled; ``date``: today unless given."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    pages = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(_source),
    )
    day = date or datetime.date.today()
    page = pages.get_template(template)
    return markup(page.render(date=f"{day.day} {day:%B %Y}", mark=mark(), **values))


def _source(name: str) -> str:
    return (files("rocksteady.view.report") / name).read_text(encoding="utf-8")
