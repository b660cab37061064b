"""The documents tell the truth: their code runs, their links lead somewhere, and they leave out no
command, no option and no public name."""

from __future__ import annotations

import html
import pkgutil
import re
import runpy
import shlex
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rocksteady

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


# -- code ----------------------------------------------------------------------------------------


def test_adding_a_formulation_takes_one_block() -> None:
    assert len(blocks(DOCS / "add-a-formulation.md", "python")) == 1


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=name)
def test_python_blocks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "document.py"
    script.write_text("\n".join(blocks(path, "python")), encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # what a document writes, it writes here
    runpy.run_path(str(script), run_name="document")


# -- commands --------------------------------------------------------------------------------------


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


def typed_lines() -> list[tuple[str, str]]:
    """(Page, line) of each `rocksteady ...` that a page tells the reader to type."""
    found = []
    for path in PAGES:
        for block in blocks(path, "console"):
            for line in block.replace("\\\n", " ").splitlines():
                call = re.search(r"(?:^\$ |\| )rocksteady (.*)", line)
                if call:
                    found.append((name(path), call[1].split("  #")[0].split(" < ")[0]))
    return found


def test_every_command_has_its_page() -> None:
    from rocksteady.cli import COMMANDS

    for word in COMMANDS:
        page = DOCS / "commands" / f"{word}.md"
        assert page.is_file(), f"docs/commands/{word}.md is missing"
        assert f"```{{command}} {word}\n" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "line"), typed_lines())
def test_command_lines_in_the_pages_can_be_typed(page: str, line: str) -> None:
    known = commands()
    words = shlex.split(line.partition(" > ")[0].partition(" | ")[0])
    if words[0].startswith("-"):
        return  # rocksteady --help
    path = words[0]
    assert path in known, f"{page}: rocksteady {line}: there is no such command"
    if len(words) > 1 and f"{path} {words[1]}" in known:
        path = f"{path} {words[1]}"
    allowed = {opt for param in known[path].params for opt in [*param.opts, *param.secondary_opts]}
    if path == "motion process":
        return  # its steps are options of a language of their own, tested where they are made
    for word in words[1:]:
        if re.match(r"--?[a-zA-Z]", word):
            option = word.partition("=")[0]
            assert option in allowed | {"--help", "-h"}, f"{page}: rocksteady {line}: no {option}"


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


# -- links -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    text = prose(path)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target):
            assert (path.parent / target.partition("#")[0]).exists(), f"{name(path)} → {target}"
    for role in re.findall(r"\{doc\}`([^`]+)`", text):
        target = re.sub(r".*<(.*)>", r"\1", role, flags=re.DOTALL)
        base = DOCS if target.startswith("/") else path.parent
        page = (base / target.lstrip("/")).resolve()
        made = "generated" in page.parts
        assert made or page.with_suffix(".md").exists(), f"{name(path)} → {target}"


def test_terms_are_in_the_glossary() -> None:
    known = set(re.findall(r"^(\S.*)$", blocks(DOCS / "glossary.md", r"\{glossary\}")[0], re.M))
    lower = {term.lower() for term in known}
    for path in PAGES:
        for term in re.findall(r"\{term\}`([^`]+)`", path.read_text(encoding="utf-8")):
            wanted = re.sub(r".*<(.*)>", r"\1", " ".join(term.split()))
            assert wanted.lower() in lower, f"{name(path)}: {wanted}"


# -- names -----------------------------------------------------------------------------------------


def documented() -> tuple[set[int], str]:
    """The objects that the reference shows, and its text."""
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    objects = set()
    for path in re.findall(r"auto(?:class|function|exception):: (\S+)", text):
        home, _, last = path.rpartition(".")
        objects.add(id(getattr(import_module(home), last)))
    for path, options in re.findall(r"automodule:: (\S+)\n((?:   :.*\n)*)", text):
        module = import_module(path)
        chosen = re.search(r":members: (.+)", options)
        names = chosen[1].split(", ") if chosen else [*vars(module)]
        found = [getattr(module, each) for each in names]
        own = [value for value in found if getattr(value, "__module__", "") == path]
        objects |= {id(value) for value in own} | {id(module)}
    return objects, text


def public_modules() -> list[Any]:
    """All modules that say what is public in them, but for the command line."""
    found = [rocksteady]
    for info in pkgutil.walk_packages(rocksteady.__path__, "rocksteady."):
        if ".cli" not in info.name:
            module = import_module(info.name)
            found += [module] if hasattr(module, "__all__") else []
    return found


def test_every_public_name_is_in_the_reference() -> None:
    objects, text = documented()
    missing = []
    for module in public_modules():
        for each in module.__all__:
            shown = id(getattr(module, each)) in objects
            written = re.search(rf"py:\w+:: \S*\b{each}\b|``{each}``", text)
            if not (shown or written or is_told_module(module.__name__, each, text)):
                missing.append(f"{module.__name__}.{each}")
    assert not missing


def is_told_module(package: str, each: str, text: str) -> bool:
    """Whether this is a module that the reference names, or a part of one: identification_fit."""
    whole = f"`{package}.{each}`", f"`{package}.{each.partition('_')[0]}`"
    return isinstance(getattr(import_module(package), each), ModuleType) and any(
        name in text for name in whole
    )


