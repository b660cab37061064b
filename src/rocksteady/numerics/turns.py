"""One process compiles a driver, and others that need it wait and load what it has made.

The right to compile is a lock of the operating system on a file beside the compiled driver. The
lock ends with the process that holds it, also where that is killed: none is ever left behind.
Where a file cannot be made or locked (a read-only folder, some network drives), or after
`PATIENCE`, nobody waits: a driver that is compiled twice costs only time.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PATIENCE = 60.0  # s: more than most drivers need; the other process may have been paused
PAUSE = 0.05  # s between two looks


class Turn(threading.local):
    """This thread's right to compile a driver, on the file ``path`` while it has it."""

    path: Path | None = None
    file: int | None = None

    def wait(self, path: Path) -> None:
        """Take the right as soon as no other process has it, or go on without it."""
        self.give_back()
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            while not self._take(path) and time.monotonic() < end:
                time.sleep(PAUSE)

    def _take(self, path: Path) -> bool:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if _locked(file):
                self.path, self.file = path, file
        finally:
            if self.file is None:
                os.close(file)
        return self.file is not None

    def give_back(self) -> None:
        """Let others have it, if this thread has it. The file goes as well: who waits makes
        another one, and finds the driver then."""
        if self.path is None or self.file is None:
            return
        path, file = self.path, self.file
        self.path = self.file = None
        with contextlib.suppress(OSError):
            if sys.platform != "win32":  # which removes no open files
                path.unlink()
        os.close(file)
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                path.unlink()


def _locked(file: int) -> bool:
    """Lock a file, unless another process has. A process that is forked does not inherit it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (PermissionError, BlockingIOError):
        return False
    return True
