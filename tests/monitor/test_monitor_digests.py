"""Digests of a monitor's files: one bit that is wrong is noticed, and said."""

from __future__ import annotations

import json
import random
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command

from rocksteady import cli
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import DamagedFileError, InputError
from rocksteady.monitor import Monitor, logfile, service, state_log
from rocksteady.monitor.hooks import Hooks
from rocksteady.monitor.logfile import LogFile, checked_lines
from rocksteady.monitor.outbox import Outbox
from rocksteady.monitor.service import ServiceLog
from rocksteady.monitor.state_log import StateLog, lost_state, saved_state
from rocksteady.monitor.verify import problems

DT = 0.01
HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
FILES = ("state.json", "state.previous.json", "log.jsonl", "history.jsonl", "service.jsonl",
         "hooks.json")  # fmt: skip


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """A folder with every file that there can be."""
    folder = tmp_path_factory.mktemp("sound") / "log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_log, "SEGMENT", 6000)
        log = StateLog(Monitor(HOUSE, dt=DT, alarms={"drift": 1e-4}), folder, every=0.1)
        notes = ServiceLog(folder)
        for part in np.split(0.6 * np.random.default_rng(1).standard_normal(600), 6):
            log.push_block(part)
            log.commit({})
            notes.note("counts", samples=log.monitor.samples)
        log.close()
    post = Outbox(Hooks(command="true"), folder, notes)
    post.post({"id": "alarm@1", "kind": "alarm", "building": "house"})
    assert post.close(60.0) == 0
    assert {path.name for path in folder.iterdir()} > {*FILES, "log-000000.jsonl"}
    return folder


@pytest.fixture
def folder(sound, tmp_path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "log"))


def flip(path: Path, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def test_a_sound_folder_has_no_problems(folder):
    assert problems(folder) == []


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*FILES, "log-000000.jsonl"])
def test_any_single_bit_is_noticed(name, count, sound, folder):
    chance, path = random.Random(name), folder / name
    for _ in range(count):
        bit = chance.randrange(8 * path.stat().st_size)
        flip(path, bit)
        found = problems(folder)
        assert any(said.startswith(name) or f"/{name} " in said for said in found), bit
        flip(path, bit)
    assert problems(folder) == []


@pytest.mark.parametrize("count", [1, 3])
def test_lines_that_are_removed_are_noticed(count, folder):
    for name in ("log-000001.jsonl", "log-000000.jsonl", "service.jsonl"):
        path = folder / name
        whole = path.read_bytes()
        lines = whole.split(b"\n")
        path.write_bytes(b"\n".join([*lines[:2], *lines[2 + count :]]))
        found = " ".join(problems(folder))
        said = "a line is" if count == 1 else "3 lines are"
        number = json.loads(lines[2 + count])["n"]
        assert f"{name}: {said} missing before number {number}." in found
        path.write_bytes(whole)
    path = folder / "log.jsonl"
    path.write_bytes(path.read_bytes() * 2)
    assert problems(folder) == []  # what is after the durable end is nobody's
    path = folder / "history.jsonl"
    path.write_bytes(b"")
    (said,) = problems(folder)
    assert "history.jsonl" in said and "bytes of it are missing" in said
    (folder / "log-000000.jsonl").unlink()  # as when it is old
    assert problems(folder) == [said]


def test_a_whole_file_of_a_log_that_is_missing_is_noticed(folder):
    closed = sorted(folder.glob("log-*.jsonl"))
    assert len(closed) > 1
    closed[-1].unlink()
    (said,) = problems(folder)
    assert said.startswith("log.jsonl: ") and "missing before number" in said


def test_a_deleted_state_before_the_newest_is_noticed(folder, tmp_path):
    (folder / "state.previous.json").unlink()
    assert problems(folder) == ["state.previous.json is missing: the state before the newest."]
    log = StateLog(Monitor(HOUSE, dt=DT), tmp_path / "new")
    log.commit({})  # before the first sample there is none
    log.close()
    assert problems(tmp_path / "new") == []


def test_lines_that_come_twice_are_noticed(folder):
    path = folder / "service.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *lines[2:]]))
    assert problems(folder) == ["service.jsonl: lines are repeated or missing before number 3."]


def test_a_log_goes_on_being_written_while_it_is_checked(sound, tmp_path):
    folder = Path(shutil.copytree(sound, tmp_path / "log"))
    log = LogFile(folder / "log.jsonl", tuple(saved_state(folder)["log"]), segment=8000, files=9)
    for i in range(100):  # and begins a new file
        log.add("state", sample=i)
    log.write()
    assert len(log.closed()) > 1 and problems(folder) == []


