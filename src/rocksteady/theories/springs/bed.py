"""The springs, dashpots and longest step that a body on springs has: as given, by default, or
searched for a wanted loss at impact."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.theories.springs.interfaces import Interface, Springs, springs_of, stable_step_of
from rocksteady.theories.springs.motion import SLENDER, Bed, stable_step
from rocksteady.theories.springs.step import free_peaks

if TYPE_CHECKING:
    from rocksteady.theories.springs.formulation import RigidBodySpring

LIFT_OFF_TILT = 1e-4  # of α: how far a block tilts on the default bed until a corner lifts off
SOFTER_TILTS = (3e-4, 1e-3, 3e-3, 1e-2)  # beds tried next where a wanted loss needs a softer one
DAMPING = 1.0  # default ξ = β √(K/m) / 2
STEP_FRACTION = 0.2  # of the stability limit: the default step
MEASURED_IMPACTS = 6  # r is the mean over so many impacts of free rocking from θ = α/2
TRIED_DAMPINGS = tuple(10 ** (i / 4 - 2) for i in range(13))  # ξ from 0.01 to 10
ACCEPTED = 0.01  # of the wanted loss 1 − r: largest difference from the loss that is found
SPRING = ("K", "K_s", "beta", "friction")

# -- several interfaces --------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def joined_springs(how: RigidBodySpring, block: Block) -> tuple[Springs, float]:
    """The springs of all interfaces and the longest step used."""
    if how.interfaces is None:
        bed = how.bed(block)
        base = Interface.base(block, K=bed.K, K_s=bed.K_s, beta=bed.beta)
        return springs_of(block, [base], bed.K, lambda K: bed.beta, how.friction), bed.step
    _refuse_stocky(block)
    K = how.K if how.K is not None else _stiffness(block, LIFT_OFF_TILT)

    def beta(own: float) -> float:
        return how.beta if how.beta is not None else 2 * DAMPING * math.sqrt(block.mass / own)

    interfaces = [
        one if one.K_s is not None or how.K_s is None else replace(one, K_s=how.K_s)
        for one in how.interfaces_of(block)
    ]
    springs = springs_of(block, interfaces, K, beta, how.friction)
    limit = stable_step_of(block, springs)
    alone = base_alone(how, block)
    if alone is not None:
        limit = stable_step(block, *alone.bed(block)[:3])
    if how.dt is not None and how.dt > limit:
        raise _unstable(how.dt, limit)
    return springs, how.dt if how.dt is not None else STEP_FRACTION * limit


def base_alone(how: RigidBodySpring, block: Block) -> RigidBodySpring | None:
    """The theory without interfaces that says the same, if they are the whole base and no more."""
    assert how.interfaces is not None
    first, *others = how.interfaces_of(block)
    base = Interface.base(block)
    if others or first.gap or (first.start, first.end) != (base.start, base.end):
        return None
    own = {name: value for name, value in first.as_values().items() if name in SPRING}
    return replace(how, interfaces=None, dt=None, **own)


def _unstable(dt: float, limit: float) -> InputError:
    return InputError(
        f"dt = {dt:.4g} s would be unstable: with these springs and dashpots central "
        f"differences need dt ≤ {limit:.4g} s. Leave dt out to use a fifth of that."
    )


# -- the bed -----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def bed_of(how: RigidBodySpring, block: Block) -> Bed:
    """What it stands on, on its base alone."""
    _refuse_stocky(block)
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
        raise _unstable(how.dt, limit)
    return Bed(K, K_s, beta, how.dt if how.dt is not None else STEP_FRACTION * limit)


def _refuse_stocky(block: Block) -> None:
    steepest = max(block.right.alpha, block.left.alpha)
    if steepest >= SLENDER:
        raise InputError(
            f"The body is too stocky for the spring model: α = {math.degrees(steepest):.3g}°, but "
            "it keeps only small rotations and needs α < 20° (h/b > 2.75) on both sides. Use "
            "Housner or Nonsmooth."
        )


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
            return bed_of(replace(plain, beta=beta), block)
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
