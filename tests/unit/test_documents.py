"""The documents tell the truth: every Python block in them runs, and its own checks hold."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    "README.md",
    *(
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if "```python" in path.read_text(encoding="utf-8") and "_build" not in path.parts
    ),
]


def python_blocks(document: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def test_adding_a_formulation_takes_one_block() -> None:
    assert len(python_blocks("docs/add-a-formulation.md")) == 1


@pytest.mark.parametrize("document", DOCUMENTS)
def test_python_blocks_run(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "document.py"
    script.write_text("\n".join(python_blocks(document)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # what a document writes, it writes here
    runpy.run_path(str(script), run_name="document")
