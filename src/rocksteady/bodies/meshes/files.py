"""Read the triangles of a 3D file. What a file says of its size is compared with its length before
anything is allocated, and nothing outside the file is read."""

import io
import json
import logging
import re
import struct
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.extras import load
from rocksteady.numerics.types import Array

MOST_BYTES = 500_000_000
MOST_FACES = 5_000_000
MOST_NODES = 100_000
STL_HEADER = 84  # bytes
FORMATS = ("stl", "obj", "ply", "glb")
SCALARS = {"char": 1, "uchar": 1, "int8": 1, "uint8": 1, "short": 2, "ushort": 2, "int16": 2,
           "uint16": 2, "int": 4, "uint": 4, "int32": 4, "uint32": 4, "float": 4, "float32": 4,
           "double": 8, "float64": 8}  # fmt: skip
COMPONENTS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}  # bytes, of glTF
NUMBERS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
COLOURS = ("material", "texture", "light")  # extensions that change no shape
DRAWN = ("materials", "textures", "images", "samplers", "animations", "skins", "cameras")


class Triangles(NamedTuple):
    """The surface as it is in the file."""

    vertices: Array
    """(n, 3), in the file's unit and axes."""
    faces: NDArray[np.int64]
    """(m, 3), numbers of vertices."""


def read_triangles(path: Path) -> Triangles:
    """The triangles of an STL, OBJ, PLY or GLB file."""
    kind = _kind(path)
    trimesh = load("trimesh", "Reading a 3D scan")
    logging.getLogger("trimesh").addHandler(logging.NullHandler())
    with path.open("rb") as file:
        stream = SCREENS[kind](path, file, path.stat().st_size)
        try:
            scene = trimesh.load_scene(
                stream, file_type=kind, process=False, skip_materials=True, resolver=None
            )
            parts = [part for part in scene.dump() if hasattr(part, "faces")]
            found = Triangles(*_joined(parts))
        except MemoryError:
            raise InputError(f"{path} does not fit into memory: reduce the scan first.") from None
        except Exception as error:  # readers of damaged files raise anything
            raise _damaged(
                path, f"it cannot be read as {kind.upper()} ({_short(error)})"
            ) from error
    return _checked(path, found)


def _kind(path: Path) -> str:
    if path.is_dir():
        raise InputError(f"{path} is a folder: give a 3D file (STL, OBJ, PLY or GLB).")
    if not path.exists():
        raise InputError(f"There is no file {path}.")
    if not path.is_file():
        raise InputError(f"{path} is not an ordinary file.")
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InputError(
            f"{path.name}: a 3D file must end in .stl, .obj, .ply or .glb. Export the scan in one "
            "of these formats."
        )
    size = path.stat().st_size
    if not size:
        raise InputError(f"{path} is empty.")
    if size > MOST_BYTES:
        raise InputError(
            f"{path} has {size / 1e6:.0f} MB: at most {MOST_BYTES / 1e6:g} MB are read. Reduce the "
            "scan to a million faces first; that is more than enough for its mass."
        )
    return kind


def _joined(parts: list[Any]) -> tuple[Array, NDArray[np.int64]]:
    vertices, faces, count = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int64)], 0
    for part in parts:
        vertices.append(np.asarray(part.vertices, dtype=float).reshape(-1, 3))
        faces.append(np.asarray(part.faces, dtype=np.int64).reshape(-1, 3) + count)
        count += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)


def _checked(path: Path, found: Triangles) -> Triangles:
    vertices, faces = found
    if not len(faces):
        raise _damaged(path, "it has no faces; a cloud of points has no volume. Mesh it first")
    if len(faces) > MOST_FACES:
        raise _too_many(path, len(faces))
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise _damaged(path, f"a face names vertex {faces.max()}, and there are {len(vertices)}")
    vertices, faces = used_only(vertices, faces)
    if not np.isfinite(vertices).all():
        raise _damaged(path, "a coordinate is not a finite number")
    return Triangles(vertices, faces)


