"""The finite elements of the elastic block: patch tests, bending, vibration, mass, flexibility."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh, expm
from scipy.optimize import brentq

import rocksteady as rs
from rocksteady.errors import InputError
from rocksteady.theories.dissipation.elastic.algebra import dot, eliminate, invert
from rocksteady.theories.dissipation.elastic.block import mesh
from rocksteady.theories.dissipation.elastic.body import MX, X0, D
from rocksteady.theories.dissipation.elastic.mesh import Material, Mesh
from rocksteady.theories.dissipation.elastic.rows import LOAD, TURNED, carry_down, carry_up, prepare
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from rocksteady.theories.dissipation.rule import OPTIMAL
from validation.daltri2024.elastic_reference import times_stiffness

ELASTIC = NumericalDissipation(body="elastic", E=2e10, nu=0.25)
BLOCK = rs.Block(2.4, 0.6, thickness=0.8)


def dense(body):
    return np.array([times_stiffness(body, row) for row in np.eye(body.size)])


def strained(body, gradient):
    return (body.nodes @ np.asarray(gradient, dtype=float).T).ravel()


# -- the element ----------------------------------------------------------------------------------


@pytest.mark.parametrize("gradient", [[[1, 0], [0, 0]], [[0, 0], [0, 1]], [[0, 1], [0.5, 0]]])
def test_patch_of_constant_strain(gradient):
    """Any linear displacement: the stress is Hooke's in every element, however tall, inner nodes
    are in balance, and the forces at the edge are those of the tractions."""
    body = mesh(ELASTIC, BLOCK)
    assert np.ptp(np.diff(body.y)) > 0.1  # rows of different height
    (xx, xy), (yx, yy) = gradient
    strain = np.array([xx, yy, xy + yx])
    expected = body.material.matrix @ strain
    u = strained(body, gradient)
    np.testing.assert_allclose(body.stresses(u) - expected, 0, atol=1e-14 * 2e10)
    force = times_stiffness(body, u).reshape(len(body.y), len(body.x), 2)
    scale = np.abs(force).max()
    assert np.abs(force[1:-1, 1:-1]).max() < 1e-12 * scale
    normal = force[0, :, 1].sum() / (BLOCK.width * BLOCK.thickness)
    assert normal == pytest.approx(-expected[1], abs=1e-12 * scale)
    shear = force[:, -1, 1].sum() / (BLOCK.height * BLOCK.thickness)
    assert shear == pytest.approx(expected[2], abs=1e-12 * scale)


def test_pure_bending_is_exact():
    """Curvature κ: strain energy E I κ² L/2 to rounding in any mesh of rectangles; elements without
    the incompatible modes are too stiff by the aspect ratio squared (shear locking)."""
    body = mesh(ELASTIC, BLOCK)
    x, y = body.nodes.T
    nu, curvature = body.material.nu, 1e-3
    u = curvature * np.stack([-(y**2) / 2 - nu * x**2 / 2, x * y], axis=1).ravel()
    energy = u @ times_stiffness(body, u) / 2
    section = BLOCK.thickness * BLOCK.width**3 / 12
    assert energy == pytest.approx(2e10 * section * curvature**2 * BLOCK.height / 2, rel=1e-12)


def test_rigid_motions_cost_nothing():
    body = mesh(ELASTIC, BLOCK)
    for mode in body.rigid_modes.T:
        assert np.abs(times_stiffness(body, mode)).max() < 1e-14 * body.stiffness.max()
    values = np.linalg.eigvalsh(dense(body))
    assert np.sum(values < 1e-9 * values.max()) == 3
    assert values.min() > -1e-14 * values.max()


def timoshenko_frequency(E, nu, density, length, depth):
    """First frequency of a cantilever [rad/s], shear and rotary inertia included, shear factor of
    a rectangle (Cowper 1966): where the moment and shear at the free end vanish."""
    area, inertia, G = depth, depth**3 / 12, E / (2 * (1 + nu))
    shear = 10 * (1 + nu) / (12 + 11 * nu) * G * area
    slender = 1.8751040687**2 * math.sqrt(E * inertia / (density * area * length**4))

    def at_the_tip(omega):
        w2 = density * omega**2
        change = np.array(
            [
                [0, 1, 0, 1 / shear],
                [0, 0, 1 / (E * inertia), 0],
                [0, -w2 * inertia, 0, -1],
                [-w2 * area, 0, 0, 0],
            ]
        )
        return np.linalg.det(expm(change * length)[2:, 2:])

    return brentq(at_the_tip, 0.8 * slender, slender)


@pytest.mark.parametrize(
    ("height", "width"), [(1.2, 0.3), (2.4, 0.6), (4.2, 0.6), (6.0, 0.6), (7.2, 1.8), (12.0, 1.2)]
)
def test_cantilever_frequency(height, width):
    """Within 1 % of Timoshenko's beam at the default mesh, and closer with a finer one."""
    block, error = rs.Block(height, width), []
    theory = timoshenko_frequency(3e10, 0.2, 2600, height, width)
    for spacing in (0.1, 0.05) if width < 1 else (0.1,):
        body = mesh(NumericalDissipation(body="elastic", spacing=spacing), block)
        base = 2 * len(body.x)
        masses = np.diag(np.repeat(body.masses, 2))
        lowest = eigh(
            dense(body)[base:, base:],
            masses[base:, base:],
            eigvals_only=True,
            subset_by_index=[0, 0],
        )
        error.append(math.sqrt(lowest[0]) / theory - 1)
    assert np.abs(error).max() < 0.01
    assert abs(error[-1]) <= abs(error[0])


