"""A case: what is asked of `simulate`, once for each theory."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.specs import CaseSpec

STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
PULSE = {"pulse": "sine,a=0.4g,T=0.8"}


def test_a_case_is_one_run_for_each_theory() -> None:
    theories = [{"name": "Housner"}, {"name": "Nonsmooth", "friction": 0.5}]
    case = CaseSpec.checked({"body": STATUE, "motion": PULSE, "theories": theories})
    block = rs.Block(height=1.8, width=0.5)
    push = rs.pulses.sine(amplitude=0.4 * 9.80665, period=0.8)
    direct = [rs.simulate(block, push, t) for t in (rs.Housner(), rs.Nonsmooth(friction=0.5))]
    for asked, expected in zip(case.build(), direct, strict=True):
        assert np.array_equal(rs.simulate(**asked).states, expected.states)


def test_the_body_feels_the_motion_of_its_floor() -> None:
    case = CaseSpec.checked({"body": STATUE, "motion": PULSE, "floor": {"period": 0.5}})
    felt = case.build()[0]["motion"]
    ground = rs.pulses.sine(amplitude=0.4 * 9.80665, period=0.8)
    assert np.array_equal(felt.accel, rs.Floor(period=0.5).motion(ground).accel)


def test_a_body_let_go_needs_no_motion() -> None:
    case = CaseSpec.checked({"body": STATUE, "theta0": 0.1, "until": 3.0})
    (asked,) = case.build()
    response = rs.simulate(**asked)
    assert response.theta[0] == 0.1 and response.time[-1] == pytest.approx(3.0, abs=0.02)


def test_a_case_goes_through_json_unchanged() -> None:
    case = CaseSpec.checked({"body": STATUE | {"offset": 0.1 + 0.2 - 0.25}, "motion": PULSE})
    assert CaseSpec.model_validate_json(case.model_dump_json()) == case


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"body": STATUE, "floor": {"period": 0.5}}, "floor needs a motion"),
        ({"body": {"kind": "Block", "hight": 1.8}}, "hight is not known for a Block"),
        ({"body": STATUE, "motion": PULSE, "theta": 0.1}, "not known here; did you mean theta0"),
    ],
)
def test_what_is_wrong_with_a_case_is_said(given: dict, said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        CaseSpec.checked(given)
