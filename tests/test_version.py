"""Every result says which code made it: the commit, also of a package without git."""

import importlib.metadata
import json
import platform
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numba
import numpy as np
import pytest

import rocksteady as rs
from rocksteady import version

ROOT = next(path for path in Path(__file__).parents if (path / "pyproject.toml").is_file())
HOME = "src/rocksteady"


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ("git", *who, *words), cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout: the file that reads the version, and what builds the package."""
    (tmp_path / HOME).mkdir(parents=True)
    shutil.copy(version.__file__, tmp_path / HOME / "version.py")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    return tmp_path


def of(folder: Path) -> tuple[str, dict[str, str]]:
    """What the program in this folder says of itself."""
    program = runpy.run_path(str(folder / HOME / "version.py"))
    return program["version"](), program["environment"]()


def test_the_version_follows_the_commit_and_marks_changes(checkout):
    head = git(checkout, "rev-parse", "HEAD")
    name, about = of(checkout)
    assert name == f"{version.VERSION}+{head[:8]}" and about["commit"] == head
    (checkout / "notes.txt").write_text("beside the program")
    assert of(checkout)[0] == name
    (checkout / HOME / "new.py").write_text("")
    assert of(checkout)[0] == f"{name}.changed"
    git(checkout, "config", "status.showUntrackedFiles", "no")
    assert of(checkout)[0] == f"{name}.changed"
    assert of(checkout)[1]["commit"] == f"{head}, with local changes"
    git(checkout, "add", ".")
    git(checkout, "commit", "-q", "-m", "Add")
    assert of(checkout)[0] == f"{version.VERSION}+{git(checkout, 'rev-parse', 'HEAD')[:8]}" != name


def test_without_git_the_commit_is_not_made_up(checkout, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "elsewhere")  # as in a hook of git
    assert "+" in of(checkout)[0]
    shutil.rmtree(checkout / ".git")
    git(checkout.parent, "--version")
    unknown = f"{version.VERSION}+unknown"
    assert of(checkout)[0] == unknown and of(checkout)[1]["commit"] == "unknown"
    (checkout / ".git").write_text("gitdir: gone\n")
    assert of(checkout)[0] == unknown
    monkeypatch.setenv("PATH", "")
    assert of(checkout)[0] == unknown


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_a_built_package_has_the_commit_in_it(checkout, target, monkeypatch):
    """What `hatch_build.py` puts where the archive has the program."""
    interface = ModuleType("interface")
    interface.BuildHookInterface = SimpleNamespace  # hatchling is there only while building
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    for parent in ("hatchling", "hatchling.builders", "hatchling.builders.hooks"):
        monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin", ModuleType("plugin"))
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["Commit"]
    build = hook(root=str(checkout), target_name=target)
    build.initialize("editable", data := {"force_include": {}})
    assert not data["force_include"]
    build.initialize("standard", data)
    ((made, home),) = data["force_include"].items()
    assert home == {"wheel": "rocksteady/commit.json", "sdist": f"{HOME}/commit.json"}[target]
    name, about = of(checkout)
    shutil.copy(made, checkout / HOME / "commit.json")
    build.finalize("standard", data, "")
    assert not Path(made).exists()
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Later")
    assert of(checkout) == (name, about)
    shutil.rmtree(checkout / ".git")
    assert of(checkout) == (name, about)
    again: dict[str, dict[str, str]] = {"force_include": {}}
    hook(root=str(checkout), target_name="wheel").initialize("standard", again)
    assert not again["force_include"]  # what is built of the archive has its file
    (checkout / HOME / "new.py").write_text("1\n")  # whoever edits what was built
    assert of(checkout) == (f"{name}.changed", about | {
        "rocksteady": f"{name}.changed", "commit": f"{about['commit']}, with local changes",
    })  # fmt: skip


def test_import_asks_git_nothing():
    code = (
        "import subprocess; subprocess.run = subprocess.Popen = None\n"
        "import rocksteady as rs, rocksteady.cli; rs.simulate(rs.Block(1.8, 0.5), theta0=0.1)"
    )
    subprocess.run((sys.executable, "-c", code), check=True, timeout=60)


def test_the_environment_names_what_computed():
    about = rs.environment()
    assert about["rocksteady"] == rs.__version__ and re.match(r"\d+\.\d+", rs.__version__)
    assert about["Python"] == platform.python_version()
    assert (about["NumPy"], about["Numba"]) == (np.__version__, numba.__version__)
    assert "core" in about["processor"] and platform.system() in about["system"]
    assert importlib.metadata.version("rocksteady").partition("+")[0] == version.VERSION


def test_results_keep_their_environment(tmp_path):
    block, push = rs.Block(1.8, 0.5), rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.01)
    response = rs.simulate(block, push)
    kept = json.loads(response.to_dataset().attrs["rocksteady"])
    assert kept["environment"] == rs.environment()
    rs.ensemble(block, push, store=tmp_path / "store", progress=False)
    manifest = json.loads((tmp_path / "store" / "manifest.json").read_text())
    assert rs.environment().items() <= manifest["environment"].items()
    assert manifest["environment"]["pyarrow"] == importlib.metadata.version("pyarrow")
