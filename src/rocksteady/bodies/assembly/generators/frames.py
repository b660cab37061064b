"""Portals and triliths: columns that carry a beam."""

from itertools import pairwise

from rocksteady.bodies.assembly.generators.common import Material, counted, with_ground
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive


def portal(
    width: float,
    height: float,
    beam_length: float,
    beam_height: float,
    columns: int,
    overhang: float | None,
    drums: int,
    split: bool,
    of: Material,
) -> tuple[Stone, ...]:
    """Equal columns at equal distances, each of equal drums, under a beam that reaches ``overhang``
    beyond the outer faces of the outer ones: half a column's width unless given. The beam is one
    stone, or where ``split`` one from column to column."""
    columns, drums = counted("columns", columns, least=2), counted("drums", drums)
    width, height = positive("width", width, "m"), positive("height", height, "m")
    length = positive("beam_length", beam_length, "m")
    beyond = width / 2 if overhang is None else finite("overhang", overhang, "m", minimum=0.0)
    room = length - 2 * beyond - columns * width
    if room < 0:
        raise InputError(
            f"beam_length = {beam_length!r} m is too short: {columns} columns of {width:g} m and "
            f"an overhang of {beyond:g} m at both ends need {length - room:g} m."
        )
    every = width + room / (columns - 1)
    left = beyond - length / 2
    standing = []
    for i in range(columns):
        for k in range(drums):
            name = f"column {i + 1}" + (f" drum {k + 1}" if drums > 1 else "")
            low, high = k * height / drums, (k + 1) * height / drums
            standing.append(of.box(left + i * every, low, width, high - low, name))
    tall = positive("beam_height", beam_height, "m")
    cuts = [left + i * every + width / 2 for i in range(1, columns - 1)] if split else []
    ends = [-length / 2, *cuts, length / 2]
    beams = [
        of.box(start, height, end - start, tall, f"beam {i}" if cuts else "beam")
        for i, (start, end) in enumerate(pairwise(ends), 1)
    ]
    return with_ground([*standing, *beams])


def trilith(
    width: float, height: float, gap: float, lintel_height: float, overhang: float, of: Material
) -> tuple[Stone, ...]:
    """Two uprights ``gap`` apart under a lintel."""
    width, gap = positive("width", width, "m"), positive("gap", gap, "m")
    height = positive("height", height, "m")
    beyond = finite("overhang", overhang, "m", minimum=0.0)
    length = gap + 2 * width + 2 * beyond
    lintel_height = positive("lintel_height", lintel_height, "m")
    return with_ground(
        [
            of.box(-gap / 2 - width, 0.0, width, height, "left upright"),
            of.box(gap / 2, 0.0, width, height, "right upright"),
            of.box(-length / 2, height, length, lintel_height, "lintel"),
        ]
    )
