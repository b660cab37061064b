"""A digest of a function and of everything it is built from, and names made from it.

Numba names machine code after a function's qualified name and a number that counts functions in
*this* process. Two functions made by one factory share the name, and compiled in two processes they
may share the number as well: loaded from the disk cache into a third process, one would silently
run in place of the other. So a function that closes over others gets a name made from its content.
"""

import hashlib
import inspect
from collections.abc import Callable, Set
from types import CodeType
from typing import Any


def named_by_content(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, with a name that no function of other content has."""
    if function.__closure__:
        function.__qualname__ += "_" + fingerprint(function)[:16]
    return function


def fingerprint(function: Callable[..., Any]) -> str:
    """A digest of a function and all it is built from."""
    return hashlib.sha256("\n".join(_lineage(function, set())).encode()).hexdigest()


def _lineage(function: Any, seen: set[int]) -> list[str]:
    """A function's content, and that of what it uses: functions, constants, named tuples."""
    if id(function) in seen:
        return []
    seen.add(id(function))
    lines = [f"{function.__module__}.{function.__qualname__}"]
    known = _known.get(function)
    if known is None or not known[1].isdisjoint(function.__globals__):
        known = _known[function] = _parts(function)
    for part in known[0]:
        lines += [part] if isinstance(part, str) else _lineage(part, seen)
    return lines


# What `_parts` has found: many functions use the same ones, and Python is slow to say which. Names
# that mean nothing yet may be those of functions further down in the file.
_known: dict[Any, tuple[list[Any], Set[str]]] = {}


def _parts(function: Any) -> tuple[list[Any], Set[str]]:
    """A function's content, line by line, with the functions that it uses where they belong; and
    the names in it that mean nothing, so far."""
    parts: list[Any] = [_content(function.__code__)]
    closed_over = inspect.getclosurevars(function)
    named = {**closed_over.globals, **closed_over.nonlocals}
    for module in [value for value in named.values() if inspect.ismodule(value)]:
        used = {name: getattr(module, name, None) for name in function.__code__.co_names}
        named |= {name: value for name, value in used.items() if hasattr(value, "py_func")}
    for name, value in sorted(named.items()):
        for made_from in ("py_func", "_defn"):  # a compiled function, an intrinsic
            value = getattr(value, made_from, value)
        if inspect.isfunction(value):
            parts.append(value)
        elif isinstance(value, (bool, int, float, str, tuple)):
            parts.append(f"{name} = {value!r}")
        elif hasattr(value, "_fields"):  # the class of a named tuple: its order of fields counts
            parts.append(f"{name} = {value._fields!r}")
    return parts, closed_over.unbound


def _content(code: CodeType) -> str:
    """What a function does. Its compiled form, not its source: the file may have been edited since
    this process read it."""
    constants = [
        _content(const) if isinstance(const, CodeType) else repr(const) for const in code.co_consts
    ]
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars))
