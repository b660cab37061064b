"""Ground-motion files. One module per format: to add one, write a file and an entry below."""

import os
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Protocol, TypeAlias, Unpack, cast, overload

from rocksteady.errors import MotionFormatError, warn
from rocksteady.files import checked_path
from rocksteady.marks import warn_if_changed
from rocksteady.motion.kept import MARK
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import pick
from rocksteady.motion.readers.common.options import Options, ReadOptions, quietly
from rocksteady.motion.readers.common.plausible import require_plausible
from rocksteady.motion.readers.common.source import FileName, Source, failure, read_at_once
from rocksteady.motion.readers.common.unpack import packing, sources, station_xml_beside

__all__ = [
    "READERS",
    "Options",
    "ReadOptions",
    "Reader",
    "Records",
    "read_motion",
    "reader_for",
    "records_in",
]

Records: TypeAlias = tuple[dict[str, dict[str, Motion]], dict[str, MotionFormatError]]


class Reader(Protocol):
    """What a format's module provides."""

    NAME: str

    def sniff(self, source: Source, /) -> bool:
        """Whether a file is in this format; ``source`` may hold only its first 8192 bytes."""

    def read(self, source: Source, options: Options, /) -> dict[str, Motion]:
        """The motions [m/s²] in a file, by component, or a MotionFormatError."""


# In sniffing order: the most frequent first; nearly anything can be a table of numbers.
_FORMATS = (
    "peer_at2", "esm", "simbad", "knet", "cosmos", "renadic", "usc", "dmg", "smc", "geonet", "bbp",
    "cwa", "nsmn", "asa", "bhrc", "csmnc", "exsim", "miniseed", "sac", "table",
)  # fmt: skip
READERS = tuple(cast(Reader, import_module(f"{__name__}.{name}")) for name in _FORMATS)


@overload
def read_motion(
    path: str | PathLike[str], component: None = None, **options: Unpack[ReadOptions]
) -> Motion | dict[str, Motion]: ...
@overload
def read_motion(
    path: str | PathLike[str], component: str, **options: Unpack[ReadOptions]
) -> Motion: ...
def read_motion(
    path: str | PathLike[str], component: str | None = None, **options: Unpack[ReadOptions]
) -> Motion | dict[str, Motion]:
    """Read a ground motion from a file of any known format, recognised by its content.

    A file with one component gives a `Motion` in m/s²; one with several gives a dict from the
    component's name to its motion, or the motion that ``component`` names. Records in g are
    converted with the standard gravity 9.80665 m/s²: here g is a unit, not the site's gravity.

    Formats: PEER AT2, ESM/ITACA DYNA ASCII, ITACA/SIMBAD cor.acc, COSMOS, CSMIP/DMG, USC, USGS SMC,
    K-NET and KiK-net, GeoNet, CWA (Taiwan), NSMN/AFAD (Türkiye), ASA (Mexico), RENADIC (Chile),
    BHRC (Iran), CSMNC (China), SCEC BBP, EXSIM, tables of numbers (CSV, TXT) and, with ObsPy,
    miniSEED and SAC. A file may be compressed (.gz, .bz2, .xz). An archive (.zip, .tar, .tar.gz),
    also one within another, with one record gives that record; one with several gives a dict with
    names that begin with the file's. To join the components of a station, use `read_record`.

    Parameters
    ----------
    path
        The file.
    component
        Which component (in a table: which column) to take.
    dt
        Time step [s], for a file that does not state it, to confirm one that the file contradicts
        elsewhere, or for resampling uneven points, which are joined by straight lines.
    unit
        Unit of the accelerations, for a file that does not state it: ``g``, ``%g``, ``m/s2``,
        ``cm/s2`` (or ``gal``), ``mm/s2``, ``g/10`` or ``milli-g``; with ``differentiate`` also
        ``m/s``, ``m`` and so on.
    differentiate
        Turn velocities or displacements into accelerations; such a file is refused otherwise.
    sensitivity
        Counts per m/s², for miniSEED without a StationXML file beside it, or SAC.
    decimal
        ``"comma"`` or ``"point"``, for a table whose numbers fit both.
    any_peak
        Accept a peak above 5 g, more than any earthquake on record, or one sample more than twice
        as large as any other. Otherwise both are errors, because the unit or the number is nearly
        always wrong. If ``unit`` is given, a peak above 5 g is only a warning.

    Raises
    ------
    MotionFormatError
        If the file cannot be read; the message names the file, the line and the reason. An
        option that contradicts the file is an error too.
    """
    path = checked_path(path)
    records, problems = records_in(path, Options.checked(component, **options))
    if not records:
        raise _nothing_readable(Path(path), problems)
    if problems:
        name, error = next(iter(problems.items()))
        warn(
            f"{Path(path).name}: {len(problems)} of its files were not read; the first is {name}: "
            f"{error}"
        )
    motions = _flat(records)
    if component is not None:
        return pick(motions, component, Path(path))
    return next(iter(motions.values())) if len(motions) == 1 else motions


