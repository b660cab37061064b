"""Square brackets that people write, units above all, are printed as they stand: no markup."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import rocksteady
from rocksteady.cli import COMMANDS
from rocksteady.cli.common import output, progress
from rocksteady.cli.common.records import as_options
from rocksteady.motion.readers import READERS

CLI = Path(rocksteady.__file__).parent / "cli"
STYLES = re.compile(r"\[/?(?:cyan|bold|dim)\]")
BRACKETS = re.compile(r"\\?\[[^\]]*\]")


def commands() -> list[tuple[list[str], Any]]:
    """Each command and group, with the words that call it."""
    found: list[tuple[list[str], Any]] = []

    def add(words: list[str], command: Any) -> None:
        found.append((words, command))
        for name, inner in getattr(command, "commands", {}).items():
            add([*words, name], inner)

    for name in COMMANDS:
        add([name], get_command(import_module(f"rocksteady.cli.{name}").app))
    return found


@pytest.mark.parametrize(
    ("words", "command"), [pytest.param(w, c, id=" ".join(w)) for w, c in commands()]
)
def test_help_shows_every_bracket(command_line, monkeypatch, words: list[str], command) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    shown = " ".join(command_line(*words, "--help").out.split())
    texts = [command.help or "", command.epilog or ""]
    for parameter in command.params:
        texts += [getattr(parameter, "help", None) or "", parameter.metavar or ""]
    for text in texts:
        for bracket in BRACKETS.findall(STYLES.sub("", text)):
            assert " ".join(bracket.removeprefix("\\").split()) in shown
    assert not STYLES.search(shown) and "\\[" not in shown


@pytest.mark.parametrize("text", ["a [g] and [bold]x[/bold]", "[/x]", ":smile:", "p[0].csv [s]"])
def test_what_is_printed_is_what_was_said(capsys, text: str) -> None:
    from rich.table import Table

    output.out().print(text)
    table = Table(text, box=None)
    table.add_row(text)
    output.out().print(table)
    output.print_files([text], output.out())
    assert capsys.readouterr().out.count(text) == 4
    output.errors.cache_clear()
    output.say(text, label="Error: ")
    assert text in capsys.readouterr().err
    output.errors.cache_clear()


def test_progress_says_it_as_it_is() -> None:
    work = progress.Work(quiet=True)
    work.on("Reading a[g].csv …")
    column = work.bar.columns[1]
    assert column.render(work.bar.tasks[0]).plain == "Reading a[g].csv …"  # type: ignore[attr-defined]


def test_no_command_prints_markup() -> None:
    """Consoles print brackets as they are: a style is given by a Text, not by words in brackets."""
    for path in sorted(CLI.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documents = {ast.get_docstring(node, clean=False) for node in ast.walk(tree)
                     if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module))}  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg in ("help", "epilog"):
                documents |= {n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                marked = STYLES.search(node.value) and node.value not in documents
                assert not marked, f"{path.name}, line {node.lineno}: {node.value[:40]!r}"


# -- what a file must be told, in options ---------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("say dt=0.01 [s].", "say --dt 0.01."),
        ("say unit='g' for example", "say --unit g for example"),
        ("component='column 1' for", "--component 'column 1' for"),
        ("or say differentiate=True.", "or say --differentiate."),
        ("say any_peak=True.", "say --any-peak."),
        ("as in sensitivity=427000.", "as in --sensitivity 427000."),
        ("say decimal='comma' or decimal='point'.", "say --decimal comma or --decimal point."),
        ('unit="it\'s"', "--unit 'it'\"'\"'s'"),
    ],
)
def test_arguments_become_options(said: str, typed: str) -> None:
    assert as_options(said) == typed


def test_every_advice_has_a_value() -> None:
    """ "Say dt= [s]" cannot be made into an option: each reader gives an example."""
    for reader in READERS:
        text = Path(str(import_module(reader.__name__).__file__)).read_text(encoding="utf-8")  # type: ignore[attr-defined]
        assert not re.search(r"(?:say|with|or) (?:dt|unit|component|sensitivity)=[ .\"]", text)


ROUNDED = "t,a [g]\n" + "".join(f"{i / 256:.4f},{i / 5000}\n" for i in range(1000))
VELOCITIES = (Path(__file__).parents[1] / "data" / "hand_made.VT2").read_text()
COLUMNS = "0 0.1 0.2\n1 0.2 0.1\n2 0 0\n3 0 0\n"
CASES = {
    "plain.txt": ("0.1\n0.2\n0.1\n", ("--dt", "0.01", "--unit", "g")),
    "velocity.VT2": (VELOCITIES, ("--differentiate",)),
    "rounded.csv": (ROUNDED, ("--dt", "0.00390625")),
    "either.csv": ("t;a [gal]\n0;1,234\n1;2,345\n", ("--decimal", "comma")),
    "wild.csv": ("t,a [g]\n0,0\n0.1,100.5\n", ("--any-peak",)),
    "columns.txt": (COLUMNS, ("--component", "column 2", "--unit", "g")),
}


@pytest.mark.parametrize("name", CASES)
def test_the_advice_of_an_error_works_as_it_is_typed(rocksteady, name: str) -> None:
    """Every command that reads the file names options that it has; given, it reads the file."""
    content, options = CASES[name]
    Path(name).write_text(content)
    refused = rocksteady("motion", "info", name)
    assert refused.code == 1
    for word in options[::2]:
        if word != "--unit" or name == "plain.txt":  # asked for after the component
            assert word in refused.err
    if name == "rounded.csv":
        assert "--dt 0.00390625." in refused.err
    for command in (("motion", "info"), ("motion", "convert", "-o", "out.csv")):
        again = rocksteady(*command, name, *options)
        assert again.code == 0, again.err
    block = ("simulate", "--height", 1, "--width", 0.2, "-q", "--motion", name)
    refused = rocksteady(*block)
    assert refused.code == 2 and all(word in refused.err for word in options[:1])
    assert rocksteady(*block, *options).code == 0


def test_commands_without_such_options_name_the_one_that_has_them(rocksteady) -> None:
    Path("plain.txt").write_text("0.1\n0.2\n0.1\n")
    outcome = rocksteady("motion", "generate", "rezaeian", "--like", "plain.txt")
    assert outcome.code == 2
    assert "--dt 0.01" in outcome.err
    assert "rocksteady motion convert plain.txt" in " ".join(outcome.err.split())
