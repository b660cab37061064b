"""
Measure r in a free decay
=========================

The best way to find how much energy a real object loses at an impact is to tilt it a little,
release it and record its rotation. Here the record is synthetic: a simulated decay at 200 Hz, held
for a second before release, with the noise of a cheap sensor whose zero is half a degree off and
drifts. The fit must recover the r of the simulation.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, DASHED, QUIET, VERMILLION

TRUE_R = 0.88
column = rs.Block(height=2.4, width=0.4)
truth = rs.simulate(column, None, rs.Housner(r=TRUE_R), theta0=0.4 * column.alpha)
time = np.arange(0, 1 + truth.time[-1], 0.005)
noise = np.random.default_rng(1).normal(0, 2e-4, len(time))  # rad: 0.01 degrees
zero = np.radians(0.5 + 0.02 * time)
measured = np.interp(time - 1, truth.time, truth.theta) + zero + noise

# %%
# Release, offset and drift are fitted together with r, with a confidence interval for r.

found = rs.measure_r((time, measured), column)
low, high = found.interval
print(f"r = {found.r:.4f} (90 %: {low:.4f} to {high:.4f}), from {found.impacts} impacts")
print(f"let go at {found.released:.2f} s; sensor off by {np.degrees(found.offset):.2f}° then")

fitted = rs.simulate(column, None, rs.Housner(r=found.r), theta0=found.theta0)
after = fitted.time + found.released
upright = found.offset + found.drift * fitted.time
fig, axes = plt.subplots(figsize=(6.7, 2.6), layout="constrained")
axes.plot(time, np.degrees(measured), color=BLUE, label="measured")
axes.plot(
    after, np.degrees(fitted.theta + upright), color=VERMILLION, linestyle=DASHED, label="fitted"
)
axes.plot(after, np.degrees(upright), color=QUIET, linewidth=0.7, label="upright")
axes.set(xlabel="time [s]", ylabel="rotation [degrees]", xlim=(0, 7))
axes.legend(loc="upper right", ncols=3)

# %%
# Use ``rs.Housner(r=found.r)`` for this object in any earthquake.

# sphinx_gallery_start_ignore
assert low < TRUE_R < high and high - low < 0.002
assert abs(found.r - column.r) > 0.01  # not what the classical theory would have assumed
# sphinx_gallery_end_ignore
