"""Outlines of stones: convex, counter-clockwise, or a sentence that says what is wrong."""

from collections.abc import Sequence
from typing import Any

from rocksteady.systems.support import Polygon, area


def checked_parts(parts: Any, name: str) -> tuple[Polygon, ...]:
    """Convex parts, each counter-clockwise, of the outline or outlines given."""
    outlines = [parts] if _is_outline(parts) else list(parts)
    return tuple(_counter_clockwise(outline) for outline in outlines)


def _is_outline(parts: Sequence[Any]) -> bool:
    return not hasattr(parts[0][0], "__len__")


def _counter_clockwise(outline: Sequence[Sequence[float]]) -> Polygon:
    polygon = tuple((float(x), float(y)) for x, y in outline)
    return polygon if area(polygon) > 0 else polygon[::-1]
