"""Limit analysis of assemblies of rigid stones: collapse loads, mechanisms, capacity curves."""

from rocksteady.analysis.limit_analysis.capacity import CapacityCurve, capacity_curve
from rocksteady.analysis.limit_analysis.limit import limit_load
from rocksteady.analysis.limit_analysis.result import Hinge, LimitLoad
from rocksteady.analysis.limit_analysis.thickness import LeastThickness, least_thickness

__all__ = [
    "CapacityCurve",
    "Hinge",
    "LeastThickness",
    "LimitLoad",
    "capacity_curve",
    "least_thickness",
    "limit_load",
]
