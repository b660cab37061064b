"""Records of the world's other networks: real ones, hand-made ones, and what varies among them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocksteady.errors import MotionFormatError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.upwards import is_vertical

DATA = Path(__file__).parents[2] / "data"
G = 9.80665

# What the hand-made files hold, in m/s²; a second component is -2 times it, a third one half.
I = np.arange(23)
WAVE = 0.001 * np.sin(0.7 * I) * (I + 1) * G


def read_all(path: Path, **options: Any) -> dict[str, Motion]:
    """The components by name, also where there is only one."""
    found = read_motion(path, **options)
    return found if isinstance(found, dict) else {str(found.meta["component"]): found}


# -- real records ---------------------------------------------------------------------------------

# By file: of each component the samples, the step [s] and the header's peak [gal]; then facts.
REAL: list[tuple[str, dict[str, tuple[int, float, float | None]], dict[str, object]]] = [
    ("BHRC/bhrc_5520-1.V1",
     {"L": (15616, 0.005, None), "V": (15616, 0.005, None), "T": (15616, 0.005, None)},
     {"format": "BHRC", "station": "Ahar", "record": "5520/01", "azimuth": 82.0, "magnitude": 6.1,
      "origin_time": "2012/08/11 12:23:16"}),
    ("CWA/cwa_1-EAS.dat",
     {"U": (6000, 0.02, 0.837), "N": (6000, 0.02, 2.273), "E": (6000, 0.02, 1.017)},
     {"format": "CWA", "station": "EAS", "station_name": "Anshuo", "azimuth": 90.0,
      "magnitude": 6.0,
      "origin_time": "2018-02-06T23:50:42+08:00", "start_time": "2018-02-06T23:50:29+08:00"}),
    ("NSMN/nsmn_0921.txt",
     {"N-S": (28683, 0.01, 13.200332), "E-W": (28683, 0.01, 12.163827),
      "U-D": (28683, 0.01, 9.840572)},
     {"format": "NSMN/AFAD", "station": "0921", "magnitude": 6.5,
      "station_name": "AYDıN GERMENCIK DEVLET HASTANESI",
      "origin_time": "2017-07-20T22:31:09+00:00", "start_time": "2017-07-20T22:30:58+00:00"}),
    ("RENADIC/renadic_copiapo.v1",
     {"EW": (7000, 0.01, 0.030 * 980.665), "NZ": (7000, 0.01, 0.016 * 980.665),
      "Z": (7000, 0.01, 0.008 * 980.665)},
     {"format": "RENADIC", "station": "COPIAPO", "event": "MAULE 2010",
      "origin_time": "2010-02-27T02:45:26+00:00", "start_time": "2010-02-27T02:45:46+00:00"}),
    ("UNAM/unam_CUP50401.012",
     {"V": (17500, 0.004, 0.47), "N90E": (17500, 0.004, 1.19), "N00E": (17500, 0.004, 1.22)},
     {"format": "ASA", "station": "CUP5", "azimuth": 0.0, "magnitude": 5.8,
      "origin_time": "2004/01/01 23:58:02.7", "start_time": "2004-01-02T00:00:01+00:00",
      "note": "2 samples after the 17500 that the header declares are left out"}),
    ("USC/usc_017m30bt.s0a", {"N08W": (1887, 0.02, 242.3945)},
     {"format": "USC", "station": "0061", "event": "NORTHRIDGE EARTHQUAKE", "azimuth": 352.0,
      "magnitude": 6.7, "origin_time": "JAN 17, 1994 -1230 GMT",
      "station_name": "BIG TUJUNGA STATION, ANGELES NATIONAL FOREST, CA"}),
    ("SMC/smc_sma_0444a.smc", {"65": (59311, 0.0005, 80.19088)},
     {"format": "USGS SMC", "station": "DVD0A", "azimuth": 65.0, "magnitude": 7.1,
      "note": "20620 uneven points in the file, joined by straight lines: a sample every 0.0005 s; "
              "8 numbers after the 41240 that the header declares are left out"}),
    ("DMG/dmg_LA116TH.RAW",
     {"90": (59999, 0.001, 0.2 * 980.665), "UP": (59998, 0.001, 0.06 * 980.665),
      "360": (59997, 0.001, 0.143 * 980.665)},
     {"format": "CSMIP/DMG", "station": "14403", "event": "NORTHRIDGE EARTHQUAKE",
      "azimuth": 360.0, "magnitude": 6.7, "origin_time": "01/17/94, 12:30:55.4 GMT",
      "start_time": "01/17/94, 12:31:04.1 UTC",
      "note": "11998 uneven points in the file, joined by straight lines: a sample every 0.001 s"}),
    ("COSMOS/cosmos12.v1", {"340": (7000, 0.01, 161.962)},
     {"format": "COSMOS", "station": "CE-J2236", "azimuth": 340.0,
      "event": "Somewhere in Los Angeles, CA June 16,2005 13:53 PDT"}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "wanted", "facts"), REAL, ids=[row[0] for row in REAL])
def test_real_records_of_other_networks(
    more_records: Path,
    file: str,
    wanted: dict[str, tuple[int, float, float | None]],
    facts: dict[str, object],
) -> None:
    found = read_all(more_records / file)
    assert {name: (one.npts, one.dt) for name, one in found.items()} == {
        name: (npts, dt) for name, (npts, dt, _) in wanted.items()
    }
    for name, (_, _, peak) in wanted.items():
        if peak is not None:  # RENADIC and CDMG print it to 0.001 g
            printed = ("RENADIC", "DMG", "hand_made_renadic", "hand_made_film")
            rounding = 0.5 if file.startswith(printed) else 0.005
            assert found[name].pga * 100 == pytest.approx(peak, abs=rounding)
    last = found[list(wanted)[-1]]
    assert {key: last.meta.get(key) for key in facts} == facts


# Stand-ins, in the same words: the wave's peak [gal], once, twice or half of it
ONE = float(np.abs(WAVE).max()) * 100
HAND_MADE: list[tuple[str, dict[str, tuple[int, float, float | None]], dict[str, object]]] = [
    ("hand_made_bhrc.V1",
     {"L": (23, 0.005, ONE), "V": (23, 0.005, 2 * ONE), "T": (23, 0.005, ONE / 2)},
     {"format": "BHRC", "station": "Nowhere", "record": "0007/01", "azimuth": 82.0,
      "magnitude": 5.2, "origin_time": "1999/01/02 12:31:00"}),
    ("hand_made_cwa.dat",
     {"U": (23, 0.005, 2 * ONE), "N": (23, 0.005, ONE), "E": (23, 0.005, ONE / 2)},
     {"format": "CWA", "station": "HND", "station_name": "Nowhere", "azimuth": 90.0,
      "origin_time": "1999-01-02T20:31:00+08:00",
      "start_time": "1999-01-02T20:31:10.500000+08:00"}),
    ("hand_made_nsmn.txt",
     {"N-S": (23, 0.005, ONE), "E-W": (23, 0.005, 2 * ONE), "U-D": (23, 0.005, ONE / 2)},
     {"format": "NSMN/AFAD", "station": "0007", "magnitude": 5.2,
      "station_name": "HIÇBIR YER, ıĞDıR", "origin_time": "1999-01-02T12:31:00+00:00"}),
    ("hand_made_renadic.v1",
     {"EW": (23, 0.01, ONE), "NS": (23, 0.01, 2 * ONE), "Z": (23, 0.01, ONE / 2)},
     {"format": "RENADIC", "station": "NOWHERE", "event": "HAND MADE 1999",
      "start_time": "1999-01-02T12:31:10.500000+00:00"}),
    ("hand_made_asa.012",
     {"V": (23, 0.005, 2 * ONE), "N90E": (23, 0.005, ONE), "N00E": (23, 0.005, ONE / 2)},
     {"format": "ASA", "station": "HAND", "azimuth": 0.0, "magnitude": 5.2,
      "origin_time": "1999/01/02 12:31:00.0", "start_time": "1999-01-02T12:31:10+00:00"}),
    ("hand_made_usc.s0a", {"N08W": (23, 0.005, ONE)},
     {"format": "USC", "station": "0007", "event": "HAND MADE EARTHQUAKE", "azimuth": 352.0,
      "origin_time": "JAN 2, 1999 -1231 GMT", "station_name": "NOWHERE 7, CA"}),
    ("hand_made_film.smc", {"133": (63, 0.0005, None)},
     {"format": "USGS SMC", "station": "HAND", "azimuth": 133.0, "magnitude": 5.2}),
    ("hand_made_film.RAW", {"90": (111, 0.001, ONE), "UP": (111, 0.001, 2 * ONE)},
     {"format": "CSMIP/DMG", "station": "00007", "event": "HAND MADE EARTHQUAKE",
      "origin_time": "01/02/99, 12:31:00.0 GMT", "start_time": "01/02/99, 12:31:10.5 UTC"}),
    ("hand_made_end.v1", {"360": (23, 0.01, ONE)},
     {"format": "COSMOS", "station": "HM-HAND", "azimuth": 360.0,
      "event": "Hand made, Nowhere Jan 2, 1999 UTC"}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "wanted", "facts"), HAND_MADE, ids=[row[0] for row in HAND_MADE])
def test_hand_made_records_of_other_networks(
    file: str, wanted: dict[str, tuple[int, float, float | None]], facts: dict[str, object]
) -> None:
    test_real_records_of_other_networks(DATA, file, wanted, facts)


def test_every_file_of_the_folder_is_read_unaided(more_records: Path) -> None:
    files = sorted(more_records.glob("*/*"))
    assert {row[0] for row in REAL} <= {path.relative_to(more_records).as_posix() for path in files}
    for path in files:
        assert all(0 < one.pga < 3 * G for one in read_all(path).values()), path.name


def test_every_hand_made_file_is_read_unaided() -> None:
    files = sorted(DATA.glob("hand_made_*"))
    assert {row[0] for row in HAND_MADE} <= {path.name for path in files}
    for path in files:
        assert all(0 < one.pga < 3 * G for one in read_all(path).values()), path.name


def test_real_records_on_the_command_line(
    more_records: Path, rocksteady: Callable[..., Any], tmp_path: Path
) -> None:
    files = [more_records / row[0] for row in REAL]
    assert_the_command_reads(rocksteady, files, 21, more_records / "USC/usc_017m30bt.s0a", tmp_path)


def test_hand_made_records_on_the_command_line(
    rocksteady: Callable[..., Any], tmp_path: Path
) -> None:
    files = [DATA / row[0] for row in HAND_MADE]
    assert_the_command_reads(rocksteady, files, 20, DATA / "hand_made_usc.y0a", tmp_path)


def assert_the_command_reads(
    rocksteady: Callable[..., Any], files: list[Path], count: int, film: Path, here: Path
) -> None:
    done = rocksteady("motion", "info", *files, "--json")
    assert done.code == 0 and done.out.count('"pga_g"') == count, done.err
    assert rocksteady("motion", "plot", film, "-o", "film.png").code == 0
    assert rocksteady("motion", "convert", film, "--to", "csv").code == 0
    again = read_motion(here / f"{film.stem}.csv")
    assert isinstance(again, Motion) and again == read_motion(film)


# -- hand-made files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "components", "tolerance"),
    [
        ("hand_made_bhrc.V1", {"L": 1.0, "V": -2.0, "T": 0.5}, 1e-6),
        ("hand_made_cwa.dat", {"U": -2.0, "N": 1.0, "E": 0.5}, 5e-6),
        ("hand_made_nsmn.txt", {"N-S": 1.0, "E-W": -2.0, "U-D": 0.5}, 1e-6),
        ("hand_made_renadic.v1", {"EW": 1.0, "NS": -2.0, "Z": 0.5}, 5e-4),
        ("hand_made_asa.012", {"V": -2.0, "N90E": 1.0, "N00E": 0.5}, 5e-6),
        ("hand_made_usc.s0a", {"N08W": 1.0}, 5e-6),
        ("hand_made_csmnc.dat", {"EW": 1.0}, 1e-6),
        ("hand_made_exsim.acc", {"horizontal": 1.0}, 1e-4),
        ("hand_made_end.v1", {"360": 1.0}, 5e-6),
    ],
)
def test_hand_made_files(file: str, components: dict[str, float], tolerance: float) -> None:
    found = read_all(DATA / file)
    assert list(found) == list(components)
    for name, factor in components.items():
        np.testing.assert_allclose(found[name].accel, factor * WAVE, atol=tolerance)
        assert found[name].dt == (
            0.01 if file in ("hand_made_renadic.v1", "hand_made_end.v1") else 0.005
        )
        assert found[name].meta["component"] == name
        assert read_motion(DATA / file, name) == found[name]


@pytest.mark.parametrize(
    ("file", "vertical"),
    [("bhrc.V1", "V"), ("cwa.dat", "U"), ("nsmn.txt", "U-D"), ("renadic.v1", "Z"),
     ("asa.012", "V"), ("film.RAW", "UP")],
)  # fmt: skip
def test_which_component_is_vertical(file: str, vertical: str) -> None:
    found = read_all(DATA / f"hand_made_{file}")
    assert [name for name, one in found.items() if is_vertical(one)] == [vertical]


# -- film: uneven points --------------------------------------------------------------------------

UNEVEN = np.cumsum([0] + [5, 5, 4, 6, 5] * 4 + [3, 7]) / 1000  # s


@pytest.mark.parametrize("file", ["hand_made_film.RAW", "hand_made_usc.y0a"])
def test_uneven_points_keep_every_corner(file: str) -> None:
    """Samples on the grid of the printed times are the file's own line, not one close to it."""
    one = next(iter(read_all(DATA / file).values()))
    wanted = np.interp(one.time, UNEVEN, np.round(10 * WAVE / G, 3) * G / 10)
    assert one.dt == 0.001 and one.npts == 111
    np.testing.assert_allclose(one.accel, wanted, atol=1e-12)
    said = "23 uneven points in the file, joined by straight lines: a sample every 0.001 s"
    assert one.meta["note"] == said
    assert one.meta["history"] == (f"read({file})  # {said}",)


