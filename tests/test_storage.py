"""A response on disk: the same numbers back, or a sentence and no file."""

import dataclasses
import errno
import os

import numpy as np
import pyarrow.csv
import pytest
import xarray
from hypothesis import given, settings
from hypothesis import strategies as st

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
    path = response.save(tmp_path / "run.csv")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1].startswith("time [s],theta [rad],omega [rad/s]")
    assert len(lines) == 2 + len(response.time)
    assert lines[0].startswith("# written by rocksteady") and len(lines[0]) < 200
    assert "1.8 × 0.5 m asymmetric block" in lines[0] and "Housner" in lines[0]
    skip = pyarrow.csv.ReadOptions(skip_rows=1)
    table = pyarrow.csv.read_csv(path, read_options=skip).to_pandas()
    np.testing.assert_allclose(table["theta [rad]"], response.theta, rtol=1e-15)
    hits = table["event time [s]"].dropna()
    np.testing.assert_allclose(hits, response.events[:, 0], rtol=1e-15)


# -- every theory and body ------------------------------------------------------------------------

NAMES = st.text(max_size=30)
STORIES = st.dictionaries(NAMES, st.none() | st.integers() | NAMES | st.lists(st.floats()))
SLENDER = st.builds(
    rs.Block,
    st.floats(2.0, 4.0),
    st.floats(0.2, 0.5),
    offset=st.floats(-0.05, 0.05),
    density=st.sampled_from([2600, np.float32(1900.0), 2600.0]),
)
SYMMETRIC = st.builds(rs.Block, st.floats(1.0, 4.0), st.floats(0.2, 0.6))
COLUMN = st.builds(rs.FlexibleOscillator, height=st.floats(2.0, 10.0), width=st.just(1.0),
                   top_mass=st.floats(100.0, 1e4), base_mass=st.just(50.0),
                   column_mass=st.just(10.0), natural_frequency=st.floats(5.0, 20.0))  # fmt: skip
HOUSES = st.builds(rs.MasonryBuilding.casalotti2025, st.floats(2e4, 8e4))
SHARES = st.floats(0.7, 0.95)
FRICTION = st.none() | st.floats(0.05, 1.0)
THEORIES = {
    "Housner": (SLENDER, st.builds(rs.Housner, r=SHARES) | st.builds(rs.Housner, eta=SHARES)),
    "Nonsmooth": (SLENDER, st.builds(rs.Nonsmooth, friction=FRICTION)),
    "RigidBodySpring": (SLENDER, st.builds(rs.RigidBodySpring, friction=st.floats(0.3, 1.0))),
    "ComplexPotential": (
        SYMMETRIC,
        st.builds(rs.ComplexPotential, l=st.sampled_from([1e-4, 1e-5])),
    ),
    "NumericalDissipation": (
        st.just(rs.Block(2.0, 0.4)),  # of one size: each has springs of its own to be compiled
        st.builds(rs.NumericalDissipation, dt=st.sampled_from([0.004, 0.005])),
    ),
    "column": (COLUMN, st.just(rs.Nonsmooth())),
    "Masonry": (HOUSES, st.builds(rs.Masonry, update=st.sampled_from(["accurate", "explicit"]))),
}


@st.composite
def motions(draw):
    """Of strong shaking, at times longer than the run, with anything told about it."""
    samples = st.lists(st.floats(-12.0, 12.0), min_size=2, max_size=40)
    accel = np.repeat(draw(samples), 4)
    vertical = 0.1 * accel[::-1] if draw(st.booleans()) else None
    meta = draw(STORIES) | {"history": ("scaled(2)", "mirrored()")}
    return rs.Motion(accel, 0.02, vertical, name=draw(NAMES), meta=meta)


def same(left, right):
    """Equal, where a number that is none equals itself."""
    return repr(left) == repr(right)


@pytest.mark.filterwarnings("ignore::rocksteady.RocksteadyWarning")
@pytest.mark.parametrize("theory", THEORIES)
@settings(max_examples=6)
@given(data=st.data())
def test_every_response_comes_back(tmp_path_factory, theory, data):
    bodies, theories = THEORIES[theory]
    motion, duration = data.draw(motions()), data.draw(st.none() | st.floats(0.1, 3.0))
    response = rs.simulate(
        data.draw(bodies), motion, data.draw(theories), duration=duration or motion.duration
    )
    for kind in ("nc", "csv"):
        path = tmp_path_factory.mktemp("kept") / f"run.{kind}"
        again = rs.Response.load(response.save(path))
        assert (again.system, again.formulation) == (response.system, response.formulation)
        assert (again.status, again.motion) == (response.status, response.motion)
        assert again.motion.name == response.motion.name
        assert same(dict(again.motion.meta), dict(response.motion.meta))
        assert again.states.tobytes() == response.states.tobytes()
        assert again.events.tobytes() == response.events.tobytes()


