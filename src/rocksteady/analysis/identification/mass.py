"""The mass of a building, from plan data or from a measured frequency."""

import math

from rocksteady.numbers import positive

GRAVITY = 9.81  # m/s²


def mass_from_frequency(stiffness: float, contact_area: float, frequency: float) -> float:
    """Mass [kg] of a building that vibrates at a measured ``frequency`` [Hz]: k_a A_c / (2π f)².

    ``stiffness`` k_a [N/m³] and ``contact_area`` A_c [m²] are those of the unworn interface.
    """
    k = positive("stiffness", stiffness, "N/m³") * positive("contact_area", contact_area, "m²")
    return k / (2 * math.pi * positive("frequency", frequency, "Hz")) ** 2


def mass_from_plan(
    area: float, storeys: float, unit_weight: float = 10e3, g: float = GRAVITY
) -> float:
    """Mass [kg] from plan data: floor area [m²] × storeys × weight per floor area / g.

    ``unit_weight`` [N/m²]: walls, floor and live load; about 10 kN/m² in masonry houses.
    """
    weight = positive("area", area, "m²") * positive("storeys", storeys)
    return weight * positive("unit_weight", unit_weight, "N/m²") / positive("g", g, "m/s²")
