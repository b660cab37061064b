"""Assemblies as tables, study files and commands give and keep them."""

import json
import re

import pytest

import rocksteady as rs
from rocksteady.bodies import SYSTEMS, fields_of
from rocksteady.errors import InputError

A = rs.Assembly
MADE = {
    "drums": {"count": 3, "height": 6.0, "width": 1.0, "friction": 0.6},
    "pedestal": {"statue": [0.5, 1.8], "pedestal": "[0.8, 1.0]"},
    "vase_on_plinth": {"height": 1.2, "width": 0.35, "mass": 200.0},
    "portal": {"width": 0.5, "height": 2.0, "beam_length": 4.5, "beam_height": 0.25},
    "trilith": {"width": 1.0, "height": 4.0, "gap": 1.0, "lintel_height": 0.8},
    "arch": {"voussoirs": 7, "ring": 0.15, "embrace": 157.5},
    "buttressed_arch": {
        "voussoirs": 9, "ring": 0.3, "span": 4.0, "rise": 1.5, "buttress_width": 1.0,
        "buttress_height": 3.0,
    },
    "wall": {"rows": 6, "columns": 5, "length": 0.4, "height": 0.2, "bond": "english",
             "openings": "[[0.6, 0.4, 0.6, 0.4]]"},
    "patterned_wall": {"pattern": [[1, 1], [0.5, 1, 0.5]], "length": 0.4, "height": 0.2},
    "ferris_tin_loi": {"number": 3},
}  # fmt: skip


def made(structure):
    given = {n: json.loads(v) if str(v)[:1] == "[" and isinstance(v, str) else v
             for n, v in MADE[structure].items()}  # fmt: skip
    return getattr(A, structure)(**given)


@pytest.mark.parametrize("structure", MADE)
def test_structures_by_name_and_sizes(structure):
    values = {"structure": structure, **MADE[structure]}
    assert A.from_values(values) == made(structure)
    way, arguments = A.made_by(values)
    assert getattr(A, way)(**arguments) == made(structure)
    assert set(values) <= set(A.parameter_names())


@pytest.mark.parametrize("structure", MADE)
def test_a_row_of_a_table_keeps_an_assembly_exactly(structure):
    body = made(structure)
    row = {name: body.stored(name) for name in body.stored_names()}
    assert {name for name, value in row.items() if isinstance(value, str)} == {
        "name",
        "description",
    }
    assert A.from_values(row) == body
    assert A.from_values(json.loads(json.dumps(fields_of(body)))) == body


def test_rows_differ_in_friction_only_where_assemblies_do():
    one, other = A.drums(3, 6.0, 1.0, friction=0.4), A.drums(3, 6.0, 1.0, friction=0.5)
    assert one.description == other.description
    assert one.stored("friction") != other.stored("friction")


def test_a_file_by_its_name(tmp_path):
    path = made("arch").save(tmp_path / "arch.json")
    assert A.from_values({"file": str(path)}) == made("arch")
    assert A.made_by({"file": str(path)}) == ("read", {"path": str(path)})


def test_it_is_registered_and_named():
    assert SYSTEMS.named("assembly") is A
    assert SYSTEMS.name_of(A) == "Assembly"
    wall = A.wall(10, 10, 0.4, 0.2)
    assert wall.label == "wall of 105 stones"
    assert A.drums(1, 2.0, 0.5, name="").label == "assembly of 1 stone"
    assert (wall.total_length, wall.total_height) == pytest.approx((4.0, 2.0))
    assert wall.total_mass == pytest.approx(2000 * 8.0)


def test_the_free_rate_is_that_of_the_smallest_stone():
    assert A.drums(1, 2.0, 0.5).free_rate == pytest.approx((9.81 / 1.0625**0.5) ** 0.5)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "describe an assembly in one way"),
        ({"structure": "drums", "file": "a.json"}, "`structure` and `file` were given"),
        ({"structure": "dome"}, "structure = 'dome' is not allowed: there are drums"),
        ({"structure": "drums", "count": 3, "height": 6.0}, "The column of drums lacks `width`"),
        ({"structure": "drums", "count": 3, "height": 6.0, "width": 1, "span": 2},
         "`span` is not known for a column of drums"),
        ({"structure": "pedestal", "statue": "[1", "pedestal": [1, 1]},
         "statue = '[1' is not a list"),
        ({"description": "{"}, "is not an assembly in JSON"),
        ({"description": "{}"}, "describe an assembly in one way"),
        ({"stones": 7}, "stones must be a list"),
        ({"stones": [{"name": "a"}]}, "Stone 1 lacks its `parts`"),
        ({"stones": [{"parts": [], "colour": "red"}]}, "Stone 1: 'colour' is not known here"),
        ({"stones": [], "height": 3}, "`height` is not known beside `stones`"),
        ({"stones": [], "links": [{"kind": "rope"}]}, "Link 1 is of the kind 'rope'"),
        ({"stones": [], "links": [{"kind": "tie"}]}, "Link 1 lacks its `stones` and `points`"),
        ({"stones": [], "joint_friction": [[1, 2]]}, "must be a list of [stone, stone, friction]"),
    ],
)  # fmt: skip
def test_values_that_describe_nothing(values, says):
    with pytest.raises(InputError, match=re.escape(says)):
        A.from_values(values)


def test_there_are_no_presets():
    with pytest.raises(InputError, match=r"no presets\. Name a `structure`: drums"):
        A.from_values({}, preset="wall")
