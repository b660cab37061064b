"""The process that answers quick questions: ``python -m rocksteady.studio.worker FOLDER``.

It reads questions from standard input and writes answers to standard output. Each message is its
length (four bytes) and its bytes; an answer begins with one byte that says what it is.
"""

import os
import struct
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from rocksteady.errors import InputError, held_back
from rocksteady.studio.encoding import encode
from rocksteady.studio.folder import full
from rocksteady.studio.warned import with_warnings

LENGTH = struct.Struct("<I")
ANSWER, REFUSED, NO_ROOM, FAULT, NOTE = b"A", b"R", b"S", b"F", b"N"
MEMORY = 4 << 30  # bytes of address space; compiled code and its libraries take 1.5 GiB of it


def main(folder: Path, asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the questions end."""
    from rocksteady import simulation
    from rocksteady.motion import _checks
    from rocksteady.numerics import first_use
    from rocksteady.studio import limits

    # What is too long for a quick answer is refused before it is made.
    _checks.MAX_SAMPLES = simulation.MOST_SAMPLES = limits.SAMPLES
    first_use.tell_by(lambda line: send(answers, NOTE, line.encode()))
    while head := asked.read(LENGTH.size):
        message = asked.read(LENGTH.unpack(head)[0])
        send(answers, *_answered(folder, message))


def send(stream: BinaryIO, kind: bytes, content: bytes) -> None:
    stream.write(LENGTH.pack(len(content) + 1) + kind)
    stream.write(content)
    stream.flush()


def _answered(folder: Path, message: bytes) -> tuple[bytes, bytes]:
    """What a question is answered with: the kind of answer, and its content."""
    import orjson

    home, _, request = message.partition(b"\n")
    try:
        with held_back() as warned:
            found = _function(home.decode())(folder, orjson.loads(request))
        if isinstance(found, dict):
            found = with_warnings(found, warned)
        return ANSWER, _of_bounded_size(found if isinstance(found, bytes) else encode(found))
    except InputError as error:
        return (NO_ROOM if full(error.__cause__) else REFUSED), str(error).encode()
    except MemoryError:
        return REFUSED, b"This takes more memory than a quick answer may use: ask for less."
    except (OverflowError, FloatingPointError, ZeroDivisionError, RecursionError) as error:
        return REFUSED, f"These values are beyond what can be computed: {error}.".encode()
    except (TypeError, ValueError) as error:  # an odd value that nobody looked at before
        traceback.print_exc()
        return REFUSED, f"These values cannot be used together: {error}.".encode()
    except Exception as error:
        if full(error):
            return NO_ROOM, b""
        return FAULT, f"{type(error).__name__}: {error}".encode()


def _of_bounded_size(content: bytes) -> bytes:
    """The same answer; an error if it is too large for the server to hold for many clients."""
    from rocksteady.studio.limits import ANSWER_BYTES, ELSEWHERE

    if len(content) > ANSWER_BYTES:
        raise InputError(
            f"The answer would be {len(content) / 1e6:.0f} MB, and at most {ANSWER_BYTES / 1e6:g} "
            "MB are sent at once: ask for fewer theories, a shorter motion or a longer time step. "
            f"{ELSEWHERE}"
        )
    return content


def _function(home: str) -> Callable[[Path, Any], Any]:
    from rocksteady.registry import imported

    function: Callable[[Path, Any], Any] = imported(home)
    return function


def limit_memory(bytes_allowed: int = MEMORY) -> None:
    """Let this process have so much memory at most; not on Windows, which has no such limit."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    allowed = bytes_allowed if hard == resource.RLIM_INFINITY else min(bytes_allowed, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for our messages only: whatever else is printed goes to the
    terminal."""
    asked, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return os.fdopen(asked, "rb"), os.fdopen(answers, "wb")


if __name__ == "__main__":
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    limit_memory()
    streams = _streams()
    try:
        main(Path(sys.argv[1]), *streams)
    except BrokenPipeError:
        os._exit(0)  # the server is gone
