"""What became of stones: which fell first and when, in words; examinations."""

import datetime
import math
from dataclasses import replace

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.stones import examine, outcome, step_error
from rocksteady.formulations.assembly.falls import first_falls, has_fallen
from rocksteady.status import Status

DAY = datetime.date(2026, 1, 2)
COLUMN = rs.Assembly.drums(3, 6.0, 1.0)


def pulse(strength):
    return rs.pulses.sine(strength * 9.81, period=1.0, dt=0.01)


def test_first_falls_by_drop_and_by_turn():
    time = np.arange(5.0)
    poses = np.tile([[*stone.centre, 0.0] for stone in COLUMN.stones], (5, 1, 1))
    poses[3:, 2, 1] -= 0.51  # half of 1 m, the least width of a drum of 1 × 2 m
    poses[2:, 3, 2] = -1.01  # rad
    assert first_falls(COLUMN, time, poses) == [("drum 3", 2.0), ("drum 2", 3.0)]
    poses[3:, 2, 1] += 0.02
    assert first_falls(COLUMN, time, poses) == [("drum 3", 2.0)]


@pytest.mark.parametrize("angle", [0.0, 0.3, math.pi / 4, 1.9])
def test_a_bar_has_fallen_after_half_of_its_thickness_however_it_is_turned(angle):
    bar = rs.Stone.box(-1.0, 0.0, 2.0, 0.2).turned(angle)
    assert bar.least_width == pytest.approx(0.2, rel=1e-12)
    x, y = bar.centre
    drops = np.array([0.0, 0.09, 0.11])
    poses = np.column_stack([np.full(3, x), y - drops, np.zeros(3)])
    assert has_fallen(bar, poses).tolist() == [False, False, True]


def test_the_least_width_of_other_shapes():
    triangle = rs.Stone([(0, 0), (4, 0), (0, 3)])
    assert triangle.least_width == pytest.approx(12 / 5)  # its height on the longest side
    corner = rs.Stone([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])  # an L: of its hull
    assert corner.least_width == pytest.approx(4 / math.sqrt(2))


@pytest.mark.parametrize("rubble", [False, True])
def test_as_many_fall_as_the_run_counts(rubble):
    response = rs.simulate(COLUMN, pulse(0.35), rs.BlockDynamics(rubble=rubble))
    found = outcome(response)
    if not rubble:  # stones that lie on others may be lifted again
        assert len(found.fallen) == response.column("fallen")[-1] > 0
    assert len(found.fallen) >= response.column("fallen").max()
    first = response.time[np.argmax(response.column("fallen") > 0)]
    assert found.fallen[0][1] == first
    assert found.displacement == pytest.approx(response.column("displacement").max())
    assert found.turn == pytest.approx(response.column("turn").max())
    name, time = found.fallen[0]
    assert found.sentence.startswith(f"It collapses at {time:.3g} s: {name} falls")


def test_words_of_one_that_stands():
    assert outcome(rs.simulate(COLUMN)).sentence == "It stands, and no stone moves."
    with pytest.raises(rs.InputError, match="needs an Assembly, not a Block"):
        outcome(rs.simulate(rs.Block(1.8, 0.5), pulse(0.1)))


def test_examination_says_the_same_twice(tmp_path):
    pages = []
    for name in ("a.html", "b.html"):
        found = rs.analysis.examine(COLUMN, [pulse(0.35), pulse(0.1)])
        pages.append(found.report(tmp_path / name, DAY).read_bytes())
    assert pages[0] == pages[1]
    assert found.answer.endswith("It collapses under 1 of 2 motions.")
    assert [row[2] for row in found.run_rows] == ["collapsed", "at rest"]


