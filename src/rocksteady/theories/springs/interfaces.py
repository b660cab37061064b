"""A body on several interfaces: where its springs are, and the matrices of Peña's Eqs. 1–4.

Each of the r interfaces has an axial spring at either end, perpendicular to it, and a shear spring
in its middle, along it: 3r springs. For displacements {u} = (u, v, ψ) of the centre of mass,

    {δ} = [B]{u}          deformation of the springs                       (Eq. 2)
    {f_s} = [B]ᵀ{F_s}     forces of the springs on the body                (Eq. 3)
    [C] = [B]ᵀ[A][B]      [A] the diagonal matrix of the dashpots, β K     (Eq. 4)
    [M]{u''} + [C]{u'} + {f_s} = {f_e}                                     (Eq. 1)

A spring along the direction d at the point p from the centre of mass has the row
(d_x, d_y, p_x d_y − p_y d_x) of [B]. The geometry of axial springs goes to second order in ψ, or
the body would never soften: δ = (row · u) − (p · d) ψ²/2, see `several.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import finite, given, keep_floats, positive, real
from rocksteady.numerics.types import Array

SIDES = {"left": -1.0, "right": 1.0}


@dataclass(frozen=True)
class Interface:
    """A straight contact of a body: an axial spring at each end, which only pushes, and a shear
    spring with Coulomb friction in the middle, each with a dashpot.

    What it touches moves with the ground. Lengths are in metres, x from the middle of the body's
    base towards +x and y upwards from its base, of the upright body.

    Parameters
    ----------
    start, end
        Its two ends (x, y) on the body's outline, counter-clockwise round the body: from left to
        right below it, upwards on its right side, downwards on its left side.
    K
        Axial spring at each end [N/m] (default: that of the theory).
    K_s
        Shear spring [N/m] (default: its own ``K``).
    beta
        Dashpots over springs [s] (default: that of the theory).
    friction
        Coulomb's coefficient μ (default: that of the theory).
    gap
        Distance between the upright body and what it may touch [m].
    name
        What columns and messages call it; its number unless given.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    K: float | None = None
    K_s: float | None = None
    beta: float | None = None
    friction: float | None = None
    gap: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            object.__setattr__(self, name, _point(name, getattr(self, name)))
        if not self.length > 0:
            raise InputError(
                f"start and end of an interface are the same point, {self.start!r}: give two ends."
            )
        for name, value in given(self, "K", "K_s").items():
            positive(name, value, "N/m", "Leave it out to use the theory's.")
        for name, value in given(self, "beta", "friction", "gap").items():
            finite(name, value, minimum=0)
        keep_floats(self, "K", "K_s", "beta", "friction", "gap")

    @classmethod
    def base(cls, block: Block, **options: Any) -> Interface:
        """The whole base of a block."""
        b = block.width / 2
        return cls((-b, 0.0), (b, 0.0), **{"name": "base"} | options)

    @classmethod
    def pad(cls, left: float, right: float, y: float = 0.0, **options: Any) -> Interface:
        """A level contact from x = ``left`` to ``right`` [m] at the height ``y``: a pad, a step."""
        return cls((min(left, right), y), (max(left, right), y), **options)

    @classmethod
    def wall(
        cls, block: Block, side: str, bottom: float = 0.0, top: float | None = None, **options: Any
    ) -> Interface:
        """An upright contact with the ``"left"`` or ``"right"`` side of a block, from the height
        ``bottom`` to ``top`` [m], the whole height unless given."""
        if side not in SIDES:
            raise InputError(f"side = {side!r} is not known: give 'left' or 'right'.")
        x = SIDES[side] * block.width / 2
        ends = ((x, float(bottom)), (x, block.height if top is None else float(top)))
        start, end = ends if side == "right" else ends[::-1]
        return cls(start, end, **{"name": f"{side} wall"} | options)

    @property
    def length(self) -> float:
        """[m]"""
        return math.dist(self.start, self.end)

    @property
    def along(self) -> tuple[float, float]:
        """Unit vector from start to end."""
        (x0, y0), (x1, y1) = self.start, self.end
        return (x1 - x0) / self.length, (y1 - y0) / self.length

    @property
    def inwards(self) -> tuple[float, float]:
        """Unit vector into the body, the direction in which the axial springs push it."""
        x, y = self.along
        return -y, x

    def as_values(self) -> dict[str, Any]:
        """What was given, as plain values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        default = {"gap": 0.0, "name": ""}
        return {name: value for name, value in values.items() if value != default.get(name)}


def _point(name: str, value: Any) -> tuple[float, float]:
    try:
        x, y = (real(number) for number in value)
    except (TypeError, ValueError):
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InputError(f"{name} = {value!r} is not a point: give (x, y) in metres.")
    return x, y


# -- matrices ----------------------------------------------------------------------------------


class Springs(NamedTuple):
    """The springs of a body, as arrays over interfaces; see `springs_of`."""

    axial: Array
    """(r, 2, 7): direction x and y, lever and curve (−p · d), K, β, gap, of each axial spring."""
    shear: Array
    """(r, 6): direction x and y, lever, K_s, β, μ of each shear spring."""

    @property
    def B(self) -> Array:
        """[B] of Eq. 2, 3r × 3: of each interface both axial springs, then the shear spring."""
        rows = np.concatenate([self.axial[:, :, :3], self.shear[:, None, :3]], axis=1)
        return np.asarray(rows.reshape(-1, 3))

    @property
    def K(self) -> Array:
        """The springs in that order [N/m]."""
        stiff = np.concatenate([self.axial[:, :, 4], self.shear[:, 3:4]], axis=1)
        return np.asarray(stiff.ravel())

    @property
    def A(self) -> Array:
        """The diagonal of [A], the dashpots β K [N s/m] (Eq. 4)."""
        beta = np.concatenate([self.axial[:, :, 5], self.shear[:, 4:5]], axis=1)
        return np.asarray(beta.ravel() * self.K)

    @property
    def stiffness(self) -> Array:
        """[B]ᵀ diag(K) [B], with every spring closed."""
        return np.asarray(self.B.T @ (self.K[:, None] * self.B))

    @property
    def damping(self) -> Array:
        """[C] of Eq. 4, with every spring closed."""
        return np.asarray(self.B.T @ (self.A[:, None] * self.B))


def springs_of(
    block: Block, interfaces: Sequence[Interface], K: float, beta: Any, friction: float
) -> Springs:
    """Where the springs are and how strong; ``K``, ``beta(K)`` and ``friction`` are those of
    interfaces that have none of their own."""
    axial, shear = np.zeros((len(interfaces), 2, 7)), np.zeros((len(interfaces), 6))
    for i, one in enumerate(interfaces):
        own = K if one.K is None else one.K
        damping = beta(own) if one.beta is None else one.beta
        middle = tuple((a + b) / 2 for a, b in zip(one.start, one.end, strict=True))
        for j, point in enumerate((one.start, one.end)):
            lever, curve = _arms(block, point, one.inwards)
            axial[i, j] = *one.inwards, lever, curve, own, damping, one.gap
        lever, _ = _arms(block, middle, one.along)
        mu = friction if one.friction is None else one.friction
        shear[i] = *one.along, lever, own if one.K_s is None else one.K_s, damping, mu
    return Springs(axial, shear)


def _arms(
    block: Block, point: Sequence[float], direction: tuple[float, float]
) -> tuple[float, float]:
    """(lever, −p · d) of a spring along ``direction`` at this point of the body."""
    x, y = point[0] - block.offset, point[1] - block.com_height
    dx, dy = direction
    return x * dy - y * dx, -(x * dx + y * dy)


def mass_matrix(block: Block) -> Array:
    """[M] of Eq. 1."""
    return np.diag([block.mass, block.mass, block.inertia])


def stable_step_of(block: Block, springs: Springs) -> float:
    """Longest stable step [s] of central differences whose dashpots feel the velocities half a step
    before: as long as [M] − (h/2)[C] − (h²/4)[K] is positive definite.

    (Multiplying the scheme by the mean of the velocities v⁻, v⁺ on either side shows that
    v⁺ᵀ([M] − (h/2)[C] − (h²/4)[K])v⁺/2 + x̄ᵀ[K]x̄/2, x̄ the mean of two positions, only falls.) For
    one β this is (2/ω)(√(1 + ξ²) − ξ) of `stable_step`.
    """
    root = 1 / np.sqrt(np.diag(mass_matrix(block)))
    K = root[:, None] * springs.stiffness * root
    C = root[:, None] * springs.damping * root
    # s² − (s/2) C − K/4 with s = 1/h: the largest eigenvalue of its companion matrix
    companion = np.block([[C / 2, K / 4], [np.eye(3), np.zeros((3, 3))]])
    return 1 / float(np.linalg.eigvals(companion).real.max())
