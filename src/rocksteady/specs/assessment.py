"""An assessment: one object, its place, the hazard, the motions; all that `object.toml` can say."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, FiniteFloat, PositiveFloat, PositiveInt, model_validator

from rocksteady.bodies import Block
from rocksteady.bodies.presets import PRESETS, Preset
from rocksteady.specs.codes import CodesSpec
from rocksteady.specs.floor import FloorSpec
from rocksteady.specs.hazard import HazardSpec
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.motion_sources import Stochastic
from rocksteady.specs.spec import Spec
from rocksteady.specs.theory import TheorySpec

Kind = Literal["statue", "column", "parapet", "facade", "cabinet", "obelisk", "vase",
               "vase_fixed_on_plinth"]  # fmt: skip
STONES_INSTEAD = (
    "Columns of drums, walls and arches have a report of their own, rocksteady assembly report "
    "(rs.analysis.examine in Python); rocksteady assembly fragility says how likely they are "
    "to collapse."
)
OF_STONES = ("kind", "structure", "stones", "file")  # what describes an assembly elsewhere
DEFAULT_MOTIONS = MotionSpec(stochastic=Stochastic(count=300, seed=1))


IN_SPACE = ("base", "base_x", "base_y", "diameter", "top_diameter", "mesh", "offset_x", "offset_y")


def _narrowest(values: dict[str, Any]) -> str:
    """What to write for the weakest plane of a body in space."""
    sizes = [values.get(name) for name in ("base_x", "base_y", "diameter")]
    widths = [size for size in sizes if isinstance(size, int | float)]
    if widths:
        return f"give the narrowest side of its base, width = {min(widths):g}, and its height"
    return "give the narrowest side of its base as width, and its height"


class ObjectSpec(Spec):
    """``[object]``: a preset, and the parameters of the block [SI units] that are known."""

    preset: Kind | None = None
    height: PositiveFloat | None = None
    width: PositiveFloat | None = None
    com_height: PositiveFloat | None = None
    offset: FiniteFloat | None = None
    density: PositiveFloat | None = None
    thickness: PositiveFloat | None = None
    mass: PositiveFloat | None = None
    inertia: PositiveFloat | None = None
    p: PositiveFloat | None = None
    alpha: PositiveFloat | None = None

    @model_validator(mode="before")
    @classmethod
    def _is_one_block_in_a_plane(cls, values: Any) -> Any:
        """Say what to do with a body in space, and with stones."""
        if isinstance(values, dict):
            found = [name for name in values if name in IN_SPACE]
            if found:
                raise ValueError(
                    f"{found[0]} describes a body in space, and an assessment is of a block in a "
                    f"plane: {_narrowest(values)}. For the body in space itself type rocksteady "
                    "risk --base 0.45x0.60 --height 1.8 -m records --hazard site.csv (its sizes, "
                    "your records and hazard)"
                )
        if isinstance(values, dict) and values.get("kind", "Assembly") != "Assembly":
            raise ValueError(
                f"kind = {values['kind']!r} is not for an assessment, which is of one block: give "
                "its preset, or height and width. Nothing was imported. A body of your own goes "
                "into the [systems] of a study: rocksteady ensemble study.toml --allow-modules ..."
            )
        if isinstance(values, dict) and any(name in values for name in OF_STONES):
            raise ValueError(f"an assessment is of one block. {STONES_INSTEAD}")
        return values

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.preset is not None and (self.p is not None or self.alpha is not None):
            raise ValueError("preset cannot stand beside p and alpha: give sizes, or leave it out")
        return self

    @property
    def given(self) -> dict[str, float]:
        """The parameters in the file."""
        return self.model_dump(exclude={"preset"}, exclude_none=True)

    @property
    def kind(self) -> Preset | None:
        return None if self.preset is None else PRESETS[self.preset]

    def build(self) -> Block:
        return Block.from_values(self.given, self.preset)

    def origin(self, name: str) -> str:
        """Where a parameter of the block comes from."""
        if name in self.given:
            return "given"
        if self.kind is not None and name in self.kind.values(self.given):
            article = "an" if str(self.preset)[0] in "aeiou" else "a"
            return f"typical of {article} {self.preset}, not given"
        return "that of a full box"


Tolerance = Annotated[float, Field(ge=0, lt=1)]
"""Two standard deviations over the value [-]: 0.03 is ±3 %. 0: known exactly."""
Ends = tuple[PositiveFloat, PositiveFloat]


class UncertainSpec(Spec):
    """``[uncertain]``: how well the body is known. A number is two standard deviations over the
    value, a pair the two ends between which it lies; without any, typical tolerances are used."""

    eta: Ends | None = None
    """Of the ratio of angular velocities at an impact."""
    width: Tolerance | Ends | None = None
    com_height: Tolerance | Ends | None = None
    inertia: Tolerance | Ends | None = None
    height: Tolerance | Ends | None = None
    samples: Literal[8, 16, 32, 64, 128, 256, 512, 1024] = 64
    """Bodies in each of the samples that the indices are taken from."""

    @property
    def tolerances(self) -> dict[str, Any]:
        """Those that are not zero; none of them means the typical ones."""
        given = self.model_dump(exclude_none=True, exclude={"samples"})
        return {name: value for name, value in given.items() if value != 0}


class AboutSpec(Spec):
    """``[report]``: who asks and who answers; printed as it is."""

    author: str = ""
    client: str = ""
    reference: str = ""
    place: str = ""
    remarks: str = ""


class AssessmentSpec(Spec):
    """The whole file."""

    name: str = Field(min_length=1)
    object: ObjectSpec
    years: PositiveFloat = 50.0
    """For which the probability is given."""
    levels: PositiveInt = Field(default=40, ge=5, le=1000)
    """Strengths at which every motion is run."""
    floor: FloorSpec | None = None
    hazard: HazardSpec | None = None
    motions: list[MotionSpec] = Field(default=[DEFAULT_MOTIONS], min_length=1)
    formulation: TheorySpec | None = None
    uncertain: UncertainSpec = UncertainSpec()
    codes: CodesSpec | None = None
    report: AboutSpec = AboutSpec()
    store: Path | None = None
    """A folder for the runs; beside the report unless given."""
