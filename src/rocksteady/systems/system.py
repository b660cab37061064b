"""What every body tells of itself, so that nobody has to ask what kind it is."""

from __future__ import annotations

import dataclasses
import math
from functools import partial
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array
from rocksteady.status import Status
from rocksteady.systems.units import WRITTEN, split_unit


class Coordinate(NamedTuple):
    """The number by which a body is judged, the first of its state."""

    name: str
    """Of its column, such as ``"theta"``."""
    unit: str
    symbol: str
    """As figures and tables write it: "θ"."""
    over: str = ""
    """What it is divided by to be judged, "α"; empty where its own unit is kept."""
    meaning: str = ""
    """What the ratio means, for the description of a dataset."""
    rate: str = ""
    """The symbol of its rate; the symbol with a dot unless given."""

    @property
    def ratio(self) -> str:
        """The symbol of what is judged: "θ/α", or "slip [m]" where nothing divides it."""
        return f"{self.symbol}/{self.over}" if self.over else f"{self.symbol} [{self.unit}]"

    @property
    def size(self) -> str:
        """The same, for its absolute value: "|θ|/α"."""
        return f"|{self.symbol}|/{self.over}" if self.over else f"|{self.symbol}| [{self.unit}]"

    @property
    def peak_unit(self) -> str:
        """Of a peak in tables: 1 for a ratio."""
        return "1" if self.over else self.unit

    @property
    def start_names(self) -> tuple[str, str]:
        """The arguments of `simulate` that set it and its rate at time zero."""
        return ("theta0", "omega0") if self.unit == "rad" else ("x0", "v0")

    @classmethod
    def of_column(cls, label: str) -> Coordinate:
        """From a column's label alone: "slip [m]"."""
        name, unit = split_unit(label)
        return cls(name, unit or "1", name)


class System:
    """A body: a frozen dataclass of geometry and mass. Subclasses of bodies are bodies."""

    coordinate: ClassVar[Coordinate]
    ends: ClassVar[Status] = Status.OVERTURNED
    """What it is called when it has fallen."""
    rocks: ClassVar[bool] = False
    """Whether it leans about the corners of its base: then it is a `Rocker`."""
    filmed: ClassVar[bool] = False
    """Whether `Response.animate` can draw it."""
    named_by: ClassVar[tuple[str, ...]] = ()
    """The parameters that tell bodies of an ensemble apart in tables and legends."""
    tabulated: ClassVar[tuple[str, ...]] = ()
    """Properties beside its parameters that datasets keep."""

    @property
    def label(self) -> str:
        """In words: "4.2 × 0.6 m block"."""
        raise NotImplementedError

    @property
    def limits(self) -> tuple[float, float]:
        """What its coordinate is divided by, to the right and to the left."""
        raise NotImplementedError

    @property
    def free_rate(self) -> float:
        """The rate of its free motion [rad/s], which sets the sampling where no motion does."""
        raise NotImplementedError

    @staticmethod
    def size(values: dict[str, Any]) -> str:
        """The values of ``named_by`` in words: "1.8 × 0.5 m"."""
        raise NotImplementedError

    @classmethod
    def parameter_names(cls) -> list[str]:
        """The words by which tables and study files may describe one."""
        return [field.name for field in dataclasses.fields(cls) if field.init]  # type: ignore[arg-type]

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> System:
        """The body with these parameters; the others from a ``preset`` of the literature, where the
        kind has such."""
        if preset is not None:
            raise InputError(f"preset = {preset!r}: a {cls.__name__} has no presets.")
        try:
            return cls(**values)
        except TypeError as error:
            raise InputError(_misfit(cls, values)) from error

    def relative(self, values: Array) -> Array:
        """The coordinate over its limit on the side it is on [-]."""
        right, left = self.limits
        return np.where(values > 0, values / right, values / left)

    def check_start(self, value: float) -> None:
        """Refuse a coordinate at which no run can begin."""

    def _check(self, *names: str, zero: bool = False) -> None:
        """Positive, or not negative where ``zero`` is allowed, and Python's own floats: NumPy's are
        slow one by one, and ugly to read."""
        check = partial(finite, minimum=0.0) if zero else positive
        for name in names:
            value = getattr(self, name)
            if type(value) is not float or not 0.0 < value < math.inf:  # quick: there may be many
                object.__setattr__(self, name, check(name, value, WRITTEN.get(name, "")))


def _misfit(kind: type[System], values: dict[str, Any]) -> str:
    """Why there is no body with these values. Names that were given, or can be, are in backquotes:
    the command line has options for them."""
    fields = [f for f in dataclasses.fields(kind) if f.init]  # type: ignore[arg-type]
    missing = dataclasses.MISSING
    needed = [f.name for f in fields if f.default is f.default_factory is missing]
    lacks = ", ".join(f"`{name}`" for name in needed if name not in values)
    if lacks:
        return f"A {kind.__name__} lacks {lacks}."
    given = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    names = ", ".join(kind.parameter_names())
    return f"A {kind.__name__} cannot be made from {given}: it has {names}."


Kind = TypeVar("Kind")


def expect(thing: Any, kind: type[Kind], task: str, why: str = "") -> Kind:
    """The body or theory, if it is of the kind that a task is for; an error that says so if not."""
    if not isinstance(thing, kind):
        raise InputError(f"{task} needs a {kind.__name__}, not a {type(thing).__name__}{why}.")
    return thing


def fields_of(thing: Any) -> dict[str, Any]:
    """The parameters of a body or formulation by name, as its class takes them."""
    return {
        field.name: getattr(thing, field.name) for field in dataclasses.fields(thing) if field.init
    }
