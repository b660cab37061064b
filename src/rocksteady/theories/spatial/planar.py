"""A body on an edge moves in a plane: it is Housner's block, with the α and p of that edge.

With e along the edge, n its normal in the base, inwards, and z up the body's axis, the centre of
mass lies at d_e e + d_n n + h z from corner k. The body leans over the edge by φ:

    γ = cos φ z + sin φ n,   ν = cos φ n − sin φ z,   ξ = ξ_e e + ξ_n ν,   W = φ' e,
    tan α = d_n/h,   R² = d_n² + h²,   p² = g R/(e·J e),
    φ'' = −p² [(1 + a_z/g) sin(α − φ) − (a_n/g) cos(α − φ)],

with a_e = a_x ξ_e − a_y ξ_n along the edge and a_n = a_x ξ_n + a_y ξ_e inwards. The motion over an
interval is Housner's series (`housner/motion.py`). Both corners press on the ground (`edge.py`) if

    M ≤ 0 ≤ N |r| + M,   N = φ'' R sin(α − φ) − φ'² R cos(α − φ) + g + a_z,
    M = φ'' (J_en cos φ − J_ez sin φ) − φ'² (J_ez cos φ + J_en sin φ) − (g + a_z) d_e
        + a_e R cos(α − φ).
"""

import math
from functools import cache
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel, spliced_fused_kernel
from rocksteady.numerics.trig import arctan2, sincos
from rocksteady.numerics.triples import about_point, apply, level_dot
from rocksteady.theories.contract import LANDS, partway
from rocksteady.theories.housner.motion import evaluate, expand, finish, input_work, omitted
from rocksteady.theories.spatial.attempt import COARSE, STEEP, TOUCH, stays_up
from rocksteady.theories.spatial.pivots import (
    ALLOWED,
    HEIGHT,
    INERTIA,
    MASS,
    G,
    Pivot,
    make_pivot,
    numbers_of,
)
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    LEVEL,
    LOSS,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    SPIN,
    TILT,
    UP,
    WORK,
)
from rocksteady.theories.spatial.touchdown import UNSURE, comes_down_once, zero_of_cubic

BLANK = (0.0,) * 6  # after the numbers of an edge: those of a corner are more
CLOSE = 1e-12  # of an interval: how well the time is known at which the base comes down
EXACT = 24.0  # times the error allowed, of p times the interval: five times as exact as Housner


class Edge(NamedTuple):
    """The body about one of its edges."""

    n: Any
    """(x, y) of the unit vector inwards."""
    alpha: Any
    p: Any
    """[rad/s]."""
    per_alpha: Any
    sine: Any
    cosine: Any
    """Of α."""
    R: Any
    along: Any
    """d_e."""
    J_en: Any
    J_ez: Any
    """Per unit mass, about corner k [m²]."""
    length: Any
    """|r|."""
    width: Any
    """From the edge to the nearest of the corners next to it."""


@inner_fused_kernel
def edge_of(pivot, g):  # type: ignore[no-untyped-def]
    """The edge of a `Pivot` on an edge."""
    (x, y), d = pivot.r, pivot.d
    length = math.sqrt(x * x + y * y)
    e = x / length, y / length
    n = -e[1], e[0]
    Je = apply(pivot.J, (e[0], e[1], 0.0))
    inwards, along, height = level_dot(d, n), level_dot(d, e), d[2]
    R = math.sqrt(inwards * inwards + height * height)
    alpha = arctan2(inwards, height)
    p = math.sqrt(g * R / level_dot(Je, e))
    width = min(level_dot(n, pivot.one), level_dot(n, pivot.other))
    return Edge(
        n, alpha, p, 1.0 / alpha, inwards / R, height / R, R, along,
        level_dot(Je, n), Je[2], length, width,
    )  # fmt: skip


@cache
def make_prepare(size: int) -> Any:
    """Build ``prepare(state, params)``: the numbers of the corner, or of the edge, one after the
    other."""
    pivot_of = make_pivot(size)

    @fused_kernel
    def prepare(state, params):  # type: ignore[no-untyped-def]
        pivot = pivot_of(params, state[MODE], state[PIVOT])
        if state[MODE] == EDGE:
            return numbers_of_edge(edge_of(pivot, params[G]))
        return numbers_of(pivot)

    return prepare


