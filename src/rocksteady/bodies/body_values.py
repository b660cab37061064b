"""A body in space by plain numbers and words, as tables, study files and commands give it."""

import json
import math
from typing import TYPE_CHECKING, Any

from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.bodies.body import Body

FORMS = {
    "a box": (("base_x", "base_y", "height"), ("taper",)),
    "a round body": (("diameter", "height"), ("top_diameter",)),
    "a scan": (("mesh",), ("unit", "up", "turn", "tolerance")),
}
"""What is needed and what else may be given, for each way to describe a body by its sizes."""
COMMON = ("density", "mass", "g")
OF_SOLIDS = ("offset_x", "offset_y", "com_height")
PARTS = tuple(f"inertia_{name}" for name in ("xx", "yy", "zz", "xy", "xz", "yz"))
STORED = ("mass", "height", "g", "centre_x", "centre_y", "centre_z", *PARTS, "base_radius",
          "outline")  # fmt: skip
"""The columns of a table that keeps a body, one plain value each."""
FIELDS = ("mass", "inertia", "centre", "height", "base", "radius", "g", "shape")
"""The fields of a body, which these columns hold."""
WORDS = ("mesh", "unit", "up", "outline")
"""Parameters that are no numbers."""

PRESETS: dict[str, dict[str, float]] = {
    "statue": {"base_x": 0.5, "base_y": 0.5, "height": 1.8, "centre": 0.52, "density": 1600.0},
    "column": {"diameter": 0.6, "height": 4.2, "density": 2600.0},
    "cabinet": {"base_x": 0.9, "base_y": 0.45, "height": 2.0, "centre": 0.45, "density": 350.0},
    "obelisk": {"base_x": 1.2, "base_y": 1.2, "height": 9.0, "taper": 0.65, "density": 2700.0},
}
"""Objects to begin with, with typical proportions: ours, not taken from a survey. ``centre`` is the
height of the centre of mass over the full height."""


def names() -> list[str]:
    """All parameters by which a body can be described beside its fields."""
    of_forms = (name for form in FORMS.values() for part in form for name in part)
    return list(dict.fromkeys((*of_forms, *COMMON, *OF_SOLIDS, *STORED)))


def with_preset(values: dict[str, Any], preset: str | None) -> dict[str, Any]:
    """The values given, and those of the preset for the others."""
    if preset is None:
        return values
    if preset not in PRESETS:
        raise InputError(f"There is no preset {preset!r} of a body: use {', '.join(PRESETS)}.")
    own: dict[str, Any] = dict(PRESETS[preset])
    height = values.get("height", own["height"])
    centre = own.pop("centre", None)
    if centre is not None and "com_height" not in values:
        own["com_height"] = round(centre * height, 6)
    if "mass" in values:
        del own["density"]
    return own | values


def build(kind: "type[Body]", values: dict[str, Any]) -> "Body | None":
    """The body that these values describe; None if they are the fields of the class."""
    given = {name: value for name, value in values.items() if not _missing(value)}
    if "outline" in given or "base_radius" in given:
        return _from_row(kind, given)
    form = _form(given)
    if form is None and "inertia" not in given:
        raise InputError(
            "The body lacks its base: give `base_x`, `base_y` and `height` of a box, `diameter` "
            "and `height` of a round body, or the file of a scan as `mesh`."
        )
    if form is None:
        return None
    needed, others = FORMS[form]
    lacks = [f"`{name}`" for name in needed if name not in given]
    if lacks:
        raise InputError(
            f"The body lacks {' and '.join(lacks)}: {form} needs "
            f"{', '.join(f'`{name}`' for name in needed)}."
        )
    allowed = (*needed, *others, *COMMON, *(OF_SOLIDS if form != "a scan" else ()))
    strange = [name for name in given if name not in allowed]
    if strange:
        raise InputError(
            f"`{strange[0]}` does not describe {form}: it has "
            f"{', '.join(f'`{name}`' for name in allowed)}."
        )
    return _made(kind, form, given)


def _form(given: dict[str, Any]) -> str | None:
    """Which description this is, by what only one of them has."""
    found = [
        (form, name)
        for form, (needed, others) in FORMS.items()
        for name in (*needed, *others)
        if name in given and name != "height"
    ]
    kinds = dict(found)
    if len(kinds) > 1:
        (_, one), (_, other) = list({form: (form, name) for form, name in found}.values())[:2]
        raise InputError(
            f"`{one}` and `{other}` were both given: describe the body in one way, as "
            f"{', '.join(FORMS)}."
        )
    return next(iter(kinds), None)


def _made(kind: "type[Body]", form: str, given: dict[str, Any]) -> "Body":
    way, arguments = _call(form, given)
    made: Body = getattr(kind, way)(**arguments)
    return made


def _call(form: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The class method that makes a body of this form, and its arguments."""
    options = {name: given[name] for name in COMMON if name in given}
    if form == "a scan":
        scan = {name: given[name] for name in FORMS[form][1] if name in given}
        return "from_mesh", {"path": given["mesh"], **scan, **options}
    if "offset_x" in given or "offset_y" in given:
        options["offset"] = (given.get("offset_x", 0.0), given.get("offset_y", 0.0))
    if "com_height" in given:
        options["com_height"] = given["com_height"]
    if form == "a box":
        taper = {"taper": given["taper"]} if "taper" in given else {}
        sizes = {"x": given["base_x"], "y": given["base_y"], "height": given["height"]}
        return "box", {**sizes, **taper, **options}
    bottom, height = given["diameter"], given["height"]
    if "top_diameter" not in given:
        return "cylinder", {"diameter": bottom, "height": height, **options}
    return "drum", {"bottom": bottom, "top": given["top_diameter"], "height": height, **options}


def written(values: dict[str, Any], preset: str | None) -> tuple[str, dict[str, Any]] | None:
    """How a person would write this body in Python: the class method and its arguments; None where
    it is described by its fields."""
    given = {n: v for n, v in with_preset(values, preset).items() if not _missing(v)}
    if "outline" in given or "base_radius" in given:
        return "from_values", {"values": given}
    form = _form(given)
    return None if form is None else _call(form, given)


def _missing(value: Any) -> bool:
    """An empty cell of a table."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


# -- one row of a table ----------------------------------------------------------------------------


def outline(body: Any) -> str:
    """The corners of the base as text: "[[0.2, 0.3], …]"; empty for a round base."""
    return json.dumps([list(corner) for corner in body.base]) if body.base else ""


def _from_row(kind: "type[Body]", given: dict[str, Any]) -> "Body":
    """The body that `STORED` columns keep, bit for bit."""
    lacks = [f"`{name}`" for name in STORED[:-2] if name not in given]
    if lacks:
        raise InputError(f"The body lacks {', '.join(lacks)}: a stored body has all of them.")
    xx, yy, zz, xy, xz, yz = (given[name] for name in PARTS)
    try:
        base = json.loads(given.get("outline", "[]"))
    except (TypeError, ValueError, RecursionError):
        raise InputError(
            f"outline = {str(given['outline'])[:60]!r} is not a list of corners: write it as "
            "[[x, y], [x, y], [x, y]], in metres."
        ) from None
    return kind(
        mass=given["mass"],
        inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)),
        centre=(given["centre_x"], given["centre_y"], given["centre_z"]),
        height=given["height"],
        base=base,
        radius=given.get("base_radius"),
        g=given["g"],
    )
