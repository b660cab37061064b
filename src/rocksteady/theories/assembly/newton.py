"""Newton's method on the active set, by the method of multipliers:

    F(w) = M (w_free − w) + Hᵀ proj(p − ρ u(w)) = 0,   then p ← proj(p − ρ u),

with ρ = 10⁵/W for every row, so that one or two rounds of p are enough. It converges in a step or
two where few statuses change, and not at all in about one solve of a hundred of a rocking column:
then sweeps bring it nearer (`problem.py`).
"""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.envelope import PLACE, add_block, clear, factor, plan, substitute
from rocksteady.theories.assembly.rows import N0, N1, T, cone, pushed, residual, speed, weight_of
from rocksteady.theories.assembly.workspace import (
    AWAY,
    FACTORED,
    FREE,
    OFF,
    OPEN,
    PAIRS,
    PLANNED,
    SHUT,
    SLIPS,
    SLIPS_BACK,
    STEPS,
    STICKS,
    W,
)

PRIME = 2_147_483_647  # of the code of statuses
STIFF = 1e5  # ρ W


@array_kernel
def trial(work, pair):  # type: ignore[no-untyped-def]
    """proj(p − ρ u(w)) of one joint: (N₀, N₁, T, their statuses)."""
    n0 = n1 = 0.0
    s0 = s1 = AWAY
    if work.on[pair, 0]:
        u = speed(work, pair, N0, W) + work.aim[pair, 0]
        n0 = max(0.0, work.push[pair, 0] - STIFF / work.weigh[pair, 0] * u)
        s0 = SHUT if n0 > 0.0 else OPEN
    if work.on[pair, 1]:
        u = speed(work, pair, N1, W) + work.aim[pair, 1]
        n1 = max(0.0, work.push[pair, 1] - STIFF / work.weigh[pair, 3] * u)
        s1 = SHUT if n1 > 0.0 else OPEN
    u = speed(work, pair, T, W) + work.aim[pair, T]
    t = work.push[pair, T] - STIFF / work.weigh[pair, 5] * u
    limit = work.rub[pair, 0] * (n0 + n1 + work.rub[pair, 1])
    if limit == 0.0:
        return n0, n1, 0.0, s0, s1, OFF
    if work.slip[pair, 3] != 0:
        return n0, n1, work.slip[pair, 3] * limit, s0, s1, work.slip[pair, 3]
    if t > limit:
        return n0, n1, limit, s0, s1, SLIPS
    if t < -limit:
        return n0, n1, -limit, s0, s1, SLIPS_BACK
    return n0, n1, t, s0, s1, STICKS


@array_kernel
def last_statuses(work):  # type: ignore[no-untyped-def]
    """Begin with the statuses of the last solve; ends that took no part in it are shut."""
    for pair in range(work.tally[PAIRS]):
        now, kept = work.now[pair], work.kept[pair]
        for k in range(2):
            if work.on[pair, k]:
                now[k] = SHUT if kept[k] == AWAY else kept[k]
            else:
                now[k] = AWAY
        if now[0] != SHUT and now[1] != SHUT:
            now[2] = OFF
        elif work.slip[pair, 3] != 0:
            now[2] = work.slip[pair, 3]
        else:
            now[2] = STICKS if kept[2] == OFF else kept[2]


@array_kernel
def statuses_of_impulses(work):  # type: ignore[no-untyped-def]
    """Begin with what the impulses say, after sweeps."""
    for pair in range(work.tally[PAIRS]):
        now, push = work.now[pair], work.push[pair]
        for k in range(2):
            now[k] = (SHUT if push[k] > 0.0 else OPEN) if work.on[pair, k] else AWAY
        limit = cone(work, pair)
        if limit == 0.0:
            now[2] = OFF
        elif work.slip[pair, 3] != 0:
            now[2] = work.slip[pair, 3]
        elif abs(push[T]) < (1.0 - 1e-9) * limit:
            now[2] = STICKS
        else:
            now[2] = SLIPS if push[T] > 0.0 else SLIPS_BACK


