"""A rigid block strikes the ground (Giouvanidis & Dimitrakopoulos 2016, section 3).

Which corners an impact closes, opens or lets slip comes out of one linear complementarity problem,
`contacts.py`; nothing here tells rocking from bouncing, flight or full contact beforehand. Written
for the lean y = |θ| about the lower corner; a block on its left corner is mirrored.
"""

from __future__ import annotations

import math

from rocksteady.formulations.contract import IMPACT
from rocksteady.formulations.nonsmooth.contacts import contacts, slipping
from rocksteady.formulations.rocking import NEGLIGIBLE, about, overturning_push, quiet_spell
from rocksteady.formulations.rocking import settles as chatter_settles
from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos

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
FLIGHT = 2.0
HOP = 1e-14  # of the width: with friction a hop that rises less is none
GRIP = 1e-10  # of g: a contact force this far outside its limits is rounding, and so is a corner's
# acceleration off the ground where friction and weight give way at once (μ = b/h)
FINE, FINE_EPSILON = 1e-7, 0.9  # hops of less than this part of the width die out soon, if ε ≈ 1
JAM = 1e-7  # friction is taken so much higher where its limit is the very value that jams a corner


@kernel
def corner(side, params):  # type: ignore[no-untyped-def]
    """(α, R) of the corner `side`."""
    if side > 0:
        return params[2], params[15]
    return params[8], params[16]


@kernel
def lower_corner(theta, omega, slide_rate):  # type: ignore[no-untyped-def]
    """The corner nearer to the ground: +1 right, −1 left; upright, the one that is going to be."""
    if theta != 0:
        return math.copysign(1.0, theta)
    if omega != 0:
        return math.copysign(1.0, omega)
    return math.copysign(1.0, slide_rate)


@kernel
def matrices(arm, height, width, ratio, upright):  # type: ignore[no-untyped-def]
    """m·(n11, n12, n22, t1, t2, tt) of Eq. 5, with W_N = (0, 1, r_x) and W_T = (1, 0, −r_y) of a
    corner at (r_x, r_y) = (arm, −height) from the centre of mass; the other corner is in contact
    only when the block is upright. ratio: m/I_c."""
    n11, t1, tt = 1 + ratio * arm * arm, ratio * arm * height, 1 + ratio * height * height
    if not upright:
        return n11, 0.0, 1.0, t1, 0.0, tt
    other = arm - width
    return n11, 1 + ratio * arm * other, 1 + ratio * other * other, t1, ratio * other * height, tt


@kernel
def rebound(before, body, upright, epsilon):  # type: ignore[no-untyped-def]
    """(ġ_N1, ġ_N2, ġ_T, y') after the impact; contact 1 is the lower corner, 2 the other one."""
    first, second, tangential, v = before
    arm, height, width, ratio, mu = body
    n11, n12, n22, t1, t2, tt = matrices(arm, height, width, ratio, upright)
    # Newton's law, Eq. 8, for contacts that close; a contact that opens already must not close
    kick1, kick2 = epsilon * min(first, 0.0), epsilon * min(second, 0.0)
    c2 = second + kick2 if upright else 1.0
    z1, _, push, w1, w2, after, _ = contacts(
        n11, n12, n22, t1, t2, tt, first + kick1, c2, tangential, mu
    )
    if upright:
        w1, w2 = w1 - kick1, w2 - kick2
        return w1, w2, after, (w2 - w1) / width
    return w1 - kick1, 0.0, after, v - ratio * (arm * z1 + height * push)


@kernel
def kinetic(rates, body):  # type: ignore[no-untyped-def]
    """Kinetic energy per unit mass, from the velocities of the lower corner and the rotation."""
    arm, height, _, ratio, _ = body
    first, _, tangential, v = rates
    vx, vy = tangential + height * v, first + arm * v
    return 0.5 * (vx * vx + vy * vy + v * v / ratio)


@kernel
def collide(before, body, upright, epsilon):  # type: ignore[no-untyped-def]
    """The impact, with ε lowered where it would add energy (near ε = 1, when an oblique landing
    sticks): the largest that does not, by bisection."""
    most = kinetic(before, body) * (1 + 1e-14)
    low, high, share = 0.0, epsilon, epsilon
    after = before
    for i in range(51):
        after = rebound(before, body, upright, share)
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
    width, epsilon = params[19:21]
    if epsilon == 0:
        return chatter_settles(abs(after[3]), -side, params, ground0, ground1, dt)
    spell, restore_new, restore = quiet_spell(-side, params, ground0, ground1, dt)
    weight = params[0] + min(ground0[1], ground1[1])
    if spell == 0 or weight <= 0:
        return False
    closing = min(weight, width * restore, width * restore_new)
    left = math.sqrt(max(1 - lost, 0.0))
    return 2 * max(after[0], after[1]) <= closing * spell * (1 - left)


