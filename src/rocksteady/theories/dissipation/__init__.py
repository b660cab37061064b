"""Rocking with the loss set by numerical dissipation (D'Altri et al. 2024).

step.py          one step of the HHT rule for the rigid block on its bed, Eqs. 4 and 5
shared.py        what every body by this rule has: springs, rule, time step
elastic/         the same for an elastic block
rule.py          α, β and γ of the rule: Eqs. 4 and 5; which are stable
stones/          several stones, springs in their joints
law.py           which time step gives which loss: Eqs. 6, 9 and 10
laws.py          the laws that have a name: the paper's and our own
time_step.py     `rocksteady.time_step`
formulation.py   the theory as the engine sees it: bed, statics, start, energy
"""

from functools import partial

from rocksteady.theories.dissipation.formulation import NumericalDissipation
from rocksteady.theories.dissipation.stones.formulation import JointDissipation

ELASTIC = partial(NumericalDissipation, body="elastic")  # its name on the command line: elastic

__all__ = ["ELASTIC", "JointDissipation", "NumericalDissipation"]
