"""
On the roof of a building
=========================

A building filters the motion of the ground. Near its own period it amplifies it, and that is what a
statue on an upper floor feels. Here a statue stands on the ground and on the roofs of three
four-storey buildings, from stiff to soft.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, INK, ORANGE, VERMILLION

g = 9.80665  # m/s²: the unit
statue = rs.Block(height=1.8, width=0.5)
ground = [motion.scaled_to(pga=g) for motion in rs.stochastic.ensemble(60, seed=5)]

# %%
# One motion on one roof, and the floor's response spectrum beside the formulas of the codes.

found = rs.analysis.floor_spectra(ground[3], rs.Floor(period=0.5, storeys=4))
print("\n".join(found.sentences))
found.plot()

# %%
# The same statue under all motions. ``floor=`` turns each into the floor's; scales and results are
# named by the peak acceleration of the ground.

levels = np.geomspace(0.1, 3.0, 35)
places = {"ground": None} | {f"roof, T₁ = {T} s": rs.Floor(T, storeys=4) for T in (0.2, 0.5, 1.0)}
shares, medians = {}, {}
for name, floor in places.items():
    runs = rs.ensemble(statue, ground, scales=levels, floor=floor, until="outcome", progress=False)
    shares[name] = runs.fell.values[0].mean(axis=0)
    medians[name] = levels[np.argmax(shares[name] >= 0.5)]

fig, axes = plt.subplots(figsize=(6.7, 3.0), layout="constrained")
for (name, share), colour in zip(shares.items(), (INK, BLUE, ORANGE, VERMILLION), strict=True):
    axes.plot(levels, share, "o-", markersize=3, color=colour, label=name)
axes.set(xlabel="peak acceleration of the ground [g]", ylabel="share that overturns", ylim=(0, 1))
axes.legend()

# %%
# The softer the building, the less the statue bears, though the floor's peak acceleration falls:
# a soft building moves slowly, and slow motions overturn. Never judge by that peak alone.

peaks = []
for name, floor in places.items():
    moved = ground if floor is None else [floor.motion(motion) for motion in ground]
    peaks.append(np.mean([motion.pga for motion in moved]) / g)
    print(f"{name}: falls at {medians[name]:.2f} g; peak there {peaks[-1]:.2f} times the ground's")

# sphinx_gallery_start_ignore
assert peaks[1] > peaks[2] > peaks[3] > 1
falls = list(medians.values())
assert falls[3] < falls[2] < falls[0] and falls[3] < 0.6 * falls[0]
# sphinx_gallery_end_ignore
