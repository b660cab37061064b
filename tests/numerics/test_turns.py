"""Of several processes that need a driver, one compiles it; nobody waits in vain."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from rocksteady.numerics import turns
from rocksteady.numerics.decorators import driver
from rocksteady.numerics.turns import Turn

compiles = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

HOLDER = """
import sys, time
from pathlib import Path
from rocksteady.numerics.turns import Turn
turn = Turn()
turn.wait(Path(sys.argv[1]))
print("has it", flush=True)
sys.stdin.readline()
turn.give_back()
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "trace-0123456789abcdef01234567.lock"


@pytest.fixture
def holder(lock: Path):
    """Another process that has the right; a line on its standard input, and it gives it back."""
    command = [sys.executable, "-c", HOLDER, str(lock)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        assert process.stdout.readline() == "has it\n"
        yield process
        process.kill()


def taken(lock: Path) -> bool:
    """Whether this process gets it at once."""
    turn = Turn()
    turn.wait(lock)
    had = turn.file is not None
    turn.give_back()
    return had


def test_one_has_it_and_then_the_next(lock, holder, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.0)
    assert not taken(lock)
    holder.communicate("enough\n")
    assert taken(lock) and not lock.exists()


def test_who_waits_goes_on_when_the_other_ends(lock, holder):
    holder.stdin.write("enough\n")
    holder.stdin.flush()
    assert taken(lock)


def test_who_is_killed_leaves_nothing_locked(lock, holder, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.0)
    holder.kill()
    holder.wait()
    assert lock.exists() and taken(lock)


def test_nobody_waits_longer_than_their_patience(lock, holder, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.2)
    began = time.monotonic()
    assert not taken(lock)
    assert 0.2 <= time.monotonic() - began < 30  # on a busy machine, too
    Turn().give_back()  # what it has not
    assert lock.exists()


def test_where_nothing_can_be_locked_everybody_goes_on(lock, monkeypatch):
    """As on some network drives; a folder that cannot be written is like one that is not there."""

    def fails(_):
        raise OSError("no locks here")

    assert not taken(lock.parent / "nowhere" / lock.name)
    monkeypatch.setattr(turns, "_locked", fails)
    began = time.monotonic()
    assert not taken(lock)
    assert time.monotonic() - began < turns.PATIENCE / 2


TWICE = """
import sys, time
from rocksteady.numerics.cache import on_compile
from rocksteady.numerics.decorators import driver
compiled = []
on_compile(compiled.append)
on_compile(lambda name: time.sleep(1.0))  # while it compiles, the other one comes
def twice(x):
    return 2.0 * x
print("ready", flush=True)
sys.stdin.readline()
print(driver(twice)(1.0), *compiled)
"""


@compiles
def test_two_processes_compile_once(tmp_path):
    script = tmp_path / "toy.py"
    script.write_text(TWICE)
    both = [
        subprocess.Popen(
            [sys.executable, script],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    assert [process.stdout.readline() for process in both] == ["ready\n"] * 2
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    said = sorted(process.communicate()[0].split() for process in both)
    assert said == [["2.0"], ["2.0", "twice"]]
    assert not list((tmp_path / "cache").rglob("*.lock"))


@compiles
def test_a_driver_that_cannot_be_compiled_keeps_nobody_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @driver
    def nonsense(x):
        return x.no_such_thing

    with pytest.raises(numba.TypingError, match="no_such_thing"):
        nonsense(1.0)
    assert nonsense._cache._turn.file is None
    assert not list(tmp_path.rglob("*.lock"))
