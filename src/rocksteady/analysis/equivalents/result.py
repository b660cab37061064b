"""A single block that moves as an assembly does."""

import math
from dataclasses import dataclass

from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.block import Block
from rocksteady.numerics.types import Array


@dataclass(frozen=True, eq=False)
class Equivalent:
    """A single block that rocks as an assembly does."""

    assembly: Assembly
    kind: str
    """What it was taken for: "block", "frame", "stack" or "mechanism"."""
    block: Block
    """Simulate it in place of the assembly; its p, α and, unless it cannot have it, η are those
    below."""
    p: float
    """Frequency parameter [rad/s]."""
    alpha: float
    """Slenderness angle [rad]: the equivalent lifts off at tan α times gravity."""
    eta: float
    """Ratio of angular velocities after and before an impact [-]; nan for the mechanism of
    an arch, whose impacts no single ratio describes."""
    words: str
    """When the equivalent is enough."""
    scale: float = 1.0
    """Rotation of the block over that of the stone of the assembly that turns most."""

    def __repr__(self) -> str:
        eta = "no η" if math.isnan(self.eta) else f"η = {self.eta:.6g}"
        return (
            f"<Equivalent {self.kind}: p = {self.p:.6g} rad/s, α = {self.alpha:.6g} rad, {eta}. "
            f"{self.words}>"
        )


def kinetic(assembly: Assembly, one: Array, other: Array) -> float:
    """Σ one · M · other over all stones, for velocities (stones, 3)."""
    return float(
        sum(
            stone.mass * (u[0] * v[0] + u[1] * v[1]) + stone.inertia * u[2] * v[2]
            for stone, u, v in zip(assembly, one, other, strict=True)
        )
    )
