"""Rocking as one differential equation in the complex plane (Prieto and Lourenço 2005).

A particle that falls towards the origin of the plane and has a little angular momentum l misses it,
swings round and comes out on the other side: that is an impact. It happens within a time of l/χ'²,
the force l²/χ³ that turns the particle back takes the place of the pivot's change of corner, and a
force c χ' ψ' takes the place of the coefficient of restitution (see `motion.py`). As l → 0 the
rotation tends to that of Housner's block.

Two things are put right unless ``variant="paper"`` is asked for (see docs/formulations/complex.md):
the constant c, which the paper has only to first order in ln η, and the block at rest, which the
paper does not have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import check_ratio, given, keep_floats, real
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.complex.motion import COLUMNS, LONGEST_STEP, Law
from rocksteady.theories.complex.step import advance, resting
from rocksteady.theories.contract import Formulation, LossParameter
from rocksteady.theories.housner import rocking
from rocksteady.theories.housner.formulation import keeps_eta

SMALLEST, LARGEST = 1e-8, 0.1  # of l
REST_AMPLITUDE = 2.0  # times l^(2/3): a bounce that stays below ends in rest
ACCURACY = 1e-4  # of l: local error of a step, so that l alone decides how near it is to Housner
CIRCLE = 0.01  # the printed system is at rest when χ and χ' are so near to circling, relatively


@dataclass(frozen=True, kw_only=True)
class ComplexPotential(Formulation):
    """Rigid block whose impacts are passages of a particle round the origin of the complex plane.

    Parameters
    ----------
    l
        Angular momentum of the particle [-], Eq. 35. The response tends to Housner's as it goes to
        zero, with an error of about l ln(1/l).
    eta
        Ratio of angular velocities ω⁺/ω⁻ at an impact, in (0, 1]; Housner's own for the block
        unless given.
    variant
        "corrected": loses exactly eta at an impact, stands still until Housner's uplift and comes
        to rest. "paper": the system as printed (Eq. 37).
    """

    name = "ComplexPotential"
    title = "Complex potential"
    compared = True
    bodies = (Block,)
    gradual = True  # an impact takes time: the longer, the larger l is
    cost = 1500.0
    refusals = {"friction": "the complex formulation never slides"}

    l: float = 1e-5
    eta: float | None = None
    variant: Literal["corrected", "paper"] = "corrected"

    def __post_init__(self) -> None:
        if not SMALLEST <= real(self.l) < LARGEST:
            raise InputError(
                f"l = {self.l!r} is not allowed: it must lie between {SMALLEST:g} and {LARGEST:g}. "
                "Smaller is nearer to Housner's block (the error is about l ln(1/l)) and slower; "
                "1e-5 is a good choice."
            )
        why = ", since the force at the impact is proportional to ln eta. Leave it out to use the "
        for name, value in given(self, "eta").items():
            check_ratio(name, value, why + "value that follows from the block's geometry.")
        keep_floats(self, "l", "eta")
        if self.variant not in ("corrected", "paper"):
            raise InputError(
                f'variant = {self.variant!r} is not known: give "corrected" (loses exactly eta and '
                'has a state of rest) or "paper" (the system as printed).'
            )

    @property
    def _printed(self) -> bool:
        return self.variant == "paper"

    def columns(self, block: Block) -> tuple[str, ...]:
        return COLUMNS

    def advance_for(self, block: Block) -> Any:
        return advance

    def resting_for(self, block: Block) -> Any:
        """The printed system circles the origin for ever: that is not told in compiled code."""
        return None if self._printed else resting

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> ComplexPotential:
        return cls(eta=eta)

    def laws_for(self, block: Block) -> str:
        return "rocksteady.analysis.auditing.particle:laws"

    def keeps_at_impact(self, block: Block) -> str:
        return keeps_eta(block, self.eta)

    def lift_off(self, block: Block) -> tuple[float, float] | None:
        """The printed system has no state of rest."""
        return None if self._printed else rocking.lift_off(block)

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        return LossParameter("eta", 0.3, 1.0), LossParameter("l", 1e-7, 5e-3)

    def check_vertical(self, block: Block, a_v: Array) -> None:
        rocking.refuse_flight(block, a_v)

    def parameters(self, block: Block) -> Numbers:
        c, kappa = self.constants(block)
        realised = math.exp(c * math.pi / 2 / math.sqrt(1 - c * c / 4))  # see far_speed
        side, g = block.right, block.g
        corner = rocking.corner_of(side, realised, g)
        rest = 0.0 if self._printed else self.rest_amplitude
        tolerance = min(max(ACCURACY * self.l, 1e-11), 1e-9)
        unit = side.inertia * (side.alpha * side.p) ** 2
        return (
            *(g, tolerance, *corner, *corner, 1 / g),  # as `rocking` expects them
            *Law(self.l, c, kappa, math.pi / 2 / kappa, rest, unit),
        )

    def constants(self, block: Block) -> tuple[float, float]:
        """c and κ: Eq. 37, or what makes an impact lose eta and turn κψ by π exactly."""
        log_eta = math.log(self._eta(block))
        if self._printed:
            return 2 * log_eta / math.pi, 1.0
        root = math.hypot(math.pi, log_eta)
        return 2 * log_eta / root, math.pi / root

    def _eta(self, block: Block) -> float:
        if not block.symmetric:
            raise InputError(
                f"The complex formulation knows symmetric blocks only, and this one has offset = "
                f"{block.offset!r} m: its potential depends on |θ| alone. Use Housner."
            )
        if self.eta is None and block.eta <= 0:
            raise InputError(
                f"The block is so stocky (h/b = {block.slenderness:.3g}) that Housner's eta is "
                f"{block.eta:.3g}, and the complex formulation needs ln eta. Give eta= if you know "
                "its loss, or use Housner, where it comes to rest at its first impact."
            )
        return block.eta if self.eta is None else self.eta

    @property
    def rest_amplitude(self) -> float:
        """|θ|/α below which a bounce ends in rest: a multiple of l^(2/3), the radius at which the
        particle circles the origin for ever (Eq. 41)."""
        return float(REST_AMPLITUDE * self.l ** (2 / 3))

    def circling(self, block: Block) -> float:
        """χ_c, where the printed system stays for ever when nothing shakes it (Eq. 40)."""
        chi = float(self.l ** (2 / 3))
        for _ in range(50):
            chi = math.cbrt(block.alpha * self.l**2 / math.sin(block.alpha * (1 - chi)))
        return chi

    def start(self, block: Block, theta0: float = 0.0, omega0: float = 0.0) -> Numbers:
        side = float(np.sign(theta0) or np.sign(omega0))
        chi, rate = abs(theta0) / block.alpha, side * omega0 / (block.alpha * block.p)
        l = self.l
        if self._printed:
            side, chi = side or 1.0, max(chi, self.circling(block))
        elif rate > 0 or chi < self.rest_amplitude:
            l = 0.0
        half_turns = 1.0 if side < 0 else 0.0
        psi = half_turns * math.pi / self.constants(block)[1]
        theta = side * (block.alpha * chi)
        moving = (theta, float(omega0), side, 0.0, 0.0, chi, rate, psi, half_turns, 0.0)
        return (*moving, l if side else 0.0, LONGEST_STEP)

    def energy(self, block: Block, states: Array) -> Array:
        chi, rate, l = states[..., 5], states[..., 6], states[..., 10]
        lean = block.alpha * chi
        # cos(α − αχ) − cos α without cancellation
        rise = 2 * np.sin(block.alpha - lean / 2) * np.sin(lean / 2)
        swirl = np.divide(l, chi, out=np.zeros_like(chi), where=chi > 0)
        kinetic = block.alpha**2 * (rate**2 + swirl**2) / 2
        return np.asarray(block.right.inertia * block.p**2 * (kinetic + rise))

    def at_rest(self, block: Block, states: Array) -> NDArray[np.bool_]:
        if not self._printed:
            return np.asarray(states[..., 2] == 0)
        # The printed system circles the origin for ever: at rest when it does no more than that.
        chi, rate = states[..., 5], states[..., 6]
        radius = self.circling(block)
        off = np.hypot(chi / radius - 1, rate * radius / self.l)
        return np.asarray(off < CIRCLE)

    def doomed(self, block: Block, state: Array) -> bool:
        chi, rate = state[5], state[6]
        beyond = 2 * math.sin((block.alpha - block.alpha * chi) / 2) ** 2  # below the balance point
        excess = (block.alpha * rate) ** 2 / 2 - beyond
        return bool(rate > 0 if excess > 0 else chi > 1)
