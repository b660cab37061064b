"""Limit analysis of assemblies of rigid stones: collapse loads, mechanisms, capacity curves."""

from rocksteady.analysis.limit_analysis.limit import limit_load
from rocksteady.analysis.limit_analysis.result import Hinge, LimitLoad

__all__ = ["Hinge", "LimitLoad", "limit_load"]
