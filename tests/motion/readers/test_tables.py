"""Motions from tables as people have them: decimal commas, other languages, series in rows, numbers
alone; and peaks that no earthquake has."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.errors import InputError, MotionFormatError, RocksteadyWarning
from rocksteady.motion.components import rotate
from rocksteady.motion.intensity import arias, measures
from rocksteady.motion.processing import bandpass
from rocksteady.motion.readers.common.plausible import LARGEST
from rocksteady.motion.recipe import process
from rocksteady.motion.scaling import read_spectrum
from rocksteady.motion.spectra import response_spectra, response_spectrum
from rocksteady.motion.writers import write_motion

DATA = Path(__file__).parents[2] / "data"
G = 9.80665
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def one(content: str, name: str = "file.txt", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode(encoding))
        return path

    return one


# -- decimal commas -------------------------------------------------------------------------------

POINTS = "time [s],NS [cm/s2]\n0.00,0.0\n0.01,-12.5\n0.02,980.665\n0.03,1.5e2\n"


@pytest.mark.parametrize(
    "text",
    [
        "Zeit [s];Beschleunigung NS [cm/s²]\n0,00;0\n0,01;-12,5\n0,02;980,665\n0,03;1,5e2\n",
        "Tempo (s)\tAccelerazione NS (cm/s2)\n0,00\t0\n0,01\t-12,5\n0,02\t980,665\n0,03\t150\n",
        "temps [s];accélération [cm/s^2]\n0;0\n0,01;-12,5\n0,02;980,665\n0,03;150\n",
        "tiempo [s] aceleración [gal]\n0,00 0,0\n0,01 -12,5\n0,02 980,665\n0,03 150,0\n",
        '"time [s]","a [gal]"\n"0,00","0,0"\n"0,01","-12,5"\n"0,02","980,665"\n"0,03","150"\n',
        "# dt = 0,01 s\n# unit: gal\n0\n-12,5\n980,665\n150\n",
        "zaman [s];ivme [cm/s2];\n0,00;0;\n0,01;-12,5;\n0,02;980,665;\n0,03;150;\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_other_countries_tables(write: Write, text: str, encoding: str) -> None:
    motion = rs.read_motion(write(text, "export.csv", encoding))
    assert isinstance(motion, rs.Motion)
    assert motion == rs.read_motion(write(POINTS))


def test_thousands_dots(write: Write) -> None:
    motion = rs.read_motion(write("t [s];a [gal]\n0,0;0,5\n0,5;1.234,5\n1,0;-2.000\n"))
    assert list(motion.accel) == pytest.approx([0.005, 12.345, -20.0], rel=1e-15)


def test_an_ambiguous_table_is_asked_about(write: Write) -> None:
    path = write("t;a [gal]\n0;1,234\n1;5,678\n")
    with pytest.raises(MotionFormatError, match=r"line 2: '1,234' can be 1234 or 1\.234.*decimal="):
        rs.read_motion(path)
    assert rs.read_motion(path, decimal="comma").pga == pytest.approx(0.05678)
    assert rs.read_motion(path, decimal=".", any_peak=True).pga == pytest.approx(56.78)
    answered = write("# decimal: comma\nt;a [gal]\n0;1,234\n1;5,678\n")
    assert rs.read_motion(answered).pga == pytest.approx(0.05678)
    with pytest.raises(InputError, match="decimal = 'dot' is not a decimal sign"):
        rs.read_motion(path, decimal="dot")


@given(
    accel=st.lists(st.floats(-40, 40), min_size=2, max_size=30),
    style=st.sampled_from([(";", ","), ("\t", ","), (" ", ","), (",", "."), (";", ".")]),
)
@settings(max_examples=60)
def test_any_style_is_read_to_the_same_bits(
    tmp_path_factory: pytest.TempPathFactory, accel: list[float], style: tuple[str, str]
) -> None:
    separator, decimal = style
    path = tmp_path_factory.getbasetemp() / "style.csv"

    def number(x: float) -> str:
        return repr(x).replace(".", decimal)

    rows = [separator.join((number(i / 64), number(a))) for i, a in enumerate(accel)]
    path.write_text("\n".join([separator.join(("t", "a_[m/s2]")), *rows]))
    motion = rs.read_motion(path)
    assert isinstance(motion, rs.Motion)
    assert list(motion.accel) == accel and motion.dt == 1 / 64


# -- one series, broken into rows -----------------------------------------------------------------


def in_rows(values: np.ndarray, width: int) -> str:
    words = [f"{value:.6f}" for value in values]
    rows = (words[i : i + width] for i in range(0, len(words), width))
    return "\n".join(" ".join(row) for row in rows)


@pytest.mark.parametrize("width", [2, 5, 8])
@pytest.mark.parametrize("cut", [0, 1])
def test_a_series_in_rows(write: Write, width: int, cut: int) -> None:
    accel = rs.pulses.ricker(3.0, period=0.7, dt=0.01).accel[: 40 * width + (width > 2) * cut]
    path = write("Record of nowhere, without names\n" + in_rows(accel, width))
    motion = rs.read_motion(path, dt=0.01, unit="m/s2")
    assert isinstance(motion, rs.Motion)
    assert motion.accel == pytest.approx(accel, abs=1e-6)
    for said, asked in (
        ({}, "dt=0.01.*unit='g'"),
        ({"dt": 0.01}, "unit='g'"),
        ({"unit": "g"}, "dt="),
    ):
        with pytest.raises(MotionFormatError, match=f"one series, {width} to a row.*{asked}"):
            rs.read_motion(path, **said)
    with pytest.raises(MotionFormatError, match=f"'column 1' would be every {width}th"):
        rs.read_motion(path, "column 1", dt=0.01, unit="g")


def test_step_and_unit_may_stand_above_a_series_in_rows(write: Write) -> None:
    accel = rs.pulses.ricker(3.0, period=0.7, dt=0.01).accel[:200]
    path = write("dt = 0.01 s\nunits: m/s2\n" + in_rows(accel, 8))
    assert rs.read_motion(path).accel == pytest.approx(accel, abs=1e-6)


def test_columns_without_names_are_not_a_series(write: Write) -> None:
    a = rs.pulses.ricker(3.0, period=0.7, dt=0.01).accel[:200]
    rows = "\n".join(f"{x:.5f} {y:.5f} {z:.5f}" for x, y, z in zip(a, a[::-1], -a, strict=True))
    path = write(rows)
    with pytest.raises(MotionFormatError, match="cannot tell what column 'column 1' is"):
        rs.read_motion(path, dt=0.01, unit="m/s2")
    second = rs.read_motion(path, "column 2", dt=0.01, unit="m/s2")
    assert second.accel == pytest.approx(a[::-1], abs=1e-5)


def test_a_time_column_that_is_cut_is_not_a_series(write: Write) -> None:
    with pytest.raises(
        MotionFormatError, match="line 4: the row has 2 numbers and the first row 3"
    ):
        rs.read_motion(write("0 1 2\n1 0 0\n2 1 1\n3 1\n"), dt=1, unit="g")


def test_every_record_is_told_from_its_columns(any_records: Path, tmp_path: Path) -> None:
    """The order of numbers is found for all of them, however many there are in a row."""
    files = [*(any_records / "AT2").glob("*.AT2"), *(any_records / "SIMBAD").iterdir()]
    for file in sorted(files):
        motion = rs.read_motion(file)
        path = tmp_path / "rows.txt"
        for width in (3, 5, 8, 10):
            path.write_text(in_rows(motion.accel, width))
            again = rs.read_motion(path, dt=motion.dt, unit="m/s2")
            assert again.npts == motion.npts, (file.name, width)
    for file in sorted((any_records / "BBP").glob("*.bbp")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            three = rs.read_motion(file)
        rows = np.column_stack([motion.accel for motion in three.values()])
        path.write_text("\n".join(" ".join(map(repr, row)) for row in rows[:2000].tolist()))
        with pytest.raises(MotionFormatError, match="cannot tell what column 'column 1' is"):
            rs.read_motion(path, dt=0.01, unit="m/s2")


def test_numbers_alone_are_asked_for_both_at_once(write: Write) -> None:
    path = write("0\n1\n0\n")
    with pytest.raises(MotionFormatError, match=r"no time step.*nor a unit.*dt=0\.01.*unit='g'"):
        rs.read_motion(path)
    assert rs.read_motion(path, dt=0.01, unit="g").pga == pytest.approx(G)


# -- peaks ----------------------------------------------------------------------------------------


def at2(write: Write, unit: str, factor: float = 1.0) -> Path:
    head = f"PEER NGA STRONG MOTION DATABASE RECORD\nNowhere, 1/2/1999, Hand Made, 90\n{unit}\n"
    body = "\n".join(f"{factor * value:.6f}" for value in (0.0, 0.5, -1.0, 0.25))
    return write(f"{head}NPTS= 4, DT= .01 SEC\n{body}\n", "record.AT2")


def test_an_at2_file_without_a_unit_is_asked_about_where_g_cannot_be(write: Write) -> None:
    plausible = rs.read_motion(at2(write, "ACCELERATION TIME SERIES"))
    assert plausible.pga == pytest.approx(G) and plausible.meta["unit_assumed"] is True
    path = at2(write, "ACCELERATION TIME SERIES", 995.6)
    with pytest.raises(
        MotionFormatError,
        match=r"995\.6 g; no earthquake .* states no unit.* g was assumed\. In cm/s2 it would be "
        r"1\.02 g: say unit='cm/s2'",
    ):
        rs.read_motion(path)
    assert rs.read_motion(path, unit="cm/s2").pga == pytest.approx(9.956)
    assert rs.read_motion(path, any_peak=True).pga == pytest.approx(995.6 * G)
    with pytest.warns(RocksteadyWarning, match=r"995\.6 g.*unit was given as g"):
        assert rs.read_motion(path, unit="g").pga == pytest.approx(995.6 * G)
    # 3 g is possible where a file says g; where it does not, it is rather 3 m/s².
    assert rs.read_motion(at2(write, "ACCELERATION IN UNITS OF G", 3.0)).pga == pytest.approx(3 * G)
    with pytest.raises(MotionFormatError, match=r"3 g.*In m/s2 it would be 0\.306 g"):
        rs.read_motion(at2(write, "ACCELERATION TIME SERIES", 3.0))


def test_a_stated_unit_that_cannot_be_is_asked_about_in_any_format(write: Write) -> None:
    path = write("t,a [g]\n0,0\n0.01,300.0\n0.02,0\n")
    with pytest.raises(MotionFormatError, match=r"300 g.*states g; in cm/s2 it would be 0\.306 g"):
        rs.read_motion(path)
    assert rs.read_motion(path, any_peak=True).pga == pytest.approx(300 * G)
    up = write("t,a [g],vertical [g]\n0,0,0\n0.01,1.0,300.0\n0.02,0,0\n")
    with pytest.raises(MotionFormatError, match="300 g"):
        rs.read_motion(up)
    table = rs.read_folder(up.parent, measures=False)
    assert "300 g" in table["problem"][0]
    assert rs.read_folder(up.parent, measures=False, any_peak=True)["problem"][0] == ""


def test_it_is_asked_above_five_g(write: Write) -> None:
    for peak, asked in ((LARGEST - 0.01, False), (LARGEST + 0.01, True)):
        path = write(f"t,a [g]\n0,0\n0.01,{peak}\n0.02,0\n")
        if asked:
            with pytest.raises(MotionFormatError, match="no earthquake"):
                rs.read_motion(path)
        else:
            assert rs.read_motion(path).pga == pytest.approx(peak * G)


def test_one_wild_record_of_an_archive_is_named_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("good.csv", "t,a [g]\n0,0\n1,0.5\n")
        archive.writestr("wild.csv", "t,a [g]\n0,0\n1,500.5\n")
    with pytest.warns(RocksteadyWarning, match=r"wild\.csv.*500\.5 g"):
        assert rs.read_motion(path).pga == pytest.approx(0.5 * G)


def test_a_wrong_sensitivity_is_asked_about() -> None:
    pytest.importorskip("obspy")
    with pytest.raises(MotionFormatError, match=r"Is the sensitivity right.*any_peak=True"):
        rs.read_motion(DATA / "hand_made.sac", sensitivity=1e-4)


def test_what_was_differentiated_is_asked_about_in_its_own_words(write: Write) -> None:
    text = (DATA / "hand_made.VT2").read_text().replace(".0100", ".00001")
    with pytest.raises(MotionFormatError, match="unit and its time step right"):
        rs.read_motion(write(text, "v.VT2"), differentiate=True)


def test_no_record_is_asked_about(any_records: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = rs.read_folder(any_records, measures=False, dt=0.02, unit="m/s2")
    assert not table["problem"].str.contains("no earthquake").any()


# -- SAC and miniSEED -----------------------------------------------------------------------------


def test_sac_and_miniseed_say_what_to_give(tmp_path: Path) -> None:
    pytest.importorskip("obspy")
    with pytest.raises(MotionFormatError, match=r"unit='m/s2' .*sensitivity=427000"):
        rs.read_motion(DATA / "hand_made.sac")
    alone = tmp_path / "alone.mseed"
    alone.write_bytes((DATA / "hand_made.mseed").read_bytes())
    with pytest.raises(MotionFormatError, match=r"sensitivity=427000.*unit='m/s2'"):
        rs.read_motion(alone)
    one = rs.read_motion(DATA / "hand_made.sac", unit="cm/s2")
    counts = rs.read_motion(DATA / "hand_made.sac", sensitivity=100.0)
    assert one.accel == pytest.approx(counts.accel, rel=1e-12)
    several = rs.read_motion(alone, unit="mm/s2")
    assert isinstance(several, dict) and len(several) == 2


def test_a_sac_file_of_velocities_is_refused_or_differentiated() -> None:
    obspy = pytest.importorskip("obspy")
    stream = obspy.read(str(DATA / "hand_made.sac"))
    stream[0].stats.sac["idep"] = 7  # IVEL
    file = io.BytesIO()
    stream[0].write(file, format="SAC")
    from rocksteady.motion.readers import sac
    from rocksteady.motion.readers.common.options import Options
    from rocksteady.motion.readers.common.source import Source

    source = Source(Path("v.sac"), file.getvalue())
    with pytest.raises(MotionFormatError, match="holds a velocity"):
        sac.read(source, Options.checked(unit="m/s2"))
    with pytest.raises(MotionFormatError, match=r"states no unit: say which it is, unit='m/s'"):
        sac.read(source, Options.checked(differentiate=True))
    found = sac.read(source, Options.checked(unit="cm/s", differentiate=True))
    velocity = stream[0].data * 0.01
    accel = np.gradient(velocity, stream[0].stats.delta)
    assert next(iter(found.values())).accel == pytest.approx(accel - accel.mean(), rel=1e-4)


# -- anything but a path or a motion --------------------------------------------------------------


@pytest.mark.parametrize("value", [3, None, 2.5, [1], {"a": 1}, b"x", rs.Motion([0, 1], 1)])
@pytest.mark.parametrize("read", [rs.read_motion, rs.read_folder, read_spectrum])
def test_what_is_no_path_is_a_sentence(read: Callable[..., object], value: object) -> None:
    with pytest.raises(InputError, match="is not a path: give the name of a file"):
        read(value)


@pytest.mark.parametrize(
    "options", [{"component": 3}, {"unit": 5}, {"dt": "x"}, {"dt": [1]}, {"sensitivity": "many"}]
)
def test_what_is_no_option_is_a_sentence(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        rs.read_motion(DATA / "npts_equals.AT2", **options)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "make",
    [
        lambda m: rs.Motion(None, 0.01),
        lambda m: rs.Motion([0.0, 1.0], None),
        lambda m: rs.Motion([0.0, 1.0], 0.01, vertical="up"),
        lambda m: rs.Motion([0.0, 1.0], 0.01, meta=3),
        lambda m: rs.Motion([0.0, 1.0], 0.01, meta=None),
        lambda m: m.then(3),
        lambda m: m.then(None),
        lambda m: m.with_vertical("up"),
        lambda m: m.scaled(None),
        lambda m: write_motion(None, "x.csv"),
        lambda m: write_motion({"NS": m}, "x.csv"),
        lambda m: write_motion(m, 3),
        lambda m: bandpass(None, 0.1, 25.0),
        lambda m: bandpass({"NS": m}, 0.1, 25.0),
        lambda m: rs.pulses.sine(None, period=1.0),
        lambda m: measures(None),
        lambda m: arias({"NS": m}),
        lambda m: response_spectrum(None),
        lambda m: response_spectra([None]),
        lambda m: rotate(m, None, 30.0),
        lambda m: process(None, ["--mirror"]),
        lambda m: process(m, None),
        lambda m: m.at("noon"),
    ],
)
def test_what_is_no_motion_is_a_sentence(
    make: Callable[[rs.Motion], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        make(rs.Motion([0.0, 1.0, 0.0], 0.01))
    assert list(tmp_path.iterdir()) == []
