"""The complementarity problem itself: Giouvanidis & Dimitrakopoulos (2016), Eqs. 9–21."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rocksteady.errors import InputError
from rocksteady.theories.nonsmooth import lcp
from rocksteady.theories.nonsmooth.contacts import GMatrices, contacts
from rocksteady.theories.nonsmooth.lcp import impact, impact_lcp, lemke


def lcp_residual(A, b, z):
    """How far z is from solving the LCP (A, b): the largest |min(z_i, w_i)|, with z scaled by the
    diagonal of A to the unit of w = A z + b, in units of the largest term of w."""
    w = A @ z + b
    size = np.max(np.abs(b) + np.abs(A) @ np.abs(z))
    if size == 0:
        return 0.0
    weight = np.max(np.abs(A), axis=0)
    return float(np.max(np.abs(np.minimum(weight * z, w))) / size)


def block(alpha, R=1.0, mass=1.0):
    """Mass matrix and directions of the upright rectangular block, Eq. 11."""
    b, h = R * math.sin(alpha), R * math.cos(alpha)
    M = mass * np.diag([1.0, 1.0, R**2 / 3])
    return M, np.array([[0, 0], [1, 1], [-b, b]]), np.array([[1.0], [0.0], [h]])


def about_corner_1(alpha, spin, R=1.0):
    """Velocities of pure rotation φ' = spin about pivot 1, the corner at −b."""
    return spin * np.array([-R * math.cos(alpha), R * math.sin(alpha), 1.0])


def systems(count, friction):
    """Random systems: up to 5 coordinates, 1–2 contacts, approaching, leaving or sliding, that
    are not so nearly overconstrained (condition of G above 1e4) that rounding decides."""
    rng = np.random.default_rng(2016)
    while count > 0:
        k = rng.integers(1, 3)
        n = rng.integers(k + 1, 6)
        root = rng.normal(size=(n, n))
        mass = root @ root.T + 0.1 * np.eye(n)
        W_N, W_T = rng.normal(size=(n, k)), rng.normal(size=(n, 1))
        W = np.hstack([W_N, W_T])
        if np.linalg.cond(W.T @ np.linalg.solve(mass, W)) > 1e4:
            continue
        count -= 1
        mu = rng.uniform(0.05, 0.6) if friction else None
        yield mass, W_N, W_T, rng.normal(size=n), rng.uniform(0, 1), mu


