"""For everyone: axe finds nothing serious behind any door, light or dark, wide or narrow."""

from pathlib import Path
from typing import Any

import pytest

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
READY = {
    "ask": "main form, main fieldset, main input",
    "bench": ".verdict",
    "blocks": "main:has(.verdict):has(.lambda)",
    "many": "main button",
    "building": "main canvas, main .plot",
    "monitor": "main h1",
}


@pytest.mark.parametrize("door", READY)
@pytest.mark.parametrize(("theme", "width"), [("light", 1366), ("dark", 1366), ("light", 390)])
def test_axe_finds_nothing_serious(page: Any, door: str, theme: str, width: int) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make page")
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"/#/{door}")
    page.wait_for_selector(READY[door], timeout=60_000)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    bad = [one for one in found if one["impact"] in ("serious", "critical")]
    told = [(one["id"], one["help"], one["nodes"][0]["html"][:160]) for one in bad]
    assert not bad, told
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px wider than the window"
