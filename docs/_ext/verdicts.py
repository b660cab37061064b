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
COLUMNS = ("item", "quantity", "paper", "ours", "tolerance", "verdict")
WIDTHS = (10, 44, 14, 14, 10, 8)


class Verdicts(SphinxDirective):
    """A sentence with the count, the failures with their reasons, and a table for each paper."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(FILE))
        facts = json.loads(FILE.read_text(encoding="utf-8"))
        rows = facts["verdicts"]
        failed = [row for row in rows if row["verdict"] != "pass"]
        out: list[nodes.Node] = [
            nodes.paragraph(
                text=f"{len(rows)} numbers and statements were compared: {len(rows) - len(failed)} "
                f"agree, {len(failed)} do not. (Version {facts['rocksteady']}, effort "
                f"{facts['effort']}.)"
            )
        ]
        out += failures(failed)
        for paper, found in groupby(rows, key=lambda row: row["paper of"]):
            out += [nodes.rubric(text=paper), table(list(found))]
        return out


def failures(rows: list[dict[str, Any]]) -> list[nodes.Node]:
    if not rows:
        return []
    items = nodes.bullet_list()
    for row in rows:
        where = f"{row['paper of']}, {row['item']}, {row['quantity']}: "
        why = row["remark"] or row["reason"]
        text = nodes.paragraph("", "", nodes.strong(text=where), nodes.Text(why))
        items += nodes.list_item("", text)
    return [nodes.paragraph(text="What does not agree, and why:"), items]


def table(rows: list[dict[str, Any]]) -> nodes.table:
    group = nodes.tgroup(cols=len(COLUMNS))
    group += [nodes.colspec(colwidth=width) for width in WIDTHS]
    group += nodes.thead("", row_of(COLUMNS))
    body = nodes.tbody()
    for row in rows:
        unit = f" [{row['unit']}]" if row["unit"] else ""
        cells = [row["item"], row["quantity"] + unit]
        cells += [shown(row[name]) for name in ("paper", "ours", "tolerance")]
        body += row_of([*cells, "agrees" if row["verdict"] == "pass" else "DIFFERS"])
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
