"""
Small differences grow
======================

One statue, four earthquakes that differ by at most a thousandth. At first the responses coincide;
every impact increases the difference.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, GREEN, ORANGE, PURPLE

statue = rs.Block(height=1.8, width=0.5)
motion = rs.stochastic.rezaeian(
    seed=31, arias=3.0, d5_95=14.0, t_mid=9.0, frequency_mid=2.0, frequency_rate=-0.05, damping=0.3
)
factors = (1.0, 1.0003, 1.0006, 1.001)
responses = [rs.simulate(statue, motion.scaled(factor)) for factor in factors]

# %%
fig, axes = plt.subplots(figsize=(6.7, 3), layout="constrained")
for factor, response, colour in zip(factors, responses, (BLUE, GREEN, ORANGE, PURPLE), strict=True):
    lean = response.theta / statue.alpha
    axes.plot(response.time, lean, color=colour, label=f"× {factor:.4f}")
axes.set(xlabel="time [s]", ylabel="θ/α [-]", xlim=(0, 25), ylim=(-0.4, 0.5))
axes.legend(loc="upper right", ncols=2)

# %%
# This is a property of rocking, not a numerical error: the computation is accurate to ten digits.
# Trust distributions, not single histories.

# sphinx_gallery_start_ignore
n = min(len(response.time) for response in responses)
gap = np.ptp([response.theta[:n] / statue.alpha for response in responses], axis=0)
first = np.searchsorted(responses[0].time[:n], responses[0].impacts.time[3])
assert gap[:first].max() < 0.01
assert gap.max() > 0.1
# sphinx_gallery_end_ignore
