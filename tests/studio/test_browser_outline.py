"""A person traces an object over a photograph, by mouse and by keyboard."""

import io
import json

import pytest

from rocksteady.bodies.outline import Outline

Image = pytest.importorskip("PIL.Image")
ImageDraw = pytest.importorskip("PIL.ImageDraw")

SIZE = (900, 700)
SHAPE = [(300, 650), (560, 650), (560, 600), (500, 580), (470, 300), (540, 180), (430, 60),
         (380, 90), (360, 300), (300, 600)]  # pixels, y down  # fmt: skip
HEIGHT = 2.36  # m, for 590 pixels: 4 mm each
METRE = 1 / 0.004


@pytest.fixture(scope="module")
def photograph():
    """A picture with an object of known shape, on a background that is not plain."""
    picture = Image.new("RGB", SIZE)
    pen = ImageDraw.Draw(picture)
    for y in range(0, SIZE[1], 10):
        pen.rectangle((0, y, SIZE[0], y + 10), fill=(150 + y // 10, 160, 190 - y // 10))
    pen.polygon(SHAPE, fill=(205, 195, 170))
    memory = io.BytesIO()
    picture.save(memory, "PNG")
    return {"name": "statue.png", "mimeType": "image/png", "buffer": memory.getvalue()}


@pytest.fixture(scope="module")
def known():
    return Outline([(x / METRE, (SIZE[1] - y) / METRE) for x, y in SHAPE])


@pytest.fixture
def stage(page, photograph):
    """The page with the photograph loaded, ready to be traced."""
    page.goto("/#/bench")
    page.get_by_role("button", name="Trace a photograph").click()
    page.locator(".tracing input[type=file]").first.set_input_files(photograph)
    return page.locator(".tracing-stage")


def place(stage, x, y):
    """Where a pixel of the picture is on the screen, from the corner of the stage."""
    box = stage.bounding_box()
    scale = min(box["width"] / SIZE[0], box["height"] / SIZE[1])
    left, top = (box["width"] - scale * SIZE[0]) / 2, (box["height"] - scale * SIZE[1]) / 2
    return {"x": left + scale * x, "y": top + scale * y}


def number(page, name):
    return float(page.locator(f".tracing dd[data-name={name}]").get_attribute("data-value"))


def settled(page, corners):
    page.get_by_text(f"{corners} corners", exact=True).wait_for()
    page.locator(".tracing dd[data-name=inertia]").wait_for()
    page.wait_for_timeout(400)  # the last answer


def state(page):
    """What the address holds."""
    page.wait_for_timeout(400)
    return page.evaluate(
        "JSON.parse(atob(new URLSearchParams(location.hash.split('?')[1]).get('s')"
        ".replaceAll('-', '+').replaceAll('_', '/')))"
    )


def test_area_and_centre_are_those_of_the_shape(page, stage, known):
    for x, y in SHAPE:
        stage.click(position=place(stage, x, y))
    page.get_by_label("Height of the object").fill(str(HEIGHT))
    page.get_by_role("dialog").get_by_label("Depth", exact=True).fill("0.3")
    settled(page, len(SHAPE))
    assert number(page, "area") == pytest.approx(known.area, rel=0.01)
    centre = known.centre[1] - known.floor
    assert number(page, "centre") == pytest.approx(centre, rel=0.01)
    middle = sum(known.base) / 2
    offset = known.centre[0] - middle
    assert number(page, "offset") == pytest.approx(offset, abs=0.01 * known.width)
    assert number(page, "base") == pytest.approx(known.width, rel=0.01)
    inertia = known.weighed(thickness=0.3).inertia
    assert number(page, "inertia") == pytest.approx(inertia, rel=0.02)

    page.get_by_role("button", name="Use this outline").click()
    page.locator(".tracing").wait_for(state="detached")
    body = state(page)["case"]["body"]
    assert len(body["outline"]) == len(SHAPE)
    assert body["height"] == pytest.approx(HEIGHT, rel=1e-4)
    page.get_by_role("button", name="Change the outline").wait_for()
    page.locator(".object-picture[aria-label^='2.36 ×']").wait_for()  # shaken and drawn


def test_corners_are_moved_deleted_and_brought_back(page, stage, known):
    wrong = (700, 400)
    for x, y in [*SHAPE[:5], wrong, *SHAPE[5:]]:
        stage.click(position=place(stage, x, y))
    page.get_by_label("Height of the object").fill(str(HEIGHT))
    settled(page, len(SHAPE) + 1)
    assert number(page, "area") > 1.05 * known.area
    page.locator("circle.corners").nth(5).focus()
    page.keyboard.press("Delete")
    settled(page, len(SHAPE))
    assert number(page, "area") == pytest.approx(known.area, rel=0.01)
    page.get_by_role("button", name="Undo").click()
    settled(page, len(SHAPE) + 1)
    assert number(page, "area") > 1.05 * known.area
    # dragged onto the side it belongs to, it changes nothing
    box = stage.bounding_box()
    ends = [place(stage, *wrong), place(stage, 505, 240)]
    page.mouse.move(box["x"] + ends[0]["x"], box["y"] + ends[0]["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + ends[1]["x"], box["y"] + ends[1]["y"], steps=4)
    page.mouse.up()
    settled(page, len(SHAPE) + 1)
    assert number(page, "area") == pytest.approx(known.area, rel=0.01)
    page.keyboard.press("Control+z")
    page.wait_for_timeout(400)
    assert number(page, "area") > 1.05 * known.area


def test_a_known_length_sets_the_scale(page, stage, known):
    page.get_by_text("A length in the picture is known").click()
    for x, y in (SHAPE[0], SHAPE[1], *SHAPE):  # the base first: 260 pixels, 1.04 m
        stage.click(position=place(stage, x, y))
    page.get_by_label("Length between the two marks").fill("1.04")
    settled(page, len(SHAPE))
    assert number(page, "area") == pytest.approx(known.area, rel=0.01)
    assert number(page, "base") == pytest.approx(1.04, rel=0.01)


def test_the_keyboard_alone_traces_a_triangle(page, stage):
    stage.focus()
    for keys in (["Enter"], ["Shift+ArrowRight"] * 12 + ["Enter"],
                 ["Shift+ArrowLeft"] * 6 + ["Shift+ArrowUp"] * 20 + ["Enter"]):  # fmt: skip
        for key in keys:
            page.keyboard.press(key)
    page.get_by_label("Height of the object").fill("2")
    settled(page, 3)
    assert number(page, "base") == pytest.approx(1.2, rel=1e-6)  # 120 pixels of 200 in 2 m
    assert number(page, "area") == pytest.approx(1.2, rel=1e-6)
    assert number(page, "centre") == pytest.approx(2 / 3, rel=1e-6)


def test_a_corner_is_set_exactly_where_the_wheel_came_nearer(page, stage):
    """Eight times nearer, a click is as much more exact: half a pixel of the picture or less."""
    for x, y in ((200, 600), (700, 600)):
        stage.click(position=place(stage, x, y))
    box, tip = stage.bounding_box(), place(stage, 333, 222)
    page.mouse.move(box["x"] + tip["x"], box["y"] + tip["y"])
    page.mouse.wheel(0, -1000)
    page.wait_for_timeout(200)
    page.mouse.click(box["x"] + tip["x"], box["y"] + tip["y"])
    corner = page.locator("circle.corners").nth(2)
    assert float(corner.get_attribute("cx")) == pytest.approx(333, abs=0.5)
    assert float(corner.get_attribute("cy")) == pytest.approx(222, abs=0.5)
    shown = stage.get_attribute("viewBox").split()
    assert float(shown[2]) == pytest.approx(SIZE[0] / 7.389, rel=0.01)


def test_an_outline_that_crosses_itself_is_refused_in_words(page, stage):
    for x, y in ((100, 600), (500, 600), (100, 200), (500, 200)):
        stage.click(position=place(stage, x, y))
    page.get_by_role("alert").filter(has_text="crosses or touches itself").wait_for()
    assert page.get_by_role("button", name="Use this outline").is_disabled()


def test_what_is_no_picture_is_said(page):
    page.goto("/#/bench")
    page.get_by_role("button", name="Trace a photograph").click()
    wrong = {"name": "notes.txt", "mimeType": "text/plain", "buffer": json.dumps({}).encode()}
    page.locator(".tracing input[type=file]").first.set_input_files(wrong)
    page.get_by_role("alert").filter(has_text="not a picture").wait_for()
