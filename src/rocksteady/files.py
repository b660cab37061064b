"""Write files completely or not at all.

Every output is made in memory and passed to `write_whole` in one piece (`write_streamed` handles
those that are too large). A library that writes to the disk itself can leave half a file, or crash
when the disk is full, as HDF5 does; if it is killed meanwhile, its unfinished file remains.

The bytes go into a new file in the same folder, are flushed to the disk, and the file is renamed in
one step, so ``path`` is always either the old file or the new one. On Linux the new file has no
name until it is complete (``O_TMPFILE``): a killed process leaves nothing behind. To replace an
existing file, the new one has a temporary name for some microseconds, because a link cannot replace
a file. Elsewhere (Windows, macOS, many network disks) it has that name for the milliseconds of
writing. A process killed then leaves ``.rocksteady-….part``, which the next process that writes
into the folder removes. A lock on the file, which the system frees when its writer ends, shows
whether the writer is still running. Windows does not remove open files.
"""

import contextlib
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from rocksteady.errors import InputError

Bytes: TypeAlias = bytes | bytearray | memoryview
Content: TypeAlias = Bytes | str | Callable[[], Bytes | str]
Fill: TypeAlias = Callable[[int], None]  # writes to an open file
_PREFIX, _SUFFIX = ".rocksteady-", ".part"
_AT_ONCE = 1 << 24  # bytes: some systems refuse to write gigabytes at once
_JUST_BEGUN = 60.0  # s: an empty temporary file may not be locked yet


def checked_path(path: object, what: str = "path") -> str | PathLike[str]:
    """The path of a file or folder; an error for anything else, such as a number or a motion."""
    if isinstance(path, (str, os.PathLike)) and not isinstance(os.fspath(path), bytes):
        return path
    shown = repr(path)
    raise InputError(
        f"{what} = {shown if len(shown) < 80 else type(path).__name__} is not a path: give the "
        "name of a file as text or as a pathlib.Path."
    )


def write_whole(path: str | Path, content: Content) -> Path:
    """Write all of ``content`` to ``path``, or change nothing.

    ``content`` may be a function that returns it: an OSError in it is then reported as an error of
    writing. Links are followed, missing folders are created, and a replaced file keeps its
    permissions.
    """
    with _in_words(path):
        made = content() if callable(content) else content
        data = memoryview(made.encode() if isinstance(made, str) else made).cast("B")

        def fill(file: int) -> None:
            rest = data
            while rest:
                rest = rest[os.write(file, rest[:_AT_ONCE]) :]

        _put(path, fill)
    return Path(path)


def write_streamed(path: str | Path, write: Callable[[BinaryIO], Any]) -> Path:
    """As `write_whole`, for content that does not fit in memory: ``write`` fills an open file,
    piece by piece. It is called once."""

    def fill(file: int) -> None:
        with os.fdopen(os.dup(file), "wb") as opened:
            write(opened)

    with _in_words(path):
        _put(path, fill)
    return Path(path)