@kernel
def negligible(side, after, params, ground):  # type: ignore[no-untyped-def]
    """Whether the motion left by an upright impact would lift the corners by next to nothing, if
    neither can slip."""
    first, second = after[:2]
    closing = params[0] + ground[1]  # of a block in the air
    if first == 0 or second == 0:  # of one that leans on a corner
        pivot = side if first == 0 else -side
        closing = -params[19] * overturning_push(pivot, params, ground)
    speed = max(first, second)
    limit = 2 * NEGLIGIBLE * params[19] * about(side, params)[0]
    return closing > 0 and speed * speed <= limit * closing


@kernel
def closing_on(found, n11, n12, n22, t1, t2, free):  # type: ignore[no-untyped-def]
    """The weakest acceleration [m/s²] that closes a corner of a block whose base the contact forces
    ``found`` press flat onto the ground: in the air, or while the other corner carries it with
    forces in the same direction. 0 where the base does not stay flat; where it only just does
    (μ = b/h), nothing closes the corner, and no more than rounding opens it."""
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
    arm, height, width, ratio, mu = body
    first, second, tangential, v = after
    n11, n12, n22, t1, t2, tt = matrices(arm, height, width, ratio, True)
    free, limit = -(params[0] + ground[1]), 2 * HOP * width
    square = max(first, second) * max(first, second)
    if not square < limit * -free:  # as after most impacts: no corner closes faster than it falls
        return False, 0.0
    if tangential != 0:
        slip = math.copysign(1.0, tangential)
        # it goes on slipping, at whatever acceleration: hence the infinite one
        found = slipping(n11, n12, n22, t1, t2, tt, free, free, slip * math.inf, slip, mu)
        if square < limit * closing_on(found, n11, n12, n22, t1, t2, free):
            sideways = tangential + height * v  # of the centre of mass: its momentum is kept
            return True, sideways if sideways * slip > 0 else 0.0
    found = contacts(n11, n12, n22, t1, t2, tt, free, free, -side * ground[0], mu)
    closing = closing_on(found, n11, n12, n22, t1, t2, free)
    return max(square, tangential * tangential) < limit * closing, 0.0


@kernel
def strike(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """A corner meets the ground. What becomes of it is read from the LCP's velocities."""
    theta, omega, contact, slide, _, slide_rate, lift_rate, slip, work, loss, least = state
    side = contact
    if contact == FLIGHT:
        side = lower_corner(theta, omega, slide_rate)
    elif contact == 0:  # friction jams a base that slips
        side = math.copysign(1.0, slip)
    upright = theta == 0
    y, v = side * theta, side * omega
    alpha, R = corner(side, params)
    S, C = sincos(alpha - y)
    mass, inertia, width, epsilon, mu = params[17:22]
    if abs(slip) > 1 and contact != 0:
        mu *= 1 + JAM
    body = (R * S, R * C, width, mass / inertia, mu)
    before = (lift_rate, lift_rate + width * v, side * slide_rate, v)
    onto = -min(lift_rate, before[1] if upright else 0.0)
    if epsilon > FINE_EPSILON and onto * onto < 2 * FINE * width * params[0]:
        epsilon = FINE_EPSILON  # they would otherwise go on for ever, too many to follow
    energy = kinetic(before, body)
    after = before
    closing = params[0] + ground0[1] - body[1] * v * v
    lowest = 2 * width * (NEGLIGIBLE if mu == math.inf else HOP)
    for _ in range(2):
        after = collide(before, body, upright, epsilon)
        if upright or after[0] * after[0] > lowest * closing:
            break
        epsilon = 0.0  # a hop too small to matter is none
    if mu == math.inf and epsilon == 0 and not upright and after[0] * after[0] <= lowest * closing:
        # nor is one to which only the sudden stop of a corner that cannot slip lifts it
        after = (0.0, after[1], after[2], after[3])
    if upright and (after[0] > 0 or after[1] > 0):
        if mu < math.inf:
            lies, sliding = comes_to_lie(side, after, body, params, ground0)
        else:
            lost, sliding = 1 - kinetic(after, body) / energy, 0.0
            lies = negligible(side, after, params, ground0) or settles(
                side, after, lost, params, ground0, ground1, dt
            )
        if lies:
            after = (0.0, 0.0, sliding, 0.0)
    first, second, tangential, v = after
    loss += mass * (energy - kinetic(after, body))
    if not upright:
        contact = FLIGHT if first > 0 else side
    elif first > 0 and second > 0:
        contact = FLIGHT
        first = first if v >= 0 else second  # velocity of the corner that will be the lower one
    elif first > 0:
        contact, first = -side, 0.0
    elif second > 0:
        contact = side
    else:
        contact = 0.0
    slip = 0.0
    if contact != FLIGHT and tangential != 0:
        slip = side * math.copysign(1.0, tangential)
    after_strike = (
        theta,
        side * v,
        contact,
        slide,
        0.0,
        side * tangential,
        first,
        slip,
        work,
        loss,
        least,
    )
    return after_strike, 0.0, IMPACT
