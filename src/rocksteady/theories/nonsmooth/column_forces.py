"""Forces at the base of a flexible oscillator that may also slide and fly.

The lower edge P may move: ξ to the side of the lean, η upwards. About it the body moves as in
`flexible.py`, by the lean y ≥ 0 and the bending u, so that with its X = Σ m x and Z = Σ m z

    T = μ2 u'²/2 + L u' y' + K(u) y'²/2 + M (ξ'² + η'²)/2 + ξ' X' + η' Z'.

Let A = a_h + ξ'' and W = g + a_v + η''. Lagrange's equations for u and y are linear in A and W, and
so are the forces on P, tangential T and normal N, once u'' and y'' are eliminated:

    T = c_xx A + c_xz W + t0,   N = c_xz A + c_zz W + n0.

An edge that sticks has A = a_h, W = g + a_v; one that slips W = g + a_v and T = −s μ N; a body in
the air T = N = 0. The inverse of the matrix c is the G of Eq. 5.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.nonsmooth.contacts import GMatrices, contacts
from rocksteady.theories.nonsmooth.flexible import Oscillator, respond
from rocksteady.theories.nonsmooth.striking import FLIGHT, GRIP

JAMMED = 1e-8  # of c_xx: where friction is about to jam an edge that slips
OSCILLATOR = len(Oscillator._fields)  # of the parameters; those of `Ends` come behind them


class Ends(NamedTuple):
    """What each edge has of its own."""

    epsilon_right: float
    epsilon_left: float
    mu_right: float  # infinite: contacts never slip
    mu_left: float
    size: float  # of the body [m]


class Edge(NamedTuple):
    """The forces at the lower edge, and u'' = f_u − A x_u − W z_u, y'' = f_y − A x_y − W z_y."""

    c_xx: float
    c_xz: float
    c_zz: float
    t0: float
    n0: float
    f_u: float
    f_y: float
    x_u: float
    x_y: float
    z_u: float
    z_y: float
    along_u: float  # X' = along_u u' + along_y y'
    along_y: float
    up_u: float  # Z' = up_u u' + up_y y'
    up_y: float


@kernel
def edge_of(y, v, u, rate, body):  # type: ignore[no-untyped-def]
    """The lower edge of a body that leans by y about it."""
    mu1, mu2, modal, first, inertia, mass, half, stiffness, damping, _, _, _, _ = body
    S, C = sincos(y)
    arm, lever = mass * half - mu1 * u, mu2 * u - half * mu1
    about = inertia + mass * half * half + u * (lever - half * mu1)
    along_u, along_y = mu1 * C, arm * S + first * C
    up_u, up_y = -mu1 * S, arm * C - first * S
    force_u = lever * v * v - damping * rate - stiffness * u
    force_y = -2 * lever * rate * v
    determinant = mu2 * about - modal * modal
    f_u = (about * force_u - modal * force_y) / determinant
    f_y = (mu2 * force_y - modal * force_u) / determinant
    x_u = (about * along_u - modal * along_y) / determinant
    x_y = (mu2 * along_y - modal * along_u) / determinant
    z_u = (about * up_u - modal * up_y) / determinant
    z_y = (mu2 * up_y - modal * up_u) / determinant
    # X'' and Z'' but for u'' and y''
    sideways = -2 * mu1 * S * rate * v + up_y * v * v
    upwards = -2 * mu1 * C * rate * v - along_y * v * v
    return Edge(
        mass - along_u * x_u - along_y * x_y,
        -along_u * z_u - along_y * z_y,
        mass - up_u * z_u - up_y * z_y,
        along_u * f_u + along_y * f_y + sideways,
        up_u * f_u + up_y * f_y + upwards,
        f_u,
        f_y,
        x_u,
        x_y,
        z_u,
        z_y,
        along_u,
        along_y,
        up_u,
        up_y,
    )


@kernel
def forces(edge, A, W):  # type: ignore[no-untyped-def]
    """(T, N) at the lower edge."""
    return (edge.c_xx * A + edge.c_xz * W + edge.t0, edge.c_xz * A + edge.c_zz * W + edge.n0)


@kernel
def untouched(edge):  # type: ignore[no-untyped-def]
    """(A, W) of a body in the air."""
    determinant = edge.c_xx * edge.c_zz - edge.c_xz * edge.c_xz
    A = (edge.c_xz * edge.n0 - edge.c_zz * edge.t0) / determinant
    return A, (edge.c_xz * edge.t0 - edge.c_xx * edge.n0) / determinant


@kernel
def dragged(edge, W, drag):  # type: ignore[no-untyped-def]
    """A of an edge that slips, T = −drag N."""
    return -((edge.c_xz + drag * edge.c_zz) * W + edge.t0 + drag * edge.n0) / grip(edge, drag)


@kernel
def grip(edge, drag):  # type: ignore[no-untyped-def]
    """Positive where an edge can slip; else friction jams it (Painlevé)."""
    return edge.c_xx + drag * edge.c_xz


@kernel
def matrices_of_edge(edge):  # type: ignore[no-untyped-def]
    """G of the lower edge alone."""
    determinant = edge.c_xx * edge.c_zz - edge.c_xz * edge.c_xz
    t1, tt = -edge.c_xz / determinant, edge.c_zz / determinant
    return GMatrices(edge.c_xx / determinant, 0.0, 1.0, t1, 0.0, tt)


@kernel
def matrices_of_base(u, body):  # type: ignore[no-untyped-def]
    """G of both edges of the upright body."""
    half = body.half
    near = respond(body, u, 0.0, 1.0, -half)  # to a unit impulse at the lower edge
    far = respond(body, u, 0.0, 1.0, half)
    shear = respond(body, u, 1.0, 0.0, 0.0)
    n11, n12, n22 = near.z - half * near.y, far.z - half * far.y, far.z + half * far.y
    return GMatrices(n11, n12, n22, near.x, far.x, shear.x)


@kernel
def let_go(y, v, u, rate, side, body, mu, ground):  # type: ignore[no-untyped-def]
    """(contact, slip) of an edge whose holding force is impossible, from the LCP of its
    accelerations. ``ground`` is mirrored."""
    edge = edge_of(y, v, u, rate, body)
    A, W = untouched(edge)
    rise = W - body.g - ground[1]
    if mu == math.inf:
        return FLIGHT, 0.0
    found = contacts(matrices_of_edge(edge), rise, 1.0, A - ground[0], mu, mu)
    if found.v1 > 0:
        return FLIGHT, 0.0
    return side, (side * math.copysign(1.0, found.slip) if found.slip != 0 else 0.0)


@kernel
def let_base_go(u, rate, body, ends, ground, kind):  # type: ignore[no-untyped-def]
    """(contact, slip) of a base at rest whose forces are impossible, from the LCP of its
    accelerations; what rounding leaves undecided, by the ``kind`` of force: 1, 2 the right, left
    edge carries all; 3, 4 it slips towards +x, −x."""
    edge = edge_of(0.0, 0.0, u, rate, body)
    A, W = untouched(edge)
    spin = edge.f_y - A * edge.x_y - W * edge.z_y
    near = W - body.g - ground[1]
    far = near + 2 * body.half * spin
    found = contacts(
        matrices_of_base(u, body), near, far, A - ground[0], ends.mu_right, ends.mu_left
    )
    first, second = found.v1 > GRIP * body.g, found.v2 > GRIP * body.g
    slip = math.copysign(1.0, found.slip) if abs(found.slip) > 0 else 0.0
    if first and second:
        return FLIGHT, 0.0
    if first or second:
        return (-1.0 if first else 1.0), slip
    if slip != 0 and kind > 2:
        return 0.0, slip
    if kind > 2:
        return 0.0, 7.0 - 2.0 * kind
    return 3.0 - 2.0 * kind, slip


@kernel
def hold_down(u, bend, A, W, body):  # type: ignore[no-untyped-def]
    """Moment of inertia forces and weight on an upright base: M W b ± this is what keeps it down
    about its right (+) and its left edge (−)."""
    return body.modal * bend + body.first * A - body.mu1 * u * W


@kernel
def dragged_base(u, rate, W, slip, body, ends):  # type: ignore[no-untyped-def]
    """A of a whole base that slips, T = −s (μ_r N_r + μ_l N_l)."""
    mass, mu1, mu2 = body.mass, body.mu1, body.mu2
    mean = 0.5 * (ends.mu_right + ends.mu_left)
    uneven = (ends.mu_left - ends.mu_right) / (2 * body.half)
    free = -(body.damping * rate + body.stiffness * u) / mu2  # u'' without A
    moment = body.modal * free - mu1 * u * W
    resisting = mean * mass * W + uneven * moment
    gain = mass - mu1 * mu1 / mu2 + slip * uneven * (body.first - body.modal * mu1 / mu2)
    return -(mu1 * free + slip * resisting) / gain


@kernel
def friction_limit(u, bend, A, W, body, ends):  # type: ignore[no-untyped-def]
    """μ_r N_r + μ_l N_l of an upright base."""
    mean = 0.5 * (ends.mu_right + ends.mu_left)
    uneven = (ends.mu_left - ends.mu_right) / (2 * body.half)
    return mean * body.mass * W + uneven * hold_down(u, bend, A, W, body)