def used_only(vertices: Array, faces: NDArray[np.int64]) -> tuple[Array, NDArray[np.int64]]:
    """Without vertices that belong to no face."""
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True  # faster than np.unique
    if used.all():
        return vertices, faces
    return vertices[used], (np.cumsum(used) - 1)[faces]


def _damaged(path: Path, why: str) -> InputError:
    return InputError(f"{path} is not a usable 3D file: {why}.")


def _too_many(path: Path, count: int) -> InputError:
    return InputError(
        f"{path} has {count} faces: at most {MOST_FACES} are read. Reduce the scan to a million "
        "faces first; that is more than enough for its mass."
    )


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 80 else f"{text[:77]}..."


# -- screens: compare what the file announces with its length --------------------------------------


def _stl(path: Path, file: BinaryIO, size: int) -> BinaryIO:
    head = file.read(STL_HEADER)
    count = struct.unpack("<I", head[80:84])[0] if len(head) == STL_HEADER else 0
    announced = STL_HEADER + 50 * count
    if size == announced and count:
        if count > MOST_FACES:
            raise _too_many(path, count)
    else:
        file.seek(0)
        start = file.read(4096)
        if not start.lstrip().lower().startswith(b"solid") or b"\0" in start:
            if size < STL_HEADER:
                raise _damaged(
                    path, f"it has {size} bytes, less than the header of an STL file, {STL_HEADER}"
                )
            raise _damaged(
                path,
                f"its header announces {count} faces, which take {announced} bytes, but it has "
                f"{size}. It is truncated or not an STL file",
            )
        if not re.search(rb"\bvertex\b", start, re.IGNORECASE):
            raise _damaged(path, "it begins like an STL text, but no vertex follows")
        file.seek(max(0, size - 4096))
        if b"endsolid" not in file.read().lower():
            raise _damaged(path, "it is truncated: an STL text ends with endsolid")
    file.seek(0)
    return file


def _obj(path: Path, file: BinaryIO, size: int) -> BinaryIO:
    start = file.read(65536)
    if b"\0" in start:
        raise _damaged(path, "it is not text, as an OBJ file is")
    if not re.search(rb"^\s*v\s+\S+\s+\S+\s+\S+", start, re.MULTILINE) and size <= len(start):
        raise _damaged(path, "it has no vertices (lines that begin with v)")
    file.seek(0)
    # Materials and everything else that names other files is left out, as is what is not a surface.
    kept = (line for line in file if line.lstrip()[:2] in (b"v ", b"v\t", b"f ", b"f\t"))
    return io.BytesIO(b"".join(kept))


def _ply(path: Path, file: BinaryIO, size: int) -> BinaryIO:
    head = file.read(65536)
    end = re.search(rb"end_header\r?\n", head)
    if not head.startswith(b"ply") or end is None:
        raise _damaged(path, "it does not begin with the header of a PLY file")
    text = head[: end.end()].decode("ascii", errors="replace")
    ascii_ = "format ascii" in text
    needed, count, row = 0, 0, 0
    for line in (*text.splitlines(), "element end 0"):
        words = line.split()
        if words[:1] == ["element"] and len(words) == 3:
            needed += count * max(row, 1)
            if not words[2].isdigit():
                raise _damaged(path, f"it announces {words[2][:20]} of {words[1][:20]}")
            count, row = int(words[2]), 0
            if words[1] == "face" and count > MOST_FACES:
                raise _too_many(path, count)
        elif words[:1] == ["property"]:
            row += _ply_bytes(words, ascii_)
    if needed > size - end.end() + 1:
        raise _damaged(
            path,
            f"its header announces at least {needed} bytes of data, but {size - end.end()} follow. "
            "It is truncated",
        )
    # Comments may name other files, and be in any alphabet.
    lines = head[: end.end()].splitlines(keepends=True)
    kept = (line for line in lines if not line.startswith((b"comment", b"obj_info")))
    file.seek(end.end())
    return io.BytesIO(b"".join(kept) + file.read())


def _ply_bytes(words: list[str], ascii_: bool) -> int:
    """The least a value of this property takes."""
    if ascii_:
        return 2  # a digit and a blank
    return SCALARS.get(words[2] if words[1] == "list" and len(words) > 2 else words[1], 1)


