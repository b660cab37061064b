"""All components of one station as one motion, whether in one file or in several."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from os import PathLike
from os.path import commonprefix  # of names, character by character
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from rocksteady.errors import InputError, MotionFormatError, warn
from rocksteady.files import checked_path
from rocksteady.motion.catalogue import files_below
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers import Options, ReadOptions, records_in
from rocksteady.motion.readers.common.words import azimuth_of
from rocksteady.motion.upwards import is_vertical, names_vertical

_MOST_DIFFERENT = 5  # characters in which the names of a record's files differ: 000, -UP, north
_SAME = ("network", "location", "event", "event_id", "origin_time")
_PAIRS = ({"FN", "FP"}, {"L", "T"}, {"H", "T"}, {"X", "Y"}, {"H1", "H2"}, {"EAST", "NORTH"})
_TIMES = ("%Y%m%d_%H%M%S.%f", "%Y%m%d_%H%M%S", "%Y/%m/%d %H:%M:%S")

Place = str | PathLike[str]


def read_record(path: Place | Sequence[Place], **options: Unpack[ReadOptions]) -> Motion:
    """Read all components of one station as one `Motion`.

    ``accel`` is the horizontal component in the file given, or the first one in a file with
    several; ``transverse`` is the other horizontal component, and ``vertical`` the vertical one.
    Their names and azimuths are in ``meta``: ``component``, ``azimuth``, ``transverse_component``,
    ``transverse_azimuth`` and ``vertical_component``; ``files`` lists the files read, if several.

    If the file has one component, the others are looked for beside it: in files whose names differ
    from its own in one short place (``KJM000.AT2``, ``KJM090.AT2``, ``KJM-UP.AT2``) and that do not
    state another station, event or time. A component that is missing, or that begins or ends at
    another time than the others, is a warning: components are aligned by their start times, or
    taken to begin together if a file does not state one, and are zero where they have no samples.
    The finest time step is used for all.

    Parameters
    ----------
    path
        A file, a folder or an archive with the files of one station, or a list of files.
    **options
        As in `read_motion`.

    Raises
    ------
    MotionFormatError
        If a file cannot be read.
    InputError
        If there is no horizontal component, or there are more than two, or two vertical ones.

    Examples
    --------
    >>> record = read_record("RSN1106_KOBE_KJM000.AT2")  # doctest: +SKIP
    >>> record.meta["transverse_azimuth"]  # doctest: +SKIP
    90.0
    """
    checked = Options.checked(**options)
    alone = not isinstance(path, Sequence) or isinstance(path, str)
    places: list[Any] = [path] if alone else list(path)  # type: ignore[arg-type]
    files = [file for place in places for file in _files(place)]
    if not files:
        raise InputError(f"{path!r} holds no files: give the files of one station.")
    found = [motion for file in files for motion in _motions(file, checked)]
    if alone and len(files) == len(found) == 1 and found[0].transverse is None:
        found, files = _with_siblings(Path(files[0]), found[0], checked)
    label = _label([Path(file).stem for file in files])
    level, upright = _sorted(label, found)
    upright = upright if level[0].vertical is None else []  # a table may have it in a column
    record = _joined(label, [*level, *upright], len(level))
    _warn_of_missing(label, record)
    entry = f"record({', '.join(str(one.meta.get('component', '')) for one in [*level, *upright])})"
    entry += "".join(h[h.find("  #") :] for h in record.meta["history"][-1:] if "  #" in h)
    meta = {**record.meta, "history": (*level[0].meta.get("history", ()), entry)}
    meta |= {"files": tuple(Path(file).name for file in files)} if len(files) > 1 else {}
    return Motion(record.accel, record.dt, record.vertical, record.transverse, label, meta)


def _files(place: Any) -> list[str]:
    path = Path(checked_path(place))
    return [file for file, _ in files_below(path)] if path.is_dir() else [str(path)]


def _motions(file: str, options: Options) -> list[Motion]:
    records, problems = records_in(file, options)
    if problems:
        raise next(iter(problems.values()))
    return [motion for motions in records.values() for motion in motions.values()]


# -- files beside each other ----------------------------------------------------------------------


def _with_siblings(path: Path, first: Motion, options: Options) -> tuple[list[Motion], list[str]]:
    """The component in a file, those in the files beside it, and the files. Of several files with
    the same component those whose names are most like its own: ST1-UP.AT2 beside ST1.AT2."""
    here, beside = first, list[tuple[int, Motion, str]]()
    for other in sorted(path.parent.iterdir()):
        mine, its = _difference(path.name, other.name)
        if not (0 < max(len(mine), len(its)) <= _MOST_DIFFERENT and other.is_file()):
            continue
        try:
            (motion,) = _motions(str(other), options)
        except (MotionFormatError, ValueError):  # not a record, or one with several components
            continue
        mine_told, there = _told(first, path.name, mine), _told(motion, other.name, its)
        if _of_one_record(mine_told, there):
            here = mine_told
            beside.append((max(len(mine), len(its)), there, str(other)))
    nearest: dict[str, int] = {}
    for apart, there, _ in beside:
        word = str(there.meta.get("component", ""))
        nearest[word] = min(apart, nearest.get(word, apart))
    kept = [
        (there, file)
        for apart, there, file in beside
        if apart == nearest[str(there.meta.get("component", ""))]
    ]
    return [here, *(there for there, _ in kept)], [str(path), *(file for _, file in kept)]


def _difference(one: str, other: str) -> tuple[str, str]:
    """What is left of two names without the beginning and the end that they share."""
    start = len(commonprefix([one, other]))  # noqa: RUF071
    one, other = one[start:], other[start:]
    end = len(commonprefix([one[::-1], other[::-1]]))  # noqa: RUF071
    return one[: len(one) - end], other[: len(other) - end]


def _label(stems: Sequence[str]) -> str:
    """What the files of a record are called without their components: KJM of KJM000 and KJM090."""
    begin = commonprefix(stems)  # noqa: RUF071
    if begin != stems[0] and re.match(r"[A-Za-z]{2}|\d{2}", stems[0][len(begin) - 1 :]):
        begin = re.sub(r"[A-Za-z]+$|\d+$", "", begin)  # it ends within the component's name
    return begin.rstrip(" -_.") or stems[0]


def _told(motion: Motion, name: str, difference: str) -> Motion:
    """The motion, its component taken from the file's name if the file does not state it."""
    component = str(motion.meta.get("component", ""))
    if "azimuth" in motion.meta or _is_known(component):
        return motion
    at = name.rfind(difference)
    words = (name[max(at - more, 0) : at + len(difference)] for more in (2, 1, 0))
    word = next(filter(_is_known, words), None)
    if word is None:
        return motion
    azimuth = {} if azimuth_of(word) is None else {"azimuth": azimuth_of(word)}
    meta = {**motion.meta, "component": word, **azimuth}
    return Motion(motion.accel, motion.dt, motion.vertical, name=motion.name, meta=meta)


