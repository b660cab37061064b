"""What may be chosen in the checks beside body, spectrum and floor."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rocksteady.analysis.codes.mechanism import Curve, Lumping
from rocksteady.errors import InputError, unknown
from rocksteady.numbers import finite, keep_floats, positive

READ_BY = {
    "circolare": ("fc", "crushing", "e_star", "curve", "q", "ag_sld", "ag_slc", "modulus"),
    "histories": ("ag_slc",),
    "ec8": ("importance", "behaviour", "element_period"),
    "asce43": ("vertical",),
    "asce43-sliding": ("vertical", "friction", "clearance", "horizontal"),
    "fema": ("pfv", "item"),
}
"""Which settings each check reads."""


class NotApplicableError(InputError):
    """A check cannot be made from what was given, or is not for such a body."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Choices of the engineer. Those for checks that are not made are refused: see `READ_BY`."""

    fc: float = 1.35
    """Circolare: confidence factor FC [-]. If crushing of the masonry is neglected, as it is here,
    that of knowledge level LC1, 1.35, whatever was surveyed."""
    crushing: bool = False
    """Whether ``fc`` comes from a survey because crushing is in the model; FC < 1.35 needs it."""
    e_star: Lumping = "lumped"
    """Circolare: "lumped" (e* = 1) or "slices" (e* = 3/4)."""
    curve: Curve = "straight"
    """Circolare: capacity curve, "straight" to d_0 or the "exact" tan(α − θ)."""
    q: float = 2.0
    """Circolare: behaviour factor of the linear check [-]."""
    ag_sld: float | None = None
    """Circolare: a_g [g] of the SLD, damage limitation; without it the SLD has no verdict."""
    ag_slc: float | None = None
    """Circolare: a_g [g] of the SLC, collapse; without it the SLC has no verdict."""
    modulus: float | None = None
    """Circolare: elastic modulus E [Pa] of an element that is free to vibrate (a parapet, a
    pinnacle), for its period T_0; without it the body is rigid until it rocks."""
    importance: float = 1.0
    """Eurocode 8: γ_a [-], 4.3.5.3."""
    behaviour: float = 1.0
    """Eurocode 8: q_a [-], 4.3.5.4."""
    element_period: float = 0.0
    """Eurocode 8: T_a [s]; 0 for a rigid body."""
    vertical: float = 0.0
    """ASCE 43: vertical over horizontal acceleration [-]; 0 leaves it out."""
    friction: float | None = None
    """ASCE 43: coefficient of sliding friction μ [-]; without it sliding is not checked."""
    clearance: float | None = None
    """ASCE 43: distance that it may slide [m]."""
    horizontal: float = 1.0
    """ASCE 43, sliding: F_H [-], vector of both horizontal components over one."""
    pfv: float | None = None
    """FEMA P-58: peak velocity where the body stands at the site's a_g [m/s]; from the motions
    unless given."""
    item: str | None = None
    """FEMA P-58: the item to compare with, such as "E.20.22.104a"; all unless given."""

    def __post_init__(self) -> None:
        for name in ("fc", "q", "importance", "behaviour", "horizontal"):
            positive(name, getattr(self, name))
        for name in ("ag_sld", "ag_slc", "modulus", "friction", "clearance", "pfv"):
            if getattr(self, name) is not None:
                positive(name, getattr(self, name))
        for name in ("element_period", "vertical"):
            finite(name, getattr(self, name), minimum=0.0)
        if self.fc < 1.35 and not self.crushing:
            raise InputError(
                f"fc = {self.fc:g} is not allowed: where crushing of the masonry is neglected, "
                "C8.7.1.2.1.3 asks for the confidence factor of knowledge level LC1, 1.35, "
                "whatever was surveyed. Give crushing=True if your α_0 allows for crushing."
            )
        numbers = [each.name for each in fields(self) if str(each.type).startswith("float")]
        keep_floats(self, *numbers)

    @classmethod
    def of(cls, values: dict[str, Any]) -> "Settings":
        """Settings with these values; an error names those there are."""
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                raise InputError(f"{name} {unknown(name, known, 'for a check')}.")
        return cls(**values)


def refuse_unread(given: Iterable[str], made: Iterable[str], skipped: Mapping[str, str]) -> None:
    """An error for a setting that was given and that none of the checks ``made`` reads."""
    read = {name for code in made for name in READ_BY[code]}
    for name in given:
        if name not in read:
            readers = [code for code, names in READ_BY.items() if name in names]
            why = next((f": {skipped[code]}" for code in readers if code in skipped), ".")
            those = "check" if len(readers) == 1 else "checks"
            are = "is" if len(readers) == 1 else "are"
            raise InputError(
                f"{name} is read by the {those} {' and '.join(readers)}, which {are} not made{why}"
            )
