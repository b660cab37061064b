"""Maps of what foreshocks add: each point is a sequence, and every outcome is told apart."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.foreshocks import (
    ALONE,
    BROUGHT_DOWN,
    OUTCOMES,
    SPARED,
    STANDS,
    _outcome,
    foreshock_map,
)

HOUSE = rs.MasonryBuilding.casalotti2025()
MASSES, SCALES = [18e3, 23e3, 40e3], [0.2, 0.5, 0.9]


def shock(seed=3, pga=3.3):
    """8 s of smoothed noise [m/s²]."""
    t = 0.01 * np.arange(801)
    rough = np.random.default_rng(seed).standard_normal(len(t))
    smooth = np.convolve(rough, np.ones(4) / 4, "same") * np.sin(np.pi * t / t[-1]) ** 2
    return rs.Motion(pga * smooth / np.abs(smooth).max(), 0.01, name="main")


@pytest.fixture(scope="module")
def found():
    return foreshock_map(shock(), MASSES, SCALES, count=2, gap=3.0)


def test_each_point_is_a_sequence(found):
    motion, seen = shock(), set()
    for i, mass in enumerate(MASSES):
        for j, scale in enumerate(SCALES):
            house = rs.MasonryBuilding.casalotti2025(mass)
            shocks = [motion.scaled(scale)] * 2 + [motion]
            run = rs.sequence(house, shocks, gap=3.0, settle=True, main=2)
            seen.add(_outcome(run))
            assert found.outcome[i, j] == _outcome(run)
            assert found.alone[i] == run.alone.states[-1, 4]
            if found.outcome[i, j] == STANDS:
                assert found.wear_increase[i, j] == run.wear_increase
                assert found.hardening_increase[i, j] == run.hardening_increase
            else:
                assert math.isnan(found.wear_increase[i, j])
    assert seen >= {STANDS, BROUGHT_DOWN, ALONE}  # or it would show little


class Told:
    """A sequence that ended so."""

    def __init__(self, collapse=None, alone=None, failed=None):
        self.collapse, self.failed = collapse, failed
        self.alone = type("Alone", (), {"collapse": alone, "failed": None})


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (Told(), STANDS),
        (Told(collapse=3.0), BROUGHT_DOWN),
        (Told(collapse=3.0, alone=4.0), ALONE),
        (Told(alone=4.0), SPARED),
        (Told(collapse=3.0, failed=3.0), 4),
    ],
)
def test_every_outcome_has_its_name(run, outcome):
    assert _outcome(run) == outcome and len(OUTCOMES) == 5


def test_rows_and_points_near_a_pair(found):
    rows = found.rows()
    assert len(rows) == 9 and {row["outcome"] for row in rows} <= set(OUTCOMES)
    i, j = np.argwhere(np.isfinite(found.wear_increase))[-1]
    wear, alpha = found.wear_increase[i, j], found.hardening_increase[i, j]
    assert (MASSES[i], SCALES[j]) in found.near(wear, alpha, (1e-9, 1e-9))
    assert found.near(-7.0, 0.0, (1e-9, 1e-9)) == []


def test_the_scale_for_an_increase_lies_between_its_neighbours(found):
    i = int(np.argmax(np.isfinite(found.wear_increase).sum(axis=1)))
    row = found.wear_increase[i]
    j = int(np.flatnonzero(np.diff(row) > 0)[0])
    middle = (row[j] + row[j + 1]) / 2
    hits = {mass: (scale, alpha) for mass, scale, alpha in found.at_wear(middle)}
    scale, alpha = hits[MASSES[i]]
    assert scale == pytest.approx((SCALES[j] + SCALES[j + 1]) / 2)
    assert alpha == pytest.approx(found.hardening_increase[i, j : j + 2].mean())
    assert found.at_wear(1e9) == []


def test_figure(found, tmp_path):
    fig = found.plot(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000
    words = [text.get_text() for text in fig.legends[0].get_texts()]
    assert "only the foreshocks bring it down" in words and "the main shock alone does" in words
    assert fig.axes[0].get_xlabel() == "mass [t]"
    single = foreshock_map(shock(), [20e3], [0.3], count=1)
    single.plot(tmp_path / "single.svg")  # a single point


def test_told_how_far_and_warned_once():
    steps = []
    motion = shock()
    up = rs.Motion(motion.accel, motion.dt, name="UD", meta={"component": "UP"})
    with pytest.warns(rs.RocksteadyWarning, match="vertical component") as told:
        foreshock_map(up, MASSES[:2], [0.5], progress=lambda *step: steps.append(step))
    assert steps == [(1, 2), (2, 2)] and len(told) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"motion": 3.0}, "needs a rs.Motion"),
        ({"masses": [2e4, 1e4]}, "increasing"),
        ({"masses": [-1.0]}, "positive"),
        ({"scales": []}, "scales"),
        ({"scales": [0.1, math.nan]}, "scales"),
        ({"count": 0}, "count = 0"),
        ({"count": 2.5}, "count = 2.5"),
        ({"building": rs.Block(2.0, 0.5)}, "MasonryBuilding, not a Block"),
        ({"gap": -1.0}, "gap = -1"),
    ],
)
def test_bad_input(arguments, words):
    given = {"motion": shock(), "masses": [2e4], "scales": [0.5]} | arguments
    with pytest.raises(rs.InputError, match=words):
        foreshock_map(given.pop("motion"), given.pop("masses"), given.pop("scales"), **given)
