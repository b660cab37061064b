"""Impact as a linear complementarity problem (Giouvanidis & Dimitrakopoulos 2016, section 2.2).

Every contact that is closed either receives an impulse or opens, never both (Eqs. 9, 10):

    v = A Λ + c,   v ≥ 0,   Λ ≥ 0,   v·Λ = 0,   v = ġ⁺ + ε ġ⁻.

`impact` solves it for any planar system, with `lemke`, a pivoting method. The step of `Nonsmooth`
has a solver of its own for one or two contacts, in `contacts.py`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rocksteady.errors import InputError, what_it_is
from rocksteady.numbers import positive, real, reals
from rocksteady.numerics.decorators import standalone
from rocksteady.numerics.types import Array


@standalone
def lemke(A, b):  # type: ignore[no-untyped-def]
    """Lemke's pivoting: (z, found) with z ≥ 0, w = A z + b ≥ 0, z·w = 0."""
    n = len(b)
    if np.all(b >= 0):
        return np.zeros(n), True
    # w − A z − z0 = b; columns: w (0…n−1), z (n…2n−1), z0 (2n), right-hand side
    table = np.zeros((n, 2 * n + 2))
    table[:, :n], table[:, n : 2 * n] = np.eye(n), -A
    table[:, 2 * n], table[:, 2 * n + 1] = -1.0, b
    basis = np.arange(n)
    entering, row = 2 * n, np.argmin(b)
    for _ in range(100 * n + 100):
        leaving = basis[row]
        table[row] /= table[row, entering]
        for i in range(n):
            if i != row:
                table[i] -= table[i, entering] * table[row]
        basis[row] = entering
        if leaving == 2 * n:
            z = np.zeros(n)
            for i in range(n):
                if basis[i] >= n:
                    z[basis[i] - n] = table[i, 2 * n + 1]
            return z, True
        entering = leaving + n if leaving < n else leaving - n
        row = _leaving_row(table, basis, entering)
        if row < 0:
            break
    return np.zeros(n), False


@standalone
def _leaving_row(table, basis, entering):  # type: ignore[no-untyped-def]
    """The row with the smallest ratio; ties are broken lexicographically, so that it cannot cycle,
    but the artificial variable leaves as soon as it may."""
    n = len(basis)
    pivots = table[:, entering]
    tied = pivots > 1e-12 * np.max(np.abs(pivots))
    for j in range(-1, n):  # the right-hand side, then the columns of w
        smallest = np.inf
        for i in range(n):
            if tied[i]:
                smallest = min(smallest, table[i, j] / pivots[i])
        for i in range(n):
            if tied[i]:
                tied[i] = table[i, j] / pivots[i] <= smallest + 1e-12 * max(abs(smallest), 1e-3)
        for i in range(n):
            if j == -1 and tied[i] and basis[i] == 2 * n:
                return i
        if np.sum(tied) <= 1:
            break
    for i in range(n):
        if tied[i]:
            return i
    return -1


_SHAPES = "an n × n mass matrix, W_N and W_T with n rows each, and n velocities qdot"


Coefficient = float | Sequence[float]
"""One number for all contacts, or one for each of them."""


def impact_lcp(
    mass: Array,
    W_N: Array,
    W_T: Array,
    qdot: Array,
    epsilon: float | Array,
    friction: float | Array | None,
) -> tuple[Array, Array]:
    """The LCP (A, b) of an impact: unknowns Λ_N if sticking, (Λ_N, Λ_R, v_L) with friction."""
    inverse = np.linalg.inv(mass)
    G_NN, G_NT, G_TT = W_N.T @ inverse @ W_N, W_N.T @ inverse @ W_T, W_T.T @ inverse @ W_T
    before_N, before_T = W_N.T @ qdot, W_T.T @ qdot
    # Newton's law holds where the contact closes; one that opens already just must not close
    b_N = before_N + epsilon * np.minimum(before_N, 0.0)
    if friction is None:
        K = np.linalg.solve(G_TT, G_NT.T) if len(G_TT) else G_NT.T
        slip = np.linalg.solve(G_TT, before_T) if len(G_TT) else before_T
        return G_NN - G_NT @ K, b_N - G_NT @ slip
    j, k = len(before_T), len(before_N)
    cone = friction * (np.ones((1, k)) if j == 1 else np.eye(k))  # by columns: |Λ_T| ≤ cone Λ_N
    zero, one = np.zeros((k, j)), np.eye(j)
    A = np.block(
        [
            [G_NN - G_NT @ cone, G_NT, zero],
            [G_NT.T - G_TT @ cone, G_TT, one],
            [2 * cone, -one, np.zeros((j, j))],
        ]
    )
    return A, np.concatenate([b_N, before_T, np.zeros(j)])


