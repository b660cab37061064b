"""A body from a 3D scan."""

import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rocksteady.bodies.meshes.files import read_triangles, stamp
from rocksteady.bodies.meshes.moments import coarse, enclosed
from rocksteady.bodies.meshes.resting import (
    FLAT,
    UP,
    Footing,
    footing,
    found_footing,
    rest_advice,
    resting,
    upright,
)
from rocksteady.bodies.meshes.surface import Surface, closed
from rocksteady.bodies.solids import Shape, Solid, matrix
from rocksteady.bodies.support import Polygon, area, centroid
from rocksteady.errors import InputError, warn
from rocksteady.files import as_path
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array

METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
LARGE = 20.0  # a scan with larger numbers is in millimetres
TALLEST, SMALLEST = 1000.0, 1e-3  # m
ROUND_FROM, ROUND_WITHIN = 12, 0.03  # corners, and the part of the radius by which they differ
TOUCHES = 1e-3  # of the size: what is that near the floor touches it
MOST_TOUCHING = 0.05  # of the height: a larger tolerance takes the sides for the base
ENLARGED = 1.05  # α with a tolerance over α on what it rests on: more is worth a warning
NO_VOLUME = 1e-6  # of the box around it
Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # glTF's axes to ours


class Scan(NamedTuple):
    """What a 3D file tells of a body, with density 1, standing on z = 0."""

    solid: Solid
    base: Polygon
    height: float
    shape: Shape
    warnings: tuple[str, ...]


def scanned(
    path: str | Path, unit: str | None = None, up: str | None = None, tolerance: float | None = None
) -> Scan:
    """The body in a 3D file; warnings say what was guessed or repaired."""
    file = as_path(path, "a 3D file")
    if unit is not None and unit not in METRES:
        raise InputError(f"unit = {unit!r} is not known: give one of {', '.join(METRES)}.")
    if up is not None and up not in (*UP, "rest"):
        raise InputError(
            f"up = {up!r} is not an axis of the file: give one of {', '.join(UP)}, or rest."
        )
    if tolerance is not None:
        tolerance = positive("tolerance", tolerance, "m")
    found = _scanned(stamp(file), file, unit, up, tolerance)
    for text in found.warnings:
        warn(f"{file.name}: {text}", stacklevel=3)
    return found


@lru_cache(maxsize=8)
def _scanned(
    _: tuple[str, int, int], path: Path, unit: str | None, up: str | None, tolerance: float | None
) -> Scan:
    vertices, faces = read_triangles(path)
    if path.suffix.lower() == ".glb":
        vertices, unit = vertices @ Y_UP.T, unit or "m"  # glTF has metres and y up
    vertices, said = _in_metres(path, vertices, unit)
    surface = closed(vertices, faces)
    solid = _solid(path, surface)
    size = float(np.ptp(surface.vertices, axis=0).max())
    near = TOUCHES * size if tolerance is None else tolerance
    centre = np.array(solid.centre)
    scanned = surface.vertices, surface.faces, centre
    if up is None:
        try:
            foot = found_footing(*scanned, near)
        except InputError as error:
            raise InputError(f"{path}: {error}.") from error
    else:
        foot = footing(np.array(UP.get(up, UP["z"]), float), *scanned, near)
    rest = resting(foot.up, *scanned)
    if up == "rest" and rest is not None:
        foot = rest if tolerance is None else footing(rest.up, *scanned, near)
    if tolerance is not None:
        _refuse_thick(path, tolerance, float(np.ptp(surface.vertices @ foot.up)))
    _refuse_no_base(path, foot, rest)
    said += [*_repairs(surface, solid, foot), *_roundness(foot), *_enlargement(foot, rest, near)]
    if up is None:
        said += _posture(foot)
    return _standing(surface, solid, foot, tuple(said))


