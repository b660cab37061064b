"""Whoever waits for the compiler is told what for, once, on the error stream."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.engine.watch import make_watch
from rocksteady.numerics import first_use
from rocksteady.theories.registry import FORMULATIONS

BLOCK = rs.Block(1.8, 0.5)
TOY = """
import logging, sys
from rocksteady.numerics import first_use
first_use.PATIENCE = 0.0
from rocksteady.numerics.decorators import driver, kernel
class Toy:
    name = "ToyTheory"
    def advance_for(self, system): ...
if "silent" in sys.argv:
    logging.getLogger("rocksteady").setLevel(logging.ERROR)
@kernel
def step(x):
    return x + 1.0
def loop(x):
    return step(step(x))
def other(x):
    return step(x)
print(driver(loop)(1.0), driver(other)(1.0))
"""


@pytest.fixture
def run(tmp_path: Path):
    """Run the toy in a process of its own, with a folder of its own for compiled code."""
    script = tmp_path / "toy.py"
    script.write_text(TOY)

    def call(*arguments: str, cache: str = "cache") -> tuple[str, str]:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / cache)}
        done = subprocess.run(
            [sys.executable, script, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout, done.stderr

    return call


def test_one_line_the_first_time_and_none_in_the_next_process(run):
    line = first_use.LINE.format(what="ToyTheory") + "\n"
    assert run() == ("3.0 2.0\n", line)  # for both drivers
    assert run() == ("3.0 2.0\n", "")  # nothing to compile
    assert run("silent", cache="another") == ("3.0 2.0\n", "")


def test_a_short_wait_is_not_explained(monkeypatch):
    said = []
    monkeypatch.setattr(first_use, "_tell", said.append)
    with first_use.announced(test_a_short_wait_is_not_explained):
        pass
    assert said == []


@pytest.mark.parametrize("make", [make_trace, make_peaks, make_watch])
@pytest.mark.parametrize("name", [name for name in FORMULATIONS.names() if name != "masonry"])
def test_a_driver_knows_its_theory(name, make):
    _ = rs.Housner  # in the package's own namespace from now on, and nothing to go by
    how = FORMULATIONS.named(name)()
    bodies = BLOCK, rs.Body.box(0.5, 0.5, 1.8), rs.Assembly.drums(2, height=2.0, width=0.5)
    body = next(each for each in bodies if isinstance(each, how.bodies))
    driver = make(how.advance_for(body))
    assert first_use.theory_of(driver.py_func) == how.name


def test_other_drivers_know_theirs(monkeypatch):
    house = rs.MasonryBuilding.casalotti2025(mass=40e3)
    tank = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, natural_frequency=5.0)
    for body, how in ((house, rs.Masonry()), (tank, rs.Nonsmooth())):
        assert first_use.theory_of(make_trace(how.advance_for(body)).py_func) == how.name


def test_what_belongs_to_no_theory_has_no_name():
    from rocksteady.motion import _oscillator

    functions = [f.py_func for f in vars(_oscillator).values() if hasattr(f, "py_func")]
    assert functions and all(first_use.theory_of(function) is None for function in functions)
