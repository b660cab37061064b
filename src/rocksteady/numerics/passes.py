"""Steps of Numba's compiler that change nothing in a function of numbers, left out there.

Two of them look through every function again, several times: one for functions within it and for
lists that are built in loops, the other, once the types are known, for expressions of arrays.
Together a twentieth of the time.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

from numba import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

_LISTS = {"BUILD_LIST", "LIST_APPEND", "LIST_EXTEND"}


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosuresIfAny(InlineClosureLikes):  # type: ignore[misc]
    _name = "inline_closures_if_any"

    def run_pass(self, state: Any) -> bool:
        code = state.func_id.func.__code__
        inside = any(isinstance(constant, CodeType) for constant in code.co_consts)
        if inside or any(one.opname in _LISTS for one in dis.get_instructions(code)):
            return bool(super().run_pass(state))
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class RewriteArraysIfAny(NopythonRewrites):  # type: ignore[misc]
    _name = "rewrite_arrays_if_any"

    def run_pass(self, state: Any) -> bool:
        kinds = types.Buffer, types.UnicodeType, types.StringLiteral
        if any(isinstance(kind, kinds) for kind in state.typemap.values()):
            return bool(super().run_pass(state))
        return False


_INSTEAD = {InlineClosureLikes: InlineClosuresIfAny, NopythonRewrites: RewriteArraysIfAny}


def fewer(pipelines: list[Any]) -> list[Any]:
    """The same pipelines with these."""
    for pipeline in pipelines:
        pipeline.passes = [(_INSTEAD.get(one, one), told) for one, told in pipeline.passes]
    return pipelines
