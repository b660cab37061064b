"""Files that are whole or not there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError


def write_whole(path: Path, write: Callable[[Path], Any]) -> Path:
    """Let ``write`` fill a temporary file and put it in place: ``path`` is never half-written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=path.suffix)
    except OSError as error:
        raise InputError(f"Cannot write to {path.parent}: {error.strerror or error}.") from error
    os.close(handle)
    partial = Path(name)
    try:
        write(partial)
        partial.chmod(0o666 & ~_umask())
        partial.replace(path)
    except OSError as error:
        raise InputError(
            f"Could not write {path}: {error.strerror or error}. Nothing was left behind; free "
            "some space or choose another place."
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    return path


def write_durably(path: Path, write: Callable[[Path], Any]) -> Path:
    """As `write_whole`, and on the disk itself when this returns: after a power cut, too, ``path``
    is the old file or the new one."""

    def write_through(partial: Path) -> None:
        write(partial)
        with partial.open("r+b") as file:  # to be written to: Windows asks for that
            os.fsync(file.fileno())

    write_whole(path, write_through)
    with contextlib.suppress(OSError):  # a system whose folders cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
