"""
Free rocking and its closed form
================================

A column that is tilted and released rocks back and forth, with ever smaller and quicker swings.
Housner (1963) found the peaks and half periods of a slender block in closed form: they depend only
on the first lean, the *frequency parameter* p and the share r of the energy left by each impact.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.analysis.decay import closed_form_half_periods, closed_form_peaks
from rocksteady.view.style import BLUE, INK

column = rs.Block(height=4.2, width=0.6)
response = rs.simulate(column, None, rs.Housner(slender=True), theta0=column.alpha / 2)
swings = response.decay()[:30]

peaks = closed_form_peaks(0.5, column.r, swings.n)  # of α
half_periods = closed_form_half_periods(0.5, column.r, column.p, swings.n)  # s

# %%
# Dots are the computed motion, lines the formulas.

fig, (history, peak, period) = plt.subplots(1, 3, figsize=(6.7, 2.5), layout="constrained")
history.plot(response.time, response.theta / column.alpha, color=BLUE)
history.set(xlim=(0, 20), xlabel="time [s]", ylabel="θ/α [-]", title="Rotation")
peak.plot(swings.n, peaks, color=INK)
peak.plot(swings.n, swings.peak, "o", color=BLUE, markersize=3)
peak.set(xlabel="impacts so far", ylabel="largest |θ|/α [-]", title="Peaks")
period.plot(swings.n, half_periods, color=INK)
period.plot(swings.n, swings.half_period, "o", color=BLUE, markersize=3)
period.set(xlabel="impacts so far", ylabel="half period [s]", title="Half periods")

# %%
# A rocking block has no natural period: smaller swings are shorter.

# sphinx_gallery_start_ignore
assert np.allclose(swings.peak, peaks, rtol=1e-8)
assert np.allclose(swings.half_period, half_periods, rtol=1e-7)
assert np.all(np.diff(swings.half_period) < 0)
# sphinx_gallery_end_ignore
