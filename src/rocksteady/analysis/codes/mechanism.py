"""Kinematic chains of Circolare 7/2019: the force that starts one, and its capacity curve.

A mechanism is a set of weights P_k, masses Q_k that push without resting on it, and their virtual
displacements from the undeformed state. A free-standing block about its toe is the simplest one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import finite, number_row, positive
from rocksteady.numerics.types import Array

Curve = Literal["straight", "exact"]
Lumping = Literal["lumped", "slices"]
SHARE = {"SLV": 0.4, "SLC": 0.6}  # of d_0, C8.7.1.2.1.6
SLICES = 100_000  # of a body whose mass is spread: e* differs from 3/4 by 1e-11


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A kinematic chain with one degree of freedom (C8.7.1.2.1.1 to 3).

    Parameters
    ----------
    weights
        P_k [N]: own weights and what rests on the blocks.
    horizontal, vertical
        Virtual displacements δ_PQx,k (positive with the seismic force) and δ_Py,k (positive
        upwards) of the points where they act [m, or per unit of rotation].
    d_c0
        Displacement of the control point at which the multiplier vanishes [m], counting only what
        is sure to act until collapse.
    masses
        Q_k [N]: weights that do not rest on the blocks, but whose inertia pushes them; none unless
        given.
    control
        δ_Cx, virtual displacement of the control point; that of the centroid unless given.
    forces, force_displacements
        F_k [N] that push the chain on, and their virtual displacements δ_F,k.
    internal
        Work of internal forces L_i [N m]: ties that stretch, friction.
    rupture
        Displacement of the control point [m] at which a tie or another link breaks that costs more
        than half of the largest capacity: it limits d_SLV.
    unseats
        Displacement of the control point [m] at which something falls, such as beams that slip off:
        it limits d_SLV and d_SLC.
    rotation
        α [rad] of a single block about its toe, for the exact curve tan(α − θ); elsewhere the curve
        is the straight line from α_0 to zero at ``d_c0``.
    """

    weights: Array
    horizontal: Array
    vertical: Array
    d_c0: float
    masses: Array
    control: float
    forces: Array
    force_displacements: Array
    internal: float
    rupture: float
    unseats: float
    rotation: float | None
    words: str
    """How the mass is divided."""

    @classmethod
    def of_chain(
        cls,
        weights: Sequence[float] | Array,
        horizontal: Sequence[float] | Array,
        vertical: Sequence[float] | Array,
        *,
        d_c0: float,
        masses: Sequence[float] | Array | None = None,
        control: float | None = None,
        forces: Sequence[float] | Array = (),
        force_displacements: Sequence[float] | Array = (),
        internal: float = 0.0,
        rupture: float = math.inf,
        unseats: float = math.inf,
        rotation: float | None = None,
        words: str = "by the weights given",
    ) -> "Mechanism":
        """A mechanism from its numbers; an error where they do not fit each other."""
        P = number_row("weights", weights, "N")
        x = number_row("horizontal", horizontal)
        y = number_row("vertical", vertical)
        Q = np.zeros_like(P) if masses is None else number_row("masses", masses, "N")
        F, dF = (
            number_row("forces", forces, "N"),
            number_row("force_displacements", force_displacements),
        )
        if not (P.size == x.size == y.size == Q.size > 0 and F.size == dF.size):
            raise InputError(
                f"{P.size} weights, {x.size} horizontal and {y.size} vertical displacements, "
                f"{Q.size} masses, {F.size} forces and {dF.size} of their displacements were "
                "given: each weight needs one of each, and each force its displacement."
            )
        loads = P + Q
        if not (np.isfinite(np.concatenate([P, x, y, Q, F, dF])).all() and (loads >= 0).all()):
            raise InputError("A weight is negative, or a number of the chain is not finite.")
        if not float(loads @ x) > 0:
            raise InputError(
                f"Σ(P + Q)δ_x = {float(loads @ x):g} is not positive: give displacements in the "
                "direction of the seismic force, of blocks that have a weight."
            )
        centroid = float(loads @ x / loads.sum())
        return cls(
            P,
            x,
            y,
            positive("d_c0", d_c0, "m"),
            Q,
            centroid if control is None else positive("control", control),
            F,
            dF,
            finite("internal", internal, "N m"),
            math.inf if rupture == math.inf else positive("rupture", rupture, "m"),
            math.inf if unseats == math.inf else positive("unseats", unseats, "m"),
            rotation,
            words,
        )

    @classmethod
    def of_block(cls, block: Block, lumping: Lumping = "lumped") -> "Mechanism":
        """A block about its toe, towards the side to which it falls more easily.

        ``lumping``: "lumped", all mass in the centroid (e* = 1); "slices", spread over the height
        as in a homogeneous rectangle (e* → 3/4).
        """
        if lumping not in ("lumped", "slices"):
            raise InputError(
                f"e_star = {lumping!r} is not allowed: give 'lumped' (mass in the centroid, "
                "e* = 1) or 'slices' (mass spread over the height, e* = 3/4)."
            )
        side, h = block.weak_side, block.com_height
        weight = block.mass * block.g
        if lumping == "lumped":
            P, z = np.array([weight]), np.array([h])
            words = "all in the centroid"
        else:
            if not math.isclose(h, block.height / 2) or not _rectangle(block):
                raise InputError(
                    "e_star = 'slices' spreads the mass as in a homogeneous rectangle, and this "
                    "block has a centre of mass or an inertia of its own. Use 'lumped', or give "
                    "the chain's weights and displacements to Mechanism.of_chain."
                )
            z = (np.arange(SLICES) + 0.5) * block.height / SLICES
            P = np.full(SLICES, weight / SLICES)
            words = "spread over the height"
        lifted = np.full_like(P, side.b)  # per unit of rotation about the toe
        return cls.of_chain(P, z, lifted, d_c0=side.b, control=h, rotation=side.alpha, words=words)

    # -- the numbers of the code ----------------------------------------------------------------

    @cached_property
    def alpha0(self) -> float:
        """Multiplier that starts the mechanism [-] (C8.7.1.1)."""
        lifted = self.weights @ self.vertical - self.forces @ self.force_displacements
        return float((lifted + self.internal) / (self._loads @ self.horizontal))

    @cached_property
    def e_star(self) -> float:
        """Participating mass e* [-] (C8.7.1.5)."""
        first, second = self._moments
        return float(first**2 / (self._loads.sum() * second))

    @cached_property
    def spectral(self) -> float:
        """d/d_C [-]: spectral displacement over that of the control point (C8.7.1.4)."""
        first, second = self._moments
        return float(second / (self.control * first))

    @property
    def d0(self) -> float:
        """Spectral displacement at which the capacity vanishes [m] (C8.7.1.4)."""
        return self.d_c0 * self.spectral

    def limit(self, state: str) -> float:
        """d_SLV or d_SLC [m] (C8.7.1.2.1.6): 0.4 or 0.6 d_0, or where something breaks or falls."""
        share = SHARE[state] * self.d0
        if state == "SLV":
            share = min(share, self.rupture * self.spectral)
        return min(share, self.unseats * self.spectral)

    def multiplier(self, d: Array | float, curve: Curve = "straight") -> Array:
        """α at the spectral displacement ``d`` [m] (C8.7.1.2.1.2): the straight line from α_0 to
        zero at d_0, or the exact curve of a block, tan(α − θ)."""
        share = np.clip(np.asarray(d, dtype=np.float64) / self.d0, 0.0, 1.0)
        if curve == "straight":
            line: Array = self.alpha0 * (1 - share)
            return line
        if curve != "exact":
            raise InputError(f"curve = {curve!r} is not allowed: give 'straight' or 'exact'.")
        if self.rotation is None:
            raise InputError(
                "curve = 'exact' is known for a single block only: use 'straight' for a chain."
            )
        # d_C = R [sin α − sin(α − θ)] and d_c0 = R sin α
        left = np.arcsin((1 - share) * math.sin(self.rotation))
        exact: Array = np.tan(left)
        return exact

    @property
    def _loads(self) -> Array:
        return self.weights + self.masses

    @cached_property
    def _moments(self) -> tuple[float, float]:
        loads = self._loads
        return float(loads @ self.horizontal), float(loads @ self.horizontal**2)


def _rectangle(block: Block) -> bool:
    plain = block.mass * (block.height**2 + block.width**2) / 12
    return math.isclose(block.inertia, plain)
