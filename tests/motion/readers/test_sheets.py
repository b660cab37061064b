"""Spreadsheets as people export them: units below the names, counters, steps and units in words,
dates and times of day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from rocksteady.errors import MotionFormatError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.upwards import is_vertical
from rocksteady.motion.writers import write_motion

Write = Callable[..., Path]

T = np.arange(12) * 0.01
NS, EW, UP = (scale * np.sin(40 * T) * T for scale in (8.0, 5.0, 2.0))  # m/s²


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def one(content: str, name: str = "sheet.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode(encoding))
        return path

    return one


def rows(separator: str = ";", *first: object) -> str:
    """Time and three components, with decimal commas."""
    lines = []
    for number, cells in enumerate(zip(T, NS, EW, UP, strict=True)):
        more = [str(column[number]) for column in first]  # type: ignore[index]
        lines.append(separator.join([*more, *(f"{x:.6f}".replace(".", ",") for x in cells)]))
    return "\n".join(lines) + "\n"


def check(found: Motion | dict[str, Motion]) -> dict[str, Motion]:
    """Three components: two horizontal ones and the vertical one."""
    assert isinstance(found, dict) and len(found) == 3
    for one, wanted in zip(found.values(), (NS, EW, UP), strict=True):
        assert one.dt == 0.01
        np.testing.assert_allclose(one.accel, wanted, atol=1e-6)
    assert [is_vertical(one) for one in found.values()] == [False, False, True]
    return found


NAMES = "Tempo;Accelerazione NS;Accelerazione EO;Accelerazione V\n"


@pytest.mark.parametrize(
    "head",
    [
        NAMES + "(s);(m/s2);(m/s2);(m/s2)\n",
        NAMES + "s;m/s2;m/s2;m/s2\n",
        NAMES + "[s];[m/s²];[m/s²];[m/s²]\n\n",
        "Tempo [s];Accelerazione NS;Accelerazione EO;Accelerazione V\n-;m/s²;m/s²;m/s²\n",
        "Registro 7\n" + NAMES + '"s";"m/s2";"m/s2";"m/s2"\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_units_in_a_row_below_the_names(write: Write, head: str, encoding: str) -> None:
    found = check(read_motion(write(head + rows(), encoding=encoding)))
    assert list(found) == ["Accelerazione NS", "Accelerazione EO", "Accelerazione V"]


def test_units_below_names_that_blanks_separate(write: Write) -> None:
    check(read_motion(write("t   ns   ew   ud\n(s) (m/s2) (m/s2) (m/s2)\n" + rows(" "))))


def test_a_row_of_units_without_names_is_asked_about(write: Write) -> None:
    with pytest.raises(MotionFormatError, match="cannot tell what column 's' is"):
        read_motion(write("s;m/s2;m/s2;m/s2\n" + rows()))


@pytest.mark.parametrize("name", ["n", "Nr.", "campione"])
@pytest.mark.parametrize("start", [0, 1])
def test_a_column_that_numbers_the_rows_is_no_record(write: Write, name: str, start: int) -> None:
    head = f"{name};Tempo [s];NS [m/s²];EO [m/s²];Verticale [m/s²]\n"
    path = write(head + rows(";", np.arange(start, start + 12)))
    check(read_motion(path))
    with pytest.raises(MotionFormatError, match="has no acceleration column"):
        read_motion(path, name)


def test_a_ramp_is_no_counter(write: Write) -> None:
    one = read_motion(write("a [m/s2]\n0\n1\n2\n3\n"), dt=0.01)
    assert isinstance(one, Motion) and one.pga == 3
    two = read_motion(write("t [s];ns;ew\n0;1;4\n0,1;2;4\n0,2;3;4\n"), unit="m/s2")
    assert isinstance(two, dict) and two["ns"].pga == 3


@pytest.mark.parametrize(
    "words",
    ["Passo di campionamento: 0,01 s", "Intervallo di campionamento (ms): 10",
     "Frequenza di campionamento: 100 Hz", "Sampling rate [Hz]: 100", "Abtastrate = 100 Hz",
     "Sampling interval: 0.01 s", "Intervalo de muestreo: 0,01", "Örnekleme aralığı: 0,01 sn"],
)  # fmt: skip
@pytest.mark.parametrize("unit", ["Unità di misura: m/s²", "Einheit: m/s^2", "units = m/s2"])
def test_step_and_unit_in_words_of_other_languages(write: Write, words: str, unit: str) -> None:
    numbers = "".join(f"{x:.6f}\n".replace(".", ",") for x in NS)
    one = read_motion(write(f"Stazione: ACC\n{words}\n{unit}\n\naccelerazione\n{numbers}"))
    assert isinstance(one, Motion) and one.dt == 0.01
    np.testing.assert_allclose(one.accel, NS, atol=1e-6)


def test_a_rate_without_its_unit_is_not_believed(write: Write) -> None:
    with pytest.raises(MotionFormatError, match="no time step is stated"):
        read_motion(write("Sampling rate: 100\na [g]\n0.1\n0.2\n0.1\n"))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1254"])
def test_turkish_names_and_seconds(write: Write, encoding: str) -> None:
    """Windows-1254 is read as Latin-1 (Düþey): the vertical one must not shake sideways."""
    head = "Zaman (sn);İvme K-G (m/s2);İvme D-B (m/s2);İvme Düşey (m/s2)\n"
    check(read_motion(write(head + rows(), encoding=encoding)))


@pytest.mark.parametrize("names", [("HNN", "HNE", "HNZ"), ("N", "E", "U")])
def test_columns_named_as_channels(write: Write, names: tuple[str, ...]) -> None:
    head = ";".join(["t [s]", *(f"{name} [m/s2]" for name in names)])
    found = check(read_motion(write(f"{head}\n{rows()}")))
    assert list(found) == list(names)
    one = read_motion(write(f"t [s];{names[0]} [m/s2];{names[2]} [m/s2]\n0;1,5;2\n0,1;1;2,5\n"))
    assert isinstance(one, Motion) and one.vertical is not None and one.vertical[1] == 2.5


@pytest.mark.parametrize(
    "head",
    ["Zeit in s;NS in m/s²;OW in m/s²;vertikal in m/s²",
     "Zeit / s;a_x / m/s²;a_y / m/s²;a_z / m/s²",
     "t/(s);ax/(m/s²);ay/(m/s²);az/(m/s²)"],
)  # fmt: skip
def test_units_as_germans_write_them(write: Write, head: str) -> None:
    check(read_motion(write(f"{head}\n{rows()}")))


def test_velocities_and_displacements_beside_accelerations_are_passed_over(write: Write) -> None:
    path = write("Time [sec]; a [m/s2]; Velocity [cm/sec]; Displacement [cm]\n" + rows())
    one = read_motion(path)
    assert isinstance(one, Motion) and one.dt == 0.01 and one.meta["component"] == "a"
    np.testing.assert_allclose(one.accel, NS, atol=1e-6)
    for component in ("Velocity", "Displacement"):
        with pytest.raises(MotionFormatError, match="is not a unit of acceleration"):
            read_motion(path, component)
    with pytest.raises(MotionFormatError, match=r"cannot tell what column 'v' \[m/s\] is"):
        read_motion(write("t [s];v [m/s]\n0;0,1\n0,01;0,2\n0,02;0,3\n"))


def test_a_converted_table_gets_no_station(tmp_path: Path) -> None:
    """AT2's header has a place for one; what stands there where it is not known is no name."""
    write_motion(Motion(NS, 0.01, meta={"component": "NS"}), tmp_path / "ns.AT2")
    one = read_motion(tmp_path / "ns.AT2")
    assert isinstance(one, Motion) and one.meta["component"] == "NS" and "station" not in one.meta


