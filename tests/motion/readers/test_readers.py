"""Reading ground motions: formats, units, components, and every way a file can be bad."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocksteady.errors import InputError, MotionFormatError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.readers.common.numbers import Numbers, numbers
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.units import canonical_unit, unit_factor

DATA = Path(__file__).parents[2] / "data"
G = 9.80665

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(content: str | bytes, name: str = "file.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


def one(path: Path, **options: object) -> Motion:
    motion = read_motion(path, **options)  # type: ignore[call-overload]
    assert isinstance(motion, Motion)
    return motion


# -- PEER AT2 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "dt", "component", "digits"),
    [
        ("npts_equals.AT2", 0.005, "90", 1e-7),
        ("npts_bare.AT2", 0.01, "228", 1e-7),
        ("dt_only.AT2", 0.02, "UP", 1e-5),
    ],
)
def test_at2_headers(file: str, dt: float, component: str, digits: float) -> None:
    motion = one(DATA / file)
    i = np.arange(23)
    np.testing.assert_allclose(motion.accel / G, 0.001 * np.sin(0.7 * i) * (i + 1), atol=digits)
    assert motion.dt == dt
    assert motion.name == Path(file).stem
    assert motion.meta["station"].casefold() == "hand made"
    assert motion.meta["history"] == (f"read({file})",)
    assert read_motion(DATA / file, component) == motion
    assert one(DATA / file, dt=dt, unit="g") == motion


def at2(
    numbers: str = " .1 .2\n -.3\n", npts: object = 3, dt: object = 0.01, unit: str = "G"
) -> str:
    return (
        "PEER NGA STRONG MOTION DATABASE RECORD\nEvent, 1/1/2000, Station, 0\n"
        f"ACCELERATION TIME SERIES IN UNITS OF {unit}\nNPTS= {npts}, DT= {dt} SEC\n{numbers}"
    )


def test_at2_in_another_unit(write: Write) -> None:
    np.testing.assert_allclose(one(write(at2(unit="CM/SEC/SEC"))).accel, [1e-3, 2e-3, -3e-3])


@pytest.mark.parametrize("title", ["", "A title", "Event, Station", "1,2,3,4,5"])
def test_a_strange_title_line_does_not_matter(write: Write, title: str) -> None:
    assert one(write(at2().replace("Event, 1/1/2000, Station, 0", title))) == one(write(at2()))


def test_carriage_returns_byte_order_marks_and_accents_are_no_obstacle(write: Write) -> None:
    plain = one(write(at2()))
    assert one(write(at2().replace("\n", "\r\n"))) == plain
    assert one(write(at2().replace("\n", "\r"))) == plain
    assert one(write("\ufeff" + at2())) == plain
    for end in ("\x1a", "\n\x1a", "\r\n\x1a\r\n", "\x1a" * 99):  # how DOS ended a text
        assert one(write(at2() + end)) == plain
    accented = one(write(at2().replace("Station", "Élysée").encode("latin-1")))
    assert accented == plain and accented.meta["station"] == "Élysée"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (at2(npts=4), r"line 4: .*NPTS = 4, but 3 numbers up to line 6 follow"),
        (at2(npts=2), r"line 4: .*NPTS = 2, but 3 numbers"),
        (at2(npts=10**12), r"line 4: .*NPTS = 1000000000000"),
        (at2(npts="9" * 5000), "line 4: .*NPTS"),
        (at2(numbers="", npts=0), "at least 2"),
        (at2(numbers=".1\n", npts=1), "at least 2"),
        (at2()[: at2().index("SEC") + 3], "NPTS = 3, but 0 numbers"),
        (at2(dt=0), "line 4: dt = 0 s"),
        (at2(dt="1e999"), "line 4: dt = inf"),
        (at2(dt=-0.01), r"line 4: dt = -0\.01 s"),
        (at2(numbers=" .1 .2\n nan\n"), "line 6: 'nan' is not a finite number"),
        (at2(numbers=" .1\n inf .2\n"), "line 6: 'inf'"),
        (at2(numbers=" .1\n\n .2 1e999\n"), "line 7: '1e999'"),
        (at2(numbers=" .1 x2 .2\n"), "line 5: 'x2'"),
        (at2(numbers=" .1 .2 1_0\n"), "line 5: '1_0'"),
        (at2(numbers=" .1 .2 ٣\n"), "line 5: '٣'"),
        (at2(numbers=" .1 .2\n -.3\0\0\n"), "line 6"),
        (at2(numbers=" 1e308 1e308 .1\n"), "not a finite number"),
        (at2(unit="CM/SEC"), "'CM/SEC' is not a unit of acceleration"),
        (at2().replace("ACCELERATION", "VELOCITY"), "holds a velocity"),
        (at2().replace("ACCELERATION", "DISPLACEMENT"), "holds a displacement"),
    ],
)
def test_bad_at2_files(write: Write, content: str, reason: str) -> None:
    with pytest.raises(MotionFormatError, match=rf"^file\.txt.*{reason}"):
        read_motion(write(content))


@pytest.mark.parametrize(("name", "what"), [("a.VT2", "velocity"), ("a.dt2", "displacement")])
def test_velocities_and_displacements_are_refused_by_suffix(
    tmp_path: Path, name: str, what: str
) -> None:
    path = tmp_path / name
    path.write_text(at2())
    with pytest.raises(MotionFormatError, match=f"{name}: holds a {what}"):
        read_motion(path)


def test_options_that_contradict_the_file_are_errors(write: Write) -> None:
    path = write(at2())
    with pytest.raises(MotionFormatError, match=r"states dt = 0\.01 s but dt=0\.02"):
        read_motion(path, dt=0.02)
    with pytest.raises(MotionFormatError, match=r"but dt=0\.0101 was given"):
        read_motion(path, dt=0.0101)
    assert one(path, dt=0.010001).dt == 0.01  # the file's own, of two that are the same
    with pytest.raises(MotionFormatError, match="states the unit G but unit='m/s2'"):
        read_motion(path, unit="m/s2")
    with pytest.raises(MotionFormatError, match="no component '90': it has '0'"):
        read_motion(path, "90")


def test_a_counted_file_that_is_not_peers_must_state_its_unit(write: Write) -> None:
    path = write("El Centro\nNPTS=3, DT=.02 SEC\n.1 .2 .3\n")
    with pytest.raises(MotionFormatError, match=r"no unit is stated.*unit='g'"):
        read_motion(path)
    assert one(path, unit="m/s2").accel[2] == 0.3


# -- tables -------------------------------------------------------------------------------------


def test_table_with_time_and_vertical() -> None:
    motion = one(DATA / "time_and_vertical.csv")
    assert motion.dt == 0.01
    np.testing.assert_allclose(motion.accel / G, [0, 0.1, -0.2, 0.4, 0.05, 0])
    np.testing.assert_allclose(motion.vertical, [0, 0.1, 0.2, -0.3, 0.05, 0])  # type: ignore[arg-type]
    assert read_motion(DATA / "time_and_vertical.csv", "A") == motion
    alone = read_motion(DATA / "time_and_vertical.csv", "vertical")
    assert alone.vertical is None and alone.pga == pytest.approx(0.3)


def test_table_with_two_components() -> None:
    both = read_motion(DATA / "two_components.txt")
    assert isinstance(both, dict) and list(both) == ["NS", "EW"]
    assert both["NS"].pga == 0.4 and both["EW"].pga == 3.0 and both["EW"].dt == 0.02
    assert read_motion(DATA / "two_components.txt", "ew") == both["EW"]
    assert both["EW"].name == "two_components EW"


def test_table_of_one_column() -> None:
    motion = one(DATA / "one_column.txt")
    assert motion.dt == 0.005
    assert motion.pga == pytest.approx(1.96133)


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("0\n1\n-2\n", {"dt": 0.01, "unit": "m/s2"}),
        ("# dt = 0.01\n0\n1\n-2\n", {"unit": "m/s2"}),
        ("% dt: 10 ms, unit m/s^2\n0\n1\n-2\n", {}),
        ("# delta t = 10 msec, units are in m/s2\n0\n1\n-2\n", {}),
        ("# time step = 10 Milliseconds\n0\n1\n-2\n", {"unit": "m/s2"}),
        ("# DT (MS) = 10\n0\n1\n-2\n", {"unit": "m/s2"}),
        ("DT [s] = 0.01\nacc (m/s2)\n0\n1\n-2\n", {}),
        ("t,a\n0,0\n0.01,1\n0.02,-2\n", {"unit": "m/s²"}),
        ("t;a [m/s/s]\n0;0\n0.01;1\n0.02;-2\n", {}),
        ("time [s]\tAcc X [m/s2]\n0\t0\n0.01\t1\n0.02\t-2\n", {}),
        ("time[ms] accel_cm/s^2\n0 0\n10 100\n20 -200\n", {}),
        ("time [msec], a [m·s⁻²]\n0, 0\n10, 1\n20, -2\n", {}),
        ("t, a [m/s2]\n0.D0, 0.0D+00\n0.1D-01, .1d1\n0.2D-01, -.2D+01\n", {}),
        ('"Time (sec)","Acceleration (mm/sec2)"\n5,0\n5.01,1000\n5.02,-2000\n', {}),
        ("0 0\n0.01 1\n0.02 -2\n", {"unit": "m/s2"}),
        ("t_s,KJMA_gal\n\n0,0,\n0.01,1e2,\n0.02,-2E+2,\n\n", {}),
        ("# t  a [m/s2]\n0 0\n# a comment\n0.01 1\n0.02 -2", {}),
        ("dt = 0.01, t in s\nt,a [m/s2]\n0.00,0\n0.01,1\n0.02,-2\n", {}),
        ("t [s], v [m/s], a [m/s2]\n0,9,0\n.01,9,1\n.02,9,-2\n", {"component": "a"}),
        ("0 9 0\n.01 9 1\n.02 9 -2\n", {"component": "column 3", "unit": "m/s2"}),
    ],
)
def test_tables_in_many_dresses(write: Write, content: str, options: dict[str, object]) -> None:
    motion = one(write(content), **options)
    np.testing.assert_allclose(motion.accel, [0, 1, -2])
    assert motion.dt == pytest.approx(0.01, rel=1e-12)
    assert motion.vertical is None


def test_whole_numbers_under_two_names_are_two_columns(write: Write) -> None:
    motion = one(write("t, a [gal]\n0,10\n1,25\n2,30\n"))
    np.testing.assert_allclose(motion.accel, [0.10, 0.25, 0.30])
    assert motion.dt == 1.0


def test_each_component_may_have_its_own_time_column(write: Write) -> None:
    both = read_motion(write("t,ns [g],t,ew [g]\n0,1,0,2\n0.1,3,0.2,4\n0.2,0,0.4,1\n"))
    assert isinstance(both, dict)
    assert both["ns"].dt == pytest.approx(0.1) and both["ew"].dt == pytest.approx(0.2)


def test_three_components_stay_separate(write: Write) -> None:
    three = read_motion(
        write("# time(sec) N-S(cm/s/s) E-W(cm/s/s) U-D(cm/s/s)\n0 1 2 3\n1 4 5 6\n")
    )
    assert isinstance(three, dict) and list(three) == ["N-S", "E-W", "U-D"]
    assert three["N-S"].vertical is None


def test_columns_of_one_name_are_told_apart(write: Write) -> None:
    both = read_motion(write("a [g],a [g]\n0,1\n2,3\n"), dt=0.1)
    assert isinstance(both, dict) and list(both) == ["a", "a (column 2)"]


def test_rounded_times_are_read_with_a_known_step(write: Write) -> None:
    rows = "".join(f"{i / 256:.4f} {i / 50}\n" for i in range(50))
    path = write("t a[g]\n" + rows)
    with pytest.raises(MotionFormatError, match="only rounded in print, say dt="):
        read_motion(path)
    assert one(path, dt=1 / 256).dt == 1 / 256
    with pytest.raises(MotionFormatError, match="not where dt"):
        read_motion(path, dt=0.004)


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        ("0\n1\n2\n", {"unit": "g"}, "no time step .* say dt="),
        ("0\n1\n2\n", {"dt": 0.01}, "no unit is stated .*unit='g'"),
        ("# dt = 0\n0\n1\n", {"unit": "g"}, "line 1: dt = 0 s"),
        ("# dt = 0.02\n0\n1\n", {"unit": "g", "dt": 0.01}, "line 1: states dt = 0.02"),
        ("t,a [g]\n0,0\n1,1\n", {"unit": "m/s2"}, "states the unit g but"),
        ("t,a [g]\n0,0\n1,1\n3,1\n4,1\n5,1\n", {}, "line 4: time goes from 1 to 3 s"),
        ("t,a [g]\n0,0\n1,1\n2,1\n2.5,1\n", {"dt": 1.0}, "line 5: time 2.5 s is not"),
        ("t,a [g]\n0,0\n0,1\n0,1\n", {}, "does not increase"),
        ("t,a [g]\n2,0\n1,1\n0,1\n", {}, "does not increase"),
        ("t,a [g]\n2,0\n", {}, "does not increase"),
        ("t,a [g]\n", {}, "no known format"),
        ("t,a [g]\n0,0\n1\n", {}, "line 3: the row has 1 numbers and the first row 2"),
        ("t,a [g]\n0,0\n1,,2\n3,4,5\n", {}, "line 4: the row has 3"),
        ("t,a [g]\n0,0\n1,nan\n", {}, "line 3: 'nan'"),
        ("t,a [g]\n0,0\n1,#\n", {}, "line 3: '#'"),
        ("t,a [g]\n0,-inf\n1,2\n", {}, "line 2: '-inf'"),
        ("t,a [g]\n0,0\n1,1e308\n", {}, "not a finite number"),
        ("t,foo,a [g]\n0,0,0\n1,1,1\n", {}, "column 'foo' is; .*'t', 'foo', 'a' .*component='a'"),
        ("foo,bar\n0,0\n1,1\n", {}, "column 'foo' is; the columns are 'foo', 'bar'"),
        ("t,v [m/s]\n0,0\n1,1\n", {"component": "v"}, "'m/s' of column 'v' .* not a unit of accel"),
        ("t,a [g]\n0,0\n1,1\n", {"component": "b"}, "no acceleration column 'b': it has 't', 'a'"),
        ("t,a [g]\n0,0\n1,1\n", {"component": "t"}, "no acceleration column 't'"),
        ("t,time\n0,0\n1,1\n", {}, "has no acceleration"),
        ("0 1 2\n1 2 3\n", {"unit": "g"}, "column 'column 2' is; .*component="),
        ("5 1\n4 2\n", {"unit": "g", "dt": 1}, "column 'column 1' is"),
        ("units: furlong\ndt=1\n1\n2\n", {}, "'furlong' .*is not a unit"),
        ("t;a [g]\n0,5;0.5\n1;1\n", {}, "line 2: some numbers have a decimal point .*'0.5'"),
        ("1,5\n2,5\n", {"dt": 1, "unit": "g"}, "line 1: '1,5' can be 2 columns .*say decimal="),
    ],
)
def test_bad_tables(write: Write, content: str, options: dict[str, object], reason: str) -> None:
    with pytest.raises(MotionFormatError, match=rf"(?s)^file\.txt.*{reason}"):
        one(write(content), **options)


# -- any file -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (bytes(range(256)) * 40, "binary file of no known format"),
        ("Dear reader,\nno numbers here.\n", "begins with 'Dear reader,'.*PEER AT2"),
        ("word\n" * 11 + "1\n2\n", "no known format"),
    ],
)
def test_files_that_are_no_motion(write: Write, content: str | bytes, reason: str) -> None:
    with pytest.raises(MotionFormatError, match=rf"^file\.txt: .*{reason}"):
        read_motion(write(content))


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(MotionFormatError, match=r"nothing\.AT2: cannot be opened: No such file"):
        read_motion(tmp_path / "nothing.AT2")
    with pytest.raises(MotionFormatError, match="cannot be opened: Is a directory"):
        read_motion(tmp_path)
    with pytest.raises(MotionFormatError, match="cannot be opened"):
        read_motion("a\0b")


def test_a_file_may_be_named_in_any_way(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    motion = one(write(at2()))
    monkeypatch.chdir(tmp_path)
    for path in ("file.txt", "./file.txt", str(tmp_path / "file.txt"), Path("file.txt")):
        again = one(path)  # type: ignore[arg-type]
        assert again == motion and again.name == "file" and again.meta == motion.meta


@pytest.mark.parametrize(
    ("line", "npts", "dt"),
    [
        ("NPTS= 3, DT= .02 SEC", 3, 0.02),
        ("  3   0.0200  NPTS, DT", 3, 0.02),
        ("npts = 3 , dt = 2e-2", 3, 0.02),
        ("DT= 0.02, NPTS= 3", 3, 0.02),
        ("NPTS=3 points; DT=0.02", 3, 0.02),
        ("dt=0.02 (npts as found)", 3, 0.02),
    ],
)
def test_lines_with_dt(write: Write, line: str, npts: int, dt: float) -> None:
    """Also where words before it contain the letters, and the title has an accent."""
    text = at2().replace("Event", "Landtag dt, Zürich").replace("NPTS= 3, DT= 0.01 SEC", line)
    motion = one(write(text))
    assert (motion.npts, motion.dt) == (npts, dt)
    assert motion.meta["event"] == "Landtag dt, Zürich, 1/1/2000"


def test_bad_options_are_refused_before_the_file_is_read() -> None:
    with pytest.raises(InputError, match=r"dt = -1 s"):
        read_motion("nothing", dt=-1)
    with pytest.raises(InputError, match=r"unit = 'parsec' .* use one of g, %g, m/s2"):
        read_motion("nothing", unit="parsec")
    with pytest.raises(InputError, match=r"sensitivity = 0 counts"):
        read_motion("nothing", sensitivity=0)


# -- numbers and units ----------------------------------------------------------------------------

FORMATS = {
    "E15.7": lambda v: f"{v:15.7E}",
    "e16.6": lambda v: f"{v:16.6e}",
    "F10.5": lambda v: f"{v % 90 - 45:10.5f}",
    "F12.2": lambda v: f"{v % 2e6:12.2f}",
    "E24.16": lambda v: f"{v:24.16E}",  # too many digits for exact arithmetic
    "repr": lambda v: f" {v!r}",
    "I12": lambda v: f"{int(v % 1e9):12d}",
    "+": lambda v: f" {v:+.3g}",
}


def parsed(text: str, **options: int) -> list[float]:
    return numbers(Source(Path("file"), text.encode()), 0, **options).values.tolist()


def same(values: list[float], expected: list[float]) -> bool:
    signs = [math.copysign(1, v) for v in values], [math.copysign(1, v) for v in expected]
    return values == expected and signs[0] == signs[1]


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2),
    st.integers(1, 6),
    st.sampled_from(sorted(FORMATS)),
)
@example([1e-30, -1e-30, 0.0, -0.0, 123.0], 2, "E15.7")
@example([9007199254740993.0, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 0.1], 3, "repr")
def test_numbers_equal_floats_to_the_last_bit(
    values: list[float], per_line: int, form: str
) -> None:
    words = [FORMATS[form](v) for v in values]
    lines = ["".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
    text = "\n".join(lines) + "   \n"
    if " " not in text.strip() or any(len(word.split()) != 1 or word[0] != " " for word in words):
        return  # numbers that touch need a width
    if not all(math.isfinite(float(word)) for word in words):
        return  # 1.7976931348623157e308 rounded up
    assert same(parsed(text), list(map(float, words)))


@given(st.text("0123456789.eE+-dD \n", max_size=40))
@example("1.e5 .5 5. +.5E+05 -0e0")
@example("1e .")
@example("0" * 30 + "1" + "0" * 30 + "e-30")
@example("123456789012345678901234567890e-10 0.000000000000000000000000000000000012345")
def test_what_is_a_number_is_what_float_says(text: str) -> None:
    try:
        expected = [float(word.lower().replace("d", "e")) for word in text.split()]
        good = all(map(math.isfinite, expected))
    except ValueError:
        good = False
    if good:
        assert same(parsed(text), expected)
    else:
        with pytest.raises(MotionFormatError, match="is not a finite number"):
            parsed(text)


@given(
    st.lists(st.floats(-999, 999).map(lambda v: v if abs(v) > 1e-90 else 0.0), min_size=1),
    st.integers(1, 8),
)
def test_fortran_columns_may_touch(values: list[float], per_line: int) -> None:
    words = [f"{v:14.7E}" for v in values]
    lines = ["".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
    assert same(parsed("\n".join(lines), width=14), list(map(float, words)))
    whole = [f"{abs(v):8.4f}"[:8] for v in values]  # 123.4567 fills its column
    lines = ["".join(whole[i : i + per_line]) for i in range(0, len(words), per_line)]
    assert same(parsed("\n".join(lines), width=8), list(map(float, whole)))


# Equal columns after a header: these are parsed several at a time.

HEADER = "a header of one line\n"
COLUMNS = {
    "E15.7": lambda v: f"{v:15.7E}",
    "E14.7": lambda v: f"{v:14.7E}",  # a minus sign touches the number before it
    "e16.6": lambda v: f"{v:16.6e}",
    "E12.4": lambda v: f"{v:12.4E}",
    "E16.8": lambda v: f"{v:16.8E}",
    "D15.7": lambda v: f"{v:15.7E}".replace("E", "D"),
    "0.": lambda v: fortran(v, "0.", 15),
    ".": lambda v: fortran(v, ".", 15),
}


def fortran(value: float, point: str, width: int) -> str:
    """0.1234567E-02 or .1234567E-02: what Fortran's E format gives, with seven digits."""
    mantissa, exponent = f"{abs(value):.6E}".split("E")
    power = int(exponent) + (value != 0)
    sign = "-" if math.copysign(1, value) < 0 else ""
    return f"{sign}{point}{mantissa.replace('.', '')}E{power:+03d}".rjust(width)


