"""COMPAS JSON, as compas_assembly and compas_dem write it: blocks are meshes in space.

An assembly in a vertical plane is one of prisms: the outline of a block is that of its faces on one
side of the plane.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady.bodies.assembly.checks import MOST_STONES, too_many
from rocksteady.bodies.assembly.files.drawing import Drawing, Shape, number
from rocksteady.bodies.support import Polygon
from rocksteady.errors import InputError
from rocksteady.marks import sealed_mark
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    from rocksteady.bodies.assembly.assembly import Assembly
    from rocksteady.bodies.assembly.stone import Stone

FLAT = 1e-6  # share of a block's size by which the corners of a flat face may differ
ACROSS = ((1, (0, 2)), (0, (1, 2)), (2, (0, 1)))
"""The axis across the plane and those in it, most likely first: z is up, in COMPAS."""
SKIPPED = ("edge", "edgedata", "adjacency", "interfaces", "contacts", "default_node_attributes")
"""Parts of a graph that hold meshes of joints, not of blocks."""
DEEPEST = 100
OWN = "rocksteady"  # what COMPAS does not know, among the attributes
MATRIX = (4, 4)
NAMELESS = "Assembly"  # what COMPAS calls one without a name


class Block(NamedTuple):
    """A mesh, and what is said of it."""

    where: str
    name: str
    support: bool
    vertices: Array
    """(n, 3)"""
    faces: list[list[int]]
    """Numbers of vertices."""
    about: dict[str, Any]


def read(values: dict[str, Any]) -> Drawing:
    """The outlines of all blocks."""
    if not isinstance(values.get("dtype"), str) or not isinstance(values.get("data"), dict):
        raise InputError('It is not COMPAS JSON: that has a text "dtype" and an object "data".')
    blocks = []
    for block in _meshes(values, "file", {}, np.eye(4), 0):
        blocks.append(block)
        if len(blocks) > MOST_STONES:
            raise too_many(len(blocks))
    attributes = values["data"].get("attributes")
    options = attributes.get(OWN) if isinstance(attributes, dict) else None
    return Drawing(
        _outlines(blocks),
        "it should have meshes of blocks, as compas_assembly and compas_dem write them",
        'mark the support with "is_support": true',
        options=_options(attributes, options),
        scale=number(options.get("scale", 1.0), "The scale") if isinstance(options, dict) else 1.0,
    )


def _options(attributes: Any, given: Any) -> dict[str, Any]:
    """The parameters of the assembly that our own files keep."""
    from rocksteady.bodies.assembly.description import frictions_from, links_from

    found: dict[str, Any] = {}
    if isinstance(attributes, dict) and isinstance(attributes.get("name"), str):
        found["name"] = attributes["name"] if attributes["name"] != NAMELESS else ""
    if isinstance(given, dict):
        found |= {name: given[name] for name in ("friction", "g", "floating") if name in given}
        found["joint_friction"] = frictions_from(given.get("joint_friction"))
        found["links"] = links_from(given.get("links", []))
    return found


# -- meshes ----------------------------------------------------------------------------------------


def _meshes(
    value: Any, where: str, above: dict[str, Any], placed: Array, depth: int
) -> Iterator[Block]:
    """All meshes of blocks below ``value``, with what is said of them above."""
    if depth > DEEPEST:
        raise InputError("It is nested too deeply to be a file of COMPAS.")
    if isinstance(value, list):
        for i, each in enumerate(value):
            yield from _meshes(each, f"{where} {i}", above, placed, depth + 1)
    if not isinstance(value, dict):
        return
    known = above | {k: value[k] for k in ("is_support", "name") if value.get(k) is not None}
    placed = _moved(placed, value.get("transformation"))
    if isinstance(value.get("vertex"), dict) and isinstance(value.get("face"), dict):
        yield _mesh(value, where, known, placed)
        return
    for key, each in value.items():
        if key not in SKIPPED:
            inner = f"block {key}" if key.isalnum() and key[0].isdigit() else where
            yield from _meshes(each, inner, known, placed, depth + 1)


def _moved(placed: Array, transformation: Any) -> Array:
    if not isinstance(transformation, dict):
        return placed
    data = transformation.get("data")
    rows = data.get("matrix") if isinstance(data, dict) else None
    if not isinstance(rows, list) or any(not isinstance(row, list) for row in rows):
        raise InputError("A transformation has no matrix of 4 × 4 numbers.")
    if (len(rows), *{len(row) for row in rows}) != MATRIX:
        raise InputError("A transformation has no matrix of 4 × 4 numbers.")
    moved = np.array([[number(v, "A transformation") for v in row] for row in rows])
    return np.asarray(placed @ moved)


def _mesh(value: dict[str, Any], where: str, known: dict[str, Any], placed: Array) -> Block:
    attributes = value.get("attributes")
    own = attributes if isinstance(attributes, dict) else {}
    known = known | {k: own[k] for k in ("is_support", "name") if own.get(k) is not None}
    keys, corners = {}, []
    for i, (key, vertex) in enumerate(value["vertex"].items()):
        keys[str(key)] = i
        if not isinstance(vertex, dict):
            raise InputError(f"Vertex {key} of {where} has no x, y and z.")
        xyz = [number(vertex.get(axis, 0.0), f"Vertex {key} of {where}") for axis in "xyz"]
        corners.append([*xyz, 1.0])
    faces = []
    for key, face in value["face"].items():
        if not isinstance(face, list) or any(str(v) not in keys for v in face):
            raise InputError(f"Face {key} of {where} names a vertex that does not exist.")
        faces.append([keys[str(v)] for v in face])
    name = known.get("name")
    about = own.get(OWN)
    return Block(
        where,
        name if isinstance(name, str) else "",
        known.get("is_support") is True,
        (np.array(corners).reshape(-1, 4) @ placed.T)[:, :3],
        faces,
        about if isinstance(about, dict) else {},
    )


# -- outlines --------------------------------------------------------------------------------------


def _outlines(blocks: list[Block]) -> list[Shape]:
    """In the plane across which all blocks are prisms, and if possible equally thick."""
    if not blocks:
        return []
    for block in blocks:
        if len(block.vertices) < 6 or len(block.faces) < 5:
            raise InputError(
                f"{_told(block)} has {len(block.vertices)} vertices and {len(block.faces)} faces: "
                "a prism has at least 6 and 5."
            )
    found = {}
    for across, plane in ACROSS:
        made = [_prism(block, across, plane) for block in blocks]
        if all(made):
            found[across] = made
    if not found:
        worst = next(
            block for block in blocks if not any(_prism(block, *axes) for axes in ACROSS)
            or block is blocks[-1]
        )  # fmt: skip
        raise InputError(
            f"{_told(worst)} is not a prism across the plane of the others: its corners must lie "
            "on two parallel planes, x, y or z = constant."
        )
    best = min(found, key=lambda across: (_uneven(blocks, across), list(found).index(across)))
    return [shape for shape in found[best] if shape]


def _uneven(blocks: list[Block], across: int) -> bool:
    """Whether blocks begin and end at different places across the plane."""
    ends = np.array([[b.vertices[:, across].min(), b.vertices[:, across].max()] for b in blocks])
    return bool(np.ptp(ends, axis=0).max() > FLAT * np.ptp(ends))


def _prism(block: Block, across: int, plane: tuple[int, ...]) -> Shape | None:
    """The outline of a block whose corners lie on two planes across an axis; None if they do
    not."""
    level = block.vertices[:, across]
    low, high = float(level.min()), float(level.max())
    near = FLAT * float(np.ptp(block.vertices, axis=0).max())
    below = level - low <= near
    if high - low <= 2 * near or not (below | (high - level <= near)).all():
        return None
    loops = _loops([face for face in block.faces if below[face].all()])
    if not loops:
        return None
    flat = block.vertices[:, plane].tolist()
    parts: list[Polygon] = [tuple((flat[i][0], flat[i][1]) for i in loop) for loop in loops]
    density, thickness = block.about.get("density"), block.about.get("thickness", high - low)
    return Shape(
        parts,
        block.name,
        block.support,
        number(thickness, f"The thickness of {block.where}"),
        None if density is None else number(density, f"The density of {block.where}"),
    )


def _loops(faces: list[list[int]]) -> list[list[int]]:
    """The boundaries of faces that lie in one plane: those of triangles that share sides are one
    outline."""
    sides = {side for face in faces for side in zip(face, face[1:] + face[:1], strict=True)}
    onward = {a: b for a, b in sides if (b, a) not in sides}
    loops = []
    for start in list(dict.fromkeys(i for face in faces for i in face)):
        if start not in onward:
            continue
        at, loop = onward.pop(start), [start]
        while at != start and at in onward:
            loop.append(at)
            at = onward.pop(at)
        if at == start and len(loop) > 2:
            loops.append(loop)
    return loops


def _told(block: Block) -> str:
    return f"{block.where[:1].upper()}{block.where[1:]}" + (
        f" ({block.name!r})" if block.name else ""
    )


# -- written ---------------------------------------------------------------------------------------


def written(assembly: Assembly, scale: float) -> str:
    """A compas_assembly Assembly: its graph has a node with a block for each stone."""
    nodes = {str(i): _node(stone, scale) for i, stone in enumerate(assembly.stones)}
    values = assembly.as_values()
    own = {n: values[n] for n in ("friction", "joint_friction", "links", "g", "floating")}
    own["scale"] = scale
    graph = {
        "attributes": {},
        "default_node_attributes": {
            "x": 0.0,
            "y": 0.0,
            "z": 0.0,
            "block": None,
            "is_support": False,
        },
        "default_edge_attributes": {"interfaces": None},
        "node": nodes,
        "edge": {key: {} for key in nodes},
        "max_node": len(nodes) - 1,
    }
    data = {
        "attributes": {"name": assembly.name or NAMELESS, "comment": sealed_mark(), OWN: own},
        "graph": _typed("compas.datastructures/Graph", graph, "graph"),
    }
    return json.dumps(_typed("compas_assembly.datastructures/Assembly", data, "assembly"))


def _typed(dtype: str, data: dict[str, Any], key: str) -> dict[str, Any]:
    """COMPAS gives each object an identifier; the same each time, so that files can be compared."""
    guid = uuid.uuid5(uuid.NAMESPACE_URL, f"rocksteady/{key}")
    return {"dtype": dtype, "data": data, "guid": str(guid)}


def _node(stone: Stone, scale: float) -> dict[str, Any]:
    half = stone.thickness / scale / 2
    vertex: dict[str, Any] = {}
    face: dict[str, Any] = {}
    for part in stone.parts:
        first, n = len(vertex), len(part)
        for y in (-half, half):
            for x, z in part:
                vertex[str(len(vertex))] = {"x": x / scale, "y": y, "z": z / scale}
        front = list(range(first, first + n))
        sides = [[i, i + n, j + n, j] for i, j in zip(front, front[1:] + front[:1], strict=True)]
        for corners in (front, [i + n for i in reversed(front)], *sides):
            face[str(len(face))] = corners
    mesh = {
        "attributes": {
            "name": stone.name,
            OWN: {"density": stone.density, "thickness": stone.thickness / scale},
        },
        "default_vertex_attributes": {"x": 0.0, "y": 0.0, "z": 0.0},
        "default_edge_attributes": {},
        "default_face_attributes": {},
        "vertex": vertex,
        "face": face,
        "facedata": {},
        "edgedata": {},
        "max_vertex": len(vertex) - 1,
        "max_face": len(face) - 1,
    }
    x, y = stone.centre
    return {
        "block": _typed("compas_assembly.datastructures/Block", mesh, f"block {stone.name}"),
        "x": x / scale,
        "y": 0.0,
        "z": y / scale,
        "is_support": stone.fixed,
    }
