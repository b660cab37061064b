"""`read_record`: all components of one station as one motion, from one file or several."""

import shutil
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.motion.components import join, rotate, split, swapped, turned
from rocksteady.motion.writers import write_motion

DATA = Path(__file__).parents[1] / "data"
RNG = np.random.default_rng(3)
EAST, NORTH, UP = RNG.normal(size=(3, 200))
STATION = {"station": "AOM008", "event": "Aomori", "network": "NIED"}


def component(accel, name, dt=0.01, **meta):
    return rs.Motion(accel, dt, meta={**STATION, "component": name, **meta})


def written(folder, **motions):
    """Each motion in a file of its own, and their names."""
    for name, motion in motions.items():
        write_motion(motion, folder / f"{name}.csv")
    return [folder / f"{name}.csv" for name in motions]


@pytest.fixture
def silent():
    """No warning is allowed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def read_quietly(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)
        return rs.read_record(path, **options)


@pytest.mark.usefixtures("silent")
def test_one_file_with_three_components():
    found = rs.read_motion(DATA / "hand_made_cwa.dat")
    record = rs.read_record(DATA / "hand_made_cwa.dat")
    assert (record.accel == found["N"].accel).all()
    assert (record.transverse == found["E"].accel).all()
    assert (record.vertical == found["U"].accel).all()
    assert record.meta["station"] == found["N"].meta["station"]
    assert [record.meta[key] for key in ("component", "transverse_component")] == ["N", "E"]
    assert [record.meta[key] for key in ("azimuth", "transverse_azimuth")] == [0.0, 90.0]
    assert record.meta["vertical_component"] == "U"


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("chosen", ["rec_EW", "rec_NS", "rec_UD"])
def test_the_files_beside_it_are_found(tmp_path, chosen):
    own = component(EAST, "E-W"), component(NORTH, "N-S"), component(UP, "U-D")
    written(tmp_path, rec_EW=own[0], rec_NS=own[1], rec_UD=own[2])
    other = component(EAST, "E-W", station="XYZ")  # of another station, and of another event
    written(tmp_path, sec_EW=other, rec_XX=component(EAST, "E-W", event="Kobe"))
    (tmp_path / "rec_PS.csv").write_text("not a record")
    record = rs.read_record(tmp_path / f"{chosen}.csv")
    first, second = (NORTH, EAST) if chosen == "rec_NS" else (EAST, NORTH)
    assert (record.accel == first).all() and (record.transverse == second).all()
    assert (record.vertical == UP).all()
    assert record.name == "rec"
    names = ["N-S", "E-W"] if chosen == "rec_NS" else ["E-W", "N-S"]
    assert [record.meta["component"], record.meta["transverse_component"]] == names
    assert record.meta["history"][-1] == f"record({', '.join(names)}, U-D)"


@pytest.mark.usefixtures("silent")
def test_folders_archives_and_lists(tmp_path):
    own = component(EAST, "E-W"), component(NORTH, "N-S"), component(UP, "U-D")
    folder = tmp_path / "station"
    folder.mkdir()
    files = written(folder, a_EW=own[0], b_NS=own[1], c_UD=own[2])
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for file in files:
            archive.write(file, file.name)
    whole = rs.Motion(EAST, 0.01, UP, NORTH)
    assert rs.read_record(folder) == whole
    assert rs.read_record(files) == whole
    assert rs.read_record([str(file) for file in files]) == whole
    assert rs.read_record(tmp_path / "all.zip") == whole


def test_components_are_aligned_by_their_start_times(tmp_path):
    begin = {"start_time": "2018-01-24T19:51:00+00:00"}
    later = {"start_time": "2018-01-24T19:51:00.500000+00:00"}
    files = written(
        tmp_path,
        rec_EW=component(EAST[50:], "E-W", **later),
        rec_NS=component(NORTH, "N-S", **begin),
        rec_UD=component(UP[:190], "U-D", **begin),
    )
    with pytest.warns(rs.RocksteadyWarning, match="aligned by their start times"):
        record = rs.read_record(files[0])
    assert not record.accel[:50].any() and (record.accel[50:] == EAST[50:]).all()
    assert (record.transverse == NORTH).all()
    assert (record.vertical[:190] == UP[:190]).all() and not record.vertical[190:].any()
    assert record.meta["start_time"] == begin["start_time"]


def test_lengths_differ_and_no_start_time_is_known(tmp_path):
    files = written(
        tmp_path,
        rec_EW=component(EAST[:150], "E-W"),
        rec_NS=component(NORTH, "N-S"),
        rec_UD=component(UP[::2], "U-D", dt=0.02),
    )
    with pytest.warns(rs.RocksteadyWarning, match=r"E-W 150 × 0.01 s.*taken to begin together"):
        record = rs.read_record(files[0])
    assert (record.npts, record.dt) == (200, 0.01)
    assert (record.accel[:150] == EAST[:150]).all() and not record.accel[150:].any()
    np.testing.assert_allclose(record.vertical[:199:2], UP[:199:2])


def test_a_record_of_another_time_is_not_a_sibling(tmp_path):
    one = component(EAST, "E-W", start_time="2018-01-24T19:51:00")
    other = component(NORTH, "N-S", start_time="2018-01-24T20:51:00")
    files = written(tmp_path, rec_EW=one, rec_NS=other)
    with pytest.warns(rs.RocksteadyWarning, match="no second horizontal and no vertical"):
        assert rs.read_record(files[0]).transverse is None


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["U-D"], "has no horizontal component, only U-D"),
        (
            ["E-W", "N-S", "30"],
            r"3 horizontal and 0 vertical components by their names \(E-W, N-S, 30\)",
        ),
        (["E-W", "U-D", "UP"], "1 horizontal and 2 vertical"),
    ],
)
def test_what_is_not_one_station_is_refused(tmp_path, names, words):
    files = written(tmp_path, **{f"x{i}": component(EAST, name) for i, name in enumerate(names)})
    with pytest.raises(rs.InputError, match=words):
        rs.read_record(files)


def test_missing_components_are_a_warning(tmp_path):
    files = written(tmp_path, rec_EW=component(EAST, "E-W"), rec_NS=component(NORTH, "N-S"))
    with pytest.warns(rs.RocksteadyWarning, match="rec: no vertical component was found"):
        record = rs.read_record(files[0])
    assert record.vertical is None and (record.transverse == NORTH).all()


def test_components_that_are_not_at_right_angles(tmp_path):
    files = written(
        tmp_path,
        rec_0=component(EAST, "10", azimuth=10.0),
        rec_1=component(NORTH, "70", azimuth=70.0),
        rec_2=component(UP, "UP"),
    )
    with pytest.warns(rs.RocksteadyWarning, match="10 and 70 are not at right angles"):
        rs.read_record(files)


@pytest.mark.usefixtures("silent")
def test_plain_numbers_are_told_apart_by_their_names(tmp_path):
    for name, accel in {"tabasFN": EAST, "tabasFP": NORTH, "run_1": UP, "run_2": UP}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(map(repr, accel.tolist())))
    record = read_quietly(tmp_path / "tabasFN.txt", dt=0.01, unit="m/s2")
    assert (record.transverse == NORTH).all() and record.meta["transverse_component"] == "FP"
    assert read_quietly(tmp_path / "run_1.txt", dt=0.01, unit="m/s2").transverse is None


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("form", ["csv", "AT2"])
def test_three_components_are_written_and_read_back(tmp_path, form):
    meta = STATION | {"component": "E-W", "azimuth": 90.0, "transverse_component": "N-S"}
    meta |= {"transverse_azimuth": 0.0, "vertical_component": "U-D"}
    motion = rs.Motion(EAST, 0.01, UP, NORTH, "rec", meta)
    files = write_motion(motion, tmp_path / f"rec.{form}")
    again = rs.read_record(files[0])
    for role, accel in motion.components.items():
        np.testing.assert_allclose(getattr(again, role), accel, rtol=3e-16)
    assert {key: again.meta[key] for key in meta} == meta
    finer = again.resampled(0.005).scaled(2.0)
    assert {key: finer.meta[key] for key in meta} == meta


def test_columns_of_our_own_table_by_their_names(tmp_path):
    meta = {"component": "E-W", "transverse_component": "N-S", "vertical_component": "U-D"}
    (file,) = write_motion(rs.Motion(EAST, 0.01, UP, NORTH, meta=meta), tmp_path / "rec.csv")
    for name, accel in {"E-W": EAST, "N-S": NORTH, "U-D": UP, "a_t": NORTH, "a_h": EAST}.items():
        assert (rs.read_motion(file, name).accel == accel).all()


def test_what_points_down_is_turned_up(tmp_path):
    files = written(
        tmp_path,
        rec_EW=component(EAST, "E-W"),
        rec_NS=component(NORTH, "N-S"),
        rec_DN=component(-UP, "DOWN"),
    )
    record = rs.read_record(files)
    assert (record.vertical == UP).all() and record.meta["vertical_component"] == "UP"


def test_turning_keeps_the_ground_where_it_is():
    meta = {"component": "N-S", "azimuth": 0.0, "transverse_component": "E-W"}
    motion = rs.Motion(NORTH, 0.01, UP, EAST, "rec", meta | {"transverse_azimuth": 90.0})
    by = turned(motion, 30.0)
    x, y = rotate(*split(motion), 30.0)
    assert (by.accel == x.accel).all() and (by.transverse == y.accel).all()
    np.testing.assert_allclose(by.accel, np.cos(np.pi / 6) * NORTH + 0.5 * EAST)
    assert (by.vertical == UP).all()
    assert (by.meta["azimuth"], by.meta["transverse_azimuth"]) == (30.0, 120.0)
    back = turned(by, -30.0)
    np.testing.assert_allclose(back.transverse, motion.transverse, atol=1e-14)
    other = swapped(motion)
    assert (other.accel == EAST).all() and other.meta["component"] == "E-W"
    assert other.meta["transverse_azimuth"] == 0.0
    assert join(*split(motion)) == motion
    with pytest.raises(rs.InputError, match="one horizontal component"):
        split(rs.Motion(NORTH, 0.01))


@pytest.mark.parametrize("first", [0.0, 33.0, 271.0])
def test_three_axes_are_made_right_handed(first):
    """Seen from above y lies to the left of x: 90° less in azimuth, for azimuths turn right."""
    facts = {"azimuth": first, "transverse_azimuth": (first + 90.4) % 360}  # rounded in headers
    record = rs.Motion(NORTH, 0.01, UP, EAST, "rec", facts)
    right = record.right_handed()
    assert (right.accel == NORTH).all() and (right.vertical == UP).all()
    assert (right.transverse == -EAST).all()
    assert right.meta["transverse_azimuth"] == pytest.approx((first + 270.4) % 360)
    assert right.meta["history"] == ("right_handed()  # transverse reversed",)
    assert right.right_handed() is right
    turned_first, turned_last = record.turned(25.0).right_handed(), right.turned(-25.0)
    np.testing.assert_allclose(turned_first.accel, turned_last.accel, atol=1e-14)
    np.testing.assert_allclose(turned_first.transverse, turned_last.transverse, atol=1e-14)


@pytest.mark.parametrize(
    "meta", [{}, {"azimuth": 0.0}, {"azimuth": 0.0, "transverse_azimuth": 45.0}]
)
def test_without_azimuths_at_right_angles_the_axes_stay(meta):
    record = rs.Motion(NORTH, 0.01, None, EAST, "rec", meta)
    assert record.right_handed() is record
    alone = rs.Motion(NORTH, 0.01, meta={"azimuth": 0.0, "transverse_azimuth": 90.0})
    assert alone.right_handed() is alone


@pytest.mark.usefixtures("silent")
def test_real_records_are_made_right_handed(records):
    kobe = rs.read_record(records / "AT2" / "RSN1106_KOBE_KJM000.AT2")
    assert (kobe.right_handed().transverse == -kobe.transverse).all()
    assert kobe.right_handed().meta["transverse_component"] == "270"
    knet = rs.read_record(records / "KNET" / "AOM0081801241951.EW")
    assert (knet.meta["azimuth"], knet.meta["transverse_azimuth"]) == (90.0, 0.0)
    assert knet.right_handed() is knet  # x to the east, y to the north


@pytest.mark.usefixtures("silent")
def test_real_records_of_one_station(records, tmp_path):
    kobe = rs.read_record(records / "AT2" / "RSN1106_KOBE_KJM000.AT2")
    for name, accel in {"000": kobe.accel, "090": kobe.transverse, "-UP": kobe.vertical}.items():
        one = rs.read_motion(records / "AT2" / f"RSN1106_KOBE_KJM{name}.AT2")
        assert (one.accel == accel).all()
    shutil.copytree(records / "KNET", tmp_path / "knet")
    knet = rs.read_record(tmp_path / "knet" / "AOM0081801241951.EW")
    assert knet.meta["transverse_component"] == "N-S" and knet.vertical is not None


@pytest.mark.parametrize("path", ["missing.AT2", ["missing.AT2"]])
def test_a_file_that_is_not_there(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.MotionFormatError, match=r"missing.AT2: cannot be opened"):
        rs.read_record(path)
    with pytest.raises(rs.InputError, match="path = 3 is not a path"):
        rs.read_record(3)
    with pytest.raises(rs.InputError, match="holds no files"):
        rs.read_record(tmp_path)
