"""Saying what makes people wait: above all that something is being compiled.

One line for each theory in a process, and only if it takes longer than `PATIENCE`. It goes to the
log "rocksteady", which Python writes to the error stream unless told otherwise; the command line
takes the line instead and shows it in its own way.
"""

from __future__ import annotations

import contextlib
import inspect
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

PATIENCE = 2.0  # s: a shorter wait needs no explanation
LINE = (
    "Compiling {what} for this processor, which usually takes less than half a minute. "
    "The result is kept on disk: later runs start at once."
)

PACKAGE = __name__.partition(".")[0]

_tell: Callable[[str], Any] = logging.getLogger("rocksteady").warning
_told: set[str] = set()  # what was announced already
_under_way = threading.local()


def tell(line: str) -> None:
    """Hand over another line about a wait."""
    _tell(line)


def tell_by(tell: Callable[[str], Any]) -> None:
    """Hand the line to ``tell`` from now on."""
    global _tell
    _tell = tell


@contextlib.contextmanager
def announced(function: Callable[..., Any]) -> Iterator[None]:
    """While ``function`` is compiled, with all that it calls."""
    if getattr(_under_way, "yes", False):
        yield
        return
    waiting = threading.Timer(PATIENCE, _say, [function])
    waiting.daemon = True
    waiting.start()
    _under_way.yes = True
    try:
        yield
    finally:
        _under_way.yes = False
        waiting.cancel()


def _say(function: Callable[..., Any]) -> None:
    what = theory_of(function) or "a part of rocksteady"
    if what not in _told:
        _told.add(what)
        _tell(LINE.format(what=what))


def theory_of(function: Callable[..., Any]) -> str | None:
    """The name of the theory whose step a driver is built around: that of the first function, from
    the driver downwards, which lies in a module or folder with a theory of its own."""
    waiting, seen = [function], {function}
    while waiting:
        one = waiting.pop(0)
        names = _theories_beside(one)
        if len(names) == 1:
            return names.pop()
        used = inspect.getclosurevars(one)
        for value in [*used.nonlocals.values(), *used.globals.values()]:
            inner = getattr(value, "py_func", value)
            if inspect.isfunction(inner) and inner not in seen:
                seen.add(inner)
                waiting.append(inner)
    return None


def _places(kind: Any) -> tuple[str, str]:
    """The module of a class, and the folder that it lies in."""
    return kind.__module__, kind.__module__.rpartition(".")[0]


def _theories_beside(function: Callable[..., Any]) -> set[str]:
    """The theories defined in a function's module, or else in the nearest folder that has any."""
    place = function.__module__
    while place and place != PACKAGE:  # which has whatever was used so far, from anywhere
        inside = vars(sys.modules[place]).values() if place in sys.modules else ()
        classes = [value for value in inside if hasattr(value, "advance_for")]
        own = [kind for kind in classes if place in _places(kind)]
        names = {getattr(kind, "name", None) for kind in own} - {None}
        if names:
            return names  # type: ignore[return-value]
        place = place.rpartition(".")[0]
    return set()