def _is_known(component: str) -> bool:
    """Whether a component's name says where it points."""
    in_pairs = any(component.upper() in pair for pair in _PAIRS)
    return in_pairs or azimuth_of(component) is not None or names_vertical(component)


def _of_one_record(one: Motion, other: Motion) -> bool:
    """Whether two components are of the same station and earthquake."""
    meta, its_meta = one.meta, other.meta
    if any(meta[key] != its_meta[key] for key in _SAME if key in meta and key in its_meta):
        return False
    stations = [key for key in ("station", "station_name") if key in meta and key in its_meta]
    if stations and all(meta[key] != its_meta[key] for key in stations):
        return False  # a code may have a letter for the component
    begin, its = _start(one), _start(other)
    apart = 0.0 if begin is None or its is None else its - begin
    if not -other.duration < apart < one.duration:
        return False
    words = [str(motion.meta.get("component", "")).upper() for motion in (one, other)]
    if words[0] == words[1]:
        return False
    if stations or is_vertical(one) or is_vertical(other):
        return all(map(_is_known, words))
    return set(words) in _PAIRS or _is_perpendicular(one, other)


def _is_perpendicular(one: Motion, other: Motion) -> bool:
    azimuths = [motion.meta.get("azimuth") for motion in (one, other)]
    return None not in azimuths and abs((azimuths[0] - azimuths[1]) % 180 - 90) <= 1  # type: ignore[operator]


