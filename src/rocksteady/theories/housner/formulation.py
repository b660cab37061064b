"""Housner's rocking block as the engine sees it. Its motion is in `motion.py`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Block, Side
from rocksteady.errors import InputError, warn
from rocksteady.numbers import check_ratio, given, keep_floats
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Formulation, LossParameter
from rocksteady.theories.housner import outcome, rocking
from rocksteady.theories.housner.motion import ADVANCE, ADVANCE_SLENDER, GLIDE, TOLERANCE


@dataclass(frozen=True, kw_only=True)
class Housner(Formulation):
    """Rigid block rocking about its corners, with instantaneous impacts that keep the angular
    momentum about the new corner.

    Parameters
    ----------
    eta
        Ratio of angular velocities ω⁺/ω⁻ at an impact, in (0, 1]; Housner's own for the block
        unless given.
    r
        Ratio of kinetic energies at an impact, in (0, 1]; an alternative to ``eta``
        (r = eta² for a symmetric block).
    slender
        Linearise in the angle (sin → angle, cos → 1): exact between samples, right for α ≲ 0.2, no
        vertical motion.
    """

    name = "Housner"
    compared = True
    bodies = (Block,)
    usual_for = (Block,)
    turns_are_events = True
    cost = 25.0
    refusals = {"friction": "Housner's block never slides; try --formulation nonsmooth"}

    eta: float | None = None
    r: float | None = None
    slender: bool = False

    def __post_init__(self) -> None:
        if self.eta is not None and self.r is not None:
            raise InputError(
                f"eta = {self.eta!r} and r = {self.r!r} were both given: they are two forms of "
                "one quantity (r = eta² for a symmetric block). Give one of them."
            )
        if not isinstance(self.slender, (bool, np.bool_)):
            raise InputError(f"slender = {self.slender!r} is not allowed: give True or False.")
        advice = ". Leave it out to use the value that follows from the block's geometry."
        for name, value in given(self, "eta", "r").items():
            check_ratio(name, value, advice)
        keep_floats(self, "eta", "r")

    def columns(self, block: Block) -> tuple[str, ...]:
        return rocking.COLUMNS

    def advance_for(self, block: Block) -> Any:
        return ADVANCE_SLENDER if self.slender else ADVANCE

    def glide_for(self, block: Block) -> Any:
        """The attempt at a whole interval of plain rocking; none for the slender block, whose
        exponential function keeps a processor from doing several at once."""
        return None if self.slender else GLIDE

    def resting_for(self, block: Block) -> Any:
        return outcome.resting

    def doomed_for(self, block: Block) -> Any:
        return outcome.DOOMED_SLENDER if self.slender else outcome.DOOMED

    def outcome_for(self, block: Block) -> Any:
        return outcome.OUTCOME_SLENDER if self.slender else outcome.OUTCOME

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> Housner:
        return cls(eta=eta)

    def laws_for(self, block: Block) -> str:
        return "rocksteady.analysis.auditing.blocks:laws"

    def keeps_at_impact(self, block: Block) -> str:
        if self.r is not None:
            return f"r = {self.r:.4g} of its kinetic energy (given)"
        return keeps_eta(block, self.eta)

    def exact_rest(self, block: Block) -> bool:
        return True

    def lift_off(self, block: Block) -> tuple[float, float]:
        return block.limits if self.slender else rocking.lift_off(block)

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        return (LossParameter("eta", 0.3, 1.0, instead_of=("r",)),)

    def check_vertical(self, block: Block, a_v: Array) -> None:
        if self.slender and a_v.any():
            raise InputError(
                "The slender block takes no vertical acceleration: its exact solution holds for "
                "horizontal motion only. Use slender=False."
            )
        rocking.refuse_flight(block, a_v)

    def parameters(self, block: Block) -> Numbers:
        right, left = block.right, block.left
        eta = self._eta(block, left, right)
        own = self.eta is None and self.r is None
        if own and (eta if left is right else block.eta) <= 0:
            warn(
                f"The block is so stocky (h/b = {block.slenderness:.3g}; a rectangle rocks on only "
                "above 1/√2) that in Housner's theory it comes to rest at its first impact. Give "
                "eta= or r= if you know its loss.",
                stacklevel=3,
            )
        to_right = rocking.corner_of(right, eta, block.g, self.slender)
        to_left = to_right
        if left is not right:
            eta = self._eta(block, right, left)
            to_left = rocking.corner_of(left, eta, block.g, self.slender)
        return (block.g, TOLERANCE * min(right.p, left.p), *to_right, *to_left, 1 / block.g)

    def _eta(self, block: Block, before: Side, after: Side) -> float:
        """ω⁺/ω⁻ of the impact that moves the pivot from one side's corner to the other's."""
        if self.r is not None:
            return math.sqrt(self.r * before.inertia / after.inertia)
        eta = block.eta_to_right if after is block.right else block.eta_to_left
        if self.eta is None:
            return max(eta, 0.0)
        limit = math.sqrt(before.inertia / after.inertia)
        if self.eta > limit:
            raise InputError(
                f"eta = {self.eta!r} would add energy at one of this asymmetric block's impacts: "
                f"at most {limit:.6g} is possible there. Give r= to lose the same share of energy "
                "on both sides."
            )
        return self.eta

    def start(self, block: Block, theta0: float = 0.0, omega0: float = 0.0) -> Numbers:
        theta, omega = float(theta0), float(omega0)
        moving = theta or omega
        return (theta, omega, math.copysign(1.0, moving) if moving else 0.0, 0.0, 0.0)

    def energy(self, block: Block, states: Array) -> Array:
        theta, omega = states[..., 0], states[..., 1]
        right = _energy_about(block.right, theta, omega, self.slender)
        left = _energy_about(block.left, theta, omega, self.slender)
        return np.where(states[..., 2] > 0, right, left)

    def at_rest(self, block: Block, states: Array) -> NDArray[np.bool_]:
        return np.asarray(states[..., 2] == 0)

    def doomed(self, block: Block, state: Array) -> bool:
        theta, omega, sign = state[:3]
        side = block.right if sign > 0 else block.left
        return bool(falls(side, theta, omega, sign, self.slender))


def keeps_eta(block: Block, eta: float | None = None) -> str:
    """What an impact keeps, in words: ``eta`` that was given, or what conserves the angular
    momentum about the new corner."""
    if eta is not None:
        return f"η = {eta:.4g} of its angular velocity (given)"
    if block.eta <= 0:
        return "nothing: so stocky a block comes to rest (Housner)"
    return f"η = {block.eta:.4g} of its angular velocity (Housner)"


def falls(side: Side, theta: Any, omega: Any, sign: Any, slender: bool) -> NDArray[np.bool_]:
    """Whether it will fall over the corner ``side`` though the ground stays at rest: it is beyond
    its balance point, or has the energy to get there and moves that way. One, or many at once."""
    energy = _energy_about(side, theta, omega, slender)
    barrier = _energy_about(side, side.alpha, 0.0, slender)
    beyond = np.where(energy > barrier, sign * omega > 0, np.abs(theta) > side.alpha)
    return np.asarray(beyond)


def _energy_about(side: Side, theta: Any, omega: Any, slender: bool) -> Array:
    """Kinetic energy, and potential energy above upright rest, about one corner [J]."""
    lean = np.abs(theta)
    if slender:
        rise = side.alpha * lean - lean**2 / 2
    else:
        # cos(α − y) − cos α without cancellation
        rise = 2 * np.sin(side.alpha - lean / 2) * np.sin(lean / 2)
    return np.asarray(side.inertia * (omega**2 / 2 + side.p**2 * rise))
