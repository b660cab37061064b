"""The workbench in a browser: from an object to a verdict, with the numbers of `rs.simulate`."""

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import rocksteady as rs

WAIT = 120_000  # ms: a theory may have to be compiled, on two cores that others use, too
STONE = (0xCF, 0xC8, 0xBB)  # colour of what is drawn on the stage, in the light theme


def opened(page: Any) -> Any:
    page.goto("/#/bench")
    page.wait_for_selector(".verdict", timeout=60_000)
    return page


def set_number(page: Any, label: str, value: float) -> None:
    field = page.get_by_role("spinbutton", name=label, exact=True)
    field.fill(str(value))
    field.press("Enter")
    field.blur()


def peak(page: Any) -> float:
    return float(page.locator("data.peak").first.get_attribute("value"))


def expect_peak(page: Any, value: float) -> None:
    page.wait_for_selector(f'data.peak[value="{value!r}"]', state="attached", timeout=WAIT)
    assert peak(page) == value


def test_from_a_standing_statue_to_an_overturned_one(page: Any) -> None:
    opened(page)
    set_number(page, "Peak acceleration [g]", 0.3)
    page.wait_for_selector(".outcome.stood", timeout=WAIT)
    set_number(page, "Peak acceleration [g]", 0.5)
    page.wait_for_selector(".outcome.fell", timeout=WAIT)
    assert "overturns" in page.locator(".outcome").inner_text().lower()
    assert "One earthquake is no verdict" in page.locator(".result").inner_text()


def test_the_numbers_on_the_page_are_those_of_simulate(page: Any) -> None:
    opened(page)
    set_number(page, "Peak acceleration [g]", 0.35)
    set_number(page, "Period [s]", 0.7)
    block = rs.Block(height=1.8, width=0.5, com_height=0.936, density=1600.0)
    push = rs.pulses.sine(amplitude=0.35 * 9.80665, period=0.7)
    expect_peak(page, rs.simulate(block, push).peak)


def test_theories_are_seen_beside_each_other(page: Any) -> None:
    opened(page)
    page.get_by_label("Nonsmooth", exact=True).check(force=True)
    page.wait_for_selector('.verdict[data-theory="nonsmooth"]', timeout=60_000)
    assert page.locator(".verdict").count() == 2


def test_a_record_is_dropped_and_shakes_the_statue(page: Any, records: Path) -> None:
    path = records / "AT2" / "RSN1106_KOBE_KJM000.AT2"
    opened(page)
    page.get_by_label("Your record").check(force=True)
    page.locator(".drop input[multiple]").set_input_files(str(path))
    page.wait_for_selector(f"strong:text-is({path.name!r})", timeout=WAIT)
    block = rs.Block(height=1.8, width=0.5, com_height=0.936, density=1600.0)
    expect_peak(page, rs.simulate(block, rs.read_motion(path)).peak)


def test_a_file_that_is_no_record_is_refused_in_a_sentence(browser: Any, studio: Any) -> None:
    page = browser.new_context(
        base_url=studio.url
    ).new_page()  # its console tells of the answer 422
    opened(page)
    page.get_by_label("Your record").check(force=True)
    file = {"name": "notes.csv", "mimeType": "text/plain", "buffer": b"these are my notes\n"}
    page.locator(".drop input[multiple]").set_input_files(file)
    page.wait_for_selector("[role=alert]", timeout=WAIT)
    said = page.locator("[role=alert]").inner_text()
    assert "notes.csv" in said and str(Path.home()) not in said and "/tmp" not in said
    page.context.close()


def test_the_time_line_can_be_moved_by_keys(page: Any) -> None:
    opened(page)
    page.get_by_role("button", name=re.compile("Pause|Play")).wait_for()
    line = page.get_by_role("slider", name="Time", exact=True)
    line.focus()
    line.press("ArrowLeft")
    before = float(line.input_value())
    line.press("ArrowRight")
    assert float(line.input_value()) == pytest.approx(before + 0.05, abs=1e-3)


def test_the_address_restores_everything_in_a_new_window(page: Any, browser: Any) -> None:
    opened(page)
    set_number(page, "Peak acceleration [g]", 0.33)
    page.get_by_label("in a building").check(force=True)
    page.wait_for_function("location.hash.includes('s=')")
    page.wait_for_timeout(800)
    page.wait_for_selector(".result[aria-busy=false]", timeout=WAIT)
    url, shown = page.url, peak(page)
    other = browser.new_context().new_page()
    other.goto(url)
    other.wait_for_selector(f'data.peak[value="{shown!r}"]', state="attached", timeout=WAIT)
    assert other.get_by_label("in a building").is_checked()
    other.context.close()


