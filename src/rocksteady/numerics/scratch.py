"""A few numbers that compiled code may change in place, on the stack: nothing is allocated, and a
GPU's thread has its own. They live as long as the function that asked for them runs; the functions
that it calls may be handed them."""

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_TABLE = types.CPointer(types.float64)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _scratch(context: Any, size: Any) -> Any:
    length = size.literal_value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        table = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), length))
        builder.store(ir.Constant(table.type.pointee, None), table)
        return builder.bitcast(table, ir.DoubleType().as_pointer())

    return _TABLE(size), generate


@intrinsic  # type: ignore[untyped-decorator]
def _put(context: Any, table: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.void(_TABLE, types.int64, types.float64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _at(context: Any, table: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.gep(args[0], [args[1]]))

    return types.float64(_TABLE, types.int64), generate


def _plain_put(table: list[float], index: int, value: float) -> None:
    table[index] = value


_jit = not numba.config.DISABLE_JIT
scratch = _scratch if _jit else lambda size: [0.0] * size
"""``scratch(size)``: that many zeros; the size is a constant."""
put = _put if _jit else _plain_put
"""``put(table, index, value)``. No index is checked."""
at = _at if _jit else lambda table, index: table[index]
"""``at(table, index)``"""
