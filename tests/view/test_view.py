"""Figures and films: whole files or none, every axis with its unit, the block where θ puts it."""

from __future__ import annotations

import dataclasses
import errno
import math
import re
import subprocess
import sys
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox
from PIL import Image

import rocksteady as rs
from rocksteady.analysis.portfolio.assess import portfolio
from rocksteady.bodies.presets import PRESETS
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.specs import CaseSpec
from rocksteady.view import animate, comparison, film, masonry, plot_response, save_figure, style
from rocksteady.view.animation import Scene, Timeline
from rocksteady.view.figures import history
from rocksteady.view.film_body import FilmBody, outline, place
from rocksteady.view.words import describe, shaken, wrapped

STATUE = rs.Block(height=1.8, width=0.5)
LOPSIDED = rs.Block(height=1.8, width=0.6, offset=0.1, com_height=0.8)


@pytest.fixture(scope="module")
def responses() -> dict[str, rs.Response]:
    shake = rs.pulses.sine(amplitude=3.2, period=0.6, dt=0.005)
    up = shake.with_vertical(0.3 * shake.accel)
    return {
        "decay": rs.simulate(STATUE, theta0=STATUE.alpha / 2),
        "stands": rs.simulate(STATUE, up),
        "falls": rs.simulate(STATUE, rs.pulses.sine(amplitude=-5.4, period=1.2, dt=0.005)),
        "begins beyond balance": rs.simulate(STATUE, theta0=-2 * STATUE.alpha),
        "does not move": rs.simulate(STATUE, shake.scaled(0.1)),
        "lopsided": rs.simulate(LOPSIDED, shake),
        "cut short": rs.simulate(STATUE, theta0=STATUE.alpha / 2, duration=0.4),
    }


CASES = (
    "decay",
    "stands",
    "falls",
    "begins beyond balance",
    "does not move",
    "lopsided",
    "cut short",
)


# -- figures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_a_figure_has_four_panels_with_units_and_finite_limits(
    case: str, responses: dict[str, rs.Response]
) -> None:
    fig = plot_response(responses[case])
    assert len(fig.axes) == 4
    ground, *others = fig.axes
    assert ground.get_ylabel().endswith("[g]")
    for axes in others:
        assert axes.get_xlabel().endswith("]")
        assert axes.get_ylabel().endswith("]")
    for axes in fig.axes:
        limits = [*axes.get_xlim(), *axes.get_ylim()]
        assert np.isfinite(limits).all()
        assert limits[0] < limits[1] and limits[2] < limits[3]
    assert fig.get_size_inches()[0] * 25.4 == pytest.approx(170)


def test_a_fall_is_cut_off_and_named(responses: dict[str, rs.Response]) -> None:
    rotation = plot_response(responses["falls"]).axes[1]
    assert -2 <= rotation.get_ylim()[0] < -1
    assert any("falls to the left" in text.get_text() for text in rotation.texts)


# -- the axis of time -----------------------------------------------------------------------------


QUIET = rs.Motion.zeros(8.0, 0.005)
LATE = {  # what moves only after 8 s, and where its figure says what was left out
    "a fall": (STATUE, rs.pulses.sine(-5.4, period=1.2, dt=0.005), None),
    "a slide": (rs.Block(1.0, 1.0), rs.pulses.sine(4.0, period=0.5, dt=0.005),
                rs.Nonsmooth(friction=0.2)),
    "a building": (rs.MasonryBuilding.casalotti2025(40e3, damping=2e5),
                   rs.pulses.sine(2.0, period=0.4, cycles=3, dt=0.005), None),
}  # fmt: skip


@pytest.mark.parametrize("case", LATE)
def test_a_quiet_beginning_is_left_out_and_said(case: str) -> None:
    system, shake, how = LATE[case]
    fig = rs.simulate(system, QUIET.then(shake), how).plot()
    over_time = [axes for axes in fig.axes if axes.get_xlabel() == "time [s]"]
    assert len(over_time) >= 2
    for axes in over_time:
        start, end = axes.get_xlim()
        assert 5 < start <= 8 < end
        assert 8 - start < 0.35 * (end - start)
    assert f"quiet first {start:g} s left out" in notes(fig.axes[0])
    fig = rs.simulate(system, shake, how).plot()
    assert fig.axes[0].get_xlim()[0] == 0
    assert "left out" not in notes(fig.axes[0])


