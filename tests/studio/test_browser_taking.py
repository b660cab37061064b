"""In a browser: what is downloaded from the workbench is what it shows; a link restores it."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import rocksteady as rs

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
READY = ".verdict .peak"


def opened(page: Any, address: str = "/#/bench") -> None:
    page.goto(address)
    page.wait_for_selector(READY, state="attached", timeout=90_000)


def peaks(page: Any) -> list[float]:
    """The numbers behind what is shown, once the last change is answered."""
    page.wait_for_selector('.result[aria-busy="false"]', timeout=90_000)
    return [float(one.get_attribute("value")) for one in page.locator(READY).all()]


def sized(page: Any, height: str) -> None:
    """Another height of the object [m], and the answer to it."""
    with page.expect_response("**/api/simulate"):
        page.get_by_label("Height [m]").fill(height)
        page.get_by_label("Height [m]").press("Enter")


def taken(page: Any, what: str) -> Any:
    """The file, as the browser saves it."""
    if not page.get_by_role("heading", name="Take it with you").is_visible():
        page.get_by_role("button", name="Take it with you").click()
    with page.expect_download(timeout=90_000) as waiting:
        page.locator(f'[data-take="{what}"]').click()
    return waiting.value


def test_the_script_prints_the_numbers_on_the_page(page: Any, tmp_path: Path) -> None:
    opened(page)
    sized(page, "2.1")
    page.locator("input[type=checkbox][value=nonsmooth]").check(force=True)
    page.locator(".verdict").nth(1).wait_for(state="attached", timeout=90_000)
    shown = peaks(page)
    file = taken(page, "script")
    assert file.suggested_filename == "statue-sine.py"
    file.save_as(tmp_path / "script.py")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told = [line.rpartition(" = ")[2] for line in done.stdout.splitlines() if "peak" in line]
    assert [float(one) for one in told] == shown
    assert "height=2.1" in (tmp_path / "script.py").read_text(encoding="utf-8")


def test_the_table_and_the_film_are_of_this_run(page: Any, tmp_path: Path) -> None:
    opened(page)
    (shown,) = peaks(page)
    taken(page, "csv").save_as(tmp_path / "run.csv")
    assert rs.Response.load(tmp_path / "run.csv").peak == shown
    film = Image.open(io.BytesIO(Path(taken(page, "gif").path()).read_bytes()))
    assert film.size[0] == 720 and getattr(film, "n_frames", 1) > 10


def test_the_script_and_the_film_of_a_flexible_column(page: Any, tmp_path: Path) -> None:
    opened(page)
    page.get_by_label("On a flexible column").check(force=True)
    page.wait_for_selector('.verdict[data-theory="nonsmooth"]', timeout=90_000)
    with page.expect_response("**/api/simulate", timeout=90_000):
        page.get_by_label("Giouvanidis 2016, Fig. 7").check(force=True)
    (shown,) = peaks(page)
    taken(page, "script").save_as(tmp_path / "script.py")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (told,) = [line.rpartition(" = ")[2] for line in done.stdout.splitlines() if "peak" in line]
    assert float(told) == shown
    film = Image.open(io.BytesIO(Path(taken(page, "gif").path()).read_bytes()))
    assert film.size[0] == 720 and getattr(film, "n_frames", 1) > 10


def test_a_link_restores_the_state_in_a_new_window(page: Any, browser: Any, studio: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page)
    sized(page, "1.37")
    shown = peaks(page)
    page.locator('[data-take="link"]').click()
    page.get_by_text("Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{studio.url}/#/bench?s=")
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    other = context.new_page()
    opened(other, link)
    assert other.get_by_label("Height [m]").input_value() == "1.37"
    assert np.array_equal(peaks(other), shown)
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_menu(page: Any, theme: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make page")
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page)
    page.get_by_role("button", name="Take it with you").click()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run('.taking', {resultTypes: ['violations']})")["violations"]
    assert not [one for one in found if one["impact"] in ("serious", "critical")]


def test_the_menu_works_by_keyboard(page: Any) -> None:
    opened(page)
    page.get_by_role("button", name="Take it with you").focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("group", name="Take it with you")
    menu.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.take") == "script"
    page.keyboard.press("Escape")
    menu.wait_for(state="hidden")
