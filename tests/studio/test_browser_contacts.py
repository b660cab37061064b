"""The contacts of a body on springs, chosen on the page: a block beside a wall, on a pad."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rocksteady as rs
from rocksteady.specs import CaseSpec

WAIT = 240_000  # ms: the theory may have to be compiled


def asked_by(page: Any, act: Any) -> dict[str, Any]:
    """The case that the page asks for after ``act``."""
    with page.expect_response(lambda r: r.url.endswith("/api/simulate"), timeout=WAIT) as told:
        act()
    case: dict[str, Any] = json.loads(told.value.request.post_data)
    return case


def test_a_wall_is_put_beside_the_body_and_a_link_restores_it(page, browser):
    page.goto("/#/bench")
    page.wait_for_selector(".outcome", timeout=WAIT)
    asked_by(page, lambda: page.get_by_text("Rigid body spring", exact=True).first.click())
    page.locator("details.options", has_text="Rigid body spring").locator("summary").click()
    page.get_by_text("It stands on its whole base.").wait_for()
    case = asked_by(page, lambda: page.get_by_role("button", name="Add a contact").click())
    wall = {"kind": "wall", "side": "right", "gap": 0.01}
    assert case["theories"][1]["interfaces"] == [{"kind": "base"}, wall]

    def lift() -> None:
        page.get_by_label("Contact 2: From the height").fill("1.5")
        page.keyboard.press("Enter")

    case = asked_by(page, lift)
    assert case["theories"][1]["interfaces"][1] == wall | {"bottom": 1.5}
    own = rs.simulate(**CaseSpec.checked(case).build()[1])
    shown = page.locator(".outcome", has_text="Rigid body spring")
    page.get_by_text(str(own.outcome)).first.wait_for(timeout=WAIT)
    assert str(own.outcome) in shown.inner_text()
    page.wait_for_timeout(600)  # until the address has it

    window = browser.new_context(base_url=page.url.partition("/#")[0]).new_page()
    window.goto(page.url)
    window.get_by_text(str(own.outcome)).first.wait_for(timeout=WAIT)
    window.locator("details.options", has_text="Rigid body spring").locator("summary").click()
    assert window.get_by_label("Contact 2: From the height").input_value() == "1.5"
    window.context.close()

    case = asked_by(page, lambda: page.get_by_role("button", name="Remove contact 2").click())
    assert case["theories"][1]["interfaces"] == [{"kind": "base"}]
    case = asked_by(page, lambda: page.get_by_role("button", name="Remove contact 1").click())
    assert "interfaces" not in case["theories"][1]


WALL = {"kind": "wall", "side": "right", "bottom": 1.5, "gap": 0.01}
CASE = {
    "body": {"kind": "Block", "height": 2.0, "width": 0.4},
    "motion": {"pulse": "sine,a=4,T=0.4"},
}


@pytest.mark.parametrize("contacts", [["base", "wall,side=right,bottom=1.5,gap=0.01"],
                                      [{"kind": "base"}, WALL]])  # fmt: skip
def test_words_and_tables_of_a_request_are_those_of_the_package(client, contacts):
    case = CASE | {"theories": [{"name": "springs", "interfaces": contacts}]}
    answer = client.post("/api/simulate", json=case)
    assert answer.status_code == 200, answer.text
    own = rs.simulate(**CaseSpec.checked(case).build()[0])
    assert answer.json()["runs"][0]["peak"] == own.peak
    script = client.post("/api/take/script", json=case).text
    space: dict[str, Any] = {}
    exec(script, space)
    found = [thing for thing in space.values() if isinstance(thing, rs.Response)]
    assert [run.peak for run in found] == [own.peak]


def test_a_contact_that_cannot_be_is_told_in_its_words(client):
    odd = [{"kind": "base"}, WALL | {"gap": -1}]
    case = CASE | {"theories": [{"name": "springs", "interfaces": odd}]}
    answer = client.post("/api/simulate", json=case)
    assert answer.status_code == 422
    said = answer.json()["error"]
    assert "Interface 'wall,side=right,bottom=1.5,gap=-1': gap = -1 is not allowed" in said
