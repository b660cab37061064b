"""Newton's method inside a bracket."""

import math

import pytest

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.roots import make_root, within


@kernel
def look(problem, t):
    """x³ − level, and where Newton's method would go."""
    level, rises = problem
    value = t * t * t - level
    return value, t - value / (3.0 * t * t), (value < 0.0) == rises


@kernel
def misleading(problem, t):
    """The same zero, but Newton's step always leads out of the bracket: only halving is left."""
    value, _, ahead = look(problem, t)
    return value, math.inf, ahead


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("guess", [0.1, 1.2, 1.9])
@pytest.mark.parametrize("where", [look, misleading])
def test_it_finds_the_zero(where, guess, strict):
    root = make_root(where, close=4e-16, strict=strict)
    assert root((2.0, True), 0.0, 2.0, guess) == pytest.approx(2 ** (1 / 3), rel=1e-15)


def test_a_strict_search_ends_at_an_exact_zero_though_that_is_an_end():
    root = make_root(look, close=4e-16, strict=True)
    assert root((8.0, True), 0.0, 2.0, 2.0) == 2.0


def test_the_coarser_the_search_the_fewer_the_digits_but_halving_has_its_own_limit():
    rough = make_root(misleading, close=0.1, rounding=1e-12)((2.0, True), 0.0, 2.0, 1.0)
    assert rough == pytest.approx(2 ** (1 / 3), rel=2e-12)
    coarse = make_root(misleading, close=0.1)((2.0, True), 0.0, 2.0, 1.0)
    assert 1e-4 < abs(coarse - 2 ** (1 / 3)) < 0.2


def test_iterations_are_limited():
    assert make_root(misleading, close=0.0, iterations=1)((2.0, True), 0.0, 2.0, 1.0) == 1.5


def test_a_guess_outside_the_bracket_is_replaced_by_its_middle():
    assert within(1.0, 2.0, 1.25) == 1.25
    assert within(1.0, 2.0, 3.0) == within(1.0, 2.0, math.nan) == 1.5
