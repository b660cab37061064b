"""From the questions to the report, in a browser."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rocksteady.studio.app import PAGE
from rocksteady.studio.guard import REPORT_CSP
from studio.conftest import watched

WAIT = 240_000.0  # ms: two cores that others use, too
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def fewer(route: Any) -> None:
    """Fifty earthquakes in place of 300: the same page and the same code, quicker."""
    asked = route.request.post_data_json if route.request.method == "POST" else None
    route.continue_(**({"post_data": json.dumps(asked | {"motions": 50})} if asked else {}))


def answer(page: Any) -> Any:
    """Answer the questions about a slender vase on the second floor, and ask."""
    page.route("**/api/jobs", fewer)
    page.goto("/#/ask")
    page.get_by_text("Vase on a plinth").click()
    assert page.get_by_role("button", name="Shake it").is_disabled()  # not before that is said
    page.get_by_text("pinned or cemented").click()
    page.get_by_label("Height of both together [m]").fill("1.4")
    page.get_by_label("Height of both together [m]").press("Enter")
    page.get_by_label("Width of the plinth [m]").fill("0.3")
    page.get_by_label("Width of the plinth [m]").press("Tab")
    page.get_by_text("I know what it is made of").click()
    page.get_by_text("marble", exact=True).click()
    page.get_by_text("on an upper floor").click()
    page.get_by_label("On floor number").last.fill("2")
    page.get_by_text("very strong", exact=True).click()
    page.get_by_text("For the report").click()
    page.get_by_label("Name of the object").fill("Vase of the Muses")
    page.get_by_role("button", name="Shake it").click()


def test_the_questions_to_the_report(page, client, studio, browser):
    answer(page)
    said = page.locator("h1.said")
    said.wait_for(timeout=WAIT)
    page.reload()  # while the job runs: it goes on, and what was shown is there again
    said.wait_for(timeout=WAIT)
    page.get_by_role("link", name="Open the report").wait_for(timeout=WAIT)

    (one,) = (job for job in client.get("/api/jobs").json() if job["kind"] == "ask")
    job = client.get(f"/api/jobs/{one['id']}").json()
    result = job["result"]
    assert job["request"]["fixing"] == "fixed"
    assert job["request"]["material"] == "marble" and job["request"]["storey"] == 2
    assert result["share"]["of"] == 50
    assert said.inner_text() == result["share"]["sentence"]
    lying = round(100 * result["share"]["share"])
    row = page.get_by_role("img", name=f"100 little pictures of the object: {lying} lie down")
    assert row.locator("svg").count() == 100 and row.locator("svg.lies").count() == lying
    assert page.get_by_text(result["answer"], exact=True).is_visible()
    shown = page.locator("[data-help]").evaluate_all(
        "cards => cards.map(card => [card.dataset.help, Number(card.dataset.value)])"
    )
    told = [[card["key"], card.get("value", card.get("pull"))] for card in result["helps"]]
    assert shown == told

    page.get_by_text("Show the numbers").click()
    page.get_by_role("button", name="Slenderness angle α").click()
    assert page.get_by_text("it balances on its edge").is_visible()
    page.keyboard.press("Escape")

    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open the report").click()
    opened.value.wait_for_load_state()
    assert "Vase of the Muses" in opened.value.inner_text("h1")
    assert opened.value.evaluate("getComputedStyle(document.body).maxWidth") != "none"  # styled
    served = client.get(f"/api/jobs/{one['id']}/files/report.html").headers
    assert served.get_list("content-security-policy") == [REPORT_CSP]
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save object.toml").click()
    described = tomllib.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert described["object"]["height"] == 1.4 and described["floor"]["level"] == 2

    shared = browser.new_context(base_url=studio.url).new_page()  # the link in another window
    shared.route("**/api/jobs", fewer)
    shared.goto(page.url)
    shared.locator("h1.said").wait_for(timeout=WAIT)
    assert shared.locator("h1.said").inner_text() == result["share"]["sentence"]
    shared.context.close()

    how = "falls" if result["share"]["examples"]["falls"] else "stands"
    page.locator(".answers").get_by_role("link", name=re.compile("^Number")).first.click()
    verdict = page.locator(".verdict .outcome").first
    verdict.wait_for(timeout=WAIT)
    assert ("fell" in verdict.get_attribute("class")) == (how == "falls")


def test_a_mistake_is_explained(browser, studio):
    if not (PAGE / "index.html").is_file():
        pytest.skip("the page is not built: make page")
    page = browser.new_context(base_url=studio.url).new_page()
    errors, _ = watched(page, studio.url)
    page.goto("/#/ask")
    page.get_by_text("I have a hazard table").click()
    table = page.get_by_label("One row for each strength")
    table.fill("0.1, 0.01\n0.2 zero")
    assert page.get_by_text("This row is not two numbers: “0.2 zero”").is_visible()
    table.fill("0.1, 0.1\n0.2, 0.01")
    page.get_by_role("button", name="Shake it").click()
    page.get_by_role("alert").wait_for()
    assert "once in 475 years" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="Change the answers").click()
    assert "0.2, 0.01" in table.input_value()
    assert all("422" in error for error in errors)  # how Chromium tells of the refusal
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1366])
def test_nothing_serious_for_axe(browser, studio, scheme, width):
    if not (PAGE / "index.html").is_file() or not AXE.is_file():
        pytest.skip("the page is not built: make page")
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, base_url=studio.url
    )
    page = context.new_page()
    page.goto("/#/ask")
    page.locator(".kinds label").first.wait_for()
    page.get_by_text("on an upper floor").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then(found => found.violations)")
    bad = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS]
    assert not bad
    context.close()


SERIOUS = ("serious", "critical")
