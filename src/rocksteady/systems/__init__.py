"""What is shaken: bodies as frozen dataclasses, geometry and mass only."""

from rocksteady.errors import InputError
from rocksteady.systems.block import Block, Side
from rocksteady.systems.flexible_oscillator import FlexibleOscillator
from rocksteady.systems.masonry import MasonryBuilding

Rocker = Block | FlexibleOscillator  # what leans about the corners of its base
System = Rocker | MasonryBuilding
SYSTEMS = {kind.__name__: kind for kind in (Block, FlexibleOscillator, MasonryBuilding)}
"""By name, as saved with a response."""

__all__ = [
    "SYSTEMS",
    "Block",
    "FlexibleOscillator",
    "MasonryBuilding",
    "Rocker",
    "Side",
    "System",
    "system_named",
]


def system_named(name: str) -> type[System]:
    """The body's class by its name, as saved with a response."""
    if name not in SYSTEMS:
        raise InputError(f"There is no body of the type {name!r}: there are {', '.join(SYSTEMS)}.")
    return SYSTEMS[name]
