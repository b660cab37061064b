"""Wrong arguments of the public functions get a sentence of ours, not a traceback from inside."""

import pytest

import rocksteady as rs

BLOCK, MOTION = rs.Block(2.0, 0.5), rs.pulses.sine(5.0, period=1.0, dt=0.01)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rs.simulate(BLOCK, MOTION, duration="long"), "duration = 'long' s is not allowed"),
        (lambda: rs.simulate(BLOCK, MOTION, duration=-1.0), "duration = -1.0 s is not allowed"),
        (lambda: rs.simulate(BLOCK, MOTION, theta0="x"), "theta0 = 'x' rad is not allowed"),
        (lambda: rs.simulate(BLOCK, MOTION, theta0=10.0), "Angles are in radians"),
        (lambda: rs.simulate(BLOCK, MOTION, "housner"), "such as rs.Housner()"),
        (lambda: rs.simulate(BLOCK, MOTION, rs.Housner), "did you mean Housner()"),
        (lambda: rs.simulate("statue", MOTION), "is not a body"),
        (lambda: rs.simulate(BLOCK, [1.0, 2.0]), "is not a motion"),
        (lambda: rs.calibrate(BLOCK, "housner", 0.9), "such as rs.Housner()"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), 1.5), "between 0 and 1"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), "0.9"), "between 0 and 1"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), 0.9, theta0=BLOCK.alpha), "let go leaning"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), 0.9, theta0=9.0), "theta0 = 9.0 rad"),
        (lambda: rs.compare(BLOCK), "Nothing would move"),
        (lambda: rs.ensemble(BLOCK, MOTION, scales="x"), "scales = 'x' is not allowed"),
        (lambda: rs.ensemble(BLOCK, MOTION, scales=[]), "There are no scales"),
    ],
)
def test_a_wrong_argument_is_named(call, told):
    with pytest.raises(rs.errors.InputError) as error:
        call()
    assert told in str(error.value)
