"""What differs among files of one network: columns, units, rates, languages, spectra and counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocksteady.errors import MotionFormatError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.upwards import is_vertical

DATA = Path(__file__).parents[2] / "data"
G = 9.80665
I = np.arange(23)
WAVE = 0.001 * np.sin(0.7 * I) * (I + 1) * G  # m/s², as in the hand-made files


def read_all(path: Path, **options: Any) -> dict[str, Motion]:
    found = read_motion(path, **options)
    return found if isinstance(found, dict) else {str(found.meta["component"]): found}


def changed(folder: Path, file: str, *changes: tuple[str, str], encoding: str = "latin-1") -> Path:
    """A hand-made file in which something else stands."""
    text = (DATA / file).read_bytes().decode("latin-1").replace("\r\n", "\n")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / file
    path.write_bytes(text.encode(encoding))
    return path


# -- BHRC -----------------------------------------------------------------------------------------


def test_bhrc_with_pairs_and_another_rate(tmp_path: Path) -> None:
    lines = (DATA / "hand_made_bhrc.V1").read_text().split("\n")[:27]
    cells = [f"{x: .6E}" for i in I for x in (0.02 * i, WAVE[i] / G * 10)]
    rows = ["".join(cells[i : i + 10]) for i in range(0, 46, 10)]
    path = tmp_path / "film.V1"
    path.write_text("\n".join([*lines, *rows, "/&"]))
    one = read_motion(path)
    assert isinstance(one, Motion) and one.dt == 0.02 and one.meta["component"] == "L"
    np.testing.assert_allclose(one.accel, WAVE, atol=1e-6)
    rate = changed(tmp_path, "hand_made_bhrc.V1", (".200000E+03", ".000000E+00"))
    assert {one.dt for one in read_all(rate).values()} == {0.005}  # by length and number


# -- CWA ------------------------------------------------------------------------------------------


def test_cwa_of_a_free_field_station(tmp_path: Path) -> None:
    """No earthquake, other columns, a direction whose sign is turned, a unit spelled otherwise."""
    lines = (DATA / "hand_made_cwa.dat").read_text().split("\n")
    text = "\n".join(line for line in lines[8:] if "MAX" not in line and "StationName" not in line)
    text = text.replace("Time U(+); N(+); E(+)", "Time N(+); E(+); U(-)")
    text = text.replace("gal. DCoffset(corr)", "cm/sec**2").replace("(GMT+08)", "")
    path = tmp_path / "00100100.CVA.txt"
    path.write_text(text)
    found = read_all(path)
    assert list(found) == ["N", "E", "U"]
    np.testing.assert_allclose(found["N"].accel, -2 * WAVE, atol=1e-5)
    np.testing.assert_allclose(found["U"].accel, -0.5 * WAVE, atol=1e-5)
    assert found["U"].meta["station"] == "HND" and "origin_time" not in found["U"].meta
    assert found["U"].meta["start_time"] == "1999-01-02T20:31:10.500000+00:00"  # no zone: UTC


@pytest.mark.parametrize("clock", ["Time", "T"])
def test_cwa_without_a_rate(tmp_path: Path, clock: str) -> None:
    """The column of times tells the step; what it is called does not make it a component."""
    path = changed(tmp_path, "hand_made_cwa.dat", ("#SampleRate(Hz): 200\n", ""),
                   ("Time U(+)", f"{clock} U(+)"))  # fmt: skip
    found = read_all(path)
    assert {name: one.dt for name, one in found.items()} == {"U": 0.005, "N": 0.005, "E": 0.005}
    np.testing.assert_allclose(found["N"].accel, WAVE, atol=5e-6)
    lines = path.read_text().replace("(sec): 0.115", "(sec): 0.180").split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(" "))
    for i in I:
        lines[first + i] = f"{i / 128:10.3f}" + lines[first + i][10:]
    path.write_text("\n".join(lines))
    assert read_all(path)["N"].dt == 1 / 128


def test_cwa_whose_times_are_not_its_rate(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_cwa.dat", ("SampleRate(Hz): 200", "SampleRate(Hz): 100"),
                   ("RecordLength(sec): 0.115", "RecordLength(sec): 0.230"))  # fmt: skip
    with pytest.raises(MotionFormatError, match=r"line 24: time 0.005 s is not where .* 0.01 s"):
        read_motion(path)


@pytest.mark.parametrize("unit", ["Gal", "cm/s^2", "cm / sec2; DCoffset(corr)", "GAL.DCoffset"])
def test_how_cwa_spells_gal(tmp_path: Path, unit: str) -> None:
    path = changed(tmp_path, "hand_made_cwa.dat", ("gal. DCoffset(corr)", unit))
    np.testing.assert_allclose(read_all(path)["N"].accel, WAVE, atol=5e-6)


def test_cwa_in_counts(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_cwa.dat", ("gal.", "count,"))
    with pytest.raises(MotionFormatError, match="'count' is not a unit of acceleration"):
        read_motion(path)


# -- NSMN -----------------------------------------------------------------------------------------

TURKISH = [
    ("STRONG GROUND MOTION RECORDS OF TURKIYE", "TÜRKİYE KUVVETLİ YER HAREKETİ KAYITLARI"),
    ("PLACE   ", "YER     "),
    ("EARTHQUAKE DATE", "DEPREM TARİHİ"),
    ("EARTHQUAKE MAGNITUDE", "DEPREM BÜYÜKLÜĞÜ"),
    ("STATION ID", "İSTASYON KODU"),
    ("RECORD TIME", "KAYIT ZAMANI"),
    ("NUMBER OF DATA", "VERİ SAYISI"),
    ("SAMPLING INTERVAL (sec)", "ÖRNEKLEME ARALIĞI (sn)"),
    ("RAW PGA VALUES (gal)", "HAM PGA DEĞERLERİ (gal)"),
    ("       N-S          E-W          U-D", "       D-B          K-G          DÜŞEY"),
    ("(N-S) 20", "(D-B) 20"),
    ("(E-W) 40", "(K-G) 40"),
    ("(U-D) 10", "(Düşey) 10"),
    (": 0.005", ": 0,005"),
]  # fmt: skip


def test_nsmn_along_and_across_the_instrument(tmp_path: Path) -> None:
    """T is a component where L is one; older files state several magnitudes, after tabs."""
    path = changed(tmp_path, "hand_made_nsmn.txt",
                   ("       N-S          E-W          U-D", "\tL\tT\tV"),
                   ("(N-S) 20", "(L) 20"), ("(E-W) 40", "(T) 40"), ("(U-D) 10", "(V) 10"),
                   ("5.2 Mw", "5.0 (Md) 5.4 (Ms) 5.2 (Mw)"))  # fmt: skip
    found = read_all(path)
    assert list(found) == ["L", "T", "U-D"] and found["T"].meta["magnitude"] == 5.2
    np.testing.assert_allclose(found["T"].accel, -2 * WAVE, atol=1e-5)
    path.write_bytes(path.read_bytes().replace(b"(T) 40", b"(T) 90"))
    with pytest.raises(MotionFormatError, match="states a peak of 90"):
        read_motion(path)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1254"])
def test_nsmn_in_turkish_with_decimal_commas(tmp_path: Path, encoding: str) -> None:
    raw = (DATA / "hand_made_nsmn.txt").read_bytes().decode("cp1254").replace("\r\n", "\n")
    for old, new in TURKISH:
        assert old in raw, old
        raw = raw.replace(old, new)
    head, rows = raw[: raw.index("DÜŞEY\n") + 6], raw[raw.index("DÜŞEY\n") + 6 :]
    path = tmp_path / "kayit.txt"
    path.write_bytes((head + rows.replace(".", ",")).encode(encoding))
    found = read_all(path)
    assert list(found) == ["E-W", "N-S", "U-D"]
    np.testing.assert_allclose(found["N-S"].accel, -2 * WAVE, atol=1e-6)
    facts = found["N-S"].meta
    assert (facts["station"], facts["magnitude"], found["N-S"].dt) == ("0007", 5.2, 0.005)
    assert facts["station_name"] == "HIÇBIR YER, ıĞDıR"
    assert facts["origin_time"] == "1999-01-02T12:31:00+00:00"


def test_nsmn_with_tabs_a_footer_and_no_unit(tmp_path: Path) -> None:
    lines = (DATA / "hand_made_nsmn.txt").read_bytes().decode("cp1254").split("\r\n")
    text = "\n".join(line.replace(" : ", "\t:\t") for line in lines if "PGA" not in line)
    path = tmp_path / "old.txt"
    path.write_text(f"{text}end of the record\n", encoding="utf-8")
    with pytest.raises(MotionFormatError, match="no unit is stated"):
        read_motion(path)
    np.testing.assert_allclose(read_all(path, unit="gal")["N-S"].accel, WAVE, atol=1e-6)


def test_nsmn_whose_columns_have_no_names(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_nsmn.txt", ("       N-S          E-W          U-D", "---"))
    with pytest.raises(MotionFormatError, match="no line names the 3 columns"):
        read_motion(path)


# -- ASA ------------------------------------------------------------------------------------------


def test_asa_with_two_channels_accents_and_decimal_commas(tmp_path: Path) -> None:
    text = (DATA / "hand_made_asa.012").read_bytes().decode("latin-1").replace("\r\n", "\n")
    for old, new in [
        ("ARCHIVO ESTANDAR DE ACELERACION", "ARCHIVO ESTÁNDAR DE ACELERACIÓN"),
        ("/V/N90E/N00E", "/S16W/V"),
        ("/23/23/23", "/23/23"),
        ("/0.005/0.005/0.005", ""),
        ("/200/200/200", "/100/100"),
        ("/0.12/0.12/0.12", "/0,23/0,23"),
        ("3F10.3", "2F10.3"),
        ("/-40.80/20.40/10.20", "/-40,80/20,40"),
        ("         V      N90E      N00E", "      S16W         V"),
        ("   CANAL-1   CANAL-2   CANAL-3", "   CANAL-1   CANAL-2"),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    start = text.index("\n    ", text.rindex("---+")) + 1
    rows = "\n".join(row[:20].replace(".", ",") for row in text[start:].split("\n"))
    path = tmp_path / "dos.asa"
    path.write_bytes((text[:start] + rows).encode("latin-1"))
    found = read_all(path)
    assert list(found) == ["S16W", "V"] and found["V"].dt == 0.01
    np.testing.assert_allclose(found["S16W"].accel, -2 * WAVE, atol=5e-6)
    assert found["S16W"].meta["azimuth"] == 196.0


def test_asa_without_its_vertical_channel(tmp_path: Path) -> None:
    """An empty entry in each list, and no column for it."""
    text = (DATA / "hand_made_asa.012").read_bytes().decode("latin-1").replace("\r\n", "\n")
    for old, new in [
        ("/V/N90E/N00E", "//N90E/N00E"),
        ("/23/23/23", "//23/23"),
        ("/0.005/0.005/0.005", "//0.005/0.005"),
        ("/-40.80/20.40/10.20", "//20.40/10.20"),
        ("         V      N90E      N00E", "      N90E      N00E"),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    start = text.index("\n    ", text.rindex("---+")) + 1
    path = tmp_path / "dos.asa"
    path.write_text(text[:start] + "\n".join(row[10:] for row in text[start:].split("\n")))
    found = read_all(path)
    assert list(found) == ["N90E", "N00E"]
    np.testing.assert_allclose(found["N00E"].accel, WAVE / 2, atol=5e-6)


def test_asa_whose_length_contradicts_its_step(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_asa.012", ("/0.12/0.12/0.12", "/0.92/0.92/0.92"))
    with pytest.raises(
        MotionFormatError, match=r"a step of 0.005 s and a length of 0.92 s, but 23"
    ):
        read_motion(path)
    path = changed(tmp_path, "hand_made_asa.012", ("/0.12/0.12/0.12", "/0.23/0.23/0.23"),
                   ("FACTOR DE DECIMACION                   : 1",
                    "FACTOR DE DECIMACION                   : 2"))  # fmt: skip
    assert read_all(path)["V"].dt == 0.01


def test_more_rows_than_declared(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_asa.012", ("/23/23/23", "/22/22/22"))
    one = read_all(path)["V"]
    assert one.npts == 22
    assert one.meta["note"] == "1 samples after the 22 that the header declares are left out"
    path = changed(tmp_path, "hand_made_asa.012", ("/23/23/23", "/12/12/12"),
                   ("/0.12/0.12/0.12", "/0.06/0.06/0.06"))  # fmt: skip
    with pytest.raises(MotionFormatError, match="declares 12 samples, but 11 more follow"):
        read_motion(path)


# -- USC, CDMG ------------------------------------------------------------------------------------


def test_units_of_film(tmp_path: Path) -> None:
    film = [("UNITS OF UNCOR ACCEL ARE SEC AND G/10.", "UNITS ARE SEC AND MILLI-G")]
    peaks = [("MAX  =   .021 G", ""), ("MAX  =  -.042 G", "")]
    tenths = read_all(DATA / "hand_made_film.RAW")["90"]
    path = changed(tmp_path, "hand_made_film.RAW", *peaks)
    np.testing.assert_array_equal(read_all(path)["90"].accel, tenths.accel)
    path = changed(tmp_path, "hand_made_film.RAW", *peaks, (film[0][0], "UNITS ARE SEC AND G"))
    np.testing.assert_allclose(read_all(path)["90"].accel, 10 * tenths.accel)
    path = changed(tmp_path, "hand_made_film.RAW", *peaks, (film[0][0], "UNITS ARE UNKNOWN"))
    with pytest.raises(MotionFormatError, match="no unit is stated"):
        read_motion(path)
    with pytest.raises(MotionFormatError, match=r"states the unit G/10 but unit='g' was given"):
        read_motion(DATA / "hand_made_film.RAW", unit="g")


def test_spectra_are_no_record(tmp_path: Path) -> None:
    path = tmp_path / "a.V3"
    path.write_text(
        "Response and Fourier amplitude spectra (78 periods)   for\n"
        "Corrected accelerogram   00007   Chan  1: 360 Deg     from\n"
        "Uncorrected Accelerogram Data\n"
    )
    with pytest.raises(MotionFormatError, match=r"a\.V3, line 1: holds spectra \(volume 3\)"):
        read_motion(path)


def test_columns_that_touch_and_are_not_stated(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made.RAW", ("Format: (8f9.6)", ""), ("  .020803", "-1.020803"))
    assert ".013391-1.020803" in path.read_text()
    assert read_all(path)["90"].accel[20] == pytest.approx(-1.020803 * G)


def test_an_event_that_is_named_by_a_number(tmp_path: Path) -> None:
    """A line of digits alone does not begin the table of integers."""
    path = changed(tmp_path, "hand_made_renadic.v1", ("HAND MADE 1999", "0911131"))
    found = read_all(path)
    assert list(found) == list(read_all(DATA / "hand_made_renadic.v1"))
    assert {one.meta["event"] for one in found.values()} == {"0911131"}


@pytest.mark.parametrize("file", ["hand_made_usc.y0a", "hand_made_usc.s0a"])
def test_usc_whose_lines_end_in_the_volume(tmp_path: Path, file: str) -> None:
    """As in 27VOL1: columns 73 and 74 are the line's length, then comes the volume."""
    lines = (DATA / file).read_text().split("\n")
    last = next(i for i, line in enumerate(lines) if line.startswith("RMS"))
    for i, line in enumerate(lines[: last + 1]):
        words = line[:72].rstrip()
        if not words.upper().startswith("CORRECTED"):
            lines[i] = f"{words:72s}{len(words):<2d}VOL1  "
    path = tmp_path / file
    path.write_text("\n".join(lines))
    here, there = read_motion(path), read_motion(DATA / file)
    assert here == there and isinstance(here, Motion) and isinstance(there, Motion)
    assert dict(here.meta) == dict(there.meta) and here.meta["azimuth"] is not None


