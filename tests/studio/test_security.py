"""Nobody else gets in: other sites, other names of this machine, other computers."""

import asyncio
import contextlib
import re
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from rocksteady.studio.app import create_app
from rocksteady.studio.guard import levels
from rocksteady.studio.limits import LISTENERS
from rocksteady.studio.listening import Listeners
from rocksteady.studio.problems import BusyError
from rocksteady.studio.settings import Settings
from rocksteady.studio.workers import FaultError
from studio.conftest import started, stopped

CASE = {"body": {"kind": "Block", "height": 1.8, "width": 0.5}, "theta0": 0.1}


def raw(url: str, text: str, wait: float = 10.0) -> str:
    """What the server answers to these very bytes."""
    at = urlsplit(url)
    with socket.create_connection((at.hostname, at.port), timeout=wait) as line:
        line.sendall(text.encode())
        got = b""
        while part := line.recv(65536):
            got += part
            if b"\r\n\r\n" in got:
                break
    return got.decode("latin-1")


# -- by another name (DNS rebinding) --------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example",
                                  "localhost.evil.example", "", "[::", "192.168.1.7",
                                  "evil.example@127.0.0.1", "127.0.0.1/@evil.example"])  # fmt: skip
def test_a_name_that_is_not_its_own_is_refused(studio: Any, host: str) -> None:
    for path in ("/", "/api/about"):
        answer = raw(studio.url, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")
        assert re.match(r"HTTP/1.1 (403|400) ", answer), answer


def test_its_own_names_are_let_in(studio: Any) -> None:
    port = urlsplit(studio.url).port
    for host in ("127.0.0.1", "localhost", f"LOCALHOST:{port}", f"[::1]:{port}"):
        answer = raw(studio.url, f"GET /api/compiling HTTP/1.1\r\nHost: {host}\r\n\r\n")
        assert answer.startswith("HTTP/1.1 200"), host


# -- from another page (CSRF) ---------------------------------------------------------------------

ELSEWHERE = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},  # another program on this machine
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", ELSEWHERE, ids=str)
def test_another_site_is_refused(client: httpx.Client, headers: dict[str, str]) -> None:
    for answer in (
        client.get("/api/about", headers=headers),
        client.post("/api/simulate", json=CASE, headers=headers),
        client.post("/api/uploads", params={"name": "a.csv"}, content=b"1", headers=headers),
    ):
        assert answer.status_code == 403
        assert "other sites" in answer.json()["error"]


