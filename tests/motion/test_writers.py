"""Files that are written: read back to the same samples, by us and by the plainest other means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.motion.writers import write_motion

ULP = 2.0**-52
SAMPLES = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=40)
STEPS = st.floats(1e-4, 2.0)
WORDS = st.text(max_size=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("written")


@given(accel=SAMPLES, dt=STEPS, name=WORDS, event=WORDS)
def test_csv_is_read_back_to_the_last_bit(folder, accel, dt, name, event):
    meta = {"event": event, "history": (name, event)}
    motion = rs.Motion(accel, dt, accel[::-1], np.negative(accel), name, meta)
    flat = motion.with_vertical(None)
    for one in (motion, flat, motion.with_transverse(None), flat.with_transverse(None)):
        (file,) = write_motion(one, folder / "any.csv")
        assert rs.read_motion(file) == one


@given(accel=SAMPLES, dt=STEPS, name=WORDS, event=WORDS, station=WORDS, component=WORDS)
def test_at2_is_read_back_to_one_unit_in_the_last_place(
    folder, accel, dt, name, event, station, component
):
    meta = {"event": event, "station": station, "component": component}
    motion = rs.Motion(accel, dt, np.negative(accel), np.add(accel, accel), name, meta)
    files = write_motion(motion, folder / "any.AT2")
    assert [file.name for file in files] == ["any.AT2", "any-UP.AT2", "any-T.AT2"]
    for file, samples in zip(files, motion.components.values(), strict=True):
        again = rs.read_motion(file)
        assert again.meta["format"] == "PEER AT2"
        assert again.dt == motion.dt
        # a/g·g is two roundings: at most one unit in the last place
        np.testing.assert_allclose(again.accel, samples, rtol=ULP, atol=1e-300)


def test_what_would_mislead_a_reader_is_left_out_of_the_words(tmp_path):
    meta = {
        "event": "NPTS= 3, DT= 5 SEC",
        "station": "Unit: mm/s2, velocity",
        "component": "units of cm/s2\ndt = 7",
        "history": ("dt=9", "# dt: 3 ms", "time [s],a [g]\n1,2"),
    }
    motion = rs.Motion([0.0, 1.0, -2.0], 0.01, name='a,"b"\n3,4', meta=meta)
    for name in ("m.csv", "m.AT2"):
        again = rs.read_motion(write_motion(motion, tmp_path / name)[0])
        assert (again.dt, again.npts) == (0.01, 3)
        np.testing.assert_allclose(again.accel, motion.accel, rtol=ULP)


def test_header_of_an_at2_file_says_what_was_known(tmp_path):
    meta = {"event": "Kobe, 1/16/1995", "station": "KJMA", "component": "90"}
    (file,) = write_motion(rs.Motion([0.0, 1.0], 0.02, meta=meta), tmp_path / "k.AT2")
    again = rs.read_motion(file).meta
    assert {key: again[key] for key in meta} == meta
    assert (again["unit"], again["azimuth"]) == ("g", 90.0)


def test_other_programs_read_them_as_plain_numbers(tmp_path):
    motion = rs.pulses.ricker(3.0, period=0.7, dt=0.01)
    (table,) = write_motion(motion, tmp_path / "m.csv")
    columns = np.loadtxt(table, delimiter=",", comments=("#", "time"))
    assert (columns == np.column_stack([motion.time, motion.accel])).all()
    (at2,) = write_motion(motion, tmp_path / "m.at2")
    lines = at2.read_text().splitlines()
    words = " ".join(lines[4:]).split()
    assert lines[3] == f"NPTS= {motion.npts}, DT= 0.01 SEC"
    assert {len(line.split()) for line in lines[4:-1]} == {5}
    assert [float(word) for word in words] == list(motion.accel / 9.80665)


def test_every_record_survives(any_records, tmp_path):
    for file in sorted((any_records / "AT2").glob("*.AT2")):
        motion = rs.read_motion(file)
        assert rs.read_motion(write_motion(motion, tmp_path / "m.csv")[0]) == motion
        again = rs.read_motion(write_motion(motion, tmp_path / "m.AT2")[0])
        np.testing.assert_allclose(again.accel, motion.accel, rtol=ULP)
        assert again.meta.get("station") == motion.meta.get("station")


@pytest.mark.parametrize("name", ["m.txt", "m", "m.nc"])
def test_an_unknown_kind_of_file_is_refused_by_name(tmp_path, name):
    with pytest.raises(rs.InputError, match=rf"{name}.*\.csv or \.at2"):
        write_motion(rs.Motion([0.0, 1.0], 0.1), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    motion = rs.Motion([0.0, 1.0], 0.1)
    (file,) = write_motion(motion, tmp_path / "new" / "m.csv")
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(rs.InputError, match="No space left"):
        write_motion(motion.scaled(2), file)
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]
