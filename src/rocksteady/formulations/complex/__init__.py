"""Rocking as one differential equation in the complex plane (Prieto and Lourenço 2005)."""

from rocksteady.formulations.complex.formulation import ComplexPotential

__all__ = ["ComplexPotential"]
