"""The mass of a one-storey building from its drawings, by hand and by integration."""

from dataclasses import replace

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.bodies.masonry import CASALOTTI_MASS, CASALOTTI_STOREY
from rocksteady.bodies.storey import Storey


def test_masses_by_hand():
    """4 m × 3 m outside, walls of 0.5 m, 2 m high under a slab of 0.25 m."""
    storey = Storey(4.0, 3.0, 2.25, 0.5, 0.25, openings=0.25, brickwork=2000.0, concrete=2400.0)
    assert storey.plan_area == 12.0
    assert storey.slab_mass == pytest.approx(12 * 0.25 * 2400)
    solid = 4 * 3 - 3 * 2  # m²: outside less inside
    assert storey.wall_mass == pytest.approx(solid * 2.0 * 0.75 * 2000)
    assert storey.total_mass == pytest.approx(7200 + 18_000)
    assert storey.lumped_mass == pytest.approx(7200 + 9000)


def test_the_participating_mass_is_that_of_a_straight_line():
    """(∫φ dm)² / ∫φ² dm over thin layers of the walls, with the slab on top."""
    storey = CASALOTTI_STOREY
    phi = (np.arange(200_000) + 0.5) / 200_000
    layer = storey.wall_mass / len(phi)
    load = storey.slab_mass + layer * phi.sum()
    inertia = storey.slab_mass + layer * (phi**2).sum()
    assert storey.participating_mass == pytest.approx(load**2 / inertia, rel=1e-9)
    assert storey.lumped_mass < storey.participating_mass < storey.total_mass


def test_the_building_of_the_paper():
    """A_c of Table 1 is the area of the plan, and the masses that the docstring names."""
    storey = CASALOTTI_STOREY
    house = rs.MasonryBuilding.casalotti2025()
    assert storey.plan_area == pytest.approx(16.069, abs=5e-4)
    assert house.contact_area == round(storey.plan_area, 2)
    assert house.mass == CASALOTTI_MASS == pytest.approx(storey.participating_mass, rel=0.01)
    light = replace(storey, brickwork=1600.0, openings=0.2)
    heavy = replace(storey, brickwork=2000.0, openings=0.0)
    for name, low, high in (
        ("total_mass", 25, 36),
        ("lumped_mass", 15, 21),
        ("participating_mass", 19, 27),
    ):
        found = [getattr(one, name) / 1e3 for one in (light, heavy)]
        assert [int(found[0]), round(found[1])] in ([low, high], [low - 1, high]), name
    assert storey.slab_mass == pytest.approx(6106, abs=1)


def test_a_preset_needs_no_mass_and_takes_one():
    from rocksteady.specs import BodySpec

    values = {"kind": "MasonryBuilding", "preset": "casalotti2025"}
    assert BodySpec.checked(values).build() == rs.MasonryBuilding.casalotti2025()
    heavy = BodySpec.checked(values | {"mass": 40e3}).build()
    assert heavy == rs.MasonryBuilding.casalotti2025(40e3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"height": 0.0}, "height"),
        ({"openings": 1.0}, "openings = 1.0"),
        ({"openings": -0.1}, "openings = -0.1"),
        ({"slab": 5.0}, "No room is left"),
        ({"wall": 2.0}, "No room is left"),
        ({"brickwork": float("nan")}, "brickwork"),
    ],
)
def test_impossible_drawings_are_refused(change, words):
    with pytest.raises(rs.InputError, match=words):
        replace(CASALOTTI_STOREY, **change)
