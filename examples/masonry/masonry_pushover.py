"""
Push a masonry building back and forth
======================================

A wall on its bed joint adheres, then slips. At first, slip hardens the joint; then wear
sets in, and each cycle leaves it softer and weaker (Casalotti et al. 2025, parameters of Table 1).
"""

import numpy as np

import rocksteady as rs

house = rs.MasonryBuilding.casalotti2025(mass=60e3)  # kg
amplitudes = np.arange(1, 5) * 1e-3  # m
cycles = np.concatenate([a * np.sin(np.linspace(0, 2 * np.pi, 400)) for a in amplitudes])
response = rs.pushover(house, cycles)
response.plot()

# %%
# In a single push to 18 mm, it reaches its strength at about 8 mm:

once = rs.pushover(house, np.linspace(0, 18e-3, 2000))
print(f"Peak {once.peak_force / 1e3:.1f} kN at {once.displacement_at_peak * 1e3:.1f} mm")
print(f"Worn by {once.wear[-1]:.0%} at the end, by {response.wear[-1]:.0%} after the cycles")

# %%
# An independent integration gives the same peak and the same final wear. The energy balance closes.

# sphinx_gallery_start_ignore
assert abs(once.peak_force - 98_485) < 5
assert abs(once.wear[-1] - 0.20246) < 2e-5
assert np.all(np.diff(response.wear) >= 0)  # wear never heals
assert np.abs(response.energy_balance).max() < 1e-3 * response.work[-1]
# sphinx_gallery_end_ignore
