"""Weighted sums of many rows: ``totals[row] += Σ weights[n, row] · rows[sources[n]]``.

The numbers of many columns are kept in *panels* of `WIDE` columns, ``panel[row, column]``, each
small enough for a processor's first cache. `add_rows` takes `ROWS` rows of a panel at a time; the
sums stay in vector registers while the sources go by. Every number is the sum of its terms in the
order of the sources, each rounded once (fused), so neither the panels nor the vectors of a
processor show in the bits.
"""

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WIDE = 8  # columns in a panel: a vector of 512 bits, or two of 256
ROWS = 6  # as many sums as AVX2's sixteen registers hold beside their terms


@intrinsic  # type: ignore[untyped-decorator]
def add_rows(
    context: Any,
    totals: Any,
    first: Any,
    rows: Any,
    sources: Any,
    weights: Any,
    at: Any,
    count: Any,
) -> Any:
    """Add to the rows ``first`` ... of a panel: weight ``weights[n, at + row]`` times the row
    ``sources[n]`` of the panel ``rows``, for the first ``count`` sources n."""
    signature = types.void(totals, first, rows, sources, weights, at, count)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        totals, rows, sources, weights = (
            context.make_array(signature.args[n])(context, builder, args[n]) for n in (0, 2, 3, 4)
        )
        first, at, count = args[1], args[5], args[6]
        whole, vector = ir.IntType(64), ir.VectorType(ir.DoubleType(), WIDE)
        fused = vector_fma(builder, vector)

        def place(array: Any, row: Any) -> Any:
            """Where a row of a panel begins."""
            start = builder.gep(array.data, [builder.mul(row, whole(WIDE))])
            return builder.bitcast(start, vector.as_pointer())

        places = [place(totals, builder.add(first, whole(row))) for row in range(ROWS)]
        before = [builder.load(there, align=8) for there in places]
        entry, loop = builder.block, builder.append_basic_block("sources")
        end = builder.append_basic_block("added")
        builder.cbranch(builder.icmp_signed(">", count, whole(0)), loop, end)

        builder.position_at_end(loop)
        n, sums = builder.phi(whole), [builder.phi(vector) for _ in places]
        source = builder.load(builder.gep(sources.data, [n]))
        term = builder.load(place(rows, source), align=8)
        across = cgutils.unpack_tuple(builder, weights.shape)[1]
        weight = builder.gep(weights.data, [builder.add(builder.mul(n, across), at)])
        after = []
        for row in range(ROWS):
            factor = builder.load(builder.gep(weight, [whole(row)]))
            after.append(builder.call(fused, [spread(builder, factor, vector), term, sums[row]]))
        following = builder.add(n, whole(1))
        for phi, old, new in zip([n, *sums], [whole(0), *before], [following, *after], strict=True):
            phi.add_incoming(old, entry)
            phi.add_incoming(new, loop)
        builder.cbranch(builder.icmp_signed("<", following, count), loop, end)

        builder.position_at_end(end)
        results = [builder.phi(vector) for _ in places]
        for result, old, new in zip(results, before, after, strict=True):
            result.add_incoming(old, entry)
            result.add_incoming(new, loop)
        for result, there in zip(results, places, strict=True):
            builder.store(result, there, align=8)
        return context.get_dummy_value()

    return signature, generate


def vector_fma(builder: Any, vector: Any) -> Any:
    """The operation a b + c of vectors, rounded once."""
    name = f"llvm.fma.v{vector.count}f64"
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(vector, [vector] * 3), name)


def spread(builder: Any, number: Any, vector: Any) -> Any:
    """A vector with this number in all places."""
    nothing, index = ir.Constant(vector, ir.Undefined), ir.IntType(32)
    alone = builder.insert_element(nothing, number, index(0))
    zeros = ir.Constant(ir.VectorType(index, vector.count), [0] * vector.count)
    return builder.shuffle_vector(alone, nothing, zeros)


if numba.config.DISABLE_JIT:  # an intrinsic: plain Python has no such function

    def add_rows(totals, first, rows, sources, weights, at, count):  # type: ignore[no-untyped-def]
        there = slice(first, first + ROWS)
        totals[there] += weights[:count, at : at + ROWS].T @ rows[sources[:count]]
