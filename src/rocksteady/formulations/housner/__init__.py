"""Housner's rocking block (1963)."""

from rocksteady.formulations.housner.formulation import Housner

__all__ = ["Housner"]
