"""How loops get to a GPU: their arguments, their files on disk, and what is said where none is."""

from __future__ import annotations

import os
from ctypes import c_int32, c_int64, c_void_p
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from rocksteady.bodies import Block
from rocksteady.engine.cuda import batch, driver, gpu, layout, slots
from rocksteady.engine.cuda import compile as loops
from rocksteady.engine.cuda.simulated import SimulatedGpu
from rocksteady.engine.ground import Ground, Runs
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numerics.cache import remove_unused
from rocksteady.theories.contract import Glide
from rocksteady.theories.housner import Housner
from rocksteady.theories.housner import motion as housner


class Pair(NamedTuple):
    table: object
    first: object


def device_array(start, shape, kind=np.float64):
    return driver.DeviceArray(None, start, shape, np.dtype(kind))


def test_a_block_of_waves_has_its_own_number_of_threads():
    alone = Glide(None, None)
    assert batch.tuning(alone, has_arrays=False).threads == 128
    assert batch.tuning(alone._replace(prepare=max), has_arrays=False).threads == layout.THREADS


def test_memory_of_waves_is_kept_while_it_is_large_enough(monkeypatch):
    monkeypatch.setattr(slots, "the_gpu", SimulatedGpu)
    slot = slots.Slot(2, 8)
    first = slot.room_for_all("numbers", (10, 3), np.float64)
    assert np.shares_memory(first, slot.room_for_all("numbers", (4, 3), np.float64))
    for shape, kind in (((11, 3), np.float64), ((4, 2), np.float64), ((4, 2), np.float32)):
        there = slot.room_for_all("numbers", shape, kind)
        assert there.shape == shape and there.dtype == kind
        assert not np.shares_memory(first, there)


def test_rows_of_a_table_lie_where_numpy_has_them():
    table, there = np.zeros((5, 3)), device_array(1000, (5, 3))
    assert there.strides == table.strides and there.size == 15
    for rows in (slice(2), slice(1, 4), slice(3, 9), slice(0, 0)):
        part, same = there[rows], table[rows]
        assert part.shape == same.shape
        assert part.start - 1000 == same.ctypes.data - table.ctypes.data or not same.size
    assert there.reshape(15).strides == (8,)


def test_arguments_are_laid_out_as_numba_cuda_has_them():
    """Of an array: two pointers that are not used, length, size of an entry, where it begins, shape
    and strides; a tuple is what is in it."""
    given = Pair(device_array(4096, (2, 3), np.float32), 7), (np.int32(5),)
    values = list(driver.flattened(given))
    sizes = [c_void_p, c_void_p, c_int64, c_int64, c_void_p, *[c_int64] * 5, c_int32]
    assert [type(value) for value in values] == sizes
    assert [value.value for value in values] == [None, None, 6, 4, 4096, 2, 3, 12, 4, 7, 5]


class FakeGpu:
    """Takes what the file says for code."""

    simulated, capability = False, (9, 0)

    def __init__(self):
        self.loaded, self.refuses = [], b"nothing"

    def load(self, code, name):
        if code == self.refuses:
            raise driver.GpuError("The GPU's driver answered that this is no code.")
        self.loaded.append((code, name))
        return len(self.loaded)

    def launch(self, *args):
        pass


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """A compiler that counts, and an empty folder for what it makes."""
    made = []

    def compile_loop(self, args):
        made.append(self.identity)
        return b"code\n%d" % len(made), "entry"

    monkeypatch.setattr(loops.Loop, "_compile", compile_loop)
    monkeypatch.setattr(loops, "_folder", lambda: tmp_path)
    monkeypatch.setattr(loops.metadata, "version", lambda name: "0.30")
    return made


def launch(identity, there=None, *args):
    """Launch a loop as a new process would; what its GPU loaded."""
    there = there or FakeGpu()
    given = args or (device_array(0, (4,)),)
    loops.Loop(lambda: None, identity, 128).launch(there, (1, 1), None, 0, *given)
    return there.loaded


def test_a_loop_is_compiled_once_and_then_found(compiler):
    assert launch("a") == launch("a") == [(b"code\n1", "entry")]
    assert launch("b") == [(b"code\n2", "entry")]  # another loop
    assert launch("a", None, device_array(0, (4, 4))) == [(b"code\n3", "entry")]  # other types
    assert launch("a", None, Pair(device_array(0, (4,)), 1))[0][0] == b"code\n4"
    newer = FakeGpu()
    newer.capability = (10, 0)
    assert launch("a", newer) == [(b"code\n5", "entry")]
    assert len(compiler) == 5


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "foreign", "refused"])
def test_a_damaged_file_costs_only_the_time_to_compile(compiler, tmp_path, damage):
    launch("a")
    (file,) = tmp_path.iterdir()
    content, there = file.read_bytes(), FakeGpu()
    if damage == "refused":  # the driver does not take what was kept
        there.refuses = b"code\n1"
    else:
        broken = {"cut": content[:-1], "changed": content[:-1] + b"?", "empty": b""}
        file.write_bytes(broken.get(damage, b"\x7fELF" * 100))
    assert launch("a", there) == [(b"code\n2", "entry")]
    assert launch("a") == [(b"code\n2", "entry")] and len(compiler) == 2  # and is put right


def test_a_disk_that_cannot_be_written_costs_only_the_time_to_compile(compiler, monkeypatch):
    monkeypatch.setattr(loops, "_folder", lambda: Path(os.devnull) / "nowhere")
    assert launch("a") == [(b"code\n1", "entry")]
    assert launch("a") == [(b"code\n2", "entry")]


