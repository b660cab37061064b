"""All code in the documents: Python runs, or at least names what exists; lines for a shell can be
typed."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rocksteady
from documents import DOCS, PAGES, ROOT, blocks, calls, name, typed, wrong_with

# -- Python ----------------------------------------------------------------------------------------

NOT_RUN = {
    "docs/cluster.md": "needs a cluster",
    "docs/formats.md": "reads records, which are not part of the repository",
}
"""Pages with a `{code-block} python`, which is parsed and not run, and the reason."""
SHOWN = r"\{code-block\} python"


def test_adding_a_formulation_takes_one_block() -> None:
    assert len(blocks(DOCS / "add-a-formulation.md", "python")) == 1


RUN = [path for path in PAGES if blocks(path, "python") and path.parent.name != "papers"]
"""Pages whose blocks run here; test_paper_pages.py runs those of docs/papers with their calls."""


@pytest.mark.parametrize("path", RUN, ids=name)
def test_python_blocks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "document.py"
    script.write_text("\n".join(blocks(path, "python")), encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # what a document writes, it writes here
    runpy.run_path(str(script), run_name="document")


def test_python_that_is_not_run_has_a_reason() -> None:
    assert {name(path) for path in PAGES if blocks(path, SHOWN)} == set(NOT_RUN)


@pytest.mark.parametrize("page", NOT_RUN)
def test_python_that_is_not_run_names_what_exists(page: str) -> None:
    for block in blocks(ROOT / page, SHOWN):
        tree = compile(block, page, "exec", ast.PyCF_ONLY_AST)
        assert isinstance(tree, ast.Module)
        called = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        ours = [call for call in called if ast.unparse(call.func).startswith("rs.")]
        assert ours, f"{page} calls nothing of ours"
        for call in ours:
            value: Any = rocksteady
            for part in ast.unparse(call.func).split(".")[1:]:
                value = getattr(value, part)
            words = {word.arg: None for word in call.keywords if word.arg}
            inspect.signature(value).bind(*call.args, **words)


def test_no_code_goes_by_another_name() -> None:
    """Fences that are indented, longer or of another language would be neither run nor parsed."""
    for path in PAGES:
        fences = re.findall(r"^( *(?:```+|~~~+))([^`\n]+)$", path.read_text("utf-8"), re.MULTILINE)
        code = [(mark, kind) for mark, kind in fences if re.search(r"\b(py|sh|bash|con)", kind)]
        allowed = {("```", "python"), ("```", "console"), ("```", "{code-block} python")}
        if name(path) == "docs/studio_api.md":  # tests/studio/test_api_page.py runs these
            allowed |= {("```", "py"), ("```", "sh")}
        assert set(code) <= allowed, name(path)


SWALLOWED = r"[a-z_]+ = [\w.]+\("


def test_no_comment_has_swallowed_code() -> None:
    """A formatter that joins lines puts the next statement behind the comment of the last one."""
    for path in PAGES:
        for block in [*blocks(path, "python"), *blocks(path, SHOWN)]:
            for line in block.splitlines():
                comment = line.partition("  # ")[2]
                assert not re.search(SWALLOWED, comment), (name(path), line)
    assert re.search(SWALLOWED, "displacement [mm], force [kN] found = identify(*curve,")


# -- lines for a shell -----------------------------------------------------------------------------

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
OF_OTHERS = {
    ".": "activates an environment",
    "awk": "a filter before the monitor",
    "cd": "a place of the reader's",
    "cmake": "builds edge/; tests/edge does the same",
    "pre-commit": "another program",
    "sensor": "stands for the reader's sensor",
    "srun": "starts dask on a cluster",
    "sudo": "installs compilers",
}
"""Programs whose words are not looked at, and why."""
OF_READERS = ("my_script.py",)  # a script that stands for the reader's own
LINES = [
    (name(path), line)
    for path in PAGES
    for block in blocks(path, "console")
    for line in typed(block)
]


def test_every_command_has_its_page() -> None:
    from rocksteady.cli import COMMANDS

    for word in COMMANDS:
        page = DOCS / "commands" / f"{word}.md"
        assert page.is_file(), f"docs/commands/{word}.md is missing"
        assert f"```{{command}} {word}\n" in page.read_text(encoding="utf-8")


def test_every_block_of_a_console_says_what_to_type() -> None:
    for path in PAGES:
        for block in blocks(path, "console"):
            assert re.match(r"[$>] ", block), f"{name(path)}: begin with `$ `:\n{block}"


@pytest.mark.parametrize(("page", "line"), LINES)
def test_lines_for_a_shell_can_be_typed(page: str, line: str) -> None:
    found = list(calls(line))
    assert found, f"{page}: {line}: nothing to type"
    for words in found:
        problem = wrong_line(words)
        assert problem is None, f"{page}: {line}: {problem}"


def wrong_line(words: list[str]) -> str | None:
    """What is wrong with a command of any program that the pages use."""
    program, *rest = words
    if program == "rocksteady":
        return wrong_with(rest)
    if program == "make":
        targets = {word for word in rest if "=" not in word}
        return None if targets <= TARGETS else f"the Makefile has no {targets - TARGETS}"
    if program == "pip" or words[:3] == ["python", "-m", "pip"]:
        return wrong_installation(rest[rest.index("install") :])
    if program == "python":
        there = rest[0] in ("-m", *OF_READERS) or (ROOT / rest[0]).is_file()
        return None if there else f"there is no {rest[0]}"
    return None if program in OF_OTHERS else f"{program} is not among OF_OTHERS"


def wrong_installation(words: list[str]) -> str | None:
    known = set(PYPROJECT["project"]["optional-dependencies"])
    for word in words[1:]:
        extras = set(re.findall(r"\[(.*)\]", word)[0].split(",")) if "[" in word else set()
        if extras - known:
            return f"there are no extras {extras - known}"
        if word.endswith(".txt") and not (ROOT / word).is_file():
            return f"there is no {word}"
    return None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("rocksteady simulate --hight 3", "No such option: --hight"),
        ("rocksteady simulate --height tall", "valid number"),
        ("rocksteady masonry identify curve.csv", "--contact-area is missing"),
        ("rocksteady motion info", "files is missing"),
        ("rocksteady masonry", "no command"),
        ("rocksteady shake", "no command"),
        ("rocksteady assess --example > x.toml && rocksteady asess x.toml", "no command 'asess"),
        ("sensor | rocksteady monitor --building", "requires an argument"),
        ("rocksteady simulate a.stl b.stl", "too many words: b.stl"),
        ("make tests", "the Makefile has no"),
        ("pip install .[film]", "no extras"),
        ("python benchmarks/nothing.py", "there is no benchmarks/nothing.py"),
        ("rocksteadi demo", "not among OF_OTHERS"),
    ],
)
def test_wrong_lines_are_found(line: str, problem: str) -> None:
    found = [wrong_line(words) for words in calls(line)]
    assert any(problem in each for each in found if each), found


def test_every_program_of_others_is_used() -> None:
    used = {words[0] for _, line in LINES for words in calls(line)}
    assert set(OF_OTHERS) <= used


def test_shown_options_are_those_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the pages' extension lists equals what `--help` lists, option by option."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import commands as extension  # type: ignore[import-not-found]
    from typer.testing import CliRunner

    from rocksteady.cli import COMMANDS, app
    from rocksteady.cli.common.group import command_named

    for word in COMMANDS:
        for path, command in extension.subcommands(command_named(word), word):
            told = " ".join(node.astext() for node in extension.tables(command))
            shown = CliRunner().invoke(
                app, [*path.split(), "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}
            )
            for option in set(re.findall(r"(?<![\w-])--[a-z][\w-]*", shown.output)) - {"--help"}:
                if path != "motion process":
                    assert option in told or option in command.help, (path, option)
