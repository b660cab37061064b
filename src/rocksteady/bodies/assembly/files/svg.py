"""Polygons, rectangles and straight paths of SVG drawings.

The parser sees one element at a time and keeps no tree; documents that define entities are refused,
which may grow without bound.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from rocksteady.bodies.assembly.files.drawing import Drawing, Shape, closed, is_fixed, number
from rocksteady.bodies.support import Point, Polygon
from rocksteady.errors import InputError
from rocksteady.marks import sealed_mark
from rocksteady.numbers import NUMBER

if TYPE_CHECKING:
    from rocksteady.bodies.assembly.assembly import Assembly

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of x' = a x + c y + e, y' = b x + d y + f."""

SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
DEEPEST = 200
UNDRAWN = ("defs", "clipPath", "symbol", "marker", "pattern", "mask")
LENGTH = re.compile(rf"\s*({NUMBER})\s*(px)?\s*")
LONGEST_TRANSFORM = 1000
TRANSFORM = re.compile(r"\s*,?\s*(\w+)\s*\(([^()]*)\)\s*")
STEP = re.compile(rf"[\s,]*([a-zA-Z]|{NUMBER})[\s,]*")
NUMBERS = re.compile(NUMBER)


class _Reader:
    """Collects the shapes while the document is parsed."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.scale: float | None = None
        self._open: list[tuple[Matrix, bool]] = [(SAME, False)]
        self._hidden = 0  # depth below an element that is not drawn

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if len(self._open) > DEEPEST:
            raise InputError(f"Its elements are nested more than {DEEPEST} deep.")
        if len(self._open) == 1:
            if tag != "svg":
                raise InputError(f"It is XML, but begins with <{tag[:20]}>, not with <svg>.")
            if "data-scale" in attributes:
                self.scale = number(attributes["data-scale"], "data-scale")
        matrix, fixed = self._open[-1]
        matrix = _product(matrix, _transform(attributes.get("transform", "")))
        fixed = fixed or is_fixed(
            attributes.get("id", ""),
            attributes.get("inkscape:label", ""),
            *attributes.get("class", "").split(),
        )
        self._open.append((matrix, fixed))
        if self._hidden or tag in UNDRAWN:
            self._hidden += 1
            return
        name = _name(attributes)
        parts = _parts(tag, attributes, name or f"element {len(self.shapes) + 1}")
        if parts:
            placed = [tuple(_placed(matrix, point) for point in part) for part in parts]
            self.shapes.append(Shape(placed, name, fixed))

    def end(self, tag: str) -> None:
        self._open.pop()
        self._hidden = max(self._hidden - 1, 0)


def read(text: str) -> Drawing:
    """The outlines of a drawing, y upwards."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.EntityDeclHandler = _refuse_entity
    try:
        parser.Parse(text.encode("utf-8", errors="replace"), True)
    except expat.ExpatError as error:
        raise InputError(f"It is not a complete XML document: {error}.") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"It is not XML: {str(error)[:80]}.") from None
    return Drawing(
        reader.shapes,
        "draw each as a polygon, a rectangle or a closed path",
        "give the shape of the support, or its group, the id, label or class FIXED",
        scale=reader.scale,
    )


def _refuse_entity(*_: Any) -> None:
    raise InputError("It defines entities, which are not read: save it as a plain SVG.")


def _name(attributes: dict[str, str]) -> str:
    given = (attributes.get(key, "") for key in ("data-name", "inkscape:label", "id"))
    return next((name for name in given if name), "")


# -- shapes ----------------------------------------------------------------------------------------


def _parts(tag: str, attributes: dict[str, str], name: str) -> list[Polygon]:
    if tag == "rect":
        return [_rectangle(attributes, name)]
    if tag == "polygon":
        return [_polygon(attributes.get("points", ""), name)]
    if tag == "polyline":
        points = _polygon(attributes.get("points", ""), name)
        return [closed(points)] if len(points) > 3 and points[0] == points[-1] else []
    if tag == "path":
        return _path(attributes.get("d", ""), name)
    return []


def _rectangle(attributes: dict[str, str], name: str) -> Polygon:
    x, y = (_length(attributes.get(key, "0"), f"{key} of {name}") for key in ("x", "y"))
    w, h = (_length(attributes.get(key, "0"), f"{key} of {name}") for key in ("width", "height"))
    return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


def _length(text: str, where: str) -> float:
    found = LENGTH.fullmatch(text)
    if not found:
        raise InputError(f"The {where} is {text[:40]!r}: give a number without a unit.")
    return number(found[1], f"The {where}")


def _polygon(text: str, name: str) -> Polygon:
    words = text.replace(",", " ").split()
    if len(words) % 2:
        raise InputError(f"The points of {name} are {len(words)} numbers, an odd number.")
    values = [number(word, f"A point of {name}") for word in words]
    return tuple(zip(values[::2], values[1::2], strict=True))


