"""Parts of the monitor alone: addresses, places in files, offsets of sensors, extremes, files of
a log of bounded size, and what is tried again."""

from __future__ import annotations

import errno
import itertools
import json
import math
import os
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.monitor import Monitor, logfile, many, sources, state_log
from rocksteady.monitor.disk import sync_folder
from rocksteady.monitor.ground import Ground
from rocksteady.monitor.hooks import HookError, Hooks
from rocksteady.monitor.logfile import LogFile, checked_lines
from rocksteady.monitor.many import ManyBuildings
from rocksteady.monitor.messages import silence
from rocksteady.monitor.outbox import Outbox
from rocksteady.monitor.reading import joined
from rocksteady.monitor.service import ServiceLog
from rocksteady.monitor.sources import Break, Input, from_descriptor, host_and_port
from rocksteady.monitor.state_log import StateLog, saved_state

HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9000", ("127.0.0.1", 9000)),
        (":9000", ("127.0.0.1", 9000)),
        (":0", ("127.0.0.1", 0)),
        ("0.0.0.0:65535", ("0.0.0.0", 65535)),
        ("[::1]:80", ("::1", 80)),
        ("sensor.example:7", ("sensor.example", 7)),
    ],
)
def test_addresses(text, address):
    assert host_and_port(text) == address


@pytest.mark.parametrize("text", ["", ":", "host:", ":-1", ":65536", ":9e3", "host", "::1:x"])
def test_what_is_no_address(text):
    with pytest.raises(InputError, match="is not an address to listen on"):
        host_and_port(text)


@pytest.mark.parametrize(
    ("offset", "mark", "same"),
    [
        (0, b"", True), (4, b"34", True), (6, b"56", True), (6, b"123456", True), (4, b"", True),
        (7, b"", False), (7, b"6", False), (4, b"45", False), (2, b"13", False),
    ],
)  # fmt: skip
def test_a_file_goes_on_where_its_last_bytes_are_known(tmp_path, offset, mark, same):
    path = tmp_path / "samples"
    path.write_bytes(b"123456")
    assert sources.continues(path, offset, mark) is same
    assert sources.continues(tmp_path / "none yet", offset, mark)


@pytest.mark.parametrize(
    ("offset", "mark", "read"),
    [
        (4, b"34", [b"56"]), (4, b"3x", [Break("another file"), b"123456"]),
        (0, b"", [b"123456"]), (6, b"56", []), (4, b"", [b"123456"]),
    ],
)  # fmt: skip
def test_standard_input_from_a_file_goes_on_or_begins(tmp_path, offset, mark, read):
    path = tmp_path / "samples"
    path.write_bytes(b"123456")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        assert Input(stdin=descriptor).rereadable
        assert not Input(stdin=descriptor, listen=":0").rereadable
        assert Input(stdin=descriptor, listen=":0", follow=path).rereadable
        pieces = from_descriptor(descriptor, lambda: False, offset=offset, mark=mark)
        assert [piece for piece in pieces if piece] == read
    finally:
        os.close(descriptor)


def test_an_input_that_is_a_pipe_cannot_be_read_again():
    reading, writing = os.pipe()
    try:
        assert not Input(stdin=reading).rereadable
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("code", "fine"),
    [(errno.EINVAL, True), (errno.ENOTSUP, True), (errno.EBADF, True), (errno.EIO, False)],
)
def test_what_a_folder_that_cannot_be_synced_says(tmp_path, monkeypatch, code, fine):
    def fails(descriptor):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fails)
    if fine:
        sync_folder(tmp_path)
    else:
        with pytest.raises(OSError, match=os.strerror(code)):
            sync_folder(tmp_path)


def test_a_mean_over_ten_seconds_is_an_offset():
    """Of 0.05 m/s² or more to either side, in whatever blocks the samples came."""
    means = {"a_h": -0.0625, "a_v": 0.03125, "a_t": 0.0625}
    for sizes in ([1280], [1] * 5 + [1275], [640, 0, 640]):
        ground = Ground(sums=(0.0, 0.0, 0.0))
        for size in sizes:
            ground = ground.with_samples(tuple(np.full(size, mean) for mean in means.values()))
        assert (ground.samples, ground.largest) == (1280, 0.0625)
        assert ground.means == tuple(means.values())
        assert ground.offsets(1 / 128) == {"a_h": -0.0625, "a_t": 0.0625}
        assert ground.offsets(1 / 129) == {}  # not yet ten seconds
    assert Ground().means == (0.0, 0.0) and Ground().offsets(1.0) == {}


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12), st.integers(1, 11))
def test_extremes_of_two_parts_are_those_of_the_whole(values, cut):
    """The time is that of what is larger in size, the first one where both parts are alike."""

    def of(part, begin):
        largest = max(range(len(part)), key=lambda i: abs(part[i]))
        return max(part), min(part), float(begin + largest), len(part)

    cut = min(cut, len(values) - 1)
    assert joined(of(values[:cut], 0), of(values[cut:], cut)) == of(values, 0)


