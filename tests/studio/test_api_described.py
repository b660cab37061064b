"""The API does what its description says: Schemathesis tries what that allows, and more."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from studio.conftest import started, stopped

BEYOND_THE_SCHEMA = "positive_data_acceptance"
"""A description has rules that no JSON schema holds, such as one source for a motion: breaking
them is answered with 422, as documented."""

SETTINGS = """
[[operations]]
include-path-regex = "/events$"
max-stream-events = 3
request-timeout = 3
"""
"""Streams of events end with their job, or never: the first events are looked at, or what comes
within 3 s."""


def tried(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Schemathesis on a studio of its own: it starts jobs that others would have to wait for."""
    pytest.importorskip("schemathesis")
    (folder / "schemathesis.toml").write_text(SETTINGS)
    process, url = started(folder / "studio")
    try:
        return subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "run", f"{url}/api/openapi.json",
             "--seed", "1", "--exclude-checks", BEYOND_THE_SCHEMA, "--request-timeout", "240",
             "--wait-for-schema", "60",
             *options],
            cwd=folder, capture_output=True, text=True, timeout=900,
        )  # fmt: skip
    finally:
        stopped(process)


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    done = tried(tmp_path, "--phases", "examples,fuzzing", "--max-examples", "2")
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@pytest.mark.slow
def test_schemathesis_finds_nothing_in_many_tries(tmp_path: Path) -> None:
    done = tried(tmp_path, "--max-examples", "30")
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_every_address_is_on_the_page_for_people(client: httpx.Client) -> None:
    described = client.get("/api/openapi.json").json()
    page = client.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    for path, methods in described["paths"].items():
        assert f"</span>{path}</h3>" in page.text
        for about in methods.values():
            assert about["description"], path
            codes = set(about["responses"])
            assert {"200", "422", "503"} <= codes or "202" in codes, path
    assert client.get("/api/docs.css").headers["content-type"].startswith("text/css")
