"""Assemblies of rigid stones: contact, friction and impact of many blocks."""

from rocksteady.theories.assembly.formulation import BlockDynamics

__all__ = ["BlockDynamics"]