def test_a_quiet_beginning_of_a_comparison_is_left_out_and_said() -> None:
    shake = rs.pulses.sine(-5.4, period=1.2, dt=0.005)
    fig = rs.compare(STATUE, QUIET.then(shake), {"Housner": rs.Housner()}).plot()
    assert 5 < fig.axes[1].get_xlim()[0] < 8
    assert "left out" in notes(fig.axes[0])
    assert [text.get_text()[:14] for text in fig.legends[0].get_texts()] == ["Housner (falls"]


def test_a_film_begins_a_little_before_the_body_moves() -> None:
    shake = rs.pulses.sine(-5.4, period=1.2, dt=0.005)
    late = Timeline.of(rs.simulate(STATUE, QUIET.then(shake)), 20, None, None)
    assert 5 < late.clock[0] < 8 and late.end > 8
    assert Timeline.of(rs.simulate(STATUE, shake), 20, None, None).clock[0] == 0


def test_a_body_that_slides_has_a_portrait_of_its_sliding() -> None:
    block, shake, how = LATE["a slide"]
    response = rs.simulate(block, shake, how)
    assert response.peak == 0 and abs(response.slide) > 1e-3
    portrait = plot_response(response).axes[2]
    assert portrait.get_xlabel() == "slide [mm]"
    path = portrait.get_lines()[1].get_xydata()
    assert np.ptp(path[:, 0]) > 1 and np.ptp(path[:, 1]) > 0.1
    assert path[-1, 0] == pytest.approx(1e3 * response.slide)


def test_the_separatrix_crosses_zero_at_its_own_speed_on_each_side(
    responses: dict[str, rs.Response],
) -> None:
    phase = plot_response(responses["lopsided"]).axes[2]
    curves = [line.get_xydata() for line in phase.get_lines() if line.get_linestyle() == "--"]
    assert len(curves) == 4
    for curve in curves:
        side = LOPSIDED.right if curve[-1, 0] > 0 else LOPSIDED.left
        speed = abs(curve[0, 1]) * LOPSIDED.p * LOPSIDED.alpha
        assert speed == pytest.approx(2 * side.p * math.sin(side.alpha / 2))


def notes(axes) -> str:
    """The words above a panel's frame."""
    boxes = [artist for artist in axes.artists if isinstance(artist, AnchoredOffsetbox)]
    return " ".join(area.get_text() for box in boxes for area in box.get_child().get_children())


def test_a_small_motion_fills_its_frames() -> None:
    """A lean of a hundredth of α is no dot in the middle of the phase portrait."""
    response = rs.simulate(STATUE, theta0=STATUE.alpha / 100)
    _, rotation, phase, energy = plot_response(response).axes
    assert rotation.get_ylim()[1] == pytest.approx(0.013)
    assert phase.get_xlim()[1] == pytest.approx(0.013)
    fastest = np.abs(history(response)[2]).max() / (STATUE.p * STATUE.alpha)
    assert phase.get_ylim()[1] == pytest.approx(1.12 * fastest)
    assert "all within the separatrix" in notes(phase)
    assert energy.get_ylim()[1] < 1.2 * response.energy.max()  # J: the curve fills the frame
    barrier = STATUE.mass * STATUE.g * STATUE.R * (1 - math.cos(STATUE.alpha))
    share = 100 * response.energy.max() / barrier
    assert f"at most {share:.2g} % of what overturns it" in notes(energy)


def test_a_lean_of_nearly_nothing_fills_no_frame(tmp_path: Path) -> None:
    """A millionth of α is noise: rates and energies are not drawn larger than it is."""
    response = rs.simulate(STATUE, theta0=1e-6 * STATUE.alpha)
    _, rotation, phase, energy = plot_response(response).axes
    fastest = np.abs(history(response)[2]).max() / (STATUE.p * STATUE.alpha)
    assert phase.get_ylim()[1] > 50 * fastest
    assert rotation.get_ylim()[1] == 0.01
    joules = {"J": 1.0, "kJ": 1e3}[re.findall(r"\[(.*)\]", energy.get_ylabel())[0]]
    assert energy.get_ylim()[1] * joules > 1000 * response.energy.max()


def test_a_large_motion_keeps_separatrix_and_threshold(responses: dict[str, rs.Response]) -> None:
    _, _, phase, energy = plot_response(responses["decay"]).axes
    assert phase.get_xlim() == pytest.approx((-1.2, 1.2))
    assert "dashed: separatrix" in notes(phase)
    assert "dashed: enough to overturn" in notes(energy)


def test_a_block_that_only_slides_shows_how_far() -> None:
    how = rs.Nonsmooth(friction=0.1)
    response = rs.simulate(STATUE, rs.pulses.sine(amplitude=2.0, period=1.0, dt=0.01), how)
    assert response.peak == 0
    axes = plot_response(response).axes[1]
    assert axes.get_ylabel() == "slide [mm]"
    drawn = next(line for line in axes.get_lines() if len(line.get_xdata()) > 2)
    assert drawn.get_ydata()[-1] == pytest.approx(1000 * response.slide)
    low, high = axes.get_ylim()
    assert low < 1000 * response.slide_history.min() and high > 1000 * response.slide_history.max()


