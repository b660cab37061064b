"""How a function inside a step is compiled: as a part of a driver, never by itself.

Numba optimises every function and makes machine code of it, with all that it calls inside, before
it goes on to the function that calls it; and there it does so again, all the way up. A step made of
a hundred functions would spend most of its time to compile on code that nobody runs. A part stops
short of that: it keeps its code as it was written down, and the driver at the top collects all of
it, optimises the whole and makes machine code of it, once.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

from llvmlite.binding import Linkage
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags

from rocksteady.numerics.by_address import Words
from rocksteady.numerics.first_use import announced


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into that of its callers and does not run by itself."""

    complete = False  # whether its module has all that it calls
    _whole: Any = None  # its module with all that it calls

    def add_ir_module(self, module: Any) -> None:
        for function in module.functions:
            for argument in function.args:
                if isinstance(getattr(argument.type, "pointee", None), Words):
                    argument.add_attribute("noalias")  # no array overlaps what is written there
        super().add_ir_module(module)

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """This part and, for a driver, all that it calls: each once, however often it is called."""
        self._ensure_finalized()
        if self._whole is None:
            self._whole = self._alone().clone()
            for library in self._below():
                alone = isinstance(library, _Part) and not library.complete
                other = library._alone() if alone else library._get_module_for_linking()
                self._whole.link_in(other, preserve=True)
        return self._whole

    def _below(self) -> Iterator[Any]:
        """What this part calls, what those call, and so on."""
        seen, waiting = {self}, list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in seen:
                seen.add(library)
                yield library
                if isinstance(library, _Part) and not library.complete:
                    waiting += library._linking_libraries

    def _alone(self) -> Any:
        """This part without what it calls; more than one module may have a copy of it."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        return self._final_module

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nowhere

    @property
    def codegen(self) -> _Part:
        return self  # asked for nothing but `set_env`

    def set_env(self, name: str, environment: Any) -> None:
        """The driver does that (`cache.py`), for all its parts."""


class _SplicedPart(_Part):
    """A part that is inlined where it is called."""

    def add_ir_module(self, module: Any) -> None:
        for function in module.functions:
            if not function.is_declaration:
                function.attributes.add("alwaysinline")
        super().add_ir_module(module)


class _Driver(JITCodeLibrary):  # type: ignore[misc]
    """Code that Python calls. What it is made of is for itself alone: LLVM then inlines what is
    called from one place, however large, and hands over arguments as it likes. So its parts must
    not be found by their names, which code that is compiled later may share: they have none."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = "private"
        super()._optimize_final_module()


class _OptimisedPart(_Part):
    """The same, optimised by itself first, with all that it calls."""

    complete = True
    _optimize_functions = JITCodeLibrary._optimize_functions
    finalize = JITCodeLibrary.finalize
    _get_module_for_linking = JITCodeLibrary._get_module_for_linking

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Options(Flags):  # type: ignore[misc]
    """Options of the compiler that do not change. Numba compares them a hundred times in every
    function, all thirty; these need not be compared, for there are no two that are alike."""

    __slots__ = ()
    known: dict[str, _Options] = {}

    @classmethod
    def like(cls, flags: Flags) -> _Options:
        return cls.known.setdefault(flags.summary(), cls(flags))

    def copy(self) -> _Options:
        return self

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class _Types:
    """Numba's rules for types, with a memory. For every sum and every element of an array Numba
    tries one rule after the other; here the type of the result is found once for a driver."""

    known: dict[Any, Any] = {}

    def __init__(self, rules: Any) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resolve_function_type(self, function: Any, args: Any, named: Any) -> Any:
        compiled = isinstance(function, types.Type) and not isinstance(function, types.Function)
        if compiled or named or any(isinstance(one, types.Callable) for one in args):
            return self._rules.resolve_function_type(function, args, named)
        key = function, tuple(args)
        found = self.known.get(key) or self._rules.resolve_function_type(function, args, named)
        if found is not None:
            self.known[key] = found
        return found


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, making parts."""

    kind: type[_Part] = _Part

    def __init__(
        self,
        typing: Any,
        target: Any,
        library: Any,
        args: Any,
        returned: Any,
        flags: Flags,
        variables: Any,
    ) -> None:
        library = library or self.kind(target.codegen(), "part")
        flags = _Options.like(flags)
        super().__init__(_Types(typing), target, library, args, returned, flags, variables)


class OptimisedPartCompiler(PartCompiler):
    """The same, each part optimised by itself as well."""

    kind = _OptimisedPart


class SplicedPartCompiler(PartCompiler):
    """The same, each part inlined where it is called."""

    kind = _SplicedPart


class DriverCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, for what is called from Python. It says so where it takes long, and does
    not stop every now and then to look for garbage: a tenth of the time."""

    def __init__(
        self,
        typing: Any,
        target: Any,
        library: Any,
        args: Any,
        returned: Any,
        flags: Flags,
        variables: Any,
    ) -> None:
        if library is None:
            library = _Driver(target.codegen(), "driver")
            library.enable_object_caching()
        super().__init__(typing, target, library, args, returned, flags, variables)

    def compile_extra(self, function: Any) -> Any:
        _Types.known.clear()
        with announced(function), _no_collection():
            return super().compile_extra(function)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
