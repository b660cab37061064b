"""The same step in single precision.

Numba gives a number written in the source double precision, and whatever it is combined with, too.
So a step is compiled anew here from its own source, with every number in it, and in the functions
it calls, in single precision.
"""

import ast
import inspect
import math
from functools import cache
from typing import Any

import numpy as np

from rocksteady.engine.summary import Rules
from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.fusing import parsed
from rocksteady.theories.contract import Glide, Otherwise

TELLS_APART = 4 * float(np.finfo(np.float32).eps)
TOLERANCES = ("CONVERGED", "ROUNDING")  # of iterations that would never come to their end


@cache
def in_single(step: Any) -> Any:
    """A compiled function ``step``, and all it calls, in single precision."""
    function = step.py_func
    numbers = _Numbers()
    tree = ast.Module([numbers.visit(parsed(function)[0])], [])
    tree = ast.fix_missing_locations(tree)
    names = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    scope = {name: _converted(name, names[name]) for name in _used(tree) if name in names}
    scope |= numbers.constants
    code = compile(tree, inspect.getfile(function), "exec")
    exec(code, scope)  # the step's own source, with other constants
    return kernel(scope[function.__name__])


def advance_in_single(advance: Any) -> Any:
    """A formulation's step in single precision, with what finds its turning points."""
    single = in_single(advance)
    if hasattr(advance, "turning"):
        single.turning = in_single(advance.turning)
    return single


def glide_in_single(glide: Glide) -> Glide:
    """The same for a step with an attempt."""
    optional = {
        "turning": glide.turning,
        "hopeless": glide.hopeless,
        "prepare": glide.prepare,
        "whole": glide.whole,
        "land": glide.land,
    }
    single = {name: in_single(function) for name, function in optional.items() if function}
    if glide.otherwise is not None:
        parts = {name: part and in_single(part) for name, part in glide.otherwise._asdict().items()}
        single["otherwise"] = Otherwise(**parts)
    return glide._replace(attempt=in_single(glide.attempt), step=in_single(glide.step), **single)


def rules_in_single(rules: Rules) -> Rules:
    """The same for the tests of a state on still ground."""
    tests = {
        "resting": rules.resting,
        "doomed": rules.doomed,
        "outcome": rules.outcome,
        "at_end": rules.at_end,
    }
    return rules._replace(**{name: in_single(test) for name, test in tests.items() if test})


def _used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _converted(name: str, value: Any) -> Any:
    """A global or enclosed name's value as the new function sees it."""
    if hasattr(value, "py_func"):
        return in_single(value)
    if isinstance(value, tuple):
        return tuple(_converted(name, entry) for entry in value)
    if not isinstance(value, float):
        return value
    return _single(max(value, TELLS_APART) if name in TOLERANCES else value)


def _single(value: float) -> Any:
    """Rounded, but what is not zero stays so."""
    rounded = np.float32(value)
    if rounded == 0 and value != 0:
        return np.nextafter(np.float32(0), np.float32(math.copysign(1, value)))
    return rounded


class _Numbers(ast.NodeTransformer):
    """Puts named constants of small types in the place of numbers.

    Numba takes a whole number together with one of single precision to double precision unless it
    has 16 bits or less.
    """

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {}

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Constant)) and _is_number(node):
            value = eval(compile(ast.Expression(node), "", "eval"))
            return self._named(value, node)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "math":
            constant = getattr(math, node.attr)  # math.nan, math.inf, math.pi, or a function
            return self._named(constant, node) if isinstance(constant, float) else node
        if isinstance(node, ast.Subscript):  # which entry: stays as it is
            node.value = self.visit(node.value)
            return node
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            return node
        return self.generic_visit(node)

    def _named(self, value: float | int, node: ast.AST) -> ast.AST:
        if isinstance(value, float):
            constant: Any = _single(value)
        elif abs(value) < 2**15:
            constant = np.int16(value)
        else:
            return node
        name = f"_number_{len(self.constants)}"
        self.constants[name] = constant
        return ast.Name(name, ast.Load())


def _is_number(node: ast.AST) -> bool:
    """Whether an expression consists of numbers only."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and _is_number(node.operand)
    return isinstance(node, ast.BinOp) and _is_number(node.left) and _is_number(node.right)
