"""Rocking with the loss set by numerical dissipation (D'Altri et al. 2024)."""

from functools import partial

from rocksteady.formulations.dissipation.formulation import NumericalDissipation

ELASTIC = partial(NumericalDissipation, body="elastic")  # its name on the command line: elastic

__all__ = ["ELASTIC", "NumericalDissipation"]
