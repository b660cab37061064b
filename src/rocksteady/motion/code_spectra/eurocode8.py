"""The elastic response spectrum of Eurocode 8 (EN 1998-1:2004, 3.2.2.2)."""

from dataclasses import dataclass
from typing import Literal

from rocksteady.errors import InputError
from rocksteady.motion.code_spectra.elastic import ElasticSpectrum

# Tables 3.2 (type 1) and 3.3 (type 2): S [-], T_B, T_C, T_D [s]
_TABLES = {
    1: {
        "A": (1.0, 0.15, 0.4, 2.0),
        "B": (1.2, 0.15, 0.5, 2.0),
        "C": (1.15, 0.20, 0.6, 2.0),
        "D": (1.35, 0.20, 0.8, 2.0),
        "E": (1.4, 0.15, 0.5, 2.0),
    },
    2: {
        "A": (1.0, 0.05, 0.25, 1.2),
        "B": (1.35, 0.05, 0.25, 1.2),
        "C": (1.5, 0.10, 0.25, 1.2),
        "D": (1.8, 0.10, 0.30, 1.2),
        "E": (1.6, 0.05, 0.25, 1.2),
    },
}


@dataclass(frozen=True)
class Eurocode8(ElasticSpectrum):
    """The horizontal elastic response spectrum of Eurocode 8, with its recommended values
    (eqs 3.2 to 3.7).

    A national annex may set other values of S, T_B, T_C and T_D.
    """

    ag: float
    """Design ground acceleration on type A ground, γ_I·a_gR [m/s²]."""
    soil: str = "A"
    """Ground type, A (rock) to E."""
    kind: Literal[1, 2] = 1
    """Type 1, or type 2 where earthquakes that matter have a surface-wave magnitude below 5.5."""
    damping: float = 0.05
    """Viscous damping ratio [-]; the code gives it in per cent."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind not in _TABLES:
            raise InputError(f"kind = {self.kind!r} is not allowed: spectra are of type 1 or 2.")
        if self.soil not in _TABLES[self.kind]:
            raise InputError(
                f"soil = {self.soil!r} is not allowed: choose ground type A, B, C, D or E (S1 and "
                "S2 need a study of their own)."
            )

    @property
    def S(self) -> float:
        """Soil factor [-]."""
        return _TABLES[self.kind][self.soil][0]

    @property
    def corners(self) -> tuple[float, float, float]:
        """T_B, T_C and T_D [s]."""
        return _TABLES[self.kind][self.soil][1:]

    @property
    def amplification(self) -> float:
        """2.5 (eq. 3.3)."""
        return 2.5