def test_the_own_page_is_let_in(client: httpx.Client, studio: Any) -> None:
    headers = {"Origin": studio.url, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/simulate", json=CASE, headers=headers).status_code == 200


def test_no_other_site_may_read_an_answer(client: httpx.Client) -> None:
    answer = client.options("/api/simulate", headers={
        "Origin": "http://evil.example", "Access-Control-Request-Method": "POST"})  # fmt: skip
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


# -- what browsers are told -----------------------------------------------------------------------


def test_every_answer_has_the_security_headers(client: httpx.Client) -> None:
    for path in ("/", "/api/about", "/api/nothing", "/nothing", "/api/docs"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "connect-src 'self'" in policy
        assert "unsafe" not in policy and "http" not in policy and "*" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert client.get("/api/about").headers["cache-control"] == "no-store"
    assert client.get("/").headers["cache-control"] == "no-cache"


def test_a_fault_has_the_security_headers(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings(tmp_path))

    class Faulty:
        async def call(self, *asked: Any) -> bytes:
            raise FaultError(f"a fault in {tmp_path}")

    app.state.studio.workers = Faulty()

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app)  # raises what the server would log and not answer
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/api/about")

    answer = asyncio.run(asked())
    assert answer.status_code == 500 and "fault in rocksteady" in answer.json()["error"]
    assert str(tmp_path) not in answer.text and str(tmp_path) in caplog.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


def test_what_has_its_content_in_its_name_is_kept_by_browsers(client: httpx.Client) -> None:
    found = re.search(r'(?:src|href)="\.?(/assets/[^"]+)"', client.get("/").text)
    if found is None:
        pytest.skip("the page is not built: make page")
    answer = client.get(found[1])
    assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
    missing = client.get("/assets/nothing.js")
    assert missing.status_code == 404 and missing.headers["cache-control"] == "no-store"


def test_no_file_outside_the_page_is_served(studio: Any) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "//etc/passwd", "/assets/../../x"):
        answer = raw(studio.url, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert "import" not in answer and "root:" not in answer
        assert re.match(r"HTTP/1.1 (404|400|200) ", answer)


# -- what a description may name ------------------------------------------------------------------


@pytest.mark.parametrize("part", [
    {"motion": {"file": "/etc/passwd"}},
    {"motion": {"file": "../../etc/passwd"}},
    {"motion": {"record": "uploads/0123456789abcdef/../../x"}},
    {"motion": {"folder": "."}},
    {"motion": {"stochastic": {"count": 1, "like": "/etc/passwd"}}},
    {"body": {"kind": "Body", "mesh": "/etc/passwd"}},
], ids=str)  # fmt: skip
def test_only_uploaded_files_can_be_named(client: httpx.Client, part: dict[str, Any]) -> None:
    answer = client.post("/api/simulate", json=CASE | part)
    assert answer.status_code == 422
    assert "only files that were uploaded" in answer.json()["error"]


def test_nothing_is_imported_for_a_client(client: httpx.Client) -> None:
    for case in (
        {"body": {"kind": "antigravity:Block"}},
        CASE | {"theories": [{"name": "antigravity:x"}]},
    ):
        answer = client.post("/api/simulate", json=case)
        assert answer.status_code == 422 and "there is no" in answer.json()["error"].lower()


def test_no_path_of_the_machine_is_shown(client: httpx.Client, studio: Any) -> None:
    gone = "uploads/0123456789abcdef/gone.AT2"
    for case in (
        CASE | {"motion": {"file": gone}},
        CASE | {"motion": {"record": gone}},
        {"body": {"kind": "Body", "mesh": gone.replace("AT2", "stl")}},
    ):
        answer = client.post("/api/simulate", json=case)
        error = answer.json()["error"]
        assert answer.status_code == 422 and "gone" in error
        assert str(studio.folder) not in error and "/" not in error


# -- other computers ------------------------------------------------------------------------------


def test_another_host_needs_the_token(tmp_path: Path) -> None:
    process, address = started(tmp_path, "--host", "0.0.0.0")
    try:
        at = urlsplit(address)
        token = at.query.removeprefix("token=")
        assert len(token) >= 24
        url = f"http://127.0.0.1:{at.port}"
        for path in ("/", "/api/about", "/?token=wrong", "/api/about?token=wrong"):
            answer = httpx.get(url + path)
            assert answer.status_code == 403 and "token" in answer.json()["error"]
        bearer = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{url}/api/compiling", headers=bearer).status_code == 200
        with httpx.Client(base_url=url) as person:
            first = person.get(f"/?token={token}")
            cookie = first.headers["set-cookie"].lower()
            assert "httponly" in cookie and "samesite=strict" in cookie and token not in first.text
            assert person.get("/").status_code == 200
            assert person.get("/api/compiling").status_code == 200
            rebound = {"Origin": "http://evil.example"}
            assert person.get("/api/compiling", headers=rebound).status_code == 403
    finally:
        stopped(process)


# -- too much, too slowly -------------------------------------------------------------------------


def test_a_large_request_is_refused(client: httpx.Client, studio: Any) -> None:
    answer = client.post("/api/simulate", content=b"[" + b"0," * 600_000 + b"0]")
    assert answer.status_code == 413 and "1 MB" in answer.json()["error"]

    def unannounced() -> Any:
        for _ in range(30):
            yield b" " * 50_000

    with contextlib.suppress(httpx.WriteError):  # it may hang up
        assert client.post("/api/simulate", content=unannounced()).status_code == 413
    announced = (
        "POST /api/simulate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
    )
    assert raw(studio.url, announced).startswith("HTTP/1.1 413")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"body":' * 50_000, "{", "\xff", "nan",
                                  '{"body": {"kind": "\\ud800"}}', "1" * 5000],
                         ids=lambda text: text[:8])  # fmt: skip
