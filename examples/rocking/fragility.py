"""
A fragility curve, step by step
===============================

One earthquake proves nothing about a rocking body. So take a hundred, scale each to several
strengths, count the falls, and draw a smooth curve through the shares: the probability that the
statue falls, given the strength of the shaking.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize
from scipy.stats import norm

import rocksteady as rs
from rocksteady.view.style import BLUE, INK

statue = rs.Block(height=1.8, width=0.5)
motions = rs.stochastic.ensemble(
    100, seed=3, parameters=rs.stochastic.Parameters(1.0, 10.0, 6.0, 2.0, -0.05, 0.3)
)
motions = [motion.scaled_to(pga=statue.g) for motion in motions]
levels = np.arange(0.1, 1.61, 0.1)  # g

runs = rs.ensemble(statue, motions, scales=levels, progress=False)
falls = (runs.status == 2).sum("motion").values.ravel()

# %%
# The curve is a lognormal distribution; its two numbers are those that make the counted falls most
# likely.


def doubt(parameters: np.ndarray) -> float:
    median, beta = np.exp(parameters)
    p = np.clip(norm.cdf(np.log(levels / median) / beta), 1e-9, 1 - 1e-9)
    return -float(np.sum(falls * np.log(p) + (100 - falls) * np.log(1 - p)))


median, beta = np.exp(minimize(doubt, np.log([0.7, 0.3]), method="Nelder-Mead").x)
print(f"Half of the earthquakes with {median:.2f} g overturn it; scatter β = {beta:.2f}")

fine = np.linspace(0.01, 1.7, 200)
fig, axes = plt.subplots(figsize=(6.7, 2.8), layout="constrained")
axes.plot(levels, falls, "o", color=BLUE, label="counted")
axes.plot(fine, 100 * norm.cdf(np.log(fine / median) / beta), color=INK, label="fitted")
axes.set(xlabel="peak ground acceleration [g]", ylabel="falls [%]", xlim=(0, 1.7))
axes.legend(loc="upper left")

# sphinx_gallery_start_ignore
assert falls[levels < np.tan(statue.alpha)].sum() == 0  # it cannot even lift off
assert abs(norm.cdf(np.log(levels / median) / beta) * 100 - falls).max() < 12
assert levels[0] < median < levels[-1]
# sphinx_gallery_end_ignore
