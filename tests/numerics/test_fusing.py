"""What `kernel` compiles, and what `fused_kernel` makes of a function's source."""

import inspect
import pickle
from fractions import Fraction

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.housner import rocking

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
numbers = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)


def forms(a, b, c, d):
    e = a
    e += b * c
    return (
        a * b + c,
        c + a * b,
        c - a * b,
        a * b - c,
        a * b + c * d,
        a * b * c,
        2 * a + (1 / 3) * b,
        a + b * (c + d * a),
        e,
    )


fused, plain = fused_kernel(forms), kernel(forms)


def rounded(*products):
    """The sum of exact products, rounded once."""
    return float(sum(Fraction(a) * Fraction(b) for a, b in products))


@given(a=numbers, b=numbers, c=numbers, d=numbers)
def test_a_product_that_is_added_is_not_rounded(a, b, c, d):
    inner = rounded((c, 1), (d, a))
    assert fused(a, b, c, d) == (
        rounded((a, b), (c, 1)),
        rounded((a, b), (c, 1)),
        rounded((c, 1), (-a, b)),
        rounded((a, b), (-c, 1)),
        rounded((c, d), (a * b, 1)),
        (a * b) * c,
        rounded((1 / 3, b), (2 * a, 1)),
        rounded((a, 1), (b, inner)),
        rounded((a, 1), (b, c)),
    )


def test_it_makes_a_difference():
    """Else the test above could not fail."""
    a = 1 + 2**-30
    assert fused(a, a, -1.0, 0.0)[0] != plain(a, a, -1.0, 0.0)[0]


def test_what_a_function_closes_over_and_where_it_stands_is_kept():
    factor = 3.0

    def scaled(x):
        """Three times."""
        return factor * x + 1

    made = fused_kernel(scaled)
    assert made(2.0) == 7.0
    assert made.py_func.__doc__ == "Three times."
    assert inspect.getsource(made.py_func) == inspect.getsource(scaled)


def test_functions_of_one_factory_keep_what_each_closes_over():
    """What they do is fused once; what they do it with is their own."""

    def times_and_one(factor):
        def scaled(x):
            return factor * x + 1

        return fused_kernel(scaled)

    assert [times_and_one(factor)(2.0) for factor in (3.0, 4.0)] == [7.0, 9.0]


def test_the_whole_rocking_step_is_fused():
    """A plain product anywhere in it would be fused by a GPU's compiler, or not, as that likes."""
    seen = set()

    def visit(compiled):
        function = compiled.py_func
        if function in seen:
            return
        seen.add(function)
        named = inspect.getclosurevars(function)
        for value in (*named.globals.values(), *named.nonlocals.values()):
            if hasattr(value, "py_func"):
                visit(value)

    for compiled in (housner.ADVANCE, housner.GLIDE.attempt, housner.GLIDE.step.turning):
        visit(compiled)
    assert {rocking.wait.py_func, rocking.strike.py_func, housner.expand.py_func} < seen
    with_products = [f for f in seen if " * " in inspect.getsource(f)]
    assert with_products
    assert all({"fma", "times"} & {*f.__code__.co_freevars} for f in with_products)


def test_what_only_compiled_functions_call_is_not_made_callable_from_python():
    @kernel
    def thrice(x, factor=3.0):
        return factor * x

    @numba.njit
    def caller(x):
        return thrice(x) + thrice(x, factor=2.0) + thrice(factor=1.0, x=x)

    assert caller(2.0) == 12.0
    assert not thrice.signatures
    assert thrice(2.0) == 6.0  # made when it is asked for
    assert len(thrice.signatures) == 1
    assert pickle.loads(pickle.dumps(thrice))(2.0) == 6.0
