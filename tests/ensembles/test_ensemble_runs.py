"""All runs as one table: every number of the ensemble, some rows in memory at a time."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pandas
import pyarrow.csv
import pytest

import rocksteady as rs
from rocksteady.ensembles import dataset, run, runs_table
from rocksteady.ensembles.runs_table import blocks
from rocksteady.ensembles.study import Study
from rocksteady.files import write_streamed

PULSES = {f"pulse, {a} m/s²": rs.pulses.sine(amplitude=a, period=0.8) for a in (2.0, 3.0, 5.0)}
STATUES = {'"Nike"': rs.Block(1.8, 0.3), "Apollo, left": rs.Block(1.8, 0.6)}
SCALES = [0.5, -1.0, 2.0, 4.0]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "store"
    rs.ensemble(STATUES, PULSES, scales=SCALES, store=folder, progress=False)
    return folder


def read(path):
    if path.suffix == ".csv":
        return pyarrow.csv.read_csv(path).to_pandas()  # pandas itself may lose the last digits
    return pandas.read_parquet(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_run_is_a_row(store, tmp_path, suffix):
    data, path = rs.open_ensemble(store), tmp_path / f"runs{suffix}"
    assert rs.write_ensemble_runs(data, path) == path
    table = read(path)
    assert list(table["run"]) == list(range(data.peak.size))
    for label, name in (("peak [-]", "peak"), ("time_of_peak [s]", "time_of_peak")):
        assert np.array_equal(table[label], data[name].values.ravel())
    assert np.array_equal(table["impacts"], data.impacts.values.ravel())
    fell = table["time_of_overturning [s]"].notna().to_numpy()
    assert np.array_equal(fell, (data.status == 2).values.ravel())
    words = np.array([str(status) for status in rs.Status])
    assert list(table["status"]) == list(words[data.status.values.ravel()])
    assert {"at rest", "overturned"} <= set(table["status"])


def test_each_row_knows_its_body_its_motion_and_how_strong_it_was(store, tmp_path):
    path = rs.write_ensemble_runs(store, tmp_path / "runs.csv")
    for row in read(path).to_dict(orient="records"):
        body, motion, scale = STATUES[row["system"]], PULSES[row["motion"]], row["scale [-]"]
        assert row["width [m]"] == body.width and row["alpha [rad]"] == body.alpha
        assert row["pga [m/s2]"] == pytest.approx(abs(scale) * motion.pga, rel=1e-12)
        assert row["pgv [m/s]"] == pytest.approx(abs(scale) * motion.pgv, rel=1e-12)
        response = rs.simulate(body, motion.scaled(scale))
        assert (response.peak, str(response.status)) == (row["peak [-]"], row["status"])


def test_units_are_in_the_names(store, tmp_path):
    """All that is measured has one; names, words and counts have none."""
    table = read(rs.write_ensemble_runs(store, tmp_path / "runs.parquet"))
    bare = {name for name in table.columns if not name.endswith("]")}
    assert bare == {"run", "system", "motion", "status", "fell", "impacts"}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_pieces_make_the_same_table_and_stay_small(store, tmp_path, monkeypatch, suffix):
    """As they are read from the parts of a store: never more than some rows at a time."""
    rs.write_ensemble_runs(rs.open_ensemble(store), tmp_path / f"whole{suffix}")
    sizes, told = [], []
    monkeypatch.setattr(runs_table, "AT_ONCE", 5)
    monkeypatch.setattr(
        dataset,
        "read_runs",
        lambda store, name, numbers: sizes.append(len(numbers)) or from_parts(store, name, numbers),
    )
    path = tmp_path / f"pieces{suffix}"
    rs.write_ensemble_runs(store, path, lambda *done: told.append(done))
    pandas.testing.assert_frame_equal(read(path), read(tmp_path / f"whole{suffix}"))
    assert 0 < max(sizes) <= 5 and told[-1] == (24, 24) and len(told) == 6


from_parts = dataset.read_runs


@pytest.mark.parametrize("shape", [(7,), (2, 3, 4), (5, 1, 1), (1, 9, 2), (3, 2, 8), (1, 1, 1)])
@pytest.mark.parametrize("most", [1, 2, 5, 100])
def test_blocks_pass_over_an_array_in_its_order(shape, most):
    numbers = np.arange(np.prod(shape)).reshape(shape)
    seen = [numbers[block].ravel() for block in blocks(shape, most)]
    assert np.array_equal(np.concatenate(seen), numbers.ravel())
    assert max(map(len, seen)) <= most


def test_paired_runs_and_selections(tmp_path):
    bodies = [rs.Block(1.8, w) for w in (0.3, 0.5, 0.7)]
    data = rs.ensemble(bodies, list(PULSES.values()), scales=2.0, paired=True, progress=False)
    table = read(rs.write_ensemble_runs(data, tmp_path / "paired.csv"))
    assert list(table["width [m]"]) == [0.3, 0.5, 0.7] and set(table["scale [-]"]) == {2.0}
    assert np.array_equal(table["peak [-]"], data.peak)
    full = rs.ensemble(bodies, PULSES, scales=SCALES, progress=False, keep=[0])
    some = full.isel(system=[2], scale=[1, 3])
    table = read(rs.write_ensemble_runs(some, tmp_path / "some.csv"))
    assert len(table) == 6 and np.array_equal(table["peak [-]"], some.peak.values.ravel())


def test_buildings_have_their_own_columns(tmp_path):
    houses = [rs.MasonryBuilding.casalotti2025(mass) for mass in (2e4, 9e4)]
    data = rs.ensemble(houses, PULSES, progress=False)
    table = read(rs.write_ensemble_runs(data, tmp_path / "houses.parquet"))
    assert [file.name for file in tmp_path.iterdir()] == ["houses.parquet"]
    assert np.array_equal(table["wear [-]"], data.wear.values.ravel())
    assert {"mass [kg]", "peak_displacement [m]", "time_of_collapse [s]"} <= set(table.columns)


# -- what goes wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "path", "words"),
    [
        (None, "a.csv", "None is not an ensemble"),
        (3, "a.csv", "3 is not an ensemble"),
        ("nowhere", "a.csv", "is not an ensemble store"),
        (None, "a.xlsx", r"must end in \.csv or \.parquet"),
        (None, None, "None is not a file for the runs"),
    ],
)
def test_wrong_questions(tmp_path, monkeypatch, data, path, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.InputError, match=words):
        rs.write_ensemble_runs(data, path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("old", [b"the old table", None])
def test_a_full_disk_leaves_what_was_there(store, tmp_path, monkeypatch, old):
    path = tmp_path / "runs.csv"
    if old is not None:
        path.write_bytes(old)

    def full(file):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("rocksteady.files.os.fsync", full)
    with pytest.raises(rs.InputError, match=r"Could not write .*No space left"):
        rs.write_ensemble_runs(store, path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([] if old is None else [old])


@pytest.mark.parametrize("unnamed", [True, False])
def test_files_written_in_pieces_are_whole_or_not_there(tmp_path, monkeypatch, unnamed):
    """With and without files that have no name until they are complete."""
    if not unnamed:
        monkeypatch.delattr("rocksteady.files.os.O_TMPFILE", raising=False)
    path = tmp_path / "new" / "file.bin"
    for content in (b"one", b"two"):
        write_streamed(path, lambda file, content=content: file.write(content))
        assert path.read_bytes() == content

    def interrupted(file):
        file.write(b"half of")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_streamed(path, interrupted)
    assert path.read_bytes() == b"two" and list(path.parent.iterdir()) == [path]
    with pytest.raises(rs.InputError, match="is a folder"):
        write_streamed(tmp_path / "new", interrupted)


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
def test_killed_on_its_way_it_leaves_nothing(tmp_path):
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from rocksteady.files import write_streamed\n"
        "def write(file):\n"
        "    file.write(bytes(100_000)); file.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_streamed(Path(sys.argv[1]), write)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "runs.csv")])
    assert done.returncode == -signal.SIGKILL and not list(tmp_path.iterdir())


# -- the command -----------------------------------------------------------------------------------

STUDY = """
scales = [0.5, 1.0, 4.0]
[systems]
height = [1.2, 1.8]
width = 0.5
[[motions]]
pulse = "sine,a=0.4g,T=0.8"
"""


def test_the_command_writes_all_runs(rocksteady, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    done = rocksteady("ensemble", "study.toml", "--runs", "memory.csv")
    assert done.code == 0 and "wrote memory.csv" in done.out
    done = rocksteady("ensemble", "study.toml", "--store", "s", "--runs", "stored.csv", "--json")
    assert json.loads(done.out)["files"] == ["stored.csv"]
    rocksteady("ensemble", "status", "s", "--runs", "later.parquet", "-q")
    rocksteady("ensemble", "status", "s", "--runs", "later.csv", "-q")
    texts = [(tmp_path / f"{name}.csv").read_text() for name in ("memory", "stored", "later")]
    assert texts[0] == texts[1] == texts[2]
    assert len(read(tmp_path / "later.parquet")) == 6


def test_the_runs_are_written_to_every_file_that_is_named(rocksteady, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    both = ("--runs", "a.csv", "--runs", "a.parquet")
    done = rocksteady("ensemble", "study.toml", "--store", "s", *both, "--json")
    assert json.loads(done.out)["files"] == ["a.csv", "a.parquet"]
    assert len(read(tmp_path / "a.csv")) == len(read(tmp_path / "a.parquet")) == 6
    again = ("--runs", "b.csv", "--runs", "b.parquet")
    assert rocksteady("ensemble", "status", "s", *again, "-q").code == 0
    assert (tmp_path / "b.csv").exists() and (tmp_path / "b.parquet").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--runs", "runs.xlsx"), "must end in .csv or .parquet"),
        (("--runs", "study.toml/runs.csv"), "not a folder"),
        (("--runs", "a.csv", "-o", "a.csv"), "are the same file"),
    ],
)
def test_what_cannot_be_written_stops_before_the_work(rocksteady, tmp_path, words, says):
    (tmp_path / "study.toml").write_text(STUDY)
    done = rocksteady("ensemble", "study.toml", "--store", "s", *words)
    assert done.code == 2 and says in " ".join(done.err.split())
    assert not (tmp_path / "s").exists()


def test_labels_are_made_while_the_runs_are_computed(monkeypatch):
    """Nobody waits for them before the runs are there."""
    computed, labels, compute = threading.Event(), run._labels, Study.compute_all

    def labels_later(study):
        assert computed.wait(30)
        return labels(study)

    def compute_all(study, report):
        found = compute(study, report)
        computed.set()
        return found

    monkeypatch.setattr(run, "_labels", labels_later)
    monkeypatch.setattr(Study, "compute_all", compute_all)
    found = rs.ensemble(rs.Block(1.8, 0.5), rs.pulses.sine(5.0, 0.5), scales=[1.0, 2.0])
    assert found.sizes == {"system": 1, "motion": 1, "scale": 2}
