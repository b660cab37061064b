"""`rocksteady monitor`: pipes, growing files, sockets; killed at any instant, nothing is lost."""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from typer.main import get_command

from rocksteady import cli
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.engine.drivers import make_peaks
from rocksteady.monitor import Feed, Monitor, sources
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.session import Session
from rocksteady.monitor.state_log import StateLog, saved_state
from rocksteady.monitor.watch import Watch
from rocksteady.theories.masonry.formulation import Masonry

HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
HERE = ("--preset", "casalotti2025", "--mass", "40e3", "--damping", "2e3")
ALARMS = ("-a", "hardening=0.0001", "-a", "drift=0.001", "-a", "wear=0.9")
# Works whether or not the command is in the table of commands.
CALL = "import rocksteady.cli as cli; cli.COMMANDS.setdefault('monitor', '…'); cli.main()"
LIMIT = 60.0  # s for anything to happen


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-c", CALL, "monitor", *map(str, arguments)]


def started(*arguments: object) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command(*arguments), stdin=pipe, stdout=pipe, stderr=pipe)


class Outcome(NamedTuple):
    out: str
    err: str


@pytest.fixture
def done(capsys, monkeypatch, tmp_path):
    """Call the command in this process, with ``text`` on its standard input."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setitem(cli.COMMANDS, "monitor", "…")

    def call(*arguments: object, text: str = "", code: int = 0) -> Outcome:
        (tmp_path / "stdin").write_text(text)
        with (tmp_path / "stdin").open() as stdin, pytest.raises(SystemExit) as stop:
            monkeypatch.setattr(sys, "stdin", stdin)
            get_command(cli.app).main(["monitor", *map(str, arguments)], prog_name="rocksteady")
        outcome = Outcome(*capsys.readouterr())
        assert int(stop.value.code or 0) == code, outcome.err
        return outcome

    return call


@pytest.fixture
def summary(done):
    """The same with --json: what it says."""

    def call(*arguments: object, text: str = "", code: int = 0) -> dict:
        return json.loads(done(*arguments, "--json", text=text, code=code).out)

    return call


def ground(samples: int, seed: int = 1) -> np.ndarray:
    bursts = 1 + 14 * (np.arange(samples) % 100_000 < 300)
    return 0.04 * bursts * np.random.default_rng(seed).standard_normal(samples)


def as_text(a_h: np.ndarray, dt: float = 0.01) -> str:
    return "".join(f"{i * dt:.2f},{a!r}\n" for i, a in enumerate(a_h.tolist()))


def batch_state(a_h: np.ndarray, dt: float = 0.01) -> tuple[float, ...]:
    how = Masonry()
    peaks = make_peaks(how.advance_for(HOUSE))
    return peaks(how.start(HOUSE), how.parameters(HOUSE), (a_h, np.zeros(len(a_h))), dt)[0]


def wait_for(condition, what: str):
    """The first true value of ``condition()``, within a time."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"no {what} within {LIMIT} s")


def has_read(pid: int, path: Path) -> bool:
    """Whether a process has read all of a file that it has open."""
    folder = Path(f"/proc/{pid}")
    if not folder.is_dir():  # not Linux: it will have by then
        time.sleep(2.0)
        return True
    for link in (folder / "fd").iterdir():
        if link.exists() and os.path.realpath(link) == str(path):
            position = (folder / "fdinfo" / link.name).read_text().split()[1]
            return int(position) == path.stat().st_size
    return False


# -- standard input -------------------------------------------------------------------------------


