"""The door for stonework: a person builds a wall, shakes it, and sees what becomes of it."""

from __future__ import annotations

import json
from typing import Any

import rocksteady as rs
from rocksteady.analysis.limit_analysis import limit_load
from rocksteady.analysis.stones import step_error
from rocksteady.specs import BodySpec, CaseSpec

WAIT = 240_000  # ms: the theory may have to be compiled
INKED = """(selector) => {
  const canvas = document.querySelector(selector);
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 60) sum += (i / 4) % canvas.width;
  return sum;
}"""


def put(page: Any, label: str, value: object) -> None:
    field = page.get_by_label(label, exact=True).first
    field.fill(str(value))
    field.press("Enter")


def small_wall(page: Any) -> None:
    """A wall of 14 stones under a strong short pulse."""
    page.goto("/#/blocks")
    page.get_by_text("Wall", exact=True).click()
    put(page, "Courses", 4)
    put(page, "Blocks in a course", 3)
    put(page, "Length of a block [m]", 0.3)
    put(page, "Peak acceleration [g]", 1.5)
    page.get_by_text("Follow a collapse until the rubble rests").click()


def test_a_wall_is_built_shaken_and_pushed_and_a_link_restores_it(page, browser, studio):
    small_wall(page)
    page.get_by_text("14 stones").wait_for(timeout=WAIT)
    assert page.locator(".outcome").count() == 0  # a wall waits for the button
    with page.expect_response(lambda r: r.url.endswith("/api/jobs"), timeout=WAIT) as told:
        page.get_by_role("button", name="Shake it").click()
    asked = json.loads(told.value.request.post_data)
    page.wait_for_selector(".outcome", timeout=WAIT)
    own = rs.simulate(**CaseSpec.checked(asked["case"]).build()[0])
    shown = page.locator("data.peak")
    assert float(shown.get_attribute("value")) == own.peak
    assert shown.inner_text().startswith("It collapses" if own.fell else "It stands")
    assert own.formulation.told(own) in page.locator(".result").inner_text()

    # the picture follows the time
    slider = page.get_by_label("Time", exact=True)
    move = "(input, at) => { input.value = at; input.dispatchEvent(new Event('input')) }"
    slider.evaluate(move, 0)
    page.wait_for_timeout(150)
    before = page.evaluate(INKED, "canvas.stones")
    slider.evaluate(move, 0.6 * own.time[-1])
    page.wait_for_timeout(150)
    assert page.evaluate(INKED, "canvas.stones") != before
    assert page.locator("canvas.stones").get_attribute("aria-label") == (
        f"The stones: {shown.inner_text()}"
    )

    # the limit load, to both sides
    right = limit_load(BodySpec.checked(asked["case"]["body"]).build())
    push = page.locator(".lambda data")
    assert float(push.get_attribute("value")) == right.multiplier
    with page.expect_response(lambda r: r.url.endswith("/api/assembly/limit"), timeout=WAIT):
        page.get_by_text("to the left", exact=True).click()
    page.wait_for_timeout(600)  # until the address has it

    window = browser.new_context(base_url=studio.url).new_page()
    window.goto(page.url)
    window.wait_for_selector(".outcome", timeout=WAIT)
    assert window.locator("data.peak").get_attribute("value") == shown.get_attribute("value")
    assert window.get_by_label("Courses", exact=True).first.input_value() == "4"
    assert window.get_by_label("to the left").is_checked()
    window.context.close()

    # another wall waits for the button again
    put(page, "Courses", 5)
    page.get_by_role("button", name="Shake it").wait_for(timeout=WAIT)
    assert page.locator(".outcome").count() == 0


