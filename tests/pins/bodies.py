"""Bodies, theories and motions of the pinned results."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import rocksteady as rs

BLOCKS = {
    "statue": rs.Block(1.8, 0.5),
    "stocky": rs.Block(1.0, 0.8),
    "lopsided": rs.Block(2.0, 0.6, offset=0.08, com_height=0.9),
    "slender": rs.Block(4.2, 0.6),
}
SOLIDS = {
    "box": rs.Body.box(0.45, 0.45, 1.8),
    "cylinder": rs.Body.cylinder(0.5, 1.6),
    "prism": rs.Body.prism(((0, 0), (0.5, 0.05), (0.45, 0.5), (0.1, 0.4)), 1.5),
}
TANKS = {
    "tank": rs.FlexibleOscillator.giouvanidis2016(),
    "damped tank": rs.FlexibleOscillator(
        height=6.0, width=1.2, top_mass=1e4, base_mass=2e4, column_mass=1e4,
        natural_frequency=8.0, damping_ratio=0.02,
    ),
}  # fmt: skip
HOUSES = {
    "house": rs.MasonryBuilding.casalotti2025(4e4),
    "damped house": rs.MasonryBuilding.casalotti2025(2e4, damping=2e4),
}
STONES = {
    "drums": rs.Assembly.drums(3, height=3.0, width=1.0),
    "trilith": rs.Assembly.trilith(0.5, 2.0, 1.5, 0.4),
    "arch": rs.Assembly.arch(7, 0.15, embrace=157.5),
    "pedestal": rs.Assembly.pedestal((0.4, 1.5), (0.8, 0.8), friction=0.4),
}
BLOCK_THEORIES = {
    "Housner": rs.Housner(),
    "Housner slender": rs.Housner(slender=True),
    "Housner eta": rs.Housner(eta=0.9),
    "Nonsmooth": rs.Nonsmooth(),
    "Nonsmooth friction": rs.Nonsmooth(friction=0.5),
    "Nonsmooth bouncing": rs.Nonsmooth(epsilon=0.3, friction=0.3),
    "ComplexPotential": rs.ComplexPotential(),
    "RigidBodySpring": rs.RigidBodySpring(),
    "RigidBodySpring r": rs.RigidBodySpring(r=0.9),
    "NumericalDissipation": rs.NumericalDissipation(r=0.85),
    "NumericalDissipation elastic": rs.NumericalDissipation(r=0.85, body="elastic"),
}
SPACE_THEORIES = {
    "Spatial": rs.Spatial(),
    "Spatial friction": rs.Spatial(friction=0.4),
    "Spatial rolling": rs.Spatial(friction=0.4, rolling="free"),
}
STONE_THEORIES = {
    "located": rs.BlockDynamics(rule="located"),
    "stepped": rs.BlockDynamics(rule="stepped"),
    "share": rs.BlockDynamics(rule="located", share=0.3),
    "JointDissipation": rs.JointDissipation(r=0.85),
}


@cache
def noise(components: int = 1) -> list[Any]:
    return list(rs.stochastic.ensemble(3, 7, components=components))


@cache
def motions() -> dict[str, Any]:
    """Pulses and generated records in one direction, one with a vertical component."""
    pulses, quake = rs.pulses, noise()[0]
    sine = pulses.sine(amplitude=3.0, period=0.8, dt=0.005)
    return {
        "sine": sine,
        "strong cosine": pulses.cosine(amplitude=5.0, period=0.5, dt=0.005),
        "ricker": pulses.ricker(amplitude=4.0, period=0.6, dt=0.005),
        "long pulse": pulses.mavroeidis(velocity=0.8, frequency=1.0, gamma=2.0),
        "with vertical": sine.with_vertical(0.5 * np.sin(30 * sine.time)),
        "quake": quake.scaled_to(pga=5.0),
        "weak quake": quake.scaled_to(pga=1.0),
    }