# -- dates and times of day -----------------------------------------------------------------------

BEGIN = datetime(2016, 10, 30, 23, 59, 59, 950_000)  # midnight is within


def logged(pattern: str, separator: str, comma: bool = False, digits: int = 3) -> str:
    """Rows of date and time, as ``pattern`` prints them, and an acceleration."""
    lines = []
    for t, a in zip(T, NS, strict=True):
        stamp = (BEGIN + timedelta(seconds=float(t))).strftime(pattern)
        stamp = stamp[: len(stamp) - 6 + digits] if "%f" in pattern else stamp
        number = f"{a:.6f}"
        lines.append(f"{stamp}{separator}{number.replace('.', ',') if comma else number}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("datetime,a [m/s2]", logged("%Y-%m-%dT%H:%M:%S.%f", ",")),
        ("timestamp,a [m/s2]", logged("%Y-%m-%d %H:%M:%S.%f", ",", digits=6)),
        ("Data e ora;Accelerazione [m/s²]", logged("%d/%m/%Y %H:%M:%S,%f", ";", comma=True)),
        ("Data e ora;Accelerazione [m/s²]", logged("%d/%m/%Y %H:%M:%S.%f", ";", comma=True)),
        ("Data;Ora;Accelerazione [m/s²]", logged("%d.%m.%Y;%H:%M:%S,%f", ";", comma=True)),
        ("# 12:00:00 1\nwhen;a [m/s²]", logged("%H:%M:%S.%f", ";").replace("\n", "\n# x\n", 1)),
        ("Zeit\tBeschleunigung [m/s²]", logged("%H:%M:%S,%f", "\t", comma=True)),
        ("when acc[m/s2]", logged("%Y/%m/%d %H:%M:%S.%f", " ")),
        ("Date,Time,a [m/s2]", logged("%m/%d/%Y,%H:%M:%S.%f", ",")),
    ],
)
def test_dates_and_times_of_day(write: Write, head: str, body: str) -> None:
    one = read_motion(write(f"{head}\n{body}"))
    assert isinstance(one, Motion) and one.dt == 0.01
    np.testing.assert_allclose(one.accel, NS, atol=1e-6)
    iso = body.startswith("2016")  # day and month can be told apart
    assert one.meta.get("start_time") == ("2016-10-30T23:59:59.950" if iso else None)


def test_whole_seconds_and_halves_of_the_day(write: Write) -> None:
    rows = "".join(f"10/30/2016 {h}:59:5{s} {half}M,0.{s}\n" for h, half in ((11, "A"), (11, "P"))
                   for s in range(8))  # fmt: skip
    with pytest.raises(MotionFormatError, match="time goes from 7 to 43200 s"):
        read_motion(write(f"when,a [g]\n{rows}"))
    rows = "".join(f"2016-10-30 07:40:1{s}Z,{s}.5\n" for s in range(8))
    one = read_motion(write(f"when,a [m/s2]\n{rows}"))
    assert isinstance(one, Motion) and one.dt == 1.0 and one.accel[3] == 3.5
    assert one.meta["start_time"] == "2016-10-30T07:40:10.000Z"
    same = "".join(f"2016-10-30 07:40:10,{s}.5\n" for s in range(8))
    with pytest.raises(MotionFormatError, match="time column 'when' does not increase"):
        read_motion(write(f"when,a [m/s2]\n{same}"))


def test_a_date_above_numbers_is_no_row(write: Write) -> None:
    one = read_motion(write("2016-10-30 07:40:17\n0.1\n0.2\n0.1\n"), dt=0.01, unit="g")
    assert isinstance(one, Motion) and one.npts == 3
