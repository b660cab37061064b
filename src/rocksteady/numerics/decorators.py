"""Every decorator that compiles, and when to use which.

Inside a step, functions of numbers and tuples:

    kernel               the usual one
    fused_kernel         ``a * b + c`` rounded once, the same on every processor and GPU
    inner_kernel         inlined where it is called, so that a loop can become vector instructions
    inner_fused_kernel   both

Inside a step, functions of arrays:

    array_kernel         arrays shared between threads, without counting references to them
    inner_array_kernel   the same, inlined
    vector_kernel        one of many that are alike, made into all of them in vector instructions
    summing_kernel       long sums, in whatever order the vector units like
    spliced_kernel       large, inlined where it is called
    spliced_fused_kernel the same of numbers and tuples, fused

Called from Python:

    driver               a loop around a step, whatever it closes over; kept on disk
    standalone           a function that uses nothing outside its own file; kept on disk
    device               a function for a GPU's threads

All use IEEE arithmetic without fast-math (`summing_kernel` apart), so that the same numbers come
out one at a time, in a batch and in a stream; and NumPy's rules for divisions by zero.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba import types

from rocksteady.numerics.cache import DriverCache
from rocksteady.numerics.fingerprint import fingerprint, named_by_content
from rocksteady.numerics.fusing import fuse
from rocksteady.numerics.parts import (
    DriverCompiler,
    OptimisedPartCompiler,
    PartCompiler,
    SplicedPartCompiler,
)
from rocksteady.numerics.vectors import for_all

_FREE = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a scalar function."""
    return _compiled(function)


def inner_kernel(function: Callable[..., Any]) -> Any:
    """Compile a scalar function that is inlined where it is called, so that a loop around the call
    can become vector instructions."""
    return _compiled(function, OptimisedPartCompiler, forceinline=True)


def fused_kernel(function: Callable[..., Any]) -> Any:
    """Compile a scalar function in which every ``a * b + c`` is one operation, rounded once.

    Processors and GPUs have an instruction for it, half the work of two. Left to itself a compiler
    fuses what it likes, here this way and there another, and the last bits differ. With the fusing
    spelled out, a run alone, one of many side by side, and one on a GPU give the same bits.
    """
    return kernel(_fused(function))


def inner_fused_kernel(function: Callable[..., Any]) -> Any:
    """Compile a scalar function, fused and inlined."""
    return inner_kernel(_fused(function))


def spliced_fused_kernel(function: Callable[..., Any]) -> Any:
    """Compile a large scalar function that is inlined in one place, fused: there it is optimised,
    and not by itself before."""
    return spliced_kernel(_fused(function))


def array_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only reads and writes arrays: references to them are not counted, or
    threads that share an array would wait for each other at its counter."""
    return _compiled(function, _nrt=False)


def inner_array_kernel(function: Callable[..., Any]) -> Any:
    """The same, inlined where it is called; the functions that it calls are not."""
    return _compiled(function, SplicedPartCompiler, _nrt=False)


def vector_kernel(count: int) -> Callable[[Callable[..., Any]], Any]:
    """Compile ``function(table, i)`` into a function of the table that does it for all i below
    ``count`` in vector instructions, on every processor that has them (`vectors.py`). It needs to
    be free of branches and of calls that are not inlined, and to leave the other i alone."""

    def compiled(function: Callable[..., Any]) -> Any:
        one = _compiled(function, SplicedPartCompiler, _nrt=False)

        def all_of_them(table):  # type: ignore[no-untyped-def]
            for_all(one, table, count)

        all_of_them.__name__ = function.__name__
        all_of_them.__qualname__ = function.__qualname__
        return _compiled(all_of_them, _nrt=False)

    return compiled


def summing_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of long sums, which may be taken in another order: only then do they go
    through the processor's vector units. The compiler chooses the order, the same in every run."""
    return _compiled(function, OptimisedPartCompiler, fastmath={"reassoc", "contract"})


def spliced_kernel(function: Callable[..., Any]) -> Any:
    """Compile a large function, inlined where it is called. (The functions that an `inner_kernel`
    calls are inlined with it; those that this one calls are not.)"""
    return _compiled(function, SplicedPartCompiler)


def driver(function: Callable[..., Any]) -> Any:
    """Compile ``function``, a loop around a formulation's step, and keep it on disk (`cache.py`).
    Other Python threads go on while it runs."""
    identity = fingerprint(function) + " nogil"
    compiled = numba.njit(named_by_content(function), pipeline_class=DriverCompiler, **_FREE)
    if not numba.config.DISABLE_JIT:
        compiled._cache = DriverCache(function, identity)
        compiled.compile = compiled._cache.by_one_process(compiled.compile)
    return compiled


def standalone(function: Callable[..., Any]) -> Any:
    """Compile a function that calls nothing outside its own file, and keep it on disk. Numba's own
    cache does for that: it fails only for functions that close over others, and it overlooks edits
    in other files. Other Python threads go on while it runs."""
    return numba.njit(function, pipeline_class=DriverCompiler, cache=True, **_FREE)


def device(function: Callable[..., Any]) -> Any:
    """Compile a function that a GPU's threads call."""
    from numba import cuda

    return cuda.jit(function, device=True)


def _fused(function: Callable[..., Any]) -> Callable[..., Any]:
    return function if numba.config.DISABLE_JIT else fuse(function)


def _compiled(function: Callable[..., Any], part: Any = PartCompiler, **options: Any) -> Any:
    """Called from Python it is compiled by itself; compiled callers are given a part."""
    function = named_by_content(function)
    compiled = numba.njit(function, error_model="numpy", **options)
    if not numba.config.DISABLE_JIT:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        twin = numba.njit(function, error_model="numpy", pipeline_class=part, **options)
        compiled.get_call_template = _for_any_number(twin.get_call_template)
        compiled.get_overload = twin.get_overload
    return compiled


def _for_any_number(get_template: Any) -> Any:
    """Numba would compile a function anew for every constant that it is given."""

    def get_call_template(args: Any, kws: Any) -> Any:
        named = {name: _without_value(kind) for name, kind in kws.items()}
        return get_template(tuple(map(_without_value, args)), named)

    return get_call_template


def _without_value(kind: Any) -> Any:
    """The type of a number, where Numba knows the number as well."""
    if isinstance(kind, types.Tuple):
        return types.BaseTuple.from_types(tuple(map(_without_value, kind.types)))
    return types.unliteral(kind)
