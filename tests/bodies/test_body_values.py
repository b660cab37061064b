"""Bodies in space by plain values, and as rows of a table."""

import math

import pytest

import rocksteady as rs


def test_from_values():
    make = rs.Body.from_values
    assert make({"base_x": 0.4, "base_y": 0.6, "height": 1.8}) == rs.Body.box(0.4, 0.6, 1.8)
    assert make({"diameter": 0.4, "height": 2, "mass": 100}) == rs.Body.cylinder(0.4, 2, mass=100)
    drum = make({"diameter": 0.4, "top_diameter": 0.3, "height": 2.0, "offset_x": 0.01})
    assert drum == rs.Body.drum(0.4, 0.3, 2.0, offset=(0.01, 0.0))
    statue = make({"height": 2.0}, "statue")
    assert statue.centre[2] == 1.04 and statue.base_x == 0.5
    assert make({"mass": 300.0}, "cabinet").mass == pytest.approx(300)
    for name in ("statue", "column", "cabinet", "obelisk"):
        assert 0.05 < make({}, name).alpha < 0.4


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"height": 1.0}, "lacks its base"),
        ({"base_x": 0.4, "height": 1.0}, "lacks `base_y`"),
        ({"diameter": 0.4}, "lacks `height`"),
        ({"diameter": 0.4, "base_x": 1, "height": 1}, "both given"),
        ({"diameter": 0.4, "height": 1.0, "taper": 0.5}, "both given"),
        ({"mesh": "a.stl", "com_height": 1}, "`com_height` does not describe a scan"),
        ({"mesh": "none.stl"}, "There is no file none.stl"),
        ({"inertia": (1, 1, 1)}, "lacks `mass`"),
        ({"outline": "[[0, 0]]"}, "lacks `mass`, `height`, `g`, `centre_x`, .*`inertia_yz`:"),
        ({"base_radius": 0.5, "mass": 1.0, "g": 9.8}, "lacks `height`, `centre_x`"),
        ({"base_x": math.nan, "height": 1.0}, "lacks its base"),
        ({"base_x": 0.4, "base_y": 0.4}, "lacks `height`: a box needs `base_x`, `base_y`, `heig"),
        ({"mesh": "a.stl", "base_x": 1}, "`base_x` and `mesh` were both given"),
        ({"base_x": 1, "base_y": 1, "height": 1, "radius": 2}, "`radius` does not describe a box"),
        ({"diameter": 1, "height": 1, "turn": 2}, "both given"),
        ({}, "lacks its base"),
    ],
)
def test_wrong_values_give_a_sentence(values, says):
    with pytest.raises(rs.InputError, match=says):
        rs.Body.from_values(values)
    with pytest.raises(rs.InputError, match="no preset 'ship'"):
        rs.Body.from_values(values, "ship")


def test_values_of_presets():
    """Proportions of the preset, with what was given in place of its own."""
    make = rs.Body.from_values
    assert make({}, "statue") == rs.Body.box(0.5, 0.5, 1.8, density=1600, com_height=0.936)
    assert make({"com_height": 0.7}, "statue").centre[2] == 0.7
    assert make({"mass": 200.0}, "statue").mass == pytest.approx(200)
    assert make({"height": 9.0}, "column") == rs.Body.cylinder(0.6, 9.0, density=2600)
    assert make({}, "obelisk") == rs.Body.box(1.2, 1.2, 9.0, taper=0.65, density=2700)


@pytest.mark.parametrize(
    ("values", "preset", "way"),
    [
        ({"base_x": 0.4, "base_y": 0.6, "height": 1.8}, None, "box"),
        ({"base_x": 0.4, "base_y": 0.6, "height": 1.8, "taper": 0.5, "mass": 50}, None, "box"),
        ({"base_x": 0.4, "base_y": 0.6, "height": 1.8, "offset_y": 0.1}, None, "box"),
        ({"base_x": 0.4, "base_y": 0.6, "height": 1.8, "offset_x": 0.1}, None, "box"),
        ({"base_x": 0.4, "base_y": 0.6, "height": 1.8, "com_height": 0.5, "g": 9.8}, None, "box"),
        ({"diameter": 0.4, "height": 1.8, "base_x": math.nan, "mesh": ""}, None, "cylinder"),
        ({"diameter": 0.4, "height": 1.8, "top_diameter": 0.2}, None, "drum"),
        ({"height": 2.0}, "statue", "box"),
        ({"height": 2.0}, "column", "cylinder"),
        ({"mass": 1, "inertia": (1, 1, 1), "centre": (0, 0, 0.5), "height": 1, "radius": 1},
         None, ""),
    ],
)  # fmt: skip
def test_how_a_person_writes_a_body(values, preset, way):
    found, arguments = rs.Body.made_by(values, preset)
    assert found == way
    call = getattr(rs.Body, found) if found else rs.Body
    assert call(**arguments) == rs.Body.from_values(values, preset)


def test_how_a_person_writes_a_scan_and_a_stored_body():
    values = {"mesh": "a.stl", "unit": "mm", "turn": 20, "density": 900.0}
    way, arguments = rs.Body.made_by(values)
    assert way == "from_mesh"
    assert arguments == {"path": "a.stl", "unit": "mm", "turn": 20, "density": 900.0}
    for body in (rs.Body.cylinder(0.4, 1.0), rs.Body.box(0.4, 0.4, 1.0)):
        row = {name: body.stored(name) for name in body.stored_names()}
        way, arguments = rs.Body.made_by(row)
        assert way == "from_values" and rs.Body.from_values(**arguments) == body


@pytest.mark.parametrize(
    "body",
    [
        rs.Body.box(0.4, 0.6, 1.8).turned(20),
        rs.Body.cylinder(1 / 3, 2.0, offset=(0.01, 0.02)),
        rs.Body.stacked([rs.Body.box(1, 1, 1), rs.Body.cone(1, 1)], [(0, 0), (0.1, 0.2)]),
    ],
)
def test_a_row_of_a_table_keeps_a_body(body):
    row = {name: body.stored(name) for name in body.stored_names()}
    assert all(isinstance(value, (float, str)) for value in row.values())
    again = rs.Body.from_values(row)
    assert again == body  # bit for bit
    assert rs.Body.from_values(row | {"base_x": body.base_x, "base_y": body.base_y}) == body
