"""Limit analysis of assemblies of rigid stones: collapse loads, mechanisms, capacity curves."""

from rocksteady.analysis.limit_analysis.capacity import CapacityCurve, capacity_curve
from rocksteady.analysis.limit_analysis.dynamic import DynamicPush, Push, dynamic_push
from rocksteady.analysis.limit_analysis.limit import limit_load
from rocksteady.analysis.limit_analysis.result import Hinge, LimitLoad
from rocksteady.analysis.limit_analysis.sliding_range import mechanism_loads
from rocksteady.analysis.limit_analysis.thickness import LeastThickness, least_thickness

__all__ = [
    "CapacityCurve",
    "DynamicPush",
    "Hinge",
    "LeastThickness",
    "LimitLoad",
    "Push",
    "capacity_curve",
    "dynamic_push",
    "least_thickness",
    "limit_load",
    "mechanism_loads",
]
