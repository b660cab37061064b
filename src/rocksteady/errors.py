"""The errors a user meets. Each message names the value, what is allowed and what to try."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sized
from contextlib import contextmanager


class InputError(ValueError):
    """An argument, file or combination of them that the physics or the program cannot accept."""


class MotionFormatError(InputError):
    """A file that could not be read as a ground motion."""


class RocksteadyWarning(UserWarning):
    """The computation goes on, but near or beyond the limits of its theory."""


@contextmanager
def warned_once(systems: Sized) -> Iterator[None]:
    """Pass on the first of many warnings about systems, with how many there are."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RocksteadyWarning)
        yield
    if caught:
        text = str(caught[0].message)
        if len(caught) > 1:
            text += f" (The same holds for {len(caught)} of {len(systems)} systems.)"
        warnings.warn(text, caught[0].category, stacklevel=4)
