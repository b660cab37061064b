"""Records that no block can have made are refused, and bounds that decide are named."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis import identify_block, identify_from_outcomes
from rocksteady.analysis.rocking_identification.outcome_tests import OutcomeTests


def test_an_asymmetric_record_is_no_symmetric_block():
    """The best fit of a symmetric block lies at a bound, where there are no derivatives."""
    block, still = rs.Block(height=1.2, width=0.34, offset=0.03), rs.Motion(np.zeros(1001), 0.01)
    loss, theta0 = rs.Housner(r=0.81), 0.75 * block.alpha
    test = rs.simulate(block, still, loss, theta0=theta0, until="motion")
    for seed in range(4):
        noise = 0.01 * theta0 * np.random.default_rng(seed).normal(size=len(test.time))
        with pytest.raises(rs.InputError, match="symmetric=False"):
            identify_block(test.time, test.theta + noise)
    found = identify_block(test.time, test.theta, symmetric=False)
    assert found.values["eta"] == pytest.approx(0.9, abs=1e-8)
    assert found.values["alpha_left"] == pytest.approx(block.left.alpha, rel=1e-8)


def test_outcomes_that_push_against_the_range_assumed_say_so():
    """All fell: the more slender the block, the better it fits, down to the bound."""
    weak = [rs.pulses.sine(amplitude=a, period=0.8) for a in np.linspace(1.3, 3.0, 15)]
    found = identify_from_outcomes(OutcomeTests(weak, [True] * 15), p=(4, 6), alpha=(0.1, 0.4))
    assert found.leaning["alpha"] == 0.1
    assert any("α leans on an end of the range assumed, 0.1" in said for said in found.sentences)
    both = OutcomeTests(weak, [False] * 8 + [True] * 7)
    assert "alpha" not in identify_from_outcomes(both, p=(4, 6), alpha=(0.1, 0.4)).leaning
