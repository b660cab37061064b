"""Numbers as people export them: which sign is which, and asked where nothing tells."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocksteady.errors import InputError
from rocksteady.text_tables import (
    Style,
    UnclearNumbersError,
    decoded,
    encoding_of,
    plain,
    read_rows,
    read_table,
    style_of,
)

# -- which sign is which --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "separator", "decimal"),
    [
        (["0.01,0.5", "0.02,0.6"], ",", "."),
        (["0,01;0,5"], ";", ","),
        (["0;0", "1;1.234,5"], ";", ","),  # a thousands dot
        (["0.5;1,234.5"], ";", "."),  # and a thousands comma
        (["1.234.567;0"], ";", ","),
        (["0,01\t0,5"], "\t", ","),
        (["0\t0", "1\t2,5"], "\t", ","),  # the first row does not tell
        (["1.234\t5"], "\t", "."),
        (["0,01 0,5"], None, ","),
        (["1 234,5;6"], ";", ","),  # France
        (["1\u202f234,5;6"], ";", ","),
        (["1'234.5;6"], ";", "."),  # Switzerland
        (['"0,5","0,6"'], ",", ","),
        (["0,12", "0,015"], None, ","),  # 015 is no whole number
        (["-0,5"], None, ","),
        (["0", "0,5"], None, ","),  # two columns would be two everywhere
        (["1,52E-03", "2,51E-03"], None, ","),
        (["0, 1"], ",", "."),
        (["1,2,3", "4,5,6"], ",", "."),
        (["5 6", "7 8"], None, "."),
    ],
)
def test_style(rows: list[str], separator: str | None, decimal: str) -> None:
    assert style_of(rows) == Style(separator, decimal)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["1,234;5"], "'1,234' can be 1234 or 1.234"),
        (["12.500;3"], "'12.500' can be 12500 or 12.5"),
        (["1,234 5,678"], "'1,234' can be 1234 or 1.234"),
        (["10,20", "11,25"], "'10,20' can be 2 columns .* or one number with a decimal comma"),
        (["1.234,56"], "'1.234,56' can be 2 columns"),
    ],
)
def test_what_fits_two_ways_is_asked_and_the_answer_is_taken(rows: list[str], said: str) -> None:
    with pytest.raises(UnclearNumbersError, match=f"{said}.*# decimal: comma") as caught:
        style_of(rows)
    assert caught.value.asks
    assert style_of(rows, ",").decimal == ","
    assert style_of(rows, ".").decimal == "."


def test_contradictions_are_shown() -> None:
    with pytest.raises(UnclearNumbersError, match=r"point \('0.5'\) .* comma \('0,5'\)"):
        style_of(["0.5;0", "0;0,5"])
    with pytest.raises(UnclearNumbersError, match=r"'0.5' is not a number with a decimal comma"):
        style_of(["0.5;1"], ",")


def test_a_heading_settles_what_separates() -> None:
    assert style_of(["10,20"], names=lambda count, mark: count == 2) == Style(",", ".")
    assert style_of(["10,20"], names=lambda count, mark: count == 1) == Style(None, ",")


NUMBERS = st.floats(-1e7, 1e7, allow_subnormal=False).map(lambda x: round(x, 3))


@given(rows=st.lists(st.lists(NUMBERS, min_size=2, max_size=4), min_size=1, max_size=8))
def test_a_continental_export_is_read_to_the_same_numbers(rows: list[list[float]]) -> None:
    """Written with thousands dots and decimal commas, as a spreadsheet does."""
    rows = [[0.5, *row] for row in rows]  # which settles the sign

    def written(x: float) -> str:
        return f"{x:,.3f}".translate(str.maketrans(",.", ".,"))

    lines = [";".join(map(written, row)) for row in rows]
    style = style_of(lines)
    assert style == Style(";", ",")
    for line, row in zip(lines, rows, strict=True):
        assert [float(plain(cell, ",")) for cell in line.split(";")] == row


@given(
    rows=st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=1)
    )
)
def test_what_pandas_would_write_is_read_or_asked_never_another_number(
    rows: list[list[float]],
) -> None:
    """Whatever the style that is found, every number is the one written, or it is an error."""
    for separator in (",", ";", "\t", " "):
        lines = [separator.join(map(repr, row)) for row in rows]
        try:
            style = style_of(lines, names=lambda count, mark: True)
        except UnclearNumbersError:
            assert separator == ";"  # where a point may be between thousands
            continue
        for line, row in zip(lines, rows, strict=True):
            cells = line.split(style.separator) if style.separator else line.split()
            assert [float(plain(cell, style.decimal)) for cell in cells] == row


# -- encodings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"]
)
def test_encodings(encoding: str) -> None:
    text = "Überhöhung [m/s²];Höhe\n1,5;2\n"
    assert decoded(text.replace("\n", "\r\n").encode(encoding)) == text


def test_binary_is_not_taken_for_utf16() -> None:
    assert encoding_of(bytes(range(256)) * 4) == "latin-1"
    assert not encoding_of(b"\0" * 512).startswith("utf-16")


# -- tables ---------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path):
    def write(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "table.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_text_and_dates_stay_what_they_are(table) -> None:
    found = read_table(
        table("name;height [m];built;mass\nRossi, M.;1,5;16.11.1905;1.200,5\nB;2;1.1.2000;900\n")
    )
    assert list(found["name"]) == ["Rossi, M.", "B"]
    assert list(found["built"]) == ["16.11.1905", "1.1.2000"]
    assert list(found["height [m]"]) == [1.5, 2.0] and list(found["mass"]) == [1200.5, 900.0]


def test_lines_may_end_in_a_separator_and_begin_with_excels_own(table) -> None:
    found = read_table(table("sep=;\na;b;\n0,5;1;\n0,25;2;\n", "utf-16"))
    assert found.to_dict("list") == {"a": [0.5, 0.25], "b": [1, 2]}


def test_the_file_itself_can_answer(table) -> None:
    text = "mass;height\n12.500;3\n"
    with pytest.raises(InputError, match=r"'12.500' can be 12500 or 12.5.*# decimal: comma"):
        read_table(table(text))
    assert read_table(table("# decimal: comma\n" + text))["mass"][0] == 12500
    assert read_table(table("# decimal: point\n" + text))["mass"][0] == 12.5


def test_a_table_without_a_heading(table) -> None:
    assert read_rows(table("# remark\n0,5 1\n\n0,75 2 # there\n")) == [["0.5", "1"], ["0.75", "2"]]
    assert read_rows(table("")) == []


def test_quoted_cells_keep_their_separators(table) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([["name", "x"], ['Via "Roma", 5', "1.5"]])
    found = read_table(table(text.getvalue()))
    assert found["name"][0] == 'Via "Roma", 5' and found["x"][0] == 1.5
