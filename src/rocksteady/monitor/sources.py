"""Where samples come from: standard input, a file that grows, a FIFO or serial line, a socket.

Each source is an iterator over bytes. It yields ``b""`` now and then while nothing comes (so that
the caller can check the clock), and a `Break` where the bytes that follow do not continue those
before. It ends when the input does, when ``stop()`` is true, or, after `SILENT`, when nothing has
come for too long. It waits for a file, device or network that fails for a while.
"""

import contextlib
import io
import os
import select
import socket
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.monitor.lines import MARK

CHUNK = 1 << 16
TICK = 0.2  # s

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Break:
    """The input was interrupted: an incomplete line will not be completed."""

    why: str


SILENT = Break("silent")  # the last item of a source from which nothing came for too long

Source = Iterator[bytes | Break]


@dataclass(frozen=True)
class Input:
    """Where samples come from: a file, a port, or else standard input."""

    follow: Path | None = None
    listen: str | None = None
    """``HOST:PORT``, ``:PORT`` or ``PORT``."""
    stdin: int = 0
    """The descriptor of standard input."""
    patience: float | None = None
    """Stop after so many seconds without data; never if None."""
    once: bool = False
    """Stop with the first connection."""

    @property
    def rereadable(self) -> bool:
        """Whether it can be read again from any byte: a file."""
        if self.follow is not None:
            return True
        return self.listen is None and stat.S_ISREG(os.fstat(self.stdin).st_mode)

    def open(
        self,
        stop: Stop,
        *,
        offset: int = 0,
        mark: bytes = b"",
        listening: Callable[[str, int], object] = lambda host, port: None,
    ) -> Source:
        """The source, from byte ``offset`` where it is a file; ``listening`` is called with the
        host and the port once somebody can connect."""
        if self.follow is not None:
            _check_readable(self.follow)
            return from_path(self.follow, stop, offset=offset, mark=mark, patience=self.patience)
        if self.listen is not None:
            host, port = host_and_port(self.listen)
            listener = listen(host, port)
            listening(host, listener.getsockname()[1])
            return from_socket(listener, stop, patience=self.patience, once=self.once)
        if self.rereadable:
            return from_descriptor(self.stdin, stop, offset=offset, mark=mark)
        return from_descriptor(self.stdin, stop)


def _check_readable(path: Path) -> None:
    """Refuse at once what can never work; wait for a file that is not there yet."""
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to follow a file in.")
    if path.is_dir():
        raise InputError(f"{path} is a folder: follow a file.")
    if path.exists() and not os.access(path, os.R_OK):
        raise InputError(f"This user may not read {path}.")


class _Patience:
    """How long nothing has come. The time the caller takes over a piece does not count: the clock
    restarts after it."""

    def __init__(self, limit: float | None) -> None:
        self.limit, self.since = limit, time.monotonic()

    def renew(self) -> None:
        self.since = time.monotonic()

    @property
    def over(self) -> bool:
        return self.limit is not None and time.monotonic() - self.since >= self.limit


def from_descriptor(descriptor: int, stop: Stop, *, offset: int = 0, mark: bytes = b"") -> Source:
    """Standard input, or another open file or pipe, to its end. A file is read from ``offset`` on
    if the bytes before it are ``mark``."""
    if offset and mark and stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.lseek(descriptor, offset - len(mark), os.SEEK_SET)
        if os.read(descriptor, len(mark)) != mark:
            os.lseek(descriptor, 0, os.SEEK_SET)
            yield Break("another file")
    while not stop():
        if os.name == "posix" and not select.select([descriptor], [], [], TICK)[0]:
            yield b""
            continue
        data = os.read(descriptor, CHUNK)
        if not data:
            return
        yield data


def from_path(
    path: Path, stop: Stop, *, offset: int = 0, mark: bytes = b"", patience: float | None = None
) -> Source:
    """A file that grows, or a FIFO or device."""
    with contextlib.suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
            return from_stream(path, stop, patience=patience)
    return from_file(path, stop, offset=offset, mark=mark, patience=patience)


