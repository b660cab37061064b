"""Everything that rocks, slides, wears or falls in an earthquake.

>>> import rocksteady as rs
>>> column = rs.Block(height=4.2, width=0.6)
>>> response = rs.simulate(column, theta0=column.alpha / 2)
>>> round(response.peak, 3)
0.5

Public names, listed in ``__init__.pyi``, are imported on first use, so that ``import rocksteady``
is fast.
"""

from rocksteady.public import names_of

__getattr__, __dir__, __all__ = names_of("rocksteady")
