"""Walls of blocks in courses, with openings and lintels."""

from collections.abc import Sequence
from typing import Any

from rocksteady.bodies.assembly.checks import MOST_STONES, too_many
from rocksteady.bodies.assembly.generators.common import Material, counted, with_ground
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive, real

SLIVER = 0.2  # a cut stone below this share of a block's length is joined to its neighbour
FIT = 1e-6  # share of a course within which an opening ends at a bed joint

Piece = tuple[float, float, str]
"""Ends of a stone along the wall [m] and its name; empty unless it is a lintel."""


# -- bonds -----------------------------------------------------------------------------------------


def _running(row: int, columns: int) -> list[float]:
    """Half blocks at the ends of every second course; the lowest has whole blocks."""
    return [0.5, *[1.0] * (columns - 1), 0.5] if row % 2 else [1.0] * columns


def _stack(row: int, columns: int) -> list[float]:
    return [1.0] * columns


def _english(row: int, columns: int) -> list[float]:
    """Courses of stretchers and of headers in turn; a closer beside the outer headers makes them
    overlap by a quarter."""
    if row % 2 == 0:
        return [1.0] * columns
    if columns == 1:
        return [0.5, 0.5]
    return [0.5, 0.25, *[0.5] * (2 * columns - 3), 0.25, 0.5]


BONDS = {"running": _running, "stack": _stack, "english": _english}


def wall(
    rows: int,
    columns: int,
    length: float,
    height: float,
    bond: str,
    openings: Sequence[Sequence[float]],
    bearing: float | None,
    of: Material,
) -> tuple[Stone, ...]:
    """Courses of blocks in a bond; openings are cut, and covered by a lintel each."""
    rows, columns = counted("rows", rows), counted("columns", columns)
    if rows * columns > MOST_STONES:
        raise too_many(rows * columns)
    length, height = positive("length", length, "m"), positive("height", height, "m")
    if bond not in BONDS:
        raise InputError(f"There is no bond {bond!r}: use {', '.join(BONDS)}.")
    courses = [_placed(BONDS[bond](row, columns), length) for row in range(rows)]
    whole = columns * length
    holes = [_hole(i, hole, rows, whole, height) for i, hole in enumerate(openings, 1)]
    rest = length / 2 if bearing is None else positive("bearing", bearing, "m")
    for left, right, first, last in holes:
        for row in range(first, last):
            courses[row] = _cut(courses[row], left, right, SLIVER * length)
    for i, (left, right, _, above) in enumerate(holes, 1):
        if above < rows:
            ends = max(left - rest, 0.0), min(right + rest, whole)
            _refuse_blocked(i, ends, above, holes)
            beside = _cut(courses[above], *ends, SLIVER * length)
            courses[above] = sorted([*beside, (*ends, f"lintel {i}")])
    return _built(courses, height, of)


def _placed(lengths: Sequence[float], unit: float) -> list[Piece]:
    """Pieces from lengths in units of a block; negative ones are gaps."""
    pieces, at = [], 0.0
    for share in lengths:
        if share > 0:
            pieces.append((at * unit, (at + share) * unit, ""))
        at += abs(share)
    return pieces


def _hole(
    i: int, hole: Any, rows: int, length: float, height: float
) -> tuple[float, float, int, int]:
    """Left and right end [m], and the first course of an opening and the one above it."""
    try:
        x, y, width, tall = hole
    except (TypeError, ValueError):
        raise InputError(
            f"Opening {i} is {hole!r}: give its (x, y, width, height) [m], from the lower left "
            "corner of the wall."
        ) from None
    x, y = finite(f"x of opening {i}", x, "m"), finite(f"y of opening {i}", y, "m")
    width = positive(f"width of opening {i}", width, "m")
    tall = positive(f"height of opening {i}", tall, "m")
    if x < 0 or y < 0 or x + width > length * (1 + FIT) or y + tall > rows * height * (1 + FIT):
        raise InputError(
            f"Opening {i} reaches beyond the wall, which is {length:g} m long and "
            f"{rows * height:g} m high."
        )
    first, above = round(y / height), round((y + tall) / height)
    if max(abs(first * height - y), abs(above * height - y - tall)) > FIT * height:
        raise InputError(
            f"Opening {i} runs from {y:g} to {y + tall:g} m, which are not bed joints: the courses "
            f"are {height:g} m high. The nearest are {first * height:g} and {above * height:g} m."
        )
    return x, x + width, first, above


def _refuse_blocked(
    i: int, lintel: tuple[float, float], course: int, holes: list[tuple[float, float, int, int]]
) -> None:
    for k, (left, right, first, above) in enumerate(holes, 1):
        if first <= course < above and lintel[0] < right and left < lintel[1]:
            raise InputError(
                f"The lintel of opening {i} would lie in opening {k}: leave a course between them, "
                "and half a block beside."
            )


