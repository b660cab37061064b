"""The options for reading files, and the unit and time step that follow from them and the file."""

import math
from typing import NamedTuple, Self, TypedDict, Unpack

import numpy as np

from rocksteady.errors import InputError, MotionFormatError
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.units import (
    ACCELERATIONS,
    LENGTHS,
    SPEEDS,
    canonical_unit,
    plain_unit,
    unit_factor,
)
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array
from rocksteady.text_tables import checked_decimal


class ReadOptions(TypedDict, total=False):
    """Options of `read_motion`: facts that a file does not state itself."""

    dt: float | None
    unit: str | None
    differentiate: bool
    sensitivity: float | None
    decimal: str | None
    any_peak: bool


class Options(NamedTuple):
    """The checked options, and the component that was asked for."""

    component: str | None = None
    dt: float | None = None  # s
    unit: str | None = None
    differentiate: bool = False
    sensitivity: float | None = None  # counts per m/s²
    decimal: str | None = None  # "." or ","
    any_peak: bool = False  # accept one larger than any earthquake's

    @classmethod
    def checked(cls, component: str | None = None, **given: Unpack[ReadOptions]) -> Self:
        """The options, or an error that says which one is wrong."""
        if component is not None and not isinstance(component, str):
            raise InputError(
                f"component = {component!r} is not a name: give it as text, as in '0'."
            )
        if not given:
            return cls(component)
        unknown = ", ".join(given.keys() - set(cls._fields))
        if unknown:
            known = ", ".join(cls._fields[1:])
            raise TypeError(f"there is no option {unknown}: the options for files are {known}")
        self = cls(component, **given)
        if self.unit is not None:
            _check_unit(self.unit, bool(self.differentiate))
        dt, sensitivity, decimal = self.dt, self.sensitivity, self.decimal
        return self._replace(
            dt=None if dt is None else positive("dt", dt, "s"),
            differentiate=bool(self.differentiate),
            sensitivity=None
            if sensitivity is None
            else positive("sensitivity", sensitivity, "counts/(m/s²)"),
            decimal=None if decimal is None else checked_decimal(decimal),
            any_peak=bool(self.any_peak),
        )


def _check_unit(unit: object, differentiate: bool) -> None:
    """An error unless ``unit`` is one of acceleration, or of a quantity to differentiate."""
    if not isinstance(unit, str):
        raise InputError(f"unit = {unit!r} is not a unit: give it as text, as in 'g'.")
    if not (differentiate and plain_unit(unit) in SPEEDS | LENGTHS):
        unit_factor(unit)


# For all that readers compute: overflows are not finite, and Motion refuses them.
quietly = np.errstate(all="ignore")


def settled_unit(source: Source, stated: str | None, options: Options, what: str = "") -> str:
    """The unit stated by the file or given by the caller; an error if there is none or they differ.

    ``what`` names the column, for the message.
    """
    given = options.unit
    unit = stated if stated is not None else given
    if unit is None:
        raise missing(source, unit=True, what=what)
    known = canonical_unit(unit)
    if known is None:
        raise source.failure(
            f"{unit!r}{what and ' of ' + what} is not a unit of acceleration; those are "
            f"{', '.join(ACCELERATIONS)}."
        )
    if given is not None and ACCELERATIONS.get(canonical_unit(given) or "") != ACCELERATIONS[known]:
        raise source.failure(f"states the unit {unit} but unit={given!r} was given: leave it out.")
    return known


def missing(
    source: Source, dt: bool = False, unit: bool = False, what: str = "", before: str = ""
) -> MotionFormatError:
    """The error that asks for the time step, the unit (of the column ``what``), or both."""
    units = f"unit='g' for example (one of {', '.join(ACCELERATIONS)})"
    if dt and unit:
        lacks, say = "no time step is stated, nor a unit", f"both, dt=0.01 [s] and {units}"
    elif dt:
        lacks, say = "no time step is stated and there is no time column", "dt=0.01 [s]"
    else:
        lacks, say = f"no unit is stated{what and ' for ' + what}", f"which it is, {units}"
    return source.failure(f"{before}{lacks}: say {say}.")


def settled_dt(source: Source, stated: float | None, options: Options, line: int = 0) -> float:
    """The time step [s] stated by the file (in ``line``) or given by the caller, likewise."""
    given = options.dt
    dt = stated if stated is not None else given
    if dt is None:
        raise missing(source, dt=True)
    if not (dt > 0 and math.isfinite(dt)):
        raise source.failure(f"dt = {dt:g} s is not a time step: it must be positive.", line)
    if given is not None and not math.isclose(dt, given, rel_tol=1e-3):
        raise source.failure(
            f"states dt = {dt:g} s but dt={given!r} was given: leave it out.", line
        )
    return dt


def step_of(rate: float) -> float:
    """The time step [s] of ``rate`` samples per second; nan if it is not a rate."""
    return float(f"{1 / rate:.12g}") if rate > 0 and math.isfinite(rate) else math.nan


def in_si(
    source: Source,
    values: Array,
    dt: float,
    unit: str | None,
    options: Options,
    quantity: str = "acceleration",
) -> tuple[Array, str]:
    """``values`` as accelerations [m/s²] (converted in place) and the unit they had.

    A velocity or displacement is refused, or differentiated if the caller asked for that: by
    central differences, one-sided at the ends.
    """
    if quantity == "acceleration":
        unit = settled_unit(source, unit, options)
        values *= unit_factor(unit)
        return values, unit
    if not options.differentiate:
        raise source.failure(
            f"holds a {quantity}, and a motion is an acceleration. Differentiating it amplifies "
            "its noise: use the record's acceleration file, or say differentiate=True."
        )
    factors = SPEEDS if quantity == "velocity" else LENGTHS
    known = plain_unit(unit or options.unit or "")
    if not known:
        raise source.failure(
            f"holds a {quantity} and states no unit: say which it is, unit={next(iter(factors))!r} "
            f"for example (one of {', '.join(factors)})."
        )
    given = plain_unit(options.unit or "")
    if given in SPEEDS | LENGTHS and given != known:
        raise source.failure(
            f"states the unit {unit} but unit={options.unit!r} was given: leave it out."
        )
    if known not in factors:
        raise source.failure(
            f"{unit!r} is not a unit of {quantity}; those are {', '.join(factors)}."
        )
    if values.size < 2:
        raise source.failure("has fewer than 2 samples.")
    for _ in range(1 if quantity == "velocity" else 2):
        values = np.gradient(values, dt)
    return values * factors[known], known
