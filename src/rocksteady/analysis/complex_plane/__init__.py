"""The complex formulation seen as a particle in a plane (Prieto and Lourenço 2005).

potential.py   effective potential, turning points, the circle χ_c (Eqs. 12, 13, 38–41)
momentum.py    the angular momentum as a variable (Eqs. 14b and 26–30)
stack.py       two blocks on each other, a plane for each joint
"""

from rocksteady.analysis.complex_plane.momentum import PlaneMotion, varying_momentum
from rocksteady.analysis.complex_plane.potential import EffectivePotential
from rocksteady.analysis.complex_plane.stack import StackMotion, stack_motion

__all__ = ["EffectivePotential", "PlaneMotion", "StackMotion", "stack_motion", "varying_momentum"]
