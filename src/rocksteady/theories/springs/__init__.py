"""The rigid body spring model (Peña).

motion.py        Eqs. 1–4: forces of the bed, equations of motion; six states
step.py          the explicit step
interfaces.py    several contacts: where their springs are, the matrices of Eqs. 1–4
places.py        the same in words and tables, and where they are on a block
several.py       the explicit step of a body on them
standing.py      where it stands on them, its energy
bed.py           how stiff the bed is, how long a step may be, which dashpots
formulation.py   the theory as the engine sees it
"""

from rocksteady.theories.springs.formulation import RigidBodySpring
from rocksteady.theories.springs.interfaces import Interface
from rocksteady.theories.springs.motion import Bed, motion_states, stable_step

__all__ = ["Bed", "Interface", "RigidBodySpring", "motion_states", "stable_step"]