def test_a_wall_chosen_before_the_column_is_answered_waits_for_the_button(page):
    """The answer of the column arrives late: nothing of the wall may be asked at once then."""
    held: list[Any] = []
    page.route("**/api/assembly/simulate", lambda route: held.append(route))
    page.goto("/#/blocks")
    while not held:
        page.wait_for_timeout(50)
    page.get_by_text("Wall", exact=True).click()
    page.get_by_role("button", name="Shake it").wait_for(timeout=WAIT)
    page.locator(".lambda data").wait_for(timeout=WAIT)  # what may be asked of a wall at once
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    held[0].continue_()
    page.wait_for_timeout(1500)
    assert not [url for url in asked if "/api/assembly/" in url]
    assert page.locator(".outcome").count() == 0


def test_a_column_answers_at_once_and_is_taken_home(page, tmp_path):
    with page.expect_response(
        lambda r: r.url.endswith("/api/assembly/simulate"), timeout=WAIT
    ) as told:
        page.goto("/#/blocks")
    page.wait_for_selector(".outcome", timeout=WAIT)
    asked = json.loads(told.value.request.post_data)
    own = rs.simulate(**CaseSpec.checked(asked).build()[0])
    assert float(page.locator("data.peak").get_attribute("value")) == own.peak
    step = page.locator(".step-error")
    step.wait_for(timeout=WAIT)
    assert step.inner_text() == step_error(own).sentence
    page.get_by_role("button", name="Take it with you").click()
    for what, ending in (("script", ".py"), ("displacements", ".csv"), ("dxf", ".dxf")):
        with page.expect_download(timeout=WAIT) as saved:
            page.locator(f"[data-take={what}]").click()
        assert saved.value.suggested_filename.endswith(ending)
    saved.value.save_as(tmp_path / "column.dxf")
    page.keyboard.press("Escape")
    page.get_by_text("Your drawing", exact=True).click()
    with page.expect_response(lambda r: r.url.endswith("/api/assembly"), timeout=WAIT) as told:
        page.locator("input[type=file]").first.set_input_files(tmp_path / "column.dxf")
    assert told.value.json()["count"] == 6
    page.get_by_text("column.dxf").wait_for()


def test_springs_in_the_joints_are_chosen_and_no_error_of_their_step_is_offered(page, browser):
    page.goto("/#/blocks")
    page.wait_for_selector(".step-error", timeout=WAIT)  # of rigid stones
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response(
        lambda r: r.url.endswith("/api/assembly/simulate"), timeout=WAIT
    ) as told:
        page.get_by_text("Springs in the joints", exact=True).click()
    (theory,) = json.loads(told.value.request.post_data)["theories"]
    assert theory == {"name": "joints"}
    page.locator(".verdict", has_text="Springs of 5e8 N/m³ in the joints").wait_for(timeout=WAIT)
    assert not page.get_by_text("Follow a collapse until the rubble rests").count()
    page.get_by_text("Numerical dissipation in joints", exact=True).click()
    words = rs.JointDissipation.__doc__.partition("\n\n")[0]
    assert " ".join(words.split()) in page.locator("details.options").inner_text()

    with page.expect_response(
        lambda r: r.url.endswith("/api/assembly/simulate"), timeout=WAIT
    ) as told:
        put(page, "k_n", 2e9)
    case = json.loads(told.value.request.post_data)
    assert case["theories"] == [{"name": "joints", "k_n": 2e9}]
    own = rs.simulate(**CaseSpec.checked(case).build()[0])
    page.locator(".verdict", has_text="Springs of 2e9 N/m³").wait_for(timeout=WAIT)
    assert float(page.locator("data.peak").get_attribute("value")) == own.peak
    assert own.formulation.told(own) in page.locator(".result").inner_text()
    page.wait_for_timeout(1000)
    assert page.locator(".step-error").count() == 0
    assert not [url for url in asked if url.endswith("/api/assembly/step")]

    window = browser.new_context(base_url=page.url.partition("/#")[0]).new_page()
    window.goto(page.url)
    window.wait_for_selector(".outcome", timeout=WAIT)
    assert window.get_by_label("Springs in the joints").is_checked()
    assert float(window.locator("data.peak").get_attribute("value")) == own.peak
    window.context.close()

    page.get_by_text("Rigid stones", exact=True).click()
    page.locator(".step-error").wait_for(timeout=WAIT)
