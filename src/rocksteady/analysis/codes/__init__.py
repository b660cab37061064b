"""Checks by building codes, one file per code, each printed as a hand calculation.

>>> import rocksteady as rs
>>> from rocksteady.motion.code_spectra import Eurocode8
>>> parapet = rs.Block(height=1.2, width=0.25)
>>> ground = Eurocode8(ag=0.25 * 9.81, soil="B")
>>> found = check(parapet, ground)
>>> print(found.limit("SLV, nonlinear").sentence)
SLV, nonlinear: not satisfied. It bears a_g = 0.1286 g, required 0.25 g, capacity/demand 0.5144 \
[C8.7.1.2.1.8].
"""

from rocksteady.analysis.codes.checking import CODES, check, compare
from rocksteady.analysis.codes.comparison import Comparison
from rocksteady.analysis.codes.fit import matched, spectrum_ratio
from rocksteady.analysis.codes.mechanism import Mechanism
from rocksteady.analysis.codes.result import Capacity, Check, Limit, Line, write_checks
from rocksteady.analysis.codes.settings import Settings
from rocksteady.analysis.codes.site import Site

__all__ = [
    "CODES",
    "Capacity",
    "Check",
    "Comparison",
    "Limit",
    "Line",
    "Mechanism",
    "Settings",
    "Site",
    "check",
    "compare",
    "matched",
    "spectrum_ratio",
    "write_checks",
]
