"""A folder of records, each station with all its components: `read_records`, `-m FOLDER`."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import InputError


@pytest.fixture
def stations(tmp_path):
    """(folder, motions): three stations of three components, a file each, and a note."""
    made = rs.stochastic.ensemble(3, 3, components=3)
    motions = {f"ST{i}": motion for i, motion in enumerate(made)}
    for name, motion in motions.items():
        rs.write_motion(motion, tmp_path / f"{name}.AT2")
    (tmp_path / "notes.txt").write_text("Not a record.")
    return tmp_path, motions


def test_each_station_is_one_motion(stations):
    folder, motions = stations
    found = rs.read_records(folder, unreadable="skip")
    assert list(found) == list(motions)
    assert list(found.skipped) == ["notes.txt"]
    for name, motion in motions.items():
        for role, samples in motion.components.items():
            assert found[name].components[role] == pytest.approx(samples, abs=1e-14)


def test_folders_below_and_patterns(stations):
    folder, motions = stations
    below = folder / "one"
    below.mkdir()
    rs.write_motion(motions["ST0"], below / "ST0.AT2")
    found = rs.read_records(folder, pattern="*.AT2")
    assert list(found) == ["ST0", "ST1", "ST2", "one/ST0"]
    assert np.array_equal(found["one/ST0"].accel, found["ST0"].accel)


def test_a_station_without_its_horizontal_components_is_skipped_or_refused(stations):
    folder, _ = stations
    (folder / "ST1.AT2").unlink()
    (folder / "ST1-T.AT2").unlink()
    found = rs.read_records(folder, unreadable="skip")
    assert set(found.skipped) == {"notes.txt", "ST1-UP.AT2"}
    assert list(found) == ["ST0", "ST2"]
    with pytest.raises(InputError, match="ST1-UP"):
        rs.read_records(folder, pattern="*.AT2")
    with pytest.raises(InputError, match="not a folder"):
        rs.read_records(folder / "ST0.AT2")
    with pytest.raises(InputError, match="None of the 1 files"):
        rs.read_records(folder, pattern="*.txt", unreadable="skip")


def test_in_a_study_file(stations):
    folder, _ = stations
    said = rs.specs.MotionSpec(records=folder, pattern="*.AT2")
    assert [m.transverse is not None for m in said.motions().values()] == [True] * 3
    with pytest.raises(ValueError, match="cannot stand beside records"):
        rs.specs.MotionSpec(records=folder, component="NS")
