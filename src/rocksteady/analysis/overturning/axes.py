"""What lies along the axes of an overturning map: pulses or bodies, and strengths."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.bodies import Block, Rocker
from rocksteady.ensembles.labels import PGA, PGV, Measure
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.generate import pulses
from rocksteady.numbers import reals
from rocksteady.numerics.types import Array

SAMPLES = 1000  # of a period: amplitudes that overturn shift by some 3e-6
GRID, SHARE_GRID = 401, 61  # points along either axis; where each is many runs
FREQUENCIES, STRENGTHS = (0.5, 8.0), (0.5, 12.0)  # of pulses: ω/p, a/(g tan α)
SIZES, RECORD_STRENGTHS = (1 / 3, 3.0), (0.4, 11.0)  # of a body's height; of what lifts it off
VELOCITIES = (0.05, 3.0)  # p PGV/(g tan α)

Shape = Callable[[float], Motion]
"""A pulse of this circular frequency [rad/s], of any amplitude."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis of a map."""

    values: Array
    name: str
    """In a dataset or table."""
    unit: str
    words: str
    log: bool = False

    @property
    def label(self) -> str:
        return f"{self.words} [{self.unit or '–'}]"

    @property
    def column(self) -> str:
        return f"{self.name} [{self.unit or '-'}]"

    @property
    def range(self) -> str:
        """ "0.5 to 8", with the unit."""
        return f"{self.values[0]:.3g} to {self.values[-1]:.3g} {self.unit}".strip()


def axis(values: Any, name: str, unit: str, words: str) -> Axis:
    """An axis along values that were given; an error unless they grow."""
    try:
        numbers = np.atleast_1d(reals(values)).astype(float).ravel()
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    good = len(numbers) >= 2 and bool(np.isfinite(numbers).all()) and numbers[0] > 0
    if not good or not (np.diff(numbers) > 0).all():
        raise InputError(
            f"{name} = {values!r} is not allowed: give two or more positive numbers, each larger "
            "than the one before, as np.linspace(1, 8, 201) does."
        )
    steps, ratios = np.diff(numbers), np.diff(np.log(numbers))
    log = len(numbers) > 2 and bool(np.ptp(ratios) < 0.5 * np.ptp(steps) / steps.mean())
    return Axis(numbers, name, unit, words, log)


# -- pulses -----------------------------------------------------------------------------------


def _sine(omega: float, **options: Any) -> Motion:
    return pulses.sine(1.0, omega=omega, dt=2 * math.pi / omega / SAMPLES, **options)


def _cosine(omega: float) -> Motion:
    return pulses.cosine(1.0, omega=omega, dt=2 * math.pi / omega / SAMPLES)


def _rectangle(omega: float) -> Motion:
    return pulses.rectangular(1.0, math.pi / omega, dt=2 * math.pi / omega / SAMPLES)


def _ricker(omega: float, kind: Any = "symmetric") -> Motion:
    return pulses.ricker(1.0, omega=omega, kind=kind, dt=2 * math.pi / omega / SAMPLES)


def _mavroeidis(omega: float) -> Motion:
    return pulses.mavroeidis(1.0, 2 * math.pi / omega, dt=2 * math.pi / omega / SAMPLES)


SHAPES: dict[str, Shape] = {
    "sine": _sine,
    "half sine": lambda omega: _sine(omega, cycles=0.5),
    "cosine": _cosine,
    "rectangle": _rectangle,
    "ricker": _ricker,
    "antisymmetric ricker": lambda omega: _ricker(omega, "antisymmetric"),
    "mavroeidis": _mavroeidis,
}
"""Pulses by name. A rectangle lasts as long as half a sine, π/ω; Mavroeidis' has γ = 2, ν = 0."""
A_PULSE = f"one of {', '.join(SHAPES)}, or a function that makes a Motion from ω [rad/s]"


def name_of(pulse: str | Shape) -> str:
    """A pulse's name as `SHAPES` has it; "pulse" for a function."""
    if not isinstance(pulse, str):
        return "pulse"
    return pulse.strip().lower().replace("-", " ").replace("_", " ")


def shape_named(name: str) -> Shape:
    found = SHAPES.get(name_of(name))
    if found is None:
        raise InputError(
            f"{name!r} is not a pulse for a map: give {A_PULSE}. For a record give a Motion."
        )
    return found


def pulse_axes(
    system: Rocker, shape: Shape, frequencies: Any, strengths: Any, points: int | None
) -> tuple[Axis, Axis, list[Motion]]:
    """ω/p, a/(g tan α), and a pulse of each frequency whose peak is g tan α."""
    if frequencies is None:
        frequencies = np.linspace(*FREQUENCIES, points or GRID)
    if strengths is None:
        strengths = np.linspace(*STRENGTHS, points or GRID)
    x = axis(frequencies, "frequency", "", "frequency of the pulse, ω/p")
    y = axis(strengths, "strength", "", "acceleration, a/(g tan α)")
    lifts = lifting(system)
    made = [shape(float(value) * system.p) for value in x.values]
    if not all(isinstance(motion, Motion) for motion in made):
        raise InputError(
            f"The pulse function returned {made[0]!r}: it must make a Motion from ω [rad/s]."
        )
    return x, y, [motion.scaled_to(pga=lifts) for motion in made]


def lifting(system: Rocker) -> float:
    """g tan α [m/s²]: the acceleration that lifts it off."""
    return system.g * math.tan(system.alpha)


# -- records ----------------------------------------------------------------------------------

MEASURES: dict[str, Measure] = {"pga": PGA, "pgv": PGV}


def record_axes(
    system: Block,
    motions: Sequence[Motion],
    heights: Any,
    strengths: Any,
    measure: str,
    points: int | None,
) -> tuple[Axis, Axis, list[Block], list[Motion]]:
    """Heights of similar bodies, strengths of the ground; the bodies, and the motions at 1."""
    if measure not in MEASURES:
        raise InputError(f"measure = {measure!r} is not known: choose 'pga' [g] or 'pgv' [m/s].")
    points = points or (GRID if len(motions) == 1 else SHARE_GRID)
    name = MEASURES[measure]
    if heights is None:
        heights = system.height * np.geomspace(*SIZES, points)
    if strengths is None:
        low, high = RECORD_STRENGTHS if measure == "pga" else VELOCITIES
        unit = lifting(system) / name.si / (1.0 if measure == "pga" else system.p)
        strengths = unit * np.linspace(low, high, points)
    x = axis(heights, "height", "m", "height of the body")
    y = axis(strengths, measure, name.unit, name.words)
    bodies = [similar(system, float(height) / system.height) for height in x.values]
    return x, y, bodies, [motion.scaled_to(**{measure: name.si}) for motion in motions]


def similar(block: Block, factor: float) -> Block:
    """The same body with all lengths multiplied."""
    lengths = ("height", "width", "thickness", "offset", "com_height")
    return dataclasses.replace(
        block,
        **{name: factor * getattr(block, name) for name in lengths},
        mass=factor**3 * block.mass,
        inertia=factor**5 * block.inertia,
    )
