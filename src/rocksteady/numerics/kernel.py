"""Compile scalar functions for use inside drivers.

Numba names machine code after a function's qualified name and a number that counts functions in
*this* process. Two functions made by one factory share the name, and compiled in two processes they
may share the number, too: loaded from the disk cache into a third process, one would silently run
in the place of the other. So a function that closes over others is named here after its content.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import struct
import textwrap
from collections.abc import Callable
from types import CellType, CodeType, FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a scalar function. IEEE arithmetic: no fast-math, so that the same numbers come out
    one at a time, in a batch and in a stream."""
    return _compiled(function)


def inner_kernel(function: Callable[..., Any]) -> Any:
    """Compile a scalar function that is put in the place of its calls, so that a loop around them
    can become vector instructions."""
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Numba makes each function callable from Python, too, with all that it calls in it: a third of
    the time to compile a driver. A call from compiled code is given a twin without that."""
    function = named_by_content(function)
    compiled = numba.njit(function, error_model="numpy", **options)
    if not numba.config.DISABLE_JIT:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        twin = numba.njit(function, error_model="numpy", **options)
        compiled.get_call_template = twin.get_call_template
        compiled.get_overload = twin.get_overload
    return compiled


def fused_kernel(function: Callable[..., Any], inner: bool = False) -> Any:
    """Compile a scalar function in which every ``a * b + c`` is one operation, rounded once.

    Processors and GPUs have an instruction for it, half the work of two. Left to itself a compiler
    fuses what it likes, here this way and there another, and the last bits differ. Said explicitly,
    a run alone, one of many side by side, and one on a GPU give the same bits.
    """
    compile_ = inner_kernel if inner else kernel
    return compile_(function if numba.config.DISABLE_JIT else fuse(function))


def inner_fused_kernel(function: Callable[..., Any]) -> Any:
    """Both: fused, and put in the place of its calls."""
    return fused_kernel(function, inner=True)


@intrinsic  # type: ignore[untyped-decorator]
def fma(context: Any, a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once."""
    kind = _kind(a, b, c)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        args = _cast(context, builder, signature, args, kind)
        if "CUDA" in type(context).__name__:
            args = [_at_hand(builder, arg) for arg in args]
        return builder.fma(*args)

    return kind(a, b, c), generate


class _Constant(ir.GlobalVariable):  # type: ignore[misc]
    """A number in a GPU's constant memory that no compiler puts back into the code."""

    def descr(self, buf: list[str]) -> None:
        value = self.initializer.get_reference()
        buf.append(f"weak addrspace(4) externally_initialized global {self.value_type} {value}\n")


def _at_hand(builder: Any, value: Any) -> Any:
    """A number of many digits takes two more instructions as part of a GPU's code: it is kept in
    constant memory, where operations find it."""
    if not isinstance(value, ir.Constant) or not isinstance(value.type, ir.DoubleType):
        return value
    bits = struct.unpack("<Q", struct.pack("<d", value.constant))[0]
    if bits & 0xFFFFFFFF == 0:
        return value
    name = f"number_{bits:016x}"
    if name not in builder.module.globals:
        _Constant(builder.module, value.type, name, addrspace=4).initializer = value
    return builder.load(builder.module.globals[name])


@intrinsic  # type: ignore[untyped-decorator]
def times(context: Any, a: Any, b: Any) -> Any:
    """a b, rounded: a product that no compiler may fuse with anything."""
    kind = _kind(a, b)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        args = _cast(context, builder, signature, args, kind)
        if "CUDA" not in type(context).__name__:
            return builder.fmul(*args)
        number = args[0].type  # a GPU's compilers fuse a plain product
        name = "llvm.nvvm.mul.rn." + ("f" if kind == types.float32 else "d")
        product = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(number, (number, number)), name
        )
        return builder.call(product, args)

    return kind(a, b), generate


def _kind(*given: Any) -> Any:
    """Single precision if all that have any are of it."""
    floats = [kind for kind in given if isinstance(kind, types.Float)]
    single = floats and all(kind == types.float32 for kind in floats)
    return types.float32 if single else types.float64