def test_a_pipe_is_the_batch(summary, tmp_path):
    a_h = ground(20_000)
    about = summary(*HERE, *ALARMS, "--log", tmp_path / "log", text=as_text(a_h), code=4)
    assert tuple(about["state"].values()) == batch_state(a_h)
    assert about["samples"] == about["counts"]["samples"] == 20_000
    assert about["dt"] == 0.01  # told from the time stamps
    assert about["frequency_ratio"] == pytest.approx(np.sqrt(1 - about["values"]["wear"]))

    lines = [json.loads(line) for line in (tmp_path / "log" / "log.jsonl").open()]
    states = [line for line in lines if line["kind"] == "state"]
    assert [line["sample"] for line in states] == list(range(0, 20_000, 100))
    assert states[73]["w"] == batch_state(a_h[:7301])[4]
    raised = [line for line in lines if line["kind"] == "alarm"]
    told = [alarm for alarm in about["alarms"] if alarm["sample"] is not None]
    assert {line["sample"] for line in raised} == {alarm["sample"] for alarm in told}
    assert len(raised) == 2 and about["alarms"][0]["sample"] is None  # wear = 0.9


def test_faults_are_counted_and_told(done, summary, tmp_path):
    text = "a_h\n0.0\n0.01\nnan\nhello\n0.02\n\n# note\n" + "-inf\n" * 60 + "0.01\n0.02\n0.03"
    (tmp_path / "house.toml").write_text('preset = "casalotti2025"\nmass = 40e3\n')
    result = done("-b", tmp_path / "house.toml", "--dt", "0.01", "--unit", "g", text=text, code=9)
    for words in (
        "2 samples filled in",
        "60 samples lost in outages",
        "61 non-finite",
        "1 line that",
    ):
        assert words in re.sub(r"[\s│]+", " ", result.out)
    about = summary("-b", tmp_path / "house.toml", "--dt", "0.01", "--unit", "g", text=text, code=9)
    assert about["samples"] == 5 + 60 + 3  # the last line needs no end
    assert about["counts"]["outages"] == 1


def test_an_empty_input_is_told(done):
    options = (*HERE, "--dt", 0.01)
    outcome = done(*options, text="", code=3)
    assert "No sample came" in outcome.err
    assert "no samples: nothing is known" in outcome.out and "at rest" not in outcome.out
    assert "No samples came" in done(*HERE, text="", code=3).err
    assert "No sample came" not in done(*options, text="0.0\n").err


def test_vertical_and_measured_columns(summary):
    t = 0.01 * np.arange(20_000)
    measured = np.sin(2 * np.pi * 7.31 * t)
    text = "".join(f"{a:.2f},9,0.01,{m!r}\n" for a, m in zip(t, measured.tolist(), strict=True))
    about = summary(*HERE, "--columns", "time,-,a_h,measured", text=text)
    assert about["measured_frequency"] == pytest.approx(7.31, abs=0.01)
    assert about["measured_ratio"] == pytest.approx(1.0, abs=1e-3)


def test_a_date_beside_the_samples(summary):
    a_h = ground(2000)
    text = "".join(f"2026-11-15 12:00:00,{line}" for line in as_text(a_h).splitlines(True))
    about = summary(*HERE, "--columns", "-,time,a_h", text=text)
    assert about["counts"]["garbage"] == 0
    assert tuple(about["state"].values()) == batch_state(a_h)


def test_a_wrong_unit_shows_in_the_summary(done, summary):
    text = as_text(np.linspace(-0.3, 0.3, 2000))
    assert "largest |a_h| 0.3 m/s² (0.0306 g)" in done(*HERE, text=text).out
    in_g = done(*HERE, "--unit", "g", text=text, code=5)
    assert "largest |a_h| 2.94 m/s² (0.3 g)" in in_g.out and "Warning" not in in_g.err
    assert summary(*HERE, text=text)["largest_ground"] == 0.3


def test_a_sensor_that_is_off_is_told(done, summary):
    text = as_text(0.01 * ground(3000) + 0.03)
    out, words = (" ".join(said.split()) for said in done(*HERE, "--unit", "g", text=text))
    assert ", a_h off by 0.294 m/s² (0.0299 g)" in out
    assert "The mean of a_h is 0.294 m/s² (0.0299 g)" in words
    assert "Subtract the mean of a quiet minute from a_h" in words
    about = summary(*HERE, "--unit", "g", text=text)
    assert about["mean_ground"] == pytest.approx(0.294, abs=1e-3)