def _in_metres(path: Path, vertices: Array, unit: str | None) -> tuple[Array, list[str]]:
    """Vertices in metres around the middle of the body, and what was guessed."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        size = float((high - low).max())
    if not (math.isfinite(size) and size > 0):
        raise InputError(f"{path} is not a usable 3D file: its size is {size:g}.")
    guess = unit or ("mm" if size > LARGE else "m")
    metres = size * METRES[guess]
    if not SMALLEST <= metres <= TALLEST:
        raise InputError(
            f"{path}: its size is {size:g} {guess}, which is no body that stands: sizes from "
            f"{SMALLEST:g} to {TALLEST:g} m are read. Give the unit of the file, such as unit='mm'."
        )
    said = []
    if unit is None:
        said.append(
            f"the file does not say its unit: {size:.4g} was taken for {guess}, so that it is "
            f"{metres:.4g} m long. Give unit='{guess}', or another of {', '.join(METRES)}."
        )
    return (vertices - (low + high) / 2) * METRES[guess], said


def _solid(path: Path, surface: Surface) -> Solid:
    if not len(surface.faces):
        raise InputError(f"{path} is not a usable 3D file: its faces have no area.")
    solid = enclosed(surface.vertices, surface.faces)
    box = float(np.prod(np.ptp(surface.vertices, axis=0)))
    if not solid.volume > NO_VOLUME * box or not surface.orientable:
        raise InputError(
            f"{path} encloses no volume: it is flat, a single open sheet, or has no inside and "
            "outside. Close the surface in the scanner's program first."
        )
    return solid


def _roundness(foot: Footing) -> list[str]:
    """A warning if the base is round, for it is taken as a polygon."""
    base = np.array(foot.base)
    if len(base) < ROUND_FROM:
        return []
    far = np.hypot(*(base - (base.min(axis=0) + base.max(axis=0)) / 2).T)
    if np.ptp(far) > ROUND_WITHIN * far.max():
        return []
    return [
        f"its base is round, {2 * far.mean():.3g} m across, and is taken as a polygon, which loses "
        "energy at every corner it strikes. A truly round base wobbles without loss and may fall "
        "more often: compare with a cylinder or drum of that diameter."
    ]


def _refuse_thick(path: Path, tolerance: float, height: float) -> None:
    """Refuse a tolerance [m] that takes the sides of the body for its base: it seems safer then."""
    if tolerance > MOST_TOUCHING * height:
        raise InputError(
            f"{path}: tolerance = {tolerance:g} m is more than {100 * MOST_TOUCHING:g} % of the "
            f"height, {height:.3g} m: its sides would count as base. It is in metres: 2 mm is "
            "0.002."
        )


def _refuse_no_base(path: Path, foot: Footing, rest: Footing | None) -> None:
    if foot.margin > 0:
        return
    how = (
        "it touches the floor at a point or along a line"
        if len(foot.base) < 3
        else f"its centre of mass lies {-foot.margin:.3g} m outside what touches the floor, and it "
        "falls over"
    )
    raise InputError(
        f'{path}: with this side up {how}. Turn it with up="x", or y, z, -x, -y or -z. '
        f"{rest_advice(rest)}"
    )


def _enlargement(foot: Footing, rest: Footing | None, near: float) -> list[str]:
    """A warning if what is within the tolerance of the floor is a larger base than what it rests
    on: it seems safer than it is."""
    if rest is None or foot.slope <= ENLARGED * rest.slope:
        return []
    return [
        f"what is within {near:.3g} m of the floor was taken for its base, which makes it seem "
        f"safer: it falls beyond {foot.alpha:.3g} rad with that base of "
        f"{1e4 * area(foot.base):.3g} cm², and beyond {rest.alpha:.3g} rad on the "
        f"{len(rest.base)} points that it comes to rest on, {1e4 * area(rest.base):.3g} cm². "
        'up="rest" sets it on those.'
    ]


def _repairs(surface: Surface, solid: Solid, foot: Footing) -> list[str]:
    said = []
    if surface.flipped:
        said.append(f"{surface.flipped} faces were inside out and have been turned.")
    if surface.doubled:
        said.append(f"{surface.doubled} faces were there twice and count once.")
    if surface.pieces > 1:
        said.append(
            f"it consists of {surface.pieces} separate pieces, computed as one rigid body: one "
            "that stands free on another can fall alone, which this does not show. Their masses "
            "were added; where they overlap, the mass counts twice: unite them in the scanner's "
            "program."
        )
    if surface.dropped:
        said.append(f"{surface.dropped} loose crumbs were left out.")
    if surface.holes:
        said.append(_of_holes(surface, solid, foot))
    return said


def _of_holes(surface: Surface, solid: Solid, foot: Footing) -> str:
    """What is missing, and how far that matters: a hole's cap might bulge, as a cone as high as the
    hole is wide from its middle. What lies flat on the floor is closed exactly."""
    height = surface.vertices @ foot.up
    floor = height.min()
    size = float(np.ptp(surface.vertices, axis=0).max())
    volume, moment, others = 0.0, 0.0, 0
    for hole in surface.holes:
        if float(height[hole.rim].max() - floor) <= TOUCHES * size:
            continue
        others += 1
        bulge = hole.area * math.sqrt(hole.area / math.pi) / 3
        volume += bulge
        moment += bulge * float(np.linalg.norm(hole.centre - np.array(solid.centre)))
    words = []
    if others < len(surface.holes):
        words.append("its underside is open and was closed flat")
    if others:
        words.append(
            f"it has {others} {'hole' if others == 1 else 'holes'}, closed by flat caps: its "
            f"volume and mass are uncertain by about {100 * volume / solid.volume:.2g} % and its "
            f"centre of mass by {moment / solid.volume:.2g} m"
        )
    return "; ".join(words) + "."


def _posture(foot: Footing) -> list[str]:
    """What was decided about the way it stands."""
    if foot.up[2] == 1.0:
        if foot.flat >= FLAT:
            return []
        return [
            f"it touches the floor in places only, {100 * foot.flat:.2g} % of its base: if it lies "
            'on its side, say which axis of the file is up, such as up="y".'
        ]
    if foot.up[2] > 1 - 1e-6:
        return ["it was set level."]
    words = ", ".join(f"{value:.2f}" for value in foot.up)
    how = "was upside down" if foot.up[2] < -0.9 else "did not stand on a base"
    return [
        f"it {how} in the file and was set on its flat face: up is now the direction ({words}) of "
        'the file. Give up="z" to keep it as it is, or another axis.'
    ]


def _standing(surface: Surface, solid: Solid, foot: Footing, said: tuple[str, ...]) -> Scan:
    """In axes at the middle of the base, z up."""
    turn = upright(foot.up)
    vertices = surface.vertices @ turn.T
    x, y = centroid(foot.base)
    origin = np.array([x, y, vertices[:, 2].min()])
    vertices = vertices - origin
    inertia = turn @ np.array(solid.inertia) @ turn.T
    cx, cy, cz = (turn @ np.array(solid.centre) - origin).tolist()
    base = tuple((a - x, b - y) for a, b in foot.base)
    ours = Solid(solid.volume, (cx, cy, cz), matrix(inertia.tolist()))
    shape = coarse(vertices, surface.faces)
    return Scan(ours, base, float(vertices[:, 2].max()), shape, said)
