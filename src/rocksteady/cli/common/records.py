"""Records as the commands read them: errors that speak of options, not of Python's arguments."""

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rocksteady as rs
from rocksteady.errors import InputError, MotionFormatError

OR_A_PULSE = ", or a pulse such as pulse:sine,a=0.45g,T=0.8"
_ARGUMENT = re.compile(
    r"\b(component|dt|unit|decimal|sensitivity)=('[^']*'|\"[^\"]*\"|[\w/%+-]+(?:\.\w+)*)(?: \[s\])?"
)
_FLAG = re.compile(r"\b(differentiate|any_peak)=True")


def read_file(file: str, also: str = "", **reading: Any) -> "rs.Motion | dict[str, rs.Motion]":
    """What :func:`rocksteady.read_motion` gives with these options; ``also``: what may be given
    instead of a file."""
    check_record(file, also)
    try:
        found: rs.Motion | dict[str, rs.Motion] = rs.read_motion(file, **reading)
        return found
    except MotionFormatError as error:
        raise MotionFormatError(as_options(str(error))) from error


def check_record(file: str, also: str = "") -> None:
    """Refuse what is no file; ``also``: what may be given instead of one."""
    if not Path(file).exists():
        what = "folder" if file.endswith(("/", os.sep)) else "file"
        raise InputError(f"There is no {what} {file}: give the path of a record{also}.")
    if Path(file).is_dir():
        raise InputError(
            f"{file} is a folder: give one of the records in it. rocksteady motion info {file} "
            "lists them, and rocksteady ensemble runs them all."
        )


def one_record(file: str, component: str | None = None) -> "rs.Motion":
    """The only motion in a file, or the one that was chosen."""
    check_record(file)
    return built(rs.specs.MotionSpec, {"file": file, "component": component})  # type: ignore[no-any-return]


def built(kind: "type[rs.specs.Spec]", values: dict[str, Any], file: Any = None, **how: Any) -> Any:
    """What a spec with these values describes; errors name options instead of keys, unless the
    values are from a ``file``."""
    from rocksteady.motion.collection import UndecidedError
    from rocksteady.specs.problems import InOptions, Place

    place = InOptions() if file is None else Place()
    try:
        return kind.checked(values, place).build(**how)  # type: ignore[attr-defined]
    except UndecidedError as error:  # all horizontal components are for studies
        choose = str(error).replace("component = ", "--component ").partition(", or take")[0]
        raise InputError(f"{choose}.") from error
    except InputError as error:
        where = "" if file is None else f"{file}: "
        raise type(error)(where + as_options(place.words(str(error)))) from error


def in_its_units(body: Any) -> Any:
    """The body in whose p, α and g a pulse may be given; None if it has none."""
    return body if getattr(body, "rocks", False) else None


@contextmanager
def converted_first(file: str) -> Iterator[None]:
    """For a command without file options: the user gives them to `rocksteady motion convert`."""
    try:
        yield
    except MotionFormatError as error:
        if " --" not in str(error):
            raise
        raise MotionFormatError(
            f"{error} Give that option to rocksteady motion convert {shlex.quote(file)}, and use "
            "the file it writes here."
        ) from error


def warn_if_vertical(motion: "rs.Motion") -> None:
    """Warn if a vertical component is to be used as a horizontal motion."""
    from rocksteady.motion.upwards import warn_of_verticals

    warn_of_verticals([motion])


def as_options(text: str) -> str:
    """The sentence with ``unit='g'`` as ``--unit g``, and so on."""
    text = _ARGUMENT.sub(lambda m: f"--{m[1]} {shlex.quote(m[2].strip(chr(34) + chr(39)))}", text)
    return _FLAG.sub(lambda m: "--" + m[1].replace("_", "-"), text)
