"""Compiled drivers on disk: what is used stays, what nobody asks for is removed."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

from rocksteady.numerics.cache import UNUSED, remove_unused

DAY = 86400.0
OLD = "trace-0123456789abcdef01234567"
NEW = "peaks-abcdefabcdefabcdefabcdef"


def aged(file: Path, days: float) -> Path:
    file.touch()
    then = time.time() - days * DAY
    os.utime(file, (then, then))
    return file


def test_only_our_own_files_of_long_ago_are_removed(tmp_path):
    for name in (f"{OLD}.nbi", f"{OLD}.1.nbc", f"{OLD}.1.nbc.tmp.00ff00ff00ff00ff"):
        aged(tmp_path / name, 31)
    aged(tmp_path / "half-0123456789abcdef01234567.2.nbc", 31)  # its index is gone
    kept = {
        aged(tmp_path / f"{NEW}.nbi", 29),  # loaded since it was made
        aged(tmp_path / f"{NEW}.1.nbc", 300),
        aged(tmp_path / "module.function-12.py311.nbi", 300),  # Numba's own
        aged(tmp_path / "module.cpython-311.pyc", 300),
        aged(tmp_path / f"{OLD}.txt", 300),
    }
    remove_unused(tmp_path)
    assert set(tmp_path.iterdir()) == kept
    remove_unused(tmp_path)  # another process at the same time finds nothing left to do
    assert set(tmp_path.iterdir()) == kept


TOY = """
import sys
from rocksteady.numerics.decorators import driver
from rocksteady.numerics.cache import on_compile
compiled = []
on_compile(compiled.append)
def twice(x):
    return 2.0 * x
def thrice(x):
    return 3.0 * x
for name in sys.argv[1:]:
    driver(globals()[name])(1.0)
print(*compiled)
"""


def test_a_driver_that_is_loaded_now_and_then_stays(tmp_path, apart):
    script = tmp_path / "toy.py"
    script.write_text(TOY)
    run = partial(apart, script)

    def age_all():
        for file in (tmp_path / "cache").rglob("*.nb?"):
            aged(file, 2 * UNUSED / DAY)

    assert run("twice", "thrice") == ["twice", "thrice"]
    age_all()
    assert run("twice") == []  # loaded, and so it is young again
    script.write_text(TOY.replace("3.0", "4.0"))
    assert run("thrice") == ["thrice"]  # another one: its forerunner is old and goes
    names = sorted(file.name.split("-")[0] for file in (tmp_path / "cache").rglob("*.nbi"))
    assert names == ["thrice", "twice"]
    assert run("twice", "thrice") == []


ORDER = """
import sys
from typing import NamedTuple
from rocksteady.numerics.decorators import driver, kernel
from rocksteady.numerics.cache import on_compile
compiled = []
on_compile(compiled.append)
class Pair(NamedTuple):
    first: float
    second: float
@kernel
def made(x):
    return Pair(x, 10.0)
def given(pair):
    return pair.first
def inside(x):
    return made(x).first
print(int(driver(given)(Pair(1.0, 10.0))), int(driver(inside)(1.0)), *compiled)
"""


def test_fields_of_named_tuples_that_change_places_are_compiled_anew(tmp_path, apart):
    """The compiled code reads them by position, and the source of the driver does not change."""
    script = tmp_path / "toy.py"
    script.write_text(ORDER)
    assert apart(script) == ["1", "1", "given", "inside"]
    assert apart(script) == ["1", "1"]
    fields = "    first: float\n    second: float\n"
    script.write_text(ORDER.replace(fields, "    second: float\n    first: float\n"))
    assert apart(script) == ["10", "10", "given", "inside"]
