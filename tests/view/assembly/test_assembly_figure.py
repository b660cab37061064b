"""Figures of responses of stones, and drawings of assemblies."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.offsetbox import TextArea

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.view.assembly import plot_assembly, plot_response
from rocksteady.view.assembly.drawing import mass_in_words
from rocksteady.view.assembly.moments import clear_factor, round_down, shown, telling
from rocksteady.view.words import wrapped
from view.assembly.mimic import tied_trilith, trilith, wall

CASES = ("rocks", "hardly moves", "falls", "at rest", "tied")


def notes(axes) -> str:
    return " ".join(area.get_text() for box in axes.artists for area in box.findobj(TextArea))


# -- responses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_pictures_and_three_histories_with_units(case, responses):
    fig = plot_response(responses[case])
    *pictures, ground, moved, turn = fig.axes
    assert len(pictures) == len(telling(responses[case], shown(responses[case]).end))
    assert ground.get_ylabel() == "a [g]" and turn.get_ylabel() == "turn [°]"
    assert moved.get_ylabel() in ("displacement [mm]", "displacement [m]")
    assert turn.get_xlabel() == "time [s]"
    for axes in fig.axes:
        limits = [*axes.get_xlim(), *axes.get_ylim()]
        assert np.isfinite(limits).all() and limits[0] < limits[1] and limits[2] < limits[3]
    for axes in pictures:
        assert axes.get_aspect() == 1
    assert fig.get_size_inches()[0] * 25.4 == pytest.approx(170)
    told = responses[case].formulation.told(responses[case])
    assert fig._supxlabel.get_text().replace("\n", " ") == told  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", CASES)
def test_titles_and_notes_do_not_overlap(case, responses):
    fig = plot_response(responses[case])
    fig.draw_without_rendering()
    for axes in fig.axes:
        title = axes._left_title.get_window_extent()  # type: ignore[attr-defined]
        for box in axes.artists:
            assert not title.overlaps(box.get_window_extent()), axes.get_title(loc="left")
            assert box.get_window_extent().x1 <= fig.bbox.x1 + 1
    titles = [axes._left_title.get_window_extent() for axes in fig.axes]  # type: ignore[attr-defined]
    assert not any(one.overlaps(other) for one, other in pairwise(titles))


def test_the_pictures_have_one_scale(responses):
    fig = plot_response(responses["falls"])
    fig.draw_without_rendering()
    scales = [axes.get_window_extent().width / np.diff(axes.get_xlim())[0] for axes in fig.axes[:3]]
    assert scales == pytest.approx([scales[0]] * 3, rel=0.02)


def test_the_moments_are_the_largest_displacement_and_the_end(responses):
    response = responses["rocks"]
    end = float(response.time[-1])
    (first, peak), last = telling(response, end)
    assert first == "largest displacement" and last == ("at rest", end)
    assert peak == response.time[np.argmax(response.column("displacement"))]


def test_a_fall_is_seen_as_it_begins_on_the_way_and_at_the_end(responses):
    times = [time for _, time in telling(responses["falls"], 1.2)]
    assert len(times) == 3 and times == sorted(times)
    assert 0.3 < times[0] < times[1] < times[2] == pytest.approx(1.2)
    assert telling(responses["at rest"], 1.0) == [("at rest", 1.0)]


def test_a_collapse_is_shown_until_its_rubble_lies_still(responses):
    """The record goes on for 20 s; the last picture is where the axis ends, with its dot there."""
    falls = responses["falls"]
    assert shown(falls).end == falls.time[-1]  # it has not come to rest
    assert telling(falls, falls.time[-1])[-1][0] == "run ends"
    ground = rs.Motion(np.full(2000, 1.0), falls.motion.dt)
    last = np.repeat(falls.states[-1:], 2000 - len(falls.states), axis=0)
    states = np.vstack([falls.states, last])
    rubble = rs.Response(
        falls.system, ground, falls.formulation, states, np.zeros((0, 5)), falls.status
    )
    fig = plot_response(rubble)
    end = fig.axes[-1].get_xlim()[1]
    assert end == shown(rubble).end == pytest.approx(1.04 * falls.time[-1], rel=0.02)
    assert fig.axes[2].get_title(loc="left").endswith(f"{end:.3g} s: rubble")
    dots = next(line for line in fig.axes[-2].get_lines() if line.get_marker() == "o")
    assert dots.get_xdata()[-1] == end
    assert f"at {falls.time[-1]:.2g}" in notes(fig.axes[-2])  # not a later rounding


def test_rounding_is_not_drawn_as_motion(responses):
    still = responses["at rest"]
    states = still.states.copy()
    states[1:, 0], states[1:, 2] = 2e-9, 1e-10
    events = np.zeros((0, 5))
    noise = rs.Response(still.system, still.motion, still.formulation, states, events, still.status)
    fig = plot_response(noise)
    picture, _, moved, turn = fig.axes
    assert picture.get_title(loc="left").endswith("at rest")
    assert "nothing moves" in notes(moved) and "nothing turns" in notes(turn)
    assert moved.get_ylim()[1] == turn.get_ylim()[1] == 1.0


def test_a_number_stays_with_its_unit():
    text = "moved 148 mm and turned 9.9° at most, 66.6 mm off at the end after 12 s of 0.3 g"
    for width in range(20, 60):
        lines = wrapped(text, width).split("\n")
        assert " ".join(lines) == text
        assert not any(line.split()[0] in ("mm", "s", "g") for line in lines)


def test_only_stones_that_have_moved_leave_an_outline(responses):
    fig = plot_response(responses["falls"])
    _, stones, outline = (c for c in fig.axes[0].collections if isinstance(c, PathCollection))
    assert len(stones.get_paths()) == len(responses["falls"].system) - 1
    assert 0 < len(outline.get_paths()) < 40


def test_small_displacements_are_magnified_and_it_is_said(responses):
    assert "displacements ×" in notes(plot_response(responses["hardly moves"]).axes[0])
    assert "displacements ×" not in notes(plot_response(responses["rocks"]).axes[0])


@pytest.mark.parametrize(
    ("size", "displacement", "turn", "factor"),
    [(2, 0.05, 0.01, 1), (2, 1e-3, 0, 100), (2, 1e-3, 0.05, 5), (2, 0, 0, 1), (3, 0.0299, 0, 5)],
)
def test_by_how_much_displacements_are_magnified(size, displacement, turn, factor):
    assert clear_factor(size, displacement, turn) == factor


@pytest.mark.parametrize(("value", "down"), [(1, 1), (1.99, 1), (2, 2), (7, 5), (0.03, 0.02)])
def test_round_numbers_are_1_2_5(value, down):
    assert round_down(value) == pytest.approx(down)


def test_impacts_are_marked(responses):
    fig = plot_response(responses["rocks"])
    moved = fig.axes[-2]
    ticks = next(line for line in moved.get_lines() if line.get_marker() == "|")
    np.testing.assert_array_equal(ticks.get_xdata(), responses["rocks"].impacts.time)
    assert len(ticks.get_xdata()) > 3 and "impacts" in notes(moved)


def test_response_plot_writes_the_figure_and_refuses_other_files(responses, tmp_path):
    responses["rocks"].plot(tmp_path / "a.svg")
    assert "<svg" in (tmp_path / "a.svg").read_text()
    with pytest.raises(rs.InputError, match="png"):
        plot_response(responses["rocks"], tmp_path / "a.bmp")
    assert len(list(tmp_path.iterdir())) == 1


# -- drawings -------------------------------------------------------------------------------------


def test_a_drawing_is_to_scale_and_says_what_it_is():
    fig = plot_assembly(trilith())
    (axes,) = fig.axes
    assert axes.get_aspect() == 1
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "y [m]")
    title = fig._suptitle.get_text()  # type: ignore[attr-defined]
    assert title.startswith("Trilith of") and "8 t" in title and "friction 0.7" in title
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert left < -2 and right > 2 and bottom < 0 and top > 2.5


def test_names_are_those_of_the_stones_that_move():
    assert not plot_assembly(trilith()).axes[0].texts
    fig = plot_assembly(trilith(), names=True)
    assert {text.get_text() for text in fig.axes[0].texts} == {"left", "right", "beam"}
    assert len(plot_assembly(wall(), names=True).axes[0].texts) == len(wall()) - 1


def test_long_names_give_way_to_their_last_words():
    stones = [Stone.box(0.2 * i, 0, 0.2, 5, name=f"a long name {i}") for i in range(9)]
    fig = plot_assembly(Assembly(tuple(stones), floating=True), names=True)
    assert {text.get_text() for text in fig.axes[0].texts} == {str(i) for i in range(9)}


def test_the_name_of_an_l_shaped_stone_stands_in_it():
    parts = (((0, 0), (3, 0), (3, 1), (0, 1)), ((0, 1), (1, 1), (1, 3), (0, 3)))
    stones = (Stone(parts, name="L"), Stone.box(1, 1, 2, 2, name="box"))
    text = plot_assembly(Assembly(stones, floating=True), names=True).axes[0].texts[0]
    assert text.get_text() == "L" and text.get_position() == (1.5, 0.5)


def test_ties_are_drawn():
    collections = plot_assembly(tied_trilith()).axes[0].collections
    assert sum(len(c.get_segments()) for c in collections if hasattr(c, "get_segments")) == 2


@pytest.mark.parametrize(("mass", "text"), [(12.3, "12.3 kg"), (16e3, "16 t"), (999.0, "999 kg")])
def test_masses_in_words(mass, text):
    assert mass_in_words(mass) == text