def _glb(path: Path, file: BinaryIO, size: int) -> BinaryIO:
    head = file.read(20)
    if len(head) < 20 or head[:4] != b"glTF":
        raise _damaged(path, "it does not begin with the header of a GLB file")
    version, total, length, kind = struct.unpack("<IIII", head[4:])
    if version != 2 or kind != 0x4E4F534A or total > size or length > size - 20:
        raise _damaged(path, f"its header announces {max(total, length)} bytes, but it has {size}")
    try:
        about = json.loads(file.read(length))
        rest = file.read()
        chunk = struct.unpack("<I", rest[:4])[0] if len(rest) >= 8 else 0
        _check_gltf(path, about, min(chunk, max(len(rest) - 8, 0)))
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise _damaged(path, f"its description cannot be read ({_short(error)})") from None
    text = json.dumps(_bare(about)).encode()
    text += b" " * (-len(text) % 4)
    packed = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), kind)
    return io.BytesIO(packed + text + rest)


def _check_gltf(path: Path, about: dict[str, Any], length: int) -> None:
    """Every array must lie within the file, and every node have one parent (a rule of glTF)."""
    if any("uri" in buffer for buffer in about.get("buffers", [])):
        raise _damaged(path, "it refers to another file; export it with everything embedded")
    needed = [str(name) for name in about.get("extensionsRequired", [])]
    needed = [name for name in needed if not any(word in name for word in COLOURS)]
    if needed:
        names = ", ".join(needed)[:80]
        raise _damaged(path, f"it needs extensions that are not read ({names}); export it without "
                             "compression")  # fmt: skip
    views = about.get("bufferViews", [])
    if any(view.get("byteOffset", 0) + view["byteLength"] > length for view in views):
        raise _damaged(path, f"it announces more data than the {length} bytes it has")
    for each in about.get("accessors", []):
        bytes_ = each["count"] * COMPONENTS[each["componentType"]] * NUMBERS[each["type"]]
        if "sparse" in each or "bufferView" not in each:
            raise _damaged(path, "it has an array without data")
        if not 0 <= bytes_ <= views[each["bufferView"]]["byteLength"]:
            raise _damaged(path, f"it announces an array of {bytes_} bytes, which it does not have")
    _check_nodes(path, about)


def _check_nodes(path: Path, about: dict[str, Any]) -> None:
    nodes, accessors = about.get("nodes", []), about.get("accessors", [])
    children = [child for node in nodes for child in node.get("children", [])]
    if len(nodes) > MOST_NODES or len(children) != len(set(children)):
        raise _damaged(path, "its parts do not form a tree")
    faces = 0
    for node in nodes:
        if "mesh" in node:
            for part in about["meshes"][node["mesh"]]["primitives"]:
                which = part.get("indices", part["attributes"]["POSITION"])
                faces += accessors[which]["count"] // 3
    if faces > MOST_FACES:
        raise _too_many(path, faces)


def _bare(about: dict[str, Any]) -> dict[str, Any]:
    """Without pictures and colours: their readers need not see a stranger's file."""
    bare = {name: value for name, value in about.items() if name not in DRAWN}
    bare.pop("extensionsRequired", None)
    for mesh in bare.get("meshes", []):
        mesh.pop("weights", None)
        for part in mesh["primitives"]:
            part.pop("material", None)
            part.pop("targets", None)
            part["attributes"] = {"POSITION": part["attributes"]["POSITION"]}
    for node in bare.get("nodes", []):
        for name in ("skin", "camera", "weights", "extensions"):
            node.pop(name, None)
    return bare


SCREENS = {"stl": _stl, "obj": _obj, "ply": _ply, "glb": _glb}


def stamp(path: Path) -> tuple[str, int, int]:
    """Name, length and time of a file: whether it is the same as before."""
    try:
        about = path.stat()
    except OSError:
        return str(path), 0, 0
    return str(path.resolve()), about.st_size, about.st_mtime_ns