def test_uneven_points_at_a_step_of_ones_own() -> None:
    one = read_all(DATA / "hand_made_film.RAW", dt=0.0025)["90"]
    wanted = np.interp(np.arange(45) * 0.0025, UNEVEN, np.round(10 * WAVE / G, 3) * G / 10)
    assert one.dt == 0.0025
    np.testing.assert_allclose(one.accel, wanted, atol=1e-12)
    assert "a sample every 0.0025 s" in one.meta["note"]


def test_times_with_more_digits_than_matter() -> None:
    """SMC prints five digits of each time, however early: samples at half the spacing or less."""
    one = read_motion(DATA / "hand_made_film.smc")
    assert isinstance(one, Motion) and one.dt == 0.0005
    times = np.cumsum([0, *(0.0014 + 0.0003 * np.sin(np.arange(22)))])
    np.testing.assert_allclose(one.accel, np.interp(one.time, times, WAVE), atol=1e-4)


def pairs_file(folder: Path, times: list[float], values: list[float], margin: str = "") -> Path:
    """A film record with these points [s, g/10], in columns of seven characters."""
    lines = (DATA / "hand_made_film.RAW").read_text().split("\n")
    head = [line.replace("=     23", f"= {len(times):6d}") for line in lines[:27]]
    head[10] = re.sub(r"LENGTH.*", f"LENGTH = {np.ptp(times):6.3f} SEC", head[10])
    head[11] = "UNITS OF UNCOR ACCEL ARE SEC AND G/10."
    cells = [f"{number:7.3f}" for pair in zip(times, values, strict=True) for number in pair]
    rows = [margin + "".join(cells[i : i + 10]) for i in range(0, len(cells), 10)]
    path = folder / "film.RAW"
    path.write_text("\n".join([*head, *rows, "/& END"]))
    return path


