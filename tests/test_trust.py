"""A data file may come from anyone: to open one runs no code that it names."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rocksteady as rs
from rocksteady.bodies import SYSTEMS
from rocksteady.digests import sealed_json
from rocksteady.specs import BodySpec, TheorySpec
from rocksteady.theories.registry import FORMULATIONS

HOSTILE = [
    "evil:Theory",
    "evil:Theory.inner",
    "evil:run",
    "evil:",
    ":evil",
    ":",
    "evil",
    "evil.py:Theory",
    "./evil:Theory",
    "../evil:Theory",
    "package.evil:Theory",
    "package:evil",
    " evil:Theory",
    "evil :Theory",
    "EVIL:Theory",
    "evil:Theory:evil",
    "evil\x00:Theory",
    "os:system",
    "subprocess:Popen",
    "builtins:exec",
    "builtins:eval.__call__",
    "importlib:import_module",
    "antigravity:webbrowser",
    "this:s",
    "sys:modules",
    "__main__:exit",
    "rocksteady:studio",
    "rocksteady:reproduce.paper",
    "rocksteady.monitor:Hooks",
    "rocksteady.registry:imported",
    "rocksteady.bodies.system:System.__subclasses__",
    "evil" * 1000 + ":Theory",
]
EVIL = "from pathlib import Path\nPath('executed').touch()\nclass Theory: pass\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where a program is called, with code of somebody else's."""
    (tmp_path / "package").mkdir()
    for name in ("evil.py", "package/__init__.py", "package/evil.py"):
        (tmp_path / name).write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nothing_runs(folder):
    """No module is imported meanwhile, and no file executed."""
    BodySpec.checked({"kind": "Block", "height": 1.8, "width": 0.5}).build()
    before = set(sys.modules)
    yield
    assert set(sys.modules) == before and not (folder / "executed").exists()


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_name_imports_nothing(nothing_runs, name):
    for registry, spec in ((SYSTEMS, BodySpec), (FORMULATIONS, TheorySpec)):
        with pytest.raises(rs.InputError):
            registry.named(name)
        with pytest.raises(rs.InputError) as caught:
            spec.checked({spec.key: name, "height": 1.8, "width": 0.5}).build()
        assert len(str(caught.value)) < 1000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What somebody else saved: a response in both formats, a store."""
    folder = tmp_path_factory.mktemp("saved")
    block, push = rs.Block(1.8, 0.5), rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.02)
    run = rs.simulate(block, push, until="motion")
    data = rs.ensemble(block, push, store=folder / "store", progress=False)
    rs.write_ensemble_runs(data, folder / "runs.csv")  # imports what it needs
    return run.save(folder / "run.nc"), run.save(folder / "run.csv"), folder / "store"


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("what", ["system", "formulation"])
def test_a_saved_response_imports_nothing(nothing_runs, files, folder, monkeypatch, name, what):
    """With a sound digest: whoever changes a file on purpose can seal it again."""
    from rocksteady import storage

    run = rs.Response.load(files[0])
    about = storage._description(run)
    about[what] = {**about[what], "kind" if what == "system" else "name": name}
    monkeypatch.setattr(storage, "_description", lambda response: about)
    before = set(sys.modules)
    for kind in ("nc", "csv"):
        path = run.save(folder / f"run.{kind}")
        with pytest.raises(rs.InputError):
            rs.Response.load(path)
    assert set(sys.modules) == before


@pytest.mark.parametrize("name", HOSTILE[::4], ids=range(len(HOSTILE[::4])))
def test_a_store_imports_nothing(nothing_runs, files, name):
    path = files[2] / "manifest.json"
    about = json.loads(path.read_bytes())
    about["about"]["system_type"] = name
    path.write_bytes(sealed_json(about))
    data = rs.open_ensemble(files[2])
    with pytest.raises(rs.InputError):
        rs.write_ensemble_runs(data, "runs.csv")


def rocksteady(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    line = (sys.executable, "-m", "rocksteady", *words)
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=120)


def test_a_study_file_imports_what_the_command_allows(folder):
    (folder / "statues.py").write_text("import rocksteady as rs\nclass Statue(rs.Block): pass\n")
    (folder / "study.toml").write_text(
        "[systems]\nkind = 'statues:Statue'\nheight = 1.8\nwidth = 0.5\n"
        "[[motions]]\npulse = 'sine,a=0.4g,T=0.8'\n"
    )
    done = rocksteady(folder, "ensemble", "study.toml")
    assert done.returncode == 2 and "--allow-modules statues on the command line" in done.stderr
    done = rocksteady(folder, "ensemble", "study.toml", "--allow-modules", "statues")
    assert done.returncode == 0, done.stderr


def test_what_is_allowed_is_imported(folder):
    """By name, with its submodules; in this context only."""
    (folder / "marble").mkdir()
    (folder / "marble" / "__init__.py").write_text("")
    (folder / "marble" / "old.py").write_text("import rocksteady as rs\nclass S(rs.Block): pass\n")
    code = (
        "import sys, rocksteady as rs\n"
        "from rocksteady.bodies import SYSTEMS\n"
        "def asked():\n"
        "    try: return SYSTEMS.named('marble.old:S').__name__\n"
        "    except rs.InputError as error: return 'allow_modules' in str(error)\n"
        "with rs.allow_modules('mar', 'marble.old.older', 'old'): assert asked() is True\n"
        "assert 'marble' not in sys.modules\n"
        "with rs.allow_modules('marble'): assert asked() == 'S'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_an_assessment_imports_no_body_that_it_names(tmp_path: Path) -> None:
    from rocksteady.specs.assessment import ObjectSpec

    with pytest.raises(rs.InputError, match=r"Nothing was imported.*--allow-modules"):
        ObjectSpec.checked({"kind": "evil:Theory", "height": 1.8, "width": 0.5})
