"""
A rocking spectrum: how far blocks lean, over their size
========================================================

The rocking spectrum is to a block what the response spectrum is to an oscillator: the largest lean
over the size of the block, here for two slendernesses and twenty earthquakes.
"""

import numpy as np

import rocksteady as rs

shaking = rs.stochastic.Parameters(
    arias=1.0, d5_95=10.0, t_mid=6.0, frequency_mid=2.0, frequency_rate=0.0, damping=0.3
)
motions = [motion.scaled_to(pga=4.0) for motion in rs.stochastic.ensemble(20, 1, shaking)]
spectrum = rs.analysis.rocking_spectrum(
    motions, alpha=[0.15, 0.25], periods=np.linspace(1, 8, 29), progress=False
)
spectrum.plot()

# %%
# A line ends where its quantile is a fall: a block that falls has no largest lean. The panel below
# shows how many fall. Small blocks fall under nearly every motion, large ones under few.

for sentence in spectrum.sentences:
    print(sentence)

# %%
# Each point is a run.

spectrum.response(alpha=0, period=20, motion=3).plot()

# sphinx_gallery_start_ignore
slender, stocky = spectrum.share
assert slender[0] == 1 and (slender >= stocky).mean() > 0.9
large = spectrum.periods >= 6
assert stocky[large].max() == 0 and slender[large].max() < 0.3
median = spectrum.quantile(0.5)
assert np.isnan(median[:, 0]).all() and np.isfinite(median[:, -1]).all()
run = rs.simulate(rs.Block.from_parameters(p=2 * np.pi / 6, alpha=0.15), motions[3])
assert spectrum.peak[0, 3, 20] == run.peak
# sphinx_gallery_end_ignore
