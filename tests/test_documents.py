"""The documents tell the truth: their links lead somewhere, they leave out no public name, and what
they take from files is there."""

from __future__ import annotations

import html
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rocksteady
from documents import DOCS, PAGES, ROOT, blocks, name, prose

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
    from rocksteady.reproduce.verdict import CLASSES, UNEXPECTED

    facts = json.loads((DOCS / "verdicts.json").read_text(encoding="utf-8"))
    rows = facts["verdicts"]
    shown = {(row["paper of"], row["item"]) for row in rows}
    for key in PAPERS:
        for item in paper(key).items:
            assert (key, item.name) in shown, (
                f"{key}, {item.name} is not in docs/verdicts.json: run `rocksteady reproduce all` "
                "and copy its verdicts.json there"
            )
    for row in rows:
        assert row["verdict"] in CLASSES, row
        assert (row["verdict"] == "agrees") == (not row["why"]), f"{row['quantity']}: {row['why']}"
        assert row["why"] != UNEXPECTED, f"{row['quantity']} fails, and nothing was tried"
    assert facts["counts"] == {name: sum(r["verdict"] == name for r in rows) for name in CLASSES}
    assert facts["passed"] is (facts["counts"]["fails"] == 0)


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
