"""A response on disk: the same numbers back, or a sentence and no file."""

import errno
import os

import numpy as np
import pytest
import xarray

import rocksteady as rs

BLOCK = rs.Block(1.8, 0.5, offset=0.05)
PUSH = rs.pulses.sine(5.0, period=0.6, dt=0.01)


@pytest.fixture(scope="module", params=["horizontal", "with vertical"])
def response(request):
    motion = PUSH
    if request.param == "with vertical":
        motion = PUSH.with_vertical(np.sin(30 * PUSH.time))
    return rs.simulate(BLOCK, motion, rs.Housner(r=0.85))


@pytest.mark.parametrize("name", ["run.nc", "run.csv"])
def test_what_was_saved_comes_back(response, tmp_path, name):
    path = response.save(tmp_path / "deep" / name)
    again = rs.Response.load(path)
    assert (again.system, again.formulation) == (response.system, response.formulation)
    assert again.status is response.status
    assert again.motion == response.motion
    assert again.peak == response.peak
    np.testing.assert_array_equal(again.states, response.states)
    np.testing.assert_array_equal(again.events, response.events)
    assert [p.name for p in path.parent.iterdir()] == [name]  # no temporary file left


def test_netcdf_is_labelled_for_others(response, tmp_path):
    with xarray.open_dataset(response.save(tmp_path / "run.nc")) as data:
        assert data["theta"].dims == ("time",)
        assert (data["theta"].attrs["units"], data["time"].attrs["units"]) == ("rad", "s")
        assert len(data["event_time"]) == len(response.events)


def test_csv_opens_in_a_spreadsheet(response, tmp_path):
    lines = response.save(tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1].startswith("time [s],theta [rad],omega [rad/s]")
    assert len(lines) == 2 + len(response.time)


@pytest.mark.parametrize("name", ["run.nc", "run.csv"])
def test_a_full_disk_leaves_nothing(response, tmp_path, name, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / name).write_text("what was there before")
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(rs.InputError, match="No space left on device"):
        response.save(tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "what was there before"


def test_names_that_cannot_be(response, tmp_path):
    with pytest.raises(rs.InputError, match=r"\.nc or \.csv"):
        response.save(tmp_path / "run.xlsx")
    with pytest.raises(rs.InputError, match="There is no file"):
        rs.Response.load(tmp_path / "nothing.nc")


@pytest.mark.parametrize("name", ["broken.nc", "broken.csv"])
def test_files_that_are_not_responses(tmp_path, name):
    (tmp_path / name).write_bytes(b"a,b\n1,2\n")
    with pytest.raises(rs.InputError, match="not a whole response"):
        rs.Response.load(tmp_path / name)


def test_a_truncated_file_is_noticed(response, tmp_path):
    path = response.save(tmp_path / "run.nc")
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(rs.InputError, match="not a whole response"):
        rs.Response.load(path)
    path = response.save(tmp_path / "run.csv")
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    with pytest.raises(rs.InputError, match="not a whole response"):
        rs.Response.load(path)