def test_loops_that_nobody_launches_are_removed(compiler, tmp_path):
    launch("old"), launch("new")
    old, new = sorted(tmp_path.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    os.utime(old, (0, 0))
    remove_unused(tmp_path)
    assert [*tmp_path.iterdir()] == [new]


def test_an_edit_of_what_a_loop_is_made_of_makes_another(tmp_path, monkeypatch):
    """Of the formulation's functions, and of the files that the loops are written in. What is
    edited while the process runs is not in it: nothing is kept then."""
    glide = housner.GLIDE
    same = loops._identity(housner.ADVANCE, glide)
    assert same == loops._identity(housner.ADVANCE, glide)
    assert same != loops._identity(housner.ADVANCE, glide._replace(attempt=glide.step))
    assert same != loops._identity(housner.ADVANCE, glide._replace(tolerance=0))
    package = tmp_path / "rocksteady"
    for name in ("engine/cuda", "numerics", "theories"):
        (package / name).mkdir(parents=True)
    sources = loops._sources.__wrapped__
    monkeypatch.setattr(loops, "__file__", str(package / "engine" / "cuda" / "compile.py"))
    found = set()
    files = ("engine/cuda/loops.py", "engine/summary.py", "numerics/fusing.py")
    for number, name in enumerate((*files, "theories/contract.py", "engine/summary.py")):
        (package / name).write_text(f"x = {number}")
        os.utime(package / name, (0, 0))
        found.add(sources())
    assert len(found) == 5 and "" not in found
    (package / files[0]).touch()
    os.utime(package / files[0], (loops.BEGUN + 1, loops.BEGUN + 1))
    assert sources() == ""


def test_a_loop_of_edited_files_is_not_kept(compiler, tmp_path):
    assert launch("") == [(b"code\n1", "entry")] and [*tmp_path.iterdir()] == []
    assert launch("") == [(b"code\n2", "entry")]


def test_the_files_that_loops_are_written_in_are_all_watched():
    """Whatever `loops.py` and its tools import lies in the files whose edits are noticed."""
    package = Path(loops.__file__).parents[2]
    watched = {file for names in loops.SOURCES for file in package.glob(names)}
    for name in ("loops", "tools", "single", "layout"):
        for line in (package / "engine" / "cuda" / f"{name}.py").read_text("utf-8").splitlines():
            if line.startswith("from rocksteady.") and "errors" not in line:
                module = line.split()[1].removeprefix("rocksteady.").replace(".", "/")
                assert package / f"{module}.py" in watched, line


def test_where_nothing_can_be_compiled_it_says_what_to_install(monkeypatch):
    def missing():
        raise ImportError("No module named 'numba.cuda'")

    monkeypatch.setattr(loops, "toolkit", missing)
    monkeypatch.setattr(loops, "_kept", lambda file: None)
    monkeypatch.setattr(loops.metadata, "version", lambda name: "0.30")
    with pytest.raises(
        InputError, match=r'could not be compiled.*pip install "rocksteady\[cuda\]"'
    ):
        launch("a")


def test_a_gpu_without_its_compiler_says_what_to_install(monkeypatch):
    monkeypatch.setattr(gpu, "the_gpu", FakeGpu)
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    able, why = gpu.available()
    assert not able and "numba-cuda" in why and 'pip install "rocksteady[cuda]"' in why


def test_a_driver_that_is_missing_or_fails_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(driver, "LIBRARY", "no-such-library.so")
    with pytest.raises(driver.GpuError, match="driver could not be loaded"):
        driver.library.__wrapped__()

    class Driver:
        def cuInit(self, flags):
            return 100

        def cuGetErrorString(self, code, text):
            text._obj.value = b"no CUDA-capable device is detected"

    monkeypatch.setattr(driver, "library", Driver)
    with pytest.raises(driver.GpuError, match="error 100: no CUDA-capable device"):
        driver.Gpu(0)


class IdleGpu(SimulatedGpu):
    """Counts the arrays it has room for, and computes nothing."""

    def __init__(self):
        self.arrays = 0

    def array(self, shape, kind):
        self.arrays += 1
        return np.zeros(shape, kind)

    page_locked = staticmethod(np.zeros)

    def launch(self, *args):
        pass


def test_memory_is_kept_from_chunk_to_chunk(monkeypatch):
    """To give memory back halts the GPU, so that chunks would wait for each other."""
    idle = IdleGpu()
    for module in (batch, slots):
        monkeypatch.setattr(module, "the_gpu", lambda: idle)
    for name in ("slot", "upload"):  # as in a new process, and nothing left behind
        monkeypatch.setattr(slots, name, cache(getattr(slots, name).__wrapped__))
        monkeypatch.setattr(batch, name, getattr(slots, name))
    monkeypatch.setattr(batch, "available", lambda: (True, "pretended"))
    monkeypatch.setattr(batch, "compiled", lambda *key: idle)
    for name, value in (("CHUNK", 2), ("LARGEST_CHUNK", 2), ("FEW_BODIES", 1), ("MOST_BODIES", 1)):
        monkeypatch.setattr(batch, name, value)
    ground, taken = Ground.of([Motion(np.ones(100), 0.01)]), []
    for runs in (16, 8, 64):
        before, params = idle.arrays, np.tile(Housner().parameters(Block(2.0, 0.5)), (runs, 1))
        those = Runs(np.arange(runs), np.zeros(runs, dtype=np.int64), np.ones(runs))
        batch.batch_peaks(
            housner.ADVANCE, np.zeros((runs, 5)), params, ground, those, glide=housner.GLIDE
        )
        taken.append(idle.arrays - before)
    assert taken[0] > taken[1] == taken[2]
