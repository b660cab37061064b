"""The workbench in a browser: from an object to a verdict, with the numbers of `rs.simulate`."""

import re
from pathlib import Path
from typing import Any

import pytest

import rocksteady as rs

WAIT = 120_000  # ms: a theory may have to be compiled, on two cores that others use, too


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
    url, shown = page.url, peak(page)
    other = browser.new_context().new_page()
    other.goto(url)
    other.wait_for_selector(f'data.peak[value="{shown!r}"]', state="attached", timeout=WAIT)
    assert other.get_by_label("in a building").is_checked()
    other.context.close()


def test_let_go_from_a_lean(page: Any) -> None:
    opened(page)
    page.get_by_label("None: let it go from a lean").check(force=True)
    page.wait_for_selector("text=Let go from", timeout=WAIT)
    page.wait_for_selector(".outcome.stood", timeout=WAIT)
    assert page.locator(".panel", has_text="Ground acceleration").count() <= 1
