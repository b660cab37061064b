"""Assemblies of rigid stones: columns of drums, frames, walls, arches."""

from rocksteady.systems.assembly.assembly import Assembly
from rocksteady.systems.assembly.files import read_assembly
from rocksteady.systems.assembly.joints import Joint
from rocksteady.systems.assembly.links import Link, Spring, Tendon, Tie
from rocksteady.systems.assembly.stone import Stone

__all__ = ["Assembly", "Joint", "Link", "Spring", "Stone", "Tendon", "Tie", "read_assembly"]