@pytest.mark.parametrize("kind", ["nc", "csv"])
def test_a_run_that_falls_keeps_its_whole_motion(tmp_path, kind):
    accel = np.concatenate([np.full(300, 8.0), np.linspace(8.0, -8.0, 601)])
    motion = rs.Motion(accel, 0.01, 0.1 * accel, name="long", meta={"station": "here"})
    response = rs.simulate(BLOCK, motion)
    assert response.status is rs.Status.OVERTURNED and len(response.states) < 300
    again = rs.Response.load(response.save(tmp_path / f"fell.{kind}"))
    assert again.motion == motion and len(again.motion) == 901
    assert len(again.time) == len(again.ground[0]) == len(response.states)
    assert again.motion.meta["station"] == "here"


# -- what can go wrong ----------------------------------------------------------------------------


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
    with pytest.raises(rs.OtherVersionError, match="has no digest: an earlier version"):
        rs.Response.load(tmp_path / name)
    with pytest.raises(rs.InputError, match="not a complete rocksteady response"):
        rs.Response.load(tmp_path / name, verify=False)


@pytest.mark.parametrize("kind", ["nc", "csv"])
def test_a_truncated_file_is_noticed(response, tmp_path, kind):
    path = response.save(tmp_path / f"run.{kind}")
    data = path.read_bytes()
    for length in (0, 60, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises((rs.DamagedFileError, rs.OtherVersionError)):
            rs.Response.load(path)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(rs.InputError, match="not a complete rocksteady response"):
        rs.Response.load(path, verify=False)


@pytest.mark.parametrize("kind", ["nc", "csv"])
def test_no_flipped_bit_is_read(response, tmp_path, kind):
    path = response.save(tmp_path / f"run.{kind}")
    data = path.read_bytes()
    for place in np.random.default_rng(3).integers(8 * len(data), size=100):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        with pytest.raises((rs.DamagedFileError, rs.OtherVersionError)):
            rs.Response.load(path)


def test_an_edited_file_is_read_where_that_is_asked_for(response, tmp_path):
    path = response.save(tmp_path / "run.csv")
    path.write_bytes(path.read_bytes().replace(b"OVERTURNED", b"MOVING", 1))
    with pytest.raises(rs.DamagedFileError, match=r"or was edited.* With verify=False it is read"):
        rs.Response.load(path)
    assert rs.Response.load(path, verify=False).status is rs.Status.MOVING


@pytest.mark.parametrize("path", [3, None, b"run.nc"])
def test_what_is_no_path_is_said_to_be_none(response, path):
    for call in (response.save, rs.Response.load):
        with pytest.raises(rs.InputError, match="is not a path: give the name of a file"):
            call(path)


def test_a_folder_is_no_response(response, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.InputError, match=r"^\. is a folder: give a file in it"):
        rs.Response.load(".")
    with pytest.raises(rs.InputError, match=r"Cannot save a response as '\.'"):
        response.save(".")


@pytest.mark.parametrize("samples", [40, 4000])  # shorter than the run, and longer
@pytest.mark.parametrize("kind", ["nc", "csv"])
def test_a_transverse_component_comes_back(response, tmp_path, kind, samples):
    accel = np.random.default_rng(1).normal(size=(3, samples))
    facts = {"component": "N-S", "transverse_component": "E-W", "transverse_azimuth": 90.0}
    motion = rs.Motion(accel[0], response.motion.dt, accel[1], accel[2], "three", facts)
    kept = dataclasses.replace(response, motion=motion)
    again = rs.Response.load(kept.save(tmp_path / f"three.{kind}")).motion
    assert again == motion and again.name == "three"
    assert facts.items() <= again.meta.items()
    data = kept.to_dataset()
    shown = data["a_t"].values
    assert len(shown) == len(response.time) and data["a_t"].attrs["units"] == "m/s2"
    np.testing.assert_array_equal(shown[:samples], accel[2][: len(shown)])