def test_silence_is_told_in_seconds():
    assert silence(61.4) == "no sample for 61 s: the sensor is silent"


# -- the log --------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 3))
def test_files_of_a_log_are_full_and_the_newest_are_kept(tmp_path_factory, commits, kept):
    """Three lines to a file, whatever was committed together: from number 10 on each is a third of
    the largest size, the first nine are a byte shorter."""
    folder = tmp_path_factory.mktemp("log")
    probe = LogFile(folder / "probe.jsonl")
    probe.add("x", k="0000")
    log = LogFile(folder / "log.jsonl", segment=3 * (probe.waiting + 1), files=kept)
    written = 0
    for count in commits:
        for _ in range(count):
            written += 1
            log.add("x", k=f"{written:04d}")
        assert log.waiting > 0
        log.write()
        log.settle()
        assert log.waiting == 0
    full = (written - 1) // 3
    assert sorted(log.closed()) == list(range(max(0, full - kept), full))
    numbers = []
    for path in [log.closed()[number] for number in sorted(log.closed())] + [log.path]:
        numbers += [json.loads(line)["n"] for line in path.open()]
    assert numbers == list(range(3 * max(0, full - kept) + 1, written + 1))


def test_lines_that_a_full_disk_kept_too_long_are_dropped_and_told(tmp_path, monkeypatch):
    log = LogFile(tmp_path / "log.jsonl")
    log.add("x")
    size = log.waiting
    monkeypatch.setattr(logfile, "MOST_WAITING", 3 * size)
    for _ in range(4):
        log.add("x")
    assert (log.dropped, log.waiting, log.count) == (2, 3 * size, 5)
    log.write()
    log.settle()
    lines = [json.loads(line) for line in log.path.open()]
    assert [line["n"] for line in lines] == [2, 3, 4, 5]
    assert (lines[0]["kind"], lines[0]["lines"]) == ("dropped", 2)
    said = list(checked_lines(log.path, log.path.read_bytes().splitlines(), 0))
    assert not any(isinstance(each, str) for each in said)  # nothing is missing beside those


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ([1, 2, 3, 4, 5], []),
        ([1, 3, 4, 5], ["a line is missing before number 3"]),
        ([1, 4, 5], ["2 lines are missing before number 4"]),
        ([2, 3, 4, 5], ["a line is missing before number 2"]),
        ([1, 2, 2, 3], ["lines are repeated or missing before number 2"]),
    ],
)
def test_lines_that_are_missing_are_counted(tmp_path, left, said):
    log = LogFile(tmp_path / "log.jsonl")
    for _ in range(5):
        log.add("x")
    log.write()
    lines = log.path.read_bytes().splitlines()
    found = checked_lines(log.path, [lines[n - 1] for n in left], 0)
    assert [each for each in found if isinstance(each, str)] == [
        f"log.jsonl: {each}." for each in said
    ]


@pytest.mark.parametrize("before", [None, 0])
def test_a_damaged_line_is_told_by_its_place(tmp_path, before):
    log = LogFile(tmp_path / "log.jsonl")
    for _ in range(4):
        log.add("x")
    log.write()
    lines = log.path.read_bytes().splitlines()
    for damaged in itertools.chain([()], ([k] for k in range(4))):
        now = [line.replace(b"x", b"y") if k in damaged else line for k, line in enumerate(lines)]
        told = [each for each in checked_lines(log.path, now, before) if isinstance(each, str)]
        place = {0: "its first line" if before is None else "the line after number 0"}
        assert told == [
            f"log.jsonl: {place.get(k, f'the line after number {k}')} is damaged or was edited."
            for k in damaged
        ]


# -- files that grow, hooks -----------------------------------------------------------------------


