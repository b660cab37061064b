"""The tutorials run from top to bottom, and notebook and script tell the same story."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

jupytext = pytest.importorskip("jupytext")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in jupytext.read(path).cells]


def test_there_are_three() -> None:
    names = {path.stem for path in NOTEBOOKS}
    assert names == {"statue_in_a_museum", "parapet_near_a_fault", "monitoring_a_building"}
    assert {path.stem for path in FOLDER.glob("*.py")} == names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_and_script_agree(path: Path) -> None:
    assert cells(path) == cells(path.with_suffix(".py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_carries_no_outputs(path: Path) -> None:
    for cell in jupytext.read(path).cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = jupytext.read(path)
    where = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()
    pictures = [output for cell in notebook.cells for output in shown(cell)]
    assert len(pictures) >= 2, "a story without figures"
    assert notebook.cells[-1].source.count("assert ") >= 2, "it ends with what it claims"


def shown(cell: Any) -> list[str]:
    """The pictures that a cell shows."""
    found = [output.get("data", {}) for output in cell.get("outputs", ())]
    return [data["image/png"] for data in found if "image/png" in data]