def test_a_block_from_a_file(summary, tmp_path):
    (tmp_path / "statue.json").write_text('{"type": "Block", "height": 1.8, "width": 0.5}')
    text = "".join(f"{3 * math.sin(0.08 * i)!r}\n" for i in range(300))
    about = summary("-b", tmp_path / "statue.json", "--dt", 0.01, "-a", "lean=0.01", text=text,
                    code=4)  # fmt: skip
    assert about["alarms"][0]["sample"] > 0 and about["impacts"] >= 0


# -- killed and resumed ---------------------------------------------------------------------------


def killed_and_gone_on(source, kills, done, tmp_path):
    """kill -9 so often, or until a fast machine has read everything, each time the same command
    again; the state and the logs at the end are those of a run left alone."""
    a_h = ground(80_000)
    text = as_text(a_h).replace("\n7.", "\nrubbish\nnan,1\n7.", 3)  # faults are remembered, too
    samples, log, whole = tmp_path / "samples.csv", tmp_path / "log", tmp_path / "whole"
    samples.write_text(text)
    alone = json.loads(done(*HERE, *ALARMS, "--log", whole, "--json", text=text, code=4).out)
    same = (*HERE, *ALARMS, "--log", log, "--sync", 0)
    if source == "file":
        same = (*same, "--follow", samples, "--patience", 0.5)
    seed = random.SystemRandom().randrange(10**6)
    chance, durable, data = random.Random(seed), 0, text.encode()
    for _ in range(kills):
        process = started(*same, "--quiet")
        goal, sent = min(durable + chance.randrange(1, 70_000 // kills), len(a_h)), 0
        if source == "pipe":
            os.set_blocking(process.stdin.fileno(), False)

        def reached() -> bool:
            nonlocal sent
            if source == "pipe":
                sent += process.stdin.raw.write(data[sent : sent + 2**16]) or 0  # noqa: B023
            about = saved_state(log)
            far = 0 if about is None else about["durable"]["samples"]
            assert process.poll() is None or far == len(a_h), process.stderr.read()  # noqa: B023
            return far >= goal  # noqa: B023

        wait_for(reached, "progress")
        time.sleep(chance.random() * 0.02)
        process.kill()
        process.communicate()
        durable = saved_state(log)["durable"]["samples"]
        assert goal <= durable, f"seed {seed}"
        if durable == len(a_h):
            break
    code = 6 if source == "file" else 0  # the file says no more; the alarms were raised before
    outcome = done(*same, "--json", text=text if source == "pipe" else "", code=code)
    about = json.loads(outcome.out)
    for entry in ("rate", "log", "outcome"):
        about.pop(entry), alone.pop(entry)
    assert about == alone, f"seed {seed}"
    assert tuple(about["state"].values()) == batch_state(a_h)
    for name in ("log.jsonl", "history.jsonl"):
        assert (log / name).read_bytes() == (whole / name).read_bytes(), f"seed {seed}"
    assert saved_state(log) == saved_state(whole)
    names = {path.name for path in log.iterdir()}
    assert names == {"log.jsonl", "history.jsonl", "service.jsonl", "state.json",
                     "state.previous.json"}  # fmt: skip


def test_the_same_command_as_often_as_you_like(done, summary, tmp_path):
    """Started, gone on with nothing new, with more, and with nothing at all."""
    a_h, same = ground(3000), (*HERE, "--log", tmp_path / "log")
    for count in (1000, 1000, 3000, 3000):
        about = summary(*same, text=as_text(a_h[:count]))
        assert about["samples"] == count and about["counts"]["late"] == 0
        assert tuple(about["state"].values()) == batch_state(a_h[:count])
    about = summary("--log", tmp_path / "log", text=as_text(a_h))  # the log knows its building
    assert tuple(about["state"].values()) == batch_state(a_h)
    refused = done(*HERE, "--log", tmp_path / "log", "--unit", "g", text="", code=2).err
    assert "factor is 1 there and 9.80665 here" in " ".join(refused.split())


def test_a_log_that_is_a_file_gets_a_sentence(done, tmp_path):
    (tmp_path / "text.txt").write_text("mine")
    err = done(*HERE, "--log", tmp_path / "text.txt", text="1\n", code=2).err
    assert "is a file, but a log is a folder" in " ".join(err.split())
    assert (tmp_path / "text.txt").read_text() == "mine"


@pytest.mark.parametrize("source", ["file", "pipe"])
def test_the_same_command_goes_on_after_kill_9(source, done, tmp_path):
    killed_and_gone_on(source, 2, done, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["file", "pipe"])
def test_the_same_command_goes_on_after_many_kills(source, done, tmp_path):
    killed_and_gone_on(source, 20, done, tmp_path)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_saves_and_leaves(how, tmp_path):
    log, samples = tmp_path / "log", tmp_path / "samples.csv"
    process = started(*HERE, "--log", log, "--follow", samples, "--json", "--dt", 0.01,
                      "--sync", 3600)  # fmt: skip
    wait_for(lambda: (log / "state.json").exists(), "state")
    samples.write_text(as_text(ground(1000)))
    wait_for(lambda: has_read(process.pid, samples), "reading")
    assert saved_state(log)["durable"]["samples"] == 0  # it has them in memory only
    process.send_signal(how)
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 128 + how, err
    assert json.loads(out)["samples"] == saved_state(log)["durable"]["samples"] == 1000


# -- files that grow, sockets ---------------------------------------------------------------------


def test_a_file_that_grows_and_is_replaced(tmp_path):
    samples, lines = tmp_path / "samples.csv", as_text(ground(3000)).splitlines(keepends=True)
    log = tmp_path / "log"
    process = started(*HERE, "--follow", samples, "--log", log, "--sync", 0, "--json",
                      "--patience", 1.5, "--dt", 0.01)  # fmt: skip
    samples.write_text("".join(lines[:1000]) + lines[1000][:4])  # a line half written
    wait_for(
        lambda: saved_state(log) and saved_state(log)["durable"]["samples"] == 1000, "first part"
    )
    with samples.open("a") as file:
        file.write(lines[1000][4:] + "".join(lines[1001:2000]))
    wait_for(lambda: saved_state(log)["durable"]["samples"] == 2000, "second part")
    (tmp_path / "new.csv").write_text("".join(lines[2000:]))
    (tmp_path / "new.csv").replace(samples)
    out, err = process.communicate(timeout=LIMIT)
    about = json.loads(out)
    assert process.returncode == 6, err  # patience ran out
    assert about["breaks"] == {"rotated": 1}
    assert tuple(about["state"].values()) == batch_state(ground(3000))


def test_a_socket_and_a_sensor_that_reconnects():
    text = as_text(ground(3000)).encode()
    cut = text.index(b"\n10.00,")  # in the middle of a line, 100 samples after a whole one
    process = started(*HERE, "--listen", ":0", "--json", "--dt", 0.01, "--patience", 2)
    port = int(re.search(rb"127\.0\.0\.1:(\d+)", process.stderr.readline())[1])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as sensor:
        sensor.sendall(text[: cut + 4])  # "10." and then the cable is cut
    time.sleep(0.5)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as sensor:
        sensor.sendall(text[cut + 1 :])
    out, err = process.communicate(timeout=LIMIT)
    about = json.loads(out)
    assert process.returncode == 6, err  # patience ran out
    assert about["breaks"] == {"disconnected": 2, "torn lines": 1}
    assert about["counts"]["garbage"] == 0
    assert tuple(about["state"].values()) == batch_state(ground(3000))


class Clock:
    """Time that passes only where it is waited or worked."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.mark.parametrize("work", [0.0, 100.0])
def test_whoever_takes_the_samples_may_take_their_time(work, tmp_path, monkeypatch):
    clock, samples = Clock(), tmp_path / "samples.csv"
    monkeypatch.setattr(sources, "time", clock)
    samples.write_text("0\n")
    taken = []
    for piece in sources.from_file(samples, lambda: False, patience=2.0):
        if isinstance(piece, bytes) and piece:
            taken.append(piece)
            quiet = clock.now + work
        clock.sleep(work)
        with samples.open("a") as file:
            file.write("1\n" * (piece == b"0\n") + "2\n" * (piece == b"1\n"))
    assert taken == [b"0\n", b"1\n", b"2\n"]
    assert clock.now >= quiet + 2.0


def test_whoever_takes_what_a_socket_brings_may_take_their_time(monkeypatch):
    clock, listener = Clock(), sources.listen("127.0.0.1", 0)
    monkeypatch.setattr(sources, "time", clock)
    taken = []
    with socket.create_connection(listener.getsockname(), timeout=10) as sensor:
        sensor.sendall(b"0\n")
        for piece in sources.from_socket(listener, lambda: False, patience=2.0):
            if isinstance(piece, bytes) and piece:
                taken.append(piece)
                clock.sleep(100.0)
                sensor.sendall(b"1\n" * (piece == b"0\n"))
            else:
                clock.sleep(0.5)
    assert taken == [b"0\n", b"1\n"]


def test_memory_does_not_grow_with_the_input(tmp_path):
    """From bytes to the log, in one session; the command does nothing else."""
    log = StateLog(Monitor(HOUSE, dt=0.01), tmp_path / "log", every=100.0)
    watch = Watch("house", Feed(log), log, sync=0.5)
    session = Session(LineReader(("a_h",)), [watch])
    piece = "".join(f"{a!r}\n" for a in (0.2 * ground(5000)).tolist()).encode()
    peaks = []

    def pieces(count):
        for _ in range(count):
            yield piece

    tracemalloc.start()
    try:
        for count in (5, 35):
            tracemalloc.reset_peak()
            session.run(pieces(count), lambda watch, raised: None)
            peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
        log.close()
    assert watch.monitor.samples == 200_000
    assert peaks[1] < 1.05 * peaks[0] + 50_000


# -- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        ((), "", "A MasonryBuilding lacks --mass, --contact-area"),
        (("--preset", "mine", "--mass", "1"), "", "There is no preset 'mine'"),
        (HERE, "0.1\n0.2\n", "no time stamps: give the time step with --dt"),
        (HERE, "0,1\n0.3,1\n0.6,1\n0.9,1\n", "0.3 s apart"),
        ((*HERE, "--dt", "-1"), "", "dt = -1.0 s is not allowed"),
        ((*HERE, "--dt", ".01", "-a", "wear"), "", "--alarm wear is not a threshold"),
        ((*HERE, "--dt", ".01", "-a", "rust=1"), "", "'rust' cannot be watched"),
        ((*HERE, "--unit", "feet"), "", "not a unit of acceleration"),
        ((*HERE, "--columns", "time,speed"), "", "'time,speed' is not allowed"),
        ((*HERE, "--listen", "here"), "", "not an address"),
        ((*HERE, "--listen", ":1", "--follow", "x"), "", "give one of them"),
        ((*HERE, "--once"), "", "--once is for --listen"),
        (("-b", "nowhere.toml"), "", "Cannot read nowhere.toml"),
        ((*HERE, "--update", "magic"), "", "update = 'magic'"),
    ],
)
def test_bad_input_gets_a_sentence(arguments, text, sentence, done):
    result = done(*arguments, text=text, code=2)
    assert sentence in " ".join(result.err.split())
    assert "Traceback" not in result.err


def test_a_folder_in_use_is_not_overwritten(done, tmp_path):
    log = tmp_path / "log"
    held_open = StateLog(Monitor(HOUSE, dt=0.01), log)
    watch = Watch("house", Feed(held_open), held_open)
    Session(LineReader(), [watch]).commit()
    here = (*HERE, "--dt", "0.01", "--log", log)
    held = done(*here, text="1\n", code=2)
    assert "Another monitor is writing" in " ".join(held.err.split())
    held_open.close()
    done(*here, text="1\n")
    for name in ("state.json", "state.previous.json"):
        (log / name).write_text("{")
    result = done("--log", log, text="1\n", code=2)
    said = " ".join(result.err.split())
    assert "state.json has no digest" in said and "To start anew, move" in said
