"""Objects that people ask about, with sizes and proportions to begin with.

The numbers are ours, typical rather than taken from a survey: give the object's own where you know
them. Centre and inertia of the obelisk and of the vases follow from their outlines (`silhouettes`):
the obelisk and the plinth have square sections, the vase round ones, and a hollow vase counts with
0.4 of the density of the stone below it. A vase that stands free on a plinth is no block: it is an
assembly of two stones (`rs.Assembly.vase_on_plinth`).
"""

from dataclasses import dataclass
from typing import Any

from rocksteady.bodies import silhouettes
from rocksteady.bodies.outline import Heavy, Outline, scaled
from rocksteady.bodies.outline_checks import from_text
from rocksteady.bodies.silhouettes import Part
from rocksteady.bodies.support import Polygon
from rocksteady.errors import InputError, warn
from rocksteady.numbers import positive

FREE_WALL = (
    "It is computed as free to rock to both sides: masonry that stops it on one side can make "
    "falls much rarer, and a missing or brittle tie can be worse."
)
"""What must be read with every answer about a wall that in truth stands among others."""
ONE_BODY = (
    "Vase and plinth are computed as one rigid body, fixed to each other: a vase that stands free "
    "on its plinth can fall alone."
)
"""What must be read with every answer about two objects that are taken as one."""


@dataclass(frozen=True)
class Preset:
    """A kind of object."""

    words: str
    height: float
    """Full height [m]."""
    width: float
    """Full width of the base in the direction in which it rocks [m]."""
    centre: float | None
    """Height of the centre of mass over the full height [-]; None: it follows from the parts."""
    density: float
    """Mass over the volume of the box around it [kg/m³]; with parts, the density of the stone."""
    depth: float | None = None
    """Depth of the base the other way, which counts for the mass only [m]; None: as deep as it is
    wide."""
    masonry: bool = False
    """Whether codes for existing masonry treat it as a local mechanism."""
    silhouette: Polygon = silhouettes.BOX
    """What is drawn: x over the width of the base, from its middle, and y over the height [-]."""
    parts: tuple[Part, ...] = ()
    """What it is made of, where centre, mass and inertia follow from its outline."""
    assumed: str = ""
    """What every answer about it takes for granted; empty for a body that stands by itself."""

    def values(self, given: dict[str, Any]) -> dict[str, Any]:
        """The parameters of the block: those given, and the preset's for the others."""
        height = positive("height", given.get("height", self.height), "m")
        width = given.get("width", self.width)
        own = {"height": height, "width": width, "thickness": self.depth or width}
        own["density"] = self.density
        if self.parts:
            return own | self._weighed(own | given) | given
        if "com_height" not in given and self.centre not in (None, 0.5):
            own["com_height"] = round(self.centre * height, 6)
        if "mass" in given:
            del own["density"]
        return own | given

    def outline(self, height: float, width: float) -> Polygon:
        """The silhouette of one of this size [m], from the middle of its base."""
        return tuple((width * x, height * y) for x, y in self.silhouette)

    def weighed_parts(
        self, height: float, width: float, density: float
    ) -> list[tuple[Polygon, Heavy]]:
        """The outline [m] of each part in a preset of this size [m] and density [kg/m³], and what
        it weighs."""
        found = []
        for part in self.parts:
            points = tuple((width * x, height * y) for x, y in part.outline)
            heavy = Outline(points).weighed(density=part.share * density, section=part.section)
            found.append((points, heavy))
        return found

    def _weighed(self, said: dict[str, Any]) -> dict[str, float]:
        """Centre, mass and inertia of its parts at this size, to seven digits."""
        height, width = said["height"], positive("width", said["width"], "m")
        density = positive("density", said["density"], "kg/m³")
        heavy = [weighed for _, weighed in self.weighed_parts(height, width, density)]
        whole = _joined(heavy)
        mass = positive("mass", said.get("mass", float(f"{whole.mass:.7g}")), "kg")
        inertia = whole.inertia * mass / whole.mass
        return {
            "com_height": float(f"{whole.centre[1]:.7g}"),
            "mass": mass,
            "inertia": float(f"{inertia:.7g}"),
        }


def preset_values(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the block that a preset is, with those given in place of its own."""
    if name not in PRESETS:
        raise InputError(f"There is no preset {name!r} of a block: use {', '.join(PRESETS)}.")
    for other in ("p", "alpha"):
        if other in given:
            raise InputError(f"preset = {name!r} cannot stand beside `{other}`: give sizes.")
    return PRESETS[name].values(given)


def warn_of_assumed(preset: str | None) -> None:
    """Warn of what is taken for granted of a preset."""
    if preset in PRESETS and PRESETS[preset].assumed:
        warn(f"preset = {preset!r}: {PRESETS[preset].assumed}", stacklevel=3)


def drawn(values: dict[str, Any], preset: str | None) -> Polygon:
    """The outline of a block made from these values, from the middle of its base [m]; empty for a
    box."""
    if "outline" in values:
        points = scaled(from_text(values["outline"]), values.get("height"), None)
        return Outline(points, values.get("tolerance")).standing
    if preset is None:
        return ()
    sizes = preset_values(preset, values)
    return PRESETS[preset].outline(sizes["height"], sizes["width"])


def _joined(parts: list[Heavy]) -> Heavy:
    """Parts on one vertical axis as one body (Steiner)."""
    mass = sum(part.mass for part in parts)
    z = sum(part.mass * part.centre[1] for part in parts) / mass
    inertia = sum(part.inertia + part.mass * (part.centre[1] - z) ** 2 for part in parts)
    return Heavy(mass, (parts[0].centre[0], z), inertia)


PRESETS = {
    "statue": Preset(
        "a standing figure of stone on its own base", 1.8, 0.5, 0.52, 1600.0,
        silhouette=silhouettes.STATUE,
    ),
    "column": Preset(
        "a column of stone in one piece", 4.2, 0.6, 0.5, 2600.0, silhouette=silhouettes.COLUMN
    ),
    "parapet": Preset(
        "a strip of a masonry parapet", 1.2, 0.25, 0.5, 1800.0, 1.0,
        masonry=True, assumed=FREE_WALL,
    ),
    "facade": Preset(
        "a strip of a masonry facade without ties", 8.0, 0.6, 0.5, 1900.0, 1.0,
        masonry=True, assumed=FREE_WALL,
    ),
    "cabinet": Preset("a filled cabinet or bookcase", 2.0, 0.45, 0.45, 350.0, 0.9),
    "obelisk": Preset(
        "an obelisk of stone in one piece", 9.0, 1.2, None, 2700.0,
        silhouette=silhouettes.OBELISK, parts=(Part(silhouettes.OBELISK, "square"),),
    ),
    "vase": Preset(
        "a hollow vase on its own", 0.6, 0.17, None, 960.0,
        silhouette=silhouettes.VASE, parts=(Part(silhouettes.VASE, "round"),),
    ),
    "vase_fixed_on_plinth": Preset(
        "a vase and its plinth of stone, fixed to each other: one body", 1.5, 0.4, None, 2400.0,
        silhouette=silhouettes.VASE_ON_PLINTH,
        parts=(Part(silhouettes.PLINTH, "square"), Part(silhouettes.VASE_PART, "round", 0.4)),
        assumed=ONE_BODY,
    ),
}  # fmt: skip
"""By name."""