# -- one motion -----------------------------------------------------------------------------------


def _sorted(label: str, found: list[Motion]) -> tuple[list[Motion], list[Motion]]:
    """The horizontal components, and the vertical one if there is one."""
    level = [motion for motion in found if not is_vertical(motion)]
    upright = [motion for motion in found if is_vertical(motion)]
    names = ", ".join(str(motion.meta.get("component", motion.name)) for motion in found)
    if not level:
        raise InputError(
            f"{label} has no horizontal component, only {names}: read it with rs.read_motion(path)."
        )
    if len(level) > 2 or len(upright) > 1:
        raise InputError(
            f"{label} has {len(level)} horizontal and {len(upright)} vertical components by their "
            f"names ({names}), and one station has at most two and one: give the files of one "
            "station as a list, or choose with rs.read_motion(path, component) and join them with "
            "motion.with_transverse(other) and motion.with_vertical(other)."
        )
    return level, upright


def _joined(label: str, parts: list[Motion], horizontal: int) -> Motion:
    """One motion of horizontal components and a vertical one, aligned in time."""
    dt = min(part.dt for part in parts)
    begins = [_start(part) for part in parts]
    known = None not in begins
    first = min(begins) if known else 0.0  # type: ignore[type-var]
    late = [round((begin - first) / dt) if known else 0 for begin in begins]  # type: ignore[operator]
    fine = [part.resampled(dt) for part in parts]
    size = max(part.npts + skip for part, skip in zip(fine, late, strict=True))
    if any(late) or len({part.npts for part in fine}) > 1:
        _warn_of_lengths(label, parts, known and any(late))
    whole = [
        part.mapped(lambda a, skip=skip: np.pad(a, (skip, size - skip - a.size)))  # type: ignore[misc]
        for part, skip in zip(fine, late, strict=True)
    ]
    if horizontal == 2 and not _is_perpendicular(*parts[:2]) and "azimuth" in parts[1].meta:
        _warn(
            f"{label}: {_listed(parts[:2])} are not at right angles; they are used as if they were"
        )
    record, *others = whole
    if any(late) and late[0]:
        meta = {**record.meta, "start_time": parts[late.index(0)].meta["start_time"]}
        record = Motion(record.accel, dt, record.vertical, name=record.name, meta=meta)
    for i, other in enumerate(others, start=1):
        record = record.with_transverse(other) if i < horizontal else record.with_vertical(other)
    return record


def _start(motion: Motion) -> float | None:
    """When a motion begins [s], by its file; None if it does not say so in a form we know."""
    text = str(motion.meta.get("start_time", ""))
    for form in (None, *_TIMES):
        try:
            time = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            continue
    return None


def _listed(parts: list[Motion]) -> str:
    return " and ".join(str(part.meta.get("component", part.name)) for part in parts)


def _warn_of_lengths(label: str, parts: list[Motion], aligned: bool) -> None:
    lengths = ", ".join(f"{_listed([part])} {part.npts} × {part.dt:g} s" for part in parts)
    how = "aligned by their start times" if aligned else "taken to begin together"
    zero = f"they are {how}, and zero where they have no samples"
    _warn(f"{label}: its components differ in length or start ({lengths}); {zero}")


def _warn_of_missing(label: str, record: Motion) -> None:
    names = {"transverse": "second horizontal", "vertical": "vertical"}
    missing = [name for role, name in names.items() if getattr(record, role) is None]
    if missing:
        _warn(f"{label}: no {' and no '.join(missing)} component was found")


def _warn(text: str) -> None:
    warn(f"{text}.", stacklevel=4)