def test_a_file_that_is_cut_begins_anew_and_one_that_comes_back_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "TICK", 0.001)
    path, got = tmp_path / "samples", []
    path.write_bytes(b"1\n2\n3\n")
    source = sources.from_file(path, lambda: False)

    def until(*expected):
        for _ in range(200):
            if (piece := next(source)) != b"":
                got.append(piece)
            if len(got) >= len(expected):
                break
        assert got == list(expected)
        got.clear()

    until(b"1\n2\n3\n")
    with path.open("ab") as file:
        file.write(b"4\n")
    until(b"4\n")
    path.write_bytes(b"1\n2\n")  # shorter, by the same name: the logger began again
    until(Break("rotated"), b"1\n2\n")
    real = os.fstat
    fails = [True]

    def gone(descriptor):  # the disk is away for a moment
        if fails.pop() if fails else False:
            raise OSError(errno.EIO, "no disk")
        return real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", gone)
        assert next(source) == b"" and not fails
    with path.open("ab") as file:
        file.write(b"3\n")
    until(b"3\n")
    source.close()


def test_a_command_that_closes_its_error_stream_is_killed_in_time():
    with pytest.raises(HookError, match=r"not done after 0.3 s: killed"):
        Hooks("exec 2>&-; sleep 600", timeout=0.3)._run({"kind": "alarm"})


def test_a_condition_is_told_again_after_an_hour():
    """Each of its own, for each hook; alarms are always told."""
    post = Outbox(Hooks(command="true"), None, ServiceLog(None))
    silent, heard, alarm = ({"kind": kind} for kind in ("silent", "heard", "alarm"))
    now = time.time()
    for ago, soon in ((3590.0, True), (3610.0, False)):
        post._sent = {"command silent@3": now - ago, "webhook heard@4": now, "command alarm@1": now}
        assert post._too_soon("command", silent) is soon
        assert not post._too_soon("command", heard) and not post._too_soon("command", alarm)
    with post._turn:
        post._waiting["command heard@5"] = {"message": heard, "tries": 1, "due": math.inf}
        assert post._too_soon("command", heard) and not post._too_soon("command", silent)
        post._waiting.clear()
    assert post.close(5.0) == 0


def test_a_source_that_cannot_be_opened_is_tried_again_after_a_pause(monkeypatch):
    monkeypatch.setattr(many, "AGAIN", 0.2)
    tried, noted = [], []
    all_of_them = ManyBuildings.__new__(ManyBuildings)
    all_of_them.unopened, all_of_them.stop = {}, lambda: len(tried) >= 3
    watch = SimpleNamespace(service=SimpleNamespace(note=lambda *a, **k: noted.append(a)))
    session = SimpleNamespace(all_watches=[watch], commit=lambda: None)
    all_of_them._sessions = {"roof": session}

    def unopened(name, session):
        tried.append(time.monotonic())
        raise InputError("There is no folder x.")

    all_of_them._open = unopened
    all_of_them._follow("roof", session, lambda *_: None)
    assert len(tried) == 3 and min(np.diff(tried)) >= 0.2
    assert noted == [("source not opened",)] and all_of_them.unopened == {
        "roof": "There is no folder x"
    }


def test_a_file_is_closed_at_the_end_and_one_that_never_comes_is_silence(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "TICK", 0.001)
    path, opened, real = tmp_path / "samples", [], Path.open
    assert list(sources.from_file(path, lambda: False, patience=0.0)) == [sources.SILENT]
    path.write_bytes(b"1\n")
    monkeypatch.setattr(Path, "open", lambda *a, **k: opened.append(real(*a, **k)) or opened[-1])
    source = sources.from_file(path, lambda: False)
    assert next(source) == b"1\n"
    source.close()
    assert [file.closed for file in opened] == [True]


def test_what_waits_is_as_long_as_the_files_become(tmp_path):
    log = StateLog(Monitor(HOUSE, dt=0.5, alarms={"drift": 1e-6}), tmp_path, every=1.0)
    log.commit({})
    assert log.waiting == 0
    log.push_block(np.full(40, 2.0))
    waiting = log.waiting
    log.commit({})
    log.close()
    sizes = [(tmp_path / name).stat().st_size for name in ("log.jsonl", "history.jsonl")]
    assert log.waiting == 0 and waiting == sum(sizes) and min(sizes) > 0


def test_a_first_commit_that_fails_is_made_up_for_by_the_next(tmp_path, monkeypatch):
    """With all samples that have come meanwhile."""
    log, real, full = StateLog(Monitor(HOUSE, dt=0.5), tmp_path), state_log.replace_file, [True]

    def refusing(*arguments, **named):
        if full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*arguments, **named)

    monkeypatch.setattr(state_log, "replace_file", refusing)
    with pytest.raises(OSError, match="No space"):
        log.commit({})
    log.push_block(np.zeros(10))
    full.clear()
    log.commit({})
    log.close()
    kept = saved_state(tmp_path)
    assert kept["durable"]["samples"] == 10
    assert kept["log"][2] == len((tmp_path / "log.jsonl").read_text().splitlines()) == 5
