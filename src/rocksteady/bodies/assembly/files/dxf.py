"""Closed polylines of DXF drawings (LWPOLYLINE and POLYLINE, ASCII).

A reader of our own: a drawing is a list of pairs, a group code and a value, of which outlines need
six, and DXF libraries are larger than this package.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rocksteady.bodies.assembly.files.drawing import Drawing, Shape, closed, is_fixed, number
from rocksteady.bodies.support import Point
from rocksteady.errors import InputError, warn
from rocksteady.marks import sealed_mark

if TYPE_CHECKING:
    from rocksteady.bodies.assembly.assembly import Assembly

UNITS = {1: 0.0254, 2: 0.3048, 4: 1e-3, 5: 1e-2, 6: 1.0, 8: 2.54e-8, 14: 0.1}  # $INSUNITS
APPLICATION = "ROCKSTEADY"  # whose extended data are the names of stones
CLOSED = 1  # bit of the flags
FIXED_LAYER, LAYER = "FIXED", "STONES"
OCS_BELOW = -0.5  # a normal that points away from the viewer mirrors x


class Pair(NamedTuple):
    """A group code and its value; ``line`` is that of the code."""

    code: int
    value: str
    line: int


class Entity(NamedTuple):
    """An entity and its pairs."""

    kind: str
    pairs: list[Pair]

    def first(self, code: int, default: str = "") -> str:
        return next((pair.value for pair in self.pairs if pair.code == code), default)


def read(text: str) -> Drawing:
    """The closed polylines of a drawing."""
    pairs = list(_pairs(text))
    shapes: dict[str, Shape] = {}
    inserted, curved = 0, 0
    for entity, vertices in _polylines(_entities(pairs)):
        if entity.kind == "INSERT":
            inserted += 1
            continue
        points, bulges = _corners(entity, vertices)
        if len(points) < 3 or not (_flags(entity) & CLOSED or points[0] == points[-1]):
            continue
        curved += bulges
        layer, name = entity.first(8), _name(entity)
        key = name or f"\0{len(shapes)}"
        shape = shapes.setdefault(key, Shape([], name, is_fixed(layer)))
        shape.parts.append(closed(points))
    if curved:
        warn(f"{curved} arcs of polylines were taken as straight chords.", stacklevel=5)
    return Drawing(
        list(shapes.values()),
        "draw each as a closed polyline"
        + (f"; explode its {inserted} inserted blocks first" if inserted else ""),
        "put the polyline of the support on a layer with the name FIXED",
        scale=_unit(pairs),
    )


def _pairs(text: str) -> Iterator[Pair]:
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) % 2:
        raise InputError("It is not a complete DXF file: its last group code has no value.")
    for i in range(0, len(lines), 2):
        code = lines[i].strip()
        if not (code.isascii() and code.lstrip("-").isdigit() and len(code) < 8):
            raise InputError(
                f"It is not a DXF file: line {i + 1} is {code[:40]!r}, not a group code."
            )
        yield Pair(int(code), lines[i + 1].strip(), i + 1)
    if (lines[-2].strip(), lines[-1].strip().upper()) != ("0", "EOF"):
        raise InputError("It is not a complete DXF file: it does not end with EOF.")


def _entities(pairs: list[Pair]) -> Iterator[Entity]:
    """The entities of the section ENTITIES."""
    within, current = False, None
    for before, pair in zip([Pair(-1, "", 0), *pairs], pairs, strict=False):
        if pair.code == 2 and (before.code, before.value) == (0, "SECTION"):
            within = pair.value.upper() == "ENTITIES"
        elif pair.code == 0:
            if current:
                yield current
            current = Entity(pair.value.upper(), []) if within else None
            if pair.value.upper() == "ENDSEC":
                within, current = False, None
        elif current:
            current.pairs.append(pair)


def _polylines(entities: Iterator[Entity]) -> Iterator[tuple[Entity, list[Entity]]]:
    """Polylines with their vertices, and inserted blocks."""
    current: Entity | None = None
    vertices: list[Entity] = []
    for entity in entities:
        if entity.kind == "VERTEX" and current:
            vertices.append(entity)
        elif entity.kind == "POLYLINE":
            current, vertices = entity, []
        elif entity.kind == "SEQEND" and current:
            yield current, vertices
            current = None
        elif entity.kind in ("LWPOLYLINE", "INSERT"):
            yield entity, []


def _corners(entity: Entity, vertices: list[Entity]) -> tuple[list[Point], int]:
    """The corners, and how many arcs there are between them."""
    own = [pair for vertex in vertices for pair in vertex.pairs] if vertices else entity.pairs
    xs = [_value(pair) for pair in own if pair.code == 10]
    ys = [_value(pair) for pair in own if pair.code == 20]
    if len(xs) != len(ys):
        raise InputError(
            f"A {entity.kind} on the layer {entity.first(8)!r} has {len(xs)} x and {len(ys)} y."
        )
    down = [pair for pair in entity.pairs if pair.code == 230]
    side = -1.0 if down and _value(down[0]) < OCS_BELOW else 1.0
    arcs = sum(pair.code == 42 and _value(pair) != 0.0 for pair in own)
    return [(side * x, y) for x, y in zip(xs, ys, strict=True)], arcs


def _value(pair: Pair) -> float:
    return number(pair.value, f"Line {pair.line + 1}")


def _flags(entity: Entity) -> int:
    text = entity.first(70, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0


def _name(entity: Entity) -> str:
    """The name in our extended data."""
    ours = False
    for pair in entity.pairs:
        if pair.code == 1001:
            ours = pair.value == APPLICATION
        elif pair.code == 1000 and ours:
            return pair.value
    return ""


def _unit(pairs: list[Pair]) -> float:
    """Of the header; metres where it has none."""
    for before, pair in pairwise(pairs):
        if before.code == 9 and before.value.upper() == "$INSUNITS" and pair.code == 70:
            return UNITS.get(int(number(pair.value, "$INSUNITS")), 1.0)
    return 1.0


# -- written ---------------------------------------------------------------------------------------


def written(assembly: Assembly, scale: float) -> str:
    """A drawing in the oldest format that all programs read (R12), a polyline for each part."""
    unit = next((code for code, length in UNITS.items() if length == scale), 0)
    lines: list[object] = [999, sealed_mark(), 0, "SECTION", 2, "HEADER", 9, "$ACADVER"]
    lines += [1, "AC1009", 9, "$INSUNITS", 70, unit, 0, "ENDSEC", 0, "SECTION", 2, "TABLES"]
    lines += [0, "TABLE", 2, "LAYER", 70, 2]
    for layer, colour in ((LAYER, 7), (FIXED_LAYER, 8)):
        lines += [0, "LAYER", 2, layer, 70, 0, 62, colour, 6, "CONTINUOUS"]
    lines += [0, "ENDTAB", 0, "TABLE", 2, "APPID", 70, 1, 0, "APPID", 2, APPLICATION, 70, 0]
    lines += [0, "ENDTAB", 0, "ENDSEC", 0, "SECTION", 2, "ENTITIES"]
    for stone in assembly.stones:
        layer = FIXED_LAYER if stone.fixed else LAYER
        for part in stone.parts:
            lines += [0, "POLYLINE", 8, layer, 66, 1, 10, 0.0, 20, 0.0, 30, 0.0, 70, CLOSED]
            lines += [1001, APPLICATION, 1000, stone.name]
            for x, y in part:
                lines += [0, "VERTEX", 8, layer, 10, x / scale, 20, y / scale, 30, 0.0]
            lines += [0, "SEQEND", 8, layer]
    lines += [0, "ENDSEC", 0, "EOF"]
    return "\n".join(map(str, lines)) + "\n"
