"""The errors a user meets. Each message names the value, what is allowed and what to try."""

from __future__ import annotations


class InputError(ValueError):
    """An argument, file or combination of them that the physics or the program cannot accept."""


class MotionFormatError(InputError):
    """A file that could not be read as a ground motion."""


class RocksteadyWarning(UserWarning):
    """The computation goes on, but near or beyond the limits of its theory."""
