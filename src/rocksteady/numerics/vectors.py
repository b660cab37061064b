"""Several bodies at once in vector instructions: what `vector_kernel` makes of a function.

Left to itself LLVM decides for each processor whether a loop is worth it, and its estimates miss:
it kept the loop over lanes scalar on an Apple M1, and used half of the registers of an Intel
processor with AVX-512. So the loop says what is wanted, and LLVM chooses only how many lanes a
vector has: as many as the processor's widest registers hold. A vector operation rounds each lane
as the scalar one does, so the bits do not depend on it.
"""

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import TypingError, types
from numba.extending import intrinsic

# Intel's processors are described as preferring half of their registers, from the days when they
# slowed down under full load. A loop that does nothing but arithmetic gains from the whole.
WIDE = '"prefer-vector-width"="512"'
# What finds no register is kept on the stack. LLVM knows of it too late to let the stack begin with
# a line of the cache, and a vector that lies in two of them takes twice as long to read.
ALIGNED = "alignstack(64)"
_NO_EFFECT = ir.FunctionType(ir.VoidType(), ())


@intrinsic  # type: ignore[untyped-decorator]
def for_all(context: Any, body: Any, table: Any, count: Any) -> Any:
    """``body(table, i)`` for i from 0 to ``count`` − 1, several at once. None may read what another
    writes, or LLVM says so on the terminal and does one after the other."""
    called = body.get_call_type(context, (table, types.intp), {})

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for attribute in (WIDE, ALIGNED, "noinline"):
            set.add(builder.function.attributes, attribute)  # .add() knows none with a value
        count = context.cast(builder, args[2], signature.args[2], types.intp)
        before, loop = builder.block, builder.append_basic_block("lanes")
        builder.branch(loop)
        builder.position_at_end(loop)
        i = builder.phi(count.type)
        context.get_function(body, called)(builder, (args[1], i))
        following = builder.add(i, count.type(1), flags=("nuw", "nsw"))
        i.add_incoming(count.type(0), before)
        i.add_incoming(following, builder.block)
        after = builder.append_basic_block("after")
        branch = builder.cbranch(builder.icmp_signed("<", following, count), loop, after)
        branch.set_metadata("llvm.loop", _in_vectors(builder.module))
        builder.position_at_end(after)
        return context.get_dummy_value()

    return types.none(body, table, count), generate


class _Loop(ir.MDValue):  # type: ignore[misc]
    """What LLVM is told of one loop: a node that names itself first, so that no two are equal."""

    def descr(self, buf: list[str]) -> None:
        marks = [self, *self.operands]
        buf.append(f"distinct !{{ {', '.join(mark.get_reference() for mark in marks)} }}\n")


def _in_vectors(module: Any) -> _Loop:
    """As vectors; two at a time, for one can be computed while the other waits; and not written out
    before it has become vectors, as LLVM does with a short loop."""
    marks = [
        module.add_metadata(["llvm.loop.vectorize.enable", ir.IntType(1)(1)]),
        module.add_metadata(["llvm.loop.interleave.count", ir.IntType(32)(2)]),
        module.add_metadata(["llvm.loop.unroll.disable"]),
    ]
    return _Loop(module, marks, name=str(len(module.metadata)))


# Numbers that lie ``step`` apart in a flat table, as a tuple. A loop over the tuple is written out
# by LLVM for some processors only; where it is not, no loop around it becomes vectors.


@intrinsic  # type: ignore[untyped-decorator]
def read_spaced(context: Any, table: Any, first: Any, step: Any, like: Any) -> Any:
    """As many numbers as the tuple ``like`` has."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = _places(context, builder, signature, args)
        numbers = [
            context.cast(builder, builder.load(place), table.dtype, kind)
            for place, kind in zip(places, like.types, strict=True)
        ]
        # Of two numbers of which one is used LLVM reads that one, from a place that it works out,
        # and vectors are gone. A side effect, of no effect at all, keeps it from reading later.
        builder.call(builder.module.declare_intrinsic("llvm.sideeffect", (), _NO_EFFECT), ())
        return context.make_tuple(builder, like, numbers)

    return like(_flat(table), first, step, like), generate


@intrinsic  # type: ignore[untyped-decorator]
def write_spaced(context: Any, table: Any, first: Any, step: Any, numbers: Any) -> Any:
    """Write a tuple of numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = _places(context, builder, signature, args)
        for k, (place, kind) in enumerate(zip(places, numbers.types, strict=True)):
            number = builder.extract_value(args[3], k)
            builder.store(context.cast(builder, number, kind, table.dtype), place)
        return context.get_dummy_value()

    return types.none(_flat(table), first, step, numbers), generate


@intrinsic  # type: ignore[untyped-decorator]
def write_picked(
    context: Any, table: Any, first: Any, scales: Any, values: Any, at: Any, further: Any, like: Any
) -> Any:
    """``table[first + k] = table[scales + k] * values[at[k] + further]`` for every k of the tuple
    ``like``, as one vector: what is written number by number keeps a processor waiting when it is
    read as a vector soon after."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, given, places = (
            context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 3, 4)
        )
        to, by, further = (
            context.cast(builder, args[k], signature.args[k], types.intp) for k in (1, 2, 5)
        )
        given, row = builder.gep(given, [further]), ir.VectorType(ir.DoubleType(), len(like))
        numbers = ir.Constant(row, ir.Undefined)
        for k in range(len(like)):
            place = builder.load(builder.gep(places, [to.type(k)]))
            number = builder.load(builder.gep(given, [place]))
            numbers = builder.insert_element(numbers, number, ir.IntType(32)(k))
        goal, source = (
            builder.bitcast(builder.gep(data, [place]), row.as_pointer()) for place in (to, by)
        )
        single = table.dtype.bitwidth // 8  # bytes: it may begin wherever a number may
        scaled = builder.fmul(builder.load(source, align=single), numbers)
        builder.store(scaled, goal, align=single)
        return context.get_dummy_value()

    arrays = _flat(table), _flat(values), _flat(at)
    return types.none(arrays[0], first, scales, *arrays[1:], further, like), generate


def _flat(table: Any) -> Any:
    if isinstance(table, types.Array) and table.ndim == 1 and table.layout == "C":
        return table
    raise TypingError(f"The table has to be a contiguous array of one dimension, not {table}.")


def _places(context: Any, builder: Any, signature: Any, args: Any) -> list[Any]:
    """Where in the table each number of the tuple, the fourth argument, lies."""
    table, _, _, numbers = signature.args
    data = context.make_array(table)(context, builder, args[0]).data
    at, step = (context.cast(builder, args[k], signature.args[k], types.intp) for k in (1, 2))
    places = []
    for _ in numbers.types:
        places.append(builder.gep(data, [at]))
        at = builder.add(at, step)
    return places


if numba.config.DISABLE_JIT:  # plain Python has no intrinsics

    def for_all(body: Callable[..., Any], table: Any, count: int) -> None:
        for i in range(count):
            body(table, i)

    def read_spaced(table: Any, first: int, step: int, like: Any) -> tuple[float, ...]:
        return tuple(map(float, table[first : first + len(like) * step : step]))

    def write_spaced(table: Any, first: int, step: int, numbers: Any) -> None:
        table[first : first + len(numbers) * step : step] = numbers

    def write_picked(
        table: Any, first: int, scales: int, values: Any, at: Any, further: int, like: Any
    ) -> None:
        count = len(like)
        picked = values[at[:count] + further]
        table[first : first + count] = table[scales : scales + count] * picked