def column_text(values: list[float], per_line: int, form: str) -> str:
    words = [COLUMNS[form](v) for v in values]
    lines = ["".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
    return "\n".join(lines) + "\n"


def as_floats(text: str) -> list[float] | None:
    """What Python's own `float` reads, or None where a word is no finite number."""
    try:
        values = [float(word.lower().replace("d", "e")) for word in text.split()]
    except ValueError:
        return None
    return values if all(map(math.isfinite, values)) else None


def below_header(text: str, **options: Any) -> Numbers:
    return numbers(Source(Path("file"), (HEADER + text).encode()), len(HEADER), **options)


TWO_DIGIT_EXPONENTS = st.one_of(
    st.floats(-9e98, 9e98).filter(lambda v: v == 0 or abs(v) > 1e-98),
    st.floats(-10, 10).map(lambda v: v if abs(v) > 1e-98 else 0.0),
    st.sampled_from([0.0, -0.0, 1e15, -1e-15, 1e-16, 9.9999999e-23, 1e23]),
)


@given(
    st.lists(TWO_DIGIT_EXPONENTS, min_size=1, max_size=40),
    st.integers(1, 8),
    st.sampled_from(sorted(COLUMNS)),
)
@example([0.0, -0.0, 1e15, -1e15, 1e-15, 1e-16, 1e22, 1e23], 2, "E15.7")
@example([0.0, -0.0, -0.5, 0.5], 2, ".")
def test_columns_equal_floats_to_the_last_bit(
    values: list[float], per_line: int, form: str
) -> None:
    text = column_text(values, per_line, form)
    width = len(COLUMNS[form](0.0))
    words = [line[i : i + width] for line in text.splitlines() for i in range(0, len(line), width)]
    expected = as_floats(" ".join(words))
    assert expected is not None
    found = below_header(text, width=width)
    assert same(found.values.tolist(), expected)
    if text[0] == " ":  # only the last line may be shorter: it is read one by one
        assert found.others.size == (len(values) % per_line if len(values) > per_line else 0)
    if all(word.startswith(" ") for word in words):
        found = below_header(text)
        assert same(found.values.tolist(), expected)
        lines = [(HEADER + text).count("\n", 0, place) for place in found.places]
        assert lines == [1 + i // per_line for i in range(len(values))]


@given(
    st.sampled_from(sorted(set(COLUMNS) - {"E14.7"})),
    st.integers(0, 10**6),
    st.sampled_from([*"0123456789.eEdDxX+- \n\t/:,)*F\0"]),
)
@example("E15.7", 0, "1")  # a digit where a blank must be
@example("E15.7", 14, " ")
@example("E15.7", 75, " ")  # two lines become one
def test_one_wrong_character_among_columns_is_noticed(form: str, place: int, wrong: str) -> None:
    """In any block of lines: what is read, or refused, is what `float` says."""
    text = column_text((np.sin(np.arange(2113.0)) * 0.3).tolist(), 5, form)
    place %= len(text)
    text = text[:place] + wrong + text[place + 1 :]
    expected = as_floats(text)
    if expected is None:
        lines = text.split("\n")
        wrong_line = next(i for i, line in enumerate(lines, start=2) if as_floats(line) is None)
        with pytest.raises(MotionFormatError, match=rf"line {wrong_line}: .* is not a finite"):
            below_header(text)
    else:
        assert same(below_header(text).values.tolist(), expected)


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=60),
    st.sampled_from(sorted(FORMATS)),
    st.sampled_from([0, 1, -1, 7, 10**12]),
    st.sampled_from([1.0, G, 0.01]),
)
@example([1e-30, -0.0, 0.1], "repr", 0, G)  # beyond exact arithmetic: `float` reads it
def test_a_factor_and_a_claimed_count_change_no_bit(
    values: list[float], form: str, off: int, factor: float
) -> None:
    """Each number is float(word) times the factor; how many a header claims does not matter."""
    words = [FORMATS[form](v).strip() for v in values]
    text = "\n".join(" " + word for word in words) + "\n"
    expected = [float(word) * factor for word in words]
    for claim in (None, max(len(words) + off, 0)):
        found = below_header(text, likely=claim, factor=factor)
        assert same(found.values.tolist(), expected)
    columns = column_text([v if abs(v) > 1e-98 else 0.0 for v in values], 3, "E15.7")
    expected = [v * factor for v in as_floats(columns) or []]
    found = below_header(columns, likely=max(len(values) + off, 0), factor=factor)
    assert same(found.values.tolist(), expected)


