"""Many runs in a browser: maps that fill in, the run behind a point, jobs that outlive the page."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

import rocksteady as rs
from rocksteady.motion.units import GRAVITY_UNIT

WAIT = 180_000  # ms: motions are made, and a theory may have to be compiled
BODY = {"kind": "Block", "height": 1.8, "width": 0.5}
BLOCK = rs.Block(height=1.8, width=0.5)
SLOW = 401  # points along an axis: 160 801 runs
MARGIN = {"left": 58, "right": 14, "top": 12, "bottom": 46}  # of the canvas, as in draw.ts
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def opened(page: Any, **state: Any) -> None:
    text = json.dumps({"body": BODY, **state}).encode()
    page.goto(f"/#/many?s={base64.urlsafe_b64encode(text).decode().rstrip('=')}")
    page.wait_for_selector(".many-form", timeout=WAIT)


def state(page: Any) -> dict[str, Any]:
    """What the address holds, once it has followed."""
    time.sleep(0.4)
    text = page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('s')")
    return dict(json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))


def run(page: Any) -> None:
    page.locator(".many-form button[type=submit]").click()


def ran(page: Any) -> int:
    """How many points the map shows."""
    canvas = page.locator(".many-map canvas")
    return int(canvas.get_attribute("data-ran", timeout=WAIT))


def wait_for_points(page: Any, least: int) -> int:
    page.wait_for_function(
        "n => Number(document.querySelector('.many-map canvas')?.dataset.ran ?? 0) >= n",
        arg=least,
        timeout=WAIT,
    )
    return ran(page)


def finished(page: Any) -> None:
    page.wait_for_selector(".many-files", timeout=WAIT)


def table(page: Any) -> list[list[float]]:
    """The numbers of the table on demand, with all their digits."""
    page.locator(".many-table summary").last.click()
    page.wait_for_selector(".many-table tbody tr")
    rows = page.locator(".many-table tbody tr").all()
    return [
        [float(cell.get_attribute("value")) for cell in row.locator("data").all()] for row in rows
    ]


def click_point(page: Any, i: int, j: int, points: int) -> None:
    canvas = page.locator(".many-map canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    wide = box["width"] - MARGIN["left"] - MARGIN["right"]
    high = box["height"] - MARGIN["top"] - MARGIN["bottom"]
    x = MARGIN["left"] + wide * (i + 0.5) / points
    y = MARGIN["top"] + high * (1 - (j + 0.5) / points)
    canvas.click(position={"x": x, "y": y})


# -- maps -----------------------------------------------------------------------------------------


def test_the_questions_leave_the_layout_alone(page: Any) -> None:
    """The doors are loaded one after the other: the style of one must not reach another."""
    page.goto("/#/ask")
    page.wait_for_selector(".question", timeout=WAIT)
    page.get_by_role("link", name="Many runs").click()
    page.wait_for_selector(".many-form", timeout=WAIT)
    assert page.locator(".many-body").bounding_box()["width"] > 900


def test_a_map_fills_in_from_coarse_to_fine(page: Any) -> None:
    opened(page, points=241)
    run(page)
    shown = [wait_for_points(page, 1)]
    while shown[-1] < 241**2:
        shown.append(wait_for_points(page, shown[-1] + 1))
    assert shown[0] < 0.1 * 241**2
    assert len(shown) >= 4
    finished(page)
    assert shown[-1] == 241**2
    legend = page.locator(".many-legend").inner_text()
    assert "falls without an impact" in legend and "rocks and stands" in legend
    inked = page.evaluate("""() => {
        const canvas = document.querySelector('.many-map canvas');
        const { data } = canvas.getContext('2d').getImageData(100, 100, 200, 200);
        return new Set(new Uint32Array(data.buffer)).size;
    }""")
    assert inked > 1, "nothing is drawn"


def test_a_click_shows_that_very_run(page: Any) -> None:
    opened(page, points=31)
    run(page)
    finished(page)
    found = rs.analysis.overturning_map(BLOCK, "sine", points=31, progress=False)
    i, j = 26, 8
    click_point(page, i, j, 31)
    response = found.response(i, j)
    assert not response.fell and response.peak > 0.1
    page.wait_for_selector(f'data.peak[value="{response.peak!r}"]', timeout=WAIT)
    facts = page.locator(".many-facts dd").all_inner_texts()
    assert facts == [f"{response.peak:.4g} α", str(len(response.impacts)), str(response.status)]
    said = page.locator(".many-run").inner_text()
    assert found.way(i, j).words in said
    assert f"{response.peak:.3g}" in said
    assert state(page)["point"] == [i, j, 0]
    page.get_by_role("link", name="Open on the workbench").click()
    page.wait_for_selector(f'.verdict data.peak[value="{response.peak!r}"]', timeout=WAIT)
    assert page.get_by_label("Height [m]").is_visible()  # and it can be changed there


def test_a_map_is_read_by_keys_and_by_axe(page: Any) -> None:
    opened(page, points=31)
    run(page)
    finished(page)
    canvas = page.locator(".many-map canvas")
    canvas.focus()
    canvas.press("ArrowRight")  # the middle at first
    said = page.locator("#many-point")
    first = said.inner_text()
    canvas.press("Shift+ArrowUp")
    assert said.inner_text() != first
    assert "ω/p 4.25; acceleration, a/(g tan α) 10.1: falls without an impact." in said.inner_text()
    assert "For this object: a period of" in said.inner_text()
    canvas.press("Enter")
    page.wait_for_selector(".many-run data.peak", timeout=WAIT)
    assert state(page)["point"] == [15, 25, 0]
    page.get_by_text("The map as a table").click()
    page.wait_for_selector(".many-table tbody tr")
    assert page.locator(".many-table tbody tr").count() == 6
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make page")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    bad = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    assert not [one for one in bad if one["impact"] in ("serious", "critical")], bad


def test_a_map_of_many_motions_shows_the_run_of_one_of_them(page: Any) -> None:
    opened(page, points=5, source="generated", count=3, seed=4)
    run(page)
    finished(page)
    click_point(page, 2, 3, 5)
    motions = rs.stochastic.ensemble(3, seed=4)
    found = rs.analysis.overturning_map(BLOCK, motions, points=5, progress=False)
    fell, known = found.counts.fell[2, 3], found.counts.known[2, 3]
    assert f"{fell} of {known} earthquakes overturn it" in page.locator(".many-run").inner_text()
    page.locator(".many-run select").select_option(index=1)
    peak = found.response(2, 3, 1).peak
    page.wait_for_selector(f'.many-run data.peak[value="{peak!r}"]', timeout=WAIT)


# -- jobs -----------------------------------------------------------------------------------------


def test_a_job_is_cancelled_and_goes_on(page: Any, client: Any) -> None:
    opened(page, points=SLOW, pulse="ricker")
    run(page)
    wait_for_points(page, 1)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled", exact=True).wait_for(timeout=10_000)
    kept = ran(page)
    assert 0 < kept < SLOW**2
    job = state(page)["job"]
    assert client.get(f"/api/jobs/{job}").json()["state"] == "cancelled"
    page.get_by_role("button", name="Continue").click()
    assert wait_for_points(page, kept + 1) > kept
    client.post(f"/api/jobs/{job}/cancel")


def test_a_reload_in_mid_job_and_another_window_show_the_same(
    page: Any, browser: Any, studio: Any
) -> None:
    opened(page, points=SLOW, pulse="cosine")
    run(page)
    seen = wait_for_points(page, 1)
    state(page)  # the address follows
    page.reload()
    again = wait_for_points(page, seen)
    assert again >= seen
    other = browser.new_context(base_url=studio.url).new_page()
    other.goto(page.url)
    assert wait_for_points(other, again) >= again
    finished(page)
    finished(other)
    assert ran(other) == ran(page)
    sentence = page.locator(".many-outcome").first.inner_text()
    assert other.locator(".many-outcome").first.inner_text() == sentence
    other.context.close()


def test_an_earlier_job_is_opened_again_with_its_settings(page: Any) -> None:
    opened(page, points=31, pulse="half sine")
    run(page)
    finished(page)
    page.get_by_label("Fragility").check(force=True)
    page.wait_for_selector(".many-nothing")
    page.locator(".many-jobs button").first.click()
    wait_for_points(page, 31**2)
    assert page.get_by_label("Shape of the pulse").input_value() == "half sine"
    name = page.locator(".many-files a").first.get_attribute("href")
    with page.expect_download() as download:
        page.locator(".many-files a").first.click()
    assert name.endswith("map.csv")
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert sum(not line.startswith("#") for line in lines) == 1 + 31**2


def test_the_object_comes_from_the_workbench(page: Any) -> None:
    page.goto("/#/bench")
    page.wait_for_selector(".verdict", timeout=WAIT)
    field = page.get_by_role("spinbutton", name="Height [m]", exact=True)
    field.fill("2.4")
    field.press("Enter")
    field.blur()
    page.wait_for_selector(".verdict", timeout=WAIT)
    page.get_by_role("link", name="How often would it fall?").click()
    page.wait_for_selector(".many-form", timeout=WAIT)
    assert page.get_by_label("Fragility").is_checked()
    assert page.get_by_role("spinbutton", name="Height [m]", exact=True).input_value() == "2.4"


# -- the other questions --------------------------------------------------------------------------


def test_a_fragility_has_the_exact_intervals_of_scipy(page: Any) -> None:
    opened(page, question="fragility", source="generated", count=12, seed=4, levels=6)
    run(page)
    finished(page)
    found = rs.analysis.fragility(BLOCK, rs.stochastic.ensemble(12, seed=4), levels=6,
                                  progress=False)  # fmt: skip
    shares = found.main.shares
    rows = table(page)
    assert len(rows) == 6
    assert [row[0] for row in rows] == found.stripes.levels.tolist()
    assert [row[1] for row in rows] == shares.count.tolist()
    assert any(0 < row[1] < 12 for row in rows)
    for _, count, of, share, low, high in rows:
        exact = stats.binomtest(int(count), int(of)).proportion_ci(0.9, "exact")
        assert share == count / of
        assert low == pytest.approx(exact.low, rel=1e-9)
        assert high == pytest.approx(exact.high, rel=1e-9)
    assert page.locator(".many-outcome").inner_text() == found.sentence
    assert "In 100 such earthquakes" in page.locator(".many-meaning").inner_text()


def test_theories_are_compared_as_distributions(page: Any) -> None:
    theories = ["housner", "nonsmooth"]
    opened(page, question="theories", source="generated", count=8, seed=4, pga=1.0,
           theories=theories)  # fmt: skip
    run(page)
    finished(page)
    motions = [m.scaled_to(pga=GRAVITY_UNIT) for m in rs.stochastic.ensemble(8, seed=4)]
    fell = sum(rs.simulate(BLOCK, motion, rs.Housner()).fell for motion in motions)
    exact = stats.binomtest(fell, 8).proportion_ci(0.9, "exact")
    bar = page.locator(".many-bars li").first.inner_text()
    between = f"between {100 * exact.low:.0f} and {100 * exact.high:.0f} %"
    assert f"{fell} of 8, {between}" in bar
    assert "against" in page.locator(".many-outcome").inner_text()


def test_a_spectrum_is_that_of_the_library(page: Any) -> None:
    opened(page, question="spectrum", source="generated", count=3, seed=4, pga=0.6)
    run(page)
    finished(page)
    motions = [m.scaled_to(pga=0.6 * GRAVITY_UNIT) for m in rs.stochastic.ensemble(3, seed=4)]
    found = rs.analysis.rocking_spectrum(motions, alpha=BLOCK.alpha, progress=False)
    rows = table(page)
    assert [row[0] for row in rows] == found.periods.tolist()
    assert page.locator(".many-outcome").inner_text() == found.sentences[0]
