"""What became of stones: which fell first and when, in words; examinations."""

import datetime
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.stones import examine, outcome, step_error
from rocksteady.analysis.stones.halved_step import StepError
from rocksteady.status import Status
from rocksteady.theories.assembly.falls import first_falls, has_fallen
from rocksteady.view.report import stones as stones_report

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


def ran(fell, name="", pga=0.0, status="at rest"):
    """A run with this end, for what is said of it."""
    motion = SimpleNamespace(name=name, pga=pga)
    return SimpleNamespace(fell=fell, motion=motion, status=status)


@pytest.mark.parametrize(
    ("falls", "words"),
    [
        ((), "No motion was given."),
        ((False,), "It stands under the motion."),
        ((True,), "It collapses under the motion."),
        ((False, False, False), "It stands under 3 motions."),
        ((True, True, True), "It collapses under all 3 motions."),
        ((True, False, True), "It collapses under 2 of 3 motions."),
    ],
)
def test_the_answer_as_a_whole(falls, words):
    push = "A steady horizontal push of 0.1667 of its weight collapses it"
    found = replace(examine(COLUMN), responses=tuple(map(ran, falls)))
    assert found.answer == f"{push}. {words}"
    slides = examine(replace(COLUMN, friction=0.1))
    assert slides.answer == (
        "A steady horizontal push of 0.1 of its weight collapses it at most, for joints slide. No "
        "motion was given."
    )
    held = {side: replace(one, multiplier=math.inf) for side, one in found.limits.items()}
    assert replace(found, limits=held).answer == f"No horizontal push collapses it. {words}"


def test_what_is_said_of_many_runs_as_a_whole():
    """The worst residual is that of the second run; the third ends otherwise with a shorter step,
    the place of a stone is lost in the fourth, and the last two do not converge."""
    step = StepError(1e-3, 0.00123, 0.0456)
    first = SimpleNamespace(
        step=step,
        computed={"residual": 1e-9, "unconverged": 0, "solves": 100},
        displacement=0.01234,
        turn=0.1,
    )
    outcomes = [
        first,
        SimpleNamespace(
            **vars(first)
            | {"computed": first.computed | {"residual": 1e-7}, "step": replace(step, turn=0.0789)}
        ),
        SimpleNamespace(**vars(first) | {"step": replace(step, otherwise=Status.COLLAPSED)}),
        SimpleNamespace(**vars(first) | {"step": replace(step, displacement=math.inf)}),
        *[SimpleNamespace(**vars(first) | {"step": replace(step, converges=False)})] * 2,
    ]
    runs = [ran(False, "Norcia", 0.4 * 9.80665), ran(False, "", 1.0, "rocking"), *[ran(True)] * 4]
    how = SimpleNamespace(told=lambda run, said: f"{run.motion.pga:g} m/s²: {said}")
    found = replace(
        examine(COLUMN), responses=tuple(runs), outcomes=tuple(outcomes), formulation=how
    )
    of_steps = (
        "With shorter steps the outcome of 1 of 6 runs is another: judge many runs, not these "
        "alone. Beside runs with half and a quarter of the step, places of 2 runs err by less than "
        "1.2 mm and turns by less than 0.079 rad. In 2 runs halving the step again changes as "
        "much: the error of the step is not known, judge many runs. In 1 run a stone was lost: the "
        "error of the step is not known."
    )
    assert found.step_sentence == of_steps
    assert found.residual_sentence == f"In all runs: 1 m/s²: {of_steps}"
    rest = ("5.73", "1.0e-09", "0 of 100")
    assert found.run_rows == [
        ("Norcia", "0.4", "at rest", "12.3", *rest, "1.2"),
        ("motion 2", "0.102", "rocking", "12.3", "5.73", "1.0e-07", "0 of 100", "1.2"),
        ("motion 3", "0", "at rest", "12.3", *rest, "another outcome"),
        *[(f"motion {i}", "0", "at rest", "12.3", *rest, "not known") for i in (4, 5, 6)],
    ]
    for one, bad in zip(outcomes, (3, 4), strict=False):
        one.computed = one.computed | {"unconverged": bad}
    assert found.residual_sentence == (
        "7 of 600 contact problems of all runs were left above 1e-4 g h; the worst run: 1 m/s²: "
        + of_steps
    )
    sure = replace(found, responses=tuple(runs[:2]), outcomes=tuple(outcomes[:2]))
    assert sure.step_sentence == (
        "Beside runs with half and a quarter of the step, places of all runs err by less than 1.2 "
        "mm and turns by less than 0.079 rad."
    )
    unknown = SimpleNamespace(**vars(first) | {"step": None})
    assert replace(sure, outcomes=(unknown, unknown)).step_sentence == ""
    assert replace(sure, outcomes=(first, unknown)).step_sentence == step.sentence


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
    assert facts == {
        "stones that move": ("3", ""),
        "stones that are fixed": ("1", ""),
        "joints": ("3", ""),
        "mass of the stones that move": ("12000", "kg"),
        "length": (f"{mixed.total_length:g}", "m"),
        "height": ("6", "m"),
        "friction of the joints": ("0.4 to 0.7", ""),
        "gravity": ("9.81", "m/s²"),
    }
    tie = rs.Tie(stones=(0, 1), points=((-0.5, 0.0), (-0.5, 1.0)), stiffness=1e6)
    tied = replace(COLUMN, links=(tie,))
    facts = {fact.words: fact.value for fact in examine(tied).facts}
    assert facts["friction of the joints"] == "0.7" and facts["springs, ties and tendons"] == "1"
    floating = rs.Stone.box(0, 5, 1, 1, name="cloud")
    apart = rs.Assembly((rs.Stone.box(0, 0, 1, 1, fixed=True), floating), 0.55, floating=True)
    facts = {fact.words: fact.value for fact in examine(apart).facts}
    assert facts["joints"] == "0" and facts["friction of the joints"] == "0.55"


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


@pytest.mark.parametrize(("count", "named"), [(60, True), (61, False)])
def test_stones_have_their_names_in_a_report_while_they_are_legible(count, named, monkeypatch):
    drawn = []
    monkeypatch.setattr(stones_report, "plot_assembly", lambda _, names: drawn.append(names))
    monkeypatch.setattr(stones_report, "inline_svg", lambda *_: "")
    stones_report._stones(SimpleNamespace(assembly=SimpleNamespace(stone_count=count)))
    assert drawn == [named]
