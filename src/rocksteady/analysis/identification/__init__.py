"""Identify a masonry building from a measured force–displacement curve."""

from rocksteady.analysis.identification.curve import read_curve
from rocksteady.analysis.identification.fit import PARAMETERS
from rocksteady.analysis.identification.identification import Identification, identify
from rocksteady.analysis.identification.mass import mass_from_frequency, mass_from_plan

__all__ = [
    "PARAMETERS",
    "Identification",
    "identify",
    "mass_from_frequency",
    "mass_from_plan",
    "read_curve",
]
