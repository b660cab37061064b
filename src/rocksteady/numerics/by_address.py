"""A named tuple of arrays that functions hand to each other by its address.

Numba hands over a tuple number by number: an array of two dimensions is nine of them, a workspace
of forty arrays more than three hundred, in every call. `by_address` writes them down once; then
what is handed over is where they are. ``work.corner`` reads the same as before, and costs as much.
"""

import hashlib
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model


class Address(types.Type):  # type: ignore[misc]
    """Where a named tuple is."""

    def __init__(self, of: Any) -> None:
        self.of = of
        content = hashlib.sha256(repr((of.fields, of.types)).encode()).hexdigest()[:16]
        super().__init__(f"{of.instance_class.__name__}_at_{content}")  # short: it is in every name


class Words(ir.ArrayType):  # type: ignore[misc]
    """The numbers of a tuple: known by this class from all other arrays (`parts.py`)."""


@register_model(Address)
class _AddressModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Address) -> None:
        super().__init__(manager, kind, _words(manager, kind).as_pointer())


def _words(manager: Any, kind: Address) -> Words:
    return Words(ir.IntType(64), sum(_size(manager, one) for one in kind.of.types))


def _size(manager: Any, kind: Any) -> int:
    """Words of an array."""
    return sum(max(1, getattr(part, "count", 1)) for part in manager.lookup(kind).get_value_type())


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = Address

    def generic_resolve(self, kind: Address, name: str) -> Any:
        return kind.of.types[kind.of.fields.index(name)] if name in kind.of.fields else None


@lower_getattr_generic(Address)  # type: ignore[untyped-decorator]
def _field(context: Any, builder: Any, kind: Address, place: Any, name: str) -> Any:
    index = kind.of.fields.index(name)
    there = _place(context, builder, kind, place, index)
    return impl_ret_borrowed(context, builder, kind.of.types[index], builder.load(there))


def _place(context: Any, builder: Any, kind: Address, place: Any, index: int) -> Any:
    """Where the array of this index is written down."""
    manager = context.data_model_manager
    before = sum(_size(manager, one) for one in kind.of.types[:index])
    there = cgutils.gep_inbounds(builder, place, 0, before)
    written = manager.lookup(kind.of.types[index]).get_value_type()
    return builder.bitcast(there, written.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def _by_address(context: Any, numbers: Any) -> Any:
    kind = Address(numbers)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = cgutils.alloca_once(builder, _words(context.data_model_manager, kind))
        for index in range(len(numbers.types)):
            there = _place(context, builder, kind, place, index)
            builder.store(builder.extract_value(args[0], index), there)
        return place

    return kind(numbers), generate


by_address = (lambda numbers: numbers) if numba.config.DISABLE_JIT else _by_address
"""``by_address(arrays)``: the named tuple of arrays, handed over by its address from here on. It is
there as long as the function that asked for it runs."""
