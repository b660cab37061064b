"""`{verdicts}`: the papers' numbers beside ours, from the file `rocksteady reproduce` wrote."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILE = Path(__file__).resolve().parents[1] / "verdicts.json"
COLUMNS = ("item", "quantity", "paper", "ours", "tolerance", "basis", "verdict")
WIDTHS = (9, 35, 14, 14, 9, 9, 10)


class Verdicts(SphinxDirective):
    """`reasons`: the classes counted, and what does not agree; `tables`: every number."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(FILE))
        facts = json.loads(FILE.read_text(encoding="utf-8"))
        return {"reasons": reasons, "tables": tables}[self.arguments[0]](facts)


def reasons(facts: dict[str, Any]) -> list[nodes.Node]:
    """The count, and class by class what does not agree, item by item with its reasons."""
    from rocksteady.reproduce.markdown import counted
    from rocksteady.reproduce.verdict import CLASSES

    rows = facts["verdicts"]
    counts = {name: sum(row["verdict"] == name for row in rows) for name in CLASSES}
    determined = len(rows) - counts["not determinable"]
    count = (
        f"Version {facts['environment']['rocksteady']}, effort {facts['effort']}: of {len(rows)} "
        f"numbers and statements {counted(counts)}. Of the {determined} that the texts determine "
        f"{counts['agrees'] / determined:.1%} agree."
    )
    out: list[nodes.Node] = [nodes.paragraph(text=count)]
    for name in ("fails", "not determinable", "explained"):
        chosen = [row for row in rows if row["verdict"] == name]
        if chosen:
            out += [nodes.rubric(text=name.capitalize()), entries(chosen)]
    return out


def entries(rows: list[dict[str, Any]]) -> nodes.bullet_list:
    """An entry for each item of a paper; a sentence that several rows share stands there once."""
    items = nodes.bullet_list()
    for (paper, item), found in groupby(rows, key=lambda row: (row["paper of"], row["item"])):
        together = list(found)
        numbers = "; ".join(
            f"{row['quantity']}: {shown(row['ours'])}, in the paper {shown(row['paper'])}"
            for row in together
        )
        sentences = [s for row in together for s in row["why"].split(". ")]
        why = ". ".join(dict.fromkeys(sentence.rstrip(".") for sentence in sentences))
        where = nodes.strong(text=f"{paper}, {item}: ")
        items += nodes.list_item(
            "", nodes.paragraph("", "", where, nodes.Text(f"{numbers}. {why}."))
        )
    return items


def tables(facts: dict[str, Any]) -> list[nodes.Node]:
    out: list[nodes.Node] = []
    for paper, found in groupby(facts["verdicts"], key=lambda row: row["paper of"]):
        out += [nodes.rubric(text=paper), table(list(found))]
    return out


def table(rows: list[dict[str, Any]]) -> nodes.table:
    group = nodes.tgroup(cols=len(COLUMNS))
    group += [nodes.colspec(colwidth=width) for width in WIDTHS]
    group += nodes.thead("", row_of(COLUMNS))
    body = nodes.tbody()
    for row in rows:
        unit = f" [{row['unit']}]" if row["unit"] else ""
        cells = [row["item"], row["quantity"] + unit]
        cells += [shown(row[name]) for name in ("paper", "ours", "tolerance", "basis")]
        body += row_of([*cells, row["verdict"]])
    group += body
    return nodes.table("", group, classes=["verdicts"])


def row_of(cells: Any) -> nodes.row:
    row = nodes.row()
    row += [nodes.entry("", nodes.paragraph(text=cell)) for cell in cells]
    return row


def shown(value: Any) -> str:
    from rocksteady.reproduce.markdown import shown as as_text

    return as_text(value)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("verdicts", Verdicts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
