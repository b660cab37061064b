"""The five calls of docs/studio_api.md, as they stand there, against a running studio."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "studio_api.md"
ADDRESS = "http://127.0.0.1:8765"


def blocks(language: str, url: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8").replace(ADDRESS, url)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def test_the_calls_in_python(
    studio: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    found = blocks("py", studio.url)
    assert len(found) == 6 and all(ADDRESS not in block for block in found)
    for block in found:
        exec(compile(block, PAGE.name, "exec"), names)
    assert names["job"]["state"] == "done" and names["job"]["result"]
    assert (tmp_path / "statue.png").read_bytes().startswith(b"\x89PNG")
    assert "import rocksteady as rs" in capsys.readouterr().out


def test_the_calls_with_curl(studio: Any, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl here")
    calls = blocks("sh", studio.url)
    assert len(calls) == 5
    for call in calls:
        done = subprocess.run(call, shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if done.stdout:  # others go to files
            assert not json.loads(done.stdout).get("error"), done.stdout
    assert json.loads(done.stdout)["motion"]["pulse"]
    compile((tmp_path / "statue.py").read_text(encoding="utf-8"), "statue.py", "exec")
