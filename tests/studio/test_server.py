"""The server itself: it starts, answers, and says so where it cannot."""

import httpx

import rocksteady as rs


def test_it_says_what_it_can_do(client: httpx.Client) -> None:
    about = client.get("/api/about").json()
    assert about["version"] == rs.__version__
    assert {"housner", "spatial", "masonry"} <= {one["name"] for one in about["theories"]}
    assert all(one["words"] and one["bodies"] for one in about["theories"])
    assert about["presets"]["statue"]["height"] == 1.8


def test_the_page_or_a_sentence_is_there(client: httpx.Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200 and "Rocksteady Studio" in answer.text


def test_an_unknown_address_is_answered_with_a_sentence(client: httpx.Client) -> None:
    answer = client.get("/api/nothing")
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("There is nothing at this address")
