"""Evaluation: decay, comparison, calibration, pushover, sequences, identification, statistics.

Modules are imported on first use: ``rs.analysis.timestep``.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

__all__ = [module.name for module in iter_modules(__path__) if not module.name.startswith("_")]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"rocksteady.analysis has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return __all__
