"""Products and sums rounded once: what `fused_kernel` makes of a function's source.

`fuse` rewrites every ``a * b + c`` as a call of `fma`, and every other product as a call of
`times`, which no compiler may fuse with anything.
"""

import ast
import inspect
import struct
import textwrap
from collections.abc import Callable
from functools import cache
from types import CellType, CodeType, FunctionType
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def fma(context: Any, a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once."""
    kind = _kind(a, b, c)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        args = _cast(context, builder, signature, args, kind)
        if "CUDA" in type(context).__name__:
            args = [_in_constant_memory(builder, arg) for arg in args]
        return builder.fma(*args)

    return kind(a, b, c), generate


class _Constant(ir.GlobalVariable):  # type: ignore[misc]
    """A number in a GPU's constant memory that no compiler moves back into the code."""

    def descr(self, buf: list[str]) -> None:
        value = self.initializer.get_reference()
        buf.append(f"weak addrspace(4) externally_initialized global {self.value_type} {value}\n")


def _in_constant_memory(builder: Any, value: Any) -> Any:
    """A number of many digits takes two more instructions as part of a GPU's code, so it is kept in
    constant memory, where an operation reads it directly."""
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
    """Single precision if every argument that is a float has it."""
    floats = [kind for kind in given if isinstance(kind, types.Float)]
    single = floats and all(kind == types.float32 for kind in floats)
    return types.float32 if single else types.float64


def _cast(context: Any, builder: Any, signature: Any, args: Any, kind: Any) -> list[Any]:
    return [
        context.cast(builder, value, given, kind)
        for value, given in zip(args, signature.args, strict=True)
    ]


def parsed(function: Callable[..., Any] | CodeType) -> tuple[ast.FunctionDef, int]:
    """A function's source as a tree, without decorators, and the line where it begins."""
    lines, first = inspect.getsourcelines(function)
    definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    return definition, first


def fuse(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with `fma` for products that are added to something, and `times` for the
    others."""
    code = _fused(function.__code__)
    around = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    around |= {"fma": CellType(fma), "times": CellType(times)}
    cells = tuple(around[name] for name in code.co_freevars)
    fused = FunctionType(code, function.__globals__, function.__name__, None, cells)
    fused.__qualname__, fused.__doc__ = function.__qualname__, function.__doc__
    fused.__module__ = function.__module__
    return fused


@cache
def _fused(code: CodeType) -> CodeType:
    """The same for what a function does, which is the same for all that one factory makes."""
    definition, first = parsed(code)
    definition = _Fusing().visit(definition)
    # Compiled inside a function whose arguments are the names it closes over; it then gets the
    # original's cells for them.
    around = dict.fromkeys((*code.co_freevars, "fma", "times"))
    outer = ast.parse(f"def around({', '.join(around)}):\n    pass")
    outer.body[0].body = [definition]  # type: ignore[attr-defined]
    ast.increment_lineno(definition, first - 1)
    module = compile(ast.fix_missing_locations(outer), inspect.getfile(code), "exec")
    return _within(_within(module, "around"), code.co_name)


def _within(code: CodeType, name: str) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


class _Fusing(ast.NodeTransformer):
    """``c + a * b``, ``c - a * b`` and ``a * b - c`` become calls of `fma`, other products calls of
    `times`. In a sum of two products the second is the one that is not rounded."""

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
    """Whether it is a product with a name in it: the compiler multiplies numbers itself."""
    names = any(isinstance(part, ast.Name) for part in ast.walk(node))
    return names and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)


def _minus(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), node)


def _call(name: str, *args: ast.expr) -> ast.AST:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])
