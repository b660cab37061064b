"""Recognise files that rocksteady wrote: commands replace only those without ``--overwrite``.

Each output contains "written by rocksteady" and the version: in a comment (CSV, TOML, JSON,
Markdown, GIF), in the metadata (NetCDF, PNG, SVG, PDF, MP4, Parquet) or in the title (AT2). All of
these formats store it as plain text near the beginning or the end of the file, so a search there
suffices and no format has to be parsed. Tables for spreadsheets carry no comment, because every
reader would have to skip it; they are recognised by columns that no other program writes.
"""

import csv
import io
import os
from pathlib import Path
from typing import Any

from rocksteady.digests import BLANK, KEY, check, sealed
from rocksteady.errors import DamagedFileError, OtherVersionError, warn
from rocksteady.extras import load
from rocksteady.version import version

_KEY = b"written by rocksteady"
_ENDS = 1 << 17  # bytes to search at the beginning and at the end
_TEXTS = (".csv", ".toml", ".json", ".geojson", ".at2")
_HEAD = 1 << 10  # bytes: text files have it at the beginning; further down it is a quotation
_LAST = 100  # bytes: in Markdown it is the last line

TABLES = (
    {"system", "scale [-]", "motions", "without an answer", "share [-]"},  # ensembles
    {"run", "system", "motion", "scale [-]", "status"},  # their runs
    {"limit", "beyond", "motions with an answer", "share [-]", "effective draws"},  # fragilities
    {"displacement [m]", "force [N]", "slip [m]", "hardening [m]", "dissipated [J]"},  # pushovers
    {"time [s]", "shock", "ground [m/s²]", "alpha [m]", "w [-]", "force [N]"},  # shocks
    {"shock", "pga [m/s²]", "slip [m]", "hardening [m]", "wear [-]"},
    {"displacement [m]", "multiplier [-]", "joints carry it [-]"},  # capacity curves
    {"scenario", "wear [-]", "frequency_drop [-]", "damage_state", "damage"},  # towns
    {"scenario", "district", "buildings", "collapsed", "failed", "mean wear [-]"},
    {"file", "component", "npts", "duration [s]", "problem"},  # catalogues of records
    {"file", "npts", "duration [s]", "pga_g [g]", "d5_95 [s]"},  # generated motions
    {"height [m]", "width [m]", "k_n [N/m3]", "best dt [s]", "e_G [-]"},  # time steps
    {"way", "peak [-]", "impacts", "run"},  # overturning maps
    {"motions", "fell", "share [-]", "low [-]", "high [-]"},
    {"alpha [rad]", "2pi/p [s]", "height [m]", "fell"},  # rocking spectra
    {"test", "overturned", "predicted peak [-]", "predicted probability of overturning [-]"},
    {"check", "part", "symbol", "meaning", "clause"},  # checks by code
    {"paper of", "item", "quantity", "tolerance", "verdict"},  # reproduced papers
)
"""Column sets of our tables: a table that has all columns of one set is ours."""


def mark() -> str:
    """What a file says of its origin."""
    return f"written by rocksteady {version()}"


def sealed_mark() -> str:
    """The same with a place for the digest of the file, which `sealed` fills in."""
    return f"{mark()}, {BLANK}"


def warn_if_changed(data: bytes, name: object, key: bytes = _KEY) -> None:
    """Warn of a file with `sealed_mark` that is not as it was written: it is made to be edited,
    too, so it is read all the same. It is ours if there is a digest near its beginning or end,
    or `mark` and ``key``."""
    ends = (data[:_ENDS] + data[-_ENDS:]).lower()
    if b"blake2b:" not in ends and not (_KEY in ends and key in ends):
        return
    try:
        check(data, str(name))
    except DamagedFileError:
        warn(
            f"{name} was changed since rocksteady wrote it: its digest does not match. If nobody "
            "edited it, it is damaged; if you did, delete the comment with the digest.",
            stacklevel=3,
        )
    except OtherVersionError:
        warn(
            f"{name} has no digest of its content, as files of earlier versions: whether it is "
            "damaged is not known.",
            stacklevel=3,
        )


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
    try:
        columns = {name.strip() for name in next(csv.reader([first]), [])}
    except csv.Error:  # no text
        return False
    return any(table <= columns for table in TABLES)


def check_parquet() -> Any:
    """The package pyarrow; an error if it is missing."""
    return load("pyarrow", "A .parquet file", "Or use .csv.")


def parquet(table: Any, **options: Any) -> bytes:
    """A pyarrow table as a Parquet file that contains `mark` and its seal."""
    import pyarrow.parquet

    about = {**(table.schema.metadata or {}), b"comment": mark(), KEY: BLANK}
    memory = io.BytesIO()
    pyarrow.parquet.write_table(table.replace_schema_metadata(about), memory, **options)
    return sealed(memory.getvalue())
