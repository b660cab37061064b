"""Newton's method kept inside a bracket: where something passes through zero.

`make_root` builds the search from a small function that says what is known at one place, and from a
few choices that the theories make differently. They are fixed when it is compiled and cost nothing.
"""

from collections.abc import Callable
from typing import Any

from rocksteady.numerics.decorators import fused_kernel


def make_root(
    look: Callable[..., Any],
    *,
    close: float,
    rounding: float | None = None,
    strict: bool = False,
    iterations: int = 60,
) -> Any:
    """Build ``root(problem, low, high, t)``: the zero between `low` and `high`, from the guess `t`.

    Parameters
    ----------
    look
        ``look(problem, t) -> (value, better, ahead)``: what must vanish, where Newton's method (or
        a sharper one) would go from t, and whether the zero lies ahead of t.
    close
        The search ends where a step is shorter than this part of `high`, as the bracket stands.
    rounding
        The same where the bracket was halved instead; ``close`` unless given.
    strict
        A better place must lie between both ends, not on one of them; the search also ends where
        the value is exactly zero; and ``close`` is a part of the first `high`.
    iterations
        At most so many.
    """
    ROUNDING = close if rounding is None else rounding

    @fused_kernel
    def root(problem, low, high, t):  # type: ignore[no-untyped-def]
        scale = high
        for _ in range(iterations):
            value, better, ahead = look(problem, t)
            if strict and value == 0.0:
                break
            if ahead:
                low = t
            else:
                high = t
            enough = close
            inside = low < better < high if strict else low <= better <= high
            if not inside:
                better, enough = 0.5 * (low + high), ROUNDING
            if not strict:
                scale = high
            arrived = abs(better - t) <= enough * scale
            t = better
            if arrived:
                break
        return t

    return root


@fused_kernel
def within(low, high, t):  # type: ignore[no-untyped-def]
    """The guess t, or the middle of the bracket where it lies outside."""
    return t if low <= t <= high else 0.5 * (low + high)


@fused_kernel
def narrowed(bracket, t, value):  # type: ignore[no-untyped-def]
    """One step of regula falsi: the bracket (low, high, value at low, value at high, side moved
    last) with the end at t that has the sign of ``value``. An end that stays twice in a row counts
    half (Illinois)."""
    low, high, start, end, side = bracket
    if (value < 0.0) == (end < 0.0):
        return low, t, (start * 0.5 if side < 0 else start), value, -1
    return t, high, value, (end * 0.5 if side > 0 else end), 1
