"""Plane-stress finite elements of a rectangular block: nodes, masses, stiffness, flexibility.

The element has four nodes and Wilson's two incompatible displacement modes, in the form of Taylor,
Beresford and Wilson (1976): without them a slender column of such elements is far too stiff in
bending (shear locking). Rectangles of any aspect ratio bend well, so rows of elements may grow
taller away from the base, where nothing changes fast.

Coordinates are those of the body at rest, from its centre of mass, x to the right and y up; the
degrees of freedom are x and y of the nodes, row after row from the base upwards.
"""

import math
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

GROWTH = 1.3  # of the height of one row of elements over that of the row below
TALLEST = 1.0  # of the width: the tallest row
MOST_DEGREES = 40_000  # of freedom


class Material(NamedTuple):
    """Young's modulus [Pa] and Poisson's ratio of an isotropic body in plane stress."""

    E: float
    nu: float

    @property
    def matrix(self) -> Array:
        """Stress (σ_x, σ_y, τ_xy) per strain (ε_x, ε_y, γ_xy) [Pa]."""
        nu = self.nu
        unit = np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
        return np.asarray(self.E / (1 - nu**2) * unit)


class Mesh:
    """The rectangle ``height`` × ``width`` of a block, cut into elements."""

    def __init__(self, block: Block, material: Material, columns: int, growth: float = GROWTH):
        self.block, self.material = block, material
        # as ±: so the mirror image of a symmetric base is the base itself, to the last bit
        self.x = np.arange(-columns, columns + 1, 2.0) * (block.width / columns / 2) - block.offset
        self.y = row_levels(block, block.width / columns, growth) - block.com_height
        if 2 * len(self.x) * len(self.y) > MOST_DEGREES:
            raise InputError(
                f"{columns} elements along a base of {block.width!r} m make a mesh of "
                f"{2 * len(self.x) * len(self.y)} degrees of freedom: at most {MOST_DEGREES} are "
                "allowed. Give a larger spacing."
            )

    @cached_property
    def nodes(self) -> Array:
        """Coordinates [m], a row per node."""
        x, y = np.meshgrid(self.x, self.y)
        return np.stack([x.ravel(), y.ravel()], axis=1)

    @property
    def size(self) -> int:
        """How many degrees of freedom there are."""
        return 2 * len(self.x) * len(self.y)

    @property
    def bandwidth(self) -> int:
        """Of the stiffness matrix, below its diagonal."""
        return 2 * len(self.x) + 3

    @cached_property
    def elements(self) -> NDArray[np.int64]:
        """Nodes of each element, counterclockwise from its lower left corner."""
        n = len(self.x)
        corner = (np.arange(len(self.y) - 1)[:, None] * n + np.arange(n - 1)).ravel()
        return np.asarray(corner[:, None] + np.array([0, 1, n + 1, n]))

    # -- mass --------------------------------------------------------------------------------

    @cached_property
    def masses(self) -> Array:
        """Mass at each node [kg], such that mass, centre of mass and moment of inertia are the
        block's: the share of the area (trapezoid rule) times a polynomial 1 + a + b x + c y + e r²
        with the coefficients that this takes."""
        x, y = self.nodes.T
        area = np.outer(_shares(self.y), _shares(self.x)).ravel()
        shapes = np.stack([np.ones_like(x), x, y, x * x + y * y])
        lumped = self.block.mass / area.sum() * area
        wanted = np.array([self.block.mass, 0.0, 0.0, self.block.inertia])
        factors = np.linalg.solve((shapes * lumped) @ shapes.T, wanted - shapes @ lumped)
        masses = lumped * (1 + factors @ shapes)
        if masses.min() <= 0:
            raise InputError(
                f"No distribution of mass over the rectangle {self.block.height!r} × "
                f"{self.block.width!r} m found that has com_height = {self.block.com_height!r} m, "
                f"offset = {self.block.offset!r} m and inertia = {self.block.inertia!r} kg m²: an "
                "elastic body must be nearly a homogeneous rectangle. Use body='rigid' for others."
            )
        return np.asarray(masses)

    # -- stiffness ---------------------------------------------------------------------------

    @cached_property
    def _element_stiffness(self) -> Array:
        """8 × 8 [N/m], one for each row of elements."""
        width = self.x[1] - self.x[0]
        return np.array(
            [
                element_stiffness(width, tall, self.block.thickness, self.material)
                for tall in np.diff(self.y)
            ]
        )

    @cached_property
    def stiffness(self) -> Array:
        """K [N/m] by columns: entry [j, k] is K[j + k, j], k from 0 to the bandwidth."""
        band = np.zeros((self.size, self.bandwidth + 1))
        dofs = (2 * self.elements[:, :, None] + np.arange(2)).reshape(-1, 8)
        values = np.repeat(self._element_stiffness, len(self.x) - 1, axis=0)
        row = np.broadcast_to(dofs[:, :, None], values.shape)
        column = np.broadcast_to(dofs[:, None, :], values.shape)
        lower = row >= column
        np.add.at(band, (column[lower], (row - column)[lower]), values[lower])
        return band

    # -- what is left of it when the body floats ------------------------------------------------

    @cached_property
    def rigid_modes(self) -> Array:
        """Two translations and the turn, a column each, orthonormal in the masses."""
        unit = np.tile(np.eye(2), (len(self.nodes), 1))
        turn = np.stack([self.nodes[:, 1], -self.nodes[:, 0]], axis=1).ravel()  # clockwise
        mass, inertia = self.block.mass, self.block.inertia
        return np.column_stack([unit / math.sqrt(mass), turn / math.sqrt(inertia)])

    @cached_property
    def flexibility(self) -> tuple[Array, Array]:
        """How a floating body deforms: displacements [m] of all degrees of freedom per force at
        each one of the base [N], the rest of the body accelerating under it as if rigid; and per
        square of the angular velocity [rad²/s²]. They neither move nor turn the body as a whole."""
        from scipy.linalg import solveh_banded

        base, mass = 2 * len(self.x), np.repeat(self.masses, 2)
        forces = np.zeros((self.size, base + 1))
        forces[:base, :base] = np.eye(base)
        forces[:, base] = mass * self.nodes.ravel()
        rigid = self.rigid_modes
        forces -= mass[:, None] * (rigid @ (rigid.T @ forces))  # D'Alembert: in equilibrium
        band = self.stiffness.T.copy()
        for dof in (0, 1, base - 1):  # so held at the two corners without any reaction
            band[:, dof] = 0
            for k in range(1, min(dof, self.bandwidth) + 1):
                band[k, dof - k] = 0
            band[0, dof] = 1
            forces[dof] = 0
        shape = solveh_banded(band, forces, lower=True)
        shape -= rigid @ (rigid.T @ (mass[:, None] * shape))
        return np.ascontiguousarray(shape[:, :base]), shape[:, base].copy()

    # -- stress ----------------------------------------------------------------------------------

    def stresses(self, u: Array) -> Array:
        """σ_x, σ_y, τ_xy [Pa] at the centre of each element, along the body's own axes, where they
        are most accurate; ``u`` are displacements in the same axes, any number of leading axes."""
        width, tall = self.x[1] - self.x[0], np.repeat(np.diff(self.y), len(self.x) - 1)
        corner = np.asarray(u).reshape(*np.shape(u)[:-1], -1, 2)[..., self.elements, :]
        across = (corner[..., 1, :] + corner[..., 2, :] - corner[..., 0, :] - corner[..., 3, :]) / 2
        up = (corner[..., 2, :] + corner[..., 3, :] - corner[..., 0, :] - corner[..., 1, :]) / 2
        across, up = across / width, up / tall[:, None]
        strain = np.stack([across[..., 0], up[..., 1], across[..., 1] + up[..., 0]], axis=-1)
        return np.asarray(strain @ self.material.matrix)

    @property
    def centres(self) -> Array:
        """Of the elements: coordinates [m], a row each."""
        return np.asarray(self.nodes[self.elements].mean(axis=1))