LEGENDS = {
    "the level that overturns lies just above the curve": (STATUE, None, 0.9),
    "curves from corner to corner": (STATUE, rs.pulses.sine(4.4, omega=16.1, dt=0.005), 0.0),
    "asymmetric, curves from corner to corner": (
        rs.Block(height=1.8, width=0.5, com_height=1.0, offset=0.06),
        rs.pulses.sine(-4.4, omega=15.8, dt=0.005),
        0.0,
    ),
    "asymmetric, falls": (LOPSIDED, rs.pulses.sine(-8.0, period=1.2, dt=0.005), 0.0),
    "hardly any energy": (STATUE, None, 0.01),
}


@pytest.mark.parametrize("case", LEGENDS)
def test_the_legend_lies_over_no_line(case: str) -> None:
    block, motion, lean = LEGENDS[case]
    fig = plot_response(rs.simulate(block, motion, theta0=lean * block.alpha))
    fig.draw_without_rendering()
    energy = fig.axes[3]
    frame = energy.get_legend().get_window_extent()
    texts = [text.get_window_extent() for text in energy.get_legend().get_texts()]
    assert all(energy.bbox.x0 <= text.x0 and text.x1 <= energy.bbox.x1 for text in texts)
    for line in energy.get_lines():
        path = line.get_transform().transform_path(line.get_path())
        assert not path.intersects_bbox(frame, filled=False), line.get_label()


def test_a_comparison_goes_on_to_the_last_one_and_says_who_does_not_apply() -> None:
    """The first one falls, the second rocks on; and no words lie on the legend."""
    leaning = rs.Block(height=1.8, width=0.5, offset=0.05)  # nothing for the complex potential
    shake = rs.pulses.sine(amplitude=4.0, period=0.8, cycles=4, dt=0.01)
    hows = {"a": rs.Housner(eta=0.95), "b": rs.Housner(eta=0.3), "c": rs.ComplexPotential()}
    compared = rs.compare(leaning, shake, hows)
    ends = [entry.response.time[-1] for entry in compared if entry.response is not None]
    assert len(ends) == 2 and ends[0] < ends[1]
    fig = compared.plot()
    ground = fig.axes[0]
    assert max(line.get_xdata()[-1] for line in ground.get_lines()) == ends[1]
    fig.draw_without_rendering()
    (legend,) = fig.legends
    assert legend.get_title().get_text() == "does not apply: c" and legend.get_title().get_visible()
    boxes = [text.get_window_extent() for text in (legend.get_title(), *legend.get_texts())]
    assert not any(one.overlaps(two) for i, one in enumerate(boxes) for two in boxes[:i])
    assert all(box.y0 >= 0 for box in boxes)


def test_dollars_in_the_name_of_a_motion_are_no_mathematics(tmp_path):
    house = rs.MasonryBuilding.casalotti2025(mass=40e3)
    motion = dataclasses.replace(rs.pulses.sine(1.0, period=0.5), name="a $\\frac$")
    rs.simulate(house, motion).plot(tmp_path / "house.png")
    rs.sequence(house, [motion, motion]).plot(tmp_path / "shocks.png")
    assert (tmp_path / "house.png").stat().st_size and (tmp_path / "shocks.png").stat().st_size


def test_names_of_compared_theories_are_shown_as_they_were_given(tmp_path: Path) -> None:
    leaning = rs.Block(height=1.8, width=0.5, offset=0.05)  # nothing for the complex potential
    hows = {"a $\\frac$": rs.Housner(), "$\\b$": rs.Nonsmooth(), "c $^$": rs.ComplexPotential()}
    fig = rs.compare(leaning, rs.pulses.sine(3.0, 0.8, dt=0.01), hows).plot(tmp_path / "names.png")
    (legend,) = fig.legends  # what is no formula would have raised
    assert [text.get_text() for text in legend.get_texts()] == list(hows)[:2]
    assert legend.get_title().get_text() == "does not apply: c $^$"


def test_the_energies_of_a_building_are_not_hidden_by_their_names() -> None:
    house = rs.MasonryBuilding.casalotti2025(40e3)
    shake = rs.pulses.sine(amplitude=1.5, period=0.6, cycles=3, dt=0.005)
    fig = rs.simulate(house, shake).plot()
    fig.draw_without_rendering()
    (energy,) = [axes for axes in fig.axes if axes.get_ylabel().startswith("energy")]
    assert hidden_by_the_legend(energy) == []


