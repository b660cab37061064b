"""Files as they come: plain, compressed (.gz, .bz2, .xz), or many in one archive (.zip, .tar).

An archive may lie in another one: what data centres deliver is often a zip of zips.

Nothing is written to disk and nothing is trusted: what an archive says about its sizes is checked
while it is unpacked, a piece at a time, and what unpacks to a multiple no record has is refused.
"""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from rocksteady.errors import MotionFormatError
from rocksteady.motion.readers.common.source import HEAD, Source, failure, no_neighbours

LIMIT = 512 * 2**20  # bytes of one file, unpacked
TOTAL = 4 * LIMIT  # bytes of all files in an archive, those in archives within it included
MEMBERS = 20_000  # files in an archive, likewise
DEPTH = 4  # archives and compressed files within each other
RATIO = 50  # how much smaller than its content a packed file may be, ...
RATIO_FROM = 16 * 2**20  # ... once it has unpacked to this many bytes; AT2 files pack 3 to 1

_PIECE = 2**20
_STATION_XML = 32 * 2**20  # bytes; those beside a record
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)

_PACKINGS = (
    ("zip", b"PK\x03\x04"),
    ("zip", b"PK\x05\x06"),
    ("gzip", b"\x1f\x8b"),
    ("bzip2", b"BZh"),
    ("xz", b"\xfd7zXZ\0"),
)
_MAGIC = tuple(magic for _, magic in _PACKINGS)  # what these files begin with

Accept: TypeAlias = Callable[[Source], Any]
Neighbours: TypeAlias = Callable[[], Iterable[tuple[str, bytes]]]
Found: TypeAlias = tuple[str, Source | MotionFormatError, Any]


def sources(path: Path, accept: Accept) -> Iterator[Found]:
    """The file at ``path`` or, if it is an archive, each file in it: name, content, reader.

    ``accept`` gets the beginning of each file and returns its reader, or raises a
    MotionFormatError: then the rest is not read. The name is empty for the file itself. A bad
    file in an archive comes with its error; a bad or hostile archive raises one.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            file.seek(0)
            kind, neighbours = packing(head), lambda: station_xml_beside(path)
            if kind:
                yield from _Unpacker(path, accept).inside(_Item(path, "", neighbours), file, kind)
            else:
                reader = accept(Source(path, head))
                if os.fstat(file.fileno()).st_size > LIMIT:
                    raise failure(path, f"is larger than {LIMIT / 2**20:.0f} MiB: no record is.")
                yield "", Source(path, file.read(), neighbours), reader
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        if isinstance(error, MotionFormatError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise failure(path, f"cannot be opened: {reason}.") from error


def packing(head: bytes) -> str | None:
    """How a file that begins with ``head`` is packed."""
    if head.startswith(_MAGIC):
        return next(kind for kind, magic in _PACKINGS if head.startswith(magic))
    return "tar" if head[257:262] == b"ustar" else None


def station_xml_beside(path: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(path.parent.glob("*.xml"))[:100]:
        with contextlib.suppress(OSError):  # skip one that cannot be read
            if file.is_file() and file.stat().st_size <= _STATION_XML:
                yield file.name, file.read_bytes()


# -- packed files ---------------------------------------------------------------------------------


class _Item(NamedTuple):
    """A packed file, or one within it."""

    path: Path  # for messages
    name: str  # within the outermost file; empty for that one itself
    neighbours: Neighbours = no_neighbours

    def member(self, name: str, neighbours: Neighbours = no_neighbours) -> "_Item":
        """A file in this archive."""
        return _Item(Path(name), f"{self.name}/{name}" if self.name else name, neighbours)


class _Unpacker:
    """Unpacks one file and the archives within it, up to limits on their number, size and depth."""

    def __init__(self, path: Path, accept: Accept) -> None:
        self.path, self.accept = path, accept
        self.members, self.bytes, self.depth = 0, 0, 0

    def inside(self, item: _Item, file: IO[bytes], kind: str) -> Iterator[Found]:
        """The files in ``item``, whose content is ``file``."""
        self.depth += 1
        if self.depth > DEPTH:
            raise failure(
                self.path,
                f"has archives nested more than {DEPTH} deep: unpack it and read the folder.",
            )
        if kind == "zip":
            yield from self._zip_members(item, file)
        elif kind == "tar":
            yield from self._tar_members(item, file)
        else:  # one file, or an archive
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            path = item.path
            inner = path.with_suffix("") if path.suffix.lower() in (".gz", ".bz2", ".xz") else path
            yield from self._content(item._replace(path=inner), _pieces(file, kind), size, path)
        self.depth -= 1

    def _content(
        self, item: _Item, pieces: Iterable[bytes], packed: int, archive: Path
    ) -> Iterator[Found]:
        """What ``pieces`` of ``packed`` bytes are: a record, or packed once more."""
        raw, reader = _unpacked(
            archive,
            item.path,
            pieces,
            packed,
            lambda head: None if packing(head.raw) else self.accept(head),
        )
        kind = packing(raw[:HEAD])
        if kind is None:
            yield item.name, Source(item.path, raw, item.neighbours), reader
        else:
            yield from self.inside(item, io.BytesIO(raw), kind)

    def _is_wanted(self, archive: Path, name: str, size: int) -> bool:
        """Whether a member is to be read; an error if its name or the archive's size is hostile."""
        parts = re.split(r"[/\\]", name)
        if ".." in parts or name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
            raise failure(
                archive,
                f"has a file named {name[:80]!r}, which points outside the archive: it is refused.",
            )
        self.members += 1
        self.bytes += max(size, 0)
        if self.members > MEMBERS:
            raise failure(
                self.path, f"has more than {MEMBERS} files: unpack it and read the folder."
            )
        if self.bytes > TOTAL:
            raise failure(
                self.path,
                f"unpacks to more than {TOTAL / 2**30:.0f} GiB: it looks like a zip bomb and is "
                "refused. If it is genuine, unpack it and read the folder.",
            )
        return bool(parts[-1]) and not parts[-1].startswith(".") and parts[0] != "__MACOSX"

    def _zip_members(self, item: _Item, file: IO[bytes]) -> Iterator[Found]:
        try:
            archive = zipfile.ZipFile(file)
        except Exception as error:
            raise failure(item.path, f"is a damaged or cut zip archive: {error}.") from error
        with archive:
            wanted = [
                info
                for info in archive.infolist()
                if self._is_wanted(item.path, info.filename, info.file_size) and not info.is_dir()
            ]

            def station_xml() -> Iterator[tuple[str, bytes]]:
                for info in wanted:
                    if info.filename.lower().endswith(".xml") and info.file_size <= _STATION_XML:
                        with contextlib.suppress(Exception):  # a damaged one does not count
                            yield info.filename, b"".join(_zip_pieces(archive, info))

            for info in wanted:
                member = item.member(info.filename, station_xml)
                yield from self._member(member, _zip_pieces(archive, info), info.compress_size)

    def _tar_members(self, item: _Item, file: IO[bytes]) -> Iterator[Found]:
        try:
            with tarfile.open(fileobj=file, mode="r:") as archive:
                for info in archive:
                    if self._is_wanted(item.path, info.name, info.size) and info.isreg():
                        opened = archive.extractfile(info)
                        assert opened is not None  # a regular file
                        member = item.member(info.name)
                        yield from self._member(member, _read_pieces(opened), info.size)
        except (tarfile.TarError, EOFError) as error:
            raise failure(item.path, f"is a damaged or cut tar archive: {error}.") from error

    def _member(self, item: _Item, pieces: Iterable[bytes], packed: int) -> Iterator[Found]:
        """One file of an archive, the files in it if it is packed itself, or its error."""
        depth = self.depth
        try:
            yield from self._content(item, pieces, packed, item.path)
        except MotionFormatError as error:
            if self.members > MEMBERS or self.bytes > TOTAL:  # of the outermost, not of this one
                raise
            self.depth = depth
            yield item.name, error, None


