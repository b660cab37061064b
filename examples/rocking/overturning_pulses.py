"""
Which pulses overturn a block: two ways to fall
===============================================

One sine wave of the ground can overturn a block in two ways. A slow wave pushes it over at once.
Under a quicker wave the block swings back, strikes the floor, and falls to the other side in the
second half of the wave. Each pixel below is a separate run.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

import rocksteady as rs
from rocksteady.view.style import FAINT, ORANGE, VERMILLION

block = rs.Block.from_parameters(p=2.14, alpha=0.25)
frequencies = np.linspace(0.5, 8.0, 151)  # ω/p
amplitudes = np.linspace(0.5, 10.0, 191)  # a / (g tan α)
uplift = block.g * np.tan(block.alpha)

pulses = [rs.pulses.sine(uplift, omega=x * block.p) for x in frequencies]
runs = rs.ensemble(block, pulses, scales=amplitudes, until="outcome", progress=False)
fell = runs.fell.squeeze().values
struck = (runs.impacts > 0).squeeze().values
way = np.where(~fell, 0, np.where(struck, 1, 2))

# %%
# Between the two there is a region where the block survives a *stronger* pulse: the second half of
# the wave pushes it back.

fig, axes = plt.subplots(figsize=(6.7, 3.4), layout="constrained")
axes.pcolormesh(frequencies, amplitudes, way.T, cmap=ListedColormap([FAINT, ORANGE, VERMILLION]))
axes.set(xlabel="frequency of the pulse, ω/p [-]", ylabel="acceleration, a/(g tan α) [-]")
axes.text(6.2, 1.5, "stands", ha="center")
axes.text(1.6, 5.2, "falls at once", ha="center", color="white")
axes.text(5.4, 4.3, "falls after\nan impact", ha="center")

# %%
# Below g tan α nothing lifts off, whatever the frequency.

# sphinx_gallery_start_ignore
assert not fell[:, amplitudes < 1].any()
assert (way == 1).any() and (way == 2).any()
stands_again = fell[:, :-1] & ~fell[:, 1:]
assert stands_again.any()
# sphinx_gallery_end_ignore