def test_the_error_of_the_step_stands_beside_the_residual(tmp_path):
    run = rs.simulate(COLUMN, pulse(0.1))
    bound = step_error(run)
    assert outcome(run).step is None
    assert outcome(run).told == run.formulation.told(run)
    assert outcome(run).told.endswith("rs.analysis.step_error(response) bounds that.")
    assert outcome(run, halve=True).step == bound
    assert outcome(run, halve=True).told.endswith(f" g h. {bound.sentence}")

    alone = examine(COLUMN, pulse(0.1))
    assert alone.residual_sentence.endswith(bound.sentence)
    assert alone.summary()["runs"][0]["step_error"] == bound.summary()
    assert bound.sentence in alone.report(tmp_path / "alone.html", DAY).read_text()

    both = examine(COLUMN, [pulse(0.1), pulse(0.12)])
    largest = max(one.step.displacement for one in both.outcomes)
    assert (
        "Beside runs with half and a quarter of the step, places of all runs err by less than "
        f"{1e3 * largest:.2g} mm" in both.summary()["told"]
    )
    assert [row[-1] for row in both.run_rows] == [
        f"{1e3 * one.step.displacement:.2g}" for one in both.outcomes
    ]
    page = both.report(tmp_path / "both.html", DAY).read_text()
    assert all(one.step.sentence in page for one in both.outcomes)


def test_of_several_runs_it_counts_those_that_end_otherwise_or_were_lost():
    found = examine(COLUMN, [pulse(0.1), pulse(0.1), pulse(0.1)])
    first = found.outcomes[0]
    other = replace(first, step=replace(first.step, otherwise=Status.OVERTURNED))
    lost = replace(first, step=replace(first.step, displacement=math.inf))
    astray = replace(first, step=replace(first.step, displacement=math.inf, converges=False))
    found = replace(found, outcomes=(first, other, lost, astray), responses=4 * found.responses[:1])
    said = found.step_sentence
    assert "the outcome of 1 of 4 runs is another" in said
    assert "places of 1 run err by less than" in said and "In 1 run a stone was lost" in said
    assert "In 1 run halving the step again changes as much" in said
    assert [row[-1] for row in found.run_rows][1:] == ["another outcome", "not known", "not known"]
    for one in (other, lost, astray):
        assert one.step.summary()["displacement"] is None
        assert "err by less" not in one.step.sentence


def test_examination_of_both_sides():
    leaning = rs.Assembly(
        (
            rs.Stone.box(-2, -0.5, 4, 0.5, fixed=True, name="ground"),
            rs.Stone(([(0, 0), (1, 0), (1.2, 2), (0.2, 2)],), name="leaning"),
        ),
        friction=2.0,
    )
    found = examine(leaning)
    right, left = (found.limits[side].multiplier for side in ("right", "left"))
    assert right == pytest.approx(0.4) and left == pytest.approx(0.6)
    assert found.weakest is found.limits["right"] and len(found.drawn_limits) == 2
    assert [one[:19] for one in found.limit_sentences] == [
        "Pushed to the right",
        "Pushed to the left:",
    ]


def test_facts_of_an_assembly_in_numbers():
    """Three drums of 1 × 2 m and 2000 kg/m³, one of whose joints is smoother."""
    mixed = replace(COLUMN, joint_friction={("drum 1", "drum 2"): 0.4})
    facts = {fact.words: (fact.value, fact.unit) for fact in examine(mixed).facts}
    assert facts["friction of the joints"] == ("0.4 to 0.7", "")
    assert facts["mass of the stones that move"] == ("12000", "kg")
    assert facts["height"] == ("6", "m") and facts["joints"] == ("3", "")


@pytest.mark.parametrize(("apart", "figures"), [(0.0, 1), (5e-7, 1), (2e-6, 2)])
@pytest.mark.parametrize("load", [0.01, 10.0])
def test_collapse_loads_are_equal_within_a_millionth(load, apart, figures):
    found = examine(COLUMN)
    limits = {
        side: replace(found.limits[side], multiplier=share * load)
        for side, share in (("right", 1.0), ("left", 1.0 + apart))
    }
    found = replace(found, limits=limits)
    assert len(found.drawn_limits) == len(found.limit_sentences) == figures


def test_examination_of_one_that_does_not_stand():
    slim = rs.Assembly.arch(16, 0.05)
    found = examine(slim)
    assert found.answer.startswith("It does not stand under its own weight")
    with pytest.raises(rs.InputError, match=r"motions\[0\] is a str"):
        examine(COLUMN, ["record.AT2"])
