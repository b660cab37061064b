"""Each archive's format: real records against their index, ObsPy, our own files, bad files."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocksteady.errors import MotionFormatError, RocksteadyWarning
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.readers.common.words import azimuth_of
from rocksteady.motion.units import unit_factor
from standins import RECORDS

DATA = Path(__file__).parents[2] / "data"
G = 9.80665

# What the hand-made files hold, in m/s²; a second component is -2 times it, a third one half.
I = np.arange(23)
WAVE = 0.001 * np.sin(0.7 * I) * (I + 1) * G


def read_all(path: Path, **options: object) -> dict[str, Motion]:
    """The components by name, also where there is only one."""
    found = read_motion(path, **options)  # type: ignore[call-overload]
    return found if isinstance(found, dict) else {str(found.meta["component"]): found}


# -- real records ---------------------------------------------------------------------------------


def by_file(folder: Path) -> dict[str, list[dict[str, str]]]:
    """The rows of the index by file: a file with several components has several."""
    files: dict[str, list[dict[str, str]]] = {}
    with (folder / "INDEX.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["format"] != "StationXML":  # no record: it belongs to the miniSEED files
                files.setdefault(row["file"], []).append(row)
    return files


def indexed() -> Iterator[object]:
    """The real records."""
    if not (RECORDS / "INDEX.tsv").exists():
        yield pytest.param("", [], marks=pytest.mark.skip(reason="no real records (../shared)"))
        return
    for name, rows in by_file(RECORDS).items():
        marks = [needs_obspy] if rows[0]["format"] in ("miniSEED", "SAC") else []
        yield pytest.param(name, rows, id=name, marks=marks)


def has_obspy() -> bool:
    try:
        import obspy  # noqa: F401
    except ImportError:
        return False
    return True


needs_obspy = pytest.mark.skipif(not has_obspy(), reason="ObsPy is not installed")

# Only what the files do not state themselves; the index names no unit for SAC, and says why g.
TOLD: dict[str, dict[str, object]] = {"plain": {"dt": 0.02, "unit": "g"}, "SAC": {"unit": "g"}}
INDEX_UNITS = {"counts (scaled to gal here)": "gal", "counts (M/S**2 after sensitivity)": "m/s2"}


def index_factor(row: dict[str, str]) -> float:
    """m/s² in the index's unit of PGA."""
    unit = TOLD.get(row["format"], {}).get("unit") or INDEX_UNITS.get(row["units"], row["units"])
    return unit_factor(str(unit))


@pytest.mark.parametrize(("file", "rows"), list(indexed()))
@pytest.mark.filterwarnings("ignore:.*is a copy of:rocksteady.errors.RocksteadyWarning")
def test_every_real_record_agrees_with_its_index(file: str, rows: list[dict[str, str]]) -> None:
    assert_agree(RECORDS / file, rows, TOLD.get(rows[0]["format"], {}))


@pytest.mark.filterwarnings("ignore:.*is a copy of:rocksteady.errors.RocksteadyWarning")
def test_every_generated_record_agrees_with_its_index(generated_records: Path) -> None:
    files = by_file(generated_records)
    assert len(files) > 20
    for file, rows in files.items():
        form = rows[0]["format"]
        if form in ("miniSEED", "SAC") and not has_obspy():
            continue
        told = {"dt": float(rows[0]["dt"]), "unit": "g"} if form == "plain" else TOLD.get(form, {})
        assert_agree(generated_records / file, rows, told)


