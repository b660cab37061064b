"""`{command} simulate`: the options of a command as tables, taken from the command itself.

What a page shows is what `--help` shows, so it cannot grow old.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rocksteady.cli.common.group import command_named

MARKUP = re.compile(r"(?<!\\)\[/?[a-z ]+\]")  # [bold], [/cyan]: Rich's, and nobody else's


def plain(text: str | None) -> str:
    """Help text without Rich's markup."""
    return MARKUP.sub("", text or "").replace(r"\[", "[").strip()


def subcommands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """(What to type, command): the command itself or, of a group, each of its commands."""
    if not hasattr(command, "list_commands"):
        yield path, command
        return
    context = typer.Context(command, info_name=path)
    for name in command.list_commands(context):
        _, found, _ = command.resolve_command(context, [name])
        yield from subcommands(found, f"{path} {name}")


class Command(SphinxDirective):
    """Usage, explanation and options of one command and, of a group, of each below it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # the command may have changed though the page has not
        name = self.arguments[0]
        found = list(subcommands(command_named(name), f"rocksteady {name}"))
        parts: list[nodes.Node] = []
        for path, command in found:
            body = [usage(path, command), *explanation(command), *tables(command)]
            if len(found) == 1:
                return body
            section = nodes.section(ids=[nodes.make_id(path)], names=[path])
            section += nodes.title(text=path)
            section += body
            parts.append(section)
        return parts


def paragraph(text: str) -> nodes.paragraph:
    """A paragraph in which options are set as code, so that nobody makes their dashes longer."""
    out = nodes.paragraph()
    for part in re.split(r"(?<![\w-])(--[a-z][\w-]*)", text):
        out += nodes.literal(text=part) if part.startswith("--") else nodes.Text(part)
    return out


def usage(path: str, command: Any) -> nodes.Node:
    pieces = command.collect_usage_pieces(typer.Context(command, info_name=path))
    return console(f"$ {path} {' '.join(pieces)}")


def console(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language="console")


def explanation(command: Any) -> list[nodes.Node]:
    """The docstring: paragraphs, and after a line `\\b` its examples as they are."""
    out: list[nodes.Node] = []
    for part in re.split(r"\n\s*\n", plain(command.help)):
        if part.lstrip().startswith("\b"):
            out += examples(part.lstrip().removeprefix("\b"))
        elif part.strip():
            out.append(paragraph(" ".join(part.split())))
    return out


def examples(text: str) -> list[nodes.Node]:
    """Sentences, commands that do what they say, and lists of steps in columns."""
    out: list[nodes.Node] = []
    steps: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        words = line.strip()
        if words.startswith("--"):
            steps.append(words)
        elif words.startswith(("rocksteady ", "sensor ", "$ ")):
            out.append(console(f"$ {words.removeprefix('$ ')}"))
        else:
            out.append(paragraph(words))
    if steps:
        listing = "\n".join(steps)
        out.insert(0, nodes.literal_block(listing, listing, language="text"))
    return out


def tables(command: Any) -> list[nodes.Node]:
    """One table of options for each panel of the help."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for param in command.params:
        if getattr(param, "hidden", False) or "--help" in param.opts:
            continue
        panel = getattr(param, "rich_help_panel", None)
        usual = "Options" if param.param_type_name == "option" else "Arguments"
        panels.setdefault(panel or usual, []).append((written(param), said(param)))
    out: list[nodes.Node] = []
    for title, rows in panels.items():
        out.append(nodes.rubric(text=title))
        out.append(table(rows))
    return out


def written(param: Any) -> str:
    """How it is typed: `--out, -o FOLDER`."""
    if param.param_type_name == "argument":
        return param.metavar or param.name.upper()
    names = ", ".join([*param.opts, *param.secondary_opts])
    kind = "" if getattr(param, "is_flag", False) else param.metavar or "VALUE"
    return f"{names} {kind}".strip()


def said(param: Any) -> str:
    text = plain(getattr(param, "help", ""))
    default = param.default
    shown = not callable(default) and default not in (None, False, True, "", (), [])
    if shown and not param.required and "nless given" not in text:
        text += f" Default: {default}."
    return text + (" Required." if param.required else "")


def table(rows: list[tuple[str, str]]) -> nodes.table:
    group = nodes.tgroup(cols=2)
    group += [nodes.colspec(colwidth=35), nodes.colspec(colwidth=65)]
    body = nodes.tbody()
    for typed, text in rows:
        row = nodes.row()
        row += nodes.entry("", nodes.paragraph("", "", nodes.literal(text=typed)))
        row += nodes.entry("", paragraph(text))
        body += row
    group += body
    return nodes.table("", group, classes=["options"])


class CommandList(SphinxDirective):
    """All commands with their sentences, each linked to its page."""

    def run(self) -> list[nodes.Node]:
        from rocksteady.cli import COMMANDS

        self.env.note_reread()
        lines = [f"- {{doc}}`{name} </commands/{name}>`: {text}" for name, text in COMMANDS.items()]
        holder = nodes.container()
        self.state.nested_parse(StringList(lines, source="commands"), self.content_offset, holder)
        return holder.children


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("command", Command)
    app.add_directive("command-list", CommandList)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