@pytest.mark.parametrize("dt", [0.02, 0.005, 1 / 240])  # the last one is rounded in print
def test_even_points_are_left_as_they_are(tmp_path: Path, dt: float) -> None:
    values = np.round(np.sin(np.arange(480)), 3)
    one = read_motion(pairs_file(tmp_path, [i * dt for i in range(480)], list(values)))
    assert isinstance(one, Motion) and "note" not in one.meta
    assert one.dt == pytest.approx(dt, rel=1e-9)
    np.testing.assert_allclose(one.accel, values * G / 10)


def test_a_missing_sample_is_not_rounding(tmp_path: Path) -> None:
    times = [i * 0.01 for i in range(1000) if i != 500]
    one = read_motion(pairs_file(tmp_path, times, [0.1] * 999))
    assert isinstance(one, Motion) and one.npts == 1000 and "999 uneven points" in one.meta["note"]


@pytest.mark.parametrize("margin", ["", " "])
def test_columns_that_touch_from_100_s_on(tmp_path: Path, margin: str) -> None:
    times = [99.98 + 0.005 * i for i in range(12)]
    values = [-1.234, 2.5] * 6
    path = pairs_file(tmp_path, times, values, margin)
    assert "  2.500100.0" in path.read_text()
    one = read_motion(path)
    assert isinstance(one, Motion) and one.dt == 0.005
    np.testing.assert_allclose(one.accel, np.array(values) * G / 10)


