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
WIDTHS = (9, 37, 14, 14, 9, 9, 8)


class Verdicts(SphinxDirective):
    """`failures`: how many agree, and what does not; `tables`: every number, paper by paper."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(FILE))
        facts = json.loads(FILE.read_text(encoding="utf-8"))
        return {"failures": failures, "tables": tables}[self.arguments[0]](facts)


def failures(facts: dict[str, Any]) -> list[nodes.Node]:
    """The count, and an entry for each item of a paper that does not agree, with its reasons."""
    rows = facts["verdicts"]
    failed = [row for row in rows if row["verdict"] != "pass"]
    items = nodes.bullet_list()
    for (paper, item), found in groupby(failed, key=lambda row: (row["paper of"], row["item"])):
        together = list(found)
        numbers = "; ".join(
            f"{row['quantity']} is {shown(row['ours'])}, not {shown(row['paper'])}"
            for row in together
        )
        sentences = [s for row in together for s in (row["remark"] or row["reason"]).split(". ")]
        why = ". ".join(dict.fromkeys(sentence.rstrip(".") for sentence in sentences))
        where = nodes.strong(text=f"{paper}, {item}: ")
        said = nodes.paragraph("", "", where, nodes.Text(f"{numbers}. {why}."))
        items += nodes.list_item("", said)
    count = (
        f"Version {facts['rocksteady']}, effort {facts['effort']}: {len(rows)} numbers and "
        f"statements were compared, {len(rows) - len(failed)} agree, {len(failed)} do not."
    )
    return [nodes.paragraph(text=count), *([items] if failed else [])]


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
