"""Files that people drop on the page: kept by their content, each in a folder of its own.

``uploads/<16 hex>/<name>``: the digits are those of the content, so that the same file is kept
once and a name in a link always means the same bytes. Files of one station that are sent one after
the other (``beside=``) are kept together, in a folder for all of them.
"""

import asyncio
import contextlib
import hashlib
import os
import re
import shutil
import threading
import time
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

from rocksteady.bodies.meshes.files import FORMATS
from rocksteady.errors import InputError
from rocksteady.names import without_unsafe
from rocksteady.studio.limits import (
    ARRIVING_BYTES,
    KEPT_BYTES,
    RECORD_BYTES,
    SCAN_BYTES,
    UPLOAD_SECONDS,
)
from rocksteady.studio.paths import UPLOADED
from rocksteady.studio.problems import BusyError

LONGEST_NAME = 100  # characters
MOST_TOGETHER = 12  # files of one station
JUST_NOW = 3600.0  # s: younger uploads do not make room for others
SMALLEST = 250_000  # bytes that an upload counts for at least: folders are few, too
_making_room = threading.Lock()


class TooLargeError(InputError):
    """The file is larger than files of its kind may be."""


def is_scan(name: str) -> bool:
    return Path(name).suffix.lower().removeprefix(".") in FORMATS


def safe_name(given: str) -> str:
    """A file name without folders and without characters that some system gives a meaning to."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", given))[-1]
    kept = re.sub(r'[<>:"|?*]', "", without_unsafe(last)).strip(" .")
    stem, suffix = os.path.splitext(kept)  # noqa: PTH122  # no path: a name
    name = stem[: LONGEST_NAME - len(suffix[:20])] + suffix[:20]
    while len(name.encode()) > 200:
        stem = stem[:-1]
        name = stem + suffix[:20]
    if not stem:
        raise InputError(
            f"name = {given[:LONGEST_NAME]!r} is not the name of a file: give it as in "
            "/api/uploads?name=record.AT2."
        )
    return name


class Arriving:
    """What is on its way, of all uploads together: it is on the disk before it can be judged."""

    bytes = 0

    def add(self, size: int) -> None:
        self.bytes += size
        if self.bytes > ARRIVING_BYTES:
            raise BusyError("Many files are being sent at once: send this one again in a minute.")


_arriving = Arriving()


async def keep(
    folder: Path, name: str, parts: AsyncIterator[bytes], beside: str | None = None
) -> str:
    """Write an upload to disk as it comes; the path by which descriptions name it, relative to the
    studio's ``folder``. ``beside``: such a path of an earlier one that it belongs to."""
    name = safe_name(name)
    others = _others(folder, beside)
    most = SCAN_BYTES if is_scan(name) else RECORD_BYTES
    place = folder / "uploads"
    place.mkdir(parents=True, exist_ok=True)
    unfinished = place / f".{os.urandom(8).hex()}.part"
    digest, size = hashlib.sha256(), 0
    try:
        with unfinished.open("xb") as file:
            async for part in parts:
                size += len(part)
                _arriving.add(len(part))
                if size > most:
                    raise TooLargeError(
                        f"{name} is too large: at most {most / 1e6:g} MB for "
                        f"{'a 3D scan' if is_scan(name) else 'a record'} (3D scans end in "
                        f"{', '.join(FORMATS)})."
                    )
                digest.update(part)
                file.write(part)
        if not size:
            raise InputError(f"{name} is empty: send the content of the file as the body.")
        await asyncio.to_thread(make_room, place, size)
        return _placed(folder, unfinished, name, digest, others)
    finally:
        _arriving.bytes -= size
        unfinished.unlink(missing_ok=True)


def _others(folder: Path, beside: str | None) -> list[Path]:
    """The files that an upload belongs to."""
    if beside is None:
        return []
    there = folder / beside
    if not UPLOADED.fullmatch(beside) or not there.is_file():
        raise InputError(
            f"beside = {beside[:LONGEST_NAME]!r} is not an upload: give the path that was answered."
        )
    files = sorted(there.parent.iterdir())
    if len(files) >= MOST_TOGETHER:
        raise InputError(f"At most {MOST_TOGETHER} files are kept together: send an archive.")
    return files


def _placed(
    folder: Path, unfinished: Path, name: str, digest: "hashlib._Hash", others: list[Path]
) -> str:
    for other in others:
        digest.update(f"\0{other.parent.name}/{other.name}".encode())
    path = f"uploads/{digest.hexdigest()[:16]}/{name}"
    target = folder / path
    target.parent.mkdir(exist_ok=True)
    for other in others:
        if other.name != name and not (target.parent / other.name).exists():
            _linked(other, target.parent / other.name)
    unfinished.replace(target)
    os.utime(target.parent)
    return path


def _linked(file: Path, new: Path) -> None:
    """The same file under another name; a copy where the disk knows no links."""
    try:
        os.link(file, new)
    except OSError:
        shutil.copyfile(file, new)


def make_room(place: Path, size: int, most: int = KEPT_BYTES) -> None:
    """Remove the oldest uploads until another of this ``size`` fits, and what was never finished
    because the server was killed."""
    with _making_room:
        _forget_unfinished(place)
        ages = sorted((one.stat().st_mtime, one) for one in place.iterdir() if one.is_dir())
        sizes = {one: max(_size(one), SMALLEST) for _, one in ages}
        total = sum(sizes.values()) + max(size, SMALLEST)
        for age, one in ages:
            if total <= most:
                return
            if time.time() - age < JUST_NOW:
                break
            shutil.rmtree(one, ignore_errors=True)
            total -= sizes[one]
    if total > most:
        raise TooLargeError(
            f"The uploads of the last hour take {most / 1e9:g} GB, the most that is kept: try "
            "again later."
        )


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _forget_unfinished(place: Path) -> None:
    for part in place.glob(".*.part"):
        with contextlib.suppress(FileNotFoundError):  # it has arrived meanwhile
            if time.time() - part.stat().st_mtime > 2 * UPLOAD_SECONDS:
                part.unlink()
