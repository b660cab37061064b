"""The bodies: frozen dataclasses with geometry and mass only."""

from rocksteady.registry import Registry
from rocksteady.systems.assembly import Assembly, Spring, Stone, Tendon, Tie, read_assembly
from rocksteady.systems.block import Block
from rocksteady.systems.body import Body
from rocksteady.systems.flexible_oscillator import FlexibleOscillator
from rocksteady.systems.masonry import MasonryBuilding
from rocksteady.systems.rocker import Rocker, Side
from rocksteady.systems.system import Coordinate, System, expect, fields_of

SYSTEMS = Registry(
    "body",
    "rocksteady.systems",
    "rocksteady.systems.system:System",
    {
        "Block": "rocksteady.systems:Block",
        "Body": "rocksteady.systems:Body",
        "FlexibleOscillator": "rocksteady.systems:FlexibleOscillator",
        "MasonryBuilding": "rocksteady.systems:MasonryBuilding",
        "Assembly": "rocksteady.systems.assembly:Assembly",
    },
)
"""The types of body by the names used in commands and files."""

__all__ = [
    "SYSTEMS",
    "Assembly",
    "Block",
    "Body",
    "Coordinate",
    "FlexibleOscillator",
    "MasonryBuilding",
    "Rocker",
    "Side",
    "Spring",
    "Stone",
    "System",
    "Tendon",
    "Tie",
    "expect",
    "fields_of",
    "read_assembly",
]
