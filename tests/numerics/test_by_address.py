"""A named tuple of arrays, handed over by its address, is read and written as before."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, driver


class Tables(NamedTuple):
    number: Any
    count: Any
    cube: Any


class Turned(NamedTuple):
    cube: Any
    count: Any
    number: Any


@array_kernel
def fill(tables, first):
    for i in range(len(tables.number)):
        tables.number[i] = first + i
    tables.count[1] = len(tables.cube)
    tables.cube[1, 2, 3] = tables.number[2] * tables.count[1]
    return tables.cube.shape[2]


def _filled(tables):
    return fill(by_address(tables), 10.0)


filled = driver(_filled)


def arrays():
    return {"number": np.zeros(3), "count": np.zeros(2, np.int64), "cube": np.zeros((2, 3, 4))}


def test_every_field_is_that_of_the_tuple():
    for kind in (Tables, Turned):  # the order of the fields is another, the arrays are the same
        made = arrays()
        assert filled(kind(**made)) == 4
        np.testing.assert_array_equal(made["number"], [10.0, 11.0, 12.0])
        np.testing.assert_array_equal(made["count"], [0, 2])
        assert made["cube"][1, 2, 3] == 24.0 and np.count_nonzero(made["cube"]) == 1


def test_a_part_is_handed_one_address():
    """Not the numbers of all arrays: five and two for each dimension."""
    compiled = driver(_filled)
    compiled._cache = type(compiled)(lambda: None)._cache  # none: compile here and now
    compiled(Tables(**arrays()))
    (made,) = compiled.overloads.values()
    (part,) = [
        function
        for library in made.library._linking_libraries
        for function in library._final_module.functions
        if "fill" in function.name and not function.is_declaration
    ]
    assert len(list(part.arguments)) == 4  # result, error, address, number


def test_arrays_that_change_between_calls_are_those_of_the_call():
    one, other = arrays(), arrays()
    filled(Tables(**one))
    filled(Tables(**other))
    np.testing.assert_array_equal(one["cube"], other["cube"])
