"""Every kind of output on a full disk, in a read-only folder, and killed at any moment: a sentence
or nothing, the old file whole, no litter, never a signal."""

import ast
import dataclasses
import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas
import pytest

import rocksteady as rs
from rocksteady.analysis import timestep
from rocksteady.analysis.identification.identification import identify
from rocksteady.analysis.limit_analysis import capacity_curve
from rocksteady.analysis.portfolio.assess import portfolio
from rocksteady.analysis.pushover import pushover
from rocksteady.analysis.shares.table import write_ensemble_table
from rocksteady.cli.assembly.limit import write_capacity
from rocksteady.cli.masonry.command import _write_building
from rocksteady.cli.masonry.shake_tables import write_history, write_shocks
from rocksteady.cli.masonry.tables import write_pushover
from rocksteady.cli.motion.generate import _write_index
from rocksteady.files import sweep
from rocksteady.marks import ours
from rocksteady.monitor.exact import write_json
from rocksteady.motion.writers import write_motion
from rocksteady.reproduce.report import Done, Report
from rocksteady.view.style import new_figure, save_figure

ROOT = os.name == "posix" and os.geteuid() == 0
FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a process that it has forked")
PUSH = rs.pulses.sine(5.0, period=0.6, dt=0.01)
BUILDING = rs.MasonryBuilding.casalotti2025(4e4)
COLUMN = rs.Assembly.drums(3, 6.0, 1.0)
TOWN = pandas.DataFrame({"id": ["a", "b"], "lon": [13.3, 13.4], "lat": [42.3, 42.4]}).assign(
    **dataclasses.asdict(BUILDING), district="Centro"
)
ROW = {"file": "a.csv", "npts": 3, "duration": 1.0, "pga_g": 0.1, "d5_95": 1.0}
VERDICT = {"quantity": "r", "unit": "", "paper": 1.0, "ours": 1.0, "difference": 0.0}
VERDICT |= {"tolerance": 0.1, "verdict": "agrees", "basis": "stated", "reason": "", "remark": ""}
VERDICT |= {"why": ""}


class Made:
    """Something of each kind to write."""

    def __init__(self):
        block = rs.Block(1.8, 0.5)
        self.response = rs.simulate(block, PUSH)
        self.motion = PUSH.with_vertical(np.sin(30 * PUSH.time))
        self.data = rs.ensemble([block, rs.Block(2.0, 0.4)], [PUSH], scales=[0.5, 1.0])
        self.columns = rs.ensemble([COLUMN], [PUSH], until=0.1, progress=False)
        self.push = pushover(BUILDING, np.linspace(0, 0.018, 60))
        self.shaken = rs.sequence(BUILDING, [PUSH], gap=0.1)
        self.found = identify(self.push.displacement, self.push.force, contact_area=16.07)
        self.town = portfolio(TOWN, {"pulse": PUSH})
        small = {"stiffnesses": [5e8], "steps": [0.002, 0.004], "ratios": [0.9]}
        self.campaign = timestep.campaign(blocks=[rs.Block(4.2, 0.6)], **small)

    def figure(self):
        fig = new_figure(1.0, 2.0)
        fig.add_subplot().plot([1, 2])
        return fig

    def film(self, path):
        return self.response.animate(path, width_px=160, max_seconds=0.2)

    def report(self, path):
        done = Done("prieto2005", "table 1", "title", (VERDICT,), "", 1.0, ())
        return Report((done,), "quick").write(path.parent)

    def store(self, path):
        rs.ensemble([rs.Block(1.8, 0.5)], [PUSH], store=path.parent / "store", progress=False)


