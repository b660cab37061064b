"""The project's own promises: one version number, declared dependencies, a sentence for each extra
that is missing, and a workflow that types what the README says."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numba
import pytest
import yaml
from packaging.requirements import Requirement

import rocksteady as rs
from rocksteady.extras import EXTRAS, load
from rocksteady.version import VERSION

ROOT = next(path for path in Path(__file__).parents if (path / "pyproject.toml").is_file())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# -- one version number ----------------------------------------------------------------------------


def test_the_version_is_written_once() -> None:
    assert "version" not in PROJECT["project"] and PROJECT["project"]["dynamic"] == ["version"]
    home = PROJECT["tool"]["hatch"]["version"]["path"]
    assert re.findall(r'^VERSION = "(.+)"$', read(home), re.MULTILINE) == [VERSION]
    assert rs.__version__.partition("+")[0] == VERSION
    assert "from rocksteady import __version__" in read("docs/conf.py")
    for other in ("pyproject.toml", "docs/conf.py", "Makefile", "README.md"):
        assert VERSION not in read(other), other


def test_whoever_repeats_the_version_repeats_it_rightly() -> None:
    assert yaml.safe_load(read("CITATION.cff"))["version"] == VERSION
    newest = re.search(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert newest and newest[1] == VERSION


# -- what is installed -----------------------------------------------------------------------------


def declared() -> dict[str, Requirement]:
    """Requirements of a plain install, and of our extras that bring a package for `src`."""
    project = PROJECT["project"]
    texts = list(project["dependencies"])
    for extra in (*(extra for _, extra in EXTRAS.values()), "cuda"):
        texts += project["optional-dependencies"][extra]
    return {one.name.lower(): one for one in map(Requirement, texts)}


def imported() -> set[str]:
    """Top-level packages that some file of `src` imports, lazily or not."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"rocksteady"}


def test_what_the_package_imports_is_declared() -> None:
    wheels = {"PIL": "pillow", "imageio_ffmpeg": "imageio-ffmpeg"}
    # by another, which cannot do without it
    brought = {"llvmlite": "numba", "click": "typer", "starlette": "fastapi"}
    missing = {
        name for name in imported() if wheels.get(name, brought.get(name, name)) not in declared()
    }
    assert missing == set()


def test_every_extra_brings_what_it_is_named_for() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    for module, (_, extra) in EXTRAS.items():
        names = {Requirement(text).name.replace("-", "_") for text in extras[extra]}
        assert module in names, extra
    for name in ("test", "docs"):  # the tests and the gallery write films and stores
        assert any({"films", "tables"} <= Requirement(text).extras for text in extras[name])
    assert '".[films,tables]"' in read("Makefile")


def test_numba_is_in_the_range_and_both_ends_can_be_tried() -> None:
    limits = declared()["numba"].specifier
    assert {one.operator for one in limits} == {">=", "<"}
    assert limits.contains(numba.__version__)
    oldest = next(one.version for one in limits if one.operator == ">=")
    shown = subprocess.run(
        ["make", "-n", "test-numba-oldest"], cwd=ROOT, capture_output=True, text=True
    ) if shutil.which("make") else None  # fmt: skip
    if shown is not None and not (ROOT / ".venv-numba-oldest/.ready").exists():
        assert f'"numba~={oldest}.0"' in shown.stdout
    ends = WORKFLOW["jobs"]["numba"]["strategy"]["matrix"]["include"]
    assert [end["command"].split()[1] for end in ends] == ["test-numba-oldest", "test-numba-newest"]


# -- exact versions --------------------------------------------------------------------------------


def locked() -> dict[str, str]:
    """The versions in requirements-tested.txt, by name."""
    lines = [
        line for line in read("requirements-tested.txt").split("\n") if line[:1] not in ("#", "")
    ]
    assert lines == sorted(lines, key=str.upper) and len(lines) > 50
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!]+", line) for line in lines)  # no path, no address
    pairs = (one.split("==") for one in lines)
    return {name.lower().replace("_", "-"): version for name, version in pairs}


def test_the_tested_versions_are_allowed_and_complete() -> None:
    versions, extras = locked(), PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"]]
    for extra in ("films", "tables", "obspy", "mesh", "studio", "dask", "test", "lint"):
        wanted += extras[extra]
    for one in map(Requirement, wanted):
        if one.name != "rocksteady":
            assert one.specifier.contains(versions[one.name.lower().replace("_", "-")]), str(one)


def test_actions_are_named_by_commit() -> None:
    text = read(".github/workflows/tests.yml")
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    for one in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", one), one


def test_the_page_is_built_with_locked_packages() -> None:
    """`npm ci` takes what the lock file says or nothing; each package has a checksum, and every one
    that another may need on some platform is there."""
    assert "npm ci " in read("Makefile") and "npm install" not in read("Makefile")
    packages = json.loads(read("web/package-lock.json"))["packages"]
    for name, about in packages.items():
        if name:
            assert about["integrity"].startswith("sha512-") and "resolved" not in about, name
        for other in about.get("optionalDependencies", {}):
            assert f"node_modules/{other}" in packages, other


