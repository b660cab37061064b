"""The disk cache of compiled drivers.

Numba's own file cache cannot be used for drivers: it identifies a function that calls another one
passed to its factory by a number that is new in every process, and it does not notice when the
*called* function's file is edited. Here a compiled driver has files of its own, named after
everything that decides what is in them: the argument types, the processor, and the content of the
driver and of every function and constant it is built from. The next process finds it again, an edit
anywhere below makes another one, and two processes that compile different drivers at the same time
cannot mix them up. Of two that need the same one, one compiles it and the other waits (`turns.py`).
Files that nobody has loaded for a month are removed.
"""

import contextlib
import hashlib
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from rocksteady.numerics.first_use import announced
from rocksteady.numerics.turns import Turn

UNUSED = 30 * 86400.0  # s after which a compiled driver that nobody loads is removed
BEGUN = time.time()  # when this process began to read kernels: what is edited later is not in it
_OURS = re.compile(r"(?P<driver>.+-[0-9a-f]{24})\.(nbi|\d+\.nbc|cubin|lock)(\.tmp\.\w+)?")

_on_compile: list[Callable[[str], Any]] = []


class DriverCache(FunctionCache):  # type: ignore[misc]
    """Numba's file cache with names and a key of our own."""

    def __init__(self, function: Callable[..., Any], identity: str) -> None:
        super().__init__(function)
        self._identity = identity
        self._turn = Turn()

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        # Called just before a file is read or written: the place to say which one.
        fields = tuple(getattr(kind, "fields", None) for kind in sig)  # of named tuples, in order
        key = (str(sig), fields, codegen.magic_tuple(), self._identity)
        name = f"{self._py_func.__name__}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}"
        self._cache_file = IndexDataCacheFile(self._cache_path, name, self._identity)
        return key

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            self._wait()
            found = super().load_overload(sig, target_context)
        if found is None:
            for announce in _on_compile:
                announce(self._py_func.__name__)
        else:
            with contextlib.suppress(OSError):
                os.utime(self._cache_file._index_path)  # in use: not old
        return found

    def _wait(self) -> None:
        """Wait while another process compiles the driver that was not found."""
        with contextlib.suppress(OSError), announced(self._py_func):
            self._impl.locator.ensure_cache_path()
            self._turn.wait(Path(self._cache_file._index_path).with_suffix(".lock"))

    def by_one_process(self, compile: Callable[..., Any]) -> Callable[..., Any]:
        """``compile`` of a dispatcher, which loads a driver or compiles and saves it; others that
        wait for this one go on when it has ended, in whatever way."""

        def compile_or_load(sig: Any) -> Any:
            try:
                return compile(sig)
            finally:
                self._turn.give_back()

        return compile_or_load

    def save_overload(self, sig: Any, data: Any) -> None:
        # What its parts need to print or to raise; Numba sets these only when it loads a driver.
        for environment in data._find_referenced_environments():
            data.library.codegen.set_env(environment.env_name, environment)
        # A full or read-only disk costs only the time to compile again.
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)
            remove_unused(Path(self._cache_path))


def remove_unused(folder: Path, unused: float = UNUSED) -> None:
    """Remove the compiled drivers in ``folder`` that were neither made nor loaded for ``unused``
    seconds. Another process that wants one just then compiles it again."""
    files = defaultdict(list)
    for file in folder.iterdir():
        if match := _OURS.fullmatch(file.name):
            files[match["driver"]].append(file)
    for those in files.values():
        with contextlib.suppress(OSError):  # gone already, or open elsewhere
            if max(file.stat().st_mtime for file in those) < time.time() - unused:
                for file in sorted(those, reverse=True):  # the index, .nbi, before what it names
                    file.unlink(missing_ok=True)


def on_compile(announce: Callable[[str], Any]) -> None:
    """Call ``announce(driver_name)`` whenever a driver has to be compiled, which takes seconds."""
    _on_compile.append(announce)