def _cut(course: list[Piece], left: float, right: float, sliver: float) -> list[Piece]:
    """A course without what lies between ``left`` and ``right``; slivers that remain there become
    part of their neighbour."""
    before = [(a, min(b, left), name) for a, b, name in course if a < left - 1e-9]
    after = [(max(a, right), b, name) for a, b, name in course if b > right + 1e-9]
    if len(before) > 1 and _joins(before[-2], before[-1], sliver):
        before[-2:] = [(before[-2][0], before[-1][1], "")]
    if len(after) > 1 and _joins(after[1], after[0], sliver):
        after[:2] = [(after[0][0], after[1][1], "")]
    return before + after


def _joins(neighbour: Piece, piece: Piece, sliver: float) -> bool:
    touches = abs(neighbour[1] - piece[0]) < 1e-9 or abs(piece[1] - neighbour[0]) < 1e-9
    return touches and piece[1] - piece[0] < sliver and not (neighbour[2] or piece[2])


def _built(courses: Sequence[Sequence[Piece]], height: float, of: Material) -> tuple[Stone, ...]:
    """Stones named by their course from below and their place from the left: "stone 3-5"."""
    stones = (
        of.box(a, row * height, b - a, height, name or f"stone {row + 1}-{i}")
        for row, course in enumerate(courses)
        for i, (a, b, name) in enumerate(course, 1)
    )
    return with_ground(stones)


# -- any pattern -----------------------------------------------------------------------------------


def patterned(
    pattern: Sequence[Sequence[float]], length: float, height: float, of: Material
) -> tuple[Stone, ...]:
    """Courses from below, each a list of lengths in units of a block; negative ones are gaps."""
    length, height = positive("length", length, "m"), positive("height", height, "m")
    try:
        rows = [[real(value) for value in row] for row in pattern]
    except TypeError:
        raise InputError(
            "The pattern is not a list of courses: give a list of lengths for each, such as "
            "[[1, 1], [0.5, 1, 0.5]]."
        ) from None
    for i, row in enumerate(rows, 1):
        if not any(value > 0 for value in row) or any(not abs(v) <= 1e6 or v == 0 for v in row):
            raise InputError(
                f"Course {i} of the pattern is {list(pattern[i - 1])!r}: give the lengths of its "
                "stones in units of a block, negative for a gap."
            )
    if not rows:
        raise InputError("The pattern has no courses: give at least one, such as [[1, 1, 1]].")
    if sum(map(len, rows)) > MOST_STONES:
        raise too_many(sum(map(len, rows)))
    return _built([_placed(row, length) for row in rows], height, of)


def _benchmark_walls() -> dict[int, list[list[float]]]:
    """Walls 1 to 6 of Ferris and Tin-Loi (2001), with the openings of HybriDFEM's files."""
    whole, ends = [1.0] * 5, [0.5, *[1.0] * 4, 0.5]
    four, four_ends = [1.0] * 4, [0.5, 1.0, 1.0, 1.0, 0.5]
    one, one_ends = [1.0, 0.5, -1.0, 0.5, 1.0], [0.5, 1.0, -1.0, 1.0, 0.5]
    two = [1.0, -1.0, 1.0, -1.0, 1.0]
    two_ends = [0.5, 0.5, -1.0, 0.5, 0.5, -1.0, 0.5, 0.5]
    three, three_ends = [1.0] * 3, [0.5, 1.0, 1.0, 0.5]
    hole, hole_ends = [1.0, -1.0, 1.0], [0.5, 0.5, -1.0, 0.5, 0.5]
    seven, seven_ends = [1.0] * 7, [0.5, *[1.0] * 6, 0.5]
    pair = [0.5, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 0.5]
    pair_ends = [1.0, 0.5, -1.0, 0.5, 1.0, 0.5, -1.0, 0.5, 1.0]
    storey = [three_ends, three, three_ends]
    window = [hole, hole_ends, hole, hole_ends, hole]
    windows = [pair, pair_ends, pair, pair_ends, pair]
    band = [seven, seven_ends, seven]
    return {
        1: [ends, whole] * 3,
        2: [ends, whole] * 5,
        3: [four, four_ends, four, one_ends, one, one_ends, one, one_ends, four, four_ends, four],
        4: [ends, whole, ends, two, two_ends, two, two_ends, two, ends, whole, ends],
        5: [*storey, *window, *storey, *window, *storey],
        6: [seven_ends, *band, *windows, *band, *windows, *band, seven_ends],
    }


def ferris_tin_loi(number: int, of: Material) -> tuple[Stone, ...]:
    """One of the six walls, of blocks of 0.4 × 0.175 m."""
    walls = _benchmark_walls()
    if number not in walls:
        raise InputError(f"number = {number!r} is not allowed: there are walls 1 to 6.")
    return patterned(walls[number], 0.4, 0.175, of)
