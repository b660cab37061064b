"""The building and the monitor in a browser: numbers of the package, loops drawn live, alarms."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.specs import BodySpec, MotionSpec
from rocksteady.studio.app import PAGE
from studio.conftest import started, stopped, watched
from studio.test_monitor_api import DT, ended, feed, monitor, shaking

WAIT = 60_000  # ms: the theory may have to be compiled

# Pixels of the loop's canvas in the colour of the past.
INKED = """() => {
  const canvas = document.querySelector("canvas.loop");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 2] > data[i] + 25 && data[i + 3] > 60) count++;
  return count;
}"""


def shaken(page: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Open the door; what the page asked, and what it was told."""
    with page.expect_response(lambda r: r.url.endswith("/api/sequence"), timeout=WAIT) as told:
        page.goto("/#/building")
    page.wait_for_selector("td data", timeout=WAIT)
    return json.loads(told.value.request.post_data), told.value.json()


def test_the_table_shows_the_numbers_of_the_package(page):
    asked, _ = shaken(page)
    motions = [MotionSpec.checked(one).build() for one in asked["motions"]]
    own = rs.sequence(BodySpec.checked(asked["building"]).build(), motions, gap=asked["gap"])
    shown = page.locator("td data").evaluate_all("cells => cells.map((cell) => cell.value)")
    assert [float(text) for text in shown] == [shock.row()["wear [-]"] for shock in own.shocks]
    assert len(shown) == 3


def test_the_loop_is_drawn_as_time_runs_and_the_gauge_follows(page):
    shaken(page)
    page.get_by_role("button", name="Pause").click()
    slider = page.get_by_label("Time", exact=True)
    inked = {}
    for at in (0, 5, 40, 75):
        slider.evaluate(
            "(input, at) => { input.value = at; input.dispatchEvent(new Event('input')) }", at
        )
        page.wait_for_timeout(100)
        inked[at] = page.evaluate(INKED)
    assert inked[0] < inked[5] < inked[40] < inked[75]
    said = page.locator(".gauge").get_attribute("aria-label")
    assert re.fullmatch(r"Wear: 27 %, Extensive damage", said), said
    before = page.locator("output").inner_text()
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("output").inner_text() != before
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(
        "before => document.querySelector('output').innerText !== before", arg=before
    )


def test_a_stronger_earthquake_brings_it_down(page):
    shaken(page)
    field = page.get_by_label("Peak acceleration [g]").nth(1)
    field.fill("0.6")
    field.press("Enter")
    page.wait_for_selector(".outcome.fell", timeout=WAIT)
    assert "collapses in earthquake 2" in page.locator(".outcome").inner_text()
    assert page.locator("tbody tr").count() == 2  # the third one finds no building
    page.get_by_role("button", name="Remove earthquake 2").click()
    page.wait_for_selector(".outcome:not(.fell)", timeout=WAIT)
    page.get_by_role("button", name="Add an earthquake").click()
    page.wait_for_selector("tbody tr:nth-child(3)", timeout=WAIT)


def test_a_push_is_that_of_the_package_and_a_link_restores_it(page, browser, studio):
    shaken(page)
    with page.expect_response(lambda r: r.url.endswith("/api/pushover"), timeout=WAIT) as told:
        page.get_by_text("Push it", exact=True).click()
    asked, found = json.loads(told.value.request.post_data), told.value.json()
    own = rs.pushover(BodySpec.checked(asked["building"]).build(), found["displacement"])
    assert found["force"] == own.force.tolist()
    mass = page.get_by_label("Mass [t]")
    mass.fill("52")
    mass.press("Enter")
    page.wait_for_timeout(500)
    said = page.locator(".outcome").inner_text()
    window = browser.new_context(base_url=studio.url).new_page()
    window.goto(page.url)
    window.wait_for_selector(".outcome", timeout=WAIT)
    assert window.get_by_label("Mass [t]").input_value() == "52"
    assert window.get_by_label("Push it").is_checked()
    assert window.locator(".outcome").inner_text() == said
    window.context.close()


def test_the_papers_house_is_that_of_the_package_after_foreshocks(page):
    """23 t from the drawings, undamped; four foreshocks and the main shock."""
    shaken(page)
    assert page.get_by_label("A heavy house").is_checked()
    paper = page.get_by_label("The paper's house, foreshocks first")
    with page.expect_response(lambda r: r.url.endswith("/api/sequence"), timeout=WAIT) as told:
        paper.check(force=True)
    asked = json.loads(told.value.request.post_data)
    house = BodySpec.checked(asked["building"]).build()
    assert house == rs.MasonryBuilding.casalotti2025()
    motions = [MotionSpec.checked(one).build() for one in asked["motions"]]
    assert [round(motion.pga / motions[-1].pga, 2) for motion in motions] == [0.35] * 4 + [1]
    own = rs.sequence(house, motions, gap=asked["gap"], settle=asked["settle"])
    assert own.main == 4
    increase = f"raised the wear by {100 * own.wear_increase:.0f} %"
    page.get_by_text(increase).wait_for(timeout=WAIT)
    shown = page.locator("td data").evaluate_all("cells => cells.map((cell) => cell.value)")
    assert [float(text) for text in shown] == [shock.row()["wear [-]"] for shock in own.shocks]
    assert "generated" in page.locator(".controls").inner_text()

    mass = page.get_by_label("Mass [t]")
    mass.fill("24")
    mass.press("Enter")
    page.wait_for_timeout(500)
    assert not paper.is_checked()  # it is no longer that house
    page.get_by_label("A heavy house").check(force=True)
    assert mass.input_value() == "40"


