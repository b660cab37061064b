"""Show the notebooks as pages: run each script of `notebooks/` and write down what it showed.

A script is in the percent format that Jupyter's tools read: `# %% [markdown]` begins text, `# %%`
begins code, and `# %% tags=["remove-cell"]` begins code that is run but not shown: checks. It is
run again only when it has changed; and, like the gallery's examples, when the package has: what a
page shows is what these sources do.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import re
import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).resolve()
PACKAGE = HERE.parents[2] / "src" / "rocksteady"
NOTEBOOKS = HERE.parents[2] / "notebooks"
GENERATED = HERE.parents[1] / "generated"
PAGES = GENERATED / "tutorials"


def cells(script: str) -> list[tuple[str, str]]:
    """("markdown", "code" or "hidden", text) of every cell, in order."""
    parts = re.split(r"^# %%(.*)\n", script, flags=re.MULTILINE)[1:]
    found = []
    for mark, text in zip(parts[::2], parts[1::2], strict=True):
        if "[markdown]" in mark:
            lines = [line.removeprefix("#").removeprefix(" ") for line in text.splitlines()]
            found.append(("markdown", "\n".join(lines).strip()))
        elif text.strip():
            found.append(("hidden" if "remove-cell" in mark else "code", text.strip()))
    return found


def run(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """(What it printed, the value of its last line), as a notebook would show them."""
    tree = ast.parse(code)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "notebook", "exec"), names)
        value = None if last is None else eval(compile(last, "notebook", "eval"), names)
    return said.getvalue(), value


def page(script: Path) -> str:
    """The script as Markdown, with what its cells printed and drew."""
    from matplotlib import pyplot as plt
    from matplotlib.figure import Figure

    from rocksteady.view.style import STYLE, save_figure

    plt.rcdefaults()
    plt.rcParams.update(STYLE)
    names: dict[str, Any] = {"__name__": "notebook"}
    out: list[str] = []
    for kind, text in cells(script.read_text(encoding="utf-8")):
        if kind == "markdown":
            out.append(text)
            continue
        said, value = run(text, names)
        if kind == "hidden":
            continue
        out.append(f"```python\n{text}\n```")
        if said.strip():
            out.append(f"```text\n{said.rstrip()}\n```")
        figures = [plt.figure(number) for number in plt.get_fignums()]
        figures += [value] if isinstance(value, Figure) and value not in figures else []
        for figure in figures:
            picture = f"{script.stem}-{sum('```{image}' in part for part in out)}.png"
            save_figure(figure, PAGES / picture)
            out.append(f"```{{image}} {picture}\n:class: figure-sheet\n```")
        plt.close("all")
        if value is not None and not figures:
            out.append(f"```text\n{value}\n```")
    note = f"*This page is the notebook `notebooks/{script.stem}.ipynb`, as it ran.*"
    return "\n\n".join([*out, note]) + "\n"


def forget(app: Sphinx) -> None:
    """Remove what other sources of the package made. The command line makes none of it."""
    digest = hashlib.sha256()
    for source in sorted(PACKAGE.rglob("*.py")):
        if "cli" not in source.relative_to(PACKAGE).parts:
            digest.update(source.read_bytes())
    stamp = GENERATED / "package.sha256"
    if not stamp.exists() or stamp.read_text() != digest.hexdigest():
        shutil.rmtree(GENERATED, ignore_errors=True)
        PAGES.mkdir(parents=True)
        (GENERATED / ".gitignore").write_text("*\n")  # all below is made by building
        stamp.write_text(digest.hexdigest())


def write_pages(app: Sphinx) -> None:
    for script in sorted(NOTEBOOKS.glob("*.py")):
        stamp = PAGES / f"{script.stem}.sha256"
        digest = hashlib.sha256(script.read_bytes() + HERE.read_bytes()).hexdigest()
        if not stamp.exists() or stamp.read_text() != digest:
            (PAGES / f"{script.stem}.md").write_text(page(script), encoding="utf-8")
            stamp.write_text(digest)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", forget, priority=100)  # before the gallery's 500
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
