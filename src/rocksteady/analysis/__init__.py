"""Evaluation: what the runs mean.

Functions that answer a question, and the modules beside them, are imported on first use:
``rs.analysis.fragility(...)``, ``rs.analysis.timestep``.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

FUNCTIONS: dict[str, str] = {
    "assess": "assessment.build",
    "audit": "auditing",
    "capacity_curve": "limit_analysis.capacity",
    "cloud": "fragilities",
    "compare_outcomes": "statistics.outcomes",
    "compare_peaks": "statistics.peaks",
    "compare_solvers": "solver_comparison",
    "direction_map": "directions",
    "dynamic_push": "limit_analysis.dynamic",
    "equivalent_block": "equivalents",
    "first_motion": "equivalents.first_motion",
    "floor_spectra": "floor",
    "examine": "stones",
    "foreshock_map": "foreshocks",
    "fragility": "fragilities",
    "identify_block": "rocking_identification",
    "identify_from_outcomes": "rocking_identification",
    "joint_forces": "forces_in_joints",
    "least_thickness": "limit_analysis.thickness",
    "limit_load": "limit_analysis.limit",
    "measures": "hazard.measures",
    "mechanism_loads": "limit_analysis.sliding_range",
    "overturning_map": "overturning",
    "ramp": "ramps",
    "risk": "hazard.risks",
    "rocking_spectrum": "overturning",
    "stack_motion": "complex_plane.stack",
    "step_error": "stones",
    "stripes_of": "stripes",
    "uncertainty": "fragilities",
    "validate": "statistics.validation",
    "varying_momentum": "complex_plane",
}
"""Where each function is defined, by its name; no module may have the same name."""

_MODULES = [module.name for module in iter_modules(__path__) if not module.name.startswith("_")]
__all__ = sorted([*FUNCTIONS, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in FUNCTIONS:
        return getattr(import_module(f"{__name__}.{FUNCTIONS[name]}"), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"rocksteady.analysis has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return __all__
