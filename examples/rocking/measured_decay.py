"""
From a measured free decay to r
===============================

The best way to know how much energy a real object loses at an impact is to tilt it a little, let it
go and record its rotation. Here the record is made up: a simulated decay at 200 Hz, with the noise
of a cheap sensor. The r that was put in has to come out.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, DASHED, VERMILLION

TRUE_R = 0.88
column = rs.Block(height=2.4, width=0.4)
truth = rs.simulate(column, None, rs.Housner(r=TRUE_R), theta0=0.4 * column.alpha)
time = np.arange(0, truth.time[-1], 0.005)
noise = np.random.default_rng(1).normal(0, 2e-4, len(time))  # rad: 0.01 degrees
measured = np.interp(time, truth.time, truth.theta) + noise

# %%
# The noise is read off the record; the swings that stand out from it are used.

found = rs.measure_r((time, measured), column)
print(f"r = {found.r:.4f}, error of the fit {found.error:.1%} over {found.impacts} impacts")

fitted = rs.simulate(column, None, rs.Housner(r=found.r), theta0=0.4 * column.alpha)
fig, axes = plt.subplots(figsize=(6.7, 2.6), layout="constrained")
axes.plot(time, np.degrees(measured), color=BLUE, label="measured")
axes.plot(fitted.time, np.degrees(fitted.theta), color=VERMILLION, linestyle=DASHED, label="fitted")
axes.set(xlabel="time [s]", ylabel="rotation [degrees]", xlim=(0, 6))
axes.legend()

# %%
# With it, the block that belongs to this object is ``rs.Housner(r=found.r)``, in any earthquake.

# sphinx_gallery_start_ignore
assert abs(found.r - TRUE_R) < 0.005
assert abs(found.r - column.r) > 0.01  # not what the classical theory would have assumed
# sphinx_gallery_end_ignore
