"""When the ground begins to move a body or a block: it lifts it off, or makes it slide before."""

from __future__ import annotations

from typing import Any


def lifts_off(body: dict[str, Any], friction: Any, where: str = "", how: str = "") -> str:
    """The acceleration that lifts it off, and that at which it slides before. ``how``: what the
    first is computed by, if not g tan α."""
    from rocksteady.motion.units import GRAVITY_UNIT

    lifts = f"{body['uplift_acceleration'] / GRAVITY_UNIT:.3f} g{where} ({how or 'g tan α'})"
    slides = _slides_at(body, friction)
    if slides is None:
        return lifts
    return f"{lifts}; it slides before, from {slides / GRAVITY_UNIT:.3g} g"


def times_what_moves_it(body: dict[str, Any], friction: Any, accel: float) -> str:
    """An acceleration of the ground [m/s²] as a multiple of the one that lifts the body off or,
    where that is less, makes it slide."""
    slides = _slides_at(body, friction)
    if slides is not None:
        return f"{accel / slides:.3g} times what makes it slide"
    return f"{accel / body['uplift_acceleration']:.3g} times what lifts it off"


def _slides_at(body: dict[str, Any], friction: Any) -> float | None:
    """The acceleration that makes it slide [m/s²]; None if it lifts off before."""
    if friction is None:
        return None
    if not isinstance(friction, (list, tuple)):
        slides = float(friction * body["g"])
    else:  # of each edge: the push shifts the weight to one of them
        right, left = friction
        uneven = abs(left - right) * body["g"] / (2 * body["uplift_acceleration"])
        slides = float((right + left) / 2 * body["g"] / (1 + uneven))
    return slides if slides < body["uplift_acceleration"] else None