def from_stream(path: Path, stop: Stop, *, patience: float | None = None) -> Source:
    """A FIFO or a serial line; reopened when its writer returns."""
    waiting = _Patience(patience)
    descriptor, connected = -1, False
    try:
        while not stop():
            data = None
            try:
                if descriptor < 0:
                    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
                if select.select([descriptor], [], [], TICK)[0]:
                    data = os.read(descriptor, CHUNK)
            except BlockingIOError:
                pass
            except OSError:  # unplugged
                data = b""
            if data:
                connected = True
                yield data
                waiting.renew()
                continue
            if data == b"":  # no writer
                if descriptor >= 0:
                    os.close(descriptor)
                descriptor = -1
                if connected:
                    connected = False
                    yield Break("disconnected")
                time.sleep(TICK)
            if waiting.over:
                yield SILENT
                return
            yield b""
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def from_file(
    path: Path, stop: Stop, *, offset: int = 0, mark: bytes = b"", patience: float | None = None
) -> Source:
    """A file that others append to, from ``offset`` on, as ``tail -F`` does.

    ``mark`` are the bytes before ``offset``; if they differ, it is another file. A file that is
    replaced or cut (a logger that begins a new one) is read from its start. Ends after ``patience``
    seconds without data; never unless given.
    """
    waiting = _Patience(patience)
    file = None
    try:
        while not stop():
            try:
                if file is None:
                    file = path.open("rb", buffering=0)
                    if not _continues(file, offset, mark):
                        offset = 0
                        yield Break("rotated")
                    file.seek(offset)
                data = file.read(CHUNK)
                if not data and _replaced(path, os.fstat(file.fileno()), offset):
                    data = file.read(CHUNK)  # written before it was replaced
                    if not data:
                        file.close()
                        file, offset, mark = None, 0, b""
            except OSError:  # not there yet, or its disk is not
                if file is not None:
                    file.close()
                file = None
                if waiting.over:
                    yield SILENT
                    return
                time.sleep(TICK)
                yield b""
                continue
            if data:
                offset, mark = offset + len(data), (mark + data)[-MARK:]
                yield data
                waiting.renew()
            elif file is None:
                yield Break("rotated")
                waiting.renew()
            elif waiting.over:
                yield SILENT
                return
            else:
                yield b""
                time.sleep(TICK / 4)
    finally:
        if file is not None:
            file.close()


def _continues(file: io.FileIO, offset: int, mark: bytes) -> bool:
    """Whether the bytes of this file before ``offset`` are ``mark``."""
    if os.fstat(file.fileno()).st_size < offset:
        return False
    if not mark:
        return True
    file.seek(offset - len(mark))
    return file.read(len(mark)) == mark


def continues(path: Path, offset: int, mark: bytes) -> bool:
    """The same for a path; True if there is no file yet."""
    try:
        with path.open("rb", buffering=0) as file:
            return _continues(file, offset, mark)
    except OSError:
        return True


def _replaced(path: Path, ours: os.stat_result, offset: int) -> bool:
    try:
        now = path.stat()
    except OSError:
        return False  # being replaced
    return (now.st_ino, now.st_dev) != (ours.st_ino, ours.st_dev) or now.st_size < offset


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; the system chooses the port if it is 0."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=4)
    except (OSError, OverflowError) as error:
        raise InputError(f"Cannot listen on {host}:{port}: {error}.") from error
    listener.setblocking(False)
    return listener


def from_socket(
    listener: socket.socket, stop: Stop, *, patience: float | None = None, once: bool = False
) -> Source:
    """One connection at a time: a newer one replaces the older one, so that a sensor that lost its
    power can return at once. With ``once`` it ends with the first connection."""
    waiting = _Patience(patience)
    client: socket.socket | None = None
    try:
        while not stop():
            sockets = [listener] if client is None else [listener, client]
            ready = select.select(sockets, [], [], TICK)[0]
            if not ready:
                if waiting.over:
                    yield SILENT
                    return
                yield b""
            if client in ready and client is not None:
                data = _received(client)
                if data:
                    yield data
                else:
                    client.close()
                    client = None
                    yield Break("disconnected")
                    if once:
                        return
                waiting.renew()
            if listener in ready:
                try:
                    newer = listener.accept()[0]
                    newer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                except OSError:  # gone already
                    continue
                if client is not None:
                    client.close()
                    yield Break("superseded")
                client = newer
                waiting.renew()
    finally:
        listener.close()
        if client is not None:
            client.close()


def _received(client: socket.socket) -> bytes:
    try:
        return client.recv(CHUNK)
    except OSError:  # reset by the other side
        return b""


def host_and_port(text: str) -> tuple[str, int]:
    """``HOST:PORT``, ``:PORT`` or ``PORT``; this machine only unless a host is given."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise InputError(f"{text!r} is not an address to listen on: give HOST:PORT, as in :9000.")
    return host, int(port)