def assert_agree(path: Path, rows: list[dict[str, str]], told: dict[str, object]) -> None:
    motions = list(read_all(path, **told).values())
    assert len(motions) == len(rows)
    for row, motion in zip(rows, motions, strict=True):  # both in the file's order
        assert motion.dt == pytest.approx(float(row["dt"]), rel=1e-9)
        assert motion.npts == int(row["npts"])
        assert motion.pga == pytest.approx(float(row["PGA"]) * index_factor(row), rel=1e-3)


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("ESM/HI.ARS1..HNE.D.20190728.160908.C.ACC.ASC",
         {"event": "GREECE", "station": "ARS1", "component": "HNE", "azimuth": 90.0,
          "filter": "Butterworth of order 2, 0.1-30 Hz", "origin_time": "20190728 160908"}),
        ("SIMBAD/LAquila_16837_H2_trim.cor.acc",
         {"component": "WE", "azimuth": 90.0, "filter": "0.100 - 50.000 Hz",
          "origin_time": "2009-04-06 01:32:39"}),
        ("KNET/AOM0081801241951.EW",
         {"station": "AOM008", "component": "E-W", "azimuth": 90.0, "magnitude": 6.2,
          "origin_time": "2018-01-24T19:51:00+09:00", "start_time": "2018-01-24T19:51:21+09:00"}),
        ("KIKNET/NGNH351106302345.EW1", {"component": "EW1", "location": "downhole"}),
        ("KIKNET/NGNH351106302345.EW2", {"component": "EW2", "location": "surface"}),
        ("SMC/np01002p_4225a_a.smc",
         {"component": "133", "azimuth": 133.0, "start_time": "1989-10-18T00:04:00",
          "station_name": "APEEL Array #2 - Redwood City"}),
        ("AT2/IELC180.AT2", {"azimuth": 180.0, "filter": "HP=0.2 Hz LP=15.0 Hz"}),
    ],
)  # fmt: skip
def test_metadata_of_real_records(records: Path, file: str, kept: dict[str, object]) -> None:
    motion = read_motion(records / file)
    assert isinstance(motion, Motion)
    assert {key: motion.meta.get(key) for key in kept} == kept


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("ESM/hand_made.ASC",
         {"event": "NOWHERE", "station": "HAND", "component": "HNE", "azimuth": 90.0,
          "filter": "Butterworth of order 2, 0.1-30 Hz", "origin_time": "19990102 123100"}),
        ("SIMBAD/generated_H2_trim.cor.acc",
         {"component": "WE", "azimuth": 90.0, "filter": "0.100 - 40.000 Hz",
          "origin_time": "1999-01-02 12:31:00"}),
        ("KNET/GEN0019901021231.EW",
         {"station": "GEN001", "component": "E-W", "azimuth": 90.0, "magnitude": 5.2,
          "origin_time": "1999-01-02T12:31:00+09:00", "start_time": "1999-01-02T12:31:15+09:00"}),
        ("KIKNET/GENH019901021231.EW1", {"component": "EW1", "location": "downhole"}),
        ("KIKNET/GENH019901021231.EW2", {"component": "EW2", "location": "surface"}),
        ("SMC/hand_made.smc",
         {"component": "133", "azimuth": 133.0, "start_time": "1999-01-02T12:31:10",
          "station_name": "Hand Made"}),
        ("AT2/GEN1_PULSE228.AT2", {"azimuth": 228.0, "station": "Generated"}),
    ],
)  # fmt: skip
def test_metadata_of_generated_records(
    generated_records: Path, file: str, kept: dict[str, object]
) -> None:
    test_metadata_of_real_records(generated_records, file, kept)


def test_components_of_real_files_with_several(records: Path) -> None:
    cosmos = read_all(records / "COSMOS/CE23837.V1C")
    assert list(cosmos) == ["360", "Up", "90"]
    assert [m.meta.get("azimuth") for m in cosmos.values()] == [360.0, None, 90.0]
    assert list(read_all(records / "DMG/CICCC.RAW")) == ["90", "360", "Up"]
    geonet = read_all(records / "GEONET/20180212_211557_WPWS_20.V2A")
    assert [(name, m.meta.get("azimuth")) for name, m in geonet.items()] == [
        ("S16W", 196.0), ("S74E", 106.0), ("Up", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "azimuths"),
    [
        ("COSMOS/hand_made.V1C", {"360": 360.0, "Up": None}),
        ("DMG/hand_made.RAW", {"90": 90.0, "Up": None}),
        ("GEONET/hand_made.V2A", {"S16W": 196.0, "Up": None}),
        ("BBP/generated.bbp", {"N-S": 0.0, "E-W": 90.0, "U-D": None}),
    ],
)
def test_components_of_generated_files_with_several(
    generated_records: Path, file: str, azimuths: dict[str, float | None]
) -> None:
    found = read_all(generated_records / file)
    assert {name: motion.meta.get("azimuth") for name, motion in found.items()} == azimuths