def _path(text: str, name: str) -> list[Polygon]:
    """The closed subpaths of a path of straight lines."""
    parts: list[Polygon] = []
    points: list[Point] = []
    x = y = 0.0
    for command, values in [*_steps(text, name), ("M", [0.0, 0.0])]:
        kind, relative = command.upper(), command.islower()
        if kind == "Z":
            if points:
                parts.append(closed(points))
                (x, y), points = points[0], []
            continue
        if kind == "M":
            if len(points) > 3 and points[0] == points[-1]:
                parts.append(closed(points))
            points = []
        elif not points:
            points = [(x, y)]
        for dx, dy in _grouped(kind, values, name):
            x = x if dx is None else dx + (x if relative else 0.0)
            y = y if dy is None else dy + (y if relative else 0.0)
            points.append((x, y))
    return parts


def _steps(text: str, name: str) -> list[tuple[str, list[float]]]:
    """The commands of a path, each with its numbers."""
    steps: list[tuple[str, list[float]]] = []
    text, at = text.strip(), 0
    while at < len(text):
        found = STEP.match(text, at)
        word = found[1] if found else ""
        if word.isalpha() and word.upper() in "MLHVZ":
            steps.append((word, []))
        elif word and not word.isalpha() and steps:
            steps[-1][1].append(number(word, f"A number in the path of {name}"))
        else:
            shown = word or text[at : at + 10]
            what = "a curve" if word and word.upper() in "CSQTA" else "not understood"
            raise InputError(
                f"The path of {name} has {shown!r}, which is {what}: draw it with straight lines."
            )
        at = found.end() if found else len(text)
    return steps


def _grouped(kind: str, values: list[float], name: str) -> list[tuple[float | None, float | None]]:
    if kind == "H":
        return [(value, None) for value in values]
    if kind == "V":
        return [(None, value) for value in values]
    if len(values) % 2 or not values:
        raise InputError(f"The path of {name} has {len(values)} numbers after {kind}: give pairs.")
    return list(zip(values[::2], values[1::2], strict=True))


# -- where they are drawn --------------------------------------------------------------------------


def _placed(matrix: Matrix, point: Point) -> Point:
    """In the axes of the drawing, y upwards."""
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, -(b * x + d * y + f)


def _product(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s,
            a * t + c * u + e, b * t + d * u + f)  # fmt: skip


def _transform(text: str) -> Matrix:
    matrix, at = SAME, 0
    text = text.strip()
    while at < len(text):
        found = TRANSFORM.match(text, at)
        if not found or len(text) > LONGEST_TRANSFORM:
            raise InputError(f"The transform {text[:40]!r} is not understood.")
        values = [
            number(word, f"The transform {text[:40]!r}") for word in NUMBERS.findall(found[2])
        ]
        matrix = _product(matrix, _one(found[1], values, text))
        at = found.end()
    return matrix


def _one(kind: str, values: list[float], text: str) -> Matrix:
    n = len(values)
    if kind == "matrix" and n == 6:
        return (values[0], values[1], values[2], values[3], values[4], values[5])
    if kind == "translate" and n in (1, 2):
        return (1.0, 0.0, 0.0, 1.0, values[0], values[1] if n == 2 else 0.0)
    if kind == "scale" and n in (1, 2):
        return (values[0], 0.0, 0.0, values[-1], 0.0, 0.0)
    if kind == "rotate" and n in (1, 3):
        c, s = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
        x, y = values[1:] if n == 3 else (0.0, 0.0)
        return (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)
    if kind in ("skewX", "skewY") and n == 1:
        slope = math.tan(math.radians(values[0]))
        return (
            (1.0, 0.0, slope, 1.0, 0.0, 0.0)
            if kind == "skewX"
            else (1.0, slope, 0.0, 1.0, 0.0, 0.0)
        )
    raise InputError(f"The transform {text[:40]!r} is not understood.")


# -- written ---------------------------------------------------------------------------------------


def written(assembly: Assembly, scale: float) -> str:
    """A path for each stone; ``data-scale`` keeps the unit."""
    corners = [corner for stone in assembly.stones for corner in stone.corners]
    left, right = (pick(x for x, _ in corners) / scale for pick in (min, max))
    low, high = (pick(y for _, y in corners) / scale for pick in (min, max))
    box = f"{left!r} {-high!r} {right - left!r} {high - low!r}"
    line = max(right - left, high - low) / 1000
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" data-scale="{scale!r}">',
        f"<!-- {sealed_mark()} -->",
        f'<g fill="#e8e2d4" stroke="#333333" stroke-width="{line:.3g}">',
    ]
    for stone in assembly.stones:
        d = " ".join(_subpath(part, scale) for part in stone.parts)
        fixed = ' class="FIXED" fill="#b8b8b8"' if stone.fixed else ""
        lines.append(f"<path data-name={quoteattr(stone.name)}{fixed} d={quoteattr(d)}/>")
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _subpath(part: Polygon, scale: float) -> str:
    return "M" + " L".join(f"{x / scale!r},{-y / scale!r}" for x, y in part) + " Z"
