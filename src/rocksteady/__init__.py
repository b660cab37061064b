"""Everything that rocks, slides, wears or falls in an earthquake.

>>> import rocksteady as rs
>>> column = rs.Block(height=4.2, width=0.6)
>>> response = rs.simulate(column, theta0=column.alpha / 2)
>>> round(response.peak, 3)
0.5

Public names, listed in ``__init__.pyi``, are imported on first use, so that ``import rocksteady``
is fast.
"""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOMES = {name: home for home, name in re.findall(r"^from (\S+) import (\S+)", _STUB, re.MULTILINE)}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        version = import_module("rocksteady.version").version()
        globals()[name] = version
        return version
    if name not in _HOMES:
        raise AttributeError(f"rocksteady has no {name!r}; it has {', '.join(sorted(__all__))}")
    home = _HOMES[name]
    module = import_module(home)
    if module.__name__ != __name__ and hasattr(module, name):
        value = getattr(module, name)
    else:
        value = import_module(f"{home}.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
