"""The angular momentum l as a variable: what the torque of the shaken ground does to it.

The paper derives a torque about the origin (Eqs. 14b, 27 and 30) and then drops it, since "in the
limit l_0 → 0 ψ takes only the values nπ and Q_ψ vanishes". It vanishes between impacts only. With
F = −a_h/(αg), time in units of 1/p and X the place of the centre of mass over R,

    dl/dt = −F ∂X/∂ψ /α,   X = cos κψ sin(α − αχ)               about the pivot (Eqs. 28–30)
                           X = cos κψ [sin(α − αχ) − sin α]     about a fixed point of the ground

The first X jumps by 2 sin α when the pivot changes: during that half turn the torque does the work
2F sin α/α, whatever l is. The second X is continuous, its torque vanishes at the origin, and the
limit is that of a constant l: Housner's block. See docs/formulations/complex.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.bodies import Block
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.numbers import positive, real
from rocksteady.numerics.types import Array
from rocksteady.theories import ComplexPotential
from rocksteady.theories.housner.rocking import LYING

About = Literal["pivot", "ground"]
TORQUES = ("pivot", "ground", None)
RELATIVE, OF_L = 1e-10, 1e-11  # allowed error of a step: of each number, and of l where l is small
CHI, PSI, L = 0, 2, 3  # of (χ, χ', ψ, l, work of the torque)


@dataclass(frozen=True, eq=False)
class PlaneMotion:
    """Motion of the particle in the complex plane, an entry per sample of the ground."""

    time: Array
    """[s]"""
    chi: Array
    """χ = |θ|/α [-]."""
    rate: Array
    """dχ/d(pt) [-]."""
    psi: Array
    """Phase [rad]."""
    l: Array
    """Angular momentum χ² dψ/d(pt) [-]."""
    torque_work: Array
    """Work of the torque Q_ψ since the start [J]."""
    theta: Array
    """[rad]"""
    x: Array
    """θ/α [-]."""


def varying_momentum(
    block: Block,
    motion: Motion,
    *,
    about: About | None = "pivot",
    l: float = 1e-5,
    eta: float | None = None,
    variant: Literal["corrected", "paper"] = "paper",
    theta0: float,
    omega0: float = 0.0,
) -> PlaneMotion:
    """Rocking in the complex plane with the angular momentum as the ground's torque changes it.

    For study, by SciPy's rule of eighth order; `rs.ComplexPotential` is for everyday work. The
    block starts in motion, without a state of rest. The loss at an impact follows |ψ'|.

    Parameters
    ----------
    block, motion
        A symmetric block, and the ground.
    about
        The point from which the torque's lever is measured: ``"pivot"`` as in Eqs. 28–30,
        ``"ground"`` for a fixed point; None keeps l constant, as Eq. 35.
    l, eta, variant
        As in `rs.ComplexPotential`; l is the one at the start.
    theta0, omega0
        Rotation [rad] and its rate [rad/s] at the start.

    Examples
    --------
    >>> block = Block.from_parameters(p=1.0, alpha=math.atan(1 / 4))
    >>> t = np.linspace(0, 3, 1201)
    >>> ground = Motion(-0.3 * block.alpha * block.g * np.cos(4 * t), t[1])
    >>> for about in (None, "pivot", "ground"):
    ...     run = varying_momentum(block, ground, about=about, eta=0.925, theta0=0.5 * block.alpha)
    ...     print(about, round(run.x[-1], 3))
    None -0.282
    pivot -1.127
    ground -0.282
    """
    if about not in TORQUES:
        raise InputError(
            f"about = {about!r} is not known: give 'pivot' (the paper's Eq. 30), 'ground' (a fixed "
            "point) or None (constant l)."
        )
    how = ComplexPotential(l=l, eta=eta, variant=variant)
    expect(block, Block, "Motion in the complex plane")
    how.check_vertical(block, np.zeros(1) if motion.vertical is None else motion.vertical)
    c, kappa = how.constants(block)
    lean = positive("|theta0|", abs(real(theta0)), "rad", "The block starts in motion.")
    side = 1.0 if theta0 > 0 else -1.0
    p, alpha = block.p, block.alpha
    samples: Array = p * motion.dt * np.arange(len(motion), dtype=float)
    rate, psi = side * real(omega0) / (alpha * p), 0.0 if side > 0 else math.pi / kappa
    start = (lean / alpha, rate, psi, l, 0.0)
    rates = _rates(block, motion, samples, (c, kappa), about)

    def lies(t: float, y: Array) -> float:
        return float(alpha * y[CHI] - LYING)

    lies.terminal = True  # type: ignore[attr-defined]
    small = OF_L * l
    found = solve_ivp(
        rates, (0.0, samples[-1]), start, "DOP853", samples, events=lies,
        rtol=RELATIVE, atol=(small, RELATIVE, RELATIVE, small, RELATIVE), max_step=samples[1],
    )  # fmt: skip
    if found.status < 0:
        raise InputError(
            f"The motion cannot be followed beyond {found.t[-1] / p:.4g} s: the torque has left "
            f"l = {found.y[L, -1]:.2g}, and the particle meets the origin. Give another l or a "
            "shorter motion."
        )
    x = found.y[CHI] * np.cos(kappa * found.y[PSI])
    unit = block.right.inertia * (alpha * p) ** 2
    chi, rates_of, psi_of, l_of, work = found.y
    return PlaneMotion(found.t / p, chi, rates_of, psi_of, l_of, unit * work, alpha * x, x)


def _rates(
    block: Block,
    motion: Motion,
    samples: Array,
    constants: tuple[float, float],
    about: About | None,
) -> Callable[[float, Array], tuple[float, ...]]:
    """(χ', χ'', ψ', l', power of the torque) per I α² p², in units of 1/p: Eqs. 14, 30 and 34."""
    (c, kappa), alpha, g = constants, block.alpha, block.g
    push = -motion.accel / (alpha * g)
    weight = np.ones(len(motion)) if motion.vertical is None else 1 + motion.vertical / g
    pivot = math.sin(alpha) if about == "ground" else 0.0
    turns = 0.0 if about is None else 1.0

    def rates(t: float, y: Array) -> tuple[float, ...]:
        chi, rate, psi, l, _ = y
        F, w = np.interp(t, samples, push), np.interp(t, samples, weight)
        spin = l / chi**2
        sine, cosine = math.sin(alpha - alpha * chi), math.cos(alpha - alpha * chi)
        towards = F * cosine * math.cos(kappa * psi)
        torque = turns * F * kappa * math.sin(kappa * psi) * (sine - pivot) / alpha
        pull = chi * spin**2 - w * sine / alpha + c * rate * abs(spin) + towards
        return rate, pull, spin, torque, torque * spin

    return rates