def test_the_words_of_the_parameters_come_from_the_descriptions(page):
    shaken(page)
    page.get_by_text("The interface in numbers").click()
    assert page.get_by_text("Stiffness k_a of the adhering interface [N/m³].").is_visible()
    field = page.get_by_label("Stress at first slip")
    assert field.input_value() == "3734"
    with page.expect_response(lambda r: r.url.endswith("/api/sequence")) as told:
        field.fill("4000")
    assert json.loads(told.value.request.post_data)["building"]["threshold"] == 4000


def test_a_mass_that_cannot_be_is_not_taken(page):
    shaken(page)
    field = page.get_by_label("Mass [t]")
    field.fill("-5")
    field.press("Enter")
    page.locator(".stale").wait_for()
    assert page.locator(".result").inner_text() == "Not computed. Mass must be more than 0 t."
    assert not page.locator(".outcome").count()
    assert page.locator("td data").count() == 3  # the last picture stays, in grey


# -- the monitor -----------------------------------------------------------------------------------


def test_a_demonstration_of_one_building_raises_alarms(page):
    page.goto("/#/monitor")
    page.get_by_text("16 ×").click()
    page.get_by_role("button", name="Watch one building").click()
    page.wait_for_selector(".banner", timeout=WAIT)
    assert "Generated earthquakes instead of a sensor" in page.locator(".banner").inner_text()
    page.wait_for_selector(".alarms .raised", timeout=WAIT)
    assert page.get_by_text("passed at").count() >= 1
    said = page.locator("canvas.traces").get_attribute("aria-label")
    assert said.startswith("Live. Town hall: standing")
    page.reload()
    page.wait_for_selector(".alarms .raised", timeout=WAIT)
    assert page.get_by_role("heading", name="Town hall").is_visible()
    page.get_by_role("button", name="End it").click()
    page.get_by_role("button", name="Watch one building").wait_for()


def test_many_are_sorted_by_urgency_and_one_is_opened(page):
    page.goto("/#/monitor")
    page.get_by_text("16 ×").click()
    page.get_by_role("button", name="Watch eight buildings").click()
    page.wait_for_selector("tr[data-urgency='0']", timeout=WAIT)
    rows = page.locator("tbody tr")
    assert rows.count() == 8
    urgency = rows.evaluate_all("rows => rows.map((row) => Number(row.dataset.urgency))")
    assert urgency == sorted(urgency)
    assert "need attention" in page.get_by_role("status").inner_text()
    first = rows.first.get_by_role("button")
    name = first.inner_text()
    first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=name).wait_for()
    page.wait_for_selector(".outcome.fell", timeout=WAIT)
    page.get_by_role("button", name="All buildings").click()
    assert rows.count() == 8
    page.get_by_role("button", name="End it").click()
    page.get_by_role("button", name="Watch one building").wait_for()


@pytest.fixture
def watched_house(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A real monitor that follows a file, the studio that shows it, and a window."""
    if not (PAGE / "index.html").is_file():
        pytest.skip("the page is not built: make page")
    feed(tmp_path / "s.csv", shaking(3.0))
    follower = monitor("--preset", "casalotti2025", "--mass", "4e4", "--dt", str(DT), "--follow",
                       "s.csv", "--log", "house", "--sync", "0.2", "--every", "0.02",
                       "--alarm", "drift=0.004", folder=tmp_path)  # fmt: skip
    process, url = started(tmp_path / "studio", "--monitor", str(tmp_path))
    context = browser.new_context(base_url=url)
    page = context.new_page()
    errors, elsewhere = watched(page, url)
    yield SimpleNamespace(page=page, folder=tmp_path, monitor=follower)
    context.close()
    stopped(process)
    if follower.poll() is None:
        ended(follower)
    assert not errors
    assert not elsewhere


def test_a_real_monitor_is_seen_live_until_it_stops(watched_house):
    page = watched_house.page
    page.goto("/#/monitor")
    page.get_by_role("button", name="house").click(timeout=WAIT)
    page.get_by_text("300 samples").wait_for(timeout=WAIT)
    assert page.locator(".alarms .raised").count() == 0
    assert page.locator(".tag").count() == 0  # no demonstration
    feed(watched_house.folder / "s.csv", shaking(3.0, 4.0), first=300)
    page.get_by_text("600 samples").wait_for(timeout=WAIT)
    page.wait_for_selector(".alarms .raised", timeout=WAIT)
    own = rs.Monitor(rs.MasonryBuilding.casalotti2025(40e3), dt=DT)
    own.push_block(np.concatenate([shaking(3.0), shaking(3.0, 4.0)]))
    shown = page.locator("[data-quantity=wear]").inner_text()
    assert float(shown.removesuffix(" %")) == pytest.approx(100 * own.values["wear"], abs=0.5)
    ended(watched_house.monitor)
    page.get_by_text("The monitor was stopped").wait_for(timeout=WAIT)