def test_times_that_go_back_or_leave_a_gap_without_end(tmp_path: Path) -> None:
    with pytest.raises(MotionFormatError, match=r"film.RAW, line 28: time goes back from 0.02 to"):
        read_motion(pairs_file(tmp_path, [0, 0.01, 0.02, 0.015, 0.03], [0.1] * 5))
    with pytest.raises(MotionFormatError, match=r"51 points lie 0.01 s apart and reach over 900"):
        read_motion(pairs_file(tmp_path, [*np.arange(50) / 100, 900.0], [0.1] * 51))
    with pytest.raises(MotionFormatError, match="all points have the same time"):
        read_motion(pairs_file(tmp_path, [1.0, 1.0, 1.0], [0.1] * 3))


# -- what contradicts the header ------------------------------------------------------------------

PEAKS = {  # what stands in the header, and what would be another peak
    "hand_made_cwa.dat": (b"-40.801", b"-90.801"),
    "hand_made_nsmn.txt": (b"(E-W) 40.", b"(E-W) 90."),
    "hand_made_renadic.v1": (b"MAX  =  0.021 G", b"MAX  =  0.210 G"),
    "hand_made_asa.012": (b"/-40.80/20.40", b"/-40.80/2.040"),
    "hand_made_usc.s0a": (b"ACCELERATION =   20.40", b"ACCELERATION =   2.040"),
    "hand_made_csmnc.dat": (b"PEAK VALUE:       20.401", b"PEAK VALUE:       2040.1"),
    "hand_made_exsim.acc": (b"acceleration:  20.40", b"acceleration:  353.4"),
    "hand_made_end.v1": (b"0.020803", b"0.208030"),
    "hand_made_film.RAW": (b"MAX  =   .021 G", b"MAX  =   .210 G"),
    "hand_made_film.smc": (b"0.2040", b"0.9040"),
}