def on_a_column(page: Any) -> rs.FlexibleOscillator:
    """Fig. 7 of Giouvanidis and Dimitrakopoulos on the workbench."""
    opened(page)
    page.get_by_label("On a flexible column").check(force=True)
    page.wait_for_selector('.verdict[data-theory="nonsmooth"]', timeout=WAIT)
    page.get_by_label("Giouvanidis 2016, Fig. 7").check(force=True)
    tower = rs.FlexibleOscillator.giouvanidis2016()
    shown = (
        f"[...document.querySelectorAll('input')].some((one) => one.value === '{tower.height:g}')"
    )
    page.wait_for_function(shown, timeout=WAIT)
    page.wait_for_selector(".result[aria-busy=false]", timeout=WAIT)
    return tower


def test_figure_7_of_giouvanidis_is_a_preset(page: Any) -> None:
    tower = on_a_column(page)
    push = rs.pulses.sine(amplitude=5 * tower.g / 10, omega=6.915956)
    run = rs.simulate(tower, push, rs.Nonsmooth())
    expect_peak(page, run.peak)
    assert run.peak == run.peak_angle / tower.alpha  # φ_cr, not atan(b/H)
    assert page.locator(".outcome.stood").count() == 1
    page.get_by_role("heading", name="Drift of the mass u").wait_for()
    assert not page.get_by_text("Lifts off at").count()  # it sways from the first moment on


def test_each_edge_of_a_column_may_have_its_own_coefficients(page: Any, browser: Any) -> None:
    tower = on_a_column(page)
    page.locator(".options summary").click()
    set_number(page, "friction", 0.3)
    page.get_by_label("epsilon: Each edge has its own").check()
    set_number(page, "epsilon, right edge", 0.2)
    set_number(page, "epsilon, left edge", 0.4)
    set_number(page, "Damping [%]", 2)
    push = rs.pulses.sine(amplitude=5 * tower.g / 10, omega=6.915956)
    how = rs.Nonsmooth(epsilon=(0.2, 0.4), friction=0.3)
    peak_there = rs.simulate(replace(tower, damping_ratio=0.02), push, how).peak
    expect_peak(page, peak_there)
    page.wait_for_timeout(800)  # for the address
    other = browser.new_context().new_page()
    other.goto(page.url)
    expect_peak(other, peak_there)
    other.context.close()
    page.get_by_label("In a plane").check(force=True)  # a block takes one ε: it is not refused
    page.wait_for_selector(".result[aria-busy=false] .verdict", timeout=WAIT)
    assert not page.locator(".stale").count()


def test_the_mass_is_drawn_where_its_column_bends_to(page: Any) -> None:
    """On its whole base, at the largest drift before it lifts off: the mass is so much beside the
    middle of the base in the picture, to scale."""
    tower = replace(on_a_column(page), natural_frequency=2.5)
    set_number(page, "Natural frequency on a fixed base [rad/s]", 2.5)
    push = rs.pulses.sine(amplitude=5 * tower.g / 10, omega=6.915956)
    run = rs.simulate(tower, push, rs.Nonsmooth())
    expect_peak(page, run.peak)
    standing = np.flatnonzero(run.theta == 0)
    k = standing[np.abs(run.column("u")[standing]).argmax()]
    u = float(run.column("u")[k])
    page.get_by_role("slider", name="Time", exact=True).fill(str(run.time[k]))
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.locator("canvas.stage").screenshot())).convert("RGB")
    pixels = np.asarray(picture, dtype=int)
    stone = np.abs(pixels - STONE).sum(axis=2) < 12
    rows = np.flatnonzero(stone.any(axis=1))
    top, bottom = rows[0], rows[-1]

    def middle(row: int) -> float:
        return float(np.flatnonzero(stone[row]).mean())

    scale = (bottom - top) / (tower.height + tower.stem.mass / 2)  # pixels in a metre
    drawn = (middle(top + 6) - middle(bottom)) / scale
    assert drawn == pytest.approx(u, abs=1.5 / scale) and abs(u) > 6 / scale


def test_let_go_from_a_lean(page: Any) -> None:
    opened(page)
    page.get_by_label("None: let it go from a lean").check(force=True)
    page.wait_for_selector("text=Let go from", timeout=WAIT)
    page.wait_for_selector(".outcome.stood", timeout=WAIT)
    assert page.locator(".panel", has_text="Ground acceleration").count() <= 1
