"""The hazard of a site: a file, the points of a curve, or a power law."""

from pathlib import Path
from typing import Self

from pydantic import Field, FiniteFloat, PositiveFloat, model_validator

from rocksteady.specs.spec import Spec

SOURCES = ("file", "levels", "power")


class PowerLaw(Spec):
    """``power = {level = 0.25, rate = 0.0021, k = 2.5}``: λ(x) = rate · (x/level)^−k."""

    level: PositiveFloat
    """PGA or SA in g, PGV in m/s."""
    rate: PositiveFloat
    """Yearly rate at which that level is exceeded [1/year]."""
    k: PositiveFloat
    """Slope in logarithms; 2 to 4 at most sites."""


class HazardSpec(Spec):
    """``[hazard]``: how often the shaking at a site exceeds a level."""

    file: Path | None = None
    """OpenQuake's CSV, the JSON of a USGS service, or a table with a heading such as
    pga [g],rate [1/year]."""
    measure: str | None = None
    """"pga", "pgv" or "SA(1.0)": which of several in a file, or that of the levels; PGA unless
    given."""
    site: tuple[FiniteFloat, FiniteFloat] | None = None
    """Longitude and latitude [°]: of several sites in a file the nearest is taken."""
    levels: list[PositiveFloat] | None = Field(default=None, min_length=2)
    """PGA and SA in g, PGV in m/s."""
    rates: list[PositiveFloat] | None = Field(default=None, min_length=2)
    """Yearly rates at which the levels are exceeded [1/year]."""
    power: PowerLaw | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        source, *more = [name for name in SOURCES if getattr(self, name) is not None] or [""]
        if more or not source:
            raise ValueError("give one of file, levels with rates, or power in [hazard]")
        if (self.levels is None) != (self.rates is None):
            raise ValueError("levels and rates belong together: give a rate for each level")
        levels, rates = self.levels or [], self.rates or []
        if len(levels) != len(rates):
            raise ValueError(
                f"rates has {len(rates)} numbers for {len(levels)} levels: give a rate for each"
            )
        if self.site is not None and self.file is None:
            raise ValueError("site is for files with several sites")
        return self
