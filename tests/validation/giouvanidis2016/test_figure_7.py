"""Fig. 7 of Giouvanidis & Dimitrakopoulos (2016) in numbers, against SciPy from event to event."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.motion.generate.pulses import sine
from rocksteady.reproduce.giouvanidis2016 import motion
from rocksteady.theories.contract import UPLIFT
from validation.giouvanidis2016.column_events import history

BODY = motion.oscillator()
P = BODY.p
PUSH, OMEGA = 5 * BODY.g * BODY.b / BODY.height, 7 * P


@pytest.fixture(scope="module")
def independent():
    """31 impacts in 20/p, in some seconds."""
    end = 2 * math.pi / OMEGA
    return history(
        BODY,
        lambda t: (PUSH * math.sin(OMEGA * t) if t < end else 0.0, 0.0),
        breaks=[end],
        end=20 / P,
    )


def test_the_published_table_is_what_scipy_gives(independent):
    """The numbers in the report, to their last digit."""
    impacts = independent["impacts"]
    assert len(impacts) == motion.IMPACTS_IN_ALL
    n, k = len(motion.IMPACTS), len(motion.UPLIFTS)
    np.testing.assert_allclose(P * independent["uplifts"][:k, 0], motion.UPLIFTS, atol=2e-8)
    np.testing.assert_allclose(P * impacts[:n, 0], motion.IMPACTS, atol=2e-8)
    np.testing.assert_allclose(impacts[:n, 1] / P, motion.STRIKES, atol=2e-8)
    turns = independent["turns"] * [P, 1 / BODY.alpha]
    largest = turns[[turns[:, 1].argmax(), turns[:, 1].argmin()]]
    np.testing.assert_allclose(largest, motion.EXTREMES, atol=2e-8)
    u = np.abs(independent["bends"][:, 1]).max() / abs(independent["uplifts"][0, 1])
    assert u == pytest.approx(motion.BENDING, abs=2e-8)


def test_every_uplift_and_impact_converges_to_it(independent):
    """All 31 of either, with the square of the pulse's sampling: straight lines for a sine."""
    errors = []
    for samples in (250, 500, 1000):
        dt = 2 * math.pi / OMEGA / samples
        run = rs.simulate(BODY, sine(PUSH, omega=OMEGA, dt=dt), rs.Nonsmooth(), duration=20 / P)
        uplifts = run.events[run.events[:, 1] == UPLIFT][:, 0]
        hits = np.transpose([run.impacts.time * P, run.impacts.omega_before / P])
        theirs = independent["impacts"][:, :2] * [P, 1 / P]
        errors.append(
            [
                np.abs(P * (uplifts - independent["uplifts"][:, 0])).max(),
                *np.abs(hits - theirs).max(axis=0),
            ]
        )
    order = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    np.testing.assert_allclose(order, 2.0, atol=0.1)
    assert np.max(errors[-1]) < 1e-4
