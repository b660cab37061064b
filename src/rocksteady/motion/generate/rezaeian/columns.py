"""Recursions in time for the columns of a panel, their state in vector registers.

The compiler would keep the state in memory, and wait for it in each time step.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from rocksteady.numerics.panels import WIDE, spread, vector_fma

_VECTOR = ir.VectorType(ir.DoubleType(), WIDE)
_WHOLE = ir.IntType(64)


@intrinsic  # type: ignore[untyped-decorator]
def add_steady(
    context: Any, u: Any, total: Any, begin: Any, end: Any, last: Any, less: Any, s: Any, first: Any
) -> Any:
    """Add the pulses that start from ``begin`` to ``end``, all with the same turn 1 + ``less`` +
    i ``s`` and first length, to the samples up to ``last``: one pointer for each column."""
    signature = types.void(u, total, begin, end, last, less, s, first)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        u, total = (_data(context, builder, signature, args, n) for n in range(2))
        begin, end, last, less, s, first = args[2:]
        fused = vector_fma(builder, _VECTOR)
        less, s = spread(builder, less, _VECTOR), spread(builder, s, _VECTOR)

        def step(i: Any, state: list[Any]) -> list[Any]:
            started = builder.icmp_signed("<", i, end)
            drive = builder.select(started, first, ir.Constant(ir.DoubleType(), 0.0))
            noise = builder.load(_row(builder, u, i), align=8)
            re, im = (
                builder.call(fused, [spread(builder, drive, _VECTOR), noise, state[0]]),
                state[1],
            )
            turned = builder.call(fused, [builder.fneg(im), s, builder.fmul(re, less)])
            risen = builder.call(fused, [im, less, builder.fmul(re, s)])
            re, im = builder.fadd(re, turned), builder.fadd(im, risen)
            place = _row(builder, total, builder.add(i, _WHOLE(1)))
            builder.store(builder.fadd(builder.load(place, align=8), im), place, align=8)
            return [re, im]

        _over_steps(builder, begin, last, 2, step)
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def energies(context: Any, unit: Any, q: Any, steps: Any, f: Any, energy: Any, mean: Any) -> Any:
    """Three times the energy of each column up to each time step, after the high-pass ``f`` of
    ``q unit``; also added to ``mean``."""
    signature = types.void(unit, q, steps, f, energy, mean)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        unit, q, energy, mean = (_data(context, builder, signature, args, n) for n in (0, 1, 4, 5))
        numbers = cgutils.unpack_tuple(builder, args[3], 10)
        a00, a01, a10, a11, b00, b01, b10, b11, damping, stiffness = (
            spread(builder, number, _VECTOR) for number in numbers
        )
        damping, stiffness = builder.fneg(damping), builder.fneg(stiffness)
        fused = vector_fma(builder, _VECTOR)

        def fma(a: Any, b: Any, c: Any) -> Any:
            return builder.call(fused, [a, b, c])

        def step(k: Any, state: list[Any]) -> list[Any]:
            z, v, x0, before, total = state
            modulation = spread(builder, builder.load(builder.gep(q, [k])), _VECTOR)
            x1 = builder.fmul(modulation, builder.load(_row(builder, unit, k), align=8))
            z, v = (
                fma(a00, z, fma(a01, v, fma(b01, x1, builder.fmul(b00, x0)))),
                fma(a11, v, fma(a10, z, fma(b11, x1, builder.fmul(b10, x0)))),
            )
            out = fma(stiffness, z, fma(damping, v, x1))
            lines = fma(before, before, builder.fmul(out, builder.fadd(out, before)))
            total = builder.fadd(total, lines)
            builder.store(total, _row(builder, energy, k), align=8)
            place = _row(builder, mean, k)
            builder.store(builder.fadd(builder.load(place, align=8), total), place, align=8)
            return [z, v, x1, out, total]

        _over_steps(builder, _WHOLE(0), args[2], 5, step)
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def copy_row(context: Any, columns: Any, row: Any, first: Any, panel: Any) -> Any:
    """Copy `WIDE` numbers of a row, from the column ``first`` on, into the same row of a panel."""
    signature = types.void(columns, row, first, panel)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        table = context.make_array(signature.args[0])(context, builder, args[0])
        across = cgutils.unpack_tuple(builder, table.shape)[1]
        start = builder.add(builder.mul(args[1], across), args[2])
        place = builder.bitcast(builder.gep(table.data, [start]), _VECTOR.as_pointer())
        panel = _data(context, builder, signature, args, 3)
        builder.store(builder.load(place, align=8), _row(builder, panel, args[1]), align=8)
        return context.get_dummy_value()

    return signature, generate


def _over_steps(
    builder: Any, begin: Any, end: Any, size: int, step: Callable[[Any, list[Any]], list[Any]]
) -> None:
    """Emit the loop from ``begin`` to ``end`` with so many vectors of state, zero at first."""
    entry, loop = builder.block, builder.append_basic_block("steps")
    after = builder.append_basic_block("stepped")
    builder.cbranch(builder.icmp_signed("<", begin, end), loop, after)
    builder.position_at_end(loop)
    k, state = builder.phi(_WHOLE), [builder.phi(_VECTOR) for _ in range(size)]
    new, following = step(k, state), builder.add(k, _WHOLE(1))
    k.add_incoming(begin, entry)
    k.add_incoming(following, loop)
    for phi, value in zip(state, new, strict=True):
        phi.add_incoming(ir.Constant(_VECTOR, [0.0] * WIDE), entry)
        phi.add_incoming(value, loop)
    builder.cbranch(builder.icmp_signed("<", following, end), loop, after)
    builder.position_at_end(after)


def _data(context: Any, builder: Any, signature: Any, args: Any, n: int) -> Any:
    return context.make_array(signature.args[n])(context, builder, args[n]).data


def _row(builder: Any, data: Any, row: Any) -> Any:
    """Where a row of a panel begins."""
    start = builder.gep(data, [builder.mul(row, _WHOLE(WIDE))])
    return builder.bitcast(start, _VECTOR.as_pointer())


if numba.config.DISABLE_JIT:  # intrinsics: plain Python has no such functions

    def add_steady(u, total, begin, end, last, less, s, first):  # type: ignore[no-untyped-def]
        pointers = np.zeros(WIDE, dtype=complex)
        for i in range(begin, last):
            pointers = (pointers + (first * u[i] if i < end else 0.0)) * (1 + less + 1j * s)
            total[i + 1] += pointers.imag

    def copy_row(columns, row, first, panel):  # type: ignore[no-untyped-def]
        panel[row] = columns[row, first : first + WIDE]

    def energies(unit, q, steps, f, energy, mean):  # type: ignore[no-untyped-def]
        z = v = x0 = before = total = np.zeros(WIDE)
        for k in range(steps):
            x1 = q[k] * unit[k]
            z, v = (
                f.a00 * z + f.a01 * v + f.b00 * x0 + f.b01 * x1,
                f.a10 * z + f.a11 * v + f.b10 * x0 + f.b11 * x1,
            )
            out = x1 - f.damping * v - f.stiffness * z
            total = total + out * out + out * before + before * before
            x0, before, energy[k] = x1, out, total
            mean[k] += total
