"""A rigid block strikes the ground (Giouvanidis & Dimitrakopoulos 2016, section 3).

Which corners an impact closes, opens or lets slip comes out of one linear complementarity problem,
`contacts.py`; no case distinction between rocking, bouncing, flight and full contact. Written
for the lean y = |θ| about the lower corner; a block on its left corner is mirrored.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import IMPACT
from rocksteady.theories.housner.outcome import DOOMED
from rocksteady.theories.housner.rocking import (
    MORE,
    NEGLIGIBLE,
    G,
    about,
    overturning_push,
    quiet_spell,
)
from rocksteady.theories.housner.rocking import settles as chatter_settles
from rocksteady.theories.nonsmooth.contacts import GMatrices, contacts, slipping

COLUMNS = (
    "theta [rad]",
    "omega [rad/s]",
    "contact [-]",  # 0 full contact, ±1 on the right or left corner, 2 flight
    "slide [m]",  # horizontal way of the lower corner since the start
    "lift [m]",  # height of the lower corner above the ground
    "slide_rate [m/s]",
    "lift_rate [m/s]",
    "slip [-]",  # −1, +1: the contact slips that way (±2: and jams); 0: it sticks
    "work [J]",  # done by the shaking ground since the start
    "loss [J]",  # in impacts and by friction since the start
    "least_normal [N]",  # smallest normal force of a contact so far; below 0 it was held down
)
CONTACT, SLIP, LEAST_NORMAL = 2, 7, 10  # where they stand in the state
FLIGHT = 2.0
HOP = 1e-14  # of the width: with friction a hop that rises less is none
GRIP = 1e-10  # of g: a contact force this far outside its limits is rounding, and so is a corner's
# acceleration off the ground where friction and weight give way at once (μ = b/h)
FINE, FINE_EPSILON = 1e-7, 0.9  # hops of less than this part of the width die out soon, if ε ≈ 1
JAM = 1e-7  # friction is taken so much higher where its limit is the very value that jams a corner


class Rates(NamedTuple):
    """Velocities at an impact; contact 1 is the lower corner, 2 the other one."""

    N1: float  # ġ_N
    N2: float
    T: float  # ġ_T
    v: float  # y'


class Impact(NamedTuple):
    """The block at the instant of an impact."""

    arm: float  # r_x of the lower corner
    height: float  # −r_y
    width: float
    ratio: float  # m/I_c
    mu: float
    upright: bool


class Rigid(NamedTuple):
    """What this theory adds to the parameters of a rocking block."""

    R_right: float  # distance of the corner from the centre of mass [m]
    R_left: float
    mass: float  # m [kg]
    inertia: float  # I_c, about the centre of mass [kg m²]
    width: float  # 2b [m]
    epsilon: float  # ε
    mu: float  # μ; infinite: contacts never slip


@kernel
def rigid(params):  # type: ignore[no-untyped-def]
    """What this theory adds to the parameters of a rocking block."""
    return Rigid(*params[MORE:])


@kernel
def corner(side, params):  # type: ignore[no-untyped-def]
    """(α, R) of the corner `side`."""
    body = rigid(params)
    if side > 0:
        return about(side, params).alpha, body.R_right
    return about(side, params).alpha, body.R_left


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands on its whole base and does not slip."""
    return state[2] == 0 and state[7] == 0


@kernel
def doomed(state, params):  # type: ignore[no-untyped-def]
    """Whether it leans about a corner, which it cannot leave, and falls over that."""
    return abs(state[2]) == 1 and DOOMED(state, params)


@kernel
def never(state, params):  # type: ignore[no-untyped-def]
    """A block that can slip or hop may yet be saved by that."""
    return False


@kernel
def changed(state, contact, slip):  # type: ignore[no-untyped-def]
    """The same position and velocity in another state of contact."""
    theta, omega, _, slide, lift, slide_rate, lift_rate, _, work, loss, least = state
    return theta, omega, contact, slide, lift, slide_rate, lift_rate, slip, work, loss, least


@kernel
def lower_corner(theta, omega, slide_rate):  # type: ignore[no-untyped-def]
    """The corner nearer to the ground: +1 right, −1 left; upright, the one that is going to be."""
    if theta != 0:
        return math.copysign(1.0, theta)
    if omega != 0:
        return math.copysign(1.0, omega)
    return math.copysign(1.0, slide_rate)


@kernel
def matrices_of(arm, height, width, ratio, upright):  # type: ignore[no-untyped-def]
    """m times the matrices G of Eq. 5, with W_N = (0, 1, r_x) and W_T = (1, 0, −r_y) of a corner at
    (r_x, r_y) = (arm, −height) from the centre of mass (Eq. 11 when upright); the other corner is
    in contact only when the block is upright. ratio: m/I_c."""
    n11, t1, tt = 1 + ratio * arm * arm, ratio * arm * height, 1 + ratio * height * height
    if not upright:
        return GMatrices(n11, 0.0, 1.0, t1, 0.0, tt)
    other = arm - width
    n12, n22 = 1 + ratio * arm * other, 1 + ratio * other * other
    return GMatrices(n11, n12, n22, t1, ratio * other * height, tt)


