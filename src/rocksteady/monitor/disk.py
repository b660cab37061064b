"""Write files so that they are on the disk, one system call at a time.

Everything goes through ``os``, so that it is clear what can fail between two calls; the tests make
each call fail in turn.
"""

import contextlib
import errno
import os
from pathlib import Path

_NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
FULL = (errno.ENOSPC, errno.EDQUOT)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data``, in as many calls as it takes."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def write_file(path: Path, data: bytes) -> None:
    """A whole file, on the disk when this returns."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, data: bytes, previous: Path | None = None) -> None:
    """As `write_file`, but after a crash ``path`` holds the old text or the new one, whole. The
    old file becomes ``previous``, if that is given."""
    new = path.with_name(f"{path.name}.new")
    try:
        write_file(new, data)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink()  # make room
        raise
    if previous is not None and path.exists():
        path.replace(previous)
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk, if the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_FOR_FOLDERS:
            raise
    finally:
        os.close(descriptor)


def reason(error: OSError) -> str:
    """The reason, as the system gives it."""
    return error.strerror or str(error)
