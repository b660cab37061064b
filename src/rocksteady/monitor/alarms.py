"""The quantities that can be watched, and the thresholds that raise an alarm."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.engine.watch import COLUMN, EXTREME, FREQUENCY_DROP
from rocksteady.errors import InputError
from rocksteady.monitor.exact import Exact
from rocksteady.numbers import real
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Formulation

Thresholds = Mapping[str, float | Sequence[float]]


@dataclass(frozen=True)
class Alarm(Exact):
    """A threshold, and when it was first passed."""

    quantity: str
    unit: str
    threshold: float
    sample: int | None = None
    """Number of the sample, from 0, at or just before which the threshold was first reached."""
    time: float | None = None
    """The time of that sample [s]."""
    value: float | None = None
    """The value then; for a drift or lean, the extreme between that sample and the one before."""

    @property
    def raised(self) -> bool:
        """Whether the threshold has been passed."""
        return self.sample is not None

    def __str__(self) -> str:
        unit = self.unit and " " + self.unit
        limit = f"{self.quantity} ≥ {self.threshold:g}{unit}"
        if not self.raised:
            return f"{limit}: not reached"
        return f"{limit}: {self.value:.6g}{unit} at {self.time:.3f} s (sample {self.sample})"


@dataclass(frozen=True)
class Quantity:
    """A quantity that can be watched: how the compiled loop measures it, and its unit."""

    kind: int
    unit: str
    column: int = 0
    limits: tuple[float, float] = (1.0, 1.0)

    def now(self, state: Numbers) -> float:
        """Its value in this state."""
        if self.kind == EXTREME:
            return abs(state[0]) / self.limits[0 if state[0] > 0 else 1]
        value = state[self.column]
        return value if self.kind == COLUMN else 1 - math.sqrt(1 - value)

    def rule(self, threshold: float) -> tuple[float, ...]:
        return (self.kind, self.column, *self.limits, threshold)


def quantities(system: Any, formulation: Formulation) -> dict[str, Quantity]:
    """The quantities that can be watched for this kind of body."""
    names = [label.split(" [")[0] for label in formulation.columns(system)]
    found = {}
    for name, what in formulation.watched(system).items():
        kind = FREQUENCY_DROP if what.drop else COLUMN if what.column else EXTREME
        column = names.index(what.column) if what.column else 0
        limits = formulation.coordinate(system).limits(system) if what.ratio else (1.0, 1.0)
        found[name] = Quantity(kind, what.unit, column, limits)
    return found


def unraised(thresholds: Thresholds | None, known: Mapping[str, Quantity]) -> list[Alarm]:
    """An alarm for each of the ``thresholds``, checked, in order of quantity and threshold."""
    alarms = []
    for name, given in (thresholds or {}).items():
        if name not in known:
            raise InputError(
                f"alarms: {name!r} cannot be watched here: choose from {', '.join(known)}."
            )
        for threshold in (given,) if isinstance(given, (int, float, str)) else given:
            value = real(threshold)
            if not (value > 0 and math.isfinite(value)):
                raise InputError(
                    f"alarms: the threshold {name} = {threshold!r} is not allowed: it must be "
                    f"positive and finite{', in ' + known[name].unit if known[name].unit else ''}."
                )
            alarms.append(Alarm(name, known[name].unit, value))
    order = list(known)
    return sorted(alarms, key=lambda alarm: (order.index(alarm.quantity), alarm.threshold))


def rules(alarms: Sequence[Alarm], known: Mapping[str, Quantity]) -> tuple[Array, Array]:
    """The alarms as the tables that the compiled loop reads and fills."""
    table = np.array([known[alarm.quantity].rule(alarm.threshold) for alarm in alarms])
    passed = np.full((len(alarms), 2), -1.0)
    for row, alarm in zip(passed, alarms, strict=True):
        if alarm.sample is not None and alarm.value is not None:
            row[:] = alarm.sample, alarm.value
    return table.reshape(len(alarms), 5), passed
