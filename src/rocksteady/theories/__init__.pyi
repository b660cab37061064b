"""The theories, and what each one is."""

from rocksteady.theories.assembly import BlockDynamics as BlockDynamics
from rocksteady.theories.complex import ComplexPotential as ComplexPotential
from rocksteady.theories.contract import Formulation as Formulation
from rocksteady.theories.dissipation import JointDissipation as JointDissipation
from rocksteady.theories.dissipation import NumericalDissipation as NumericalDissipation
from rocksteady.theories.housner import Housner as Housner
from rocksteady.theories.masonry import Masonry as Masonry
from rocksteady.theories.nonsmooth import Nonsmooth as Nonsmooth
from rocksteady.theories.registry import FORMULATIONS as FORMULATIONS
from rocksteady.theories.spatial import Spatial as Spatial
from rocksteady.theories.springs import RigidBodySpring as RigidBodySpring
