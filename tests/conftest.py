"""Shared by all tests: real records where they are at hand, and Hypothesis without a stopwatch."""

import gc
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

import standins

# The processes of ``-n`` inherit this. Each would else have a thread of BLAS for every core, and
# threads that wait for each other use up a quarter of the processor time of such tests.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("rocksteady", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("rocksteady")

STUDIO = "tests/studio/"
LATER = "tests/studio/test_api_"  # of the studio: by then others have compiled what these need
FIRST = (
    STUDIO,
    "tests/test_document_code.py",
    "tests/test_paper_pages.py",
    "tests/reproduce/",
    "tests/theories/",
    "tests/ensembles/",
    "tests/engine/",
    "tests/cli/test_cli_space.py",
    "tests/monitor/",
    "tests/backends/",
    "tests/validation/",
    "tests/examples/",
    "tests/test_project.py",
)
"""With ``-n``, these first. The studio takes long and goes to one process. Meanwhile another one
runs what compiles most: the second driver of a theory takes a third of the time in the process that
compiled the first (a body in space: 6 s, elsewhere 18 s). Of the rest, files with many tests go
first, so that all processes end together."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, and look through none of that again later:
    half a million objects that stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the files in order, where several processes share them."""
    if not hasattr(config, "workerinput"):
        return
    files = Counter(_file(item) for item in items)

    def place(item: pytest.Item) -> tuple[int, int, str]:
        file = _file(item)
        for i, start in enumerate(FIRST):
            if file.startswith(start):
                return i, file.startswith(LATER), ""
        return len(FIRST), -files[file], file

    items.sort(key=place)


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``-n``, give each process whole files of tests: it makes what they share, and compiles
    what they need, once. All tests of the studio go to one process: they share a server."""
    if config.getoption("dist") != "load":
        return None
    config.option.loadscopereorder = False  # `pytest_collection_modifyitems` has done that
    from xdist.scheduler import LoadFileScheduling

    class WholeFiles(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return STUDIO if nodeid.startswith(STUDIO) else str(super()._split_scope(nodeid))

    return WholeFiles(config, log)


class Outcome(NamedTuple):
    """What a command ended with and printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Outcome]:
    """Call `rocksteady` in this process, in a terminal-less world of 100 columns."""
    from typer.main import get_command

    from rocksteady.cli import app
    from rocksteady.numerics.first_use import LINE

    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("ROCKSTEADY_DEBUG", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def call(*arguments: object) -> Outcome:
        with pytest.raises(SystemExit) as stop:
            get_command(app).main([str(a) for a in arguments], prog_name="rocksteady")
        out, err = capsys.readouterr()
        # whoever comes first on a new machine compiles, and is told so
        told = re.escape(LINE).replace(re.escape("{what}"), ".+") + "\n"
        return Outcome(int(stop.value.code or 0), out, re.sub(told, "", err))

    return call


@pytest.fixture
def rocksteady(
    command_line: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Outcome]:
    """The command line in 80 columns and an empty folder."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return command_line


@pytest.fixture
def apart(tmp_path: Path) -> Callable[..., list[str]]:
    """Run a script in a process of its own, compiled code in a folder that only it uses: the words
    that it prints."""

    def run(script: Path, *arguments: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, script, *arguments],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    return run


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real accelerograms beside the repository."""
    if not standins.RECORDS.is_dir():
        pytest.skip("no real records beside this repository (../shared/records)")
    return standins.RECORDS


@pytest.fixture(scope="session")
def generated_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small generated records, laid out as the real one."""
    folder = tmp_path_factory.mktemp("generated") / "records"
    standins.make(folder)
    return folder


@pytest.fixture(params=["real", "generated"])
def any_records(request: pytest.FixtureRequest) -> Path:
    """The real records where they are at hand, and the generated ones everywhere."""
    name = "records" if request.param == "real" else "generated_records"
    return Path(request.getfixturevalue(name))


@pytest.fixture(scope="session")
def more_records() -> Path:
    """The folder of records of further networks beside the repository."""
    if not standins.MORE_RECORDS.is_dir():
        pytest.skip(
            "no records of further networks beside this repository (../shared/more_records)"
        )
    return standins.MORE_RECORDS
