"""
Scale an earthquake until the statue falls
==========================================

How strong an earthquake can an object survive? A common approach is to scale a motion up, step by
step, until the first fall. But at still larger scales the statue may stand again. There is no
single "capacity", not even for one motion.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, VERMILLION

statue = rs.Block(height=1.8, width=0.5)
motion = rs.stochastic.rezaeian(
    seed=7, arias=1.0, d5_95=10.0, t_mid=6.0, frequency_mid=1.5, frequency_rate=-0.05, damping=0.3
)
scales = np.linspace(0.2, 3.0, 281)
runs = rs.ensemble(statue, motion, scales=scales, until="outcome", progress=False)
peak, fell = runs.peak.values.ravel(), runs.fell.values.ravel()
pga = scales * motion.pga / statue.g

# %%
fig, axes = plt.subplots(figsize=(6.7, 3), layout="constrained")
axes.plot(pga[~fell], peak[~fell], ".", color=BLUE, label="stands")
axes.plot(pga[fell], np.full(fell.sum(), 1.35), "|", color=VERMILLION, label="falls")
axes.set(xlabel="peak ground acceleration [g]", ylabel="largest lean |θ|/α [-]", ylim=(0, 1.45))
axes.legend(loc="upper left")

# %%
# Each run gives the same result as ``rs.simulate``.

first = int(np.argmax(fell))
print(f"First fall at {pga[first]:.2f} g; {np.sum(~fell[first:])} stronger ones leave it standing.")

# sphinx_gallery_start_ignore
assert peak[pga < np.tan(statue.alpha)].max() == 0  # below g tan α it does not move
assert fell.any() and not fell[first:].all()
assert (
    runs.peak.values.ravel()[first - 1]
    == rs.simulate(statue, motion.scaled(scales[first - 1])).peak
)
# sphinx_gallery_end_ignore
