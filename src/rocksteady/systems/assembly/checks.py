"""Outlines of stones: convex, counter-clockwise, or a sentence that says what is wrong."""

from collections.abc import Sequence
from typing import Any

from rocksteady.errors import InputError
from rocksteady.systems.support import Polygon, area

MOST_STONES = 100_000


def too_many(count: int) -> InputError:
    """For more stones than an assembly may have."""
    return InputError(
        f"{count} stones are too many: an assembly has at most {MOST_STONES}. Take a part of it."
    )


def checked_parts(parts: Any, name: str) -> tuple[Polygon, ...]:
    """Convex parts, each counter-clockwise, of the outline or outlines given."""
    outlines = [parts] if _is_outline(parts) else list(parts)
    return tuple(_counter_clockwise(outline) for outline in outlines)


def _is_outline(parts: Sequence[Any]) -> bool:
    return not hasattr(parts[0][0], "__len__")


def _counter_clockwise(outline: Sequence[Sequence[float]]) -> Polygon:
    polygon = tuple((float(x), float(y)) for x, y in outline)
    return polygon if area(polygon) > 0 else polygon[::-1]
