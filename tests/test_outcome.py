"""`Response.outcome` decides what became of a body, and every door says the same."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from typer.testing import CliRunner

import rocksteady as rs
from rocksteady.cli import app
from rocksteady.cli.assembly.runs import of_run
from rocksteady.outcome import IN_PLACE
from rocksteady.studio.answers.assembly.run import about_run
from rocksteady.studio.answers.simulate import verdict
from rocksteady.view.words import describe

STATUE = rs.Block(1.8, 0.5)
TANK = rs.FlexibleOscillator(
    height=10.0, width=2.0, top_mass=1e4, base_mass=2e4, column_mass=1e4,
    natural_frequency=5.0, damping_ratio=0.01,
)  # fmt: skip
TRILITH = rs.Assembly.trilith(1.1, 4.0, 1.6, 0.8)
SLAB = rs.Assembly.drums(1, 0.5, 1.0, friction=0.2)


def sine(accel, period=0.6):
    return rs.pulses.sine(accel, period=period).resampled(0.005)


RUNS = {
    "stands": (STATUE, sine(4.0), None, {}),
    "does not lift off": (STATUE, sine(2.0), None, {}),
    "falls": (STATUE, sine(9.0, 0.9), None, {}),
    "is cut short": (STATUE, sine(4.0), None, {"until": 0.8}),
    "slides": (STATUE, sine(5.6), rs.Nonsmooth(friction=0.2), {}),
    "bends": (TANK, sine(2.0, 1.5), None, {}),
    "on springs": (rs.Block(1.8, 0.4), sine(3.0, 0.8), rs.RigidBodySpring(), {}),
    "on a bed": (rs.Block(1.8, 0.4), sine(3.0, 0.5), rs.NumericalDissipation(), {}),
    "wears": (rs.MasonryBuilding.casalotti2025(40e3), sine(6.0, 0.15), None, {}),
    "is worn out": (rs.MasonryBuilding.casalotti2025(40e3), sine(20.0, 0.25), None, {}),
    "in space": (rs.Body.box(0.45, 0.6, 1.8), None, None, {"theta0": 0.1, "direction": 30}),
    "falls in space": (rs.Body.box(0.45, 0.6, 1.8), sine(9.0, 0.9), None, {}),
    "on its rim": (rs.Body.cylinder(0.45, 1.8), sine(3.0), None, {"until": 3.0}),
    "trilith": (TRILITH, sine(3.6, 0.9), None, {}),
    "trilith that stays": (TRILITH, sine(1.0), None, {}),
    "stones fall": (rs.Assembly.drums(3, 3.0, 1.0), sine(14.0, 0.9), None, {}),
    "a stone slides": (SLAB, sine(6.0, 0.3), None, {}),
}  # fmt: skip


@cache
def ran(name):
    body, motion, theory, options = RUNS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)
        return rs.simulate(body, motion, theory, **options)


@pytest.mark.parametrize("name", RUNS)
def test_figures_pages_and_files_say_what_the_outcome_says(name, tmp_path):
    response = ran(name)
    outcome = response.outcome
    assert outcome.status is response.status and outcome.fall == response.fall
    assert describe(response).endswith(f": {outcome.words}")
    title = response.plot()._suptitle  # the headline of the figure
    said = " ".join(title.get_text().split()) if title else ""
    assert outcome.words in said
    page = verdict(response)
    assert page["outcome"] == outcome.words and page["sentence"].endswith(outcome.words)
    assert (page["status"], page["fell"]) == (str(outcome.status), outcome.fell)
    assert (page["in_place"], page["left"]) == (outcome.in_place, outcome.left)
    loaded = rs.Response.load(response.save(tmp_path / "run.nc"))
    assert loaded.outcome == outcome


@pytest.mark.parametrize("name", RUNS)
def test_the_words_are_those_of_the_numbers(name):
    outcome = ran(name).outcome
    assert ("overturns" in outcome.words or "collapses" in outcome.words) == outcome.fell
    assert outcome.words.startswith("stands") == (outcome.status is rs.Status.AT_REST)
    assert outcome.in_place == (outcome.status is rs.Status.AT_REST and outcome.left <= IN_PLACE)
    assert outcome.away == (outcome.left > IN_PLACE)
    assert outcome.sentence.endswith(".") and outcome.sentence[0].isupper()
    if not outcome.fell and outcome.away:
        assert re.search(r"(slides|moved|off at the end|slipped)", outcome.words)


@pytest.mark.parametrize("name", [name for name in RUNS if hasattr(RUNS[name][0], "stones")])
def test_all_doors_say_the_same_of_stones(name):
    """The function of analysis, the report, the page and the command line."""
    response = ran(name)
    outcome = response.outcome
    found = rs.analysis.stones.outcome(response)
    assert (found.sentence, found.fallen) == (outcome.sentence, outcome.fallen)
    page = about_run(response)
    assert page["outcome"] == outcome.sentence
    assert page["fallen"] == [stone for stone, _ in outcome.fallen]
    assert page["first_fall"] == (response.fall.time if response.fell else None)
    told = of_run(response, response.motion, [], None)
    assert told["sentence"] == outcome.sentence and told["in_place"] == outcome.in_place
    assert [one["stone"] for one in told["fallen"]] == page["fallen"]
    report = rs.analysis.examine(response.system, response.motion)
    assert report.summary()["runs"][0]["sentence"] == outcome.sentence


@pytest.mark.parametrize("name", ["stands", "does not lift off", "falls"])
def test_the_command_line_says_the_same(name, tmp_path):
    response = ran(name)
    (path,) = rs.write_motion(response.motion, tmp_path / "motion.csv")
    options = ["--height", "1.8", "--width", "0.5", "-m", str(path), "--json"]
    about = json.loads(CliRunner().invoke(app, ["simulate", *options]).stdout)
    assert about["status"] == str(response.outcome.status)
    assert about["outcome"] == response.outcome.sentence
    assert about["in_place"] == response.outcome.in_place


def test_ensembles_say_the_same():
    motions = [RUNS[name][1] for name in ("stands", "does not lift off", "falls")]
    found = rs.ensemble(STATUE, motions, progress=False)
    told = [ran(name).outcome.status for name in ("stands", "does not lift off", "falls")]
    assert found.status.values.ravel().tolist() == [int(status) for status in told]


def test_a_stone_a_tenth_of_a_millimetre_away_is_not_in_its_place():
    response = ran("trilith that stays")
    assert response.outcome.in_place and "no stone moves" in response.outcome.sentence
    columns = [label.split(" [")[0] for label in response.columns]
    for left, words in ((1.12e-4, "0.112 mm from its place"), (0.5e-4, "back in their places")):
        states = response.states.copy()
        states[-1, columns.index("displacement")] = left
        states[-1, columns.index("x lintel")] += left
        moved = replace(response, states=states)
        assert words in moved.outcome.sentence
        assert moved.outcome.in_place == (left < IN_PLACE)
        assert words in about_run(moved)["outcome"]
        assert words in rs.analysis.stones.outcome(moved).sentence


def test_stones_that_have_fallen_are_a_collapse_though_the_ground_still_moves():
    """Rubble goes on moving: the run is cut while it does, and the ground shakes on."""
    body, motion, _, _ = RUNS["stones fall"]
    fell = ran("stones fall").fall.time
    longer = rs.Motion(np.append(motion.accel, np.zeros(2000)), motion.dt)
    response = rs.simulate(body, longer, rs.BlockDynamics(rubble=True), until=fell + 0.2)
    assert response.time[-1] < longer.duration and response.column("fallen")[-1] > 0
    assert response.status is rs.Status.COLLAPSED
    assert response.outcome.sentence.startswith(f"It collapses at {fell:.3g} s: ")
