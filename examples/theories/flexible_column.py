"""
A flexible column that may lift off
===================================

A mass on a slender column rocks and bends. While its base stands, it vibrates; when the bending
moment is large enough, an edge lifts. This is the body of Fig. 7 in Giouvanidis
and Dimitrakopoulos (2016).
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, GREEN, QUIET, VERMILLION

height, width = 10.0, 2.0  # m: H/b = 10
p = np.sqrt(9.81 / np.hypot(height, width / 2))
tower = rs.FlexibleOscillator(
    height,
    width,
    top_mass=1e4,
    base_mass=2e4,
    column_mass=1e4,
    natural_frequency=5 * p,
    damping_ratio=0.01,
)
pulse = rs.pulses.sine(amplitude=5 * tower.g * width / 2 / height, omega=7 * tower.p)
response = rs.simulate(tower, pulse, duration=12.0)

# %%
fig, (ground, lean, bend) = plt.subplots(
    3, 1, figsize=(6.7, 4.6), layout="constrained", sharex=True
)
ground.plot(response.time, response.ground[0] / tower.g, color=QUIET)
ground.set(ylabel="ground [g]")
lean.plot(response.time, response.theta / tower.alpha, color=BLUE)
lean.plot(response.impacts.time, 0 * response.impacts.time, "|", color=VERMILLION)
lean.set(ylabel="lean θ/α [-]")
bend.plot(response.time, response.column("u"), color=GREEN)
bend.set(xlabel="time [s]", ylabel="bending u [m]")

# %%
# An impact stops the base; a moment later the swing of the column lifts the other edge. α is the
# rotation at which the straight body balances: the heavy base makes it much larger than atan(b/H).

# sphinx_gallery_start_ignore
assert response.status is not rs.Status.OVERTURNED
assert 0.05 < response.peak < 1
assert response.peak == response.peak_angle / tower.alpha
assert len(response.impacts) > 3
assert abs(tower.alpha - np.arctan(4 / 15)) < 1e-12
# sphinx_gallery_end_ignore