def row_levels(block: Block, lowest: float, growth: float) -> Array:
    """Heights of the rows of nodes above the base [m]: elements as tall as wide at the base, then
    taller and taller."""
    tall, heights = lowest, [0.0]
    while heights[-1] < block.height:
        heights.append(heights[-1] + tall)
        tall = min(tall * growth, max(TALLEST * block.width, lowest))
        if growth == 1.0 and len(heights) > MOST_DEGREES:
            break
    return np.array(heights) * (block.height / heights[-1])


def _shares(at: Array) -> Array:
    """What each point stands for: half of the way to either neighbour."""
    gaps = np.diff(at)
    return np.asarray((np.append(gaps, 0.0) + np.insert(gaps, 0, 0.0)) / 2)


def element_stiffness(width: float, height: float, thickness: float, material: Material) -> Array:
    """8 × 8 stiffness [N/m] of a rectangle: four nodes and two incompatible modes 1 − ξ², 1 − η²
    in each direction, condensed."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    full = np.zeros((12, 12))
    for xi, eta in corners / math.sqrt(3):
        slopes = np.zeros((2, 6))  # of the six functions, along x and y
        slopes[0, :4] = corners[:, 0] * (1 + corners[:, 1] * eta) / (2 * width)
        slopes[1, :4] = corners[:, 1] * (1 + corners[:, 0] * xi) / (2 * height)
        slopes[0, 4], slopes[1, 5] = -4 * xi / width, -4 * eta / height
        strain = np.zeros((3, 12))
        strain[0, ::2], strain[1, 1::2] = slopes
        strain[2, ::2], strain[2, 1::2] = slopes[1], slopes[0]
        full += strain.T @ material.matrix @ strain * (width * height / 4 * thickness)
    return np.asarray(full[:8, :8] - full[:8, 8:] @ np.linalg.solve(full[8:, 8:], full[8:, :8]))


@lru_cache(maxsize=64)
def mesh_of(block: Block, material: Material, columns: int) -> Mesh:
    """The mesh, made once."""
    return Mesh(block, material, columns)
