"""Compiled drivers that stay compiled.

Numba's own file cache cannot be used for drivers: it identifies a function that calls another one
passed to its factory by a number that is new in every process, and it does not notice when the
*called* function's file is edited. Here a compiled driver has files of its own, named after
everything that decides what is in them: the argument types, the processor, and the content of the
driver and of every function and constant it is built from. The next process finds it again, an edit
anywhere below makes another one, and two processes that compile different drivers at the same time
cannot mix them up.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

from rocksteady.formulations._kernel import fingerprint, named_by_content

_on_compile: list[Callable[[str], Any]] = []


class _DriverCache(FunctionCache):  # type: ignore[misc]
    """Numba's file cache with names and a key of our own."""

    def __init__(self, function: Callable[..., Any], identity: str) -> None:
        super().__init__(function)
        self._identity = identity

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        # Called just before a file is read or written: the place to say which one.
        key = (str(sig), codegen.magic_tuple(), self._identity)
        name = f"{self._py_func.__name__}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}"
        self._cache_file = IndexDataCacheFile(self._cache_path, name, self._identity)
        return key

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            for announce in _on_compile:
                announce(self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        # A full or read-only disk costs only the time to compile again.
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def driver(function: Callable[..., Any]) -> Any:
    """Compile ``function``, a loop around a formulation's step, and cache it on disk. Other Python
    threads go on while it runs."""
    identity = fingerprint(function) + " nogil"
    compiled = numba.njit(named_by_content(function), error_model="numpy", nogil=True)
    if not numba.config.DISABLE_JIT:
        compiled._cache = _DriverCache(function, identity)
    return compiled


def on_compile(announce: Callable[[str], Any]) -> None:
    """Call ``announce(driver_name)`` whenever a driver has to be compiled, which takes seconds."""
    _on_compile.append(announce)
