"""Errors and warnings. Each message names the value, what is allowed and what to try."""

import difflib
import warnings
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class InputError(ValueError):
    """An argument or a file, or a combination of them, is not allowed."""


class MotionFormatError(InputError):
    """A file could not be read as a ground motion."""


class DamagedFileError(InputError):
    """A file is not as rocksteady wrote it: a disk or a hand has changed it."""


class OtherVersionError(InputError):
    """A file that this version of rocksteady did not write and cannot read."""


class RocksteadyWarning(UserWarning):
    """The computation continues, but near or beyond the limits of its theory."""


def with_article(name: str) -> str:
    """A name with "a" or "an" before it."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"


def what_it_is(thing: Any) -> str:
    """What was given by mistake, for an error: "a Block", "None", "the text 'statue'"."""
    if thing is None:
        return "None"
    if isinstance(thing, type):
        return f"the class {thing.__name__} itself"
    if isinstance(thing, str):
        return f"the text {thing!r}"
    if isinstance(thing, int | float):
        return f"the number {thing!r}"
    return with_article(type(thing).__name__)


def unknown(name: object, allowed: Iterable[object], where: str = "here") -> str:
    """The end of a sentence about a name that is not known: which one may be meant, and which are
    allowed. Every door says it with these words."""
    names = list(dict.fromkeys(map(str, allowed)))
    near = difflib.get_close_matches(str(name), names, 1)
    meant = f"; did you mean {near[0]}?" if near else "."
    return f"is not known {where}{meant} Allowed are {', '.join(names)}"


_listeners: ContextVar[tuple[list[str], ...]] = ContextVar("listeners", default=())
"""Whoever hears the warnings now, the outermost first."""


def warn(text: str, stacklevel: int = 2) -> None:
    """Issue a `RocksteadyWarning` at the line that called the caller, or farther out."""
    for said in _listeners.get():
        said.append(text)
    warnings.warn(text, RocksteadyWarning, stacklevel=stacklevel + 1)


@contextmanager
def heard() -> Iterator[list[str]]:
    """The sentences of all our warnings within, each once, for the result that they are about.

    They are shown as well, and whoever listens outside hears them, too. The list is complete after
    the block; `so_far` is what there is within.
    """
    said: list[str] = []
    token = _listeners.set((*_listeners.get(), said))
    try:
        yield said
    finally:
        _listeners.reset(token)
        said[:] = dict.fromkeys(said)


@contextmanager
def held_back(*, repeated: bool = False) -> Iterator[list[str]]:
    """The sentences of all our warnings within, each once (or as often as it came, ``repeated``),
    which nobody else sees or hears."""
    said: list[str] = []
    token = _listeners.set((said,))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocksteadyWarning)
            yield said
    finally:
        _listeners.reset(token)
        if not repeated:
            said[:] = dict.fromkeys(said)


def so_far() -> list[str]:
    """The warnings since the outermost `heard` began, each once."""
    every = _listeners.get()
    return list(dict.fromkeys(every[0])) if every else []


@contextmanager
def warned_once(things: Sized, what: str = "systems") -> Iterator[None]:
    """Issue only the first of the warnings about ``things``, with their number."""
    with held_back(repeated=True) as said:
        yield
    if said:
        text = said[0]
        if len(said) > 1:
            text += f" (The same holds for {len(said)} of {len(things)} {what}.)"
        warn(text, stacklevel=4)
