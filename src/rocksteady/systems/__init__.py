"""What is shaken: bodies as frozen dataclasses, geometry and mass only."""

from rocksteady.registry import Registry
from rocksteady.systems.block import Block, Rocker, Side
from rocksteady.systems.flexible_oscillator import FlexibleOscillator
from rocksteady.systems.masonry import MasonryBuilding
from rocksteady.systems.system import Coordinate, System, expect, fields_of

SYSTEMS = Registry(
    "body",
    "rocksteady.systems",
    {
        "Block": "rocksteady.systems:Block",
        "FlexibleOscillator": "rocksteady.systems:FlexibleOscillator",
        "MasonryBuilding": "rocksteady.systems:MasonryBuilding",
    },
)
"""Every kind of body by its name, as commands take it and files keep it."""

__all__ = [
    "SYSTEMS",
    "Block",
    "Coordinate",
    "FlexibleOscillator",
    "MasonryBuilding",
    "Rocker",
    "Side",
    "System",
    "expect",
    "fields_of",
]
