"""The pages of docs/papers: each equation, table and figure of a paper has a call that works."""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from documents import DOCS, blocks, calls, wrong_with
from rocksteady.reproduce import paper

HEADER = ["in the paper", "call", "result", "verdict"]
CONTENTS = {
    "daltri2024": {"Eq": 10, "Fig": 18, "Table": 3},
    "giouvanidis2016": {"Eq": 21, "Fig": 7},
    "casalotti2025": {"Eq": 11, "Fig": 13, "Table": 3},
    "pena-rbsm": {"Eq": 4},
    "prieto2005": {"Eq": 58, "Fig": 6},
}
"""How many equations, figures and tables each paper has."""
TOO_LONG = ("rs.analysis.timestep.campaign", "rs.analysis.validate")
"""Calls that take minutes: only their arguments are checked."""


class Row(NamedTuple):
    place: str
    calls: tuple[str, ...]
    result: str
    verdict: str


def page(key: str) -> Path:
    return DOCS / "papers" / f"{key}.md"


def rows(key: str) -> list[Row]:
    lines = [line for line in page(key).read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    assert all(len(each) == 4 for each in cells), [each for each in cells if len(each) != 4]
    return [
        Row(place, tuple(re.findall(r"`([^`]+)`", called)), result, verdict)
        for place, called, result, verdict in cells
        if [place, called, result, verdict] != HEADER
    ]


def numbers(kind: str, place: str) -> list[int]:
    """The equations, figures or tables that a row is about."""
    found: list[int] = []
    for text in re.findall(rf"\b{kind}s?\.? (\d+(?:(?:, |–| and )\d+)*)", place):
        for part in re.split(", | and ", text):
            first, _, last = part.partition("–")
            found += range(int(first), int(last or first) + 1)
    return found


@pytest.mark.parametrize("key", CONTENTS)
def test_nothing_of_a_paper_is_left_out(key: str) -> None:
    for kind, count in CONTENTS[key].items():
        told = [n for row in rows(key) for n in numbers(kind, row.place)]
        assert set(told) == set(range(1, count + 1)), (
            key,
            kind,
            set(range(1, count + 1)) ^ {*told},
        )
        first = list(dict.fromkeys(told))
        assert first == sorted(first), f"{key}: {kind} not in the paper's order: {first}"


@pytest.mark.parametrize("key", CONTENTS)
def test_every_row_has_a_call_and_a_result(key: str) -> None:
    for row in rows(key):
        assert row.calls, f"{key}, {row.place}: no call"
        assert row.result, f"{key}, {row.place}: no result"


@pytest.mark.parametrize("key", CONTENTS)
def test_verdicts_are_those_of_reproduce(key: str) -> None:
    facts = json.loads((DOCS / "verdicts.json").read_text("utf-8"))["verdicts"]
    known = {f"{row['paper of']}, {row['item']}" for row in facts if row["paper of"] == key}
    told = set()
    for row in rows(key):
        linked = re.findall(r"\{verdict\}`([^`]+)`", row.verdict)
        assert linked or row.verdict == "–", f"{key}, {row.place}: {row.verdict}"
        assert set(linked) <= known, f"{key}, {row.place}: there is no {set(linked) - known}"
        told |= set(linked)
    assert told == known, f"{key}: no row leads to {known - told}"


@pytest.mark.parametrize("key", CONTENTS)
def test_commands_can_be_typed(key: str) -> None:
    for row in rows(key):
        for call in row.calls:
            if call.startswith("rocksteady "):
                ((_, *words),) = calls(call)
                assert wrong_with(words) is None, f"{key}, {row.place}: {call}"
                if words[0] == "reproduce" and "--figure" in words:
                    wanted = words[words.index("--figure") + 1]
                    assert words[1] == key and paper(key).chosen([wanted]), f"{key}: no {wanted}"


@pytest.mark.parametrize("key", CONTENTS)
def test_calls_from_python_work(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks(page(key), "python"):
        exec(compile(block, key, "exec"), names)
    for row in rows(key):
        for call in row.calls:
            if call.startswith("rocksteady "):
                continue
            if call.startswith(TOO_LONG):
                bind(call, names)
            else:
                try:
                    eval(compile(call, f"{key}, {row.place}", "eval"), names)
                except Exception as error:
                    raise AssertionError(f"{key}, {row.place}: {call}") from error


def test_the_numbers_of_figure_7_are_those_of_scipy_and_of_the_calls_beside_them() -> None:
    """On 4000 straight lines for the sine pulse; SciPy's to the last digit."""
    from rocksteady.reproduce.giouvanidis2016 import motion

    names: dict[str, Any] = {}
    for block in blocks(page("giouvanidis2016"), "python"):
        exec(compile(block, "giouvanidis2016", "exec"), names)
    found = {row.place.partition(": ")[2]: row for row in rows("giouvanidis2016")}
    extremes = tuple(value for _, value in motion.EXTREMES)
    scipy = {
        "the first three uplifts, pt": motion.UPLIFTS,
        "the first six impacts, pt": motion.IMPACTS,
        "velocity before each of them, φ'/p": motion.STRIKES,
        "largest rotation to either side, φ/φ_cr": extremes,
        "largest bending, over that at the first uplift": (motion.BENDING,),
    }
    for place, values in scipy.items():
        row = found[place]
        told = re.findall(r"−?\d\.\d{8}", row.result)
        assert [float(one.replace("−", "-")) for one in told] == list(values), place
        ours = eval(row.calls[0], names)
        assert list(ours) == pytest.approx(list(values), abs=motion.CLOSE), place


def bind(call: str, names: dict[str, Any]) -> None:
    """Whether a call names something that takes these arguments."""
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    words = {word.arg: None for word in node.keywords if word.arg}
    inspect.signature(eval(ast.unparse(node.func), names)).bind(*node.args, **words)


def test_wrong_calls_are_found() -> None:
    import rocksteady as rs

    for call in (
        "rs.analysis.validate(hight=1)",
        "rs.analysis.validat(1)",
        "rs.analysis.validate()",
    ):
        with pytest.raises((TypeError, AttributeError)):
            bind(call, {"rs": rs})
    assert numbers("Eq", "Eqs. 7, 9–11 and 13; Fig. 3") == [7, 9, 10, 11, 13]
    assert numbers("Fig", "Eqs. 7, 9–11 and 13; Fig. 3") == [3]


def test_verdicts_are_links_to_their_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small set of pages, built with warnings as errors."""
    pytest.importorskip("myst_parser", reason="what builds the pages is not installed: make docs")
    application = pytest.importorskip("sphinx.application")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    facts = json.loads((DOCS / "verdicts.json").read_text("utf-8"))["verdicts"]
    items = list(dict.fromkeys((row["paper of"], row["item"]) for row in facts))
    roles = "\n\n".join(f"{{verdict}}`{key}, {item}`" for key, item in items)
    (tmp_path / "index.md").write_text(
        f"# Links\n\n{roles}\n\n```{{toctree}}\nrows\n```\n", "utf-8"
    )
    (tmp_path / "rows.md").write_text("# Rows\n\n```{verdicts} tables\n```\n", "utf-8")
    built = tmp_path / "built"
    chosen = {"extensions": ["myst_parser", "verdicts", "verdict_links"], "html_theme": "basic"}
    application.Sphinx(
        tmp_path, None, built, tmp_path / "trees", "html", chosen, None, None, warningiserror=True
    ).build()
    links = re.findall(
        r'href="rows.html#(verdict-[^"]+)">', (built / "index.html").read_text("utf-8")
    )
    anchors = re.findall(r'id="(verdict-[^"]+)"', (built / "rows.html").read_text("utf-8"))
    assert len(links) == len(set(links)) == len(items) and set(links) <= set(anchors)
