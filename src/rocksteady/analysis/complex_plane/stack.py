"""Two blocks on each other in the complex formulation: a plane for each joint.

The paper expects its form to serve "a higher number of blocks" and does not say how. With small
rotations, z_1 = r_1 e^{iψ_1} the lower block's rotation and z_2 that of the upper one against it,

    2T = M_11 |z_1'|² + 2 M_12 Re(z_1' z_2'*) + M_22 |z_2'|² + 2 c r_1' r_2' ,
    U  = k_1 r_1 + k_2 r_2 − z† G z/2 .

The centre of the upper block rises by b_1 r_1 + b_2 r_2, which gives k, c = m_2 b_1 b_2 and parts
of M_11 and M_22; the rest is smooth in both rotations. The passage of z_1 round its origin keeps
the momentum ∂T/∂r_2' and the energy. Both conditions of a real impact (the upper block's angular
momentum about its corner, the stack's about the new corner of the base) then ask for one further
loss, the same whatever the sides are,

    e_1 = (M_11 − 2 d_1 − (M_12² − c²)/M_22) / √(A_+ A_−) ,   A_± = M_11 − (M_12 ± c)²/M_22 ,

with d_1 = (m_1 + m_2) b_1² and d_2 = m_2 b_2²; likewise for the upper joint. A force c_1 r_1' ψ_1'
gives it, as Eq. 24 does for one block.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.bodies import Block
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import positive, real
from rocksteady.numerics.types import Array
from rocksteady.theories.complex.formulation import ComplexPotential

RELATIVE, OF_L = 1e-9, 1e-8  # allowed error of a step: of each number, and of l where r is small
SAMPLES = 400  # unless there is a motion
JOINTS = ("the lower block on the ground", "the upper block on the lower one")


@dataclass(frozen=True, eq=False)
class StackForm:
    """Constants of the two planes, as in the heading of this file; SI units."""

    M: Array
    c: float
    d: Array
    k: Array
    G: Array
    lever: Array  # of a horizontal acceleration: −a_h · lever is the generalised force
    alpha: Array  # half width of each joint over the height of the centre of mass above it

    @classmethod
    def of(cls, lower: Block, upper: Block) -> StackForm:
        for block in (expect(lower, Block, "A stack"), expect(upper, Block, "A stack")):
            if not block.symmetric:
                raise InputError(
                    f"A block with offset = {block.offset!r} m was given: the complex form of a "
                    "stack needs symmetric blocks. rs.BlockDynamics moves others."
                )
        m1, m2, h1, h2 = lower.mass, upper.mass, lower.com_height, upper.com_height
        b1, b2 = lower.width / 2, min(lower.width, upper.width) / 2
        high = lower.height + h2
        d = np.array([(m1 + m2) * b1**2, m2 * b2**2])
        shared = upper.inertia + m2 * high * h2
        first = lower.inertia + m1 * h1**2 + upper.inertia + m2 * high**2
        M = np.array([[first, shared], [shared, upper.inertia + m2 * h2**2]]) + np.diag(d)
        lever = np.array([m1 * h1 + m2 * high, m2 * h2])
        G = lower.g * np.array([lever, [lever[1], lever[1]]])
        k = lower.g * np.array([(m1 + m2) * b1, m2 * b2])
        return cls(M, m2 * b1 * b2, d, k, G, lever, np.array([b1 / h1, b2 / h2]))

    def radial_mass(self, joint: int, sides: int) -> float:
        """A_± of this joint: the mass with which its r moves while the other one's momentum stays;
        ``sides`` is +1 where both lean to the same side."""
        other = 1 - joint
        coupling = self.M[0, 1] + sides * self.c
        return float(self.M[joint, joint] - coupling**2 / self.M[other, other])

    @property
    def masses(self) -> Array:
        """√(A_+ A_−) of each joint."""
        return np.array([
            math.sqrt(self.radial_mass(i, 1) * self.radial_mass(i, -1)) for i in (0, 1)
        ])  # fmt: skip

    @property
    def losses(self) -> Array:
        """e of each joint."""
        kept = [
            self.M[i, i] - 2 * self.d[i] - (self.M[0, 1] ** 2 - self.c**2) / self.M[1 - i, 1 - i]
            for i in (0, 1)
        ]
        return np.asarray(np.array(kept) / self.masses)


@dataclass(frozen=True, eq=False)
class StackMotion:
    """Motion of two blocks in their planes, a row per sample and a column per joint."""

    time: Array
    """[s]"""
    theta: Array
    """Rotation of the lower block, and of the upper one against it [rad]."""
    psi: Array
    """Phases [rad]."""
    l: Array
    """Angular momenta r_k² ψ_k'/(α_k² p) [-]."""
    closed: str
    """The joint that came to rest, which ends the run; empty if none did."""


