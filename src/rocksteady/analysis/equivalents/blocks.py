"""Blocks with a given p, α and η."""

import math

from rocksteady.bodies.block import Block


def block_with(p: float, alpha: float, eta: float, mass: float, g: float) -> Block:
    """The symmetric block that has these three; how a block rocks depends on them alone.

    η = 1 − 2 p² R sin²α/g fixes R, and p² = m g R/(I + m R²) the inertia. Where no inertia is left,
    the rectangle with p and α; its η must then be given to the theory.
    """
    R = (1 - eta) * g / (2 * p**2 * math.sin(alpha) ** 2)
    inertia = mass * R * (g / p**2 - R)
    if not (R > 0 and inertia > 0):
        return Block.from_parameters(p=p, alpha=alpha, g=g)
    height, width = 2 * R * math.cos(alpha), 2 * R * math.sin(alpha)
    return Block(height=height, width=width, mass=mass, inertia=inertia, g=g)


def loss_words(block: Block, eta: float) -> str:
    """How to give the theory its η where the block cannot have it."""
    if abs(block.eta - eta) < 1e-9:
        return ""
    return f" Simulate the block with rs.Housner(eta={eta:.6g}): its own η is {block.eta:.6g}."
