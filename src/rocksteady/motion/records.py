"""The records of a folder, each with all components of its station."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Unpack

from rocksteady.errors import InputError
from rocksteady.files import checked_path
from rocksteady.motion.catalogue import files_below
from rocksteady.motion.collection import UNREADABLE, Motions, matches
from rocksteady.motion.provenance import choice
from rocksteady.motion.readers.common.options import ReadOptions
from rocksteady.motion.record import read_record


def read_records(
    path: str | PathLike[str],
    *,
    pattern: str = "*",
    unreadable: str = "stop",
    progress: Callable[[int, int], object] | None = None,
    **options: Unpack[ReadOptions],
) -> Motions:
    """The records of a folder and the folders below it: of each station one motion with all its
    components, as :func:`rocksteady.read_record` reads them. For bodies in space.

    Returns a dictionary from names to motions, in the order of their names, which can be passed to
    :func:`rocksteady.ensemble`. ``accel`` is the horizontal component in the file with the shortest
    name, or the first of them (ST1.AT2 before ST1-T.AT2, KJM000.AT2 before KJM090.AT2).

    Parameters
    ----------
    path
        The folder.
    pattern
        Which files to begin with, such as ``"*.AT2"``; the other components of a station are found
        beside them.
    unreadable
        ``"stop"``: a file that cannot be read, or a station without a horizontal component, is an
        error. ``"skip"``: it is left out, and listed with the reason in ``.skipped``.
    progress
        Called with the number of files done and of all files.
    **options
        As in `read_motion`.

    Examples
    --------
    >>> stations = read_records("records", unreadable="skip")  # doctest: +SKIP
    >>> rs.ensemble(statue, stations)  # doctest: +SKIP
    """
    choice("unreadable", unreadable, UNREADABLE)
    folder = Path(checked_path(path))
    if not folder.is_dir():
        raise InputError(f"{path} is not a folder: give one with records, or use read_record.")
    files = [(Path(file), name) for file, name in files_below(folder) if matches(name, pattern)]
    if not files:
        raise InputError(f"{path} has no file that matches {pattern!r}.")
    files.sort(key=lambda file: (file[0].parent, len(file[0].name), file[0].name))
    found, used = Motions(), set[Path]()
    for done, (file, name) in enumerate(files, start=1):
        if file not in used:
            try:
                record = read_record(file, **options)
            except InputError as error:
                if unreadable == "stop":
                    raise type(error)(f"{name}: {str(error).removeprefix(name + ': ')}") from error
                found.skipped[name] = str(error)
            else:
                used |= {file.parent / one for one in record.meta.get("files", ())}
                found[_name(name, record.name, found)] = record
        if progress is not None:
            progress(done, len(files))
    if not found:
        name, reason = next(iter(found.skipped.items()))
        raise InputError(
            f"None of the {len(files)} files in {path} could be read as a record. The first is "
            f"{name}: {reason}"
        )
    return Motions(dict(sorted(found.items())), found.skipped)


def _name(file: str, station: str, taken: Motions) -> str:
    """What the station's files are called, with the folder they are in; the file's own name where
    another station is called so."""
    folder = file.rpartition("/")[0]
    name = f"{folder}/{station}" if folder else station
    return file if name in taken else name