def test_peaks_are_those_of_the_files_own_headers(any_records: Path) -> None:
    """Read from the header by other words than the reader uses."""
    checked = 0
    for path in [*any_records.glob("KNET/*"), *any_records.glob("KIKNET/*")]:
        stated = re.search(r"Max\. Acc\. \(gal\)\s+([\d.]+)", path.read_text())
        assert stated
        (motion,) = read_all(path).values()
        assert motion.pga * 100 == pytest.approx(float(stated[1]), abs=6e-4)
        checked += 1
    for path in any_records.glob("SIMBAD/*"):
        stated = re.search(r"PGA \(m/s/s\)\s*:\s*(\S+)", path.read_text())
        assert stated
        (motion,) = read_all(path).values()
        assert motion.pga == pytest.approx(float(stated[1]), rel=1e-7)
        checked += 1
    assert checked == (14 if any_records == RECORDS else 9)


def test_a_copied_vertical_is_warned_of(records: Path) -> None:
    with pytest.warns(RocksteadyWarning, match=r"2001-SCE\.bbp: U-D is a copy of N-S"):
        three = read_all(records / "BBP/2001-SCE.bbp")
    assert three["U-D"] == three["N-S"] != three["E-W"]


def test_a_copied_vertical_of_a_generated_record_is_warned_of(generated_records: Path) -> None:
    with pytest.warns(RocksteadyWarning, match=r"copied\.bbp: U-D is a copy of N-S"):
        three = read_all(generated_records / "BBP/copied.bbp")
    assert three["U-D"] == three["N-S"] != three["E-W"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_all(generated_records / "BBP/generated.bbp")


# -- against ObsPy --------------------------------------------------------------------------------


@needs_obspy
@pytest.mark.parametrize(
    ("file", "options", "factor"),
    [
        ("KNET/AOM0081801241951.EW", {}, None),
        ("KNET/AOM0081801241951.NS", {}, None),
        ("KNET/AOM0081801241951.UD", {}, None),
        ("KNET/test.knet", {}, None),
        ("KIKNET/NGNH351106302345.EW1", {}, None),
        ("KIKNET/NGNH351106302345.NS2", {}, None),
        ("SAC/20190706031952.CJ.T001230.HNE.sac", {"unit": "g"}, G),
        ("SAC/20190706031952.CJ.T001230.HNZ.sac", {"unit": "g"}, G),
        ("MSEED/CI.CCC..HNE.mseed", {}, 1 / 213979.0),
        ("MSEED/CI.CCC..HNN.mseed", {"sensitivity": 214322.0}, 1 / 214322.0),
    ],
)
def test_samples_equal_those_of_obspy(
    records: Path, file: str, options: dict[str, object], factor: float | None
) -> None:
    import obspy

    (trace,) = obspy.read(str(records / file))
    (motion,) = read_all(records / file, **options).values()
    assert_same(motion, trace, factor)


@needs_obspy
@pytest.mark.parametrize(
    ("file", "options", "factor"),
    [
        ("KNET/GEN0019901021231.EW", {}, None),
        ("KNET/GEN0019901021231.UD", {}, None),
        ("KIKNET/GENH019901021231.EW1", {}, None),
        ("SAC/hand_made.sac", {"unit": "g"}, G),
        ("MSEED/hand_made.mseed", {}, 1 / 21397900.0),
        ("MSEED/hand_made.mseed", {"sensitivity": 214322.0}, 1 / 214322.0),
    ],
)
def test_samples_of_generated_records_equal_those_of_obspy(
    generated_records: Path, file: str, options: dict[str, object], factor: float | None
) -> None:
    import obspy

    found = read_all(generated_records / file, **options)
    traces = obspy.read(str(generated_records / file))
    for motion, trace in zip(found.values(), traces, strict=True):
        assert_same(motion, trace, factor)


def assert_same(motion: Motion, trace: Any, factor: float | None) -> None:
    """``factor`` makes m/s² of a trace's samples; without it the trace says so itself."""
    expected = trace.data.astype(float) * (trace.stats.calib if factor is None else factor)
    offset = expected.mean()
    assert motion.npts == trace.stats.npts
    assert motion.dt == pytest.approx(trace.stats.delta, rel=1e-6)
    assert motion.meta["offset"] == pytest.approx(offset, rel=1e-9)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(motion.accel, expected - offset, rtol=0, atol=4e-15 * scale)
    begun = np.datetime64(str(trace.stats.starttime).rstrip("Z"))
    ours = str(motion.meta["start_time"])
    if ours.endswith("+09:00"):  # Japan
        begun, ours = begun + np.timedelta64(9, "h"), ours.removesuffix("+09:00")
    assert np.datetime64(ours.rstrip("Z")) == begun


# -- our own files --------------------------------------------------------------------------------

MANY: list[tuple[str, float, dict[str, float], float]] = [
    # file, dt, component and its factor, last digit in m/s²
    ("hand_made.ASC", 0.005, {"HNE": 1}, 1e-8),
    ("hand_made.cor.acc", 0.005, {"NS": 1}, 1e-8),
    ("hand_made.V1C", 0.01, {"360": 1, "Up": -2}, 1e-5),
    ("hand_made.V2c", 0.005, {"HNZ": 1}, 1e-7),
    ("hand_made.RAW", 0.005, {"90": 1, "Up": -2}, 1e-5),
    ("hand_made.V2", 0.005, {"90": 1, "Up": -2}, 1e-5),
    ("hand_made.smc", 0.005, {"133": 1}, 1e-5),
    ("hand_made.V2A", 0.02, {"S16W": 1, "Up": -2}, 1e-4),
    ("hand_made.bbp", 0.005, {"N-S": 1, "E-W": -2, "U-D": 0.5}, 1e-7),
    ("HND0019901021231.EW", 1 / 23, {"E-W": 1}, 1e-5),
    ("HNDH019901021231.NS1", 1 / 23, {"NS1": 1}, 1e-5),
    pytest.param("hand_made.mseed", 0.005, {"HNE": 1, "HNZ": -2}, 1e-7, marks=needs_obspy),
    pytest.param("hand_made.sac", 0.005, {"HNE": 1}, 1e-7, marks=needs_obspy),
]
WITHOUT_MEAN = (".EW", ".NS1", ".mseed", ".sac")  # what bare sensors give


@pytest.mark.parametrize(("file", "dt", "components", "digit"), MANY)
def test_our_own_files(
    file: str, dt: float, components: dict[str, float], digit: float, tmp_path: Path
) -> None:
    options = {"unit": "g"} if file.endswith(".sac") else {}
    motions = read_all(DATA / file, **options)
    assert list(motions) == list(components)
    for name, motion in motions.items():
        wave = components[name] * WAVE
        expected = wave - wave.mean() if file.endswith(WITHOUT_MEAN) else wave
        np.testing.assert_allclose(motion.accel, expected, rtol=0, atol=digit)
        assert motion.dt == pytest.approx(dt, rel=1e-11)
        assert motion.meta["component"] == name
        assert motion.meta["file"] == file and motion.meta["format"]
        assert read_motion(DATA / file, name.lower(), **options) == motion
    # by content, not by name
    if file != "hand_made.mseed":  # which needs what lies beside it
        other = tmp_path / "x.dat"
        other.write_bytes((DATA / file).read_bytes())
        assert list(read_all(other, **options).values()) == list(motions.values())


def test_metadata_of_our_own_files() -> None:
    def meta(file: str) -> dict[str, object]:
        return dict(next(iter(read_all(DATA / file).values())).meta)

    esm = meta("hand_made.ASC")
    assert (esm["event"], esm["station_name"], esm["magnitude"]) == (
        "NOWHERE", "Hand Made, Città", 5.2,
    )  # fmt: skip
    dmg = meta("hand_made.V2")
    assert dmg["origin_time"] == "01/02/99, 12:31:00.0 UTC" and dmg["azimuth"] == 90.0
    assert "0.10 and 40.0 Hz" in str(dmg["filter"]).replace(" .10", " 0.10")
    assert meta("hand_made.V2c")["filter"] == "0.1-30 Hz"
    assert meta("hand_made.bbp")["station"] == "HAND"
    assert meta("HNDH019901021231.NS1")["location"] == "downhole"
    knet = meta("HND0019901021231.EW")
    assert knet["start_time"] == "1999-01-02T12:31:15+09:00" and knet["pre_trigger"] == 15.0
    assert "event" not in knet  # what a file does not state is not there


def test_velocities_are_differentiated_on_request() -> None:
    with pytest.raises(MotionFormatError, match=r"holds a velocity.*differentiate=True"):
        read_motion(DATA / "hand_made.VT2")
    motion = read_motion(DATA / "hand_made.VT2", differentiate=True)
    assert isinstance(motion, Motion)  # 0.5 cm/s more every 0.01 s
    np.testing.assert_allclose(motion.accel, 0.5, rtol=1e-12)


def test_displacements_are_differentiated_twice(tmp_path: Path) -> None:
    t = np.arange(2001) * 0.005
    header = "PEER\nEvent, 1/1/2000, Station, 0\nDISPLACEMENT TIME SERIES IN UNITS OF CM\n"
    rows = "\n".join(f"{x:.12e}" for x in 100 * np.sin(2 * t))
    path = tmp_path / "a.DT2"
    path.write_text(f"{header}NPTS= {t.size}, DT= 0.005 SEC\n{rows}\n")
    motion = read_motion(path, differentiate=True)
    assert isinstance(motion, Motion)
    error = np.abs(motion.accel + 4 * np.sin(2 * t))[2:-2].max()
    assert error < 4 * (2 * 0.005) ** 2  # second order: (2·dt)²/3 of the amplitude, and two passes
    with pytest.raises(MotionFormatError, match="'KM' is not a unit of displacement"):
        path.write_text(path.read_text().replace("OF CM", "OF KM"))
        read_motion(path, differentiate=True)


def test_a_bbp_file_of_velocities(tmp_path: Path) -> None:
    path = tmp_path / "v.bbp"
    path.write_text((DATA / "hand_made.bbp").read_text().replace("(cm/s/s)", "(cm/s)"))
    with pytest.raises(MotionFormatError, match="holds a velocity"):
        read_motion(path)
    three = read_all(path, differentiate=True)
    assert three["N-S"].accel[1] == pytest.approx((WAVE[2] - WAVE[0]) / 0.01, rel=1e-5)


# -- bad files ------------------------------------------------------------------------------------

Edit = Callable[[str], str]


def replaced(old: str, new: str, count: int = -1) -> Edit:
    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, count)

    return edit