@kernel
def rebound(before, body, epsilon):  # type: ignore[no-untyped-def]
    """The velocities after the impact, from the LCP."""
    first, second, tangential, v = before
    arm, height, width, ratio, mu, upright = body
    matrices = matrices_of(arm, height, width, ratio, upright)
    # Newton's law, Eqs. 7 and 8, for contacts that close; one that opens already must not close
    kick1, kick2 = epsilon * min(first, 0.0), epsilon * min(second, 0.0)
    c2 = second + kick2 if upright else 1.0
    found = contacts(matrices, first + kick1, c2, tangential, mu, mu)
    after = found.v1 - kick1
    if upright:
        after2 = found.v2 - kick2
        return Rates(after, after2, found.slip, (after2 - after) / width)
    return Rates(after, 0.0, found.slip, v - ratio * (arm * found.N1 + height * found.T))


@kernel
def kinetic(rates, body):  # type: ignore[no-untyped-def]
    """Kinetic energy per unit mass, from the velocities of the lower corner and the rotation."""
    v = rates.v
    vx, vy = rates.T + body.height * v, rates.N1 + body.arm * v
    return 0.5 * (vx * vx + vy * vy + v * v / body.ratio)


@kernel
def collide(before, body, epsilon):  # type: ignore[no-untyped-def]
    """The impact, with ε lowered where it would add energy (near ε = 1, when an oblique landing
    sticks): the largest that does not, by bisection."""
    most = kinetic(before, body) * (1 + 1e-14)
    low, high, share = 0.0, epsilon, epsilon
    after = before
    for i in range(51):
        after = rebound(before, body, share)
        if kinetic(after, body) > most:
            high = share
        elif share == epsilon or i == 50:
            break
        else:
            low = share
        share = 0.5 * (low + high) if i < 49 else low
    return after