def test_public_names_say_what_they_are() -> None:
    for each in rocksteady.__all__:
        value = getattr(rocksteady, each)
        assert isinstance(value, str) or (value.__doc__ or "").strip(), f"{each} has no docstring"


# -- what the pages take from files ----------------------------------------------------------------


def test_verdicts_cover_every_paper() -> None:
    import json

    from rocksteady.reproduce import PAPERS, paper

    rows = json.loads((DOCS / "verdicts.json").read_text(encoding="utf-8"))["verdicts"]
    shown = {(row["paper of"], row["item"]) for row in rows}
    for key in PAPERS:
        for item in paper(key).items:
            assert (key, item.name) in shown, (
                f"{key}, {item.name} is not in docs/verdicts.json: run `rocksteady reproduce all` "
                "and copy its verdicts.json there"
            )
    for row in rows:
        if row["verdict"] != "pass":
            assert row["remark"] or row["reason"], f"{row['quantity']} fails without a word"


def test_readme_figure_is_made_by_the_demo(tmp_path: Path) -> None:
    """`rocksteady demo` draws docs/_static/hero.png, but for how a machine smooths its letters."""
    import numpy as np
    from PIL import Image
    from typer.testing import CliRunner

    from rocksteady.cli import app

    assert "docs/_static/hero.png" in (ROOT / "README.md").read_text(encoding="utf-8")
    result = CliRunner().invoke(app, ["demo", "--quiet", "--out", str(tmp_path / "demo")])
    assert result.exit_code == 0, result.output
    drawn = Image.open(tmp_path / "demo" / "figure.png").convert("L")
    kept = Image.open(DOCS / "_static" / "hero.png").convert("L")
    assert abs(drawn.width / drawn.height - kept.width / kept.height) < 0.01
    size = (400, 400)
    gap = np.abs(np.asarray(drawn.resize(size), float) - np.asarray(kept.resize(size), float))
    assert gap.mean() < 2.0, (
        "run `rocksteady demo` and copy demo/figure.png to docs/_static/hero.png"
    )


# -- formulas --------------------------------------------------------------------------------------


def formulas(path: Path) -> list[str]:
    text = re.sub(r"^```(?!\{math\}).*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.M)
    text = re.sub(r"`[^`\n]*`", "", text)
    blocks = re.findall(r"\$\$(.*?)\$\$", text, flags=re.DOTALL)
    inline = re.findall(
        r"(?<![\\$])\$([^$\n]+)\$(?!\$)", re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
    )
    return [*blocks, *inline]


def test_the_font_that_comes_with_the_pages_has_every_sign_of_their_formulas(monkeypatch):
    """Without a font for mathematics a browser loses the dots of a derivative; so one is shipped,
    with the MATH table that sets indices and accents, and its licence beside it."""
    from fontTools.ttLib import TTFont

    pytest.importorskip("sphinx")  # what builds the pages
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    mathml = import_module("mathml").mathml
    style = (DOCS / "_static" / "rocksteady.css").read_text(encoding="utf-8")
    (file,) = re.findall(r'src: url\("(.*?)"\)', style)
    assert re.search(r'math \{ font-family: "STIX Two Math"', style)
    assert "mover > mo:last-child { padding-bottom" in style  # else browsers set dots on the letter
    assert "http" not in style  # nothing from elsewhere
    font = TTFont(DOCS / "_static" / file)
    assert "MATH" in font
    assert "SIL OPEN FONT LICENSE" in (DOCS / "_static/fonts/OFL.txt").read_text("utf-8").upper()
    known = font.getBestCmap()
    written = [formula for path in PAGES for formula in formulas(path)]
    assert len(written) > 100
    seen = {sign for formula in written for sign in shown_signs(mathml(formula, as_block=False))}
    assert seen >= {"θ", "¨", "˙"}
    assert {sign for sign in seen if ord(sign) not in known} == set()
    italic = [chr(italics(sign)) for sign in seen if italics(sign)]
    assert len(italic) > 30 and {sign for sign in italic if ord(sign) not in known} == set()


def shown_signs(formula: str) -> set[str]:
    """What a browser draws of MathML."""
    return {sign for sign in html.unescape(re.sub(r"<[^>]*>", "", formula)) if not sign.isspace()}


def italics(sign: str) -> int:
    """The italic letter that a browser draws for a single one."""
    for first, last, start in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("α", "ω", 0x1D6FC)):
        if first <= sign <= last:
            return 0x210E if sign == "h" else start + ord(sign) - ord(first)
    return 0


def test_a_thumbnail_is_one_panel_and_the_page_keeps_the_whole_figure(monkeypatch):
    """A page of panels shrunk to a thumbnail shows threads."""
    import io

    from PIL import Image

    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    thumbnail = import_module("house_figures").thumbnail
    block = rocksteady.Block(height=1.8, width=0.5)
    figure = rocksteady.simulate(block, theta0=block.alpha / 2, duration=2.0).plot()
    figure.draw_without_rendering()
    before = [axes.get_position().bounds for axes in figure.axes]
    picture = Image.open(io.BytesIO(thumbnail(figure)))
    assert picture.size == (480, 320)
    assert [axes.get_position().bounds for axes in figure.axes] == before
    assert all(axes.get_visible() for axes in figure.axes)
    columns = [
        x for x in range(480) if picture.convert("L").crop((x, 0, x + 1, 320)).getextrema()[0] < 200
    ]
    assert columns[-1] - columns[0] > 380  # the panel fills it
