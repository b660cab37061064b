"""Assemblies of rigid stones: columns of drums, frames, walls, arches."""

from rocksteady.bodies.assembly.assembly import Assembly
from rocksteady.bodies.assembly.files import read_assembly
from rocksteady.bodies.assembly.joints import Joint
from rocksteady.bodies.assembly.links import Link, Spring, Tendon, Tie
from rocksteady.bodies.assembly.stone import Stone

__all__ = ["Assembly", "Joint", "Link", "Spring", "Stone", "Tendon", "Tie", "read_assembly"]
