"""`rocksteady verify` says which file is damaged; nothing with a changed bit is taken as sound."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.cli.verify import DAMAGED, INTACT, MISSING, OTHER, UNSEALED, verdicts
from rocksteady.monitor.state_log import StateLog
from rocksteady.monitor.verify import problems
from rocksteady.studio.jobs.kinds import inputs
from rocksteady.studio.jobs.store import Job, Store, keep_result

UNSOUND = (DAMAGED, MISSING, OTHER, UNSEALED)


def states(path):
    return {one.path.name: one.state for one in verdicts(path)}


def job_in(folder):
    """A job of the studio, done, with partial results and a table to take away."""
    from rocksteady.studio.jobs.tell import Tell

    job, store = Job("0" * 16, "map", 1.0, "A map", "done"), Store(folder / "jobs")
    store.begin(job, {"kind": "map", "points": 9})
    tell = Tell(store.of(job.id), lambda told: setattr(job, "announced", told["announced"]))
    for peak in (0.25, 0.5, 0.125):
        tell.partial({"peak": peak})
    (store.of(job.id) / "files").mkdir()
    (store.of(job.id) / "files" / "map.csv").write_text("way,peak [-]\nright,0.25\n")
    keep_result(store.of(job.id), b'{"way":["right","left"],"peak":[0.25,0.5]}')
    store.keep(job)
    return store.of(job.id)


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """All that the program writes and reads back, in one folder."""
    folder = tmp_path_factory.mktemp("all")
    block, push = rs.Block(1.8, 0.5), rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.02)
    run = rs.simulate(block, push, until="motion")
    run.save(folder / "run.nc")
    run.save(folder / "run.csv")
    blocks, scales = [block, rs.Block(1.2, 0.3)], [0.5, 1.0, 1.5]
    rs.ensemble(blocks, push, scales=scales, store=folder / "store", keep=[1], progress=False)
    job_in(folder)
    log = StateLog(rs.Monitor(block, dt=0.02, alarms={"lean": 0.1}), folder / "log", every=0.1)
    for piece in np.split(push.accel[:40], 4):
        log.push_block(piece)
        log.commit({})
    log.close()
    return folder


def test_what_was_written_is_intact(everything, rocksteady):
    found = states(everything)
    assert set(found.values()) == {INTACT}
    assert found.keys() == {path.name for path in everything.rglob("[!.]*.*") if path.is_file()}
    told = rocksteady("verify", str(everything))
    assert told.code == 0 and told.out == (
        f"{everything}: {len(list(verdicts(everything)))} files intact, written by rocksteady "
        f"{rs.__version__}.\n"
    )


def flipped(path, place):
    data = bytearray(path.read_bytes())
    data[place // 8] ^= 1 << place % 8
    path.write_bytes(data)


def read(folder, path):
    """As those read it who use it; an error if it is damaged."""
    home = path.relative_to(folder).parts[0]
    if home == "store":
        rs.open_ensemble(folder / home)
    elif home == "jobs":
        jobs, id = Store(folder / home), path.relative_to(folder).parts[1]
        jobs.file(id, "map.csv")
        if jobs.found()[1]:
            raise rs.DamagedFileError("It is left out.")
    elif home == "log":
        if problems(folder / home):
            raise rs.DamagedFileError("It says so.")
    else:
        rs.Response.load(path)


@pytest.mark.parametrize("flips", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_flipped_bit_is_taken_as_sound(everything, tmp_path, flips):
    """Random bits of random files, as many of each."""
    folder = shutil.copytree(everything, tmp_path / "all")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock"]
    assert len(files) > 12
    rng = np.random.default_rng(2026)
    for n in range(flips):
        path = files[n % len(files)]
        place = int(rng.integers(8 * path.stat().st_size))
        flipped(path, place)
        home = next(at for at in (*path.parents, path) if at.parent == folder or at == folder)
        told = {one.path: one.state for one in verdicts(path if home == folder else home)}
        assert told[path] in UNSOUND, (path, place)
        assert sum(state != INTACT for state in told.values()) == 1 or path.name == "files.json"
        with pytest.raises((rs.DamagedFileError, rs.OtherVersionError)):
            read(folder, path)
        flipped(path, place)
    assert set(states(folder).values()) == {INTACT}


def test_the_damaged_part_is_named(everything, tmp_path, rocksteady):
    folder = shutil.copytree(everything / "store", tmp_path / "store")
    part = folder / "runs" / "000000000000.parquet"
    flipped(part, 4000)
    told = rocksteady("verify", str(folder))
    assert told.code == 1
    assert f"{part} is damaged or was edited: its digest does not match.\n" in told.out
    assert re.search(r"store: \d+ files intact, 1 file damaged, written by rocksteady", told.out)
    part.unlink()
    told = rocksteady("verify", str(folder), "--json")
    (about,) = json.loads(told.out)["paths"]
    assert about["state"] == MISSING and told.code == 1
    assert [one["path"] for one in about["files"] if one["state"] != INTACT] == [str(part)]


def test_files_of_earlier_versions_and_of_others_are_told_apart(everything, tmp_path, rocksteady):
    old = tmp_path / "old.csv"
    text = (everything / "run.csv").read_text()
    old.write_text(re.sub(r", blake2b:[0-9a-f]{32}", "", text))
    told = rocksteady("verify", str(old))
    assert told.code == 1 and "has no digest: an earlier version of rocksteady wrote it" in told.out
    (tmp_path / "mine.csv").write_text("a,b\n1,2\n")
    told = rocksteady("verify", str(tmp_path / "mine.csv"))
    assert told.code == 1 and "rocksteady did not write it" in told.out
    told = rocksteady("verify", str(tmp_path / "nothing"))
    assert told.code == 2 and "There is no file or folder" in told.err


def test_what_is_missing_of_a_job_is_told(everything, tmp_path):
    folder = shutil.copytree(next((everything / "jobs").iterdir()), tmp_path / ("0" * 16))
    partials = folder / "partials.jsonl"
    first, _, last = partials.read_bytes().splitlines(keepends=True)
    partials.write_bytes(first + last)
    (folder / "files" / "map.csv").unlink()
    bad = {name: state for name, state in states(folder).items() if state != INTACT}
    assert bad == {"partials.jsonl": DAMAGED, "map.csv": MISSING}
    for harm, state in ((first + last[:20], DAMAGED), (b"", DAMAGED), (None, MISSING)):
        partials.unlink()
        if harm is not None:
            partials.write_bytes(harm)
        assert states(folder)["partials.jsonl"] == state
        assert Store(tmp_path).found() == ([], ["0" * 16])  # the studio tells it, too
    partials.write_bytes(first + last[:20])
    (folder / "result.json").unlink()  # as a process leaves it that was killed
    job = Job("0" * 16, "map", 1.0, "A map", "running", announced=len(first))
    Store(tmp_path).keep(job)
    assert states(folder)["partials.jsonl"] == INTACT
    assert Path(folder / "state.json").is_file()


def test_figures_and_films_beside_a_run_are_not_called_damaged(everything, tmp_path, rocksteady):
    shutil.copy(everything / "run.nc", tmp_path)
    rs.Response.load(everything / "run.nc").plot(tmp_path / "figure.png")
    told = rocksteady("verify", str(tmp_path))
    assert told.code == 0 and "1 file without a digest" in told.out and "damaged" not in told.out
    told = rocksteady("verify", str(tmp_path / "figure.png"))
    assert told.code == 1 and "has no digest: figures, films and reports carry none." in told.out


ESSENTIAL = [
    "store/manifest.json", "store/inputs/system.parquet", "store/inputs/motion.parquet",
    "store/inputs/scale.parquet", "store/runs/000000000000.parquet", "log/log.jsonl",
    "log/history.jsonl", "log/state.json", "jobs/request.json", "jobs/state.json",
    "jobs/result.json", "jobs/files.json", "jobs/files/map.csv",
]  # fmt: skip


@pytest.mark.parametrize("name", ESSENTIAL)
@pytest.mark.parametrize("how", ["missing", "folder", "link to nowhere"])
def test_what_is_missing_is_told(everything, tmp_path, rocksteady, name, how):
    """Or is a folder, or a link to nowhere; in words of our own."""
    home, _, inner = name.partition("/")
    folder = shutil.copytree(everything / home, tmp_path / home)
    if home == "jobs":
        folder = next(folder.iterdir())
    path = folder / inner
    path.unlink()
    if how == "folder":
        path.mkdir()
    elif how == "link to nowhere":
        path.symlink_to(tmp_path / "nothing")
    told = rocksteady("verify", str(folder))
    assert told.code == 1 and Path(inner).name.split(".")[0] in told.out, told.out
    assert "files intact" in told.out and not told.err


def test_tables_for_spreadsheets_carry_none(everything, tmp_path, rocksteady):
    rs.write_ensemble_runs(everything / "store", tmp_path / "runs.csv")
    rs.write_ensemble_runs(everything / "store", tmp_path / "runs.parquet")
    assert states(tmp_path) == {"runs.csv": UNSEALED, "runs.parquet": INTACT}
    told = rocksteady("verify", str(tmp_path / "runs.csv"))
    assert told.code == 1 and "no digest: tables for spreadsheets and scripts carry" in told.out
    flipped(tmp_path / "runs.parquet", 4000)
    assert states(tmp_path)["runs.parquet"] == DAMAGED


def test_a_damaged_motion_of_a_job_is_refused(everything, tmp_path):
    """Those of a map, of which single runs are made later."""
    folder = shutil.copytree(next((everything / "jobs").iterdir()), tmp_path / ("0" * 16))
    push = rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.02)
    inputs.keep_motions({"a": push, "b": push.scaled(0.5)}, folder)
    kept, count = inputs.motion_kept(folder, 1)
    assert count == 2 and np.array_equal(kept.accel, 0.5 * push.accel)
    assert states(folder)["motions.jsonl"] == INTACT
    path = folder / "motions.jsonl"
    rng, size = np.random.default_rng(5), path.stat().st_size
    for place in rng.integers(8 * size, size=40).tolist():
        flipped(path, place)
        assert states(folder)["motions.jsonl"] == DAMAGED, place
        with pytest.raises((rs.DamagedFileError, rs.OtherVersionError, rs.InputError)):
            for number in range(2):
                inputs.motion_kept(folder, number)
        flipped(path, place)


def test_the_status_of_a_study_tells_damaged_parts(everything, tmp_path, rocksteady):
    folder = shutil.copytree(everything / "store", tmp_path / "store")
    assert not json.loads(rocksteady("ensemble", "status", str(folder), "--json").out)["warnings"]
    part = folder / "runs" / "000000000000.parquet"
    flipped(part, 4000)
    told = json.loads(rocksteady("ensemble", "status", str(folder), "--json").out)
    (words,) = told["warnings"]
    assert words.startswith(f"{part} is damaged, edited or of another version.")
    assert told["parts_done"] == told["parts"] - 1