@pytest.mark.parametrize("file", sorted(PEAKS))
def test_a_peak_that_contradicts_the_header(tmp_path: Path, file: str) -> None:
    raw, (stated, other) = (DATA / file).read_bytes(), PEAKS[file]
    assert stated in raw
    path = tmp_path / file
    path.write_bytes(raw.replace(stated, other, 1))
    with pytest.raises(MotionFormatError, match=rf"{file}, line \d+: the header states a peak of "):
        read_motion(path)


def test_the_peak_of_a_record_that_goes_on_in_another_file(tmp_path: Path) -> None:
    """A peak before the first sample is the whole record's: a bound, not this part's peak."""
    raw = (DATA / "hand_made_renadic.v1").read_bytes()
    path = tmp_path / "part2.v1"
    stated = b"MAX  =  0.021 G, AT 100.100 SEC"
    assert stated in raw
    path.write_bytes(raw.replace(stated, b"MAX  =  0.033 G, AT  -5.070 SEC"))
    assert read_all(path)["EW"] == read_all(DATA / "hand_made_renadic.v1")["EW"]
    path.write_bytes(raw.replace(stated, b"MAX  =  0.011 G, AT  -5.070 SEC"))
    with pytest.raises(MotionFormatError, match=r"states a peak of 0\.011 G for component EW"):
        read_motion(path)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("bhrc.V1", "declares 23 points, but 10 numbers follow"),
        ("cwa.dat", "declares 0.115 s of 200 Hz, that is 23 samples, but 11 follow"),
        ("nsmn.txt", "ends after 33 numbers where its header declares 69"),
        ("renadic.v1", "declares 23 points, that is 46 numbers, but 20 follow"),
        ("asa.012", "ends after 33 numbers where its header declares 69"),
        ("usc.y0a", "declares 23 points, that is 46 numbers, but 20 follow"),
        ("csmnc.dat", "ends after 8 numbers where its header declares 23"),
        ("exsim.acc", "ends after 22 numbers where its header declares 46"),
        ("film.smc", "declares 46 numbers, in pairs of time and value, but 24 follow"),
    ],
)
def test_a_file_that_was_cut(tmp_path: Path, file: str, reason: str) -> None:
    """The header and half of the rows: a sentence, with the line."""
    lines = (DATA / f"hand_made_{file}").read_bytes().split(b"\n")
    first = {"bhrc.V1": 27, "cwa.dat": 22, "nsmn.txt": 18, "renadic.v1": 27, "usc.y0a": 27,
             "csmnc.dat": 16, "exsim.acc": 16, "film.smc": 29, "asa.012": 59}[file]  # fmt: skip
    kept = {"bhrc.V1": 1, "renadic.v1": 2, "usc.y0a": 2, "csmnc.dat": 1, "film.smc": 3}.get(
        file, 11
    )
    path = tmp_path / file
    path.write_bytes(b"\n".join(lines[: first + kept]) + b"\n")
    with pytest.raises(MotionFormatError, match=f"^{file}, line .*{reason}"):
        read_motion(path)
