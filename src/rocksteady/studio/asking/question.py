"""What a person answers, and the assessment that it becomes."""

from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, PositiveFloat, model_validator

from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.presets import PRESETS, Preset
from rocksteady.specs.assessment import AssessmentSpec
from rocksteady.specs.spec import Spec
from rocksteady.studio.asking.words import (
    MATERIALS,
    MOTIONS,
    PER_STOREY,
    RETURN_PERIOD,
    SEED,
    SLENDEREST,
    SLOPE,
    STRENGTHS,
    Material,
    Strength,
)
from rocksteady.studio.jobs.limits import MOTIONS as MOST_MOTIONS

Metres = Annotated[float, Field(gt=0.01, le=100.0, allow_inf_nan=False)]
Said = Annotated[str, Field(max_length=200)]
What = Literal[
    "statue", "column", "obelisk", "vase", "vase_on_plinth", "cabinet", "parapet", "facade"
]
Fixing = Literal["free", "fixed"]
FREE_SIZES = ("height", "width", "density", "mass")
ONE_ON_ANOTHER = {"vase_on_plinth": "vase_fixed_on_plinth"}
"""Two objects, one on the other, and the preset that they are where they are fixed."""


class PlaceSpec(Spec):
    """How strongly the ground shakes there: one of a word, a number, or a hazard table."""

    strength: Strength | None = None
    pga: float | None = Field(default=None, gt=0.001, le=3.0)
    """Peak ground acceleration exceeded once in 475 years [g]."""
    levels: list[PositiveFloat] | None = Field(default=None, min_length=2, max_length=100)
    """Peak ground accelerations [g] of a hazard table."""
    rates: list[PositiveFloat] | None = Field(default=None, min_length=2, max_length=100)
    """How often a year each is exceeded [1/year]."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in ("strength", "pga", "levels") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of strength, pga, or levels with rates in place")
        if (self.levels is None) != (self.rates is None):
            raise ValueError("levels and rates belong together: give a rate for each level")
        if self.levels is not None and self.rates is not None:
            _check_table(self.levels, self.rates)
        return self

    @property
    def hazard(self) -> dict[str, Any]:
        """``[hazard]`` of the assessment."""
        if self.levels is not None:
            return {"levels": self.levels, "rates": self.rates}
        return {"power": {"level": self.at_475(), "rate": 1 / RETURN_PERIOD, "k": SLOPE}}

    def at_475(self) -> float:
        """The PGA that is exceeded once in 475 years [g]."""
        if self.levels is not None:
            from rocksteady.analysis.hazard import Hazard

            return Hazard(self.levels, self.rates).level(1 / RETURN_PERIOD)  # type: ignore[arg-type]
        return self.pga if self.strength is None else STRENGTHS[self.strength]  # type: ignore[return-value]


def _check_table(levels: list[float], rates: list[float]) -> None:
    if len(levels) != len(rates):
        raise ValueError(
            f"there are {len(levels)} levels and {len(rates)} rates: give one for each"
        )
    if any(b <= a for a, b in pairwise(levels)):
        raise ValueError("levels must increase from row to row")
    if any(b > a for a, b in pairwise(rates)):
        raise ValueError("rates cannot grow with the level: stronger shaking is rarer")
    if not rates[-1] <= 1 / RETURN_PERIOD <= rates[0]:
        raise ValueError(
            f"rates go from {rates[0]:g} to {rates[-1]:g} a year, and the table must reach over "
            f"once in 475 years, {1 / RETURN_PERIOD:.4f} a year: add rows"
        )


class AskRequest(Spec):
    """What is it, how large, on which floor, where, for how long?"""

    kind: Literal["ask"] = "ask"
    what: What = "statue"
    fixing: Fixing | None = None
    """Of a vase on a plinth: whether it stands free on it, or is fixed to it so that both move as
    one body. Wax, gel and putty lie between the two and are not computed yet."""
    height: Metres | None = None
    """Full height [m]; that of the preset unless given."""
    width: Metres | None = None
    """Width of the base in the direction in which it could fall [m]."""
    depth: Metres | None = None
    """Of the base the other way [m]: it counts for the weight only."""
    com_height: Metres | None = None
    """Height of the centre of mass [m]; typical of the preset unless given."""
    mass: float | None = Field(default=None, gt=0, le=1e7)
    """[kg]"""
    material: Material | None = None
    """Instead of the mass."""
    storey: int = Field(default=0, ge=0, le=60)
    """On which floor it stands; 0 is the ground."""
    storeys: int | None = Field(default=None, ge=1, le=60)
    """Of the building."""
    period: float | None = Field(default=None, gt=0.02, le=10.0)
    """Of the building [s]; 0.1 s for each storey unless given."""
    place: PlaceSpec = PlaceSpec(strength="strong")
    years: float = Field(default=50.0, ge=1.0, le=10_000.0)
    motions: int = Field(default=MOTIONS, ge=50, le=MOST_MOTIONS)
    """How many earthquakes it is shaken in."""
    name: Said = ""
    """Of the object, for the report."""
    site: Said = ""
    author: Said = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_fixing()
        if self.mass is not None and self.material is not None:
            raise ValueError("mass and material were both given: give one of them")
        if self.storey and self.storeys is not None and self.storey > self.storeys:
            raise ValueError(
                f"storey = {self.storey} is above the roof of a building of {self.storeys} storeys"
            )
        height, width = self.height or self.preset.height, self.width or self.preset.width
        if not width <= height <= SLENDEREST * width:
            raise ValueError(
                f"height = {height:g} m and width = {width:g} m: an object that can rock and fall "
                f"is at least as tall as its base is wide, and at most {SLENDEREST} times. Lower "
                "ones slide, more slender ones bend"
            )
        if self.com_height is not None and self.com_height > height:
            raise ValueError(
                f"com_height = {self.com_height:g} m is above the top of the object, {height:g} m"
            )
        if self.material is not None and _hollow(self.preset):
            raise ValueError(f"a {self.what} weighs what is in it: give its mass, not a material")
        return self

    def _check_fixing(self) -> None:
        if (self.what in ONE_ON_ANOTHER) != (self.fixing is not None):
            raise ValueError(
                'fixing = "free" or "fixed" says how a vase on a plinth is held: free, it can '
                "slide, rock and fall by itself; fixed, both move as one body. Wax, gel and putty "
                "lie between the two and are not computed yet. Other objects take no fixing"
            )
        if self.free and self.com_height is not None:
            raise ValueError(
                "com_height goes with one body: two that stand free on each other have one each, "
                "those of their outlines. Leave it out"
            )

    @property
    def free(self) -> bool:
        """Whether it is two bodies, one free on the other."""
        return self.fixing == "free"

    @property
    def preset(self) -> Preset:
        """Of both together, where it is two."""
        return PRESETS[ONE_ON_ANOTHER.get(self.what, self.what)]

    @property
    def title(self) -> str:
        words = "a vase that stands free on its plinth" if self.free else self.preset.words
        return self.name.strip() or words[:1].upper() + words[1:]

    def stones(self) -> Assembly:
        """The two bodies that stand free on each other."""
        sizes = {name: value for name, value in self.object.items() if name in FREE_SIZES}
        return Assembly.vase_on_plinth(**sizes)

    @property
    def object(self) -> dict[str, Any]:
        """``[object]`` of the assessment."""
        said = {
            "height": self.height,
            "width": self.width,
            "com_height": self.com_height,
            "thickness": self.depth,
            "mass": self.mass,
            "density": self._density(),
        }
        preset = ONE_ON_ANOTHER.get(self.what, self.what)
        return {"preset": preset, **{n: v for n, v in said.items() if v is not None}}

    def _density(self) -> float | None:
        """Mass over the volume of the box around it [kg/m³], the box as full as the preset's."""
        if self.material is None:
            return None
        full = 1.0 if self.preset.masonry else min(1.0, self.preset.density / MATERIALS["stone"])
        return round(full * MATERIALS[self.material], 1)

    @property
    def floor(self) -> dict[str, Any] | None:
        """``[floor]`` of the assessment; none on the ground."""
        if self.storey == 0:
            return None
        storeys = self.storeys or self.storey
        period = self.period or round(PER_STOREY * storeys, 3)
        return {"period": period, "storeys": storeys, "level": self.storey}

    def assessment(self) -> AssessmentSpec:
        """As ``object.toml`` would have it."""
        return AssessmentSpec.checked(self.tables())

    def tables(self) -> dict[str, Any]:
        """The same in plain values, by table."""
        about = {"place": self.site.strip(), "author": self.author.strip()}
        tables = {
            "name": self.title,
            "years": self.years,
            "object": self.object,
            "floor": self.floor,
            "hazard": self.place.hazard,
            "motions": [{"stochastic": {"count": self.motions, "seed": SEED}}],
            "report": {name: text for name, text in about.items() if text},
        }
        return {name: table for name, table in tables.items() if table}


def _hollow(preset: Preset) -> bool:
    """Whether it is lighter than any material: its weight is that of what it holds."""
    return preset.density < min(MATERIALS.values())
