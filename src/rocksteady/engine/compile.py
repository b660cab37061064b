"""Compiled drivers that stay compiled.

Numba's own file cache cannot be used for drivers: it identifies a function that calls another one
passed to its factory by a number that is new in every process, and it does not notice when the
*called* function's file is edited. Here a driver is known by its name, its formulation's step and a
fingerprint of all sources it could be built from, so a cached driver is found again by the next
process and is thrown away as soon as any of those files changes.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache

_PACKAGE = Path(__file__).parents[1]
_on_compile: list[Callable[[str], Any]] = []


class _DriverCache(FunctionCache):  # type: ignore[misc]
    """Numba's file cache with a key of our own."""

    def __init__(self, function: Callable[..., Any], key: str) -> None:
        super().__init__(function)
        self._key = key

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (sig, codegen.magic_tuple(), self._key)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            for announce in _on_compile:
                announce(self._py_func.__name__)
        return found


def driver(function: Callable[..., Any], advance: Any, *, parallel: bool = False) -> Any:
    """Compile ``function``, a loop around a formulation's ``advance``, and cache it on disk."""
    compiled = numba.njit(function, error_model="numpy", parallel=parallel)
    if numba.config.DISABLE_JIT:
        return compiled
    compiled._cache = _DriverCache(function, f"{function.__name__}:{_identity(advance)}")
    return compiled


def on_compile(announce: Callable[[str], Any]) -> None:
    """Call ``announce(driver_name)`` whenever a driver has to be compiled, which takes seconds."""
    _on_compile.append(announce)


def _identity(advance: Any) -> str:
    """Which step this is: where it is written, what it closes over, and all package sources."""
    step = getattr(advance, "py_func", advance)
    return hashlib.sha256("\n".join(_lineage(step, set())).encode()).hexdigest() + _sources()


def _lineage(function: Any, seen: set[int]) -> list[str]:
    """Names and sources of a function and of every function it closes over."""
    if id(function) in seen or not inspect.isfunction(function):
        return []
    seen.add(id(function))
    lines = [f"{function.__module__}.{function.__qualname__}", _source_of(function)]
    for cell in function.__closure__ or ():
        inner = cell.cell_contents
        lines += _lineage(getattr(inner, "py_func", inner), seen)
    return lines


def _source_of(function: Any) -> str:
    try:
        return inspect.getsource(inspect.getmodule(function) or function)
    except (OSError, TypeError):  # typed at a prompt
        return repr(function.__code__.co_code) + repr(function.__code__.co_consts)


@cache
def _sources() -> str:
    """Fingerprint of every file a step or a driver may be built from."""
    digest = hashlib.sha256()
    for room in ("formulations", "engine"):
        for path in sorted((_PACKAGE / room).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
