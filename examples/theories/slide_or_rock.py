"""
Slide or rock?
==============

A crate on an accelerating floor slides if the floor is smooth, rocks if it is rough, and does both
in between. At every point of this map the contact forces alone decide (``rs.Nonsmooth``). The white
line is the theory for a rectangle.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

import rocksteady as rs
from rocksteady.view.style import FAINT, GREEN, ORANGE, VERMILLION

block = rs.Block(height=2.0, width=0.5)
s = block.height / block.width
frictions = np.linspace(0.05, 0.75, 29)
accelerations = np.linspace(0.05, 1.25, 25)  # of g
NAMES = ["rests", "slides", "slides and rocks", "rocks"]


def beginning(friction: float, acceleration: float) -> int:
    """How the block moves just after the push begins."""
    push = rs.pulses.rectangular(acceleration * block.g, duration=0.05)
    response = rs.simulate(block, push, rs.Nonsmooth(friction=friction), duration=0.02)
    slides = response.column("slip")[-1] != 0
    rocks = response.column("contact")[-1] != 0
    return {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}[slides, rocks]


seen = np.array([[beginning(mu, a) for mu in frictions] for a in accelerations])

# %%
# Above :math:`\mu_c` the edge does not slip.

a = accelerations[accelerations > 1 / s]
mu_c = (a * (4 + s**2) + 3 * s) / (1 + 4 * s**2 + 3 * a * s)

fig, axes = plt.subplots(figsize=(6.7, 3.2), layout="constrained")
colours = ListedColormap([FAINT, ORANGE, GREEN, VERMILLION])
mesh = axes.pcolormesh(frictions, accelerations, seen, cmap=colours, vmin=-0.5, vmax=3.5)
axes.plot(mu_c, a, color="white", linewidth=2)
axes.set(xlabel="coefficient of friction μ [-]", ylabel="acceleration of the floor [g]")
fig.colorbar(mesh, ticks=range(4)).set_ticklabels(NAMES)

# sphinx_gallery_start_ignore
grid_mu, grid_a = np.meshgrid(frictions, accelerations)
bound = (grid_a * (4 + s**2) + 3 * s) / (1 + 4 * s**2 + 3 * grid_a * s)
rests = grid_a <= np.minimum(grid_mu, 1 / s)
expected = np.where(rests, 0, np.where(grid_mu < 1 / s, 1, np.where(grid_mu < bound, 2, 3)))
clear = (np.abs(grid_mu - 1 / s) > 0.01) & (np.abs(grid_a - 1 / s) > 0.01) & (grid_a != grid_mu)
assert np.array_equal(seen[clear], expected[clear])
# sphinx_gallery_end_ignore