def test_what_a_factor_makes_infinite_is_refused_without_a_warning(write: Write) -> None:
    with pytest.raises(MotionFormatError, match=r"accel\[1\] = inf is not a finite number"):
        read_motion(write(at2(numbers=" 1.0 1.7e308 0.0\n")))


def test_numbers_that_touch_are_none_where_columns_are_not_known() -> None:
    text = " 1.0000000E+00-1.0000000E+00\n" * 3
    with pytest.raises(MotionFormatError, match=r"line 2: '1.0000000E\+00-1.0000000E\+00' is not"):
        below_header(text)
    assert below_header(text, width=14).values.tolist() == [1, -1] * 3


def test_a_declared_count_ends_columns_too() -> None:
    text = column_text([1.0] * 10, 5, "E15.7") + "words\n"
    assert below_header(text, count=10).values.tolist() == [1] * 10
    with pytest.raises(MotionFormatError, match="line 3: 7 numbers are declared, but more"):
        below_header(text, count=7)
    with pytest.raises(MotionFormatError, match=r"line 4: 'words'.*; 10 numbers"):
        below_header(text)


def test_a_declared_count_is_taken_at_its_word_only_if_it_fits() -> None:
    assert parsed("1 2 3\n4 5\n", count=3) == [1, 2, 3]
    for text, count, reason in [
        ("1 2 3\n4 5", 4, "line 2: 4 numbers are declared, but more"),
        ("1 2 3\n", 4, "line 1: the file ends after 3 numbers where its header declares 4"),
        ("1 2\nx\n", 4, "line 2: 'x' is not a finite number; 2 numbers stand before it"),
        ("1 2\n", 10**15, "the file ends after 2 numbers"),
    ]:
        with pytest.raises(MotionFormatError, match=reason):
            parsed(text, count=count)


@pytest.mark.parametrize(
    ("spellings", "factor"),
    [
        ("g G (g) g's", G),
        ("%g g%", G / 100),
        ("m/s2 m/s^2 m/s² m/s**2 m/s/s m/sec2 M/SEC/SEC ms-2 m.s-2 m·s⁻²", 1.0),
        ("cm/s2 cm/s/s cm/sec^2 gal Gal gals", 0.01),
        ("mm/s2 mm/sec/sec", 0.001),
    ],
)
def test_units_in_many_spellings(spellings: str, factor: float) -> None:
    for spelling in spellings.split():
        assert unit_factor(spelling) == pytest.approx(factor), spelling
    assert unit_factor("cm / s ^ 2") == unit_factor("cm\u00a0s⁻²") == 0.01


@pytest.mark.parametrize("text", ["m/s", "cm", "s", "kg", "mg", "", "2", "s2"])
def test_what_is_not_an_acceleration(text: str) -> None:
    assert canonical_unit(text) is None
