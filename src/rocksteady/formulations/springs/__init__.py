"""The rigid body spring model (Peña)."""

from rocksteady.formulations.springs.formulation import RigidBodySpring
from rocksteady.formulations.springs.motion import Bed, motion_states, stable_step

__all__ = ["Bed", "RigidBodySpring", "motion_states", "stable_step"]
