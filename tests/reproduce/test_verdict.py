"""What is said of one run is true of it, and leads to many."""

from __future__ import annotations

import json
import math
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
import standins
from rocksteady.cli.common import many
from rocksteady.status import Fall

STATUE = ("simulate", "--height", 1.8, "--width", 0.5)
KOBE = "AT2/RSN1106_KOBE_KJM000.AT2"
FALLS = "pulse:mavroeidis,A=0.8,f=1,gamma=6"


def words(text: str) -> str:
    """As one line, without the frames of a table."""
    return " ".join(text.replace("│", " ").split())


def test_a_lower_centre_of_mass_may_fall_where_a_higher_one_stands(records):
    """The table of docs/questions.md: why one run is no ground for advice."""
    kobe = rs.read_motion(records / KOBE)
    said = {1.0: "falls", 0.95: 0.87, 0.9: 1.04, 0.85: "falls", 0.8: 0.91, 0.75: 0.91, 0.7: "falls"}
    for height, outcome in said.items():
        run = rs.simulate(rs.Block(1.8, 0.5, com_height=height), kobe)
        assert outcome == ("falls" if run.fall else round(run.peak, 2))
    page = (Path(__file__).parents[2] / "docs" / "questions.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| peak | falls"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == [str(x) for x in said.values()]


def test_the_same_under_a_generated_record(generated_records):
    """Lower, it stands, falls and stands again."""
    motion = rs.read_motion(generated_records / standins.STRONG)
    fell = [rs.simulate(rs.Block(1.8, 0.5, com_height=h), motion).fall for h in (0.95, 0.9, 0.85)]
    assert [fall is None for fall in fell] == [False, True, False]
    assert rs.simulate(rs.Block(1.8, 0.5, com_height=0.8), motion).fall is None


def test_one_run_is_neither_a_margin_nor_advice_on_measures(rocksteady, any_records):
    strong = ("-m", any_records / (KOBE if any_records == standins.RECORDS else standins.STRONG))
    stands = words(rocksteady(*STATUE, *strong).out)
    assert "AT REST" in stands and "Its peak is not a safety margin" in stands
    assert "how near" not in stands
    falls = words(rocksteady(*STATUE, "--com-height", 0.85, *strong).out)
    assert "OVERTURNED" in falls and "in one run either may hurt" in falls
    for orders in ("lower its centre", "widen its base", "anchor it"):
        assert orders not in falls
    assert all("Many motions" in s.advice or "many motions" in s.advice for s in
               (rs.Status.AT_REST, rs.Status.OVERTURNED))  # fmt: skip


def test_the_commands_after_a_run_can_be_pasted(rocksteady, monkeypatch):
    """They write and run a study of the same body, theory and strength."""
    assert many.MOTIONS == 100
    monkeypatch.setattr(many, "MOTIONS", 12)  # a hundred take ten times as long to make
    how = ("--com-height", 0.8, "--r", 0.85)
    out = rocksteady(*STATUE, *how, "-m", FALLS, "--scale", -1.05, "-o", "run.csv").out
    shown = next(line for line in out.splitlines() if line.startswith("  rocksteady "))
    lines = shown.split("&&")
    assert len(lines) == 2
    for line in lines:
        assert rocksteady(*shlex.split(line)[1:]).code == 0
    said = tomllib.loads(Path("study.toml").read_text(encoding="utf-8"))
    assert said["systems"]["com_height"] == 0.8
    assert said["formulation"] == {"name": "Housner", "r": 0.85}
    assert rocksteady("ensemble", "study.toml", "--store", "kept", "-q").code == 0
    runs = rs.open_ensemble("kept")
    assert runs.sizes == {"system": 1, "motion": 12, "scale": len(many.STRENGTHS)}
    pulse = rs.simulate(rs.Block(1.8, 0.5), rs.pulses.mavroeidis(0.8, 1.0, gamma=6)).motion
    assert runs.scale.values[3] == pytest.approx(1.05 * pulse.pga / 9.81, rel=5e-3)
    assert (runs.peak.values[0, :, -1] > 0).all()  # all lift it at twice the strength
    assert Path("study.png").stat().st_size > 10_000


def test_a_study_of_a_record_has_motions_like_it(rocksteady, any_records):
    name = KOBE if any_records == standins.RECORDS else standins.STRONG
    assert rocksteady(*STATUE, "-m", any_records / name, "-o", "study.toml").code == 0
    text = Path("study.toml").read_text(encoding="utf-8")
    drawn = tomllib.loads(text)["motions"][0]["stochastic"]
    fitted = rs.stochastic.fit(rs.read_motion(any_records / name))
    assert drawn["frequency_mid"] == pytest.approx(fitted.frequency_mid, rel=1e-3)
    assert f"# Like {Path(name).stem}." in text


def test_what_was_let_go_is_not_told_of_motions(rocksteady):
    out = rocksteady(*STATUE, "--theta0", "0.5a").out
    assert "Let go, it rocked until it stood still." in out and "How often" not in out
    out = rocksteady(*STATUE, "--theta0", "1.2a").out
    assert "without any earthquake" in out and "How often" not in out


# -- falls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [1, -1])
def test_a_fall_has_a_direction_and_the_time_at_which_it_passed_balance(way):
    block = rs.Block(1.8, 0.5)
    run = rs.simulate(block, rs.pulses.mavroeidis(0.8, 1.0, gamma=6).scaled(1.05 * way))
    fell = run.fall
    assert fell is not None and fell.direction == ("right" if run.theta[-1] > 0 else "left")
    lean = np.abs(run.theta) / block.alpha
    assert (lean[run.time > fell.time] >= 1).all()
    assert lean[run.time <= fell.time][-1] < 1
    assert "peak" not in repr(run) and str(fell) in repr(run)
    assert rs.simulate(block, theta0=0.5 * block.alpha).fall is None


@pytest.mark.parametrize(
    ("direction", "words"),
    [
        ("right", "to the right at 8.54 s"),
        ("", "down at 8.54 s"),
        ("over corner 2 towards 108°", "over corner 2 towards 108°, past balance at 8.54 s"),
    ],
)
def test_a_fall_in_space_joins_no_two_instants(direction, words):
    """The corner and the direction are those of the end, the time is the one of balance."""
    assert str(Fall(8.541, direction)) == words


def test_a_block_let_go_beyond_balance_falls_at_once():
    block = rs.Block(1.8, 0.5)
    assert rs.simulate(block, theta0=1.2 * block.alpha).fall.time == 0


def test_compare_shows_how_and_when_the_fallen_fell(rocksteady):
    column = ("compare", "--height", 4.2, "--width", 0.6, "-m", "pulse:sine,a=2g,T=1")
    out = rocksteady(*column).out
    rows = json.loads(rocksteady(*column, "--json").out)["rows"]
    times = [row["fell_at"] for row in rows]
    assert len(rows) == 5 and max(times) - min(times) < 0.02  # the theories agree on when ...
    assert {row["fell_to"] for row in rows} == {"left"}  # ... and where to
    assert {row["peak"] for row in rows} == {None}  # no number for it in JSON
    for row in rows:
        line = next(line for line in out.splitlines() if line.startswith(f" {row['formulation']}"))
        assert f"← {row['fell_at']:.4g} s" in line
    assert "a peak means nothing" in words(out)
    found = rs.compare(rs.Block(4.2, 0.6), rs.pulses.sine(2 * 9.81, 1.0))
    assert all(math.isnan(row["peak"]) for row in found.rows())
    assert "5 overturned" in repr(found) and "peak" not in repr(found)
    assert str(found).count("← ") == 6


def test_theories_that_disagree_on_a_fall_send_to_many_motions(rocksteady, any_records):
    name = KOBE if any_records == standins.RECORDS else standins.STRONG
    out = rocksteady("compare", *STATUE[1:], "-m", any_records / name).out
    assert "It falls in 1 of 5 formulations: one run cannot decide here" in words(out)