def test_odd_json_is_answered_with_a_sentence(client: httpx.Client, text: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/simulate", content=text.encode("latin-1"), headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"].endswith(".")


DEEP = ('{"a":' * 399 + "1" + "}" * 399, "[" * 399 + "]" * 399)
NESTED = (
    ("simulate", '{"body": %s}'),
    ("simulate", '{"body": {"kind": "Block", "height": %s, "width": 0.5}}'),
    ("simulate", '{"body": {"kind": "Block", "outline": %s}}'),
    (
        "simulate",
        '{"body": {"kind": "Block", "height": 2}, "theories": [{"name": "x", "eta": %s}]}',
    ),
    ("body", '{"kind": "Block", "height": 1.8, "width": %s}'),
    ("motion", '{"motion": {"samples": %s}}'),
    ("jobs", '{"kind": "map", "body": %s}'),
    ("outline", '{"points": %s}'),
    ("assembly", '{"body": %s}'),
    ("pushover", "%s"),
    ("take/csv", '{"case": %s}'),
)


@pytest.mark.parametrize("place,text", NESTED)
def test_deep_json_is_answered_with_a_sentence(client: httpx.Client, place: str, text: str) -> None:
    headers = {"Content-Type": "application/json"}
    for deep in DEEP:
        answer = client.post(f"/api/{place}", content=text % deep, headers=headers)
        assert answer.status_code == 422, answer.text[:300]
        assert "nested more than 64 levels" in answer.json()["error"]


def test_levels_are_counted_outside_of_strings() -> None:
    assert levels(b"3") == 0
    assert levels(b'{"a": [1, {"b": []}], "c": [[]]}') == 4
    assert levels(rb'{"[[[[": "\"[[[", "b\\": [1]}') == 2
    assert levels(b"[" * 1000) == 1000
    assert levels(b'["' + b"[" * 1000) > 64, "a string that is not closed is no JSON"


def test_too_many_listeners_are_sent_away() -> None:
    async def nothing() -> AsyncIterator[bytes]:
        yield b""

    async def tried() -> None:
        listeners = Listeners()
        streams = [listeners.admitted(nothing()) for _ in range(LISTENERS)]
        with pytest.raises(BusyError, match="follow events already"):
            listeners.admitted(nothing())
        assert [part async for part in streams.pop()] == [b""]  # one has ended
        begun = listeners.admitted(nothing())
        await anext(begun)
        await begun.aclose()  # one has gone away
        streams.append(listeners.admitted(nothing()))
        streams.clear()  # the others had never begun
        assert len(listeners) == 0

    asyncio.run(tried())


@pytest.mark.slow
def test_a_slow_client_is_sent_away(studio: Any, client: httpx.Client) -> None:
    """One that never ends its headers, and one that never ends its body; others are answered."""
    at = urlsplit(studio.url)
    heads = "POST /api/simulate HTTP/1.1\r\nHost: localhost\r\n"
    texts = [heads, heads + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"]
    lines = [socket.create_connection((at.hostname, at.port), timeout=60) for _ in range(100)]
    for i, line in enumerate(lines):
        line.sendall(texts[i % 2].encode())
    began = time.monotonic()
    assert client.post("/api/simulate", json=CASE).status_code == 200
    assert time.monotonic() - began < 5.0
    for line in lines:
        with line:
            assert line.recv(1000)[:12] in (b"", b"HTTP/1.1 408")
    assert time.monotonic() - began < 40.0
