"""Assemblies of rigid stones: columns of drums, frames, walls, arches."""

from rocksteady.systems.assembly.assembly import Assembly
from rocksteady.systems.assembly.links import Link, Spring, Tendon, Tie
from rocksteady.systems.assembly.stone import Stone

__all__ = ["Assembly", "Link", "Spring", "Stone", "Tendon", "Tie"]
