"""Loops for a GPU, compiled once and kept on disk for the next process.

As for the CPU's drivers (`numerics/cache.py`), numba-cuda's own file cache would not find a loop
that closes over a formulation's functions again. So its files are named after everything that
decides what is in them.
"""

import contextlib
import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.engine.cuda.layout import Shape
from rocksteady.engine.summary import Rules, make_over, never
from rocksteady.numerics.cache import remove_unused
from rocksteady.numerics.fingerprint import fingerprint


@cache
def compiled(
    advance: Any, glide: Any, shape: Shape, registers: int, rules: Rules | None, stops: bool
) -> Any:
    """The loop around a formulation's step, to be launched on the current GPU: of what comes out
    it keeps a summary by these rules, or all if there are none. After its motion a run ends at
    rest if it ``stops`` there."""
    from numba import config, cuda

    from rocksteady.engine.cuda.loops import make_glide_loop, make_plain_loop

    if shape.number is np.float32:
        from rocksteady.engine.cuda.single import (
            advance_in_single,
            glide_in_single,
            rules_in_single,
        )

        if glide is None:
            advance = advance_in_single(advance)
        else:
            glide = glide_in_single(glide)
        rules = None if rules is None else rules_in_single(rules)
    over = make_over(rules.resting if rules and stops else never)
    if glide is None:
        loop = make_plain_loop(advance, shape, rules, over)
    else:
        loop = make_glide_loop(glide, shape, rules, over)
    if config.ENABLE_CUDASIM:
        return cuda.jit(loop)
    dispatcher = cuda.jit(loop, max_registers=registers)
    dispatcher._cache = _cache_of()(loop, f"{fingerprint(loop)} {shape} {registers}")
    return dispatcher


@cache
def compiled_spread() -> Any:
    """`loops.spread`, to be launched on the current GPU."""
    from numba import config, cuda

    from rocksteady.engine.cuda.loops import spread

    dispatcher = cuda.jit(spread)
    if not config.ENABLE_CUDASIM:
        dispatcher._cache = _cache_of()(spread, fingerprint(spread))
    return dispatcher


@cache
def _cache_of() -> Any:
    """numba-cuda's file cache with names and a key of our own: made when it is there to import."""
    from numba import cuda
    from numba.cuda.core.caching import IndexDataCacheFile
    from numba.cuda.dispatcher import CUDACache

    class LoopCache(CUDACache):  # type: ignore[misc]
        def __init__(self, function: Any, identity: str) -> None:
            super().__init__(function)
            self._identity = identity

        def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
            # Called just before a file is read or written: the place to say which one.
            gpu = cuda.get_current_device().compute_capability
            key = (str(sig), str(gpu), metadata.version("numba-cuda"), self._identity)
            name = f"cuda_loop-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}"
            self._cache_file = IndexDataCacheFile(self._cache_path, name, self._identity)
            return key

        def save_overload(self, sig: Any, data: Any) -> None:
            # A full or read-only disk costs only the time to compile again.
            with contextlib.suppress(OSError):
                super().save_overload(sig, data)
                remove_unused(Path(self._cache_path))

    return LoopCache
