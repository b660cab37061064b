"""The variables of an instruction, listed sooner than Numba does.

Numba asks for them a dozen times for every instruction that it compiles, and looks at each part of
one in turn, names and places in the source among them. While a driver is compiled it is told here
at once which parts have none: a twentieth of the time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.core import ir

_EMPTY = {str, int, float, bool, type(None), ir.Loc}  # kinds of parts in which there is no variable


def _collect(part: Any, found: list[Any]) -> None:
    kind = type(part)
    if kind is ir.Var:
        found.append(part)
    elif kind in _EMPTY:
        return
    elif isinstance(part, ir.Inst):
        found.extend(part.list_vars())
    elif isinstance(part, (list, tuple)):
        for one in part:
            _collect(one, found)
    elif isinstance(part, dict):
        for one in part.values():
            _collect(one, found)


def _listed(self: Any, part: Any) -> list[Any]:
    found: list[Any] = []
    _collect(part, found)
    return found


@contextlib.contextmanager
def quick_lists() -> Iterator[None]:
    """Within it Numba lists variables this way. One thread compiles at a time: Numba has a lock."""
    usual = ir.Inst._rec_list_vars
    ir.Inst._rec_list_vars = _listed
    try:
        yield
    finally:
        ir.Inst._rec_list_vars = usual
