"""What the questions offer: strengths of shaking, materials, a rule for periods. Each stands for a
number, which is told beside it."""

from typing import Any, Literal

RETURN_PERIOD = 475.0  # years: 10 % in 50 years, the usual design earthquake
SLOPE = 3.0  # k of the hazard curve where one point is known: EN 1998-1, 2.1(4), note
PER_STOREY = 0.1  # s: rule of thumb for a building's period, T1 = 0.1 s × storeys
MOTIONS, SEED = 300, 1

Strength = Literal["weak", "moderate", "strong", "very strong", "extreme"]
STRENGTHS: dict[Strength, float] = {
    "weak": 0.05,
    "moderate": 0.15,
    "strong": 0.25,
    "very strong": 0.35,
    "extreme": 0.50,
}
"""Peak ground acceleration exceeded once in 475 years [g]. The first four are those of the Italian
zones 4, 3, 2 and 1 (OPCM 3274/2003); the last stands for places beside large active faults."""

Material = Literal["stone", "marble", "brick", "concrete", "ceramic", "plaster", "wood"]
MATERIALS: dict[Material, float] = {
    "stone": 2600.0,
    "marble": 2700.0,
    "brick": 1800.0,
    "concrete": 2400.0,
    "ceramic": 2000.0,
    "plaster": 1200.0,
    "wood": 650.0,
}
"""Densities [kg/m³]."""
SLENDEREST = 40  # height over width


def offered() -> dict[str, Any]:
    """All of these, for the page that asks."""
    return {
        "strengths": STRENGTHS,
        "materials": MATERIALS,
        "return_period": RETURN_PERIOD,
        "slope": SLOPE,
        "per_storey": PER_STOREY,
        "motions": MOTIONS,
    }
