"""The monitor's log: whatever call to the system fails or is the last one, it goes on exactly."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from rocksteady import cli
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.monitor import Feed, Monitor, disk, logfile, state_log
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.logfile import LogFile, checked_lines
from rocksteady.monitor.session import Session
from rocksteady.monitor.settings import Settings, new_watch, resumed
from rocksteady.monitor.state_log import StateLog, saved_state
from rocksteady.monitor.watch import Watch

DT = 0.01
HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
SETTINGS = Settings(
    system=HOUSE,
    dt=DT,
    columns=("time", "a_h"),
    unit="m/s2",
    alarms={"drift": (1e-4, 1e-3), "wear": 1e-5},
    every=0.1,
    sync=0.0,
)
CALLS = ("open", "write", "fsync", "replace", "unlink", "ftruncate", "mkdir")


def samples(count: int) -> bytes:
    a_h = 0.6 * np.random.default_rng(1).standard_normal(count)
    lines = [f"{i * DT:.2f},{a!r}\n" for i, a in enumerate(a_h.tolist())]
    lines[count // 2 : count // 2 + 80] = []  # an outage, and what a clock that is set does
    return "".join(lines).encode()


TEXT = samples(500)
PIECES = [TEXT[i : i + 2501] for i in range(0, len(TEXT), 2501)]


@pytest.fixture(autouse=True)
def small_files(monkeypatch):
    """The log is cut several times within one run, and within one commit; and nobody waits for the
    disk of this machine."""
    monkeypatch.setattr(state_log, "SEGMENT", 2500)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def watching(folder: Path) -> tuple[Session, Watch]:
    """What the command does with a folder: begin, or go on."""
    about = saved_state(folder)
    if about is not None:
        watch = resumed("house", SETTINGS, about, folder)
    else:
        reader = LineReader(SETTINGS.columns)
        watch = new_watch("house", SETTINGS, SETTINGS.monitor(), folder, reader)
    return Session(LineReader.from_dict(watch.position), [watch]), watch


def to_the_end(folder: Path, text: bytes = TEXT) -> Watch:
    session, watch = watching(folder)
    try:
        rest = text[session.reader.bytes :]
        pieces = [rest[i : i + 2501] for i in range(0, len(rest), 2501)]
        session.run(iter(pieces), lambda watch, raised: None)
        session.finish(lambda watch, raised: None)
        session.commit()
    finally:
        watch.log.close()
    return watch


def contents(folder: Path) -> dict[str, bytes]:
    """All files but those that depend on the hour; state.previous.json on where it was killed."""
    hourly = ("service.jsonl", "state.previous.json")
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name not in hourly}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What a run that nothing happens to leaves behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_log, "SEGMENT", 2500)
        folder = tmp_path_factory.mktemp("alone") / "log"
        to_the_end(folder)
    assert len([name for name in contents(folder) if name.startswith("log")]) > 5
    return contents(folder)


class PowerCut(BaseException):
    """The process ends here and now."""


class Faults:
    """Let the n-th call to the system fail: with a full disk, or as the last thing that happens."""

    def __init__(self, monkeypatch, n: int, how: str):
        self.n, self.how, self.full = n, how, 0
        self.calls: list[str] = []
        for name in CALLS:
            real = getattr(os, name)
            monkeypatch.setattr(os, name, self.patched(name, real))

    def patched(self, name, real):
        def call(*arguments, **named):
            self.calls.append(name)
            if len(self.calls) <= self.full and name in ("open", "write", "mkdir"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if len(self.calls) == self.n:
                if self.how == "cut":
                    raise PowerCut
                if name == "write" and self.how == "torn":
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*arguments, **named)

        return call


def calls_of_a_run(monkeypatch, folder: Path) -> list[str]:
    with monkeypatch.context() as patch:
        faults = Faults(patch, 0, "")
        to_the_end(folder)
    return faults.calls


@pytest.mark.parametrize("how", ["full", "torn", "cut"])
def test_every_single_call_to_the_system_may_fail(how, alone, tmp_path, monkeypatch):
    calls = calls_of_a_run(monkeypatch, tmp_path / "counted")
    assert len(calls) > 80 and set(calls) >= {"open", "write", "fsync", "replace", "mkdir"}
    for n, name in enumerate(calls, start=1):
        if how == "torn" and name != "write":
            continue
        folder = tmp_path / str(n)
        with monkeypatch.context() as patch:
            Faults(patch, n, how)
            if how == "cut":
                with pytest.raises(PowerCut):
                    to_the_end(folder)
            else:
                to_the_end(folder)  # watching goes on; what is missing is written later
        to_the_end(folder)
        assert contents(folder) == alone, f"call {n}, {name}"


def test_power_cuts_one_after_the_other(alone, tmp_path, monkeypatch):
    """Cuts while the last one is recovered from, too."""
    for seed in range(12):
        chance, folder = random.Random(seed), tmp_path / str(seed)
        for _ in range(8):
            with monkeypatch.context() as patch:
                Faults(patch, chance.randrange(1, 60), chance.choice(["cut", "cut", "torn"]))
                with contextlib.suppress(PowerCut):
                    to_the_end(folder)
        to_the_end(folder)
        assert contents(folder) == alone, f"seed {seed}"


def test_a_disk_that_stays_full_costs_nothing_but_memory(alone, tmp_path, monkeypatch):
    """From the first call on until shortly before the end."""
    folder, full = tmp_path / "log", True
    real = os.open

    def refusing(path, flags, *more, **named):
        if full and flags & os.O_CREAT and str(path).startswith(str(folder)):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", refusing)
    session, watch = watching(folder)
    session.run(iter(PIECES[:-1]), lambda watch, raised: None)
    assert watch.unwritten == "No space left on device"
    assert watch.monitor.samples > 400 and not contents(folder)
    full = False
    session.run(iter(PIECES[-1:]), lambda watch, raised: None)
    session.finish(lambda watch, raised: None)
    session.commit()
    watch.log.close()
    assert not watch.unwritten
    assert contents(folder) == alone


def test_no_line_is_written_before_there_is_a_state(alone, tmp_path, monkeypatch):
    """There is room for lines, but not for the first state; then the process is killed."""
    real, folder = os.open, tmp_path / "log"

    def refusing(path, flags, *more, **named):
        if Path(path).name == f"{state_log.STATE}.new":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, flags, *more, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refusing)
        session, watch = watching(folder)
        session.run(iter(PIECES), lambda watch, raised: None)
        assert watch.unwritten
        watch.log.close()
    assert not contents(folder)
    to_the_end(folder)
    assert contents(folder) == alone


def by_a_program(folder: Path, a_h: np.ndarray, commits: list[int]) -> None:
    """A program that commits its log after so many samples, or goes on where that log ends."""
    about = saved_state(folder)
    monitor = SETTINGS.monitor() if about is None else Monitor.from_dict(about["monitor"])
    log = StateLog(monitor, folder, every=0.1, about=about)
    try:
        for upto in [*commits, len(a_h)]:
            if monitor.samples <= upto:
                log.push_block(a_h[monitor.samples : upto])
                with contextlib.suppress(OSError):  # a full disk: again next time
                    log.commit({})
    finally:
        log.close()


@pytest.mark.parametrize(("full", "commits"), [(0, []), (0, [0]), (2, [0, 50])])
def test_a_program_may_commit_when_it_likes(full, commits, tmp_path, monkeypatch):
    """With a full disk at first, and cut at any later call: no line is lost or written twice."""
    a_h = 0.6 * np.random.default_rng(1).standard_normal(150)
    by_a_program(tmp_path / "alone", a_h, [])
    whole = contents(tmp_path / "alone")
    for n in itertools.count(full + 1):
        folder, cut = tmp_path / str(n), False
        with monkeypatch.context() as patch:
            Faults(patch, n, "cut").full = full
            try:
                by_a_program(folder, a_h, commits)
            except PowerCut:
                cut = True
        by_a_program(folder, a_h, [])
        here = contents(folder)  # lines without a state are set aside
        assert {name: here[name] for name in here if "orphan" not in name} == whole, n
        if not cut:
            break
    assert n > 10


def test_a_folder_that_is_locked_already_is_prepared_again(tmp_path, monkeypatch):
    """The disk was full when an orphaned log was to be renamed."""
    (tmp_path / "log.jsonl").write_text("{}\n")
    monitor = SETTINGS.monitor()
    with monkeypatch.context() as patch:
        calls = Faults(patch, 3, "full").calls
        log = StateLog(monitor, tmp_path)
    assert calls == ["mkdir", "open", "replace"]  # the lock, and the log
    log.commit({})
    assert (tmp_path / "log.orphan-1.jsonl").exists() and saved_state(tmp_path) is not None
    log.close()


def test_nothing_is_written_where_nothing_is_new(tmp_path):
    session, watch = watching(tmp_path)
    session.run(iter(PIECES[:2]), lambda watch, raised: None)
    before = (tmp_path / "state.json").stat().st_mtime_ns
    for _ in range(3):
        watch.tick(session.reader.to_dict, False)  # sync = 0: a commit is always due
    assert (tmp_path / "state.json").stat().st_mtime_ns == before
    watch.log.close()


def test_lines_that_nobody_takes_do_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(logfile, "MOST_WAITING", 1000)
    log = LogFile(tmp_path / "log.jsonl")
    for i in range(300):
        log.add("state", sample=i)
    assert log.waiting <= 1000
    log.write()
    log.settle()
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").open()]
    lost = 300 - (len(lines) - 1)
    assert lines[0] == {"kind": "dropped", "lines": lost, "n": lost, "digest": lines[0]["digest"]}
    assert lines[1]["n"] == lost + 1 and lines[-1]["sample"] == 299
    whole = (tmp_path / "log.jsonl").read_bytes().split(b"\n")[:-1]
    assert not [said for said in checked_lines(log.path, whole, 0) if isinstance(said, str)]


def test_the_newest_state_may_be_lost(alone, tmp_path):
    """A disk that forgets, or zeroes, the newest file: the one before it goes on."""
    for damage in (b"", b"\0" * 2000, None):
        folder = tmp_path / str(damage and len(damage))
        session, watch = watching(folder)
        session.run(iter(PIECES[:4]), lambda watch, raised: None)
        watch.log.close()
        if damage is None:
            (folder / "state.json").unlink()
        else:
            (folder / "state.json").write_bytes(damage)
        to_the_end(folder)
        assert contents(folder) == alone


def test_a_log_that_someone_shortened_is_gone_on_with(tmp_path):
    session, watch = watching(tmp_path)
    session.run(iter(PIECES[:4]), lambda watch, raised: None)
    watch.log.close()
    (tmp_path / "log.jsonl").unlink()
    after = to_the_end(tmp_path)
    assert after.monitor.state == to_the_end(tmp_path / "other").monitor.state


def test_a_folder_that_someone_removes_is_made_again(tmp_path):
    session, watch = watching(tmp_path / "log")
    session.run(iter(PIECES[:3]), lambda watch, raised: None)
    shutil.rmtree(tmp_path / "log")
    session.run(iter(PIECES[3:]), lambda watch, raised: None)
    session.finish(lambda watch, raised: None)
    session.commit()
    watch.log.close()
    assert not watch.unwritten
    assert saved_state(tmp_path / "log")["durable"]["samples"] == watch.monitor.samples
    again = to_the_end(tmp_path / "log")
    assert again.monitor.state == watch.monitor.state


def test_a_log_without_a_state_is_set_aside(tmp_path):
    """As a full disk left it in version 0.1.0: neither to be resumed nor to be started."""
    (tmp_path / "log.jsonl").write_text('{"kind": "state", "sample": 0}\n')
    to_the_end(tmp_path)
    assert (tmp_path / "log.orphan-1.jsonl").read_text() == '{"kind": "state", "sample": 0}\n'
    assert saved_state(tmp_path)["durable"]["samples"] > 0


def test_a_log_of_an_earlier_version_is_refused(tmp_path):
    """Its files have no digests."""
    (tmp_path / "state.json").write_text('{"monitor": {"format": "rocksteady monitor 1"}}')
    with pytest.raises(InputError, match=r"has no digest: an earlier version .* To start anew"):
        watching(tmp_path)


def test_the_log_is_bounded_and_alarms_are_kept(tmp_path):
    monitor = Monitor(HOUSE, dt=DT, alarms={"drift": 1e-4})
    log = StateLog(monitor, tmp_path, every=DT, keep=0.01)  # 10 kB: four files
    for part in np.split(0.6 * np.random.default_rng(1).standard_normal(1000), 20):
        log.push_block(part)
        log.commit({})
    log.close()
    sizes = [path.stat().st_size for path in tmp_path.glob("log*.jsonl")]
    assert sum(sizes) <= 10_000 and max(sizes) <= 2500
    newest = [json.loads(line) for line in (tmp_path / "log.jsonl").open()]
    assert newest[-1]["sample"] == 999
    history = [json.loads(line) for line in (tmp_path / "history.jsonl").open()]
    assert [line["kind"] for line in history] == ["state", "alarm"]


STEP = st.one_of(
    st.lists(st.integers(0, 300), max_size=6).map(lambda sizes: ("lines", sizes)),
    st.sampled_from([("commit", []), ("killed", []), ("killed after writing", [])]),
)


@hypothesis.settings(
    max_examples=30, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(STEP, max_size=30), segment=st.integers(1, 1500), files=st.integers(0, 4))
def test_a_log_holds_its_durable_lines_whatever_comes_between(steps, segment, files, tmp_path):
    """Killed at any time, it goes on behind the last line that was committed; no file has more
    than a segment, or else a single line; the oldest ones go."""
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    path, durable, waiting = folder / "log.jsonl", [], []
    log = LogFile(path, segment=segment, files=files)
    for step, sizes in [*steps, ("commit", [])]:
        if step == "lines":
            for size in sizes:
                log.add("state", text="x" * size)
                waiting.append(size)
        elif step == "commit":
            log.write()
            log.settle()
            durable, waiting = durable + waiting, []
            assert log.durable[2] == log.count == len(durable) and log.waiting == 0
        else:
            if step == "killed after writing":
                log.write()
            log, waiting = LogFile(path, log.durable, segment=segment, files=files), []
    closed = [log.closed()[number] for number in sorted(log.closed())]
    assert [int(each.stem[-6:]) for each in closed] == list(
        range(log.durable[0] - len(closed), log.durable[0])
    )
    assert len(closed) == min(files, log.durable[0])
    found = []
    for each in [*closed, *([path] if path.exists() else [])]:
        data = each.read_bytes()
        assert data.count(b"\n") <= 1 or len(data) <= segment
        found += [json.loads(line) for line in data.splitlines()]
    assert (path.stat().st_size if path.exists() else 0) == log.durable[1]
    if log.durable[0] <= files:
        assert len(found) == len(durable)
    kept = durable[len(durable) - len(found) :]
    assert [(line["n"], len(line["text"])) for line in found] == [
        (len(durable) - len(kept) + i + 1, size) for i, size in enumerate(kept)
    ]


@pytest.mark.parametrize(
    ("why", "matters"),
    [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EBADF, False), (errno.EIO, True)],
)
def test_a_system_that_cannot_sync_folders_is_no_error(why, matters, tmp_path, monkeypatch):
    def fails(descriptor):
        raise OSError(why, os.strerror(why))

    monkeypatch.setattr(disk.os, "fsync", fails)
    expected = (
        pytest.raises(OSError, match=os.strerror(why)) if matters else contextlib.nullcontext()
    )
    with expected:
        disk.sync_folder(tmp_path)


# -- a disk that is really full -------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path):
    """64 kB of it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder))
    try:
        made = subprocess.run(options, capture_output=True, check=False).returncode == 0
    except OSError:
        made = False
    if not made:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def command(monkeypatch, capsys, tmp_path, text: bytes, *arguments: object) -> tuple[int, str]:
    (tmp_path / "samples.csv").write_bytes(text)
    house = ("--preset", "casalotti2025", "--mass", "40e3", "--damping", "2e3", "--dt", "0.01")
    with (tmp_path / "samples.csv").open() as stdin, pytest.raises(SystemExit) as stop:
        monkeypatch.setattr(sys, "stdin", stdin)
        words = ["monitor", *house, "--sync", "0", *map(str, arguments)]
        get_command(cli.app).main(words, prog_name="rocksteady")
    return int(stop.value.code or 0), capsys.readouterr().err


