"""A check of the sizes of bodies."""

from __future__ import annotations

import warnings

from rocksteady.errors import RocksteadyWarning

TALL = 50.0  # m: no column or obelisk is taller; whoever writes more thinks of centimetres


def suspect_centimetres(height: float, written: str) -> None:
    """A warning of a body's ``height`` [m] that must be centimetres; ``written`` is what stands
    before the number where it was given, such as "--height "."""
    if height > TALL:
        warnings.warn(
            f"The body is {height:g} m high. Sizes are in metres: {height:g} cm would be "
            f"{written}{height / 100:g}.",
            RocksteadyWarning,
            stacklevel=3,
        )
