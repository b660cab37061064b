"""The verdicts as a page that a person reads."""

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rocksteady.reproduce import PAPERS, paper
from rocksteady.reproduce.verdict import BASES, CLASSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocksteady.reproduce.report import Done, Report
    from rocksteady.reproduce.verdict import Class


def as_markdown(report: "Report") -> str:
    """A table per paper, with notes below."""
    rows = report.rows
    lines = [
        "# Verdicts",
        "",
        f"{len(rows)} comparisons: {counted(report.counts)}. Effort: {report.level}.",
        "",
        "What came of it: "
        + "; ".join(f"*{name}*, {means}" for name, means in CLASSES.items())
        + ". Where the paper's side comes from: "
        + "; ".join(f"*{name}*, {meaning}" for name, meaning in BASES.items())
        + ".",
    ]
    for key, items in groupby(report.done, key=lambda item: item.paper):
        lines += ["", f"## {key}: {PAPERS[key]}", "", paper(key).citation, ""]
        lines += _table(list(items))
        if paper(key).missing:
            lines += ["", f"Not reproduced: {paper(key).missing}"]
    return "\n".join(lines)


def _table(items: "list[Done]") -> list[str]:
    lines = [
        "| item | quantity | paper | ours | difference | tolerance | basis | verdict |",
        "|---|---|---|---|---|---|---|---|",
    ]
    notes: list[str] = []
    for item in items:
        for row in item.verdicts:
            reason = f"Tolerance: {row['reason']}. " if row["reason"] else ""
            said = " ".join(filter(None, (reason.rstrip(), row["why"], row["remark"])))
            mark = f" [{len(notes) + 1}]" if said else ""
            if said:
                notes.append(f"{len(notes) + 1}. {item.item}, {row['quantity']}: {said}")
            unit = f" [{row['unit']}]" if row["unit"] else ""
            cells = [item.item, row["quantity"] + unit + mark]
            cells += [shown(row[name]) for name in ("paper", "ours", "difference", "tolerance")]
            verdict = row["verdict"]
            cells += [row["basis"], verdict if verdict == "agrees" else f"**{verdict}**"]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        if item.note:
            notes.append(f"{len(notes) + 1}. {item.item}: {item.note}")
    return [*lines, "", *notes] if notes else lines


def counted(counts: "Mapping[Class, int]") -> str:
    """As in "290 agree, 3 explained, 2 not determinable, 1 fails"."""
    words = {"agrees": ("agrees", "agree"), "fails": ("fails", "fail")}
    return ", ".join(
        f"{count} {words.get(name, (name, name))[count != 1]}" for name, count in counts.items()
    )


def shown(value: Any, digits: int = 5) -> str:
    """A number with as many digits as one wants to read."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    text = f"{value:.{digits}g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.0e}"
    return text.replace("-", "−")
