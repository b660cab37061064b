"""Names from outside in each kind of output: the terminal, figures, pages, tables, messages."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest

import rocksteady as rs
from rocksteady.names import cell, csv_table, csv_text, markup, shown, storable
from rocksteady.view.style import sheet

DATA = Path(__file__).parent / "data"
HOSTILE = "a\x1b[31mred\x00 \u202eback"
BYTE = os.fsdecode(b"caf\xe9")  # a file name in Latin-1
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]")


def test_what_is_shown() -> None:
    assert shown(HOSTILE) == "a\\x1b[31mred\\x00 \\u202eback" == markup(HOSTILE)
    assert shown(BYTE) == "caf\\xe9" and shown("café, 0.3 m/s²\n\tθ/α") == "café, 0.3 m/s²\n\tθ/α"
    assert storable("\x1b\u202e") == "\x1b\u202e" and storable("a\0") == "a\\x00"
    assert storable(BYTE + "é").encode() == "caf\\xe9é".encode()
    assert not UNSAFE.search(shown("".join(map(chr, range(0x110000)))))


@pytest.mark.parametrize("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text).startswith("'") and cell(text).endswith(shown(text))
    for number in ("-0.5", "+1e-3", -0.5, None, 3):
        assert cell(number) == number


def test_tables() -> None:
    names = pandas.Series(["=1+1", BYTE, "plain"], dtype=object)  # Arrow takes UTF-8 alone
    table = pandas.DataFrame({"=name": names, "x [m]": [-1.0, 0.1, np.nan]})
    text = csv_table(table)
    assert text == "'=name,x [m]\n'=1+1,-1.0\ncaf\\xe9,0.1\nplain,\n"
    assert csv_text([["@a", 'say "x"'], [HOSTILE, -2]]).encode().decode().startswith("'@a,")
    plain = pandas.DataFrame({"name": ["one", "two", None], "n": [1, 2, 3], "x": [0.1, -2.0, 1e-9]})
    assert csv_table(plain) == plain.to_csv(index=False, lineterminator="\n")


@pytest.mark.parametrize("name", [HOSTILE, BYTE, "$x_", "<b>&--></b>"])
def test_figures_and_their_svg(tmp_path: Path, name: str) -> None:
    for ending in ("svg", "png"):
        with sheet(name, 40, tmp_path / f"one.{ending}") as fig:
            axes = fig.subplots()
            axes.plot([0, 1], label=name)
            axes.legend()
            for text in axes.get_legend().get_texts():
                text.set_parse_math(False)
    drawing = (tmp_path / "one.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(drawing)
    assert not UNSAFE.search(drawing)


def test_a_label_with_an_escape_in_a_figure(tmp_path: Path) -> None:
    block = rs.Block(1.8, 0.5)
    response = rs.simulate(block, rs.Motion([0.0, 0.1, 0.0], 0.01, name=HOSTILE))
    assert response.motion.name == storable(HOSTILE)  # kept: outputs make it safe
    response.save(tmp_path / "one.csv")
    response.plot(tmp_path / "one.svg")
    for file in ("one.csv", "one.svg"):
        assert not UNSAFE.search((tmp_path / file).read_text(encoding="utf-8"))


def test_pages() -> None:
    from rocksteady.view.report.svg import inline_svg

    with sheet("", 40) as fig:
        fig.subplots().set_xlabel(HOSTILE)
    assert not UNSAFE.search(inline_svg(fig, "one", HOSTILE))


def test_terminal() -> None:
    from rich.text import Text

    from rocksteady.cli.common.output import PlainConsole, WholeTables, headed_table

    for kind in (PlainConsole, WholeTables):
        stream = io.StringIO()
        console = kind(file=stream, force_terminal=True, width=60, highlight=False, markup=False)
        table = headed_table(["motion"])
        table.add_row(Text(HOSTILE, "bold"))
        console.print(table)
        console.print(f"wrote {HOSTILE}", Text(BYTE))
        out = re.sub(r"\x1b\[[\d;]*m(?!red)", "", stream.getvalue())  # our own colours
        assert not UNSAFE.search(out) and "\\x1b[31mred\\x00" in out and "caf\\xe9" in out


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes: Linux alone")
def test_files_of_such_names(tmp_path: Path, command_line: Callable[..., Any]) -> None:
    """Read, refused and written by commands, as any other."""
    names = [BYTE + ".AT2", "a\x1b[31mred.AT2", "=1+1.AT2", "@x.AT2"]
    for name in names:
        shutil.copy(DATA / "npts_equals.AT2", tmp_path / name)
    table = tmp_path / "table.csv"
    files = [str(tmp_path / name) for name in names]
    outcome = command_line("motion", "info", *files, "--out", str(table))
    assert outcome.code == 0 and not UNSAFE.search(outcome.out + outcome.err)
    with table.open(encoding="utf-8", newline="") as file:
        cells = [one for row in csv.reader(file) for one in row]
    assert not any(one.startswith(("=", "+", "@")) or UNSAFE.search(one) for one in cells)
    assert {"'=1+1.AT2", "'@x.AT2", "caf\\xe9.AT2"} <= set(cells)
    for name, ending in zip(names, ("svg", "csv", "nc", "png"), strict=True):
        made = tmp_path / f"made.{ending}"
        body = ("--height", "1.8", "--width", "0.5", "--out", str(made))
        outcome = command_line("simulate", "-m", str(tmp_path / name), *body)
        assert outcome.code == 0 and made.is_file() and not UNSAFE.search(outcome.out)
    (tmp_path / names[1]).write_text("nothing")
    outcome = command_line("motion", "info", str(tmp_path / names[1]))
    assert outcome.code != 0 and not UNSAFE.search(outcome.out + outcome.err)
    outcome = command_line("simulate", "-m", "no\x1b[31m.AT2", "--height", "1.8", "--width", "0.5")
    assert outcome.code != 0 and not UNSAFE.search(outcome.out + outcome.err)


def test_tables_of_runs(tmp_path: Path) -> None:
    names = ("=1+1", "+x", "plain", "-0.5")
    pushes = [rs.pulses.sine(3.0 + i, period=0.5).renamed(name) for i, name in enumerate(names)]
    runs = rs.ensemble(rs.Block(1.8, 0.5), pushes, progress=False)
    table = rs.write_ensemble_runs(runs, tmp_path / "runs.csv")
    with table.open(encoding="utf-8", newline="") as file:
        told = [row["motion"] for row in csv.DictReader(file)]
    assert told == ["'=1+1", "'+x", "plain", "-0.5"]
    kept = pandas.read_parquet(rs.write_ensemble_runs(runs, tmp_path / "runs.parquet"))
    assert list(kept["motion"]) == list(names)  # which no spreadsheet takes for a formula