@inner_fused_kernel
def edge_between(corners, params):  # type: ignore[no-untyped-def]
    """The same from (x, y) of the edge's two corners, the one after them and the one before."""
    here, there, ahead, behind = corners
    d, r = (-here[0], -here[1], params[HEIGHT]), (there[0] - here[0], there[1] - here[1])
    one, other = (
        (ahead[0] - here[0], ahead[1] - here[1]),
        (behind[0] - here[0], behind[1] - here[1]),
    )
    J = about_point(params[INERTIA:ALLOWED], d)
    return edge_of(Pivot(d, J, J, r, one, other), params[G])


@inner_fused_kernel
def numbers_of_edge(edge):  # type: ignore[no-untyped-def]
    """As many as a corner has, one after the other."""
    return edge.n + edge[1:] + BLANK


@inner_fused_kernel
def prepared_edge(params):  # type: ignore[no-untyped-def]
    """The edge again, from parameters that end with what was prepared."""
    return Edge(params[-19:-17], *params[-17:-6])


class Shaken(NamedTuple):
    """The ground in the plane of an edge, and the axis ξ that tells where that is."""

    across0: Any
    across1: Any
    """a_n at both ends of an interval."""
    along0: Any
    along1: Any
    """a_e."""
    ahead_along: Any
    ahead_across: Any
    """ξ_e, ξ_n."""


@inner_fused_kernel
def shaken(state, edge, ground0, ground1):  # type: ignore[no-untyped-def]
    up, ahead, n = state[UP:AHEAD], state[AHEAD:SPIN], edge.n
    E = ahead[0] * n[1] - ahead[1] * n[0]
    N = up[2] * level_dot(ahead, n) - level_dot(up, n) * ahead[2]
    (x0, _, y0), (x1, _, y1) = ground0, ground1
    across, along = (x0 * N + y0 * E, x1 * N + y1 * E), (x0 * E - y0 * N, x1 * E - y1 * N)
    return Shaken(*across, *along, E, N)


@inner_fused_kernel
def rate_on_edge(spin, edge):  # type: ignore[no-untyped-def]
    """φ' [rad/s]."""
    return spin[0] * edge.n[1] - spin[1] * edge.n[0]