def records_in(
    path: str | PathLike[str], options: Options, otherwise: Options | None = None
) -> Records:
    """The motions of each file in an archive, and the errors of those that could not be read.

    For a plain file the name is ``""``, and its error is raised. A file that cannot be read with
    ``options`` is read with ``otherwise``, if that is given.
    """
    raw = read_at_once(path)
    if raw is None or packing(raw):
        return _unpacked(Path(path), options, otherwise)
    name = FileName(os.path.basename(path))  # noqa: PTH119  # see FileName
    source = Source(name, raw, lambda: station_xml_beside(Path(path)))
    return {"": _read(reader_for(source), source, options, otherwise)}, {}


@quietly
def _read(
    reader: Reader, source: Source, options: Options, otherwise: Options | None
) -> dict[str, Motion]:
    """The motions in a file, with plausible peaks."""
    source.format = reader.NAME
    warn_if_changed(source.raw, source.path.name, MARK.encode())
    try:
        return require_plausible(source.path, reader.read(source, options), options)
    except MotionFormatError:
        if otherwise is None or otherwise == options:
            raise
    return require_plausible(source.path, reader.read(source, otherwise), otherwise)


def _unpacked(path: Path, options: Options, otherwise: Options | None) -> Records:
    """As `records_in`, for large files, archives and compressed files."""
    records: dict[str, dict[str, Motion]] = {}
    problems: dict[str, MotionFormatError] = {}
    for name, source, reader in sources(path, reader_for):
        if isinstance(source, MotionFormatError):
            problems[name] = source
            continue
        try:
            records[name] = _read(reader, source, options, otherwise)
        except MotionFormatError as error:
            if not name:
                raise
            problems[name] = error
    return records, problems


def reader_for(source: Source) -> Reader:
    """The reader of a file that begins as ``source`` does."""
    if not source.content[:1].isalnum() and not source.head.strip():
        raise failure(source.path, "is empty.")
    for reader in READERS:
        if reader.sniff(source):
            return reader
    head, path = source.head, source.path
    known = ", ".join(reader.NAME for reader in READERS)
    if "FDSNStationXML" in head:
        raise failure(path, "is a StationXML file: read the miniSEED file that it belongs to.")
    if "\0" in head:
        raise failure(path, f"is a binary file of no known format. Known formats: {known}.")
    first = head.lstrip().split("\n", 1)[0][:60]
    raise failure(path, f"has no known format; it begins with {first!r}. Known formats: {known}.")


def _flat(records: dict[str, dict[str, Motion]]) -> dict[str, Motion]:
    """One dict for an archive: the file's name, and the component's if the file has several."""
    if len(records) == 1:
        return next(iter(records.values()))
    return {
        name if len(motions) == 1 else f"{name}/{component}": motion
        for name, motions in records.items()
        for component, motion in motions.items()
    }


def _nothing_readable(path: Path, problems: dict[str, MotionFormatError]) -> MotionFormatError:
    if not problems:
        return failure(path, "is an archive without files.")
    name, error = next(iter(problems.items()))
    return failure(
        path, f"holds no record that can be read; the first of its files, {name}: {error}"
    )
