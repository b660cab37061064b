"""Entries that cannot be used, damaged links, the first seconds, and memory, in a browser."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from rocksteady.bodies.presets import FREE_WALL

WAIT = 120_000  # ms: a theory may have to be compiled, on two cores that others use, too
STATUE = {"kind": "Block", "preset": "statue", "height": 1.8, "width": 0.5}


@pytest.fixture
def window(browser: Any, studio: Any) -> Iterator[Any]:
    """A window that may be refused something: its console tells of every answer 422."""
    context = browser.new_context(viewport={"width": 1366, "height": 900}, base_url=studio.url)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert not faults


def link(door: str, state: Any) -> str:
    text = state if isinstance(state, str) else json.dumps(state)
    return f"/#/{door}?s={base64.urlsafe_b64encode(text.encode()).decode().rstrip('=')}"


def field(page: Any, label: str) -> Any:
    return page.get_by_role("spinbutton", name=label, exact=True)


def put(page: Any, label: str, value: str) -> None:
    field(page, label).fill(value)
    field(page, label).blur()


def why(page: Any, label: str) -> str:
    """What the field says under itself."""
    at = field(page, label).get_attribute("aria-describedby")
    return "" if at is None else page.locator(f"[id='{at}']").inner_text()


def test_an_entry_that_is_not_used_says_why_and_takes_the_verdict_away(window: Any) -> None:
    window.goto("/#/bench")
    window.locator(".verdict").wait_for()
    for value, said in (("-3", "Height must be more than 0 m."), ("", "Height: give a number.")):
        put(window, "Height [m]", value)
        assert why(window, "Height [m]") == said
        assert field(window, "Height [m]").input_value() == value
        assert window.locator(".result").inner_text() == f"Not computed. {said}"
        assert window.locator(".stale .stage").evaluate("e => getComputedStyle(e).opacity") == "0.3"
        assert window.get_by_role("button", name="Take it with you").is_disabled()
    put(window, "Height [m]", "1.9")
    window.locator(".verdict").wait_for()
    assert not why(window, "Height [m]") and not window.locator(".stale").count()

    put(window, "Height of the centre of mass [m]", "5")  # only the server knows
    window.locator(".stale").wait_for()
    assert "lies above the block's top" in why(window, "Height of the centre of mass [m]")
    assert not why(window, "Height [m]") and not window.locator(".verdict").count()


def test_every_field_refuses_or_computes_what_is_out_of_range(window: Any) -> None:
    floor = {"period": 0.4, "storeys": 4, "level": 4}
    case = {"body": STATUE, "motion": {"pulse": "sine,a=0.4g,T=0.8"}, "floor": floor}
    window.goto(link("bench", {"case": case}))
    window.locator(".verdict").wait_for()
    window.locator(".options summary").first.click()
    labels = [one.get_attribute("aria-label") for one in window.locator("input[type=number]").all()]
    assert len(labels) >= 12
    for label in labels:
        before = field(window, label).input_value()
        for value in ("-3", "1e7"):
            put(window, label, value)
            window.wait_for_timeout(20)
            window.locator(".result[aria-busy=false]").wait_for()
            refused = bool(why(window, label))
            assert refused == bool(window.locator(".stale").count()), (label, value)
            assert refused != bool(window.locator(".verdict").count()), (label, value)
        put(window, label, before)
        window.locator(".verdict").wait_for()


def test_the_fields_of_a_flexible_column_say_why_they_refuse(window: Any) -> None:
    body = {"kind": "FlexibleOscillator", "preset": "giouvanidis2016", "height": 3.0}
    theories = [{"name": "nonsmooth", "epsilon": [0.2, 0.4], "friction": 0.5}]
    case = {"body": body, "motion": {"pulse": "sine,a=0.4g,T=0.8"}, "theories": theories}
    window.goto(link("bench", {"case": case}))
    window.locator(".verdict").wait_for()
    window.locator(".options summary").first.click()
    for label, value, said in (
        ("Mass at the top [kg]", "0", "Mass at the top must be more than 0 kg."),
        ("Mass of the column [kg]", "-1", "Mass of the column must be at least 0 kg."),
        ("Damping [%]", "150", "damping_ratio = 1.5 is not allowed"),
        ("epsilon, left edge", "1.4", "epsilon = 1.4 is not allowed"),
        ("friction", "-1", "friction = -1 is not allowed"),
    ):
        before = field(window, label).input_value()
        put(window, label, value)
        window.locator(".stale").wait_for()
        assert said in why(window, label), label
        assert not why(window, "epsilon, right edge"), label
        assert not window.locator(".verdict").count()
        put(window, label, before)
        window.locator(".verdict").wait_for()


SEEN = """element => {
    let seen = 1;
    for (let one = element; one; one = one.parentElement) seen *= getComputedStyle(one).opacity;
    return seen;
}"""


def test_no_limit_load_of_other_stones_stays_beside_an_entry_that_is_not_used(window: Any) -> None:
    window.goto("/#/blocks")
    window.locator(".verdict").wait_for()
    load = window.locator(".lambda")
    load.wait_for()
    parts = (load, window.locator(".mechanism"), window.locator(".told").first)
    for value in ("-3", "1e300"):  # the page refuses one, the server the other
        put(window, "Drums", value)
        window.locator(".result .problem").wait_for()
        assert [part.evaluate(SEEN) for part in parts] == [0.3, 0.3, 0.3], value
        assert not window.locator(".verdict").count()
        assert window.get_by_role("button", name="Take it with you").is_disabled()
        assert window.get_by_role("button", name="Play").is_disabled()
        assert len(why(window, "Drums")) < 200
    put(window, "Drums", "5")
    window.locator(".verdict").wait_for()
    assert load.evaluate(SEEN) == 1.0


def test_what_many_runs_found_is_grey_beside_an_entry_that_is_not_used(window: Any) -> None:
    window.goto(link("many", {"question": "fragility", "count": 3, "levels": 3}))
    window.get_by_role("button", name="Run").first.click()
    found = window.locator(".many-main .plot").first
    found.wait_for()
    put(window, "Height [m]", "-3")
    assert found.evaluate(SEEN) == 0.3
    said = window.locator(".many-main .problem").inner_text()
    assert said == "Not computed. Height must be more than 0 m."
    put(window, "Height [m]", "1.8")
    assert found.evaluate(SEEN) == 1.0
    assert not window.locator(".many-main .problem").count()


def test_a_verdict_that_waits_to_be_replaced_is_grey(window: Any) -> None:
    window.goto("/#/bench")
    window.locator(".verdict").wait_for()
    held: list[Any] = []
    window.route("**/api/simulate", lambda route: held.append(route))
    put(window, "Height [m]", "2.5")
    window.locator(".late .verdict").wait_for()
    assert window.locator(".late .plot").first.evaluate(SEEN) == 0.3
    assert window.locator(".verdict").evaluate(SEEN) == 0.3
    held[0].continue_()
    window.locator(".bench:not(.late) .verdict").wait_for()
    assert window.locator(".verdict").evaluate(SEEN) == 1.0


DAMAGED: list[tuple[str, Any]] = [
    ("bench", {"case": None}),
    ("bench", {"case": 5}),
    ("bench", {"case": {}}),
    ("bench", {"case": {"body": None}}),
    ("bench", {"case": {"body": {"height": "tall"}}}),
    ("bench", {"case": {"body": STATUE, "motion": "sine"}}),
    ("bench", {"case": {"body": STATUE, "motion": {"pulse": 5}}}),
    ("bench", {"case": {"body": STATUE, "motion": {"stochastic": None}}}),
    ("bench", {"case": {"body": STATUE, "theories": [None]}}),
    ("bench", {"case": {"body": STATUE, "floor": 7}}),
    ("bench", '{"case":'),
    ("bench", 7),
    ("ask", {"question": None}),
    ("ask", {"asked": True, "question": {"what": "?"}}),
    ("blocks", {"kind": "tower"}),
    ("blocks", {"sizes": {"drums": {"count": "a"}}}),
    ("building", {"quakes": None}),
    ("building", {"other": []}),
    ("many", {"body": None}),
    ("many", {"slenderness": None}),
    ("monitor", {"name": None}),
]


def test_a_damaged_link_opens_the_page_and_says_so(window: Any) -> None:
    """Of each door the first in a new window, the others in the open one."""
    opened: set[str] = set()
    for door, state in DAMAGED:
        if door in opened:
            window.evaluate("address => void (location.hash = address)", link(door, state)[1:])
        else:
            window.goto("about:blank")
            window.goto(link(door, state))
        opened.add(door)
        window.locator(".notice").wait_for()
        assert "This link is damaged" in window.locator(".notice").inner_text()
        window.locator("main h1, main h2").first.wait_for(state="attached")
        window.locator(".notice button").click()
    window.goto(link("monitor", {"name": "", "window": 30, "speed": 4}))
    window.locator("main h1, main h2").first.wait_for(state="attached")
    assert not window.locator(".notice").count()


def test_the_object_is_seen_while_its_first_run_is_awaited(window: Any) -> None:
    held: list[Any] = []
    window.route("**/api/simulate", lambda route: held.append(route))
    window.goto("/#/bench")
    window.locator(".object-picture").wait_for()
    assert window.get_by_role("button", name="Play").is_disabled()
    assert not window.get_by_role("button", name="Pause").count()
    assert window.locator(".waiting progress").is_visible()
    assert window.locator("canvas.stage").evaluate(DRAWN) > 1000
    held[0].continue_()
    window.locator(".verdict").wait_for()
    assert window.get_by_role("button", name="Pause").is_enabled()


@pytest.mark.parametrize(
    ("door", "asked", "picture"),
    [("blocks", "assembly/simulate", "canvas.stones"), ("building", "sequence", "")],
)
def test_a_first_answer_is_awaited_with_progress(
    window: Any, door: str, asked: str, picture: str
) -> None:
    held: list[Any] = []
    window.route(f"**/api/{asked}", lambda route: held.append(route))
    window.goto(f"/#/{door}")
    window.locator(".waiting progress").wait_for()
    window.locator(".waiting .number", has_text="2 s").wait_for()
    if picture:
        stones = window.locator(picture)
        assert stones.evaluate(DRAWN) > 1000 and stones.evaluate(SEEN) == 1.0
    assert not window.locator(".late").count() and not window.locator(".outcome").count()
    held[0].continue_()
    window.locator(".outcome").wait_for()
    assert not window.locator(".waiting").count()


DRAWN = """canvas => {
    const {width, height} = canvas;
    const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
    return pixels.filter((value, i) => i % 4 === 3 && value === 255).length;
}"""


def test_a_lean_of_nearly_nothing_looks_like_nothing(window: Any) -> None:
    weak = {"body": STATUE, "motion": {"pulse": "sine,a=0.268g,T=0.3"}}
    window.goto(link("bench", {"case": weak}))
    window.locator(".verdict").wait_for()
    peak = float(window.locator("data.peak").get_attribute("value"))
    assert 0 < peak < 1e-3
    low, high = window.locator(".plot[data-range]").get_attribute("data-range").split()
    assert float(high) == -float(low) >= 0.05


@pytest.mark.parametrize(
    ("door", "asked"), [("bench", "simulate"), ("building", "sequence"), ("blocks", "assembly")]
)
def test_every_warning_of_an_answer_is_shown(window: Any, door: str, asked: str) -> None:
    def warned(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"warnings": ["One.", "Two."]})

    window.route(f"**/api/{asked}", warned)
    window.goto(f"/#/{door}")
    for sentence in ("One.", "Two."):
        window.locator(".warning", has_text=sentence).wait_for()


def test_a_wall_says_that_it_is_computed_as_free(window: Any) -> None:
    window.goto(link("bench", {"case": {"body": {"preset": "facade"}, "theta0": 0.01}}))
    window.locator(".verdict").wait_for()
    assert FREE_WALL in window.locator(".result .warning").inner_text()


def grown(window: Any, moves: int) -> float:
    """MB that the page keeps of so many moves of a slider."""
    window.goto("/#/bench")
    window.locator(".verdict").wait_for()
    tools = window.context.new_cdp_session(window)

    def used() -> float:
        for _ in range(3):
            tools.send("HeapProfiler.collectGarbage")
        found = tools.send("Runtime.getHeapUsage")
        return float(found["usedSize"] + found["backingStorageSize"]) / 1e6

    slider = window.get_by_role("slider", name="Peak acceleration").first
    before = used()
    for move in range(moves):
        slider.evaluate(MOVE, 150 + (7 * move) % 120)
        window.locator(".result[aria-busy=false]").wait_for()
    return used() - before


MOVE = """(slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def test_moves_of_a_slider_leave_nothing_behind(window: Any) -> None:
    assert grown(window, 40) < 3.0  # it kept 15 MB while old answers were held


@pytest.mark.slow
def test_nine_hundred_moves_of_a_slider_leave_nothing_behind(window: Any) -> None:
    began = time.monotonic()
    found = grown(window, 900)
    print(f"{found:.1f} MB after 900 moves in {time.monotonic() - began:.0f} s")
    assert found < 30.0
