"""Ground-motion files. One module per format; adding a format is one file and one entry below."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Protocol, overload

import numpy as np

from rocksteady.motion._checks import positive
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers import peer_at2, table
from rocksteady.motion.readers._common import failure, pick, unit_factor


class Reader(Protocol):
    """What a format's module provides."""

    NAME: str

    def sniff(self, head: str, /) -> bool:
        """Whether a file that begins with ``head`` (its first 8192 characters) is this format."""

    def read(
        self, text: str, path: Path, *, component: str | None, dt: float | None, unit: str | None
    ) -> dict[str, Motion]:
        """The motions [m/s²] in a file's ``text``, by component, or a MotionFormatError.

        Lines end with a plain newline. ``path`` is for names and messages (a binary format reads
        it again); the options are those of `read_motion`, already checked.
        """


# In sniffing order: the most particular first; nearly anything can be a table of numbers.
READERS: tuple[Reader, ...] = (peer_at2, table)

_HEAD = 8192  # characters shown to the sniffers


@overload
def read_motion(
    path: str | PathLike[str],
    component: None = None,
    *,
    dt: float | None = None,
    unit: str | None = None,
) -> Motion | dict[str, Motion]: ...
@overload
def read_motion(
    path: str | PathLike[str],
    component: str,
    *,
    dt: float | None = None,
    unit: str | None = None,
) -> Motion: ...
def read_motion(
    path: str | PathLike[str],
    component: str | None = None,
    *,
    dt: float | None = None,
    unit: str | None = None,
) -> Motion | dict[str, Motion]:
    """Read a ground motion from a file of any known format, recognised by its content.

    A file with one component gives a `Motion` in m/s²; one with several gives a dict from the
    component's name to its motion, or the motion that ``component`` names. Records in g are
    converted with the standard gravity 9.80665 m/s²: here g is a unit, not the site's gravity.

    Formats: PEER AT2; tables of numbers (CSV, TXT) with a time column or a known time step.

    Parameters
    ----------
    path
        The file.
    component
        Which component (in a table: which column) to take.
    dt
        Time step [s], for a table that does not state it.
    unit
        Unit of the accelerations, for a table that does not state it: ``g``, ``%g``, ``m/s2``,
        ``cm/s2`` (or ``gal``) or ``mm/s2``.

    Raises
    ------
    MotionFormatError
        If the file cannot be read; the message names the file, the line and the reason. An
        option that contradicts the file is an error too.
    """
    path = Path(path)
    if dt is not None:
        dt = positive("dt", dt, "s")
    if unit is not None:
        unit_factor(unit)
    text = _text(path)
    reader = _reader_for(text[:_HEAD], path)
    with np.errstate(all="ignore"):  # what overflows is not finite, and Motion refuses that
        motions = reader.read(text, path, component=component, dt=dt, unit=unit)
    if component is not None:
        return pick(motions, component, path)
    return next(iter(motions.values())) if len(motions) == 1 else motions


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise failure(path, f"cannot be opened: {reason}.") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _reader_for(head: str, path: Path) -> Reader:
    if not head.strip():
        raise failure(path, "is empty.")
    for reader in READERS:
        if reader.sniff(head):
            return reader
    known = ", ".join(reader.NAME for reader in READERS)
    if "\0" in head:
        raise failure(path, f"is a binary file of no known format. Known formats: {known}.")
    first = head.lstrip().split("\n", 1)[0][:60]
    raise failure(path, f"has no known format; it begins with {first!r}. Known formats: {known}.")
