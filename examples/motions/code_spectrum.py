"""
Motions that match a code spectrum
==================================

Building codes accept generated motions whose response spectrum matches the design spectrum.
Eurocode 8 requires at least three and limits how far their mean may fall below the target.
"""

import matplotlib.pyplot as plt
import numpy as np

from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.motion.generate.artificial import artificial_set, check
from rocksteady.motion.spectra import response_spectrum
from rocksteady.view.style import DASHED, INK, ORANGE, SKY

target = Eurocode8(ag=2.0, soil="B")  # m/s²
motions = artificial_set(target, n=3, seed=1)
periods = np.linspace(0.02, 4.0, 200)
spectra = np.array([response_spectrum(motion, periods, exact=True).psa for motion in motions])

# %%
fig, (wave, axes) = plt.subplots(1, 2, figsize=(6.7, 2.8), layout="constrained")
wave.plot(motions[0].time, motions[0].accel, color=INK, linewidth=0.5)
wave.set(xlabel="time [s]", ylabel="acceleration [m/s²]", title="One of the three")
axes.plot(periods, spectra.T, color=SKY, linewidth=0.7, label=["each of them", "", ""])
axes.plot(periods, spectra.mean(axis=0), color=INK, label="mean of the three")
axes.plot(periods, target.acceleration(periods), color=ORANGE, linestyle=DASHED, label="Eurocode 8")
axes.set(xlabel="period [s]", ylabel="pseudo-acceleration [m/s²]", title="Spectra", ylim=(0, None))
axes.legend()

# %%
# Such motions shake longer and more evenly than real ones. Rocking depends on a few long pulses, so
# prefer records or stochastic motions.

report = check(motions, target, period=0.5)
print(report)

# sphinx_gallery_start_ignore
assert report.pga_ratio > 0.99 and report.lowest_ratio > 0.9
assert np.all(spectra.mean(axis=0) > 0.9 * target.acceleration(periods))
assert target.acceleration(0.3) == 2.0 * 1.2 * 2.5  # a_g S 2.5 on the plateau, S = 1.2 on soil B
# sphinx_gallery_end_ignore
