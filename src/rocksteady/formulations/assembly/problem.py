"""Solve a contact problem: Newton's method, and where it fails sweeps and Newton's method again."""

from rocksteady.formulations.assembly.newton import newton
from rocksteady.formulations.assembly.rows import pushed, residual
from rocksteady.formulations.assembly.sweeps import sweep
from rocksteady.formulations.assembly.workspace import BLOCK, FREE, PAIRS, RETRY, UNSOLVED, W
from rocksteady.numerics.decorators import array_kernel

GOOD = 1e-6  # g h: residual that ends a solve


@array_kernel
def solve(work, unit, most):  # type: ignore[no-untyped-def]
    """From the guess ``push`` to impulses and velocities W; the residual over ``unit`` = g h.
    ``most`` sweeps in all."""
    left = attempt(work, GOOD * unit, most, worth_trying(work))
    work.tally[UNSOLVED] = 0 if left <= GOOD * unit else work.tally[UNSOLVED] + 1
    return left / unit


@array_kernel
def worth_trying(work):  # type: ignore[no-untyped-def]
    """Whether to try Newton's method. Near its mechanism a wall leaves one problem after the other
    unsolved: then it is tried now and then only."""
    every, row = int(work.number[RETRY]), work.tally[UNSOLVED]
    return every == 0 or row == 0 or row % every == 0


@array_kernel
def attempt(work, allowed, most, by_newton):  # type: ignore[no-untyped-def]
    """The same, with the residual in m/s."""
    pushed(work, W)
    left = residual(work)
    if left <= 0.01 * allowed:
        return left
    if by_newton:
        keep(work)
        after, converged = newton(work, allowed, False)
        if converged:
            return after
        restore(work)
        pushed(work, W)
    todo, block = most, int(work.number[BLOCK])
    while todo > 0:
        for _ in range(min(block, todo)):
            if sweep(work) <= 0.1 * allowed:
                break
        todo -= block
        block *= 2
        pushed(work, W)
        left = residual(work)
        if left <= allowed:
            return left
        if by_newton:
            keep(work)
            after, converged = newton(work, allowed, True)
            if converged:
                return after
            restore(work)
            pushed(work, W)
    return left


@array_kernel
def keep(work):  # type: ignore[no-untyped-def]
    """Set the impulses aside."""
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            work.memory[pair, r] = work.push[pair, r]


@array_kernel
def restore(work):  # type: ignore[no-untyped-def]
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            work.push[pair, r] = work.memory[pair, r]


@array_kernel
def restrain(work, before):  # type: ignore[no-untyped-def]
    """After a solve that was left unsolved: shrink its impulses until they no longer do work on
    stones that had the velocities ``before``. Then stones may sink into each other in this step,
    but never gain energy."""
    body, slope, square = work.body, 0.0, 0.0
    for k in range(work.exact.shape[1]):
        mass = 1.0 / work.shape[k // 3, 0 if k % 3 < 2 else 1]
        change = body[W, k] - body[FREE, k]
        slope += mass * change * (body[FREE, k] + body[before, k])
        square += mass * change * change
    if slope + square <= 0.0:
        return
    share = max(-slope / square, 0.0)
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            work.push[pair, r] *= share
    for k in range(work.exact.shape[1]):
        body[W, k] = body[FREE, k] + share * (body[W, k] - body[FREE, k])