@pytest.mark.parametrize("cycles", [0, 5])
def test_the_curves_of_a_pushover_are_not_hidden_by_their_names(cycles: int) -> None:
    house, t = rs.MasonryBuilding.casalotti2025(40e3), np.linspace(0, 1, 2000)
    u = 0.015 * t * np.sin(2 * np.pi * cycles * t) if cycles else 0.09 * t
    fig = rs.pushover(house, u).plot()
    fig.draw_without_rendering()
    assert [hidden_by_the_legend(axes) for axes in (fig.axes[1], fig.axes[3])] == [[], []]
    at = fig._suptitle.get_text().split(" at ")[1]
    assert at.startswith("−" if cycles else "70")  # a minus, no hyphen


def hidden_by_the_legend(axes) -> list[str]:
    frame = axes.get_legend().get_window_extent()
    paths = {
        line.get_label(): line.get_transform().transform_path(line.get_path())
        for line in axes.get_lines()
    }
    return [name for name, path in paths.items() if path.intersects_bbox(frame, filled=False)]


def test_a_building_that_does_not_slip_says_so_and_its_energy_has_its_unit() -> None:
    house = rs.MasonryBuilding.casalotti2025(40e3)
    weak = rs.pulses.sine(amplitude=0.1, period=0.6, cycles=3, dt=0.005)
    fig = rs.simulate(house, weak).plot()
    (damage,) = [axes for axes in fig.axes if axes.get_ylabel() == "hardening α [mm]"]
    assert [text.get_text() for text in damage.texts] == ["none: no slip"]
    (energy,) = [axes for axes in fig.axes if axes.get_ylabel().startswith("energy")]
    (work,) = [line for line in energy.get_lines() if line.get_label() == "work of the ground"]
    response = rs.simulate(house, weak)
    factor = {"energy [J]": 1.0, "energy [mJ]": 1e-3}[energy.get_ylabel()]
    assert work.get_ydata() * factor == pytest.approx(response.states[:, 7])
    assert 0.3 < work.get_ydata().max() < 1000


@pytest.mark.parametrize(
    ("increase", "words"),
    [
        (0.25, ": 25 % more than after the main shock alone"),
        (-0.5, ": 50 % less than after the main shock alone"),
        (59200.7, ": 59 200 times that after the main shock alone"),
        (math.inf, ""),
    ],
)
def test_a_damage_of_many_times_another_is_not_said_in_per_cent(increase, words) -> None:
    assert masonry._against("Wear", increase).replace("\u202f", " ") == f"Wear{words}"


def test_a_long_headline_breaks_into_lines_of_like_length() -> None:
    text = (
        "1.8 × 0.5 m block under a record with a long name: stands, peak |θ|/α = 0.0005, 55 impacts"
    )
    first, second = wrapped(text).split("\n")
    assert f"{first} {second}" == text
    assert abs(len(first) - len(second)) < 12
    assert wrapped("short") == "short"
    assert max(map(len, wrapped("word " * 60).split("\n"))) <= 88


def test_a_town_without_districts_shows_the_share_of_each_state() -> None:
    houses = pd.DataFrame({"x": [0.0, 1, 2, 3], "y": 0.0, "mass": 4e4, "scale": [0.01, 0.01, 1, 3]})
    kind = rs.MasonryBuilding.casalotti2025(4e4)
    for field in dataclasses.fields(kind)[1:]:
        houses[field.name] = getattr(kind, field.name)
    shake = rs.pulses.sine(amplitude=3.0, period=0.2, cycles=10, dt=0.005)
    result = portfolio(houses, shake, intensity="scale")
    axes = result.plot().axes[1]
    shares = [bar.get_width() for bar in axes.patches]
    state = result.table["damage_state"].to_numpy()
    assert shares == [(state == i).mean() for i in range(5)]
    assert shares[0] >= 0.5 and sum(shares) == pytest.approx(1)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == list(result.states.names)