def _pieces(file: IO[bytes], kind: str) -> Iterator[bytes]:
    """The content of a compressed stream, piece by piece."""
    if kind == "xz":
        yield from _xz_pieces(file)
        return
    opened: Any = gzip.GzipFile(fileobj=file) if kind == "gzip" else bz2.BZ2File(file)
    with opened:
        yield from _read_pieces(opened)


def _read_pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def _xz_pieces(file: IO[bytes]) -> Iterator[bytes]:
    unpacker = lzma.LZMADecompressor(memlimit=128 * 2**20)  # a header may ask for gigabytes
    while not unpacker.eof:
        packed = file.read(2**16) if unpacker.needs_input else b""
        if unpacker.needs_input and not packed:
            raise EOFError("it ends before its content does")
        yield unpacker.decompress(packed, max_length=_PIECE)


def _unpacked(
    archive: Path, name: Path, pieces: Iterable[bytes], packed: int, accept: Accept
) -> tuple[bytes, Any]:
    """All of ``pieces`` and the reader of it, within the limits."""
    content = bytearray()
    reader, asked = None, False
    try:
        for piece in pieces:
            content += piece
            if not asked and len(content) >= HEAD:
                reader, asked = accept(Source(name, bytes(content[:HEAD]))), True
            _require_record_size(name, len(content), packed)
    except MotionFormatError:
        raise
    except Exception as error:  # zlib, bz2, lzma and zipfile raise their own and others' errors
        reason = re.sub(r"\s+", " ", str(error))[:200] or type(error).__name__
        raise failure(archive, f"is damaged or cut and cannot be unpacked: {reason}.") from error
    if not asked:
        reader = accept(Source(name, bytes(content)))
    return bytes(content), reader


def _require_record_size(name: Path, size: int, packed: int) -> None:
    if size > LIMIT:
        raise failure(name, f"unpacks to more than {LIMIT / 2**20:.0f} MiB: no record does.")
    if size > max(RATIO_FROM, RATIO * packed):
        raise failure(
            name,
            f"unpacks to more than {RATIO} times its size, which no record does: it looks like a "
            "zip bomb and is refused.",
        )


def _zip_pieces(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    name = Path(info.filename)
    if info.flag_bits & 1:
        raise failure(name, "is encrypted: unpack it with its password first.")
    if info.compress_type not in _METHODS:
        raise failure(name, f"is packed by zip's method {info.compress_type}, which is not known.")
    _require_record_size(name, info.file_size, info.compress_size)
    with archive.open(info) as member:
        yield from _read_pieces(member)
