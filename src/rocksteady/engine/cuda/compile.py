"""Loops for a GPU, compiled once and kept on disk as machine code for the next process.

A file is named after everything that decides what is in it: the formulation's functions, the source
of the loops, the types of the arguments, the kind of GPU and the version of the compiler. A process
that finds its loops there needs no compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.caching import FunctionCache

from rocksteady.engine.cuda.driver import DeviceArray, GpuError
from rocksteady.engine.cuda.gpu import ADVICE, INSTALL
from rocksteady.engine.cuda.layout import Shape, in_waves
from rocksteady.engine.summary import Rules, make_over, never
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.numerics.cache import BEGUN, remove_unused
from rocksteady.numerics.fingerprint import fingerprint

MARK = b"rocksteady: a loop for a GPU\n"
SOURCES = ("engine/**/*.py", "numerics/*.py", "theories/contract.py", "status.py")


def toolkit() -> Any:
    """`numba.cuda`, imported."""
    if not hasattr(np, "row_stack"):  # gone in NumPy 2.5, but numba-cuda 0.30 still asks for it
        np.row_stack = np.vstack
    from numba import cuda

    return cuda


class Loop:
    """A loop to be launched on a GPU; compiled when it is first launched, unless it is on disk."""

    def __init__(self, make: Callable[[], Any], identity: str, registers: int | None) -> None:
        self.make, self.identity, self.registers = make, identity, registers
        self.ready: dict[Any, Any] = {}

    def launch(self, gpu: Any, grid: tuple[int, int], stream: Any, shared: int, *args: Any) -> None:
        """Launch it on (blocks, threads of each), with so many bytes of memory for each block."""
        types = "" if gpu.simulated else repr(_types(args))
        if types not in self.ready:
            self.ready[types] = self._simulated() if gpu.simulated else self._load(gpu, args, types)
        gpu.launch(self.ready[types], grid, stream, shared, args)

    def _simulated(self) -> Any:
        return toolkit().jit(self.make())

    def _load(self, gpu: Any, args: Any, types: str) -> Any:
        key = (types, gpu.capability, metadata.version("numba-cuda"), self.identity)
        name = f"cuda_loop-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.cubin"
        file = _folder() / name
        found = _kept(file)
        if found is not None:
            with contextlib.suppress(GpuError):  # a file that its checksum passes, and yet no code
                return gpu.load(*found)
        code, entry = self._compile(args)
        if self.identity:
            _keep(file, code, entry)
        return gpu.load(code, entry)

    def _compile(self, args: Any) -> tuple[bytes, str]:
        """(Machine code, the loop's name in it)."""
        try:
            cuda = toolkit()
            dispatcher = cuda.jit(self.make(), max_registers=self.registers)
            with _deep_calls():
                kernel = dispatcher.compile(tuple(map(dispatcher.typeof_pyval, _examples(args))))
            return bytes(kernel.library.get_cubin().code), kernel.entry_name
        except (ImportError, OSError, RuntimeError) as error:
            why = " ".join(str(error).split())
            raise InputError(
                f"The loop could not be compiled for this GPU ({why}): numba-cuda or the CUDA "
                f"toolkit is missing or damaged. Install them with {INSTALL}. {ADVICE}"
            ) from error


@contextlib.contextmanager
def _deep_calls() -> Iterator[None]:
    """numba-cuda compiles functions within one another: the deepest of ours take more calls than
    Python allows."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, 10_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


@cache
def compiled(
    advance: Any, glide: Any, shape: Shape, registers: int, rules: Rules | None, stops: bool
) -> Loop:
    """The loop around a formulation's step, to be launched on the current GPU: of what comes out
    it keeps a summary by these rules, or all if there are none. After its motion a run ends at
    rest if it ``stops`` there."""

    def make() -> Any:
        from rocksteady.engine.cuda.loops import make_glide_loop, make_plain_loop
        from rocksteady.engine.cuda.single import (
            advance_in_single,
            glide_in_single,
            rules_in_single,
        )
        from rocksteady.engine.cuda.waves import make_wave_loop

        step, gliding, ending = advance, glide, rules
        if shape.number is np.float32:
            if gliding is None:
                step = advance_in_single(step)
            else:
                gliding = glide_in_single(gliding)
            ending = None if ending is None else rules_in_single(ending)
        over = make_over(ending.resting if ending and stops else never)
        if gliding is None:
            return make_plain_loop(step, shape, ending, over)
        if in_waves(gliding):
            return make_wave_loop(gliding, shape, ending, over)
        return make_glide_loop(gliding, shape, ending, over)

    parts = (advance, getattr(advance, "turning", None), glide, rules)
    return Loop(make, _identity(*parts, repr(shape), registers, stops), registers)


@cache
def compiled_spread() -> Loop:
    """`loops.spread`, to be launched on the current GPU."""

    def make() -> Any:
        from rocksteady.engine.cuda.loops import spread

        return spread

    return Loop(make, _identity("spread"), None)


# -- types of arguments ----------------------------------------------------------------------------


def _types(args: Any) -> Any:
    """What decides the type of each argument."""
    if isinstance(args, tuple):
        return type(args).__name__, getattr(args, "_fields", ()), *map(_types, args)
    if isinstance(args, DeviceArray):
        return str(args.dtype), len(args.shape)
    return type(args).__name__


def _examples(args: Any) -> Any:
    """Arguments of the same types, for the compiler."""
    if isinstance(args, tuple):
        items = map(_examples, args)
        return type(args)(*items) if hasattr(args, "_fields") else tuple(items)
    if isinstance(args, DeviceArray):
        return np.empty((0,) * len(args.shape), args.dtype)
    return args


# -- what a loop is made of ------------------------------------------------------------------------


def _identity(*parts: Any) -> str:
    """A digest of all that a loop is made of; nothing where a file has been edited since this
    process began, for then nobody knows what is in the loop."""
    sources = _sources()
    return f"{sources} {_content(parts)}" if sources else ""


def _content(part: Any) -> str:
    """What distinguishes a function, a tuple of such, or a number from others."""
    function = getattr(part, "py_func", part)
    if inspect.isfunction(function):
        return fingerprint(function)
    if isinstance(part, tuple):
        return f"{getattr(part, '_fields', '')}({', '.join(map(_content, part))})"
    return repr(part)


@cache
def _sources() -> str:
    """A digest of the files that the loops and their tools are written in. (To make the loops and
    look at them would take numba-cuda.)"""
    package, digest = Path(__file__).parents[2], hashlib.sha256()
    for file in sorted(file for names in SOURCES for file in package.glob(names)):
        if file.stat().st_mtime > BEGUN:
            return ""
        digest.update(file.read_bytes())
    return digest.hexdigest()


# -- on disk ---------------------------------------------------------------------------------------


@cache
def _folder() -> Path:
    """Where Numba keeps what it compiles."""
    return Path(FunctionCache(toolkit)._cache_path)


def _keep(file: Path, code: bytes, entry: str) -> None:
    # A full or read-only disk costs only the time to compile again.
    with contextlib.suppress(OSError, InputError):
        content = entry.encode() + b"\n" + code
        write_whole(file, MARK + hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        remove_unused(file.parent)


def _kept(file: Path) -> tuple[bytes, str] | None:
    """What was kept there; None if nothing was, or if it is damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # in use: not old
    checksum, _, content = content.removeprefix(MARK).partition(b"\n")
    if checksum.decode(errors="replace") != hashlib.sha256(content).hexdigest():
        return None
    entry, _, code = content.partition(b"\n")
    return code, entry.decode()
