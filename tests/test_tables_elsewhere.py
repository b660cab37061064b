"""Every door that reads a table reads what a spreadsheet in Italy, Germany or France writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.identification.curve import read_curve
from rocksteady.analysis.portfolio.table import read_buildings
from rocksteady.ensembles.study_file import read_study
from rocksteady.errors import InputError
from rocksteady.monitor.lines import LineReader
from rocksteady.motion.scaling import read_spectrum

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "latin-1"]


@pytest.fixture(params=ENCODINGS)
def write(tmp_path: Path, request: pytest.FixtureRequest):
    def one(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(text.replace("\n", "\r\n").encode(request.param))
        return path

    return one


def test_a_portfolio(write) -> None:
    path = write(
        "town.csv",
        "id;District;lon;lat;mass [kg];contact_area [m2]\n"
        "casa 1;Città alta;11,25;43,77;120.000,5;16,07\n"
        "casa 2;Città bassa;11,5;43,5;90.000;12\n",
    )
    table = read_buildings(path)
    assert list(table["mass [kg]"]) == [120000.5, 90000.0]
    assert list(table["lon"]) == [11.25, 11.5]
    assert list(table["District"]) == ["Città alta", "Città bassa"]


def test_an_ambiguous_portfolio_is_asked_about(write) -> None:
    path = write("town.csv", "id;mass [kg]\na;120.000\nb;90.000\n")
    with pytest.raises(InputError, match=r"town\.csv .*'120\.000' can be 120000 or 120.*# decimal"):
        read_buildings(path)
    path = write("town.csv", "# decimal: comma\nid;mass [kg]\na;120.000\nb;90.000\n")
    assert list(read_buildings(path)["mass [kg]"]) == [120000, 90000]


def test_the_systems_of_a_study(write, tmp_path: Path) -> None:
    write(
        "statues.csv", "name;height [m];width [m];mass [kg]\nNikè;1,85;0,5;1.234,5\nB;2;0,4;900\n"
    )
    study = tmp_path / "study.toml"
    study.write_text(
        '[systems]\ntable = "statues.csv"\n[[motions]]\npulse = "sine,a=0.45g,T=0.5"\n'
    )
    found = read_study(study).study
    assert [block.height for block in found.systems] == [1.85, 2.0]
    assert [block.mass for block in found.systems] == [1234.5, 900.0]
    assert found.system_names == ("Nikè", "B")


def test_a_measured_decay(write, rocksteady) -> None:
    block = rs.Block(1.0, 0.25)
    free = rs.simulate(block, None, rs.Housner(r=0.85), theta0=0.6 * block.alpha)
    time = np.arange(0, free.time[-1], 0.01)
    lean = np.degrees(np.interp(time, free.time, free.theta))
    points = "".join(f"{t:.2f};{a:.4f}\n" for t, a in zip(time, lean, strict=True))
    write("point.csv", "time [s];lean [deg]\n" + points)
    write("comma.csv", "Zeit [s];Neigung [deg]\n" + points.replace(".", ","))
    sizes = ("--height", 1, "--width", 0.25, "--json")
    one, two = (
        rocksteady("calibrate", "measure", name, *sizes) for name in ("point.csv", "comma.csv")
    )
    assert one.code == two.code == 0
    assert one.out.replace("point.csv", "") == two.out.replace("comma.csv", "")


def test_a_pushover_curve_and_a_spectrum(write) -> None:
    rows = "".join(f"{0.25 * i:.2f};{1000 + 2.5 * i:,.1f}\n" for i in range(12))
    rows = rows.translate(str.maketrans(",.", ".,"))
    assert "2,75;1.027,5" in rows
    curve = read_curve(write("curve.csv", "displacement [mm];force [kN]\n" + rows))
    assert curve[0] == pytest.approx(0.25e-3 * np.arange(12))
    assert curve[1] == pytest.approx(1e6 + 2.5e3 * np.arange(12))
    periods, accelerations = read_spectrum(write("target.csv", "T [s];Sa [g]\n0,0;0,4\n0,55;1,0\n"))
    assert periods == pytest.approx([0, 0.55])
    assert accelerations == pytest.approx([0.4 * 9.80665, 9.80665])


# -- a sensor's lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("0,00;0,5\n0,01;-0,25\n", ("time", "a_h")),
        ("0,00\t0,5\n0,01\t-0,25\n", ("time", "a_h")),
        ("0,00 0,5 0\n0,01 -0,25 0\n", ("time", "a_h", "a_v")),
        ("tempo;acc\n0;0,5\n0,01;-0,25\n", ("time", "a_h")),
        ("0,5\n-0,25\n", ("a_h",)),
        ("0,5\n0,05\n", ("a_h",)),
        ("acc, filtered\n0,5\n0,05\n", ("a_h",)),
    ],
)
@pytest.mark.parametrize("line_by_line", [False, True])
def test_decimal_commas_of_a_sensor(text: str, columns: tuple[str, ...], line_by_line) -> None:
    told = columns == ("a_h",)  # one number alone cannot tell in its first line
    reader = LineReader(columns if told and line_by_line else None)
    pieces = text.splitlines(keepends=True) if line_by_line else [text]
    tables = [reader.read(piece.encode()) for piece in pieces]
    assert reader.columns == columns
    assert not any(table.garbage.any() for table in tables)
    a_h = np.concatenate([table.accelerations("a_h") for table in tables])
    assert a_h[0] == 0.5 and a_h[1] in (-0.25, 0.05)
    if "time" in columns:
        times = [table.time for table in tables if table.time is not None]  # not of a heading
        assert np.concatenate(times).tolist() == [0.0, 0.01]


def test_a_sensor_whose_commas_could_be_either_is_asked_about() -> None:
    with pytest.raises(InputError, match=r"1,5 can be a time and .*--columns time,a_h or"):
        LineReader().read(b"1,5\n1,7\n1,2\n")
    assert LineReader(("a_h",)).read(b"1,5\n1,7\n").accelerations("a_h").tolist() == [1.5, 1.7]
    assert LineReader(("time", "a_h")).read(b"1,5\n2,7\n").accelerations("a_h").tolist() == [
        5.0,
        7.0,
    ]
    assert LineReader().read(b"7,5\n").accelerations("a_h").tolist() == [5.0]  # the usual columns
    counts = LineReader().read(b"0,5\n1,7\n2,6\n")  # whole seconds that go on are times
    assert counts.time is not None and counts.accelerations("a_h").tolist() == [5.0, 7.0, 6.0]


def test_lines_with_points_stay_as_they_are() -> None:
    for text in (b"0.00,0.5\n0.01,-0.25\n", b"0.00;0.5\n0.01;-0.25\n", b"0.00 0.5\n0.01 -0.25\n"):
        assert LineReader().read(text).accelerations("a_h").tolist() == [0.5, -0.25]
