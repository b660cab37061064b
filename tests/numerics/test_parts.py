"""Functions inside a step are compiled as parts of the driver that calls them, and only there."""

from __future__ import annotations

import gc

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage
from numba.core.compiler import Flags

from rocksteady.numerics import parts
from rocksteady.numerics.decorators import (
    array_kernel,
    driver,
    inner_array_kernel,
    inner_kernel,
    kernel,
    spliced_kernel,
    summing_kernel,
)

DECORATORS = [kernel, inner_kernel, spliced_kernel, array_kernel, summing_kernel]


@kernel
def deepest(x):
    return 3.0 * x + 1.0


@spliced_kernel
def middle(x):
    return deepest(x) + deepest(2.0 * x)


@array_kernel
def first_of(table):
    return deepest(table[0])


def test_a_driver_collects_all_that_its_parts_call():
    """Each once, though it is reached in three ways."""

    def all_of_it(table):
        return middle(table[0]) + first_of(table) + deepest(0.5)

    assert driver(all_of_it)(np.array([2.0, 9.0])) == (7.0 + 13.0) + 7.0 + 2.5


def test_a_driver_s_parts_cannot_be_found_by_their_names(monkeypatch, tmp_path):
    """LLVM changes their arguments as it likes. Code compiled later may call a function of the same
    name, and the loader would take it there."""
    linkages, optimise = [], parts.JITCodeLibrary._optimize_final_module

    def noted(library):
        inside = library._final_module.functions
        linkages.extend(f.linkage for f in inside if "deepest" in f.name and not f.is_declaration)
        optimise(library)

    def a_driver(x):
        return deepest(x)

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))  # compiled in every run
    monkeypatch.setattr(parts.JITCodeLibrary, "_optimize_final_module", noted)
    assert driver(a_driver)(np.float32(2.0)) == 7.0
    assert set(linkages) == {Linkage.private}


@pytest.mark.parametrize("decorator", DECORATORS)
def test_a_part_is_not_made_into_machine_code(decorator, monkeypatch):
    """But the driver is; called from Python the function is a driver of its own."""
    made = []
    add = parts.JITCodeLibrary._finalize_specific

    def noted(library):
        names = [f.name for f in library.get_defined_functions()]
        if any("a_part" in name or "a_driver" in name for name in names):  # not Numba's own
            made.append(names)
        add(library)

    monkeypatch.setattr(parts.JITCodeLibrary, "_finalize_specific", noted)

    @decorator
    def a_part(x):
        return x * 2.0

    def a_driver(x):
        return a_part(x) + 1.0

    compiled = driver(a_driver)
    compiled._cache = type(compiled)(lambda: None)._cache  # none: compile here and now
    assert compiled(4.0) == 9.0
    assert len(made) == 1 and any("a_driver" in name for name in made[0])
    assert a_part(4.0) == 8.0
    assert len(made) == 2


def test_what_is_spliced_in_is_gone_from_the_driver():
    def splicing(x):
        return middle(x)

    compiled = driver(splicing)
    compiled._cache = type(compiled)(lambda: None)._cache
    assert compiled(1.0) == 11.0
    (library,) = (found.library for found in compiled.overloads.values())
    assert not [f.name for f in library.get_defined_functions() if "middle" in f.name]


def test_a_part_is_compiled_once_whatever_constant_it_is_given(monkeypatch):
    """A part given 1, 2, True or False is the same code."""
    compiled, compile_extra = [], parts.PartCompiler.compile_extra
    monkeypatch.setattr(
        parts.PartCompiler,
        "compile_extra",
        lambda self, function: compiled.append(function.__name__) or compile_extra(self, function),
    )

    @kernel
    def counted(x, n, twice, pair):
        return (2.0 if twice else 1.0) * n * x + pair[1]

    def counting(x):
        one, other = counted(x, 1, True, (x, 1)), counted(x, 2, False, (x, 2))
        return one + other + counted(x, 3, twice=True, pair=(x, 3))

    counts = driver(counting)
    counts._cache = type(counts)(lambda: None)._cache  # none: compile here and now
    assert counts(10.0) == (20.0 + 1) + (20.0 + 2) + (60.0 + 3)
    assert compiled.count("counted") == 1


@pytest.mark.parametrize(
    ("decorator", "copied"), [(inner_array_kernel, False), (inner_kernel, True)]
)
def test_what_an_inlined_part_calls_is_copied_with_it_only_for_vectors(decorator, copied):
    """Or a step would be written out wherever a loop calls it."""

    @kernel
    def below(x):
        return 2.0 * x

    @decorator
    def inlined(x):
        return below(x) + below(x + 1.0)

    def looping(x):
        return inlined(x)

    compiled = driver(looping)
    compiled._cache = type(compiled)(lambda: None)._cache  # none: compile here and now
    assert compiled(1.0) == 6.0
    (part,) = below.get_overload.__self__.overloads.values()
    assert ("alwaysinline" in str(part.library._final_module)) == copied


def test_an_operation_has_the_type_of_its_own_numbers():
    """What is remembered of types is told apart: 1 + 2 is an integer, 1 + 2.0 is not."""

    @kernel
    def total(x, y):
        return x + y

    def adding(x, y):
        return total(x, y), total(y, y), total(x, x)

    compiled = driver(adding)
    assert [type(one) for one in compiled(1, 2.0)] == [float, float, int]
    assert [type(one) for one in compiled(1.0, 2)] == [float, int, float]


def test_a_part_can_print_and_raise(capfd):
    """As one does to find a mistake: the driver gives its parts what they need for that."""

    @kernel
    def talking(x):
        print("x =", x)
        if x > 2:
            raise ValueError("too large")
        return x

    def listening(x):
        return talking(x)

    compiled = driver(listening)
    compiled(1.0)
    assert capfd.readouterr().out == "x = 1.0\n"
    with pytest.raises(ValueError, match="too large"):
        compiled(3.0)


def test_garbage_is_collected_again_afterwards():
    def failing(x):
        return x.nothing_of_that_name

    assert gc.isenabled()
    with pytest.raises(Exception, match="nothing_of_that_name"):
        driver(failing)(1.0)
    assert gc.isenabled()


def test_equal_options_are_one_and_the_same():
    """Numba looks functions up by them: two that differ must not find each other's."""
    one, other, fast = Flags(), Flags(), Flags()
    one.nrt = other.nrt = fast.nrt = True
    fast.fastmath = True
    assert parts._Options.like(one) is parts._Options.like(other)
    assert parts._Options.like(one) != parts._Options.like(fast)
    assert parts._Options.like(fast).fastmath == fast.fastmath