@kernel
def settles(side, after, lost, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Whether all impacts that follow this upright one fit into a quiet spell, so that a block that
    cannot slip is at rest at its end anyway.

    With ε = 0 the rule of `rocking.settles`. With ε > 0 corners hop as well: the first hop or swing
    takes 2ġ⁺/a, a the weakest acceleration that closes the corner; each is shorter than the last
    by the share of velocity that this impact has left.
    """
    body = rigid(params)
    if body.epsilon == 0:
        return chatter_settles(abs(after.v), -side, params, ground0, ground1, dt)
    spell, restore_new, restore = quiet_spell(-side, params, ground0, ground1, dt)
    weight = params[G] + min(ground0[1], ground1[1])
    if spell == 0 or weight <= 0:
        return False
    closing = min(weight, body.width * restore, body.width * restore_new)
    left = math.sqrt(max(1 - lost, 0.0))
    return 2 * max(after.N1, after.N2) <= closing * spell * (1 - left)


@kernel
def negligible(side, after, params, ground):  # type: ignore[no-untyped-def]
    """Whether the motion left by an upright impact would lift the corners by next to nothing, if
    neither can slip."""
    first, second = after.N1, after.N2
    width = rigid(params).width
    closing = params[G] + ground[1]  # of a block in the air
    if first == 0 or second == 0:  # of one that leans on a corner
        pivot = side if first == 0 else -side
        closing = -width * overturning_push(pivot, params, ground)
    speed = max(first, second)
    limit = 2 * NEGLIGIBLE * width * about(side, params).alpha
    return closing > 0 and speed * speed <= limit * closing


@kernel
def closing_on(found, matrices, free):  # type: ignore[no-untyped-def]
    """The weakest acceleration [m/s²] that closes a corner of a block whose base the contact forces
    ``found`` press flat onto the ground: in the air, or while the other corner carries it with
    forces in the same direction. 0 where the base does not stay flat; where it only just does
    (μ = b/h), nothing closes the corner, and no more than rounding opens it."""
    n11, n12, n22, t1, t2, _ = matrices
    z1, z2, push, w1, w2, _, _ = found
    rounding = -GRIP * free
    if not (z1 + z2 > 0 and w1 <= rounding and w2 <= rounding):
        return 0.0
    pull = push / (z1 + z2)
    second = free - free * (n12 + t2 * pull) / (n11 + t1 * pull)
    first = free - free * (n12 + t1 * pull) / (n22 + t2 * pull)
    return max(rounding, min(-free, -first, -second))


@kernel
def comes_to_lie(side, after, body, params, ground):  # type: ignore[no-untyped-def]
    """(Whether the hops after an upright impact of a block that may slip are too small to matter,
    the speed at which its base slips from then on).

    What presses the base onto the ground depends on whether it slips: with μ < b/h a block that
    slides stays flat under any push. Nothing here depends on where the samples are, unlike in
    `settles`: friction acts in every hop, so those that are skipped must not matter.
    """
    arm, height, width, ratio, mu, _ = body
    first, second, tangential, v = after
    matrices = matrices_of(arm, height, width, ratio, True)
    free, limit = -(params[G] + ground[1]), 2 * HOP * width
    square = max(first, second) * max(first, second)
    if not square < limit * -free:  # as after most impacts: no corner closes faster than it falls
        return False, 0.0
    if tangential != 0:
        slip = math.copysign(1.0, tangential)
        # it goes on slipping, at whatever acceleration: hence the infinite one
        found = slipping(matrices, free, free, slip * math.inf, slip, mu, mu)
        if square < limit * closing_on(found, matrices, free):
            sideways = tangential + height * v  # of the centre of mass: its momentum is kept
            return True, sideways if sideways * slip > 0 else 0.0
    found = contacts(matrices, free, free, -side * ground[0], mu, mu)
    closing = closing_on(found, matrices, free)
    return max(square, tangential * tangential) < limit * closing, 0.0


@kernel
def striking_corner(state):  # type: ignore[no-untyped-def]
    """The corner that meets the ground: +1 right, −1 left."""
    theta, omega, contact, _, _, slide_rate, _, slip, _, _, _ = state
    if contact == FLIGHT:
        return lower_corner(theta, omega, slide_rate)
    if contact == 0:  # friction jams a base that slips
        return math.copysign(1.0, slip)
    return contact


@kernel
def without_tiny_hop(before, body, epsilon, closing):  # type: ignore[no-untyped-def]
    """The velocities after the impact; a hop of one corner too small to matter is none."""
    lowest = 2 * body.width * (NEGLIGIBLE if body.mu == math.inf else HOP)
    after = before
    for _ in range(2):
        after = collide(before, body, epsilon)
        if body.upright or lowest * closing < after.N1 * after.N1:
            break
        epsilon = 0.0
    sticks = body.mu == math.inf and epsilon == 0 and not body.upright
    if sticks and lowest * closing >= after.N1 * after.N1:
        # nor is one to which only the sudden stop of a corner that cannot slip lifts it
        after = Rates(0.0, after.N2, after.T, after.v)
    return after


@kernel
def contact_after(side, after, upright):  # type: ignore[no-untyped-def]
    """(State of contact, velocity at which the corner that is then the lower one rises)."""
    first, second, _, v = after
    if not upright:
        return (FLIGHT if first > 0 else side), first
    if first > 0 and second > 0:
        return FLIGHT, (first if v >= 0 else second)
    if first > 0:
        return -side, 0.0
    return (side if second > 0 else 0.0), first


@kernel
def strike(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """A corner meets the ground. What becomes of it follows from the LCP's velocities."""
    theta, omega, contact, slide, _, slide_rate, lift_rate, slip, work, loss, least = state
    side = striking_corner(state)
    upright, y, v = theta == 0, side * theta, side * omega
    alpha, R = corner(side, params)
    S, C = sincos(alpha - y)
    _, _, mass, inertia, width, epsilon, mu = rigid(params)
    if abs(slip) > 1 and contact != 0:
        mu *= 1 + JAM
    body = Impact(R * S, R * C, width, mass / inertia, mu, upright)
    before = Rates(lift_rate, lift_rate + width * v, side * slide_rate, v)
    onto = -min(lift_rate, before.N2 if upright else 0.0)
    if epsilon > FINE_EPSILON and onto * onto < 2 * FINE * width * params[G]:
        epsilon = FINE_EPSILON  # they would otherwise go on for ever, too many to follow
    energy = kinetic(before, body)
    after = without_tiny_hop(before, body, epsilon, params[G] + ground0[1] - body.height * v * v)
    if upright and (after.N1 > 0 or after.N2 > 0):
        if mu < math.inf:
            lies, sliding = comes_to_lie(side, after, body, params, ground0)
        else:
            lost, sliding = 1 - kinetic(after, body) / energy, 0.0
            lies = negligible(side, after, params, ground0) or settles(
                side, after, lost, params, ground0, ground1, dt
            )
        if lies:
            after = Rates(0.0, 0.0, sliding, 0.0)
    loss += mass * (energy - kinetic(after, body))
    contact, rise = contact_after(side, after, upright)
    slip = 0.0
    if contact != FLIGHT and after.T != 0:
        slip = side * math.copysign(1.0, after.T)
    omega, rate = side * after.v, side * after.T
    return (theta, omega, contact, slide, 0.0, rate, rise, slip, work, loss, least), 0.0, IMPACT
