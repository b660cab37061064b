"""The pictures of studio.md, made anew from a running studio: about two minutes.

    python docs/studio_pictures.py [NAME ...]

They go to docs/_static. Needs the built page (make page), playwright, and Debian's Chromium.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FIGURES = Path(__file__).parent / "_static"
PHONE, LAPTOP, PROJECTOR = (390, 844), (1366, 900), (1920, 1080)
COLOURS = 128  # of a picture: keeps the files small
PATIENCE = 180_000  # ms
Act = Callable[[Any], None]


def main(*chosen: str) -> None:
    """All pictures, or those that are named."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tools:
        process, url = _started(folder)
        browser = tools.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        try:
            for name, door, size, theme, act in PICTURES:
                if chosen and name not in chosen:
                    continue
                context = browser.new_context(
                    viewport={"width": size[0], "height": size[1]}, color_scheme=theme, base_url=url
                )
                page = context.new_page()
                page.goto(f"/#/{door}")
                act(page)
                _keep(page.screenshot(), FIGURES / f"studio-{name}.png")
                context.close()
                print(name, flush=True)
        finally:
            browser.close()
            process.terminate()
            process.wait(20)


def _started(folder: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "rocksteady", "studio", "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--folder", folder], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    raise SystemExit("The studio did not start.")


def _keep(picture: bytes, path: Path) -> None:
    """With few colours, as small as it goes."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


# -- what is done before the picture is taken ----------------------------------------------------


def rocking(page: Any) -> None:
    """A statue that leans: some way into its run."""
    page.wait_for_selector(".verdict", timeout=PATIENCE)
    page.get_by_label("Peak acceleration [g]").fill("0.36")
    page.get_by_label("Peak acceleration [g]").press("Enter")
    page.wait_for_selector('.result[aria-busy="false"]', timeout=PATIENCE)
    page.wait_for_timeout(700)
    pause = page.get_by_role("button", name="Pause")
    if pause.count():
        pause.click()
    page.evaluate("window.scrollTo(0, 0)")
    page.wait_for_timeout(300)


def settled(page: Any) -> None:
    page.wait_for_selector("main h1", timeout=PATIENCE, state="attached")
    page.wait_for_timeout(2500)


def shaken(page: Any) -> None:
    """A building in the middle of its earthquakes."""
    page.get_by_role("button", name="Pause").wait_for(timeout=PATIENCE)
    page.get_by_text("Loading").wait_for(state="hidden", timeout=PATIENCE)
    page.wait_for_timeout(8000)


def watched(page: Any) -> None:
    """Eight buildings, after a while."""
    page.get_by_text("16 ×").click(timeout=PATIENCE)
    page.get_by_role("button", name="Watch eight buildings").click()
    page.wait_for_timeout(30_000)


def mapped(page: Any) -> None:
    """A finished overturning map, and one of its runs."""
    page.get_by_role("button", name="Run", exact=True).first.click(timeout=PATIENCE)
    page.get_by_text("Click a point of the map").wait_for(timeout=PATIENCE)
    page.locator("main progress").wait_for(state="hidden", timeout=PATIENCE)
    page.locator("main canvas").first.click(position={"x": 270, "y": 250})
    page.wait_for_timeout(9000)


def answered(page: Any) -> None:
    """The sentence after all questions, for a slender statue."""
    page.get_by_label("Width of the base [m]").fill("0.32")
    page.get_by_label("Width of the base [m]").press("Enter")
    page.get_by_role("button", name="Shake it").click(timeout=PATIENCE)
    page.wait_for_timeout(1000)
    page.locator("main progress").wait_for(state="hidden", timeout=PATIENCE)
    page.wait_for_timeout(1000)
    page.evaluate("window.scrollTo(0, 0)")


def drums(page: Any) -> None:
    """A column that rocks on its lowest drum."""
    page.wait_for_selector(".outcome", timeout=PATIENCE)
    moment(page, 2.6)


def falling_wall(page: Any) -> None:
    """A wall with a window, some way into its collapse."""
    page.get_by_text("Wall", exact=True).click(timeout=PATIENCE)
    page.get_by_text("window", exact=True).click()
    page.get_by_label("Peak acceleration [g]").fill("0.9")
    page.get_by_label("Peak acceleration [g]").press("Enter")
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Shake it").click(timeout=PATIENCE)
    page.wait_for_selector(".outcome", timeout=PATIENCE)
    moment(page, 1.0)
    page.evaluate("window.scrollTo(0, 0)")


def moment(page: Any, when: float) -> None:
    """Go to a moment of a run [s]."""
    page.get_by_label("Time", exact=True).evaluate(
        "(input, at) => { input.value = at; input.dispatchEvent(new Event('input')) }", when
    )
    page.wait_for_timeout(600)


def downloads(page: Any) -> None:
    rocking(page)
    page.get_by_role("button", name="Take it with you").click()
    page.wait_for_timeout(300)


PICTURES: list[tuple[str, str, tuple[int, int], str, Act]] = [
    ("bench", "bench", LAPTOP, "light", rocking),
    ("bench-phone", "bench", PHONE, "light", rocking),
    ("bench-projector", "bench", PROJECTOR, "dark", rocking),
    ("take", "bench", LAPTOP, "light", downloads),
    ("ask", "ask", LAPTOP, "light", settled),
    ("answer", "ask", LAPTOP, "light", answered),
    ("blocks", "blocks", LAPTOP, "light", falling_wall),
    ("blocks-phone", "blocks", PHONE, "light", drums),
    ("many", "many", LAPTOP, "light", mapped),
    ("building", "building", LAPTOP, "light", shaken),
    ("monitor", "monitor", LAPTOP, "light", watched),
]
"""The name of each picture, its door, the window, the theme, and what is done first."""


if __name__ == "__main__":
    main(*sys.argv[1:])
