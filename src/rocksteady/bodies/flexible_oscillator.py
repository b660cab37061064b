"""A mass on a flexible column with a free-standing base: geometry, masses and stiffness."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from rocksteady.bodies.block import STANDARD_GRAVITY, Block
from rocksteady.bodies.rocker import Rocker, Side, Stem
from rocksteady.errors import InputError
from rocksteady.numbers import keep_floats, real

# The column bends as ψ(ζ) = (3ζ² − ζ³)/2, a cantilever loaded at its top, 0 ≤ ζ ≤ 1.
PSI, PSI_ZETA, PSI_PSI = 3 / 8, 11 / 40, 33 / 140  # ∫ψ dζ, ∫ψζ dζ, ∫ψ² dζ
PRESETS = ("giouvanidis2016",)


@dataclass(frozen=True)
class FlexibleOscillator(Rocker):
    """A rigid base, a flexible column and a top mass that can rock about the edges of the base
    (Giouvanidis & Dimitrakopoulos 2016, Fig. 2b).

    Parameters
    ----------
    height
        Height H of the top mass above the base [m].
    width
        Full width 2b of the base [m].
    top_mass, base_mass, column_mass
        Masses m, m_b and m_c [kg]; the column's is spread evenly over its height.
    natural_frequency
        Circular frequency ω_n of the oscillator on a fixed base [rad/s].
    damping_ratio
        Share of critical damping on a fixed base [-].
    g
        Acceleration of gravity [m/s²].

    Examples
    --------
    >>> tank = FlexibleOscillator(height=10.0, width=2.0, top_mass=1e4, base_mass=2e4,
    ...                           column_mass=1e4, natural_frequency=5.0, damping_ratio=0.01)
    >>> round(tank.alpha, 4), round(tank.p, 4)
    (0.2606, 0.988)
    """

    as_block = "oscillator.rigid()"
    filmed = True

    height: float
    width: float
    top_mass: float
    base_mass: float
    column_mass: float
    natural_frequency: float
    damping_ratio: float = 0.0
    g: float = STANDARD_GRAVITY

    def __post_init__(self) -> None:
        self._check("height", "width", "top_mass", "natural_frequency", "g")
        self._check("base_mass", "column_mass", zero=True)
        if not 0 <= real(self.damping_ratio) < 1:
            raise InputError(
                f"damping_ratio = {self.damping_ratio!r} is not allowed: it is a share of critical "
                "damping, in [0, 1); 0.01 means 1 %."
            )
        keep_floats(self, "damping_ratio")

    @classmethod
    def giouvanidis2016(cls, height: float = 10.0) -> Self:
        """The body of the paper's Fig. 7: H/b = 10, m_b/m = 2, m_c/m = 1, ω_n = 5 p, 1 % damping.
        The paper gives no size: with time in units of 1/p the motion is that of any."""
        p = math.sqrt(STANDARD_GRAVITY / math.hypot(height, height / 10))
        return cls(
            height=height,
            width=height / 5,
            top_mass=1e4,
            base_mass=2e4,
            column_mass=1e4,
            natural_frequency=5 * p,
            damping_ratio=0.01,
        )

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> Self:
        if preset is None:
            return super().from_values(values)
        if preset not in PRESETS:
            raise InputError(f"There is no preset {preset!r}: use {', '.join(PRESETS)}.")
        like = cls.giouvanidis2016(**{name: values[name] for name in ("height",) if name in values})
        return replace(like, **values)

    # -- geometry ---------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """In words: "10 × 2 m flexible oscillator"."""
        return f"{self.height:.4g} × {self.width:.4g} m flexible oscillator"

    @property
    def b(self) -> float:
        """Half the width of the base [m]."""
        return self.width / 2

    @cached_property
    def right(self) -> Side:
        """On the right edge: α is the paper's φ_cr, the rotation at which the straight body
        balances, tan α = M b/S with the first moment S; R and p = sqrt(g/R) are those of the top
        mass. The paper's other angle is atan(b/H). The inertia is that of the undeformed body."""
        R = math.hypot(self.height, self.b)
        inertia = self.inertia_about_base + self.mass * self.b**2
        alpha = math.atan2(self.mass * self.b, self.first_moment)
        return Side(self.b, R, alpha, inertia, math.sqrt(self.g / R))

    @property
    def bent_balance(self) -> float:
        """The rotation at which it balances with its column bent by the weight [rad], below α:
        M b = S tan φ + κ sin φ, κ = g μ1²/k.

        Let go straight it comes back from beyond this and up to about α: the column has to bend
        first.
        """
        bending = self.g * self.modal_participation**2 / self.stiffness
        low, high = 0.0, self.alpha
        while low < (angle := (low + high) / 2) < high:
            pull = self.first_moment * math.tan(angle) + bending * math.sin(angle)
            low, high = (angle, high) if pull < self.mass * self.b else (low, angle)
        return high

    @property
    def barrier(self) -> float:
        """Energy above that of upright rest at which it balances, bent by its weight [J]."""
        angle = self.bent_balance
        pull = self.g * self.modal_participation * math.sin(angle)
        rise = self.mass * self.b * math.sin(angle)
        rise -= 2 * self.first_moment * math.sin(angle / 2) ** 2
        return self.g * rise - pull**2 / (2 * self.stiffness)

    @property
    def stem(self) -> Stem:
        size = min(self.height, 4 * self.width)
        sizes = self.height, self.width, 0.03 * size, 0.025 * size, 0.14 * size
        return Stem(*sizes, share=self.modal_participation / self.mass)

    # -- masses -----------------------------------------------------------------------------

    @property
    def mass(self) -> float:
        """Total mass [kg]."""
        return self.top_mass + self.base_mass + self.column_mass

    @property
    def first_moment(self) -> float:
        """Mass times height of its centre above the base, H (m + m_c/2) [kg m]."""
        return self.height * (self.top_mass + self.column_mass / 2)

    @property
    def inertia_about_base(self) -> float:
        """Moment of inertia about the middle of the base, undeformed [kg m²]."""
        column = self.height**2 * (self.top_mass + self.column_mass / 3)
        return column + self.base_mass * self.b**2 / 3

    @property
    def modal_participation(self) -> float:
        """μ1 = m + m_c ∫ψ [kg]."""
        return self.top_mass + self.column_mass * PSI

    @property
    def modal_mass(self) -> float:
        """μ2 = m + m_c ∫ψ² [kg]."""
        return self.top_mass + self.column_mass * PSI_PSI

    @property
    def modal_moment(self) -> float:
        """H (m + m_c ∫ψζ) [kg m]."""
        return self.height * (self.top_mass + self.column_mass * PSI_ZETA)

    @property
    def stiffness(self) -> float:
        """k = ω_n² μ2 [N/m]."""
        return self.natural_frequency**2 * self.modal_mass

    @property
    def damping(self) -> float:
        """c = 2 ζ ω_n μ2 [N s/m]."""
        return 2 * self.damping_ratio * self.natural_frequency * self.modal_mass

    def rigid(self) -> Block:
        """The same body with a rigid column."""
        centre = self.first_moment / self.mass
        return Block(
            height=self.height,
            width=self.width,
            com_height=centre,
            mass=self.mass,
            inertia=self.inertia_about_base - self.mass * centre**2,
            g=self.g,
        )
