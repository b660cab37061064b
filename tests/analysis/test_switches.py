"""Arguments of the wrong kind are refused with a sentence, not with an error of NumPy or Python."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone

DRUMS = Assembly.drums(2, 2.0, 1.0)
BOX = Stone.box(0.0, 0.0, 1.0, 1.0)
BLOCK = rs.Block(1.8, 0.5)
MOTIONS = [rs.pulses.sine(4.0, period=0.8).resampled(0.01)]


@pytest.mark.parametrize("junk", ["few", 1, 0.5, [True], None])
def test_a_switch_is_true_or_false(junk):
    for refused in (
        lambda: rs.analysis.limit_load(DRUMS, sliding=junk),
        lambda: rs.analysis.capacity_curve(DRUMS, sliding=junk),
        lambda: rs.analysis.least_thickness(180.0, 9, sectors=junk),
        lambda: rs.ensemble(BLOCK, MOTIONS, paired=junk, progress=False),
        lambda: Assembly(DRUMS.stones, floating=junk),
        lambda: Stone(BOX.parts, fixed=junk),
    ):
        with pytest.raises(rs.InputError, match="give True"):
            refused()


def test_numpys_true_is_true():
    assert Stone(BOX.parts, fixed=np.True_).fixed is True
    assert rs.analysis.limit_load(DRUMS, sliding=np.True_).multiplier > 0


@pytest.mark.parametrize(
    "refused",
    [
        lambda: BOX.turned(True),
        lambda: BOX.moved(np.True_),
        lambda: BOX.moved(0.0, "far"),
        lambda: rs.analysis.limit_load(DRUMS, forces="few"),
        lambda: rs.analysis.limit_load(DRUMS, steady=3.0),
        lambda: rs.analysis.mechanism_loads(DRUMS, "few"),
        lambda: rs.analysis.fragility(BLOCK, MOTIONS, levels=[[1, 2], [3]], progress=False),
        lambda: rs.analysis.cloud(BLOCK, MOTIONS, floor="few", progress=False),
        lambda: rs.analysis.compare_peaks(np.arange(30.0), "few"),
        lambda: rs.analysis.overturning_map(BLOCK, "sine", measure="few", progress=False),
        lambda: rs.time_step(BLOCK, law=["daltri2024"]),
        lambda: rs.time_step(BLOCK, body="few"),
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(refused):
    with pytest.raises(rs.InputError):
        refused()