def test_a_station_without_a_number(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_film.RAW", ("STATION NO. 00007 ", "STATION NO.       "))
    meta = read_all(path)["90"].meta
    assert "station" not in meta and meta["station_name"] == "NOWHERE - BY HAND"


# -- COSMOS, SMC ----------------------------------------------------------------------------------

COUNTS = [
    ("Uncorrected acceleration  (Format", "Raw acceleration counts   (Format"),
    ("23 acceleration pts, approx  0 secs, units=g     (02),Format=(8F9.6)",
     "23 raw accel.   pts, approx  0 secs, units= counts(50),Format=(1I8)"),
    ("       0.020803    -999.000000", f"{1_020_803:15.6f}{0.2:15.6f}"),
]  # fmt: skip


def counts_file(folder: Path, *more: tuple[str, str]) -> Path:
    text = (DATA / "hand_made_end.v1").read_text()
    for old, new in (*COUNTS, *more):
        assert old in text, old
        text = text.replace(old, new)
    start = text.index("(1I8)\n") + 6
    values = np.rint(WAVE / G * 1e6).astype(int) + 1_000_000
    rows = "".join(f"{value:8d}\n" for value in values)
    path = folder / "raw.V0c"
    path.write_text(text[:start] + rows + text[text.index("/& ", start) :])
    return path


def test_cosmos_in_raw_counts(tmp_path: Path) -> None:
    """Real numbers 22, 42 and 47: microvolts per count, volts per g and gain."""
    raw = counts_file(tmp_path).read_text().split("\n")
    first = next(i for i, line in enumerate(raw) if "Real-header" in line) + 1
    raw[first + 4] = f"{-999.0:15.6f}{1.25:15.6f}" + raw[first + 4][30:]
    raw[first + 8] = raw[first + 8][:15] + f"{1.25:15.6f}" + raw[first + 8][30:]
    path = tmp_path / "b.V0c"
    path.write_text("\n".join(raw))
    one = read_motion(path)
    assert isinstance(one, Motion)
    np.testing.assert_allclose(one.accel, WAVE - WAVE.mean(), atol=1e-5)
    assert one.meta["offset"] == pytest.approx(G + WAVE.mean(), rel=1e-5)
    assert one.meta["unit"] == "counts"


def test_cosmos_in_counts_of_an_unknown_sensor(tmp_path: Path) -> None:
    path = counts_file(tmp_path)
    with pytest.raises(MotionFormatError, match="holds counts, and the header does not say"):
        read_motion(path)
    one = read_motion(path, sensitivity=1e6 / G)
    assert isinstance(one, Motion)
    np.testing.assert_allclose(one.accel, WAVE - WAVE.mean(), atol=1e-5)


VIRTUAL_DATA_CENTER = [
    ("(Format v01.20 with", "(Format v01.00 with"),
    ("Origin: 1999/01/02 12:31:00    UTC      ", "Origin: 01/02/1999 12:31:00 UTC(HM)Owner: HM"),
    ("Statn No: 99-000007 Code:HM-HAND    HM   Hand Made, Nowhere",
     "Station: HAND07 HM 36.3820 137.8200"),
    ("Rcrd start time: 1999", "Rcrd Start Time:1999"),
    ("Sta Cha:  1: 360 deg (", "Sta Cha: 1   UP      ("),
    ("Processed: 1999/01/03, HM,   Max =     0.021 g ", "Max:      0.021 g , at 0.200  sec"),
    (" 100 Integer-header values follow on  10 lines, Format= (10I8)",
     "100 Integer-header values follow on 10 lines, Format  (10I8)"),
    (" 100 Real-header values follow on  20 lines, Format= (5F15.6)",
     "100 Real-header values follow on 20 lines, Format (5F15.6)"),
    ("      10.000000       0.230000       0.020803", "    -999.000000" * 3),
    ("23 acceleration pts, approx  0 secs, units=g     (02),Format=(8F9.6)",
     "23  acceleration pts at  100 pts/sec, Units=g          , Format=(8F9.6  )"),
]  # fmt: skip


def test_cosmos_of_the_virtual_data_center(tmp_path: Path) -> None:
    """Version 1.00: neither step nor peak stand where version 1.20 has them, nothing ends it."""
    path = changed(tmp_path, "hand_made_end.v1", *VIRTUAL_DATA_CENTER)
    text = path.read_text()
    text = text[: text.index("/&")]
    path.write_text(text)
    one = read_motion(path)
    assert isinstance(one, Motion) and one.dt == 0.01 and is_vertical(one)
    np.testing.assert_allclose(one.accel, WAVE, atol=1e-5)
    assert (one.meta["component"], one.meta["station"]) == ("UP", "HAND07")
    assert one.meta["origin_time"] == "01/02/1999 12:31:00 UTC(HM)"
    path.write_text(text.replace("Max:      0.021 g", "Max:      0.210 g"))
    with pytest.raises(MotionFormatError, match=r"line 11: the header states a peak of 0\.210 g"):
        read_motion(path)
    path.write_text(text[: text.rindex("\n", 0, -5)])
    with pytest.raises(MotionFormatError):
        read_motion(path)


def test_cosmos_with_two_channels_of_one_direction(tmp_path: Path) -> None:
    path = tmp_path / "two.v1"
    path.write_text((DATA / "hand_made_end.v1").read_text() * 2)
    assert list(read_all(path)) == ["360", "360 (channel 2)"]


def test_smc_that_counts_its_pairs(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_film.smc", ("        46    -32768", "        23    -32768"))
    assert read_motion(path) == read_motion(DATA / "hand_made_film.smc")
    for count in ("45", "1 ", "-2"):
        path = changed(tmp_path, "hand_made_film.smc", ("        46    -", f"        {count}    -"))
        with pytest.raises(MotionFormatError, match="in pairs of time and value, but 46 follow"):
            read_motion(path)


@pytest.mark.parametrize(
    ("angles", "component", "azimuth"),
    [("        90       133", "133", 133.0), ("         0    -32768", "UP", None),
     ("       180    -32768", "DOWN", None), ("    -32768    -32768", "hand_made", None)],
)  # fmt: skip
def test_smc_whose_words_name_no_component(
    tmp_path: Path, angles: str, component: str, azimuth: float | None
) -> None:
    path = changed(tmp_path, "hand_made.smc", ("component=    133", "component=       "),
                   ("    -32768        90       133", f"    -32768{angles}"))  # fmt: skip
    one = read_motion(path)
    assert isinstance(one, Motion) and is_vertical(one) == (component in ("UP", "DOWN"))
    assert (one.meta["component"], one.meta.get("azimuth")) == (component, azimuth)


@pytest.mark.parametrize(
    ("component", "sign"), [("DOWN", -1), ("Dwn", -1), ("-UP", -1), ("UP", 1), ("V", 1), ("U-D", 1)]
)
def test_a_record_that_points_down_is_turned(component: str, sign: int) -> None:
    """The vertical acceleration of a motion is positive upwards."""
    down = Motion(WAVE, 0.01, meta={"component": component})
    both = Motion(2 * WAVE, 0.01).with_vertical(down)
    assert both.vertical is not None
    np.testing.assert_array_equal(both.vertical, sign * WAVE)
    assert ("reversed" in both.meta["history"][-1]) == (sign < 0)


def test_smc_of_type_2_without_a_rate(tmp_path: Path) -> None:
    """It has no pairs that would tell its step."""
    path = changed(tmp_path, "hand_made.smc", ("0.2000000E+03", "0.1700000E+39"))
    with pytest.raises(MotionFormatError, match="no time step is stated"):
        read_motion(path)
    assert read_motion(path, dt=0.005) == read_motion(DATA / "hand_made.smc")


# -- CSMNC, EXSIM ---------------------------------------------------------------------------------


def test_csmnc_with_a_start_time_and_velocities(tmp_path: Path) -> None:
    path = changed(tmp_path, "hand_made_csmnc.dat", ("PRE-EVENT TIME:  0  SEC",
                   "PRE-EVENT TIME:  20  SEC RECORD TIME 1999-01-02 20:30:50.250 BTM"))  # fmt: skip
    one = read_motion(path)
    assert isinstance(one, Motion)
    assert one.meta["start_time"] == "1999-01-02T20:30:50.250000+08:00"
    assert one.meta["pre_trigger"] == 20.0
    path = changed(tmp_path, "hand_made_csmnc.dat", ("ACCELERATION", "VELOCITY"),
                   ("CM/SEC/SEC", "CM/SEC"))  # fmt: skip
    with pytest.raises(MotionFormatError, match="holds a velocity"):
        read_motion(path)
    speeds = read_motion(path, differentiate=True)
    assert isinstance(speeds, Motion)
    np.testing.assert_allclose(speeds.accel, np.gradient(WAVE, 0.005), atol=1e-4)


def test_exsim_whose_step_is_rounded_in_print(tmp_path: Path) -> None:
    text = (DATA / "hand_made_exsim.acc").read_text().replace("dt:  0.005 sec", "dt:  0.003 sec")
    head, rows = text.split("acc(cm/s**2)\n")
    values = [row.split()[1] for row in rows.strip().split("\n")]
    body = "".join(f" {i * 0.0025:8.3f}  {value:>11}\n" for i, value in enumerate(values))
    path = tmp_path / "fine.acc"
    path.write_text(f"{head}acc(cm/s**2)\n{body}")
    one = read_motion(path)
    assert isinstance(one, Motion) and one.dt == 0.0025