def stack_motion(
    lower: Block,
    upper: Block,
    motion: Motion | None = None,
    *,
    theta0: Sequence[float],
    l: float = 1e-5,
    duration: float | None = None,
) -> StackMotion:
    """Rocking of a stack of two slender blocks while both joints are open.

    The form has no state of rest: the run ends where the bounces of a joint stay below
    2 l^(2/3) α. From there, and for everything else, use `rs.BlockDynamics`.

    Parameters
    ----------
    lower, upper
        Symmetric blocks; rotations are taken as small.
    motion
        The ground's horizontal acceleration.
    theta0
        Rotation of the lower block, and of the upper one against it [rad], at rest and not zero.
    l
        Angular momentum of both particles at the start [-].
    duration
        Duration of the run [s] (default: that of the motion).
    """
    form = StackForm.of(lower, upper)
    if (form.losses <= 0).any():
        worst = int(np.argmin(form.losses))
        raise InputError(
            f"{JOINTS[worst].capitalize()} would lose more than all its velocity at an impact "
            f"(e = {form.losses[worst]:.3g}): the blocks are too stocky for the complex form."
        )
    small = ComplexPotential(l=l).rest_amplitude
    lean = np.array([real(value) for value in theta0])
    if lean.shape != (2,) or not (np.abs(lean) > small * form.alpha).all():
        raise InputError(
            f"theta0 = {theta0!r} is not allowed: give two rotations [rad], the lower block's and "
            f"the upper one's against it, each above {small:.2g} α; this form has no closed joint."
        )
    if motion is None and duration is None:
        raise InputError("Give a motion, or duration= in seconds for free rocking.")
    end = positive("duration", duration, "s") if duration is not None else motion.duration  # type: ignore[union-attr]
    time = np.linspace(0, end, SAMPLES + 1)
    if motion is not None:
        time = motion.dt * np.arange(int(end / motion.dt + 1e-9) + 1)
    found = _follow(form, motion, lean, l * form.alpha**2 * lower.p, time, small)
    z, v = found.y[0:2] + 1j * found.y[2:4], found.y[4:6] + 1j * found.y[6:8]
    spin = (v * z.conj()).imag / (form.alpha[:, None] ** 2 * lower.p)
    which = next((JOINTS[i] for i, times in enumerate(found.t_events) if len(times)), "")
    return StackMotion(found.t, z.real.T, np.unwrap(np.angle(z)).T, spin.T, which)


def _follow(
    form: StackForm, motion: Motion | None, lean: Array, spin: Array, time: Array, small: float
) -> Any:
    log = np.log(form.losses)
    damping = 2 * log / np.hypot(math.pi, log) * form.masses
    M, c = form.M, form.c
    whole = np.zeros((4, 4))
    whole[:2, :2] = whole[2:, 2:] = M

    def rates(t: float, y: Array) -> Array:
        z, v = y[0:2] + 1j * y[2:4], y[4:6] + 1j * y[6:8]
        r = np.abs(z)
        out = z / r  # e^{iψ}
        along = v * out.conj()
        swirl = along.imag**2 / r  # r ψ'²
        push = 0.0 if motion is None else np.interp(t, motion.time, motion.accel)
        radial = damping * along.real * np.abs(along.imag) / r - form.k - c * swirl[::-1]
        force = radial * out + form.G @ z - form.lever * push
        # c r_1' r_2' of 2T: r_k'' = out_k · z_k'' + r_k ψ_k'² acts on the other along its own out
        axes = np.zeros((2, 4))
        for i in (0, 1):
            axes[i, [i, 2 + i]] = out[i].real, out[i].imag
        mass = whole + c * (np.outer(axes[0], axes[1]) + np.outer(axes[1], axes[0]))
        a = np.linalg.solve(mass, np.concatenate([force.real, force.imag]))
        return np.concatenate([y[4:], a])

    def rests(joint: int):  # type: ignore[no-untyped-def]
        def excess(t: float, y: Array) -> float:
            r, v = math.hypot(y[joint], y[2 + joint]), math.hypot(y[4 + joint], y[6 + joint])
            energy = form.masses[joint] * v**2 / 2 + form.k[joint] * r
            return float(energy / (form.k[joint] * form.alpha[joint]) - small)

        excess.terminal = True  # type: ignore[attr-defined]
        return excess

    start = np.concatenate([lean, [0.0, 0.0], [0.0, 0.0], spin / lean])
    return solve_ivp(
        rates, (0.0, time[-1]), start, "DOP853", time, events=(rests(0), rests(1)),
        rtol=RELATIVE, atol=OF_L * float(np.min(np.abs(spin))),
        max_step=math.inf if motion is None else motion.dt,
    )  # fmt: skip