# -- extras that are missing -----------------------------------------------------------------------

PLAIN = """
import importlib, importlib.abc, pkgutil, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import rocksteady as rs

for module in pkgutil.walk_packages(rs.__path__, "rocksteady."):
    whole = module.name.startswith("rocksteady.studio")  # all of it needs its extra
    if not (module.name.endswith("__main__") or ".cuda" in module.name or whole):
        importlib.import_module(module.name)
block = rs.Block(1.8, 0.5)
pulse = rs.pulses.sine(5.0, 0.5)
run = rs.simulate(block, pulse)
run.save("run.nc"), run.save("run.csv"), run.plot("run.png"), run.animate("run.gif", fps=5)
print(rs.ensemble(block, [pulse], scales=[1.0, 2.0], progress=False).sizes["scale"])
town = rs.portfolio("town.csv", pulse, preset="casalotti2025")
town.save("damage.csv")
try:
    town.save("damage.parquet")
except rs.InputError as error:
    print(error)
"""
NO_PARQUET = (
    'A .parquet file needs pyarrow, which is not installed: pip install "rocksteady[tables]". '
    "Or use .csv."
)
TOWN = "name,lon,lat,mass [kg]\na,12.0,43.0,40000\n"


def test_a_plain_install_lacks_only_what_the_extras_name(tmp_path: Path) -> None:
    """Every module but the studio's can be imported, a run be saved, drawn and filmed, an ensemble
    be made, and the damage in a town be computed and written."""
    (tmp_path / "town.csv").write_text(TOWN)
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, ",".join(EXTRAS)],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout == f"2\n{NO_PARQUET}\n", done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "damage.csv", "run.csv", "run.gif", "run.nc", "run.png", "town.csv",
    ]  # fmt: skip


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Here, too, nothing optional is installed, and there is no ffmpeg."""
    for name in [name for name in sys.modules if name.partition(".")[0] in EXTRAS]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in EXTRAS:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.chdir(tmp_path)


def test_an_optional_package_is_imported_where_it_is_there() -> None:
    assert load("pyarrow.parquet", "A test").__name__ == "pyarrow.parquet"


BLOCK = rs.Block(1.8, 0.5)
PULSE = rs.pulses.sine(5.0, 0.5)
STUDY = '[systems]\ntable = "statues.parquet"\n[[motions]]\npulse = "sine,a=1,T=1"\n'


def read_a_town() -> None:
    Path("town.parquet").write_bytes(b"PAR1")
    rs.portfolio("town.parquet", PULSE)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rs.simulate(BLOCK, PULSE).animate("film.mp4"),
         'An .mp4 film needs imageio-ffmpeg, which is not installed: pip install '
         '"rocksteady[films]". A .gif needs nothing more.'),
        (lambda: rs.ensemble(BLOCK, [PULSE], store="museum"),
         'A store of results needs pyarrow, which is not installed: pip install '
         '"rocksteady[tables]". Without store= the results stay in memory.'),
        (lambda: rs.open_ensemble("museum"),
         'A store of results needs pyarrow, which is not installed: pip install '
         '"rocksteady[tables]".'),
        (lambda: rs.write_ensemble_runs(rs.ensemble(BLOCK, [PULSE], progress=False), "runs.csv"),
         'A table of all runs needs pyarrow, which is not installed: pip install '
         '"rocksteady[tables]".'),
        (read_a_town, NO_PARQUET),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("plain")
def test_what_is_missing_is_named_with_what_to_install(call: Any, sentence: str) -> None:
    before = set(Path().iterdir())
    with pytest.raises(rs.InputError) as error:
        call()
    assert str(error.value).endswith(sentence)
    assert not {path.name for path in set(Path().iterdir()) - before} & {"film.mp4", "museum"}


@pytest.mark.usefixtures("plain")
def test_the_example_of_a_study_runs_without_extras(rocksteady: Any) -> None:
    """As `rocksteady ensemble --example` prints it, but with few motions."""
    printed = rocksteady("ensemble", "--example")
    assert printed.code == 0 and '\n# store = "museum"' in printed.out
    assert '# A store needs pyarrow, which is not installed: pip install "rocksteady[tables]".' in (
        printed.out
    )
    text = re.sub(r"(?m)^count *= *\d+", "count = 2", printed.out)
    Path("study.toml").write_text(text, encoding="utf-8")
    done = rocksteady("ensemble", "study.toml", "-o", "shares.md")
    assert done.code == 0 and Path("shares.md").is_file(), done.err


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--height", "1.8", "--width", "0.5", "-m", "pulse:sine,a=1,T=1",
         "-o", "a.mp4"],
        ["masonry", "portfolio", "town.csv", "--preset", "casalotti2025", "-m",
         "pulse:sine,a=1,T=1", "-o", "town"],
        ["ensemble", "study.toml"],  # with a table of systems in Parquet
        ["ensemble", "study.toml", "--runs", "runs.csv"],
    ],
)  # fmt: skip
def test_the_command_line_says_so_before_the_work(
    rocksteady: Any, plain: None, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("it began to work")

    for place in ("simulation.simulate", "analysis.portfolio.portfolio", "ensembles.api.run_study"):
        monkeypatch.setattr(f"rocksteady.{place}", work)
    Path("town.csv").write_text(TOWN)
    Path("study.toml").write_text(STUDY)
    Path("statues.parquet").write_bytes(b"PAR1")
    before = set(Path().iterdir())
    done = rocksteady(*words)
    assert done.code == 2 and 'which is not installed: pip install "rocksteady[' in " ".join(
        done.err.replace("│", " ").split()
    )
    assert set(Path().iterdir()) == before


# -- the workflow types what the pages say ---------------------------------------------------------


def commands(page: str) -> set[str]:
    """The command lines that a page shows, without their prompts and remarks."""
    blocks = re.findall(r"^```console\n(.*?)^```$", read(page), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    return {
        re.sub(r"\s{2,}#.*", "", line[2:]).strip() for line in lines if line[:2] in ("$ ", "> ")
    }


def steps(job: str, system: str = "Linux") -> list[str]:
    """What a job runs on such a system."""
    told = []
    for step in WORKFLOW["jobs"][job]["steps"]:
        condition = step.get("if", "").partition("runner.os ")[2]
        applies = not condition or (condition[:2] == "==") == (system in condition)
        if applies and "run" in step:
            told += step["run"].splitlines()
    return told


def test_every_system_and_python_is_tried() -> None:
    matrix = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    named = [text for text in PROJECT["project"]["classifiers"] if " 3." in text]
    assert matrix["python"] == [text.rpartition(" ")[2] for text in named]
    assert PROJECT["project"]["requires-python"] == f">={matrix['python'][0]}"
    assert WORKFLOW[True].keys() == {"push", "pull_request"}  # YAML reads "on" as yes


def test_the_tests_are_run_by_the_readme_commands() -> None:
    assert steps("test", "Linux") == steps("test", "macOS") == ["make demo", "make test"]
    windows = steps("test", "Windows")
    assert windows[0] == "python -m venv .venv" and windows[-1].endswith('pytest -m "not slow"')
    assert not any("make" in line for line in windows)
    assert {*steps("test", "Linux"), *windows} <= commands("README.md")


def test_other_jobs_run_commands_that_the_pages_give() -> None:
    ends = WORKFLOW["jobs"]["numba"]["strategy"]["matrix"]["include"]
    assert steps("numba") == ["${{ matrix.command }}"]
    assert {end["command"] for end in ends} <= commands("CONTRIBUTING.md")
    assert steps("lint") == ["make lint", "make docs"]
    assert set(steps("lint")) <= commands("CONTRIBUTING.md")
    for line in commands("README.md") | commands("CONTRIBUTING.md"):
        if line.startswith("make "):
            assert re.search(rf"^{line.split()[1]}:.*## ", read("Makefile"), re.MULTILINE), line


def test_the_commands_without_make_do_what_make_does() -> None:
    made = read("Makefile")
    for words in ('--editable ".[films,tables]"', "rocksteady demo", "pytest", '-m "not slow"'):
        assert words in made and any(words in line for line in steps("test", "Windows"))


def test_nothing_is_fetched_from_a_named_host() -> None:
    for name in (".github/workflows/tests.yml", ".pre-commit-config.yaml", "Makefile"):
        assert not re.search(r"https?:|index-url|\.(org|com|io)\b", read(name)), name


# -- hooks before a commit -------------------------------------------------------------------------


def test_hooks_are_local_and_call_the_programs_that_lint_installs() -> None:
    assert [repo["repo"] for repo in HOOKS["repos"]] == ["local"]
    lint = " ".join(PROJECT["project"]["optional-dependencies"]["lint"])
    for hook in HOOKS["repos"][0]["hooks"]:
        if hook["language"] == "system":
            assert re.search(rf"\b{hook['entry'].split()[0]}>=", lint), hook["id"]
        else:
            assert hook["language"] == "pygrep"


@pytest.mark.parametrize(
    "hook",
    [hook for hook in HOOKS["repos"][0]["hooks"] if hook["language"] == "pygrep"],
    ids=lambda hook: hook["id"],
)
def test_no_file_here_would_be_refused(hook: dict[str, Any]) -> None:
    bad = re.compile(hook["entry"].encode(), 0 if "args" in hook else re.MULTILINE)
    for text in (b"a \n", b"<<<<<<< ours\n", b"no end"):
        if bad.search(text):
            break
    else:
        raise AssertionError("this hook refuses nothing")
    for path in sorted(ROOT.glob("*.*")) + sorted((ROOT / "src").rglob("*.py")):
        if path.is_file() and not re.search(hook.get("exclude", r"\A\Z"), path.name):
            assert not bad.search(path.read_bytes()), path
