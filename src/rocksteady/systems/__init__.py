"""What is shaken: bodies as frozen dataclasses, geometry and mass only."""

from rocksteady.systems.block import Block, Side

__all__ = ["Block", "Side"]
