"""The bodies by their names in a saved file."""

from __future__ import annotations

from typing import Any

from rocksteady.errors import InputError
from rocksteady.systems import SYSTEMS


def system_named(name: str) -> type[Any]:
    """The class of a body by its name."""
    if name not in SYSTEMS:
        raise InputError(f"There is no body of the type {name!r}: there are {', '.join(SYSTEMS)}.")
    return SYSTEMS[name]
