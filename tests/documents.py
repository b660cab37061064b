"""The documents as tests read them: their pages, their blocks of code, their lines for a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    path
    for path in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
    if not {"_build", "generated"} & set(path.relative_to(ROOT).parts)
]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def prose(path: Path) -> str:
    """A page without its code."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"^(```|~~~).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)


# -- lines for a shell ---------------------------------------------------------------------------


def typed(block: str) -> Iterator[str]:
    """What a block of a console tells the reader to type: the lines after `$`, on Windows `>`."""
    for line in block.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            yield line[2:]
        elif line.startswith("> "):
            yield re.sub(r"\S*\\", "", line[2:])  # .venv\Scripts\python


def calls(line: str) -> Iterator[list[str]]:
    """The words of each command in a line: those joined by `|` or `&&` are several. Without
    comments, files of `<` and `>`, and variables set for the command."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    skip = False
    for word in lexer:
        if skip:
            skip = False
        elif word in ("<", ">", ">>"):
            skip = True
        elif word in ("|", "&&", "&", ";"):
            if words:
                yield words
            words = []
        elif words or not re.fullmatch(r"[A-Z_]+=.*", word):
            words.append(word)
    if words:
        yield words


# -- the commands of the program -------------------------------------------------------------------


@cache
def commands() -> dict[str, Any]:
    """What can be typed after `rocksteady`, and the command behind it: "motion info" and so on."""
    import typer

    from rocksteady.cli import COMMANDS
    from rocksteady.cli.common.group import command_named

    found: dict[str, Any] = {}

    def add(words: str, command: Any) -> None:
        found[words] = command
        if hasattr(command, "list_commands"):
            context = typer.Context(command, info_name=words)
            for below in command.list_commands(context):
                add(f"{words} {below}", command.resolve_command(context, [below])[1])

    for word in COMMANDS:
        add(word, command_named(word))
    return found


def wrong_with(words: list[str]) -> str | None:
    """What the program's own parser has against these words after `rocksteady`; None if nothing.
    Nothing is run, and no file is looked for."""
    import typer

    from rocksteady.cli.common.group import USAGE_ERROR

    if words in (["--help"], ["--version"]):
        return None
    known = commands()
    path = next((p for n in (2, 1) if (p := " ".join(words[:n])) in known), "")
    if not path or hasattr(known[path], "list_commands"):
        return f"there is no command {' '.join(words[:2])!r}"
    command = known[path]
    context = typer.Context(command, info_name=path, resilient_parsing=False)
    try:
        values, extra, _ = command.make_parser(context).parse_args(words[len(path.split()) :])
    except USAGE_ERROR as error:
        return str(error.format_message())
    if extra:
        return f"too many words: {' '.join(extra)}"
    for param in command.params:
        value = values.get(param.name)
        files = "Path" in str(param.type_descriptor.annotation)
        if value is None or value == [] or files or param.callback:
            if param.required and param.value_is_missing(value):
                return f"{' or '.join(param.opts)} is missing"
            continue
        try:
            param.process_value(context, value)
        except USAGE_ERROR as error:
            return str(error.format_message())
    return None