def _cast(context: Any, builder: Any, signature: Any, args: Any, kind: Any) -> list[Any]:
    return [
        context.cast(builder, value, given, kind)
        for value, given in zip(args, signature.args, strict=True)
    ]


def fuse(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with `fma` in the place of its products that are added to something, and
    `times` in the place of the others."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition = _Fusing().visit(definition)
    # Compiled inside a function that has all that it closes over, to be given its own of it.
    around = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    around |= {"fma": CellType(fma), "times": CellType(times)}
    outer = ast.parse(f"def around({', '.join(around)}):\n    pass")
    outer.body[0].body = [definition]  # type: ignore[attr-defined]
    ast.increment_lineno(definition, first - 1)
    module = compile(ast.fix_missing_locations(outer), inspect.getfile(function), "exec")
    code = _within(_within(module, "around"), function.__name__)
    cells = tuple(around[name] for name in code.co_freevars)
    fused = FunctionType(code, function.__globals__, function.__name__, None, cells)
    fused.__qualname__, fused.__doc__ = function.__qualname__, function.__doc__
    fused.__module__ = function.__module__
    return fused


def _within(code: CodeType, name: str) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


class _Fusing(ast.NodeTransformer):
    """``c + a * b``, ``c - a * b`` and ``a * b - c`` become calls of `fma`, other products calls of
    `times`; of a sum of two products the second is the one that is not rounded."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if not any(isinstance(part, ast.Name) for part in ast.walk(node)):
            return node  # numbers only
        if isinstance(node.op, (ast.Add, ast.Sub)):
            minus = isinstance(node.op, ast.Sub)
            for product, other in ((node.right, node.left), (node.left, node.right)):
                if _is_product(product):
                    a, b, c = product.left, product.right, other  # type: ignore[attr-defined]
                    if minus and product is node.right:
                        a = _minus(a)
                    elif minus:
                        c = _minus(c)
                    return _call("fma", *map(self.visit, (a, b, c)))
        self.generic_visit(node)
        return _call("times", node.left, node.right) if _is_product(node) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        assert isinstance(node.target, ast.Name)
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        whole = ast.copy_location(ast.Assign([node.target], value), node)
        return self.generic_visit(whole)


def _is_product(node: ast.AST) -> bool:
    """Of what is not known yet: numbers are multiplied by the compiler."""
    names = any(isinstance(part, ast.Name) for part in ast.walk(node))
    return names and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)


def _minus(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), node)


def _call(name: str, *args: ast.expr) -> ast.AST:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def named_by_content(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, with a name that no function of other content has."""
    if function.__closure__:
        function.__qualname__ += "_" + fingerprint(function)[:16]
    return function


def fingerprint(function: Callable[..., Any]) -> str:
    """A digest of a function and all it is built from."""
    return hashlib.sha256("\n".join(_lineage(function, set())).encode()).hexdigest()


def _lineage(function: Any, seen: set[int]) -> list[str]:
    """A function's content, and that of what it is built from: functions it calls, constants."""
    if id(function) in seen:
        return []
    seen.add(id(function))
    lines = [f"{function.__module__}.{function.__qualname__}", _content(function.__code__)]
    closed_over = inspect.getclosurevars(function)
    named = {**closed_over.globals, **closed_over.nonlocals}
    for module in [value for value in named.values() if inspect.ismodule(value)]:
        used = {name: getattr(module, name, None) for name in function.__code__.co_names}
        named |= {name: value for name, value in used.items() if hasattr(value, "py_func")}
    for name, value in sorted(named.items()):
        value = getattr(value, "py_func", value)  # a compiled function stands for the one it is of
        if inspect.isfunction(value):
            lines += _lineage(value, seen)
        elif isinstance(value, (bool, int, float, str, tuple)):
            lines.append(f"{name} = {value!r}")
    return lines


def _content(code: CodeType) -> str:
    """What a function does. Its compiled form, not its source: the file may have been edited since
    this process read it."""
    constants = [
        _content(const) if isinstance(const, CodeType) else repr(const) for const in code.co_consts
    ]
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars))
