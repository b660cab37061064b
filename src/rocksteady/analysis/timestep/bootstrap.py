"""How sure a fitted law is: a bootstrap over the blocks and beds of its campaign.

The cases of one block on one bed are not independent of each other: they come from the same runs,
and only r differs. So whole block–bed cells are drawn, with replacement, as many as there are, and
the law (Eq. 6) is fitted to each draw.

Within a cell the law is Δt = g x with x = −ln r and one slope g = A₁ (R h/b)^A₂ k_n^A₃. Its sum of
squares is Σx² (g − Σx Δt/Σx²)² and a constant: a cell enters by two sums, and thousands of fits are
one small batched problem.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.numbers import checked_seed, whole
from rocksteady.numerics.types import Array

UNIT = 1e9  # N/m³: A1 for k_n in GN/m³ hardly depends on A3
SINGULAR = 1e-9  # smallest over largest eigenvalue below which a draw does not determine a law
DONE = 1e-10  # change of ln A1, A2 and A3 in a step


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """The laws fitted to draws of the block–bed cells of a campaign."""

    coefficients: Array
    """A1, A2 and A3 (SI units) of each draw, a row each."""
    r2: Array
    """R² of each draw's law on its own cases."""
    cells: int
    """How many block–bed cells have accepted cases; as many are drawn each time."""
    undetermined: int
    """Draws left out because their cells have too few sizes or stiffnesses for three constants."""

    def __repr__(self) -> str:
        low, high = self.interval()
        ranges = ", ".join(
            f"{name} {a:.3g} to {b:.3g}"
            for name, a, b in zip(("A1", "A2", "A3"), low, high, strict=True)
        )
        return f"<Bootstrap: {len(self.r2)} draws of {self.cells} cells, 95 %: {ranges}>"

    def interval(self, level: float = 0.95) -> Array:
        """Lower and upper end of the ``level`` interval of A1, A2 and A3 (percentiles): a row
        for each end."""
        return _interval(self.coefficients, level)

    def r2_interval(self, level: float = 0.95) -> Array:
        """Lower and upper end of the ``level`` interval of R²."""
        return _interval(self.r2, level)


def bootstrap(cases: "np.recarray[Any, Any]", draws: int, seed: int) -> Bootstrap:
    """Fit the law to ``draws`` resamplings of the cells (block and k_n) of accepted cases."""
    draws, seed = whole("draws", draws), checked_seed(seed)
    cells, (xx, xy, yy, y, n) = _sums(cases)
    picked = np.random.default_rng(seed).multinomial(
        len(cells), np.full(len(cells), 1 / len(cells)), size=draws
    )
    Z = np.column_stack([np.ones(len(cells)), np.log(cells[:, 0]), np.log(cells[:, 1] / UNIT)])
    spread = np.linalg.eigvalsh(_normal(np.minimum(picked, 1), Z))
    enough = spread[:, 0] > SINGULAR * spread[:, -1]
    if not enough.any():
        raise InputError(
            f"{len(cells)} block–bed cells do not determine three constants: take blocks of "
            "several sizes on several beds."
        )
    picked = picked[enough]
    x = _fit(picked * xx, xy / xx, Z)
    g = np.exp(x @ Z.T)
    left = np.sum(picked * (g**2 * xx - 2 * g * xy + yy), axis=1)
    scatter = picked @ yy - (picked @ y) ** 2 / (picked @ n)
    A = np.column_stack([np.exp(x[:, 0]) * UNIT ** -x[:, 2], x[:, 1], x[:, 2]])
    return Bootstrap(A, 1 - left / scatter, len(cells), int(draws - enough.sum()))


def _sums(cases: "np.recarray[Any, Any]") -> tuple[Array, Array]:
    """R h/b [m] and k_n of each cell; Σx², ΣxΔt, ΣΔt², ΣΔt and the number of its cases."""
    cells, index = np.unique(np.column_stack([cases.block, cases.k_n]), axis=0, return_inverse=True)
    index = index.ravel()
    x, dt = -np.log(cases.r), cases.dt
    parts = (x * x, x * dt, dt * dt, dt, np.ones(len(dt)))
    sums = np.array([np.bincount(index, part, len(cells)) for part in parts])
    size = np.zeros(len(cells))
    size[index] = cases.R * cases.slenderness
    return np.column_stack([size, cells[:, 1]]), sums


def _normal(weights: Array, Z: Array) -> Array:
    """Σ w z zᵀ, a matrix for each row of ``weights``."""
    outer = (Z[:, :, None] * Z[:, None, :]).reshape(len(Z), -1)
    return np.asarray((weights @ outer).reshape(-1, Z.shape[1], Z.shape[1]))


def _fit(weights: Array, slopes: Array, Z: Array) -> Array:
    """ln A1 (k_n in GN/m³), A2 and A3 that minimise Σ w (g − slope)², g = exp(z·x), for each row
    of ``weights``: from the logarithmic fit by Levenberg and Marquardt."""
    start = weights * slopes**2
    x = np.linalg.solve(_normal(start, Z), ((start * np.log(slopes)) @ Z)[..., None])[..., 0]
    cost = np.sum(weights * (np.exp(x @ Z.T) - slopes) ** 2, axis=1)
    damping = np.full(len(x), 1e-3)
    for _ in range(100):
        g = np.exp(x @ Z.T)
        N = _normal(weights * g**2, Z)
        N += damping[:, None, None] * N * np.eye(Z.shape[1])
        step = np.linalg.solve(N, ((weights * g * (slopes - g)) @ Z)[..., None])[..., 0]
        new = np.sum(weights * (np.exp((x + step) @ Z.T) - slopes) ** 2, axis=1)
        better = new <= cost
        x, cost = np.where(better[:, None], x + step, x), np.where(better, new, cost)
        damping = np.where(better, damping / 10, damping * 10)
        if np.abs(step).max() < DONE:
            break
    return np.asarray(x, dtype=float)


def _interval(values: Array, level: float) -> Array:
    if not 0 < level < 1:
        raise InputError(f"level = {level!r} is not allowed: give a share between 0 and 1.")
    ends = (50 * (1 - level), 50 * (1 + level))
    return np.asarray(np.percentile(values, ends, axis=0))