@array_kernel
def as_given(work, pair):  # type: ignore[no-untyped-def]
    """p − ρ u(w) of one joint with the statuses of now, of either sign: (N₀, N₁, T, statuses)."""
    now, n0, n1 = work.now[pair], 0.0, 0.0
    if now[0] == SHUT:
        u = speed(work, pair, N0, W) + work.aim[pair, 0]
        n0 = work.push[pair, 0] - STIFF / work.weigh[pair, 0] * u
    if now[1] == SHUT:
        u = speed(work, pair, N1, W) + work.aim[pair, 1]
        n1 = work.push[pair, 1] - STIFF / work.weigh[pair, 3] * u
    t = 0.0
    if now[2] == STICKS:
        u = speed(work, pair, T, W) + work.aim[pair, T]
        t = work.push[pair, T] - STIFF / work.weigh[pair, 5] * u
    elif now[2] != OFF:
        t = now[2] * work.rub[pair, 0] * (n0 + n1 + work.rub[pair, 1])
    return n0, n1, t, now[0], now[1], now[2]


@array_kernel
def imbalance(work, given):  # type: ignore[no-untyped-def]
    """Write F(w) and the statuses, or keep those ``given``; (largest of M⁻¹F [m/s], whether a
    status differs from those of the matrix, a code of all statuses)."""
    body, shape, rank, F = work.body, work.shape, work.rank, work.exact
    moving = F.shape[1] // 3
    for i in range(moving):
        for k in range(3):
            mass = 1.0 / (shape[i, 0] if k < 2 else shape[i, 1])
            F[0, 3 * rank[i, PLACE] + k] = mass * (body[FREE, 3 * i + k] - body[W, 3 * i + k])
    changed, code = False, 0
    for pair in range(work.tally[PAIRS]):
        if not (work.on[pair, 0] or work.on[pair, 1]):
            if work.kept[pair, 0] == SHUT or work.kept[pair, 1] == SHUT:
                changed = True
            work.now[pair, 0] = work.now[pair, 1] = AWAY
            work.now[pair, 2] = OFF
            continue
        n0, n1, t, s0, s1, st = as_given(work, pair) if given else trial(work, pair)
        now, kept = work.now[pair], work.kept[pair]
        now[0], now[1], now[2] = s0, s1, st
        code = (code * 1_000_003 + 97 * s0 + 31 * s1 + st + 7) % PRIME
        if s0 != kept[0] or s1 != kept[1] or st != kept[2]:
            changed = True
        act(work, pair, n0, n1, t)
    worst = 0.0
    for i in range(moving):
        at = 3 * rank[i, PLACE]
        if not math.isfinite(F[0, at] + F[0, at + 1] + F[0, at + 2]):  # max() passes over NaN
            return math.inf, changed, code
        worst = max(worst, abs(F[0, at]) * shape[i, 0], abs(F[0, at + 1]) * shape[i, 0])
        worst = max(worst, abs(F[0, at + 2]) * shape[i, 1] * shape[i, 2])
    return worst, changed, code


@array_kernel
def act(work, pair, n0, n1, t):  # type: ignore[no-untyped-def]
    """Add Hᵀ p of one joint to F."""
    F, moving = work.exact, work.exact.shape[1] // 3
    p, q, r = work.row[pair, 0], work.row[pair, 1], work.row[pair, 2]
    x = n0 * p[0] + n1 * q[0] + t * r[0]
    y = n0 * p[1] + n1 * q[1] + t * r[1]
    a, b = work.pair[pair, 2], work.pair[pair, 3]
    if a < moving:
        at = 3 * work.rank[a, PLACE]
        F[0, at] += x
        F[0, at + 1] += y
        F[0, at + 2] += n0 * p[2] + n1 * q[2] + t * r[2]
    if b < moving:
        at = 3 * work.rank[b, PLACE]
        F[0, at] -= x
        F[0, at + 1] -= y
        F[0, at + 2] -= n0 * p[3] + n1 * q[3] + t * r[3]