def impact(
    mass: npt.ArrayLike,
    W_N: npt.ArrayLike,
    W_T: npt.ArrayLike,
    qdot: npt.ArrayLike,
    epsilon: Coefficient,
    friction: Coefficient | None = None,
) -> tuple[Array, Array, Array]:
    """The impact of any planar system on its closed contacts (Giouvanidis & Dimitrakopoulos 2016).

    Parameters
    ----------
    mass
        Mass matrix, n × n.
    W_N, W_T
        Directions of the normal (n × k) and tangential (n × j) contact forces: ġ = Wᵀ q̇.
        Tangential forces that act along one line are given once, as their resultant.
    qdot
        Velocities before the impact, n.
    epsilon
        Newton's coefficient of the normal velocities, ġ⁺ = −ε ġ⁻, in [0, 1]: one for all contacts
        or one for each (the diagonal of Eq. 7). Where ε and sticking or friction together, or
        different ε, would add kinetic energy, ε is lowered for this impact until not: all of them
        in the same proportion.
    friction
        Coulomb's coefficient, one for all contacts or one for each; None: the contacts stick. With
        friction j must be 1 (the resultant of all contacts, |Λ_T| ≤ Σ μ Λ_N) or k (one for each).

    Returns
    -------
    qdot_after, impulse_N, impulse_T
        Velocities after the impact (n), normal impulses (k) and tangential impulses (j).

    Examples
    --------
    A block with h/b = 2 lands on its second corner and rocks on (ε = 0):

    >>> import numpy as np
    >>> b, h = 1.0, 2.0
    >>> after, normal, tangential = impact(
    ...     np.diag([1, 1, (b**2 + h**2) / 3]), [[0, 0], [1, 1], [-b, b]], [[1], [0], [h]],
    ...     [h, -b, -1.0], epsilon=0.0)
    >>> round(float(after[2]) / -1.0, 6)  # 1 − (3/2) sin²α
    0.7
    """
    given = {"mass": mass, "W_N": W_N, "W_T": W_T, "qdot": qdot}
    M, N, T, v = (_numbers(name, values) for name, values in given.items())
    _check_impact(M, N, T, v, friction)
    e, mu = contact_coefficients(epsilon, friction, N.shape[1])
    # Twice as fast, twice the impulse: solved near 1, for the solver has tolerances. A power of two
    # changes no bit.
    size = math.ldexp(1.0, math.frexp(float(np.abs(v).max()))[1])
    after, normal, tangential = _without_gain(M, N, T, v / size, e, mu)
    return after * size, normal * size, tangential * size


def _without_gain(
    M: Array, N: Array, T: Array, v: Array, epsilon: Array, friction: Array | None
) -> tuple[Array, Array, Array]:
    """The impact with the largest share of ε that adds no energy."""
    most = v @ M @ v * (1 + 1e-14)
    result = _impact(M, N, T, v, epsilon, friction)
    if result[0] @ M @ result[0] <= most:
        return result
    low, high = 0.0 * epsilon, epsilon  # from below
    for _ in range(50):
        middle = 0.5 * (low + high)
        after = _impact(M, N, T, v, middle, friction)[0]
        low, high = (middle, high) if after @ M @ after <= most else (low, middle)
    return _impact(M, N, T, v, low, friction)


