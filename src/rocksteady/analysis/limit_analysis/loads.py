"""What acts on the stones: their weight, the load that grows, and forces that stay."""

from collections.abc import Mapping, Sequence

import numpy as np

from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError
from rocksteady.numbers import finite, number_row
from rocksteady.numerics.types import Array

Forces = Mapping[str | int, Sequence[float]]
"""By stone: (F_x, F_y) [N] at its centre of mass, or (F_x, F_y, x, y) at a point [m]."""


def weights(assembly: Assembly) -> Array:
    """(stones, 3): force (x, y) [N] and moment about the centre of mass [N m]; fixed stones have
    none."""
    acting = np.zeros((len(assembly), 3))
    acting[:, 1] = [-stone.mass * assembly.g * (not stone.fixed) for stone in assembly]
    return acting


def live_loads(
    assembly: Assembly, direction: Sequence[float] | Array, forces: Forces | None
) -> Array:
    """(stones, 3): what the multiplier multiplies."""
    if forces is not None:
        acting = steady_loads(assembly, forces)
        if not acting.any():
            raise InputError("forces: none of them acts on a stone that can move.")
        return acting
    toward = checked_direction(direction)
    acting = np.zeros((len(assembly), 3))
    acting[:, :2] = -weights(assembly)[:, 1:2] * toward
    return acting


def steady_loads(assembly: Assembly, forces: Forces | None) -> Array:
    """(stones, 3): forces that act on some stones, at points of the assembly as it stands."""
    acting = np.zeros((len(assembly), 3))
    if not isinstance(forces, (Mapping, type(None))):
        raise InputError(
            f"Forces {forces!r} are not allowed: give a dict from stones to their forces [N], such "
            "as {'lintel': (0.0, -1e4)}."
        )
    for stone, given in (forces or {}).items():
        i = assembly.number(stone)
        values = number_row(f"the force on stone {stone!r}", given, "N")
        if len(values) not in (2, 4):
            raise InputError(
                f"The force on stone {stone!r} has {len(values)} values: give (F_x, F_y) [N], or "
                "(F_x, F_y, x, y) with the point where it acts [m]."
            )
        for value in values:
            finite(f"the force on stone {stone!r}", value)
        if assembly.stones[i].fixed:
            continue
        x, y = values[2:] - assembly.stones[i].centre if len(values) == 4 else (0.0, 0.0)
        acting[i] += (*values[:2], x * values[1] - y * values[0])
    return acting


def checked_direction(direction: Sequence[float] | Array) -> Array:
    """The direction of the load, of length 1."""
    toward = number_row("direction", direction)
    if len(toward) != 2 or not np.isfinite(toward).all() or not toward.any():
        raise InputError(
            f"direction = {direction!r} is not allowed: give two numbers (x, y), not both zero; "
            "(1, 0) pushes to the right by a share of the weight, (-1, 0) to the left."
        )
    toward = toward / np.abs(toward).max()  # so that the length is finite
    return np.asarray(toward / np.hypot(*toward))
