"""The theories, and what each one is."""

from rocksteady.formulations.assembly import BlockDynamics as BlockDynamics
from rocksteady.formulations.complex import ComplexPotential as ComplexPotential
from rocksteady.formulations.contract import Formulation as Formulation
from rocksteady.formulations.dissipation import JointDissipation as JointDissipation
from rocksteady.formulations.dissipation import NumericalDissipation as NumericalDissipation
from rocksteady.formulations.housner import Housner as Housner
from rocksteady.formulations.masonry import Masonry as Masonry
from rocksteady.formulations.nonsmooth import Nonsmooth as Nonsmooth
from rocksteady.formulations.registry import FORMULATIONS as FORMULATIONS
from rocksteady.formulations.spatial import Spatial as Spatial
from rocksteady.formulations.springs import RigidBodySpring as RigidBodySpring
