"""The store outlives whatever happens to the process, the disk and the patience of its owner."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
import xarray

import rocksteady as rs
from rocksteady.cli.verify import verdicts
from rocksteady.ensembles import dataset, plan
from rocksteady.ensembles.api import ensemble, open_ensemble
from rocksteady.ensembles.store import Store
from rocksteady.files import write_durably

RUNS = 40 * 2 * 3


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(plan, "PART_SECONDS", 2.5e-5 * 8)  # eight runs or so each


def inputs():
    """40 blocks, 2 motions, 3 scales."""
    rng = np.random.default_rng(1)
    bodies = [rs.Block.from_parameters(p=p, alpha=0.2) for p in rng.uniform(1, 4, 40)]
    motions = [rs.Motion(rng.normal(0, 2, 1000), 0.02, name=f"noise {i}") for i in range(2)]
    return bodies, motions, {"scales": [0.5, 1.0, 2.0]}


def run(folder, **options):
    bodies, motions, more = inputs()
    return ensemble(bodies, motions, store=folder, progress=False, **{**more, **options})


def contents(folder):
    """Every file of a store that has results or says what they are, byte for byte."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def parts(folder):
    return sorted((folder / "runs").glob("[0-9]*.parquet"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store that was never disturbed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "PART_SECONDS", 2.5e-5 * 8)
        folder = tmp_path_factory.mktemp("whole") / "store"
        run(folder)
    return folder


# -- what is in it ---------------------------------------------------------------------------------


def test_stored_equals_unstored(whole):
    bodies, motions, options = inputs()
    xarray.testing.assert_identical(
        open_ensemble(whole), ensemble(bodies, motions, progress=False, **options)
    )
    assert len(parts(whole)) == RUNS // 8


def test_lazily_opened_equals_loaded(whole):
    lazy = dataset.dataset_of(Store.open(whole), at_once=0)
    loaded = open_ensemble(whole)
    assert not lazy.peak.variable._in_memory
    for key in (np.s_[3], np.s_[3:30:7, 1], np.s_[[5, 2, 39], 0, ::2], np.s_[..., -1], np.s_[7:7]):
        assert np.array_equal(lazy.peak[key].values, loaded.peak[key].values)
    assert lazy.status.isel(system=4, motion=1, scale=2) == loaded.status[4, 1, 2]
    xarray.testing.assert_identical(lazy.load(), loaded)


def test_lazy_reading_opens_only_the_parts_it_needs(whole, monkeypatch):
    lazy, opened = dataset.dataset_of(Store.open(whole), at_once=0), []
    read = Store.read
    monkeypatch.setattr(
        Store, "read", lambda self, name, part: opened.append(part) or read(self, name, part)
    )
    _ = lazy.peak[0].values  # six runs
    assert [part.start for part in opened] == [0]


def test_a_part_is_a_table_for_other_programs(whole):
    """Run, system, motion, scale and results with units; in the order of the axes."""
    table = pyarrow.parquet.read_table(whole / "runs").to_pandas().sort_values("run")
    data = open_ensemble(whole)
    assert table["run"].tolist() == list(range(RUNS))
    row = table.iloc[101]
    got = data.isel(system=int(row["system"]), motion=int(row["motion"])).sel(scale=row["scale"])
    assert got.peak == row["peak"] and got.impacts == row["impacts"]
    assert got.time_of_peak == row["time_of_peak [s]"]


def test_the_manifest_says_what_was_run(whole):
    about = json.loads((whole / "manifest.json").read_text())
    assert about["runs"] == RUNS and about["study"]["formulation"]["name"] == "Housner"
    assert [motion["name"] for motion in about["study"]["motions"]] == ["noise 0", "noise 1"]
    assert all(len(motion["sha256"]) == 64 for motion in about["study"]["motions"])
    assert {"commit", "Python", "NumPy", "Numba", "pyarrow"} <= set(about["environment"])
    systems = pyarrow.parquet.read_table(whole / "inputs" / "system.parquet")
    assert systems["p [rad/s]"].to_pylist() == [block.p for block in inputs()[0]]


def test_histories_are_kept_beside(tmp_path):
    kept = run(tmp_path / "s", keep=[5, 100])
    again = run(tmp_path / "s", keep=[5, 100])
    xarray.testing.assert_identical(kept, again)
    bodies, motions, _ = inputs()
    response = rs.Response.load(tmp_path / "s" / "histories" / "000000000005.nc")
    assert np.array_equal(response.theta, rs.simulate(bodies[0], motions[1].scaled(2.0)).theta)
    assert open_ensemble(tmp_path / "s").kept.values.tolist() == [5, 100]


@pytest.mark.parametrize("harm", ["empty", "deleted", "of another run", "all deleted"])
def test_a_history_that_is_damaged_or_missing_is_told_and_made_again(tmp_path, harm):
    kept = run(tmp_path / "s", keep=[5, 100])
    file = tmp_path / "s" / "histories" / "000000000005.nc"
    if harm == "empty":
        file.write_bytes(b"")
    elif harm == "of another run":
        shutil.copy(file.with_name("000000000100.nc"), file)
    else:
        file.unlink()
        if harm == "all deleted":
            shutil.rmtree(file.parent)
    with pytest.raises(rs.DamagedFileError, match=r"000000000005\.nc .* the command that made"):
        open_ensemble(tmp_path / "s")
    states = {one.path.name: one.state for one in verdicts(tmp_path / "s")}
    assert states[file.name] == ("missing" if "deleted" in harm else "damaged")
    assert states["000000000100.nc"] == ("missing" if harm == "all deleted" else "intact")
    xarray.testing.assert_identical(run(tmp_path / "s"), kept)  # also of the runs kept before
    assert {one.state for one in verdicts(tmp_path / "s")} == {"intact"}


def test_histories_that_are_kept_later_join_those_before(tmp_path):
    run(tmp_path / "s", keep=[100])
    assert run(tmp_path / "s", keep=[5]).kept.values.tolist() == [5, 100]


@pytest.mark.parametrize("name", ["caf\udce9", "a\0b"])
def test_names_that_no_table_can_hold(tmp_path, name):
    """They are kept as they are shown, apart from each other."""
    bodies = {name: rs.Block(1.8, 0.5), name + "2": rs.Block(2.0, 0.6)}
    push = rs.pulses.sine(3.0, period=0.5)
    data = rs.ensemble(bodies, push, store=tmp_path / "s", progress=False)
    told = name.replace("\udce9", "\\xe9").replace("\0", "\\x00")
    assert data.system.values.tolist() == [told, told + "2"]
    xarray.testing.assert_identical(open_ensemble(tmp_path / "s"), data)


# -- going on ----------------------------------------------------------------------------------


def test_a_finished_store_is_not_run_again(whole, monkeypatch):
    before = contents(whole)
    monkeypatch.setattr("rocksteady.ensembles.shake.Together", None)  # calling it would fail
    run(whole)
    assert contents(whole) == before


def test_only_missing_and_damaged_parts_are_made_again(tmp_path, whole):
    folder = tmp_path / "s"
    run(folder)
    files = parts(folder)
    files[3].unlink()
    files[5].write_bytes(files[5].read_bytes()[:200])
    files[7].write_bytes(files[8].read_bytes())  # sound, but of other runs
    kept = {file: file.stat().st_mtime_ns for file in files if file not in files[3:8:2]}
    with pytest.warns(
        rs.RocksteadyWarning, match=r"000000000040\.parquet has no digest.* made again"
    ):
        run(folder)
    assert contents(folder) == contents(whole)
    assert kept == {file: file.stat().st_mtime_ns for file in kept}


PROGRAM = """
import sys
sys.path.insert(0, {here!r})
import test_store
from rocksteady.ensembles import plan, shake
plan.PART_SECONDS = 2.5e-5 * 8
made = shake.Together.columns
def slowly(*args):
    print("part", flush=True)
    return made(*args)
shake.Together.columns = slowly
test_store.run({folder!r})
"""


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
@pytest.mark.parametrize("after", [1, 12])
def test_kill_minus_nine(tmp_path, whole, after):
    """SIGKILL in the middle of some part; the same call goes on and the end is the same."""
    folder = tmp_path / "s"
    program = PROGRAM.format(here=str(Path(__file__).parent), folder=str(folder))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(after):
        assert process.stdout.readline() == "part\n"
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
    there = parts(folder)
    assert len(there) < RUNS // 8
    (folder / "runs").mkdir(exist_ok=True)
    (folder / "runs" / ".rocksteady-0.part").write_bytes(b"PAR1 what a killed process leaves")
    stamps = {file: file.stat().st_mtime_ns for file in there}
    run(folder)
    assert contents(folder) == contents(whole)
    assert stamps == {file: file.stat().st_mtime_ns for file in stamps}  # nothing done twice


def test_interrupted_by_hand(tmp_path, whole):
    def stop(done, total):
        if done > 40:
            raise KeyboardInterrupt

    bodies, motions, more = inputs()
    with pytest.raises(KeyboardInterrupt):
        ensemble(bodies, motions, store=tmp_path / "s", progress=stop, **more)
    assert 40 // 8 < len(parts(tmp_path / "s")) < RUNS // 8
    run(tmp_path / "s")
    assert contents(tmp_path / "s") == contents(whole)


# -- a full disk -------------------------------------------------------------------------------


def test_a_disk_that_fills_up(tmp_path, whole, monkeypatch):
    """The message says what is safe and how to go on; what was told as done is there."""
    write, calls, told = pyarrow.parquet.write_table, [], []

    def full(table, where, **options):
        write(table, where, **options)
        calls.append(where)
        if len(calls) > 3 + 12:  # three tables of inputs, twelve parts
            raise OSError(errno.ENOSPC, "No space left on device")

    bodies, motions, more = inputs()
    monkeypatch.setattr(pyarrow.parquet, "write_table", full)
    with pytest.raises(rs.InputError) as caught:
        ensemble(
            bodies,
            motions,
            store=tmp_path / "s",
            progress=lambda done, total: told.append(done),
            **more,
        )
    message = str(caught.value)
    assert "No space left on device" in message and "give the same command again" in message
    assert f"96 of {RUNS} runs are safe" in message
    assert max(told) <= 96 and len(parts(tmp_path / "s")) == 12
    monkeypatch.setattr(pyarrow.parquet, "write_table", write)
    run(tmp_path / "s")
    assert contents(tmp_path / "s") == contents(whole)


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 128 kB. Only root may make one."""
    place = tmp_path / "tiny"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(place)], capture_output=True
    )
    if done.returncode:
        pytest.skip("cannot mount a small file system here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount")
def test_a_disk_that_really_fills_up(tiny_disk, whole):
    ballast = tiny_disk / "ballast"
    with pytest.raises(rs.InputError) as caught:
        ballast.write_bytes(bytes(40_000))
        run(tiny_disk / "s")
    assert "runs are safe in" in str(caught.value) and "free some space" in str(caught.value)
    done = len(parts(tiny_disk / "s"))
    assert 0 < done < RUNS // 8
    assert f"{8 * done} of {RUNS} runs are safe" in str(caught.value)
    subprocess.run(["mount", "-o", "remount,size=10m", str(tiny_disk)], check=True)
    run(tiny_disk / "s")
    assert contents(tiny_disk / "s") == contents(whole)


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"scales": [0.5, 1.0, 2.5]}, "scales"),
        ({"formulation": rs.Housner(r=0.9)}, "formulation"),
        ({"until": "motion"}, "until"),
    ],
)
def test_another_study_is_refused(whole, change, word):
    before = contents(whole)
    with pytest.raises(rs.InputError, match=f"holds another study: it has other {word}"):
        run(whole, **change)
    assert contents(whole) == before


def test_other_systems_or_motions_are_refused(whole):
    bodies, motions, options = inputs()
    for other in ((bodies[1:] + bodies[:1], motions), (bodies, [motions[0], motions[1].scaled(2)])):
        with pytest.raises(rs.InputError, match="holds another study"):
            ensemble(*other, store=whole, progress=False, **options)


def test_a_folder_of_other_things_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(rs.InputError, match="holds other things"):
        run(tmp_path)
    with pytest.raises(rs.InputError, match="is a file"):
        run(tmp_path / "thesis.tex")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_not_two_at_a_time(tmp_path):
    pytest.importorskip("fcntl")
    run(tmp_path / "s")
    with Store.open(tmp_path / "s").locked():
        program = PROGRAM.format(here=str(Path(__file__).parent), folder=str(tmp_path / "s"))
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "Another process is at work" in done.stderr


def test_an_incomplete_or_strange_folder_is_not_opened(tmp_path):
    run(tmp_path / "s")
    parts(tmp_path / "s")[0].unlink()
    with pytest.raises(rs.InputError, match=f"8 of {RUNS} runs are missing"):
        open_ensemble(tmp_path / "s")
    with pytest.raises(rs.InputError, match="is not an ensemble store"):
        open_ensemble(tmp_path)
    for name, content in (
        ("inputs/system.parquet", b"PAR1"),
        ("manifest.json", b"\xff\xfe"),
        ("manifest.json", b"{}"),
    ):
        (tmp_path / "s" / name).write_bytes(content)
        with pytest.raises((rs.DamagedFileError, rs.OtherVersionError), match="it is damaged"):
            open_ensemble(tmp_path / "s")
    for content in (b"\xff\xfe", b"[]", b"{}", b'{"format": 2}', b'{"format": 2, "axes": 5}'):
        (tmp_path / "s" / "manifest.json").write_bytes(content)
        with pytest.raises(rs.InputError):
            open_ensemble(tmp_path / "s", verify=False)


# -- damage ----------------------------------------------------------------------------------------


def flipped(data, place):
    changed = bytearray(data)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


def test_no_flipped_bit_is_read(tmp_path, whole):
    """In the manifest, the inputs and the parts."""
    folder = shutil.copytree(whole, tmp_path / "s")
    files = [folder / name for name in contents(folder) if not name.startswith("runs/")]
    files += parts(folder)[:2]
    rng = np.random.default_rng(4)
    for _ in range(60):
        path = files[rng.integers(len(files))]
        data = path.read_bytes()
        path.write_bytes(flipped(data, rng.integers(8 * len(data))))
        with pytest.raises((rs.DamagedFileError, rs.OtherVersionError), match=path.name):
            open_ensemble(folder)
        path.write_bytes(data)
    open_ensemble(folder)


def test_what_is_damaged_is_made_again(tmp_path, whole):
    folder = shutil.copytree(whole, tmp_path / "s")
    for name in ("manifest.json", "inputs/system.parquet", "runs/000000000016.parquet"):
        path = folder / name
        path.write_bytes(flipped(path.read_bytes(), 4000))
        with pytest.warns(rs.RocksteadyWarning, match=f"{path.name} is damaged or was edited"):
            run(folder)
        assert contents(folder) == contents(whole)


def test_a_damaged_manifest_of_another_study_is_not_replaced(tmp_path, whole):
    folder = shutil.copytree(whole, tmp_path / "s")
    path = folder / "manifest.json"
    path.write_bytes(flipped(path.read_bytes(), 4000))
    before = contents(folder)
    with pytest.raises(rs.DamagedFileError):
        run(folder, scales=[0.5, 1.0, 2.5])
    assert contents(folder) == before


def test_an_edited_store_is_read_where_that_is_asked_for(tmp_path, whole):
    folder = shutil.copytree(whole, tmp_path / "s")
    path = parts(folder)[0]
    table = pyarrow.parquet.read_table(path)
    column = table.column_names.index("peak")
    table = table.set_column(column, "peak", [np.full(table.num_rows, 0.125)])
    pyarrow.parquet.write_table(table, path)
    with pytest.raises(rs.DamagedFileError, match="With verify=False the files are read"):
        open_ensemble(folder)
    assert open_ensemble(folder, verify=False).peak.values[0, 0, 0] == 0.125


def test_a_store_of_an_earlier_version_is_refused_in_a_sentence(tmp_path, whole):
    folder = shutil.copytree(whole, tmp_path / "s")
    for path in [folder / "manifest.json", *folder.rglob("*.parquet")]:
        path.write_bytes(re.sub(rb"blake2b:[0-9a-f]{32}", b"-" * 40, path.read_bytes()))
    for call in (open_ensemble, run):
        with pytest.raises(rs.OtherVersionError, match=r"manifest\.json has no digest: an earlier"):
            call(folder)


def test_parts_are_forced_to_the_disk(tmp_path, monkeypatch):
    """A file gets its name only after fsync: a power cut leaves whole files."""
    order = []
    fsync, replace, link = os.fsync, Path.replace, os.link
    monkeypatch.setattr(os, "fsync", lambda handle: order.append("fsync") or fsync(handle))
    monkeypatch.setattr(
        Path, "replace", lambda self, new: order.append("named") or replace(self, new)
    )
    monkeypatch.setattr(
        os, "link", lambda *names, **options: order.append("linked") or link(*names, **options)
    )

    def steps():
        taken = ["named" if step == "linked" else step for step in order]
        order.clear()
        return [step for step, before in zip(taken, [None, *taken], strict=False) if step != before]

    write_durably(tmp_path / "x", "x")
    assert steps() == ["fsync", "named", "fsync"]
    write_durably(tmp_path / "x", "y")
    assert steps() == ["fsync", "named", "fsync"]
    run(tmp_path / "s")
    order.clear()
    run(tmp_path / "s", keep=[5])
    assert steps() == ["fsync", "named", "fsync", "named", "fsync"]  # the history, then the list