# -- mass and flexibility ------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    slenderness=st.floats(2, 12),
    width=st.floats(0.2, 2.0),
    offset=st.floats(-0.1, 0.1),
    higher=st.floats(-0.1, 0.1),
    wider=st.floats(-0.03, 0.03),
)
def test_mass_is_the_blocks(slenderness, width, offset, higher, wider):
    """Mass, centre of mass and moment of inertia to rounding, for nearly homogeneous blocks."""
    plain = rs.Block(slenderness * width, width)
    block = rs.Block(
        plain.height,
        width,
        offset=offset * width,
        com_height=plain.com_height * (1 + higher),
        inertia=plain.inertia * (1 + wider),
    )
    body = mesh(ELASTIC, block)
    x, y = body.nodes.T
    assert body.masses.min() > 0
    assert body.masses.sum() == pytest.approx(block.mass, rel=1e-12)
    assert abs(body.masses @ x) + abs(body.masses @ y) < 1e-10 * block.mass * block.height
    assert body.masses @ (x**2 + y**2) == pytest.approx(block.inertia, rel=1e-11)
    assert x.min() == pytest.approx(-block.left.b)
    assert y.min() == pytest.approx(-block.com_height)


def test_a_body_that_no_rectangle_can_be():
    block = rs.Block(1.8, 0.5, offset=0.2)
    with pytest.raises(InputError, match="nearly a homogeneous rectangle"):
        ELASTIC.parameters(block)


def test_flexibility_of_the_floating_body():
    """K d is the force less what accelerates the body as if rigid, and d has no rigid part."""
    body = mesh(ELASTIC, BLOCK)
    flexibility, bulge = body.flexibility
    masses, rigid = np.repeat(body.masses, 2), body.rigid_modes
    for k in (0, 1, 5, flexibility.shape[1] - 1):
        force = np.eye(body.size)[k]
        force -= masses * (rigid @ (rigid.T @ force))
        np.testing.assert_allclose(times_stiffness(body, flexibility[:, k]), force, atol=1e-9)
    np.testing.assert_allclose(
        times_stiffness(body, bulge), masses * body.nodes.ravel(), atol=1e-9 * masses.max()
    )
    assert np.abs(rigid.T @ (masses[:, None] * flexibility)).max() < 1e-12 * np.abs(
        flexibility
    ).max() * masses.max() * len(masses)
    base = flexibility[: flexibility.shape[1]]
    np.testing.assert_allclose(base, base.T, atol=1e-12 * np.abs(base).max())


