"""A masonry building with friction, hardening and wear (Casalotti et al. 2025)."""

from rocksteady.formulations.masonry.formulation import Masonry

__all__ = ["Masonry"]
