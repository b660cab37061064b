"""`rocksteady studio`: it starts quickly, says where it is, and stops when told to."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from studio.conftest import started, stopped


def test_it_starts_quickly_and_stops_cleanly(tmp_path: Path) -> None:
    started_at = time.process_time(), time.monotonic()
    process, url = started(tmp_path)
    assert httpx.get(url).status_code == 200
    taken = time.monotonic() - started_at[1]
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = children.read_text().split() if children.exists() else []
    assert stopped(process) == 0
    assert taken < 15.0, "3 s on a machine that has nothing else to do"
    time.sleep(0.5)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()], "workers are left"


def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    process, _ = started(tmp_path)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        return
    for _ in range(100):
        if workers := children.read_text().split():
            break
        time.sleep(0.1)
    process.kill()
    process.wait()
    for _ in range(300):
        if not [pid for pid in workers if Path(f"/proc/{pid}").exists()]:
            return
        time.sleep(0.1)
    raise AssertionError("workers are left")


def test_a_port_in_use_is_told(rocksteady: Callable[..., Any]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = rocksteady("studio", "--port", port, "--no-browser", "--folder", "here")
    assert done.code == 2
    assert f"port {port}" in done.err and "--port 0" in done.err
    assert not Path("here").exists()


def test_a_folder_that_cannot_be_used_is_told(rocksteady: Callable[..., Any]) -> None:
    """A file has its name, or that of something in it: a sentence, and the program ends."""
    for place in (Path("here"), Path("there/jobs"), Path("other/jobs/lock/x")):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("a file")
        folder = place.parts[0]
        done = rocksteady("studio", "--port", 0, "--no-browser", "--folder", folder)
        assert done.code == 2
        assert "cannot keep its files in" in done.err and "--folder" in done.err
        assert "Traceback" not in done.err


def test_a_damaged_job_is_told_and_left_out(tmp_path: Path) -> None:
    job = tmp_path / "jobs" / ("0" * 16)
    job.mkdir(parents=True)
    (job / "state.json").write_text('{"id": "0000000000000000", "kind": "map", "made": "never"}')
    log = tmp_path / "log.txt"
    with log.open("w") as errors:
        process, url = started(tmp_path, stderr=errors)
        assert httpx.get(f"{url}/api/jobs").json() == []
        assert stopped(process) == 0
    assert "damaged" in log.read_text() and str(job) in log.read_text()


def test_it_closes_quietly_while_a_page_is_open(tmp_path: Path) -> None:
    with (tmp_path / "errors.txt").open("w+") as errors:
        process, url = started(tmp_path / "studio", stderr=errors)
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as asking:  # and never asks to the end
            asking.sendall(
                f"POST /api/simulate HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 99\r\n"
                "Content-Type: application/json\r\n\r\n{".encode()
            )
            httpx.get(f"{url}/api/compiling")
            assert stopped(process) == 0
        errors.seek(0)
        assert errors.read() == ""


def test_another_host_warns(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rocksteady", "studio", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        [*command, "--folder", str(tmp_path), "--host", "0.0.0.0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        line = process.stdout.readline()
        assert "?token=" in line
        stopped(process)
        assert "Warning" in process.stderr.read()


def test_the_server_itself_stays_light() -> None:
    """What computes is imported by the workers, not before the page is there."""
    heavy = "matplotlib", "pandas", "xarray", "scipy.optimize", "h5py", "trimesh", "obspy"
    code = (
        "import sys; from rocksteady.studio.serve import serve; "
        "from rocksteady.studio.app import create_app; from pathlib import Path; "
        "from rocksteady.studio.settings import Settings; create_app(Settings(Path('x'))); "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_compiled_is_told(client: httpx.Client) -> None:
    assert client.get("/api/compiling").json() == {"compiling": []}