OUTPUTS = {
    "response.nc": lambda made, path: made.response.save(path),
    "response.csv": lambda made, path: made.response.save(path),
    "figure.png": lambda made, path: save_figure(made.figure(), path),
    "figure.svg": lambda made, path: save_figure(made.figure(), path),
    "figure.pdf": lambda made, path: save_figure(made.figure(), path),
    "response.gif": lambda made, path: made.film(path),
    "response.mp4": lambda made, path: made.film(path),
    "motion.csv": lambda made, path: write_motion(made.motion, path),
    "motion.AT2": lambda made, path: write_motion(made.motion, path),
    "table.csv": lambda made, path: _write_index([ROW], path),
    "study.csv": lambda made, path: write_ensemble_table(made.data, path),
    "study.md": lambda made, path: write_ensemble_table(made.data, path, "Study"),
    "pushover.csv": lambda made, path: write_pushover(made.push, path),
    "history.csv": lambda made, path: write_history(made.shaken, path),
    "shocks.csv": lambda made, path: write_shocks(made.shaken, path),
    "loop.gif": lambda made, path: made.shaken.animate(path, width_px=160, max_seconds=0.2),
    "capacity.csv": lambda made, path: write_capacity(capacity_curve(COLUMN), path),
    "column.json": lambda made, path: COLUMN.save(path),
    "column.compas.json": lambda made, path: COLUMN.save(path),
    "column.dxf": lambda made, path: COLUMN.save(path),
    "column.svg": lambda made, path: COLUMN.save(path),
    "runs.csv": lambda made, path: rs.write_ensemble_runs(made.columns, path),
    "house.toml": lambda made, path: _write_building(made.found, 4e4, path),
    "house.json": lambda made, path: _write_building(made.found, 4e4, path),
    "town.csv": lambda made, path: made.town.save(path),
    "town.parquet": lambda made, path: made.town.save(path),
    "town.geojson": lambda made, path: made.town.save(path),
    "cases.csv": lambda made, path: made.campaign.save_cases(path),
    "verdicts.md": lambda made, path: made.report(path),
}
UNMARKED = {  # files of a folder that is known by another of its files, or that refuse others' ways
    "state.json": lambda made, path: write_json(path, {"a": 1}),
    "store": lambda made, path: made.store(path),
}
ALL = {**OUTPUTS, **UNMARKED}


@pytest.fixture(scope="module")
def made():
    return Made()


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_are_known_as_ours(made, tmp_path, name):
    """And nothing else is there; written again, it stays so."""
    for _ in range(2):
        OUTPUTS[name](made, tmp_path / name)
        assert all(ours(path) for path in tmp_path.iterdir()), name
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


# -- disks -----------------------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path):
    """A disk of 64 kB, to be filled or made read-only."""
    if not ROOT:
        pytest.skip("only a superuser can mount a disk")
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def refused(made, place, name, why):
    """The sentence; and all is as it was."""
    before = contents(place)
    with pytest.raises((rs.InputError, OSError), match=why):  # either is one line of a command
        ALL[name](made, place / name)
    assert contents(place) == before
    assert [path.name for path in place.iterdir() if path.is_dir() and path.name != "store"] == []


@pytest.mark.parametrize("name", ALL)
def test_full_disk(made, disk, name):
    if name != "store":  # they refuse what is there and not theirs
        (disk / name).write_bytes(b"old" * 1000)
    with (disk / "filler").open("wb", buffering=0) as file, pytest.raises(OSError):
        while True:  # until there is no space left
            file.write(b"x" * 4096)
    refused(made, disk, name, "No space left on device")


@pytest.mark.parametrize("name", ALL)
def test_read_only_folder(made, disk, name):
    if name != "store":
        (disk / name).write_bytes(b"old" * 1000)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    refused(made, disk, name, "Read-only file system")


@pytest.mark.skipif(ROOT, reason="a superuser tries a true disk")
@pytest.mark.parametrize("name", ALL)
def test_as_on_a_full_disk(made, tmp_path, monkeypatch, name):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    if name != "store":
        (tmp_path / name).write_bytes(b"old" * 1000)
    monkeypatch.setattr(os, "write", full)
    refused(made, tmp_path, name, "No space left on device")


@pytest.mark.skipif(os.name != "posix" or ROOT, reason="a superuser may write everywhere")
@pytest.mark.parametrize("name", ALL)
def test_folder_without_permission(made, tmp_path, name):
    tmp_path.chmod(0o555)
    try:
        refused(made, tmp_path, name, "Permission denied")
    finally:
        tmp_path.chmod(0o755)


# -- killed ----------------------------------------------------------------------------------------