def fill(disk: Path, spare: int) -> Path:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
        file.truncate(max(0, file.tell() - spare))
    return filler


@pytest.mark.parametrize("spare", [0, 4096, 8192, 16384, 24576])
def test_a_full_disk_before_the_first_commit_or_later(
    spare, small_disk, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(state_log, "SEGMENT", 16 << 20)
    log = small_disk / "log"
    filler = fill(small_disk, spare)
    code, err = command(monkeypatch, capsys, tmp_path, TEXT, "--log", log, "--every", 0.05)
    assert code == 7 and "No space left on device" in err and "Traceback" not in err
    filler.unlink()
    code, err = command(monkeypatch, capsys, tmp_path, TEXT, "--log", log, "--every", 0.05)
    assert code == 9, err  # there is an outage in the samples
    whole = tmp_path / "whole"
    command(monkeypatch, capsys, tmp_path, TEXT, "--log", whole, "--every", 0.05)
    ours, theirs = contents(log), contents(whole)
    assert ours == theirs


# -- another building, other settings -------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"system": MasonryBuilding.casalotti2025(50e3)}, "another building: mass is 40000 there"),
        ({"dt": 0.02}, "other settings: dt is 0.01 there and 0.02 here"),
        ({"columns": ("time", "-", "a_h")}, "the columns is time,a_h there and time,-,a_h here"),
        ({"unit": "g"}, "factor is 1 there and 9.80665 here"),
        ({"max_gap": 2.0}, "max_gap is 0.5 there and 2 here"),
        ({"full_scale": 20.0}, "full_scale is None there and 20 here"),
    ],
)
def test_another_log_is_refused_and_the_difference_named(change, sentence, tmp_path):
    to_the_end(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InputError, match=sentence):
        resumed("house", dataclasses.replace(SETTINGS, **change), saved_state(tmp_path), tmp_path)
    assert contents(tmp_path) == before


def test_alarms_may_change_from_one_start_to_the_next(tmp_path):
    to_the_end(tmp_path)
    about = saved_state(tmp_path)
    alarms = {"wear": (1e-5, 0.9), "hardening": 1e-6}
    watch = resumed("house", dataclasses.replace(SETTINGS, alarms=alarms), about, tmp_path)
    raised = {(a.quantity, a.threshold): a.raised for a in watch.monitor.alarms}
    assert raised == {("wear", 1e-5): True, ("wear", 0.9): False, ("hardening", 1e-6): False}
    feed: Feed = watch.feed
    later = feed.take([0.0], time=[watch.monitor.time + DT])
    assert [alarm.quantity for alarm in later] == ["hardening"]  # it is beyond that already
    watch.log.close()
