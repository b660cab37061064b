"""Rocking with the loss set by numerical dissipation (D'Altri et al. 2024).

step.py          one step of the HHT rule for the rigid block on its bed, Eqs. 4 and 5
elastic/         the same for an elastic block
law.py           which time step gives which loss: Eqs. 9 and 10, and our own laws
formulation.py   the theory as the engine sees it: bed, statics, start, energy
"""

from functools import partial

from rocksteady.formulations.dissipation.formulation import NumericalDissipation

ELASTIC = partial(NumericalDissipation, body="elastic")  # its name on the command line: elastic

__all__ = ["ELASTIC", "NumericalDissipation"]
