"""Records that no block can have made are refused in words."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis import identify_block


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
