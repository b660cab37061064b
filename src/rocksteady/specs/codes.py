"""Checks by code: the code's spectrum, which checks to make, and the engineer's choices."""

from typing import Any, Literal, Self

from pydantic import Field, NonNegativeFloat, PositiveFloat, model_validator

from rocksteady.bodies.block import STANDARD_GRAVITY
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.specs.spec import Spec

Code = Literal["circolare", "histories", "ec8", "asce43", "asce43-sliding", "fema"]
STRONGEST = 3.0  # g: no site has as much
_ITALIAN = ("F0", "Tc_star", "topography")


class SpectrumSpec(Spec):
    """``spectrum = {kind = "EC8", ag = 0.25, soil = "B"}``, or NTC2018 with F0 and Tc_star."""

    kind: Literal["EC8", "NTC2018"] = "EC8"
    ag: PositiveFloat
    """Ground acceleration on rock [g]."""
    soil: str = "A"
    type: Literal[1, 2] = 1
    """EC8: type 1, or 2 where only weaker earthquakes matter."""
    F0: PositiveFloat | None = None
    """NTC2018: amplification on rock [-]."""
    Tc_star: PositiveFloat | None = None
    """NTC2018: T_C* [s]."""
    topography: str | None = None
    """NTC2018: T1 (level) unless given, to T4."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.ag > STRONGEST:
            raise ValueError(
                f"ag = {self.ag:g} g is not possible: it is in g, and {self.ag:g} % would be "
                f"{self.ag / 100:g}"
            )
        given = [name for name in _ITALIAN if getattr(self, name) is not None]
        if self.kind == "EC8" and given:
            raise ValueError(f"`{given[0]}` belongs to the NTC 2018 spectrum, not to that of EC8")
        if self.kind == "NTC2018":
            lacks = [name for name in ("F0", "Tc_star") if getattr(self, name) is None]
            if lacks:
                raise ValueError(
                    f"the NTC 2018 spectrum lacks `{lacks[0]}`: give that of the site, from the "
                    "tables annexed to the code"
                )
            if self.type != 1:
                raise ValueError("`type` belongs to the EC8 spectrum")
        return self

    def build(self, g: float = STANDARD_GRAVITY) -> Eurocode8 | Ntc2018:
        """The spectrum; ``g`` [m/s²] is the unit of ``ag``."""
        if self.kind == "EC8":
            return Eurocode8(ag=self.ag * g, soil=self.soil, kind=self.type)
        assert self.F0 is not None and self.Tc_star is not None
        place = self.topography or "T1"
        return Ntc2018(self.ag * g, self.F0, self.Tc_star, self.soil, place, g=g)


class CodesSpec(Spec):
    """``[codes]``: what ``rocksteady.analysis.codes.compare`` takes beside body, floor and
    motions."""

    spectrum: SpectrumSpec
    use: list[Code] | None = Field(default=None, min_length=1)
    """Which checks; all that can be made unless given."""
    match: bool = False
    """Scale each motion to the spectrum first."""
    fc: PositiveFloat | None = None
    crushing: bool | None = None
    e_star: Literal["lumped", "slices"] | None = None
    curve: Literal["straight", "exact"] | None = None
    q: PositiveFloat | None = None
    ag_sld: PositiveFloat | None = None
    ag_slc: PositiveFloat | None = None
    modulus: PositiveFloat | None = None
    importance: PositiveFloat | None = None
    behaviour: PositiveFloat | None = None
    element_period: NonNegativeFloat | None = None
    vertical: NonNegativeFloat | None = None
    friction: PositiveFloat | None = None
    clearance: PositiveFloat | None = None
    horizontal: PositiveFloat | None = None
    pfv: PositiveFloat | None = None
    item: str | None = None

    def build(self, g: float = STANDARD_GRAVITY) -> dict[str, Any]:
        """The arguments of ``compare``: spectrum, use, match and the settings that were given."""
        own = ("spectrum", "use", "match")
        names = [name for name in type(self).model_fields if name not in own]
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        spectrum = self.spectrum.build(g)
        return {"spectrum": spectrum, "use": self.use, "match": self.match, **given}