@pytest.mark.parametrize("friction", [False, True], ids=["sticking", "Coulomb"])
def test_against_quantecon_on_a_thousand_systems(friction):
    pytest.importorskip("quantecon", reason="an oracle for tests only")
    from quantecon.optimize import lcp_lemke

    for mass, W_N, W_T, qdot, epsilon, mu in systems(1000, friction):
        A, b = impact_lcp(mass, W_N, W_T, qdot, epsilon, mu)
        z, found = lemke(A, b)
        oracle = lcp_lemke(A, b)
        assert found
        assert oracle.success
        assert lcp_residual(A, b, z) < 1e-12
        np.testing.assert_allclose(z, oracle.z, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("friction", [False, True], ids=["sticking", "Coulomb"])
def test_scalar_solver_solves_the_same_problem(friction):
    """`contacts`, the one inside the step, against the full matrix form."""
    agree = 0
    for mass, W_N, W_T, qdot, epsilon, mu in systems(1000, friction):
        A, b = impact_lcp(mass, W_N, W_T, qdot, epsilon, mu)
        inverse = np.linalg.inv(mass)
        G_NN, G_NT, G_TT = W_N.T @ inverse @ W_N, W_N.T @ inverse @ W_T, W_T.T @ inverse @ W_T
        before = W_N.T @ qdot
        c = before + epsilon * np.minimum(before, 0)
        n12, n22, t2, c2 = 0.0, 1.0, 0.0, 1.0
        if len(c) == 2:
            n12, n22, t2, c2 = G_NN[0, 1], G_NN[1, 1], G_NT[1, 0], c[1]
        slip = (W_T.T @ qdot)[0]
        limit = math.inf if mu is None else mu
        z1, z2, push, _, _, after, _ = contacts(
            GMatrices(G_NN[0, 0], n12, n22, G_NT[0, 0], t2, G_TT[0, 0]),
            c[0],
            c2,
            slip,
            limit,
            limit,
        )
        normal = np.array([z1, z2][: len(c)])
        z = normal if mu is None else [*normal, push + mu * normal.sum(), max(-after, 0.0)]
        assert lcp_residual(A, b, z) < 1e-12
        agree += np.allclose(normal, lemke(A, b)[0][: len(c)], rtol=1e-8, atol=1e-10)
    assert agree >= (990 if friction else 1000)  # the friction LCP may have several solutions


@given(alpha=st.floats(0.02, 1.5), epsilon=st.floats(0, 1), spin=st.floats(-10, -0.01))
@settings(max_examples=300, deadline=None)
def test_every_regime_of_the_block(alpha, epsilon, spin):
    """Eqs. 13, 14, 21 (stocky: full contact, bouncing), 17, 18, 20 (slender: rocking, flight)."""
    s2 = math.sin(alpha) ** 2
    assume(abs(1 - 1.5 * s2) > 1e-3)  # h/b = 1/√2 exactly: both regimes hold
    M, W_N, W_T = block(alpha)
    before = about_corner_1(alpha, spin)
    closing = 2 * math.sin(alpha) * spin
    after, normal, tangential = impact(M, W_N, W_T, before, epsilon)
    opening = W_N.T @ after
    if s2 > 2 / 3:
        expected = (1 + epsilon) * np.array([1 / (3 * s2) - 0.5, -1 / (3 * s2)])
        shear, eta = (1 + epsilon) / (2 * math.tan(alpha)), -epsilon
    else:
        expected = (1 + epsilon) * np.array([0, 0.75 * s2 - 1])
        shear = 0.75 * (1 + epsilon) * math.sin(alpha) * math.cos(alpha)
        eta = 1 - 1.5 * (1 + epsilon) * s2
        assert opening[0] / closing == pytest.approx((1 + epsilon) * (1.5 * s2 - 1), abs=1e-12)
    np.testing.assert_allclose(normal / closing, expected, rtol=1e-11, atol=1e-12)
    assert tangential[0] / closing == pytest.approx(shear, rel=1e-11, abs=1e-12)
    assert after[2] / spin == pytest.approx(eta, abs=1e-11)
    assert opening[1] == pytest.approx(-epsilon * closing, abs=1e-11)
    assert (W_T.T @ after)[0] == pytest.approx(0, abs=1e-11)  # it sticks


@pytest.mark.parametrize(("slenderness", "rocks"), [(0.70, False), (0.71, True), (7.0, True)])
def test_the_slenderness_limit(slenderness, rocks):
    """Eqs. 15 and 19: h/b = 1/√2 divides bodies that stay from bodies that rock (ε = 0)."""
    alpha = math.atan(1 / slenderness)
    after, normal, _ = impact(*block(alpha), about_corner_1(alpha, -1.0), 0.0)
    assert (normal[0] == 0) == rocks
    assert (abs(after[2]) > 1e-3) == rocks
    assert after[2] == pytest.approx(-(1 - 1.5 * math.sin(alpha) ** 2) if rocks else 0, abs=1e-12)


@given(
    alpha=st.floats(0.1, 1.4),
    lean=st.floats(0, 0.3),
    velocity=st.tuples(*[st.floats(-5, 5)] * 3),
    epsilon=st.floats(0, 1),
    mu=st.none() | st.floats(0.01, 3),
)
@settings(max_examples=400, deadline=None)
@example(alpha=0.5, lean=0.0, velocity=(0.0, -1.1406866556493054e-142, 0.0), epsilon=0.0, mu=1.0)
def test_an_impact_never_adds_energy(alpha, lean, velocity, epsilon, mu):
    """Oblique landings too, where ε near 1 has to be lowered."""
    M = np.diag([1.0, 1.0, 1 / 3])
    x, y = math.sin(alpha - lean), -math.cos(alpha - lean)
    W_N, W_T = np.array([[0.0], [1.0], [x]]), np.array([[1.0], [0.0], [-y]])
    v = np.array(velocity)
    assume((W_N.T @ v)[0] < 0)
    after, normal, tangential = impact(M, W_N, W_T, v, epsilon, mu)
    assert after @ M @ after <= v @ M @ v * (1 + 1e-13)
    assert normal[0] >= 0
    assert (W_N.T @ after)[0] >= -1e-12
    if mu is not None:
        assert abs(tangential[0]) <= mu * normal[0] * (1 + 1e-12) + 1e-15


def test_newtons_law_as_printed_can_add_energy():
    """The reason for lowering ε: as the equations stand, ε = 1 gives this landing half its
    energy more."""
    alpha = 0.78
    M = np.diag([1.0, 1.0, 1 / 3])
    W_N = np.array([[0.0], [1.0], [math.sin(alpha)]])
    W_T = np.array([[1.0], [0.0], [math.cos(alpha)]])
    v = np.array([0.0, -0.45, -1.0])
    raw, _, _ = lcp._impact(M, W_N, W_T, v, 1.0, None)
    lowered, _, _ = impact(M, W_N, W_T, v, 1.0)
    assert raw @ M @ raw > v @ M @ v * 1.5
    assert lowered @ M @ lowered == pytest.approx(v @ M @ v, rel=1e-9)  # the largest ε, not ε = 0


def test_large_friction_is_sticking():
    """Equal to 6e-15."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        alpha = rng.uniform(0.05, 1.3)
        M, W_N, W_T = block(alpha)
        before = about_corner_1(alpha, -rng.uniform(0.1, 2))
        stick = impact(M, W_N, W_T, before, 0.3)
        rough = impact(M, W_N, W_T, before, 0.3, friction=1e3)
        for a, b in zip(stick, rough, strict=True):
            np.testing.assert_allclose(a, b, atol=6e-15 * max(1, np.abs(a).max()))


# -- one coefficient for each contact (the diagonal matrix of Eq. 7) -------------------------------


@pytest.mark.parametrize("friction", [False, True], ids=["sticking", "Coulomb"])
def test_equal_coefficients_are_a_single_one(friction):
    """To the last bit."""
    for mass, W_N, W_T, qdot, epsilon, mu in systems(300, friction):
        k = W_N.shape[1]
        each = None if mu is None else [mu] * k
        one = impact(mass, W_N, W_T, qdot, epsilon, mu)
        for ours, theirs in zip(
            impact(mass, W_N, W_T, qdot, [epsilon] * k, each), one, strict=True
        ):
            np.testing.assert_array_equal(ours, theirs)


@given(alpha=st.floats(0.1, 0.7), epsilon=st.tuples(*[st.floats(0, 0.6)] * 2))
@settings(max_examples=100, deadline=None)
def test_each_edge_bounces_with_its_own_epsilon(alpha, epsilon):
    """A flat landing with 1 m/s: each edge leaves with its ε. In closed form m (v⁺ − v⁻) = Λ1 + Λ2
    and the moments about the middle, h Λ_T + b (Λ2 − Λ1) = I φ⁺, m h φ⁺ = −Λ_T (it sticks)."""
    M, W_N, W_T = block(alpha)
    b, h = math.sin(alpha), math.cos(alpha)
    after, normal, tangential = impact(M, W_N, W_T, [0.0, -1.0, 0.0], list(epsilon))
    spin = (epsilon[1] - epsilon[0]) / (2 * b)
    total, shear = 1 + sum(epsilon) / 2, -h * spin
    difference = (spin / 3 - h * shear) / b
    assume(total - abs(difference) > 1e-6)  # otherwise one edge opens faster
    assert after @ M @ after <= 1
    np.testing.assert_allclose(W_N.T @ after, epsilon, atol=1e-12)
    np.testing.assert_allclose(after, [-h * spin, sum(epsilon) / 2, spin], atol=1e-12)
    np.testing.assert_allclose(normal, [(total - difference) / 2, (total + difference) / 2])
    assert tangential[0] == pytest.approx(shear, abs=1e-12)


def test_each_edge_slips_with_its_own_friction():
    """A flat landing that slips towards +x: Λ_T = −(μ1 Λ1 + μ2 Λ2) of one resultant, and of two
    tangential impulses each has its own μ."""
    M, W_N, W_T = block(0.6)
    mu = np.array([0.1, 0.3])
    after, normal, tangential = impact(M, W_N, W_T, [5.0, -1.0, 0.0], 0.0, friction=mu)
    assert normal.min() > 0 and (W_T.T @ after)[0] > 0
    assert tangential[0] == pytest.approx(-mu @ normal, rel=1e-12)
    two = np.hstack([W_T, W_T])
    after, normal, tangential = impact(M, W_N, two, [5.0, -1.0, 0.0], 0.0, friction=list(mu))
    np.testing.assert_allclose(tangential, -mu * normal, rtol=1e-12)
    np.testing.assert_allclose(M @ (after - [5.0, -1.0, 0.0]), W_N @ normal + two @ tangential)


@given(
    alpha=st.floats(0.1, 1.4),
    velocity=st.tuples(*[st.floats(-5, 5)] * 3),
    epsilon=st.tuples(*[st.floats(0, 1)] * 2),
    mu=st.none() | st.tuples(*[st.floats(0.01, 3)] * 2),
)
@settings(max_examples=400, deadline=None)
def test_different_coefficients_add_no_energy(alpha, velocity, epsilon, mu):
    """As Newton's law stands, edges with different ε can."""
    M, W_N, W_T = block(alpha)
    v = np.array(velocity)
    assume((W_N.T @ v).min() < -1e-9)
    after, normal, tangential = impact(M, W_N, W_T, v, epsilon, mu)
    assert after @ M @ after <= v @ M @ v * (1 + 1e-13)
    assert normal.min() >= 0
    assert (W_N.T @ after).min() >= -1e-11
    if mu is not None:
        assert abs(tangential[0]) <= np.dot(mu, normal) * (1 + 1e-12) + 1e-13


def test_as_printed_different_epsilon_can_add_energy():
    """ε = 1 and 0: the edge that lands faster does not bounce. All ε are lowered alike."""
    M, W_N, W_T = block(0.5)
    rng = np.random.default_rng(7)
    gained = 0
    for _ in range(300):
        v, epsilon = rng.normal(size=3), np.array([1.0, 0.0])
        if (W_N.T @ v).min() >= 0:
            continue
        raw, _, _ = lcp._impact(M, W_N, W_T, v, epsilon, None)
        if raw @ M @ raw <= v @ M @ v * (1 + 1e-9):
            continue
        gained += 1
        after, _, _ = impact(M, W_N, W_T, v, epsilon)
        assert after @ M @ after == pytest.approx(v @ M @ v, rel=1e-9)
    assert gained > 0


def test_what_is_refused():
    body = block(0.2)
    v = about_corner_1(0.2, -1.0)
    for epsilon in (-0.1, 1.1, math.nan):
        with pytest.raises(InputError, match=r"epsilon.*\[0, 1\]"):
            impact(*body, v, epsilon)
    for friction in (0.0, -1.0, math.inf):
        with pytest.raises(InputError, match=r"friction.*positive"):
            impact(*body, v, 0.0, friction)
    for name, value in (("epsilon", [0.2, 1.4]), ("friction", [0.3, -1.0])):
        with pytest.raises(InputError, match=rf"{name} = (1\.4|-1\.0)"):
            impact(*body, v, **({"epsilon": 0.0} | {name: value}))
        with pytest.raises(InputError, match="3 numbers for 2 normal contacts"):
            impact(*body, v, **({"epsilon": 0.0} | {name: [0.1, 0.2, 0.3]}))
    with pytest.raises(InputError, match="do not fit together"):
        impact(*body, v[:2], 0.0)
    with pytest.raises(InputError, match="positive definite"):
        impact(-body[0], *body[1:], v, 0.0)
    twice = np.hstack([body[2], body[2]])
    with pytest.raises(InputError, match="linearly dependent"):
        impact(*body[:2], twice, v, 0.0)


def test_the_residual_sees_a_wrong_answer():
    A, b = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([-1.0, -1.0])
    z, _ = lemke(A, b)
    assert lcp_residual(A, b, z) < 1e-15
    assert lcp_residual(A, b, z * (1 + 1e-9)) > 1e-10
    assert lcp_residual(A, b, np.zeros(2)) > 0.1