def test_the_state_before_a_damaged_one_is_used_and_told(folder):
    newest, before = (json.loads((folder / name).read_text()) for name in FILES[:2])
    for bit in random.Random(3).sample(range(8 * (folder / "state.json").stat().st_size), 20):
        flip(folder / "state.json", bit)
        about = saved_state(folder)
        assert about is not None and about["durable"] == before["durable"] != newest["durable"]
        assert "state.json" in lost_state(folder)
        flip(folder / "state.json", bit)
    assert lost_state(folder) == ""
    flip(folder / "state.json", 1000)
    flip(folder / "state.previous.json", 1000)
    with pytest.raises(InputError, match=r"state\.json is damaged .* To start anew, move"):
        saved_state(folder)


def test_a_saved_monitor_that_is_damaged_is_refused(tmp_path):
    path = Monitor(HOUSE, dt=DT).save(tmp_path / "house.json")
    for bit in random.Random(3).sample(range(8 * path.stat().st_size), 30):
        flip(path, bit)
        with pytest.raises(InputError, match=r"house\.json (is damaged|has no digest)"):
            Monitor.restore(path)
        flip(path, bit)
    text = path.read_text()
    path.write_text(text.replace('"samples": 0', '"samples": 9'))
    with pytest.raises(DamagedFileError, match="damaged or was edited"):
        Monitor.restore(path)


def test_messages_that_are_damaged_are_sent_again(folder):
    flip(folder / "hooks.json", 300)
    post = Outbox(Hooks(command=f"echo >> {folder}/told"), folder, ServiceLog(folder))
    post.post({"id": "alarm@1", "kind": "alarm", "building": "house"})
    assert post.close(60.0) == 0 and (folder / "told").read_text() == "\n"
    said = [json.loads(line) for line in (folder / "service.jsonl").open()]
    (why,) = [line["why"] for line in said if line["kind"] == "messages not read"]
    assert "hooks.json is damaged" in why and why.endswith("Alarms are sent again.")


def test_the_service_log_counts_on_after_a_restart_and_a_torn_line(tmp_path, monkeypatch):
    monkeypatch.setattr(service, "LARGEST", 1500)
    for _ in range(4):
        notes = ServiceLog(tmp_path)
        for samples in range(4):
            notes.note("counts", samples=samples)
    assert (tmp_path / "service.previous.jsonl").exists()
    path = tmp_path / "service.jsonl"
    last = [json.loads(line)["n"] for line in path.open()][-1]
    assert last == 16
    path.write_bytes(path.read_bytes()[:-20])  # a power cut
    ServiceLog(tmp_path).note("start")
    damaged = [said for said in checked_lines(path, path.read_bytes().split(b"\n")[:-1])
               if isinstance(said, str)]  # fmt: skip
    assert damaged == ["service.jsonl: the line after number 15 is damaged or was edited."]
    assert json.loads(path.read_text().splitlines()[-1])["n"] == 17


def test_a_disk_that_was_full_leaves_no_gap_in_the_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr(logfile, "MOST_WAITING", 500)
    log = LogFile(tmp_path / "log.jsonl")
    for i in range(50):
        log.add("state", sample=i)
    log.write()
    log.settle()
    log.add("state", sample=50)
    log.write()
    lines = log.path.read_bytes().split(b"\n")[:-1]
    said = list(checked_lines(log.path, lines, 0))
    assert (
        said[0]["kind"] == "dropped" and said[-1]["n"] == 51 and not set(map(type, said)) - {dict}
    )


# -- the command ----------------------------------------------------------------------------------


def test_the_command_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")

    def command(code: int) -> str:
        lines = (f"{DT * i:.2f},{0.01 * (i % 7)}\n" for i in range(500))
        Path("samples.csv").write_text("".join(lines))
        with Path("samples.csv").open() as stdin, pytest.raises(SystemExit) as stop:
            monkeypatch.setattr(sys, "stdin", stdin)
            words = "monitor --preset casalotti2025 --mass 40e3 --dt 0.01 --log log --sync 0"
            get_command(cli.app).main(words.split(), prog_name="rocksteady")
        said = capsys.readouterr()
        assert int(stop.value.code or 0) == code, said.err
        return said.out + said.err

    command(0)
    sound = saved_state(Path("log"))
    flip(Path("log/state.json"), 4000)
    said = command(0)
    assert "log/state.json is damaged or was edited: its digest does not match." in said
    assert "Resuming from the state before it" in said and "To start anew instead, move log" in said
    assert saved_state(Path("log")) == sound and problems(Path("log")) == []
    for name in FILES[:2]:
        flip(Path("log") / name, 4000)
    said = command(2)
    assert "state.json is damaged" in said and "To start anew, move this folder away" in said
    Path("log").rename("damaged")
    command(0)
