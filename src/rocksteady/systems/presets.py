"""Objects that people ask about, with sizes and proportions to begin with.

The numbers are ours, typical rather than taken from a survey: give the object's own where you know
them.
"""

from dataclasses import dataclass
from typing import Any

from rocksteady.systems.block import Block


@dataclass(frozen=True)
class Preset:
    """A kind of object."""

    words: str
    height: float
    """Full height [m]."""
    width: float
    """Full width of the base in the direction in which it rocks [m]."""
    centre: float
    """Height of the centre of mass over the full height [-]."""
    density: float
    """Mass over the volume of the box around it [kg/m³]."""
    masonry: bool = False
    """Whether codes for existing masonry treat it as a local mechanism."""

    def values(self, given: dict[str, Any]) -> dict[str, Any]:
        """The parameters of the block: those given, and the preset's for the others."""
        height = given.get("height", self.height)
        own = {"height": height, "width": self.width, "density": self.density}
        if "com_height" not in given and self.centre != 0.5:
            own["com_height"] = round(self.centre * height, 6)
        if "mass" in given:
            del own["density"]
        return own | given

    def block(self, **given: Any) -> Block:
        """The block with these parameters in place of the preset's."""
        return Block(**self.values(given))


PRESETS = {
    "statue": Preset("a standing figure of stone on its own base", 1.8, 0.5, 0.52, 1600.0),
    "column": Preset("a column of stone in one piece", 4.2, 0.6, 0.5, 2600.0),
    "parapet": Preset("a strip of a masonry parapet", 1.2, 0.25, 0.5, 1800.0, masonry=True),
    "facade": Preset(
        "a strip of a masonry facade without ties", 8.0, 0.6, 0.5, 1900.0, masonry=True
    ),
    "cabinet": Preset("a filled cabinet or bookcase", 2.0, 0.45, 0.45, 350.0),
}
"""By name."""
