"""Which inertia and which shape a body in space may have."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs

SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def test_a_shape_is_kept_as_it_is_given():
    vertices, faces = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1.0)), ((0, 2, 1), (0, 1, 2, 3))
    body = rs.Body(5, (1, 1, 1), (0, 0, 0.5), 2, SQUARE, shape=(vertices, faces))
    assert body.shape.vertices == tuple(tuple(map(float, point)) for point in vertices)
    assert body.shape.faces == faces
    for bad in (((0, 1),), ((0, 1, 4),), ((-1, 0, 1),), ((0, 1, 2), (0, 1))):
        with pytest.raises(rs.InputError, match="3 or more numbers of vertices, from 0 to 3"):
            rs.Body(5, (1, 1, 1), (0, 0, 0.5), 2, SQUARE, shape=(vertices, bad))
    for flat in (((0, 0), (1, 0), (0, 1)), (0, 1, 2)):
        with pytest.raises(rs.InputError, match="finite x, y and z"):
            rs.Body(5, (1, 1, 1), (0, 0, 0.5), 2, SQUARE, shape=(flat, ()))


@given(st.tuples(*[st.floats(0.1, 5.0)] * 3))
def test_which_principal_moments_a_body_can_have(moments):
    """Each is at most the sum of the others, alike as a diagonal, a tensor and an array."""
    a, b, c = moments
    plain = ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))
    slack = min(a + b - c, b + c - a, c + a - b)
    for given_one in (moments, plain, np.diag(moments), [list(row) for row in plain]):
        if slack >= 0:
            assert rs.Body(5, given_one, (0, 0, 0.5), 2, SQUARE).inertia == plain
        elif slack < -1e-8:
            with pytest.raises(rs.InputError, match="must not exceed"):
                rs.Body(5, given_one, (0, 0, 0.5), 2, SQUARE)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("place", range(3))
def test_a_negative_or_missing_principal_moment(sign, place):
    moments = [1.0, 1.0, 1.0]
    moments[place] = min(sign, 0.0)
    plain = tuple(tuple(moments[i] * (i == j) for j in range(3)) for i in range(3))
    with pytest.raises(rs.InputError, match="must be positive"):
        rs.Body(5, plain, (0, 0, 0.5), 2, SQUARE)


def test_infinite_moments_are_refused():
    """Each of two would be less than the sum of the others."""
    for place in range(3):
        plain = [[math.inf * (i != place) if i == j else 0.0 for j in range(3)] for i in range(3)]
        plain[place][place] = 1.0
        with pytest.raises(rs.InputError, match="3 × 3 finite numbers"):
            rs.Body(5, tuple(map(tuple, plain)), (0, 0, 0.5), 2, SQUARE)


def test_products_of_inertia_are_kept_and_rounding_is_averaged():
    tensor_ = ((3.0, 0.2, -0.1), (0.2, 2.5, 0.3), (-0.1, 0.3, 2.0))
    assert rs.Body(5, tensor_, (0, 0, 0.5), 2, SQUARE).inertia == tensor_
    noisy = ((3.0, 0.2 + 4e-10, -0.1), (0.2, 2.5, 0.3), (-0.1, 0.3, 2.0))
    kept = rs.Body(5, noisy, (0, 0, 0.5), 2, SQUARE).inertia
    assert kept[0][1] == kept[1][0] == pytest.approx(0.2 + 2e-10, abs=1e-15)
    skew = ((3.0, 0.2 + 4e-9, -0.1), (0.2, 2.5, 0.3), (-0.1, 0.3, 2.0))
    with pytest.raises(rs.InputError, match="not symmetric"):
        rs.Body(5, skew, (0, 0, 0.5), 2, SQUARE)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_centre_above_the_edge_is_refused_at_every_size(size):
    """Nearer to the edge than rounding, 1e-9 of its height above the base."""
    base, z = size * np.array(SQUARE), 0.5 * size
    on, inside = ((size - share * z, 0.0, z) for share in (0.5e-9, 2e-9))
    assert rs.Body(5, (1, 1, 1), inside, 2 * size, base).centre == inside
    with pytest.raises(rs.InputError, match="on the edge of the base"):
        rs.Body(5, (1, 1, 1), on, 2 * size, base)
