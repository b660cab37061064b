"""A folder of records as one table: the contents of each file, or why it could not be read."""

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from rocksteady.errors import InputError
from rocksteady.files import checked_path
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers import records_in
from rocksteady.motion.readers.common.options import Options, ReadOptions
from rocksteady.motion.readers.common.source import HEAD
from rocksteady.names import shown

if TYPE_CHECKING:
    import pandas as pd

Row: TypeAlias = dict[str, Any]
File: TypeAlias = tuple[str, str]  # its path, and its name within the folder
Read: TypeAlias = tuple[str, Mapping[str, Motion] | InputError]  # a record, or why it is none

PLAIN = Options()  # no options given
# Text first, then numbers; the measures follow in the order of `intensity.measures`.
_TEXTS = ("file", "component", "format", "event", "station")
_FACTS = {"format": "format", "event": "event", "station": "station", "azimuth": "azimuth [deg]"}


def read_folder(
    path: str | PathLike[str],
    *,
    measures: bool = True,
    workers: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    **options: Unpack[ReadOptions],
) -> "pd.DataFrame":
    """A table of all records in a folder and the folders below it, archives included.

    One row per component: file (relative to ``path``; ``archive.zip/file`` in an archive),
    component, format, event, station, azimuth [deg], dt [s], npts, duration [s], and the measures
    of `rocksteady.motion.intensity.measures`, each with its unit in the column's name. A file that
    cannot be read has one row, with the reason in the column ``problem``; so has a record that
    cannot be measured. Elsewhere that column is empty. Hidden files and StationXML files are
    skipped. The rows are in the order of the files' names.

    Parameters
    ----------
    path
        The folder (or one file).
    measures
        False leaves out all measures but PGA, which takes much less time.
    workers
        How many files are read at a time; by default as many as there are processors, and one
        without measures, as reading alone is no faster with more.
    progress
        Called with the number of files done and of all files.
    **options
        As in `read_motion`; used for the files that cannot be read without them.
    """
    import pandas as pd

    checked, files = Options.checked(**options), files_below(path)
    rows: list[Row] = []
    for done, found in enumerate(_each(files, checked, measures, workers), start=1):
        rows += found
        if progress is not None:
            progress(done, len(files))
    rows = [{**row, "file": shown(str(row["file"]))} for row in rows]  # Arrow takes UTF-8 alone
    table = pd.DataFrame(rows, columns=None if rows else [*_TEXTS, "problem"])
    if "npts" in table:
        table["npts"] = table["npts"].astype("Int64")  # whole, or missing
    ordered = [c for c in table.columns if c != "problem"] + ["problem"]
    return table[ordered].fillna(dict.fromkeys((*_TEXTS, "problem"), ""))


def files_in(folder: str | PathLike[str]) -> list[Path]:
    """The files to read, in the order of their names."""
    return [Path(path) for path, _ in files_below(folder)]


def files_below(folder: str | PathLike[str]) -> list[File]:
    """The files to read, in the order of their names; a file gives itself."""
    folder = Path(checked_path(folder))
    if folder.is_file():
        return [(str(folder), folder.name)]
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: give the folder that holds the records.")
    return [file for file in _below(str(folder)) if not _is_station_xml(file[0])]


def _below(folder: str, within: str = "") -> Iterator[File]:
    """The files in a folder and the folders below it, in the order of their names. Hidden files,
    linked folders and folders without permission are skipped."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, f"{within}{entry.name}/")
        elif entry.is_file():
            yield entry.path, within + entry.name


def _is_station_xml(path: str) -> bool:
    if not path.lower().endswith(".xml"):
        return False
    try:
        with Path(path).open("rb") as opened:
            return b"FDSNStationXML" in opened.read(HEAD)
    except OSError:  # the reader says why
        return False


def _each(
    files: list[File], options: Options, measures: bool, workers: int | None
) -> Iterator[list[Row]]:
    """The rows of each file, in order. Threads help, because the measures release Python's lock."""
    if workers is not None and workers < 1:
        raise InputError(f"workers = {workers!r} is not allowed: give one or more.")
    count = workers or (measures and os.cpu_count()) or 1
    if count == 1:
        for file in files:
            yield _rows(file, options, measures)
        return
    executor = ThreadPoolExecutor(min(count, max(len(files), 1)))
    try:
        yield from executor.map(lambda file: _rows(file, options, measures), files)
    finally:  # also when interrupted: do not start the remaining files
        executor.shutdown(wait=True, cancel_futures=True)


def _rows(file: File, options: Options, measures: bool) -> list[Row]:
    rows: list[Row] = []
    for name, found in contents(file, options):
        if isinstance(found, InputError):
            inside = "" if name == file[1] else f"{Path(file[0]).name}: "
            rows.append({"file": name, "problem": f"{inside}{found}"})
        else:
            rows += [_row(name, component, one, measures) for component, one in found.items()]
    return rows


def contents(file: File, options: Options, *, at_once: bool = False) -> Iterator[Read]:
    """The records in a file by name, each with its components or with why it cannot be read.

    The options are used for those that cannot be read without them, or ``at_once`` for all.
    """
    path, name = file
    try:
        records, problems = records_in(path, options if at_once else PLAIN, options)
    except InputError as error:
        yield name, error
        return
    for member, motions in records.items():
        yield f"{name}/{member}" if member else name, motions
    for member, problem in problems.items():
        yield f"{name}/{member}", problem
    if not records and not problems:
        yield name, InputError(f"{Path(path).name}: is an archive without files.")


def _row(name: str, component: str, motion: Motion, measures: bool) -> Row:
    meta = motion.meta
    row: Row = {"file": name, "component": component, "problem": ""}
    for key, column in _FACTS.items():
        row[column] = meta.get(key, "" if key in _TEXTS else None)
    row["dt [s]"], row["npts"], row["duration [s]"] = motion.dt, motion.npts, motion.duration
    row[_column("pga")] = motion.pga
    if measures:
        from rocksteady.motion import intensity

        try:
            row |= {_column(key): value for key, value in intensity.measures(motion).items()}
        except InputError as error:  # a time step of minutes, say
            row["problem"] = f"{Path(name).name}: cannot be measured: {error}"
    return row


@cache
def _column(measure: str) -> str:
    """A measure's name with its unit."""
    from rocksteady.motion import intensity

    unit = intensity.UNITS.get(measure, "")
    return f"{measure} [{unit}]" if unit else measure
