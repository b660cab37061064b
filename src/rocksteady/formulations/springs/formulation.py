"""The rigid body spring model: a slender body on springs and dashpots that can rock, slide and
jump (Peña, "A rigid body spring model for the numerical simulation of free standing blocks").

`motion.py` holds the equations of motion, `step.py` the explicit step. Here: how stiff the bed is,
how long a step may be, and which dashpots give a wanted loss at impact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.formulations.contract import Formulation, LossParameter, Substeps
from rocksteady.formulations.soft_bed import (
    SWING,
    counting_impacts,
    counting_in_substeps,
    first_swing,
)
from rocksteady.formulations.springs.motion import (
    COLUMNS,
    ROTATION,
    SLENDER,
    Bed,
    Body,
    bed_forces,
    corner_gaps,
    energy_of,
    lifted,
    motion_state,
    pack,
    resting,
    stable_step,
)
from rocksteady.formulations.springs.step import SUBSTEPS, advance, free_peaks
from rocksteady.numbers import check_ratio, finite, given, keep_floats, positive
from rocksteady.numerics.types import Array, Numbers
from rocksteady.systems import Block

LIFT_OFF_TILT = 1e-4  # of α: how far a block tilts on the default bed until a corner lifts off
SOFTER_TILTS = (3e-4, 1e-3, 3e-3, 1e-2)  # beds tried next where a wanted loss needs a softer one
DAMPING = 1.0  # default ξ = β √(K/m) / 2
STEP_FRACTION = 0.2  # of the stability limit: the default step
REST_ENERGY = 1e-6  # of the energy that lifts a corner: a body with less than this is at rest

MEASURED_IMPACTS = 6  # r is the mean over so many impacts of free rocking from θ = α/2
TRIED_DAMPINGS = tuple(10 ** (i / 4 - 2) for i in range(13))  # ξ from 0.01 to 10
ACCEPTED = 0.01  # of the wanted loss 1 − r: largest difference from the loss that is found


@dataclass(frozen=True, kw_only=True)
class RigidBodySpring(Formulation):
    """Slender rigid body on a no-tension spring at each corner and a frictional shear spring in the
    middle of its base, with dashpots beside them. It rocks, slides and jumps.

    Parameters
    ----------
    K
        Axial spring at each corner [N/m]. Unless given, m g h / (2 b²) × 10⁴: a symmetric block
        then sinks by 10⁻⁴ b²/h and tilts by 10⁻⁴ α until a corner lifts off.
    K_s
        Shear spring [N/m]; equal to ``K`` unless given.
    beta
        Dashpots over springs [s]. Unless given, 2 √(m/K), that is ξ = β √(K/m) / 2 = 1: impacts
        then lose what Housner's do, within about 0.1 % of the energy.
    friction
        Coulomb's coefficient μ between base and ground.
    dt
        Longest time step [s]; a fifth of the stability limit unless given. Samples of the motion
        are divided into equal steps not longer than this.
    eta, r
        Wanted ratio of angular velocities, or of kinetic energies, at an impact, in (0, 1]:
        ``beta`` is then searched, by measuring r over six impacts of free rocking from θ = α/2
        at the default step. Without ``K`` a softer bed is taken where the loss asks for it.
    """

    name = "RigidBodySpring"
    title = "Rigid body spring"
    compared = True
    bodies = (Block,)
    compliant = True
    turns_are_events = True
    cost = 1000.0

    K: float | None = None
    K_s: float | None = None
    beta: float | None = None
    friction: float = 1.0
    dt: float | None = None
    eta: float | None = None
    r: float | None = None

    def __post_init__(self) -> None:
        default = "Leave it out to use the default, which follows from the body."
        for name, value in given(self, "K", "K_s", "dt").items():
            positive(name, value, advice=default)
        for name, value in given(self, "beta", "friction").items():
            finite(name, value, minimum=0)
        losses = given(self, "beta", "eta", "r")
        if len(losses) > 1:
            raise InputError(
                f"{' and '.join(losses)} were given together: each of them alone sets the loss at "
                "impact (beta is searched for a wanted eta or r). Give one of them."
            )
        for name, value in given(self, "eta", "r").items():
            check_ratio(name, value, ". Leave it out to lose what Housner's impacts do.")
        keep_floats(self, "K", "K_s", "beta", "friction", "dt", "eta", "r")

    def bed(self, block: Block) -> Bed:
        """The springs, dashpots and longest step used for this body."""
        return _bed(self, block)

    # -- what the engine asks --------------------------------------------------------------------

    def columns(self, block: Block) -> tuple[str, ...]:
        return (*COLUMNS, SWING)

    def advance_for(self, block: Block) -> Any:
        return counting_impacts(advance, lifted)

    def laws_for(self, block: Block) -> str:
        return "rocksteady.analysis.auditing.springs:laws"

    def substeps_for(self, block: Block) -> Substeps:
        return counting_in_substeps(SUBSTEPS, lifted)

    def resting_for(self, block: Block) -> Any:
        return resting

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> RigidBodySpring:
        return cls(eta=eta, friction=1.0 if friction is None else friction)

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        K = replace(self, beta=None, eta=None, r=None).bed(block).K
        unit = 2 * math.sqrt(block.mass / K)  # β for ξ = 1
        return (LossParameter("beta", 0.02 * unit, 4 * unit, instead_of=("eta", "r")),)

    def parameters(self, block: Block) -> Body:
        upright = float(energy_of(block, self.bed(block), np.array(self.start(block))))
        body = pack(block, self.bed(block), self.friction)
        return body._replace(upright=upright, quiet=self._quiet(block))

    def _quiet(self, block: Block) -> float:
        """Energy [J] with which a body on its bed is called at rest."""
        return REST_ENERGY * ((block.mass * block.g) ** 2 / (4 * self.bed(block).K))

    def start(self, block: Block, theta0: float = 0.0, omega0: float = 0.0) -> Numbers:
        """At rest on the bed if θ0 = 0; else balanced on the lower corner, where N = m g.
        A rotation at the start is one about the lower corner."""
        body = pack(block, self.bed(block), self.friction)
        h, x_left, x_right = body.h, body.x_left, body.x_right
        K, weight = body.K, block.mass * block.g
        psi, dpsi = -float(theta0), -float(omega0)
        x_mean, half = 0.5 * (x_left + x_right), block.width / 2
        if psi == 0:  # moments about the centre of mass: x_mean W = (2 K b² − W h) ψ
            psi = x_mean * weight / (2 * K * half**2 - weight * h)
        pivot = x_right if theta0 > 0 or (theta0 == 0 and omega0 > 0) else x_left
        settled = 0.5 * weight / K
        if half * abs(psi) < settled:  # both corners carry
            sunk = -settled - x_mean * psi
        else:
            sunk = -weight / K - pivot * psi
        v, u = sunk - 0.5 * h * psi**2, -h * psi
        dv, du = -(pivot + h * psi) * dpsi, -h * dpsi
        N_left, N_right, shear, slide, slips = bed_forces(u, v, psi, du, dv, dpsi, 0.0, body)
        which = motion_state(-psi, -dpsi, N_left, N_right, slips, body)
        state = (-psi, -dpsi, u, du, v, dv, slide, N_left, N_right, shear, which)
        in_air = float(max(corner_gaps(block, np.array(state)))) > 0
        return (*state, first_swing(-psi, in_air))

    def energy(self, block: Block, states: Array) -> Array:
        """Kinetic energy, weight and springs; zero at rest on the bed."""
        rest = np.array(self.start(block))
        return energy_of(block, self.bed(block), states) - energy_of(block, self.bed(block), rest)

    def at_rest(self, block: Block, states: Array) -> NDArray[np.bool_]:
        """Vibrating on the bed with less than a thousandth of the tilt that lifts a corner."""
        return np.asarray(self.energy(block, states) <= self._quiet(block))

    def doomed(self, block: Block, state: Array) -> bool:
        """Beyond its balance point and not coming back; or rocking outwards, without sliding, with
        more energy than it takes to get there."""
        theta, omega = state[:2]
        side = block.right if theta > 0 else block.left
        h, lean, outward = block.com_height, abs(theta), math.copysign(omega, omega * theta)
        beyond = lean - side.b / h
        inertia = block.inertia + block.mass * h**2 * (1 + beyond**2)  # about the corner
        kinetic, hill = inertia * omega**2, block.mass * block.g * h * beyond**2
        if beyond >= 0:
            return bool(outward >= 0 or kinetic < hill)
        return bool(state[10] == ROTATION and outward > 0 and kinetic > hill)


# -- the bed -----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _bed(how: RigidBodySpring, block: Block) -> Bed:
    steepest = max(block.right.alpha, block.left.alpha)
    if steepest >= SLENDER:
        raise InputError(
            f"The body is too stocky for the spring model: α = {math.degrees(steepest):.3g}°, but "
            "it keeps only small rotations and needs α < 20° (h/b > 2.75) on both sides. Use "
            "Housner or Nonsmooth."
        )
    if how.eta is not None or how.r is not None:
        return _calibrated(how, block)
    K = how.K if how.K is not None else _stiffness(block, LIFT_OFF_TILT)
    if _stiffness(block, 1.0) >= K:
        raise InputError(
            f"K = {K:.4g} N/m cannot carry the body: it falls over on its springs unless K > "
            f"m g h / (2 b²) = {_stiffness(block, 1.0):.4g}. The default is 10⁴ times that."
        )
    K_s = how.K_s if how.K_s is not None else K
    beta = how.beta if how.beta is not None else 2 * DAMPING * math.sqrt(block.mass / K)
    limit = stable_step(block, K, K_s, beta)
    if how.dt is not None and how.dt > limit:
        raise InputError(
            f"dt = {how.dt:.4g} s would be unstable: with these springs and dashpots central "
            f"differences need dt ≤ {limit:.4g} s. Leave dt out to use a fifth of that."
        )
    return Bed(K, K_s, beta, how.dt if how.dt is not None else STEP_FRACTION * limit)


def _stiffness(block: Block, tilt: float) -> float:
    """Axial spring [N/m] on which a symmetric block tilts by ``tilt`` · α until a corner lifts off:
    the bed then resists a rotation with 2 K b² = m g h / tilt."""
    return block.mass * block.g * block.com_height / (2 * tilt * (block.width / 2) ** 2)


# -- dashpots for a wanted loss ------------------------------------------------------------------


def _calibrated(how: RigidBodySpring, block: Block) -> Bed:
    """The bed whose dashpots give the wanted r."""
    wanted = how.r if how.r is not None else how.eta**2  # type: ignore[operator]
    if how.K is not None:
        tried = [how.K]
    else:
        tried = [_stiffness(block, tilt) for tilt in (LIFT_OFF_TILT, *SOFTER_TILTS)]
    reached: list[float] = []
    for K in tried:
        plain = replace(how, K=K, eta=None, r=None)
        beta = _search(plain, block, wanted, reached)
        if beta is not None:
            return _bed(replace(plain, beta=beta), block)
    name, value = ("r", how.r) if how.r is not None else ("eta", how.eta)
    if not reached:
        raise InputError(
            f"{name} = {value!r} cannot be sought: released at α/2 this body did not rock through "
            "six impacts on any bed tried. Give a larger K, or leave K out."
        )
    raise InputError(
        f"{name} = {value!r} is out of reach: in free rocking from α/2 with friction = "
        f"{how.friction!r} this body's r = eta² came out between {min(reached):.4f} and "
        f"{max(reached):.4f} for all dashpots tried. "
        + ("Give a softer K to lose more." if how.K is not None else "Use Housner for such a loss.")
    )


def _search(
    how: RigidBodySpring, block: Block, wanted: float, reached: list[float]
) -> float | None:
    """The β nearest to ξ = 1 that gives the wanted r, by bisection of log β between neighbours of
    a coarse grid; None if there is none. (The instant of contact falls anywhere inside a step, so r
    is a little rough as a function of β: the best β met on the way is taken, if it is good.)"""
    assert how.K is not None
    unit = 2 * math.sqrt(block.mass / how.K)  # β for ξ = 1
    tolerance = ACCEPTED * (1 - wanted)

    def at(xi: float) -> tuple[float, float]:
        r = _measured_r(replace(how, beta=unit * xi, dt=None), block)
        reached.extend([r] if r > 0 else [])
        return xi, r - wanted

    brackets = [pair for pair in pairwise(map(at, TRIED_DAMPINGS)) if pair[0][1] * pair[1][1] <= 0]
    for low, high in sorted(brackets, key=lambda pair: abs(math.log(pair[0][0]))):
        best = min(low, high, key=_miss)
        for _ in range(20):
            middle = at(math.sqrt(low[0] * high[0]))
            best = min(best, middle, key=_miss)
            if _miss(best) <= 0.1 * tolerance:
                break
            if middle[1] * low[1] > 0:
                low = middle
            else:
                high = middle
        if _miss(best) <= tolerance:
            return unit * best[0]
    return None


def _miss(point: tuple[float, float]) -> float:
    return abs(point[1])


def _measured_r(how: RigidBodySpring, block: Block) -> float:
    """Mean ratio of energies at an impact, from the peaks of free rocking: at rest on a corner,
    at the lean y, the body has the energy m g (b y − h y²/2). Zero if it stops rocking before."""
    side = block.weak_side
    sign = 1.0 if side is block.right else -1.0
    peaks = np.zeros(MEASURED_IMPACTS + 1)
    state = how.start(block, sign * 0.5 * side.b / block.com_height)[:-1]  # without the swing
    found = free_peaks(state, how.parameters(block), 0.1 / side.p, peaks)
    if found < len(peaks):
        return 0.0
    b = np.where(peaks > 0, block.right.b, block.left.b)
    energy = np.abs(peaks) * (b - 0.5 * block.com_height * np.abs(peaks))
    return float((energy[-1] / energy[0]) ** (1 / MEASURED_IMPACTS))
