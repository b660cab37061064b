"""The interface of all bodies: each declares its properties, so no other code tests its type."""

import dataclasses
import json
import math
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from rocksteady.bodies.given import shown
from rocksteady.bodies.support import Polygon
from rocksteady.bodies.units import WRITTEN, split_unit
from rocksteady.errors import InputError, unknown, what_it_is, with_article
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array
from rocksteady.status import Status


class Coordinate(NamedTuple):
    """The coordinate that describes a body's response: the first entry of its state."""

    name: str
    """Name of its column, such as ``"theta"``."""
    unit: str
    symbol: str
    """Symbol in figures and tables: "θ"."""
    over: str = ""
    """Symbol of the limit it is divided by, "α"; empty if it keeps its own unit."""
    meaning: str = ""
    """Description of the ratio, for datasets."""
    rate: str = ""
    """Symbol of its rate; by default the symbol with a dot."""

    @property
    def ratio(self) -> str:
        """Label of the relative coordinate: "θ/α", or "slip [m]" without a divisor."""
        return f"{self.symbol}/{self.over}" if self.over else f"{self.symbol} [{self.unit}]"

    @property
    def size(self) -> str:
        """Label of its absolute value: "|θ|/α"."""
        return f"|{self.symbol}|/{self.over}" if self.over else f"|{self.symbol}| [{self.unit}]"

    @property
    def peak_unit(self) -> str:
        """Unit of a peak in tables: 1 for a ratio."""
        return "1" if self.over else self.unit

    @property
    def start_names(self) -> tuple[str, str]:
        """The arguments of `simulate` for its initial value and rate."""
        return ("theta0", "omega0") if self.start_unit == "rad" else ("x0", "v0")

    @property
    def start_unit(self) -> str:
        """Unit of the initial value: a ratio such as tilt over α starts from an angle."""
        return "rad" if self.unit == "-" else self.unit

    def limits(self, system: "System") -> tuple[float, float]:
        """What it is divided by on this body, to the right and to the left."""
        return system.limits if self.over else (1.0, 1.0)

    def relative(self, system: "System", values: Array) -> Array:
        """These values as a body is judged by them: over its limits, such as θ/α."""
        return system.relative(values) if self.over else np.asarray(values)

    @classmethod
    def of_column(cls, label: str) -> Self:
        """From a column's label alone: "slip [m]"."""
        name, unit = split_unit(label)
        return cls(name, unit or "1", name)


