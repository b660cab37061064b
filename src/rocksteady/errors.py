"""Errors and warnings. Each message names the value, what is allowed and what to try."""

import warnings
from collections.abc import Iterator, Sized
from contextlib import contextmanager
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


def warn(text: str, stacklevel: int = 2) -> None:
    """Issue a `RocksteadyWarning` at the line that called the caller, or farther out."""
    warnings.warn(text, RocksteadyWarning, stacklevel=stacklevel + 1)


@contextmanager
def warned_once(things: Sized, what: str = "systems") -> Iterator[None]:
    """Issue only the first of the warnings about ``things``, with their number."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RocksteadyWarning)
        yield
    if caught:
        text = str(caught[0].message)
        if len(caught) > 1:
            text += f" (The same holds for {len(caught)} of {len(things)} {what}.)"
        warnings.warn(text, caught[0].category, stacklevel=4)
