"""One pulse added to sums, a tile of samples at a time, with its powers in vector registers.

The loops are written as vectors because the compiler does not find them: it would load the powers
again for each tile. The operations are those of `pulses._put_heights`, to the bit.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rocksteady.numerics.panels import ROWS, WIDE, spread, vector_fma

TILE = ROWS * WIDE  # samples of a pulse that are computed side by side


@intrinsic  # type: ignore[untyped-decorator]
def fill_powers(context: Any, powers: Any, less: Any, s: Any) -> Any:
    """``powers[0, n] + i powers[1, n]`` = pⁿ⁺¹ for n = 0 ... TILE − 1, with p = 1 + less + i s."""
    signature = types.void(powers, less, s)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, vector = ir.DoubleType(), ir.VectorType(ir.DoubleType(), WIDE)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        fused = vector_fma(builder, vector)

        def times(one: Any, other: Any) -> Any:
            wide = one[0].type == vector
            minus = builder.fneg(one[1])
            re = (minus, other[1], builder.fmul(one[0], other[0]))
            im = (one[1], other[0], builder.fmul(one[0], other[1]))
            if wide:
                return builder.call(fused, re), builder.call(fused, im)
            return builder.fma(*re), builder.fma(*im)

        p = [(builder.fadd(ir.Constant(number, 1.0), args[1]), args[2])]
        for n in range(2, WIDE + 1):  # p to p⁸, from those of half the size
            p.append(times(p[n // 2 - 1], p[n - n // 2 - 1]))
        parts = [ir.Constant(vector, ir.Undefined) for _ in range(2)]
        for n, power in enumerate(p):
            for part in range(2):
                parts[part] = builder.insert_element(parts[part], power[part], ir.IntType(32)(n))
        further = tuple(spread(builder, part, vector) for part in p[-1])
        for row in range(ROWS):
            for part in range(2):
                at = builder.gep(data, [ir.IntType(64)(part * TILE + row * WIDE)])
                builder.store(parts[part], builder.bitcast(at, vector.as_pointer()), align=8)
            parts = list(times(parts, further))
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def add_tiles(
    context: Any, total: Any, first: Any, tiles: Any, powers: Any, re: Any, im: Any, u: Any
) -> Any:
    """``total += u h`` from the sample ``first`` on, for so many tiles."""
    signature = types.void(total, first, tiles, powers, re, im, u)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        total = context.make_array(signature.args[0])(context, builder, args[0])
        vector = ir.VectorType(ir.DoubleType(), WIDE)
        fused, u = vector_fma(builder, vector), spread(builder, args[6], vector)

        def add(at: Any, h: Any) -> None:
            place = builder.bitcast(builder.gep(total.data, [at]), vector.as_pointer())
            sum_ = builder.call(fused, [h, u, builder.load(place, align=8)])
            builder.store(sum_, place, align=8)

        _follow(context, builder, signature.args[3], args[1:6], add)
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def add_product_tiles(
    context: Any, squares: Any, products: Any, first: Any, tiles: Any, powers: Any, re: Any, im: Any
) -> Any:
    """``squares += h²`` and ``products += h h₋₁``, the same way, from a pulse's beginning on."""
    signature = types.void(squares, products, first, tiles, powers, re, im)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sums = [context.make_array(signature.args[n])(context, builder, args[n]) for n in range(2)]
        vector, index = ir.VectorType(ir.DoubleType(), WIDE), ir.IntType(32)
        fused = vector_fma(builder, vector)
        shifted = ir.Constant(
            ir.VectorType(index, WIDE), [index(WIDE - 1 + n) for n in range(WIDE)]
        )
        last = builder.alloca(vector)
        builder.store(ir.Constant(vector, [0.0] * WIDE), last)

        def add(at: Any, h: Any) -> None:
            before = builder.shuffle_vector(builder.load(last), h, shifted)
            builder.store(h, last)
            for array, factor in zip(sums, (h, before), strict=True):
                place = builder.bitcast(builder.gep(array.data, [at]), vector.as_pointer())
                sum_ = builder.call(fused, [h, factor, builder.load(place, align=8)])
                builder.store(sum_, place, align=8)

        _follow(context, builder, signature.args[4], args[2:7], add)
        return context.get_dummy_value()

    return signature, generate


def _follow(
    context: Any, builder: Any, kind: Any, args: Any, add: Callable[[Any, Any], None]
) -> None:
    """Emit the loop over tiles; ``add`` emits what is done with each vector of heights."""
    first, tiles, powers, re, im = args
    number, whole = ir.DoubleType(), ir.IntType(64)
    vector = ir.VectorType(number, WIDE)
    fused = vector_fma(builder, vector)
    data = context.make_array(kind)(context, builder, powers).data
    c, s = (
        [
            builder.load(
                builder.bitcast(
                    builder.gep(data, [whole(part * TILE + n * WIDE)]), vector.as_pointer()
                ),
                align=8,
            )
            for n in range(ROWS)
        ]
        for part in range(2)
    )
    c_end, s_end = (builder.extract_element(v[-1], ir.IntType(32)(WIDE - 1)) for v in (c, s))
    entry, loop = builder.block, builder.append_basic_block("tiles")
    end = builder.append_basic_block("followed")
    builder.cbranch(builder.icmp_signed(">", tiles, whole(0)), loop, end)

    builder.position_at_end(loop)
    n, at, x, y = (builder.phi(part) for part in (whole, whole, number, number))
    wide_x, wide_y = spread(builder, x, vector), spread(builder, y, vector)
    for row in range(ROWS):
        h = builder.call(fused, [wide_y, c[row], builder.fmul(wide_x, s[row])])
        add(builder.add(at, whole(row * WIDE)), h)
    new_x = builder.fma(builder.fneg(y), s_end, builder.fmul(x, c_end))
    new_y = builder.fma(y, c_end, builder.fmul(x, s_end))
    following = builder.add(n, whole(1))
    for phi, old, new in (
        (n, whole(0), following),
        (at, first, builder.add(at, whole(TILE))),
        (x, re, new_x),
        (y, im, new_y),
    ):
        phi.add_incoming(old, entry)
        phi.add_incoming(new, loop)
    builder.cbranch(builder.icmp_signed("<", following, tiles), loop, end)
    builder.position_at_end(end)


if numba.config.DISABLE_JIT:  # intrinsics: plain Python has no such functions

    def _all_heights(tiles: int, powers: Any, re: float, im: float) -> Any:
        pointer, turns = complex(re, im), powers[0] + 1j * powers[1]
        return [(pointer * turns[-1] ** n * turns).imag for n in range(tiles)]

    def fill_powers(powers, less, s):  # type: ignore[no-untyped-def]
        turns = (1 + less + 1j * s) ** np.arange(1, TILE + 1)
        powers[0], powers[1] = turns.real, turns.imag

    def add_tiles(total, first, tiles, powers, re, im, u):  # type: ignore[no-untyped-def]
        for n, h in enumerate(_all_heights(tiles, powers, re, im)):
            total[first + n * TILE : first + (n + 1) * TILE] += u * h

    def add_product_tiles(squares, products, first, tiles, powers, re, im):  # type: ignore[no-untyped-def]
        before = 0.0
        for n, h in enumerate(_all_heights(tiles, powers, re, im)):
            at = slice(first + n * TILE, first + (n + 1) * TILE)
            squares[at] += h * h
            products[at] += h * [before, *h[:-1]]
            before = h[-1]