@pytest.mark.parametrize(("suffix", "start"), [("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_figure_is_saved_as(
    suffix: str, start: bytes, responses: dict[str, rs.Response], tmp_path: Path
) -> None:
    path = tmp_path / f"new folder/figure.{suffix}"
    responses["stands"].plot(path)
    assert path.read_bytes().startswith(start)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_same_figure_gives_the_same_file(
    responses: dict[str, rs.Response], tmp_path: Path
) -> None:
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (one, two):
        plot_response(responses["cut short"], path)
    assert one.read_bytes().startswith(b"<?xml")
    assert one.read_bytes() == two.read_bytes()


def test_another_kind_of_file_is_refused(responses: dict[str, rs.Response], tmp_path: Path) -> None:
    with pytest.raises(rs.InputError, match=r"\.png, \.svg or \.pdf"):
        plot_response(responses["stands"], tmp_path / "figure.bmp")
    with pytest.raises(rs.InputError, match=r"\.gif or \.mp4"):
        animate(responses["stands"], tmp_path / "film.avi")
    assert not list(tmp_path.iterdir())


def test_a_sheet_letters_its_titled_panels_and_is_written_when_it_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    with style.sheet("5 $ and 6 $", 60, path) as fig:
        left, right, below = fig.subplots(3, 1)
        left.set_title("one")
        right.set_title("two $x", parse_math=False)
        assert not path.exists()
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["(a)  one", "(b)  two $x"]
    assert not below.get_title(loc="left") and path.exists()
    with style.sheet("", 60) as fig:
        fig.subplots().set_title("alone")
    assert fig.axes[0].get_title(loc="left") == "alone"


def test_a_sheet_that_could_not_be_drawn_is_not_written(tmp_path: Path) -> None:
    drawn = []
    with (
        pytest.raises(rs.InputError, match=r"\.png, \.svg or \.pdf"),
        style.sheet("", 60, tmp_path / "figure.bmp"),
    ):
        drawn.append("for nothing")
    with pytest.raises(ZeroDivisionError), style.sheet("", 60, tmp_path / "figure.png"):
        raise ZeroDivisionError
    assert not drawn and not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing_behind(
    responses: dict[str, rs.Response], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    fig = plot_response(responses["stands"])
    monkeypatch.setattr(Figure, "savefig", full)
    monkeypatch.setattr(Image.Image, "save", full)
    with pytest.raises(rs.InputError, match="No space left"):
        save_figure(fig, tmp_path / "figure.png")
    with pytest.raises(rs.InputError, match="No space left"):
        animate(responses["falls"], tmp_path / "film.gif", width_px=160)
    assert not list(tmp_path.iterdir())


def test_an_old_file_survives_a_failure(
    responses: dict[str, rs.Response], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "film.mp4"
    path.write_text("the old one")
    monkeypatch.setattr(film, "find_ffmpeg", lambda: sys.executable)  # no film comes out of that
    with pytest.raises(rs.InputError, match="ffmpeg failed"):
        animate(responses["falls"], path, width_px=160)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_the_headline_says_how_it_ended(responses: dict[str, rs.Response]) -> None:
    assert describe(responses["decay"]).startswith("1.8 × 0.5 m block rocking freely: stands, peak")
    assert "overturns to the left (−x)" in describe(responses["falls"])
    assert describe(responses["does not move"]).endswith("stands, does not lift off")
    assert "still moves at 0.4 s" in describe(responses["cut short"])


def test_history_keeps_both_sides_of_an_impact(responses: dict[str, rs.Response]) -> None:
    response = responses["decay"]
    time, theta, omega = history(response)
    assert (np.diff(time) >= 0).all()
    assert np.abs(STATUE.relative(theta)).max() == response.peak
    first = response.impacts[0]
    i = int(np.searchsorted(time, first.time))
    assert tuple(omega[i : i + 2]) == (first.omega_before, first.omega_after)


def test_pyplot_is_left_alone() -> None:
    code = "import sys, rocksteady.view; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# -- films ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [-math.pi / 2, -0.3, 0.0, 1e-9, 0.2, math.pi / 2])
@pytest.mark.parametrize("block", [STATUE, LOPSIDED])
def test_the_block_turns_about_the_corner_it_leans_over(block: rs.Block, theta: float) -> None:
    upright, leaning = outline(block), outline(block, theta)
    pivot = 0 if theta < 0 else 1
    np.testing.assert_allclose(leaning[pivot], upright[pivot], atol=1e-15)
    for shape in (upright, leaning):  # rigid
        sides = np.linalg.norm(shape - np.roll(shape, 1, axis=0), axis=1)
        np.testing.assert_allclose(sides, [1.8, block.width, 1.8, block.width], rtol=1e-14)
    assert leaning[:, 1].min() >= -1e-15  # nothing below the ground
    assert np.sign(leaning[2, 0] - upright[2, 0]) == np.sign(theta)


def test_the_centre_of_mass_is_above_the_pivot_at_the_balance_point() -> None:
    centre = np.array([[LOPSIDED.offset, LOPSIDED.com_height]])
    for theta, corner in ((LOPSIDED.right.alpha, 0.3), (-LOPSIDED.left.alpha, -0.3)):
        np.testing.assert_allclose(place(LOPSIDED, centre, theta)[0, 0], corner, rtol=1e-14)


def test_a_fallen_block_lies_on_its_side(responses: dict[str, rs.Response]) -> None:
    response = responses["falls"]
    scene = Scene(response, Timeline.of(response, 20, None, None), 160)
    lying = outline(STATUE, float(scene.theta[-1]))
    np.testing.assert_allclose(lying[[0, 3], 1], 0, atol=1e-6)
    assert lying[3, 0] == pytest.approx(-0.25 - 1.8)


def test_a_flexible_oscillator_is_drawn_where_it_is() -> None:
    """Base on its edge, and the mass where the equations of motion have it."""
    body = rs.FlexibleOscillator(
        height=3.0, width=0.8, top_mass=50.0, base_mass=200.0, column_mass=20.0,
        natural_frequency=6.0, damping_ratio=0.03,
    )  # fmt: skip
    push = rs.pulses.sine(amplitude=8.0, period=1.2)
    how = rs.Nonsmooth(epsilon=(0.2, 0.5), friction=(0.6, 0.7))
    response = rs.simulate(body, push, how)
    scene = Scene(response, Timeline.of(response, 20, None, None), 320)
    assert "swaying" in {scene._state(k) for k in range(len(scene))}
    for k in (0, 12, 24, 30, len(scene) - 1):
        scene.frame(k)
        theta, u, slid = (
            np.interp(scene.times[k], response.time, response.column(name))
            for name in ("theta", "u", "slide")
        )
        corners = [artist.get_xy()[:-1] for artist in scene.body.polygons]
        base, column, mass = corners
        assert base[:, 1].min() == pytest.approx(0, abs=2e-3)  # or as high as it hops
        edge = math.copysign(0.4, theta)
        straight = np.array([u - edge, 3.0])
        turned = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
        there = [edge + slid, 0] + turned @ straight
        np.testing.assert_allclose(mass.mean(axis=0), there, atol=2e-3)
        long = np.linalg.norm(column[:25] - column[:24:-1], axis=1)
        np.testing.assert_allclose(long, body.stem.thickness, rtol=1e-9)
    assert np.abs(response.column("u")).max() > 0.2 and response.fell


def test_the_centre_of_mass_of_a_bent_column_is_that_of_the_theory() -> None:
    """Σ m x = (μ1 u − M b) cos y + S sin y from the edge, Σ m z = (M b − μ1 u) sin y + S cos y."""
    body, theta, u = rs.FlexibleOscillator.giouvanidis2016(), 0.2, 0.3
    bent = body.modal_participation * u - body.mass * body.b
    first, (s, c) = body.first_moment, (math.sin(theta), math.cos(theta))
    there = np.array([bent * c + first * s, -bent * s + first * c]) / body.mass + [body.b, 0]
    np.testing.assert_allclose(FilmBody(body).centre(theta, u), there, rtol=1e-14)


def test_a_gif_has_its_frames_and_lasts_as_long_as_it_should(
    responses: dict[str, rs.Response], tmp_path: Path
) -> None:
    calls: list[tuple[int, int]] = []
    path = responses["stands"].animate(
        tmp_path / "film.gif", width_px=200, speed=2.0, progress=lambda *done: calls.append(done)
    )
    total = calls[-1][1]
    assert calls == [(k, total) for k in range(1, total + 1)]
    with Image.open(path) as film:
        assert film.format == "GIF"
        assert film.size == (200, 160)
        assert film.n_frames > 20  # equal ones are one
        seconds = 0.0
        for k in range(film.n_frames):
            film.seek(k)
            seconds += film.info["duration"] / 1000
    assert seconds == pytest.approx(total / 20)
    assert seconds == pytest.approx(responses["stands"].time[-1] / 2 + 1.5, abs=0.8)


def test_an_mp4_has_its_frames(responses: dict[str, rs.Response], tmp_path: Path) -> None:
    path = animate(responses["falls"], tmp_path / "film.mp4", width_px=201)
    reader = imageio_ffmpeg.read_frames(str(path))
    meta = next(reader)
    reader.close()
    assert meta["size"] == (200, 160)
    assert meta["fps"] == 25
    assert meta["pix_fmt"].startswith("yuv420p")
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert frames == pytest.approx((responses["falls"].time[-1] + 1.5) * 25, abs=3)
    assert path.read_bytes().index(b"moov") < path.read_bytes().index(b"mdat")  # plays at once


def test_a_long_film_is_sped_up_or_cut(responses: dict[str, rs.Response]) -> None:
    response = responses["decay"]
    auto = Timeline.of(response, 25, None, 2.0)
    assert auto.speed > 1 and not auto.cut
    assert auto.end / auto.speed <= 2.5
    cut = Timeline.of(response, 25, 1.0, 2.0)
    assert cut.cut and cut.end == 2.0
    assert Timeline.of(responses["falls"], 25, None, None).speed == 1


def test_only_what_moves_changes_between_frames(responses: dict[str, rs.Response]) -> None:
    response = responses["stands"]
    scene = Scene(response, Timeline.of(response, 20, None, None), 360)
    one, two = scene.frame(10).copy(), scene.frame(11).copy()
    changed = (one != two).any(axis=2)
    assert 0 < changed.mean() < 0.2
    assert (scene.frame(10) == one).all()  # nothing of a frame stays in the next


@pytest.mark.parametrize(
    ("option", "value"),
    [("fps", 0), ("speed", -1.0), ("speed", math.nan), ("max_seconds", 0.0), ("width_px", 20)],
)
def test_impossible_options_are_refused(
    option: str, value: float, responses: dict[str, rs.Response], tmp_path: Path
) -> None:
    with pytest.raises(rs.InputError, match=option):
        animate(responses["stands"], tmp_path / "film.gif", **{option: value})  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_sliding_is_told_and_seen(tmp_path):
    chest = rs.Block(height=1.0, width=0.8)
    push = rs.pulses.rectangular(6.0, 0.6, dt=0.01)
    response = rs.simulate(chest, push, rs.Nonsmooth(friction=0.3))
    assert abs(response.slide) > 1
    assert "slides" in describe(response)
    scene = Scene(response, Timeline.of(response, 10, None, None), 320)
    scene.frame(len(scene) - 1)
    body = scene.body.polygons[0].get_xy()
    middle = (body[:, 0].min() + body[:, 0].max()) / 2
    assert middle == pytest.approx(response.slide, abs=2e-3)


def test_the_film_of_a_block_that_only_slides_shows_how_far() -> None:
    push = rs.pulses.sine(amplitude=2.0, period=1.0, dt=0.01)
    response = rs.simulate(STATUE, push, rs.Nonsmooth(friction=0.1))
    scene = Scene(response, Timeline.of(response, 20, 1.0, None), 320)
    strip = scene.fig.axes[1]
    assert strip.get_ylabel() == "slide [mm]"
    words = []
    for k in range(len(scene)):
        scene.frame(k)
        words.append(scene.state.get_text())
    assert words[0] == "at rest" and "sliding" in words and words[-1].startswith("stands, slides")


def test_the_thresholds_of_slip_and_uplift_are_drawn() -> None:
    push = rs.pulses.sine(amplitude=2.0, period=1.0, dt=0.01)
    for friction, levels in ((0.1, 4), (0.8, 2)):
        ground = plot_response(rs.simulate(STATUE, push, rs.Nonsmooth(friction=friction))).axes[0]
        drawn = [line.get_ydata()[0] for line in ground.get_lines() if len(line.get_xdata()) == 2]
        assert len(drawn) == levels
        slips = STATUE.g / GRAVITY_UNIT * friction
        assert ("slip at ±μ g" in notes(ground)) is (slips in drawn)


def test_a_run_of_two_samples_can_be_drawn():
    response = rs.simulate(STATUE, rs.Motion([0, 1.0], 0.01), duration=0.01)
    assert len(plot_response(response).axes) == 4


def test_a_body_that_falls_without_rocking_is_described_by_how_it_ended():
    """It has no lean, and no side to which it falls."""
    house = rs.MasonryBuilding.casalotti2025(40e3)
    response = rs.simulate(house, rs.pulses.sine(4.0, period=0.4, cycles=4))
    assert response.fall is not None
    fig = plot_response(response)
    assert fig.get_suptitle().endswith(f"collapses at {response.fall.time:.3g} s")
    titles = [axes.get_title(loc="left")[:3] for axes in fig.axes]
    assert titles == ["(a)", "(b)", "(c)", "(d)"]


def test_the_flexible_oscillator_is_drawn_by_the_rigid_body_it_would_be():
    tank = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, natural_frequency=50.0)
    response = rs.simulate(tank, theta0=0.05, duration=1.0)
    ground = plot_response(response).axes[0]
    levels = sorted({float(line.get_ydata()[0]) for line in ground.get_lines()[:2]})
    assert levels[1] == pytest.approx(math.tan(tank.rigid().alpha) * tank.g / GRAVITY_UNIT)


def test_the_difference_of_two_that_fall_ends_before_the_floor() -> None:
    """Both lie at 90° in the end, and a line down to 1e-16 would say that they agree."""
    push = rs.pulses.sine(10.0, period=1.0, dt=0.01)
    both = [rs.simulate(rs.Block(1.8, 0.5), push, rs.Housner(eta=eta)) for eta in (0.8, 0.9)]
    first, other = both
    assert first.fall is not None and other.fall is not None
    time, gap = comparison._gap(other, first)
    assert time[-1] < min(first.time[-1], other.time[-1])
    time, gap = comparison._gap(first, first)
    assert len(time) == len(gap) == len(first.time) - 1


def test_a_comparison_of_small_motions_fills_its_axis_and_reaches_zero_at_impacts() -> None:
    push = rs.pulses.sine(2.6, period=0.5, dt=0.02)
    found = rs.compare(rs.Block(1.8, 0.45), push, {"Housner": rs.Housner()})
    (response,) = [entry.response for entry in found if entry.response is not None]
    assert 0 < response.peak < 0.04
    rotation = comparison.plot_comparison(found).axes[1]
    assert rotation.get_ylim()[1] == pytest.approx(1.15 * response.peak)
    (line,) = [line for line in rotation.get_lines() if len(line.get_xdata()) > 2]
    time, lean = line.get_data()
    assert len(response.impacts)
    for impact in response.impacts.time:
        assert np.abs(lean[time == impact]).max() < 1e-9
    assert np.abs(lean).max() == pytest.approx(response.peak)


def test_a_lean_of_nearly_nothing_is_not_enlarged() -> None:
    response = rs.simulate(STATUE, theta0=STATUE.alpha * 1e-4)
    _, rotation, phase, _ = plot_response(response).axes
    assert rotation.get_ylim()[1] == phase.get_xlim()[1] == 0.01


def test_a_preset_is_drawn_in_its_own_outline() -> None:
    """In films and figures as on the studio's page; a block made of sizes is a box."""
    statue = CaseSpec.checked({"body": {"preset": "statue"}, "theta0": 0.05}).build()[0]
    response = rs.simulate(**statue)
    scene = Scene(response, Timeline.of(response, 10.0, None, 0.5), 320)
    scene.frame(0)
    drawn = scene.body.polygons[0].get_xy()[:-1]
    points = PRESETS["statue"].outline(1.8, 0.5)
    assert drawn == pytest.approx(place(statue["system"], np.array(points), 0.05))
    assert len(outline(rs.Block(height=1.8, width=0.5))) == 4
    gable = [(0, 0), (2, 0), (2, 3), (1, 4), (0, 3)]
    assert rs.Block.from_outline(gable, height=8.0).silhouette[2] == (2.0, 6.0)


def test_the_footer_of_a_figure_gives_the_angle_in_both_units() -> None:
    figure = plot_response(rs.simulate(STATUE, theta0=0.05))
    assert "rad (" in figure.get_supxlabel() and "°)" in figure.get_supxlabel()


def test_a_soft_impact_makes_no_sparks() -> None:
    """After a lean of a millionth of α a corner does not flash as after one of half of it."""
    length = {}
    for share in (1e-6, 0.5):
        response = rs.simulate(STATUE, theta0=share * STATUE.alpha)
        scene = Scene(response, Timeline.of(response, 20, None, None), 160)
        hit = response.impacts.time[0]
        scene._strike(int(np.searchsorted(scene.timeline.clock, hit)))
        rays = np.array([path.vertices for path in scene.sparks.get_paths()])
        length[share] = np.abs(rays[:, 1] - rays[:, 0]).max()
    # at that impact ω/(p α) = √2 · 10⁻³, over the 0.1 of the least that is drawn at full length
    assert length[1e-6] < 0.02 * length[0.5]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x" * 48, "under " + "x" * 48),
        ("x" * 49, "under " + "x" * 47 + "…"),
        ("El\n Centro ", "under El Centro"),
        ("", "under a ground motion"),
    ],
)
def test_a_headline_has_the_name_of_its_motion_in_48_signs(name, said):
    block, motion = rs.Block(1.8, 0.5), rs.Motion([0.0, 0.1, 0.0], 0.01, name=name)
    response = rs.simulate(block, motion, until="motion")
    assert shaken(response) == f"{block.label} {said}"
    roof = rs.Floor(period=0.4, storeys=3)
    above = rs.simulate(block, roof.motion(motion), until=0.02)
    assert shaken(above) == f"{block.label} {said} on the {above.motion.meta['floor']}"
    still = rs.simulate(block, rs.Motion([0.0, 0.0], 0.01, name=name), theta0=0.01, until=0.01)
    assert shaken(still) == f"{block.label} rocking freely"
