"""Evaluation: what the runs mean.

Functions that answer a question, and the modules beside them, are imported on first use:
``rs.analysis.fragility(...)``, ``rs.analysis.timestep``. They are listed in ``__init__.pyi``.
"""

from rocksteady.public import names_of

__getattr__, __dir__, __all__ = names_of("rocksteady.analysis")
