"""Files too large for memory, written piece by piece, that are whole or not there.

On Linux the file has no name until it is complete, so that a process killed on its way leaves
nothing. Elsewhere it has a temporary name while it grows.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from rocksteady.errors import InputError


def write_streamed(path: Path, write: Callable[[BinaryIO], Any]) -> Path:
    """Let ``write`` fill an open file and put it in place of ``path``, all of it or nothing."""
    target = Path(os.path.realpath(path))
    part = target.parent / f".rocksteady-{secrets.token_hex(6)}.part"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(f"{path} is a folder")
        file = _unnamed(target.parent)
        named = file is None
        if file is None:
            file = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
        with os.fdopen(file, "wb") as opened:
            _keep_permissions(file, target)
            write(opened)
            opened.flush()
            os.fsync(file)
            if not named:
                _link(file, part)
        part.replace(target)
    except OSError as error:
        raise InputError(
            f"Could not write {path}: {error.strerror or error}. Nothing was changed; free some "
            "space or choose another place."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return path


def _unnamed(folder: Path) -> int | None:
    """A file without a name; None where the system or this disk has no such files."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    with contextlib.suppress(OSError):
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    return None


def _link(file: int, path: Path) -> None:
    """Give an open file without a name this one."""
    folder = os.open(path.parent, os.O_RDONLY)  # with it Python follows the link of the system
    try:
        os.link(f"/proc/self/fd/{file}", path.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _keep_permissions(file: int, target: Path) -> None:
    if os.name != "nt" and target.exists():
        with contextlib.suppress(OSError):  # a disk without permissions
            os.fchmod(file, stat.S_IMODE(target.stat().st_mode))
