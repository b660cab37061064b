"""What a type checker sees of the public names; `make lint` checks this, nothing runs it.

Were a name only found by ``__getattr__``, it would be ``Any`` and these lines would be errors.
"""

from typing import assert_type

import rocksteady as rs
from rocksteady.analysis.fragilities import Fragility
from rocksteady.analysis.hazard import Hazard, Risk
from rocksteady.analysis.limit_analysis import LimitLoad


def typed() -> None:
    block = rs.Block(1.8, 0.5)
    push = rs.pulses.sine(3.0, 0.8)
    assert_type(rs.simulate(block, push), rs.Response)
    assert_type(rs.analysis.fragility(block, [push]), Fragility)
    curve = Hazard.power(2.0, 2e-3, 2.5)
    assert_type(rs.analysis.risk(rs.analysis.fragility(block, [push]), curve), Risk)
    assert_type(rs.analysis.limit_load(rs.read_assembly("arch.json")), LimitLoad)
    assert_type(rs.theories.Housner(), rs.Housner)
