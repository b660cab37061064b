"""``{verdict}`prieto2005, Fig. 4` ``: how many numbers of an item agree, linked to its rows in
`reproduce`. The file that `rocksteady reproduce` wrote says so, not the page."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

FILE = Path(__file__).resolve().parents[1] / "verdicts.json"
WORDS = {"agrees": "agree", "fails": "fail"}


def label(paper: str, item: str) -> str:
    """Where the rows of an item begin."""
    return f"verdict-{nodes.make_id(paper)}-{nodes.make_id(item.replace('–', '-'))}"


@cache
def counted(written: float) -> dict[tuple[str, str], Counter[str]]:
    """Verdicts by (paper, item); ``written`` is when the file was."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in json.loads(FILE.read_text(encoding="utf-8"))["verdicts"]:
        word = WORDS.get(row["verdict"], row["verdict"])
        found.setdefault((row["paper of"], row["item"]), Counter())[word] += 1
    return found


class Verdict(SphinxRole):
    """The words and numbers of an item's verdicts as a link."""

    def run(self) -> tuple[list[nodes.Node], list[Any]]:
        self.env.note_dependency(str(FILE))
        paper, _, item = self.text.partition(", ")
        counts = counted(FILE.stat().st_mtime).get((paper, item))
        if counts is None:
            message = self.inliner.reporter.error(f"verdicts.json has no {self.text!r}")
            return [nodes.literal(text=self.text)], [message]
        link = addnodes.pending_xref(
            "",
            nodes.inline("", ", ".join(f"{count} {word}" for word, count in counts.items())),
            refdomain="std",
            reftype="ref",
            reftarget=label(paper, item),
            refexplicit=True,
            refwarn=True,
            refdoc=self.env.docname,
        )
        return [link], []


def add_anchors(app: Sphinx, page: nodes.document) -> None:
    """Let links lead to the first row of each item in the tables of verdicts."""
    known = app.env.domaindata["std"]["anonlabels"]
    paper = ""
    for node in page.findall(lambda each: isinstance(each, (nodes.rubric, nodes.table))):
        if isinstance(node, nodes.rubric):
            paper = node.astext()  # the name above its table
        elif "verdicts" in node["classes"]:
            rows = {row[0].astext(): row for row in reversed([*node.findall(nodes.row)])}
            for item, row in rows.items():
                row["ids"].append(label(paper, item))
                known[label(paper, item)] = app.env.docname, label(paper, item)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_role("verdict", Verdict())
    app.connect("doctree-read", add_anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
