"""The rigid body spring model (Peña).

motion.py        Eqs. 1–4: forces of the bed, equations of motion; six states
step.py          the explicit step
formulation.py   the theory as the engine sees it: how stiff the bed is, which dashpots
"""

from rocksteady.formulations.springs.formulation import RigidBodySpring
from rocksteady.formulations.springs.motion import Bed, motion_states, stable_step

__all__ = ["Bed", "RigidBodySpring", "motion_states", "stable_step"]
