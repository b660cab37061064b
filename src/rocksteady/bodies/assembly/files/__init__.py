"""Files of assemblies, by their suffix: our own JSON, COMPAS JSON, DXF and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocksteady.bodies.assembly.assembly import Assembly
from rocksteady.bodies.assembly.checks import MOST_STONES, too_many
from rocksteady.bodies.assembly.files import compas, dxf, own, svg
from rocksteady.bodies.assembly.files.drawing import Drawing, Shape, text_of
from rocksteady.bodies.assembly.generators.common import with_ground
from rocksteady.bodies.assembly.stone import STONE, Stone
from rocksteady.digests import sealed
from rocksteady.errors import InputError
from rocksteady.files import checked_path, write_whole
from rocksteady.marks import warn_if_changed
from rocksteady.numbers import positive

SUFFIXES = (".json", ".dxf", ".svg")


def read_assembly(
    path: str | Path,
    *,
    scale: float | None = None,
    ground: bool = False,
    density: float | None = None,
    thickness: float | None = None,
    **options: Any,
) -> Assembly:
    """An assembly from a file: our own JSON, COMPAS JSON (of compas_assembly or compas_dem), the
    closed polylines of a DXF drawing, or the polygons, rectangles and paths of an SVG drawing.

    Parameters
    ----------
    path
        The file; it ends in ``.json``, ``.dxf`` or ``.svg``. What a drawing has on a layer, or in
        a group or class, with the name FIXED or SUPPORT is fixed.
    scale
        Length of one unit of the drawing [m]: 0.001 for millimetres. Unless given, that of the
        file if it has one, else metres; an SVG drawing has none.
    ground
        Whether a fixed ground is added below the lowest stone.
    density, thickness
        Of all stones, where the file does not say [kg/m³, m]: 2000 and 1 unless given.
    **options
        Those of `Assembly`: ``friction``, ``joint_friction``, ``links``, ``name``, ``g``,
        ``floating``.
    """
    given = {"scale": scale, "ground": ground, "density": density, "thickness": thickness}
    made: Assembly = read_into(Assembly, path, **given, **options)
    return made


def read_into(kind: Any, path: str | Path, **options: Any) -> Any:
    """As `read_assembly`, as an assembly of this class."""
    file = Path(checked_path(path))
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"{file.name} is not a file of an assembly: its name must end in "
            f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
        )
    try:
        text = text_of(file)
        warn_if_changed(file.read_bytes(), file.name)
        if suffix == ".json":
            return _from_json(kind, text, options)
        drawing = (dxf.read if suffix == ".dxf" else svg.read)(text)
        return _built(kind, drawing, options)
    except InputError as error:
        raise InputError(f"{file.name}: {error}") from error


def _from_json(kind: Any, text: str, options: dict[str, Any]) -> Any:
    values = own.parsed(text)
    if "dtype" in values:
        return _built(kind, compas.read(values), options)
    of_drawings = ("scale", "ground", "density", "thickness")
    given = [name for name in of_drawings if options.pop(name, None) not in (None, False)]
    if given:
        raise InputError(
            f"`{given[0]}` cannot be given with this file: it describes an assembly completely."
        )
    return kind.from_values({**own.values(values), **options})


def _built(kind: Any, drawing: Drawing, options: dict[str, Any]) -> Any:
    """The assembly of what was drawn."""
    scale, ground = options.pop("scale", None), options.pop("ground", False)
    density, thickness = options.pop("density", None), options.pop("thickness", None)
    unit = drawing.scale if scale is None else positive("scale", scale, "m")
    if unit is None:
        raise InputError(
            "The drawing has no unit: give its `scale`, the length of one unit in metres (0.001 "
            "if it was drawn in millimetres)."
        )
    if not drawing.shapes:
        raise InputError(f"It has no stones: {drawing.empty}.")
    if len(drawing.shapes) > MOST_STONES:
        raise too_many(len(drawing.shapes))
    stones = [
        _stone(shape, name, unit, density, thickness)
        for shape, name in zip(drawing.shapes, _distinct(drawing.shapes), strict=True)
    ]
    if ground:
        stones = list(with_ground(stones))
    elif not options.get("floating") and not any(stone.fixed for stone in stones):
        raise InputError(f"No stone is fixed: {drawing.fixing}, or add a ground with ground=True.")
    return kind(**{"stones": stones, **drawing.options, **options})


def _stone(
    shape: Shape, name: str, unit: float, density: float | None, thickness: float | None
) -> Stone:
    parts = tuple(tuple((unit * x, unit * y) for x, y in part) for part in shape.parts)
    across = None if shape.thickness is None else unit * shape.thickness
    return Stone(
        parts,
        name=name,
        density=_first(density, shape.density, STONE),
        thickness=_first(thickness, across, 1.0),
        fixed=shape.fixed,
    )


def _first(*values: float | None) -> float:
    return next(value for value in values if value is not None)


def _distinct(shapes: list[Shape]) -> list[str]:
    """Names that differ: those in the file where they are its own, else numbers."""
    counts: dict[str, int] = {}
    for shape in shapes:
        counts[shape.name] = counts.get(shape.name, 0) + 1
    taken = {name for name, count in counts.items() if name and count == 1}
    names = []
    for i, shape in enumerate(shapes, 1):
        name = shape.name
        if name not in taken:
            name = f"{name or 'stone'} {i}"
            while name in taken:
                name += "'"
            taken.add(name)
        names.append(name)
    return names


def write(assembly: Assembly, path: str | Path, scale: float | None = None) -> Path:
    """Write it in the format that the suffix names."""
    file = Path(checked_path(path))
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"Cannot write an assembly to {file.name!r}: its name must end in .json (all of it), "
            ".compas.json, .dxf or .svg (outlines)."
        )
    unit = 1.0 if scale is None else positive("scale", scale, "m")
    if suffix == ".json" and not file.name.lower().endswith(".compas.json"):
        if scale is not None:
            raise InputError("`scale` is for drawings: our own files are in metres.")
        return write_whole(file, sealed(own.written(assembly.as_values()).encode()))
    kind = {".json": compas, ".dxf": dxf, ".svg": svg}[suffix]
    return write_whole(file, sealed(kind.written(assembly, unit).encode()))
