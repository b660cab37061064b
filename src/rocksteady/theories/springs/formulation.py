"""The rigid body spring model: a slender body on springs and dashpots that can rock, slide and
jump (Peña, "A rigid body spring model for the numerical simulation of free standing blocks").

`motion.py` holds the equations of motion, `step.py` the explicit step, `bed.py` how stiff the bed
is and which dashpots give a wanted loss; `interfaces.py`, `places.py`, `several.py` and
`standing.py` the same for a body with several contacts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numbers import check_ratio, finite, given, keep_floats, positive
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Formulation, LossParameter, Substeps
from rocksteady.theories.soft_bed import SWING, counting_impacts, counting_in_substeps, first_swing
from rocksteady.theories.springs import several, standing
from rocksteady.theories.springs.bed import base_alone, bed_of, joined_springs
from rocksteady.theories.springs.interfaces import Interface, Springs
from rocksteady.theories.springs.motion import (
    COLUMNS,
    ROTATION,
    Bed,
    bed_forces,
    corner_gaps,
    energy_of,
    lifted,
    motion_state,
    pack,
    resting,
)
from rocksteady.theories.springs.places import Place, checked, placed
from rocksteady.theories.springs.step import SUBSTEPS, advance

REST_ENERGY = 1e-6  # of the energy that lifts a corner: a body with less than this is at rest
UPRIGHT = 0.1  # sine of the slope above which an interface may hold a leaning body


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
    interfaces
        Where the body has contacts, if not with its whole base alone: a list of `Interface`, or of
        words such as ``"base"``, ``"wall,side=right,gap=0.01"`` and ``"pad,left=-0.2,right=0"``,
        each with its own K, K_s, beta and friction or those given here.
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
    interfaces: Sequence[Interface | Place | str] | None = None

    def __post_init__(self) -> None:
        if self.interfaces is not None:
            object.__setattr__(self, "interfaces", checked(self.interfaces))
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
            if self.interfaces is not None:
                raise InputError(
                    f"{name} = {value!r} and interfaces were both given: dashpots are sought for a "
                    "body on its base alone. Give beta, or the beta of each interface."
                )
        keep_floats(self, "K", "K_s", "beta", "friction", "dt", "eta", "r")

    def bed(self, block: Block) -> Bed:
        """The springs, dashpots and longest step used for this body on its base."""
        if self.interfaces is not None:
            raise InputError(
                "A body on several interfaces has no single bed: springs(block) gives the springs "
                "and dashpots of each."
            )
        return bed_of(self, block)

    def interfaces_of(self, block: Block) -> tuple[Interface, ...]:
        """The interfaces, with their ends on this block."""
        return placed(self._interfaces, block)

    @property
    def _interfaces(self) -> tuple[Interface | Place, ...]:
        return self.interfaces or ()  # type: ignore[return-value]  # words were read at the start

    def springs(self, block: Block) -> Springs:
        """The springs and dashpots of all interfaces, with the matrices of Eqs. 2–4."""
        return joined_springs(self, block)[0]

    def as_values(self) -> dict[str, Any]:
        """What it was made of, as plain values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.interfaces is not None:
            values["interfaces"] = [one.as_values() for one in self._interfaces]
        return values

    # -- what the engine asks --------------------------------------------------------------------

    def columns(self, block: Block) -> tuple[str, ...]:
        if self.interfaces is not None:
            return (*standing.columns(self._interfaces), SWING)
        return (*COLUMNS, SWING)

    def advance_for(self, block: Block) -> Any:
        if self.interfaces is not None:
            return counting_impacts(several.make_advance(len(self.interfaces)), several.lifted)
        return counting_impacts(advance, lifted)

    def laws_for(self, block: Block) -> str:
        if self.interfaces is not None:
            return "rocksteady.analysis.auditing.interfaces:laws"
        return "rocksteady.analysis.auditing.springs:laws"

    def substeps_for(self, block: Block) -> Substeps | None:
        if self.interfaces is not None:
            return None
        return counting_in_substeps(SUBSTEPS, lifted)

    def resting_for(self, block: Block) -> Any:
        return resting if self.interfaces is None else several.resting

    def not_on_gpu(self, block: Block) -> str | None:
        if self.interfaces is None:
            return None
        return "a body on several interfaces is followed by processors only"

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> RigidBodySpring:
        return cls(eta=eta, friction=1.0 if friction is None else friction)

    def loss_parameters(self, block: Block) -> tuple[LossParameter, ...]:
        if self.interfaces is not None:
            return ()  # each interface has dashpots of its own
        K = replace(self, beta=None, eta=None, r=None).bed(block).K
        unit = 2 * math.sqrt(block.mass / K)  # β for ξ = 1
        return (LossParameter("beta", 0.02 * unit, 4 * unit, instead_of=("eta", "r")),)

    def parameters(self, block: Block) -> Any:
        if self.interfaces is not None:
            springs, step = joined_springs(self, block)
            return standing.joined(block, springs, step, self._quiet(block))
        upright = float(energy_of(block, self.bed(block), np.array(self.start(block))))
        body = pack(block, self.bed(block), self.friction)
        return body._replace(upright=upright, quiet=self._quiet(block))

    def _quiet(self, block: Block) -> float:
        """Energy [J] with which a body on its bed is called at rest."""
        if self.interfaces is None:
            K = self.bed(block).K
        else:
            K = float(self.springs(block).axial[..., 4].min())
        return REST_ENERGY * ((block.mass * block.g) ** 2 / (4 * K))

    def start(self, block: Block, theta0: float = 0.0, omega0: float = 0.0) -> Numbers:
        """At rest on the bed if θ0 = 0; else balanced on the lower corner, where N = m g.
        A rotation at the start is one about the lower corner."""
        if self.interfaces is not None:
            return self._start_on_interfaces(block, float(theta0), float(omega0))
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

    def _start_on_interfaces(self, block: Block, theta0: float, omega0: float) -> Numbers:
        assert self.interfaces is not None
        springs, _ = joined_springs(self, block)
        alone = base_alone(self, block)
        if alone is not None:
            state = standing.from_base(alone.start(block, theta0, omega0))
        elif theta0 == omega0 == 0:
            state = standing.upright(block, springs)
        else:
            state = standing.leaning(block, self.interfaces_of(block), springs, theta0, omega0)
        body = self.parameters(block)
        in_air = bool(several.lifted(tuple(state.tolist()), body))
        return (*state.tolist(), first_swing(theta0, in_air))

    def slide(self, block: Block, states: Array) -> Array | None:
        """How far the base, or the first of several interfaces, has slid [m]."""
        if self.interfaces is not None:
            return np.asarray(states[..., several.FIRST])
        return super().slide(block, states)

    def energy(self, block: Block, states: Array) -> Array:
        """Kinetic energy, weight and springs; zero at rest on the bed."""
        if self.interfaces is not None:
            return standing.energy(block, self.springs(block), states)
        rest = np.array(self.start(block))
        return energy_of(block, self.bed(block), states) - energy_of(block, self.bed(block), rest)

    def at_rest(self, block: Block, states: Array) -> NDArray[np.bool_]:
        """Vibrating on the bed with less than a thousandth of the tilt that lifts a corner; on
        several interfaces, wherever their forces balance."""
        if self.interfaces is not None:
            return standing.rests(several.resting, self.parameters(block), states)
        return np.asarray(self.energy(block, states) <= self._quiet(block))

    def doomed(self, block: Block, state: Array) -> bool:
        """Beyond its balance point and not coming back; or rocking outwards, without sliding, with
        more energy than it takes to get there. (What may lean on a wall is followed until it lies
        or rests.)"""
        theta, omega = state[:2]
        lean, outward = abs(theta), math.copysign(omega, omega * theta)
        if self.interfaces is None:
            side = block.right if theta > 0 else block.left
            h, b, which = block.com_height, side.b, state[10]
        else:
            if any(abs(one.inwards[0]) > UPRIGHT for one in self.interfaces_of(block)):
                return False
            h, b = standing.outermost(self.springs(block), theta)
            which = state[several.STATE]
        beyond = lean - b / h
        inertia = block.inertia + block.mass * h**2 * (1 + beyond**2)  # about the corner
        kinetic, hill = inertia * omega**2, block.mass * block.g * h * beyond**2
        if beyond >= 0:
            return bool(outward >= 0 or kinetic < hill)
        return bool(which == ROTATION and outward > 0 and kinetic > hill)
