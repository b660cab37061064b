"""The effective potential of a block that rocks without loss or ground motion (Section 3.1).

Its angular momentum p_ψ = l_0 is constant, and the distance r = |θ| from the origin moves as a
particle of mass I in one dimension. With χ = r/α and l = l_0/(I p α²), Eq. 12 is

    V_eff(χ) = I p² α² l²/(2χ²) + M g R cos(α − αχ) .
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from rocksteady.bodies import Block
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import real, reals
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories import ComplexPotential

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXACT = 1e-15  # of χ: how closely a turning point is located


@dataclass(frozen=True)
class EffectivePotential:
    """Potential energy and centrifugal barrier of a block in the complex plane (Eq. 12).

    Energies are those of Eq. 10 [J]: a block that stands has ``U0`` = M g R cos α. Distances are
    χ = |θ|/α [-].

    Parameters
    ----------
    block
        A symmetric block.
    l
        Angular momentum [-], Eq. 35; l_0 = I p α² l.

    Examples
    --------
    >>> well = EffectivePotential(Block(height=4.0, width=1.0), l=1e-3)
    >>> near, far = well.turning_points(well.released(0.5))
    >>> round(far, 6), round(near / well.nearest(well.released(0.5)), 4)
    (0.5, 1.0015)
    >>> round(well.chi_c, 5)
    0.01007
    """

    block: Block
    l: float

    def __post_init__(self) -> None:
        expect(self.block, Block, "The effective potential")
        if not self.block.symmetric:
            raise InputError(
                f"This block has offset = {self.block.offset!r} m, and the potential of the "
                "complex formulation depends on |θ| alone: give a symmetric block."
            )
        ComplexPotential(l=self.l)  # says which l is allowed

    # -- Eq. 12 --------------------------------------------------------------------------------

    @property
    def unit(self) -> float:
        """I p² α² [J], in which Eq. 31 measures energies."""
        side = self.block.right
        return float(side.inertia * (side.p * side.alpha) ** 2)

    @property
    def l0(self) -> float:
        """p_ψ = I r² ψ' [kg m²/s], Eq. 11."""
        side = self.block.right
        return float(self.l * side.inertia * side.p * side.alpha**2)

    @property
    def U0(self) -> float:
        """M g R cos α [J], the potential energy of the block that stands."""
        return self.block.mass * self.block.g * self.block.com_height

    def __call__(self, chi: ArrayLike) -> Array:
        """V_eff [J] at χ > 0, Eq. 12."""
        away = reals(chi)
        if not np.all(away > 0):
            raise InputError("V_eff is infinite at χ = 0: give χ = |θ|/α above 0.")
        return np.asarray(self.U0 + self.unit * self._above(away))

    def _above(self, chi: Array) -> Array:
        """(V_eff − U0)/(I p² α²), without cancellation."""
        alpha = self.block.alpha
        lift = 2 * np.sin(alpha - alpha * chi / 2) * np.sin(alpha * chi / 2) / alpha**2
        return np.asarray(lift + (self.l / chi) ** 2 / 2)

    def released(self, x: float) -> float:
        """Energy [J] of a block that is at χ = |x| and neither approaches nor leaves the origin."""
        return float(self(abs(real(x))))

    # -- Eqs. 38 to 41 -------------------------------------------------------------------------

    @property
    def chi_c(self) -> float:
        """Where V_eff has its minimum, sin(α − αχ) χ³ = α l² (Eq. 40): there the particle circles
        the origin. About l^(2/3) (Eq. 41)."""
        return ComplexPotential(l=self.l).circling(self.block)

    @property
    def chi_top(self) -> float:
        """Where V_eff has its maximum, the other solution of Eq. 40, a little below 1: a block that
        passes it falls."""
        alpha = self.block.alpha

        def slope(chi: float) -> float:
            return math.sin(alpha - alpha * chi) * chi**3 / alpha - self.l**2

        return float(brentq(slope, 0.75, 1.0, xtol=EXACT, rtol=EXACT))

    def turning_points(self, energy: float) -> tuple[float, float]:
        """(χ_min, χ_max) between which a block of this energy [J] moves, E = V_eff. Above the
        maximum of V_eff nothing turns it back and χ_max is infinite."""
        level = (real(energy) - self.U0) / self.unit
        lowest, highest = self.chi_c, self.chi_top

        def excess(chi: float) -> float:
            return float(self._above(np.asarray(chi))) - level

        if excess(lowest) > 0:
            raise InputError(
                f"No block has the energy E = {energy!r} J: V_eff is at least "
                f"{float(self(lowest)):.9g} J, at χ_c = {lowest:.4g}. Give more, such as "
                "released(0.5)."
            )
        inside = lowest
        while excess(inside) <= 0:
            inside /= 2
        near = brentq(excess, inside, lowest, xtol=EXACT * inside, rtol=EXACT)
        if excess(highest) < 0:
            return float(near), math.inf
        return float(near), float(brentq(excess, lowest, highest, xtol=EXACT, rtol=EXACT))

    def nearest(self, energy: float) -> float:
        """χ_min for small l, l_0/(α √(2 I (E − U0))), Eq. 13."""
        level = (real(energy) - self.U0) / self.unit
        if not level > 0:
            raise InputError(
                f"E = {energy!r} J is not above U0 = {self.U0!r} J: Eq. 13 needs a block that "
                "reaches the origin. turning_points(energy) has no such limit."
            )
        return self.l / math.sqrt(2 * level)

    def plot(self, path: str | Path | None = None, *, x: ArrayLike = (0.2, 0.5, 0.8)) -> Figure:
        """V_eff over χ with the turning points of blocks released at these x = θ/α."""
        figure: Figure = imported("rocksteady.view.complex_plane:plot_potential")(self, path, x=x)
        return figure
