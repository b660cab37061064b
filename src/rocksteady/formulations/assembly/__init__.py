"""Assemblies of rigid stones: contact, friction and impact of many blocks."""

from rocksteady.formulations.assembly.formulation import BlockDynamics

__all__ = ["BlockDynamics"]
