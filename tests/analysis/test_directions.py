"""Outcome over direction and strength of a motion, against single runs and by symmetry."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs

BOX = rs.Body.box(0.45, 0.6, 1.8)
DT = 0.01
DIRECTIONS = np.array([0.0, 30.0, 90.0, 180.0, 210.0])
SCALES = np.array([0.3, 1.0, 2.5])


def shaking() -> rs.Motion:
    time = np.arange(0, 2.0, DT)
    envelope = 4.0 * np.sin(np.pi * time / 2.0) ** 2
    return rs.Motion(
        envelope * np.sin(9.0 * time), DT,
        vertical=0.3 * envelope * np.sin(23.0 * time),
        transverse=0.7 * envelope * np.sin(7.0 * time + 1.0), name="a made-up motion",
    )  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return rs.analysis.direction_map(BOX, shaking(), DIRECTIONS, SCALES, progress=False)


def test_it_is_a_table_over_direction_and_scale_with_planes_beside(found):
    assert found.peak.dims == ("direction", "scale")
    assert found.planar_peak.dims == ("plane", "direction", "scale")
    assert found.direction.values.tolist() == DIRECTIONS.tolist()
    assert found.plane.values.tolist() == [0.0, 90.0] and BOX.weakest == 0.0
    motion = shaking()
    largest = np.hypot(motion.accel, motion.transverse).max()
    np.testing.assert_allclose(found.pga, SCALES * largest)
    assert found.direction.attrs["units"] == "degree" and found.pga.attrs["units"] == "m/s2"
    assert found.fell.dtype == bool and found.fell.any() and not found.fell.all()


@pytest.mark.parametrize("i", range(len(DIRECTIONS)))
def test_each_run_is_that_of_simulate_under_the_motion_turned_by_hand(i, found):
    """``accel`` acts along (cos φ, sin φ) of the body, ``transverse`` along (−sin φ, cos φ)."""
    motion, angle = shaking(), np.radians(DIRECTIONS[i])
    c, s = np.cos(angle), np.sin(angle)
    x = c * motion.accel - s * motion.transverse
    y = s * motion.accel + c * motion.transverse
    for j, scale in enumerate(SCALES):
        by_hand = rs.Motion(x, DT, motion.vertical, y).scaled(scale)
        alone = rs.simulate(BOX, by_hand)
        cell = found.isel(direction=i, scale=j)
        assert bool(cell.fell) is alone.fell
        if not alone.fell:
            assert float(cell.peak) == pytest.approx(alone.peak, rel=1e-6, abs=1e-12)
        for side, along in ((0.0, x), (90.0, y)):
            block = rs.simulate(
                BOX.block(side), rs.Motion(along, DT, motion.vertical).scaled(scale)
            )
            plane = cell.sel(plane=side)
            assert bool(plane.planar_fell) is block.fell
            if not block.fell:
                assert float(plane.planar_peak) == pytest.approx(block.peak, rel=1e-6, abs=1e-12)


def test_a_box_turned_by_half_a_turn_is_the_same_box(found):
    for one, other in ((0.0, 180.0), (30.0, 210.0)):
        a, b = found.sel(direction=one), found.sel(direction=other)
        assert np.array_equal(a.fell, b.fell)
        stands = ~a.fell.values
        np.testing.assert_allclose(a.peak.values[stands], b.peak.values[stands], rtol=1e-6)


def test_along_an_axis_space_and_plane_agree():
    """One component along x: Housner's planar block, but for rounding."""
    push = rs.pulses.sine(3.5, period=0.6, dt=DT)
    found = rs.analysis.direction_map(BOX, push, [0, 180], [0.5, 1.0, 3.0], progress=False)
    weak = found.sel(plane=0.0)
    assert np.array_equal(found.fell, weak.planar_fell)
    stands = ~found.fell.values
    np.testing.assert_allclose(
        found.peak.values[stands], weak.planar_peak.values[stands], rtol=1e-6, atol=1e-12
    )
    assert (found.sel(plane=90.0).planar_peak == 0).all()  # nothing across


def test_records_whose_other_component_lies_to_the_right_are_put_right():
    motion = shaking()
    north_east = rs.Motion(
        motion.accel, DT, motion.vertical, -motion.transverse,
        meta={"azimuth": 0.0, "transverse_azimuth": 90.0},
    )  # fmt: skip
    both = [
        rs.analysis.direction_map(BOX, one, [0, 40], [0.6, 1.0], progress=False)
        for one in (motion, north_east)
    ]
    np.testing.assert_allclose(both[0].peak, both[1].peak, rtol=1e-9)


def test_planes_and_theories_can_be_chosen():
    found = rs.analysis.direction_map(
        BOX, shaking(), [0, 90], [0.5, 1.0], planes=[45.0], planar=rs.Housner(eta=0.6),
        until="motion", progress=False,
    )  # fmt: skip
    assert found.plane.values.tolist() == [45.0]
    motion = shaking()
    along = (motion.accel - motion.transverse) / np.sqrt(2)  # x = −transverse, y = accel
    alone = rs.simulate(
        BOX.block(45.0), rs.Motion(along, DT, motion.vertical), rs.Housner(eta=0.6), until="motion"
    )
    cell = found.sel(direction=90, scale=1.0, plane=45.0)
    assert float(cell.planar_peak) == pytest.approx(alone.peak, rel=1e-6)


@pytest.mark.parametrize(
    ("directions", "scales", "words"),
    [
        ([0], [1, 2], "directions"),
        ([90, 0], [1, 2], "directions"),
        ("north", [1, 2], "directions"),
        ([0, np.nan], [1, 2], "directions"),
        ([0, 90], [2, 1], "scales"),
        ([0, 90], [-1, 1], "must be positive"),
    ],
)
def test_directions_and_scales_must_grow(directions, scales, words):
    with pytest.raises(rs.InputError, match=words):
        rs.analysis.direction_map(BOX, shaking(), directions, scales)


def test_other_bodies_and_things_are_refused():
    with pytest.raises(rs.InputError, match=r"needs a Body, not a Block"):
        rs.analysis.direction_map(rs.Block(1.8, 0.5), shaking(), [0, 90], [1, 2])
    with pytest.raises(rs.InputError, match="not a Motion"):
        rs.analysis.direction_map(BOX, "kobe", [0, 90], [1, 2])
