"""How we recognise our own files: a command replaces those without asking, and no others.

Each output says of itself "written by rocksteady" and the version: in a comment (CSV, TOML, JSON,
Markdown, GIF), in the metadata (NetCDF, PNG, SVG, PDF, MP4, Parquet) or in the title (AT2). All of
these formats keep it as plain text near the beginning or the end of the file, so that one look
there tells, without reading the format. Only tables for spreadsheets have no room for it: every
reader would have to skip a comment. They are known by columns that no other program writes.
"""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

from rocksteady import __version__
from rocksteady.extras import load

MARK = f"written by rocksteady {__version__}"
_KEY = b"written by rocksteady"
_ENDS = 1 << 17  # bytes at the beginning and at the end where the mark is looked for
_TEXTS = (".csv", ".toml", ".json", ".geojson", ".at2")
_HEAD = 1 << 10  # bytes: in a text it stands at the beginning; further down somebody quotes it
_LAST = 100  # bytes: of a page it is the last line

TABLES = (
    {"system", "scale [-]", "motions", "without an answer", "share [-]"},  # ensembles
    {"run", "system", "motion", "scale [-]", "status"},  # their runs
    {"displacement [m]", "force [N]", "slip [m]", "hardening [m]", "dissipated [J]"},  # pushovers
    {"scenario", "wear [-]", "frequency_drop [-]", "damage_state", "damage"},  # towns
    {"scenario", "district", "buildings", "collapsed", "failed", "mean wear [-]"},
    {"file", "component", "npts", "duration [s]", "problem"},  # catalogues of records
    {"file", "npts", "duration [s]", "pga_g [g]", "d5_95 [s]"},  # generated motions
    {"height [m]", "width [m]", "k_n [N/m3]", "best dt [s]", "e_G [-]"},  # time steps
    {"paper of", "item", "quantity", "tolerance", "verdict"},  # reproduced papers
)
"""Columns by which our tables are known: a table that has all of one line's is ours."""


def ours(path: Path) -> bool:
    """Whether this program wrote the file; an empty file counts as ours."""
    suffix = path.suffix.lower()
    with path.open("rb") as file:
        head = file.read(_HEAD if suffix in _TEXTS else _ENDS)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - (_LAST if suffix == ".md" else _ENDS), 0))
        tail = file.read()
    where = {".md": tail, **dict.fromkeys(_TEXTS, head)}.get(suffix, head + tail)
    if not size or _KEY in where.lower():
        return True
    if suffix != ".csv":
        return False
    first = head.split(b"\n", 1)[0].decode(errors="replace")
    columns = {name.strip() for name in next(csv.reader([first]), [])}
    return any(table <= columns for table in TABLES)


def check_parquet() -> Any:
    """The package pyarrow; an error where it is missing."""
    return load("pyarrow", "A .parquet file", "Or use .csv.")


def parquet(table: Any, **options: Any) -> bytes:
    """A table of pyarrow as a Parquet file that says who wrote it."""
    import pyarrow.parquet

    about = {**(table.schema.metadata or {}), b"comment": MARK.encode()}
    memory = io.BytesIO()
    pyarrow.parquet.write_table(table.replace_schema_metadata(about), memory, **options)
    return memory.getvalue()