class System:
    """A body: a frozen dataclass of geometry and mass. Subclasses of bodies are bodies."""

    coordinate: ClassVar[Coordinate]
    ends: ClassVar[Status] = Status.OVERTURNED
    """The status of a body that has fallen."""
    rocks: ClassVar[bool] = False
    """Whether it leans about the corners of its base, as a `Rocker` does."""
    spatial: ClassVar[bool] = False
    """Whether it moves in space, not in one vertical plane."""
    posed: ClassVar[bool] = False
    """Whether the body itself says how it starts, so that it may move without a motion."""
    as_block: ClassVar[str] = ""
    """How a user makes a block in one plane of it, in Python; empty if it is none or has none."""
    filmed: ClassVar[bool] = False
    """Whether `Response.animate` can draw it."""
    named_by: ClassVar[tuple[str, ...]] = ()
    """The parameters that identify the bodies of an ensemble in tables and legends."""
    tabulated: ClassVar[tuple[str, ...]] = ()
    """Derived properties that datasets store beside the parameters."""
    long: ClassVar[tuple[str, ...]] = ()
    """The columns of `stored_names` that are too long to be repeated in every row of a table."""

    words: ClassVar[tuple[str, ...]] = ()
    """The parameters that are words, not numbers."""
    lists: ClassVar[tuple[str, ...]] = ()
    """Those of them that are text in tables and may be lists elsewhere."""
    files: ClassVar[tuple[str, ...]] = ()
    """Those of them that are paths of files."""

    def __init_subclass__(cls) -> None:
        if "__repr__" not in vars(cls):  # else each dataclass would show what was not given
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """As it was given: "Block(height=1.8, width=0.5, …)"."""
        return shown(self)

    @property
    def label(self) -> str:
        """In words: "4.2 × 0.6 m block"."""
        raise NotImplementedError

    @property
    def limits(self) -> tuple[float, float]:
        """The limits that its coordinate is divided by, to the right and to the left."""
        raise NotImplementedError

    @property
    def free_rate(self) -> float:
        """The rate of its free motion [rad/s], which sets the sampling without a ground motion."""
        raise NotImplementedError

    @staticmethod
    def size(values: dict[str, Any]) -> str:
        """The values of ``named_by`` in words: "1.8 × 0.5 m"."""
        raise NotImplementedError

    @classmethod
    def parameter_names(cls) -> list[str]:
        """The parameter names that tables and study files may use."""
        return [field.name for field in dataclasses.fields(cls) if field.init]  # type: ignore[arg-type]

    @classmethod
    def stored_names(cls) -> tuple[str, ...]:
        """The columns of a table that keeps bodies of this type."""
        return tuple(field.name for field in dataclasses.fields(cls))  # type: ignore[arg-type]

    def stored(self, name: str) -> Any:
        """What it has in a column of `stored_names` or ``tabulated``: a number or a text. None is
        nan; lists are JSON, and any other thing is its ``repr``."""
        value = getattr(self, name)
        if value is None:
            return math.nan
        return value if isinstance(value, (str, float, int, np.number)) else in_words(value)

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> Self:
        """The body with these parameters, and the others from a ``preset`` if the type has any."""
        if preset is not None:
            raise InputError(f"preset = {preset!r}: a {cls.__name__} has no presets.")
        try:
            return cls(**values)
        except TypeError as error:
            raise InputError(_misfit(cls, values)) from error

    @classmethod
    def made_by(
        cls, values: dict[str, Any], preset: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        """How a person would write the body of `from_values` in Python: the name of the class
        method, empty for the class itself, and its arguments."""
        if preset is not None:
            return "from_values", {"values": values, "preset": preset}
        return "", values

    @classmethod
    def drawn(cls, values: dict[str, Any], preset: str | None = None) -> Polygon:
        """The outline in which `from_values` with these is drawn, from the middle of its base [m];
        empty if it is drawn as a box."""
        return ()

    def relative(self, values: Array) -> Array:
        """The coordinate over its limit on the side it is on [-]."""
        right, left = self.limits
        return np.where(values > 0, values / right, values / left)

    def balance_angle(self, lean: float, direction: float = 0.0) -> float:
        """The tilt [rad] at which it balances where it leans like this: ``lean`` to the right if
        positive, in space towards ``direction`` [degrees]."""
        return self.limits[0 if lean >= 0 else 1]

    def check_start(self, value: float) -> None:
        """Refuse an initial coordinate at which no run can start."""

    def _check(self, *names: str, zero: bool = False) -> None:
        """Check that they are positive, or not negative where ``zero`` is allowed, and convert them
        to Python floats, which are faster and print better than NumPy's."""
        check = partial(finite, minimum=0.0) if zero else positive
        for name in names:
            value = getattr(self, name)
            if type(value) is not float or not 0.0 < value < math.inf:  # fast, for many bodies
                object.__setattr__(self, name, check(name, value, WRITTEN.get(name, "")))


def in_words(value: Any) -> str:
    """What is no number as one text: lists and tables as JSON."""
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except TypeError:
        return repr(value)


def _plain(value: Any) -> Any:
    """An array of NumPy as a list."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else repr(value)


def _misfit(kind: type[System], values: dict[str, Any]) -> str:
    """Why no body can have these values. Parameter names are in backquotes: the command line
    replaces them by its options."""
    fields = [f for f in dataclasses.fields(kind) if f.init]  # type: ignore[arg-type]
    missing = dataclasses.MISSING
    needed = [f.name for f in fields if f.default is f.default_factory is missing]
    lacks = ", ".join(f"`{name}`" for name in needed if name not in values)
    if lacks:
        return f"A {kind.__name__} lacks {lacks}."
    strange = next((name for name in values if name not in kind.parameter_names()), None)
    if strange is not None:
        where = f"for {with_article(kind.__name__)}"
        return f"`{strange}` {unknown(strange, kind.parameter_names(), where)}."
    given = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    names = ", ".join(kind.parameter_names())
    return f"A {kind.__name__} cannot be made from {given}: it has {names}."


Kind = TypeVar("Kind")


def expect(thing: Any, kind: type[Kind], task: str, why: str = "") -> Kind:
    """``thing`` if it is of this ``kind``; otherwise an error that names the ``task``."""
    if not isinstance(thing, kind):
        name = kind.__name__
        wanted = name if name.endswith("s") else with_article(name)
        planar = issubclass(kind, System) and kind.rocks and not kind.spatial
        instead = block_of(thing) if planar else ""
        raise InputError(f"{task} needs {wanted}, not {what_it_is(thing)}{why}.{instead}")
    return thing


def block_of(thing: Any) -> str:
    """How to get a block from another body, as a sentence after an error; empty if there is no
    way."""
    how = thing.as_block if isinstance(thing, System) else ""
    return f" {how} gives a block." if how else ""


def fields_of(thing: Any) -> dict[str, Any]:
    """The parameters of a body or formulation by name, as its class or its ``from_values`` takes
    them: those that were given."""
    if hasattr(thing, "as_values"):  # one that holds objects: these as plain values
        values: dict[str, Any] = thing.as_values()
        return values
    return {
        field.name: getattr(thing, field.name) for field in dataclasses.fields(thing) if field.init
    }
