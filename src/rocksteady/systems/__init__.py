"""What is shaken: bodies as frozen dataclasses, geometry and mass only."""

from rocksteady.systems.block import Block, Side
from rocksteady.systems.flexible_oscillator import FlexibleOscillator

System = Block | FlexibleOscillator
SYSTEMS = {kind.__name__: kind for kind in (Block, FlexibleOscillator)}
"""By name, as saved with a response."""

__all__ = ["SYSTEMS", "Block", "FlexibleOscillator", "Side", "System"]
