"""A 3D scan is dropped on the page, shaken, and seen in space."""

import base64
import io

import pytest

import rocksteady as rs

Image = pytest.importorskip("PIL.Image")
WAIT = 240_000  # ms: the theory in space may have to be compiled
DROP = """([name, content]) => {
  const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  return transfer;
}"""


def stl(body, per_metre=1000):
    """The surface of a body as an STL of text, in millimetres."""
    lines = ["solid scan"]
    for face in body.shape.faces:
        for i in range(1, len(face) - 1):
            lines += ["facet normal 0 0 0", "outer loop"]
            for k in (face[0], face[i], face[i + 1]):
                lines.append(
                    "vertex " + " ".join(f"{per_metre * v:.6f}" for v in body.shape.vertices[k])
                )
            lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid scan"]).encode()


@pytest.fixture(scope="module")
def vase():
    return rs.Body.drum(0.30, 0.42, 1.2)


def dropped(page, name, content):
    page.goto("/#/bench")
    page.locator(".object .drop").wait_for()
    encoded = base64.b64encode(content).decode()
    transfer = page.evaluate_handle(DROP, [name, encoded])
    page.locator(".object .drop").dispatch_event("drop", {"dataTransfer": transfer})


def picture(page):
    page.wait_for_timeout(500)  # drawn
    content = page.locator(".space-stage").screenshot()
    return Image.open(io.BytesIO(content)).convert("RGB")


def test_a_scan_is_dropped_shaken_and_seen(page, vase):
    dropped(page, "vase.stl", stl(vase))
    label = page.locator(".space-stage canvas")
    label.wait_for(timeout=WAIT)
    assert "1.2" in label.get_attribute("aria-label")
    page.get_by_text("taken for mm").first.wait_for()  # what was guessed is said
    slider = page.get_by_role("slider", name="Time")
    slider.fill("0")
    upright = picture(page)
    assert len(upright.getcolors(1 << 20)) > 50  # shaded stone, shadow and grid: not one colour
    slider.fill(slider.get_attribute("max"))
    later = picture(page)
    assert later.tobytes() != upright.tobytes()
    page.locator(".space-stage").focus()
    page.keyboard.press("ArrowLeft")
    assert picture(page).tobytes() != later.tobytes()  # seen from another side
    mass = page.get_by_text("Mass:").inner_text()
    assert float(mass.split()[1]) == pytest.approx(vase.mass, rel=0.01)


def test_without_webgl_the_page_says_so_and_shows_the_histories(page, vase):
    page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        "  return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest); };"
    )
    dropped(page, "vase.stl", stl(vase))
    page.get_by_text("cannot draw in three dimensions").wait_for(timeout=WAIT)
    assert page.locator(".histories .plot canvas").count() >= 2
    assert page.locator(".outcome").first.inner_text()


def test_a_broken_scan_is_refused_in_a_sentence(browser, studio):
    context = browser.new_context(base_url=studio.url)  # its console tells of the answer 422
    page = context.new_page()
    dropped(page, "vase.stl", b"solid nothing\nendsolid nothing\n")
    page.locator(".object [role=status]").first.wait_for(timeout=WAIT)
    assert "vase.stl" in page.locator(".object [role=status]").first.inner_text()
    assert page.locator(".stage").count()  # the statue is still there
    context.close()