def kill_while_writing(made, path, write, moment):
    """Fork, let the child write again and again, and kill it after so many seconds."""
    child = os.fork()
    if child == 0:
        try:
            while True:
                write(made, path)
        finally:
            os._exit(1)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def kill_often(made, folder, name, count):
    """Whole files after each kill. One that is replaced may be met in the microseconds in which the
    new one waits, complete, under another name: the next writer removes that."""
    path, write = folder / name, OUTPUTS[name]
    begin = time.perf_counter()
    write(made, path)
    lasts, whole = time.perf_counter() - begin, contents(folder)
    for i in range(count):
        for file, old in whole.items():
            if i % 2:  # every other time there is no old file
                (folder / file).unlink(missing_ok=True)
            else:
                (folder / file).write_bytes(old)
        kill_while_writing(made, path, write, random.Random(f"{name} {i}").uniform(0, 1.2 * lasts))
        there = contents(folder)
        parts = [there.pop(file) for file in list(there) if file.endswith(".part")]
        assert there.items() <= whole.items()
        assert i % 2 or set(there) == set(whole)
        assert all(part in whole.values() for part in parts)
        sweep(folder)
        assert contents(folder) == there


@FORK
@pytest.mark.parametrize("name", [name for name in OUTPUTS if name != "response.mp4"])
def test_killed_now_and_then(made, tmp_path, name):
    kill_often(made, tmp_path, name, 2)


@FORK
@pytest.mark.slow
@pytest.mark.parametrize("name", OUTPUTS)
def test_killed_at_20_moments(made, tmp_path, name):
    kill_often(made, tmp_path, name, 20)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
@pytest.mark.parametrize("kind", ["nc", "csv", "png", "gif", "mp4"])
def test_a_command_killed_at_20_moments(tmp_path, kind):
    """From its start to its end: the folder holds the old file or the new one, and nothing else."""
    path, block = tmp_path / f"run.{kind}", "simulate --height 1.8 --width 0.5 --theta0 0.4a"
    command = [sys.executable, "-m", "rocksteady", *block.split(), "-q", "-o", str(path)]
    subprocess.run(command, check=True)
    begin = time.perf_counter()
    subprocess.run(command, check=True)
    lasts, whole = time.perf_counter() - begin, path.read_bytes()
    for i in range(20):
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        time.sleep(random.Random(i).uniform(0, lasts))
        process.kill()
        assert process.communicate()[1] == b""
        assert process.returncode in (0, -signal.SIGKILL)
        assert contents(tmp_path) == {path.name: whole}


def test_a_command_on_a_full_disk(disk):
    """Not a crash of the library below: NetCDF was one."""
    block = "simulate --height 1.8 --width 0.5 --theta0 0.9a --duration 60"
    command = [sys.executable, "-m", "rocksteady", *block.split(), "-q", "-o", str(disk / "r.nc")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: Could not write") and done.stderr.count("\n") == 1
    assert list(disk.iterdir()) == []


# -- all of them -----------------------------------------------------------------------------------

WRITE = {"write_text", "write_bytes", "to_netcdf", "to_parquet", "to_json", "savetxt", "tofile"}
WRITE |= {"mkstemp", "mkdtemp", "NamedTemporaryFile", "copyfile", "move"}
# a log that grows, a lock, and an upload that is renamed once it is whole
OWN_WAYS = (
    "files.py",
    "monitor/",
    "ensembles/store.py",
    "studio/jobs/process.py",
    "studio/uploads.py",
    "studio/folder.py",
)


def writes(call):
    """Whether a call looks as if it wrote a file."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    name = "open" if getattr(call.func, "id", "") == "open" else name
    words = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    words += [k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)]
    if name == "open":
        return any(
            isinstance(w, str) and set(w) <= set("rwaxbt+") and set(w) & set("wax+") for w in words
        )
    return name in WRITE and not (name == "to_json" and not call.args)


def test_nothing_is_written_in_another_way():
    """Only through `rocksteady.files`, which these tests have tried."""
    root = Path(rs.__file__).parent
    found = [
        f"{path.relative_to(root).as_posix()}:{node.lineno}"
        for path in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and writes(node)
    ]
    assert [place for place in found if not place.startswith(OWN_WAYS)] == []
    assert any(place.startswith("ensembles/store.py") for place in found)  # it sees those that are
