"""`rocksteady motion info`: the contents of ground-motion files, as a table."""

import math
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from rich import box
from rich.table import Table
from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.files import check_writable, keep_sources
from rocksteady.cli.common.inputs import Json, grouped
from rocksteady.cli.common.options import out_option, result
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_files, print_json
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.records import as_options
from rocksteady.cli.motion.files import Files, ReadOptions, Record, empty_folder, expanded, finish
from rocksteady.errors import InputError
from rocksteady.names import csv_table

Rows = list[dict[str, Any]]


@grouped
def info(
    files: Files,
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    measures: Annotated[
        bool, result("Add intensity, duration, periods and pulse.", "--measures", "-m")
    ] = False,
    out: Annotated[
        Path | None, out_option("Write the table, with all measures.", "FILE.csv")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what is in each file: time step, length, peaks and, on request, intensity measures.

    Each component has a line; with --record each station has one, with the
    peaks of all its components. Unreadable files are listed with the reason.

    \b
    [cyan]rocksteady motion info record.AT2 other.csv[/cyan]
    [cyan]rocksteady motion info records/ --measures --out catalogue.csv[/cyan]
    [cyan]rocksteady motion info plain.txt --dt 0.01 --unit g[/cyan]
    [cyan]rocksteady motion info KJM000.AT2 --record[/cyan]
    """
    if out is not None:
        if out.suffix.lower() != ".csv":
            raise InputError(f"--out {out} cannot be written: its name must end in .csv.")
        check_writable(out)
        keep_sources([out], [*files, *(path for file in files for path in expanded(file))])
        if reading.record:
            raise InputError("--out writes a line for each component: leave --record out.")
    with Work(quiet=as_json) as work:
        if reading.record:
            found, failures = _records(files, reading, measures, work)
        else:
            found, failures = _gathered(files, reading, measures, out, work)
    written = [] if out is None else [str(out)]
    if as_json:
        print_json({"motions": found, "failures": failures, "files": written})
    else:
        console = output()
        if found:
            table = measures_table if measures else facts_table
            console.print(table(found, console.width))
            for note in _notes(found):
                console.print(note)
        print_files(written, console)
    finish(failures)


def _gathered(
    files: list[str], reading: ReadOptions, measures: bool, out: Path | None, work: Any
) -> tuple[Rows, list[dict[str, str]]]:
    """A row for each motion, and the files that could not be read."""
    found: Rows = []
    failures: list[dict[str, str]] = []
    tables: list[Any] = []
    for number, file in enumerate(files, start=1):
        advance = work.on(f"Reading {Path(file).name} …")
        try:
            if measures or out is not None or Path(file).is_dir():
                tables.append(_catalogue(file, reading, measures or out is not None, advance))
                rows, bad = _from_catalogue(file, tables[-1])
                found += rows
                failures += bad
            else:
                own = reading.read_one(file)  # a single component is not named
                found += [_row(one, one.component if len(own) > 1 else None) for one in own]
                advance(number, len(files))
        except (InputError, OSError) as error:
            failures.append({"file": file, "error": str(error)})
    if out is not None:
        _write_table(tables, out)
    return found, failures


def _records(
    files: list[str], reading: ReadOptions, measures: bool, work: Any
) -> tuple[Rows, list[dict[str, str]]]:
    """A row for each station, and the files that could not be read."""
    records = reading.read(files, work.on("Reading …"))
    of = rs.intensity.measures if measures else lambda motion: {}
    return [_row(one, None) | of(one.motion) for one in records.found], records.failures


def _row(one: Record, component: str | None) -> dict[str, Any]:
    from rocksteady.cli.common.summary import of_motion

    facts = of_motion(one.motion)
    known = {key: one.motion.meta.get(key) for key in ("note", "files")}
    return {"file": one.file, "component": component, **facts, **known}


def _notes(found: Rows) -> list[Any]:
    """How the numbers were changed on reading, a line for each component."""
    names = ((row, _shown(row["file"], row["component"])) for row in found)
    return [Text(f"{name}: {row['note']}.", "dim") for row, name in names if row.get("note")]


def _shown(file: str, component: str | None) -> str:
    return " ".join(filter(None, (Path(file).name, component)))


# -- the catalogue of a folder --------------------------------------------------------------------


def _catalogue(file: str, reading: ReadOptions, measures: bool, progress: Any) -> Any:
    """The table of `read_folder`, limited to the components asked for."""
    if not Path(file).exists():
        raise InputError(f"{file}: there is no such file or folder.")
    table = rs.read_folder(file, measures=measures, progress=progress, **reading.options)
    if not reading.component:
        return table
    wanted = table["component"].str.casefold().isin([name.casefold() for name in reading.component])
    if not wanted.any() and not table["problem"].any():
        asked, names = " or ".join(map(repr, reading.component)), sorted(set(table["component"]))
        raise InputError(f"{file}: has no component {asked}: it has {', '.join(names)}.")
    return table[wanted | (table["problem"] != "")]


def _from_catalogue(file: str, table: Any) -> tuple[Rows, list[dict[str, str]]]:
    """The catalogue as rows with plain names, and its problems."""
    from rocksteady.motion.units import GRAVITY_UNIT

    folder = Path(file)
    found: Rows = []
    failures: list[dict[str, str]] = [] if len(table) else [empty_folder(file)]
    for values in table.to_dict("records"):
        where = file if not folder.is_dir() else str(folder / values["file"])
        problem = values.pop("problem")
        if problem:
            failures.append({"file": where, "error": as_options(problem)})
            continue
        row = {name.partition(" [")[0]: value for name, value in values.items()}
        row |= {"file": where, "npts": int(row["npts"]), "pga_g": row["pga"] / GRAVITY_UNIT}
        found.append(row)
    return found, failures


def _write_table(tables: list[Any], out: Path) -> None:
    import pandas as pd

    from rocksteady.files import write_whole

    if not tables:
        raise InputError(f"--out {out}: there is nothing to write, because no file could be read.")
    table = pd.concat(tables, ignore_index=True)
    write_whole(out, csv_table(table))


# -- tables ---------------------------------------------------------------------------------------

# Heading, key, factor, digits; width [characters] of the narrowest terminal that shows it.
Heading = tuple[str, str, float, str, int]
_FACTS: tuple[Heading, ...] = (
    ("dt\n[s]", "dt", 1, ".4g", 0),
    ("samples", "npts", 1, "d", 0),
    ("length\n[s]", "duration", 1, ".4g", 0),
    ("PGA\n[g]", "pga_g", 1, ".3f", 0),
    ("PGA\n[m/s²]", "pga", 1, ".3f", 0),
    ("PGV\n[cm/s]", "pgv", 100, ".2f", 0),
    ("trans.\nPGA [g]", "pga_transverse_g", 1, ".3f", 0),
    ("vert.\nPGA [g]", "pga_vertical_g", 1, ".3f", 0),
)
_MEASURES: tuple[Heading, ...] = (
    ("PGA\n[g]", "pga_g", 1, ".3f", 0),
    ("PGV\n[cm/s]", "pgv", 100, ".3g", 0),
    ("PGD\n[cm]", "pgd", 100, ".3g", 0),
    ("PGV/PGA\n[s]", "pgv_pga", 1, ".3f", 110),
    ("Arias\n[m/s]", "arias", 1, ".3g", 0),
    ("CAV\n[m/s]", "cav", 1, ".3g", 100),
    ("D5-75\n[s]", "d5_75", 1, ".3g", 110),
    ("D5-95\n[s]", "d5_95", 1, ".3g", 0),
    ("Tm\n[s]", "mean_period", 1, ".2f", 0),
    ("Tp\n[s]", "predominant_period", 1, ".2f", 110),
    ("SI\n[cm]", "housner_intensity", 100, ".3g", 100),
    ("pulse\n[s]", "pulse_period", 1, ".2f", 0),
)
_STRENGTH: tuple[Heading, ...] = (
    ("dt\n[s]", "dt", 1, ".4g", 0),
    ("length\n[s]", "duration", 1, ".4g", 0),
    *_MEASURES[:3],
    *(heading for heading in _MEASURES if heading[1] in ("arias", "d5_95", "mean_period")),
)
_WIDE = 110  # characters; a narrower table leaves the format out


def facts_table(found: Rows, width: int) -> Any:
    """Time step, length and the peaks of all components; the format if there is room."""
    return _table(found, _FACTS, width, ["format"] if width >= _WIDE else [])


def measures_table(found: Rows, width: int) -> Any:
    """All measures that the terminal has room for; a pulse period only if there is a pulse."""
    no_pulse: dict[str, Any] = {"pulse_period": None}
    rows = [row if row.get("pulse_indicator", 0) > 0 else row | no_pulse for row in found]
    return _table(rows, _MEASURES, width, [])


def strength_table(found: Rows, width: int) -> Any:
    """Step, length, peaks, energy and duration, for generated motions."""
    return _table(found, _STRENGTH, width, [])


def _table(found: Rows, headings: tuple[Heading, ...], width: int, more: list[str]) -> Any:
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(Text("motion"), overflow="fold")
    shown = [h for h in headings if width >= h[4] and any(h[1] in row for row in found)]
    for heading in shown:
        table.add_column(Text(heading[0]), justify="right", no_wrap=True)
    for name in more:
        table.add_column(name, no_wrap=True)
    hidden = [h[0].partition("\n")[0] for h in headings if h not in shown and width < h[4]]
    if hidden:
        table.caption = Text(f"no room for {', '.join(hidden)}: --json has all", "dim")
        table.caption_justify = "left"
    several = Counter(row["file"] for row in found)  # components in each file
    for row in found:
        component = row["component"] if several[row["file"]] > 1 else None
        table.add_row(
            Text(row["name"] if row.get("files") else _shown(row["file"], component)),
            *(_cell(row.get(key), factor, digits) for _, key, factor, digits, _ in shown),
            *(str(row.get(name) or "").partition(" (")[0] for name in more),
        )
    return table


def _cell(value: Any, factor: float, digits: str) -> str:
    if value is None or not math.isfinite(value):
        return "–"
    if digits == "d":
        return format(value, digits)
    shown = factor * value
    if digits.endswith("f") and 0 < abs(shown) < 0.0095:
        digits = ".2g"
    elif digits.endswith("g") and abs(shown) >= 1000:
        digits = ".0f"
    return format(shown, digits)
