"""What of a body was given, and what follows from it."""

from collections.abc import Callable
from dataclasses import Field, fields
from functools import lru_cache
from typing import Any, Self

FIELDS = "__dataclass_fields__"  # where `dataclasses.replace`, `fields` and `asdict` look


class Derived:
    """A field that follows from the others by a ``rule`` if it is left out, or None.

    The body keeps what was given: ``dataclasses.replace``, ``fields`` and ``asdict`` of a body do
    not see what was left out, so that it follows again in a changed body.

    Examples
    --------
    >>> from dataclasses import asdict, dataclass, replace
    >>> @dataclass(frozen=True)
    ... class Square:
    ...     side: float
    ...     area: float = derived(lambda square: square.side**2)
    >>> Square(3.0).area, replace(Square(3.0), side=4.0).area, asdict(Square(3.0))
    (9.0, 16.0, {'side': 3.0})
    """

    def __init__(self, rule: Callable[[Any], Any]) -> None:
        self.rule = rule

    def __set_name__(self, kind: type, name: str) -> None:
        self.name = name

    def __get__(self, body: object | None, kind: type) -> Any:
        if body is None:  # the dataclass asks for the default
            return None
        given = vars(body)[self.name]
        return self.rule(body) if given is None else given

    def __set__(self, body: Any, value: Any) -> None:
        own = vars(body)
        own[self.name] = value
        if value is None:
            before = own.get(FIELDS)
            left_out = {self.name} if before is None else {*before.left_out, self.name}
            kind: Any = type(body)
            own[FIELDS] = _given_fields(kind, frozenset(left_out))


def derived(rule: Callable[[Any], Any]) -> Any:
    """The default of such a field, as `dataclasses.field` makes others."""
    return Derived(rule)


def was_given(body: object, name: str) -> bool:
    """Whether a derived field was given, not left out."""
    return vars(body)[name] is not None


def shown(body: Any) -> str:
    """The ``repr`` of a dataclass by what was given: "Block(height=1.8, width=0.5, …)"."""
    values = (f"{one.name}={getattr(body, one.name)!r}" for one in fields(body) if one.repr)
    return f"{type(body).__qualname__}({', '.join(values)})"


class GivenFields(dict[str, Field[Any]]):
    """The fields of one body: those of its class without what was ``left_out``."""

    def __init__(self, kind: type, left_out: frozenset[str]) -> None:
        every: dict[str, Field[Any]] = getattr(kind, FIELDS)
        super().__init__({name: every[name] for name in every if name not in left_out})
        self.kind, self.left_out = kind, left_out

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type, frozenset[str]]]:
        return _given_fields, (self.kind, self.left_out)  # type: ignore[return-value]


@lru_cache(maxsize=256)
def _given_fields(kind: type, left_out: frozenset[str]) -> GivenFields:
    """Shared by all bodies that left out the same."""
    return GivenFields(kind, left_out)
