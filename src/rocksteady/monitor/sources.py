"""Where samples come from: standard input, a file that grows, a socket.

Each source is an iterator over what has come: bytes, ``b""`` now and then while nothing comes (so
that whoever listens can look at the clock), or a `Break` where what comes next does not continue
what came before. It ends when the input does, or when ``stop()`` says so.
"""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rocksteady.errors import InputError

CHUNK = 1 << 16
TICK = 0.2  # s

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Break:
    """The stream of bytes was interrupted: a line that was begun will not be ended."""

    why: str


Source = Iterator[bytes | Break]


class _Patience:
    """How long nothing has come. Whoever takes what came may take their time: it is renewed when
    they are back, and found over only after another look in vain."""

    def __init__(self, limit: float | None) -> None:
        self.limit, self.since = limit, time.monotonic()

    def renew(self) -> None:
        self.since = time.monotonic()

    @property
    def over(self) -> bool:
        return self.limit is not None and time.monotonic() - self.since >= self.limit


def from_descriptor(descriptor: int, stop: Stop) -> Source:
    """Standard input, or any other open file or pipe, to its end."""
    while not stop():
        if os.name == "posix" and not select.select([descriptor], [], [], TICK)[0]:
            yield b""
            continue
        data = os.read(descriptor, CHUNK)
        if not data:
            return
        yield data


def from_file(path: Path, stop: Stop, *, offset: int = 0, patience: float | None = None) -> Source:
    """A file that others append to, from ``offset`` on, as ``tail -F`` does.

    Where the file is replaced or cut (a logger that begins a new one) it is read from its start.
    Ends after ``patience`` seconds without news; never unless given.
    """
    waiting = _Patience(patience)
    file = None
    try:
        while not stop():
            if file is None:
                try:
                    file = path.open("rb", buffering=0)
                except FileNotFoundError:
                    if waiting.over:
                        return
                    time.sleep(TICK)
                    yield b""
                    continue
                if os.fstat(file.fileno()).st_size < offset:
                    yield Break("rotated")
                    offset = 0
                file.seek(offset)
            data = file.read(CHUNK)
            if data:
                offset += len(data)
                yield data
                waiting.renew()
            elif _replaced(path, os.fstat(file.fileno()), offset):
                file.close()
                file, offset = None, 0
                yield Break("rotated")
                waiting.renew()
            elif waiting.over:
                return
            else:
                yield b""
                time.sleep(TICK / 4)
    finally:
        if file is not None:
            file.close()


def _replaced(path: Path, ours: os.stat_result, offset: int) -> bool:
    try:
        now = path.stat()
    except FileNotFoundError:
        return False  # being replaced: what comes there will be another file
    return (now.st_ino, now.st_dev) != (ours.st_ino, ours.st_dev) or now.st_size < offset


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; the system chooses the port where it is 0."""
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
    """Whoever connects, one at a time: a newer connection takes the place of the older one, so that
    a sensor that lost its power is heard again at once. With ``once`` it ends with the first."""
    waiting = _Patience(patience)
    client: socket.socket | None = None
    try:
        while not stop():
            sockets = [listener] if client is None else [listener, client]
            ready = select.select(sockets, [], [], TICK)[0]
            if not ready:
                if waiting.over:
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
                newer = listener.accept()[0]
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
    """``HOST:PORT``, ``:PORT`` or ``PORT``; this machine alone unless a host is given."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise InputError(f"{text!r} is not an address to listen on: give HOST:PORT, as in :9000.")
    return host, int(port)