def _impact(
    M: Array, W_N: Array, W_T: Array, v: Array, epsilon: Any, friction: Any
) -> tuple[Array, Array, Array]:
    A, b = impact_lcp(M, W_N, W_T, v, epsilon, friction)
    z, found = lemke(A, b)
    if not found:
        raise InputError(
            f"No impulses solve this impact (friction = {friction}): the friction is so large "
            "that the contacts jam. Lower friction, or leave it out for sticking contacts."
        )
    k, j = W_N.shape[1], W_T.shape[1]
    normal = z[:k]
    if friction is None:
        inverse = np.linalg.inv(M)
        G_TT, pull = W_T.T @ inverse @ W_T, W_T.T @ (inverse @ (W_N @ normal) + v)
        tangential = -np.linalg.solve(G_TT, pull) if j else np.zeros(0)
    else:
        # in shares of the largest, so that equal coefficients give the bits of a single one
        largest = np.max(friction)
        shares = friction / largest * normal
        tangential = z[k : k + j] - largest * (shares.sum(keepdims=True) if j == 1 else shares)
    after = v + np.linalg.solve(M, W_N @ normal + W_T @ tangential)
    return after, normal, tangential


def _numbers(name: str, values: npt.ArrayLike) -> Array:
    try:
        return reals(values)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} is {what_it_is(values)}: impact takes matrices of numbers, {_SHAPES}. "
            "rs.simulate finds the impacts of a body by itself."
        ) from None


def _check_impact(M: Array, N: Array, T: Array, v: Array, friction: Coefficient | None) -> None:
    n = len(v)
    if v.ndim != 1 or M.shape != (n, n) or N.ndim != 2 or len(N) != n or T.ndim != 2 or len(T) != n:
        raise InputError(
            f"mass {M.shape}, W_N {N.shape}, W_T {T.shape} and qdot {v.shape} do not fit together: "
            f"give {_SHAPES}."
        )
    if not all(np.isfinite(a).all() for a in (M, N, T, v)):
        raise InputError("mass, W_N, W_T and qdot must be finite numbers.")
    if not np.allclose(M, M.T, rtol=1e-12) or np.linalg.eigvalsh(M)[0] <= 0:
        raise InputError("mass is not symmetric and positive definite: no body has such a mass.")
    j, k = T.shape[1], N.shape[1]
    if friction is not None and j not in (1, k):
        raise InputError(
            f"W_T has {j} columns for {k} normal contacts: with friction give one (the resultant) "
            "or one for each normal contact."
        )
    if np.linalg.matrix_rank(T) < j and friction is None:
        raise InputError(
            f"The {j} columns of W_T are linearly dependent: sticking contacts on one line share "
            "one tangential force. Give their resultant as a single column."
        )


def contact_coefficients(
    epsilon: Coefficient, friction: Coefficient | None, contacts: int
) -> tuple[Array, Array | None]:
    """ε and μ of every contact, checked."""
    each = [_of_each("epsilon", epsilon, contacts)]
    if friction is not None:
        each.append(_of_each("friction", friction, contacts))
    for e in each[0]:
        check_coefficients(e, None)
    for mu in each[1:]:
        for one in mu:
            check_coefficients(0.0, one)
    arrays = [np.array([float(one) for one in ones]) for ones in each]
    return arrays[0], arrays[1] if friction is not None else None


def _of_each(name: str, given: Any, contacts: int) -> list[Any]:
    """``given`` for each contact."""
    if isinstance(given, str) or not np.iterable(given):
        return [given] * contacts
    values = list(given)
    if len(values) != contacts:
        raise InputError(
            f"{name} = {given!r} has {len(values)} numbers for {contacts} normal contacts: give "
            "one for all contacts, or one for each of them."
        )
    return values


def check_coefficients(epsilon: float, friction: float | None) -> None:
    """Refuse what is no coefficient of restitution or of friction."""
    if not 0 <= real(epsilon) <= 1:
        raise InputError(
            f"epsilon = {epsilon!r} is not allowed: it must lie in [0, 1], from 0 (no bounce) to 1 "
            "(the contact's normal velocity is reversed)."
        )
    if friction is not None:
        advice = "Stone on stone has about 0.7. Leave it out for contacts that never slip."
        positive("friction", friction, advice=advice)