def test_rows_grow_and_fill_the_height():
    body = mesh(ELASTIC, rs.Block(4.2, 0.6))
    tall = np.diff(body.y)
    assert body.y[-1] - body.y[0] == pytest.approx(4.2)
    assert tall[0] == pytest.approx(0.1, rel=0.15)
    assert np.all(np.diff(tall) > -1e-12)
    assert tall[-1] <= 0.6
    uniform = Mesh(rs.Block(4.2, 0.6), Material(2e10, 0.25), 6, growth=1.0)
    np.testing.assert_allclose(np.diff(uniform.y), 0.1)


# -- linear algebra --------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [rs.Block(1.2, 0.3), BLOCK, rs.Block(1.8, 0.5, offset=0.05)])
def test_rows_of_nodes_against_numpy(block):
    """Down and up through the rows of nodes solves A x = b, for a load in the whole body, in a
    turned frame, and one at the base; the base's part of the inverse; the fields that stay."""
    body, params = mesh(ELASTIC, block), ELASTIC.parameters(block)
    prepare(0.004, params)
    masses, width = np.repeat(body.masses, 2), 2 * len(body.x)
    matrix = (1 + OPTIMAL.alpha) * dense(body) + 2 / 0.004**2 * np.diag(masses)
    inverse = np.linalg.inv(matrix)
    np.testing.assert_allclose(
        params.columns, inverse[:width, :width], atol=1e-11 * np.abs(inverse).max()
    )
    stretch = 2 / 0.004**2 * inverse[:width] @ params.field[MX]
    np.testing.assert_allclose(params.base[X0], stretch, atol=1e-9 * np.abs(stretch).max())

    load, force = np.random.default_rng(0).standard_normal((2, body.size))
    force[width:] = 0
    c, s, shares = math.cos(0.3), math.sin(0.3), np.array([0.3, -0.4, 0.5, 0.6])
    turn = np.kron(np.eye(len(body.nodes)), [[c, -s], [s, c]])
    quarter = np.kron(np.eye(len(body.nodes)), [[0, 1], [-1, 0]])
    rigid = np.array([np.tile([1, 0], len(body.nodes)), np.tile([0, 1], len(body.nodes))])
    stays = np.vstack([masses * rigid, params.field[MX], quarter @ params.field[MX]])
    carry_down(load, params.carried[LOAD], params.carried[TURNED], params.down)
    carry_up(force[:width], c, s, tuple(shares), params)
    x = np.linalg.solve(matrix, turn @ (load + force) + shares @ stays)
    np.testing.assert_allclose(params.field[D], x, atol=1e-9 * np.abs(x).max())


def test_inverse_and_sums_against_numpy():
    rng = np.random.default_rng(2)
    half = rng.standard_normal((9, 9))
    work = np.zeros((9, 16))
    work[:, :9] = half @ half.T + np.eye(9)
    exact = np.linalg.inv(work[:, :9])
    invert(work, 9)
    np.testing.assert_allclose(work[:, :9], exact, atol=1e-11)
    np.testing.assert_array_equal(work[:, 9:], 0)
    a, b = rng.standard_normal((2, 48))
    assert dot(a, b) == pytest.approx(a @ b, abs=1e-13)


def test_small_solver_against_numpy():
    rng = np.random.default_rng(1)
    for n in (1, 3, 15):
        a, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        work = np.zeros((n + 2, n + 4))
        work[:n, :n], work[:n, n] = a, b
        assert eliminate(work, n)
        np.testing.assert_allclose(work[:n, n], np.linalg.solve(a, b), rtol=1e-9)
    assert not eliminate(np.zeros((2, 3)), 2)