@array_kernel
def add_product(work, pair, r, x, y, turn_a, turn_b):  # type: ignore[no-untyped-def]
    """Add l h_rᵀ to the matrix, l given as a row is: direction and both lever arms."""
    q = work.row[pair, r]
    u, v, w_a, w_b = q[0], q[1], q[2], q[3]
    moving = work.exact.shape[1] // 3
    a, b = work.pair[pair, 2], work.pair[pair, 3]
    if a < moving:
        i = work.rank[a, PLACE]
        add_block(work, i, i, x, y, turn_a, u, v, w_a)
    if b < moving:
        j = work.rank[b, PLACE]
        add_block(work, j, j, x, y, turn_b, u, v, w_b)
        if a < moving:
            i = work.rank[a, PLACE]
            add_block(work, i, j, -x, -y, -turn_a, u, v, w_b)
            add_block(work, j, i, -x, -y, -turn_b, u, v, w_a)


@array_kernel
def build(work):  # type: ignore[no-untyped-def]
    """Make the matrix for the statuses of now, and factor it."""
    clear(work)
    for pair in range(work.tally[PAIRS]):
        now, kept = work.now[pair], work.kept[pair]
        kept[0], kept[1], kept[2] = now[0], now[1], now[2]
        if not (work.on[pair, 0] or work.on[pair, 1]):
            continue
        t, slip = work.row[pair, T], 0.0
        if now[2] == SLIPS or now[2] == SLIPS_BACK:
            slip = now[2] * work.rub[pair, 0]
        for r in range(2):
            if now[r] == SHUT:
                n, k = work.row[pair, r], STIFF / weight_of(work.weigh[pair], r)
                x, y = k * (n[0] + slip * t[0]), k * (n[1] + slip * t[1])
                add_product(work, pair, r, x, y, k * (n[2] + slip * t[2]), k * (n[3] + slip * t[3]))
        if now[2] == STICKS:
            k = STIFF / work.weigh[pair, 5]
            add_product(work, pair, T, k * t[0], k * t[1], k * t[2], k * t[3])
    work.tally[FACTORED] = 1 if factor(work) else 0
    return work.tally[FACTORED] == 1


@array_kernel
def newton(work, allowed, fresh):  # type: ignore[no-untyped-def]
    """Solve from the impulses ``push``. (Residual [m/s] of what is left in ``push`` and W, whether
    it is allowed.) It begins with the statuses of the last solve or, ``fresh``, of ``push``."""
    if work.tally[PLANNED] == 0:
        plan(work)
    if work.tally[PLANNED] < 0:
        return math.inf, False
    if fresh:
        work.tally[FACTORED] = 0
    last, good, given = math.inf, False, True
    thrice = twice = once = latest = -1  # codes of the statuses of steps before the last
    if fresh:
        statuses_of_impulses(work)
    else:
        last_statuses(work)
    for _ in range(int(work.number[STEPS])):
        size, changed, code = imbalance(work, given)
        cycles = changed and code in (once, twice, thrice)
        if size == math.inf or cycles:
            return math.inf, False
        thrice, twice, once, latest = twice, once, latest, code
        if not given and size <= 0.01 * allowed and not changed:
            for pair in range(work.tally[PAIRS]):
                if work.on[pair, 0] or work.on[pair, 1]:
                    n0, n1, t, _, _, _ = trial(work, pair)
                    work.push[pair, 0], work.push[pair, 1], work.push[pair, 2] = n0, n1, t
            pushed(work, W)
            left = residual(work)
            if left <= 0.01 * allowed or (left <= allowed and good):
                return left, True
            good = left <= allowed  # one more round is cheap, and a hundred times better
            given = True  # p took over ρ u; p − ρ u with the same u would count it twice
            last, thrice, twice, once, latest = math.inf, -1, -1, -1, -1
            continue
        stale = changed or work.tally[FACTORED] == 0 or size > 0.1 * last
        if stale and not build(work):
            return math.inf, False
        last, given = size, False
        substitute(work)
        for i in range(work.exact.shape[1] // 3):
            at = 3 * work.rank[i, PLACE]
            for k in range(3):
                work.body[W, 3 * i + k] += work.exact[1, at + k]
    return math.inf, False