def write_durably(path: str | Path, content: Content) -> Path:
    """As `write_whole`, but the new file also survives a power cut once this returns."""
    written = write_whole(path, content)
    with contextlib.suppress(OSError):  # some systems cannot open a folder
        folder = os.open(os.path.realpath(written.parent), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return written


def made_by(write: Callable[[Path], Any], suffix: str = "") -> bytes:
    """The bytes that ``write`` writes to a path: for libraries that can only write to a path.

    On Linux this is a file in memory, elsewhere a temporary file.
    """
    if hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir():
        with os.fdopen(os.memfd_create("rocksteady"), "rb") as file:
            write(Path(f"/proc/{os.getpid()}/fd/{file.fileno()}"))
            return file.read()
    with tempfile.TemporaryDirectory(prefix="rocksteady-") as folder:
        path = Path(folder, f"file{suffix}")
        write(path)
        return path.read_bytes()


def sweep(folder: Path) -> None:
    """Remove the unfinished files of killed processes from ``folder``."""
    with contextlib.suppress(OSError):
        for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                if _orphaned(part):
                    part.unlink()


_sweep_once = cache(sweep)  # do not list a folder of 100 000 motions for each of them


@contextlib.contextmanager
def _in_words(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"Could not write {path}: {error.strerror or error}. Nothing was changed; free some "
            "space or choose another folder."
        ) from error


# -- folders ---------------------------------------------------------------------------------------


def _make_folder(folder: Path) -> list[Path]:
    """Create the folder and its parents; return the new ones, innermost first."""
    missing = []
    for there in (folder, *folder.parents):
        if there.exists():
            break
        missing.append(there)
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def _refuse_protected(target: Path) -> None:
    """Refuse to replace a write-protected file, even where the folder would allow it."""
    if target.is_dir():
        raise InputError(f"Could not write {target}: it is a folder. Give the name of a file.")
    if target.exists() and not target.is_file():
        raise InputError(f"Could not write {target}: it is not an ordinary file.")
    if os.access(target.parent, os.W_OK) and target.exists() and not os.access(target, os.W_OK):
        raise InputError(
            f"Could not write {target}: the file is write-protected. Choose another name, or "
            "remove it."
        )


# -- one file --------------------------------------------------------------------------------------


def _put(path: str | Path, fill: Fill) -> None:
    """Let ``fill`` write a new file, then replace ``path`` by it."""
    target = Path(os.path.realpath(path))
    new = _make_folder(target.parent)
    try:
        _refuse_protected(target)
        _sweep_once(target.parent)
        _put_unnamed(target, fill)
    except BaseException:
        for folder in new:
            with contextlib.suppress(OSError):  # it is no longer empty
                folder.rmdir()
        raise


def _put_unnamed(target: Path, fill: Fill) -> None:
    """Write a file without a name and link it when complete, if system and disk support it."""
    try:
        file = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, 0o666)
    except (AttributeError, OSError):
        return _put_named(target, fill)
    try:
        _complete(file, fill, target)
        if not _named(file, target):  # for example without /proc
            _put_named(target, lambda other: _copy(file, other))
    finally:
        os.close(file)
    return None


def _named(file: int, target: Path) -> bool:
    """Link an unnamed open file as ``target``; False if that is not possible."""
    part = _part_in(target.parent)
    try:
        if not target.exists() and _link(file, target):
            return True
        if not _link(file, part):
            return False
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return True


def _link(file: int, path: Path) -> bool:
    """Link an unnamed open file as ``path``; False if that is not possible."""
    try:
        # Python follows the link in /proc only if it gets a folder descriptor.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.link(f"/proc/self/fd/{file}", path.name, dst_dir_fd=folder, follow_symlinks=True)
        finally:
            os.close(folder)
    except OSError:
        return False
    return True


def _put_named(target: Path, fill: Fill) -> None:
    """Write a file with a temporary name, then rename it to ``target``."""
    part = _part_in(target.parent)
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    file = os.open(part, flags, 0o666)
    try:
        try:
            _complete(file, fill, target)
            if os.name != "nt":  # while the lock is held
                part.replace(target)
        finally:
            os.close(file)
        if os.name == "nt":  # no open file can be renamed
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _complete(file: int, fill: Fill, target: Path) -> None:
    """Lock the file, let ``fill`` write it, and flush it to the disk."""
    with contextlib.suppress(ImportError, OSError):  # no locks on this system or disk
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if os.name != "nt" and target.exists():
        with contextlib.suppress(OSError):  # no permissions on this disk
            os.fchmod(file, stat.S_IMODE(target.stat().st_mode))
    fill(file)
    os.fsync(file)


def _copy(file: int, other: int) -> None:
    with os.fdopen(os.dup(file), "rb") as source, os.fdopen(os.dup(other), "wb") as copy:
        source.seek(0)
        shutil.copyfileobj(source, copy, _AT_ONCE)


def _part_in(folder: Path) -> Path:
    return folder / f"{_PREFIX}{secrets.token_hex(6)}{_SUFFIX}"


def _orphaned(part: Path) -> bool:
    """Whether the process that wrote it has ended."""
    about = part.stat()
    young = time.time() - about.st_mtime < _JUST_BEGUN
    try:
        import fcntl
    except ImportError:  # Windows does not remove open files
        return not young
    if young and not about.st_size:
        return False
    with part.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error while its writer holds the lock
    return True


def suffix_of(path: str | Path, allowed: tuple[str, ...], what: str) -> str:
    """The suffix in lower case without the dot; an error unless it is allowed."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in allowed:
        *first, last = (f".{name}" for name in allowed)
        names = f"{', '.join(first)} or {last}" if first else last
        raise InputError(f"Cannot write {what} to {str(path)!r}: its name must end in {names}.")
    return suffix


def as_path(value: Any, what: str) -> Path:
    """A path, or an error that says ``what`` it should be."""
    try:
        return Path(value)
    except TypeError:
        raise InputError(f"{value!r} is not {what}: give its name, in quotation marks.") from None