@spliced_fused_kernel
def motion_on_edge(state, edge, g, ground, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The series of φ from this state on, and the coefficients (k₁, c₁) of sin(α − φ) and
    cos(α − φ) in φ'' at the end; ``ground`` is `Shaken`."""
    turn = edge.p * dt
    weight, share = -turn * turn, -turn * turn / g
    k, c = weight + share * ground0[1], -share * ground.across0
    k1, c1 = weight + share * ground1[1], -share * ground.across1
    y, v = state[TILT], dt * rate_on_edge(state[SPIN:PLACE], edge)
    return expand(y, v, edge.alpha, turn, (k, k1 - k), (c, c1 - c)), (k1, c1)


@inner_fused_kernel
def doubt(motion, weight):  # type: ignore[no-untyped-def]
    """More than a force per unit mass can dip, within an interval, below those at both ends."""
    turn = motion.turn + abs(motion.v)
    return turn * turn * abs(weight)


@inner_fused_kernel
def both_press(rise, rate, trig, edge, weight, push, least):  # type: ignore[no-untyped-def]
    """Whether both corners of the edge press on the ground, each by ``least``; ``rise`` is φ'',
    ``rate`` φ', ``trig`` (sin, cos) of φ and of α − φ, ``weight`` g + a_z, ``push`` a_e."""
    sine, cosine, S, C = trig
    square, R = rate * rate, edge.R
    M = rise * (edge.J_en * cosine - edge.J_ez * sine)
    M = M - square * (edge.J_ez * cosine + edge.J_en * sine) - weight * edge.along + push * (R * C)
    N = rise * (R * S) - square * (R * C) + weight
    margin = least * edge.length
    return (margin <= -M) & (margin <= N * edge.length + M)


@inner_fused_kernel
def angles(S, C, edge):  # type: ignore[no-untyped-def]
    """(sin φ, cos φ, sin(α − φ), cos(α − φ)) from the last two."""
    return edge.sine * C - edge.cosine * S, edge.cosine * C + edge.sine * S, S, C


@inner_fused_kernel
def angles_of(sine, cosine, edge):  # type: ignore[no-untyped-def]
    """The same from the first two."""
    S, C = edge.sine * cosine - edge.cosine * sine, edge.cosine * cosine + edge.sine * sine
    return sine, cosine, S, C


@inner_fused_kernel
def turned_over(trig, rate, edge, ground):  # type: ignore[no-untyped-def]
    """γ, ξ and W of a body that leans by φ, at the rate φ' [rad/s]."""
    (x, y), (sine, cosine, _, _) = edge.n, trig
    E, N = ground.ahead_along, ground.ahead_across
    ahead = E * y + N * (cosine * x), N * (cosine * y) - E * x, -(N * sine)
    return (sine * x, sine * y, cosine), ahead, (rate * y, -(rate * x), 0.0)


@inner_fused_kernel
def unsure(motion, wide, touch):  # type: ignore[no-untyped-def]
    """How far the height of a corner may be from the cubic with its heights and rates at both ends
    of the interval, and from the ground if it touches it."""
    return 2.0 * touch + UNSURE * (wide * (abs(motion.F2) + (abs(motion.F3) + abs(motion.F4))))


@spliced_fused_kernel
def tip(state, params, edge, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    """The attempt at a whole interval on an edge: (state, reach, ok, the series, what it leaves out
    as a leap would count it); see `contract.Glide`."""
    g, height = params[G], params[HEIGHT]
    ground = shaken(state, edge, ground0, ground1)
    motion, (k, c) = motion_on_edge(state, edge, g, ground, ground0, ground1, dt)
    tilt, v = finish(motion)
    S, C = sincos(edge.alpha - tilt)
    trig, square, up = angles(S, C, edge), dt * dt, state[UP:AHEAD]
    first = angles_of(level_dot(up, edge.n), up[2], edge)
    left_out = omitted(motion) * (COARSE / EXACT) / motion.turn
    ok = (trig[1] > STEEP) & (left_out <= COARSE * params[ALLOWED]) & (state[MODE] == EDGE)
    wide, touch, steady = edge.width, TOUCH * height, ok
    near = unsure(motion, wide, touch)
    ok = ok & stays_up(wide * motion.y, wide * motion.v, wide * tilt, wide * v, touch, near)
    weight = square * (g + ground0[1]), square * (g + ground1[1])
    push = square * ground.along0, square * ground.along1
    least = doubt(motion, weight[0])
    ok = ok & both_press(motion.a, motion.v, first, edge, weight[0], push[0], least)
    ok = ok & both_press(k * S + c * C, v, trig, edge, weight[1], push[1], least)
    lean, lean_rate = edge.per_alpha * tilt, edge.per_alpha * (rate * v)
    up, ahead, spin = turned_over(trig, rate * v, edge, ground)
    new = (lean, lean_rate, tilt, *up, *ahead, *spin)
    new = new + state[PLACE:]
    turns = ok & (state[1] > 0.0) & (lean_rate < 0.0)
    outmost = max(state[0], lean) + (abs(state[1]) + abs(lean_rate)) * dt
    reach = LANDS if steady & (not ok) else 0.0
    return new, outmost if turns else reach, ok, motion, left_out


@fused_kernel
def work_on_edge(motion, weight, edge, dt, part):  # type: ignore[no-untyped-def]
    """Work of the ground over a part of the interval [J]; ``weight`` is that of the body."""
    inertia = weight * edge.R / (edge.p * edge.p)
    return inertia * (input_work(motion, part) / (dt * dt))


@cache
def make_tip(*, with_work: bool) -> Any:
    """Build the same for one body at a time: (state, ok, what is left out)."""

    @fused_kernel
    def tip_alone(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        edge = prepared_edge(params)
        new, _, ok, motion, left_out = tip(state, params, edge, ground0, ground1, dt, 1.0 / dt)
        if with_work and ok:
            work = state[WORK] + work_on_edge(motion, params[MASS] * params[G], edge, dt, 1.0)
            new = new[:WORK] + (work,) + new[LOSS:]  # noqa: RUF005 (for Numba)
        return new, ok, left_out

    return tip_alone


class Fall(NamedTuple):
    """Where the whole base comes down in an interval."""

    motion: Any
    """The series."""
    part: Any
    """Of the interval, until then."""
    rate: Any
    """φ' then [rad/s]."""
    ahead: Any
    spin: Any
    """ξ and W [rad/s] then; γ is upright."""
    found: Any
    """Whether it comes down once, clearly, while both corners press on the ground."""
    left_out: Any
    """As in `tip`."""


@inner_fused_kernel
def closer(motion, t):  # type: ignore[no-untyped-def]
    """To where the base comes down, by Newton's method."""
    y, v, _ = evaluate(motion, t)
    return t - y / (v if v < 0.0 else -1.0)


@spliced_fused_kernel
def fall(state, params, edge, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """The motion up to where the base comes down: without branches, as `touchdown.py`."""
    g, wide, touch = params[G], edge.width, TOUCH * params[HEIGHT]
    ground = shaken(state, edge, ground0, ground1)
    motion, _ = motion_on_edge(state, edge, g, ground, ground0, ground1, dt)
    tilt, v = finish(motion)
    left_out = omitted(motion) * (COARSE / EXACT) / motion.turn
    near = unsure(motion, wide, touch)
    heights = wide * motion.y, wide * motion.v, wide * tilt, wide * v
    found = (left_out <= COARSE * params[ALLOWED]) & comes_down_once(*heights, touch, near)
    t = zero_of_cubic(max(motion.y, 0.0), motion.v, tilt, v)
    t = t if (t > 0.0) & (t < 1.0) else 0.5
    t = closer(motion, closer(motion, t))
    found = found & (t > 0.0) & (t < 1.0)
    t = t if found else 0.5
    y, v, rise = evaluate(motion, t)
    found = found & (v < 0.0) & (abs(y) <= CLOSE * abs(v))
    up, square, end = state[UP:AHEAD], dt * dt, partway(ground0, ground1, t)
    push = ground.along0 + t * (ground.along1 - ground.along0)
    first, last = angles_of(level_dot(up, edge.n), up[2], edge), (0.0, 1.0, edge.sine, edge.cosine)
    weight, along = square * (g + ground0[1]), square * ground.along0
    least = doubt(motion, weight)
    found = found & both_press(motion.a, motion.v, first, edge, weight, along, least)
    found = found & both_press(rise, v, last, edge, square * (g + end[1]), square * push, least)
    rate = v / dt
    _, ahead, spin = turned_over(last, rate, edge, ground)
    return Fall(motion, t, rate, ahead, spin, found, left_out)


@inner_fused_kernel
def bounced(state, found, edge):  # type: ignore[no-untyped-def]
    """The state after the impact of the base (`flat.Bounce`), about the new edge."""
    lean_rate = edge.per_alpha * rate_on_edge(found.spin, edge)
    new = (0.0, lean_rate, 0.0, *LEVEL, *found.ahead, *found.spin, *found.place)
    loss = state[LOSS] + (found.energy - found.left)
    new = (*new, EDGE, found.edge, state[WORK], loss)
    return new + state[MORE:]


@cache
def make_fallen(*, with_work: bool) -> Any:
    """Build ``fallen(state, params, edge, ground0, ground1, dt)``: (state where the base comes
    down, time used, whether it does so clearly, what the series over the interval leaves out)."""

    @fused_kernel
    def fallen(state, params, edge, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        to, work = fall(state, params, edge, ground0, ground1, dt), state[WORK]
        if with_work and to.found:
            work = work + work_on_edge(to.motion, params[MASS] * params[G], edge, dt, to.part)
        level = 0.0, edge.per_alpha * to.rate, 0.0
        new = (*level, *LEVEL, *to.ahead, *to.spin)
        new = new + state[PLACE:WORK] + (work,) + state[LOSS:]
        return new, to.part * dt, to.found, to.left_out

    return fallen
