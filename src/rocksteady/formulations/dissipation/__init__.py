"""Rocking with the loss set by numerical dissipation (D'Altri et al. 2024)."""

from rocksteady.formulations.dissipation.formulation import NumericalDissipation

__all__ = ["NumericalDissipation"]
