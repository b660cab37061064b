"""An assessment: one object, its place, the hazard, the motions; all that `object.toml` can say."""

from typing import Literal, Self

from pydantic import FiniteFloat, PositiveFloat, model_validator

from rocksteady.specs.spec import Spec
from rocksteady.systems import Block
from rocksteady.systems.presets import PRESETS, Preset

Kind = Literal["statue", "column", "parapet", "facade", "cabinet"]


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
        if self.kind is None:
            return Block.from_values(self.given)
        return self.kind.block(**self.given)

    def origin(self, name: str) -> str:
        """Where a parameter of the block comes from."""
        if name in self.given:
            return "given"
        if self.kind is not None and name in self.kind.values(self.given):
            return f"typical of a {self.preset}, not given"
        return "that of a full box"


class AboutSpec(Spec):
    """``[report]``: who asks, who answers; printed as it is."""

    author: str = ""
    client: str = ""
    reference: str = ""
    place: str = ""
    remarks: str = ""
