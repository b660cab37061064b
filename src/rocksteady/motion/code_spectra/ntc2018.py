"""The elastic response spectrum of the Italian code (NTC 2018, 3.2.3.2)."""

from dataclasses import dataclass

from rocksteady.errors import InputError
from rocksteady.motion.code_spectra.elastic import ElasticSpectrum
from rocksteady.numbers import finite, positive

# Table 3.2.IV: S_S = c0 − c1·F₀·a_g/g between two limits, and C_C = c·T_C*^(−e)
_SOILS = {
    "A": ((1.0, 0.0, 1.0, 1.0), (1.0, 0.0)),
    "B": ((1.40, 0.40, 1.0, 1.2), (1.10, 0.20)),
    "C": ((1.70, 0.60, 1.0, 1.5), (1.05, 0.33)),
    "D": ((2.40, 1.50, 0.9, 1.8), (1.25, 0.50)),
    "E": ((2.00, 1.10, 1.0, 1.6), (1.15, 0.40)),
}
# Table 3.2.V: S_T [-]
_TOPOGRAPHIES = {"T1": 1.0, "T2": 1.2, "T3": 1.2, "T4": 1.4}
LEAST_F0 = 2.2  # 3.2.3.2.1


@dataclass(frozen=True)
class Ntc2018(ElasticSpectrum):
    """The horizontal elastic response spectrum of the NTC 2018 (3.2.3.2.1, eqs 3.2.2 to 3.2.8).

    a_g, F₀ and T_C* are those of the site and of the limit state (return period), from the tables
    annexed to the code.
    """

    ag: float
    """Peak ground acceleration on level rock [m/s²]."""
    F0: float
    """Largest amplification of the spectrum on level rock [-], at least 2.2."""
    Tc_star: float
    """Period T_C* at which the level part ends on rock [s]."""
    soil: str = "A"
    """Category of the subsoil, A (rock) to E (table 3.2.II)."""
    topography: str = "T1"
    """Category of the topography (table 3.2.III): T1 level, to T4, a steep ridge."""
    damping: float = 0.05
    """Viscous damping ratio [-]; the code gives it in per cent."""
    g: float = 9.81
    """Gravity [m/s²]: the code's rules for S_S and T_D have a_g/g."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "F0", finite("F0", self.F0, minimum=LEAST_F0))
        object.__setattr__(self, "Tc_star", positive("Tc_star", self.Tc_star, "s"))
        object.__setattr__(self, "g", positive("g", self.g, "m/s²"))
        if self.soil not in _SOILS:
            raise InputError(f"soil = {self.soil!r} is not allowed: choose A, B, C, D or E.")
        if self.topography not in _TOPOGRAPHIES:
            raise InputError(
                f"topography = {self.topography!r} is not allowed: choose T1 (level ground), T2, "
                "T3 or T4."
            )

    @property
    def S(self) -> float:
        """S_S·S_T [-] (eq. 3.2.3, tables 3.2.IV and 3.2.V)."""
        (start, slope, lowest, highest), _ = _SOILS[self.soil]
        soil = start - slope * self.F0 * self.ag / self.g
        return min(max(soil, lowest), highest) * _TOPOGRAPHIES[self.topography]

    @property
    def C_C(self) -> float:
        """What the soil multiplies T_C* by [-] (table 3.2.IV)."""
        factor, exponent = _SOILS[self.soil][1]
        return float(factor * self.Tc_star**-exponent)

    @property
    def corners(self) -> tuple[float, float, float]:
        """T_B = T_C/3, T_C = C_C·T_C* and T_D = 4 a_g/g + 1.6 [s] (eqs 3.2.5 to 3.2.7)."""
        T_C = self.C_C * self.Tc_star
        return T_C / 3, T_C, 4 * self.ag / self.g + 1.6

    @property
    def amplification(self) -> float:
        """F₀ (eq. 3.2.2)."""
        return self.F0
