"""Objects to begin with: sizes, depth and mass, alike at every door."""

import pytest

import rocksteady as rs
from rocksteady.analysis.assessment.description import described
from rocksteady.specs import BodySpec
from rocksteady.specs.assessment import ObjectSpec
from rocksteady.studio.asking.question import AskRequest
from rocksteady.systems.presets import PRESETS

MASSES = {"statue": 720, "column": 3931, "parapet": 540, "facade": 9120, "cabinet": 283.5}  # kg


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_object_weighs_the_same_at_every_door(name):
    """A statue weighed 720 kg in the questions and 1440 kg on the workbench, 1 m thick."""
    bench = BodySpec.checked({"kind": "Block", "preset": name}).build()
    asked = AskRequest.checked({"kind": "ask", "what": name}).assessment().object.build()
    assessed = ObjectSpec(preset=name).build()
    assert bench == asked == assessed
    if name in MASSES:
        assert bench.mass == pytest.approx(MASSES[name], rel=1e-4)


def test_a_statue_is_as_deep_as_wide_and_a_wall_a_strip_of_a_metre():
    wide = rs.Block.from_values({"width": 0.7}, "statue")
    assert wide.thickness == 0.7 and wide.mass == pytest.approx(1600 * 1.8 * 0.7**2)
    given = rs.Block.from_values({"width": 0.7, "thickness": 0.3}, "statue")
    assert given.thickness == 0.3
    assert rs.Block.from_values({"width": 0.3}, "parapet").thickness == 1.0
    heavy = rs.Block.from_values({"mass": 500.0}, "statue")
    assert heavy.mass == 500.0 and heavy.alpha == rs.Block.from_values({}, "statue").alpha


def test_the_depth_of_a_preset_is_not_called_given():
    said = described(AskRequest.checked({"kind": "ask"}).assessment()).said
    assert said.object.origin("thickness") == "typical of a statue, not given"
