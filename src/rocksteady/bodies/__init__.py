"""The bodies: frozen dataclasses with geometry and mass only."""

from rocksteady.bodies.assembly import Assembly, Spring, Stone, Tendon, Tie, read_assembly
from rocksteady.bodies.block import Block
from rocksteady.bodies.body import Body
from rocksteady.bodies.flexible_oscillator import FlexibleOscillator
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.bodies.rocker import Rocker, Side
from rocksteady.bodies.system import Coordinate, System, expect, fields_of
from rocksteady.registry import Registry

SYSTEMS = Registry(
    "body",
    "rocksteady.bodies",
    "rocksteady.bodies.system:System",
    {
        "Block": "rocksteady.bodies:Block",
        "Body": "rocksteady.bodies:Body",
        "FlexibleOscillator": "rocksteady.bodies:FlexibleOscillator",
        "MasonryBuilding": "rocksteady.bodies:MasonryBuilding",
        "Assembly": "rocksteady.bodies.assembly:Assembly",
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