def cut(share: float) -> Edit:
    return lambda text: text[: int(share * len(text))]


@pytest.mark.parametrize(
    ("file", "edit", "reason"),
    [
        ("hand_made.ASC", replaced("NDATA: 23", "NDATA: 24"), "line 30: .*declares 24 samples"),
        ("hand_made.ASC", replaced("NDATA: 23", "NDATA: 2000000000"), "line 30: .* 2000000000 "),
        ("hand_made.ASC", replaced("NDATA: 23", "NDATA: many"), "line 30: NDATA is 'many'"),
        ("hand_made.ASC", replaced("_S: 0.005000", "_S: 0"), "line 29: dt = 0 s"),
        ("hand_made.ASC", replaced("UNITS: cm/s^2", "UNITS: apples"), "'apples' is not a unit"),
        ("hand_made.ASC", replaced("DATA_TYPE: ACC", "DATA_TYPE: SA"), "line 50: holds 'saele"),
        ("hand_made.ASC", replaced("DATA_TYPE: ACCELERATION", "DATA_TYPE: VELOCITY"), "holds a"),
        ("hand_made.ASC", replaced("-", "\x00-"), "line"),
        ("hand_made.ASC", cut(0.95), "line 30: .*declares 23 samples, but"),
        ("hand_made.cor.acc", replaced(": 23", ": 22"), "line 8: .*declares 22 samples, but 23"),
        ("hand_made.cor.acc", replaced(": 0.005", ": 0"), "line 7: dt = 0 s"),
        ("hand_made.cor.acc", replaced("in m/s/s", "in ells"), "'ells' is not a unit"),
        ("hand_made.cor.acc", replaced("time series", "tunes"), "has no line 'Acceleration time"),
        ("hand_made.V1C", replaced("  23 acc", "  24 acc", 1), "'End-of-data' is not a finite num"),
        ("hand_made.V1C", replaced("  23 acc", "  22 acc", 1), "line 51: 22 numbers are"),
        ("hand_made.V1C", replaced("  23 acc", "999999999999 acc", 1), "line 52: 'End-of-data'"),
        ("hand_made.V1C", replaced("units=g ", "units=q "), "'q' is not a unit"),
        ("hand_made.V1C", replaced("10.000000", " 0.000000"), "dt = 0 s"),
        ("hand_made.V1C", cut(0.49), "line 51: the file ends after"),
        ("hand_made.V1C", replaced("Real-header values follow", "Reals fill"), "like '100 R"),
        ("hand_made.RAW", replaced("   23 Acc", "   24 Acc", 1), "line 32: '/&' is not a fin"),
        ("hand_made.RAW", replaced("   23 Acc", "   22 Acc", 1), "more follow"),
        ("hand_made.RAW", replaced("   23 Acc", "   16 Acc", 1), "declares 16 numbers, but more"),
        ("hand_made.RAW", replaced("   23 Acc", "2000000000 Acc", 1), "line 32: '/&'"),
        ("hand_made.RAW", replaced("200 pts/sec", "0 pts/sec"), "line 28: dt = nan s"),
        ("hand_made.RAW", replaced("of g.  ", "of q.  "), "'q' is not a unit"),
        ("hand_made.V2", replaced("at  .005 sec, in cm/sec2", "at  0 sec, in cm/sec2"), "dt = 0 s"),
        ("hand_made.V2", replaced("points of accel", "points of smell"), "has no line"),
        ("hand_made.smc", replaced("        23", "        24"), "line 14: .*declares 24 samples"),
        ("hand_made.smc", replaced("0.2000000E+03", "0.0000000E+00"), "line 18: dt = nan s"),
        ("hand_made.smc", replaced("2 CORRECTED ACCELEROGRAM", "5 RESPONSE SPECTRA"), "1: '5 R"),
        ("hand_made.smc", cut(0.97), "declares 23 samples"),
        ("hand_made.V2A", replaced("      23      23", "      24      23"), "24, 23, 23. samples"),
        ("hand_made.V2A", replaced(" 23      23      23", " 23      -1      23"), "23, -1, 23"),
        ("hand_made.V2A", replaced("at 0.020 sec", "at 0 sec"), "line 11: dt = 0 s"),
        ("hand_made.V2A", replaced("mm/s/s at", "furlongs at"), "'furlongs' is not a unit"),
        ("hand_made.V2A", cut(0.9), "line"),
        ("hand_made.bbp", cut(0.98), "numbers, not 4: the file is cut or damaged"),
        ("hand_made.bbp", replaced("1.500000e-02", "2.500000e-02"), "time column is not uniform"),
        ("hand_made.bbp", replaced("N-S(cm/s/s)", "N-S(parsec)"), "'parsec' is not a unit"),
        ("HND0019901021231.EW", replaced("Time(s)  1", "Time(s)  2"), "line 12: .*46 samples"),
        ("HND0019901021231.EW", replaced(" 23Hz", " 0Hz"), "line 11: Sampling Freq"),
        ("HND0019901021231.EW", replaced("/6182761", "/0"), "line 14: the scale factor"),
        ("HND0019901021231.EW", replaced("Station Lat.", "Station Cat."), "line 7: should begin"),
        ("HND0019901021231.EW", replaced("3920(gal)", "3920(mgal)"), "line 14: the scale factor"),
        ("HND0019901021231.EW", cut(0.9), "but"),
    ],
)  # fmt: skip
def test_bad_files(tmp_path: Path, file: str, edit: Edit, reason: str) -> None:
    path = tmp_path / file
    path.write_text(edit((DATA / file).read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(MotionFormatError, match=rf"^{re.escape(file)}(?s:.*){reason}"):
        read_motion(path)


@needs_obspy
def test_counts_need_a_sensitivity(tmp_path: Path) -> None:
    path = tmp_path / "a.mseed"
    path.write_bytes((DATA / "hand_made.mseed").read_bytes())
    with pytest.raises(
        MotionFormatError, match=r"a\.mseed: holds counts of HM\.HAND\.\.HNE.*sensi"
    ):
        read_motion(path)
    (tmp_path / "other.xml").write_text("<nonsense/>")
    given = read_all(path, sensitivity=21397900.0)
    assert given == read_all(DATA / "hand_made.mseed")
    assert read_all(path, unit="cm/s2")["HNE"].pga == pytest.approx(given["HNE"].pga * 213979)
    with pytest.raises(MotionFormatError, match="both sensitivity= and unit="):
        read_motion(path, sensitivity=1.0, unit="g")
    (tmp_path / "beside.xml").write_text(
        (DATA / "hand_made.xml").read_text().replace("M/S**2", "furlong")
    )
    with pytest.raises(MotionFormatError, match="counts per 'furlong'"):
        read_motion(path)


@needs_obspy
def test_a_gap_is_no_motion(tmp_path: Path) -> None:
    import obspy

    stream = obspy.read(str(DATA / "hand_made.mseed"))[:1]
    late = stream[0].copy()
    late.stats.starttime += 1.0
    path = tmp_path / "gap.mseed"
    obspy.Stream([stream[0], late]).write(str(path), format="MSEED")
    with pytest.raises(MotionFormatError, match=r"HM\.HAND\.\.HNE has a gap 0\.115 s after"):
        read_motion(path, sensitivity=1.0)


@needs_obspy
def test_a_sac_file_that_claims_too_much(tmp_path: Path) -> None:
    raw = bytearray((DATA / "hand_made.sac").read_bytes())
    with pytest.raises(MotionFormatError, match=r"hand_made\.sac: no unit is stated"):
        read_motion(DATA / "hand_made.sac")
    raw[316:320] = (2_000_000_000).to_bytes(4, "little")
    path = tmp_path / "a.sac"
    path.write_bytes(raw)
    with pytest.raises(MotionFormatError, match="declares 2000000000 samples, but 23 follow"):
        read_motion(path, unit="g")


@pytest.mark.parametrize("file", ["hand_made.mseed", "hand_made.sac"])
def test_without_obspy_a_sentence_says_what_to_install(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "obspy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "obspy", None)
    with pytest.raises(MotionFormatError, match=r'needs ObsPy.*pip install "rocksteady\[obspy\]"'):
        read_motion(DATA / file, unit="g")


@pytest.mark.parametrize(
    ("word", "degrees"),
    [("90", 90), ("360 Deg", 360), ("S16W", 196), ("S74E", 106), ("N30W", 330), ("N05E", 5),
     ("E-W", 90), ("WE", 90), ("NS", 0), ("HNE", 90), ("BNN", 0), ("HNZ", None), ("Up", None),
     ("999", None), ("", None)],
)  # fmt: skip
def test_azimuths(word: str, degrees: float | None) -> None:
    assert azimuth_of(word) == degrees


def test_reading_warns_of_nothing_without_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for file in sorted(DATA.glob("hand_made.[ARcVbs]*")):
            if file.suffix not in (".VT2", ".sac"):
                read_motion(file)
